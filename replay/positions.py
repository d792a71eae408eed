"""The names of the positions at a table with blinds, and the indices of a smaller table's positions among them."""

from typing import Final

import numpy as np

from ..parsers.dialect import MOST_SEATED
from ..schema.words import DEALER_FIRST


def _between(count: int) -> tuple[str, ...]:
    """Positions after the big blind and before the button: one is the cutoff, the first of several UTG."""
    late = ("CO", "HJ", "LJ")[: max(count - 1, min(count, 1))][::-1]
    early = count - len(late)
    return (*("UTG" if k == 0 else f"UTG+{k}" for k in range(early)), *late)


def positions_at(players: int, blinds: int = 2) -> tuple[str, ...]:
    """The names from the player after the dealer on; heads-up the dealer is first, unless it posts no blind."""
    if players == 2:
        return DEALER_FIRST if blinds == 2 else ("SB", "BTN")
    return ("SB", "BB", *_between(players - 3), "BTN")


PREFLOP_ORDER: Final = (*_between(MOST_SEATED - 3), "BTN", "SB", "BB")
"""The names of positions in the order of action before the flop, at the largest table."""


def _smaller() -> list[list[list[int]]]:
    """By players of a match, players of a hand and place after the dealer: the index among the match's names."""
    table = [[[0] * MOST_SEATED for _ in range(MOST_SEATED + 1)] for _ in range(MOST_SEATED + 1)]
    for players in range(2, MOST_SEATED + 1):
        names = positions_at(players, 1)
        for live in range(2, players + 1):
            for place, name in enumerate(positions_at(live, 1)):
                table[players][live][place] = names.index(name)
    return table


OF_SMALLER: Final = np.array(_smaller())
"""(MOST_SEATED + 1, MOST_SEATED + 1, MOST_SEATED) the indices of `_smaller`."""
