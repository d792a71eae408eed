"""How sure an order is: the competition drawn again from the units that were reset.

In each draw every stratum gets as many of its units as it has, with replacement (Efron, Annals of Statistics 7 (1979)
1-26), all its lineups the same ones: with common seeds, seeds over the whole table. A stratum of one unit cannot be
drawn again: it stays as it is where it is a small part of the hands, else nothing is drawn. One of few units looks
steadier than it is: the spread of U units is too small by sqrt((U - 1) / U), and the tails are worse. Below SCARCE
units the figures are shown as doubtful.
"""

from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from . import DRAWS
from .table import Floats, Table

SCARCE: Final = 10
"""With 2 to 8 units a nominal 95% interval covered 71 to 91% of normal results (docs/standings.md)."""

HELD: Final = 0.05
"""Strata of one unit with no more than this share of the hands stay as they are in every draw."""


def held_share(table: Table) -> float:
    """The share of all hands that lies in strata of one unit."""
    single = [stratum.lineups for stratum in table.strata if len(stratum.chips) < 2]
    return float(sum(table.hands[lineups].sum() for lineups in single) / table.hands.sum())


def draw(table: Table, draws: int = DRAWS, seed: int = 0) -> Floats | None:
    """Chips (draws, L, K) of the competition drawn again; None where more than HELD cannot be."""
    if held_share(table) > HELD:
        return None
    random = np.random.default_rng(seed)
    drawn = np.zeros((draws, *table.chips.shape))
    for stratum in table.strata:
        units = len(stratum.chips)
        # One unit, drawn once, is itself.
        times = random.multinomial(units, np.full(units, 1 / units), size=draws)
        sums = times.astype(np.float64) @ stratum.chips.reshape(units, -1)
        drawn[:, stratum.lineups] = sums.reshape(draws, len(stratum.lineups), -1)
    return drawn


def scarce(table: Table) -> NDArray[np.bool_]:
    """Whose independent units are too few for more than a hint: (P,)."""
    return table.resets < SCARCE


def ranks(table: Table, drawn: Floats | None) -> pl.DataFrame:
    """How the ranks by total bankroll vary over the draws; a row a player, the figures null without draws.

    Columns: player, seat, resets (the fewest units the player has in a
    stratum, `Table.resets`), scarce (fewer than SCARCE),
    p_first (share of draws in which the player leads; a shared lead counts in parts), rank_low, rank_high (2.5% and
    97.5% quantiles of the rank, 1 + how many have more), chips_low, chips_high (those of the total bankroll).
    """
    frame = pl.DataFrame(
        {
            "player": [name for name, _ in table.players],
            "seat": [seat for _, seat in table.players],
            "resets": table.resets,
            "scarce": scarce(table),
        },
        schema_overrides={"seat": pl.Int8},
    )
    names = ("p_first", "rank_low", "rank_high", "chips_low", "chips_high")
    kinds = (pl.Float64, pl.Int64, pl.Int64, pl.Float64, pl.Float64)
    if drawn is None:
        return frame.with_columns(
            pl.lit(None, dtype=kind).alias(name) for name, kind in zip(names, kinds, strict=True)
        )
    totals = table.totals(drawn)
    leads = totals == totals.max(axis=1, keepdims=True)
    p_first = (leads / leads.sum(axis=1, keepdims=True)).mean(axis=0)
    # One player at a time: all pairs of a large field at once would fill the memory.
    rank = np.stack([1 + (totals > totals[:, [k]]).sum(axis=1) for k in range(len(table.players))], axis=1)
    low, high = np.quantile(rank, (0.025, 0.975), axis=0, method="inverted_cdf")
    chips_low, chips_high = np.quantile(totals, (0.025, 0.975), axis=0)
    figures = (p_first, low.astype(np.int64), high.astype(np.int64), chips_low, chips_high)
    return frame.with_columns(pl.Series(name, values) for name, values in zip(names, figures, strict=True))


def beats(table: Table, drawn: Floats | None) -> Floats:
    """P(row has more than column in total bankroll), a tie half: (P, P); nan without draws and on the diagonal."""
    size = len(table.players)
    found = np.full((size, size), np.nan)
    if drawn is not None:
        totals = table.totals(drawn)
        for k in range(size):
            more, same = totals[:, [k]] > totals, totals[:, [k]] == totals
            found[k] = more.mean(axis=0) + same.mean(axis=0) / 2
        np.fill_diagonal(found, np.nan)
    return found
