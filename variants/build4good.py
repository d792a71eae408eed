"""Build4Good hold'em (2025): three hole cards, a flop of two and a turn of two more. The engine is the rule."""

import re
from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay.games import POT_TIES_TO_DEALER, Deviation, Game, Profile
from ..replay.payouts import TIE_TO_DEALER, pot_or_tie
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played
from .mit_engine import HeadsUp, own_stakes
from .properties import Properties, Variant

_HOLE_CARDS: Final = 3
_BOARDS: Final = (0, 2, 4)
_STREETS: Final = ("preflop", "flop", "turn")
_TIE: Final = "build4good.tie-paid-to-dealer"

GRAMMAR: Final = Grammar(
    """
    stacks  Current stacks: {n}, {n}
    counts  Winning counts at the end of the round: , {p} ({n}), {p} ({n})
    """,
    base=mit.GRAMMAR,
)

DIALECT: Final = Dialect(
    "mit-build4good",
    "build4good",
    GRAMMAR,
    mit.cut,
    # Toss also deals three cards; its other lines identify it.
    signs=((b" dealt [", re.compile(rb"(.+) dealt \[..(?: ..){2}\]\s*")),),
)


class Build4Good(HeadsUp):
    """What the engine changes: the deal, and lines of stacks and bankrolls."""

    course = "Build4Good"
    largest_board = _BOARDS[-1]

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.mask = TIE_TO_DEALER if _TIE in order.profile.deviations else 0

    def after_street(self) -> None:
        """The line of the stacks."""
        self.say_stacks()

    def award(self, wins: int, loser_chips: int) -> int:
        """The engine's pay of a split pot."""
        return int(pot_or_tie(self.mask, wins, loser_chips))

    def close_hand(self) -> None:
        """Bankrolls after the hand."""
        self.say_both("counts", self.pair, self.banks)


def play(order: Order) -> Played:
    """A match of the Build4Good engine."""
    return Build4Good(order).play()


GAME: Final = Game(
    name="build4good",
    stack=500,
    blinds=(5, 10),
    streets=_STREETS,
    source="the engine of 2025-03-29",
    deviations=(
        Deviation(
            _TIE,
            "pay",
            "2025-03-29",
            "",
            "in a split pot the dealer is paid what a win pays, and the opponent loses as much",
        ),
        own_stakes("build4good"),
    ),
    profiles=(Profile("2025-03-29", (_TIE,)),),
    payout=POT_TIES_TO_DEALER,
    boards=_BOARDS,
    hole_cards=_HOLE_CARDS,
    free_folds=True,
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(
    game="build4good",
    title="Build4Good hold'em",
    streets=_STREETS,
    hole_cards=_HOLE_CARDS,
    board_cards=_BOARDS,
)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
