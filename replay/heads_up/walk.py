"""The walk: one compiled pass over the events of matches that fills their tables and judges every hand."""

import numpy as np
from numpy.typing import NDArray

from ...parsers import events as ev
from ...parsers.kernels import kernel, part, step
from ...parsers.reading import Events
from .. import findings, records
from ..outcome import LINE_REJECTED, LINE_STRAY, LINE_UNKNOWN
from ..records import Sheets
from . import bets_ev, judging, settling
from . import betting as b
from . import lines as read
from . import state as s
from .state import Engines, Play, find, misnamed, seat_in_order


@step
def _survey(match: NDArray[np.int64], codes: NDArray[np.uint8], first: int, last: int) -> None:
    """Note which optional lines the match has."""
    for k in range(first, last):
        code = codes[k]
        if code == ev.STACKS:
            match[s.PRINTS_STACKS] = 1
        elif code == ev.COUNTS:
            match[s.PRINTS_COUNTS] = 1
        elif code == ev.HIT:
            match[s.PRINTS_HITS] = 1
        elif code == ev.SHOW:
            match[s.PRINTS_SHOWS] = 1
        elif ev.EV_PREFLOP <= code <= ev.EV_TURN:
            match[s.PRINTS_EV] = 1


@part
def _note_markers(found: Events, first: int, last: int, notes: NDArray[np.uint8]) -> None:
    """Merge markers after the last hand stand in no hand."""
    for k in range(first, last):
        if found.codes[k] == ev.MARKER and notes[k] == 0:
            notes[k] = LINE_STRAY


@part
def _pay_hand(
    sheets: Sheets, play: Play, engines: Engines, awards: NDArray[np.float64], line: int, ends: bool
) -> None:
    """Settle the open hand once its awards are read, close it where it ends; the match goes on at `line`."""
    hand, match = play.hand, play.match
    if ends and hand[b.STACKS_DUE]:
        find(play.report, hand[b.STACKS_DUE], -1, findings.STACKS_MISSING, 0.0, 0.0)
    if ends and hand[b.AWARDED] < 2:
        find(play.report, line, -1, findings.INCOMPLETE, 2.0, float(hand[b.AWARDED]))
        hand[b.BROKEN] += 1
    elif ends and match[s.PRINTS_COUNTS] and not hand[b.COUNTED]:
        find(play.report, line, -1, findings.COUNTS_MISSING, 0.0, 0.0)
    if not hand[b.SETTLED] and (ends or hand[b.AWARDED] == 2):
        settling.settle(sheets, play, engines, awards)
    if ends:
        match[s.CARRIES] = hand[b.AWARDED] == 2
        if hand[b.BROKEN]:
            match[s.WHOLE] = 0
        hand[b.OPEN] = 0


