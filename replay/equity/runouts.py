"""Run-outs of a board that lies in part, and a batch of situations of any kind."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import kernel, part
from ..evaluator import is_red, strength_of_suits, suit_bit
from .bloody import bloody
from .board import pair_number, whole_board, winners
from .lookup import RANKS, Lookup
from .unseen import against_unseen

_SUIT = (1 << RANKS) - 1
NO_RUN = -1


@bundle
class Situations(NamedTuple):
    """Points of hands, each right after the cards of a street; a code of -1 is no card.

    holes    (n, players, cards) codes, of players who are still in
    players  (n) how many
    board    (n, cards) codes in order; on_board: (n) how many
    dead     (n, cards) codes of other cards that cannot come
    given_up (n, players, cards) codes of cards that a player gave up, which it knows to be out of play
    due      (n) cards of the whole board
    run      (n) River of Blood: how many red cards of the run are followed, NO_RUN elsewhere
    pots     (n, pots) the players who can win each pot, a bit each, 0 for no pot
    """

    holes: NDArray[np.int8]
    players: NDArray[np.int64]
    board: NDArray[np.int8]
    on_board: NDArray[np.int64]
    dead: NDArray[np.int8]
    given_up: NDArray[np.int8]
    due: NDArray[np.int64]
    run: NDArray[np.int64]
    pots: NDArray[np.int64]


@bundle
class Found(NamedTuple):
    """The chances of situations.

    wins    (n, pots, 2 ** players) chance of each set of players to win or split a pot; NaN if it is not counted
    hits    (n, 4, 13) or (0, 4, 13): chance that player 0 (1), 1 (2), both (3) win and a rank lies on the board
    unseen  (n, players) or (0, players): equity of a player's cards against two unseen ones
    """

    wins: NDArray[np.float64]
    hits: NDArray[np.float64]
    unseen: NDArray[np.float64]


@part
def board_number(table: Lookup, suits: int) -> int:
    """The number of the multiset of ranks of some cards."""
    number, k = 0, 0
    for rank in range(RANKS):
        for suit in range(4):
            if suits >> 16 * suit + rank & 1:
                number += table.choose[rank + k, k + 1]
                k += 1
    return number


@part
def _suited(suits: int) -> int:
    """The suit that three or more cards of a board of five have, -1 for none."""
    for suit in range(4):
        ranks, count = suits >> 16 * suit & _SUIT, 0
        while ranks:
            ranks &= ranks - 1
            count += 1
        if count >= 3:
            return suit
    return -1


@part
def _settle(
    table: Lookup,
    holes: NDArray[np.int64],
    pair: NDArray[np.int64],
    count: int,
    suits: int,
    number: int,
    pots: NDArray[np.int64],
    now: NDArray[np.int64],
    wins: NDArray[np.float64],
    hits: NDArray[np.float64],
) -> None:
    """Add one whole board to those who win it; number: of its ranks where all hands are of two cards, else -1."""
    if number >= 0:
        suit = _suited(suits)
        for k in range(count):
            now[k] = table.by_rank[number, pair[k]]
            if suit >= 0:
                now[k] = max(now[k], np.int64(table.flush[(suits | holes[k]) >> 16 * suit & _SUIT]))
    else:
        for k in range(count):
            now[k] = strength_of_suits(suits | holes[k])
    for pot in range(len(pots)):
        found = winners(now, count, pots[pot])
        wins[pot, found] += 1.0
        if pot == 0 and len(hits):
            held = (suits | suits >> 16 | suits >> 32 | suits >> 48) & _SUIT
            for rank in range(RANKS):
                if held >> rank & 1:
                    hits[found, rank] += 1.0


@part
def _partial_board(
    table: Lookup,
    holes: NDArray[np.int64],
    count: int,
    plain: bool,
    suits: int,
    coming: int,
    deck: int,
    pots: NDArray[np.int64],
    scratch: NDArray[np.int64],
    wins: NDArray[np.float64],
    hits: NDArray[np.float64],
) -> None:
    """Count the run-outs of 0, 1 or 2 cards; plain: two hole cards each and a board of five in the end."""
    pair, now, cards = scratch[4], scratch[1], scratch[5]
    if plain:
        for k in range(count):
            pair[k] = pair_number(table, holes[k])
    base = board_number(table, suits) if plain else -1
    if coming == 0:
        _settle(table, holes, pair, count, suits, base, pots, now, wins, hits)
        return
    size = 0
    for code in range(52):
        if deck & suit_bit(code):
            cards[size] = code
            size += 1
    number = -1
    for i in range(size):
        first = int(cards[i])
        one = suits | suit_bit(first)
        if coming == 1:
            if plain:
                number = int(table.join_one[base, first >> 2])
            _settle(table, holes, pair, count, one, number, pots, now, wins, hits)
            continue
        for j in range(i + 1, size):
            second = int(cards[j])
            if plain:
                number = int(table.join[base, table.pair[first >> 2, second >> 2]])
            _settle(table, holes, pair, count, one | suit_bit(second), number, pots, now, wins, hits)


@kernel
def count_runouts(
    table: Lookup,
    given: Situations,
    full_deck: int,
    first: int,
    last: int,
    scratch: NDArray[np.int64],
    found: Found,
) -> None:
    """Fill `found` for the situations from `first` to `last` - 1; scratch is (8, 96).

    A board of five is counted whole or from the flop on, a larger one and three hole cards from two cards to come on;
    the rest is NaN.
    """
    holes = scratch[6]
    for at in range(first, last):
        count, deck, suits, two = given.players[at], full_deck, 0, True
        for k in range(count):
            holes[k], held = 0, 0
            for c in range(given.holes.shape[2]):
                if given.holes[at, k, c] >= 0:
                    holes[k] |= suit_bit(int(given.holes[at, k, c]))
                    held += 1
            deck &= ~holes[k]
            two = two and held == 2
        for c in range(given.on_board[at]):
            suits |= suit_bit(int(given.board[at, c]))
        for c in range(given.dead.shape[1]):
            if given.dead[at, c] >= 0:
                deck &= ~suit_bit(int(given.dead[at, c]))
        deck &= ~suits
        wins = found.wins[at]
        hits = found.hits[at] if len(found.hits) else found.hits[0:0, 0]
        pots = given.pots[at]
        used = 0
        while used < len(pots) and pots[used]:
            used += 1
        wins[:, :] = 0.0
        hits[:, :] = 0.0
        coming = given.due[at] - given.on_board[at]
        plain = two and given.due[at] == 5
        known = True
        if given.run[at] >= 0 and given.on_board[at] >= 3:
            last_red = given.on_board[at] >= 5 and is_red(int(given.board[at, given.on_board[at] - 1]))
            bloody(holes, suits, given.on_board[at], last_red, deck, given.run[at], scratch, wins[0])
        elif 0 <= coming <= 2:
            _partial_board(table, holes, count, plain, suits, coming, deck, pots[:used], scratch, wins, hits)
        elif plain and coming == 5:
            whole_board(table, holes, count, deck, pots[:used], scratch, wins, hits)
        else:
            known = False
        total = 0.0
        for k in range(wins.shape[1]):
            total += wins[0, k]
        known = known and total > 0.0
        for pot in range(wins.shape[0]):
            for k in range(wins.shape[1]):
                wins[pot, k] = wins[pot, k] / total if known else np.nan
        for k in range(hits.shape[0]):
            for rank in range(RANKS):
                hits[k, rank] = hits[k, rank] / total if known else np.nan
        if len(found.unseen):
            for k in range(count):
                own_deck = full_deck
                for c in range(given.given_up.shape[2]):
                    if given.given_up[at, k, c] >= 0:
                        own_deck &= ~suit_bit(int(given.given_up[at, k, c]))
                found.unseen[at, k] = against_unseen(
                    table, int(holes[k]), suits, given.on_board[at], given.due[at], own_deck, scratch
                )
