"""Swap (2022) run forward, as its engine of a given revision prints it."""

from typing import Final

from ..cards import card_texts
from ..heads_up import betting as b
from . import bets_ev
from .mit import BOARD_CARDS, HeadsUp
from .orders import Order, Played

CHANCES: Final = {1: 0.1, 2: 0.05}
"""By street: how likely each hole card is exchanged after it."""

_MOST_SWAPS: Final = 8


class Swap(HeadsUp):
    """What 2022 changes: after flop and turn each hole card may be exchanged for the deck's next."""

    largest_board = BOARD_CARDS[-1] + _MOST_SWAPS

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.prints_changed, self.prints_ev = "changed" in order.profile.prints, "ev" in order.profile.prints
        self.notes = bets_ev.Notes(self.names)
        self.swaps = order.random("swaps")
        self.drawn = [[0.0] * 4] * 2

    def open_hand(self) -> None:
        """Which cards are exchanged depends on the seed and not on who plays."""
        self.notes.clear()
        self.now.finals = list(self.now.holes)
        self.drawn = [[self.swaps.random() for _ in range(4)] for _ in CHANCES]

    def after_street(self) -> None:
        """The hole cards as they now are."""
        street = int(self.hand[b.STREET])
        self.notes.note((bets_ev.PREFLOP, bets_ev.FLOP, bets_ev.TURN)[street - 1], self.put())
        if street not in CHANCES:
            return
        drawn = iter(self.drawn[street - 1])
        fresh = iter(self.coming[BOARD_CARDS[-1] + 4 * (street - 1) :])
        for seat in self.pair:
            held = [
                new if next(drawn) < CHANCES[street] else old
                for old, new in zip(self.now.finals[seat], fresh, strict=False)
            ]
            self.now.finals[seat] = tuple(held)
            self.say("hole", self.names[seat], card_texts(held))

    def say_award(self, seat: int) -> None:
        """Later revisions say who holds another card than he was dealt."""
        changed = self.now.finals[seat] != self.now.holes[seat]
        event = "swap_award" if self.prints_changed and changed else "award"
        self.say(event, self.names[seat], self.now.deltas[seat])

    def after_awards(self) -> None:
        """The notes count."""
        self.notes.add(self.now.deltas)

    def after_final(self) -> None:
        """Chips won and lost by street, in the order of the final line."""
        if self.prints_ev:
            for line in self.notes.lines(self.pair[::-1]):
                self.say(*line)


def play(order: Order) -> Played:
    """A match of the Swap engine."""
    return Swap(order).play()
