"""The bankroll instant run-off: the lowest of those left is dropped, with all matches he was in, until one is left.

As the Annual Computer Poker Competition ranked it: beating the weak by much counts only while the weak are in.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .bootstrap import scarce
from .table import DIGITS, Floats, Ints, Table


def eliminate(table: Table, chips: Floats) -> tuple[Ints, Floats]:
    """Run-offs over chips (D, L, K): who is dropped in each round (D, P - 1), and totals by round (D, P - 1, P).

    The totals are those among the survivors; nan for who is out. From the first round in which one of them has no
    lineup left (a table of three with two left, Koper's with four) it is over: the totals of the round before place
    them, and theirs are nan. Equal totals: the one with less in the round before goes; where these are equal too, the
    one who comes later among the players.
    """
    draws, size = len(chips), len(table.players)
    holds, rows = table.holds(), np.arange(draws)
    left = np.ones((draws, size), np.bool_)
    played = np.ones((draws, len(table.members)), np.bool_)
    order = np.zeros((draws, size))
    out, totals = np.zeros((draws, size - 1), np.int64), np.full((draws, size - 1, size), np.nan)
    deciding = np.zeros((draws, size))
    now = table.totals(chips)
    tables = np.tile(table.totals(np.ones(table.chips.shape)), (draws, 1))
    decided = np.ones((draws, 1), np.bool_)
    for turn in range(size - 1):
        now = np.round(now, DIGITS)
        decided &= ((tables > 0) | ~left).all(axis=1, keepdims=True)
        order = np.where(decided & (turn > 0), deciding, order)
        deciding = np.where(decided, now, deciding)
        lowest = np.where(left, deciding, np.inf).min(axis=1, keepdims=True)
        tied = left & (deciding == lowest)
        last_first = np.where(tied, order, np.inf)[:, ::-1]
        out[:, turn] = size - 1 - last_first.argmin(axis=1)
        totals[:, turn] = np.where(left & decided, now, np.nan)
        left[rows, out[:, turn]] = False
        for gone in np.unique(out[:, turn]).tolist():
            among, his = np.ix_(out[:, turn] == gone, holds[:, gone])
            lost = np.where(played[among, his][..., None], chips[among, his], 0.0)
            now[among[:, 0]] -= table.totals(lost, lineups=his[0])
            tables[among[:, 0]] -= table.totals(np.ones(lost.shape), played[among, his], his[0])
            played[among, his] = False
    return out, totals


def places(out: Ints) -> Ints:
    """The final place of each player, from 1, of run-offs (D, P - 1): (D, P)."""
    draws, size = len(out), out.shape[1] + 1
    found = np.ones((draws, size), np.int64)
    found[np.arange(draws)[:, None], out] = size - np.arange(size - 1)
    return found


def run_off(table: Table, drawn: Floats | None = None) -> pl.DataFrame:
    """The run-off round by round; a row a round and player still in it, the lowest last.

    Columns: round (from 1), player, seat, hands (among the survivors), chips (won among them), mbb_per_hand, chips_low,
    chips_high (2.5% and 97.5% quantiles over the draws, with the survivors as they are; null where `bootstrap.scarce`
    is, for such quantiles are far too narrow), dropped (leaves after this
    round), final_place (from 1; by the whole run-off). The last round has more than two players where those left have
    no table among them: it places them all.
    """
    size = len(table.players)
    out, totals = eliminate(table, table.chips[None])
    final, holds, few = places(out)[0], table.holds(), scarce(table)
    played: NDArray[np.bool_] = np.ones(len(table.members), np.bool_)
    rows = []
    for turn in range(size - 1):
        if np.isnan(totals[0, turn]).all():
            break
        hands = table.totals(table.member_hands.astype(np.float64), played)
        bb = table.totals(table.bb, played)
        spread = None
        if drawn is not None:
            spread = np.quantile(table.totals(drawn, played), (0.025, 0.975), axis=0)
        still = [k for k in range(size) if final[k] <= size - turn]
        for k in sorted(still, key=lambda k: (-totals[0, turn, k], final[k])):
            rows.append(
                {
                    "round": turn + 1,
                    "player": table.players[k][0],
                    "seat": table.players[k][1],
                    "hands": int(hands[k]),
                    "chips": float(totals[0, turn, k]),
                    "mbb_per_hand": float(1000 * bb[k] / hands[k]) if hands[k] else None,
                    "chips_low": None if spread is None or few[k] else float(spread[0, k]),
                    "chips_high": None if spread is None or few[k] else float(spread[1, k]),
                    "dropped": k == out[0, turn],
                    "final_place": int(final[k]),
                }
            )
        played &= ~holds[:, out[0, turn]]
    schema = {
        "round": pl.Int64,
        "player": pl.String,
        "seat": pl.Int8,
        "hands": pl.Int64,
        "chips": pl.Float64,
        "mbb_per_hand": pl.Float64,
        "chips_low": pl.Float64,
        "chips_high": pl.Float64,
        "dropped": pl.Boolean,
        "final_place": pl.Int64,
    }
    return pl.DataFrame(rows, schema=schema)
