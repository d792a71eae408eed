"""Who beat whom as a picture: a cell for each two players, however many they are."""

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import polars as pl
import pytest
from conftest import Run
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from railbird.analytics.standings import Competition
from railbird.reports import PlotStyle, UserError
from railbird.reports.event_plots import LOOKS, MOST_PANELS
from railbird.reports.matrix_plot import cell_of, figure, save_matrix
from railbird.reports.plots import GRID, LOST, LOST_SURE, PAPER, WON, WON_SURE

Figures = Callable[[int, int], tuple[float, float] | None]


def competition(players: int, figures: Figures, names: str = "Player {}", event: str = "cup") -> Competition:
    """Players whose results, mbb/h and half of the interval, `figures` says for two places; None: never met."""
    rows = []
    for one in range(players):
        for other in range(players):
            if one == other:
                continue
            row: dict[str, Any] = dict.fromkeys(("mbb_per_hand", "low", "high", "even"))
            row |= {"place": one + 1, "opponent_place": other + 1, "evidence": "grey"}
            if (known := figures(one, other)) is not None:
                value, half = known
                row |= {"mbb_per_hand": value, "low": value - half, "high": value + half, "even": 0.0}
                row["evidence"] = "strong" if abs(value) > half else "light"
            rows.append(row)
    standings = pl.DataFrame(
        {"player": [names.format(k) for k in range(players)], "seat": [None] * players},
        schema={"player": pl.String, "seat": pl.Int8},
    )
    found = SimpleNamespace(event=event, game="toss", standings=standings, crosstable=pl.DataFrame(rows))
    return cast(Competition, found)


def chain(one: int, other: int) -> tuple[float, float] | None:
    """Neighbours and their neighbours met; the earlier one won, and twice as far it is sure."""
    if abs(one - other) > 2:
        return None
    return 1000.0 * (other - one), 1500.0


@pytest.mark.parametrize(
    ("row", "shade", "lines"),
    [
        ((500.0, 400.0, 600.0, 0.0, "strong"), WON_SURE, ("+500", "±100")),
        ((500.0, -400.0, 1400.0, 0.0, "light"), WON, ("+500", "±900")),
        ((-1500.0, -2400.0, -600.0, 0.0, "strong"), LOST_SURE, ("−1,500", "±900")),
        ((-5.0, -10.0, 20.0, 0.0, "light"), LOST, ("−5", "±15")),
        # Where the game pays more than was put in, an even result is not 0.
        ((500.0, 400.0, 590.0, 600.0, "strong"), LOST_SURE, ("+500", "±95")),
        ((500.0, None, None, 0.0, "grey"), WON, ("+500", "")),
        ((0.0, -1.0, 1.0, 0.0, "light"), PAPER, ("+0", "±1")),
    ],
)
def test_a_cell_has_its_sign_and_whether_it_is_sure(row: Any, shade: str, lines: tuple[str, str]) -> None:
    cell = cell_of(dict(zip(("mbb_per_hand", "low", "high", "even", "evidence"), row, strict=True)))
    assert cell is not None
    assert (cell.shade, cell.lines, cell.is_sure) == (shade, lines, shade in (WON_SURE, LOST_SURE))


def test_who_never_met_has_no_cell() -> None:
    assert (
        cell_of({"mbb_per_hand": None, "low": None, "high": None, "even": None, "evidence": "grey"}) is None
    )


def shades(drawn: Any) -> list[str]:
    from matplotlib.colors import to_hex

    (axes,) = drawn.axes
    return [to_hex(patch.get_facecolor()) for patch in axes.patches]


