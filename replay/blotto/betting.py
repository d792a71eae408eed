"""What three boards and a shared stack change in the betting; written once, for the replay and the simulator."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part
from ..heads_up import betting as b
from . import state as t

Ints = NDArray[np.int64]
Chips = NDArray[np.float64]


@part
def is_active(boards: Ints, board: int) -> bool:
    """True where the board's betting goes on; elsewhere only a check without a meaning can stand."""
    active: bool = boards[t.LIVE, board] > 0 and boards[t.SETTLED, board] == 0
    return active


@part
def to_call(chips: Chips, board: int, seat: int) -> float:
    """Chips that the seat has to add to stay on the board."""
    due: float = chips[t.PIP, board, 1 - seat] - chips[t.PIP, board, seat]
    return due


@part
def largest_raise(chips: Chips, board: int, seat: int, own: float, other: float) -> float:
    """The highest raise-to on one board by the stacks before the three actions."""
    pip: float = chips[t.PIP, board, seat]
    return pip + min(own, other + to_call(chips, board, seat))


@part
def smallest_raise(chips: Chips, board: int, seat: int, own: float, other: float, big_blind: float) -> float:
    """The lowest raise-to: as much more as was bet or raised, at least a big blind; the highest if less."""
    step = max(to_call(chips, board, seat), big_blind)
    faced: float = chips[t.PIP, board, 1 - seat]
    return min(faced + step, largest_raise(chips, board, seat, own, other))


@part
def put(chips: Chips, stakes: Chips, board: int, seat: int, pip: float) -> None:
    """Bring the seat's chips of this street and board to `pip`; stakes are those of `heads_up.betting`."""
    added = pip - chips[t.PIP, board, seat]
    chips[t.PUT, board, seat] += added
    stakes[b.PUT, seat] += added
    chips[t.PIP, board, seat] = pip


@part
def fold(boards: Ints, board: int, seat: int) -> None:
    """The board is the opponent's."""
    boards[t.LIVE, board] = 0
    boards[t.SETTLED, board] = 1
    boards[t.FOLDER, board] = seat


@part
def check(hand: Ints, boards: Ints, board: int) -> None:
    """Two checks end a board's street; before the flop the big blind's check does."""
    if (hand[b.STREET] == 0 and hand[b.TURN] > 0) or hand[b.TURN] > 1:
        boards[t.SETTLED, board] = 1


@part
def call(hand: Ints, boards: Ints, chips: Chips, stakes: Chips, board: int, seat: int) -> None:
    """A call ends the board's street, but for the small blind's first."""
    put(chips, stakes, board, seat, chips[t.PIP, board, 1 - seat])
    if hand[b.TURN] != 0:
        boards[t.SETTLED, board] = 1


@part
def bet_or_raise(boards: Ints, chips: Chips, stakes: Chips, board: int, seat: int, raise_to: float) -> None:
    """The opponent is to answer on this board."""
    put(chips, stakes, board, seat, raise_to)
    boards[t.LEVEL, board] += 1
    boards[t.AGGRESSOR, board] = seat


@part
def after_triple(hand: Ints, boards: Ints) -> None:
    """The other player's turn; the street ends once every board is settled or folded."""
    hand[b.TURN] += 1
    closed = 1
    for board in range(boards.shape[1]):
        if is_active(boards, board):
            closed = 0
    hand[b.CLOSED] = closed


@part
def all_folded(boards: Ints) -> bool:
    """True where no board is left."""
    for board in range(boards.shape[1]):  # noqa: SIM110 - a generator would not compile
        if boards[t.LIVE, board]:
            return False
    return True


@part
def next_street(hand: Ints, boards: Ints, chips: Chips) -> None:
    """Later streets begin with the dealer's opponent and no chips bet; folded boards stay settled."""
    hand[b.STREET] += 1
    hand[b.TURN] = 1
    hand[b.CLOSED] = 0
    for board in range(boards.shape[1]):
        boards[t.SETTLED, board] = 1 - boards[t.LIVE, board]
        boards[t.LEVEL, board] = 0
        chips[t.PIP, board, 0] = 0
        chips[t.PIP, board, 1] = 0
