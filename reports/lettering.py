"""How wide text is drawn, and names cut to the room that a plot has for them."""

import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from .answers import name_of
from .terminal import printable

FONT: Final = "DejaVu Sans"
_POINTS: Final = 72


@lru_cache(maxsize=4096)
def width(text: str, size: float, bold: bool = False) -> float:
    """Inches that a line of text takes, at so many points."""
    with ignored_glyphs():
        font = FontProperties(family=FONT, size=size, weight="bold" if bold else "normal")
        wide, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(wide) / _POINTS


class ignored_glyphs(warnings.catch_warnings):
    """A name may hold signs that no font here has: they are drawn as boxes, without a warning."""

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
    if width(shown + tail, size, bold) <= room:
        return shown + tail
    least, most = 1, len(shown)
    while most - least > 1:
        middle = (least + most) // 2
        fits = width(f"{shown[:middle]}…{tail}", size, bold) <= room
        least, most = (middle, most) if fits else (least, middle)
    return f"{shown[:least]}…{tail}"


def beside(names: Sequence[tuple[str, int | None]], room: float, size: float) -> str:
    """Names in bold with " v " between them in `room` inches: what short names leave, long ones share."""
    left = room - (len(names) - 1) * width(" v ", size, True)
    full = [width(printable(name) + name_of("", seat), size, True) for name, seat in names]
    shares = [0.0] * len(names)
    for done, place in enumerate(sorted(range(len(names)), key=full.__getitem__)):
        shares[place] = min(full[place], left / (len(names) - done))
        left -= shares[place]
    return " v ".join(short(*name, share, size, bold=True) for name, share in zip(names, shares, strict=True))
