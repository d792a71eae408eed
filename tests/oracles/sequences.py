"""Confidence sequences that the t-mixture is compared with: of a known spread, and of values within bounds."""

from math import log

import numpy as np
from numpy.typing import NDArray

from railbird.analytics.intervals import ALPHA

Floats = NDArray[np.float64]


def normal_mixture(steps: Floats, spread: Floats, variance: float, alpha: float = ALPHA) -> Floats:
    """Half of the interval of the mean of steps with a known or estimated spread, all (n,).

    variance  of the prior of mean / spread of a step
    Robbins, Annals of Mathematical Statistics 41 (1970) 1397-1409.
    """
    k = 1 + steps * variance
    found: Floats = spread / np.sqrt(steps) * np.sqrt(k / (k - 1) * np.log(k / alpha**2))
    return found


def empirical_bernstein(
    values: Floats, low: float, high: float, alpha: float = ALPHA
) -> tuple[Floats, Floats]:
    """The middle and half of the interval after each step, for values within bounds: valid without any limit theorem.

    Predictable plug-in (Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024) 1-27, theorem 2).
    """
    x = (values - low) / (high - low)
    n = np.arange(1, len(x) + 1)
    means = (0.5 + np.cumsum(x)) / (n + 1)
    spreads = (0.25 + np.cumsum((x - means) ** 2)) / (n + 1)
    before_mean, before = np.r_[0.5, means[:-1]], np.r_[0.25, spreads[:-1]]
    stakes = np.minimum(np.sqrt(2 * log(2 / alpha) / (before * n * np.log(1 + n))), 0.5)
    weight = np.cumsum(stakes)
    psi = -np.log1p(-stakes) - stakes
    middle = np.cumsum(stakes * x) / weight
    half = (log(2 / alpha) + np.cumsum((x - before_mean) ** 2 * psi)) / weight
    return low + (high - low) * middle, (high - low) * half
