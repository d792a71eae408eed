"""The time that formats ask for and logs do not have."""

from datetime import UTC, datetime, timedelta
from typing import Final

from .hands import Hand

_FIRST: Final = datetime(2000, 1, 1, tzinfo=UTC)


def begun(hand: Hand) -> datetime:
    """A time that keeps the order of a match's hands: a minute each, the first at the beginning of 2000."""
    return _FIRST + timedelta(minutes=hand.hand_index)
