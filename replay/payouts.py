"""What a hand pays its dealer, by the kinds of `games.Game.payout`, and what a bid costs."""

import math
from typing import Final

from ..jit.compile import part

# Bits of the first deviations of games that pay so (`games.PAY_DEVIATIONS`).
BY_LIBRARY: Final = 1
ROUNDING, SPLIT_TO_DEALER = 1, 2

# Of `games.BOUNTIES`.
WIN_FACTOR: Final = 1.5
SPLIT_FACTOR: Final = 0.25
BONUS: Final = 10.0


@part
def pot(dealer_wins: int, loser_chips: float) -> float:
    """The winner gains what the loser put into the pot; a split pot changes nothing.

    dealer_wins is 1 where the dealer wins, -1 where the opponent does, 0 for a split pot.
    """
    return dealer_wins * loser_chips


@part
def with_bounties(
    deviations: int, dealer_wins: int, loser_chips: float, dealer_hits: bool, other_hits: bool, actions: int
) -> float:
    """The dealer's award where a winner whose bounty rank is in play wins more.

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


@part
def uneven(dealer_wins: int, dealer_chips: float, other_chips: float) -> float:
    """The winner gains what the loser put in, the price of a card included; the shares may differ.

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


@part
def price(bid: float, other_bid: float) -> float:
    """What a bidder pays for a card, NaN where he is dealt none.

    The higher bid wins the card and pays the lower one; of equal bids each pays his own and is dealt a card.
    """
    return other_bid if bid >= other_bid else math.nan
