"""Pictures of starting hands and of the strength behind bets: one panel per player, the same figures as in a dossier.

Starting hands are a grid of 13 x 13 in two colours, which people who confuse red with green tell apart, with figures in
the cells. Strength is a box for each size of a bet on each street.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ..analytics.settings import FEW, FEW_IN_CELL
from . import PlotStyle, UserError
from .event_plots import LOOKS, MOST_PANELS, Look
from .matches import name_of
from .plots import (
    FAINT,
    GRID,
    INK,
    LOST_SURE,
    ON_SURE,
    PAPER,
    PLAYERS,
    WON_SURE,
    encoded,
    ignored_glyphs,
    picture_form,
    short,
    style_of,
    width,
)
from .starting_hands import TONES, Grid, boxes_by_street, grid_of, hand_at, strength_boxes, winnings_of_hands
from .terminal import chips, counted, printable, signed

if TYPE_CHECKING:
    from ..analytics.store import Store

_POINTS: Final = 72
_TALL: Final = {PlotStyle.PAGE: 6.4, PlotStyle.PAPER: 5.0, PlotStyle.SLIDE: 8.0}
"""Inches of a grid's height, as wide as the picture; one on a slide takes what the slide has."""
_ABREAST: Final = 4
"""Streets in a row."""
_SMALLEST: Final = 3.6
"""Points of the smallest figures in a cell."""
_BINS: Final = 6
_LEAST_BOX: Final = 4
"""Percentage points of a box in which a line of the ground's colour can be seen."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Panel:
    """A player of an event and game: the grid of its hands, or its boxes by street and size bin.

    streets  the name of each street that has boxes
    """

    heading: str
    grid: Grid | None = None
    boxes: Mapping[int, Mapping[int, Row]] | None = None
    streets: Mapping[int, str] | None = None


def _heading(row: Row) -> str:
    about = row["game"] if row["game"] == row["event"] else f"{row['game']}, event {row['event']}"
    return printable(f"{name_of(row['player'], row['seat'])} · {about}")


def _players(
    rows: Iterable[Row], player: str | None, event: str | None, game: str | None
) -> list[tuple[str, list[Row]]]:
    """The rows of each requested player, with its heading."""
    asked = {"player": player, "event": event, "game": game}
    chosen = [
        row for row in rows if all(value is None or row[name] == value for name, value in asked.items())
    ]
    return [
        (_heading(mine[0]), mine)
        for _, group in groupby(
            chosen, key=lambda row: tuple(row[k] for k in ("event", "game", "player", "seat"))
        )
        if (mine := list(group))
    ]


def hand_panels(
    store: "Store", player: str | None = None, event: str | None = None, game: str | None = None
) -> list[Panel]:
    """A panel for each player that was seen with starting hands of two cards."""
    players = _players(winnings_of_hands(store), player, event, game)
    return [
        Panel(f"{heading} · {counted(grid.hands, 'hand')}", grid)
        for heading, rows in players
        if (grid := grid_of(rows)) is not None
    ]


def box_panels(
    store: "Store", player: str | None = None, event: str | None = None, game: str | None = None
) -> list[Panel]:
    """A panel for each player with bets and raises whose cards are known."""
    return [
        Panel(
            heading,
            boxes=boxes_by_street(rows),
            streets={row["street"]: row["street_name"] for row in rows},
        )
        for heading, rows in _players(strength_boxes(store), player, event, game)
    ]


def _draw_grid(axes: Axes, grid: Grid, wide: float, tall: float, look: Look) -> None:
    """The cells, in so many inches. n is left out where a cell has no room for three lines."""
    axes.set_xlim(0, 13)
    axes.set_ylim(13, 0)
    axes.axis("off")
    widest = max((width(_figure(row), 10, bold=True) for row in grid.cells.values()), default=0.0)
    size, lines = 0.0, 3
    for lines in (3, 2):
        size = min(
            look.label, 0.8 * tall / 13 * _POINTS / (1.2 * lines), 10 * (wide / 13 - 0.06) / (widest or 1)
        )
        if size >= 0.6 * look.text:
            break
    size = max(size, _SMALLEST)
    for row in range(13):
        for column in range(13):
            found = grid.cells.get((row, column))
            tone = found["tone"] if found else 0
            shade = WON_SURE if tone > 0 else LOST_SURE if tone < 0 else PAPER
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=PAPER, edgecolor=GRID, linewidth=0.6))
            if tone:
                axes.add_patch(Rectangle((column, row), 1, 1, facecolor=shade, alpha=abs(tone) / TONES))
            texts = [hand_at(row, column)]
            if found:
                texts += [_figure(found), f"n {chips(found['n'])}"][: lines - 1]
            faint = found is None or found["few"]
            for place, text in enumerate(texts):
                axes.text(
                    column + 0.5,
                    row + (place + 0.5) / lines * 0.92 + 0.04,
                    text,
                    ha="center",
                    va="center",
                    fontsize=size if place < 2 else 0.85 * size,
                    color=FAINT if faint else ON_SURE if tone else INK,
                    fontstyle="italic" if faint else "normal",
                    fontweight="bold" if place == 1 and found and found["sure"] else "normal",
                )


def _figure(row: Row) -> str:
    return signed(round(row["bb_per_100"]))


def _draw_boxes(
    axes: Axes, boxes: Mapping[int, Row], name: str, sizes: Sequence[str], small: float, look: Look
) -> None:
    """The boxes of one street; small: points of the labels below."""
    axes.set_xlim(0.4, _BINS + 0.6)
    axes.set_ylim(0, 100)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0, labelsize=0.75 * look.label)
    axes.tick_params(axis="x", labelsize=small)
    axes.set_yticks([0, 25, 50, 75, 100], ["0%", "", "50%", "", "100%"])
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.axhline(50, color=FAINT, linewidth=0.9)
    axes.set_axisbelow(True)
    axes.set_title(printable(name), fontsize=look.label, loc="left", color=INK)
    labels = []
    for size in range(1, _BINS + 1):
        box = boxes.get(size)
        labels.append(f"{sizes[size - 1]}\n{chips(box['n']) if box else '–'}")
        if box is None:
            continue
        alpha = 0.35 if box["n"] < FEW else 1.0
        low, high = 100 * box["box_low"], 100 * box["box_high"]
        for ends in ((100 * box["whisker_low"], low), (high, 100 * box["whisker_high"])):
            axes.plot([size, size], ends, color=FAINT, linewidth=0.7 * look.line, alpha=alpha)
        axes.add_patch(
            Rectangle((size - 0.3, low), 0.6, high - low, facecolor=PLAYERS[0], alpha=alpha, zorder=3)
        )
        middle = [100 * box["median"]] * 2
        is_seen = high - low > _LEAST_BOX
        axes.plot(
            [size - 0.3, size + 0.3],
            middle,
            color=PAPER if is_seen else PLAYERS[0],
            alpha=1.0 if is_seen else alpha,
            linewidth=look.line,
            zorder=4,
        )
    axes.set_xticks(range(1, _BINS + 1), labels)


_HANDS_SAID: Final = (
    "bb/100 with each starting hand, luck included: blue won, orange lost, full colour from {} on. Bold: the 95% "
    "interval excludes 0, as it does for one hand in 20 by chance. Slanted: n below {}. Only hands whose cards are "
    "known."
)
_BOXES_SAID: Final = (
    "Equity against a random hand of the hands behind bets and raises, by their size in pots (up to; a raise beyond "
    "the call, over the pot after it), and n. A box spans the middle half, its line is the median, the thin line goes "
    "from 5% to 95%. Pale: n below {}. Only bets whose cards are known."
)


def _size_labels(store: "Store") -> list[str]:
    names = store.execute("select size_name(n) from range(1, $last + 1) as t(n)", last=_BINS).fetchall()
    return [
        name.removeprefix("to ").removesuffix("s").removesuffix(" pot").replace("over", ">")
        for (name,) in names
    ]


def hands_figure(panels: Sequence[Panel], title: str = "", style: PlotStyle = PlotStyle.PAGE) -> Figure:
    """The picture of some players' starting hands, one grid below the other."""
    look = LOOKS[style]
    full = sorted({round(panel.grid.full) for panel in panels if panel.grid})
    said = " to ".join(chips(end) for end in dict.fromkeys((full[0], full[-1])))
    notes = _HANDS_SAID.format(said, FEW_IN_CELL)

    def draw(drawn: Figure, panel: Panel, left: float, above: float, own: float) -> None:
        wide, high = drawn.get_size_inches()
        axes = drawn.add_axes((left / wide, 1 - (above + own) / high, 1 - 2 * left / wide, own / high))
        assert panel.grid is not None
        _draw_grid(axes, panel.grid, wide - 2 * left, own, look)

    return _figure_of(panels, title, style, notes, lambda _: _TALL[style], draw)


