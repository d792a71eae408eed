"""The action rows of a triple: three rows that share a decision, and their own columns."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import part
from .. import records
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
    limits: NDArray[np.void]
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
    return Rows(
        sheets.actions,
        sheets.limits,
        sheets.used,
        game.match,
        game.hand,
        table.boards,
        table.chips,
        game.report,
    )


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
    place = records.next_row(rows.used, records.ACTS, len(rows.actions))
    row = rows.actions[place]
    row["hand"], row["line"], row["seq"], row["street"] = hand[b.ROW], line, hand[b.SEQ], hand[b.STREET]
    row["seat"], row["action"], row["origin"] = seat, action, origin
    row["level"], row["aggressor"] = boards[t.LEVEL, board], boards[t.AGGRESSOR, board]
    names_amount = action == records.POST or action == records.BET or action == records.RAISE
    row["raise_to"] = raise_to if names_amount else np.nan
    row["pip"] = chips[t.PIP, board, seat]
    decides = play.is_active(boards, board) and action != records.POST and action != records.ASSIGN
    row["to_call"] = play.to_call(chips, board, seat) if decides else 0.0
    row["pot"] = t.pot(chips, board, float(rows.match[s.BIG_BLIND]))
    row["own"] = rows.match[s.STACK] - own
    row["board"], row["active"] = board + 1, 2 if boards[t.LIVE, board] else 1
    limit = rows.limits[records.next_row(rows.used, records.LIMITS, len(rows.limits))]
    limit["act"], limit["told"], limit["other"] = place, 0, other
    limit["lowest"] = limit["highest"] = limit["stack"] = limit["chance"] = np.nan
    hand[b.SEQ] += 1
