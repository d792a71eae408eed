"""Starting hands in a grid of 13 x 13: what each won and how it was played; and the strength behind bet sizes.

Pages and plots draw the same cells. Pairs lie on the diagonal, suited hands above it, offsuit hands below. Only hands
of two cards have a place; games without such hands have no grid.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..analytics.settings import FEW_IN_CELL
from ..analytics.views import queries
from .matches import rows_of

if TYPE_CHECKING:
    from ..analytics.store import Store

RANKS: Final = "AKQJT98765432"
TONES: Final = 5
"""Steps of a colour, the last of which is full."""
_FULL: Final = 90
"""The percentile of the absolute bb/100 of hands that are not few from which on the colour is full."""

Row = dict[str, Any]


def hand_at(row: int, column: int) -> str:
    """The hand of a cell: AA, AKs, AKo."""
    high, low = RANKS[min(row, column)], RANKS[max(row, column)]
    return high + low + ("" if row == column else "s" if column > row else "o")


@dataclass(frozen=True)
class Grid:
    """What a player won with each starting hand.

    cells  rows of the query `by_hand` by (row, column), the hand that won most a hundred first; each with `tone`, from
           -TONES (lost most) to TONES, 0 at the same chips; `few`; `sure`: its 95% interval excludes 0; and `played`,
           the counts of its decisions before the flop: n, folds, calls (and checks), raises; None if it had none
    full   bb/100 from which on the tone is TONES
    hands  of all cells
    """

    cells: dict[tuple[int, int], Row]
    full: float
    hands: int


def grid_of(rows: Iterable[Row], ranges: Iterable[Row] = ()) -> Grid | None:
    """The grid of one player; None without a hand of two cards whose value in bb is known.

    rows    of the query `by_hand`
    ranges  the player's rows of the query `ranges`
    """
    known = [row for row in rows if row["bb_per_100"] is not None]
    if not known:
        return None
    played: dict[tuple[int, int], Row] = {}
    for row in ranges:
        counts = played.setdefault(
            (row["grid_row"], row["grid_column"]), dict.fromkeys(("n", "folds", "calls", "raises"), 0)
        )
        for name in counts:
            counts[name] += row[name]
    many = [abs(row["bb_per_100"]) for row in known if row["n"] >= FEW_IN_CELL]
    full = float(np.percentile(many or [abs(row["bb_per_100"]) for row in known], _FULL))
    cells = {}
    for row in known:
        place = row["grid_row"], row["grid_column"]
        few = row["n"] < FEW_IN_CELL
        sure = row["low"] is not None and (row["low"] > 0 or row["high"] < 0) and not few
        cells[place] = row | {
            "tone": _tone(row["bb_per_100"], full, few),
            "few": few,
            "sure": sure,
            "played": played.get(place),
        }
    return Grid(cells, full, sum(row["n"] for row in known))


def _tone(value: float, full: float, few: bool) -> int:
    """The step of a colour; few hands have its first."""
    if not value:
        return 0
    step = 1 if few or not full else min(TONES, max(1, round(TONES * abs(value) / full)))
    return step if value > 0 else -step


def winnings_of_hands(store: "Store") -> list[Row]:
    """Rows of the query `by_hand`: event, game, player, seat, hole_class, n, delta, bb_per_100, low, high, place."""
    return rows_of(store, queries("player")["by_hand"])


def strength_boxes(store: "Store") -> list[Row]:
    """Rows of the query `strength_boxes`: n and quantiles of equity of a player's bets of a size on a street."""
    return rows_of(store, queries("player")["strength_boxes"])


def boxes_by_street(rows: Sequence[Row]) -> dict[int, dict[int, Row]]:
    """One player's rows of `strength_boxes` by street and size bin."""
    streets: dict[int, dict[int, Row]] = {}
    for row in rows:
        streets.setdefault(row["street"], {})[row["size"]] = row
    return streets
