"""River of Blood: the run continues by one card while the last card is red."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part
from ..cards import DIAMONDS, HEARTS
from ..evaluator import strength_of_suits
from .lookup import RANKS

_BOARD = 5
_SUIT = (1 << RANKS) - 1
_RED_SUITS = _SUIT << 16 * DIAMONDS | _SUIT << 16 * HEARTS
_BITS = 61


@part
def _add(first: int, second: int, suits: int, weight: float, wins: NDArray[np.float64]) -> None:
    one, two = strength_of_suits(first | suits), strength_of_suits(second | suits)
    wins[1 if one > two else 2 if two > one else 3] += weight


@part
def bloody(
    holes: NDArray[np.int64],
    suits: int,
    on_board: int,
    last_red: bool,
    deck: int,
    run: int,
    scratch: NDArray[np.int64],
    wins: NDArray[np.float64],
) -> None:
    """Add the chances of two hands from the flop on; the board is followed for `run` cards beyond the fifth.

    holes     masks of suits; suits, deck: those of the board and of the cards that may come
    last_red  whether the last card of a board of five or more is red; a black one ends the hand
    wins      (4) out: chances that player 0 wins (1), player 1 (2), that they split the pot (3)

    The fourth card may have any colour. From the fifth on a black card ends the board, and so does the last card that
    is followed. Sets of red cards are counted, each with all the orders in which they may come.
    """
    red = last_red or on_board < _BOARD
    free = 1 if on_board < _BOARD - 1 else 0
    most = _BOARD + run - max(on_board, _BOARD - 1)
    if not red or most <= 0:
        _add(int(holes[0]), int(holes[1]), suits, 1.0, wins)
        return
    reds, blacks, chosen = scratch[2], scratch[3], scratch[4]
    n_reds = n_blacks = 0
    for place in range(_BITS):
        one = np.int64(1) << place
        if deck & one:
            if _RED_SUITS & one:
                reds[n_reds] = one
                n_reds += 1
            else:
                blacks[n_blacks] = one
                n_blacks += 1
    size, board = 0, suits
    while True:
        _with_reds(holes, board, blacks, n_blacks, size, free, most, n_reds + n_blacks, wins)
        following = int(chosen[size - 1]) + 1 if size else 0
        while size and (size == most + free or following == n_reds):
            size -= 1
            board &= ~reds[chosen[size]]
            following = int(chosen[size]) + 1
            if following < n_reds:
                break
        if size == most + free or following == n_reds:
            return
        chosen[size] = following
        board |= reds[following]
        size += 1


@part
def _with_reds(
    holes: NDArray[np.int64],
    board: int,
    blacks: NDArray[np.int64],
    n_blacks: int,
    size: int,
    free: int,
    most: int,
    total: int,
    wins: NDArray[np.float64],
) -> None:
    """Add the boards that have one set of `size` red cards, and those that end them.

    free  1 if the first card may have any colour; most: red cards after it; total: cards in the deck
    """
    first, second = int(holes[0]), int(holes[1])
    chance = 1.0
    for k in range(size):
        chance *= (k + 1) / (total - k)
    with_one = chance / (total - size)
    single = 0.0
    if size == most + free:
        # Red to the last card that is followed, the free one too.
        _add(first, second, board, chance, wins)
    elif size >= free:
        single += with_one
    if free and size == most:
        # The free card alone is black.
        single += with_one
    double = 2.0 * with_one / (total - size - 1) if free and size < most else 0.0
    for a in range(n_blacks):
        if single > 0.0:
            _add(first, second, board | blacks[a], single, wins)
        if double > 0.0:
            for b in range(a + 1, n_blacks):
                _add(first, second, board | blacks[a] | blacks[b], double, wins)
