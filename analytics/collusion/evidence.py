"""A detector's evidence about a pair, its correction for many tests, and the intervals of its effects."""

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from ..settings import LEVEL
from .additive import Contrast
from .material import Material

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
    p              the probability that honest play shows as much
    score          the statistic in standard errors, or as the detector defines it
    effect         beyond what the two players explain, in the unit of `detectors.COMPARES`; mostly bb a hand
    margin         half of the effect's 95% interval, for this pair alone; NaN if there is none
    hands          hands of the pair
    carrying       (match, hand_index) of the hands that show it most; said: what the player did there, for each
    since          (match, hand_index) of the hand from which on it shows
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
    since: tuple[int, int] | None = None
    said: tuple[str, ...] = field(default=(), compare=False)

    @property
    def flag(self) -> bool:
        """True beyond chance: q below `LEVEL`, and an effect whose interval, if it has one, lies above 0."""
        low = self.effect - self.margin
        return self.q_all < LEVEL and self.effect > 0 and not low <= 0


class Said(TypedDict, total=False):
    """The optional fields of `Evidence`."""

    explanations: tuple[tuple[str, float], ...]
    measures: tuple[tuple[str, float], ...]
    note: str


def evidence_of(
    material: Material,
    detector: str,
    pair: tuple[int, int],
    tested: Contrast,
    hands: int,
    where: NDArray[np.intp],
    weight: NDArray[np.float64],
    **said: Unpack[Said],
) -> Evidence:
    """Evidence of a pair; where, weight: the decisions of the first with the second at the table, and their weights."""
    carrying = _carrying(material, where, weight)
    return Evidence(
        detector,
        *pair,
        tested.p,
        tested.score,
        tested.effect,
        hands,
        tuple(carrying),
        margin=tested.margin,
        since=_since(material, where, weight),
        said=tuple(material.sentence(k, pair[1]) for k in carrying.values()),
        **said,
    )


def _since(
    material: Material, where: NDArray[np.intp], weight: NDArray[np.float64]
) -> tuple[int, int] | None:
    """The hand from which on the weights are above half of their mean for longest; None without any above 0."""
    known = np.isfinite(weight)
    where, weight = where[known], weight[known]
    if len(material.order):
        played = np.lexsort((np.arange(len(where)), material.order[material.decisions.match[where]]))
        where, weight = where[played], weight[played]
    if not len(weight) or not weight.mean() > 0:
        return None
    before = np.concatenate(([0.0], np.cumsum(weight - weight.mean() / 2)[:-1]))
    k = where[int(before.argmin())]
    d = material.decisions
    return int(d.match[k]), int(d.hand[k])


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


def carrying_hands(
    material: Material, where: NDArray[np.intp], weight: NDArray[np.float64]
) -> tuple[tuple[int, int], ...]:
    """The hands of the decisions `where` with the largest weights above 0, each hand once."""
    return tuple(_carrying(material, where, weight))


def _carrying(
    material: Material, where: NDArray[np.intp], weight: NDArray[np.float64]
) -> dict[tuple[int, int], int]:
    """`carrying_hands`, each with the decision of the largest weight."""
    d = material.decisions
    found: dict[tuple[int, int], int] = {}
    # Several decisions may belong to one hand, so more decisions than hands are considered.
    most = np.argsort(-weight, kind="stable")[: 4 * _CARRYING]
    for k in where[most[weight[most] > 0]].tolist():
        found.setdefault((int(d.match[k]), int(d.hand[k])), k)
    return dict(list(found.items())[:_CARRYING])
