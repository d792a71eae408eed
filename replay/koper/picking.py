"""Small steps of gathering: seats picked by name, what a strategy wrote into a line taken apart."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part
from . import layout as at

Floats = NDArray[np.float64]

_FOLD: Final = np.frombuffer(b" chose to fold.", np.uint8)
_BET: Final = np.frombuffer(b" chose to bet $", np.uint8)
FOLDS: Final = -1.0
"""What `closing` returns of a fold."""
_SOME_CENTS: Final = 0.05
"""How far a rough count may be off."""


@part
def pick(seats: Floats, base: int, mask: int, first: int, state: int, column: int) -> int:
    """The first seat of a mask, from `first` on or else of all, in a state and with nothing in a column; -1: none."""
    for again in range(2):
        for seat in range(at.PLAYERS):
            if (
                (again or seat >= first)
                and mask >> seat & 1
                and seats[base + seat, at.S_STATE] == state
                and np.isnan(seats[base + seat, column])
            ):
                return seat
    return -1


@part
def holding(seats: Floats, base: int, mask: int, rough: Floats, chips: float) -> int:
    """The seat of a mask, still in the game, whose chips by a rough count are nearest to a printed stack; -1: none.

    Of those as near to some cents the first: players go out in the order of seats.
    """
    best, nearest = -1, np.inf
    for seat in range(at.PLAYERS):
        if mask >> seat & 1 and seats[base + seat, at.S_STATE] == at.IN:
            off = abs(rough[seat] - chips)
            if off < nearest - _SOME_CENTS:
                best, nearest = seat, off
    return best


@part
def follow(rough: Floats, seats: Floats, base: int, share: float) -> None:
    """Carry the rough count over a game; it need only tell players of one name apart."""
    for seat in range(at.PLAYERS):
        state = seats[base + seat, at.S_STATE]
        if not np.isnan(seats[base + seat, at.S_PRINTED]):
            rough[seat] = seats[base + seat, at.S_PRINTED] + (share if state == at.IN and share > 0 else 0.0)
        elif state == at.IN or state == at.FOLDED:
            rough[seat] -= 100.0
            for street in range(3):
                if not np.isnan(seats[base + seat, at.S_BET_1 + street]):
                    rough[seat] -= seats[base + seat, at.S_BET_1 + street]
            if not np.isnan(seats[base + seat, at.S_RECEIVED]):
                rough[seat] += seats[base + seat, at.S_RECEIVED]
            if seats[base + seat, at.S_WON] > 1:
                rough[seat] += seats[base + seat, at.S_WON]


@part
def closing(text: NDArray[np.uint8], first: int, size: int) -> float:
    """What the end of a line that a strategy wrote into says: a bet, which may be 0, FOLDS, or NaN for neither."""
    end = first + size
    if size >= len(_FOLD) - 1:
        fits = True
        for k in range(len(_FOLD) - 1):
            fits = fits and text[end - 1 - k] == _FOLD[len(_FOLD) - 1 - k]
        if fits:
            return FOLDS
    dot = end - 1
    cut = end - 1
    while cut > first and text[cut] != 36:
        cut -= 1
    if size < len(_BET) or text[dot] != 46 or cut - first < len(_BET) - 2 or not 48 <= text[cut + 1] <= 57:
        return np.nan
    for k in range(len(_BET) - 1):
        if text[cut - k] != _BET[len(_BET) - 1 - k]:
            return np.nan
    value = 0.0
    scale = 0.0
    for k in range(cut + 1, dot):
        if 48 <= text[k] <= 57:
            value = value * 10.0 + (int(text[k]) - 48)
            scale *= 10.0
        elif text[k] == 46 and scale == 0:
            scale = 1.0
        else:
            return np.nan
    return value / scale if scale > 0 else value
