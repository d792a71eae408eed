"""River of Blood Hold'em (2023), by its rules document: after a red river card more streets follow."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay.evaluator import eval7_strength_of
from ..replay.games import HOLDEM_BOARDS, HOLDEM_STREETS, POT_BY_LIBRARY, Deviation, Game, Profile
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played
from .mit_engine import HeadsUp, own_stakes
from .properties import Properties, Variant

_NAME: Final = "river-of-blood"
EVAL7: Final = "eval7-flush"
UNREPORTED: Final = "run-unreported"
TIE: Final = "tie-won"
_EVAL7, _UNREPORTED, _TIE = (f"{_NAME}.{name}" for name in (EVAL7, UNREPORTED, TIE))
_BARE: Final = f"{_NAME}.bare-streets"

_RIVER: Final = len(HOLDEM_BOARDS) - 1

GRAMMAR: Final = Grammar(
    """
    run          Run [{c}], {p} ({n}), {p} ({n})
    bare_flop    Flop
    bare_turn    Turn
    bare_river   River
    run_reached  Run reached
    run_won      {p} won {n}
    """,
    base=mit.GRAMMAR,
)

DIALECT: Final = Dialect(
    "mit-river",
    "river-of-blood",
    GRAMMAR,
    mit.cut,
    signs=((b"\nRun [", "run"), (b"\nFlop\n", "bare_flop"), (b"\nFlop\r\n", "bare_flop")),
)


class RiverOfBlood(HeadsUp):
    """What the rules of 2023 change: streets of a card each until a black one is dealt."""

    sockets = True
    # After the four hole cards at most 26 red cards, a black one and the four of the board before.
    largest_board = 31

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        game, deviations = order.game.name, order.profile.deviations
        self.by_eval7 = f"{game}.{EVAL7}" in deviations
        self.unreported, self.tie_won = (f"{game}.{name}" in deviations for name in (UNREPORTED, TIE))
        self.bare = "bare" in order.profile.prints
        self.prints_runs = "runs" in order.profile.prints
        self.before_run = 0

    def board_size(self, street: int) -> int:
        """One card more after a card that goes on."""
        if street <= _RIVER:
            return HOLDEM_BOARDS[street]
        return len(self.board) + 1 if self.order.game.run_mask >> self.board[-1] & 1 else 0

    def strength(self, cards: Sequence[int]) -> int:
        """Two flushes in one hand are more than the engine's evaluator looks at."""
        if self.by_eval7:
            return int(eval7_strength_of(np.array(cards, np.int8), len(cards)))
        return super().strength(cards)

    def say_street(self) -> None:
        """One revision prints the bare word up to the river."""
        street = int(self.hand["street"])
        if street == _RIVER + 1:
            self.before_run = self.put()[0]
        if self.bare and street <= _RIVER:
            self.say(f"bare_{self.order.game.streets[street]}")
        else:
            super().say_street()

    def after_awards(self) -> None:
        """What was won in the run, and the engine's mistakes about it."""
        if not self.prints_runs or self.hand["street"] <= _RIVER:
            return
        if self.unreported and self.before_run == self.stack:
            return
        self.say("run_reached")
        tie_won = self.before_run if self.tie_won else 0
        for seat, sign in zip(self.pair, (1, -1), strict=True):
            delta = self.now.deltas[seat]
            won = (
                delta - self.before_run if delta > 0 else delta + self.before_run if delta else sign * tie_won
            )
            self.say("run_won", self.names[seat], won)


def play(order: Order) -> Played:
    """A match of the River of Blood engine."""
    return RiverOfBlood(order).play()


GAME: Final = Game(
    name="river-of-blood",
    stack=400,
    blinds=(1, 2),
    streets=(*HOLDEM_STREETS, "run"),
    source="rules document of River of Blood Hold'em, 2023",
    deviations=(
        Deviation(
            _EVAL7,
            "pay",
            "2023-01-02",
            "",
            "if two suits hold five cards or more, only the first of spades, clubs, diamonds, hearts counts for a "
            "flush",
        ),
        Deviation(
            _BARE,
            "log",
            "2023-01-02",
            "2023-01-02",
            "flop, turn and river are printed as the bare word, without cards and chips",
        ),
        Deviation(
            _UNREPORTED,
            "log",
            "2023-02-01",
            "",
            "if both players were all-in before the run, no line says that it was reached",
        ),
        Deviation(
            _TIE,
            "log",
            "2023-02-01",
            "",
            "in a split pot the log says that the dealer won in the run what it had put in before, and that the "
            "opponent lost it",
        ),
        own_stakes("river-of-blood"),
    ),
    profiles=(
        Profile("2023-01-02a", (_EVAL7, _BARE), frozenset({"bare"})),
        Profile("2023-01-02", (_EVAL7,)),
        Profile("2023-02-01", (_EVAL7, _UNREPORTED, _TIE), frozenset({"runs"})),
    ),
    payout=POT_BY_LIBRARY,
    runs=True,
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(
    game="river-of-blood", title="River of Blood", runs=True, run_after=GAME.run_after
)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
