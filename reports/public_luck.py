"""What a report for everybody says of the luck of the cards: sums over whole blocks of at least 100 hands.

The luck of a hand follows from cards that nobody showed. A match is cut into blocks, the same for all its players, and
only what a block brought in all is told: every published figure of a match or an event is made from sums of whole
blocks, so no two of them, of one player or of several, differ by fewer hands.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .plots import Luck

LEAST: Final = 100
"""The fewest hands of a block: of every player who played in it."""

Hands = NDArray[np.int64]


def block_ends(seats: Sequence[Hands], least: int = LEAST) -> Hands:
    """The last hand of each block of a match; none if it is too short for one.

    seats  of each seat the hand_index, rising, of the hands whose luck is known

    In a block every seat has no such hand, or `least` of them: what one player brought may be the negative of what the
    others did. The hands after the last full block belong to it.
    """
    listed = [one for one in seats if len(one)]
    if not listed:
        return np.zeros(0, np.int64)
    hands = np.unique(np.concatenate(listed))
    # Of each seat, hands up to and with each one.
    counts = np.stack([np.searchsorted(one, hands, "right") for one in listed])

    def is_block(after: int, last: int) -> bool:
        own = counts[:, last] - (counts[:, after] if after >= 0 else 0)
        return bool(((own == 0) | (own >= least)).all())

    ends: list[int] = []
    after = -1
    for last in range(len(hands)):
        if last - after >= least and is_block(after, last):
            ends.append(last)
            after = last
    while ends and ends[-1] != len(hands) - 1:
        ends.pop()
        if is_block(ends[-1] if ends else -1, len(hands) - 1):
            ends.append(len(hands) - 1)
    found: Hands = hands[np.array(ends, np.int64)]
    return found


def ends_of(luck: Luck) -> Mapping[int, Hands]:
    """The ends of the blocks of each match, by match_id."""
    by_match: dict[int, list[Hands]] = {}
    for (match, _), (indices, _, _) in luck.items():
        by_match.setdefault(match, []).append(indices)
    return {match: block_ends(seats) for match, seats in by_match.items()}
