"""Payouts: to the dealer, by `games.Game.payout`; to many players, by side pots; and the cost of a bid."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import part
from . import records

# Bits of the first deviations of games that pay so (`games.PAY_DEVIATIONS`).
BY_LIBRARY: Final = 1
ROUNDING, SPLIT_TO_DEALER = 1, 2
TIE_TO_DEALER: Final = 1

# Of `games.BOUNTIES`.
WIN_FACTOR: Final = 1.5
SPLIT_FACTOR: Final = 0.25
BONUS: Final = 10.0


@part
def pot(dealer_wins: int, loser_chips: float) -> float:
    """The winner gains what the loser put into the pot; a split pot changes nothing.

    dealer_wins is 1 if the dealer wins, -1 if the opponent does, 0 for a split pot.
    """
    return dealer_wins * loser_chips


@part
def pot_or_tie(deviations: int, dealer_wins: int, loser_chips: float) -> float:
    """As `pot`; under the deviation a split pot pays the dealer as much as a win."""
    if dealer_wins == 0 and deviations & TIE_TO_DEALER:
        return loser_chips
    return pot(dealer_wins, loser_chips)


@part
def with_bounties(
    deviations: int, dealer_wins: int, loser_chips: float, dealer_hits: bool, other_hits: bool, actions: int
) -> float:
    """The dealer's award where a winner whose bounty rank is in play wins more.

    deviations   bit mask of those in force, 0 for the written rules
    dealer_wins  1, -1, or 0 for a split pot
    loser_chips  what the loser put into the pot ("normal winnings"); in a split what each put
    actions      the engine's count of actions on the last street, which decides its rounding

    A winner whose bounty is hit wins 1.5 x + 10. In a split pot hit by exactly one player that player wins x
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
    dealer_chips  what the dealer put in; other_chips: what the opponent did

    In a split pot of unequal shares whoever put in less gains half the difference; a half chip goes to the
    dealer's opponent.
    """
    if dealer_wins > 0:
        return other_chips
    if dealer_wins < 0:
        return -dealer_chips
    return math.floor((other_chips - dealer_chips) / 2)


@part
def expected(share: float, chips: float, dealer_chips: float) -> float:
    """The dealer's award where both are all-in before the last street: its equity in the pot, rounded.

    share: of 1; chips: in the pot; dealer_chips: what the dealer put in. A half chip is rounded to the even number.
    """
    exact = share * chips
    whole = math.floor(exact)
    if exact - whole > 0.5 or (exact - whole == 0.5 and whole % 2 == 1):
        whole += 1
    return whole - dealer_chips


@part
def price(bid: float, other_bid: float) -> float:
    """A bidder's price for a card, NaN if none is dealt.

    The higher bid wins the card and pays the lower one; of equal bids each pays its own and wins a card.
    """
    return other_bid if bid >= other_bid else math.nan


@part
def pay_side_pots(
    players: int,
    spent: NDArray[np.float64],
    folded: NDArray[np.int64],
    strength: NDArray[np.int64],
    payout: NDArray[np.float64],
) -> None:
    """Fill `payout` with what each player gains, by position.

    A player who folded loses its chips. If all others folded, the last player gains theirs. Else for every level of
    chips spent, the best hands in it that have not folded gain `size * (others) / winners`, possibly a fraction; the
    others lose the size. strength is read only if at least two players are left.
    """
    left, total = 0, 0.0
    for k in range(players):
        left += folded[k] == 0
        total += spent[k]
        payout[k] = -spent[k] if folded[k] else 0.0
    if left == 1:
        for k in range(players):
            if not folded[k]:
                payout[k] = total - spent[k]
        return
    below = 0.0
    while True:
        level = -1.0
        for k in range(players):
            if spent[k] > below and (level < 0 or spent[k] < level):
                level = spent[k]
        if level < 0:
            return
        inside = winners = 0
        best = -1
        for k in range(players):
            if spent[k] >= level:
                inside += 1
                if not folded[k]:
                    if strength[k] > best:
                        best = strength[k]
                        winners = 1
                    elif strength[k] == best:
                        winners += 1
        size = level - below
        for k in range(players):
            if spent[k] >= level and not folded[k]:
                if strength[k] == best:
                    payout[k] += size * (inside - winners) / winners
                else:
                    payout[k] -= size
        below = level


@part
def next_level(players: int, spent: NDArray[np.float64], folded: NDArray[np.int64], below: float) -> float:
    """The least amount above `below` that a player still in the hand put in: a pot ends there. Infinity for none."""
    level = math.inf
    for k in range(players):
        if not folded[k] and below < spent[k] < level:
            level = spent[k]
    return level


@part
def share_pots(
    players: int,
    first: int,
    spent: NDArray[np.float64],
    dead: float,
    folded: NDArray[np.int64],
    strength: NDArray[np.int64],
    second: NDArray[np.int64],
    in_halves: bool,
    shares: NDArray[np.float64],
) -> None:
    """Fill `shares` with what each player is paid out of the pots, in whole chips.

    Every amount that a player still in the hand put in ends a pot; chips above the largest are in the last pot, those
    that are not a bet (dead) in the first. The best hands in a pot share it; the chips that do not divide go one each
    to the players who share it, from `first` on.

    strength  of the hands
    second    in_halves: of the hands in the second half of each pot, with another board or low; below 0 of a hand that
              has no part in it. The first half has the odd chip, and all of a pot in whose second half no hand has part
    """
    for k in range(players):
        shares[k] = 0.0
    below = 0.0
    while True:
        level = next_level(players, spent, folded, below)
        if level == math.inf:
            return
        top = math.inf if next_level(players, spent, folded, level) == math.inf else level
        size = dead if below == 0 else 0.0
        shared = False
        for k in range(players):
            size += max(min(spent[k], top) - below, 0.0)
            shared = shared or (in_halves and not folded[k] and spent[k] >= level and second[k] >= 0)
        half = math.ceil(size / 2) if shared else size
        _share_part(players, first, spent, folded, strength, level, half, shares)
        if shared:
            _share_part(players, first, spent, folded, second, level, size - half, shares)
        below = level


@part
def _share_part(
    players: int,
    first: int,
    spent: NDArray[np.float64],
    folded: NDArray[np.int64],
    strength: NDArray[np.int64],
    level: float,
    size: float,
    shares: NDArray[np.float64],
) -> None:
    """Add part of the pot that ends at a level to the shares of the best hands in it, odd chips from `first` on.

    A hand of a strength below 0 is none.
    """
    winners, best = 0, -1
    for k in range(players):
        if not folded[k] and spent[k] >= level:
            if strength[k] > best:
                best, winners = strength[k], 0
            winners += strength[k] == best
    each = math.floor(size / winners)
    odd = size - each * winners
    for at in range(first, first + players):
        k = at - players if at >= players else at
        if not folded[k] and spent[k] >= level and strength[k] == best:
            shares[k] += each + (1.0 if odd > 0 else 0.0)
            odd -= 1


@part
def endings(
    players: int,
    folded: NDArray[np.int64],
    shown_down: bool,
    strength: NDArray[np.int64],
    ended: NDArray[np.int64],
) -> None:
    """Fill `ended` with how the hand ended for each player, by position (`records`)."""
    best, count = -1, 0
    for k in range(players):
        if not folded[k]:
            count = 1 if strength[k] > best else count + (strength[k] == best)
            best = max(best, strength[k])
    for k in range(players):
        if folded[k]:
            ended[k] = records.OUT
        elif not shown_down:
            ended[k] = records.TOOK
        elif strength[k] < best:
            ended[k] = records.LOST
        else:
            ended[k] = records.SHARED if count > 1 else records.BEST
