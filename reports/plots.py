"""The bankroll plot: matplotlib, PNG and SVG, colours that colour-blind readers tell apart.

The SVG follows the reader's light or dark scheme by a style of its own.
"""

import io
import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray

from . import UserError
from .curves import Curve, Line, Series, downsample
from .terminal import chips, printable, signed

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
_CELLS: Final = 400

End = tuple[float, str, str]
_NAME: Final = 22


def short(name: str, size: int = _NAME) -> str:
    """A name as a plot shows it: escapes for control characters, cut when long."""
    shown = printable(name)
    return shown if len(shown) <= size else shown[: size - 1] + "…"


def _style() -> Any:
    return {
        "font.family": "DejaVu Sans",
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
    return ("−" if value < 0 else "") + chips(abs(value))


def _frame(axes: Axes, last: int) -> None:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.axhline(0, color=FAINT, linewidth=0.9)
    axes.set_xlim(0, max(last, 2))
    axes.tick_params(length=0)
    axes.yaxis.set_major_formatter(FuncFormatter(_thousands))
    axes.xaxis.set_major_formatter(FuncFormatter(_thousands))
    axes.yaxis.set_major_locator(MaxNLocator(7, integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))


def _draw(
    axes: Axes, hands: NDArray[np.int64], values: Series, colour: str, width: float, dashes: Any = "-"
) -> None:
    kept = downsample(values, _CELLS)
    axes.plot(hands[kept], values[kept], color=colour, linewidth=width, linestyle=dashes)


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
            xytext=(8, 0),
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
    for line, colour in zip(curve.lines, PLAYERS, strict=False):
        _draw(axes, curve.hands, line.bankroll, colour, 2.2)
        if differs(line):
            _draw(axes, curve.hands, line.written, colour, 1.3, (0, (3, 2)))
        ends.append(
            (_last(line.bankroll), f"{short(line.player, 15)}\n{signed(_last(line.bankroll))}", colour)
        )
    if len(curve.blocks):
        low, high = axes.get_ylim()
        axes.set_ylim(low - 0.05 * (high - low), high)
        axes.vlines(curve.blocks, 0, 0.025, transform=axes.get_xaxis_transform(), color=FAINT, linewidth=1)
    _end_labels(axes, ends, 12)


def _parts(axes: Axes, curve: Curve, line: Line, colour: str) -> list[End]:
    _draw(axes, curve.hands, line.bankroll, colour, 1.2)
    _draw(axes, curve.hands, line.showdown, SHOWDOWN, 1.7)
    _draw(axes, curve.hands, line.non_showdown, NON_SHOWDOWN, 1.7, (0, (4, 1.5)))
    axes.set_title(short(line.player), loc="left", color=colour, fontsize=12, fontweight="bold")
    return [
        (_last(line.bankroll), "all", colour),
        (_last(line.showdown), "showdown", SHOWDOWN),
        (_last(line.non_showdown), "no showdown", NON_SHOWDOWN),
    ]


def differs(line: Line) -> bool:
    """True where what the written rules pay would be seen apart from what was paid."""
    size = np.nanmax(np.abs(line.bankroll), initial=1.0)
    off = np.abs(line.written - line.bankroll)
    return bool(np.nanmax(off, initial=0.0) > 0.03 * size)


def caption(curve: Curve) -> str:
    """What the marks of a curve mean, one sentence each."""
    said = ["Chips won after each hand, as the log pays them."]
    if any(map(differs, curve.lines)):
        said.append("Dashed: as the written rules would have paid.")
    if len(curve.blocks):
        said.append("Ticks: new bounty ranks.")
    return " ".join(said)


def figure(curve: Curve) -> Figure:
    """The plot of a match: both bankrolls above; below each player's, split by whether it came to a showdown.

    Keeps each curve's extremes. Fonts and colours are the module's; needs no display.
    """
    if not len(curve.hands):
        raise UserError(f"match {curve.match.match_id} has no hands to draw")
    with rc_context(_style()):
        drawn = Figure(figsize=(10, 6.6), dpi=100)
        rows = drawn.add_gridspec(
            2,
            2,
            height_ratios=(1.7, 1),
            left=0.085,
            right=0.81,
            top=0.89,
            bottom=0.115,
            hspace=0.42,
            wspace=0.5,
        )
        last = int(curve.hands[-1])
        top = drawn.add_subplot(rows[0, :])
        _frame(top, last)
        _bankrolls(top, curve)
        first: Axes | None = None
        for place in range(min(len(curve.lines), 2)):
            axes = drawn.add_subplot(rows[1, place], sharey=first)
            first = first or axes
            _frame(axes, last)
            axes.xaxis.set_major_locator(MaxNLocator(3, integer=True, min_n_ticks=1))
            axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
            axes.tick_params(labelleft=place == 0)
        ends: list[tuple[Axes, list[End]]] = []
        for axes, line, colour in zip(drawn.axes[1:], curve.lines, PLAYERS, strict=False):
            ends.append((axes, _parts(axes, curve, line, colour)))
        # The two share a scale, which is known only now.
        for axes, marks in ends:
            _end_labels(axes, marks, 10.5)
        title = " v ".join(short(player) for player in curve.match.players)
        drawn.text(0.012, 0.955, title, fontsize=16, fontweight="bold", va="center")
        about = f"{curve.match.game} · {len(curve.hands):,} hands"
        drawn.text(0.988, 0.955, about, fontsize=12, color=FAINT, va="center", ha="right")
        drawn.text(0.012, 0.03, caption(curve), fontsize=10.5, color=FAINT, va="center")
    return drawn


def _svg(drawn: Figure) -> bytes:
    out = io.StringIO()
    drawn.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": "railbird"})
    text = out.getvalue()
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


def picture(curve: Curve, form: str) -> bytes:
    """The plot's file, `svg` or `png`: the same bytes for the same curve."""
    with warnings.catch_warnings():
        # A name may hold signs that no font here has: they are drawn as boxes.
        warnings.filterwarnings(
            "ignore", message="Glyph|.*missing from font|Matplotlib currently does not support"
        )
        drawn = figure(curve)
        with rc_context(_style()):
            if form == "svg":
                return _svg(drawn)
            out = io.BytesIO()
            drawn.savefig(out, format="png", facecolor=PAPER, metadata={"Software": "railbird"})
            return out.getvalue()


def save(curve: Curve, path: Path) -> None:
    """Write the plot to FILE.png or FILE.svg; UserError for any other ending."""
    form = path.suffix.lower().removeprefix(".")
    if form not in ("png", "svg"):
        raise UserError(f"--plot takes FILE.png or FILE.svg, not {path.name!r}")
    path.write_bytes(picture(curve, form))
