"""The arena plays by the rules that replay reads by, and a plan changes nothing without the partner."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from arena import policy as p
from arena.matches import Match, Person, own_chart, play
from support.arena_logs import log_text

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay import showdowns
from railbird.replay.bots import preflop_strength

GAMES = ("holdem-mit", "bounty", "acpc/holdem.limit.3p", "acpc/kuhn.limit.3p")
TIGHT = (0.50, 0.52, 0.60, 0.72, 0.80, 0.04, 0.75)
LOOSE = (0.38, 0.45, 0.40, 0.58, 0.75, 0.18, 1.10)


def people(count: int, **habits: float) -> list[Person]:
    rows = [p.person((TIGHT, LOOSE)[k % 2], **habits) for k in range(count)]
    return [Person(f"P{k}", row, own_chart(k, 0.02)) for k, row in enumerate(rows)]


def seats_of(game: str) -> int:
    return 3 if game.endswith("3p") else 2


def same(one: Match, two: Match) -> bool:
    return bool(np.array_equal(one.acts, two.acts) and np.array_equal(one.deltas, two.deltas))


@pytest.mark.parametrize("game", GAMES)
def test_its_log_is_paid_and_allowed_by_the_written_rules(game: str, tmp_path: Path) -> None:
    match = play(game, people(seats_of(game), noise=0.05, adapt=0.5), 150, 11)
    (tmp_path / "a.log").write_text(log_text(match))
    ingest([tmp_path / "a.log"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select distinct verdict from hands").fetchall() == [("ok",)]
        paid = store.execute(
            "select seat, sum(delta), sum(contribution) from seats group by all order by seat"
        ).fetchall()
        choices = store.execute("select count(*) from actions where origin = 'choice'").fetchall()[0][0]
    assert paid == [(k, match.deltas[:, k].sum(), match.puts[:, k].sum()) for k in range(seats_of(game))]
    assert choices == len(match.acts)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_is_the_same_match(game: str) -> None:
    first, again, other = (play(game, people(seats_of(game)), 60, seed) for seed in (3, 3, 4))
    assert same(first, again)
    assert not same(first, other)


@pytest.mark.parametrize("plan", [name for name in p.PLANS if name not in ("none", "clone", "model")])
def test_a_plan_changes_nothing_without_the_partner(plan: str) -> None:
    honest = people(2)
    habits = {"plan": p.PLANS.index(plan), "intensity": 0.5, "gives": 1.0}
    planning = people(2, **habits)
    assert same(play("holdem-mit", honest, 200, 5), play("holdem-mit", planning, 200, 5))
    planning[1].row[p.GIVES] = 0.0
    assert not same(play("holdem-mit", honest, 200, 5), play("holdem-mit", planning, 200, 5, (1, 0)))


def test_a_clone_plays_as_its_twin_in_every_hand_at_full_intensity() -> None:
    one, two = people(2)
    clone = Person(one.name, p.person(TIGHT, plan=p.CLONE, intensity=1.0), one.chart)
    twin = Person(one.name, two.row, two.chart)
    played = play("holdem-mit", (clone, two), 300, 8, (), (two, two))
    # Strength is sampled with his own numbers: only what he asks of it is the twin's.
    assert same(played, play("holdem-mit", (twin, two), 300, 8))


def test_dumping_costs_the_giver() -> None:
    honest = play("holdem-mit", people(2), 2000, 9).deltas[:, 0].mean()
    rows = people(2, plan=p.DUMP, intensity=1.0)
    rows[0].row[p.GIVES] = 1.0
    assert play("holdem-mit", rows, 2000, 9, (1, 0)).deltas[:, 0].mean() < honest - 0.5


def test_the_rough_chart_is_that_of_the_bots_by_class() -> None:
    chart = showdowns.rough_chart()
    assert chart.shape == (p.CHARTS,)
    for first, second in permutations(range(52), 2):
        assert chart[showdowns.class_of(first, second)] == preflop_strength((first, second))


@pytest.mark.parametrize("game", ["koper", "acpc/holdem.nolimit.3p", "acpc/unheard.of"])
def test_other_games_are_refused(game: str) -> None:
    with pytest.raises(ValueError, match="does not play"):
        play(game, people(3), 10, 1)
