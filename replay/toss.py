"""Toss (2026): each player gives one of three hole cards to the board. The engine is the rule."""

from typing import Final

from .games import Game, Profile
from .stakes import own_stakes

CODE: Final = 7

HOLE_CARDS: Final = 3
FLOP_CARDS: Final = 2
BOARD_CARDS: Final = 6

GAME: Final = Game(
    name="toss",
    code=CODE,
    stack=400,
    blinds=(1, 2),
    streets=("preflop", "flop", "discard_1", "discard_2", "turn", "river"),
    source="the engine of 2026",
    deviations=(own_stakes("toss"),),
    profiles=(Profile("2026", prints=frozenset({"ev"})),),
    boards=(0, FLOP_CARDS, 3, 4, 5, BOARD_CARDS),
    hole_cards=HOLE_CARDS,
    bets_ev="discards",
    discards=True,
    free_folds=True,
)
