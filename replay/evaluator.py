"""Exact best-five-card high hand of any number of cards.

A hand is four 13-bit masks, one a suit, bit r for rank r (0 = deuce, 12 = ace). Ranks held twice, three and
four times follow from the masks by logic alone; 8,192-entry tables, one entry a mask, answer the rest. More
than seven cards are nothing special: a hand may hold two flushes, two trips, three pairs or two quads, and
the best five of them decide.

A strength is one integer, ``category << 26 | primary << 13 | kickers``, where both fields are sets of ranks:

====================  ======================  ====================
category              primary                 kickers
====================  ======================  ====================
0 high card                                   best five ranks
1 pair                the pair                best three others
2 two pair            the two best pairs      best other
3 three of a kind     the trips               best two others
4 straight                                    its top (the five of A-5)
5 flush                                       its five ranks
6 full house          the best trips          the best pair of the rest
7 four of a kind      the best quads          best other
8 straight flush                              its top
====================  ======================  ====================

Sets of equally many ranks compare as hands do, highest rank first. So of two hands of five or more cards the
better has the larger strength, and strengths are equal exactly when the hands tie (there are 7,462 values).

Fewer than five cards are compared by what there is: pairs, trips and quads count, straights and flushes need
five cards, and a missing kicker is lower than any. One-card and two-card games (Kuhn, Leduc) use that. No
card at all has strength 0.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel, part
from .cards import DIAMONDS, HEARTS

HIGH_CARD: Final = 0
PAIR: Final = 1
TWO_PAIR: Final = 2
THREE_OF_A_KIND: Final = 3
STRAIGHT: Final = 4
FLUSH: Final = 5
FULL_HOUSE: Final = 6
FOUR_OF_A_KIND: Final = 7
STRAIGHT_FLUSH: Final = 8

_RANKS: Final = 13
_CATEGORY_SHIFT: Final = 2 * _RANKS
_ALL_RANKS: Final = (1 << _RANKS) - 1

# Signed, so that Numba's integer arithmetic on table entries stays int64; 16 bits, so that the tables fit L2.
_MASKS: Final = np.arange(1 << _RANKS, dtype=np.int16)


def _top_one() -> NDArray[np.int16]:
    top = np.zeros_like(_MASKS)
    for rank in range(_RANKS):
        top[1 << rank : 2 << rank] = 1 << rank
    return top


def _with_next(best: NDArray[np.int16]) -> NDArray[np.int16]:
    more: NDArray[np.int16] = best | _TOP1[_MASKS ^ best]
    return more


def _straight_top() -> NDArray[np.int16]:
    ace_low = _MASKS << 1 | _MASKS >> 12  # bit 0 = the ace below the deuce
    start = ace_low & ace_low >> 1 & ace_low >> 2 & ace_low >> 3 & ace_low >> 4
    top: NDArray[np.int16] = _TOP1[start] << 3
    return top


_TOP1: Final = _top_one()
_TOP2: Final = _with_next(_TOP1)
_TOP3: Final = _with_next(_TOP2)
_TOP4: Final = _with_next(_TOP3)
_TOP5: Final = _with_next(_TOP4)
_STRAIGHT: Final = _straight_top()
_FLUSH: Final = np.where(_TOP5 != _TOP4, _TOP5, np.int16(0))


@part
def _of_ranks(ranks: int, paired: int, tripled: int, quads: int, flush: int) -> int:
    """The best hand but a straight flush: ranks held, held twice, three and four times; ranks of a flush or 0."""
    if quads:
        best = int(_TOP1[quads])
        return FOUR_OF_A_KIND << _CATEGORY_SHIFT | best << _RANKS | int(_TOP1[ranks ^ best])
    if tripled:
        best = int(_TOP1[tripled])
        if paired != best:
            return FULL_HOUSE << _CATEGORY_SHIFT | best << _RANKS | int(_TOP1[paired ^ best])
    if flush:
        return FLUSH << _CATEGORY_SHIFT | flush
    straight = int(_STRAIGHT[ranks])
    if straight:
        return STRAIGHT << _CATEGORY_SHIFT | straight
    if tripled:
        return THREE_OF_A_KIND << _CATEGORY_SHIFT | tripled << _RANKS | int(_TOP2[ranks ^ tripled])
    if paired:
        best = int(_TOP2[paired])
        if best & (best - 1):
            return TWO_PAIR << _CATEGORY_SHIFT | best << _RANKS | int(_TOP1[ranks ^ best])
        return PAIR << _CATEGORY_SHIFT | best << _RANKS | int(_TOP3[ranks ^ best])
    return HIGH_CARD << _CATEGORY_SHIFT | int(_TOP5[ranks])


@part
def rank_strength(ranks: int, paired: int, tripled: int, quads: int) -> int:
    """Return the strength of a hand without a flush: the ranks it holds, holds twice, three and four times."""
    best: int = _of_ranks(ranks, paired, tripled, quads, 0)
    return best


@kernel
def strength(clubs: int, diamonds: int, hearts: int, spades: int) -> int:
    """Return the strength of the hand whose ranks in each suit are the given 13-bit masks.

    The masks are int64 from 0 to 8191; other bits are not checked and must not be set.
    """
    minor_pair, major_pair = clubs & diamonds, hearts & spades
    minor, major = clubs | diamonds, hearts | spades
    flush = int(max(max(_FLUSH[clubs], _FLUSH[diamonds]), max(_FLUSH[hearts], _FLUSH[spades])))
    if flush:
        top = max(max(_STRAIGHT[clubs], _STRAIGHT[diamonds]), max(_STRAIGHT[hearts], _STRAIGHT[spades]))
        if top:
            return STRAIGHT_FLUSH << _CATEGORY_SHIFT | int(top)
    return _of_ranks(
        minor | major,
        minor_pair | major_pair | minor & major,
        minor_pair & major | major_pair & minor,
        minor_pair & major_pair,
        flush,
    )


@kernel
def eval7_strength(clubs: int, diamonds: int, hearts: int, spades: int) -> int:
    """Return the strength that the library eval7 gives a hand of any size, in the terms of `strength`.

    It looks for a flush and a straight flush in one suit alone: the first of spades, clubs, diamonds and hearts
    with five cards. With two such suits a better flush or a straight flush in the other is missed. Masks as in
    `strength`.
    """
    minor_pair, major_pair = clubs & diamonds, hearts & spades
    minor, major = clubs | diamonds, hearts | spades
    suit = spades
    if not _FLUSH[suit]:
        suit = clubs
    if not _FLUSH[suit]:
        suit = diamonds
    if not _FLUSH[suit]:
        suit = hearts
    flush = int(_FLUSH[suit])
    if flush and _STRAIGHT[suit]:
        return STRAIGHT_FLUSH << _CATEGORY_SHIFT | int(_STRAIGHT[suit])
    return _of_ranks(
        minor | major,
        minor_pair | major_pair | minor & major,
        minor_pair & major | major_pair & minor,
        minor_pair & major_pair,
        flush,
    )


@part
def is_red(card: int) -> bool:
    """True for a diamond or a heart."""
    return card % 4 == DIAMONDS or card % 4 == HEARTS


@part
def suit_bit(card: int) -> int:
    """The bit of a card among the ranks of each suit: four masks, 16 bits apart."""
    code = int(card)
    return 1 << ((code & 3) << 4 | code >> 2)


@part
def suits_of(cards: NDArray[np.integer], n: int) -> int:
    """The bits of the first n codes; -1 counts for nothing."""
    suits = 0
    for i in range(n):
        if cards[i] >= 0:
            suits |= suit_bit(cards[i])
    return suits


@part
def strength_of_suits(suits: int) -> int:
    """The strength of a hand given as the bits of its cards."""
    return strength(
        suits & _ALL_RANKS, suits >> 16 & _ALL_RANKS, suits >> 32 & _ALL_RANKS, suits >> 48 & _ALL_RANKS
    )


@part
def eval7_strength_of_suits(suits: int) -> int:
    """`eval7_strength` of a hand given as the bits of its cards."""
    return eval7_strength(
        suits & _ALL_RANKS, suits >> 16 & _ALL_RANKS, suits >> 32 & _ALL_RANKS, suits >> 48 & _ALL_RANKS
    )


@kernel
def strength_of(cards: NDArray[np.integer], n: int) -> int:
    """Return the strength of the first `n` codes of the one-dimensional integer array `cards`.

    `n` is at most its length and not checked. Codes are 0 to 51, each at most once, or -1 (no card),
    which counts for nothing.
    """
    return strength_of_suits(suits_of(cards, n))


@kernel
def eval7_strength_of(cards: NDArray[np.integer], n: int) -> int:
    """Return what `eval7_strength` gives the first `n` codes of `cards`, as `strength_of` does."""
    return eval7_strength_of_suits(suits_of(cards, n))


@kernel
def category(strength: int) -> int:
    """Return the category of a strength, 0 (high card) to 8 (straight flush)."""
    return strength >> _CATEGORY_SHIFT


@part
def without_low_kicker(strength: int) -> int:
    """Return a strength; of two pairs with a kicker below both, without the kicker."""
    kicker = strength & _ALL_RANKS
    pairs = strength >> _RANKS & _ALL_RANKS
    if category(strength) == TWO_PAIR and kicker < (pairs & -pairs):
        return strength - kicker
    return strength
