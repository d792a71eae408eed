"""What a Bounty player could know of the opponent's rank: Bayes' rule by counting every pair of unseen cards.

Works on the rounds that `mit_reader` reads, in exact fractions, and shares no code with the package.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from .decoded import Hand
from .tendencies import showdown, winner

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank, suit in product(RANKS, "cdhs")]

Belief = dict[str, Fraction]


def chances(own: list[str], board: list[str], shown: list[str] | None = None) -> Belief:
    """By the opponent's rank the chance that his two cards or the board hold it; shown: his cards, if seen."""
    left = [card for card in DECK if card not in own and card not in board]
    pairs = [tuple(shown)] if shown else list(combinations(left, 2))
    counts = dict.fromkeys(RANKS, 0)
    for pair in pairs:
        for rank in {card[0] for card in (*pair, *board)}:
            counts[rank] += 1
    return {rank: Fraction(counts[rank], len(pairs)) for rank in RANKS}


def beliefs(hands: list[Hand], seat: int, told_other: bool = False) -> list[tuple[Belief, Belief] | None]:
    """The probability of each rank of the other seat to the player in `seat`, before and after each hand.

    told_other  as the other seat can retell it, who sees the player's cards only at a showdown

    None where the log does not say the ranks.
    """
    found: list[tuple[Belief, Belief] | None] = []
    belief: Belief = dict.fromkeys(RANKS, Fraction(1, 13))
    for hand in hands:
        me, you = hand["seats"].index(seat), hand["seats"].index(1 - seat)
        rank = hand["bounties"][you]
        if rank is None:
            found.append(None)
            continue
        if hand["reset"]:
            belief = dict.fromkeys(RANKS, Fraction(1, 13))
        before = belief
        if winner(hand) != me:
            hit = rank in {card[0] for card in (*hand["hole"][you], *hand["board"])}
            shown = hand["hole"][you] if showdown(hand) else None
            own = hand["hole"][me] if showdown(hand) or not told_other else []
            chance = chances(own, hand["board"], shown)
            weights = {r: p * (chance[r] if hit else 1 - chance[r]) for r, p in belief.items()}
            belief = {r: weight / sum(weights.values()) for r, weight in weights.items()}
        found.append((before, belief))
    return found
