"""The statistic flags of a hand: who had the opportunity for what before and after the flop, and took it.

Definitions: docs/statistics.md. Only a player's own choices count: an opportunity is a decision of origin
`choice`. Flags are bits of one integer a seat; bit k is `parsers.tables.FLAGS[k]`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...parsers.kernels import part, step
from .. import records
from ..records import BET, CALL, CHECK, CHOICE, RAISE

(
    ACTED_PREFLOP,
    VPIP,
    PFR,
    RFI_CHANCE,
    RFI,
    LIMP_CHANCE,
    LIMP,
    THREEBET_CHANCE,
    THREEBET,
    FOURBET_CHANCE,
    FOURBET,
    FOLD_TO_3BET_CHANCE,
    FOLD_TO_3BET,
    CBET_FLOP_CHANCE,
    CBET_FLOP,
    CBET_TURN_CHANCE,
    CBET_TURN,
    CBET_RIVER_CHANCE,
    CBET_RIVER,
    FOLD_TO_CBET_CHANCE,
    FOLD_TO_CBET,
    SAW_FLOP,
    WENT_TO_SHOWDOWN,
    WON_SHOWDOWN,
    TIED_SHOWDOWN,
    WON_HAND,
    CHECK_RAISE_CHANCE,
    CHECK_RAISE,
    DONK_CHANCE,
    DONK,
    PROBE_CHANCE,
    PROBE,
    DELAYED_CBET_CHANCE,
    DELAYED_CBET,
) = (1 << bit for bit in range(34))

_NOBODY: Final = -1


@step
def _preflop(actions: NDArray[np.void], first: int, last: int, flags: NDArray[np.int64]) -> int:
    """Set the preflop flags from action rows first..last; returns the last raiser's seat, -1 for none."""
    opener = raiser = _NOBODY
    entered = False
    for row in range(first, last):
        action = actions[row]
        if action["street"] > 0:
            break
        if action["action"] == records.POST:
            continue
        seat, kind, level = action["seat"], action["action"], action["level"]
        raised, called = kind in (BET, RAISE), kind == CALL
        if action["origin"] == CHOICE:
            bits = ACTED_PREFLOP
            if raised or called:
                bits |= VPIP
            if raised:
                bits |= PFR
            if level == 1 and not entered:
                bits |= RFI_CHANCE | LIMP_CHANCE
                if raised:
                    bits |= RFI
                if called:
                    bits |= LIMP
            if level == 2:
                bits |= THREEBET_CHANCE
                if raised:
                    bits |= THREEBET
            if level == 3 and seat == opener:
                bits |= FOURBET_CHANCE | FOLD_TO_3BET_CHANCE
                if raised:
                    bits |= FOURBET
                if kind == records.FOLD:
                    bits |= FOLD_TO_3BET
            flags[seat] |= bits
        entered = entered or raised or called
        if raised:
            raiser = seat
            if level == 1:
                opener = seat
    return raiser


@step
def hand_flags(
    actions: NDArray[np.void], first: int, last: int, dealer: int, streets: int, flags: NDArray[np.int64]
) -> None:
    """Set the decision flags of a heads-up hand.

    actions[first:last]  the hand's rows (`records.ACTION`)
    streets              betting streets dealt, preflop = 1
    flags                (2,) int64 out, by seat
    """
    raiser = _preflop(actions, first, last, flags)
    if streets > 1:
        flags[0] |= SAW_FLOP
        flags[1] |= SAW_FLOP
    street = 0
    barrel = raiser  # who has bet every street so far, after being the last raiser before the flop
    missed = False  # the raiser checked the flop and nobody bet it
    checked = bettor = _NOBODY
    answered = False  # the first response to the street's c-bet is in
    for row in range(first, last):
        action = actions[row]
        kind = action["action"]
        if action["street"] == 0 or kind == records.BID or kind == records.DISCARD:
            continue
        if action["origin"] == records.DUMMY:
            continue
        if action["street"] != street:
            if street == 1:
                missed = raiser != _NOBODY and bettor == _NOBODY
            if street > 0 and bettor != barrel:
                barrel = _NOBODY
            street = action["street"]
            checked = bettor = _NOBODY
            answered = False
        seat, level = action["seat"], action["level"]
        choice = action["origin"] == CHOICE
        bet = kind in (BET, RAISE)
        if choice and level == 0:
            bits = 0
            if seat == barrel and street <= 3:
                chance = (
                    CBET_FLOP_CHANCE
                    if street == 1
                    else CBET_TURN_CHANCE
                    if street == 2
                    else CBET_RIVER_CHANCE
                )
                bits |= chance | (chance << 1 if bet else 0)
            if street == 2 and missed and seat == raiser:
                bits |= DELAYED_CBET_CHANCE | (DELAYED_CBET if bet else 0)
            if street == 2 and missed and seat != raiser:
                bits |= PROBE_CHANCE | (PROBE if bet else 0)
            if street == 1 and raiser == dealer and seat != dealer and checked == _NOBODY:
                bits |= DONK_CHANCE | (DONK if bet else 0)
            flags[seat] |= bits
        if choice and level > 0:
            if seat == checked:
                flags[seat] |= CHECK_RAISE_CHANCE | (CHECK_RAISE if bet else 0)
            if street == 1 and bettor == raiser and level == 1 and seat != raiser and not answered:
                flags[seat] |= FOLD_TO_CBET_CHANCE | (FOLD_TO_CBET if kind == records.FOLD else 0)
        if level > 0 and seat != bettor:
            answered = True
        if kind == CHECK:
            checked = seat
        if bet and level == 0:
            bettor = seat


@part
def result_flags(shown_down: bool, decided: bool, winner: int, seat: int) -> int:
    """How the hand ended for a seat; winner is -1 for a split pot, which is neither won nor lost."""
    if not decided:
        return 0
    flags = 0
    if shown_down:
        flags |= WENT_TO_SHOWDOWN
        if winner < 0:
            flags |= TIED_SHOWDOWN
        elif winner == seat:
            flags |= WON_SHOWDOWN
    if winner == seat:
        flags |= WON_HAND
    return flags
