"""The lines of a Blotto hand other than the triples, checked and applied as in `heads_up.lines`."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from ...parsers import events
from .. import findings, records
from ..heads_up import betting as b
from ..heads_up import state as s
from ..heads_up.opening import open_hand
from ..heads_up.rows import misplaced
from ..heads_up.state import AWARD_LINE, Report, credited, credited_pair, find, misnamed, seat_in_order
from ..heads_up.streets import note_line
from ..records import Sheets
from . import betting as play
from . import state as t
from .game import BOARD_CARDS, BOARDS, DEALT_CARDS, HOLE_CARDS
from .rows import act, rows_of
from .state import Table


@step
def begin(sheets: Sheets, table: Table, values: NDArray[np.int64], at: int, line: int) -> None:
    """A round line: number, then dealer and opponent with their bankrolls; three boards without a card."""
    hand = table.play.hand
    # The engine adds chips to the pots.
    open_hand(sheets, table.play, values, at, line, False)
    hand[b.TURN], hand[b.FOLDED] = -2, -1
    _clear_boards(table)


@part
def _clear_boards(table: Table) -> None:
    for board in range(BOARDS):
        for field in range(table.boards.shape[0]):
            table.boards[field, board] = 0
        table.boards[t.LIVE, board] = 1
        table.boards[t.FOLDER, board] = table.boards[t.AGGRESSOR, board] = -1
        for seat in range(2):
            table.chips[t.PIP, board, seat] = table.chips[t.PUT, board, seat] = 0
            table.counts[board, seat] = 0


@part
def award(table: Table, line: int, named: int, amount: int) -> None:
    """The change of each bankroll, dealer first; `settling` says whether it is right."""
    hand, report = table.play.hand, table.play.report
    ended = hand[t.LOST] or (hand[b.CLOSED] and hand[b.BOARD_SIZE] == BOARD_CARDS)
    ended = ended or play.all_folded(table.boards)
    if hand[b.AWARDED] > 1 or (hand[b.AWARDED] == 0 and not ended):
        misplaced(report, line, named)
        if hand[b.AWARDED] > 1:
            return
    due = seat_in_order(hand, hand[b.AWARDED])
    again = not np.isnan(table.play.chips[b.AWARD, named])
    seat = credited(report, line, named, due, again, findings.SEATS)
    hand[b.AWARDED] += 1
    if seat < 0:
        return
    table.play.chips[b.AWARD, seat] = amount
    table.play.marks[AWARD_LINE] = line


@step
def blind(sheets: Sheets, table: Table, line: int, named: int, amount: int) -> None:
    """The dealer posts the small blind on each board, then the other player the big blind."""
    hand, match = table.play.hand, table.play.match
    if hand[b.POSTED] > 1 or hand[b.DEALT] or hand[b.AWARDED]:
        misplaced(table.play.report, line, named)
        return
    seat = seat_in_order(hand, hand[b.POSTED])
    blind = float(match[s.SMALL_BLIND] if hand[b.POSTED] == 0 else match[s.BIG_BLIND])
    if named != seat:
        misnamed(table.play.report, line, named, seat, findings.BLIND_ORDER)
    if amount != blind:
        find(table.play.report, line, seat, findings.BLIND, blind, float(amount))
    own = match[s.STACK] - table.play.chips[b.PUT, seat]
    other = match[s.STACK] - table.play.chips[b.PUT, 1 - seat]
    rows = rows_of(sheets, table)
    for board in range(BOARDS):
        act(rows, board, seat, line, records.POST, records.FORCED, blind, own, other)
        play.put(table.chips, table.play.chips, board, seat, blind)
        table.boards[t.LEVEL, board] = hand[b.POSTED]
    hand[b.POSTED] += 1


@part
def _is_dealt(holes: NDArray[np.int8], card: int) -> bool:
    for seat in range(2):
        for k in range(holes[seat, 0]):
            if holes[seat, 1 + k] == card:
                return True
    return False


@step
def dealt(table: Table, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """Six cards, the dealer's first."""
    hand, holes, report = table.play.hand, table.play.holes, table.play.report
    if hand[b.DEALT] > 1 or hand[b.POSTED] < 2 or hand[t.SLOT] or hand[b.TURN] != -2 or hand[b.AWARDED]:
        misplaced(report, line, named)
        return
    again = holes[named, 0] > 0
    seat = credited(report, line, named, seat_in_order(hand, hand[b.DEALT]), again, findings.DEAL_ORDER)
    hand[b.DEALT] += 1
    note_line(table.play, line)
    if seat < 0:
        return
    count = values[at]
    if count != DEALT_CARDS:
        find(report, line, seat, findings.DEAL, float(DEALT_CARDS), float(count))
    for k in range(min(count, DEALT_CARDS)):
        card = values[at + 1 + k]
        if _is_dealt(holes, card):
            find(report, line, seat, findings.DECK, -1.0, float(card))
        holes[seat, 1 + k] = card
        holes[seat, 0] = k + 1


