"""Values in records of several engines, bounded by what a line of a table can hold: seats, chips, cards."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, TypeVar

import msgspec

from .acpc_game import MAX_PLAYERS
from .table_lines import RecordError

LARGEST: Final = 1 << 48
"""In any unit of a chip it is far below the limit of int64."""
_Told = TypeVar("_Told")
_CARD: Final = re.compile(r"[2-9TJQKA][cdhs]")

AGREED: Final = 3
"""Hands, in a row or by majority, that establish a fact about their match: one or two may be wrong."""

UNDECODED: Final = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
"""Errors of a JSON decoder."""

Seat = Annotated[int, msgspec.Meta(ge=0, lt=MAX_PLAYERS)]
Number = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
"""The number of a hand, or an amount of chips."""
Chips = Annotated[int, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
"""Chips won or lost."""
Cards = tuple[str, ...]
_LATEST: Final = 32_503_680_000
"""The year 3000, in seconds since 1970: larger values are milliseconds."""
_CLOCK: Final = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?", re.ASCII)


def cards(text: str) -> Cards:
    """The cards of a text without spaces."""
    found = _CARD.findall(text)
    if "".join(found) != text:
        raise RecordError("these are no cards")
    return tuple(found)


def cards_of(texts: Sequence[str]) -> Cards:
    """The cards of several texts."""
    return tuple(card for text in texts for card in cards(text))


def whole(value: Any, least: int = 0) -> int:
    """A whole number from an untyped field of a record, a number or text."""
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if type(value) is not int or not least <= value <= LARGEST:
        raise RecordError("a number is missing, or out of bounds")
    return value


def first_agreed(values: Iterable[_Told]) -> _Told | None:
    """The first value that leads all others by AGREED, counting hands in order; None for no values.

    If none does, the most frequent value. Later hands may belong to another match.
    """
    told = Counter[_Told]()
    for total, value in enumerate(values, 1):
        told[value] += 1
        if 2 * told[value] - total >= AGREED:
            return value
    return told.most_common(1)[0][0] if told else None


def seat_of(value: Any, players: int) -> int:
    """A seat from a record, a number or text."""
    seat = whole(value)
    if seat >= players:
        raise RecordError("a seat is not one of the table's")
    return seat


def moment(seconds: Any) -> str:
    """A number of seconds since 1970 as `YYYY-MM-DD HH:MM:SS` in UTC; "" outside the years 1970 to 3000."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < _LATEST:
        return ""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def clock(text: Any) -> str:
    """A text of ISO 8601 as `YYYY-MM-DD HH:MM:SS`, in UTC if it has a time zone; "" if it is invalid."""
    if not isinstance(text, str) or not _CLOCK.fullmatch(text):
        return ""
    try:
        found = datetime.fromisoformat(text)
        found = found.astimezone(UTC) if found.tzinfo else found
    except (ValueError, OverflowError):
        return ""
    return found.strftime("%Y-%m-%d %H:%M:%S")


def known_date(year: int, month: int, day: int, second: int) -> str:
    """A date and the second of its day, as far as they are known: `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, with `HH:MM:SS`.

    -1 if not given; "" without a year, or for an impossible date.
    """
    if not 0 < year <= 9999 or (month >= 0 and not 1 <= month <= 12):
        return ""
    if month < 0:
        return f"{year:04}"
    if day < 0:
        return f"{year:04}-{month:02}"
    try:
        date = datetime(year, month, day, tzinfo=UTC).date().isoformat()
    except ValueError:
        return ""
    if second < 0:
        return date
    return f"{date} {second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
