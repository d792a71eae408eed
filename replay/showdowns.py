"""Values of hands at a decision: against a random hand, and against the hands actually held.

Quick estimates for many decisions at once. The random numbers depend on the cards alone, so equal hands have equal
values.
"""

from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel, part
from .acpc.cards import draw, start
from .bots import preflop_strength
from .evaluator import strength_of

BOARDS: Final = 20
UNSEEN: Final = 40
_DECK: Final = 52
_WORD: Final = 4294967296.0


@part
def uniform(generator: NDArray[np.int64]) -> float:
    """From 0 to 1, 32 bits of it."""
    return float(draw(generator)) / _WORD


@part
def class_of(first: int, second: int) -> int:
    """The number of two hole cards' class, 0 to 168: 13 x higher + lower if suited, 13 x lower + higher if not."""
    high, low = max(first // 4, second // 4), min(first // 4, second // 4)
    if first % 4 == second % 4:
        return 13 * high + low
    return 13 * low + high


def rough_chart() -> NDArray[np.float64]:
    """(169,) `bots.preflop_strength` by class."""
    classes = product(range(13), repeat=2)
    return np.array([preflop_strength((4 * one, 4 * two + (one <= two))) for one, two in classes])


@part
def sampled(
    cards: NDArray[np.int64], size: int, others: int, samples: int, generator: NDArray[np.int64]
) -> float:
    """The share of showdowns that a hand wins so far, against hands drawn at random.

    cards  (16,) the board, then the hand, `size` in all; scratch behind. others: hands to beat
    """
    own = strength_of(cards, size)
    known = 0
    for k in range(size):
        known |= 1 << int(cards[k])
    score = 0.0
    kept_0, kept_1 = cards[size - 2], cards[size - 1]
    for _ in range(samples):
        seen = known
        share = 1.0
        for _other in range(others):
            for k in range(2):
                card = int(uniform(generator) * _DECK)
                while seen >> card & 1:
                    card = int(uniform(generator) * _DECK)
                seen |= 1 << card
                cards[size - 2 + k] = card
            other = strength_of(cards, size)
            if other > own:
                share = 0.0
            elif other == own:
                share *= 0.5
        score += share
    cards[size - 2], cards[size - 1] = kept_0, kept_1
    return score / samples


@part
def _draw_strengths(
    holes: NDArray[np.int8],
    board: NDArray[np.int8],
    size: int,
    whole: int,
    cards: NDArray[np.int64],
    strengths: NDArray[np.int64],
    generator: NDArray[np.int64],
) -> int:
    """Complete the board some times; every seat's strength on each. Returns how often."""
    seen, seats = 0, len(holes)
    for seat in range(seats):
        for k in range(2):
            if holes[seat, k] >= 0:
                seen |= 1 << int(holes[seat, k])
    for k in range(size):
        seen |= 1 << int(board[k])
    times = 1 if size >= whole else BOARDS
    for row in range(times):
        taken = seen
        for k in range(whole):
            card = int(board[k]) if k < size else -1
            if k >= size:
                card = int(uniform(generator) * _DECK)
                while taken >> card & 1:
                    card = int(uniform(generator) * _DECK)
                taken |= 1 << card
            cards[k] = card
        for seat in range(seats):
            cards[whole], cards[whole + 1] = holes[seat, 0], holes[seat, 1]
            strengths[row, seat] = strength_of(cards, whole + 2)
    return times


@part
def _shares(
    strengths: NDArray[np.int64], times: int, live: int, scale: float, out: NDArray[np.float32]
) -> None:
    """Each seat's share of the pot among the live ones."""
    seats = len(out)
    for seat in range(seats):
        out[seat] = 0.0
    for row in range(times):
        best, winners = -1, 0
        for seat in range(seats):
            if live >> seat & 1:
                if strengths[row, seat] > best:
                    best, winners = strengths[row, seat], 1
                elif strengths[row, seat] == best:
                    winners += 1
        for seat in range(seats):
            if live >> seat & 1 and strengths[row, seat] == best:
                out[seat] += scale / winners


@kernel
def value_decisions(
    hand: NDArray[np.int32],
    street: NDArray[np.int8],
    seat: NDArray[np.int8],
    live: NDArray[np.int32],
    holes: NDArray[np.int8],
    boards: NDArray[np.int8],
    sizes: NDArray[np.int64],
    chart: NDArray[np.float64],
    own: NDArray[np.float32],
    shares: NDArray[np.float32],
    after: NDArray[np.float32],
    cards: NDArray[np.int64],
    strengths: NDArray[np.int64],
    generator: NDArray[np.int64],
) -> None:
    """Fill what the cards were worth at each decision; decisions of a hand are in order.

    hand, street, seat, live  (A,) the row of `holes`, street, who acts, who is still in (a bit a seat)
    holes (H, N, 2), boards (H, 5) int8, -1: no card; one hole card: games of one suit, by rank
    sizes      cards on the board by street; chart (169,): strength of two hole cards before the flop
    own        (A, N) out: share of unseen hands that each seat's hand beats so far
    shares     (A, N) out: of the showdowns between the live hands; after (A, N): the same once the one who acts folded
    The rest is scratch: cards (16,), strengths (BOARDS, N), generator (625,).
    """
    seats, last_hand, last_street, times = len(own[0]), -1, -1, 0
    whole = int(sizes[len(sizes) - 1])
    for k in range(len(hand)):
        row, at = hand[k], street[k]
        size = int(sizes[at])
        if row != last_hand:
            number = 0
            for j in range(seats):
                number = (number * 131 + 53 * int(holes[row, j, 0]) + int(holes[row, j, 1]) + 54) & 0xFFFFFFF
            start(generator, number)
        if row != last_hand or at != last_street:
            times = _draw_strengths(holes[row], boards[row], size, whole, cards, strengths, generator)
            for j in range(seats):
                first, second = int(holes[row, j, 0]), int(holes[row, j, 1])
                if second < 0:
                    own[k, j] = float(first // 4) / 12.0
                elif size == 0:
                    own[k, j] = chart[class_of(first, second)]
                else:
                    for c in range(size):
                        cards[c] = boards[row, c]
                    cards[size], cards[size + 1] = first, second
                    own[k, j] = sampled(cards, size + 2, 1, UNSEEN, generator)
        else:
            for j in range(seats):
                own[k, j] = own[k - 1, j]
        last_hand, last_street = row, at
        _shares(strengths, times, live[k], 1.0 / times, shares[k])
        _shares(strengths, times, live[k] & ~(1 << seat[k]), 1.0 / times, after[k])
