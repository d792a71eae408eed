"""Bounty Hold'em (2025), by its rules document: a winner whose bounty rank is in play wins more."""

import math
from typing import Final

from ..jit.compile import part
from .bounty_terms import BONUS, SPLIT_FACTOR, WIN_FACTOR
from .games import HOLDEM_STREETS, Deviation, Game, Profile
from .stakes import own_stakes

CODE: Final = 1

_ROUNDING: Final = "bounty.rounding-by-turn"
_SPLIT: Final = "bounty.split-paid-to-dealer"
_FOLD: Final = "bounty.free-fold"
_SHOWS: Final = "bounty.no-shows"

GAME: Final = Game(
    name="bounty",
    code=CODE,
    stack=400,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    bets_ev="query",
    source="rules document of Bounty Hold'em, 2025",
    deviations=(
        Deviation(
            _ROUNDING,
            "pay",
            "2025-01-05",
            "",
            "a fraction of the dealer's award is rounded down if the count of actions is even, else up; "
            "written: up for a winner who is not the dealer, down for the dealer",
        ),
        Deviation(
            _SPLIT,
            "pay",
            "2025-01-05",
            "2025-01-07",
            "in a split pot hit by the dealer's opponent alone the dealer is paid the bonus",
        ),
        Deviation(_FOLD, "legality", "2025-01-08", "", "a fold is taken although a check is free"),
        Deviation(_SHOWS, "log", "2025-01-08", "2025-01-08", "no cards are shown at a showdown"),
        own_stakes("bounty"),
    ),
    profiles=(
        Profile("2025-01-05", (_ROUNDING, _SPLIT)),
        Profile("2025-01-07", (_ROUNDING,)),
        Profile("2025-01-08a", (_ROUNDING, _FOLD, _SHOWS)),
        Profile("2025-01-08", (_ROUNDING, _FOLD)),
        Profile("2025-01-27", (_ROUNDING, _FOLD), frozenset({"hits"})),
        Profile("2025-01-30", (_ROUNDING, _FOLD), frozenset({"hits", "ev"})),
    ),
)

ROUNDING: Final = GAME.mask((_ROUNDING,))
SPLIT_TO_DEALER: Final = GAME.mask((_SPLIT,))


@part
def payout(
    deviations: int, dealer_wins: int, loser_chips: float, dealer_hits: bool, other_hits: bool, actions: int
) -> float:
    """The dealer's award in chips.

    deviations   bit mask of those in force, 0 for the written rules
    dealer_wins  1, -1, or 0 for a split pot
    loser_chips  what the loser put into the pot ("normal winnings"); in a split what each put
    actions      the engine's count of actions on the last street, which decides its rounding

    A winner who hits his bounty wins 1.5 x + 10. In a split pot hit by exactly one player that player wins x
    / 4 + 10. A fraction is rounded up if the winner is not the dealer, down otherwise: either way the
    dealer's signed award is rounded down.
    """
    award = dealer_wins * loser_chips
    if dealer_wins != 0:
        if (dealer_wins > 0 and dealer_hits) or (dealer_wins < 0 and other_hits):
            award = dealer_wins * (WIN_FACTOR * loser_chips + BONUS)
    elif dealer_hits != other_hits:
        award = SPLIT_FACTOR * loser_chips + BONUS
        if other_hits and not deviations & SPLIT_TO_DEALER:
            award = -award
    if deviations & ROUNDING and actions % 2 == 1:
        return math.ceil(award)
    return math.floor(award)
