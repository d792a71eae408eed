"""What a player does next: a model of railbird, for bots. It needs Python 3.11 and NumPy, nothing else.

    import railbird_model
    model = railbird_model.load("model.npz")
    answer = model.predict(state)

`state` describes a decision as its player sees it; docs/model.md lists the keys. `answer` has the chances of fold,
check, call and raise (a bet is a raise), 0 where an action is illegal, and under `sizes` six chances of a raise's size.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

ACTIONS: Final = ("fold", "check", "call", "raise")
FOLD, CHECK, CALL, RAISE = range(4)
SIZES: Final = (0.25, 0.5, 0.75, 1.0, 2.0)
"""Upper ends of the bins of (amount_to - pip_before - to_call) / (pot_before + to_call); a sixth bin is above."""
FORMAT: Final = "railbird.model/2"
IMPOSSIBLE: Final = -30.0
"""The log chance of what the rules forbid."""

Array = NDArray[Any]
Floats = NDArray[np.float64]

_RANKS: Final = "23456789TJQKA"
_SUITS: Final = "cdhs"
_ALL: Final = (1 << 13) - 1
_CATEGORY: Final = 26
_PRIMARY: Final = 13
_NO_CHIPS: Final = -1.0
"""A feature whose value is not known, or that the game does not have."""

COUNTS: Final = (
    "raises",
    "own_raises",
    "own_acts",
    "acts",
    "checks",
    "calls",
    "folds",
    "own_raises_before",
    "raises_before",
    "raises_last_street",
    "last_raiser",
    "last_street_raiser",
    "own_other_acts",
    "other_acts",
)
"""Counts over the decisions of the hand before this one, of this board.

raises, own_raises, own_acts, acts, checks, calls  on this street: bets and raises, the player's own, its acts, all acts
folds               in the hand
own_raises_before, raises_before  on earlier streets; raises_last_street: on the street before
last_raiser, last_street_raiser   who raised last in the hand, on the street before: 0 nobody, 1 the player, 2 another
own_other_acts, other_acts        acts that are no betting, such as a bid
"""
SPOT: Final = (
    *("street", "position", "players", "big_blind", "pot_before", "to_call", "pip_before", "stack_before"),
    *("min_raise_to", "max_raise_to", "board_no", "hole", "board", "seen", "bounty_rank", "win_prob"),
    *("own_bid", "other_bid", *COUNTS),
)
"""The columns that features are made of. Chips as in the log; NaN for what is not there.

