"""A player's three actions: cards sent to the boards, then bets, legal on each board and on all three together.

The log does not say which actions the engine put in place of illegal ones.
"""

import numpy as np

from ...jit.compile import part, step
from ...parsers import events
from .. import betting as b
from .. import findings, records
from ..heads_up.rows import act
from ..heads_up.state import find, misnamed
from ..records import Sheets
from . import state as t
from .game import (
    ASSIGNMENT,
    BOARDS,
    CUT_DOWN,
    DEALT_CARDS,
    EMPTY_CALL,
    HOLE_CARDS,
    OVERSPENT,
    SILENT_PRINT,
    UNMATCHED,
    WAIVED,
)
from .state import FAULT_KINDS, Table


@part
def _explain(sheets: Sheets, table: Table, found: int, deviation: int) -> None:
    sheets.findings[found]["explained"] = table.match["explains"][deviation]


@step
def _check_raise(
    sheets: Sheets, table: Table, board: int, seat: int, own: float, other: float, all_in: bool, left: float
) -> bool:
    """Whether a bet or raise is legal on its board; False if its size is impossible.

    left is what the opponent can still match after the raises on the boards before.
    """
    hand, report = table.play.hand, table.play.report
    line, amount = table.boards["line"][board], table.boards["raise_to"][board]
    call = b.to_call(hand, board, seat)
    first = hand["pip"][board, 0] == 0 and hand["pip"][board, 1] == 0
    if first != (table.boards["code"][board] == events.BET):
        find(report, line, seat, findings.WORDING, 0.0, 0.0)
    high = b.largest_raise(hand, board, seat, own, other)
    low = b.smallest_raise(hand, board, seat, own, other, float(table.play.match["big_blind"]))
    if own <= call or other <= 0:
        found = find(report, line, seat, findings.RAISE, 0.0, amount)
        if (own < 0 or other < 0) and amount == high:
            _explain(sheets, table, found, OVERSPENT)
        return False
    if amount > high:
        find(report, line, seat, findings.TOO_LARGE, high, amount)
        return False
    if amount < low:
        found = find(report, line, seat, findings.TOO_SMALL, low, amount)
        more = amount - hand["pip"][board, 1 - seat]
        if more > 0 and table.hand["cut_fault"] and more == left:
            _explain(sheets, table, found, CUT_DOWN)
        elif more > 0 and (all_in or table.hand["cut_fault"]):
            _explain(sheets, table, found, WAIVED)
    return True


@step
def _check_sums(
    sheets: Sheets,
    table: Table,
    seat: int,
    own: float,
    other: float,
    spent: float,
    raised: float,
    possible: bool,
) -> None:
    """Check the total cost of the three actions, and the all-in line."""
    report = table.play.report
    line = table.boards["line"][BOARDS - 1]
    if possible and spent > own and spent > 0:
        _explain(sheets, table, find(report, line, seat, findings.SPENT, own, spent), OVERSPENT)
    if possible and raised > other and raised > 0:
        _explain(sheets, table, find(report, line, seat, findings.UNMATCHED, other, raised), UNMATCHED)
    if table.hand["cut_fault"]:
        if not table.hand["low_fault"] and raised != other:
            find(report, table.boards["line"][0], seat, findings.FAULT, 0.0, 0.0)
        return
    all_in = spent == own and spent > 0
    if table.match["modern"]:
        if table.hand["all_in_said"] and not all_in:
            find(report, table.hand["all_in_said"], seat, findings.ALL_IN, own - spent, 0.0)
        elif all_in and not table.hand["all_in_said"]:
            find(report, line, seat, findings.ALL_IN_MISSING, 0.0, 0.0)
    elif all_in:
        table.match["seen"] |= SILENT_PRINT


