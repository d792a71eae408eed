"""One compiled pass over the events of matches; it fills their tables and gives every hand its verdict."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part, rare, step
from ...parsers import events as ev
from ...parsers.reading import Events
from .. import betting as b
from .. import findings, records
from ..match_lines import begin_row, begins_another, leave_out, mark, note_markers
from ..outcome import LINE_BEHEADED, LINE_STRAY, LINE_UNKNOWN
from ..records import Sheets, fill, rows_in_use
from ..verdicts import choose_profile, count_missed, give_verdicts
from . import betting, settling
from . import lines as read
from .state import Play, find, misplaced

_MOST_COMPARED: Final = 200
"""Lines for each player, from the match's first, that show whether bankrolls are printed before or after the hand."""
_HANDS_COMPARED: Final = 9
"""Hands, from the match's first, that show which way the seats move."""


@step
def begin_match(play: Play, settings: NDArray[np.int64], number: int, sheets: Sheets) -> None:
    """The state of a match before its first line, and its row."""
    match = play.match
    for k in range(len(play.match_words)):
        play.match_words[k] = settings[number, k]
    fill(play.hand_words, 0)
    for seat in range(len(play.players)):
        player = play.players[seat]
        player["carry"] = player["left"] = player["reserve"] = 0.0
        player["played"] = player["gone"] = 0
    begin_row(sheets, match, len(play.players))


@part
def _bank_event(found: Events, seat: int, first: int, stop: int, way: int) -> int:
    """The nearest event with a player's bankroll, from `first` to before `stop` in steps of `way`; -1 for none."""
    k = first
    while k != stop:
        if ev.SEAT_1 <= found.codes[k] <= ev.SEAT_3 and found.values[found.args[k]] == seat:
            return k
        k += way
    return -1


@part
def _bank_at(found: Events, event: int) -> int:
    bank: int = found.values[found.args[event] + 1]
    return bank


@rare
def _are_after(found: Events, first: int, last: int, players: int) -> bool:
    """True if the bankrolls in the first lines of a hand include the hand's own result.

    Then the winners of most hands have more in the hand's lines than in those of the hand before; else they have more
    in the lines of the hand after.
    """
    before = after = 0
    for k in range(first, min(last, first + _MOST_COMPARED * players)):
        if found.codes[k] == ev.AWARD:
            seat = found.values[found.args[k]] + 0
            own = _bank_event(found, seat, k, first - 1, -1)
            if own >= 0:
                earlier = _bank_event(found, seat, own - 1, first - 1, -1)
                later = _bank_event(found, seat, k, last, 1)
                if earlier >= 0:
                    after += _bank_at(found, own) > _bank_at(found, earlier)
                if later >= 0:
                    before += _bank_at(found, later) > _bank_at(found, own)
    return after > before


