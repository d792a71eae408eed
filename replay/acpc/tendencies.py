"""The statistic flags of a hand at a table of any size (docs/statistics.md): `heads_up.tendencies` for more.

Two players get the same flags from both. With more: unopened means that nobody called or raised; every player
who has not folded a flop dealt saw it; a donk bet comes before the last preflop raiser, who can still act, has
acted; each player's first answer to a c-bet counts while nobody raised it.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part
from .. import records
from ..heads_up import tendencies as t
from ..records import BET, CALL, CHECK, RAISE
from . import state as s
from .state import Hand

_SMALL_BLIND: Final = 0
"""His position at tables of three and more (`definitions.positions`)."""


@part
def preflop(actions: NDArray[np.void], first: int, last: int, players: int, flags: NDArray[np.int64]) -> int:
    """Set the preflop flags by position from action rows first..last; the last raiser's position, -1 for none."""
    opener = raiser = -1
    entered = False
    for row in range(first, last):
        action = actions[row]
        if action["street"] > 0:
            break
        kind, level, player = action["action"], action["level"], action["position"]
        if kind == records.POST:
            continue
        raised, called = kind in (BET, RAISE), kind == CALL
        if action["origin"] == records.CHOICE:
            bits = t.ACTED_PREFLOP
            if raised or called:
                bits |= t.VPIP
            if raised:
                bits |= t.PFR
            if level == 1 and not entered:
                bits |= t.RFI_CHANCE
                if raised:
                    bits |= t.RFI
                # Heads-up nobody else acts in an unopened pot.
                if players == 2 or player == _SMALL_BLIND:
                    bits |= t.LIMP_CHANCE
                    if called:
                        bits |= t.LIMP
            if level == 2:
                bits |= t.THREEBET_CHANCE
                if raised:
                    bits |= t.THREEBET
            if level == 3 and player == opener:
                bits |= t.FOURBET_CHANCE | t.FOLD_TO_3BET_CHANCE
                if raised:
                    bits |= t.FOURBET
                if kind == records.FOLD:
                    bits |= t.FOLD_TO_3BET
            flags[player] |= bits
        entered = entered or raised or called
        if raised:
            raiser = player
            if level == 1:
                opener = player
    return raiser


@part
def hand_flags(
    actions: NDArray[np.void], first: int, last: int, hand: Hand, players: int, streets: int
) -> None:
    """Add the decision flags of a hold'em hand to `hand.flags`, by position.

    actions[first:last]  the hand's rows (`state.ACTION`); streets: betting streets dealt, preflop = 1
    """
    flags, checked = hand.flags, hand.checked
    raiser = preflop(actions, first, last, players, flags)
    if streets == 1:
        return
    # Who folded before the flop did not see it.
    for player in range(players):
        flags[player] |= t.SAW_FLOP
    row = first
    while row < last and actions[row]["street"] == 0:
        if actions[row]["action"] == records.FOLD:
            flags[actions[row]["position"]] &= ~t.SAW_FLOP
        row += 1
    raiser_acts = False
    for k in range(row, last):
        if actions[k]["street"] == 1 and actions[k]["position"] == raiser:
            raiser_acts = True
    street = 0
    barrel = raiser  # who has bet every street so far, after being the last raiser before the flop
    missed = False  # the raiser checked the flop and nobody bet it
    bettor = -1
    for k in range(row, last):
        action = actions[k]
        if action["street"] != street:
            if street == 1:
                missed = raiser >= 0 and checked[raiser] > 0 and bettor < 0
            if street > 0 and bettor != barrel:
                barrel = -1
            street = action["street"]
            bettor = -1
            for player in range(players):
                checked[player] = 0
        kind, level, player = action["action"], action["level"], action["position"]
        choice = action["origin"] == records.CHOICE
        bet = kind in (BET, RAISE)
        if choice and level == 0:
            bits = 0
            if player == barrel:
                chance = (
                    t.CBET_FLOP_CHANCE
                    if street == 1
                    else t.CBET_TURN_CHANCE
                    if street == 2
                    else t.CBET_RIVER_CHANCE
                )
                bits |= chance | (chance << 1 if bet else 0)
            if street == 2 and missed and player == raiser:
                bits |= t.DELAYED_CBET_CHANCE | (t.DELAYED_CBET if bet else 0)
            if street == 2 and missed and player != raiser:
                bits |= t.PROBE_CHANCE | (t.PROBE if bet else 0)
            if street == 1 and raiser_acts and player != raiser and checked[raiser] == 0:
                bits |= t.DONK_CHANCE | (t.DONK if bet else 0)
            flags[player] |= bits
        if choice and level > 0:
            if checked[player] > 0:
                flags[player] |= t.CHECK_RAISE_CHANCE | (t.CHECK_RAISE if bet else 0)
            if street == 1 and bettor == raiser and level == 1 and player != raiser:
                flags[player] |= t.FOLD_TO_CBET_CHANCE | (t.FOLD_TO_CBET if kind == records.FOLD else 0)
        if kind == CHECK:
            checked[player] = 1
        if bet and level == 0:
            bettor = player


@part
def result_flags(players: int, hand: Hand) -> None:
    """Add how the hand ended: a winner has the only best hand of a showdown, or is the last who has not folded."""
    shown_down = hand.facts[s.SHOWN_DOWN] > 0
    best = count = 0
    for player in range(players):
        if not hand.folded[player]:
            if count == 0 or hand.strength[player] > best:
                best, count = hand.strength[player], 1
            elif hand.strength[player] == best:
                count += 1
    for player in range(players):
        if hand.folded[player]:
            continue
        wins = not shown_down or hand.strength[player] == best
        bits = t.WENT_TO_SHOWDOWN if shown_down else 0
        if wins and count > 1 and shown_down:
            bits |= t.TIED_SHOWDOWN
        elif wins:
            bits |= t.WON_HAND | (t.WON_SHOWDOWN if shown_down else 0)
        hand.flags[player] |= bits


_RESULTS: Final = t.WENT_TO_SHOWDOWN | t.WON_SHOWDOWN | t.TIED_SHOWDOWN | t.WON_HAND


@kernel
def flag_again(
    hands: NDArray[np.void],
    seats: NDArray[np.void],
    actions: NDArray[np.void],
    row: int,
    first: int,
    last: int,
    hand: Hand,
) -> None:
    """Set the flags of hand `row`, whose actions are first..last, anew: some of them are not the player's choice."""
    players = hands[row]["players"] + 0
    begin = hands[row]["first_seat"] + 0
    marked = False
    for k in range(begin, begin + players):
        marked = marked or seats[k]["flags"] & ~_RESULTS != 0
        hand.flags[seats[k]["position"]] = seats[k]["flags"] & _RESULTS
    if not marked:
        return
    hand_flags(actions, first, last, hand, players, hands[row]["streets"] + 0)
    for k in range(begin, begin + players):
        seats[k]["flags"] = hand.flags[seats[k]["position"]]
