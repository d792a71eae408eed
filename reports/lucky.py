"""Winnings raw and with the luck taken out, as a table."""

from typing import TYPE_CHECKING, Any, Final

from ..analytics import luck
from ..analytics.choices import Grouping
from ..analytics.people import check_event
from ..analytics.thresholds import FEW
from . import Format
from .answers import name_of
from .terminal import Answer, minus

if TYPE_CHECKING:
    from ..analytics.store import Store

_HEADS: Final = {"delta": "raw", "all_in_adjusted": "all-in-adjusted", "chance_adjusted": "chance-adjusted"}


def _interval(row: dict[str, Any], name: str) -> str:
    mean, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
    if mean is None:
        return ""
    return _figure(mean) if low is None else f"{_figure(mean)} [{_figure(low)}, {_figure(high)}]"


def _figure(value: float) -> str:
    return minus(f"{value:+,.1f}")


def _share(value: float | None) -> str:
    return "" if value is None or value != value else f"{minus(f'{100 * value:.0f}')}%"


def answer(store: "Store", by: Grouping, form: Format, event: str | None = None) -> Answer:
    """The winnings, of an event or of all; those of an event are adjusted as among all. UnknownPlayer for the event."""
    if event is not None:
        check_event(store, event)
    columns = luck.GROUPINGS[by]
    frame = luck.winnings(store, by)
    if event is not None and len(frame):
        frame = frame.filter(frame["event"] == event)
    if form is not Format.TABLE:
        return Answer(frame.columns, frame.rows())
    keys = [name for name in columns if name != "namesake_seat"]
    rows = [
        (
            *(name_of(row[key], row.get("namesake_seat")) if key == "player" else row[key] for key in keys),
            row["hands"],
            row["clusters"],
            *(_interval(row, name) for name in _HEADS),
            _share(row["sd_removed"]),
            _share(row["variance_removed"]),
        )
        for row in frame.iter_rows(named=True)
    ]
    head = (*keys, "hands", "clusters", *_HEADS.values(), "SD gone", "variance gone")
    title = f"bb per 100 hands [95% interval]; faint: fewer than {FEW} clusters; slopes {_digest(frame)}"
    return Answer(head, rows, title=title, faint=lambda row: row[len(keys) + 1] < FEW)


def _digest(frame: Any) -> str:
    return str(frame["slopes"][0]) if len(frame) else "none"
