"""Logs of several ACPC tables by time, as DeepStack's sites publish them: the lines of each table put together."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .dialect import Text, line_at
from .marks import first_of

_STATE: Final = b"STATE:"
_HEADER: Final = b"# name/game/"
_STAMPED: Final = re.compile(rb"STATE:(\d+):[^:]*:[^:]*:[^:]*:(.*) # \d+(?:\.\d+)?\r?")


def tables_apart(text: Text) -> tuple[bytes, NDArray[np.int64]] | None:
    """The lines of a log by table, and for each the number it has in the log (lines,); None where no tables mix.

    The players' names tell the table, in whatever order, where each hand carries its time. Tables mix where hands of
    one go on after those of another. A line that is no hand's stays with the one before it.
    """
    first = first_of(text, _STATE, 0, len(text))
    if first < 0 or not _STAMPED.match(line_at(text, first)) or first_of(text, _HEADER, 0, len(text)) >= 0:
        return None
    lines = bytes(text).split(b"\n")
    ended = not lines[-1]
    if ended:
        lines.pop()
    tables: dict[tuple[bytes, ...], int] = {}
    reached: list[int] = []
    table_of = np.zeros(len(lines), np.int64)
    table, mixed = 0, False
    for k, line in enumerate(lines):
        if hand := _STAMPED.fullmatch(line):
            number, before = int(hand[1]), table
            table = tables.setdefault(tuple(sorted(hand[2].split(b"|"))), len(tables))
            if table == len(reached):
                reached.append(-1)
            mixed |= table != before and -1 < reached[table] < number
            reached[table] = number
        table_of[k] = table
    if not mixed:
        return None
    if not ended:
        # The last line may lack characters; it stays the last.
        table_of[table_of == table] = len(tables)
    order = np.argsort(table_of, kind="stable")
    return b"\n".join([lines[k] for k in order.tolist()]) + b"\n" * ended, order + 1
