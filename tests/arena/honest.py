"""An honest player: it bets, bluffs, calls and folds by where its hand stands among all that it could hold by now.

Both players' ranges follow from what they did, as if both were honest. Of its range a player bets the hands that beat
most of the other's, and so many bad ones that a call wins nothing; facing a bet it stays in with so much of its range
that a bluff wins nothing. What it holds does not show in its sizes.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.analytics.model.decisions import preflop_equities
from railbird.analytics.model.railbird_model import percentiles, strengths, suits_of
from railbird.replay.bots import Acted, Answer, Bot, View
from railbird.replay.records import BET, CALL, CHECK, FOLD, RAISE

Floats = NDArray[np.float64]

SMALL: Final = 0.4
LARGE: Final = 0.75
OFTEN: Final = 0.6
"""How often a bet is the large one."""
OPENS: Final = ((0.48, 0.42), (0.6, 0.49), (0.66, 0.55), (0.72, 0.64), (0.8, 0.7))
"""By raises before the flop: the equities from which a player raises and from which it calls."""
LIMPED: Final = ((0.58, 0.0), (0.7, 0.43), (0.75, 0.6), (0.8, 0.7))
"""The same after a limp."""
VALUE: Final = (0.0, 0.58, 0.64, 0.68)
"""By street: the share of the other's range that a bet for value beats."""
BLUFFS: Final = (0.04, 0.8, 0.62, 0.45)
"""By street: bluffs for each bet for value; before the flop the share of all other hands that are raised."""
POOR: Final = 0.38
"""The place in the own range up to which a hand is bet as a bluff."""
RAISES: Final = 0.78
"""The share of the bettor's range that a raise for value beats."""
RERAISED: Final = 0.5
SURE: Final = 0.85
"""How often a hand that is good enough for it is bet or raised."""
_MOST_RAISES: Final = 4
_TINY: Final = 0.01
_HANDS: Final = np.array([(low, high) for high in range(52) for low in range(high)])
_BITS: Final = (np.uint64(1) << _HANDS.astype(np.uint64)).sum(axis=1).astype(np.uint64)
_FULL: Final = np.full(4, 8191, np.int32)


