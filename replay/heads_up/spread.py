"""From rows to columns: what Arrow wants of the kernels' rows of seats and actions, in one compiled pass each."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...parsers.kernels import kernel
from ...parsers.reading import room
from .. import act_bits, records
from ..action_columns import ActionColumns


class SeatColumns(NamedTuple):
    """The columns of `seats` that rows of `records.SEAT` fill, where one is null, and the match's place."""

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    seat: NDArray[np.int8]
    player: NDArray[np.int32]
    position: NDArray[np.int32]
    stack: NDArray[np.float64]
    put: NDArray[np.float64]
    delta: NDArray[np.float64]
    no_delta: NDArray[np.bool_]
    written_off: NDArray[np.float64]
    no_written: NDArray[np.bool_]
    engine_off: NDArray[np.float64]
    no_engine: NDArray[np.bool_]
    rank: NDArray[np.int32]
    no_rank: NDArray[np.bool_]
    hit: NDArray[np.bool_]
    bank: NDArray[np.float64]
    shown: NDArray[np.bool_]
    flags: NDArray[np.uint64]
    match: NDArray[np.int32]


# Arrow takes the arrays over, so they are made anew each time.


def seat_columns(size: int) -> SeatColumns:
    """Room for so many rows."""
    paid = ("f8", "?", "f8", "?", "f8", "?")
    kinds = ("u8", "i4", "i1", "i4", "i4", "f8", "f8", *paid, "i4", "?", "?", "f8", "?", "u8", "i4")
    return SeatColumns(*room((size, kind) for kind in kinds))


@kernel
def spread_actions(
    rows: NDArray[np.void],
    posted: NDArray[np.bool_],
    match_of: NDArray[np.int32],
    index: NDArray[np.int64],
    ids: NDArray[np.uint64],
    bases: NDArray[np.int64],
    out: ActionColumns,
) -> None:
    """Fill the columns.

    rows           (actions,) `records.ACTION`
    posted         (hands,) the posts of the hand are as all are, and left out
    match_of       (hands,) the place of each hand's match
    index          (hands,) the hand's number in its match
    ids, bases     (matches,) the match's id, the line above its body
    """
    at = 0
    for k in range(len(rows)):
        row = rows[k]
        hand = row["hand"]
        if row["action"] == records.POST and posted[hand]:
            continue
        match = match_of[hand]
        out.match_id[at] = ids[match]
        out.hand_index[at] = index[hand]
        out.line[at] = row["line"] + bases[match]
        # Each is of few bits: heads-up a street has no more than 200 raises.
        out.act[at] = act_bits.of_row(row, 2)
        out.raise_to[at] = row["raise_to"]
        out.no_raise[at] = np.isnan(row["raise_to"])
        out.pip[at] = row["pip"]
        out.to_call[at] = row["to_call"]
        out.pot[at] = row["pot"]
        out.match[at] = match
        at += 1


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
        out.stack[k] = stacks[match]
        out.put[k] = row["put"]
        delta = row["delta"]
        out.delta[k] = delta
        out.no_delta[k] = np.isnan(delta)
        out.written_off[k] = row["written"] - delta
        out.no_written[k] = np.isnan(out.written_off[k])
        out.engine_off[k] = row["engine"] - delta
        out.no_engine[k] = np.isnan(out.engine_off[k])
        out.rank[k] = row["rank"]
        out.no_rank[k] = row["rank"] < 0
        out.hit[k] = row["hit"] > 0
        out.bank[k] = row["bank"]
        out.shown[k] = row["shown"] > 0
        out.flags[k] = row["flags"]
        out.match[k] = match
