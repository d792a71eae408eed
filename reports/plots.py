"""Bankroll plots with matplotlib, as PNG and SVG, in colours that colour-blind readers can distinguish.

A plot has all bankrolls above and one panel a player below. The SVG follows the reader's light or dark scheme. Run
as a program, this file draws the plots that `Painters` sends it.
"""

import io
import os
import pickle
import re
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import cycle
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray
from PIL import Image, ImageColor
from PIL.PngImagePlugin import PngInfo

from . import UserError
from .matches import MatchName, ids, name_of
from .terminal import chips, counted, printable, signed

if TYPE_CHECKING:
    from ..analytics.slopes import Slopes
    from ..analytics.store import Store

BAND_FROM: Final = 6
"""The fewest blocks or hands for which a band is drawn: with fewer it would dwarf the curve and say nothing."""

Series = NDArray[np.float64]
_NOUGHT: Final = 1e-6


@dataclass(frozen=True)
class Line:
    """One player's curves, chips after each hand that the player was dealt into.

    namesake      the seat if the match has the name twice
    hands         those hands, counted from 1; a player without chips is dealt no more hands
    bankroll      as logged
    written       as the written rules would have paid; NaN where that is unknown
    showdown      won in hands that went to a showdown
    non_showdown  won in all others
    adjusted      bankroll less what the cards brought, as `analytics.luck` has it; NaN where the cards are unknown
    half          half of the 95% band of adjusted, over independent units; NaN for the first `BAND_FROM` - 1
    """

    player: str
    namesake: int | None
    hands: NDArray[np.int64]
    bankroll: Series
    written: Series
    showdown: Series
    non_showdown: Series
    adjusted: Series
    half: Series

    @property
    def opening(self) -> float:
        """The bankroll before the player's first hand; NaN without hands."""
        return (
            float((self.bankroll - self.showdown - self.non_showdown)[:1].sum())
            if len(self.bankroll)
            else np.nan
        )


Brought = tuple[NDArray[np.int64], Series, Series]
Luck = Mapping[tuple[int, int], Brought]
"""By match_id and seat: hand_index, chips won by the luck of the cards, half of the 95% band so far."""


def luck_of(store: "Store", matches: Sequence[MatchName], slopes: "Slopes | None" = None) -> Luck:
    """The chips won by the luck of the cards in some matches, by the slopes of other matches.

    slopes  those of `analytics.luck.fit_store`, which are fitted where none are given
    Counts equities that the store lacks. Seats whose cards are unknown are left out.
    """
    from ..analytics.luck import half_band, hands

    frame = hands(store, slopes, ids(matches))
    found: dict[tuple[int, int], Brought] = {}
    parts = frame.partition_by(["match_id", "seat"], as_dict=True, maintain_order=True)
    for (match, seat), rows in parts.items():
        adjusted = rows["chance_adjusted"].to_numpy()
        brought = rows["delta"].to_numpy() - adjusted
        if brought.any():
            half = half_band(np.cumsum(adjusted), rows["cluster"].to_numpy(), BAND_FROM)
            found[int(match), int(seat)] = (rows["hand_index"].to_numpy().astype(np.int64), brought, half)
    return found


def _adjusted(bankroll: Series, hands: NDArray[np.int64], luck: Brought | None) -> tuple[Series, Series]:
    """A bankroll without the luck of the cards, and half of its 95% band hand by hand."""
    if luck is None or not len(bankroll):
        return np.full(len(bankroll), np.nan), np.full(len(bankroll), np.nan)
    indices, chips, band = luck
    brought, half = np.zeros(len(bankroll)), np.full(len(bankroll), np.nan)
    places = np.searchsorted(hands, indices + 1)
    known = (places < len(hands)) & (hands[np.minimum(places, len(hands) - 1)] == indices + 1)
    brought[places[known]] = chips[known]
    half[places[known]] = band[known]
    return bankroll - np.cumsum(brought), half


