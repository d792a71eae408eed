"""Swap Hold'em (2022), every revision: hole cards may be exchanged after flop and turn. The engine is the rule."""

from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay.cards import card_texts
from ..replay.games import HOLDEM_BOARDS, HOLDEM_STREETS, Game, Profile
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played
from .mit_engine import FLOP, PREFLOP, TURN, HeadsUp, own_stakes
from .properties import Properties, Variant

CHANCES: Final = (0.0, 0.1, 0.05)
"""By street: how likely each hole card is exchanged after it."""

_MOST_SWAPS: Final = 8

GRAMMAR: Final = Grammar(
    """
    hole         {p}'s hand: [{c}]
    swap_award   {p} (swapped) awarded {n}
    ev_preflop   {p} preflop bets EV: {n}
    ev_flop      {p} flop bets EV: {n}
    ev_turn      {p} turn bets EV: {n}
    """,
    base=mit.GRAMMAR,
)

DIALECT: Final = Dialect("mit-swap", "swap", GRAMMAR, mit.cut, signs=((b"'s hand: [", "hole"),))


class Swap(HeadsUp):
    """What 2022 changes: after flop and turn each hole card may be exchanged for the deck's next."""

    largest_board = HOLDEM_BOARDS[-1] + _MOST_SWAPS

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.prints_changed = "changed" in order.profile.prints
        self.swaps = order.random("swaps")
        self.drawn = [[0.0] * 4] * 2

    def open_hand(self) -> None:
        """Which cards are exchanged depends on the seed and not on who plays."""
        self.notes.clear()
        self.now.finals = list(self.now.holes)
        self.drawn = [[self.swaps.random() for _ in range(4)] for _ in CHANCES[1:]]

    def after_street(self) -> None:
        """The hole cards as they now are."""
        street = int(self.hand["street"])
        self.notes.note((PREFLOP, FLOP, TURN)[street - 1], self.put())
        if street >= len(CHANCES):
            return
        drawn = iter(self.drawn[street - 1])
        fresh = iter(self.coming[HOLDEM_BOARDS[-1] + 4 * (street - 1) :])
        for seat in self.pair:
            held = [
                new if next(drawn) < CHANCES[street] else old
                for old, new in zip(self.now.finals[seat], fresh, strict=False)
            ]
            self.now.finals[seat] = tuple(held)
            self.say("hole", self.names[seat], card_texts(held))

    def say_award(self, seat: int) -> None:
        """Later revisions say who holds another card than was dealt."""
        changed = self.now.finals[seat] != self.now.holes[seat]
        event = "swap_award" if self.prints_changed and changed else "award"
        self.say(event, self.names[seat], self.now.deltas[seat])

    def after_awards(self) -> None:
        """The notes count."""
        self.notes.add(self.now.deltas)


def play(order: Order) -> Played:
    """A match of the Swap engine."""
    return Swap(order).play()


GAME: Final = Game(
    name="swap",
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="the engine of 2022 (docs/dialects.md)",
    deviations=(own_stakes("swap"),),
    profiles=(
        Profile("initial", stack=400),
        Profile("2022-01-04"),
        Profile("2022-01-27", prints=frozenset({"changed", "ev"})),
    ),
    changes=True,
    bets_ev="street",
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(game="swap", title="Swap", swaps=True, swap_chances=CHANCES)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
