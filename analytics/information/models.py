"""Fitted models of a choice, and of a hidden fact, given all that a player knew: ridge regressions."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .material import RUN, Decisions, Floats, Ints

_FOLDS: Final = 5
POOLED_RIDGE: Final = 3.0
OWN_RIDGE: Final = 20.0
"""A player's own model is drawn to that of all players as strongly as so many decisions would."""
_CHUNK: Final = 20_000
_KNOTS: Final = (0.25, 0.4, 0.5, 0.6, 0.75, 0.9)
_STREETS: Final = 4
_SIZES: Final = (0.3, 0.6, 0.9, 1.5)
_FACED: Final = len(_SIZES) + 2


def faced(d: Decisions, rows: Ints) -> Ints:
    """0 where a check is free, else 1 to 5 by the size of the bet in pots."""
    sizes = np.searchsorted(np.array(_SIZES), d.size[rows], side="right") + 1
    return np.where(d.faces[rows], sizes, 0).astype(np.int64)


def _one_hot(value: Ints, count: int) -> NDArray[np.float32]:
    found: NDArray[np.float32] = (np.minimum(value, count - 1)[:, None] == np.arange(count)).astype(
        np.float32
    )
    return found


def known(d: Decisions, rows: Ints) -> NDArray[np.float32]:
    """(n, p) what a player knew at some decisions, as columns of a linear model.

    The own hand (its equity, as a curve) within each street and size of the bet faced; its ranks and suits; position,
    bets of the street, the last aggressor, pot, stack, the exact size, the hand's history, players left, and the belief
    about the opponent's rank.
    """
    own, before = d.own[rows], d.before[rows]
    curve = np.stack([np.ones_like(own), own, *(np.maximum(own - np.float32(knot), 0) for knot in _KNOTS)], 1)
    line = curve[:, :2]
    street = _one_hot(d.street[rows].astype(np.int64), _STREETS)
    size = _one_hot(faced(d, rows), _FACED)
    level = _one_hot(d.level[rows].astype(np.int64), 4)
    lead = _one_hot(d.lead[rows].astype(np.int64), 3)
    place = _one_hot(d.position[rows].astype(np.int64), 3)
    pot, room = np.log(np.maximum(d.pot[rows], np.float32(0.1))), np.log1p(d.room[rows])
    exact = np.log1p(np.minimum(d.size[rows], np.float32(20)))
    high, low = d.high[rows] / np.float32(12), d.low[rows] / np.float32(12)
    cards = np.stack([high, low, high * low, d.paired[rows], d.suited[rows]], 1).astype(np.float32)

    def crossed(*factors: NDArray[np.float32]) -> NDArray[np.float32]:
        found = factors[0]
        for factor in factors[1:]:
            found = (found[:, :, None] * factor[:, None, :]).reshape(len(rows), -1)
        return found

    def curved(value: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.stack([value, value**2], 1)

    columns = [
        crossed(street, size, curve),
        crossed(street, cards),
        crossed(level, street, line),
        crossed(lead, street, line),
        crossed(place, street, line),
        crossed(curved(pot), street, line),
        crossed(curved(room), street, line),
        crossed(curved(exact), street, line),
        crossed(curved(before - own), street, line),
    ]
    if d.crowded:
        columns.append(crossed(_one_hot(d.active[rows].astype(np.int64), 7), line))
    if d.has_beliefs:
        columns.append(crossed(curved(np.nan_to_num(d.belief[rows])), size, line))
    return np.concatenate(columns, 1)


def folds_of(d: Decisions, rows: Ints) -> Ints:
    """The part of each decision: runs of hands in turn, so that a decision is predicted from other hands."""
    found: Ints = (d.hand[rows].astype(np.int64) // RUN + d.match[rows]) % _FOLDS
    return found


class Regression:
    """Ridge regressions of targets on what players knew, each predicted from the other parts of the decisions.

    A target that is NaN is left out, and predicted all the same. The memory does not depend on the number of decisions.
    """

    def __init__(
        self, d: Decisions, rows: Ints, targets: Floats, ridge: float, base: "Regression | None" = None
    ) -> None:
        """targets: (n, t) of the decisions `rows`; base: a regression whose predictions are subtracted first."""
        self.d, self.base = d, base
        kinds = targets.shape[1]
        there = ~np.isnan(targets)
        # Targets that are known for the same decisions share the squares.
        same = [next(k for k in range(t + 1) if (there[:, k] == there[:, t]).all()) for t in range(kinds)]
        squares: list[NDArray[np.float64] | float] = [0.0] * (_FOLDS * kinds)
        products: list[NDArray[np.float64] | float] = [0.0] * (_FOLDS * kinds)
        width = 0
        for part in _parts(len(rows)):
            x, fold = known(d, rows[part]), folds_of(d, rows[part])
            width = x.shape[1]
            left = np.nan_to_num(targets[part] - (base.values(x, fold) if base else 0.0)).astype(np.float32)
            for k in range(_FOLDS):
                for t in range(kinds):
                    mine = (fold == k) & there[part, t]
                    z = x[mine]
                    if same[t] == t:
                        squares[t * _FOLDS + k] += z.T @ z
                    products[t * _FOLDS + k] += z.T @ left[mine, t]
        self.weights = np.zeros((_FOLDS, width, kinds), np.float32)
        for t in range(kinds):
            of, mine_of = slice(same[t] * _FOLDS, (same[t] + 1) * _FOLDS), slice(t * _FOLDS, (t + 1) * _FOLDS)
            every, right = sum(squares[of]), sum(products[mine_of])
            for k in range(_FOLDS):
                gram = every - squares[of][k] + ridge * np.eye(width)
                self.weights[k, :, t] = np.linalg.solve(gram, right - products[mine_of][k])

    def values(self, x: NDArray[np.float32], fold: Ints) -> NDArray[np.float32]:
        """(n, t) predictions, those of the base included, for columns of `known`."""
        found = np.empty((len(x), self.weights.shape[2]), np.float32)
        for k in range(_FOLDS):
            mine = fold == k
            found[mine] = x[mine] @ self.weights[k]
        return found + self.base.values(x, fold) if self.base else found

    def predicted(self, rows: Ints) -> Floats:
        """(n, t) predictions of the targets of some decisions."""
        found = np.empty((len(rows), self.weights.shape[2]))
        for part in _parts(len(rows)):
            found[part] = self.values(known(self.d, rows[part]), folds_of(self.d, rows[part]))
        return found


def _parts(count: int) -> list[slice]:
    return [slice(first, min(first + _CHUNK, count)) for first in range(0, count, _CHUNK)]


def centred(value: Floats, key: Ints) -> Floats:
    """A value less its mean over the decisions with the same key: of a match, a street, a kind of spot."""
    _, at = np.unique(key, return_inverse=True)
    means = np.bincount(at, value) / np.maximum(np.bincount(at), 1)
    apart: Floats = value - means[at]
    return apart
