"""One compiled pass over the events of Blotto matches; it fills their tables and gives every hand its verdict."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part, step
from ...parsers import events as ev
from ...parsers.reading import Events, Scanned
from .. import findings, records
from ..games import Game
from ..heads_up import framing
from ..heads_up.judging import judge
from ..heads_up.lines import award, blind, dealt
from ..heads_up.rows import misplaced, stray
from ..heads_up.state import END_OF_TEXT, credited_pair, find
from ..match_lines import leave_out, mark, note_markers
from ..outcome import LINE_STRAY, LINE_UNKNOWN
from ..records import Sheets, fill, rows_in_use
from ..verdicts import choose_profile, count_missed
from . import lines as read
from . import settling
from .game import (
    ALL_IN_PRINT,
    BARE_PRINT,
    BLIND_PRINT,
    BOARDS,
    EACH_PRINT,
    NET_RAISES_PRINT,
    NET_SUMS_PRINT,
    NO_TABLES_PRINT,
    TABLES_PRINT,
    TEXT_PRINT,
    TIE,
    TRIPLE_PRINT,
    prints_of,
)
from .state import Engines, Table, new_table
from .triples import read_action


@step
def _survey(match: np.void, codes: NDArray[np.uint8], first: int, last: int) -> None:
    """Note which optional lines the match has."""
    seen, tables, finished = 0, False, False
    match["annotated"] = match["tables"] = 0
    for k in range(first, last):
        code = codes[k]
        if code == ev.BLIND:
            seen |= BLIND_PRINT
        elif code == ev.BLINDS:
            seen |= EACH_PRINT
        elif code == ev.ILLEGIBLE:
            seen |= BARE_PRINT
        elif code == ev.MISFORMATTED:
            seen |= TEXT_PRINT
        elif code == ev.NET_RAISES:
            seen |= NET_RAISES_PRINT
        elif code == ev.NET_SUMS:
            seen |= NET_SUMS_PRINT
        elif code == ev.COMBINATION or code == ev.BELOW_MINIMUM or code == ev.UNMATCHABLE:
            seen |= TRIPLE_PRINT
        elif code == ev.ALL_IN or code == ev.SWEEP:
            seen |= ALL_IN_PRINT
        elif code == ev.TABLE:
            tables = True
        elif code == ev.FINAL:
            finished = True
        elif code == ev.BOARD_WON or code == ev.BOARD_TIED:
            match["annotated"] = 1
    if tables:
        seen |= TABLES_PRINT
    elif finished:
        seen |= NO_TABLES_PRINT
    match["seen"] = seen
    match["modern"] = seen & (ALL_IN_PRINT | TABLES_PRINT) > 0


@step
def _pay_hand(sheets: Sheets, table: Table, line: int) -> None:
    """Settle and close the open hand; the match continues at `line`."""
    hand, report = table.play.hand, table.play.report
    if hand["awarded"] < 2:
        find(report, line, -1, findings.INCOMPLETE, 2.0, float(hand["awarded"]))
        hand["broken"] += 1
    settling.settle(sheets, table)
    framing.close_hand(table.play)


@part
def _total(table: Table, line: int, values: NDArray[np.int64], at: int) -> None:
    """Check each player's winnings on one board over all hands, in the order of the final line."""
    hand, match, report = table.play.hand, table.play.match, table.play.report
    board = values[at] - 1
    if board != table.match["tables"] or board >= BOARDS:
        find(report, line, -1, findings.TABLE_MISSING, float(BOARDS), float(table.match["tables"]))
        return
    table.match["tables"] += 1
    first = credited_pair(report, line, values[at + 1], values[at + 3], 1 - hand["dealer"])
    for k in range(2):
        seat, total = first if k == 0 else 1 - first, values[at + 2 + 2 * k]
        if match["whole"] and total != table.chips["sum"][board, seat]:
            find(report, line, seat, findings.TABLE, table.chips["sum"][board, seat], float(total))


@step
def _begin_match(table: Table, settings: NDArray[np.int64], number: int, sheets: Sheets) -> None:
    framing.begin_match(table.play, settings, number, sheets)
    fill(table.hand_words, 0)
    for board in range(BOARDS):
        table.chips["sum"][board, 0] = table.chips["sum"][board, 1] = 0


@part
def _is_whole(table: Table, last_code: int) -> bool:
    """True if the last lines of the text may be those of a whole hand."""
    hand, match, chips = table.play.hand, table.play.match, table.play.chips
    whole: bool = hand["awarded"] == 2
    if match["cut"] and last_code == ev.AWARD:
        # The last digits may be missing. Every hand pays chips that no player put in.
        nobodys = 0.0
        for board in range(BOARDS):
            nobodys += hand["free"][board]
        whole = whole and chips["award"][0] + chips["award"][1] == nobodys
    return whole


