"""The facts that rules hide from a player at a decision, and which games have them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ...variants.properties import Properties


@dataclass(frozen=True)
class Fact:
    """A fact that some games hide.

    exists   whether a game with these properties hides it
    asks     the hypothesis of honest play, in one sentence
    chips    what the effect in chips counts
    law      where the probabilities come from with which hidden facts are exchanged
    """

    name: str
    exists: Callable[[Properties], bool]
    asks: str
    chips: str
    law: str


HOLE_CARDS: Final = Fact(
    "hole cards",
    lambda game: bool(game.hole_cards) and not game.passes,
    "given the betting and its own cards, a player's choices do not depend on the cards that the others hold",
    "what PLAYER gains because it has more chips at stake when it is ahead of the cards really held, and fewer when "
    "it is behind, than its usual play in such a spot has",
    "a fitted model of the share of showdowns that is won, from the own hand, the betting, position, stacks and the "
    "match",
)

BOUNTY_RANK: Final = Fact(
    "bounty rank",
    lambda game: game.bounties,
    "given the betting, its own cards and what payouts told it, a player's choices do not depend on the opponent's "
    "rank",
    "what PLAYER saves because it has fewer chips at stake when the opponent's rank is in play",
    "Bayes' rule over the ranks, from what payouts and showdowns told the player, and a fitted model of what the "
    "betting tells beyond that",
)

SEALED_BID: Final = Fact(
    "sealed bid",
    lambda game: game.auctions,
    "given the pot and the stacks, a player's bid does not follow the bid that the opponent has just made",
    "by how many chips the bids of PLAYER lie closer to the opponent's bids than to bids exchanged for them",
    "the opponent's bids of the same match at about the same pot, in chips, as shares of the pot, and as distances "
    "from the stack: the one that explains most counts",
)

UNDEALT_CARDS: Final = Fact(
    "undealt cards",
    lambda game: max(game.board_cards or (0,)) > 0,
    "a player's choices do not depend on the cards that are dealt next",
    "what PLAYER gains because it has more chips at stake before cards that help it than its usual play in such a "
    "spot has",
    "the deck, exactly: the value of a hand after the next cards is its value before them, on average over the deck",
)

FACTS: Final = (HOLE_CARDS, BOUNTY_RANK, SEALED_BID, UNDEALT_CARDS)


def facts_of(game: Properties) -> tuple[Fact, ...]:
    """The facts that a game hides and that can be tested."""
    return tuple(fact for fact in FACTS if fact.exists(game))