@step
def _bet(sheets: Sheets, table: Table) -> None:
    """A whole triple of the betting."""
    hand, match, boards, report = table.play.hand, table.play.match, table.boards, table.play.report
    seat = b.actor(hand)
    before = hand["spent"][seat] + 0.0
    own, other = b.left(hand, seat), b.left(hand, 1 - seat)
    whole = table.hand["whole_fault"] > 0 or match["gone"][seat] > 0
    replaced = 0 if whole or not table.hand["faulted"] else stand_ins(table, seat)
    spent, raised = 0.0, 0.0
    for board in range(BOARDS):
        if boards["named"][board] != seat:
            misnamed(report, boards["line"][board], boards["named"][board], seat, findings.TURN)
        if b.is_active(hand, board):
            code, amount = boards["code"][board], table.boards["raise_to"][board]
            if code == events.CALL:
                spent += b.to_call(hand, board, seat)
            elif code == events.BET or code == events.RAISE:
                spent += amount - hand["pip"][board, seat]
                raised += amount - hand["pip"][board, 1 - seat]
    all_in, left, possible = spent == own, other, True
    for board in range(BOARDS):
        code, line = boards["code"][board], boards["line"][board]
        amount = table.boards["raise_to"][board]
        action = code - events.FOLD + records.FOLD
        if not b.is_active(hand, board):
            if code != events.CHECK:
                find(report, line, seat, findings.DUMMY, 0.0, 0.0)
            act(sheets, table.play, line, board, seat, action, records.DUMMY, amount, before)
            continue
        call = b.to_call(hand, board, seat)
        raises = code == events.BET or code == events.RAISE
        low = (table.hand["low_fault"] >> board) & 1
        cut = table.hand["cut_fault"] > 0 and (
            (raises and amount - hand["pip"][board, 1 - seat] == left) or (code == events.CALL and left <= 0)
        )
        origin = records.CHOICE
        if whole or replaced >> board & 1 or low or cut:
            origin = records.SUBSTITUTE
        elif call == 0 and (own <= 0 or other <= 0):
            origin = records.ALLIN
        wanted = events.CHECK if call <= 0 else events.CALL if low else events.FOLD
        if (whole or low) and code != wanted:
            find(report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
        act(sheets, table.play, line, board, seat, action, origin, amount, before)
        if code == events.FOLD:
            if call == 0:
                find(report, line, seat, findings.FREE_FOLD, 0.0, 0.0)
            b.fold(hand, board, seat)
        elif code == events.CHECK:
            if call > 0:
                find(report, line, seat, findings.CHECK, call, 0.0)
            b.check(hand, board)
        elif code == events.CALL:
            if call <= 0:
                found = find(report, line, seat, findings.CALL, 0.0, 0.0)
                _explain(sheets, table, found, CUT_DOWN if cut else EMPTY_CALL)
            b.call(hand, board, seat)
        else:
            more = amount - hand["pip"][board, 1 - seat]
            possible = _check_raise(sheets, table, board, seat, own, other, all_in, left) and possible
            left -= more
            b.bet_or_raise(hand, board, seat, amount)
    _check_sums(sheets, table, seat, own, other, spent, raised, possible)


@step
def read_action(
    sheets: Sheets, table: Table, line: int, code: int, named: int, board: int, amount: float
) -> None:
    """A line of a triple; with the third the triple is judged. Boards come in order, from 1."""
    hand = table.play.hand
    if table.hand["lost"] and not hand["awarded"]:
        return
    early = hand["dealt"] < 2 or (hand["turn"] < 0) != (code == events.ASSIGN)
    if hand["turn"] < 0 and (code == events.FOLD or code == events.CHECK):
        early = hand["dealt"] < 2
    if board != table.hand["slot"] + 1 or early or hand["closed"] or table.hand["street_slot"]:
        t.lose(table, line, named)
        return
    slot = table.hand["slot"]
    table.boards["code"][slot] = code
    table.boards["named"][slot] = named
    table.boards["line"][slot] = line
    table.boards["raise_to"][slot] = amount
    table.hand["slot"] += 1
    if table.hand["slot"] < BOARDS:
        return
    table.hand["slot"] = 0
    if hand["turn"] < 0:
        assigned(sheets, table)
    else:
        _bet(sheets, table)
    b.after_turn(hand, False)
    if table.hand["faulted"]:
        forget_faults(table.hand)
    table.hand["all_in_said"] = 0


@part
def due(table: Table, board: int, seat: int) -> int:
    """The event of the action that the engine takes for a player: a check if it is legal, else a fold."""
    if not b.is_active(table.play.hand, board):
        return events.CHECK
    if table.play.hand["turn"] < 0 or b.to_call(table.play.hand, board, seat) > 0:
        return events.FOLD
    return events.CHECK


@part
def _could_be(table: Table, board: int, seat: int, kind: int) -> bool:
    """True if a kind of action is illegal on a board; kinds are those of `state.HAND`'s faults."""
    active = b.is_active(table.play.hand, board)
    assigning: bool = table.play.hand["turn"] < 0
    faces_bet = active and not assigning and b.to_call(table.play.hand, board, seat) > 0
    if kind == 0:
        return faces_bet or (active and assigning)
    if kind <= 2:
        return not faces_bet
    return kind == 3 or not (active and assigning)


@part
def _first(table: Table, seat: int, kind: int, taken: int, active: bool) -> int:
    """The first board, active or not, whose action may replace an illegal one of a kind; -1 for none."""
    for board in range(BOARDS):
        if (
            b.is_active(table.play.hand, board) == active
            and not taken >> board & 1
            and table.boards["code"][board] == due(table, board, seat)
            and _could_be(table, board, seat, kind)
        ):
            return board
    return -1


@part
def stand_ins(table: Table, seat: int) -> int:
    """The boards, a bit each, whose actions most likely replace illegal ones.

    Illegal folds and calls are laid to settled boards first: bots that take no heed of settled boards fold on
    them. A fault for which there is no board is a finding.
    """
    taken = 0
    # In this order a fault finds the boards on which it is possible.
    for kind in range(FAULT_KINDS):
        on_settled_first = kind == 1 or kind == 2
        for _ in range(table.hand["faults"][kind]):
            board = _first(table, seat, kind, taken, not on_settled_first)
            if board < 0:
                board = _first(table, seat, kind, taken, on_settled_first)
            if board < 0:
                find(table.play.report, table.boards["line"][0], seat, findings.FAULT, 0.0, 0.0)
            else:
                taken |= 1 << board
    return taken


@part
def forget_faults(hand: np.void) -> None:
    """After a triple."""
    hand["faulted"] = hand["whole_fault"] = hand["low_fault"] = hand["cut_fault"] = 0
    for kind in range(FAULT_KINDS):
        hand["faults"][kind] = 0


@part
def _times(table: Table, seat: int, card: int) -> int:
    """The number of times that the seat assigned a card."""
    times = 0
    for board in range(BOARDS):
        for k in range(table.counts[board, seat]):
            times += table.holes[board, seat, k] == card
    return times


@part
def _is_own(table: Table, seat: int, card: int) -> bool:
    for k in range(table.play.holes[seat, 0]):  # noqa: SIM110 - a generator would not compile
        if table.play.holes[seat, 1 + k] == card:
            return True
    return False


@part
def _check_cards(sheets: Sheets, table: Table, seat: int, assigned: int) -> None:
    """Two of the player's six cards to a board, none of them twice; the engine only compares sets of cards."""
    as_written, own, all_used = True, True, True
    for board in range(BOARDS):
        count = table.counts[board, seat]
        if table.boards["code"][board] != events.ASSIGN:
            continue
        as_written = as_written and count == HOLE_CARDS
        for k in range(count):
            card = table.holes[board, seat, k]
            own = own and _is_own(table, seat, card)
            as_written = as_written and _times(table, seat, card) == 1
    for k in range(DEALT_CARDS):
        all_used = all_used and _times(table, seat, table.play.holes[seat, 1 + k]) > 0
    if as_written and own:
        return
    found = find(table.play.report, table.boards["line"][0], seat, findings.ASSIGNMENT, 0.0, 0.0)
    # A triple in which a board is not assigned is not compared at all.
    if assigned < BOARDS or (own and all_used):
        sheets.findings[found]["explained"] = table.match["explains"][ASSIGNMENT]


@part
def assigned(sheets: Sheets, table: Table) -> None:
    """A whole triple of the assignment."""
    hand, match, boards = table.play.hand, table.play.match, table.boards
    report = table.play.report
    seat = b.actor(hand)
    gone = match["gone"][seat] > 0
    whole = table.hand["whole_fault"] > 0 or gone
    replaced = 0 if whole else stand_ins(table, seat)
    assigned, folded = 0, 0
    own = hand["spent"][seat] + 0.0
    for board in range(BOARDS):
        code, line = boards["code"][board], boards["line"][board]
        if boards["named"][board] != seat:
            misnamed(report, line, boards["named"][board], seat, findings.TURN)
        if hand["active"][board] < 2:
            if code != events.CHECK:
                find(report, line, seat, findings.DUMMY, 0.0, 0.0)
            act(sheets, table.play, line, board, seat, records.CHECK, records.DUMMY, np.nan, own)
        elif code == events.ASSIGN:
            assigned += 1
            if whole:
                find(report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
            act(sheets, table.play, line, board, seat, records.ASSIGN, records.CHOICE, np.nan, own)
        else:
            folded += 1
            if code != events.FOLD:
                find(report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
            act(sheets, table.play, line, board, seat, records.FOLD, records.SUBSTITUTE, np.nan, own)
            b.fold(hand, board, seat)
            if not (whole or replaced >> board & 1) and assigned:
                find(report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
    if folded and not assigned and not whole and not replaced:
        # No fold here is a choice: the engine asks no player.
        match["gone"][seat] = 1
    if assigned:
        _check_cards(sheets, table, seat, assigned)