@step
def _read(
    sheets: Sheets, table: Table, found: Events, k: int, last: int, code: int, line: int, at: int
) -> None:
    """A line of the open hand, an event of those up to the last."""
    values = found.values
    if ev.FOLD <= code <= ev.RAISE or code == ev.ASSIGN:
        board, amount = values[at + 1], np.nan
        if code == ev.ASSIGN:
            board = read.send(table, line, values, at + 1)
        elif code >= ev.BET:
            board, amount = values[at + 2], float(values[at + 1])
        read_action(sheets, table, line, code, values[at], board, amount)
    elif ev.FLOP <= code <= ev.RIVER:
        read.street(table, line, code, values, at)
    elif code == ev.BOARD:
        read.folded_board(table, line, values[at], values[at + 1])
    elif code == ev.BLIND or code == ev.BLINDS:
        blind(found, k, last, sheets, table.play, line, values[at], values[at + 1])
    elif code == ev.DEALT:
        if table.hand["slot"]:
            misplaced(table.play.report, line, values[at])
        else:
            dealt(table.play, line, values[at], values, at + 1)
    elif code == ev.AWARD:
        award(table.play, line, values[at], values[at + 1], False)
    elif code == ev.SHOW:
        read.show(table, line, values[at], values, at + 1)
    elif code == ev.BOARD_WON:
        read.board_result(table, line, values[at + 1], values[at] + 1, float(values[at + 2]))
    elif code == ev.BOARD_TIED:
        read.board_result(table, line, values[at], TIE, 0.0)
    elif code == ev.ALL_IN:
        read.all_in(table, line, values[at])
    elif code == ev.SWEEP:
        read.sweep(table, line, values[at])
    elif ev.FIRST_FAULT <= code <= ev.LAST_FAULT:
        read.fault(sheets, table, line, values[at], code, values, at + 1)
    else:
        stray(table.play, line, code)


@part
def _close_match(sheets: Sheets, table: Table, engines: Engines) -> None:
    """Choose the match's engine profile and give every finding and hand its verdict."""
    match, missed = table.play.match, table.play.missed
    profiles, last = len(engines.masks), sheets.used[records.FINDINGS]
    fill(missed, 0)
    count_missed(sheets.findings, match["first_finding"], last, profiles, -1, missed)
    fitting = 0
    for profile in range(profiles):
        fitting |= int(table.match["seen"] & ~engines.prints[profile] == 0) << profile
    judge(sheets, match, choose_profile(missed, profiles, fitting, sheets.matches[match["number"]]))


@kernel
def walk(
    found: Events,
    first_event: NDArray[np.int64],
    settings: NDArray[np.int64],
    engines: Engines,
    table: Table,
    sheets: Sheets,
    notes: NDArray[np.uint8],
) -> None:
    """Re-execute the hands of some Blotto matches.

    found, first_event  the scanner's events and where each match's begin
    settings            (matches, its words) `heads_up.state.MATCH` as each match begins
    table               scratch for one match
    sheets              out: tables
    notes               (events,) out: LINE_UNKNOWN, LINE_STRAY (in no hand), LINE_REJECTED (hand left out)

    The last hand of a match is left out where its lines stop before it is paid.
    """
    match, hand, values = table.play.match, table.play.hand, found.values
    kept = rows_in_use(sheets.used)
    for number in range(len(settings)):
        _begin_match(table, settings, number, sheets)
        first, last = first_event[number], first_event[number + 1]
        _survey(table.match, found.codes, first, last)
        last_line, hand_event = -1, first
        for k in range(first, last + 1):
            if k == last:
                if not hand["open"] or not _is_whole(table, found.codes[last - 1] + 0):
                    break
                # No line has this code; the last hand is paid where all are.
                code, line, at = END_OF_TEXT, 0, 0
            else:
                # Sums are int64: parts called with other integers would be compiled again.
                code, line, at = found.codes[k] + 0, found.lines[k] + 0, found.args[k] + 0
                notes[k] = 0
            ends = code == ev.ROUND or code == ev.FINAL or code == END_OF_TEXT
            if hand["open"] and ends:
                _pay_hand(sheets, table, line)
                last_line = k - 1
            if code == END_OF_TEXT:
                break
            if code == ev.ROUND:
                kept = rows_in_use(sheets.used)
                hand_event = k
                read.begin(sheets, table, values, at, line)
            elif code == ev.UNKNOWN:
                notes[k] = LINE_UNKNOWN
            elif code == ev.MARKER and framing.is_between_hands(table.play):
                mark(match, line, notes, k)
            elif code == ev.FINAL and last_line == k - 1 and not match["finished"]:
                framing.final(sheets, table.play, line, values, at)
            elif match["finished"] and code == ev.TABLE:
                _total(table, line, values, at)
            elif not hand["open"]:
                notes[k] = LINE_STRAY
            else:
                _read(sheets, table, found, k, last, code, line, at)
        if hand["open"]:
            leave_out(sheets, match, hand, kept, hand_event, last, notes)
        if match["marker_line"]:
            note_markers(found, hand_event, last, notes)
        sheets.matches[number]["end"] = last_line  # event whose line closes the last complete hand
        sheets.matches[number]["hands"] = sheets.used[records.HANDS] - match["first_hand"]
        _close_match(sheets, table, engines)


def replay_boards(
    scanned: Scanned, settings: NDArray[np.int64], game: Game, sheets: Sheets, notes: NDArray[np.uint8]
) -> None:
    """`walk` over matches that were scanned together."""
    engines = Engines(
        np.array([game.mask(p.deviations) for p in game.profiles], np.int64),
        np.array([prints_of(p) for p in game.profiles], np.int64),
    )
    table = new_table(sheets, [game.explained_by(deviation.name) for deviation in game.deviations])
    walk(scanned.events, scanned.first_event, settings, engines, table, sheets, notes)