@rare
def _direction(found: Events, first: int, last: int, match: np.void) -> int:
    """By how many seats the first position moves from hand to hand: -1, in logs of some engines 1."""
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
def _final(sheets: Sheets, play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """The bankrolls after the last hand are those carried on."""
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
def close_match(sheets: Sheets, play: Play, prints: NDArray[np.int64]) -> None:
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
    """The pay of a hand with a deviation: the engine pays what the log says."""
    for place in range(hand["first_seat"], hand["first_seat"] + hand["players"]):
        sheets.seats[place]["engine"] = sheets.seats[place]["delta"]


@rare
def _score(sheets: Sheets, play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """Read a player's chips; with a rank, at the end of the match."""
    match, seat = play.match, values[at] + 0
    chips = float(values[at + 2] + values[at + 3])
    if values[at + 4] == 0 and play.hand["open"]:
        read.score(play, line, seat, chips)
    elif values[at + 4] > 0:
        player = play.players[seat]
        kept = match["carried"] and player["played"] and not player["gone"]
        if kept and chips != player["carry"] and chips != player["due"]:
            find(play.report, line, seat, findings.FINAL, player["carry"] + 0.0, chips)
        record = sheets.matches[match["number"]]
        record["finals"][seat] = chips
        record["final"] = 1


@part
def _pay_hand(sheets: Sheets, play: Play, line: int) -> None:
    """Settle the open hand and close it; the match continues at `line`."""
    hand = play.hand
    if hand["wins"] + hand["ties"] == 0 and hand["active"][0] > 0:
        find(play.report, line, -1, findings.INCOMPLETE, 0.0, 0.0)
    if hand["live"] == 0:
        read.seat_all_others(play)
    settling.settle(sheets, play)
    hand["open"] = 0


@part
def _is_whole(play: Play) -> bool:
    """True if the text may end with the hand's last line: a line pays it, and not only one of several who tie."""
    hand = play.hand
    whole: bool = hand["wins"] + hand["ties"] > 0 and hand["ties"] != 1
    if play.match["reserves"]:
        # Its scores follow the pay, of which no line may be missing.
        paid = 0.0
        for seat in range(play.match["players"]):
            paid += play.players[seat]["award"]
        whole = hand["scored"] > 0 or (paid > 0 and paid == b.pot(hand, 0))
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
    prints              by engine profile: 1 if bankrolls are printed with the hand's own result
    play                scratch for one match
    sheets              out: tables
    notes               (events,) out: LINE_UNKNOWN, LINE_STRAY (in no hand), LINE_REJECTED (hand left out) and
                        LINE_BEHEADED (a hand without its first line)

    The last hand of a match is left out where its lines stop before it is paid.
    """
    match, hand, values = play.match, play.hand, found.values
    kept = rows_in_use(sheets.used)
    for number in range(len(settings)):
        begin_match(play, settings, number, sheets)
        first, last = first_event[number], first_event[number + 1]
        if match["reserves"]:
            match["direction"] = 1
        elif match["names_first"] == 0:
            match["banks_after"] = _are_after(found, first, last, match["players"])
        if not match["reserves"]:
            match["direction"] = _direction(found, first, last, match)
        hand_event, last_line = first, -1
        for k in range(first, last):
            code, line, at = found.codes[k] + 0, found.lines[k] + 0, found.args[k] + 0
            notes[k] = 0
            if ev.BLIND <= code <= ev.DEALT and hand["open"] and hand["wins"] + hand["ties"] > 0:
                notes[k] = LINE_BEHEADED if begins_another(found, k, last) else 0
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
            elif code == ev.SCORE or code == ev.MATCH_OVER or code == ev.HAND_OVER:
                over = code == ev.MATCH_OVER or (code == ev.SCORE and values[at + 4] > 0)
                if code != ev.SCORE and (hand["wins"] > 0 or hand["active"][0] == 0):
                    hand["scored"] += 1
                if over and hand["open"] and _is_whole(play):
                    _pay_hand(sheets, play, line)
                    last_line = k - 1
                if code == ev.MATCH_OVER:
                    match["finished"] = 1
                    sheets.matches[number]["final"] = 1
                elif code == ev.HAND_OVER:
                    continue
                elif hand["open"] or over:
                    _score(sheets, play, line, values, at)
                else:
                    notes[k] = LINE_STRAY
            elif code == ev.MARKER and (not hand["open"] or hand["wins"] + hand["ties"] > 0):
                mark(match, line, notes, k)
            elif not hand["open"]:
                notes[k] = LINE_STRAY
            elif ev.FOLD <= code <= ev.CHECK:
                read.decide(sheets, play, line, values[at] + 0, code, np.nan)
            elif code == ev.CHIPS:
                read.chips(play, line, values[at] + 0, values[at + 1] + 0, values[at + 2] + 0)
            elif code == ev.POT_SUM:
                read.pot_sum(play, line, values[at] + 0, values[at + 1] + 0)
            elif code == ev.ANSWER:
                read.answer(play, line, values, at)
            elif code == ev.ALL_IN or code == ev.AS_SAID:
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
            elif code == ev.SHOW or ev.SHOW_HIGH_CARD <= code <= ev.SHOW_STRAIGHT_FLUSH:
                kind = -1 if code == ev.SHOW else code - ev.SHOW_HIGH_CARD
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
            elif code == ev.GONE and match["reserves"] and betting.due_actor(play) != values[at]:
                read.gone(sheets, play, line, values[at] + 0)
            elif ev.FIRST_FAULT <= code <= ev.LAST_FAULT:
                has_amount = code == ev.ILLEGAL_BET or code == ev.ILLEGAL_RAISE_TO
                amount = values[at + 1] + 0 if has_amount else 0
                read.fault(sheets, play, line, code, values[at] + 0, amount)
            else:
                misplaced(play.report, line, -1)
        if hand["open"] and _is_whole(play):
            _pay_hand(sheets, play, 0)
            last_line = last - 1
        elif hand["open"]:
            leave_out(sheets, match, hand, kept, hand_event, last, notes)
        if match["marker_line"]:
            note_markers(found, hand_event, last, notes)
        sheets.matches[number]["end"] = last_line
        sheets.matches[number]["hands"] = sheets.used[records.HANDS] - match["first_hand"]
        close_match(sheets, play, prints)


@part
def _exchange(sheets: Sheets, play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """A hole card is changed for another one; the line prints one card each."""
    count = values[at + 1] + 0
    after = at + 2 + count
    if count != 1 or values[after] != 1:
        misplaced(play.report, line, values[at] + 0)
        return
    read.give_up(sheets, play, line, values[at] + 0, values[at + 2] + 0, count, values[after + 1] + 0)
