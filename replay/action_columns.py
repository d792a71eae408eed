"""The columns of `actions` that every family of games fills, a row an action."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.bundles import bundle
from ..jit.compile import part
from . import records


@bundle
class ActionColumns(NamedTuple):
    """The columns of `actions` by their names, as `columns.filled` takes them, and the match's place.

    Words are places in their vocabulary; a number below 0 is null, of chips NaN.
    """

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    seq: NDArray[np.int16]
    line: NDArray[np.int64]
    board_no: NDArray[np.int8]
    street: NDArray[np.int8]
    seat: NDArray[np.int8]
    action: NDArray[np.int8]
    origin: NDArray[np.int8]
    amount_printed: NDArray[np.float64]
    raise_to: NDArray[np.float64]
    pip_before: NDArray[np.float64]
    to_call: NDArray[np.float64]
    street_pot: NDArray[np.float64]
    pot_before: NDArray[np.float64]
    stack_before: NDArray[np.float64]
    opponent_stack: NDArray[np.float64]
    has_bounds: NDArray[np.bool_]
    min_raise_to: NDArray[np.float64]
    max_raise_to: NDArray[np.float64]
    bet_level: NDArray[np.int16]
    aggressor_seat: NDArray[np.int8]
    active_players: NDArray[np.int8]
    win_prob: NDArray[np.float64]
    match: NDArray[np.int32]


@part
def fill_pot_of_two(out: ActionColumns, at: int, row: np.void, start: float, spent: float) -> None:
    """The pot and the stack of a row of two players at one board; what follows from its other columns is left out.

    start, spent  chips that the player began the hand with, NaN in a game without stacks, and has put in before
    """
    pot, to_call = row["pot"], row["to_call"]
    out.street_pot[at], out.pot_before[at] = pot - 2 * row["pip"] - to_call, np.nan
    # As `relations/actions.sql` derives it.
    even = 0.0 if row["action"] == records.POST else 0.5 * (pot - to_call)
    out.stack_before[at] = np.nan if spent == even else start - spent


@part
def fill_action(out: ActionColumns, at: int, row: np.void) -> None:
    """Who did what as whose doing, when, and the bets before it: of a row of actions (`records.ACTION`, the ACPC's)."""
    out.seq[at], out.street[at], out.seat[at] = row["seq"], row["street"], row["seat"]
    out.action[at], out.origin[at] = row["action"], row["origin"]
    out.bet_level[at], out.aggressor_seat[at] = row["level"], row["aggressor"]
