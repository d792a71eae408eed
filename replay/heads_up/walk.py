"""The walk: one compiled pass over the events of some matches that fills their tables and judges every hand."""

import numpy as np

from numpy.typing import NDArray

from ...parsers import events as ev
from ...parsers.kernels import kernel
from ...parsers.reading import Events
from .. import findings, records
from ..records import Sheets
from . import betting as b
from . import lines as read
from . import settling as s
from .settling import Engines, Play, find

LINE_UNKNOWN, LINE_STRAY, LINE_REJECTED = 1, 2, 3


@kernel
def _survey(match: NDArray, codes: NDArray, first: int, last: int) -> None:
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


@kernel
def _finish_hand(sheets: Sheets, play: Play, engines: Engines, awards: NDArray, line: int) -> None:
    """Settle the open hand, if any; the match goes on at `line`."""
    hand, match = play.hand, play.match
    if not hand[b.OPEN]:
        return
    if hand[b.AWARDED] < 2:
        find(sheets, hand[b.ROW], line, -1, findings.INCOMPLETE, 2, hand[b.AWARDED])
        hand[b.BROKEN] += 1
    elif match[s.PRINTS_COUNTS] and not hand[b.COUNTED]:
        find(sheets, hand[b.ROW], line, -1, findings.COUNTS_MISSING, 0, 0)
    if not hand[b.SETTLED]:
        s.settle(sheets, play, engines, awards)
    match[s.CARRIES] = hand[b.AWARDED] == 2
    hand[b.OPEN] = 0


@kernel
def _final(sheets: Sheets, play: Play, line: int, values: NDArray, at: int) -> None:
    """The final bankrolls, in the order of the round that would come next."""
    hand, match = play.hand, play.match
    row = hand[b.ROW]
    record = sheets.matches[match[s.NUMBER]]
    for k in range(2):
        seat = 1 - hand[b.DEALER] if k == 0 else hand[b.DEALER]
        named, bank = values[at + 2 * k], values[at + 2 * k + 1]
        if named != seat and not match[s.SAME_NAMES]:
            find(sheets, row, line, named, findings.SEATS, seat, named)
        if match[s.CARRIES] and bank != play.chips[b.CARRY, seat]:
            find(sheets, row, line, seat, findings.FINAL, play.chips[b.CARRY, seat], bank)
        if seat == 0:
            record["final_0"] = bank
        else:
            record["final_1"] = bank
    record["final"] = 1
    match[s.FINISHED] = 1


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
    settings            (matches, 28) the match state to begin with (`settling`)
    play                scratch for one match
    sheets, awards      out: tables; (hands, 8) the dealer's award by engine profile
    notes               (events,) out: LINE_UNKNOWN, LINE_STRAY (outside any hand), LINE_REJECTED (of a hand left out)

    The last hand of a match is left out where its lines stop before it is paid.
    """
    match, hand = play.match, play.hand
    kept = play.kept
    for number in range(len(settings)):
        for k in range(len(match)):
            match[k] = settings[number, k]
        b.fill(hand, 0)
        match[s.FIRST_HAND] = sheets.used[records.HANDS]
        match[s.FIRST_FINDING] = sheets.used[records.FINDINGS]
        first, last = first_event[number], first_event[number + 1]
        _survey(match, found.codes, first, last)
        record = sheets.matches[number]
        record["final"], record["rejected"], record["reject_line"] = 0, 0, 0
        record["final_0"] = record["final_1"] = np.nan
        last_line, hand_event = -1, first
        for k in range(first, last):
            code, line, at = found.codes[k], found.lines[k], found.args[k]
            values = found.values
            notes[k] = 0
            if code == ev.ROUND:
                _finish_hand(sheets, play, engines, awards, line)
                last_line = k - 1 if k > first else -1
                b.copy(kept, sheets.used)
                hand_event = k
                read.begin(sheets, play, values, at, line)
                continue
            if code == ev.UNKNOWN:
                notes[k] = LINE_UNKNOWN
                continue
            if code == ev.MARKER and (not hand[b.OPEN] or hand[b.SETTLED] or hand[b.AWARDED] == 2):
                match[s.MARKED] = line
                continue
            if code == ev.FINAL and hand[b.OPEN]:
                _finish_hand(sheets, play, engines, awards, line)
                last_line = k - 1
                _final(sheets, play, line, values, at)
                continue
            if match[s.FINISHED] and ev.EV_PREFLOP <= code <= ev.EV_TURN:
                cut = match[s.CUT] > 0 and k == last - 1
                s.bets_ev(sheets, play, line, code, values[at], values[at + 1], cut)
                continue
            if not hand[b.OPEN]:
                notes[k] = LINE_STRAY
                continue
            if hand[b.STACKS_DUE] and code != ev.STACKS:
                find(sheets, hand[b.ROW], hand[b.STACKS_DUE], -1, findings.STACKS_MISSING, 0, 0)
                hand[b.STACKS_DUE] = 0
            if ev.FOLD <= code <= ev.RAISE:
                amount = values[at + 1] if code >= ev.BET else 0
                s.query_ev(play)
                read.decide(sheets, play, line, values[at], code, amount)
            elif ev.FLOP <= code <= ev.RIVER:
                read.street(sheets, play, line, code, values, at)
            elif code == ev.STACKS:
                read.stacks(sheets, play, line, values, at)
            elif code == ev.BLIND:
                read.blind(sheets, play, line, values[at], values[at + 1])
            elif code == ev.DEALT:
                read.dealt(sheets, play, line, values[at], values, at + 1)
            elif code == ev.AWARD:
                read.award(sheets, play, line, values[at], values[at + 1])
            elif code == ev.SHOW:
                read.show(sheets, play, line, values[at], values, at + 1)
            elif code == ev.HIT and hand[b.AWARDED] == 2 and not hand[b.SETTLED]:
                hand[b.HITS] |= 1 << values[at]
                play.marks[s.AFTER_LINE] = line
            elif code == ev.COUNTS:
                if hand[b.AWARDED] == 2 and not hand[b.SETTLED]:
                    s.settle(sheets, play, engines, awards)
                read.counts(sheets, play, line, values, at)
            elif code == ev.BOUNTIES:
                read.bounties(sheets, play, line, values, at)
            elif ev.FIRST_FAULT <= code <= ev.LAST_FAULT:
                read.fault(sheets, play, line, values[at], code, values, at + 1)
            elif code == ev.MARKER:
                find(sheets, hand[b.ROW], line, -1, findings.MARKER, 0, 0)
                hand[b.BROKEN] += 1
            else:
                read.misplaced(sheets, play, line, -1)
        if hand[b.OPEN]:
            ends = hand[b.AWARDED] == 2 and (hand[b.COUNTED] or not match[s.PRINTS_COUNTS])
            if match[s.CUT] and found.codes[last - 1] == ev.AWARD:
                ends = ends and play.chips[b.AWARD, 0] + play.chips[b.AWARD, 1] == 0
            if ends:
                _finish_hand(sheets, play, engines, awards, 0)
                last_line = last - 1
            else:
                b.copy(sheets.used, kept)
                record["rejected"], record["reject_line"] = 1, hand[b.LINE]
                for k in range(hand_event, last):
                    notes[k] = LINE_REJECTED
        record["first_hand"] = match[s.FIRST_HAND]
        record["hands"] = sheets.used[records.HANDS] - match[s.FIRST_HAND]
        record["end"] = last_line  # event whose line closes the last complete hand
        s.close_match(sheets, match, play.missed, engines, awards)
