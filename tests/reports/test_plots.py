"""The plot draws what the query says, whatever the names."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text

from railbird.analytics import luck
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import plots
from railbird.reports.matches import all_matches
from railbird.reports.plots import DRAWN_ALONE, FORMS, Painters, downsample
from railbird.reports.terminal import signed

CHIPS = ("bankroll", "written", "showdown", "non_showdown", "adjusted", "half")


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
        curve = plots.of_match(sample_store, match)
        assert len(curve.lines) == len(match.players) <= len(plots.PLAYERS)
        assert curve.hands.tolist() == list(range(1, match.hands + 1))
        axes = plots.figure(curve).axes[0]
        for seat, player in enumerate(match.players):
            rows = sample_store.execute(
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
            # Koper's stacks are drawn from the one brought on, before the first hand.
            brought = [[0, curve.lines[seat].opening]] if match.game == "koper" and rows else []
            assert np.asarray(drawn.get_xydata()).tolist() == brought + [list(row) for row in rows]


def test_the_bankroll_without_luck_is_what_the_terms_and_slopes_say(sample_store: Store) -> None:
    """The curve drawn equals another derivation: deltas less what `luck.hands` says of each hand."""
    matches = all_matches(sample_store)
    adjusted = luck.hands(sample_store)
    brought = plots.luck_of(sample_store, matches)
    known = 0
    for match in matches[::7]:
        curve = plots.of_match(sample_store, match, None, brought)
        for seat, line in enumerate(curve.lines):
            rows = adjusted.filter((pl.col("match_id") == match.match_id) & (pl.col("seat") == seat))
            of_hand = {
                hand + 1: delta - left
                for hand, delta, left in rows.select("hand_index", "delta", "chance_adjusted").iter_rows()
            }
            if (match.match_id, seat) not in brought:
                assert not any(of_hand.values())
                assert np.isnan(line.adjusted).all()
                continue
            known += 1
            total = np.cumsum([of_hand.get(hand, 0.0) for hand in line.hands.tolist()])
            assert line.adjusted == pytest.approx(line.bankroll - total)
            band = luck.curve(sample_store, match.match_id).filter(pl.col("seat") == seat)
            half = line.half[np.isin(line.hands, [*of_hand])]
            drawn_from = ~np.isnan(half)
            expected = ((band["high"] - band["low"]) / 2).to_numpy()
            assert half[drawn_from] == pytest.approx(expected[drawn_from])
            assert drawn_from.sum() == max(len(half) - 5, 0) or match.game in ("bounty", "koper")
        if plots.has_luck(curve):
            axes = plots.figure(curve).axes[0]
            thin = [line for line in axes.lines if line.get_linewidth() == 1.1]
            drawn = [line for line in curve.lines if not np.isnan(line.adjusted).all()]
            assert [np.asarray(line.get_ydata())[-1] for line in thin] == [
                line.adjusted[-1] for line in drawn
            ]
    assert known > 5


def test_the_lock_point_is_drawn_where_the_view_has_it(sample_store: Store) -> None:
    locked = 0
    for match in all_matches(sample_store):
        lock = plots.lock_of(sample_store, match)
        rows = sample_store.execute(
            "select hand_index + 1 from lock_points where match_id = $match and hand_index is not null",
            match=match.match_id,
        ).fetchall()
        assert [row[0] for row in rows] == ([] if lock is None else [lock])
        if lock is None or locked == 3:
            continue
        locked += 1
        axes = plots.figure(plots.of_match(sample_store, match, lock)).axes[0]
        assert [lock, lock] in [np.asarray(line.get_xdata()).tolist() for line in axes.lines]
    assert locked == 3


def test_helpers_draw_the_same_pictures(sample_store: Store, tmp_path: Path) -> None:
    drawn = [plots.of_match(sample_store, match) for match in all_matches(sample_store)[:3]]
    with Painters(tmp_path, DRAWN_ALONE + 1) as painters:
        for curve in drawn:
            painters.draw(curve)
    for curve in drawn:
        for form, picture in plots.pictures(curve, FORMS).items():
            assert (tmp_path / f"{curve.match.match_id}.{form}").read_bytes() == picture


def test_pictures_that_cannot_be_written_are_an_error(sample_store: Store, tmp_path: Path) -> None:
    curve = plots.of_match(sample_store, all_matches(sample_store)[0])
    with (
        pytest.raises(OSError, match="the plots could not be drawn"),
        Painters(tmp_path / "no", DRAWN_ALONE + 1) as made,
    ):
        made.draw(curve)


def test_showdown_and_other_hands_add_up(sample_store: Store) -> None:
    for match in all_matches(sample_store):
        for line in plots.of_match(sample_store, match).lines:
            won = line.showdown + line.non_showdown
            assert np.allclose(np.diff(won), np.diff(line.bankroll))


def test_blocks_are_those_of_the_rules(sample_store: Store) -> None:
    match = next(match for match in all_matches(sample_store) if match.game == "bounty" and match.hands > 30)
    assert plots.of_match(sample_store, match).blocks[:2].tolist() == [1, 26]


@pytest.mark.parametrize("form", ["png", "svg"])
def test_hostile_names_are_drawn_as_text(hostile_store: Store, form: str) -> None:
    curve = plots.of_match(hostile_store, all_matches(hostile_store)[0])
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
        figure = plots.figure(plots.of_match(sample_store, match))
        figure.canvas.draw()
        for axes in figure.axes:
            boxes = sorted((text.get_window_extent() for text in axes.texts), key=lambda box: box.y0)
            for below, above in pairwise(boxes):
                assert below.y1 <= above.y0 + 3


@pytest.mark.parametrize("name", [None, "W" * 200, "i" * 200])
def test_all_text_has_room(sample_store: Store, name: str | None) -> None:
    """Beside figures of seven digits, and whatever the names, as wide as they are drawn."""
    matches = {len(match.players): match for match in all_matches(sample_store)}
    assert matches.keys() >= {2, 3, 6}
    for match in matches.values():
        curve = plots.of_match(sample_store, match)
        lines = [
            replace(line, player=name or line.player, **{part: 1e4 * getattr(line, part) for part in CHIPS})
            for line in curve.lines
        ]
        figure = plots.figure(replace(curve, lines=tuple(lines)))
        figure.canvas.draw()
        wide = figure.bbox.width
        for axes in figure.axes:
            figures = [tick for tick in axes.get_yticklabels() if tick.get_visible() and tick.get_text()]
            assert all(text.get_window_extent().x0 >= 0 for text in figures)
            assert all(text.get_window_extent().x1 <= wide for text in axes.texts)
        heads = [
            text.get_window_extent()
            for axes in figure.axes[1:]
            for text in axes.findobj(Text)
            if text.get_text() == axes.get_title("left")
        ]
        for left, right in pairwise(heads):
            assert left.x1 < right.x0 or right.y1 < left.y0
        assert max(head.x1 for head in heads) <= wide
        title, about = (text.get_window_extent() for text in figure.texts[:2])
        assert 0 <= title.x0 < title.x1 < about.x0
        assert title.width > 0.5 * about.x0 or name is None


def test_a_match_of_one_hand_is_a_point(tmp_path: Path) -> None:
    """And its bankrolls, which begin within a match, are no chips held."""
    text = simulate("holdem-mit", [("A", "maniac"), ("B", "calling-station")], 20, 3)
    rounds = text.split("\nRound #")
    (tmp_path / "one.txt").write_text(f"{rounds[0]}\nRound #{rounds[-1]}", newline="")
    ingest([tmp_path / "one.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        (match,) = all_matches(store)
        curve = plots.of_match(store, match)
    assert match.hands == 1
    assert not plots.begins_at_nought(curve)
    assert not plots.begins_with_chips(curve)
    assert "held" not in plots.caption(curve)
    figure = plots.figure(curve)
    assert figure.texts[1].get_text().endswith(" 1 hand")
    for axes in figure.axes:
        assert axes.get_xlim() == (0, 1)
        points = [line for line in axes.lines if line.get_marker() == "o"]
        assert points
        assert [np.asarray(line.get_xdata()).tolist() for line in points] == [[1]] * len(points)
    labels = {text.get_text() for text in figure.axes[0].texts}
    ends = [float(line.bankroll[-1]) for line in curve.lines]
    assert labels == {f"{name}\n{signed(end)}" for name, end in zip("AB", ends, strict=True)}


def test_koper_s_stacks_are_chips_held(sample_store: Store) -> None:
    for match in all_matches(sample_store):
        held = plots.begins_with_chips(plots.of_match(sample_store, match))
        assert held == (match.game == "koper")


def test_a_long_name_is_cut_to_its_room() -> None:
    for name in ("W" * 100, "i" * 100, "\u65e5" * 100):
        for seat in (None, 1):
            cut = plots.short(name, seat, 2, 12)
            assert re.fullmatch(f"{name[0]}+…" + ("" if seat is None else r" \(seat 1\)"), cut)
            assert plots.width(cut, 12) <= 2 < plots.width(name[0] * 3 + cut, 12)
    assert plots.short("Twin", 0, 2, 12) == "Twin (seat 0)"
    # Of a very long name no more is looked at than any picture has room for.
    assert plots.short("x" * 100_000, 1, 2, 12) == plots.short("x" * 400, 1, 2, 12)
    marks = plots.short("a" + "\u0301" * 100_000, None, 2, 12)
    assert marks.startswith("a") and marks.endswith("…") and len(marks) < 1000
    assert plots.beside([("Ann", None), ("B" * 99, None)], 3, 16).startswith("Ann v BBB")
