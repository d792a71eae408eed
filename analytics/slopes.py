"""The slopes of the terms of `luck_terms`: the effect on winnings of a chip of luck (docs/luck.md).

A card's effect on the value of a hand that is only checked down says too little, or too much, of what it brings where
players bet, fold and raise. How much depends on the players, so slopes are fitted: those of a hand on hands before it
in its match, and on other matches that were not dealt the same cards. They are fixed before the cards of the hand come,
and the mean of each term over these cards is 0: taking out slope x term leaves the mean of the winnings as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

TERMS: Final = (
    "deal",
    "flop",
    "turn",
    "river",
    "flop_free",
    "turn_free",
    "river_free",
    "flop_small",
    "turn_small",
    "river_small",
)
"""The columns of `luck_terms` that have a slope."""

PLAIN: Final = np.array([1.0] * 4 + [0.0] * 6)
"""The slopes of a match without other matches: cards count for their value without further bets."""

_PRIOR: Final = 500.0
"""Weight of these slopes in hands: slopes from few matches are shrunk towards them."""

_BOUNDS: Final = (50.0, 500.0)
"""The slopes of other matches weigh as much as so many hands of the match itself; each bound makes an estimate."""

_RATE: Final = 1.0
"""How fast the weights of the estimates follow their squared errors, in the largest square so far."""

_EVERY: Final = 40
"""Slopes are fitted again before each of the first hands of a match, later before every tenth."""

_HANDS: Final = 20_000
"""Hands whose sums are in memory at a time: 0.8 KB each."""


@dataclass(frozen=True)
class OfOthers:
    """What other matches say of the slopes of one.

    slopes  (terms,) the slopes that fit them best
    scale   (terms,) the mean square of each term a row, in bb squared: the median of these matches
    """

    slopes: Floats
    scale: Floats


NO_OTHERS: Final = OfOthers(PLAIN, np.ones(len(PLAIN)))


@dataclass(frozen=True)
class Slopes:
    """What the slopes of each match begin with.

    by_group  (game, group of matches) to what other groups say; a group is a match, or all matches dealt the same
              cards; of slopes from earlier matches alone (game, match_id)
    digest    hash of the sums over all matches that the slopes come from
    """

    by_group: Mapping[tuple[str, int], OfOthers]
    digest: str


@dataclass
class _Sums:
    """A group's contribution to the normal equations of its game, in bb.

    place  of its first match in the order of appearance; alike: number shared with matches dealt the same cards
    """

    squares: Floats
    products: Floats
    rest: float = 0.0
    rows: int = 0
    place: int = 0
    alike: int = 0


class Sums:
    """The normal equations of all matches, read some at a time in the order in which they were played.

    earlier: the slopes of a match come from matches before it that were dealt other cards
    """

    def __init__(self, earlier: bool = False) -> None:
        self._earlier = earlier
        self._by_game: dict[str, dict[int, _Sums]] = {}
        self._places: dict[int, int] = {}

    def add(self, frame: "pl.DataFrame") -> None:
        """Add the rows of some matches: columns game, dealt_alike, match_id, unit, delta, all_in and TERMS."""
        for (game,), rows in frame.partition_by("game", as_dict=True, maintain_order=True).items():
            terms, rest = _in_bb(rows)
            key = "match_id" if self._earlier else "dealt_alike"
            groups, inverse = np.unique(rows[key].to_numpy(), return_inverse=True)
            size = len(TERMS)
            squares, products = np.zeros((len(groups), size, size)), np.zeros((len(groups), size))
            for k in range(size):
                products[:, k] = np.bincount(inverse, terms[:, k] * rest, len(groups))
                for j in range(k, size):
                    squares[:, k, j] = np.bincount(inverse, terms[:, k] * terms[:, j], len(groups))
                    squares[:, j, k] = squares[:, k, j]
            spread = np.bincount(inverse, rest**2, len(groups))
            number = np.bincount(inverse, minlength=len(groups))
            of_game = self._by_game.setdefault(str(game), {})
            places: dict[int, tuple[int, int]] = {}
            named = rows.select("match_id", "dealt_alike").unique(maintain_order=True)
            for match, alike in named.iter_rows():
                group = match if self._earlier else alike
                place = self._places.setdefault(match, len(self._places))
                places[group] = min((place, alike), places.get(group, (place, alike)))
            for k, group in enumerate(groups.tolist()):
                place, alike = places[group]
                if (one := of_game.get(group)) is None:
                    one = of_game[group] = _Sums(
                        np.zeros((size, size)), np.zeros(size), place=place, alike=alike
                    )
                one.squares += squares[k]
                one.products += products[k]
                one.rest += float(spread[k])
                one.rows += int(number[k])

    def solved(self) -> Slopes:
        """The slopes of each group from the others of its game, or of each match from those before it."""
        earlier = self._earlier
        found: dict[tuple[str, int], OfOthers] = {}
        digest = blake2b(digest_size=6)
        for game, by_group in sorted(self._by_game.items()):
            groups = sorted(by_group)
            each = [by_group[group] for group in groups]
            for group, one in zip(groups, each, strict=True):
                told = [float(f"{x:.9g}") for x in (one.rest, *one.products, *np.diag(one.squares))]
                digest.update(repr((game, group, earlier, one.rows, told)).encode())
            found |= {
                (game, group): others for group, others in zip(groups, _of_others(each, earlier), strict=True)
            }
        return Slopes(found, digest.hexdigest())


def _of_others(groups: Sequence[_Sums], earlier: bool) -> list[OfOthers]:
    number = np.array([one.rows for one in groups], np.float64)
    # The squares of wildly played matches would outweigh all others.
    spread = np.sqrt(np.array([one.rest for one in groups]) / number)
    weight = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
    squares = np.stack([one.squares for one in groups]) * weight[:, None, None]
    products = np.stack([one.products for one in groups]) * weight[:, None]
    scale = np.stack([np.diag(one.squares) / one.rows for one in groups])
    found = []
    if earlier:
        place = np.array([one.place for one in groups])
        alike = np.array([one.alike for one in groups], np.uint64)
        for k in range(len(groups)):
            before = (place < place[k]) & (alike != alike[k])
            found.append(_solved(squares[before], products[before], scale[before], number[before]))
    else:
        all_squares, all_products, middle = squares.sum(0), products.sum(0), _medians_of_others(scale)
        for k in range(len(groups)):
            others = (all_squares - squares[k])[None], (all_products - products[k])[None]
            found.append(_solved(*others, middle[k : k + 1], number.sum(keepdims=True) - number[k]))
    return found


def _medians_of_others(scale: Floats) -> Floats:
    """(groups, terms): of each column the median of all rows but one."""
    count = len(scale)
    if count == 1:
        return np.zeros_like(scale)
    order = np.sort(scale, axis=0)
    rank = np.argsort(np.argsort(scale, axis=0, kind="stable"), axis=0, kind="stable")
    low, high = (count - 2) // 2, (count - 1) // 2

    def at(place: int) -> Floats:
        moved = place + (rank <= place)
        found: Floats = np.take_along_axis(order, moved, axis=0)
        return found

    return (at(low) + at(high)) / 2


def _solved(squares: Floats, products: Floats, scale: Floats, number: Floats) -> OfOthers:
    total = float(number.sum())
    if not total:
        return NO_OTHERS
    left = squares.sum(0)
    ridge = np.diag(left) / total * _PRIOR
    ridge = np.where(ridge > 0, ridge, 1.0)
    slopes = np.linalg.solve(left + np.diag(ridge), products.sum(0) + ridge * PLAIN)
    middle = np.median(scale, axis=0)
    return OfOthers(slopes, np.where(middle > 0, middle, 1e-9))


def fit(frame: "pl.DataFrame", earlier: bool = False) -> Slopes:
    """What the slopes of each match begin with: least squares of delta - all_in over the other matches of its game.

    The weight of a match is one over the root mean square of the dependent variable.

    frame    columns game, dealt_alike, match_id, unit, delta, all_in and TERMS: `luck_terms` with the columns that
             identify groups
    earlier  only matches before the match, by the order of the rows
    """
    sums = Sums(earlier)
    sums.add(frame)
    return sums.solved()


def _units(frame: "pl.DataFrame") -> Floats:
    units: Floats = frame["unit"].fill_null(1.0).to_numpy()
    return units


def _in_bb(frame: "pl.DataFrame") -> tuple[Floats, Floats]:
    """The terms (rows, terms) and delta - all_in (rows,), in bb."""
    unit = _units(frame)
    terms = frame.select(TERMS).to_numpy() / unit[:, None]
    return terms, (frame["delta"] - frame["all_in"]).to_numpy() / unit


def brought(frame: "pl.DataFrame", slopes: Slopes) -> Floats:
    """(rows,) chips that the luck of the cards brought, all-ins left out: the sum of slope x term of each row.

    Four estimates are weighted: nothing, the slopes of other matches, and slopes fitted on the hands before in the same
    match with those of other matches as a prior that weighs 50 or 500 hands. The weights are exp(-squared errors so
    far in the match / the largest square so far), as for forecasts of experts (Cesa-Bianchi and Lugosi, Prediction,
    Learning, and Games, 2006, 2.1): a player unlike all others is soon adjusted by his own hands, or not at all.

    frame  the rows of `fit`, of whole matches, ordered by match_id, hand_index, seat
    """
    luck = np.zeros(len(frame))
    if not len(frame):
        return luck
    match, hand = frame["match_id"].to_numpy(), frame["hand_index"].to_numpy()
    other_match = np.append(True, match[1:] != match[:-1])
    hands = np.flatnonzero(other_match | np.append(True, hand[1:] != hand[:-1]))
    begins = np.flatnonzero(other_match[hands])
    begins = np.append(begins, len(hands))
    ends = np.append(hands, len(frame))
    start = 0
    while start < len(begins) - 1:
        stop = max(int(np.searchsorted(begins, begins[start] + _HANDS, "right")) - 1, start + 1)
        first, last = ends[begins[start]], ends[begins[stop]]
        rows = frame[int(first) : int(last)]
        luck[first:last] = _of_matches(
            rows, slopes, ends[begins[start] : begins[stop]] - first, begins[start:stop] - begins[start]
        )
        start = stop
    return luck


def _of_matches(frame: "pl.DataFrame", slopes: Slopes, hands: Places, begins: Places) -> Floats:
    """`brought` of some matches; hands: the first row of each hand; begins: the first hand of each match."""
    terms, rest = _in_bb(frame)
    count = np.diff(np.append(hands, len(frame)))
    of_row = np.repeat(np.arange(len(hands)), count)
    first = hands[begins]
    named = frame[first.tolist()].select("game", "match_id", "dealt_alike").iter_rows()
    known_of = slopes.by_group
    others = [
        known_of.get((game, match), known_of.get((game, group), NO_OTHERS)) for game, match, group in named
    ]
    length = np.diff(np.append(begins, len(hands)))
    of_hand = np.repeat(np.arange(len(begins)), length)
    known = np.stack([one.slopes for one in others])
    scale = np.stack([one.scale for one in others])
    squares = np.add.reduceat(terms[:, :, None] * terms[:, None, :], hands, axis=0)
    products = np.add.reduceat(terms * rest[:, None], hands, axis=0)
    _sum_before(squares, begins)
    _sum_before(products, begins)
    within = np.arange(len(hands)) - begins[of_hand]
    fitted = within - np.where(within < _EVERY, 0, within % 10)
    at, again = np.unique(begins[of_hand] + fitted, return_inverse=True)
    estimates = [np.zeros(len(frame)), np.sum(terms * known[of_hand][of_row], axis=1)]
    for bound in _BOUNDS:
        ridge = bound * scale[of_hand[at]]
        left = squares[at] + ridge[:, :, None] * np.eye(len(TERMS))
        right = products[at] + ridge * known[of_hand[at]]
        own = np.linalg.solve(left, right[..., None])[..., 0]
        estimates.append(np.sum(terms * own[again][of_row], axis=1))
    guesses = np.stack(estimates, axis=1)
    errors = np.add.reduceat((rest[:, None] - guesses) ** 2, hands, axis=0)
    largest = np.maximum.reduceat(rest**2, hands)
    _sum_before(errors, begins)
    for begin, end in zip(begins.tolist(), [*begins[1:].tolist(), len(hands)], strict=True):
        largest[begin:end] = np.append(0.0, np.maximum.accumulate(largest[begin : end - 1]))
    worse = (errors - errors.min(axis=1, keepdims=True)) / np.maximum(largest, 1e-9)[:, None]
    weights = np.exp(-_RATE * worse)
    weights /= weights.sum(axis=1, keepdims=True)
    found: Floats = np.sum(guesses * weights[of_row], axis=1) * _units(frame)
    return found


def _sum_before(sums: Floats, begins: Places) -> None:
    """Replace what each hand adds by what the hands before it in its match added."""
    for begin, end in zip(begins.tolist(), [*begins[1:].tolist(), len(sums)], strict=True):
        sums[begin + 1 : end] = np.cumsum(sums[begin : end - 1], axis=0)
        sums[begin] = 0.0
