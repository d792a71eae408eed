"""From rows to columns: what Arrow wants of the kernels' rows of seats and actions, in one compiled pass each."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import kernel
from .. import records
from ..action_columns import ActionColumns, fill_action, fill_pot_of_two


@bundle
class SeatColumns(NamedTuple):
    """The columns of `seats` by their names, as `columns.filled` takes them, codes of names, and the match's place."""

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    seat: NDArray[np.int8]
    player: NDArray[np.int32]
    position: NDArray[np.int32]
    stack_start: NDArray[np.float64]
    contribution: NDArray[np.float64]
    delta: NDArray[np.float64]
    written_off: NDArray[np.float64]
    engine_off: NDArray[np.float64]
    bounty_rank: NDArray[np.int32]
    bounty_hit: NDArray[np.bool_]
    bankroll_before: NDArray[np.float64]
    shown: NDArray[np.bool_]
    flags: NDArray[np.uint64]
    match: NDArray[np.int32]


@kernel
def spread_actions(
    rows: NDArray[np.void],
    match_of: NDArray[np.int32],
    index: NDArray[np.int64],
    ids: NDArray[np.uint64],
    bases: NDArray[np.int64],
    stacks: NDArray[np.float64],
    out: ActionColumns,
) -> None:
    """Fill the columns.

    rows           (actions,) `records.ACTION`
    match_of       (hands,) the place of each hand's match
    index          (hands,) the hand's number in its match
    ids, bases     (matches,) the match's id, the line above its body
    stacks         (matches,) what each player begins a hand with
    """
    for k in range(len(rows)):
        row = rows[k]
        hand = row["hand"]
        match = match_of[hand]
        out.match_id[k] = ids[match]
        out.hand_index[k] = index[hand]
        out.line[k] = row["line"] + bases[match]
        fill_action(out, k, row)
        bids = row["action"] == records.BID
        out.amount_printed[k] = row["raise_to"] if bids else np.nan
        out.raise_to[k] = np.nan if bids else row["raise_to"]
        out.pip_before[k] = row["pip"]
        out.to_call[k] = row["to_call"]
        fill_pot_of_two(out, k, row, stacks[match], row["own"])
        out.has_bounds[k] = False
        out.active_players[k] = 2
        out.match[k] = match


@kernel
def spread_seats(
    rows: NDArray[np.void],
    hands: NDArray[np.void],
    index: NDArray[np.int64],
    ids: NDArray[np.uint64],
    players: NDArray[np.int32],
    stacks: NDArray[np.float64],
    out: SeatColumns,
) -> None:
    """Fill the columns.

    rows           (2 x hands,) `records.SEAT`
    hands          (hands,) `records.HAND`
    index          (hands,) the hand's number in its match
    ids, stacks    (matches,) the match's id, what each player begins a hand with
    players        (matches, 2) codes of the names by seat
    """
    for k in range(len(rows)):
        row, hand, seat = rows[k], hands[k >> 1], k & 1
        match = hand["match"]
        out.match_id[k] = ids[match]
        out.hand_index[k] = index[k >> 1]
        out.seat[k] = seat
        out.player[k] = players[match, seat]
        out.position[k] = seat != hand["dealer"]
        out.stack_start[k] = stacks[match]
        out.contribution[k] = row["put"]
        delta = row["delta"]
        out.delta[k] = delta
        # Who is paid nothing may be paid -0.0, of which 0.0 is taken away.
        out.written_off[k], out.engine_off[k] = row["written"] - delta + 0.0, row["engine"] - delta + 0.0
        out.bounty_rank[k] = row["rank"]
        out.bounty_hit[k] = row["hit"] > 0
        out.bankroll_before[k] = row["bank"]
        out.shown[k] = row["shown"] > 0
        out.flags[k] = row["flags"]
        out.match[k] = match
