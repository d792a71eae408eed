"""What is wrong with a hand: rows of findings, and the hand's verdict with them."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import part
from ...jit.records import new_record
from .. import findings, records


@bundle
class Report(NamedTuple):
    """Where findings go: `records.FINDING` rows, `Sheets.used`, the rules that are structural, and PLACE."""

    rows: NDArray[np.void]
    used: NDArray[np.int64]
    structure: NDArray[np.uint8]
    place: np.void


PLACE: Final = np.dtype([("hand", "i8"), ("line", "i8"), ("verdict", "i8")])
"""The hand's row, the line, the hand's verdict so far."""


def new_report(rows: NDArray[np.void], used: NDArray[np.int64]) -> Report:
    """A report that fills rows."""
    return Report(rows, used, np.array(findings.STRUCTURE, np.uint8), new_record(PLACE))


@part
def find(report: Report, seat: int, rule: int, expected: float, logged: float) -> None:
    """Write a finding; the rows have room for all that can be found."""
    place = report.place
    verdict = records.DAMAGED if report.structure[rule] else records.VIOLATION
    if rule == findings.UNKNOWN_GAME:
        verdict = records.UNVERIFIED
    place["verdict"] = max(place["verdict"], verdict)
    row = report.rows[records.next_row(report.used, records.FINDINGS, len(report.rows))]
    row["hand"], row["line"], row["seat"], row["rule"] = place["hand"], place["line"], seat, rule
    row["verdict"], row["deviation"], row["explained"] = verdict, 0, 0
    row["expected"], row["logged"] = expected, logged
    row["chips"] = logged - expected if rule == findings.AWARD else 0.0
