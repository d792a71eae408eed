"""Tables by which hands of two cards and boards of five are compared: some 2.5 MB, made in a moment.

A board of five without its suits is one of 6,188 multisets of ranks, two hole cards one of 91. The multiset of ranks
``r0 <= r1 <= ...`` has the number ``sum of C(r_k + k, k + 1)``.
"""

from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import kernel, part
from ..evaluator import rank_strength, strength

RANKS: Final = 13
PAIRS: Final = 91
BOARDS: Final = 6188


@bundle
class Lookup(NamedTuple):
    """The look-up tables of the kernels, made by `lookup`.

    by_rank  (6188, 91) strength of a board and two hole cards by ranks alone, 0 if five share a rank
    flush    (8192) strength of the flush or straight flush of the ranks of one suit, 0 below five
    pair     (13, 13) number of two ranks; low, high: (91) the ranks of that number
    join     (455, 91) number of five ranks from those of three and two; join_one: (1820, 13) from four and one
    boards   (6188, 5) the ranks of each multiset, ascending
    choose   (20, 6) binomial coefficients
    """

    by_rank: NDArray[np.int32]
    flush: NDArray[np.int32]
    pair: NDArray[np.int16]
    low: NDArray[np.int8]
    high: NDArray[np.int8]
    join: NDArray[np.int16]
    join_one: NDArray[np.int16]
    boards: NDArray[np.int8]
    choose: NDArray[np.int32]


@part
def add_rank(held: tuple[int, int, int, int], rank: int) -> tuple[int, int, int, int]:
    """The sets of ranks held, held twice, three and four times, after one more card."""
    one = 1 << rank
    ranks, paired, tripled, quads = held
    return ranks | one, paired | ranks & one, tripled | paired & one, quads | tripled & one


@kernel
def _fill(
    by_rank: NDArray[np.int32],
    flush: NDArray[np.int32],
    boards: NDArray[np.int8],
    low: NDArray[np.int8],
    high: NDArray[np.int8],
) -> None:
    for board in range(BOARDS):
        held = (0, 0, 0, 0)
        for k in range(5):
            held = add_rank(held, int(boards[board, k]))
        for pair in range(PAIRS):
            first, second = int(low[pair]), int(high[pair])
            count = 0
            for k in range(5):
                count += boards[board, k] == boards[board, 2]
            five = count == 5 or count + (first == boards[board, 2]) + (second == boards[board, 2]) > 4
            if not five:
                most = add_rank(add_rank(held, first), second)
                by_rank[board, pair] = rank_strength(most[0], most[1], most[2], most[3])
    for ranks in range(1 << RANKS):
        bits, left = 0, ranks
        while left:
            left &= left - 1
            bits += 1
        if bits >= 5:
            flush[ranks] = strength(ranks, 0, 0, 0)


def _numbers(size: int) -> dict[tuple[int, ...], int]:
    return {
        ranks: sum(comb(rank + k, k + 1) for k, rank in enumerate(ranks))
        for ranks in combinations_with_replacement(range(RANKS), size)
    }


@cache
def lookup() -> Lookup:
    """The tables, made on first use."""
    two, three, four, five = (_numbers(size) for size in (2, 3, 4, 5))
    pair = np.zeros((RANKS, RANKS), np.int16)
    low, high = np.zeros(PAIRS, np.int8), np.zeros(PAIRS, np.int8)
    for (first, second), number in two.items():
        pair[first, second] = pair[second, first] = number
        low[number], high[number] = first, second
    join = np.zeros((len(three), PAIRS), np.int16)
    for ranks, row in three.items():
        for more, column in two.items():
            join[row, column] = five[tuple(sorted(ranks + more))]
    join_one = np.zeros((len(four), RANKS), np.int16)
    for ranks, row in four.items():
        for rank in range(RANKS):
            join_one[row, rank] = five[tuple(sorted((*ranks, rank)))]
    boards = np.zeros((BOARDS, 5), np.int8)
    for ranks, row in five.items():
        boards[row] = ranks
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(20)], np.int32)
    by_rank, flush = np.zeros((BOARDS, PAIRS), np.int32), np.zeros(1 << RANKS, np.int32)
    _fill(by_rank, flush, boards, low, high)
    return Lookup(by_rank, flush, pair, low, high, join, join_one, boards, choose)