@pytest.mark.parametrize("players", [2, 4, 30])
def test_no_player_is_left_out(players: int) -> None:
    drawn = figure([competition(players, chain)])
    found = shades(drawn)
    assert len(found) == players**2
    pairs = [(one, other) for one in range(players) for other in range(players) if one != other]
    counts = {shade: found.count(shade) for shade in (WON_SURE, WON, LOST, LOST_SURE, GRID)}
    assert counts == {
        WON_SURE: sum(other - one == 2 for one, other in pairs),
        WON: sum(other - one == 1 for one, other in pairs),
        LOST: sum(one - other == 1 for one, other in pairs),
        LOST_SURE: sum(one - other == 2 for one, other in pairs),
        GRID: players,
    }
    texts = [text.get_text() for text in drawn.axes[0].texts]
    assert texts.count("+1,000") == counts[WON]
    assert all(f"{k + 1}  Player {k}" in texts for k in range(players))


@pytest.mark.parametrize(
    ("style", "players"), [(PlotStyle.PAGE, 4), (PlotStyle.SLIDE, 4), *((style, 30) for style in PlotStyle)]
)
def test_no_text_overlaps_or_leaves_its_cell(style: PlotStyle, players: int) -> None:
    drawn = figure([competition(players, chain, "a name of some length {}")], "A title", style)
    render = FigureCanvasAgg(drawn).get_renderer()  # type: ignore[no-untyped-call]
    (axes,) = drawn.axes
    boxes = [text.get_window_extent(render) for text in [*axes.texts, *drawn.texts]]
    wide, high = drawn.get_size_inches() * drawn.dpi
    assert all(box.x0 > 0 and box.x1 < wide and box.y0 > 0 and box.y1 < high for box in boxes)
    cell = axes.transData.transform((1, 0))[0] - axes.transData.transform((0, 0))[0]
    figures = [text for text in axes.texts if re.fullmatch(r"[+−±][\d,]+", text.get_text())]
    assert all(text.get_window_extent(render).width < cell for text in figures)
    sizes = {float(text.get_fontsize()) for text in axes.texts}
    assert min(sizes) >= {PlotStyle.PAGE: 6, PlotStyle.PAPER: 3.9, PlotStyle.SLIDE: 5.4}[style]
    overlapping = [
        (k, j)
        for k, one in enumerate(boxes)
        for j, other in enumerate(boxes[:k])
        if one.x0 + 1 < other.x1 and other.x0 + 1 < one.x1 and one.y0 + 2 < other.y1 and other.y0 + 2 < one.y1
    ]
    assert overlapping == []
    if style is PlotStyle.SLIDE:
        assert tuple(drawn.get_size_inches()) == (LOOKS[style].width, LOOKS[style].least_height)
    assert bool(figures) or (style is not PlotStyle.PAGE and players == 30)


def test_hostile_names_and_titles_stay_text(tmp_path: Path) -> None:
    names = "<script>alert(1)</script>$x^{}$ \x1b[31m" + 200 * "x"
    save_matrix([competition(3, chain, names)], tmp_path / "a.svg", "<b>&\u202e")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "<script" not in text and "<b>" not in text and "\x1b" not in text
    assert "&lt;script" in text


def test_what_cannot_be_drawn_is_one_line(tmp_path: Path) -> None:
    one = competition(2, chain)
    for found, name, said in (
        ([one], "a.gif", "FILE.png or FILE.svg"),
        ([one] * (MOST_PANELS + 1), "a.png", "choose with --event"),
        ([competition(2, lambda *_: None)], "a.png", "nobody met anybody"),
    ):
        with pytest.raises(UserError, match=said):
            save_matrix(found, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_standings_draws_it(run: Run, samples_folder: Path, tmp_path: Path) -> None:
    for name in ("a.png", "b.svg"):
        code, out, err = run(
            "standings",
            samples_folder,
            "--event",
            "bounty",
            "--draws",
            "100",
            "--plot",
            tmp_path / name,
            "--title",
            " My   cup ",
            "--style",
            "paper",
        )
        assert (code, err) == (0, "")
        assert "P(1st)" in out
    text = (tmp_path / "b.svg").read_text(encoding="utf-8")
    assert ">My cup<" in text and "prefers-color-scheme: dark" in text
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.width == LOOKS[PlotStyle.PAPER].width * LOOKS[PlotStyle.PAPER].dots
