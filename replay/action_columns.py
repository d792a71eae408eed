"""The columns of `actions` that games of betting fill alike, from compiled passes to Arrow."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..parsers.reading import room


class ActionColumns(NamedTuple):
    """A row an action: the columns of `actions`, where one is null, and the match's place."""

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


def action_columns(size: int) -> ActionColumns:
    """Room for so many rows, made anew each time: Arrow takes the arrays over."""
    kinds = ("u8", "i4", "i8", "i8", "f8", "?", "f8", "f8", "f8", "i4")
    return ActionColumns(*room((size, kind) for kind in kinds))


def filled_by(out: ActionColumns) -> dict[str, pa.Array]:
    """The columns by their names in `actions`."""
    return {
        "match_id": pa.array(out.match_id),
        "hand_index": pa.array(out.hand_index),
        "line": pa.array(out.line),
        "act": pa.array(out.act),
        "raise_to": pa.array(out.raise_to, mask=out.no_raise),
        "pip_before": pa.array(out.pip),
        "to_call": pa.array(out.to_call),
        "pot_before": pa.array(out.pot),
    }
