"""The study of coverage: it judges the figures that the views show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench import coverage as study

from railbird.analytics.store import open_store


@pytest.mark.parametrize("game", ["holdem-mit", "bounty"])
def test_its_rates_are_those_of_the_views(tmp_path: Path, game: str) -> None:
    with open_store(study.simulated(game, 1000, tmp_path)) as store:
        counted = {
            (player, rate): (int(n), int(k))
            for player, rate, n, k in store.sql(
                f"select player, rate, sum(n), sum(k) from ({study._RATES}) group by all"
            ).fetchall()
        }
        for player, acted, called, checked, folded in store.sql(
            "select player, bets + raises, calls, checks, folds from aggression"
        ).fetchall():
            assert counted[player, "aggression %"] == (acted + called + checked, acted)
            assert counted[player, "aggression frequency"] == (acted + called + folded, acted)
        exploits = store.sql(
            "select player, exploit, street, size, opportunities, successes from exploits"
        ).fetchall()
        assert len(exploits) > 10
        for player, exploit, street, size, n, k in exploits:
            assert counted[player, f"{exploit} on street {street}, size {size}"] == (n, k)


def test_an_interval_of_the_whole_is_that_of_the_view(tmp_path: Path) -> None:
    with open_store(study.simulated("holdem-mit", 1000, tmp_path)) as store:
        rows = store.sql(
            f"select n, k from ({study._RATES}) where player = 'A' and rate = 'aggression %' order by all"
        ).fetchall()
        n, k = np.array(rows, np.float64).T
        ((rate, low, high),) = store.sql(
            "select aggression_pct, aggression_pct_low, aggression_pct_high from aggression where player = 'A'"
        ).fetchall()
        whole = np.arange(len(n), dtype=np.int32)[None]
        assert study.coverage(store, n, k, whole) == 1.0
        for truth, held in ((low + 1e-6, 1.0), (low - 1e-6, 0.0), (high - 1e-6, 1.0), (high + 1e-6, 0.0)):
            assert study.holds(store, n, k, whole, truth) == held
        assert rate == pytest.approx(k.sum() / n.sum())


def test_equal_players_are_seldom_called_unequal() -> None:
    held, wrong = study.of_standings(12, np.random.default_rng(2).normal(size=5000), 150)
    # Three standard errors of 150 tables.
    assert held > 0.95 - 0.054
    assert wrong < 0.05 + 0.054
