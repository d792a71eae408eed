"""From rows to columns: what Arrow wants of the kernels' action rows, in one compiled pass over them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...parsers.kernels import kernel


class ActionColumns(NamedTuple):
    """The columns of `actions` that rows of `records.ACTION` fill, and where two of them are null."""

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    seq: NDArray[np.int16]
    line: NDArray[np.int64]
    street: NDArray[np.int8]
    seat: NDArray[np.int8]
    action: NDArray[np.int32]
    origin: NDArray[np.int32]
    raise_to: NDArray[np.float64]
    no_raise: NDArray[np.bool_]
    pip: NDArray[np.float64]
    to_call: NDArray[np.float64]
    pot: NDArray[np.float64]
    level: NDArray[np.int8]
    aggressor: NDArray[np.int8]
    no_aggressor: NDArray[np.bool_]


def new_columns(size: int) -> ActionColumns:
    """Room for so many rows; Arrow takes the arrays over, so they are made anew each time."""
    kinds = ("u8", "i4", "i2", "i8", "i1", "i1", "i4", "i4", "f8", "?", "f8", "f8", "f8", "i1", "i1", "?")
    return ActionColumns(*(np.empty(size, kind) for kind in kinds))


@kernel
def spread(
    rows: NDArray[np.void],
    match_of: NDArray[np.int32],
    index: NDArray[np.int64],
    ids: NDArray[np.uint64],
    bases: NDArray[np.int64],
    out: ActionColumns,
) -> None:
    """Fill the columns.

    rows           (actions,) `records.ACTION`
    match_of       (hands,) the place of each hand's match
    index          (hands,) the hand's number in its match
    ids, bases     (matches,) the match's id, the line above its body
    """
    for k in range(len(rows)):
        row = rows[k]
        hand = row["hand"]
        match = match_of[hand]
        out.match_id[k] = ids[match]
        out.hand_index[k] = index[hand]
        out.seq[k] = row["seq"]
        out.line[k] = row["line"] + bases[match]
        out.street[k] = row["street"]
        out.seat[k] = row["seat"]
        out.action[k] = row["action"]
        out.origin[k] = row["origin"]
        out.raise_to[k] = row["raise_to"]
        out.no_raise[k] = np.isnan(row["raise_to"])
        out.pip[k] = row["pip"]
        out.to_call[k] = row["to_call"]
        out.pot[k] = row["pot"]
        out.level[k] = row["level"]
        out.aggressor[k] = row["aggressor"]
        out.no_aggressor[k] = row["aggressor"] < 0
