"""What hands are worth if from now on everybody only checks, under the payout of their game."""

from functools import lru_cache
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..replay import auction, bounty
from ..replay.equity import counting, preflop
from ..replay.koper import game as koper

Floats = NDArray[np.float64]

_FLOP: Final = 3
_TURNS_AND_RIVERS: Final = comb(45, 2)
"""After the flop, in no order."""


def pots(put: Floats, inside: NDArray[np.bool_]) -> tuple[NDArray[np.int64], Floats]:
    """Who can win each pot, and its chips, from what each player put in.

    put     (n, p) chips of all players; inside: (n, p) who has not folded
    Returns (n, pots) sets of players, a bit each among those inside, in the order of seats, 0 after the last; and
    (n, pots) chips. A level of chips that is reached by players inside makes a pot, chips of who folded go with it.
    """
    n, p = put.shape
    members = inside.sum(axis=1)
    bit = np.where(inside, np.cumsum(inside, axis=1) - 1, 0)
    levels = np.sort(np.where(inside, put, np.inf), axis=1)
    found, chips = np.zeros((n, p), np.int64), np.zeros((n, p))
    below, used = np.zeros(n), np.zeros(n, np.int64)
    for k in range(p):
        level = levels[:, k]
        last = members == k + 1
        more = np.isfinite(level) & ((level > below) | (last & (used == 0)))
        # What folded players put in beyond the last level belongs to the last pot.
        top = np.where(last, np.inf, level)
        size = (np.minimum(put, top[:, None]) - np.minimum(put, below[:, None])).sum(axis=1)
        reach = inside & (put >= level[:, None])
        rows = np.flatnonzero(more)
        found[rows, used[rows]] = (reach[rows] << bit[rows]).sum(axis=1)
        chips[rows, used[rows]] = size[rows]
        used[rows] += 1
        below = np.where(more, level, below)
    width = max(int(used.max(initial=1)), 1)
    return found[:, :width], chips[:, :width]


def pot_value(shares: Floats, chips: Floats, put: Floats) -> Floats:
    """Chips gained: (n, pots, p) shares of pots, (n, pots) their chips, (n, p) what each player put in."""
    found: Floats = (shares * chips[:, :, None]).sum(axis=1) - put
    return found


@lru_cache(1 << 14)
def _bounty_awards(chips: float) -> tuple[float, float, float, float]:
    """What a dealer gains who wins with his bounty hit, without; what he gains alone hit in a split, his opponent."""
    return (
        bounty.payout(0, 1, chips, True, False, 0),
        bounty.payout(0, 1, chips, False, False, 0),
        bounty.payout(0, 0, chips, True, False, 0),
        bounty.payout(0, 0, chips, False, True, 0),
    )


@lru_cache(1 << 14)
def _bounty_losses(chips: float) -> tuple[float, float]:
    """What a dealer gains (it is negative) whose opponent wins with his bounty hit, and without."""
    return bounty.payout(0, -1, chips, False, True, 0), bounty.payout(0, -1, chips, False, False, 0)


def bounty_value(
    wins: Floats, hit: Floats, tie_hit: Floats, both: Floats, chips: Floats, dealer: NDArray[np.int64]
) -> Floats:
    """(n, 2) chips gained in Bounty, under the payout of the written rules.

    wins      (n, 4) chances of sets of winners; hit: (n, 2) that a seat wins with its bounty hit
    tie_hit   (n, 2) that the pot is split with a seat's bounty hit; both: (n) with both hit, which pays nothing
    chips     (n) what each put in; dealer: (n) his seat
    """
    rows = np.arange(len(wins))
    places, inverse = np.unique(chips, return_inverse=True)
    gains = np.array([(*_bounty_awards(x), *_bounty_losses(x)) for x in places.tolist()])[inverse]
    mine, other = dealer, 1 - dealer
    win, lose = wins[rows, 1 << mine], wins[rows, 1 << other]
    value = (
        hit[rows, mine] * gains[:, 0]
        + (win - hit[rows, mine]) * gains[:, 1]
        + (tie_hit[rows, mine] - both) * gains[:, 2]
        + (tie_hit[rows, other] - both) * gains[:, 3]
        + hit[rows, other] * gains[:, 4]
        + (lose - hit[rows, other]) * gains[:, 5]
    )
    found = np.stack([value, -value], axis=1)
    return np.where(dealer[:, None] == 0, found, -found)


def bounty_hits(
    holes: NDArray[np.int8], ranks: NDArray[np.int64], wins: Floats, hits: Floats
) -> tuple[Floats, Floats]:
    """(n, 2) chances that a seat wins, and splits the pot, with its bounty among its cards and the board.

    hits  (n, 4, 13): of sets of winners and a rank on the board; holes: (n, 2, cards) codes; ranks: (n, 2)
    """
    rows = np.arange(len(wins))
    won: list[Floats] = []
    tied: list[Floats] = []
    for seat in range(2):
        rank = ranks[:, seat]
        own = (holes[:, seat] >> 2 == rank[:, None]).any(axis=1)
        for places, into in ((1 << seat, won), (3, tied)):
            into.append(np.where(own, wins[:, places], hits[rows, places, np.maximum(rank, 0)]))
    return np.stack(won, axis=1), np.stack(tied, axis=1)


