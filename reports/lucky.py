"""Winnings raw and with the luck taken out, a table an event and game."""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from ..analytics import luck
from ..analytics.players import check_event
from ..analytics.settings import FEW, Grouping
from ..replay.games import ROUNDS_PER_BOUNTY
from . import Format, UserError, terminal
from .answers import name_of
from .terminal import Answer, chips, minus, printable

if TYPE_CHECKING:
    import polars as pl

    from ..analytics.store import Store

_HEADS: Final = {"delta": "raw", "all_in_adjusted": "all-in-adjusted", "chance_adjusted": "chance-adjusted"}
_NOTES: Final = (
    "bb per 100 hands ± half of the 95% interval; SD gone: how much of a hand's standard deviation the\n"
    "adjustment for all chance takes away. Clusters: what the interval takes for independent (hands; in Bounty\n"
    f"blocks of {ROUNDS_PER_BOUNTY} rounds, in Koper matches, in duplicates the cards, which a Koper\n"
    f"tournament deals five times); faint: fewer than {FEW}. "
    "docs/luck.md; slopes "
)


def _estimate(row: dict[str, Any], name: str) -> str:
    mean, high = row[name], row[f"{name}_high"]
    if mean is None or mean != mean:
        return ""
    return _figure(mean) if high is None else f"{_figure(mean)} ±{high - mean:,.1f}"


def _figure(value: float) -> str:
    return minus(f"{value:+,.1f}")


def _share(value: float | None) -> str:
    return "" if value is None or value != value else f"{minus(f'{100 * value:.0f}')}%"


def print_luck(store: "Store", by: Grouping, form: Format, event: str | None = None) -> None:
    """Print the winnings, of an event or of all; those of an event are adjusted as among all.

    As CSV or JSON one table with the ends of the intervals. UnknownPlayer for the event.
    """
    if event is not None:
        check_event(store, event)
    frame = luck.winnings(store, by)
    if event is not None and len(frame):
        frame = frame.filter(frame["event"] == event)
    if form is not Format.TABLE:
        terminal.write(terminal.composed(frame.columns, frame.rows()), form)
        return
    if not len(frame):
        raise UserError("nothing to show: the store has no hands")
    for table in tables(frame, by):
        terminal.write(table)
    print(f"{_NOTES}{frame['slopes'][0]}")


def tables(frame: "pl.DataFrame", by: Grouping) -> Iterator[Answer]:
    """A table an event and game of what `luck.winnings` gives, in its order."""
    keys = [name for name in luck.GROUPINGS[by] if name not in ("event", "game", "namesake_seat")]
    head = (*keys, "hands", "clusters", *_HEADS.values(), "SD gone")
    few = head.index("clusters")

    def place(row: dict[str, Any]) -> tuple[str, str]:
        return row["event"], row["game"]

    for (event, game), group in groupby(frame.iter_rows(named=True), place):
        rows = [
            (
                *(
                    name_of(row[key], row.get("namesake_seat")) if key == "player" else row[key]
                    for key in keys
                ),
                row["hands"],
                row["clusters"],
                *(_estimate(row, name) for name in _HEADS),
                _share(row["sd_removed"]),
            )
            for row in group
        ]
        counts = dict.fromkeys(("hands", "clusters"), chips)
        title = printable(f"{game}, event {event}")
        yield Answer(head, rows, title, counts, faint=lambda row: row[few] < FEW)
