"""Orders of hands that a game has instead of hold'em's, as data (`HandOrder`), and decks that lack cards.

All cards of a hand count, up to twelve. A strength is one integer: the class, then 4 bits a card.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import part
from ..schema.words import CARDS, RANKS
from ..schema.words import SUITS as _SUIT_LETTERS
from .evaluator import strength_of_suits, suit_bit

MOST_CLASSES: Final = 10
FIELDS: Final = 5
"""Numbers of a class, as kernels read it: suited, in a row, the two largest groups, and bits of how ties are broken."""

SUITED, IN_A_ROW, LARGEST, SECOND, TIES = range(FIELDS)
IS_CLASS, ROW_ALONE, LOWEST_FIRST, PAIRED_MIDDLE, ACES_TWICE = 1, 2, 4, 8, 16


@dataclass(frozen=True)
class HandClass:
    """Hands of one kind.

    suited     at least so many cards of one suit
    in_a_row   at least so many ranks in a row; if suited, of that suit
    groups     cards of one rank, the largest group first: (3,) is trips, (2, 2) two pair
    row_alone  only the ranks in a row break a tie; else all ranks do, those of groups first
    """

    suited: int = 0
    in_a_row: int = 0
    groups: tuple[int, ...] = ()
    row_alone: bool = False


@dataclass(frozen=True)
class HandOrder:
    """An order of hands, by data.

    classes        the best first; a hand is of the first class that it fits
    lowest_first   of two hands of one class the lowest ranks are compared first, groups do not matter
    paired_middle  three in a row of which the middle one is paired count as that pair and the lowest: an error of an
                   engine
    ace_as         without classes, hold'em's order, in which all aces of a hand may count as this rank instead

    Raises ValueError for more classes than kernels have room for.
    """

    classes: tuple[HandClass, ...] = ()
    lowest_first: bool = False
    paired_middle: bool = False
    ace_as: str = ""

    def __post_init__(self) -> None:
        if len(self.classes) > MOST_CLASSES:
            raise ValueError(f"{len(self.classes)} classes of hands, there is room for {MOST_CLASSES}")

    def table(self) -> NDArray[np.int64]:
        """(MOST_CLASSES, FIELDS) as kernels read it; all 0 for no class."""
        table = np.zeros((MOST_CLASSES, FIELDS), np.int64)
        for row, one in zip(table, self.classes, strict=False):
            row[:LARGEST] = one.suited, one.in_a_row
            row[LARGEST : LARGEST + len(one.groups[:2])] = one.groups[:2]
            row[TIES] = IS_CLASS | one.row_alone * ROW_ALONE | self.lowest_first * LOWEST_FIRST
            row[TIES] |= self.paired_middle * PAIRED_MIDDLE
        if self.ace_as:
            table[0, SUITED], table[0, TIES] = RANKS.index(self.ace_as), ACES_TWICE
        return table


USUAL: Final = HandOrder()
"""That of hold'em."""


def deck_mask(ranks: str, suits: str) -> int:
    """The cards of a deck, a bit each by code."""
    return sum(1 << code for code, card in enumerate(CARDS) if card[0] in ranks and card[1] in suits)


_SUITS: Final = len(_SUIT_LETTERS)
_RANKS: Final = len(RANKS) + 1
_ACE: Final = RANKS.index("A")
_ALL: Final = (1 << _RANKS) - 1
_RANK_BITS: Final = 4
_CLASS_SHIFT: Final = 48


@part
def is_own(order: NDArray[np.int64]) -> bool:
    """True where hands do not compare as in hold'em."""
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
    """As `strength_by`, in an order that is not hold'em's."""
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