def both_hit(
    holes: NDArray[np.int8], board: NDArray[np.int8], ranks: NDArray[np.int64], wins: Floats, tied: Floats
) -> Floats:
    """(n) chances that the pot is split with both bounties hit.

    holes   (n, 2, cards) codes; board: (n, cards) codes that lie; ranks: (n, 2)
    wins    (n, 4) chances of sets of winners; tied: (n, 2) that the pot is split with a seat's bounty hit

    Exact from the flop on. Before it splits are left out in which both ranks, held by nobody, come with the board: less
    than a hundredth of all hands.
    """
    lying = np.concatenate([holes, np.repeat(board[:, None], 2, axis=1)], axis=2)
    one, other = ((lying >> 2 == ranks[:, :, None]) & (lying >= 0)).any(axis=2).T
    same = ranks[:, 0] == ranks[:, 1]
    found = np.where(one, tied[:, 1], np.where(other | same, tied[:, 0], 0.0))
    if board.shape[1] == _FLOP:
        open_ = np.flatnonzero(~one & ~other & ~same & (wins[:, 3] > 0) & (ranks >= 0).all(axis=1))
        found[open_] = _both_come(holes[open_], board[open_], ranks[open_])
    return found


def _both_come(holes: NDArray[np.int8], flop: NDArray[np.int8], ranks: NDArray[np.int64]) -> Floats:
    """(n) chances that turn and river are a card of each rank, of which none lies, and the pot is split."""
    suits = np.arange(4)
    one = (4 * ranks[:, 0, None] + np.repeat(suits, 4)).astype(np.int8)
    other = (4 * ranks[:, 1, None] + np.tile(suits, 4)).astype(np.int8)
    row = np.repeat(np.arange(len(ranks)), 16)
    boards = np.concatenate([flop[row], one.reshape(-1, 1), other.reshape(-1, 1)], axis=1)
    tied = counting.count(counting.situations(holes[row], boards)).wins[:, 0, 3]
    chances: Floats = tied.reshape(-1, 16).sum(axis=1) / _TURNS_AND_RIVERS
    return chances


def bounty_before_deal(ranks: NDArray[np.int64], chips: Floats, dealer: NDArray[np.int64]) -> Floats:
    """(n, 2) chips gained in Bounty before any card is dealt, the ranks known: the mean over all deals.

    How often both bounties are hit in a split is not known, so there each is paid, rounded: a hundredth of a chip.
    """
    means = preflop.sums()
    tie = preflop.tie_chance()
    wins = np.tile([0.0, (1 - tie) / 2, (1 - tie) / 2, tie], (len(ranks), 1))
    both = np.zeros(len(ranks))
    return bounty_value(wins, means.win_hit[ranks], means.tie_hit[ranks], both, chips, dealer)


def auction_value(wins: Floats, put: Floats, dealer: NDArray[np.int64]) -> Floats:
    """(n, 2) chips gained in Auction, where shares may differ; wins: (n, 4) chances of sets of winners."""
    rows = np.arange(len(wins))
    own, other = put[rows, dealer], put[rows, 1 - dealer]
    pairs, inverse = np.unique(np.stack([own, other], axis=1), axis=0, return_inverse=True)
    awards = [[auction.payout(sign, x, y) for sign in (1, -1, 0)] for x, y in pairs.tolist()]
    gains = np.array(awards).reshape(-1, 3)[inverse.reshape(-1)]
    value = (
        wins[rows, 1 << dealer] * gains[:, 0]
        + wins[rows, 2 >> dealer] * gains[:, 1]
        + wins[:, 3] * gains[:, 2]
    )
    found = np.stack([value, -value], axis=1)
    return np.where(dealer[:, None] == 0, found, -found)


def blotto_value(wins: Floats, put: Floats, inflation: float) -> Floats:
    """(n, 2) chips gained on a board of Blotto: the winner takes the pot, nobody the odd chip of a split."""
    pot = put.sum(axis=1) + inflation
    half = np.floor(pot / 2)
    found: Floats = wins[:, 1:3] * pot[:, None] + (wins[:, 3] * half)[:, None] - put
    return found


def koper_value(wins: Floats, put: Floats, inside: NDArray[np.bool_]) -> Floats:
    """(n, p) chips gained in Koper: prizes up to the cap, what is left in equal parts to all who did not fold.

    wins    (n, 2 ** members) chances of sets of winners among those inside; put, inside: (n, p)
    Every row has the same players inside.
    """
    seats = np.flatnonzero(inside[0]) if len(inside) else np.zeros(0, np.int64)
    found = -put
    pot = put.sum(axis=1)
    for winners in range(1, wins.shape[1]):
        chance = wins[:, winners]
        rows = np.flatnonzero(chance)
        if not len(rows):
            continue
        members = [int(seat) for k, seat in enumerate(seats) if winners >> k & 1]
        left = pot[rows].copy()
        for seat in members:
            paid: Any = [
                koper.prize(pot[row], len(members), koper.win_cap(put[row, seat])) for row in rows.tolist()
            ]
            found[rows, seat] += chance[rows] * paid
            left -= paid
        found[np.ix_(rows, seats)] += (chance[rows] * left / len(seats))[:, None]
    return found
