"""The statistic flags of seats: the opportunities before and after the flop, and those taken.

Definitions: docs/statistics.md. One pass over the decisions of replayed hands, of any number of players. Only a
player's own choices count: an opportunity is a decision of origin `choice`. Flags are bits of one integer a seat; bit k
is `schema.words.FLAGS[k]`. The flag of an opportunity precedes the flag of the action.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel, part
from .betting import NOBODY
from .records import BET, CALL, CHECK, CHOICE, DUMMY, FOLD, RAISE

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

_BY_ENDING: Final = (
    0,
    WON_HAND,
    WENT_TO_SHOWDOWN,
    WENT_TO_SHOWDOWN | TIED_SHOWDOWN,
    WENT_TO_SHOWDOWN | WON_SHOWDOWN | WON_HAND,
)
"""By how a hand ended for a seat: `records.OUT` to `records.BEST`."""


@part
def _counted(chance: int, taken: bool) -> int:
    """The flag of an opportunity, and the next flag if it was taken."""
    return chance | chance << 1 if taken else chance


@part
def _before_flop(kind: int, level: int, unopened: bool, limps: bool, opened: bool) -> int:
    """The flags of a player's choice before the flop.

    level: bets so far, the blinds count as one; unopened: no call or raise so far; limps: the player is one who
    can limp; opened: the player was the first to raise.
    """
    raised, called = kind in (BET, RAISE), kind == CALL
    bits = ACTED_PREFLOP
    if raised or called:
        bits |= VPIP
    if raised:
        bits |= PFR
    if level == 1 and unopened:
        bits |= _counted(RFI_CHANCE, raised)
        if limps:
            bits |= _counted(LIMP_CHANCE, called)
    if level == 2:
        bits |= _counted(THREEBET_CHANCE, raised)
    if level == 3 and opened:
        bits |= _counted(FOURBET_CHANCE, raised) | _counted(FOLD_TO_3BET_CHANCE, kind == FOLD)
    return bits


@part
def _acts_on_flop(actions: NDArray[np.void], at: int, raiser: int) -> bool:
    """True if the last raiser before the flop also acts on the flop; actions[at] is the flop's first decision."""
    row = actions[at]["hand"]
    while at < len(actions) and actions[at]["hand"] == row and actions[at]["street"] == 1:
        if actions[at]["seat"] == raiser:
            return True
        at += 1
    return False


@part
def _row_of(seats: NDArray[np.void], first: int, players: int, seat: int) -> int:
    """The row of a seat of a hand: eliminated players have none."""
    row = first + min(seat, players - 1)
    while row > first and seats[row]["seat"] != seat:
        row -= 1
    return row


@part
def _after(seats: NDArray[np.void], first: int, players: int, dealer: int) -> int:
    """The seat of the next player of a hand after the dealer: eliminated players have no row."""
    for row in range(first, first + players):
        if seats[row]["seat"] > dealer:
            return int(seats[row]["seat"])
    return int(seats[first]["seat"])


@part
def _flag_decisions(
    hands: NDArray[np.void], row: int, seats: NDArray[np.void], actions: NDArray[np.void]
) -> None:
    """Add the flags of the decisions of hand `row`."""
    first, players = int(hands[row]["first_seat"]), int(hands[row]["players"])
    dealer, at = int(hands[row]["dealer"]), int(hands[row]["first_act"])
    opener = raiser = bettor = (
        NOBODY  # who raised first and last before the flop; who bet first on the street
    )
    barrel = NOBODY  # the last raiser before the flop, while betting on every street
    checked = answered = 0  # who has on the street, and who has answered its first bet: a bit a seat
    street = 0
    entered = raiser_acts = missed = False  # missed: the raiser checked the flop and no player bet it
    while at < len(actions) and actions[at]["hand"] == row:
        action = actions[at]
        kind, seat, level = int(action["action"]), int(action["seat"]), int(action["level"])
        at += 1
        if kind > RAISE or action["origin"] == DUMMY:
            # No decision of the betting.
            continue
        choice, raised = action["origin"] == CHOICE, kind in (BET, RAISE)
        bits = 0
        if action["street"] == 0:
            if choice:
                # Heads-up only the dealer acts in an unopened pot.
                limps = players == 2 or seat == _after(seats, first, players, dealer)
                bits = _before_flop(kind, level, not entered, limps, seat == opener)
            if raised:
                raiser = barrel = seat
                if level == 1:
                    opener = seat
            entered = entered or raised or kind == CALL
            if kind == FOLD:
                seats[_row_of(seats, first, players, seat)]["flags"] &= ~SAW_FLOP
            seats[_row_of(seats, first, players, seat)]["flags"] |= bits
            continue
        if action["street"] != street:
            missed = street == 1 and bettor == NOBODY and raiser != NOBODY and checked >> raiser & 1 > 0
            # Auction's first revision has no betting on the flop.
            passed_over = action["street"] > street + 1
            if passed_over or (street > 0 and bettor != barrel):
                barrel = NOBODY
            street = int(action["street"])
            bettor, checked, answered = NOBODY, 0, 0
            raiser_acts = raiser != NOBODY and (players == 2 or _acts_on_flop(actions, at - 1, raiser))
        if choice and level == 0:
            if seat == barrel and street <= 3:
                bits |= _counted(CBET_FLOP_CHANCE << (2 * (street - 1)), raised)
            if street == 2 and missed:
                bits |= _counted(DELAYED_CBET_CHANCE if seat == raiser else PROBE_CHANCE, raised)
            if street == 1 and raiser_acts and seat != raiser and not checked >> raiser & 1:
                bits |= _counted(DONK_CHANCE, raised)
        elif choice:
            if checked >> seat & 1:
                bits |= _counted(CHECK_RAISE_CHANCE, raised)
            faces_cbet = street == 1 and bettor == raiser and level == 1 and seat != raiser
            if faces_cbet and not answered >> seat & 1:
                bits |= _counted(FOLD_TO_CBET_CHANCE, kind == FOLD)
        if level > 0 and seat != bettor:
            answered |= 1 << seat
        elif level == 0 and raised:
            bettor = seat
        if kind == CHECK:
            checked |= 1 << seat
        seats[_row_of(seats, first, players, seat)]["flags"] |= bits


@kernel
def flag_seats(
    hands: NDArray[np.void],
    seats: NDArray[np.void],
    actions: NDArray[np.void],
    is_holdem: NDArray[np.bool_],
) -> None:
    """Set the flags of all seats of hands that are replayed.

    hands, seats, actions  rows of `records` in use, in the order of the hands
    is_holdem              (matches,) False: only how the hand ended is flagged
    """
    for row in range(len(hands)):
        hand = hands[row]
        here, first = is_holdem[hand["match"]], int(hand["first_seat"])
        saw_flop = SAW_FLOP if here and hand["streets"] > 1 else 0
        for seat in range(first, first + hand["players"]):
            seats[seat]["flags"] = _BY_ENDING[seats[seat]["ended"]] | saw_flop
        if here:
            _flag_decisions(hands, row, seats, actions)