@part
def send(table: Table, line: int, values: NDArray[np.int64], at: int) -> int:
    """Keep the cards that a line assigns to a board; the board's number."""
    hand, count = table.play.hand, values[at]
    board: int = values[at + 1 + count]
    if board == hand[t.SLOT] + 1 and board <= BOARDS and hand[b.TURN] < 0 and not hand[t.LOST]:
        seat = b.actor(hand)
        kept = min(count, DEALT_CARDS)
        for k in range(kept):
            table.holes[board - 1, seat, k] = values[at + 1 + k]
        table.counts[board - 1, seat] = kept
        note_line(table.play, line)
    return board


@step
def street(table: Table, line: int, code: int, values: NDArray[np.int64], at: int) -> None:
    """A board's line of a street: its cards, its pot, and the stacks, dealer first."""
    hand, boards, report = table.play.hand, table.boards, table.play.report
    if hand[t.LOST] and not hand[b.AWARDED]:
        return
    count = values[at]
    board = values[at + 1 + count + 5] - 1
    if (
        not _opens_board(report, boards, table.chips, line, board, True)
        or code - events.FLOP + 1 != hand[b.STREET]
    ):
        t.lose(report, line, -1)
        return
    due = HOLE_CARDS + hand[b.STREET]
    if count != due:
        find(report, line, -1, findings.BOARD_SIZE, float(due), float(count))
    for k in range(min(count, due)):
        card = values[at + 1 + k]
        if k < boards[t.SIZE, board]:
            if card != table.cards[board, k]:
                find(report, line, -1, findings.BOARD, float(table.cards[board, k]), float(card))
        else:
            repeated = _is_dealt(table.play.holes, card)
            for before in range(k):
                repeated = repeated or table.cards[board, before] == card
            if repeated:
                find(report, line, -1, findings.DECK, -1.0, float(card))
            table.cards[board, k] = card
            boards[t.SIZE, board] = k + 1
    at += count + 1
    _check_pot(report, table.chips, line, board, values[at])
    first = credited_pair(report, line, values[at + 1], values[at + 3], hand[b.DEALER] + 0)
    for k in range(2):
        seat, stack = first if k == 0 else 1 - first, values[at + 2 + 2 * k]
        left = table.play.match[s.STACK] - table.play.chips[b.PUT, seat]
        if stack != left:
            find(report, line, seat, findings.STACKS, left, float(stack))
    note_line(table.play, line)


@part
def folded_board(table: Table, line: int, number: int, logged: int) -> None:
    """The line of a board that is folded."""
    hand = table.play.hand
    if hand[t.LOST] and not hand[b.AWARDED]:
        return
    if _opens_board(table.play.report, table.boards, table.chips, line, number - 1, False):
        _check_pot(table.play.report, table.chips, line, number - 1, logged)
    else:
        t.lose(table.play.report, line, -1)


@part
def _opens_board(
    report: Report, boards: play.Ints, chips: play.Chips, line: int, board: int, live: bool
) -> bool:
    """Whether a street's line for a board can stand here; the first of three begins the street."""
    hand = report.hand
    if board != hand[t.STREET_SLOT] or board >= BOARDS or hand[b.AWARDED] or hand[b.DEALT] < 2:
        return False
    if (boards[t.LIVE, board] > 0) != live:
        return False
    if board == 0:
        if hand[b.STREET] > 2 or play.all_folded(boards):
            return False
        if not hand[b.CLOSED]:
            find(report, line, -1, findings.STREET, 0.0, 0.0)
            hand[b.BROKEN] += 1
        play.next_street(hand, boards, chips)
    hand[t.STREET_SLOT] = (hand[t.STREET_SLOT] + 1) % BOARDS
    if hand[b.STREET] == 3 and hand[t.STREET_SLOT] == 0:
        hand[b.BOARD_SIZE] = BOARD_CARDS
    return True


@part
def _check_pot(report: Report, chips: play.Chips, line: int, board: int, logged: int) -> None:
    pot = t.pot(chips, board, float(report.match[s.BIG_BLIND]))
    if logged != pot:
        find(report, line, -1, findings.POT, pot, float(logged))


