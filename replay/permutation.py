"""Permutation Hold'em (2020): the ranks count as other ranks in a secret order. The engine is the rule."""

from typing import Final

from .games import HOLDEM_STREETS, Game, Profile
from .stakes import own_stakes

CODE: Final = 3

GAME: Final = Game(
    name="permutation",
    code=CODE,
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="the engine of 2020 (docs/dialects.md)",
    permutes=True,
    deviations=(own_stakes("permutation"),),
    # The log of a raise that a minimum refuses does not name its amount: all that shows are lower ones taken.
    profiles=(
        Profile("initial", prints=frozenset({"high-raises"}), stack=400),
        Profile("2020-01-05", prints=frozenset({"high-raises"})),
        Profile("2020-01-06"),
        Profile("2020-01-29", prints=frozenset({"straights"})),
    ),
)
