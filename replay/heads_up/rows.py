"""Rows that lines of several kinds write: an action with its context, the finding of a line out of place."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part
from ...parsers import events
from .. import findings, records
from ..outcome import LINE_REJECTED
from ..records import Sheets
from . import betting as b
from .state import Play, Report, betting_street, find


@part
def misplaced(report: Report, line: int, seat: int) -> None:
    """A line that contradicts the lines before it."""
    find(report, line, seat, findings.MISPLACED, 0.0, 0.0)
    report.hand["broken"] += 1


@part
def stray(play: Play, line: int, code: int) -> None:
    """A merge marker, or any other line that has no place in a hand."""
    if code == events.MARKER:
        find(play.report, line, -1, findings.MARKER, 0.0, 0.0)
        play.hand["broken"] += 1
    else:
        misplaced(play.report, line, -1)


@part
def act(sheets: Sheets, play: Play, line: int, seat: int, action: int, origin: int, raise_to: float) -> None:
    """Append an action row: the decision's context before the action is applied."""
    hand, chips = play.hand, play.chips
    if hand["seq"] >= records.MOST_ACTIONS:
        misplaced(play.report, line, seat)
        return
    row = sheets.actions[records.next_row(sheets.used, records.ACTS, len(sheets.actions))]
    row["hand"], row["line"], row["seq"] = hand["row"], line, hand["seq"]
    row["street"] = betting_street(play.match, hand["street"])
    row["seat"], row["action"], row["origin"] = seat, action, origin
    row["level"], row["aggressor"] = hand["level"], hand["aggressor"]
    row["raise_to"] = raise_to
    row["own"] = chips["put"][seat]
    row["pip"] = chips["pip"][seat]
    row["to_call"] = b.to_call(chips, seat) if action != records.POST else 0
    row["pot"] = chips["put"][0] + chips["put"][1]
    row["board"], row["active"] = 0, 2
    hand["seq"] += 1


@part
def leave_out(
    sheets: Sheets, play: Play, kept: tuple[int, ...], first: int, last: int, notes: NDArray[np.uint8]
) -> None:
    """Take back the open hand, events first to last; kept: the rows in use before it.

    What no template accepts is still told, but for a line that the text cuts short.
    """
    for table in range(len(kept)):
        sheets.used[table] = kept[table]
    record = sheets.matches[play.match["number"]]
    record["rejected"], record["reject_line"] = 1, play.hand["line"]
    for k in range(first, last):
        if notes[k] == 0 or (play.match["cut"] and k == last - 1):
            notes[k] = LINE_REJECTED
