"""One compiled pass over the events of matches at tables (`parsers.table_lines`); it fills their tables."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel
from ...parsers import events as ev
from ...parsers.reading import Events
from .. import records
from ..match_lines import leave_out, mark, note_markers
from ..outcome import LINE_STRAY, LINE_UNKNOWN
from ..records import Sheets, fill, rows_in_use
from . import table_hand as read
from . import table_settling as settling
from .state import Play, misplaced
from .walk import begin_match, close_match


@kernel
def walk_tables(
    found: Events,
    first_event: NDArray[np.int64],
    settings: NDArray[np.int64],
    prints: NDArray[np.int64],
    play: Play,
    sheets: Sheets,
    notes: NDArray[np.uint8],
    acts: NDArray[np.int32],
) -> None:
    """Re-execute the hands of some matches of tables; as `walk.walk`.

    acts: (events,) out: the row of the action that a line is, -1 for none

    A hand whose lines stop before its line `end` is left out.
    """
    match, hand, values = play.match, play.hand, found.values
    kept = rows_in_use(sheets.used)
    for number in range(len(settings)):
        begin_match(play, settings, number, sheets)
        fill(play.stacks, np.nan)
        fill(play.sums, 0.0)
        first, last = first_event[number], first_event[number + 1]
        hand_event, last_line = first, -1
        for k in range(first, last):
            code, line, at = found.codes[k] + 0, found.lines[k] + 0, found.args[k] + 0
            notes[k] = 0
            acts[k] = -1
            before = sheets.used[records.ACTS] + 0
            if code == ev.UNKNOWN:
                notes[k] = LINE_UNKNOWN
            elif code == ev.ROUND:
                if hand["open"]:
                    leave_out(sheets, match, hand, kept, hand_event, k, notes)
                kept = rows_in_use(sheets.used)
                hand_event = k
                read.begin(sheets, play, values[at] + 0, values[at + 1] + 0, line)
            elif code == ev.MARKER and not hand["open"]:
                mark(match, line, notes, k)
            elif code == ev.OUTCOME and not hand["open"] and last_line >= 0:
                settling.outcome(sheets, play, line, values[at] + 0, float(values[at + 1]))
                last_line = k
            elif code == ev.NOTE and not hand["open"] and last_line >= 0:
                settling.repeated(play, line, values[at] + 0)
                last_line = k
            elif not hand["open"]:
                notes[k] = LINE_STRAY
            elif code == ev.SEATED:
                read.seated(play, line, values[at] + 0, values[at + 1] + 0)
            elif code == ev.LIMIT:
                read.limit(play, values[at] + 0, values[at + 1] + 0, values[at + 2] + 0)
            elif code == ev.NOBODY:
                hand["silent"] = 1
            elif code == ev.REASON:
                hand["reason"], hand["reason_at"], hand["reason_size"] = 1, values[at], values[at + 1]
            elif code == ev.UNFINISHED:
                leave_out(sheets, match, hand, kept, hand_event, k + 1, notes)
                hand["open"] = 0
            else:
                read.ready(play, line)
                if code == ev.DEAD:
                    read.dead(sheets, play, line, values[at] + 0, values[at + 1] + 0)
                elif code == ev.SKIP:
                    read.skip(play)
                elif code == ev.LEAVE:
                    read.leave(sheets, play, line, values[at] + 0)
                elif code == ev.SEPARATOR:
                    read.next_round(play, line)
                elif code == ev.AGAIN:
                    read.again(play, line, values, at)
                elif code == ev.ANTE:
                    read.post(sheets, play, line, values[at] + 0, values[at + 1] + 0, False)
                elif code == ev.SMALL or code == ev.BIG or code == ev.STRADDLE:
                    read.post(sheets, play, line, values[at] + 0, values[at + 1] + 0, True)
                elif code == ev.PRICE:
                    read.price(play, values[at] + 0)
                elif code == ev.FIRST:
                    read.opens(play, line, values[at] + 0)
                elif code == ev.DEALT:
                    read.dealt(play, line, values[at] + 0, values, at + 1)
                elif code == ev.HIDDEN:
                    read.hidden(play, line, values[at] + 0, values[at + 1] + 0)
                elif code == ev.FOLD or code == ev.CALL or code == ev.CHECK or code == ev.ALL_IN:
                    read.decide(sheets, play, line, values[at] + 0, code, np.nan)
                elif code == ev.RAISE or code == ev.CALL_TO:
                    read.decide(sheets, play, line, values[at] + 0, code, float(values[at + 1]))
                elif code == ev.BOARD:
                    read.board(play, line, values, at)
                elif code == ev.RETURNED:
                    read.returned(play, line, values[at] + 0, values[at + 1] + 0)
                elif code == ev.SHOW:
                    settling.show(play, line, values[at] + 0, values, at + 1)
                elif code == ev.LOST:
                    settling.throw(play, line, values[at] + 0)
                elif code == ev.CALLED:
                    settling.called(play, line, values[at] + 0, values[at + 1] + 0)
                elif code == ev.AWARD:
                    settling.result(play, line, values[at] + 0, float(values[at + 1]), settling.WIN)
                elif code == ev.TOTAL:
                    settling.result(play, line, values[at] + 0, float(values[at + 1]), settling.TOTAL)
                elif code == ev.NET:
                    settling.result(play, line, values[at] + 0, float(values[at + 1]), settling.NET)
                elif code == ev.LEFT:
                    settling.result(play, line, values[at] + 0, float(values[at + 1]), settling.LEFT)
                elif code == ev.RAKE:
                    hand["rake"] = float(values[at])
                elif code == ev.HAND_OVER:
                    settling.settle(sheets, play, line)
                    last_line = k
                elif ev.FIRST_FAULT <= code <= ev.LAST_FAULT:
                    has_amount = code == ev.ILLEGAL_RAISE_TO
                    amount = values[at + 1] + 0 if has_amount else 0
                    read.fault(sheets, play, line, code, values[at] + 0, amount)
                elif code != ev.MUCK:
                    misplaced(play.report, line, -1)
                if sheets.used[records.ACTS] == before + 1:
                    acts[k] = before
        if hand["open"]:
            leave_out(sheets, match, hand, kept, hand_event, last, notes)
            hand["open"] = 0
        if match["marker_line"]:
            note_markers(found, hand_event, last, notes)
        sheets.matches[number]["end"] = last_line
        sheets.matches[number]["hands"] = sheets.used[records.HANDS] - match["first_hand"]
        close_match(sheets, play, prints)
