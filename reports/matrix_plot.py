"""Who beat whom as a picture: a square of all players of a competition, shaded by sign and significance.

No player is left out. Each event and game has a square of its own. A picture for a page grows with the players; on
paper and slides, whose size is given, cells without room for figures have their shade alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from . import PlotStyle, UserError
from .event_plots import LOOKS, MOST_PANELS, Look
from .matches import name_of
from .plots import (
    FAINT,
    GRID,
    INK,
    LOST,
    LOST_SURE,
    ON_SURE,
    PAPER,
    WON,
    WON_SURE,
    encoded,
    ignored_glyphs,
    picture_form,
    short,
    style_of,
    width,
)
from .terminal import counted, minus, printable

if TYPE_CHECKING:
    from ..analytics.standings import Competition

_POINTS: Final = 72
_LEAST: Final = {PlotStyle.PAGE: 6.5, PlotStyle.PAPER: 4.5, PlotStyle.SLIDE: 9.0}
"""The smallest figures in points; smaller ones are left out."""
_WIDEST: Final = 24.0
"""Inches of the widest picture for a page: some 45 players."""
_ASIDE: Final = 5.2
"""Inches at the right of a slide for keys and caption."""
_ABOVE: Final = 0.13
"""The share of a picture's width that names above the cells have at most."""
_LARGEST: Final = 0.95
"""Inches of the largest cell of a page; of other styles in proportion to their text."""
_CAPTION: Final = (
    "What the player of the row won in matches with the player of the column, in mbb/h (thousandths of a big blind "
    "per hand){}. Strong colour: the 95% interval excludes an even result. Empty: they did not meet."
)
_KEYS: Final = (
    (WON_SURE, "won beyond chance"),
    (WON, "won, may be chance"),
    (LOST, "lost, may be chance"),
    (LOST_SURE, "lost beyond chance"),
    (PAPER, "did not meet"),
)

Row = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """A cell: what the row won from the column in mbb/h, half of the 95% interval, and the shade.

    half  None without an interval
    """

    value: float
    half: float | None
    shade: str

    @property
    def is_sure(self) -> bool:
        """True if the interval excludes an even result."""
        return self.shade in (WON_SURE, LOST_SURE)

    @property
    def lines(self) -> tuple[str, str]:
        """Its figures."""
        return minus(f"{self.value:+,.0f}"), "" if self.half is None else f"±{self.half:,.0f}"


def cell_of(row: Row) -> Cell | None:
    """The cell of a row of `Competition.crosstable`; None where the two did not meet."""
    value = row["mbb_per_hand"]
    if value is None:
        return None
    half = None if row["low"] is None else (row["high"] - row["low"]) / 2
    ahead = value - (row["even"] or 0)
    if not ahead:
        return Cell(value, half, PAPER)
    sure = row["evidence"] == "strong"
    return Cell(value, half, (WON_SURE if sure else WON) if ahead > 0 else LOST_SURE if sure else LOST)


@dataclass(frozen=True)
class _Square:
    """A competition as it is drawn: the names by place, and the cells by (row, column)."""

    heading: str
    names: tuple[str, ...]
    cells: dict[tuple[int, int], Cell]

    @property
    def size(self) -> int:
        return len(self.names)


def _square(competition: "Competition") -> _Square:
    rows = list(competition.crosstable.iter_rows(named=True))
    names = [printable(name_of(*key)) for key in competition.standings.select("player", "seat").iter_rows()]
    cells = {
        (row["place"] - 1, row["opponent_place"] - 1): cell
        for row in rows
        if (cell := cell_of(row)) is not None
    }
    about = competition.game
    if competition.event != competition.game:
        about = f"{competition.game}, event {competition.event}"
    return _Square(f"{printable(about)} · {counted(len(names), 'player')}", tuple(names), cells)


@dataclass(frozen=True)
class _Layout:
    """Inches and points of a square: a side of a cell, room for names, and the size of figures, 0 for none."""

    cell: float
    left: float
    above: float
    label: float
    figures: float
    halves: bool


def _widest(square: _Square, size: float, halves: bool) -> float:
    """The inches that the widest figure needs."""
    texts = [line for cell in square.cells.values() for line in cell.lines[: 2 if halves else 1]]
    return max((width(text, size, bold=True) for text in texts), default=0.0)


