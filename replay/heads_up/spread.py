"""From rows to columns: what Arrow wants of the kernels' rows of seats and actions, in one compiled pass each."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import kernel, part
from ...parsers.reading import room
from ...schema.columns import MOST_CHIPS, NO_CHIPS
from .. import act_bits, records
from ..action_columns import ActionColumns


@bundle
class SeatColumns(NamedTuple):
    """The columns of `seats` that rows of `records.SEAT` fill, where one is null, and the match's place.

    Chips are float64 or int32.
    """

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    seat: NDArray[np.int8]
    player: NDArray[np.int32]
    position: NDArray[np.int32]
    stack: NDArray[Any]
    put: NDArray[Any]
    delta: NDArray[Any]
    no_delta: NDArray[np.bool_]
    written_off: NDArray[Any]
    no_written: NDArray[np.bool_]
    engine_off: NDArray[Any]
    no_engine: NDArray[np.bool_]
    rank: NDArray[np.int32]
    no_rank: NDArray[np.bool_]
    hit: NDArray[np.bool_]
    bank: NDArray[Any]
    shown: NDArray[np.bool_]
    flags: NDArray[np.uint64]
    match: NDArray[np.int32]


# Arrow takes the arrays over, so they are made anew each time.


def seat_columns(size: int, whole: bool) -> SeatColumns:
    """Room for so many rows; whole: chips are int32."""
    chips = "i4" if whole else "f8"
    paid = (chips, "?", chips, "?", chips, "?")
    kinds = ("u8", "i4", "i1", "i4", "i4", chips, chips, *paid, "i4", "?", "?", chips, "?", "u8", "i4")
    return SeatColumns(*room((size, kind) for kind in kinds))


@part
def _put(chips: NDArray[Any], at: int, number: float) -> int:
    """Write a number, NO_CHIPS in an int32 for NaN or too large a number; 1 where it changes on the way."""
    if chips.itemsize == 8:
        chips[at] = number
    elif abs(number) <= MOST_CHIPS:
        chips[at] = int(number)
    else:
        chips[at] = NO_CHIPS
    return int((float(chips[at]) != number) & (number == number))


@kernel
def spread_actions(
    rows: NDArray[np.void],
    posted: NDArray[np.bool_],
    match_of: NDArray[np.int32],
    index: NDArray[np.int64],
    ids: NDArray[np.uint64],
    bases: NDArray[np.int64],
    out: ActionColumns,
) -> int:
    """Fill the columns; returns how many chips are no int32 where such are asked for, or could not be told from none.

    rows           (actions,) `records.ACTION`
    posted         (hands,) the posts of the hand are as all are, and left out
    match_of       (hands,) the place of each hand's match
    index          (hands,) the hand's number in its match
    ids, bases     (matches,) the match's id, the line above its body
    """
    at = off = 0
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
        raise_to = row["raise_to"]
        out.no_raise[at] = np.isnan(raise_to)
        if out.no_raise[at]:
            out.raise_to[at] = NO_CHIPS
        else:
            off += _put(out.raise_to, at, raise_to) | (raise_to == NO_CHIPS)
        off += _put(out.pip, at, row["pip"])
        off += _put(out.to_call, at, row["to_call"])
        off += _put(out.pot, at, row["pot"])
        out.match[at] = match
        at += 1
    return off


@kernel
def spread_seats(
    rows: NDArray[np.void],
    hands: NDArray[np.void],
    index: NDArray[np.int64],
    ids: NDArray[np.uint64],
    players: NDArray[np.int32],
    stacks: NDArray[np.float64],
    out: SeatColumns,
) -> int:
    """Fill the columns; returns how many chips are no int32 where such are asked for.

    rows           (2 x hands,) `records.SEAT`
    hands          (hands,) `records.HAND`
    index          (hands,) the hand's number in its match
    ids, stacks    (matches,) the match's id, what each player begins a hand with
    players        (matches, 2) codes of the names by seat
    """
    off = 0
    for k in range(len(rows)):
        row, hand, seat = rows[k], hands[k >> 1], k & 1
        match = hand["match"]
        out.match_id[k] = ids[match]
        out.hand_index[k] = index[k >> 1]
        out.seat[k] = seat
        out.player[k] = players[match, seat]
        out.position[k] = seat != hand["dealer"]
        off += _put(out.stack, k, stacks[match])
        off += _put(out.put, k, row["put"])
        delta = row["delta"]
        written_off, engine_off = row["written"] - delta, row["engine"] - delta
        off += _put(out.delta, k, delta)
        out.no_delta[k] = np.isnan(delta)
        off += _put(out.written_off, k, written_off)
        out.no_written[k] = np.isnan(written_off)
        off += _put(out.engine_off, k, engine_off)
        out.no_engine[k] = np.isnan(engine_off)
        out.rank[k] = row["rank"]
        out.no_rank[k] = row["rank"] < 0
        out.hit[k] = row["hit"] > 0
        off += _put(out.bank, k, row["bank"])
        out.shown[k] = row["shown"] > 0
        out.flags[k] = row["flags"]
        out.match[k] = match
    return off
