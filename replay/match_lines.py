"""Lines around the hands of a match, for all families whose hands span several lines: its row, merge markers, an open
end."""

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import part, rare
from ..parsers import events as ev
from ..parsers.reading import Events
from . import records
from .outcome import LINE_REJECTED, LINE_STRAY
from .records import Sheets


@part
def begin_row(sheets: Sheets, match: np.void, players: int) -> None:
    """The row of a match before its first line, and where its hands and findings begin."""
    match["first_hand"] = sheets.used[records.HANDS]
    match["first_finding"] = sheets.used[records.FINDINGS]
    record = sheets.matches[match["number"]]
    record["small_blind"], record["big_blind"] = match["small_blind"], match["big_blind"]
    record["stack"] = match["stack"]
    record["first_hand"] = match["first_hand"]
    record["final"], record["rejected"], record["reject_line"] = 0, 0, 0
    for seat in range(players):
        record["finals"][seat] = np.nan


@rare
def mark(match: np.void, line: int, notes: NDArray[np.uint8], event: int) -> None:
    """Note a merge marker between hands: the next hand gets a finding about the first one, others are in no hand."""
    if match["marker_line"]:
        notes[event] = LINE_STRAY
    else:
        match["marker_line"] = line


@rare
def note_markers(found: Events, first: int, last: int, notes: NDArray[np.uint8]) -> None:
    """Note that merge markers after the last hand are in no hand."""
    for k in range(first, last):
        if found.codes[k] == ev.MARKER and notes[k] == 0:
            notes[k] = LINE_STRAY


@rare
def leave_out(
    sheets: Sheets,
    match: np.void,
    hand: np.void,
    kept: tuple[int, ...],
    first: int,
    last: int,
    notes: NDArray[np.uint8],
) -> None:
    """Take back the open hand, events first to last; kept: the rows in use before it.

    Lines that no template accepts keep their note, except a last line that the text cuts short.
    """
    for table in range(len(kept)):
        sheets.used[table] = kept[table]
    record = sheets.matches[match["number"]]
    record["rejected"], record["reject_line"] = 1, hand["line"]
    for k in range(first, last):
        if notes[k] == 0 or (match["cut"] and k == last - 1):
            notes[k] = LINE_REJECTED


@rare
def begins_another(found: Events, k: int, last: int) -> bool:
    """True if a blind or cards below a hand's awards begin another hand, whose own awards follow.

    Its first line is missing: no event between says that a hand begins.
    """
    if ev.BLIND <= found.codes[k - 1] <= ev.DEALT:
        return False
    for later in range(k, last):
        code = found.codes[later]
        if code == ev.ROUND or code == ev.FINAL:
            return False
        if code == ev.AWARD or code == ev.SWAP_AWARD or code == ev.TIE:
            return True
    return False
