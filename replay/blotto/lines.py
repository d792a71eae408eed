"""The lines of a Blotto hand other than the triples, checked and applied as in `heads_up.lines`."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from ...parsers import events
from .. import betting as b
from .. import findings
from ..heads_up.framing import open_hand
from ..heads_up.rows import misplaced, write_fault
from ..heads_up.state import Play, credited, credited_pair, find, misnamed, seat_in_order
from ..heads_up.streets import note_line
from ..records import Sheets, fill
from . import state as t
from .game import BOARDS, DEALT_CARDS, HOLE_CARDS
from .state import Table


@step
def begin(sheets: Sheets, table: Table, values: NDArray[np.int64], at: int, line: int) -> None:
    """A round line: number, then dealer and opponent with their bankrolls; boards without a card."""
    open_hand(sheets, table.play, values, at, line)
    table.play.hand["turn"] = -2
    fill(table.hand_words, 0)
    fill(table.board_words, 0)
    for board in range(BOARDS):
        table.counts[board, 0] = table.counts[board, 1] = 0


@part
def send(table: Table, line: int, values: NDArray[np.int64], at: int) -> int:
    """Keep the cards that a line assigns to a board; the board's number."""
    hand, count = table.play.hand, values[at]
    board: int = values[at + 1 + count]
    if board == table.hand["slot"] + 1 and board <= BOARDS and hand["turn"] < 0 and not table.hand["lost"]:
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
    if table.hand["lost"] and not hand["awarded"]:
        return
    count = values[at]
    board = values[at + 1 + count + 5] - 1
    if not _opens_board(table, line, board, True) or code - events.FLOP + 1 != hand["street"]:
        t.lose(table, line, -1)
        return
    due = HOLE_CARDS + hand["street"]
    if count != due:
        find(report, line, -1, findings.BOARD_SIZE, float(due), float(count))
    for k in range(min(count, due)):
        card = values[at + 1 + k]
        if k < boards["size"][board]:
            if card != table.cards[board, k]:
                find(report, line, -1, findings.BOARD, float(table.cards[board, k]), float(card))
        else:
            repeated = hand["seen"] >> card & 1 > 0
            for before in range(k):
                repeated = repeated or table.cards[board, before] == card
            if repeated:
                find(report, line, -1, findings.DECK, -1.0, float(card))
            table.cards[board, k] = card
            boards["size"][board] = k + 1
    at += count + 1
    _check_pot(table.play, line, board, values[at])
    first = credited_pair(report, line, values[at + 1], values[at + 3], hand["dealer"])
    for k in range(2):
        seat, stack = first if k == 0 else 1 - first, values[at + 2 + 2 * k]
        left = b.left(hand, seat)
        if stack != left:
            find(report, line, seat, findings.STACKS, left, float(stack))
    note_line(table.play, line)


@part
def folded_board(table: Table, line: int, number: int, logged: int) -> None:
    """The line of a board that is folded."""
    hand = table.play.hand
    if table.hand["lost"] and not hand["awarded"]:
        return
    if _opens_board(table, line, number - 1, False):
        _check_pot(table.play, line, number - 1, logged)
    else:
        t.lose(table, line, -1)


@part
def _opens_board(table: Table, line: int, board: int, live: bool) -> bool:
    """Whether a street's line for a board fits here; the first of three begins the street."""
    hand, report = table.play.hand, table.play.report
    if board != table.hand["street_slot"] or board >= BOARDS or hand["awarded"] or hand["dealt"] < 2:
        return False
    if (hand["active"][board] > 1) != live:
        return False
    if board == 0:
        if hand["street"] > 2 or hand["folded"] >= 0:
            return False
        if not hand["closed"]:
            find(report, line, -1, findings.STREET, 0.0, 0.0)
            hand["broken"] += 1
        b.next_street(hand)
    table.hand["street_slot"] = (table.hand["street_slot"] + 1) % BOARDS
    if hand["street"] == 3 and table.hand["street_slot"] == 0:
        hand["on_last_street"] = 1
    return True


@part
def _check_pot(play: Play, line: int, board: int, logged: int) -> None:
    pot = b.pot(play.hand, board)
    if logged != pot:
        find(play.report, line, -1, findings.POT, pot, float(logged))


