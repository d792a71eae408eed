"""Hold'em by brute force: the best five of any cards, and Bounty's payout in the words of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import ceil, floor

RANKS = "23456789TJQKA"
SUITS = "cdhs"

Strength = tuple[int, ...]
"""Category 0..8 (high card .. straight flush), then the ranks that break ties; larger is better."""


@cache
def strength_of_five(ranks: tuple[int, ...], flush: bool) -> Strength:
    """Strength of five cards from their ranks 0..12 in descending order and whether they share a suit."""
    by_count = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    counts = [ranks.count(rank) for rank in by_count]
    five_different = len(by_count) == 5
    wheel = ranks == (12, 3, 2, 1, 0)
    straight = wheel or (five_different and ranks[0] - ranks[4] == 4)
    if straight:
        by_count = [3] if wheel else [ranks[0]]
    if straight and flush:
        category = 8
    elif counts == [4, 1]:
        category = 7
    elif counts == [3, 2]:
        category = 6
    elif flush:
        category = 5
    elif straight:
        category = 4
    elif counts == [3, 1, 1]:
        category = 3
    elif counts == [2, 2, 1]:
        category = 2
    elif counts == [2, 1, 1, 1]:
        category = 1
    else:
        category = 0
    return (category, *by_count)


def best_five(cards: Sequence[str]) -> Strength:
    """Strength of the best five of `cards` (five or more, written `Ah`): every five are tried.

    Raises ValueError for fewer than five cards, a card twice, or text that is no card.
    """
    if len(cards) < 5:
        raise ValueError(f"{len(cards)} cards, five are needed")
    if len(set(cards)) != len(cards):
        raise ValueError(f"a card twice in {' '.join(cards)}")
    return _best_of(tuple(cards))


@lru_cache(maxsize=1 << 18)
def _best_of(cards: tuple[str, ...]) -> Strength:
    pairs = sorted(((RANKS.index(card[0]), SUITS.index(card[1:])) for card in cards), reverse=True)
    return max(
        strength_of_five(tuple(rank for rank, _ in five), all(suit == five[0][1] for _, suit in five))
        for five in combinations(pairs, 5)
    )


def hits_bounty(rank: str, hole: Sequence[str], board: Sequence[str]) -> bool:
    """Whether "one of their hole cards or one of the cards on the board [...] has their bounty rank"."""
    return any(card[0] == rank for card in (*hole, *board))


def winner_of(folded_by: int | None, strengths: Sequence[Strength] | None) -> int | None:
    """The player (0 or 1) who wins, None for a split: the one who did not fold, else the stronger hand.

    Raises ValueError where nobody folded and no strengths are given.
    """
    if folded_by is not None:
        return 1 - folded_by
    if strengths is None:
        raise ValueError("a showdown needs both strengths")
    if strengths[0] == strengths[1]:
        return None
    return 0 if strengths[0] > strengths[1] else 1


def normal_payout(
    contributions: Sequence[int], folded_by: int | None, strengths: Sequence[Strength] | None
) -> list[int]:
    """Chips each player gains in plain heads-up hold'em: the winner the loser's contribution; a split changes
    nothing.
    """
    winner = winner_of(folded_by, strengths)
    chips = [0, 0]
    if winner is not None:
        chips[winner] = contributions[1 - winner]
        chips[1 - winner] = -contributions[1 - winner]
    return chips


def bounty_payout(
    contributions: Sequence[int],
    folded_by: int | None,
    strengths: Sequence[Strength] | None,
    hits: Sequence[bool],
    dealer: int,
) -> list[int]:
    """Chips each of players 0 and 1 gains in one round of Bounty Hold'em, as the rules document of 2025 says
    it.

    `contributions`: chips each player put into the pot in the whole round; `folded_by`: who folded, None at a
    showdown; `strengths`: by player, larger wins, None is enough when somebody folded; `hits`: whether each
    player hits their bounty with own hole cards and the board dealt so far; `dealer`: 0 or 1. The two results
    always add up to 0.
    """
    winner = winner_of(folded_by, strengths)
    if winner is None:
        # "in the case of a split pot, if both or none of the players hit their bounty, nothing happens"
        if hits[0] == hits[1]:
            return [0, 0]
        # "if exactly one player hits their bounty, they will win 1/4 of the chips that their opponent put
        # into the pot plus an additional 10"
        winner = 0 if hits[0] else 1
        winnings = Fraction(contributions[1 - winner], 4) + 10
    else:
        # "normal winnings refers to the amount of chips bet by the opponent at the end of all action"
        winnings = Fraction(contributions[1 - winner])
        if hits[winner]:
            # "[winnings with bounty] = 1.5 * [normal winnings] + 10"
            winnings = Fraction(3, 2) * winnings + 10
    # "rounded up if the winning player is out of position (not the dealer) and rounded down otherwise"
    whole = floor(winnings) if winner == dealer else ceil(winnings)
    chips = [-whole, -whole]
    chips[winner] = whole
    return chips