@dataclass(frozen=True)
class Curve:
    """A match's curves by seat; all its `hands`, counted from 1; `blocks` begin a bounty block.

    From hand `lock` on the leader may fold every hand and win the match.
    """

    match: MatchName
    hands: NDArray[np.int64]
    lines: tuple[Line, ...]
    blocks: NDArray[np.int64]
    lock: int | None = None


def lock_of(store: "Store", match: MatchName) -> int | None:
    """The hand, counted from 1, from which the leader can fold every hand and still win; None if there is none."""
    rows = store.sql("select hand_index + 1 from lock_points where match_id = $match", match=match.match_id)
    found: list[tuple[int | None]] = rows.fetchall()
    return found[0][0] if found else None


def own_ends(ends: NDArray[np.int64], own: NDArray[np.int64]) -> NDArray[np.intp]:
    """The places among a player's own hands, by hand_index, of its last one in each block that it played in."""
    places = np.searchsorted(own, ends, "right") - 1
    found: NDArray[np.intp] = np.unique(places[places >= 0])
    return found


def at_ends(values: Series, places: NDArray[np.intp]) -> Series:
    """A curve with its values at some places only, NaN elsewhere."""
    told = np.full(len(values), np.nan)
    told[places] = values[places]
    return told


def of_match(store: "Store", match: MatchName, lock: int | None = None, luck: Luck | None = None) -> Curve:
    """The curves of a match from `bankroll_curve`; lock comes from `lock_of`, luck from `luck_of`."""
    return of_matches(store, [match], {match.match_id: lock}, luck)[match.match_id]


def of_matches(
    store: "Store",
    matches: Sequence[MatchName],
    locks: Mapping[int, int | None],
    luck: Luck | None = None,
    blocks: Mapping[int, NDArray[np.int64]] | None = None,
) -> dict[int, Curve]:
    """The curves of some matches, read at once, by match_id.

    blocks  by match_id the last hand of each block at whose end luck is told, as `public_luck.ends_of` has them; None
            tells it after every hand
    """
    # A row without a delta leaves the bankroll where it was.
    found: dict[str, Any] = store.sql(
        "select match_id, seat, hand_index, hand_no, bankroll, bankroll_written, showdown, non_showdown "
        "from bankroll_curve where among(match_id, $ids) order by match_id, seat, hand_index",
        ids=ids(matches),
    ).fetchnumpy()
    numbers = np.asarray(found["match_id"])
    values = {
        name: np.ma.filled(np.ma.asarray(found[name]).astype(np.float64), np.nan)
        for name in ("bankroll", "bankroll_written", "showdown", "non_showdown")
    }
    curves = {}
    for match in matches:
        begin, end = (
            int(np.searchsorted(numbers, np.uint64(match.match_id), side)) for side in ("left", "right")
        )
        mine = slice(begin, end)
        seats = np.asarray(found["seat"])[mine]
        played = np.asarray(found["hand_index"])[mine].astype(np.int64) + 1
        lines = []
        for seat, who in enumerate(zip(match.players, match.namesakes, strict=True)):
            own = seats == seat
            bankroll, written, shown, hidden = (values[name][mine][own] for name in values)
            adjusted, half = _adjusted(bankroll, played[own], (luck or {}).get((match.match_id, seat)))
            if blocks is not None:
                places = own_ends(blocks.get(match.match_id, np.zeros(0, np.int64)), played[own] - 1)
                adjusted, half = at_ends(adjusted, places), at_ends(half, places)
            lines.append(Line(*who, played[own], bankroll, written, shown, hidden, adjusted, half))
        hands, first = np.unique(played, return_index=True)
        hand_nos = np.asarray(found["hand_no"])[mine][first]
        every = match.rules.cluster_hands
        begins = hand_nos % every == 1 % every if every else np.zeros(len(hands), bool)
        curves[match.match_id] = Curve(match, hands, tuple(lines), hands[begins], locks.get(match.match_id))
    return curves


def opening(curve: Curve) -> list[float]:
    """Each player's bankroll before the first hand."""
    return [line.opening for line in curve.lines if len(line.bankroll)]


