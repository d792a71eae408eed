"""Confidence sequences against other derivations of the same bounds, and against many streams of a known mean."""

from math import inf, log, sqrt

import numpy as np
import pytest
from scipy import stats

from oracles.sequences import empirical_bernstein, normal_mixture
from railbird.analytics.intervals import EFFECTS, sequence_quantile


@pytest.mark.parametrize(
    ("steps", "hands", "effects"),
    [
        (12, 1, ((1.0, 0.3),)),
        (40, 1, ((1.0, 0.1),)),
        (60, 1, ((1.0, 1.0),)),
        (7, 100, EFFECTS),
        (30, 100, EFFECTS),
        (80, 1000, EFFECTS),
    ],
)
def test_at_the_bound_the_mixture_is_twenty_times_as_likely(
    steps: int, hands: int, effects: tuple[tuple[float, float], ...]
) -> None:
    """The likelihood ratio of Student's t, mixed over normal effects on a grid; effects are those of a hand."""
    freedom = steps - 1
    t = sequence_quantile(freedom, steps * hands, effects)
    ratio = 0.0
    for weight, variance in effects:
        spread = sqrt(variance * hands)
        shifts = np.linspace(-8 * spread, 8 * spread, 4001)
        likely = stats.nct.pdf(t, freedom, shifts * sqrt(steps)) * stats.norm.pdf(shifts, 0, spread)
        ratio += weight * float(np.trapezoid(np.nan_to_num(likely), shifts)) / stats.t.pdf(t, freedom)
    assert ratio == pytest.approx(20, rel=1e-3)


def test_there_is_no_bound_before_a_difference_can_be_told() -> None:
    assert sequence_quantile(0, 100) == sequence_quantile(1, 200) == sequence_quantile(5, 600) == inf
    assert sequence_quantile(6, 700) < inf
    assert sequence_quantile(4, 5000) < inf


def test_bounds_narrow_with_each_match_of_the_first_hundred() -> None:
    """Bounds in spreads of a match fall, and so does the quantile until few hands weigh as much as the prior."""
    quantile = np.array([sequence_quantile(n - 1, 100 * n) for n in range(7, 101)])
    assert (np.diff(quantile) < 0).all()
    assert (np.diff(quantile / np.sqrt(np.arange(7, 101))) < 0).all()


def test_with_many_steps_it_is_the_normal_mixture() -> None:
    steps = np.array([1e7])
    assert sequence_quantile(1e7 - 1, 1e7, ((1.0, 0.3),)) == pytest.approx(
        float(normal_mixture(steps, np.ones(1), 0.3)[0] * sqrt(1e7)), rel=1e-4
    )


def test_a_stream_of_a_coin_by_hand() -> None:
    """Heads, tails, tails: the empirical Bernstein sequence, term by term as in the paper."""
    middle, half = empirical_bernstein(np.array([1.0, 0.0, 0.0]), 0.0, 1.0)
    means = [0.5, (0.5 + 1) / 2, (0.5 + 1) / 3]
    spreads = [0.25]
    for n, x in enumerate([1.0, 0.0, 0.0], 1):
        after = (0.5 + sum([1.0, 0.0, 0.0][:n])) / (n + 1)
        spreads.append((spreads[-1] * n + (x - after) ** 2) / (n + 1))
    stakes = [min(sqrt(2 * log(40) / (spreads[n] * (n + 1) * log(n + 2))), 0.5) for n in range(3)]
    above = sum(stake * x for stake, x in zip(stakes, [1.0, 0.0, 0.0], strict=True))
    spent = sum(
        (x - mean) ** 2 * (-log(1 - stake) - stake)
        for x, mean, stake in zip([1.0, 0.0, 0.0], means, stakes, strict=True)
    )
    assert middle[-1] == pytest.approx(above / sum(stakes))
    assert half[-1] == pytest.approx((log(40) + spent) / sum(stakes))


@pytest.mark.parametrize("shape", ["normal", "skewed"])
def test_looks_after_every_step_are_wrong_in_at_most_one_stream_of_twenty(shape: str) -> None:
    rng = np.random.default_rng(7)
    streams, steps = 2000, 200
    made = rng.normal(size=(streams, steps))
    if shape == "skewed":
        # As skew as a sum of a hundred hands of which one in ten loses ten times what the others win.
        made = rng.gamma(4 / 0.3**2, size=(streams, steps))
        made = (made - 4 / 0.3**2) / sqrt(4 / 0.3**2)
    n = np.arange(1, steps + 1)
    mean = np.cumsum(made, axis=1) / n
    spread = np.sqrt(np.maximum(np.cumsum(made**2, axis=1) - n * mean**2, 1e-300) / np.maximum(n - 1, 1))
    bound = np.array([sequence_quantile(k - 1, 100 * k) for k in n.tolist()])
    wrong = float((np.abs(mean) * np.sqrt(n) > bound * spread)[:, 1:].any(axis=1).mean())
    # Three standard errors; a z-test at each look is wrong in a fifth of them at the least.
    assert wrong <= 0.05 + 3 * sqrt(0.05 * 0.95 / streams)
    assert float((np.abs(mean) * np.sqrt(n) > 1.96 * spread)[:, 9:].any(axis=1).mean()) > 0.2
