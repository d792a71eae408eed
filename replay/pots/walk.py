"""The walk: one compiled pass over the events of matches that fills their tables and judges every hand."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part, rare, step
from ...parsers import events as ev
from ...parsers.reading import Events
from .. import findings, records
from ..outcome import LINE_REJECTED, LINE_STRAY, LINE_UNKNOWN
from ..records import Sheets, fill, rows_in_use
from ..verdicts import choose_profile, count_missed, give_verdicts
from . import lines as read
from . import settling
from .state import Play, find, misplaced

_MOST_COMPARED: Final = 200
"""Lines of players of which it is told whether their bankrolls are those after the hand."""
_HANDS_COMPARED: Final = 9
_FIRST_LETTERS: Final = b"HPTTSFFF"
_SIZES: Final = (9, 4, 8, 15, 8, 5, 10, 14)
"""Of the names of hands, by category."""


@step
def _begin_match(play: Play, settings: NDArray[np.int64], number: int, sheets: Sheets) -> None:
    """The state of a match before its first line, and its row."""
    match = play.match
    for k in range(len(play.match_words)):
        play.match_words[k] = settings[number, k]
    fill(play.hand_words, 0)
    match["first_hand"], match["first_finding"] = sheets.used[records.HANDS], sheets.used[records.FINDINGS]
    record = sheets.matches[number]
    record["small_blind"], record["big_blind"] = match["small_blind"], match["big_blind"]
    record["stack"], record["first_hand"] = match["stack"], match["first_hand"]
    record["final"] = record["rejected"] = record["reject_line"] = 0
    for seat in range(len(play.players)):
        record["finals"][seat] = np.nan


@rare
def _are_after(found: Events, first: int, last: int, players: int) -> bool:
    """True where the bankrolls in the first lines of a hand have the hand's own result in them.

    Those who win a hand alone have more in its lines than in the lines before, or else in the lines after.
    """
    before = after = seats = 0
    for k in range(first, min(last, first + _MOST_COMPARED * players)):
        code, at = found.codes[k], found.args[k]
        if code == ev.AWARD:
            seat, own = found.values[at], 0
            was = has = comes = 0
            # The player's line of this hand, of the one before and of the one after.
            j, seen = k, 0
            while j >= first and seen < 2:
                if ev.SEAT_1 <= found.codes[j] <= ev.SEAT_3 and found.values[found.args[j]] == seat:
                    own = found.values[found.args[j] + 1]
                    has, was = (own, was) if seen == 0 else (has, own)
                    seen += 1
                j -= 1
            j = k
            while j < last and not (
                ev.SEAT_1 <= found.codes[j] <= ev.SEAT_3 and found.values[found.args[j]] == seat
            ):
                j += 1
            if seen == 2:
                after += has > was
            if j < last and seen > 0:
                comes = found.values[found.args[j] + 1]
                before += comes > has
            seats += 1
    return after > before


@rare
def _direction(found: Events, first: int, last: int, match: np.void) -> int:
    """Where the first seat moves from hand to hand, by the first hands: back, but in logs of some engines forth."""
    before, moves, forth = -1, 0, 0
    for k in range(first, last):
        code, at = found.codes[k], found.args[k]
        if (code == ev.ROUND and match["names_first"]) or code == ev.SEAT_1:
            if match["carries"] and found.values[at + 2 * match["players"]] == 0:
                # A player is out; the others deal in turn.
                break
            seat = found.values[at + 1] if code == ev.ROUND else found.values[at]
            if before >= 0:
                moves += 1
                forth += (seat - before) % match["players"] == 1
            before = seat
        if moves == _HANDS_COMPARED:
            break
    return 1 if 2 * forth > moves else -1


@rare
def _category(text: NDArray[np.uint8], at: int, size: int) -> int:
    """The kind of hand that a line names, with a closing bracket; -1 for another text."""
    size -= 1
    if size < 2:
        return -1
    letter = int(text[at])
    for kind in range(len(_SIZES)):
        if size == _SIZES[kind] and letter == _FIRST_LETTERS[kind]:
            return kind
    return -1


@rare
def _final(sheets: Sheets, play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """The bankrolls after the last hand."""
    match = play.match
    record = sheets.matches[match["number"]]
    for k in range(match["players"]):
        named, bank = values[at + 2 * k], float(values[at + 2 * k + 1])
        seat = k if match["same_names"] else named + 0
        player = play.players[seat]
        if match["carried"] and bank != player["carry"] and bank != player["due"]:
            find(play.report, line, seat, findings.FINAL, player["carry"], bank)
        record["finals"][seat] = bank
    record["final"] = 1
    match["finished"] = 1


@rare
def _leave_out(
    sheets: Sheets, play: Play, kept: tuple[int, ...], first: int, last: int, notes: NDArray[np.uint8]
) -> None:
    """Take back the open hand, events first to last; kept: the rows in use before it."""
    for table in range(len(kept)):
        sheets.used[table] = kept[table]
    record = sheets.matches[play.match["number"]]
    record["rejected"], record["reject_line"] = 1, play.hand["line"]
    for k in range(first, last):
        if notes[k] == 0 or (play.match["cut"] and k == last - 1):
            notes[k] = LINE_REJECTED


@rare
def _close_match(sheets: Sheets, play: Play, prints: NDArray[np.int64]) -> None:
    """Choose the match's engine profile and give every finding and hand its verdict."""
    match = play.match
    fill(play.missed, 0)
    first, last = match["first_finding"], sheets.used[records.FINDINGS] + 0
    count_missed(sheets.findings, first, last, len(prints), -1, play.missed)
    fitting = 0
    for profile in range(len(prints)):
        fitting |= int(prints[profile] == match["banks_after"]) << profile
    chosen = choose_profile(play.missed, len(prints), fitting, sheets.matches[match["number"]])
    first_hand, last_hand = match["first_hand"], sheets.used[records.HANDS] + 0
    give_verdicts(sheets.hands, first_hand, last_hand, sheets.findings, first, last, chosen, True)
    for row in range(first, last):
        finding = sheets.findings[row]
        if finding["rule"] == findings.AWARD and finding["verdict"] == records.DEVIATION:
            _as_paid(sheets, sheets.hands[finding["hand"]])


