"""Run-outs of a whole board: five cards to come, two hole cards a player.

Boards are counted by their ranks first, as if no suit had five cards; then those with a flush are subtracted and
counted again. Half a millisecond for two players instead of 1.7 million boards.
"""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part
from .lookup import BOARDS, PAIRS, RANKS, Lookup

_SUIT = (1 << RANKS) - 1


@part
def winners(now: NDArray[np.int64], count: int, eligible: int) -> int:
    """The players, a bit each, who hold the best of some strengths among those eligible."""
    best, found = np.int64(-1), 0
    for k in range(count):
        if eligible >> k & 1:
            if now[k] > best:
                best, found = now[k], 1 << k
            elif now[k] == best:
                found |= 1 << k
    return found


@part
def pair_number(table: Lookup, hole: int) -> int:
    """The number of the ranks of two cards, which are masks of suits."""
    first = second = -1
    for rank in range(RANKS):
        for suit in range(4):
            if hole >> 16 * suit + rank & 1:
                first, second = second, rank
    return int(table.pair[first, second])


@part
def _move(
    plain: NDArray[np.int64],
    true: NDArray[np.int64],
    count: int,
    pots: NDArray[np.int64],
    weight: float,
    ranks: int,
    wins: NDArray[np.float64],
    hits: NDArray[np.float64],
) -> None:
    """Take a board from whom it gave to by ranks alone, and give it to whom it belongs."""
    for pot in range(len(pots)):
        before, after = winners(plain, count, pots[pot]), winners(true, count, pots[pot])
        if before != after:
            wins[pot, before] -= weight
            wins[pot, after] += weight
            if pot == 0 and len(hits):
                for rank in range(RANKS):
                    if ranks >> rank & 1:
                        hits[before, rank] -= weight
                        hits[after, rank] += weight


@part
def whole_board(
    table: Lookup,
    holes: NDArray[np.int64],
    count: int,
    deck: int,
    pots: NDArray[np.int64],
    scratch: NDArray[np.int64],
    wins: NDArray[np.float64],
    hits: NDArray[np.float64],
) -> None:
    """Add the boards of five out of a deck that each set of players wins.

    holes    by player: two cards as masks of suits, 16 bits apart
    deck     the cards that may come, likewise
    pots     by pot: the players who can win it, a bit each
    scratch  (5, 13) for the kernel's own use
    wins     (pots, 2 ** players) out: boards by the set of who win or split the pot
    hits     (4, 13) out, or empty: of the first pot, boards by who win it and each rank on them
    """
    left, plain, true, ranks, pair = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    for rank in range(RANKS):
        left[rank] = (
            (deck >> rank & 1) + (deck >> 16 + rank & 1) + (deck >> 32 + rank & 1) + (deck >> 48 + rank & 1)
        )
    for k in range(count):
        pair[k] = pair_number(table, holes[k])
    for board in range(BOARDS):
        weight, same, before, held = np.int64(1), 0, -1, 0
        for k in range(5):
            rank = int(table.boards[board, k])
            same = same + 1 if rank == before else 0
            weight = weight * (left[rank] - same) // (same + 1)
            before = rank
            held |= 1 << rank
        if weight > 0:
            for k in range(count):
                plain[k] = table.by_rank[board, pair[k]]
            for pot in range(len(pots)):
                found = winners(plain, count, pots[pot])
                wins[pot, found] += weight
                if pot == 0 and len(hits):
                    for rank in range(RANKS):
                        if held >> rank & 1:
                            hits[found, rank] += weight
    for suit in range(4):
        in_deck, most, of_suit = deck >> 16 * suit & _SUIT, 0, 0
        for rank in range(RANKS):
            if in_deck >> rank & 1:
                ranks[of_suit] = rank
                of_suit += 1
                left[rank] -= 1
        for k in range(count):
            own, held = holes[k] >> 16 * suit & _SUIT, 0
            while own:
                own &= own - 1
                held += 1
            most = max(most, held)
        _flush_boards(
            table, holes, count, suit, of_suit, most, left, plain, true, ranks, pair, pots, wins, hits
        )
        for k in range(of_suit):
            left[ranks[k]] += 1


@part
def _flush_boards(
    table: Lookup,
    holes: NDArray[np.int64],
    count: int,
    suit: int,
    of_suit: int,
    most: int,
    left: NDArray[np.int64],
    plain: NDArray[np.int64],
    true: NDArray[np.int64],
    ranks: NDArray[np.int64],
    pair: NDArray[np.int64],
    pots: NDArray[np.int64],
    wins: NDArray[np.float64],
    hits: NDArray[np.float64],
) -> None:
    """Correct the boards on which a suit gives a flush; left: cards of each rank in the other suits."""
    choose = table.choose
    for a in range(of_suit):
        for b in range(a + 1, of_suit):
            for c in range(b + 1, of_suit):
                three = 1 << ranks[a] | 1 << ranks[b] | 1 << ranks[c]
                number = choose[ranks[a], 1] + choose[ranks[b] + 1, 2] + choose[ranks[c] + 2, 3]
                if most >= 2:
                    for two in range(PAIRS):
                        low, high = int(table.low[two]), int(table.high[two])
                        weight = left[low] * (left[low] - 1) // 2 if low == high else left[low] * left[high]
                        if weight > 0:
                            board = table.join[number, two]
                            for k in range(count):
                                plain[k] = table.by_rank[board, pair[k]]
                                suited = three | holes[k] >> 16 * suit & _SUIT
                                true[k] = max(plain[k], np.int64(table.flush[suited]))
                            held = three | 1 << low | 1 << high
                            _move(plain, true, count, pots, float(weight), held, wins, hits)
                for d in range(c + 1, of_suit):
                    four = three | 1 << ranks[d]
                    number_4 = number + choose[ranks[d] + 3, 4]
                    if most >= 1:
                        for rank in range(RANKS):
                            if left[rank] > 0:
                                board = table.join_one[number_4, rank]
                                for k in range(count):
                                    plain[k] = table.by_rank[board, pair[k]]
                                    suited = four | holes[k] >> 16 * suit & _SUIT
                                    true[k] = max(plain[k], np.int64(table.flush[suited]))
                                held = four | 1 << rank
                                _move(plain, true, count, pots, float(left[rank]), held, wins, hits)
                    for e in range(d + 1, of_suit):
                        board = number_4 + choose[ranks[e] + 4, 5]
                        five = four | 1 << ranks[e]
                        for k in range(count):
                            plain[k] = table.by_rank[board, pair[k]]
                            suited = five | holes[k] >> 16 * suit & _SUIT
                            true[k] = max(plain[k], np.int64(table.flush[suited]))
                        _move(plain, true, count, pots, 1.0, five, wins, hits)
