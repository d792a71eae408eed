"""Heads-up no-limit betting, as every MIT rules document words it: a hand's state and what is legal in it.

The state is two small arrays that compiled and plain Python read alike: `hand` (integers, indexed by the
names below) and `chips` (one row a quantity, one column a seat).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part
from ..stakes import LARGEST_STACK

_ROUNDING: Final = 2.0**-51
"""What three rounded sums may be off by, as a share of the largest."""

Ints = NDArray[np.int64]
Chips = NDArray[np.float64]

# hand: where the hand stands
(
    NUMBER,  # as printed
    LINE,
    DEALER,
    STREET,
    TURN,  # the engine's count of actions on the street; even: the dealer acts
    CLOSED,  # 1 where the betting of the street is over
    FOLDED,  # seat, -1 nobody
    LEVEL,  # bets and raises of the street, the blinds are one
    AGGRESSOR,  # seat of the last bet or raise of the hand, -1 nobody
    BOARD_SIZE,
    POSTED,  # blinds so far
    DEALT,  # players dealt to so far
    SHOWN,  # players who showed
    AWARDED,  # awards read
    COUNTED,  # 1 after the winning counts
    HITS,  # seats whose hit the log prints, in order: digits to base 4, seat + 1
    PENDING,  # seat whose fault the next action answers, -1 nobody
    STACKS_DUE,  # line of a street whose stacks are not yet printed, 0 none
    SEQ,  # action rows of the hand
    ROW,  # the hand's row
    BROKEN,  # findings of structure
    OPEN,  # 1 while a hand is being read
    SETTLED,  # 1 once paid by the rules
    LAST,  # 1 on the last street: when its betting is over the hands are compared
    SEEN,  # cards dealt so far, a bit each
    BARE,  # line of the first street that is printed without cards and chips, 0 none
    HOLES_DUE,  # line of a street after which the hole cards are not yet printed, 0 none
    HOLES_PRINTED,  # players whose hole cards have been printed after the street
    CHANGED,  # players whose hole cards are no longer as dealt, a bit each
    CALLED_CHANGED,  # players whose award says so, a bit each
    RUN_LINES,  # of those about the run, as many as have been read
    RUN_LINE,  # where they begin
    BIDS,  # read so far
    CARDS_DUE,  # players who won a card in the auction that no line has told yet, a bit each
    AUCTIONED,  # 1 after the flop's second line
    SUMMED,  # 1 after the line about the auction
    GIVEN,  # 1 after the discard of a street on which one is due
    HOLDER,  # seat + 1 whose hole cards the line before printed after the street, 0 none
    RUN_NAMED,  # seat + 1 that the last line about what was won in the run names
    LOOSE,  # 1 once the turns are not the rules' and every action is the named player's
) = range(40)
HAND_SIZE: Final = 40
RUN_LINES_DUE: Final = 3
"""That a run was reached, and what each player won in it."""

# chips: by seat
(
    PIP,
    PUT,
    BANK,
    CARRY,
    AWARD,
    EV_PRE,
    EV_FLOP,
    EV_TURN,
    SUM_PRE,
    SUM_FLOP,
    SUM_TURN,
    BEFORE_RUN,  # put in before the first street after the river
    RUN_WON,  # as the log says
    STRAIGHTS,  # showdowns of the match won with a straight
    DUE,  # bankroll after the hand by the written rules, NaN where it cannot be told
    BIDDEN,  # in the auction
) = range(16)
CHIPS_SIZE: Final = 16


@part
def actor(hand: Ints) -> int:
    """The seat whose turn it is: the dealer before the flop, the other player first on later streets."""
    seat: int = hand[DEALER] if hand[TURN] % 2 == 0 else 1 - hand[DEALER]
    return seat


@part
def carries(chips: Chips, seat: int, bank: float) -> bool:
    """True for a bankroll that the hand before leaves: as it was to be paid, or as its awards say.

    They differ where the awards do not add up: one may be misprinted, or an engine paid what it should not.
    Bankrolls that a float64 does not hold are rounded.
    """
    due, paid = chips[CARRY, seat], chips[BANK, seat] + chips[AWARD, seat]
    carried: bool = bank in (due, paid)
    largest = max(abs(bank), abs(chips[BANK, seat]))
    if not carried and largest >= LARGEST_STACK:
        carried = min(abs(bank - due), abs(bank - paid)) <= _ROUNDING * largest
    return carried


@part
def to_call(chips: Chips, seat: int) -> float:
    """Chips that the seat has to add to stay in the hand."""
    due: float = chips[PIP, 1 - seat] - chips[PIP, seat]
    return due


@part
def may_raise(chips: Chips, seat: int, stack: float) -> bool:
    """A bet or raise needs chips beyond the call, and an opponent who still has some."""
    own: float = stack - chips[PUT, seat]
    other: float = stack - chips[PUT, 1 - seat]
    return own > to_call(chips, seat) and other > 0


@part
def largest_raise(chips: Chips, seat: int, stack: float) -> float:
    """The highest raise-to: no more than the player has, nor than the opponent can call."""
    own: float = stack - chips[PUT, seat]
    other: float = stack - chips[PUT, 1 - seat] + to_call(chips, seat)
    pip: float = chips[PIP, seat]
    return pip + min(own, other)


@part
def smallest_raise(chips: Chips, seat: int, stack: float, big_blind: float) -> float:
    """The lowest raise-to: as much more as was bet or raised, at least a big blind; the highest if less."""
    step = max(to_call(chips, seat), big_blind)
    faced: float = chips[PIP, 1 - seat]
    return min(faced + step, largest_raise(chips, seat, stack))


@part
def put(chips: Chips, seat: int, pip: float) -> None:
    """Bring the seat's chips of this street to `pip`."""
    chips[PUT, seat] += pip - chips[PIP, seat]
    chips[PIP, seat] = pip


@part
def after_check(hand: Ints) -> None:
    """Two checks end a street; before the flop the big blind's check does."""
    if (hand[STREET] == 0 and hand[TURN] > 0) or hand[TURN] > 1:
        hand[CLOSED] = 1
    else:
        hand[TURN] += 1


@part
def after_call(hand: Ints, chips: Chips, seat: int) -> None:
    """A call ends the street, but for the small blind's first: the big blind may then check or raise."""
    limp = hand[STREET] == 0 and hand[TURN] == 0
    put(chips, seat, chips[PIP, 1 - seat])
    hand[TURN] += 1
    hand[CLOSED] = 0 if limp else 1


@part
def after_raise(hand: Ints, chips: Chips, seat: int, raise_to: float) -> None:
    """A bet or raise: the opponent is to answer."""
    put(chips, seat, raise_to)
    hand[LEVEL] += 1
    hand[AGGRESSOR] = seat
    hand[TURN] += 1
    hand[CLOSED] = 0


@part
def next_street(hand: Ints, chips: Chips) -> None:
    """Later streets begin with the dealer's opponent and no chips bet."""
    hand[STREET] += 1
    hand[TURN] = 1
    hand[CLOSED] = 0
    hand[LEVEL] = 0
    chips[PIP, 0] = 0
    chips[PIP, 1] = 0
