"""95% intervals of means and rates over clusters: counts within a cluster depend on each other, clusters do not.

`sequence_quantile` gives intervals that hold at all times at once, so a user may look after every step: the t-mixture.
Steps are normal with unknown mean and spread. A mixture of normals over mean / spread with the right Haar measure on
the spread makes a test martingale, exact from the second step on, however small the number of steps (Lai, Annals of
Statistics 4 (1976) 265-280; Wang and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with
unknown variance", Sequential Analysis 44 (2025); the Bayes factor in closed form is that of Gönen et al., American
Statistician 59 (2005) 252-257). Sums of a hundred hands are close to normal, so the sequence holds for matches
asymptotically (Waudby-Smith et al., Annals of Statistics 52 (2024) 2613-2640); docs/compare.md has what was measured.
"""

from collections.abc import Sequence
from math import exp, hypot, inf, log, log1p, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .settings import Z

Floats = NDArray[np.float64]
Estimate = tuple[float | None, float | None, float | None]
"""A figure and the ends of its 95% interval; None if undefined."""


def quantiles(clusters: NDArray[Any]) -> Floats:
    """The 97.5% quantiles of Student's t for these numbers of clusters, each less one degree of freedom."""
    # `scipy.stats` takes a second and a half to import.
    from scipy.special import stdtrit

    found: Floats = stdtrit(clusters - 1.0, 0.975)
    return found


def _quantile(clusters: int) -> float:
    return float(quantiles(np.array(clusters)))


def _se(errors: Floats) -> float:
    """Standard error of a figure whose error is a sum over B clusters."""
    return float(np.sqrt(len(errors) / (len(errors) - 1) * np.sum(errors**2)))


def ratio(amounts: Floats, sizes: Floats) -> Estimate:
    """sum(amounts) / sum(sizes) of B clusters, both (B,), with mean +- t * se, B - 1 degrees of freedom.

    se^2 = B / (B - 1) * sum of (a - mean * n)^2 / N^2 (Cochran, Sampling Techniques, 1977, 6.4).
    """
    total = float(sizes.sum())
    if not total:
        return None, None, None
    mean = float(amounts.sum()) / total
    if len(sizes) < 2:
        return mean, None, None
    half = _quantile(len(sizes)) * _se((amounts - mean * sizes) / total)
    return mean, mean - half, mean + half


def wilson(p: float, n: float) -> tuple[float, float]:
    """Ends of the Wilson score interval at 95% (Wilson, JASA 22 (1927) 209-212) of a share p of n."""
    k = p * n
    half = Z * sqrt(max(k * (n - k) / n, 0.0) + Z**2 / 4)
    low, high = (k + Z**2 / 2 - half) / (n + Z**2), (k + Z**2 / 2 + half) / (n + Z**2)
    return 0.0 if p == 0 else low, 1.0 if p == 1 else high


def rate(successes: Floats, opportunities: Floats) -> Estimate:
    """sum(successes) / sum(opportunities) of clusters, both (B,), with the Wilson interval of an effective n.

    Effective n = p (1 - p) / se^2, at most N, by (z / t)^2 for the degrees of freedom (Korn and Graubard, Survey
    Methodology 24 (1998) 193-201); if p is 0 or 1, and its variance unknown, the number of clusters. Only
    clusters with an opportunity count; a single one gives no interval.
    """
    some = opportunities > 0
    successes, opportunities = successes[some], opportunities[some]
    total, clusters = float(opportunities.sum()), len(opportunities)
    if not total:
        return None, None, None
    p = float(successes.sum()) / total
    if clusters < 2:
        return p, None, None
    se = _se((successes - p * opportunities) / total)
    n = float(clusters) if p in (0.0, 1.0) else min(total, p * (1 - p) / se**2 if se else total)
    n *= (Z / _quantile(clusters)) ** 2
    return p, *wilson(p, n)


def newcombe(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, float]:
    """The first of two rates less the second, and the ends of its 95% interval, from those of the two rates.

    Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10. The rates are treated as independent; positively
    correlated clusters make the interval too wide, not too narrow.
    """
    (rate_1, low_1, high_1), (rate_2, low_2, high_2) = one, other
    shift = rate_1 - rate_2
    return (
        shift,
        shift - hypot(rate_1 - low_1, high_2 - rate_2),
        shift + hypot(high_1 - rate_1, rate_2 - low_2),
    )


def difference(one: Estimate, other: Estimate) -> Estimate:
    """`newcombe` of two estimates; None if undefined."""
    ends = [end for end in (*one, *other) if end is not None]
    if len(ends) == len(one) + len(other):
        return newcombe(ends[:3], ends[3:])
    shift = one[0] - other[0] if one[0] is not None and other[0] is not None else None
    return shift, None, None


ALPHA: Final = 0.05
EFFECTS: Final = ((0.1, 1 / 100), (0.9, 1 / 3000))
"""The prior of mean / spread of a hand: weights and variances of normal parts. It decides when the sequence is
narrowest, not whether it holds. The first part is for large edges in few matches (of matches of 100 hands the first
bounds come after seven), the second for edges that take tens of thousands of hands."""


def sequence_quantile(
    freedom: float, hands: float, effects: Sequence[tuple[float, float]] = EFFECTS, alpha: float = ALPHA
) -> float:
    """Half of the interval in standard errors after so many hands: where the mixture of t-tests is 1 / alpha.

    A part of weight w and variance v adds w k ^ (-1/2) ((1 + t^2 / f) / (1 + t^2 / (f k))) ^ ((f + 1) / 2), with
    k = 1 + v x hands and f degrees of freedom of the spread. Infinite if the sum stays below 1 / alpha: then no
    difference can be told from chance.
    """
    if freedom <= 0:
        return inf
    parts = [(log(weight), 1 + variance * hands) for weight, variance in effects]
    wanted = -log(alpha)
    if _log_sum([weight + freedom / 2 * log(k) for weight, k in parts]) <= wanted:
        return inf

    def evidence(square: float) -> float:
        at = square / freedom
        return _log_sum(
            [weight - log(k) / 2 + (freedom + 1) / 2 * (log1p(at) - log1p(at / k)) for weight, k in parts]
        )

    low, high = 0.0, 1.0
    while evidence(high) < wanted:
        low, high = high, high * 4
        if high > _HIGHEST:
            return inf
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if evidence(middle) >= wanted else (middle, high)
    return sqrt(high)


_HIGHEST: Final = 1e12
"""Of squares of the quantile; wider bounds than this say nothing."""


def _log_sum(logs: Sequence[float]) -> float:
    """The logarithm of a sum of numbers whose logarithms these are."""
    largest = max(logs)
    return largest + log(sum(exp(one - largest) for one in logs))
