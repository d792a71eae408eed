"""What pages say of Koper: means and folds by the engine's equity, as the views have them, with n and intervals."""

import re
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.reports import plots
from railbird.reports.matches import all_matches, rows_of
from railbird.reports.pages import players
from railbird.reports.pages.build import write_report
from railbird.reports.pages.markup import match_page

LOGS = ("v1-folds.txt", "v1-mixed.txt", "v1-eliminations.txt", "v2-mixed.all_games.txt")


@pytest.fixture(scope="module")
def folded(sample_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Path]]:
    """A store of Koper logs, and the folder of a report on it."""
    root = tmp_path_factory.mktemp("koper")
    ingest([sample_logs / "koper" / log for log in LOGS], root / "store")
    with open_store(root / "store") as store:
        yield store, write_report(store, root / "report").parent


def said(path: Path) -> str:
    """The text of a page, its cells apart."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", path.read_text(encoding="utf-8")))


def key(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["event"], row["player"], row["seat"], row.get("statistic", row.get("chance_bin"))


def test_means_and_folds_over_all_matches_are_those_of_the_views(folded: tuple[Store, Path]) -> None:
    store, _ = folded
    matches = all_matches(store)
    for found, view in (
        (players.koper_means(store, matches), "koper_tendencies"),
        (players.koper_folds(store, matches), "koper_folds"),
    ):
        expected = {key(row): row for row in rows_of(store, f"select * from {view}")}
        assert expected
        assert {key(row): {name: row[name] for name in expected[key(row)]} for row in found} == {
            one: pytest.approx(row) for one, row in expected.items()
        }


def test_means_over_some_matches_are_of_those_alone(folded: tuple[Store, Path]) -> None:
    store, _ = folded
    matches = all_matches(store)
    total = {key(row): row["n"] for row in players.koper_means(store, matches)}
    parts = [{key(row): row["n"] for row in players.koper_means(store, [match])} for match in matches]
    assert len(parts) > 2
    assert total == {one: sum(part.get(one, 0) for part in parts) for one in total}


def test_pages_show_means_with_n_and_interval(folded: tuple[Store, Path]) -> None:
    store, folder = folded
    means = players.koper_means(store, all_matches(store))
    overview = said(folder / "index.html")
    for row in means:
        page = said(folder / players.person(row).page)
        figure = players.koper_figure(row["statistic"], row["mean"])
        between = players.koper_ends(row["statistic"], row["low"], row["high"])
        assert f" {row['label']} {figure} {between or '–'} {row['n']:,} {row['matches']} " in page
        if row["statistic"] in players.KOPER_KEY_MEANS:
            assert re.search(rf" {re.escape(figure)} {re.escape(between)} ?n {row['n']:,} ", overview)
    assert all(label in overview for label, _ in players.KOPER_KEY_MEANS.values())
    for row in players.koper_folds(store, all_matches(store)):
        page = said(folder / players.person(row).page)
        assert f" {row['chance']} {100 * row['rate']:.1f}% " in page


def test_a_match_s_means_are_over_its_games(folded: tuple[Store, Path]) -> None:
    store, folder = folded
    for match in all_matches(store):
        page = said(folder / match_page(match.match_id))
        bets: dict[int, list[float]] = {}
        for seat, chips in store.execute(
            "select seat, chips_added from actions anti join damaged_hands using (match_id, hand_index)"
            " where match_id = $m and street = 1 and origin = 'choice' and win_prob is not null"
            " and action <> 'fold'",
            m=match.match_id,
        ).fetchall():
            bets.setdefault(seat, []).append(chips)
        assert bets
        for values in bets.values():
            shown = players.koper_figure("bet_1", statistics.fmean(values))
            between = "" if len(values) < 2 else "[^ ]+ "
            assert re.search(rf" {re.escape(shown)} {between}n {len(values)} ", page)


@pytest.mark.parametrize(
    ("statistic", "mean", "low", "high", "said"),
    [
        ("win_prob_bet", 0.5, 0.25, 0.75, ("50.0%", "25.0–75.0%")),
        ("bet_1", 150.0, 100.0, 200.5, ("150", "100–200.50")),
        ("step_2", 1.0, 0.5, 1.5, ("1.00", "0.50–1.50")),
        ("cap_use", 1.0, None, None, ("100.0%", "")),
        # Sums of the same numbers in two orders.
        ("win_prob_bet", 0.5875, 0.0, 0.5875, ("58.8%", "0.0–58.8%")),
        ("win_prob_bet", 0.5874999999999999, 0.0, 0.5874999999999999, ("58.8%", "0.0–58.8%")),
        ("bet_1", 66.37499999999999, 0.0, 66.375, ("66.38", "0–66.38")),
        ("step_2", 0.37499999999999994, 0.25, 0.375, ("0.38", "0.25–0.38")),
    ],
)
def test_a_mean_is_written_in_its_unit(
    statistic: str, mean: float, low: float | None, high: float | None, said: tuple[str, str]
) -> None:
    assert (players.koper_figure(statistic, mean), players.koper_ends(statistic, low, high)) == said


def test_plots_of_stacks_begin_with_what_players_brought(folded: tuple[Store, Path]) -> None:
    store, folder = folded
    matches = all_matches(store)
    luck = plots.luck_of(store, matches)
    owed = 0
    for match in matches:
        ((stacks,),) = store.execute(
            "select starting_stacks from matches where match_id = $m", m=match.match_id
        ).fetchall()
        curve = plots.of_match(store, match, None, luck)
        axes = plots.figure(curve).axes[0]
        drawn = [np.asarray(line.get_xydata()) for line in axes.lines]
        # The line of 0 has two points.
        assert {tuple(line[0]) for line in drawn if len(line) > 2} == {(0, stack) for stack in stacks}
        below = any(np.nanmin(line.adjusted, initial=0) < 0 for line in curve.lines)
        assert ("may lie below 0" in plots.caption(curve)) == below
        owed += below
        assert np.isnan(curve.lines[0].half).all()
        assert "Band, 95%" not in said(folder / match_page(match.match_id))
    assert 0 < owed < len(matches)
