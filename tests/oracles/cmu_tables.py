"""CMU's tables of 2025 and 2026 by another reading of their rules, with Python's own reader of such files.

Shares no code with the package.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, groupby

RANKS = "23456789A"
STREETS = {"Pre-Flop": 0, "Flop": 1, "Turn": 2, "River": 3, "0": 0, "1": 1, "2": 2, "3": 3}
LIMP_ENDS, RAISE_CALLED, GOES_ON = "limp that ends the street", "call of a raise ends it", "street goes on"


def five(cards: tuple[str, ...], ace_high_straight: bool) -> tuple[int, ...]:
    """What five cards are worth."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    counts = Counter(ranks)
    groups = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    sizes = sorted(counts.values(), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    top = -1
    if len(counts) == 5:
        if ranks[0] - ranks[4] == 4 and (ace_high_straight or ranks[0] != RANKS.index("A")):
            top = ranks[0]
        elif ranks == [RANKS.index("A"), 3, 2, 1, 0]:
            top = 3
    if top >= 0:
        return (8, top) if flush else (4, top)
    if sizes == [3, 2]:
        return 6, *groups
    if flush:
        return 5, *ranks
    kind = {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(sizes), 0)
    return kind, *groups


def best(cards: list[str], ace_high_straight: bool = True) -> tuple[int, ...]:
    """The best five of seven."""
    return max(five(some, ace_high_straight) for some in combinations(cards, 5))


@dataclass
class Told:
    """A hand as its rows tell it: chips by seat, whether its last action was refused, how calls before the flop end."""

    number: int
    before: list[int]
    put: list[int]
    folded: int = -1
    refused: bool = False
    holes: list[list[str]] = field(default_factory=list)
    board: list[str] = field(default_factory=list)
    street: int = 0
    calls: list[tuple[int, str]] = field(default_factory=list)

    def awards(self, ace_high_straight: bool = True) -> list[int]:
        """What the hand pays, by seat."""
        chips = min(self.put)
        if self.folded >= 0:
            won = 1 - self.folded
        else:
            one, two = (best([*hole, *self.board], ace_high_straight) for hole in self.holes)
            if one == two:
                return [0, 0]
            won = 0 if one > two else 1
        return [chips, -chips] if won == 0 else [-chips, chips]


def _cards(cell: str) -> list[str]:
    return [word.strip(" '") for word in cell.strip("[]").split(",") if word.strip(" '")]


def told(text: str, blinds: tuple[int, int] = (1, 2)) -> list[Told]:
    """The hands of a table, whose last may be cut."""
    lines = [line for line in text.splitlines() if not line.startswith(("#", "hand_number"))]
    hands = []
    for number, rows in groupby(csv.reader(lines), key=lambda row: int(row[0])):
        hands.append(_hand(number, list(rows), blinds))
    return hands


def _hand(number: int, rows: list[list[str]], blinds: tuple[int, int]) -> Told:
    dealer = number % 2
    found = Told(number, [int(cell) for cell in rows[0][3:5]], [0, 0])
    found.put[dealer], found.put[1 - dealer] = blinds
    raised = False
    for place, row in enumerate(rows):
        street, seat, action, amount = STREETS[row[1]], int(row[2]), row[5], int(row[6])
        found.street = street
        after = rows[place + 1] if place + 1 < len(rows) else None
        assert int(row[-1]) == int(row[-2]) == found.put[seat]
        found.holes, found.board = [_cards(cell) for cell in row[-7:-5]], _cards(row[-5])
        own, other = found.put[seat], found.put[1 - seat]
        if action == "FOLD":
            found.folded = seat
        elif (
            (action == "CALL" and own == other)
            or (action == "CHECK" and own < other)
            or (action in ("RAISE", "DISCARD") and after is None)
        ):
            found.folded, found.refused = seat, True
        elif action == "CALL":
            found.put[seat] = other
            if street == 0 and after is not None:
                ends = STREETS[after[1]] > 0
                limp = not raised and seat == dealer
                found.calls.append((int(row[2]), (LIMP_ENDS if limp else RAISE_CALLED) if ends else GOES_ON))
        elif action == "RAISE":
            found.put[seat], raised = other + amount, True
    return found
