"""Orders of hands that a game has instead of hold'em's (`hand_order` applies them), and decks that lack cards: data."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..schema.words import CARDS, RANKS

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
"""Hold'em's order."""


def deck_mask(ranks: str, suits: str) -> int:
    """The cards of a deck, a bit each by code."""
    return sum(1 << code for code, card in enumerate(CARDS) if card[0] in ranks and card[1] in suits)