@part
def _final(sheets: Sheets, play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """The final bankrolls, in the order of the round that would come next."""
    hand, match = play.hand, play.match
    record = sheets.matches[match[s.NUMBER]]
    for k in range(2):
        seat = seat_in_order(hand, 1 - k)
        named, bank = values[at + 2 * k], values[at + 2 * k + 1]
        if named != seat:
            misnamed(play.report, line, named, seat, findings.SEATS)
        if match[s.CARRIES] and bank != play.chips[b.CARRY, seat]:
            find(play.report, line, seat, findings.FINAL, play.chips[b.CARRY, seat], float(bank))
        if seat == 0:
            record["final_0"] = bank
        else:
            record["final_1"] = bank
    record["final"] = 1
    match[s.FINISHED] = 1


@step
def _begin_match(play: Play, settings: NDArray[np.int64], number: int, sheets: Sheets) -> None:
    match = play.match
    for k in range(len(match)):
        match[k] = settings[number, k]
    b.fill(play.hand, 0)
    for k in range(b.CHIPS_SIZE):
        play.chips[k, 0] = play.chips[k, 1] = 0
    match[s.FIRST_HAND] = sheets.used[records.HANDS]
    match[s.FIRST_FINDING] = sheets.used[records.FINDINGS]
    record = sheets.matches[number]
    record["first_hand"] = match[s.FIRST_HAND]
    record["final"], record["rejected"], record["reject_line"] = 0, 0, 0
    record["final_0"] = record["final_1"] = np.nan


@part
def _is_whole(play: Play, last_code: int) -> bool:
    """True where the last lines of the text may be those of a whole hand."""
    hand, match, chips = play.hand, play.match, play.chips
    whole: bool = hand[b.AWARDED] == 2 and (hand[b.COUNTED] or not match[s.PRINTS_COUNTS])
    if match[s.CUT] and last_code == ev.AWARD:
        # The last digits may be missing.
        whole = whole and chips[b.AWARD, 0] + chips[b.AWARD, 1] == 0
    return whole


@part
def _leave_out(sheets: Sheets, play: Play, first: int, last: int, notes: NDArray[np.uint8]) -> None:
    """Take back the open hand, events first to last."""
    b.copy(sheets.used, play.kept)
    record = sheets.matches[play.match[s.NUMBER]]
    record["rejected"], record["reject_line"] = 1, play.hand[b.LINE]
    for k in range(first, last):
        notes[k] = LINE_REJECTED


@kernel
def walk(
    found: Events,
    first_event: NDArray[np.int64],
    settings: NDArray[np.int64],
    engines: Engines,
    play: Play,
    sheets: Sheets,
    awards: NDArray[np.float64],
    notes: NDArray[np.uint8],
) -> None:
    """Re-execute the hands of some matches of one game.

    found, first_event  the scanner's events and where each match's begin
    settings            (matches, 28) the match state to begin with (`state`)
    play                scratch for one match
    sheets, awards      out: tables; (hands, 8) the dealer's award by engine profile
    notes               (events,) out: LINE_UNKNOWN, LINE_STRAY (in no hand), LINE_REJECTED (hand left out)

    The last hand of a match is left out where its lines stop before it is paid.
    """
    match, hand, kept, values = play.match, play.hand, play.kept, found.values
    for number in range(len(settings)):
        _begin_match(play, settings, number, sheets)
        first, last = first_event[number], first_event[number + 1]
        _survey(match, found.codes, first, last)
        last_line, hand_event = -1, first
        for k in range(first, last):
            # Sums are int64: parts called with other integers would be compiled again.
            code, line, at = found.codes[k] + 0, found.lines[k] + 0, found.args[k] + 0
            notes[k] = 0
            ends = code == ev.ROUND or code == ev.FINAL
            if hand[b.OPEN] and (ends or code == ev.COUNTS):
                _pay_hand(sheets, play, engines, awards, line, ends)
                if ends:
                    last_line = k - 1
            if code == ev.ROUND:
                for table in range(len(kept)):
                    kept[table] = sheets.used[table]
                hand_event = k
                read.begin(sheets, play, values, at, line)
            elif code == ev.UNKNOWN:
                notes[k] = LINE_UNKNOWN
            elif code == ev.MARKER and (not hand[b.OPEN] or hand[b.SETTLED] or hand[b.AWARDED] == 2):
                # The next hand tells of the first.
                if match[s.MARKED]:
                    notes[k] = LINE_STRAY
                else:
                    match[s.MARKED] = line
            elif code == ev.FINAL and last_line == k - 1 and not match[s.FINISHED]:
                _final(sheets, play, line, values, at)
            elif match[s.FINISHED] and ev.EV_PREFLOP <= code <= ev.EV_TURN:
                cut = match[s.CUT] > 0 and k == last - 1
                bets_ev.check(play, line, code, values[at], float(values[at + 1]), cut)
            elif not hand[b.OPEN]:
                notes[k] = LINE_STRAY
            elif code == ev.STACKS:
                read.stacks(play, line, values, at)
            elif ev.FOLD <= code <= ev.RAISE:
                read.decide(sheets, play, line, values, at, code)
            elif ev.FLOP <= code <= ev.RIVER:
                read.street(play, line, code, values, at)
            elif code == ev.BLIND:
                read.blind(sheets, play, line, values[at], values[at + 1])
            elif code == ev.DEALT:
                read.dealt(sheets, play, line, values[at], values, at + 1)
            elif code == ev.AWARD:
                read.award(play, line, values[at], values[at + 1])
            elif code == ev.SHOW:
                read.show(play, line, values[at], values, at + 1)
            elif code == ev.HIT:
                read.hit(play, line, values[at])
            elif code == ev.COUNTS:
                read.counts(play, line, values, at)
            elif code == ev.BOUNTIES:
                read.bounties(play, line, values, at)
            elif ev.FIRST_FAULT <= code <= ev.LAST_FAULT:
                read.fault(sheets, play, line, values[at], code, values, at + 1)
            else:
                read.stray(play, line, code)
        if hand[b.OPEN] and _is_whole(play, found.codes[last - 1] + 0):
            _pay_hand(sheets, play, engines, awards, 0, True)
            last_line = last - 1
        elif hand[b.OPEN]:
            _leave_out(sheets, play, hand_event, last, notes)
        if match[s.MARKED]:
            _note_markers(found, hand_event, last, notes)
        sheets.matches[number]["end"] = last_line  # event whose line closes the last complete hand
        sheets.matches[number]["hands"] = sheets.used[records.HANDS] - match[s.FIRST_HAND]
        judging.close_match(sheets, play, engines, awards)
