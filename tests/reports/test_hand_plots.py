"""The pictures of starting hands and of the strength behind bets."""

from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from PIL import Image

from railbird.analytics.settings import FEW
from railbird.analytics.store import Store
from railbird.reports import PlotStyle, UserError
from railbird.reports.event_plots import LOOKS, MOST_PANELS
from railbird.reports.hand_plots import (
    Panel,
    box_panels,
    boxes_figure,
    hand_panels,
    hands_figure,
    save_boxes,
    save_hands,
)
from railbird.reports.plots import LOST_SURE, PAPER, WON_SURE

SIZES = ("1/4", "1/2", "3/4", "1", "2", "> 2")


@pytest.fixture(scope="module")
def most(sample_store: Store) -> tuple[Panel, Panel]:
    """The panels of the player of Bounty that was seen with most hands."""
    hands = max(hand_panels(sample_store, game="bounty"), key=lambda one: one.grid.hands if one.grid else 0)
    assert hands.grid
    said = f"{hands.grid.hands:,} hands"
    boxes = next(
        one for one in box_panels(sample_store, game="bounty") if f"{one.heading} · {said}" == hands.heading
    )
    return hands, boxes


def inside(drawn: Any, style: PlotStyle) -> list[Any]:
    """The boxes of all texts, which lie in the picture; a slide keeps its shape."""
    render = FigureCanvasAgg(drawn).get_renderer()  # type: ignore[no-untyped-call]
    wide, high = drawn.get_size_inches() * drawn.dpi
    texts = [*drawn.texts, *(text for axes in drawn.axes for text in axes.texts)]
    texts += [label for axes in drawn.axes if axes.axison for label in axes.get_xticklabels()]
    found = [text.get_window_extent(render) for text in texts if text.get_text()]
    assert all(box.x0 >= 0 and box.x1 <= wide and box.y0 >= 0 and box.y1 <= high for box in found)
    if style is PlotStyle.SLIDE:
        assert tuple(drawn.get_size_inches()) == (LOOKS[style].width, LOOKS[style].least_height)
    return found


@pytest.mark.parametrize("style", PlotStyle)
def test_every_cell_is_drawn_and_no_text_overlaps(most: tuple[Panel, Panel], style: PlotStyle) -> None:
    grid = most[0].grid
    assert grid is not None
    drawn = hands_figure([most[0]], "A title", style)
    (axes,) = drawn.axes
    shades = [to_hex(patch.get_facecolor()) for patch in axes.patches]
    tones = [row["tone"] for row in grid.cells.values()]
    assert shades.count(WON_SURE) == sum(tone > 0 for tone in tones)
    assert shades.count(LOST_SURE) == sum(tone < 0 for tone in tones)
    texts = [text.get_text() for text in axes.texts]
    assert {"AA", "72o", "AKs"} <= set(texts)
    assert any(text.get_text().endswith(f"{grid.hands:,} hands") for text in drawn.texts)
    boxes = inside(drawn, style)
    assert not [
        1
        for k, one in enumerate(boxes)
        for other in boxes[:k]
        if one.x0 + 1 < other.x1 and other.x0 + 1 < one.x1 and one.y0 + 2 < other.y1 and other.y0 + 2 < one.y1
    ]


@pytest.mark.parametrize("style", PlotStyle)
def test_a_box_for_every_size_of_every_street(most: tuple[Panel, Panel], style: PlotStyle) -> None:
    panel = most[1]
    assert panel.boxes
    drawn = boxes_figure([panel], SIZES, "", style)
    inside(drawn, style)
    assert len(drawn.axes) == len(panel.boxes)
    for axes, street in zip(drawn.axes, sorted(panel.boxes), strict=True):
        assert len(axes.patches) == len(panel.boxes[street])
        for patch, (size, box) in zip(axes.patches, sorted(panel.boxes[street].items()), strict=True):
            low, high = patch.get_y(), patch.get_y() + patch.get_height()  # type: ignore[attr-defined]
            assert (low, high) == pytest.approx((100 * box["box_low"], 100 * box["box_high"]))
            assert axes.get_xticklabels()[size - 1].get_text() == f"{SIZES[size - 1]}\n{box['n']:,}"
        # Of a box too low for a line of the ground's colour the line is what is seen: pale, too, of few bets.
        for line, (_, box) in zip(
            [one for one in axes.lines if one.get_zorder() == 4],
            sorted(panel.boxes[street].items()),
            strict=True,
        ):
            alone = line.get_color() != PAPER
            assert line.get_alpha() == (0.35 if alone and box["n"] < FEW else 1.0)


def test_hostile_names_are_text(hostile_store: Store, tmp_path: Path) -> None:
    for save in (save_hands, save_boxes):
        save(hostile_store, tmp_path / "a.svg", "<b>&")
        text = (tmp_path / "a.svg").read_text(encoding="utf-8")
        assert "<script>alert" not in text and "<b>" not in text and "\x1b" not in text
        assert "&lt;script&gt;alert" in text and "prefers-color-scheme: dark" in text


def test_what_cannot_be_drawn_is_one_line(sample_store: Store, tmp_path: Path) -> None:
    for save, game, name, said in (
        (save_hands, "bounty", "a.gif", "FILE.png or FILE.svg"),
        (save_boxes, "bounty", "a.gif", "FILE.png or FILE.svg"),
        (save_hands, None, "a.png", f"--plot draws at most {MOST_PANELS} players, not "),
        (save_hands, "blotto", "a.png", "nothing to draw: no starting hands of two cards are known"),
        (save_boxes, "koper", "a.png", "nothing to draw: no cards behind bets are known"),
    ):
        with pytest.raises(UserError, match=said):
            save(sample_store, tmp_path / name, game=game)
    assert list(tmp_path.iterdir()) == []


def test_stats_draws_them(run: Run, samples_folder: Path, most: tuple[Panel, Panel], tmp_path: Path) -> None:
    player = most[0].heading.partition(" · ")[0]
    for show in ("hands", "size-tells"):
        asked = ("stats", "--store", samples_folder, "--show", show, "--player", player, "--game", "bounty")
        code, out, err = run(*asked, "--plot", tmp_path / "a.png", "--title", " My  bot ", "--style", "paper")
        assert (code, err) == (0, "")
        assert player in out
        with Image.open(tmp_path / "a.png") as picture:
            assert picture.width == LOOKS[PlotStyle.PAPER].width * LOOKS[PlotStyle.PAPER].dots
    for wrong in (("--show", "where"), ("--show", "hands", "--by-opponent"), ()):
        code, _, err = run("stats", "--store", samples_folder, *wrong, "--plot", tmp_path / "b.png")
        assert (code, err) == (
            2,
            "railbird: --plot draws --show hands or size-tells, without --by-opponent and --before-lock\n",
        )
    assert not (tmp_path / "b.png").exists()
