"""The actions of a triple that the engine put in place of illegal ones; the log does not say which they are."""

import numpy as np

from ...jit.compile import part
from ...parsers import events
from .. import betting as b
from .. import findings
from ..heads_up.state import find
from .game import BOARDS
from .state import FAULT_KINDS, Table


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
    """True where a kind of action is illegal on a board; kinds are those of `state.HAND`'s faults."""
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
    """The first board, active or not, whose action may stand in for an illegal one of a kind; -1 for none."""
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
