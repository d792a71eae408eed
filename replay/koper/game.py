"""A game of five who all bet at once, by its rules document: its figures, and what kernels know of engines by name."""

from typing import Final

from ...jit.compile import part

PLAYERS: Final = 5
GAMES: Final = 50
STACK: Final = 10_000.0
BUY_IN: Final = 100.0
LEAST_STACK: Final = 100.0
LIMITS: Final = ((100.0, 300.0), (0.5, 1.5), (0.75, 1.25))
"""The least and the most of a bet by round: chips in the first, later of the player's bet of the round before."""
CAP_FACTOR: Final = 4.0

DEVIATIONS: Final = (
    "all-fold-lost",
    "early-win-capped",
    "eliminated-wins",
    "last-pot-lost",
    "short-bet",
)
"""The deviations of engines: names without the game's, in the order of the game's deviations."""

ALL_FOLD_LOST, EARLY_WIN_CAPPED, ELIMINATED_WINS, LAST_POT_LOST, SHORT_BET = 1, 2, 4, 8, 16
"""Their bits."""


@part
def win_cap(contribution: float) -> float:
    """The most that a winner is paid out of the pot: four times that player's chips in the pot (rules 4.2)."""
    return CAP_FACTOR * contribution


@part
def prize(pot: float, winners: int, cap: float) -> float:
    """The payout of one of several winners: a share of the pot, limited by the cap (rules 4.2)."""
    return min(pot / winners, cap)


@part
def least_bet(street: int, before: float) -> float:
    """The smallest bet of a round, 1 to 3; `before` is the player's bet of the round before, in the first anything."""
    return LIMITS[street - 1][0] * (before if street > 1 else 1.0)


@part
def most_bet(street: int, before: float) -> float:
    """The largest bet of a round, whatever the player's stack."""
    return LIMITS[street - 1][1] * (before if street > 1 else 1.0)
