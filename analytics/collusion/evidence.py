"""What a detector says of a pair, and what many such statements amount to together."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .material import Material

_CARRYING: Final = 5


@dataclass(frozen=True)
class Evidence:
    """One pair under one detector.

    one, other     player codes: who acts, and whom it concerns; for symmetric detectors the smaller first
    p              by permutation: how often honest play would show as much
    score          the statistic in standard errors, or as the detector says
    effect         bb a hand of the pair
    hands          of the pair
    carrying       (match, hand_index) of the hands that show most
    explanations   innocent ones, each with what the test of it gave
    measures       what else the statistic gives: of a coalition the measures of `collusion_table`
    q              after Benjamini-Hochberg within the detector; q_all: across detectors too
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


def benjamini_hochberg(p: Sequence[float]) -> NDArray[np.float64]:
    """q of each p (Benjamini and Hochberg 1995)."""
    values = np.asarray(p, np.float64)
    order = np.argsort(values)
    ranked = values[order] * len(values) / np.arange(1, len(values) + 1)
    q = np.empty(len(values))
    q[order] = np.minimum(np.minimum.accumulate(ranked[::-1])[::-1], 1.0)
    return q


def benjamini_yekutieli(p: Sequence[float]) -> NDArray[np.float64]:
    """q of each p under any dependence (Benjamini and Yekutieli 2001)."""
    inflation = float(np.sum(1.0 / np.arange(1, len(p) + 1)))
    return np.minimum(benjamini_hochberg(p) * inflation, 1.0)


def judged(by_detector: dict[str, list[Evidence]]) -> list[Evidence]:
    """All evidence with its q, the strongest first.

    Within a detector q is Benjamini-Hochberg's. Its smallest q is the detector's p (Simes); these are corrected
    across detectors by Benjamini-Yekutieli, and each q of a detector grows by the same factor.
    """
    found = {name: rows for name, rows in by_detector.items() if rows}
    within = {name: benjamini_hochberg([row.p for row in rows]) for name, rows in found.items()}
    least = [max(float(q.min()), 1e-12) for q in within.values()]
    across = benjamini_yekutieli(least) if least else np.zeros(0)
    rows = [
        replace(row, q=float(q), q_all=float(min(q * factor, 1.0)))
        for (name, each), factor in zip(found.items(), across / np.array(least), strict=True)
        for row, q in zip(each, within[name], strict=True)
    ]
    return sorted(rows, key=lambda row: (row.q_all, row.p, -row.score))


def carrying_hands(
    material: Material, where: NDArray[np.intp], weight: NDArray[np.float64]
) -> tuple[tuple[int, int], ...]:
    """The hands whose decisions `where` weigh most, each once."""
    d = material.decisions
    found: dict[tuple[int, int], float] = {}
    # More decisions than hands are wanted: several may be of one hand.
    for k in where[np.argsort(-weight, kind="stable")[: 4 * _CARRYING]]:
        found.setdefault((int(d.match[k]), int(d.hand[k])), 0.0)
    return tuple(found)[:_CARRYING]
