"""What an order hangs on: ranks without one opponent, and pairs of players whose games decide the winner."""

from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .table import Table


def _ranks(totals: NDArray[np.float64], left: NDArray[np.bool_]) -> NDArray[np.int64]:
    """1 + how many of those left have more: (P,)."""
    more: NDArray[np.int64] = ((totals[None] > totals[:, None]) & left[None]).sum(axis=1)
    return more + 1


def without_one(table: Table) -> pl.DataFrame:
    """The standings as they would be had one player never entered; a row a player removed and player left.

    Columns: removed, removed_seat, player, seat, chips (won in the lineups without the removed one), rank (among those
    who have such a lineup, by chips), change (rank less what it is among the same players with all chips counted:
    below 0 the player gains by the removal), winner_changes (another leads than would lead among these players with
    all chips counted). chips, rank and change are null for who played with the removed one always.
    """
    holds, whole = table.holds(), table.totals(table.chips)
    rows = []
    for gone, (name, seat) in enumerate(table.players):
        left = np.any(holds[~holds[:, gone]], axis=0, keepdims=True)[0]
        totals = table.totals(table.chips, ~holds[:, gone])
        rank, before = _ranks(totals, left), _ranks(whole, left)
        changes = bool(set(np.flatnonzero(left & (rank == 1))) != set(np.flatnonzero(left & (before == 1))))
        rows += [
            {
                "removed": name,
                "removed_seat": seat,
                "player": table.players[k][0],
                "seat": table.players[k][1],
                "chips": float(totals[k]) if left[k] else None,
                "rank": int(rank[k]) if left[k] else None,
                "change": int(rank[k] - before[k]) if left[k] else None,
                "winner_changes": changes,
            }
            for k in sorted(range(len(left)), key=lambda k: (not left[k], rank[k], k))
            if k != gone
        ]
    schema = {
        "removed": pl.String,
        "removed_seat": pl.Int8,
        "player": pl.String,
        "seat": pl.Int8,
        "chips": pl.Float64,
        "rank": pl.Int64,
        "change": pl.Int64,
        "winner_changes": pl.Boolean,
    }
    return pl.DataFrame(rows, schema=schema)


def decisive_pairs(table: Table) -> pl.DataFrame:
    """Pairs of players without whose common matches another player would have won; a row a pair and new winner.

    Columns: player, seat, opponent, opponent_seat (the pair), hands (of their lineups), winner, winner_seat (who leads
    without them, of those who have a lineup left), margin (chips by which the winner then leads the one who leads now;
    null where that one has no lineup left).
    """
    holds, whole = table.holds(), table.totals(table.chips)
    leaders = set(np.flatnonzero(whole == whole.max()).tolist())
    rows = []
    for one, other in combinations(range(len(table.players)), 2):
        both = holds[:, one] & holds[:, other]
        if not both.any():
            continue
        left = np.any(holds[~both], axis=0, keepdims=True)[0]
        if not left.any():
            continue
        totals = table.totals(table.chips, ~both)
        winners = set(np.flatnonzero(left & (totals == totals[left].max())).tolist())
        staying = [k for k in sorted(leaders) if left[k]]
        rows += [
            {
                "player": table.players[one][0],
                "seat": table.players[one][1],
                "opponent": table.players[other][0],
                "opponent_seat": table.players[other][1],
                "hands": int(table.hands[both].sum()),
                "winner": table.players[k][0],
                "winner_seat": table.players[k][1],
                "margin": float(totals[k] - totals[staying].max()) if staying else None,
            }
            for k in sorted(winners - leaders)
        ]
    schema = {
        "player": pl.String,
        "seat": pl.Int8,
        "opponent": pl.String,
        "opponent_seat": pl.Int8,
        "hands": pl.Int64,
        "winner": pl.String,
        "winner_seat": pl.Int8,
        "margin": pl.Float64,
    }
    return pl.DataFrame(rows, schema=schema)
