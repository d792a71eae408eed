"""Koper by its rules document, and what its two engines do otherwise."""

from typing import Final

from ...jit.compile import part
from ..games import Deviation, Game, Profile

PLAYERS: Final = 5
GAMES: Final = 50
STACK: Final = 10_000.0
BUY_IN: Final = 100.0
LEAST_STACK: Final = 100.0
LIMITS: Final = ((100.0, 300.0), (0.5, 1.5), (0.75, 1.25))
"""The least and the most of a bet by round: chips in the first, later of the player's bet of the round before."""
CAP_FACTOR: Final = 4.0

_ALL_FOLD: Final = "koper.all-fold-lost"
_EARLY_WIN: Final = "koper.early-win-capped"
_ELIMINATED: Final = "koper.eliminated-wins"
_LAST_POT: Final = "koper.last-pot-lost"
_SHORT_BET: Final = "koper.short-bet"


GAME: Final = Game(
    name="koper",
    stack=STACK,
    blinds=(),
    streets=("buy-in", "flop", "turn", "river"),
    source="rules document of Koper, shipped with the v1 engine",
    deviations=(
        Deviation(_ALL_FOLD, "pay", "v1", "v2", "the pot vanishes where everybody folds"),
        Deviation(
            _EARLY_WIN,
            "pay",
            "v1",
            "v2",
            "an early winner is paid no more than the winning cap",
        ),
        Deviation(
            _ELIMINATED,
            "pay",
            "v1",
            "",
            "a player eliminated before the flop betting wins at the showdown",
        ),
        Deviation(
            _LAST_POT,
            "pay",
            "v1",
            "",
            "the pot vanishes where the match ends for want of players",
        ),
        Deviation(
            _SHORT_BET,
            "legality",
            "v1",
            "",
            "a bet below the minimum is taken from a player who has no more",
        ),
    ),
    profiles=(
        Profile("v1", (_ALL_FOLD, _EARLY_WIN, _ELIMINATED, _LAST_POT, _SHORT_BET)),
        Profile("v2", (_ELIMINATED, _LAST_POT, _SHORT_BET)),
    ),
    players=(5, 5),
)

ALL_FOLD_LOST: Final = GAME.mask((_ALL_FOLD,))
EARLY_WIN_CAPPED: Final = GAME.mask((_EARLY_WIN,))
ELIMINATED_WINS: Final = GAME.mask((_ELIMINATED,))
LAST_POT_LOST: Final = GAME.mask((_LAST_POT,))
SHORT_BET: Final = GAME.mask((_SHORT_BET,))


@part
def win_cap(contribution: float) -> float:
    """The most that a winner is paid out of the pot: four times what he put in (rules 4.2)."""
    return CAP_FACTOR * contribution


@part
def prize(pot: float, winners: int, cap: float) -> float:
    """What one of some winners is paid: his share of the pot, limited by his cap (rules 4.2)."""
    return min(pot / winners, cap)


@part
def least_bet(street: int, before: float) -> float:
    """The smallest bet of a round, 1 to 3; `before` is the player's bet of the round before, in the first anything."""
    return LIMITS[street - 1][0] * (before if street > 1 else 1.0)


@part
def most_bet(street: int, before: float) -> float:
    """The largest bet of a round, whatever the player's stack."""
    return LIMITS[street - 1][1] * (before if street > 1 else 1.0)
