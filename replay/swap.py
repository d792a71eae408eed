"""Swap Hold'em (2022): hole cards may be exchanged after flop and turn. The engine is the rule."""

from typing import Final

from .games import HOLDEM_STREETS, Game, Profile
from .stakes import own_stakes

CODE: Final = 4

GAME: Final = Game(
    name="swap",
    code=CODE,
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
)
