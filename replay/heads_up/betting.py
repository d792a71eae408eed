"""Heads-up no-limit betting, as every MIT rules document words it: a hand's state and what is legal in it.

The state is two records that compiled and plain Python read alike: `hand` and `chips`.
"""

from typing import Final

import numpy as np

from ...jit.compile import part
from ..stakes import LARGEST_STACK

_ROUNDING: Final = 2.0**-51
"""What three rounded sums may be off by, as a share of the largest."""

HAND: Final = np.dtype(
    [
        ("number", "i8"),  # as printed
        ("line", "i8"),
        ("dealer", "i8"),
        ("street", "i8"),
        ("turn", "i8"),  # the engine's count of actions on the street; even: the dealer acts
        ("closed", "i8"),  # 1 where the betting of the street is over
        ("folded", "i8"),  # seat, -1 nobody
        ("level", "i8"),  # bets and raises of the street, the blinds are one
        ("aggressor", "i8"),  # seat of the last bet or raise of the hand, -1 nobody
        ("board_size", "i8"),
        ("posted", "i8"),  # blinds so far
        ("dealt", "i8"),  # players dealt to so far
        ("shown", "i8"),  # players who showed
        ("awarded", "i8"),  # awards read
        ("counted", "i8"),  # 1 after the winning counts
        ("hits", "i8"),  # seats whose hit the log prints, in order: digits to base 4, seat + 1
        ("pending", "i8"),  # seat whose fault the next action answers, -1 nobody
        ("stacks_due", "i8"),  # line of a street whose stacks are not yet printed, 0 none
        ("seq", "i8"),  # action rows of the hand
        ("row", "i8"),  # the hand's row
        ("broken", "i8"),  # findings of structure
        ("open", "i8"),  # 1 while a hand is being read
        ("settled", "i8"),  # 1 once paid by the rules
        ("on_last_street", "i8"),  # 1 on the last street: when its betting is over the hands are compared
        ("seen", "i8"),  # cards dealt so far, a bit each
        ("bare_line", "i8"),  # line of the first street that is printed without cards and chips, 0 none
        ("holes_due", "i8"),  # line of a street after which the hole cards are not yet printed, 0 none
        ("holes_printed", "i8"),  # players whose hole cards have been printed after the street
        ("changed", "i8"),  # players whose hole cards are no longer as dealt, a bit each
        ("called_changed", "i8"),  # players whose award says so, a bit each
        ("run_lines", "i8"),  # of those about the run, as many as have been read
        ("run_line", "i8"),  # where they begin
        ("bids", "i8"),  # read so far
        ("cards_due", "i8"),  # players who won a card in the auction that no line has told yet, a bit each
        ("auctioned", "i8"),  # 1 after the flop's second line
        ("summed", "i8"),  # 1 after the line about the auction
        ("discarded", "i8"),  # 1 after the discard of a street on which one is due
        ("holder", "i8"),  # seat + 1 whose hole cards the line before printed after the street, 0 none
        ("run_named", "i8"),  # seat + 1 that the last line about what was won in the run names
        ("loose", "i8"),  # 1 once the turns are not the rules' and every action is the named player's
    ]
)
"""Where a hand stands."""
RUN_LINES_DUE: Final = 3
"""That a run was reached, and what each player won in it."""

CHIPS: Final = np.dtype(
    [
        ("pip", "f8", (2,)),
        ("put", "f8", (2,)),
        ("bank", "f8", (2,)),
        ("carry", "f8", (2,)),
        ("award", "f8", (2,)),
        ("noted", "f8", (3, 2)),  # by street before the river: what the engine notes for its bets EV
        ("bets_ev", "f8", (3, 2)),  # its sums
        ("before_run", "f8", (2,)),  # put in before the first street after the river
        ("run_won", "f8", (2,)),  # as the log says
        ("straights", "f8", (2,)),  # showdowns of the match won with a straight
        ("due", "f8", (2,)),  # bankroll after the hand by the written rules, NaN where it is not known
        ("bidden", "f8", (2,)),  # in the auction
    ]
)
"""Chips of a match by seat."""


@part
def actor(hand: np.void) -> int:
    """The seat whose turn it is: the dealer before the flop, the other player first on later streets."""
    seat: int = hand["dealer"] if hand["turn"] % 2 == 0 else 1 - hand["dealer"]
    return seat


@part
def carries(chips: np.void, seat: int, bank: float) -> bool:
    """True for a bankroll that the hand before leaves: as it was to be paid, or as its awards say.

    They differ where the awards do not add up: one may be misprinted, or an engine paid what it should not.
    Bankrolls that a float64 does not hold are rounded.
    """
    due, paid = chips["carry"][seat], chips["bank"][seat] + chips["award"][seat]
    carried: bool = bank in (due, paid)
    largest = max(abs(bank), abs(chips["bank"][seat]))
    if not carried and largest >= LARGEST_STACK:
        carried = min(abs(bank - due), abs(bank - paid)) <= _ROUNDING * largest
    return carried


@part
def to_call(chips: np.void, seat: int) -> float:
    """Chips that the seat has to add to stay in the hand."""
    due: float = chips["pip"][1 - seat] - chips["pip"][seat]
    return due


@part
def may_raise(chips: np.void, seat: int, stack: float) -> bool:
    """A bet or raise needs chips beyond the call, and an opponent who still has some."""
    own: float = stack - chips["put"][seat]
    other: float = stack - chips["put"][1 - seat]
    return own > to_call(chips, seat) and other > 0


@part
def largest_raise(chips: np.void, seat: int, stack: float) -> float:
    """The highest raise-to: no more than the player has, nor than the opponent can call."""
    own: float = stack - chips["put"][seat]
    other: float = stack - chips["put"][1 - seat] + to_call(chips, seat)
    pip: float = chips["pip"][seat]
    return pip + min(own, other)


@part
def smallest_raise(chips: np.void, seat: int, stack: float, big_blind: float) -> float:
    """The lowest raise-to: as much more as was bet or raised, at least a big blind; the highest if less."""
    step = max(to_call(chips, seat), big_blind)
    faced: float = chips["pip"][1 - seat]
    return min(faced + step, largest_raise(chips, seat, stack))


@part
def put(chips: np.void, seat: int, pip: float) -> None:
    """Bring the seat's chips of this street to `pip`."""
    chips["put"][seat] += pip - chips["pip"][seat]
    chips["pip"][seat] = pip


@part
def after_check(hand: np.void) -> None:
    """Two checks end a street; before the flop the big blind's check does."""
    if (hand["street"] == 0 and hand["turn"] > 0) or hand["turn"] > 1:
        hand["closed"] = 1
    else:
        hand["turn"] += 1


@part
def after_call(hand: np.void, chips: np.void, seat: int) -> None:
    """A call ends the street, but for the small blind's first: the big blind may then check or raise."""
    limp = hand["street"] == 0 and hand["turn"] == 0
    put(chips, seat, chips["pip"][1 - seat])
    hand["turn"] += 1
    hand["closed"] = 0 if limp else 1


@part
def after_raise(hand: np.void, chips: np.void, seat: int, raise_to: float) -> None:
    """A bet or raise: the opponent is to answer."""
    put(chips, seat, raise_to)
    hand["level"] += 1
    hand["aggressor"] = seat
    hand["turn"] += 1
    hand["closed"] = 0


@part
def next_street(hand: np.void, chips: np.void) -> None:
    """Later streets begin with the dealer's opponent and no chips bet."""
    hand["street"] += 1
    hand["turn"] = 1
    hand["closed"] = 0
    hand["level"] = 0
    chips["pip"][0] = 0
    chips["pip"][1] = 0
