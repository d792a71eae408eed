"""The strength of a hand in an order of hands that a game has as data (`orders.HandOrder`).

All cards of a hand count, up to twelve. A strength is one integer: the class, then 4 bits a card.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import part
from ..schema.words import RANKS
from ..schema.words import SUITS as _SUIT_LETTERS
from .evaluator import strength_of_suits, suit_bit
from .orders import (
    ACES_TWICE,
    IN_A_ROW,
    LARGEST,
    LOWEST_FIRST,
    PAIRED_MIDDLE,
    ROW_ALONE,
    SECOND,
    SUITED,
    TIES,
)

_SUITS: Final = len(_SUIT_LETTERS)
_RANKS: Final = len(RANKS) + 1
_ACE: Final = RANKS.index("A")
_ALL: Final = (1 << _RANKS) - 1
_RANK_BITS: Final = 4
_CLASS_SHIFT: Final = 48


@part
def is_own(order: NDArray[np.int64]) -> bool:
    """True if the order differs from hold'em's."""
    own: bool = order[0, TIES] > 0
    return own


@part
def strength_by(order: NDArray[np.int64], suits: int) -> int:
    """The strength of a hand given as the bits of its cards (`evaluator.suit_bit`), in an order or as in hold'em."""
    return strength_in(order, suits) if is_own(order) else int(strength_of_suits(suits))


@part
def _with_aces_as(suits: int, rank: int) -> int:
    """A hand in which all aces are cards of another rank; as `evaluator.suit_bit` has them."""
    for suit in range(_SUITS):
        ace = suit_bit(_SUITS * _ACE + suit)
        if suits & ace:
            suits = suits & ~ace | suit_bit(_SUITS * rank + suit)
    return suits


@part
def _of_suit(suits: int, suit: int) -> int:
    """The ranks of a suit, a bit each from the ones; suits: as `evaluator.suit_bit` has them."""
    lane = suits >> 16 * suit & _ALL
    return (lane << 1 | lane >> (_RANKS - 1)) & _ALL


@part
def _size(ranks: int) -> int:
    count = 0
    while ranks:
        ranks &= ranks - 1
        count += 1
    return count


@part
def _row_top(ranks: int, length: int) -> int:
    """The highest rank of the highest row of so many ranks, -1 for none."""
    tops = ranks
    for _ in range(length - 1):
        tops &= tops << 1
    top = -1
    while tops:
        top += 1
        tops >>= 1
    return top


@part
def strength_in(order: NDArray[np.int64], suits: int) -> int:
    """As `strength_by`, in an order other than hold'em's."""
    if order[0, TIES] == ACES_TWICE:
        again = _with_aces_as(suits, order[0, SUITED] + 0)
        return max(int(strength_of_suits(suits)), int(strength_of_suits(again)))
    one, two, three, four = 0, 0, 0, 0
    for suit in range(_SUITS):
        ranks = _of_suit(suits, suit)
        four |= three & ranks
        three |= two & ranks
        two |= one & ranks
        one |= ranks
    for k in range(len(order)):
        ties = order[k, TIES]
        if ties == 0:
            break
        suited, row = order[k, SUITED], order[k, IN_A_ROW]
        top, fits = -1, True
        if suited:
            fits = False
            for suit in range(_SUITS):
                ranks = _of_suit(suits, suit)
                if _size(ranks) >= suited:
                    own = _row_top(ranks, row) if row else 0
                    fits = fits or own >= 0
                    top = max(top, own)
        elif row:
            top = _row_top(one, row)
            fits = top >= 0
        fits = fits and _has_groups(order[k, LARGEST] + 0, order[k, SECOND] + 0, two, three, four)
        if fits:
            if ties & ROW_ALONE:
                value = _of_row(top, row + 0, two, ties & PAIRED_MIDDLE > 0)
            else:
                value = _of_all(one, two, three, four, ties & LOWEST_FIRST > 0)
            return int((len(order) - k) << _CLASS_SHIFT | value)
    return 0


@part
def _has_groups(largest: int, second: int, two: int, three: int, four: int) -> bool:
    """True for a hand with a group of the largest size, and another of the second; 0 for none."""
    if largest == 0:
        return True
    large = two if largest == 2 else three if largest == 3 else four
    if large == 0:
        return False
    if second == 0:
        return True
    small = two if second == 2 else three if second == 3 else four
    return _size(small) > 1


@part
def _of_row(top: int, length: int, two: int, paired_middle: bool) -> int:
    """The ranks in a row, from the highest."""
    value = 0
    for rank in range(top, top - length, -1):
        counts = rank
        if paired_middle and two >> (top - 1) & 1 and rank == top:
            counts = rank - 1
        value = value << _RANK_BITS | counts
    return value


@part
def _of_all(one: int, two: int, three: int, four: int, lowest_first: bool) -> int:
    """All ranks: larger groups first, then from the highest; or from the lowest."""
    value = 0
    if lowest_first:
        for rank in range(_RANKS):
            held = (one >> rank & 1) + (two >> rank & 1) + (three >> rank & 1) + (four >> rank & 1)
            for _ in range(held):
                value = value << _RANK_BITS | rank
        return value
    for group in range(4, 0, -1):
        held_so = four if group == 4 else three if group == 3 else two if group == 2 else one
        more = 0 if group == 4 else four if group == 3 else three if group == 2 else two
        left = held_so & ~more
        for rank in range(_RANKS - 1, -1, -1):
            if left >> rank & 1:
                for _ in range(group):
                    value = value << _RANK_BITS | rank
    return value
