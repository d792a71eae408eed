"""Collusion tables: what each player's decisions do for each other at his table, and whose is more than additive.

After Mazrooei, Archibald and Bowling, "Automating Collusion Detection in Sequential Games" (AAAI 2013).
"""

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .permuting import Tested, is_positive
from .value import Floats

Pairs = dict[tuple[int, int], Tested]
_LEAST_SEATS: Final = 4


@dataclass(frozen=True)
class CollusionTable:
    """C(j, k): what the decisions of player k do for player j, a hand of the two.

    by     by k and j; own: what k's decisions do for himself at the tables of j; hands: of each pair
    """

    by: dict[int, dict[int, float]]
    own: dict[int, dict[int, float]]
    hands: dict[tuple[int, int], int]

    @classmethod
    def of(cls, values: Floats, seats: NDArray[np.int16], hands: NDArray[np.int64]) -> "CollusionTable":
        """Sum (U, N, N) values by unit, seat of k and of j; seats: (U, N) the players, hands: (U,) of each unit."""
        size, count = int(seats.max(initial=0)) + 1, seats.shape[1]
        total, own, held = (np.zeros((size, size)) for _ in range(3))
        for k, j in permutations(range(count), 2):
            pair = seats[:, k], seats[:, j]
            np.add.at(total, pair, values[:, k, j])
            np.add.at(own, pair, values[:, k, k])
            np.add.at(held, pair, hands)
        by: dict[int, dict[int, float]] = {}
        by_own: dict[int, dict[int, float]] = {}
        for k, j in np.argwhere(held > 0).tolist():
            by.setdefault(k, {})[j] = float(total[k, j] / held[k, j])
            by_own.setdefault(k, {})[j] = float(own[k, j] / held[k, j])
        return cls(by, by_own, {(k, j): int(held[k, j]) for k, j in np.argwhere(held > 0).tolist()})

    def for_others(self, one: int, other: int) -> float:
        """The mean of what a player does for all but one of the others."""
        rest = [value for name, value in self.by[one].items() if name != other]
        return float(np.mean(rest)) if rest else 0.0

    def measures(self, one: int, other: int) -> tuple[tuple[str, float], ...]:
        """What the table says of k = `one` and j = `other`, bb a hand of the two but for the last, a share.

        total           what the decisions of both do for both: C(j,k) + C(k,j) + C(j,j) + C(k,k)
        marginal        C(j,k) less the mean of C(i,k) over the others i: what k does for j and not for anybody
        mutual          C(j,k) + C(k,j): what each does for the other
        minimum impact  the smaller marginal of the two ways: above 0 where both help each other
        dominance       the share of k's other companions i with C(i,k) < C(j,k)
        """
        there, back = self.by[one][other], self.by[other][one]
        marginal = there - self.for_others(one, other)
        least = min(marginal, back - self.for_others(other, one))
        rest = [value for name, value in self.by[one].items() if name != other]
        return (
            ("total", there + back + self.own[one][other] + self.own[other][one]),
            ("marginal", marginal),
            ("mutual", there + back),
            ("minimum impact", least),
            ("dominance", float(np.mean(np.array(rest) < there)) if rest else 0.0),
        )


@cache
def _contrasts(seats: int) -> Floats:
    """(pairs, seats x seats) for each (k, j) the weights that give what C(j,k) has beyond additive effects.

    Row k * seats + j: the entry less its prediction from all entries but (k, j) and (j, k) under the model
    C(j,k) = mean + giver(k) + receiver(j), by least squares.
    """
    weights = np.zeros((seats * seats, seats * seats))
    entries = [(k, j) for k in range(seats) for j in range(seats) if k != j]
    design = np.zeros((seats * seats, 2 * seats))
    for k, j in entries:
        design[k * seats + j, [k, seats + j]] = 1.0
    for k, j in entries:
        kept = [a * seats + b for a, b in entries if {a, b} != {k, j}]
        weights[k * seats + j, kept] = -np.linalg.pinv(design[kept]).T @ design[k * seats + j]
        weights[k * seats + j, k * seats + j] = 1.0
    return weights


@cache
def _among_others(seats: int, k: int, j: int) -> Floats:
    """(entries, seats x seats) the residuals of all entries but (k, j) and (j, k), without those two in the fit.

    Scaled, so that their mean square is the variance of what a pair has beyond additive effects.
    """
    entries = [(a, b) for a in range(seats) for b in range(seats) if a != b and {a, b} != {k, j}]
    design = np.zeros((len(entries), 2 * seats))
    for row, (a, b) in enumerate(entries):
        design[row, [a, seats + b]] = 1.0
    made = np.eye(len(entries)) - design @ np.linalg.pinv(design)
    weights = np.zeros((len(entries), seats * seats))
    weights[:, [a * seats + b for a, b in entries]] = made * np.sqrt(len(entries) / np.trace(made))
    return weights


def beyond_additive(values: Floats, seats: NDArray[np.int16], most: int, seed: int) -> Pairs:
    """Whether C(j, k) is above what k does for anybody and anybody for j, by (k, j): signs are flipped by unit.

    values  (U, N, N) by unit, seat of k and seat of j; seats: (U, N) the players, each once
    The variance between the residuals of the other pairs of a table, beyond what chance explains, is granted: where
    honest players are more than additive, by the order of play or by what they learn of each other, it is not small.
    """
    count = seats.shape[1]
    if count < _LEAST_SEATS:
        return {}
    order = np.argsort(seats, 1)
    lineups = np.take_along_axis(seats, order, 1)
    sorted_values = np.take_along_axis(np.take_along_axis(values, order[:, :, None], 1), order[:, None, :], 2)
    flat = sorted_values.reshape(len(values), -1)
    beyond = flat @ _contrasts(count).T
    lines: dict[tuple[int, int], list[Floats]] = {}
    grants: dict[tuple[int, int], list[float]] = {}
    for lineup in np.unique(lineups, axis=0):
        rows = np.flatnonzero((lineups == lineup).all(1))
        for k, j in permutations(range(count), 2):
            pair, place = (int(lineup[k]), int(lineup[j])), k * count + j
            lines.setdefault(pair, []).append(beyond[rows, place])
            others = flat[rows] @ _among_others(count, k, j).T
            noise = others.var(0, ddof=1) / len(rows) if len(rows) > 1 else others[0] ** 2
            spread = max(float((others.mean(0) ** 2 - noise).mean()), 0.0)
            grants.setdefault(pair, []).append(spread * float((_contrasts(count)[place] ** 2).sum()))
    return {
        (one, other): is_positive(
            np.concatenate(line),
            most,
            seed * 1_000_003 + one * 101 + other,
            float(np.mean(grants[one, other])),
        )
        for (one, other), line in lines.items()
    }
