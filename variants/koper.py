"""Koper: five players pay a buy-in and bet at the same time in three rounds; a win is capped."""

from dataclasses import replace
from typing import Final

from ..replay.forward.orders import Order, Played
from ..replay.koper import game as rules
from ..replay.replaying import simultaneous
from .properties import Properties, Variant

PROPERTIES: Final = Properties(
    game="koper",
    title="Koper",
    players=5,
    streets=("buy-in", "flop", "turn", "river"),
    first_street=1,
    decisions=("fold", "play"),
    forced="buy-in",
    unit="100 chips",
    simultaneous=True,
    button=False,
    win_cap=4.0,
    cluster="match",
    shared_cards=True,
    seats_rotate=True,
    most_chips_win=False,
    final_is_delta=False,
    bankrolls=False,
    shows_folded=True,
)


def play(order: Order) -> Played:
    """A match of one of the engines."""
    from ..replay.forward.koper import play

    return play(order)


GAME: Final = replace(rules.GAME, family=simultaneous, forward=play)

# Its dialects are loaded when a log of another engine than MIT's is read.
VARIANT: Final = Variant(GAME, PROPERTIES, ())
