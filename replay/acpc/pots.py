"""What a hand pays: side pots level by level, split exactly; and how it ends for each player."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part
from .. import records


@part
def pay(
    players: int,
    spent: NDArray[np.float64],
    folded: NDArray[np.int64],
    strength: NDArray[np.int64],
    payout: NDArray[np.float64],
) -> None:
    """Fill `payout` with what each player gains, by position.

    Who folded loses what they spent. Where all others folded the last player gains what they spent. Else for every
    level of chips spent, the best of those who are in it and have not folded gain `size * (others) / winners`, a
    fraction where it does not divide; the others lose the size. strength is read only where two are left.
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
def end(
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
