"""The first two triples of a hand: each player sends cards to the boards, or the engine folds them for him."""

import numpy as np

from ...jit.compile import part
from ...parsers import events
from .. import betting as b
from .. import findings, records
from ..heads_up.rows import act
from ..heads_up.state import find, misnamed
from ..records import Sheets
from .game import ASSIGNMENT, BOARDS, DEALT_CARDS, HOLE_CARDS
from .stand_ins import stand_ins
from .state import Table


@part
def _times(table: Table, seat: int, card: int) -> int:
    """How often the seat assigned a card."""
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
        # Nobody can choose to fold here: the engine has nobody to ask.
        match["gone"][seat] = 1
    if assigned:
        _check_cards(sheets, table, seat, assigned)