def with_opening(line: Line) -> Line:
    """A line that begins with the chips held before the first hand, as hand 0."""

    def put(first: float, values: Series) -> Series:
        return np.concatenate([[first], values]) if len(values) else values

    return replace(
        line,
        hands=np.concatenate([line.hands[:1] - 1, line.hands]),
        bankroll=put(line.opening, line.bankroll),
        written=put(line.opening, line.written),
        adjusted=put(line.opening, line.adjusted),
        half=put(np.nan, line.half),
    )


def begins_at_nought(curve: Curve) -> bool:
    """True if every bankroll begins at 0. A log may begin within a match, and in Koper stacks carry over."""
    return max(map(abs, opening(curve)), default=0.0) < _NOUGHT


def begins_with_chips(curve: Curve) -> bool:
    """True if bankrolls are the chips that players hold: they begin above 0, and none begins below."""
    return not begins_at_nought(curve) and min(opening(curve)) > -_NOUGHT


def downsample(values: Series, cells: int) -> NDArray[np.intp]:
    """Indices that keep the look of a curve: the first, lowest, highest and last value of each of `cells` stretches."""
    size = len(values)
    if size <= 4 * cells:
        return np.arange(size)
    edges = np.linspace(0, size, cells + 1).astype(np.intp)
    kept: list[int] = []
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        part = values[start:end]
        if np.isnan(part).all():
            kept += [start, end - 1]
        else:
            kept += [start, start + int(np.nanargmin(part)), start + int(np.nanargmax(part)), end - 1]
    return np.unique(np.array(kept, np.intp))


FONT: Final = "DejaVu Sans"
_POINTS: Final = 72
_MEASURED: Final = 500
"""Characters of a line that are measured: more than any picture has room for."""


@lru_cache(maxsize=4096)
def width(text: str, size: float, bold: bool = False) -> float:
    """The width in inches of a line of text of a size in points; of a very long line that of its beginning."""
    with ignored_glyphs():
        font = FontProperties(family=FONT, size=size, weight="bold" if bold else "normal")
        wide, _, _ = text_to_path.get_text_width_height_descent(text[:_MEASURED], font, ismath=False)
    return float(wide) / _POINTS


class ignored_glyphs(warnings.catch_warnings):
    """Without matplotlib's warnings about characters that no font has; they are drawn as boxes."""

    def __enter__(self) -> None:
        super().__enter__()
        warnings.filterwarnings(
            "ignore", message="Glyph|.*missing from font|Matplotlib currently does not support"
        )


def short(name: str, seat: int | None, room: float, size: float, bold: bool = False) -> str:
    """A name as a plot shows it, as `name_of` has it: escapes for control characters, cut to `room` inches.

    The seat stays, and one sign of the name.
    """
    shown, tail = printable(name), name_of("", seat)
    if len(shown) <= _MEASURED and width(shown + tail, size, bold) <= room:
        return shown + tail
    least, most = 1, min(len(shown), _MEASURED)
    while most - least > 1:
        middle = (least + most) // 2
        fits = width(f"{shown[:middle]}…{tail}", size, bold) <= room
        least, most = (middle, most) if fits else (least, middle)
    return f"{shown[:least]}…{tail}"


def beside(names: Sequence[tuple[str, int | None]], room: float, size: float) -> str:
    """Names in bold with " v " between them in `room` inches; long names share the room that short ones leave."""
    left = room - (len(names) - 1) * width(" v ", size, True)
    full = [width(printable(name) + name_of("", seat), size, True) for name, seat in names]
    shares = [0.0] * len(names)
    for done, place in enumerate(sorted(range(len(names)), key=full.__getitem__)):
        shares[place] = min(full[place], left / (len(names) - done))
        left -= shares[place]
    return " v ".join(short(*name, share, size, bold=True) for name, share in zip(names, shares, strict=True))


ABREAST: Final = 3
INCHES: Final = 10.0
"""Width of a picture."""
_LEFT: Final = 0.85
"""Inches left of the curves, unless the numbers there need more."""
EDGE: Final = 0.12
_TICK_PAD: Final = 0.05


