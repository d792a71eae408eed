"""The dealer's cards: MT19937 seeded with the header's number, one stream for the whole match.

Hand after hand a deck is made suit by suit, and each card is drawn at `number % cards left`; its place is taken
by the last card. Every hole card of the first position, of the next, and so on, then all boards, dealt or not.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part
from . import state as s

_WORDS: Final = 624
_MIDDLE: Final = 397
_ALL: Final = 0xFFFFFFFF
_UPPER: Final = 0x80000000
_LOWER: Final = 0x7FFFFFFF
_MATRIX: Final = 0x9908B0DF


@part
def start(generator: NDArray[np.int64], seed: int) -> None:
    """Seed a generator, (625,): its words, and how many of them are used up."""
    word = seed & _ALL
    generator[0] = word
    for k in range(1, _WORDS):
        word = (1812433253 * (word ^ word >> 30) + k) & _ALL
        generator[k] = word
    generator[_WORDS] = _WORDS


@part
def _twist(generator: NDArray[np.int64]) -> None:
    for k in range(_WORDS):
        following = k + 1 if k + 1 < _WORDS else 0
        other = k + _MIDDLE if k + _MIDDLE < _WORDS else k + _MIDDLE - _WORDS
        word = generator[k] & _UPPER | generator[following] & _LOWER
        generator[k] = generator[other] ^ word >> 1 ^ (_MATRIX if word & 1 else 0)
    generator[_WORDS] = 0


@part
def draw(generator: NDArray[np.int64]) -> int:
    """The next number of 32 bits."""
    if generator[_WORDS] >= _WORDS:
        _twist(generator)
    word = generator[generator[_WORDS]]
    generator[_WORDS] += 1
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C5680
    word ^= word << 15 & 0xEFC60000
    return int(word ^ word >> 18)


@part
def skip(generator: NDArray[np.int64], count: int) -> None:
    """Skip the next numbers."""
    while count > 0:
        if generator[_WORDS] >= _WORDS:
            _twist(generator)
        step = min(count, _WORDS - generator[_WORDS])
        generator[_WORDS] += step
        count -= step


@part
def deal(
    generator: NDArray[np.int64], game: np.void, deck: NDArray[np.int64], drawn: NDArray[np.int64]
) -> None:
    """Draw the next hand's cards (`state.Hand.drawn`)."""
    left = 0
    for suit in range(game["first_suit"], 4):
        for rank in range(game["first_rank"], 13):
            deck[left] = rank * 4 + suit
            left += 1
    for k in range(game["cards_dealt"]):
        place = draw(generator) % left
        left -= 1
        drawn[k] = deck[place]
        deck[place] = deck[left]


@kernel
def find_seed(
    game: np.void, number: int, holes: NDArray[np.int64], first: int, last: int, hand: s.Hand
) -> int:
    """The first seed of first..last whose hand `number` has the given hole cards in the order dealt; -1: none."""
    generator, deck, drawn = hand.generator, hand.deck, hand.drawn
    for seed in range(first, last):
        start(generator, seed)
        skip(generator, number * game["cards_dealt"])
        deal(generator, game, deck, drawn)
        same = True
        for k in range(len(holes)):
            same = same and drawn[k] == holes[k]
        if same:
            return seed
    return s.NONE


@kernel
def hands_dealt(
    game: np.void,
    seed: int,
    number: int,
    out: NDArray[np.int64],
    hand: s.Hand,
) -> None:
    """Fill (hands, DEALT) `out` with the cards that a seed deals from hand `number` on."""
    generator, deck, drawn = hand.generator, hand.deck, hand.drawn
    start(generator, seed)
    skip(generator, number * game["cards_dealt"])
    for row in range(len(out)):
        deal(generator, game, deck, drawn)
        for k in range(game["cards_dealt"]):
            out[row, k] = drawn[k]