@step
def show(table: Table, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """Read a shown hand: both players show on every board without a fold, in order of the boards, the dealer first."""
    hand, boards, report = table.play.hand, table.boards, table.play.report
    if table.hand["lost"] and not hand["awarded"]:
        return
    count = values[at]
    board = values[at + 1 + count] - 1
    while table.hand["shows"] < 2 * BOARDS and hand["active"][table.hand["shows"] // 2] < 2:
        table.hand["shows"] += 2
    at_showdown = hand["closed"] and hand["on_last_street"] and not hand["awarded"]
    if not at_showdown or board != table.hand["shows"] // 2 or board >= BOARDS:
        find(report, line, named, findings.SHOW_UNASKED, 0.0, 0.0)
        return
    due = seat_in_order(hand, table.hand["shows"] % 2)
    again = boards["shown"][board] >> named & 1 > 0
    seat = credited(report, line, named, due, again, findings.SEATS)
    table.hand["shows"] += 1
    if seat < 0:
        return
    held = table.counts[board, seat]
    if count != held:
        find(report, line, seat, findings.DEAL, float(held), float(count))
    for k in range(min(count, held)):
        card = values[at + 1 + k]
        if card != table.holes[board, seat, k]:
            find(report, line, seat, findings.SHOW, float(table.holes[board, seat, k]), float(card))
    boards["shown"][board] |= 1 << seat
    hand["shown"] |= 1 << seat


@part
def board_result(table: Table, line: int, number: int, said: int, chips: float) -> None:
    """Read a board's winner, which annotated logs print between the shows; said is seat + 1, 3 for a tie."""
    hand, boards = table.play.hand, table.boards
    board = number - 1
    if table.hand["lost"] and not hand["awarded"]:
        return
    between = table.hand["shows"] // 2 == board and table.hand["shows"] % 2 == 1
    if not between or hand["awarded"] or not 0 <= board < BOARDS or boards["won"][board]:
        misplaced(table.play.report, line, -1)
        return
    boards["won"][board], boards["won_line"][board] = said, line
    table.boards["won_chips"][board] = chips


@part
def all_in(table: Table, line: int, named: int) -> None:
    """The player's next three actions take the last chip."""
    hand = table.play.hand
    if table.hand["lost"] and not hand["awarded"]:
        return
    betting = (
        hand["dealt"] == 2 and hand["turn"] >= 0 and not hand["closed"] and not table.hand["street_slot"]
    )
    if not betting or table.hand["slot"] or table.hand["all_in_said"]:
        t.lose(table, line, named)
        return
    seat = b.actor(hand)
    if named != seat:
        misnamed(table.play.report, line, named, seat, findings.TURN)
    table.hand["all_in_said"] = line


@part
def sweep(table: Table, line: int, named: int) -> None:
    """The opponent won nothing at all; `settling` says whether it is so."""
    hand = table.play.hand
    if table.hand["lost"] and not hand["awarded"]:
        return
    at_end = hand["closed"] and (hand["on_last_street"] or hand["folded"] >= 0)
    if not at_end or hand["awarded"] or table.hand["swept"]:
        misplaced(table.play.report, line, named)
        return
    table.hand["swept"] = named + 1


@part
def _note_fault(hand: np.void, code: int, board: int) -> None:
    hand["faulted"] = 1
    if code == events.ILLEGAL_CHECK:
        hand["faults"][0] += 1
    elif code == events.ILLEGAL_FOLD:
        hand["faults"][1] += 1
    elif code == events.ILLEGAL_CALL:
        hand["faults"][2] += 1
    elif code == events.ILLEGAL_RAISE:
        hand["faults"][3] += 1
    elif code == events.ILLEGAL_ASSIGN:
        hand["faults"][4] += 1
    elif code == events.BELOW_MINIMUM:
        hand["low_fault"] |= 1 << (board - 1)
    elif code == events.UNMATCHABLE:
        hand["cut_fault"] = 1
    else:
        hand["whole_fault"] = 1


@part
def fault(
    sheets: Sheets, table: Table, line: int, named: int, code: int, values: NDArray[np.int64], at: int
) -> None:
    """A fault line: before a triple, or after the awards for the acknowledgement."""
    match, hand = table.play.match, table.play.hand
    deciding = hand["dealt"] == 2 and not hand["closed"] and not hand["awarded"]
    deciding = deciding and not table.hand["street_slot"] and not table.hand["slot"]
    seat = named
    if match["same_names"]:
        seat = b.actor(hand) if deciding else -1
    text_at, text_size = 0, 0
    if code == events.MISFORMATTED:
        text_at, text_size = values[at], values[at + 1]
    write_fault(sheets, table.play, line, seat, code, text_at, text_size)
    if table.hand["lost"] and not hand["awarded"]:
        return
    board = values[at] if code == events.BELOW_MINIMUM else 1
    if not 0 < board <= BOARDS:
        misplaced(table.play.report, line, named)
    elif deciding:
        actor = b.actor(hand)
        if seat != actor:
            find(table.play.report, line, seat, findings.TURN, float(actor), float(seat))
        _note_fault(table.hand, code, board)
    elif hand["awarded"] != 2:
        misplaced(table.play.report, line, named)