def _layout(square: _Square, look: Look, style: PlotStyle, room: float, aside: float) -> _Layout:
    """The measures of a square; room: the inches that it may be high, aside: those right of it that are taken."""
    unit = look.text / _POINTS
    label = look.label if square.size <= 16 else max(0.75 * look.label, _LEAST[style])
    named = max(width(f"{square.size}  {name}", label) for name in square.names)
    left = min(named, 0.24 * look.width) + unit
    side = _LARGEST * look.text / LOOKS[PlotStyle.PAGE].text
    wide = look.width - aside - left - 2 * unit
    if aside:
        room -= min(named, _ABOVE * look.width) + unit
    if style is PlotStyle.PAGE:
        # A picture for a page grows until all figures have room.
        need = _widest(square, 8.0, True) + 0.08
        wide = max(wide, min(square.size * max(need, 0.36), _WIDEST - left - 2 * unit))
        room = wide
    cell = min(side, wide / square.size, room / square.size)
    figures, halves = 0.0, True
    for halves in (True, False):
        lines = 2 if halves else 1
        most = min(look.label, 0.8 * cell * _POINTS / (1.25 * lines))
        full = _widest(square, most, halves)
        figures = most if full <= cell - 0.05 or not full else most * (cell - 0.05) / full
        if figures >= _LEAST[style]:
            break
    else:
        figures, halves = 0.0, False
    label = min(label, max(cell * _POINTS / 1.15, 0.6 * _LEAST[style]))
    level = all(width(name, label) <= cell - 0.06 for name in square.names)
    longest = max(width(name, label) for name in square.names)
    above = (1.5 if level else 0.6) * label / _POINTS + (0 if level else min(longest, _ABOVE * look.width))
    return _Layout(cell, left, above, label, figures, halves)


def _draw(axes: Axes, square: _Square, layout: _Layout) -> None:
    size = square.size
    axes.set_xlim(0, size)
    axes.set_ylim(size, 0)
    axes.axis("off")
    for row in range(size):
        for column in range(size):
            cell = square.cells.get((row, column))
            shade = GRID if row == column else cell.shade if cell else PAPER
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=shade, edgecolor=GRID, linewidth=0.6))
            if cell is None or not layout.figures:
                continue
            ink = ON_SURE if cell.is_sure else INK
            value, half = cell.lines
            both = bool(half) and layout.halves
            weight = "bold" if cell.is_sure else "normal"
            axes.text(
                column + 0.5,
                row + (0.34 if both else 0.5),
                value,
                ha="center",
                va="center",
                fontsize=layout.figures,
                color=ink,
                fontweight=weight,
            )
            if both:
                axes.text(
                    column + 0.5,
                    row + 0.69,
                    half,
                    ha="center",
                    va="center",
                    fontsize=0.88 * layout.figures,
                    color=ink,
                )
    pad = 0.08 / layout.cell
    room = layout.above - 0.6 * layout.label / _POINTS
    level = all(width(name, layout.label) <= layout.cell - 0.06 for name in square.names)
    for place, name in enumerate(square.names):
        left = layout.left - 0.5 * layout.label / _POINTS - width(f"{size}  ", layout.label)
        shown = short(name, None, left, layout.label)
        axes.text(-pad, place + 0.5, f"{place + 1}  {shown}", ha="right", va="center", fontsize=layout.label)
        if level:
            axes.text(place + 0.5, -pad, name, ha="center", va="bottom", fontsize=layout.label)
        else:
            shown = short(name, None, room, layout.label)
            axes.text(place + 0.5, -pad, shown, ha="center", va="bottom", fontsize=layout.label, rotation=90)