hole, board, seen  cards as bits, 4 * rank + suit from the deuce of clubs; position: its number in the model
bounty_rank        from 0, the deuce; -1 for none
"""
FEATURES: Final = (
    *(
        "street",
        "position",
        "players",
        "active",
        "board_no",
        "faces",
        "price",
        "call_bb",
        "call_of_pot",
        "pot_bb",
    ),
    *(
        "stack_bb",
        "stack_of_pot",
        "pip_bb",
        "can_raise",
        "least_size",
        "most_size",
        "raises",
        "own_raises",
        "own_acts",
    ),
    *("acts", "checks", "calls", "own_raises_before", "raises_before", "raises_last_street", "last_raiser"),
    *("last_street_raiser", "own_other_acts", "other_acts", "percentile", "category", "made", "above_pair"),
    *("flush_cards", "straight_outs", "overcards", "high", "low", "gap", "suited", "paired", "hole_cards"),
    *("board_cards", "board_high", "board_pairs", "board_suit", "board_row", "seen_cards", "seen_high"),
    *("bounty_rank", "bounty_in_play", "win_prob", "own_bid", "other_bid"),
)
"""The columns that the model reads, in order."""

_POPCOUNT: Final = np.array([k.bit_count() for k in range(1 << 13)], np.int8)


def _kept(count: int) -> Array:
    """For each set of ranks its highest `count`, or all."""
    found = np.arange(1 << 13)
    for _ in range(13):
        found = np.where(_POPCOUNT[found] > count, found & (found - 1), found)
    kept: Array = found.astype(np.int32)
    return kept


def _straights() -> Array:
    """For each set of ranks the top of its highest straight, as a set; 0 for none."""
    sets = np.arange(1 << 13)
    low = sets << 1 | sets >> 12
    start = low & low >> 1 & low >> 2 & low >> 3 & low >> 4
    top: Array = _kept(1)[start] << 3
    return top.astype(np.int32)


_TOP: Final = {k: _kept(k) for k in (1, 2, 3, 5)}
_STRAIGHT: Final = _straights()
_HIGH: Final = np.array([k.bit_length() - 1 for k in range(1 << 13)], np.int8)
_FLUSH: Final = np.where(
    _STRAIGHT > 0, (8 << _CATEGORY) | _STRAIGHT, np.where(_POPCOUNT >= 5, (5 << _CATEGORY) | _TOP[5], 0)
).astype(np.int32)
_LOW_RANK, _HIGH_RANK = (
    np.array(ranks) for ranks in zip(*[(a, b) for a in range(13) for b in range(a, 13)], strict=True)
)
_LOW_BIT, _HIGH_BIT = (1 << _LOW_RANK).astype(np.int32), (1 << _HIGH_RANK).astype(np.int32)
_SAME: Final = _LOW_RANK == _HIGH_RANK


def suits_of(cards: Array) -> Array:
    """(n, 4) sets of ranks by suit, of (n) cards as bits."""
    of_rank = (cards[:, None] >> _BY_RANK).astype(np.int64) & 15
    found = np.empty((len(cards), 4), np.int32)
    for suit in range(4):
        found[:, suit] = (of_rank >> suit & 1) @ _RANK_BIT
    return found


_BY_RANK: Final = 4 * np.arange(13, dtype=np.uint64)
_RANK_BIT: Final = 1 << np.arange(13)


def _held(suits: Array) -> tuple[Array, Array, Array, Array]:
    """Sets of ranks held, held twice, three times and four times."""
    one, two, three, four = suits[:, 0], 0 * suits[:, 0], 0 * suits[:, 0], 0 * suits[:, 0]
    for suit in range(1, 4):
        one, two, three, four = _more(one, two, three, four, suits[:, suit])
    return one, two, three, four


def _more(
    one: Array, two: Array, three: Array, four: Array, bits: Array
) -> tuple[Array, Array, Array, Array]:
    return one | bits, two | one & bits, three | two & bits, four | three & bits


def _by_ranks(one: Array, two: Array, three: Array, four: Array) -> Array:
    """The strength of a hand without its suits; a larger one wins."""
    pair, trips, quads = _TOP[1][two], _TOP[1][three], _TOP[1][four]
    second = _TOP[1][two ^ pair]
    found = _TOP[5][one]
    found = np.where(pair > 0, (1 << _CATEGORY) | pair << _PRIMARY | _TOP[3][one ^ pair], found)
    both = pair | second
    found = np.where(second > 0, (2 << _CATEGORY) | both << _PRIMARY | _TOP[1][one & ~both], found)
    found = np.where(trips > 0, (3 << _CATEGORY) | trips << _PRIMARY | _TOP[2][one & ~trips], found)
    straight = _STRAIGHT[one]
    found = np.where(straight > 0, (4 << _CATEGORY) | straight, found)
    other = _TOP[1][two & ~trips]
    found = np.where((trips > 0) & (other > 0), (6 << _CATEGORY) | trips << _PRIMARY | other, found)
    return np.where(quads > 0, (7 << _CATEGORY) | quads << _PRIMARY | _TOP[1][one & ~quads], found)


def strengths(suits: Array) -> Array:
    """(n) strengths of hands of any size, of (n, 4) sets of ranks by suit; a larger one wins, equal ones tie."""
    found: Array = np.maximum(_by_ranks(*_held(suits)), _FLUSH[suits].max(axis=1))
    return found


def percentiles(hole: Array, board: Array, deck: Array, own: Array | None = None) -> Floats:
    """(n) shares of the hands of two unseen cards that a hand beats on its board now, ties half.

    hole, board  (n, 4) sets of ranks by suit; deck: (4) those of all cards; own: (n) the hands' strengths, if known
    """
    n = len(hole)
    own = strengths(hole | board) if own is None else own
    if n > _ROWS:
        parts = [slice(k, k + _ROWS) for k in range(0, n, _ROWS)]
        return np.concatenate([percentiles(hole[some], board[some], deck, own[some]) for some in parts])
    own = own[:, None]
    unseen = deck & ~(hole | board)
    left = np.zeros((n, 13), np.int32)
    for suit in range(4):
        left += unseen[:, suit, None] >> np.arange(13) & 1
    one, two, three, four = (each[:, None] for each in _held(board))
    one, two, three, four = _more(one, two, three, four, _LOW_BIT)
    other = _by_ranks(*_more(one, two, three, four, _HIGH_BIT))
    score = np.sign(own - other)
    of_low, of_high = left[:, _LOW_RANK], left[:, _HIGH_RANK]
    hands = np.where(_SAME, of_low * (of_low - 1) // 2, of_low * of_high)
    total, won = hands.sum(axis=1), (hands * score).sum(axis=1)
    count = _POPCOUNT[board]
    at = np.flatnonzero(count.max(axis=1) >= 3)
    if len(at):
        won[at] += _by_flush(own[at], other[at], score[at], left[at], unseen[at], board[at], count[at])
    return np.where(total > 0, 0.5 + 0.5 * won / np.maximum(total, 1), 0.5)


_ROWS: Final = 8192


def one_card_percentiles(hole: Array, board: Array, deck: Array) -> Floats:
    """(n) shares of the unseen cards that a hand of one card beats on its board now, ties half; as `percentiles`."""
    own = strengths(hole | board)
    won, total = np.zeros(len(hole)), np.zeros(len(hole))
    for suit in range(4):
        for rank in np.flatnonzero(deck[suit] >> np.arange(13) & 1).tolist():
            other = board.copy()
            other[:, suit] |= 1 << rank
            is_unseen = (hole[:, suit] | board[:, suit]) >> rank & 1 == 0
            won += is_unseen * np.sign(own - strengths(other))
            total += is_unseen
    return np.where(total > 0, 0.5 + 0.5 * won / np.maximum(total, 1), 0.5)


def _by_flush(
    own: Array, other: Array, score: Array, left: Array, unseen: Array, board: Array, count: Array
) -> Array:
    """What flushes of the board's longest suit change in the sum of `percentiles`."""
    rows, suit = np.arange(len(board)), count.argmax(axis=1)
    lying, free = board[rows, suit][:, None], unseen[rows, suit][:, None]
    low, high = free >> _LOW_RANK & 1, free >> _HIGH_RANK & 1
    plain_low, plain_high = left[:, _LOW_RANK] - low, left[:, _HIGH_RANK] - high

    def change(made: Array, hands: Array) -> Array:
        gained: Array = (hands * (np.sign(own - np.maximum(other, made)) - score)).sum(axis=1)
        return gained

    found = change(_FLUSH[lying | _LOW_BIT | _HIGH_BIT], np.where(_SAME, 0, low * high))
    found += change(_FLUSH[lying | _LOW_BIT], low * plain_high)
    found += change(_FLUSH[lying | _HIGH_BIT], np.where(_SAME, 0, plain_low * high))
    plain = np.where(_SAME, plain_low * (plain_low - 1) // 2, plain_low * plain_high)
    return found + change(_FLUSH[lying | 0 * _LOW_BIT], plain)


def sizes_of(amount_to: Floats, spot: Mapping[str, Array]) -> Floats:
    """The size of a raise to an amount: the chips over the call / the pot after the call."""
    pot = spot["pot_before"] + spot["to_call"]
    found: Floats = (amount_to - spot["pip_before"] - spot["to_call"]) / np.maximum(pot, 1e-9)
    return found


def bins_of(sizes: Floats) -> Array:
    """The bin, from 0 to 5, of each size."""
    return np.searchsorted(np.array(SIZES) + 1e-9, sizes).astype(np.int64)


def legal_of(spot: Mapping[str, Array]) -> NDArray[np.bool_]:
    """(n, 4) what the rules allow."""
    calls = spot["to_call"] > 0
    return np.stack([calls, ~calls, calls, ~np.isnan(spot["max_raise_to"])], axis=1)


def legal_bins(spot: Mapping[str, Array]) -> NDArray[np.bool_]:
    """(n, 6) the bins in which a raise can be, all where none is legal."""
    low, high = (bins_of(sizes_of(spot[name], spot)) for name in ("min_raise_to", "max_raise_to"))
    bins = np.arange(len(SIZES) + 1)
    found: NDArray[np.bool_] = (bins >= np.minimum(low, high)[:, None]) & (bins <= high[:, None])
    found[np.isnan(spot["max_raise_to"]) | np.isnan(spot["min_raise_to"])] = True
    return found


def features(spot: Mapping[str, Array], deck: Array, preflop: Floats) -> NDArray[np.float32]:
    """(n, len(FEATURES)) the columns that the model reads, of the columns SPOT.

    deck     (4) sets of ranks by suit
    preflop  (13, 13) equity of two cards against two unseen ones: suited above the diagonal (row < column by rank)
    """
    suits, board = suits_of(spot["hole"]), suits_of(spot["board"])
    unit = np.maximum(spot["big_blind"], 1e-9)
    pot, to_call = np.maximum(spot["pot_before"], 1e-9), spot["to_call"]
    can_raise = ~np.isnan(spot["max_raise_to"])
    found: dict[str, Array] = {name: spot[name] for name in FEATURES if name in spot}
    found["active"] = spot["players"] - spot["folds"]
    found["faces"] = to_call > 0
    found["price"] = to_call / (pot + to_call)
    found["call_bb"] = to_call / unit
    found["call_of_pot"] = to_call / np.maximum(pot - to_call, 1e-9)
    found["pot_bb"], found["pip_bb"] = pot / unit, spot["pip_before"] / unit
    found["stack_bb"], found["stack_of_pot"] = spot["stack_before"] / unit, spot["stack_before"] / pot
    found["can_raise"] = can_raise
    found["least_size"] = sizes_of(spot["min_raise_to"], spot)
    found["most_size"] = sizes_of(spot["max_raise_to"], spot)
    found["own_bid"], found["other_bid"] = spot["own_bid"] / unit, spot["other_bid"] / unit
    found |= _of_cards(suits, board, deck, preflop)
    seen = suits_of(spot["seen"])
    found["seen_cards"] = _POPCOUNT[seen].sum(axis=1)
    found["seen_high"] = _HIGH[seen[:, 0] | seen[:, 1] | seen[:, 2] | seen[:, 3]]
    known = np.bitwise_or.reduce(suits | board, axis=1)
    rank = spot["bounty_rank"].astype(np.int64)
    found["bounty_in_play"] = np.where(rank >= 0, known >> np.maximum(rank, 0) & 1, -1)
    columns = np.array([found[name] for name in FEATURES], np.float64).T
    columns[np.isnan(columns)] = _NO_CHIPS
    return np.clip(columns, -1e6, 1e6).astype(np.float32, order="C")


def _of_cards(suits: Array, board: Array, deck: Array, preflop: Floats) -> dict[str, Array]:
    n = len(suits)
    both = suits | board
    own, lying, held = (np.bitwise_or.reduce(each, axis=1) for each in (suits, board, both))
    size, on_board = _POPCOUNT[suits].sum(axis=1), _POPCOUNT[board].sum(axis=1)
    high = _HIGH[own]
    second = own & ~_TOP[1][own]
    low = np.where(second > 0, _HIGH[second], high)
    suited = _POPCOUNT[suits].max(axis=1)
    place = (np.maximum(low, 0), np.maximum(high, 0))
    percentile = np.where(suited > 1, preflop[place], preflop[place[::-1]])
    at = np.flatnonzero((on_board > 0) & (size > 0))
    category, made = np.zeros(n, np.int64), np.zeros(n, np.int64)
    if len(at):
        keys = np.concatenate([suits[at], board[at]], axis=1)
        some, inverse = (
            (keys, np.arange(len(at))) if len(at) == 1 else np.unique(keys, axis=0, return_inverse=True)
        )
        inverse = inverse.reshape(-1)
        # Of one decision most time is calls of NumPy: hands and boards in one.
        strength = strengths(np.concatenate([some[:, :4] | some[:, 4:], some[:, 4:]]))
        percentile[at] = percentiles(some[:, :4], some[:, 4:], deck, strength[: len(some)])[inverse]
        classes = strength >> _CATEGORY
        category[at] = classes[: len(some)][inverse]
        made[at] = category[at] - classes[len(some) :][inverse]
    single = np.flatnonzero(size == 1)
    if len(single):
        keys, inverse = np.unique(
            np.concatenate([suits[single], board[single]], axis=1), axis=0, return_inverse=True
        )
        percentile[single] = one_card_percentiles(keys[:, :4], keys[:, 4:], deck)[inverse.reshape(-1)]
    twice = _held(both)[1]
    paired = _TOP[1][twice & own]
    above = _POPCOUNT[lying & ~(2 * np.maximum(paired, 1) - 1) & _ALL]
    above_pair = np.where(paired > 0, above, 9)
    counts = np.where(suits > 0, _POPCOUNT[both], 0).max(axis=1)
    more = _STRAIGHT[held[:, None] | 1 << np.arange(13)] > _STRAIGHT[held][:, None]
    row = np.stack([_POPCOUNT[lying & 31 << k & _ALL] for k in range(9)], axis=1).max(axis=1)
    row = np.maximum(row, _POPCOUNT[lying & 0x100F])
    return {
        "percentile": percentile,
        "category": category,
        "made": made,
        "above_pair": above_pair,
        "flush_cards": counts,
        "straight_outs": more.sum(axis=1),
        "overcards": _POPCOUNT[own & ~((1 << (_HIGH[lying].astype(np.int64) + 1)) - 1)],
        "high": high,
        "low": low,
        "gap": high - low,
        "suited": suited,
        "paired": _POPCOUNT[_held(suits)[1]],
        "hole_cards": size,
        "board_cards": on_board,
        "board_high": _HIGH[lying],
        "board_pairs": _POPCOUNT[_held(board)[1]],
        "board_suit": _POPCOUNT[board].max(axis=1),
        "board_row": row,
    }


_STREETS: Final = 4
_LEVELS: Final = 3
_PLACES: Final = 10
_FACED: Final = len(SIZES) + 2


def cells_of(spot: Mapping[str, Array]) -> NDArray[np.int64]:
    """(n, 4) the cell of each decision on each level of the frequencies, from coarse to fine.

    Whether a bet is faced and a raise is legal; also street and raises of the street; also the position; also the size
    faced.
    """
    faces = (spot["to_call"] > 0).astype(np.int64)
    can_raise = (~np.isnan(spot["max_raise_to"])).astype(np.int64)
    street = np.clip(spot["street"], 0, _STREETS - 1).astype(np.int64)
    level = np.clip(spot["raises"], 0, _LEVELS - 1).astype(np.int64)
    place = np.clip(spot["position"] + 1, 0, _PLACES - 1).astype(np.int64)
    size = spot["to_call"] / np.maximum(spot["pot_before"] - spot["to_call"], 1e-9)
    faced = np.where(faces > 0, bins_of(size) + 1, 0)
    first = 2 * faces + can_raise
    next_ = (first * _STREETS + street) * _LEVELS + level
    third = next_ * _PLACES + place
    return np.stack([first, next_, third, third * _FACED + faced], axis=1)


CELLS: Final = (
    4,
    4 * _STREETS * _LEVELS,
    4 * _STREETS * _LEVELS * _PLACES,
    4 * _STREETS * _LEVELS * _PLACES * _FACED,
)
"""How many cells each level has."""


_AT_ONCE: Final = 512


class Forest(NamedTuple):
    """Regression trees, node after node; a leaf points to itself.

    feature, threshold, left, right, value  by node
    root    (t) first node of each tree; class_: (t) what its value is added to; depth: of the deepest tree
    """

    feature: NDArray[np.int64]
    threshold: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: Floats
    root: NDArray[np.int64]
    class_: NDArray[np.int64]
    depth: int

    def sums(self, x: NDArray[np.float32], classes: int) -> Floats:
        """(n, classes) sums of the trees' values."""
        found = np.zeros((len(x), classes))
        if not len(self.root):
            return found
        for first in range(0, len(x), _AT_ONCE):
            some = x[first : first + _AT_ONCE]
            values, row = some.ravel(), np.arange(0, some.size, some.shape[1])[:, None]
            node = np.repeat(self.root[None], len(some), axis=0)
            # `take` is several times as fast as an index.
            for _ in range(self.depth):
                goes_left = values.take(row + self.feature.take(node)) <= self.threshold.take(node)
                node = np.where(goes_left, self.left.take(node), self.right.take(node))
            leaves = self.value.take(node)
            for class_ in range(classes):
                found[first : first + _AT_ONCE, class_] = leaves[:, self.class_ == class_].sum(axis=1)
        return found


FOREST: Final = tuple(name for name in Forest._fields if name != "depth")
"""The arrays of a forest in a file."""


class Raises(NamedTuple):
    """Raises that the player made, by which `Model.choose` sizes its own.

    cell, bin  (n) cell of the second level (`cells_of`), and bin of the size
    size       (n) the size; pot: (n) the pot after the call in big blinds
    end        (n) 1 for the smallest that was legal, 2 for the largest, else 0
    """

    cell: NDArray[np.int64]
    bin: NDArray[np.int64]
    size: Floats
    pot: Floats
    end: NDArray[np.int64]

    @classmethod
    def of(cls, spot: Mapping[str, Array], amount_to: Floats) -> "Raises":
        """Those of some decisions as columns (SPOT), all raises, and their totals of the street."""
        size = sizes_of(amount_to, spot)
        pot = (spot["pot_before"] + spot["to_call"]) / np.maximum(spot["big_blind"], 1e-9)
        largest = amount_to >= spot["max_raise_to"]
        end = np.where(largest, 2, amount_to <= spot["min_raise_to"])
        return cls(cells_of(spot)[:, 1], bins_of(size), size, pot, end)

    def near(self, cell: int, bin_: int, pot: float) -> Array:
        """Raises of a bin, of the same cell if there are any, made into pots of about that size."""
        of_bin = np.flatnonzero(self.bin == bin_)
        found: Array = of_bin[self.cell[of_bin] == cell]
        found = found if len(found) else of_bin
        if len(found) > _NEAR:
            away = np.abs(np.log(np.maximum(self.pot[found], 1e-9) / max(pot, 1e-9)))
            nearest: Array = found[np.argsort(away, kind="stable")[:_NEAR]]
            return nearest
        return found


_NEAR: Final = 20


def softmax(scores: Floats) -> Floats:
    """Chances that sum to 1 along the last axis."""
    top = np.exp(scores - scores.max(axis=-1, keepdims=True))
    found: Floats = top / top.sum(axis=-1, keepdims=True)
    return found


class Model:
    """A model of one player; `load` reads it."""

    def __init__(self, data: Mapping[str, Array]) -> None:
        """The arrays of a file."""
        self.player, self.game, self.event = (str(data[name]) for name in ("player", "game", "event"))
        self.hands, self.decisions = int(data["hands"]), int(data["decisions"])
        self.positions = {str(name): k for k, name in enumerate(data["positions"].tolist())}
        self._deck, self._preflop = data["deck"], data["preflop"]
        self._actions, self._sizes = data["actions"], data["sizes"]
        self._forests = [
            Forest(**{name: data[f"{kind}_{name}"] for name in FOREST}, depth=int(data[f"{kind}_depth"]))
            for kind in ("action", "size")
        ]
        self._raises = Raises(*(data[f"raises_{name}"] for name in Raises._fields))

    def predict(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """The chances of what the player does in a state: `fold`, `check`, `call`, `raise`, and `sizes` of a raise."""
        spot = spot_of(state, self.positions)
        chances, sizes = self.chances(spot)
        found: dict[str, Any] = dict(zip(ACTIONS, chances[0].tolist(), strict=True))
        found["sizes"] = sizes[0].tolist()
        return found

    def choose(self, state: Mapping[str, Any], random: Callable[[], float]) -> tuple[str, int | None]:
        """One of ACTIONS as the player would choose it, and for a raise its total of the street in whole chips.

        Drawn from the chances; within a bin a raise is sized as raises of the player were. random: gives numbers from
        0 to below 1, of which the answer takes three at most.
        """
        spot = spot_of(state, self.positions)
        chances, sizes = self.chances(spot)
        action = _drawn(chances[0], random())
        if action != RAISE:
            return ACTIONS[action], None
        return ACTIONS[RAISE], self._amount(spot, _drawn(sizes[0], random()), random())

    def _amount(self, spot: Mapping[str, Array], bin_: int, drawn: float) -> int:
        """The total of a raise whose size is in a bin; drawn: from 0 to below 1, which raise it is sized by."""
        low, high = int(spot["min_raise_to"][0]), int(spot["max_raise_to"][0])
        base = float(spot["pip_before"][0] + spot["to_call"][0])
        pot = float(spot["pot_before"][0] + spot["to_call"][0])
        edges = (0.0, *SIZES, np.inf)
        least = max(low, int(base + edges[bin_] * pot + 1e-9) + 1) if bin_ else low
        most = min(high, int(base + edges[bin_ + 1] * pot + 1e-9)) if bin_ < len(SIZES) else high
        if least > most:
            # No whole number of chips is in the bin: the next legal one.
            return min(max(least, low), high)
        big_blind = max(float(spot["big_blind"][0]), 1e-9)
        known = self._raises.near(int(cells_of(spot)[0, 1]), bin_, pot / big_blind)
        if not len(known):
            return least + int(drawn * (most - least + 1))
        chosen = known[int(drawn * len(known))]
        end = {1: low, 2: high}.get(int(self._raises.end[chosen]))
        if end is not None and least <= end <= most:
            return end
        return min(max(round(base + float(self._raises.size[chosen]) * pot), least), most)

    def over(self, state: Mapping[str, Any], holes: Sequence[Sequence[str | None]]) -> tuple[Floats, Floats]:
        """(n, 4) chances of ACTIONS and (n, 6) of sizes in a state, if the player's cards were each of n hands.

        For a bot that does not know them: it weighs the hands by what the player did before (docs/model.md).
        """
        one = spot_of(state, self.positions)
        spot = {name: np.repeat(column, len(holes)) for name, column in one.items()}
        spot["hole"] = np.array([bits_of(cards) for cards in holes], np.uint64)
        return self.chances(spot)

    def chances(self, spot: Mapping[str, Array]) -> tuple[Floats, Floats]:
        """(n, 4) chances of actions and (n, 6) of sizes, for decisions as columns (SPOT)."""
        x = features(spot, self._deck, self._preflop)
        cells = cells_of(spot)
        legal = legal_of(spot)
        scores = self._actions[cells[:, -1]] + self._forests[0].sums(x, 4)
        chances = np.where(legal, softmax(np.where(legal, scores, IMPOSSIBLE)), 0.0)
        chances /= chances.sum(axis=1, keepdims=True)
        scores = self._sizes[cells[:, 1]] + self._forests[1].sums(x, len(SIZES) + 1)
        return chances, softmax(np.where(legal_bins(spot), scores, IMPOSSIBLE))


def _drawn(chances: Floats, drawn: float) -> int:
    """A place by its chance; one without a chance is never drawn."""
    below = np.cumsum(chances)
    place = int(np.searchsorted(below, drawn * below[-1], side="right"))
    return min(place, int(np.flatnonzero(chances)[-1]))


def load(path: str | Path) -> Model:
    """The model of a file that `railbird model fit` wrote; ValueError for another file, in one line."""
    data: Mapping[str, Array] = {}
    with Path(path).open("rb") as file, suppress(BadZipFile, EOFError, ValueError):
        found = np.load(file, allow_pickle=False)
        data = dict(found) if isinstance(found, np.lib.npyio.NpzFile) else data
    word = str(data.get("format", ""))
    if word.partition("/")[0] != FORMAT.partition("/")[0]:
        raise ValueError(f"{path} is not a model")
    if word != FORMAT:
        raise ValueError(
            f"{path} has the format {word}, this module reads {FORMAT}: fit the model again (railbird model fit)"
        )
    return Model(data)


def bits_of(cards: Sequence[str | None]) -> np.uint64:
    """Cards as bits; None, and ranks below the deuce, are left out."""
    found = 0
    for card in cards:
        if card is not None and card[0] in _RANKS:
            found |= 1 << 4 * _RANKS.index(card[0]) + _SUITS.index(card[1])
    return np.uint64(found)


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def spot_of(state: Mapping[str, Any], positions: Mapping[str, int]) -> dict[str, Array]:
    """The columns SPOT, of one row each, of a state; positions: their numbers in the model."""
    me, street = state["position"], int(state["street"])
    facts = state.get("facts") or {}
    bounty = facts.get("bounty_rank")
    bids = state.get("bids") or ()
    own = [_number(bid[2]) for bid in bids if bid[1] == me]
    others = [_number(bid[2]) for bid in bids if bid[1] != me]
    seen = [card for each in state.get("seen") or () for card in each["cards"]]
    row: dict[str, Any] = {
        "street": street,
        "position": positions.get(me, -1),
        "players": state["players"],
        "big_blind": state["big_blind"],
        "bounty_rank": _RANKS.index(bounty) if bounty else -1,
        "win_prob": _number(facts.get("win_prob")),
        "own_bid": own[-1] if own else float("nan"),
        "other_bid": max(others) if others else float("nan"),
        "board_no": state.get("board_no") or 0,
    }
    for name in ("pot_before", "to_call", "pip_before", "stack_before", "min_raise_to", "max_raise_to"):
        row[name] = _number(state.get(name))
    row |= _line_counts(state.get("line") or (), me, street, state.get("board_no"))
    spot: dict[str, Array] = {name: np.array([value], np.float64) for name, value in row.items()}
    for name, cards in (("hole", state["hole"]), ("board", state["board"]), ("seen", seen)):
        spot[name] = np.array([bits_of(cards)], np.uint64)
    return spot


_BETTING: Final = ("fold", "check", "call", "bet", "raise")


def _line_counts(line: Sequence[Sequence[Any]], me: str, street: int, board_no: int | None) -> dict[str, int]:
    found = dict.fromkeys(COUNTS, 0)
    for at, position, action, _, *board in line:
        if board and board[0] != board_no:
            continue
        mine = position == me
        if action not in _BETTING:
            found["own_other_acts" if mine else "other_acts"] += 1
            continue
        found["folds"] += action == "fold"
        raises = action in ("bet", "raise")
        if raises:
            found["last_raiser"] = 1 if mine else 2
            found["last_street_raiser"] = (
                found["last_raiser"] if at == street - 1 else found["last_street_raiser"]
            )
        found["raises_last_street"] += raises and at == street - 1
        if at == street:
            found["raises"] += raises
            found["own_raises"] += raises and mine
            found["own_acts"] += mine
            found["acts"] += 1
            found["checks"] += action == "check"
            found["calls"] += action == "call"
        else:
            found["own_raises_before"] += raises and mine
            found["raises_before"] += raises
    return found
