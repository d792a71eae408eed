"""From rows to columns: what Arrow wants of the kernels' action rows, in one compiled pass over them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...parsers.kernels import kernel
from ...parsers.tables import ACT
from .. import records

_ACTION, _ORIGIN, _STREET, _SEAT, _AGGRESSOR, _SEQ, _LEVEL = (bits.shift for bits in ACT)


class ActionColumns(NamedTuple):
    """The columns of `actions` that rows of `records.ACTION` fill, where one is null, and the match's place."""

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    line: NDArray[np.int64]
    act: NDArray[np.int64]
    raise_to: NDArray[np.float64]
    no_raise: NDArray[np.bool_]
    pip: NDArray[np.float64]
    to_call: NDArray[np.float64]
    pot: NDArray[np.float64]
    match: NDArray[np.int32]


def new_columns(size: int) -> ActionColumns:
    """Room for so many rows; Arrow takes the arrays over, so they are made anew each time."""
    kinds = ("u8", "i4", "i8", "i8", "f8", "?", "f8", "f8", "f8", "i4")
    return ActionColumns(*(np.empty(size, kind) for kind in kinds))


@kernel
def spread(
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
        action = int(row["action"])
        if action == records.POST and posted[hand]:
            continue
        match = match_of[hand]
        out.match_id[at] = ids[match]
        out.hand_index[at] = index[hand]
        out.line[at] = row["line"] + bases[match]
        # Each is of few bits: heads-up a street has no more than 200 raises.
        out.act[at] = (
            action << _ACTION
            | int(row["origin"]) << _ORIGIN
            | int(row["street"]) << _STREET
            | int(row["seat"]) << _SEAT
            | int(row["aggressor"]) + 1 << _AGGRESSOR
            | int(row["seq"]) << _SEQ
            | int(row["level"]) << _LEVEL
        )
        out.raise_to[at] = row["raise_to"]
        out.no_raise[at] = np.isnan(row["raise_to"])
        out.pip[at] = row["pip"]
        out.to_call[at] = row["to_call"]
        out.pot[at] = row["pot"]
        out.match[at] = match
        at += 1