def boxes_figure(
    panels: Sequence[Panel], sizes: Sequence[str], title: str = "", style: PlotStyle = PlotStyle.PAGE
) -> Figure:
    """The picture of the strength behind some players' bets; sizes: what the bins are called."""
    look = LOOKS[style]
    unit = look.text / _POINTS

    def rows_of(panel: Panel) -> int:
        return -(-len(panel.boxes or ()) // _ABREAST)

    def draw(drawn: Figure, panel: Panel, left: float, above: float, own: float) -> None:
        wide, high = drawn.get_size_inches()
        boxes, streets = panel.boxes or {}, panel.streets or {}
        room = (wide - left - unit) / _ABREAST
        tall = own / rows_of(panel)
        widest = max(width(chips(box["n"]), 10) for street in boxes.values() for box in street.values())
        small = min(0.75 * look.label, 10 * ((room - 2.8 * unit) / (_BINS + 0.2) - 0.04) / widest)
        for place, street in enumerate(sorted(boxes)):
            line, column = divmod(place, _ABREAST)
            floor = above + (line + 1) * tall - 3.0 * unit
            axes = drawn.add_axes(
                (
                    (left + column * room + 2.4 * unit) / wide,
                    1 - floor / high,
                    (room - 2.8 * unit) / wide,
                    (tall - 4.8 * unit) / high,
                )
            )
            _draw_boxes(axes, boxes[street], streets[street], sizes, small, look)

    notes = _BOXES_SAID.format(FEW)
    return _figure_of(
        panels, title, style, notes, lambda panel: rows_of(panel) * 0.62 * look.least_height, draw
    )


def _figure_of(
    panels: Sequence[Panel],
    title: str,
    style: PlotStyle,
    said: str,
    tall: Callable[[Panel], float],
    draw: Callable[[Figure, Panel, float, float, float], None],
) -> Figure:
    """Panels one below the other, with headings, a title and notes; a single one on a slide keeps the slide's shape.

    tall  the inches of a panel's drawing, without its heading
    draw  draws a panel: figure, panel, inches from the left and from above, and its height
    """
    look = LOOKS[style]
    with rc_context(style_of() | {"font.size": look.text, "svg.fonttype": "none"}):
        unit = look.text / _POINTS
        small = 0.82 * look.text
        notes = fill(said, max(30, int(1.9 * (look.width - 2 * unit) * _POINTS / small)))
        top = (2.4 if title else 0.4) * unit
        head = 1.9 * unit
        foot = (1.3 * (notes.count("\n") + 1) * small + 1.6 * look.text) / _POINTS
        heights = [tall(panel) for panel in panels]
        if style is PlotStyle.SLIDE and len(panels) == 1:
            heights = [look.least_height - top - head - foot]
        high = top + sum(heights) + len(panels) * head + foot
        drawn = Figure(figsize=(look.width, high), dpi=look.dots)
        texts = [(1.4 * unit, title, 1.25 * look.text)] if title else []
        above = top
        for panel, own in zip(panels, heights, strict=True):
            texts.append((above + 0.8 * unit, panel.heading, look.text))
            draw(drawn, panel, unit, above + head, own)
            above += head + own
        for down, text, size in texts:
            shown = short(text, None, look.width - 2 * unit, size, bold=True)
            drawn.text(
                unit / look.width, 1 - down / high, shown, va="center", fontsize=size, fontweight="bold"
            )
        drawn.text(
            unit / look.width,
            0.5 * unit / high,
            notes,
            fontsize=small,
            color=FAINT,
            va="bottom",
            linespacing=1.3,
        )
    return drawn


def save_hands(
    store: "Store",
    path: Path,
    title: str = "",
    style: PlotStyle = PlotStyle.PAGE,
    player: str | None = None,
    event: str | None = None,
    game: str | None = None,
) -> None:
    """Write what starting hands won to FILE.png or FILE.svg; UserError for another ending, no or too many players."""
    form = picture_form(path)
    panels = _checked(hand_panels(store, player, event, game), "no starting hands of two cards are known")
    _write(path, form, lambda: hands_figure(panels, title, style))


def save_boxes(
    store: "Store",
    path: Path,
    title: str = "",
    style: PlotStyle = PlotStyle.PAGE,
    player: str | None = None,
    event: str | None = None,
    game: str | None = None,
) -> None:
    """Write the strength behind bets to FILE.png or FILE.svg; UserError for another ending, no or too many players."""
    form = picture_form(path)
    panels = _checked(box_panels(store, player, event, game), "no cards behind bets are known")
    _write(path, form, lambda: boxes_figure(panels, _size_labels(store), title, style))


def _write(path: Path, form: str, drawn: Callable[[], Figure]) -> None:
    with ignored_glyphs(), rc_context(style_of()):
        path.write_bytes(encoded(drawn(), form))


def _checked(panels: list[Panel], nothing: str) -> list[Panel]:
    if not panels:
        raise UserError(f"nothing to draw: {nothing}")
    if len(panels) > MOST_PANELS:
        raise UserError(
            f"--plot draws at most {MOST_PANELS} players, not {len(panels)}; choose with --player, --event or --game"
        )
    return panels
