"""The "bets EV" that some engines print after the final line: their own sums, reproduced from the log.

Before every query, or as a street begins, the engine notes for both players how many chips they put in on
each street; after a hand the notes count with the sign of the award.
"""

import math
from typing import Final

import numpy as np

from ...jit.compile import part, rare
from ...parsers import events
from .. import findings
from ..stakes import LARGEST_STACK
from . import state as s
from .state import Play, find

NONE, QUERY, STREET, QUERY_ANEW, DISCARDS = range(5)
RULES: Final = {"": NONE, "query": QUERY, "street": STREET, "query-anew": QUERY_ANEW, "discards": DISCARDS}
"""How an engine computes its sums: noted before every query and kept across hands, or at the start of a street."""


@part
def note(play: Play, first: int, second: int) -> None:
    """The chips of each street so far, overwritten in two streets and, in all others, in the rest.

    At the street `first` the preflop chips, at `second` those of the flop. The engine that notes before queries never
    clears them, so values of earlier hands remain if a hand ends before the street.
    """
    hand, chips = play.hand, play.chips
    for seat in range(2):
        put = hand["spent"][seat]
        if hand["street"] == first:
            chips["noted"][0, seat] = put
        elif hand["street"] == second:
            chips["noted"][1, seat] = put - chips["noted"][0, seat]
        else:
            chips["noted"][2, seat] = put - chips["noted"][1, seat] - chips["noted"][0, seat]


@part
def before_query(play: Play) -> None:
    """The engine's note before it asks a player.

    Where players discard the flop's are noted in its betting, the preflop chips before the flop.
    """
    rule = play.match["ev_rule"]
    if rule in (QUERY, QUERY_ANEW):
        note(play, 1, 2)
    elif rule == DISCARDS:
        note(play, 0, s.SECOND_DISCARD + 1)


@part
def clear(chips: np.void) -> None:
    """No notes yet."""
    for seat in range(2):
        chips["noted"][0, seat] = chips["noted"][1, seat] = chips["noted"][2, seat] = 0


@rare
def add_hand(chips: np.void) -> None:
    """After a hand: the notes count with the sign of the change in bankroll."""
    for seat in range(2):
        sign = np.sign(chips["carry"][seat] - chips["bank"][seat])
        chips["bets_ev"][0, seat] += sign * chips["noted"][0, seat]
        chips["bets_ev"][1, seat] += sign * chips["noted"][1, seat]
        chips["bets_ev"][2, seat] += sign * chips["noted"][2, seat]


@part
def begins(number: float, whole: float) -> bool:
    """True if a whole number consists of another's first digits, as in a truncated line."""
    while whole != 0:
        if number == whole:
            return True
        whole = float(math.floor(whole / 10) if whole > 0 else math.ceil(whole / 10))
    return False


@rare
def check(play: Play, line: int, code: int, named: int, logged: float, cut: bool) -> None:
    """Compare a line with the sums; with equal names the engine keeps none. Needs every hand of the match.

    cut: the text ends within this line, so digits may be missing. Sums that may exceed a float64's exact range are not
    compared.
    """
    if not play.match["whole"] or play.match["stack"] > LARGEST_STACK // max(play.hand["number"], 1):
        return
    due: float = play.chips["bets_ev"][code - events.EV_PREFLOP, named]
    if play.match["same_names"]:
        due = 0.0
    if logged != due and not (cut and begins(logged, due)):
        find(play.report, line, named, findings.BETS_EV, due, logged)
