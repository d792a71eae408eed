"""Columns of bits taken apart, as DuckDB's views of a store do it."""

from collections.abc import Mapping
from typing import Any

from railbird.schema.columns import TABLES


def apart(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a stored table with each column of bits as the columns that it holds."""
    found = dict(row)
    for column in TABLES[table]:
        if not column.bits or column.name not in found:
            continue
        packed = found.pop(column.name)
        for bits in column.bits:
            value = packed >> bits.shift & (1 << bits.width) - 1
            if bits.words:
                found[bits.name] = bits.words[value]
            else:
                found[bits.name] = (value - 1 if value else None) if bits.none else value
    return found
