"""Answers as pictures: terminal tables, plots and the pages of the HTML report."""

from enum import StrEnum


class Format(StrEnum):
    """How a table is printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


class UserError(Exception):
    """What was asked for cannot be done; the message is one line for the user."""
