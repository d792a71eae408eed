"""The end of a Blotto hand: what each board pays, whether the awards say so, and the rows of the hand."""

import numpy as np

from ...jit.compile import part, step
from .. import betting as b
from .. import findings, records
from ..evaluator import strength_of
from ..heads_up import state as s
from ..heads_up.settling import write_seat
from ..heads_up.state import find
from ..records import Sheets, keep, write_card_lines
from .game import BOARD_CARDS, BOARDS, SILENT_PRINT, TIE
from .state import Table


@part
def _strength(table: Table, board: int, seat: int) -> int:
    """The best five of the board's cards and those the seat sent there."""
    cards, count = table.scratch, table.counts[board, seat]
    for k in range(BOARD_CARDS):
        cards[k] = table.cards[board, k]
    for k in range(count):
        cards[BOARD_CARDS + k] = table.holes[board, seat, k]
    strength: int = strength_of(cards, BOARD_CARDS + count)
    return strength


@step
def winner_of(table: Table, board: int) -> int:
    """The seat to which a board's pot goes, -1 if it is split."""
    if table.play.hand["active"][board] < 2:
        winner: int = 1 - table.play.hand["folder"][board]
        return winner
    one, two = _strength(table, board, 0), _strength(table, board, 1)
    return 0 if one > two else 1 if two > one else -1


@step
def pay_board(table: Table, board: int, winner: int) -> None:
    """Pay the pot with its inflation to the winner; a split pot is halved, and an odd chip goes to no player."""
    pot = b.pot(table.play.hand, board)
    for seat in range(2):
        paid = pot if seat == winner else 0.0
        table.chips["paid"][board, seat] = np.floor(pot / 2) if winner < 0 else paid


@part
def _check_board(table: Table, board: int, winner: int) -> None:
    """Check an annotated log's line about a shown board."""
    boards, report = table.boards, table.play.report
    said, line = boards["won"][board], boards["won_line"][board]
    due = winner + 1 if winner >= 0 else TIE
    if not said:
        line = table.play.marks[s.AWARD_LINE] + 0
    if said != due:
        find(report, line, -1, findings.BOARD_RESULT, float(due - 1), float(said - 1))
    elif winner >= 0:
        # The log leaves out what the winner bet on the river.
        pot = b.pot(table.play.hand, board) - table.play.hand["pip"][board, winner]
        if table.boards["won_chips"][board] != pot:
            find(report, line, winner, findings.BOARD_WINNINGS, pot, table.boards["won_chips"][board])


@step
def _check_sweep(table: Table, won_0: float, won_1: float) -> None:
    match, report = table.play.match, table.play.report
    line = table.play.marks[s.AWARD_LINE] + 0
    due = 1 if won_1 == 0 else 2 if won_0 == 0 else 0
    if table.match["modern"]:
        said = table.hand["swept"]
        if match["same_names"] and said and due:
            said = due
        if said and said != due:
            opponent = won_1 if said == 1 else won_0
            find(report, line, said - 1, findings.SWEEP, opponent, 0.0)
        elif due and not said:
            find(report, line, due - 1, findings.SWEEP_MISSING, 0.0, 0.0)
    elif due:
        table.match["seen"] |= SILENT_PRINT


@step
def _is_decided(table: Table) -> bool:
    hand, boards = table.play.hand, table.boards
    decided: bool = hand["broken"] == 0 and hand["closed"] == 1 and table.hand["street_slot"] == 0
    for board in range(BOARDS):
        live = hand["active"][board] > 1
        decided = decided and not (live and boards["size"][board] < BOARD_CARDS)
    return decided


@part
def settle(sheets: Sheets, table: Table) -> None:
    """Pay the hand by the rules, compare with the awards, and complete its rows."""
    hand, match, chips = table.play.hand, table.play.match, table.play.chips
    boards, report = table.boards, table.play.report
    hand["paid"] = 1
    decided = _is_decided(table)
    won_0, won_1 = 0.0, 0.0
    live = 0
    shows_missing = False
    for board in range(BOARDS):
        live += hand["active"][board] > 1
        table.chips["paid"][board, 0] = table.chips["paid"][board, 1] = np.nan
        if decided:
            winner = winner_of(table, board)
            pay_board(table, board, winner)
            if hand["active"][board] > 1:
                shows_missing = shows_missing or boards["shown"][board] != 3
                if table.match["annotated"]:
                    _check_board(table, board, winner)
        won_0 += table.chips["paid"][board, 0]
        won_1 += table.chips["paid"][board, 1]
        table.chips["sum"][board, 0] += table.chips["paid"][board, 0]
        table.chips["sum"][board, 1] += table.chips["paid"][board, 1]
        _write_board(sheets, table, board, decided)
    if not decided:
        match["whole"] = 0
    record = sheets.hands[hand["row"]]
    record["streets"] = hand["street"] + 1
    record["ended_by"] = (
        records.BY_FOLD if live == 0 else records.BY_SHOWDOWN if live == BOARDS else records.BY_BOTH
    )
    if shows_missing:
        find(report, table.play.marks[s.AWARD_LINE] + 0, -1, findings.SHOW_MISSING, 2.0, 1.0)
    if decided:
        _check_sweep(table, won_0, won_1)
    wrong = False
    for seat in range(2):
        written = (won_0 if seat == 0 else won_1) - hand["spent"][seat]
        logged = chips["award"][seat]
        if decided and logged != written:
            line = table.play.marks[s.AWARD_LINE] - (1 if seat == hand["dealer"] else 0)
            found = find(report, line, seat, findings.AWARD, written, logged)
            sheets.findings[found]["chips"] = logged - written
            wrong = True
        write_seat(sheets, table.play, seat, written)
        out = sheets.seats[2 * hand["row"] + seat]
        out["engine"], out["flags"] = written, 0
    for seat in range(2):
        written = (won_0 if seat == 0 else won_1) - hand["spent"][seat]
        # Only one award is wrong: the next bankrolls show which, so they are right.
        sums = chips["award"][0] + chips["award"][1]
        balanced = sums == won_0 + won_1 - hand["spent"][0] - hand["spent"][1]
        paid = written if wrong and not balanced else chips["award"][seat]
        chips["due"][seat] = chips["bank"][seat] + written
        chips["carry"][seat] = chips["bank"][seat] + paid
    # The cards are the boards'.
    record["board_count"] = 0
    write_card_lines(sheets, table.play.hand, table.play.lines)


@step
def _write_board(sheets: Sheets, table: Table, board: int, decided: bool) -> None:
    hand, used = table.play.hand, sheets.used
    live = hand["active"][board] > 1
    out = sheets.pots[records.next_row(used, records.POTS, len(sheets.pots))]
    out["hand"], out["board"] = hand["row"], board + 1
    size = table.boards["size"][board]
    out["cards"] = keep(sheets.pot_cards, used, records.POT_CARDS, table.cards[board], 0, size)
    sent = table.holes[board]
    out["hole_0"] = keep(sheets.pot_holes, used, records.POT_HOLES, sent[0], 0, table.counts[board, 0] + 0)
    out["hole_1"] = keep(sheets.pot_holes, used, records.POT_HOLES, sent[1], 0, table.counts[board, 1] + 0)
    ending = records.BY_SHOWDOWN if live else records.BY_FOLD
    out["ended_by"] = ending if decided or not live else -1
    out["pot"], out["free"] = b.pot(hand, board), hand["free"][board]
    out["put_0"], out["put_1"] = hand["put"][board, 0], hand["put"][board, 1]
    out["paid_0"], out["paid_1"] = table.chips["paid"][board, 0], table.chips["paid"][board, 1]
