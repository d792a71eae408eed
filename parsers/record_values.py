"""Values that records of several engines have, no larger than a line of a table holds them: seats, chips, cards."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec

from .acpc_game import MAX_PLAYERS
from .table_lines import RecordError

LARGEST: Final = 1 << 48
"""In any unit of a chip it is far from the end of int64."""
_CARD: Final = re.compile(r"[2-9TJQKA][cdhs]")

UNDECODED: Final = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
"""What a decoder of JSON raises."""

Seat = Annotated[int, msgspec.Meta(ge=0, lt=MAX_PLAYERS)]
Number = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
"""Of a hand; or chips that are there."""
Chips = Annotated[int, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
"""Won or lost."""
Cards = tuple[str, ...]


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
    """A whole number of a record without a type, or its text."""
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if type(value) is not int or not least <= value <= LARGEST:
        raise RecordError("a number is missing, or out of bounds")
    return value


def seat_of(value: Any, players: int) -> int:
    """A seat of a record, or its text."""
    seat = whole(value)
    if seat >= players:
        raise RecordError("a seat is not one of the table's")
    return seat
