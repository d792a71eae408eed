"""Situations in, chances out: the Python side of the kernels."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..evaluator import suit_bit
from .lookup import lookup
from .runouts import NO_RUN, Found, Situations, count_runouts

FULL_DECK: Final = sum(((1 << 13) - 1) << 16 * suit for suit in range(4))
"""All 52 cards as masks of ranks, a suit each, 16 bits apart."""


def deck_mask(codes: Sequence[int]) -> int:
    """Some cards as masks of ranks, a suit each, 16 bits apart."""
    return sum(map(suit_bit, codes))


def situations(
    holes: NDArray[np.integer],
    board: NDArray[np.integer] | None = None,
    *,
    dead: NDArray[np.integer] | None = None,
    given_up: NDArray[np.integer] | None = None,
    due: int = 5,
    run: int = NO_RUN,
    pots: NDArray[np.int64] | None = None,
) -> Situations:
    """Situations of one kind, for as many hands as there are holes.

    holes  (n, players, cards) codes, -1 for no card
    board  (n, cards) codes in order, -1 after the last
    dead   (n, cards) codes of other cards that cannot come, -1 for no card
    given_up  (n, players, cards) codes of cards that each held before, -1 for no card
    due    cards of the whole board; run: `Situations.run`
    pots   (n, pots) the players who can win each pot, a bit each; by default one pot for all
    """
    n, players, _ = holes.shape
    none = np.full((n, 1), -1, np.int8)
    lying = none if board is None or not board.shape[1] else board.astype(np.int8)
    return Situations(
        holes=np.ascontiguousarray(holes, np.int8),
        players=np.full(n, players, np.int64),
        board=np.ascontiguousarray(lying),
        on_board=(lying >= 0).sum(axis=1).astype(np.int64),
        dead=none if dead is None or not dead.shape[1] else np.ascontiguousarray(dead, np.int8),
        given_up=np.full((n, players, 0), -1, np.int8)
        if given_up is None
        else np.ascontiguousarray(given_up, np.int8),
        due=np.full(n, due, np.int64),
        run=np.full(n, run, np.int64),
        pots=np.full((n, 1), (1 << players) - 1, np.int64)
        if pots is None
        else np.ascontiguousarray(pots, np.int64),
    )


def count(given: Situations, *, hits: bool = False, unseen: bool = False, deck: int = FULL_DECK) -> Found:
    """The chances of each situation, every run-out counted.

    hits    also by the ranks on the board (two players); unseen: also each hand against two unseen cards
    deck    the cards of the game, as masks of ranks, a suit each, 16 bits apart
    """
    n, players, _ = given.holes.shape
    found = Found(
        wins=np.zeros((n, given.pots.shape[1], 1 << players)),
        hits=np.zeros((n if hits else 0, 4, 13)),
        unseen=np.zeros((n if unseen else 0, players)),
    )
    count_runouts(lookup(), given, deck, 0, n, np.zeros((8, 96), np.int64), found)
    return found


def shares(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """The equity of each player in a pot: (n, 2 ** players) chances of sets of winners to (n, players)."""
    sets = np.arange(wins.shape[1])
    players = wins.shape[1].bit_length() - 1
    size = np.maximum(np.bitwise_count(sets), 1)
    return np.stack([wins @ ((sets >> k & 1) / size) for k in range(players)], axis=1)