def heights(players: int) -> tuple[float, float, float]:
    """The height in inches of the curves above, of the panels below, and of the rest."""
    if players == 2:
        return 2.69, 1.57, 2.54
    rows = -(-players // ABREAST)
    return max(3.0, 0.52 * players), 1.5 * rows, 2.54 + 0.65 * (rows - 1)


def axes_of(drawn: Figure, players: int) -> tuple[Axes, list[Axes]]:
    """The axes for all bankrolls, and one panel a player, all with one scale."""
    drawn.set_size_inches(INCHES, sum(heights(players)))
    abreast = 2 if players == 2 else ABREAST
    top = drawn.add_axes((0, 0, 1, 1))
    panels: list[Axes] = []
    for number in range(players):
        panels.append(drawn.add_axes((0, 0, 1, 1), sharey=panels[0] if panels else None))
        panels[-1].tick_params(labelleft=number % abreast == 0)
    place(top, panels, _LEFT)
    return top, panels


def place(top: Axes, panels: list[Axes], left: float) -> None:
    """Put the bankrolls above the panels, `left` inches from the picture's edge."""
    above, below, around = heights(len(panels))
    high = above + below + around
    begin = left / INCHES
    abreast = min(len(panels), 2 if len(panels) == 2 else ABREAST)
    # From the top: 0.73 inches of title, the curves, 0.85 of ticks and headings, the panels, 0.96 of caption.
    top.set_position((begin, 1 - (0.73 + above) / high, 0.81 - begin, above / high))
    right, gap = (0.81, 0.145) if abreast == 2 else (0.88, 0.125)
    rows = -(-len(panels) // abreast)
    wide = (right - begin - gap * (abreast - 1)) / abreast
    each = below / rows
    for number, axes in enumerate(panels):
        row, column = divmod(number, abreast)
        floor = 1 - (0.73 + above + 0.85 + each + row * (each + 0.65)) / high
        axes.set_position((begin + column * (wide + gap), floor, wide, each / high))


def left_of(axes: Sequence[Axes]) -> float:
    """The inches that the widest number at the left of some axes needs, at least `_LEFT`."""
    said = [chips(tick) for one in axes for tick in one.get_yticks()]
    return max(_LEFT, EDGE + _TICK_PAD + max(width(text, 12) for text in said))


PLAYERS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#997700", "#555599")
SHOWDOWN: Final = "#00795a"
NON_SHOWDOWN: Final = "#aa4488"
INK: Final = "#22272e"
FAINT: Final = "#6a737d"
GRID: Final = "#dfe3e8"
PAPER: Final = "#ffffff"
WON: Final = "#cfe6f5"
WON_SURE: Final = "#3d8fc4"
LOST: Final = "#fbe3cf"
LOST_SURE: Final = "#e08a3c"
ON_SURE: Final = "#101418"
DARK: Final = {
    "#0072b2": "#56b4e9",
    "#d55e00": "#f0a04b",
    "#009e73": "#35d0a3",
    "#cc79a7": "#e6a5cb",
    "#997700": "#e6c84f",
    "#555599": "#a9a9ee",
    SHOWDOWN: "#3fd6ac",
    NON_SHOWDOWN: "#e58cc8",
    INK: "#e6e9ed",
    FAINT: "#9aa4af",
    GRID: "#343b44",
    PAPER: "#1b2027",
    WON: "#17354a",
    WON_SURE: "#1f6394",
    LOST: "#43301d",
    LOST_SURE: "#8f4d16",
    ON_SURE: "#fffffe",
}
_CELLS: Final = 180
"""A curve over the whole width is thinned to so many stretches of four points: about a point a pixel."""
_PANEL_CELLS: Final = 80
_SHADES: Final = 256
"""Colours of a PNG: enough for lines on a plain ground; a true-colour picture is twice the size."""
_LABEL_PAD: Final = 8
"""Points between a curve's end and its label."""

_WIDEST: Final = 118
"""Characters in a line of the caption."""

End = tuple[float, str, str]


def style_of() -> Any:
    """matplotlib's settings for every picture."""
    return {
        "font.family": FONT,
        "font.size": 12,
        "text.color": INK,
        "axes.edgecolor": GRID,
        "axes.labelcolor": FAINT,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "axes.facecolor": "none",
        "svg.fonttype": "none",
        "svg.hashsalt": "railbird",
        "text.parse_math": False,
    }


def _thousands(value: float, _: object) -> str:
    return chips(value)


def _hands(value: float, _: object) -> str:
    return chips(value) if value else "hand 0"


def _frame(axes: Axes, last: int) -> None:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.axhline(0, color=FAINT, linewidth=0.9)
    axes.set_xlim(0, last)
    axes.tick_params(length=0)
    axes.yaxis.set_major_formatter(FuncFormatter(_thousands))
    axes.xaxis.set_major_formatter(FuncFormatter(_hands))
    axes.yaxis.set_major_locator(MaxNLocator(7, integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))


def _dot(kept: NDArray[np.intp], thick: float) -> dict[str, Any]:
    """A single hand is a point."""
    return {"marker": "o", "markersize": 3 * thick, "clip_on": False} if len(kept) == 1 else {}


def _draw(
    axes: Axes,
    line: Line,
    values: Series,
    colour: str,
    thick: float,
    dashes: Any = "-",
    cells: int = _CELLS,
    **more: Any,
) -> None:
    known = np.flatnonzero(~np.isnan(values)) if values is line.adjusted else np.arange(len(values))
    kept = known[downsample(values[known], cells)]
    at, drawn = line.hands[kept], values[kept]
    dot = _dot(kept, thick)
    axes.plot(at, drawn, color=colour, linewidth=thick, linestyle=dashes, **dot, **more)


def _coloured(curve: Curve) -> list[tuple[Line, str]]:
    """The lines and their colours; colours repeat if there are more players."""
    return list(zip(curve.lines, cycle(PLAYERS), strict=False))


def _end_labels(axes: Axes, ends: list[End], size: float) -> None:
    """Labels at the right end of curves, (value, text, colour), moved apart so that they do not overlap."""
    low, high = axes.get_ylim()
    box = axes.get_position()
    height = axes.figure.get_figheight() * box.height * 72  # type: ignore[union-attr]
    lines = 1 + max((text.count("\n") for _, text, _ in ends), default=0)
    gap = (high - low) * size * 1.35 * lines / height
    places: list[float] = []
    for value, _, _ in sorted(ends, key=lambda end: end[0]):
        at = max(value, low + gap / 2)
        places.append(at if not places else max(at, places[-1] + gap))
    over = places[-1] - (high - gap / 2) if places else 0.0
    for k in range(len(places) - 1, -1, -1):
        limit = high - gap / 2 if k == len(places) - 1 else places[k + 1] - gap
        places[k] = min(places[k], limit) if over > 0 else places[k]
    for (_, text, colour), at in zip(sorted(ends, key=lambda end: end[0]), places, strict=True):
        axes.annotate(
            text,
            (1, at),
            xycoords=("axes fraction", "data"),
            xytext=(_LABEL_PAD, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontsize=size,
            annotation_clip=False,
        )


def _last(values: Series) -> float:
    known = values[~np.isnan(values)]
    return float(known[-1]) if known.size else 0.0


def _bankrolls(axes: Axes, curve: Curve) -> None:
    ends = []
    held = begins_with_chips(curve)
    room = INCHES * (1 - axes.get_position().x1) - _LABEL_PAD / 72 - EDGE
    leader = _leader(curve)
    lines = [(with_opening(line) if held else line, colour) for line, colour in _coloured(curve)]
    for (line, colour), drawn in zip(lines, curve.lines, strict=True):
        if np.isnan(drawn.adjusted).all():
            continue
        if drawn is leader:
            known = np.flatnonzero(~np.isnan(line.adjusted))
            kept = known[downsample(line.adjusted[known], _CELLS)]
            hands, middle, half = line.hands[kept], line.adjusted[kept], line.half[kept]
            axes.fill_between(hands, middle - half, middle + half, color=colour, alpha=0.12, linewidth=0)
        _draw(axes, line, line.adjusted, colour, 1.1, (0, (1, 1)), alpha=0.9)
    for line, colour in lines:
        _draw(axes, line, line.bankroll, colour, 2.2)
        if differs(line):
            _draw(axes, line, line.written, colour, 1.3, (0, (3, 2)))
        last = _last(line.bankroll)
        ends.append(
            (
                last,
                f"{short(line.player, line.namesake, room, 12)}\n{chips(last) if held else signed(last)}",
                colour,
            )
        )
    if len(curve.blocks):
        low, high = axes.get_ylim()
        axes.set_ylim(low - 0.05 * (high - low), high)
        axes.vlines(curve.blocks, 0, 0.025, transform=axes.get_xaxis_transform(), color=FAINT, linewidth=1)
    if curve.lock is not None:
        axes.axvline(curve.lock, color=FAINT, linewidth=1.2, linestyle=(0, (1, 2)))
        left = curve.lock > 0.8 * curve.hands[-1]
        axes.annotate(
            "lead safe",
            (curve.lock, 1),
            xycoords=("data", "axes fraction"),
            xytext=(-5 if left else 5, -4),
            textcoords="offset points",
            ha="right" if left else "left",
            va="top",
            color=FAINT,
            fontsize=10.5,
        )
    _end_labels(axes, ends, 12)


def _parts(axes: Axes, line: Line, colour: str) -> list[End]:
    won = line.showdown + line.non_showdown
    _draw(axes, line, won, colour, 1.2, cells=_PANEL_CELLS)
    _draw(axes, line, line.showdown, SHOWDOWN, 1.7, cells=_PANEL_CELLS)
    _draw(axes, line, line.non_showdown, NON_SHOWDOWN, 1.7, (0, (4, 1.5)), _PANEL_CELLS)
    return [
        (_last(won), "all", colour),
        (_last(line.showdown), "showdown", SHOWDOWN),
        (_last(line.non_showdown), "no showdown", NON_SHOWDOWN),
    ]


def differs(line: Line) -> bool:
    """True if the bankroll by the written rules differs visibly from the logged one."""
    size = np.nanmax(np.abs(line.bankroll), initial=1.0)
    off = np.abs(line.written - line.bankroll)
    return bool(np.nanmax(off, initial=0.0) > 0.03 * size)


def height(curve: Curve) -> int:
    """The height of the picture of a curve that is 1000 wide."""
    return round(100 * sum(heights(len(curve.lines))))


def _headings(panels: list[Axes], curve: Curve) -> None:
    """The name above each panel, cut to the panel's width."""
    abreast = [axes.get_position() for axes in panels[:ABREAST]]
    step = abreast[1].x0 - abreast[0].x0 if len(panels) > 1 else abreast[0].width
    for axes, (line, colour) in zip(panels, _coloured(curve), strict=True):
        said = short(line.player, line.namesake, step * INCHES - 2 * EDGE, 12, bold=True)
        axes.set_title(said, loc="left", color=colour, fontsize=12, fontweight="bold")


def _leader(curve: Curve) -> Line:
    return max(curve.lines, key=lambda line: _last(line.bankroll))


def has_band(curve: Curve) -> bool:
    """True if the winner's bankroll without the luck of the cards has a band."""
    return not np.isnan(_leader(curve).half).all()


def has_luck(curve: Curve) -> bool:
    """True if a bankroll without the luck of the cards is drawn."""
    return any(not np.isnan(line.adjusted).all() for line in curve.lines)


def caption(curve: Curve) -> str:
    """The meaning of the marks of a curve, one sentence each."""
    said = ["Chips won after each hand, as the log pays them."]
    if begins_with_chips(curve):
        said = ["Above: chips held from the start on, as the log pays them; below: chips won."]
    elif not begins_at_nought(curve):
        said = ["Above: bankrolls of the log, which begins within a match; below: chips won."]
    if any(map(differs, curve.lines)):
        said.append("Dashed: as the written rules would have paid.")
    if has_luck(curve):
        band = "; the winner’s with its 95% band" if has_band(curve) else ""
        below = any(np.nanmin(line.adjusted, initial=0.0) < 0 for line in curve.lines)
        owed = "; this is not a stack and may lie below 0" if below and begins_with_chips(curve) else ""
        said.append(f"Thin dots: without the luck of the cards{band}{owed}.")
    if len(curve.blocks):
        said.append("Ticks: new bounty ranks.")
    if curve.lock is not None:
        said.append("Dotted vertical line: from here on the leader can fold every hand and win.")
    return " ".join(said)


def figure(curve: Curve, title: str = "") -> Figure:
    """The plot of a match: the bankrolls above; below each player's, split by whether it came to a showdown.

    Keeps each curve's extremes. Fonts and colours are the module's; needs no display.
    """
    if not len(curve.hands):
        raise UserError(f"match {curve.match.match_id} has no hands to draw")
    with rc_context(style_of()):
        drawn = Figure(dpi=100)
        last = int(curve.hands[-1])
        top, panels = axes_of(drawn, len(curve.lines))
        _frame(top, last)
        _bankrolls(top, curve)
        ends: list[tuple[Axes, list[End]]] = []
        for axes, (line, colour) in zip(panels, _coloured(curve), strict=True):
            _frame(axes, last)
            axes.xaxis.set_major_locator(MaxNLocator(3, integer=True, min_n_ticks=1))
            axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
            ends.append((axes, _parts(axes, line, colour)))
        # They share a scale, which is known only now.
        place(top, panels, left_of([top, panels[0]]))
        _headings(panels, curve)
        for axes, marks in ends:
            _end_labels(axes, marks, 10.5 if len(curve.lines) == 2 else 9.5)
        high = drawn.get_figheight()
        head, foot = 1 - 0.3 / high, 0.12 / high
        size = 16 if len(curve.lines) == 2 else 13
        about = f"{curve.match.game} · {counted(len(curve.hands), 'hand')}"
        room = INCHES - 4 * EDGE - width(about, 12)
        names = [(line.player, line.namesake) for line in curve.lines]
        heading = short(title, None, room, size, bold=True) if title else beside(names, room, size)
        drawn.text(0.012, head, heading, fontsize=size, fontweight="bold", va="center")
        drawn.text(0.988, head, about, fontsize=12, color=FAINT, va="center", ha="right")
        said = textwrap.fill(caption(curve), _WIDEST)
        drawn.text(0.012, foot, said, fontsize=10.5, color=FAINT, va="bottom", linespacing=1.35)
    return drawn


def _shortened(path: re.Match[str]) -> str:
    """A path of straight lines rounded to a tenth of a point, which nobody can see: a third of the text."""
    strokes = []
    for stroke in path[1].split("M")[1:]:
        points = np.array(stroke.replace("L", " ").split(), np.float64).reshape(-1, 2)
        tenths = np.rint(10 * points).astype(np.int64)
        steps: list[int] = np.vstack([tenths[:1], np.diff(tenths, axis=0)]).ravel().tolist()
        first, rest = steps[:2], steps[2:]
        said = "".join(f" {step / 10:g}" if step >= 0 else f"{step / 10:g}" for step in rest)
        strokes.append(f"M{first[0] / 10:g} {first[1] / 10:g}" + (f"l{said.lstrip()}" if rest else ""))
    return f' d="{"".join(strokes)}{path[2]}"'


def _svg(drawn: Figure) -> bytes:
    out = io.StringIO()
    drawn.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": "railbird"})
    text = re.sub(r' d="([ML\d.\s-]+)(z?)\s*"', _shortened, out.getvalue())
    rules = "".join(
        f'[style*="{kind}: {light}"]{{{kind}:{dark}!important}}'
        for kind in ("stroke", "fill")
        for light, dark in DARK.items()
    )
    style = (
        f"<style>svg{{background:{PAPER}}}@media (prefers-color-scheme: dark)"
        f"{{svg{{background:{DARK[PAPER]}}}{rules}}}</style>"
    )
    head = text.index(">", text.index("<svg")) + 1
    return (text[:head] + style + text[head:]).encode()


def pictures(curve: Curve, forms: Sequence[str], title: str = "") -> dict[str, bytes]:
    """The plot's files, `svg` and `png`, drawn once: the same bytes for the same curve."""
    with ignored_glyphs():
        drawn = figure(curve, title)
        with rc_context(style_of()):
            return {form: encoded(drawn, form) for form in forms}


def encoded(drawn: Figure, form: str) -> bytes:
    """A figure as `svg` or `png`; the same bytes for the same figure."""
    return _svg(drawn) if form == "svg" else _png(drawn)


def _png(drawn: Figure) -> bytes:
    raw = io.BytesIO()
    drawn.savefig(raw, format="rgba", facecolor=PAPER, dpi=drawn.dpi)
    size = drawn.canvas.get_width_height()
    shades = (
        Image.frombytes("RGBA", size, raw.getvalue())
        .convert("RGB")
        .quantize(_SHADES, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    )
    # The quick way of choosing shades misses the ground by one part in 255.
    palette, ground = shades.getpalette() or [], np.asarray(shades)[0, 0]
    palette[3 * ground : 3 * ground + 3] = ImageColor.getrgb(PAPER)
    shades.putpalette(palette)
    out, about = io.BytesIO(), PngInfo()
    about.add_text("Software", "railbird")
    shades.save(out, "png", pnginfo=about)
    return out.getvalue()


def picture_form(path: Path) -> str:
    """The form that a file's ending asks for, `png` or `svg`; UserError for any other."""
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise UserError(f"--plot takes FILE.png or FILE.svg, not {path.name!r}")
    return form


def save_match(store: "Store", match: MatchName, path: Path, title: str = "") -> None:
    """Write the plot of a match to FILE.png or FILE.svg; UserError for any other ending.

    title  instead of the players' names
    """
    form = picture_form(path)
    curve = of_match(store, match, lock_of(store, match), luck_of(store, [match]))
    path.write_bytes(pictures(curve, [form], title)[form])


FORMS: Final = ("svg", "png")
DRAWN_ALONE: Final = 16
"""Up to so many plots are drawn in this process: a new process takes a second to start."""


def draw(curve: Curve, folder: Path) -> None:
    """Write the pictures of a match."""
    for form, picture in pictures(curve, FORMS).items():
        (folder / f"{curve.match.address}.{form}").write_bytes(picture)


class Painters:
    """Draws plots into a folder, in several processes if there are many; all are done when the block ends.

    OSError if the pictures cannot be written.
    """

    def __init__(self, folder: Path, count: int) -> None:
        """`count`: about how many plots will be drawn."""
        self.folder = folder
        self._workers: list[subprocess.Popen[bytes]] = []
        if count > DRAWN_ALONE:
            command = [sys.executable, "-m", __name__]
            self._workers = [
                subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(min(os.cpu_count() or 1, 8))
            ]
        self._given = 0

    def draw(self, curve: Curve) -> None:
        """Draw a match, now or soon; waits if the other processes are far behind."""
        if not self._workers:
            draw(curve, self.folder)
            return
        worker = self._workers[self._given % len(self._workers)]
        self._given += 1
        assert worker.stdin is not None
        try:
            pickle.dump((curve, self.folder), worker.stdin)
        except BrokenPipeError:
            self._end()

    def __enter__(self) -> "Painters":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(raised=kind is not None)

    def _end(self, raised: bool = False) -> None:
        workers, self._workers = self._workers, []
        for worker in workers:
            assert worker.stdin is not None
            try:
                worker.stdin.close()
            except BrokenPipeError:
                continue
        if any([worker.wait() for worker in workers]) and not raised:
            raise OSError(f"the plots could not be drawn into {self.folder}")


def main() -> None:
    """Draw the curves that come on standard input, for `Painters`."""
    while True:
        try:
            curve, folder = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        draw(curve, folder)


if __name__ == "__main__":
    main()
