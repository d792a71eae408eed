"""Rows of queries, by column name, and how they are put side by side."""

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]


def side_by_side(rows: Sequence[Row], *keys: str) -> list[tuple[Row, dict[int, Row]]]:
    """Rows of several seats: for each value of the keys one row as example, and all by seat."""
    grouped: dict[Any, dict[int, Row]] = {}
    for row in rows:
        grouped.setdefault(tuple(row[key] for key in keys), {})[row["seat"]] = row
    return [(next(iter(seats.values())), seats) for seats in grouped.values()]
