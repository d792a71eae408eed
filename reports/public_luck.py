"""The luck figures of a public report: sums over whole blocks of at least 100 hidden hands.

The luck of a hidden hand follows from cards that nobody showed; anybody can work out that of the others. A match is cut
into blocks, the same for all its players, and only what a block brought in all is told: every published figure of a
match or an event is made from sums of whole blocks, so no two of them, of one player or of several, differ by fewer
hidden hands.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ..analytics.views import queries

if TYPE_CHECKING:
    from ..analytics.store import Store

LEAST: Final = 100
"""The fewest hidden hands of a block: of every player who played one in it."""

Hands = NDArray[np.int64]


def block_ends(seats: Sequence[Hands], least: int = LEAST) -> Hands:
    """The last hand of each block of a match; none if it is too short for one.

    seats  of each seat the hand_index, rising, of its hidden hands

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


def hidden_hands(seen: "Store", matches: Iterable[int]) -> dict[int, Hands]:
    """By match_id the hand_index, rising, of the hands whose cards were not all shown.

    seen  the store as spectators saw it
    """
    found: dict[int, list[int]] = {}
    for match, hand in seen.execute(queries("pages")["hidden_hands"], ids=list(matches)).fetchall():
        found.setdefault(match, []).append(hand)
    return {match: np.array(hands, np.int64) for match, hands in found.items()}


def ends_of(seen: "Store", known: Mapping[tuple[int, int], Hands]) -> dict[int, Hands]:
    """The ends of the blocks of each match, by match_id; none of a match that is too short for one.

    seen   the store as spectators saw it
    known  by match_id and seat the hand_index, rising, of the hands whose luck is known
    """
    by_match: dict[int, list[Hands]] = {}
    for (match, _), hands in known.items():
        by_match.setdefault(match, []).append(hands)
    hidden = hidden_hands(seen, by_match)
    found = {}
    for match, seats in by_match.items():
        own = hidden.get(match, np.zeros(0, np.int64))
        ends = block_ends([np.intersect1d(hands, own) for hands in seats])
        # The last block has the hands after it, too, whose cards were shown.
        ends[-1:] = max(int(hands[-1]) for hands in seats if len(hands)) if len(ends) else 0
        found[match] = ends
    return found
