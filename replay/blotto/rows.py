"""The action rows of a triple: three rows that share a decision, and their own columns."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import kernel, part
from .. import records
from ..action_columns import ActionColumns, fill_action
from ..heads_up import betting as b
from ..heads_up import state as s
from ..heads_up.rows import misplaced
from ..heads_up.state import Report
from ..records import Sheets
from . import betting as play
from . import state as t
from .state import Table


@bundle
class Rows(NamedTuple):
    """What an action row is written from."""

    actions: NDArray[np.void]
    used: NDArray[np.int64]
    match: NDArray[np.int64]
    hand: NDArray[np.int64]
    boards: NDArray[np.int64]
    chips: NDArray[np.float64]
    report: Report


@part
def rows_of(sheets: Sheets, table: Table) -> Rows:
    """The rows of a match in progress."""
    game = table.play
    return Rows(sheets.actions, sheets.used, game.match, game.hand, table.boards, table.chips, game.report)


@part
def act(
    rows: Rows,
    board: int,
    seat: int,
    line: int,
    action: int,
    origin: int,
    raise_to: float,
    own: float,
    other: float,
) -> None:
    """Append an action row: the context of one board before the action is applied.

    raise_to counts for posts, bets and raises; own and other are the stacks before the triple.
    """
    hand, boards, chips = rows.hand, rows.boards, rows.chips
    if hand[b.SEQ] >= records.MOST_ACTIONS:
        misplaced(rows.report, line, seat)
        return
    row = rows.actions[records.next_row(rows.used, records.ACTS, len(rows.actions))]
    row["hand"], row["line"], row["seq"], row["street"] = hand[b.ROW], line, hand[b.SEQ], hand[b.STREET]
    row["seat"], row["action"], row["origin"] = seat, action, origin
    row["level"], row["aggressor"] = boards[t.LEVEL, board], boards[t.AGGRESSOR, board]
    names_amount = action == records.POST or action == records.BET or action == records.RAISE
    row["raise_to"] = raise_to if names_amount else np.nan
    row["pip"] = chips[t.PIP, board, seat]
    decides = play.is_active(boards, board) and action != records.POST and action != records.ASSIGN
    row["to_call"] = play.to_call(chips, board, seat) if decides else 0.0
    row["pot"] = t.pot(chips, board, float(rows.match[s.BIG_BLIND]))
    row["board"], row["stack"], row["other"] = board + 1, own, other
    row["active"] = 2 if boards[t.LIVE, board] else 1
    hand[b.SEQ] += 1


@kernel
def spread_boards(
    rows: NDArray[np.void],
    match_of: NDArray[np.int32],
    index: NDArray[np.int64],
    ids: NDArray[np.uint64],
    bases: NDArray[np.int64],
    out: ActionColumns,
) -> None:
    """Fill the columns of rows of `state.ACTION`; as for `heads_up.spread.spread_actions`."""
    for k in range(len(rows)):
        row = rows[k]
        hand = row["hand"]
        match = match_of[hand]
        out.match_id[k] = ids[match]
        out.hand_index[k] = index[hand]
        out.line[k] = row["line"] + bases[match]
        fill_action(out, k, row)
        out.board_no[k] = row["board"] if row["board"] > 0 else -1
        out.raise_to[k] = row["raise_to"]
        out.pip_before[k] = row["pip"]
        out.to_call[k] = row["to_call"]
        out.pot_before[k] = row["pot"]
        out.stack_before[k], out.opponent_stack[k] = row["stack"], row["other"]
        out.has_bounds[k] = False
        out.active_players[k] = row["active"]
        out.match[k] = match
