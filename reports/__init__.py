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


class Show(StrEnum):
    """What `railbird stats` prints."""

    OVERVIEW = "overview"
    STREETS = "streets"
    FACED = "faced"
    MADE = "made"
    WINNINGS = "winnings"
    BOUNTY = "bounty"
    SHIFT = "shift"
    RUN = "run"
    BOARDS = "boards"
    ALLOCATION = "allocation"
    TRIGGERS = "triggers"
    KOPER = "koper"
    FOLDS = "koper-folds"
    LIMIT = "limit"
    TIMES = "times"
    SAME = "same-state"
    DRIFT = "drift"


class UserError(Exception):
    """A request that cannot be fulfilled; the message is one line for the user."""
