"""The plot draws what the query says, whatever the names."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.analytics.store import Store
from railbird.replay.bounty import ROUNDS_PER_BOUNTY
from railbird.reports import curves, plots
from railbird.reports.answers import all_matches
from railbird.reports.curves import downsample


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=3000), st.integers(1, 50))
def test_downsampling_keeps_the_ends_and_the_extremes(values: list[float], cells: int) -> None:
    series = np.array(values)
    kept = downsample(series, cells)
    assert list(kept) == sorted(set(kept.tolist()))
    assert kept[0] == 0
    assert kept[-1] == len(series) - 1
    assert series[kept].min() == series.min()
    assert series[kept].max() == series.max()
    assert len(kept) <= max(4 * cells, 1)


def test_downsampling_lets_gaps_be() -> None:
    assert len(downsample(np.full(1000, np.nan), 10)) == 20


def test_the_curve_drawn_equals_the_query(sample_store: Store) -> None:
    for match in all_matches(sample_store):
        curve = curves.of_match(sample_store, match)
        assert len(curve.lines) == len(match.players) <= len(plots.PLAYERS)
        assert curve.hands.tolist() == list(range(1, match.hands + 1))
        axes = plots.figure(curve).axes[0]
        for seat, player in enumerate(match.players):
            rows = sample_store.sql(
                "select hand_index + 1, bankroll from bankroll_curve"
                " where match_id = $match and seat = $seat order by hand_index",
                match=match.match_id,
                seat=seat,
            ).fetchall()
            assert curve.lines[seat].player == player
            colour = plots.PLAYERS[seat]
            drawn = next(
                line for line in axes.lines if line.get_color() == colour and line.get_linestyle() == "-"
            )
            assert np.asarray(drawn.get_xydata()).tolist() == [list(row) for row in rows]


def test_showdown_and_other_hands_add_up(sample_store: Store) -> None:
    for match in all_matches(sample_store):
        for line in curves.of_match(sample_store, match).lines:
            won = line.showdown + line.non_showdown
            assert np.allclose(np.diff(won), np.diff(line.bankroll))


def test_blocks_are_those_of_the_rules(sample_store: Store) -> None:
    assert curves.BOUNTY_BLOCK == ROUNDS_PER_BOUNTY
    match = next(match for match in all_matches(sample_store) if match.game == "bounty" and match.hands > 30)
    assert curves.of_match(sample_store, match).blocks[:2].tolist() == [1, 26]


@pytest.mark.parametrize("form", ["png", "svg"])
def test_hostile_names_are_drawn_as_text(hostile_store: Store, form: str) -> None:
    curve = curves.of_match(hostile_store, all_matches(hostile_store)[0])
    made = plots.pictures(curve, [form])[form]
    assert made == plots.pictures(curve, ["svg", "png"])[form]
    if form == "png":
        assert made.startswith(b"\x89PNG")
        return
    root = ET.fromstring(made)
    assert not [node for node in root.iter() if node.tag.endswith("script")]
    texts = " ".join(text for node in root.iter() if node.tag.endswith("text") for text in node.itertext())
    assert "<script>alert" in texts
    assert "\\u202e" in texts
    assert "$x^{" in texts
    assert "\x1b" not in texts
    assert "\u202e" not in texts


def test_labels_at_the_end_of_curves_do_not_overlap(sample_store: Store) -> None:
    for match in all_matches(sample_store):
        figure = plots.figure(curves.of_match(sample_store, match))
        figure.canvas.draw()
        for axes in figure.axes:
            boxes = sorted((text.get_window_extent() for text in axes.texts), key=lambda box: box.y0)
            for below, above in pairwise(boxes):
                assert below.y1 <= above.y0 + 3


def test_a_long_name_is_cut() -> None:
    assert plots.short("x" * 100) == "x" * 21 + "…"
