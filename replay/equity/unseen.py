"""A hand against two unseen cards: every deal of them and of the rest of the board."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part
from ..evaluator import rank_strength, strength_of_suits, suit_bit
from .lookup import PAIRS, RANKS, Lookup, add_rank

_SUIT = (1 << RANKS) - 1
_BOARD = 5


@part
def _count(ranks: int) -> int:
    bits = 0
    while ranks:
        ranks &= ranks - 1
        bits += 1
    return bits


@part
def _score(own: int, other: int) -> int:
    return 2 if own > other else 1 if own == other else 0


@part
def _one_by_one(own: int, suits: int, deck: int) -> int:
    """Twice the hands of two cards that a strength beats, and those it ties; of boards of any size."""
    halves = 0
    for first in range(52):
        one = suit_bit(first)
        if deck & one:
            for second in range(first + 1, 52):
                two = suit_bit(second)
                if deck & two:
                    halves += _score(own, strength_of_suits(suits | one | two))
    return halves


@part
def _halves(
    table: Lookup, own: int, suits: int, size: int, deck: int, left: NDArray[np.int64], row: NDArray[np.int64]
) -> int:
    """Twice the hands of two cards out of a deck that a strength beats on a board, and once those it ties."""
    most = 0
    for suit in range(4):
        most = max(most, _count(suits >> 16 * suit & _SUIT))
    if most >= 5 or size > 6:
        return _one_by_one(own, suits, deck)
    number, place, held = 0, 0, (0, 0, 0, 0)
    for rank in range(RANKS):
        left[rank] = (
            (deck >> rank & 1) + (deck >> 16 + rank & 1) + (deck >> 32 + rank & 1) + (deck >> 48 + rank & 1)
        )
        for suit in range(4):
            if suits >> 16 * suit + rank & 1:
                held = add_rank(held, rank)
                if size == _BOARD:
                    number += table.choose[rank + place, place + 1]
                    place += 1
    halves = 0
    for pair in range(PAIRS):
        low, high = int(table.low[pair]), int(table.high[pair])
        hands = left[low] * (left[low] - 1) // 2 if low == high else left[low] * left[high]
        if size == _BOARD:
            row[pair] = table.by_rank[number, pair]
        elif hands:
            after = add_rank(add_rank(held, low), high)
            row[pair] = rank_strength(after[0], after[1], after[2], after[3])
        halves += hands * _score(own, row[pair])
    if most >= 3:
        for suit in range(4):
            halves += _by_flush(table, own, suits, deck, suit, left, row)
    return halves


@part
def _by_flush(
    table: Lookup,
    own: int,
    suits: int,
    deck: int,
    suit: int,
    left: NDArray[np.int64],
    row: NDArray[np.integer],
) -> int:
    """What `_by_rank` counts too much (negative) where a suit with 3 or 4 cards on the board gives a flush."""
    on_board, in_deck = suits >> 16 * suit & _SUIT, deck >> 16 * suit & _SUIT
    dealt = _count(on_board)
    halves = 0
    if dealt < 3:
        return 0
    for a in range(RANKS):
        if not in_deck >> a & 1:
            continue
        for b in range(a + 1, RANKS):
            if in_deck >> b & 1:
                plain = row[table.pair[a, b]]
                best = max(plain, table.flush[on_board | 1 << a | 1 << b])
                halves += _score(own, best) - _score(own, plain)
        if dealt == 4:
            flush = table.flush[on_board | 1 << a]
            for b in range(RANKS):
                others = left[b] - (in_deck >> b & 1)
                if others:
                    plain = row[table.pair[a, b]]
                    halves += others * (_score(own, max(plain, flush)) - _score(own, plain))
    return halves


@part
def _by_rank(own: int, left: NDArray[np.int64], row: NDArray[np.integer]) -> int:
    """Twice the hands that a strength beats and once those it ties, all by their ranks alone."""
    halves, pair = 0, 0
    for high in range(RANKS):
        cards = left[high]
        for low in range(high):
            halves += cards * left[low] * _score(own, row[pair])
            pair += 1
        halves += cards * (cards - 1) // 2 * _score(own, row[pair])
        pair += 1
    return halves


@part
def _from_flop(
    table: Lookup, hole: int, suits: int, deck: int, left: NDArray[np.int64], plain: NDArray[np.int64]
) -> int:
    """As `_halves`, summed over all turns and rivers: by their ranks first, those that make flushes again."""
    base, place, first, second = 0, 0, -1, -1
    for rank in range(RANKS):
        left[rank] = (
            (deck >> rank & 1) + (deck >> 16 + rank & 1) + (deck >> 32 + rank & 1) + (deck >> 48 + rank & 1)
        )
        for suit in range(4):
            if suits >> 16 * suit + rank & 1:
                base += table.choose[rank + place, place + 1]
                place += 1
            if hole >> 16 * suit + rank & 1:
                first, second = second, rank
    own = int(table.pair[first, second])
    halves = 0
    for pair in range(PAIRS):
        low, high = int(table.low[pair]), int(table.high[pair])
        boards = left[low] * (left[low] - 1) // 2 if low == high else left[low] * left[high]
        if boards:
            left[low] -= 1
            left[high] -= 1
            row = table.by_rank[table.join[base, pair]]
            plain[pair] = _by_rank(int(row[own]), left, row)
            halves += boards * plain[pair]
            left[low] += 1
            left[high] += 1
    for one in range(52):
        if not deck & suit_bit(one):
            continue
        for two in range(one + 1, 52):
            if not deck & suit_bit(two):
                continue
            coming = suit_bit(one) | suit_bit(two)
            board, suit, dealt = suits | coming, -1, 0
            for k in range(4):
                count = _count(board >> 16 * k & _SUIT)
                if count >= 3:
                    suit, dealt = k, count
            if suit < 0:
                continue
            pair = int(table.pair[one >> 2, two >> 2])
            row = table.by_rank[table.join[base, pair]]
            strength = int(max(row[own], table.flush[(board | hole) >> 16 * suit & _SUIT]))
            rest = deck & ~coming
            if dealt == 5:
                halves += _one_by_one(strength, board, rest) - plain[pair]
                continue
            left[one >> 2] -= 1
            left[two >> 2] -= 1
            if strength != row[own]:
                halves += _by_rank(strength, left, row) - plain[pair]
            halves += _by_flush(table, strength, board, rest, suit, left, row)
            left[one >> 2] += 1
            left[two >> 2] += 1
    return halves


@part
def against_unseen(
    table: Lookup, hole: int, suits: int, on_board: int, due: int, full_deck: int, scratch: NDArray[np.int64]
) -> float:
    """The equity of hole cards and a board against two cards drawn from all others, run out to `due` cards.

    hole, suits, full_deck  masks of suits, 16 bits apart
    Counted from two cards to come on, on a board of 4 to 6 in the end; a longer board counts as it lies. Else NaN.
    """
    coming = max(due - on_board, 0)
    deck = full_deck & ~hole & ~suits
    size = (
        _count(deck & _SUIT)
        + _count(deck >> 16 & _SUIT)
        + _count(deck >> 32 & _SUIT)
        + _count(deck >> 48 & _SUIT)
    )
    if coming > 2 or on_board == 0:
        return np.nan
    left, row = scratch[0], scratch[7]
    boards, halves = 0, 0
    held = (
        _count(hole & _SUIT)
        + _count(hole >> 16 & _SUIT)
        + _count(hole >> 32 & _SUIT)
        + _count(hole >> 48 & _SUIT)
    )
    if coming == 2 and held == 2 and due == _BOARD:
        boards = size * (size - 1) // 2
        halves = _from_flop(table, hole, suits, deck, left, row)
    elif coming == 0:
        boards = 1
        halves = _halves(table, strength_of_suits(hole | suits), suits, on_board, deck, left, row)
    else:
        for first in range(52):
            one = suit_bit(first)
            if not deck & one:
                continue
            if coming == 1:
                board = suits | one
                boards += 1
                halves += _halves(table, strength_of_suits(hole | board), board, due, deck & ~one, left, row)
                continue
            for second in range(first + 1, 52):
                two = suit_bit(second)
                if deck & two:
                    board = suits | one | two
                    boards += 1
                    rest = deck & ~one & ~two
                    halves += _halves(table, strength_of_suits(hole | board), board, due, rest, left, row)
    rest = size - coming
    if boards == 0 or rest < 2:
        return np.nan
    return halves / (boards * rest * (rest - 1))
