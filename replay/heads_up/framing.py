"""What stands around the hands of a match: its beginning, merge markers between hands, the final line."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from ...parsers import events as ev
from ...parsers.reading import Events
from .. import findings, records
from ..outcome import LINE_STRAY
from ..records import Sheets, fill
from . import state as s
from .state import Play, credited_pair, find


@step
def begin_match(play: Play, settings: NDArray[np.int64], number: int, sheets: Sheets) -> None:
    """The state of a match before its first line, and its row."""
    match = play.match
    for k in range(len(play.match_words)):
        play.match_words[k] = settings[number, k]
    fill(play.hand_words, 0)
    fill(play.chips_words, 0)
    for k in range(len(play.ranks)):
        play.ranks[k] = -1
    match["first_hand"] = sheets.used[records.HANDS]
    match["first_finding"] = sheets.used[records.FINDINGS]
    record = sheets.matches[number]
    record["small_blind"], record["big_blind"] = match["small_blind"], match["big_blind"]
    record["stack"] = match["stack"]
    record["first_hand"] = match["first_hand"]
    record["final"], record["rejected"], record["reject_line"] = 0, 0, 0
    for seat in range(2):
        record["finals"][seat] = np.nan


@part
def close_hand(play: Play) -> None:
    """The open hand, which is settled, has no more lines."""
    hand, match = play.hand, play.match
    match["carries"] = hand["awarded"] == 2
    if hand["broken"]:
        match["whole"] = 0
    hand["open"] = 0


@part
def is_between_hands(play: Play) -> bool:
    """True where a merge marker is of no hand: before the first, or after the awards of one."""
    hand = play.hand
    between: bool = not hand["open"] or hand["paid"] > 0 or hand["awarded"] == 2
    return between


@part
def mark(match: np.void, line: int, notes: NDArray[np.uint8], event: int) -> None:
    """A merge marker between hands: of the first the next hand tells, others are of no hand."""
    if match["marker_line"]:
        notes[event] = LINE_STRAY
    else:
        match["marker_line"] = line


@part
def note_markers(found: Events, first: int, last: int, notes: NDArray[np.uint8]) -> None:
    """Merge markers after the last hand stand in no hand."""
    for k in range(first, last):
        if found.codes[k] == ev.MARKER and notes[k] == 0:
            notes[k] = LINE_STRAY


@part
def final(sheets: Sheets, play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """The final bankrolls, in the order of the round that would come next."""
    hand, match = play.hand, play.match
    record = sheets.matches[match["number"]]
    first = credited_pair(play.report, line, values[at], values[at + 2], 1 - hand["dealer"])
    for k in range(2):
        seat, bank = first if k == 0 else 1 - first, float(values[at + 2 * k + 1])
        if match["carries"] and not s.carries(play.chips, seat, bank):
            find(play.report, line, seat, findings.FINAL, play.chips["carry"][seat], bank)
        record["finals"][seat] = bank
    record["final"] = 1
    match["finished"] = 1
    match["due"][s.STRAIGHT_LINES] = match["due"][s.EV_LINES] = 1
