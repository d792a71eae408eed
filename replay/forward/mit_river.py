"""River of Blood (2023) run forward, as its engine of a given revision pays and prints it."""

from collections.abc import Sequence

import numpy as np

from .. import river_of_blood
from ..evaluator import eval7_strength_of
from ..heads_up import betting as b
from .mit import BOARD_CARDS, HeadsUp
from .orders import Order, Played

_RIVER = len(BOARD_CARDS) - 1
_RED = (1, 2)


class RiverOfBlood(HeadsUp):
    """What the rules of 2023 change: streets of a card each until a black one is dealt."""

    # After the four hole cards at most 26 red cards, a black one and the four of the board before.
    largest_board = 31

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.by_eval7 = self.mask & river_of_blood.EVAL7 > 0
        self.bare = "bare" in order.profile.prints
        self.prints_runs = "runs" in order.profile.prints
        self.before_run = 0

    def board_size(self, street: int) -> int:
        """One card more while the last is red."""
        if street <= _RIVER:
            return BOARD_CARDS[street]
        return len(self.board) + 1 if self.board[-1] % 4 in _RED else 0

    def strength(self, cards: Sequence[int]) -> int:
        """Two flushes in one hand are more than the engine's evaluator looks at."""
        if self.by_eval7:
            return int(eval7_strength_of(np.array(cards, np.int8), len(cards)))
        return super().strength(cards)

    def say_street(self) -> None:
        """One revision prints the bare word up to the river."""
        street = int(self.hand[b.STREET])
        if street == _RIVER + 1:
            self.before_run = self.put()[0]
        if self.bare and street <= _RIVER:
            self.say(f"bare_{self.order.game.streets[street]}")
        else:
            super().say_street()

    def after_awards(self) -> None:
        """What was won in the run, and the engine's mistakes about it."""
        if not self.prints_runs or self.hand[b.STREET] <= _RIVER:
            return
        if self.mask & river_of_blood.RUN_UNREPORTED and self.before_run == self.stack:
            return
        self.say("run_reached")
        tie_won = self.before_run if self.mask & river_of_blood.TIE_WON else 0
        for seat, sign in zip(self.pair, (1, -1), strict=True):
            delta = self.now.deltas[seat]
            won = (
                delta - self.before_run if delta > 0 else delta + self.before_run if delta else sign * tie_won
            )
            self.say("run_won", self.names[seat], won)


def play(order: Order) -> Played:
    """A match of the River of Blood engine."""
    return RiverOfBlood(order).play()
