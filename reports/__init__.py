"""The output of the commands: terminal tables, plots and the pages of the HTML report."""

from enum import StrEnum
from typing import Final

LISTED: Final = 20
"""Rows that `verify` and `audit` print without --all."""


class Format(StrEnum):
    """How a table is printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


class Listing(StrEnum):
    """How `railbird hands` lists hands: as a table, or as a page that replays them."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PLAYLIST = "playlist"


class Show(StrEnum):
    """What `railbird stats` prints."""

    OVERVIEW = "overview"
    STREETS = "streets"
    FACED = "faced"
    MADE = "made"
    TELLS = "size-tells"
    RANGES = "ranges"
    ACTIONS = "actions"
    STRENGTH = "strength"
    WINNINGS = "winnings"
    WHERE = "where"
    HANDS = "hands"
    BOUNTY = "bounty"
    SHIFT = "shift"
    RUN = "run"
    BOARDS = "boards"
    ALLOCATION = "allocation"
    TRIGGERS = "triggers"
    KOPER = "koper"
    FOLDS = "koper-folds"
    BIDS = "bids"
    EXCHANGES = "exchanges"
    DISCARDS = "discards"
    PERMUTED = "permuted"
    LIMIT = "limit"
    TIMES = "times"
    CLAIMS = "claims"
    BELIEFS = "beliefs"
    SAME = "same-state"
    DRIFT = "drift"


class PlotStyle(StrEnum):
    """What a picture is made for: its size, and that of its text and lines."""

    PAGE = "page"
    PAPER = "paper"
    SLIDE = "slide"


class UserError(Exception):
    """A request that cannot be fulfilled; the message is one line for the user."""


_WITH_TIME_ZONE: Final = "times with a zone cannot be shown: cast them, as in `select now()::timestamp`"


def query_error(error: Exception) -> str:
    """What DuckDB says of a user's query."""
    # The rest of the message draws an arrow below the query, or has lines of Python.
    said = str(error).split("\n\nLINE ")[0]
    return _WITH_TIME_ZONE if "'pytz'" in said else said
