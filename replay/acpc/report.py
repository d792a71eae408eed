"""What is wrong with a hand: where its findings go."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import part
from ...jit.records import new_record
from .. import findings


@bundle
class Report(NamedTuple):
    """Where findings go: `records.FINDING` rows, `Sheets.used`, and PLACE."""

    rows: NDArray[np.void]
    used: NDArray[np.int64]
    place: np.void


PLACE: Final = np.dtype([("hand", "i8"), ("line", "i8")])
"""The hand's row, the line."""


def new_report(rows: NDArray[np.void], used: NDArray[np.int64]) -> Report:
    """A report that fills rows."""
    return Report(rows, used, new_record(PLACE))


@part
def find(report: Report, seat: int, rule: int, expected: float, logged: float) -> None:
    """Write a finding; the rows have room for all that can be found."""
    hand, line = report.place["hand"], report.place["line"]
    row = findings.find(report.rows, report.used, hand, line, seat, rule, expected, logged)
    if rule == findings.AWARD:
        report.rows[row]["chips"] = logged - expected
