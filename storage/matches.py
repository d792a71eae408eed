"""Rows of the table `matches`, gathered until their batch is full: a table for each chunk's few takes longer."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from ..schema.columns import schema

Row = dict[str, Any]


class MatchRows:
    """The rows of a batch in the making."""

    def __init__(self) -> None:
        self._rows: list[Row] = []

    def add(self, row: Row) -> None:
        """Gather a row that `checked` lets pass."""
        self._rows.append(row)

    def take(self) -> Iterator[pa.Table]:
        """The rows so far; none are left."""
        if self._rows:
            yield pa.Table.from_pylist(self._rows, schema("matches"))
        self._rows.clear()


def checked(row: Row) -> Row:
    """The row itself; raises OverflowError where a number of it does not fit its column.

    Arrow would refuse it too, but with all other rows of the batch.
    """
    for name, (least, most) in _limits().items():
        value = row.get(name)
        for number in value if isinstance(value, list) else (value,):
            if number is not None and not least <= number <= most:
                raise OverflowError(f"{name} cannot be {number}")
    return row


@cache
def _limits() -> dict[str, tuple[int, int]]:
    """Columns of whole numbers, or of lists of them, with the least and greatest that they hold."""
    limits = {}
    for field in schema("matches"):
        kind = field.type.value_type if pa.types.is_list(field.type) else field.type
        if pa.types.is_integer(kind):
            limit = np.iinfo(kind.to_pandas_dtype())
            limits[field.name] = int(limit.min), int(limit.max)
    return limits
