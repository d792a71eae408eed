"""Kuhn poker as Poker Camp's engine prints it, by brute force: a hand of a log is two numbers and up to three words."""

from __future__ import annotations

import re
from collections.abc import Iterator

# What each player has put in, and who wins: -1 the higher card, else the position that did not fold.
_ENDS = {
    "down down": ([1, 1], -1),
    "down up down": ([1, 2], 1),
    "down up up": ([2, 2], -1),
    "up down": ([2, 1], 0),
    "up up": ([2, 2], -1),
}


def kuhn_hands(text: str) -> Iterator[tuple[list[int], list[int]]]:
    """Of each hand what the rules pay, and what was put in; by position, the dealer's first."""
    for block in re.split(r"(?m)^Round #", text)[1:]:
        cards = [int(card) for card in re.findall(r" dealt \[([0-2])\]", block)]
        put, winner = _ENDS[" ".join(re.findall(r" (up|down)$", block, re.MULTILINE))]
        if winner < 0:
            winner = cards.index(max(cards))
        lost = put[1 - winner]
        yield [lost if position == winner else -lost for position in (0, 1)], list(put)
