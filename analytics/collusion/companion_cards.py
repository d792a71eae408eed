"""Whether decisions go with a companion's cards, rising or falling with his strength."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .collusion_table import Pairs
from .permuting import Tested, go_together
from .value import Floats

CARDS_EXCHANGED: Final = "chance: p with the companion's cards exchanged"
_LOOK_TWICE: Final = 0.25
"""A p below which the cards are exchanged, too; the larger of both p counts."""


def either_way(rises: Pairs, falls: Pairs) -> dict[tuple[int, int], tuple[float, Tested]]:
    """By pair the likelier of two tests, with 1 where decisions rise with the strength and -1 where they fall."""
    return {pair: (1.0, up) if up.p <= falls[pair].p else (-1.0, falls[pair]) for pair, up in rises.items()}


def within_cells(
    test: Tested, score: Floats, strength: Floats, cell: NDArray[np.int64], seed: int, pair: tuple[int, int]
) -> Tested:
    """`go_together` of what a pair's decisions were and the strength of the cards they were made beside.

    score, strength, cell  (A,) of the pair's decisions; the strengths of a cell are exchanged
    p is 1 where the test against other tables has found nothing that this one could take away.
    """
    if test.p >= _LOOK_TWICE:
        return Tested(0.0, 1.0)
    return go_together(score, strength, cell, seed * 3 + pair[0] * 101 + pair[1])


def of_both_ways(test: Tested, within: Tested) -> float:
    """The p that both tests agree on, doubled: the likelier of two directions was chosen."""
    return min(2 * max(test.p, within.p), 1.0)
