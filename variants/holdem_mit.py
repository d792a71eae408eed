"""Plain heads-up no-limit hold'em of the MIT Pokerbots base engine. The engine is the rule."""

import re
from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played
from .mit_engine import HeadsUp, own_stakes
from .properties import Properties, Variant

DIALECT: Final = Dialect(mit.NAME, "holdem-mit", mit.GRAMMAR, mit.cut)

WITHOUT_BRACKETS: Final = Grammar(
    """
    dealt  {p} dealt {c}
    flop   Flop {c}, {p} ({n}), {p} ({n})
    turn   Turn {c}, {p} ({n}), {p} ({n})
    river  River {c}, {p} ({n}), {p} ({n})
    show   {p} shows {c}
    """,
    base=mit.GRAMMAR,
)

CAMBRIDGE: Final = Dialect(
    "mit-cambridge",
    "holdem-mit",
    WITHOUT_BRACKETS,
    mit.cut,
    signs=((b" dealt ", re.compile(rb"(.+) dealt [2-9TJQKA][cdhs] [2-9TJQKA][cdhs]\s*")),),
)
"""AlgoPoker of Cambridge (2022)."""

_FOLD: Final = "holdem-mit.free-fold"


class Plain(HeadsUp):
    """The base engine."""

    sockets = True


def play(order: Order) -> Played:
    """A match of the base engine."""
    return Plain(order).play()


GAME: Final = Game(
    name="holdem-mit",
    stack=400,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="the base engine (docs/dialects.md)",
    deviations=(
        Deviation(_FOLD, "legality", "2025-01-08", "", "a fold is accepted although a check is free"),
        own_stakes("holdem-mit"),
    ),
    profiles=(Profile("base"), Profile("2025-01-08", (_FOLD,))),
    until_red="river-of-blood",
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(game="holdem-mit", title="hold'em")

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT, CAMBRIDGE))
