"""Small tables of PokerNow, of invented players."""

import csv
import io
from collections.abc import Sequence
from typing import Final

A, B, C = '"Ann @ AAAAAAAAAA"', '"Ben @ BBBBBBBBBB"', '"Cy @ CCCCCCCCCC"'
START: Final = "-- starting hand #{} (id: a1b2c3d4e5f6)  (No Limit Texas Hold'em) (dealer: {}) --"
OMAHA: Final = "-- starting hand #{} (id: a1b2c3d4e5f7)  (Pot Limit Omaha Hi) (dealer: {}) --"
STACKS: Final = f"Player stacks: #1 {A} (100) | #4 {B} (90) | #7 {C} (80)"
END: Final = "-- ending hand #{} --"


def export(lines: Sequence[str]) -> list[str]:
    """The rows of a file with these lines of a log, the newest first."""
    rows = []
    for k, line in enumerate(lines):
        text = io.StringIO()
        csv.writer(text, lineterminator="").writerow([line, "2025-01-07T05:59:42.159Z", 173622958215900 + k])
        rows.append(text.getvalue())
    return ["entry,at,order", *reversed(rows)]
