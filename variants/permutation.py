"""Permutation Hold'em (2020): the ranks count as other ranks in a secret order, and cards are printed twice.

The engine is the rule.
"""

from collections.abc import Sequence
from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay import betting as b
from ..replay.cards import RANKS, card_texts
from ..replay.evaluator import STRAIGHT, category
from ..replay.games import HOLDEM_STREETS, Game, Profile
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played
from .mit_engine import HeadsUp, own_stakes
from .properties import Properties, Variant

_STAY: Final = 0.25
"""The chance that the next rank up of those left is taken."""

# Whose lines are those of every year; where cards stand they are others.
_SHARED: Final = frozenset(t.event for t in mit.GRAMMAR.templates) - {
    "dealt",
    "flop",
    "turn",
    "river",
    "show",
}

GRAMMAR: Final = Grammar(
    """
    frame        ---------------------------
    frame        " 2 3 4 5 6 7 8 9 T J Q K A "
    permutation  [{r} {r} {r} {r} {r} {r} {r} {r} {r} {r} {r} {r} {r}]
    dealt        {p} dealt {c} [{c}]
    flop         Flop {c} [{c}], {p} ({n}), {p} ({n})
    turn         Turn {c} [{c}], {p} ({n}), {p} ({n})
    river        River {c} [{c}], {p} ({n}), {p} ({n})
    show         {p} shows {c} [{c}]
    straights    Straights {n} {n}
    """
    + "\n".join(f"{t.event} {t.pattern}" for t in mit.GRAMMAR.templates if t.event in _SHARED)
)

DIALECT: Final = Dialect("mit-permutation", "permutation", GRAMMAR, mit.cut, signs=((b" dealt ", "dealt"),))


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
        high = int(b.largest_raise(self.hand, 0, seat, *self.left(seat)))
        return min(low + int(self.hand["pip"][0, seat]), high)

    def after_header(self) -> None:
        """The ranks and what they count as, in a frame."""
        rule, ranks = (t for t in self.grammar.templates if t.event == "frame")
        self.lines += [rule.write(), ranks.write()]
        self.say("permutation", *(RANKS[rank] for rank in self.ranks))
        self.lines.append(rule.write())

    def after_awards(self) -> None:
        """Showdowns won with a straight are counted."""
        if self.hand["folded"] < 0:
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


GAME: Final = Game(
    name="permutation",
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="the engine of 2020 (docs/dialects.md)",
    permutes=True,
    deviations=(own_stakes("permutation"),),
    # The log of a raise that a minimum refuses does not name its amount: all that shows are lower ones taken.
    profiles=(
        Profile("initial", prints=frozenset({"high-raises"}), stack=400),
        Profile("2020-01-05", prints=frozenset({"high-raises"})),
        Profile("2020-01-06"),
        Profile("2020-01-29", prints=frozenset({"straights"})),
    ),
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(game="permutation", title="Permutation", permutes=True, permutation_stay=_STAY)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
