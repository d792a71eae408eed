"""Hands of four cards of a deck of 27 by another reading of their rules, and logs that an engine of them would write.

Shares no code with the package.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise

STACK = 400
DECK = [rank + suit for rank in "123456789" for suit in "shd"]


def score(cards: list[str], engine: bool = False) -> tuple[int, ...]:
    """What a hand is worth; engine: with its error about three in a row."""
    ranks = sorted((int(card[0]) for card in cards), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    straight = all(high == low + 1 for high, low in pairwise(ranks))
    counts = Counter(ranks)
    groups = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    sizes = sorted(counts.values(), reverse=True)
    rows = [rank for rank in counts if rank - 1 in counts and rank - 2 in counts]
    if flush and straight:
        return 8, *ranks
    if sizes[0] == 3:
        return 7, *groups
    if sizes == [2, 2]:
        return 6, *groups
    if flush:
        return 5, *ranks
    if straight:
        return 4, *ranks
    if rows:
        top = max(rows)
        if engine and counts[top - 1] == 2:
            return 3, top - 1, top - 1, top - 2
        return 3, top, top - 1, top - 2
    return (2, *groups) if sizes[0] == 2 else (1, *ranks)


def equity(own: list[str], other: list[str], board: list[str], engine: bool) -> Fraction:
    """The share of the boards that can come with which a hand wins, half of those that tie."""
    left = [card for card in DECK if card not in own + other + board]
    won = deals = 0
    for coming in combinations(left, 2 - len(board)):
        one, two = (score([*hand, *board, *coming], engine) for hand in (own, other))
        won += 2 * (one > two) + (one == two)
        deals += 1
    return Fraction(won, 2 * deals)


def equity_award(own: list[str], other: list[str], board: list[str], engine: bool) -> int:
    """The dealer's award where both are all-in before the last card."""
    # Of a fraction that is halfway, `round` takes the even number.
    return round(2 * STACK * equity(own, other, board, engine)) - STACK


def log(hands: int, seed: int, names: tuple[str, str] = ("Ann", "Bob")) -> tuple[str, list[tuple[int, int]]]:
    """A match, and for each hand what seat 0 is paid, and what it would be without the engine's error."""
    rng = random.Random(seed)
    lines, paid = [f"CMU Poker Bot Game - {names[0]} vs {names[1]}"], []
    bank = 0
    for number in range(1, hands + 1):
        dealer = (number + 1) % 2
        one, two = names[dealer], names[1 - dealer]
        cards = rng.sample(DECK, 6)
        own, other, board = cards[:2], cards[2:4], cards[4:]
        lines += ["", f"Round #{number}", f"{one} posts the blind of 1", f"{two} posts the blind of 2"]
        lines += [f"{one} dealt {own}", f"{two} dealt {other}"]
        kind = rng.choice(("fold", "limp", "raise", "shove", "flop shove", "river shove"))
        award = right = 0
        put = 0
        if kind == "fold":
            lines += [f"{one} bets 6", f"{two} folds"]
            award = right = 2
        elif kind == "shove":
            lines += [f"{one} bets {STACK}", f"{two} calls"]
            award, right = (equity_award(own, other, [], engine) for engine in (True, False))
        else:
            put = 2 if kind == "limp" else 10
            lines += [f"{one} calls", f"{two} checks"] if put == 2 else [f"{one} bets {put}", f"{two} calls"]
            lines += [f"Flop Board: {board[:1]} Pot: {2 * put}"]
            if kind == "flop shove":
                lines += [f"{two} bets {STACK - put}", f"{one} calls"]
                award, right = (equity_award(own, other, board[:1], engine) for engine in (True, False))
            else:
                lines += [f"{two} checks", f"{one} checks", f"River Board: {board} Pot: {2 * put}"]
                if kind == "river shove":
                    lines += [f"{two} checks", f"{one} bets {STACK - put}", f"{two} calls"]
                    put = STACK
                else:
                    lines += [f"{two} checks", f"{one} checks"]
                results = []
                for engine in (True, False):
                    a, b = score(own + board, engine), score(other + board, engine)
                    results.append(put * ((a > b) - (a < b)))
                award, right = results
        if kind != "fold":
            lines += [f"{one} shows {own}", f"{two} shows {other}"]
        sign = 1 if dealer == 0 else -1
        bank += sign * award
        paid.append((sign * award, sign * right))
        lines += [f"{one} awarded {award}", f"{two} awarded {-award}"]
        banks = (bank, -bank) if dealer == 0 else (-bank, bank)
        lines += [f"{one} Bankroll: {banks[0]}", f"{two} Bankroll: {banks[1]}"]
    lines += [f"{names[0]} Bankroll: {bank}", f"{names[1]} Bankroll: {-bank}"]
    return "\n".join(lines), paid


def three_card_score(cards: list[str]) -> tuple[int, ...]:
    """What a hand of three cards is worth in the older game."""
    ranks = sorted(int(card[0]) for card in cards)
    flush = len({card[1] for card in cards}) == 1
    straight = ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]
    kinds = len(set(ranks))
    if kinds == 1:
        return 5, *ranks
    if flush or straight:
        return 4 if flush and straight else 3 if flush else 2, *ranks
    return 1 if kinds == 2 else 0, *ranks


def told(text: str, engine: bool) -> list[tuple[list[int], list[int]]]:
    """Of each hand of a log what it pays the dealer and the opponent, and what they put in; names must differ."""
    hands = []
    for block in text.split("\nRound #")[1:]:
        lines = block.split("\n")
        names = [line.split(" posts ")[0] for line in lines[1:3]]
        holes: list[list[str]] = [[], []]
        put, pip, board = [0, 0], [1, 2], []
        folded = -1
        for line in lines[3:]:
            if line.startswith(("Flop Board", "River Board")):
                board = re.findall(r"'(..)'", line)
                put, pip = [put[0] + pip[0], put[1] + pip[1]], [0, 0]
                continue
            seat = next((k for k in (0, 1) if line.startswith(names[k] + " ")), None)
            if seat is None or " awarded " in line:
                continue
            said = line.removeprefix(names[seat] + " ")
            if said.startswith("dealt"):
                holes[seat] = re.findall(r"'(..)'", said)
            elif said == "calls":
                pip[seat] = pip[1 - seat]
            elif said == "folds":
                folded = seat
            elif said.startswith("bets "):
                pip[seat] = int(said.removeprefix("bets "))
        put = [put[0] + pip[0], put[1] + pip[1]]
        if folded >= 0:
            award = put[1] if folded == 1 else -put[0]
        elif len(holes[0]) == 1:
            one, other = (three_card_score(hole + board) for hole in holes)
            award = put[0] * ((one > other) - (one < other))
        elif len(board) < 2:
            award = equity_award(holes[0], holes[1], board, engine)
        else:
            one, other = (score(hole + board, engine) for hole in holes)
            award = put[0] * ((one > other) - (one < other))
        hands.append(([award, -award], put))
    return hands
