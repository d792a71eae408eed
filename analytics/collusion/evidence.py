"""A detector's evidence about a pair, its correction for many tests, and the intervals of its effects."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from ..intervals import quantiles, ratio
from ..settings import LEVEL
from .material import Material
from .nulls import Tested

_CARRYING: Final = 5


class Alike(NamedTuple):
    """A hand of one player and one of another, (match, hand_index), and what both did in the same situation."""

    one: tuple[int, int]
    other: tuple[int, int]
    did: str


@dataclass(frozen=True)
class Evidence:
    """One pair under one detector.

    one, other     player codes: the player who acts, and the one it concerns; for symmetric detectors the smaller first
    p              by permutation: the probability that honest play shows as much
    score          the statistic in standard errors, or as the detector defines it
    effect         in the unit of `detectors.COMPARES`; mostly bb a hand of the pair
    margin         half of the effect's 95% interval over blocks of hands, for this pair alone; NaN if there is none
    hands          hands of the pair
    carrying       (match, hand_index) of the hands that show it most
    alike          clones: pairs of hands, one of each player, in which they did the same
    explanations   innocent explanations, each with the result of its test
    measures       further figures; for a coalition those of `CollusionTable.measures`
    q              q value within the detector (Benjamini-Hochberg); q_all: across detectors too
    """

    detector: str
    one: int
    other: int
    p: float
    score: float
    effect: float
    hands: int
    carrying: tuple[tuple[int, int], ...] = ()
    explanations: tuple[tuple[str, float], ...] = ()
    q: float = 1.0
    q_all: float = 1.0
    note: str = field(default="", compare=False)
    measures: tuple[tuple[str, float], ...] = ()
    margin: float = field(default=float("nan"), compare=False)
    alike: tuple[Alike, ...] = ()


class Said(TypedDict, total=False):
    """The optional fields of `Evidence`."""

    explanations: tuple[tuple[str, float], ...]
    measures: tuple[tuple[str, float], ...]
    note: str
    margin: float


def evidence_of(
    material: Material,
    detector: str,
    pair: tuple[int, int],
    tested: Tested,
    effect: float,
    hands: int,
    where: NDArray[np.intp],
    weight: NDArray[np.float64],
    **said: Unpack[Said],
) -> Evidence:
    """Evidence of a pair; where, weight: the decisions of the first with the second at the table, and their weights."""
    carrying = carrying_hands(material, where, weight)
    return Evidence(detector, *pair, tested.p, tested.score, effect, hands, carrying, **said)


def judged(by_detector: dict[str, list[Evidence]]) -> list[Evidence]:
    """All evidence with its q, the strongest first.

    q is that of Benjamini and Hochberg within a detector. The smallest q is the detector's p (Simes); these are
    corrected across detectors (Benjamini and Yekutieli), and every q of a detector grows by the same factor.
    """
    from scipy.stats import false_discovery_control

    found = {name: rows for name, rows in by_detector.items() if rows}
    within = {name: false_discovery_control([row.p for row in rows]) for name, rows in found.items()}
    least = [max(float(q.min()), 1e-12) for q in within.values()]
    across = false_discovery_control(least, method="by") if least else np.zeros(0)
    rows = [
        replace(row, q=float(q), q_all=float(min(q * factor, 1.0)))
        for (name, each), factor in zip(found.items(), across / np.array(least), strict=True)
        for row, q in zip(each, within[name], strict=True)
    ]
    return sorted(rows, key=lambda row: (row.q_all, row.p, -row.score))


def permutations_for(tests: int, detectors: int) -> int:
    """The number of permutations, 2,000 to a million, that can give a significant p after all corrections."""
    inflation = sum(1 / k for k in range(1, detectors + 1))
    return int(min(max(4 * tests * detectors * inflation / LEVEL, 2_000), 1_000_000))


def seed_of(seed: int, salt: int, one: int, other: int) -> int:
    """The seed of the test of a pair; salt: a number for each detector."""
    return seed * 1_000_003 + salt * 10_007 + one * 101 + other


def margin_of(*groups: NDArray[np.float64]) -> float:
    """Half of the 95% interval of the sum or difference of the means of groups of blocks: t * se; NaN for one block.

    The groups are treated as independent; t has the degrees of freedom of the smallest.
    """
    least = min(map(len, groups))
    if least < 2:
        return float("nan")
    se = np.sqrt(sum(values.var(ddof=1) / len(values) for values in groups))
    return float(quantiles(np.array(least)) * se)


def ratio_margin(sums: NDArray[np.float64], hands: NDArray[np.float64]) -> float:
    """Half of the 95% interval of sum(sums) / sum(hands) over blocks or card sets; NaN for fewer than two."""
    mean, _, high = ratio(sums, hands)
    return float("nan") if mean is None or high is None else high - mean


def pair_margins(
    total: NDArray[np.float64],
    seats: NDArray[np.integer],
    hands: NDArray[np.int64],
    pairs: Iterable[tuple[int, int]],
) -> dict[tuple[int, int], float]:
    """`ratio_margin` of each pair over the blocks or card sets that seat both.

    total  (B, N, N) sums by block, seat of the first and seat of the second
    seats  (B, N) the players; hands: (B,)
    """
    found = {}
    for one, other in pairs:
        rows = np.flatnonzero((seats == one).any(1) & (seats == other).any(1))
        at = np.argmax(seats[rows] == one, 1), np.argmax(seats[rows] == other, 1)
        found[one, other] = ratio_margin(total[rows, *at], hands[rows].astype(np.float64))
    return found


def carrying_hands(
    material: Material, where: NDArray[np.intp], weight: NDArray[np.float64]
) -> tuple[tuple[int, int], ...]:
    """The hands of the decisions `where` with the largest weights above 0, each hand once."""
    d = material.decisions
    found: dict[tuple[int, int], float] = {}
    # Several decisions may belong to one hand, so more decisions than hands are considered.
    most = np.argsort(-weight, kind="stable")[: 4 * _CARRYING]
    for k in where[most[weight[most] > 0]]:
        found.setdefault((int(d.match[k]), int(d.hand[k])), 0.0)
    return tuple(found)[:_CARRYING]
