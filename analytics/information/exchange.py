"""The conditional permutation test: hidden facts are exchanged in proportion to how likely each is.

Berrett, Wang, Barber and Samworth, "The conditional permutation test for independence while controlling for
confounders", Journal of the Royal Statistical Society B 82 (2020). Two decisions of one stratum exchange their facts
with odds q(z_j | x_i) q(z_i | x_j) / (q(z_i | x_i) q(z_j | x_j)), where q is the fitted model. The chain is reversible,
and its honest start is any of its states (Besag and Clifford, 1989): what was seen stands at a random place of it.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .material import Floats, Ints

_FIRST: Final = 99
_MORE: Final = 400
_APART: Final = 10


class Exchanged(NamedTuple):
    """p: the share of states with at least the sum that was seen; mean, deviation: of the sums of exchanged facts."""

    p: float
    mean: float
    deviation: float


class Chain:
    """Facts of decisions, exchanged in pairs within their strata.

    fact    (n,) the hidden facts less the model's mean (its residuals); expected: (n,) that mean
    stratum (n,) facts are exchanged within it; spread (n,): variance of the facts given what the player knew
    """

    def __init__(
        self, fact: Floats, expected: Floats, stratum: Ints, spread: Floats, rng: np.random.Generator
    ) -> None:
        """Decisions of a stratum in random order: steps pair them at a distance."""
        order = np.lexsort((rng.random(len(fact)), stratum))
        self.order, self.rng = order, rng
        self.stratum, self.spread = stratum[order], spread[order]
        self.expected = expected[order]
        self.first = fact[order] + self.expected
        sizes = np.bincount(np.unique(self.stratum, return_inverse=True)[1])
        self.most = int(sizes.max(initial=1))

    def step(self, value: Floats) -> None:
        """Exchange facts between pairs of decisions, in place."""
        n = len(value)
        if self.most < 2:
            return
        distance = int(min(np.exp(self.rng.random() * np.log(self.most)), self.most - 1))
        shift = int(self.rng.integers(2 * distance))
        at = np.arange(n - distance)
        one = at[
            ((at + shift) % (2 * distance) < distance) & (self.stratum[at] == self.stratum[at + distance])
        ]
        two = one + distance
        odds = (value[one] - value[two]) * (self.expected[two] - self.expected[one]) / self.spread[one]
        swap = self.rng.random(len(one)) < 1 / (1 + np.exp(-np.clip(odds, -50, 50)))
        one, two = one[swap], two[swap]
        value[one], value[two] = value[two], value[one]

    def sums(self, weight: Floats, steps: int) -> Floats:
        """The sum of weight times fact after each of some steps."""
        weight = weight[self.order]
        value = self.first.copy()
        found = np.empty(steps)
        for k in range(steps):
            self.step(value)
            found[k] = weight @ (value - self.expected)
        return found


def exchanged(
    weight: Floats,
    fact: Floats,
    expected: Floats,
    stratum: Ints,
    spread: Floats,
    granted: float = 0.0,
    seed: int = 0,
) -> Exchanged:
    """Whether sum(weight * fact) - granted is larger than with exchanged facts; arguments as in `Chain`.

    A state of the chain is made from what was seen by steps forward or backward, which are the same here; so the states
    before and after it are two chains that begin at it.
    """
    rng = np.random.default_rng(seed)
    seen = float(weight @ fact) - granted
    found: list[Floats] = []
    chain = Chain(fact, expected, stratum, spread, rng)
    for steps in (_FIRST, _MORE):
        before = int(rng.integers(steps + 1))
        parts = [chain.sums(weight, part) for part in (before, steps - before) if part]
        found += parts
        sums = np.concatenate(found)
        p = float((1 + (sums >= seen).sum()) / (1 + len(sums)))
        if p > 0.1:
            break
    settled: NDArray[np.float64] = np.concatenate([part[_APART:] for part in found if len(part) > _APART])
    return Exchanged(p, float(settled.mean()), max(float(settled.std(ddof=1)), 1e-12))
