"""The columns of `actions` that games of betting fill alike, from compiled passes to Arrow."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..jit.bundles import bundle
from ..parsers.reading import room


@bundle
class ActionColumns(NamedTuple):
    """A row an action: the columns of `actions`, where one is null, and the match's place.

    Chips are float64, or int32 with NO_CHIPS in the place of null.
    """

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    line: NDArray[np.int64]
    act: NDArray[np.int64]
    raise_to: NDArray[Any]
    no_raise: NDArray[np.bool_]
    pip: NDArray[Any]
    to_call: NDArray[Any]
    pot: NDArray[Any]
    match: NDArray[np.int32]


def action_columns(size: int, whole: bool = False) -> ActionColumns:
    """Room for so many rows, made anew each time: Arrow takes the arrays over. whole: chips are int32."""
    chips = "i4" if whole else "f8"
    kinds = ("u8", "i4", "i8", "i8", chips, "?", chips, chips, chips, "i4")
    return ActionColumns(*room((size, kind) for kind in kinds))


def filled_by(out: ActionColumns) -> dict[str, pa.Array]:
    """The columns by their names in `actions`."""
    no_raise = out.no_raise if out.raise_to.dtype == np.float64 else None
    return {
        "match_id": pa.array(out.match_id),
        "hand_index": pa.array(out.hand_index),
        "line": pa.array(out.line),
        "act": pa.array(out.act),
        "raise_to": pa.array(out.raise_to, mask=no_raise),
        "pip_before": pa.array(out.pip),
        "to_call": pa.array(out.to_call),
        "pot_before": pa.array(out.pot),
    }
