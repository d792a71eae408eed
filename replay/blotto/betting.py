"""What three boards and a shared stack change in the betting; written once, for the replay and the simulator."""

import numpy as np

from ...jit.compile import part
from .game import BOARDS


@part
def is_active(boards: np.void, board: int) -> bool:
    """True where the board's betting goes on; elsewhere only a check without a meaning can stand."""
    active: bool = boards["live"][board] > 0 and boards["settled"][board] == 0
    return active


@part
def to_call(chips: np.void, board: int, seat: int) -> float:
    """Chips that the seat has to add to stay on the board."""
    due: float = chips["pip"][board, 1 - seat] - chips["pip"][board, seat]
    return due


@part
def largest_raise(chips: np.void, board: int, seat: int, own: float, other: float) -> float:
    """The highest raise-to on one board by the stacks before the three actions."""
    pip: float = chips["pip"][board, seat]
    return pip + min(own, other + to_call(chips, board, seat))


@part
def smallest_raise(
    chips: np.void, board: int, seat: int, own: float, other: float, big_blind: float
) -> float:
    """The lowest raise-to: as much more as was bet or raised, at least a big blind; the highest if less."""
    step = max(to_call(chips, board, seat), big_blind)
    faced: float = chips["pip"][board, 1 - seat]
    return min(faced + step, largest_raise(chips, board, seat, own, other))


@part
def put(chips: np.void, stakes: np.void, board: int, seat: int, pip: float) -> None:
    """Bring the seat's chips of this street and board to `pip`; stakes are those of `heads_up.betting`."""
    added = pip - chips["pip"][board, seat]
    chips["put"][board, seat] += added
    stakes["put"][seat] += added
    chips["pip"][board, seat] = pip


@part
def fold(boards: np.void, board: int, seat: int) -> None:
    """The board is the opponent's."""
    boards["live"][board] = 0
    boards["settled"][board] = 1
    boards["folder"][board] = seat


@part
def check(hand: np.void, boards: np.void, board: int) -> None:
    """Two checks end a board's street; before the flop the big blind's check does."""
    if (hand["street"] == 0 and hand["turn"] > 0) or hand["turn"] > 1:
        boards["settled"][board] = 1


@part
def call(hand: np.void, boards: np.void, chips: np.void, stakes: np.void, board: int, seat: int) -> None:
    """A call ends the board's street, but for the small blind's first."""
    put(chips, stakes, board, seat, chips["pip"][board, 1 - seat])
    if hand["turn"] != 0:
        boards["settled"][board] = 1


@part
def bet_or_raise(
    boards: np.void, chips: np.void, stakes: np.void, board: int, seat: int, raise_to: float
) -> None:
    """The opponent is to answer on this board."""
    put(chips, stakes, board, seat, raise_to)
    boards["level"][board] += 1
    boards["aggressor"][board] = seat


@part
def after_triple(hand: np.void, boards: np.void) -> None:
    """The other player's turn; the street ends once every board is settled or folded."""
    hand["turn"] += 1
    closed = 1
    for board in range(BOARDS):
        if is_active(boards, board):
            closed = 0
    hand["closed"] = closed


@part
def all_folded(boards: np.void) -> bool:
    """True where no board is left."""
    for board in range(BOARDS):  # noqa: SIM110 - a generator would not compile
        if boards["live"][board]:
            return False
    return True


@part
def next_street(hand: np.void, boards: np.void, chips: np.void) -> None:
    """Later streets begin with the dealer's opponent and no chips bet; folded boards stay settled."""
    hand["street"] += 1
    hand["turn"] = 1
    hand["closed"] = 0
    for board in range(BOARDS):
        boards["settled"][board] = 1 - boards["live"][board]
        boards["level"][board] = 0
        chips["pip"][board, 0] = 0
        chips["pip"][board, 1] = 0
