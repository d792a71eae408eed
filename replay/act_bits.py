"""`actions.act` as the kernels fill it: where each field lies (`schema.columns.ACT`), compiled in as numbers."""

import numpy as np

from ..jit.compile import part
from ..schema.columns import ACT

ACTION, ORIGIN, STREET, SEAT, AGGRESSOR, SEQ, LEVEL, ACTIVE, BOARD = (bits.shift for bits in ACT)


@part
def packed(
    action: int, origin: int, street: int, seat: int, aggressor: int, seq: int, level: int, active: int
) -> int:
    """An act on the only board, each field of no more bits than it has; aggressor: -1 for none."""
    return (
        int(action) << ACTION
        | int(origin) << ORIGIN
        | int(street) << STREET
        | int(seat) << SEAT
        | int(aggressor) + 1 << AGGRESSOR
        | int(seq) << SEQ
        | int(level) << LEVEL
        | int(active) << ACTIVE
    )


@part
def of_row(row: np.void, active: int) -> int:
    """An act of a row of actions (`records.ACTION`, the ACPC's `state.ACTION`), with so many who have not folded."""
    return packed(
        row["action"],
        row["origin"],
        row["street"],
        row["seat"],
        row["aggressor"],
        row["seq"],
        row["level"],
        active,
    )
