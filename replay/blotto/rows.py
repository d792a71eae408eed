"""The action rows of a triple: three rows that share a decision, and their own columns."""

import numpy as np

from ...jit.compile import part
from .. import records
from ..heads_up.rows import misplaced
from ..records import Sheets
from . import betting as play
from . import state as t
from .state import Table


@part
def act(
    sheets: Sheets,
    table: Table,
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
    match, hand, boards, chips = table.play.match, table.play.hand, table.boards, table.chips
    if hand["seq"] >= records.MOST_ACTIONS:
        misplaced(table.play.report, line, seat)
        return
    place = records.next_row(sheets.used, records.ACTS, len(sheets.actions))
    row = sheets.actions[place]
    row["hand"], row["line"], row["seq"], row["street"] = hand["row"], line, hand["seq"], hand["street"]
    row["seat"], row["action"], row["origin"] = seat, action, origin
    row["level"], row["aggressor"] = boards["level"][board], boards["aggressor"][board]
    names_amount = action == records.POST or action == records.BET or action == records.RAISE
    row["raise_to"] = raise_to if names_amount else np.nan
    row["pip"] = chips["pip"][board, seat]
    decides = play.is_active(boards, board) and action != records.POST and action != records.ASSIGN
    row["to_call"] = play.to_call(chips, board, seat) if decides else 0.0
    row["pot"] = t.pot(chips, board, float(match["big_blind"]))
    row["own"] = match["stack"] - own
    row["board"], row["active"] = board + 1, 2 if boards["live"][board] else 1
    limit = sheets.limits[records.next_row(sheets.used, records.LIMITS, len(sheets.limits))]
    limit["act"], limit["told"], limit["other"] = place, 0, other
    limit["lowest"] = limit["highest"] = limit["stack"] = limit["chance"] = np.nan
    hand["seq"] += 1
