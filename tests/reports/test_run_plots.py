"""All matches of a player in one picture: the lines, their names, the mean and its interval."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from matplotlib.backends.backend_agg import FigureCanvasAgg
from scipy import stats

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import PlotStyle
from railbird.reports.event_plots import MOST_NAMED, EventCurve, Total, figure
from railbird.reports.matches import all_matches, chosen_matches
from railbird.reports.run_plots import mean_of, run_curves

# Opponent, hands: two matches have the same opponent.
MATCHES = (("Dove", 12), ("Jay", 20), ("Dove", 9))


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for k, (other, hands) in enumerate(MATCHES):
        log = simulate(
            "holdem-mit", [("Hawk <b>", "maniac"), (other, "maniac")][:: 1 - 2 * (k % 2)], hands, k
        )
        (folder / f"log{k}.txt").write_text(log, newline="")
    log = simulate("holdem-mit", [("Dove", "maniac"), ("Jay", "maniac")], 7, 5)
    (folder / "without.txt").write_text(log, newline="")
    ingest([folder], folder / "store", event="cup")
    return folder / "store"


@pytest.fixture(scope="module")
def store(cup: Path) -> Iterator[Store]:
    with open_store(cup) as opened:
        yield opened


def test_the_mean_ends_where_fewer_than_half_go_on() -> None:
    chance = np.random.default_rng(4)
    runs = [np.cumsum(chance.normal(size=size)) for size in (50, 50, 40, 30, 20, 10, 5)]
    mean, half = mean_of(runs)
    assert len(mean) == len(half) == 30
    for hand in (0, 4, 9, 10, 29):
        there = [run[hand] for run in runs if len(run) > hand]
        low, high = stats.t.interval(0.95, len(there) - 1, np.mean(there), stats.sem(there))
        assert mean[hand] == pytest.approx(np.mean(there))
        assert (mean[hand] - half[hand], mean[hand] + half[hand]) == pytest.approx((low, high))


def test_each_match_is_a_line_with_a_name_of_its_own(store: Store) -> None:
    (curve,) = run_curves(store, chosen_matches(store, None, player="Hawk <b>"), "Hawk <b>")
    assert (curve.event, curve.game, curve.matches, curve.player) == ("cup", "holdem-mit", 3, "Hawk <b>")
    won = dict(
        store.execute(
            "select match_id, sum(delta) from seats join players using (match_id, seat)"
            " where players.player = 'Hawk <b>' group by 1"
        ).fetchall()
    )
    assert [total.chips for total in curve.totals] == sorted(won.values(), reverse=True)
    assert sorted(len(total.bankroll) for total in curve.totals) == [9, 12, 20]
    assert {total.player for total in curve.totals} == {"v Jay", "v Dove, log0.txt", "v Dove, log2.txt"}
    assert curve.mean is not None
    # Two of the three go on until hand 12.
    assert (curve.mean.player, len(curve.mean.bankroll)) == ("mean of 3", 12)


def many(matches: int) -> EventCurve:
    chance = np.random.default_rng(matches)
    runs = [np.cumsum(chance.normal(size=80)) * 100 for _ in range(matches)]
    totals = [Total(f"v a player of some length, log-{k}.txt", None, run) for k, run in enumerate(runs)]
    mean, half = mean_of(runs)
    middle = Total(f"mean of {matches}", None, mean, half=half)
    return EventCurve(
        "cup", "toss", matches, tuple(sorted(totals, key=lambda one: -one.chips)), "Hawk", middle
    )


@pytest.mark.parametrize(
    ("matches", "style"),
    [(2, PlotStyle.PAGE), (30, PlotStyle.PAPER), (30, PlotStyle.SLIDE), (200, PlotStyle.PAGE)],
)
def test_labels_do_not_overlap_and_lie_inside(matches: int, style: PlotStyle) -> None:
    drawn = figure([many(matches)], "All of Hawk", style)
    render = FigureCanvasAgg(drawn).get_renderer()  # type: ignore[no-untyped-call]
    (axes,) = drawn.axes
    named = matches if matches <= MOST_NAMED else MOST_NAMED // 2
    assert len(axes.texts) == named + 1
    boxes = sorted((text.get_window_extent(render) for text in axes.texts), key=lambda box: box.y0)
    wide, high = drawn.get_size_inches() * drawn.dpi
    assert all(box.x1 <= wide and box.y0 >= 0 and box.y1 <= high for box in boxes)
    assert all(above.y0 > below.y0 + 0.7 * below.height for below, above in pairwise(boxes))
    said = "".join(text.get_text() for text in drawn.texts).replace("\n", " ")
    assert "each line is a match" in said
    assert ("10 best and the 10 worst" in said) is (matches == 200)


def test_the_command_draws_the_matches_of_a_player(run: Run, cup: Path, tmp_path: Path) -> None:
    asked = ("bankroll", "--store", cup, "--player", "Hawk <b>", "--plot")
    code, out, err = run(*asked, tmp_path / "runs.svg", "--title", "All of it")
    assert (code, err) == (0, "")
    assert "without.txt" not in out and "log2.txt" in out
    text = (tmp_path / "runs.svg").read_text(encoding="utf-8")
    for said in ("All of it", "Hawk &lt;b&gt;: holdem-mit, event cup · 3 matches", "mean of 3", "v Jay"):
        assert said in text
    # Of one match it is the picture of that match.
    code, _, err = run(*asked, tmp_path / "one.svg", "--match", "log1.txt")
    assert (code, err) == (0, "")
    assert "mean of" not in (tmp_path / "one.svg").read_text(encoding="utf-8")


def test_one_match_has_no_mean(store: Store) -> None:
    matches = [match for match in all_matches(store) if match.file == "log1.txt"]
    (curve,) = run_curves(store, matches, "Hawk <b>")
    assert curve.mean is None
    assert [total.player for total in curve.totals] == ["v Jay"]
    figure([curve])
