"""The study of `compare`: what it keeps of a run, and the figures that it makes of several."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from bench import compare_study as study


def kept(kind: str, number: int, decided: tuple[int, str] | None) -> tuple[dict[str, object], np.ndarray]:
    """A run of made-up matches as the study keeps it, and A's raw results."""
    rng = np.random.default_rng(number)
    cards = np.repeat(rng.normal(0, 30, 40), 2) * np.tile([1, -1], 40)
    raw = 8 + cards + rng.normal(0, 20, 80)
    pairs = raw.reshape(-1, 2).mean(axis=1)
    row: dict[str, object] = {
        "kind": kind,
        "run": number,
        "decided": decided,
        "crossed": study.crossings(pairs, 200),
        "raw": study.sums(raw),
        "adjusted": study.sums(raw / 2),
        "pairs": study.sums(pairs),
        "first": study.sums(pairs),
        "seats": study.sums(raw[::2], raw[1::2]),
    }
    return row, raw


def test_sums_of_runs_say_what_their_matches_say() -> None:
    rows, raws = zip(*(kept("null", number, None) for number in range(3)), strict=True)
    every = np.concatenate(raws)
    assert study.spread_of(*study.added(rows, "raw").tolist()) == pytest.approx(every.std(ddof=1))
    together = np.corrcoef(every[::2], every[1::2])[0, 1]
    assert together < -0.3
    assert f"correlate by {together:+.2f}." in next(study.summary(rows))


def test_the_power_of_runs() -> None:
    made = [kept("pairs", number, (1000 * number, "better")) for number in range(1, 4)]
    rows, raws = zip(*made, strict=True)
    every = np.concatenate(raws)
    line = next(study.summary(rows))
    assert (
        f"leak is {every.mean():.1f} ± {every.reshape(-1, 2).mean(axis=1).std(ddof=1) / 120**0.5:.1f}" in line
    )
    needed = study.POWER * (every.std(ddof=1) * 10 / every.mean()) ** 2
    assert f"needs {needed:,.0f} hands" in line
    assert f"in 3 runs: 2,000, {2000 / needed:.2f} of that" in line
    assert "wrong verdicts: 0. The luck adjustment removes 50%" in line


def test_an_estimate_is_of_the_cards_alone() -> None:
    first, second = (study.Steady(Random(seed), study.STYLE) for seed in (1, 2))
    hole, board = (48, 49), (0, 5, 10)
    study.estimate.cache_clear()
    one = first.strength(hole, board)
    study.estimate.cache_clear()
    assert one == second.strength(hole, board) > 0.5