@part
def _as_paid(sheets: Sheets, hand: np.void) -> None:
    """A hand that an engine's deviation explains: the engine pays what the log says."""
    for place in range(hand["first_seat"], hand["first_seat"] + hand["players"]):
        sheets.seats[place]["engine"] = sheets.seats[place]["delta"]


@part
def _pay_hand(sheets: Sheets, play: Play, line: int) -> None:
    """Settle the open hand and close it; the match goes on at `line`."""
    hand = play.hand
    if hand["wins"] + hand["ties"] == 0:
        find(play.report, line, -1, findings.INCOMPLETE, 0.0, 0.0)
    settling.settle(sheets, play)
    hand["open"] = 0


@part
def _is_whole(play: Play) -> bool:
    """True where the last lines of the text may be those of a whole hand: it is paid, and not to one of several."""
    hand = play.hand
    whole: bool = hand["wins"] + hand["ties"] > 0 and hand["ties"] != 1
    return whole


@kernel
def walk(
    found: Events,
    first_event: NDArray[np.int64],
    settings: NDArray[np.int64],
    prints: NDArray[np.int64],
    play: Play,
    sheets: Sheets,
    notes: NDArray[np.uint8],
) -> None:
    """Re-execute the hands of some matches of one game.

    found, first_event  the scanner's events and where each match's begin
    settings            (matches, its words) `state.MATCH` as each match begins
    prints              by engine profile: 1 where bankrolls are printed with the hand's own result
    play                scratch for one match
    sheets              out: tables
    notes               (events,) out: LINE_UNKNOWN, LINE_STRAY (in no hand), LINE_REJECTED (hand left out)

    The last hand of a match is left out where its lines stop before it is paid.
    """
    match, hand, values = play.match, play.hand, found.values
    kept = rows_in_use(sheets.used)
    for number in range(len(settings)):
        _begin_match(play, settings, number, sheets)
        first, last = first_event[number], first_event[number + 1]
        if match["names_first"] == 0:
            match["banks_after"] = _are_after(found, first, last, match["players"])
        match["direction"] = _direction(found, first, last, match)
        hand_event, last_line = first, -1
        for k in range(first, last):
            code, line, at = found.codes[k] + 0, found.lines[k] + 0, found.args[k] + 0
            notes[k] = 0
            if code == ev.UNKNOWN:
                notes[k] = LINE_UNKNOWN
            elif code == ev.ROUND or code == ev.FINAL:
                if hand["open"]:
                    _pay_hand(sheets, play, line)
                    last_line = k - 1
                if code == ev.ROUND:
                    kept = rows_in_use(sheets.used)
                    hand_event = k
                    read.begin(sheets, play, values, at, line)
                elif last_line == k - 1 and not match["finished"]:
                    _final(sheets, play, line, values, at)
                else:
                    notes[k] = LINE_STRAY
            elif code == ev.NOTE:
                continue
            elif code == ev.MARKER and (not hand["open"] or hand["wins"] + hand["ties"] > 0):
                if match["marker_line"]:
                    notes[k] = LINE_STRAY
                else:
                    match["marker_line"] = line
            elif not hand["open"]:
                notes[k] = LINE_STRAY
            elif ev.FOLD <= code <= ev.CHECK:
                read.decide(sheets, play, line, values[at] + 0, code, np.nan)
            elif code == ev.BET or code == ev.RAISE or code == ev.CALL_TO:
                read.decide(sheets, play, line, values[at] + 0, code, float(values[at + 1]))
            elif code == ev.BLIND:
                read.blind(sheets, play, line, values[at] + 0, values[at + 1] + 0)
            elif code == ev.DEALT:
                read.dealt(play, line, values[at] + 0, values, at + 1)
            elif ev.FLOP <= code <= ev.RIVER:
                street = code - ev.FLOP + 1
                if match["prints_pots"]:
                    read.street(play, line, street, values[at] + 0, values, at + 1)
                else:
                    read.street(play, line, street, -1, values, at)
            elif code == ev.AWARD or code == ev.TIE:
                settling.award(play, line, values[at] + 0, values[at + 1] + 0, code == ev.TIE)
            elif code == ev.SHOW:
                settling.show(play, line, values[at] + 0, values, at + 1, -1)
            elif code == ev.SHOW_NAMED:
                after = at + 2 + values[at + 1]
                kind = _category(found.text, values[after] + 0, values[after + 1] + 0)
                settling.show(play, line, values[at] + 0, values, at + 1, kind)
            elif code == ev.RETURNED:
                read.returned(play, line, values[at + 1] + 0, values[at] + 0)
            elif code == ev.DISCARD:
                card = values[at + 2] + 0 if values[at + 1] > 0 else 0
                read.give_up(sheets, play, line, values[at] + 0, card, values[at + 1] + 0, -1)
            elif code == ev.EXCHANGE:
                _exchange(sheets, play, line, values, at)
            elif ev.SEAT_1 <= code <= ev.SEAT_3:
                read.seat_line(play, line, code - ev.SEAT_1, values[at] + 0, values[at + 1] + 0)
            elif ev.FIRST_FAULT <= code <= ev.LAST_FAULT:
                told = code == ev.ILLEGAL_BET or code == ev.ILLEGAL_RAISE_TO
                amount = values[at + 1] + 0 if told else 0
                read.fault(sheets, play, line, code, values[at] + 0, amount)
            else:
                misplaced(play.report, line, -1)
        if hand["open"] and _is_whole(play):
            _pay_hand(sheets, play, 0)
            last_line = last - 1
        elif hand["open"]:
            _leave_out(sheets, play, kept, hand_event, last, notes)
        if match["marker_line"]:
            for k in range(hand_event, last):
                if found.codes[k] == ev.MARKER and notes[k] == 0:
                    notes[k] = LINE_STRAY
        sheets.matches[number]["end"] = last_line
        sheets.matches[number]["hands"] = sheets.used[records.HANDS] - match["first_hand"]
        _close_match(sheets, play, prints)


@part
def _exchange(sheets: Sheets, play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """A hole card is changed for another one: a card each, as printed."""
    count = values[at + 1] + 0
    after = at + 2 + count
    if count != 1 or values[after] != 1:
        misplaced(play.report, line, values[at] + 0)
        return
    read.give_up(sheets, play, line, values[at] + 0, values[at + 2] + 0, count, values[after + 1] + 0)
