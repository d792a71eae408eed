"""Matches with a planted leak: a bot that at some of its decisions knows what the rules hide from it."""

from collections.abc import Sequence
from random import Random
from typing import Final

from railbird.replay.bots import STYLES, Answer, Bot, Styled, View
from railbird.replay.colluders import Colluder
from railbird.replay.records import BID, CALL, CHECK, FOLD, RAISE
from railbird.replay.simulate import Player, drawn, play_bots
from railbird.variants import registry  # noqa: F401 - makes the games known

LEAKS: Final = {
    "hole cards": "holdem-mit",
    "bounty rank": "bounty",
    "sealed bid": "sneak-peek",
    "undealt cards": "holdem-mit",
}
"""The game in which each fact is leaked here."""

HONEST: Final = (
    "tight-aggressive",
    "loose-aggressive",
    "pot-odds",
    "tight-passive",
    "maniac",
    "calling-station",
)
_STREETS: Final = (0, 3, 4, 5)
_GOOD: Final = 0.6
_BEST: Final = 0.85
_BLUFF: Final = 0.35


class Watched(Styled):
    """An honest bot; what it knew and did last can be read by a bot that cheats."""

    rank = -1
    last_bid = -1
    hands = 0

    def act(self, view: View) -> Answer:
        """As its style; the rank is kept."""
        self.rank = view.rank
        return super().act(view)

    def bid(self, view: View) -> Answer:
        """As its style; the bid is kept."""
        answer = super().bid(view)
        self.last_bid = answer.raise_to
        return answer

    def acknowledge(self) -> Answer:
        """The hand is over."""
        self.hands += 1
        self.last_bid = -1
        return super().acknowledge()


class Leaky(Watched):
    """A bot of an honest style that uses a hidden fact at a share of its decisions."""

    def __init__(
        self, rng: Random, honest: Styled, fact: str, share: float, other: Watched, seed: int
    ) -> None:
        """other: the opponent; seed: that of the match, which gives the deck away."""
        super().__init__(rng, honest.style)
        self.fact, self.share, self.other = fact, share, other
        self.deck, self.drawn, self.cards = Random(f"{seed}/deck"), 0, [0]
        self.judge = Colluder(rng, honest, "shared-cards", 1.0, honest)

    def act(self, view: View) -> Answer:
        """By the hidden fact where it leaks, else by the style."""
        honest = super().act(view)
        if self.fact == "sealed bid" or not self.happens(self.share):
            return honest
        passive = Answer(CALL if view.to_call else CHECK)
        if self.fact == "hole cards":
            return self.judge._with_all_cards(view, passive)
        if self.fact == "bounty rank":
            if not view.board:
                return honest
            strength = self.strength(view.hole, view.board)
            if any(card // 4 == self.other.rank for card in view.board):
                return honest if strength > _BEST else Answer(FOLD) if view.to_call else passive
            return self._pot(view, passive) if strength > _BLUFF else honest
        while self.drawn <= self.hands:
            self.cards, self.drawn = drawn(self.deck, 9), self.drawn + 1
        coming = self.cards[4 : 4 + _STREETS[min(view.street + 1, 3)]]
        if self.strength(view.hole, coming) < _GOOD:
            return Answer(FOLD) if view.to_call else passive
        return self._pot(view, passive)

    def _pot(self, view: View, passive: Answer) -> Answer:
        """A bet or raise of the pot, if there can be one."""
        if view.high:
            return Answer(RAISE, max(view.low, min(view.pip + view.to_call + view.pot, view.high)))
        return passive

    def bid(self, view: View) -> Answer:
        """A chip above the sealed bid with a good hand, a chip below it with another."""
        honest, sealed = super().bid(view), self.other.last_bid
        if self.fact != "sealed bid" or sealed < 0 or not self.happens(self.share):
            return honest
        wanted = sealed + 1 if self.strength(view.hole, view.board) >= _GOOD else sealed - 1
        return Answer(BID, max(0, min(wanted, view.high)))


def leaking(fact: str, share: float, seed: int, hands: int, styles: Sequence[str] | None = None) -> str:
    """The log of a match in which `Leaky` uses a fact at a share of its decisions, against `Honest`.

    styles  of both; by default the seed chooses
    """
    rng = Random(f"{seed}/styles")
    names = styles or [HONEST[int(rng.random() * len(HONEST))] for _ in range(2)]
    made = [STYLES[name](Random(f"{seed}/{k}")) for k, name in enumerate(names)]
    first, second = (bot for bot in made if isinstance(bot, Styled))
    other = Watched(second.rng, second.style)
    leaky: Bot = Leaky(first.rng, first, fact, share, other, seed)
    return play_bots(LEAKS[fact], [Player("Leaky", leaky), Player("Honest", other)], hands, seed).text