def _equities() -> Floats:
    table = preflop_equities()
    low, high = np.sort(_HANDS // 4, axis=1).T
    suited = _HANDS[:, 0] % 4 == _HANDS[:, 1] % 4
    found: Floats = np.where(suited, table[low, high], table[high, low])
    return found


EQUITIES: Final = _equities()


def number_of(hole: Sequence[int]) -> int:
    """The place of two cards among all pairs."""
    low, high = sorted(hole[:2])
    return high * (high - 1) // 2 + low


@lru_cache(4096)
def strength_of(hole: Sequence[int], board: Sequence[int]) -> float:
    """The strength of a hand as models see it: the share of two unseen cards that it beats."""
    if not board:
        return float(EQUITIES[number_of(hole)])
    sets = [suits_of(np.array([sum(1 << int(card) for card in cards)], np.uint64)) for cards in (hole, board)]
    return float(percentiles(sets[0], sets[1], _FULL)[0])


class Order(NamedTuple):
    """All pairs of cards on a board, worst first.

    by     (1326) their numbers; start, end: (1326) by number, where those that are as good begin and end
    dead   (1326) by number, whether the board has one of the cards
    """

    by: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    dead: NDArray[np.bool_]

    def below(self, weights: Floats) -> Floats:
        """(1326) by number, the share of the weights that a pair beats, ties half."""
        sums = np.concatenate([[0.0], np.cumsum(weights[self.by])])
        found: Floats = (sums[self.start] + sums[self.end]) / (2 * max(sums[-1], 1e-300))
        return found


@lru_cache(16)
def order_of(board: tuple[int, ...]) -> Order:
    """The order of all pairs on a board."""
    mask = np.uint64(sum(1 << card for card in board))
    values = strengths(suits_of(_BITS | mask))
    by = np.argsort(values, kind="stable")
    ranked = values[by]
    return Order(
        by,
        np.searchsorted(ranked, values, "left"),
        np.searchsorted(ranked, values, "right"),
        (_BITS & mask) != 0,
    )


class Spot(NamedTuple):
    """What an honest player asks of a hand at a decision.

    bets, bluffs   the share of the other's range that a bet or raise for value beats, and the chance of one with a hand
                   of `poor` or a lower place in the own range
    stays          the place in the own range from which a hand calls
    """

    bets: float
    bluffs: float
    poor: float
    stays: float

    def chances(self, beats: Floats, place: Floats) -> tuple[Floats, Floats]:
        """The chances to bet or raise, and to call if not, of hands with these shares and places."""
        raises = np.where(beats >= self.bets, SURE, np.where(place <= self.poor, self.bluffs, 0.0))
        return raises, np.where(place >= self.stays, 1.0, 0.0)


class Hand:
    """Both players' ranges in a hand, by seat, as what they did tells them."""

    def __init__(self, view: View) -> None:
        """Before the first action."""
        self.weights = [np.ones(len(_HANDS)), np.ones(len(_HANDS))]
        self.seen = 0
        self.street = 0
        self.raises = 0
        dealer = view.acted[0].seat if view.acted else view.seat
        self.pips = [view.big_blind, view.big_blind]
        self.pips[dealer] //= 2
        self.before = 0
        self.limped = False

    def follow(self, view: View) -> None:
        """Everything that was done since."""
        for acted in view.acted[self.seen :]:
            self._reach(acted.street, view.board)
            self._learn(acted, view)
            self.seen += 1
        self._reach(view.street, view.board)

    def _reach(self, street: int, board: Sequence[int]) -> None:
        if street == self.street:
            return
        self.before += sum(self.pips)
        self.street, self.raises, self.pips = street, 0, [0, 0]
        dead = order_of(self._board(board)).dead
        for weights in self.weights:
            weights[dead] = 0.0

    def _board(self, board: Sequence[int]) -> tuple[int, ...]:
        return tuple(board[: (0, 3, 4, 5)[self.street]])

    def spot(self, seat: int, board: Sequence[int]) -> tuple[Spot, Floats, Floats]:
        """What an honest player asks there, and all pairs' shares of the other's range and places in the own."""
        if not self.street:
            asked = LIMPED if self.limped else OPENS
            raises, stays = asked[min(self.raises, len(asked) - 1)]
            return Spot(raises, BLUFFS[0], 1.0, stays), EQUITIES, EQUITIES
        order = order_of(self._board(board))
        own = self.weights[seat] / max(self.weights[seat].sum(), 1e-300)
        beats, place = order.below(self.weights[1 - seat]), order.below(own)
        owed = self.pips[1 - seat] - self.pips[seat]
        if owed <= 0:
            bets, poor, each = VALUE[self.street], POOR, BLUFFS[self.street]
            stays = 0.0
        else:
            pot = self.before + sum(self.pips) - owed
            stays = owed / (pot + owed)
            bets, poor, each = RAISES, stays, RERAISED
        good = beats >= bets
        bad = own[(place <= poor) & ~good].sum()
        bluffs = min(1.0, each * SURE * own[good].sum() / bad) if bad > 0 else 0.0
        return Spot(bets, bluffs, poor, stays), beats, place

    def _learn(self, acted: Acted, view: View) -> None:
        spot, beats, place = self.spot(acted.seat, view.board)
        raises, stays = spot.chances(beats, place)
        other = self.pips[1 - acted.seat]
        owed = other - self.pips[acted.seat]
        if acted.action in (BET, RAISE):
            chance = raises
            self.pips[acted.seat] = acted.raise_to
            self.raises += 1
        elif owed > 0:
            chance = (1 - raises) * (stays if acted.action == CALL else 1 - stays)
            self.limped |= not self.street and not self.raises and acted.action == CALL
            self.pips[acted.seat] = other
        else:
            chance = 1 - raises
        self.weights[acted.seat] *= np.maximum(chance, _TINY)


class Honest(Bot):
    """A bot without a gross leak."""

    hands_by: str | None = None
    """Where set, its chances of each hand start from this text and the hand's number, whatever was drawn before."""
    _number = 0
    _hand: Hand | None = None
    bluffs = False
    """Whether its last answer was a bet or raise with a hand that does not beat enough for it."""

    def acknowledge(self) -> Answer:
        """The hand is over."""
        self._hand = None
        if self.hands_by is not None:
            self._number += 1
            self.rng.seed(f"{self.hands_by}/{self._number}")
        return super().acknowledge()

    def strength(self, hole: Sequence[int], board: Sequence[int]) -> float:
        """From 0 to 1, exact; before the flop the equity against two unseen cards."""
        return strength_of(tuple(hole), tuple(board))

    def seen_as(self, share: float) -> float:
        """What the player takes a share of hands that it beats for."""
        return share

    def act(self, view: View) -> Answer:
        """By the place of its hand."""
        if self._hand is None or view.street < self._hand.street or len(view.acted) < self._hand.seen:
            self._hand = Hand(view)
        self._hand.follow(view)
        spot, beats, place = self._hand.spot(view.seat, view.board)
        pairs = [number_of(pair) for pair in combinations(view.hole, 2)]
        mine = [np.array(self.seen_as(float(each[pairs].max()))) for each in (beats, place)]
        raises, stays = (float(each) for each in spot.chances(*mine))
        self.bluffs = False
        if view.high and self._hand.raises <= _MOST_RAISES and self.happens(raises):
            self.bluffs = raises < SURE
            return raised(view, LARGE if self.happens(OFTEN) else SMALL)
        if not view.to_call:
            return Answer(CHECK)
        return Answer(CALL if stays else FOLD)


def raised(view: View, share: float) -> Answer:
    """A bet or raise of a share of the pot, as far as the rules allow it."""
    wanted = view.pip + view.to_call + round(share * (view.pot + view.to_call))
    return Answer(RAISE, max(view.low, min(wanted, view.high)))