def figure(
    competitions: Sequence["Competition"], title: str = "", style: PlotStyle = PlotStyle.PAGE
) -> Figure:
    """The picture of some competitions, one square below the other."""
    look = LOOKS[style]
    squares = [_square(one) for one in competitions]
    with rc_context(style_of() | {"font.size": look.text, "svg.fonttype": "none"}):
        unit = look.text / _POINTS
        small = 0.82 * look.text
        top = (2.4 if title else 0.4) * unit
        head, gap = 1.9 * unit, 1.2 * unit
        # A slide of one square has its keys at the right, and keeps its shape.
        aside = _ASIDE if style is PlotStyle.SLIDE and len(squares) == 1 else 0.0
        room = look.least_height - top - head - gap if aside else look.width
        layouts = [_layout(one, look, style, room, aside) for one in squares]
        wide = max(
            look.width,
            *(
                one.left + square.size * one.cell + 2 * unit
                for one, square in zip(layouts, squares, strict=True)
            ),
        )
        halves = any(one.figures and one.halves for one in layouts)
        said = _CAPTION.format(" ± half of the 95% interval" if halves else "")
        begin = wide - aside + unit if aside else unit
        notes = fill(said, max(24, int(1.9 * (wide - begin - unit) * _POINTS / small)))
        keys, key_rows = _key_places(begin, wide, small, unit)
        foot = (1.3 * (notes.count("\n") + 1)) * small / _POINTS + (1.7 * key_rows + 1.2) * small / _POINTS
        tall = [head + one.above + s.size * one.cell + gap for one, s in zip(layouts, squares, strict=True)]
        high = look.least_height if aside else top + sum(tall) + foot
        drawn = Figure(figsize=(wide, high), dpi=look.dots)
        if title:
            shown = short(title, None, wide - 2 * unit, 1.25 * look.text, bold=True)
            _say(drawn, unit, 1.4 * unit, shown, fontsize=1.25 * look.text, fontweight="bold")
        above = top
        for square, layout, own in zip(squares, layouts, tall, strict=True):
            heading = short(square.heading, None, wide - 2 * unit, look.text, bold=True)
            _say(drawn, unit, above + 0.8 * unit, heading, fontweight="bold")
            side = square.size * layout.cell
            floor = above + head + layout.above + side
            axes = drawn.add_axes(((unit + layout.left) / wide, 1 - floor / high, side / wide, side / high))
            _draw(axes, square, layout)
            above += own
        for (x, line), (shade, text) in zip(keys, _KEYS, strict=True):
            down = high - foot + (0.9 + 1.7 * line) * small / _POINTS
            edge = 0.9 * small / _POINTS
            box = Rectangle(
                (x / wide, 1 - (down + edge / 2) / high),
                edge / wide,
                edge / high,
                facecolor=shade,
                edgecolor=FAINT,
                linewidth=0.5,
                transform=drawn.transFigure,
            )
            drawn.add_artist(box)
            _say(drawn, x + 1.5 * small / _POINTS, down, text, fontsize=small)
        drawn.text(
            begin / wide, 0.4 * unit / high, notes, fontsize=small, color=FAINT, va="bottom", linespacing=1.3
        )
    return drawn


def _say(drawn: Figure, x: float, down: float, text: str, **more: Any) -> None:
    """Text at inches from the left and from above."""
    wide, high = drawn.get_size_inches()
    drawn.text(x / wide, 1 - down / high, text, va="center", **more)


def _key_places(begin: float, wide: float, size: float, unit: float) -> tuple[list[tuple[float, int]], int]:
    """The inches from the left and the line of each key, and the number of lines."""
    places: list[tuple[float, int]] = []
    at, line = begin, 0
    for _, text in _KEYS:
        need = width(text, size) + 3.2 * size / _POINTS
        if at > begin and at + need > wide - 0.5 * unit:
            at, line = begin, line + 1
        places.append((at, line))
        at += need
    return places, line + 1


def save_matrix(
    competitions: Sequence["Competition"], path: Path, title: str = "", style: PlotStyle = PlotStyle.PAGE
) -> None:
    """Write the picture to FILE.png or FILE.svg; UserError for any other ending, and for more than `MOST_PANELS`.

    UserError too where nobody met anybody.
    """
    form = picture_form(path)
    if len(competitions) > MOST_PANELS:
        raise UserError(
            f"--plot draws at most {MOST_PANELS} events and games, not {len(competitions)}; choose with --event"
        )
    met = [one for one in competitions if one.crosstable["mbb_per_hand"].is_not_null().any()]
    if not met:
        raise UserError("nobody met anybody: there is nothing to draw")
    with ignored_glyphs(), rc_context(style_of()):
        path.write_bytes(encoded(figure(met, title, style), form))