@step
def show(table: Table, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """Both players show on every board that nobody folded, in order of the boards, the dealer first."""
    hand, boards, report = table.play.hand, table.boards, table.play.report
    if hand[t.LOST] and not hand[b.AWARDED]:
        return
    count = values[at]
    board = values[at + 1 + count] - 1
    while hand[t.SHOWS] < 2 * BOARDS and not boards[t.LIVE, hand[t.SHOWS] // 2]:
        hand[t.SHOWS] += 2
    at_showdown = hand[b.CLOSED] and hand[b.BOARD_SIZE] == BOARD_CARDS and not hand[b.AWARDED]
    if not at_showdown or board != hand[t.SHOWS] // 2 or board >= BOARDS:
        find(report, line, named, findings.SHOW_UNASKED, 0.0, 0.0)
        return
    due = seat_in_order(hand, hand[t.SHOWS] % 2)
    again = boards[t.SHOWN, board] >> named & 1 > 0
    seat = credited(report, line, named, due, again, findings.SEATS)
    hand[t.SHOWS] += 1
    if seat < 0:
        return
    held = table.counts[board, seat]
    if count != held:
        find(report, line, seat, findings.DEAL, float(held), float(count))
    for k in range(min(count, held)):
        card = values[at + 1 + k]
        if card != table.holes[board, seat, k]:
            find(report, line, seat, findings.SHOW, float(table.holes[board, seat, k]), float(card))
    boards[t.SHOWN, board] |= 1 << seat
    hand[b.SHOWN] |= 1 << seat


@part
def board_result(table: Table, line: int, number: int, said: int, chips: float) -> None:
    """An annotated log tells each board's winner between the shows; said is seat + 1, 3 for a tie."""
    hand, boards = table.play.hand, table.boards
    board = number - 1
    if hand[t.LOST] and not hand[b.AWARDED]:
        return
    between = hand[t.SHOWS] // 2 == board and hand[t.SHOWS] % 2 == 1
    if not between or hand[b.AWARDED] or not 0 <= board < BOARDS or boards[t.WON, board]:
        misplaced(table.play.report, line, -1)
        return
    boards[t.WON, board], boards[t.WON_LINE, board] = said, line
    table.amounts[t.WON_CHIPS, board] = chips


@part
def all_in(table: Table, line: int, named: int) -> None:
    """The player's next three actions take his last chip."""
    hand = table.play.hand
    if hand[t.LOST] and not hand[b.AWARDED]:
        return
    betting = hand[b.DEALT] == 2 and hand[b.TURN] >= 0 and not hand[b.CLOSED] and not hand[t.STREET_SLOT]
    if not betting or hand[t.SLOT] or hand[t.ALL_IN_SAID]:
        t.lose(table.play.report, line, named)
        return
    seat = b.actor(hand)
    if named != seat:
        misnamed(table.play.report, line, named, seat, findings.TURN)
    hand[t.ALL_IN_SAID] = line


@part
def sweep(table: Table, line: int, named: int) -> None:
    """The opponent won nothing at all; `settling` says whether it is so."""
    hand = table.play.hand
    if hand[t.LOST] and not hand[b.AWARDED]:
        return
    at_end = hand[b.CLOSED] and (hand[b.BOARD_SIZE] == BOARD_CARDS or play.all_folded(table.boards))
    if not at_end or hand[b.AWARDED] or hand[t.SWEPT]:
        misplaced(table.play.report, line, named)
        return
    hand[t.SWEPT] = named + 1


@part
def _note_fault(hand: NDArray[np.int64], code: int, board: int) -> None:
    hand[t.FAULTED] = 1
    if code == events.ILLEGAL_CHECK:
        hand[t.CHECK_FAULTS] += 1
    elif code == events.ILLEGAL_FOLD:
        hand[t.FOLD_FAULTS] += 1
    elif code == events.ILLEGAL_CALL:
        hand[t.CALL_FAULTS] += 1
    elif code == events.ILLEGAL_RAISE:
        hand[t.RAISE_FAULTS] += 1
    elif code == events.ILLEGAL_ASSIGN:
        hand[t.ASSIGN_FAULTS] += 1
    elif code == events.BELOW_MINIMUM:
        hand[t.LOW_FAULT] |= 1 << (board - 1)
    elif code == events.UNMATCHABLE:
        hand[t.CUT_FAULT] = 1
    else:
        hand[t.WHOLE_FAULT] = 1


@part
def fault(
    sheets: Sheets, table: Table, line: int, named: int, code: int, values: NDArray[np.int64], at: int
) -> None:
    """A fault line: before a triple, or after the awards for the acknowledgement."""
    match, hand = table.play.match, table.play.hand
    row = sheets.faults[records.next_row(sheets.used, records.FAULTS, len(sheets.faults))]
    deciding = hand[b.DEALT] == 2 and not hand[b.CLOSED] and not hand[b.AWARDED]
    deciding = deciding and not hand[t.STREET_SLOT] and not hand[t.SLOT]
    seat = named
    if match[s.SAME_NAMES]:
        seat = b.actor(hand) if deciding else -1
    row["hand"], row["line"], row["seat"], row["code"] = hand[b.ROW], line, seat, code
    row["text_at"], row["text_size"] = 0, 0
    if code == events.MISFORMATTED:
        row["text_at"], row["text_size"] = values[at], values[at + 1]
    if code in (events.GONE, events.LATE) and seat >= 0:
        match[s.GONE_0 + seat] = 1
    if hand[t.LOST] and not hand[b.AWARDED]:
        return
    board = values[at] if code == events.BELOW_MINIMUM else 1
    if not 0 < board <= BOARDS:
        misplaced(table.play.report, line, named)
    elif deciding:
        actor = b.actor(hand)
        if seat != actor:
            find(table.play.report, line, seat, findings.TURN, float(actor), float(seat))
        _note_fault(hand, code, board)
    elif hand[b.AWARDED] != 2:
        misplaced(table.play.report, line, named)
