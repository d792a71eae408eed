"""Translators of records without a file: JSON or lines of text in, lines of a table out."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import msgspec

from railbird.parsers.records import Record
from railbird.parsers.table_lines import Lines


def translate(module: str, values: Sequence[Any], path: str = "") -> Lines:
    """What a translator makes of values: of a JSON module as they come out of its decoder, else lines of text."""
    translator = import_module(f"railbird.parsers.{module}")
    kind = getattr(translator, "RECORD", None)
    records = [
        Record(
            number,
            value if kind is None else msgspec.json.decode(msgspec.json.encode(value), type=kind),
            path,
        )
        for number, value in enumerate(values, 1)
    ]
    out = Lines()
    list(translator.translate(iter(records), out))
    return out


def tables(out: Lines) -> list[list[str]]:
    """The lines of each match."""
    return [table.lines for table in out.tables]


def hands(lines: Sequence[str]) -> list[str]:
    """Of the lines of a match those that begin a hand."""
    return [line for line in lines if line.startswith("hand ") and "unread: " not in line]


def unread(lines: Sequence[str]) -> list[str]:
    """Of the lines of a match those of records that cannot be read."""
    return [line for line in lines if line.removeprefix("hand ").startswith("unread: ")]
