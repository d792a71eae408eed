"""Auction (2024): when the flop is dealt both players bid for one more card. The engine is the rule."""

import math
from typing import Final

from ..jit.compile import part
from .games import HOLDEM_STREETS, Deviation, Game, Profile
from .stakes import own_stakes

CODE: Final = 6
NO_FLOP_BETTING: Final = "auction.no-flop-betting"

GAME: Final = Game(
    name="auction",
    code=CODE,
    stack=400,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="the engine of 2024",
    deviations=(
        own_stakes("auction"),
        Deviation(
            NO_FLOP_BETTING,
            "legality",
            "2024-01-05",
            "2024-01-09",
            "the bids end the flop: the turn is dealt and nobody was asked to bet",
        ),
    ),
    profiles=(
        Profile("2024-01-05", (NO_FLOP_BETTING,)),
        Profile("2024-01-09"),
        Profile("2024-01-13", prints=frozenset({"won"})),
        Profile("2024-01-30", prints=frozenset({"won", "ev"})),
    ),
    bets_ev="query-anew",
    auctions=True,
)


@part
def price(bid: float, other_bid: float) -> float:
    """What a bidder pays for a card, NaN where he is dealt none.

    The higher bid wins the card and pays the lower one; of equal bids each pays his own and is dealt a card.
    """
    return other_bid if bid >= other_bid else math.nan


@part
def payout(dealer_wins: int, dealer_chips: float, other_chips: float) -> float:
    """The dealer's award: the winner gains what the loser put into the pot, the price of a card included.

    dealer_wins   1, -1, or 0 for a split pot
    dealer_chips  what the dealer put in; other_chips: his opponent

    In a split pot of unequal shares whoever put in less gains half the difference; a half chip goes to the
    dealer's opponent.
    """
    if dealer_wins > 0:
        return other_chips
    if dealer_wins < 0:
        return -dealer_chips
    return math.floor((other_chips - dealer_chips) / 2)
