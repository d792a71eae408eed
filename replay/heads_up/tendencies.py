"""The statistic flags of a hand: who had the opportunity for what before and after the flop, and took it.

Definitions: docs/statistics.md. Only a player's own choices count: an opportunity is a decision of origin
`choice`. Flags are bits of one integer a seat; bit k is `schema.words.FLAGS[k]`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from ..records import BET, CALL, CHECK, FOLD, RAISE
from . import betting as b

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

NOBODY: Final = -1


@step
def _before_flop(hand: b.Ints, seat: int, kind: int, choice: bool) -> int:
    """What a preflop decision adds to the player's flags."""
    level = hand[b.LEVEL]
    raised, called = kind in (BET, RAISE), kind == CALL
    bits = 0
    if choice:
        bits = ACTED_PREFLOP
        if raised or called:
            bits |= VPIP
        if raised:
            bits |= PFR
        if level == 1 and not hand[b.ENTERED]:
            bits |= RFI_CHANCE | LIMP_CHANCE
            if raised:
                bits |= RFI
            if called:
                bits |= LIMP
        if level == 2:
            bits |= THREEBET_CHANCE
            if raised:
                bits |= THREEBET
        if level == 3 and seat == hand[b.OPENER]:
            bits |= FOURBET_CHANCE | FOLD_TO_3BET_CHANCE
            if raised:
                bits |= FOURBET
            if kind == FOLD:
                bits |= FOLD_TO_3BET
    if raised or called:
        hand[b.ENTERED] = 1
    if raised:
        hand[b.RAISER] = hand[b.BARREL] = seat
        if level == 1:
            hand[b.OPENER] = seat
    return bits


@step
def _begin_street(hand: b.Ints, street: int) -> None:
    """Another street's first decision: who goes on betting, and what the street before has left undone."""
    before, bettor = hand[b.DECIDED_ON], hand[b.BETTOR]
    if before == 1 and bettor != NOBODY:
        hand[b.MISSED] = 0
    # Auction's first revision asks nobody on the flop.
    passed_over = street > before + 1
    if passed_over or (before > 0 and bettor != hand[b.BARREL]):
        hand[b.BARREL] = NOBODY
    hand[b.DECIDED_ON] = street
    hand[b.CHECKED] = hand[b.BETTOR] = NOBODY
    hand[b.ANSWERED] = 0


@step
def _after_flop(hand: b.Ints, street: int, seat: int, kind: int, choice: bool) -> int:
    """What a decision on the flop or later adds to the player's flags."""
    level, raiser, bettor = hand[b.LEVEL], hand[b.RAISER], hand[b.BETTOR]
    bet = kind in (BET, RAISE)
    bits = 0
    if level == 0:
        if choice:
            if seat == hand[b.BARREL] and street <= 3:
                chance = CBET_FLOP_CHANCE << (2 * (street - 1))
                bits |= chance | (chance << 1 if bet else 0)
            if street == 2 and hand[b.MISSED]:
                if seat == raiser:
                    bits |= DELAYED_CBET_CHANCE | (DELAYED_CBET if bet else 0)
                else:
                    bits |= PROBE_CHANCE | (PROBE if bet else 0)
            dealer = hand[b.DEALER]
            if street == 1 and raiser == dealer and seat != dealer and hand[b.CHECKED] == NOBODY:
                bits |= DONK_CHANCE | (DONK if bet else 0)
        if bet:
            hand[b.BETTOR] = seat
    else:
        if choice:
            if seat == hand[b.CHECKED]:
                bits |= CHECK_RAISE_CHANCE | (CHECK_RAISE if bet else 0)
            if street == 1 and bettor == raiser and level == 1 and seat != raiser and not hand[b.ANSWERED]:
                bits |= FOLD_TO_CBET_CHANCE | (FOLD_TO_CBET if kind == FOLD else 0)
        if seat != bettor:
            hand[b.ANSWERED] = 1
    if kind == CHECK:
        hand[b.CHECKED] = seat
        if street == 1 and seat == raiser:
            hand[b.MISSED] = 1
    return bits


@part
def begin(hand: b.Ints, flags: NDArray[np.int64]) -> None:
    """A hand in which nobody has decided anything."""
    hand[b.OPENER] = hand[b.RAISER] = hand[b.BARREL] = hand[b.CHECKED] = hand[b.BETTOR] = NOBODY
    flags[0] = flags[1] = 0


@step
def decision(hand: b.Ints, flags: NDArray[np.int64], street: int, seat: int, kind: int, choice: bool) -> None:
    """Add a decision to the player's flags, before it is applied to the hand.

    street: as the betting counts; kind: `tables.ACTIONS`; flags: (2,) by seat.
    """
    if street == 0:
        flags[seat] |= _before_flop(hand, seat, kind, choice)
    else:
        if street != hand[b.DECIDED_ON]:
            _begin_street(hand, street)
        flags[seat] |= _after_flop(hand, street, seat, kind, choice)


@part
def result_flags(streets: int, shown_down: bool, told: bool, winner: int, seat: int) -> int:
    """How the hand ended for a seat; winner is -1 for a split pot, which is neither won nor lost.

    streets: betting streets dealt, preflop = 1; told: whether the log tells how it ended.
    """
    flags = SAW_FLOP if streets > 1 else 0
    if not told:
        return flags
    if shown_down:
        flags |= WENT_TO_SHOWDOWN
        if winner < 0:
            flags |= TIED_SHOWDOWN
        elif winner == seat:
            flags |= WON_SHOWDOWN
    if winner == seat:
        flags |= WON_HAND
    return flags
