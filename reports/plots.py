"""The bankroll plot: matplotlib, PNG and SVG, colours that colour-blind readers tell apart.

The SVG follows the reader's light or dark scheme by a style of its own.
"""

import io
import re
import textwrap
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray
from PIL import Image, ImageColor
from PIL.PngImagePlugin import PngInfo

from . import UserError
from .answers import MatchName
from .curves import (
    Curve,
    Line,
    Series,
    begins_at_nought,
    begins_with_chips,
    downsample,
    lock_of,
    luck_of,
    of_match,
    with_opening,
)
from .lettering import FONT, beside, ignored_glyphs, short, width
from .panels import ABREAST, EDGE, INCHES, axes_of, heights, left_of, place
from .terminal import chips, counted, signed

if TYPE_CHECKING:
    from ..analytics.store import Store

# Okabe and Ito's palette, and for each colour what it becomes on a dark ground.
PLAYERS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#997700", "#555599")
SHOWDOWN: Final = "#00795a"
NON_SHOWDOWN: Final = "#aa4488"
INK: Final = "#22272e"
FAINT: Final = "#6a737d"
GRID: Final = "#dfe3e8"
PAPER: Final = "#ffffff"
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
}
_CELLS: Final = 180
"""Stretches that a curve over the whole width is thinned to, four points each: about a point a pixel."""
_PANEL_CELLS: Final = 80
_SHADES: Final = 256
"""Colours of a PNG; lines on a plain ground need no more, and a true-colour picture is twice the size."""
_LABEL_PAD: Final = 8
"""Points between a curve's end and its label."""

_WIDEST: Final = 118
"""Signs of the caption on a line: as many as fit below the plot."""

End = tuple[float, str, str]


def _style() -> Any:
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
    kept = downsample(values, cells)
    at, drawn = line.hands[kept], values[kept]
    dot = _dot(kept, thick)
    axes.plot(at, drawn, color=colour, linewidth=thick, linestyle=dashes, **dot, **more)


def _coloured(curve: Curve) -> list[tuple[Line, str]]:
    """The lines and their colours, which come again where more play than there are colours."""
    return list(zip(curve.lines, cycle(PLAYERS), strict=False))


def _end_labels(axes: Axes, ends: list[End], size: float) -> None:
    """Labels at the right end of curves, (value, text, colour), pushed apart where they would overlap."""
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
            kept = downsample(line.adjusted, _CELLS)
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
    """True where what the written rules pay would be seen apart from what was paid."""
    size = np.nanmax(np.abs(line.bankroll), initial=1.0)
    off = np.abs(line.written - line.bankroll)
    return bool(np.nanmax(off, initial=0.0) > 0.03 * size)


def height(curve: Curve) -> int:
    """How high the picture of a curve is, where it is 1000 wide."""
    return round(100 * sum(heights(len(curve.lines))))


def _headings(panels: list[Axes], curve: Curve) -> None:
    """The name above each panel, which has the room up to the next."""
    abreast = [axes.get_position() for axes in panels[:ABREAST]]
    step = abreast[1].x0 - abreast[0].x0 if len(panels) > 1 else abreast[0].width
    for axes, (line, colour) in zip(panels, _coloured(curve), strict=True):
        said = short(line.player, line.namesake, step * INCHES - 2 * EDGE, 12, bold=True)
        axes.set_title(said, loc="left", color=colour, fontsize=12, fontweight="bold")


def _leader(curve: Curve) -> Line:
    return max(curve.lines, key=lambda line: _last(line.bankroll))


def has_band(curve: Curve) -> bool:
    """True where the winner's bankroll without the luck of the cards has its band."""
    return not np.isnan(_leader(curve).half).all()


def has_luck(curve: Curve) -> bool:
    """True where a bankroll without the luck of the cards is drawn."""
    return any(not np.isnan(line.adjusted).all() for line in curve.lines)


def caption(curve: Curve) -> str:
    """What the marks of a curve mean, one sentence each."""
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
        owed = "; no stack, it may lie below 0" if below and begins_with_chips(curve) else ""
        said.append(f"Thin dots: without the luck of the cards{band}{owed}.")
    if len(curve.blocks):
        said.append("Ticks: new bounty ranks.")
    if curve.lock is not None:
        said.append("Dotted vertical line: from here on the leader can fold every hand and win.")
    return " ".join(said)


def figure(curve: Curve) -> Figure:
    """The plot of a match: the bankrolls above; below each player's, split by whether it came to a showdown.

    Keeps each curve's extremes. Fonts and colours are the module's; needs no display.
    """
    if not len(curve.hands):
        raise UserError(f"match {curve.match.match_id} has no hands to draw")
    with rc_context(_style()):
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
        title = beside([(line.player, line.namesake) for line in curve.lines], room, size)
        drawn.text(0.012, head, title, fontsize=size, fontweight="bold", va="center")
        drawn.text(0.988, head, about, fontsize=12, color=FAINT, va="center", ha="right")
        said = textwrap.fill(caption(curve), _WIDEST)
        drawn.text(0.012, foot, said, fontsize=10.5, color=FAINT, va="bottom", linespacing=1.35)
    return drawn


def _shortened(path: re.Match[str]) -> str:
    """A path of straight lines by steps of a tenth of a point, which is less than can be seen: a third of the text."""
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


def pictures(curve: Curve, forms: Sequence[str]) -> dict[str, bytes]:
    """The plot's files, `svg` and `png`, drawn once: the same bytes for the same curve."""
    with ignored_glyphs():
        drawn = figure(curve)
        with rc_context(_style()):
            return {form: _svg(drawn) if form == "svg" else _png(drawn) for form in forms}


def _png(drawn: Figure) -> bytes:
    raw = io.BytesIO()
    drawn.savefig(raw, format="rgba", facecolor=PAPER)
    size = round(drawn.bbox.width), round(drawn.bbox.height)
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


def save_match(store: "Store", match: MatchName, path: Path) -> None:
    """Write the plot of a match to FILE.png or FILE.svg; UserError for any other ending."""
    form = path.suffix.lower().removeprefix(".")
    if form not in ("png", "svg"):
        raise UserError(f"--plot takes FILE.png or FILE.svg, not {path.name!r}")
    curve = of_match(store, match, lock_of(store, match), luck_of(store, [match]))
    path.write_bytes(pictures(curve, [form])[form])
