"""Where the axes of a bankroll plot lie: all bankrolls above, below a panel a player."""

from collections.abc import Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .lettering import width
from .terminal import chips

ABREAST: Final = 3
INCHES: Final = 10.0
"""Width of a picture."""
_LEFT: Final = 0.85
"""Inches left of the curves, where no figure there needs more."""
EDGE: Final = 0.12
_TICK_PAD: Final = 0.05


def heights(players: int) -> tuple[float, float, float]:
    """Inches of the curves above, of the panels below and of what is around both."""
    if players == 2:
        return 2.69, 1.57, 2.54
    rows = -(-players // ABREAST)
    return max(3.0, 0.52 * players), 1.5 * rows, 2.54 + 0.65 * (rows - 1)


def axes_of(drawn: Figure, players: int) -> tuple[Axes, list[Axes]]:
    """The axes for all bankrolls, and one panel a player, all of one scale."""
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
    """Inches that the widest figure at the left of some axes takes, and no less than `_LEFT`."""
    said = [chips(tick) for one in axes for tick in one.get_yticks()]
    return max(_LEFT, EDGE + _TICK_PAD + max(width(text, 12) for text in said))
