"""Permutation (2020) run forward, as its engine of a given revision prints it."""

from collections.abc import Sequence
from typing import Final

from ..cards import RANKS, card_texts
from ..evaluator import STRAIGHT, category
from ..heads_up import betting as b
from .mit import HeadsUp
from .orders import Order, Played

_STAY: Final = 0.25


class Permutation(HeadsUp):
    """What 2020 changes: hands are compared by the ranks that a permutation makes of the cards'."""

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.high_raises = "high-raises" in order.profile.prints
        self.prints_straights = "straights" in order.profile.prints
        self.straights = [0, 0]
        # As the engine does it: of the ranks left the next one up is taken with a chance of a quarter.
        rng, left = order.random("permutation"), list(range(len(RANKS)))
        self.ranks = []
        while left:
            place = 0
            while rng.random() >= _STAY:
                place += 1
            self.ranks.append(left.pop(place % len(left)))

    def _effective(self, cards: Sequence[int]) -> list[int]:
        return [4 * self.ranks[card // 4] + card % 4 for card in cards]

    def printed(self, cards: Sequence[int]) -> tuple[list[str], ...]:
        """As dealt, then as they count."""
        return card_texts(cards), card_texts(self._effective(cards))

    def strength(self, cards: Sequence[int]) -> int:
        """By the ranks that count."""
        return super().strength(self._effective(cards))

    def smallest_raise(self, seat: int) -> int:
        """At first the engine counts the player's own chips of the street twice."""
        low = super().smallest_raise(seat)
        if not self.high_raises:
            return low
        return min(low + int(self.chips[b.PIP, seat]), int(b.largest_raise(self.chips, seat, self.stack)))

    def after_header(self) -> None:
        """The ranks and what they count as, in a frame."""
        rule, ranks = (t for t in self.grammar.templates if t.event == "frame")
        self.lines += [rule.write(), ranks.write()]
        self.say("permutation", *(RANKS[rank] for rank in self.ranks))
        self.lines.append(rule.write())

    def after_awards(self) -> None:
        """Showdowns won with a straight are counted."""
        if self.hand[b.FOLDED] < 0:
            for seat in range(2):
                strength = self.strength((*self.board, *self.now.holes[seat]))
                self.straights[seat] += self.now.deltas[seat] > 0 and category(strength) == STRAIGHT

    def before_final(self) -> None:
        """The counts, in the order of the hand that would follow."""
        if self.prints_straights:
            self.lines.append("")
            self.say("straights", *(self.straights[seat] for seat in reversed(self.pair)))


def play(order: Order) -> Played:
    """A match of the Permutation engine."""
    return Permutation(order).play()
