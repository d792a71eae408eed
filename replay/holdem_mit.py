"""Plain heads-up no-limit hold'em of the MIT Pokerbots base engine. The engine is the rule."""

from typing import Final

from ..jit.compile import part
from .games import HOLDEM_STREETS, Deviation, Game, Profile
from .stakes import own_stakes

CODE: Final = 0

GAME: Final = Game(
    name="holdem-mit",
    code=CODE,
    stack=400,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="the base engine (docs/dialects.md)",
    deviations=(
        Deviation(
            "holdem-mit.free-fold", "legality", "2025-01-08", "", "a fold is taken although a check is free"
        ),
        own_stakes("holdem-mit"),
    ),
    profiles=(Profile("base"), Profile("2025-01-08", ("holdem-mit.free-fold",))),
    until_red="river-of-blood",
)


@part
def payout(dealer_wins: int, loser_chips: float) -> float:
    """The dealer's award: the winner gains what the loser put into the pot; a split pot changes nothing.

    dealer_wins is 1 where the dealer wins, -1 where the opponent does, 0 for a split pot.
    """
    return dealer_wins * loser_chips
