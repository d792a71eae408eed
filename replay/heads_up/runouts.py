"""The cards that can still come: choices of them one by one, and the equity by which an all-in is paid."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare
from ...schema.words import CARDS
from ..evaluator import suit_bit, suits_of
from ..hand_order import is_own, strength_by
from .state import Engines, Play

_CODES: Final = len(CARDS)


@part
def hole_suits(play: Play, seat: int) -> int:
    """A player's hole cards as `evaluator.suit_bit` has them, -1 if one is not known."""
    suits = 0
    for k in range(1, play.holes[seat, 0] + 1):
        card = int(play.holes[seat, k])
        if card < 0:
            return -1
        suits |= suit_bit(card)
    return suits


@part
def next_choice(chosen: NDArray[np.int64], count: int, seen: int) -> bool:
    """Move on to the next choice of so many cards, at least one, that are not among those seen; False after the last.

    chosen: the choice; its first is -1 before the first choice. seen: a bit a card.
    """
    depth = count - 1 if chosen[0] >= 0 else 0
    while depth >= 0:
        card = chosen[depth] + 1
        while card < _CODES and seen >> card & 1:
            card += 1
        if card == _CODES:
            depth -= 1
            continue
        chosen[depth] = card
        if depth == count - 1:
            return True
        depth += 1
        chosen[depth] = card
    return False


@rare
def set_shares(play: Play, engines: Engines) -> None:
    """Note the dealer's equity in the facts of the pay, by the rules and by the engine's own order of hands."""
    facts = play.facts
    facts["share"] = facts["library_share"] = _share(play, engines.orders[0])
    if is_own(engines.orders[1]):
        facts["library_share"] = _share(play, engines.orders[1])


@part
def _share(play: Play, order: NDArray[np.int64]) -> float:
    """The share of the cards that can still complete the board with which the dealer wins, half of those that tie."""
    match, hand, chosen = play.match, play.hand, play.combined
    missing = match["boards"][match["last_street"]] - hand["board_size"]
    board = int(suits_of(play.board, hand["board_size"] + 0))
    own, other = hole_suits(play, hand["dealer"]) | board, hole_suits(play, 1 - hand["dealer"]) | board
    won = deals = 0.0
    chosen[0] = -1
    while next_choice(chosen, missing, hand["seen"] + 0):
        coming = int(suits_of(chosen, missing))
        first, second = strength_by(order, own | coming), strength_by(order, other | coming)
        won += 1.0 if first > second else 0.5 if first == second else 0.0
        deals += 1.0
    return won / deals if deals > 0 else np.nan
