"""Blotto Hold'em (2021): six cards are assigned to three boards, each of which is a pot of its own."""

from dataclasses import replace
from typing import Final

from ..parsers.mit_blotto import DIALECT
from ..replay.blotto import game as rules
from ..replay.forward.orders import Order, Played
from ..replay.replaying import several_boards
from .properties import DECISIONS, Properties, Variant

PROPERTIES: Final = Properties(
    game="blotto",
    title="Blotto",
    boards=3,
    hole_cards=6,
    decisions=("assign", *DECISIONS),
    free_chips=(1.0, 2.0, 3.0),
    cluster="hand",
)


def play(order: Order) -> Played:
    """A match of the engine."""
    from ..replay.forward.blotto import play

    return play(order)


GAME: Final = replace(rules.GAME, family=several_boards, forward=play)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
