"""Bounty: what players did with what they could know of the opponent's rank.

At a decision the opponent's bounty is *live in belief* with probability b: the sum over ranks of the belief before the
hand times P(hit | rank), with the board dealt so far and the opponent's hole cards unseen (`bounty_knowledge`). Without
knowledge b stays below 1/2 on every board, so b of LIVE or more means that the player could have known. Then a lost pot
costs 1.5 times as much and 10 more: a bot that uses its knowledge folds and bluffs otherwise than on the same street
with b below LIVE. Both groups hold the bot's usual mix of hands, not the same hands: evidence, no proof.
"""

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from ..replay.cards import RANKS
from .bounty_knowledge import before_lock, counted, hit_chance, posteriors, read_hands
from .clustered import difference, rate

if TYPE_CHECKING:
    from .store import Store

LIVE: Final = 0.5
_BOARD: Final = (0, 3, 4, 5)
_KEY: Final = ["event", "player", "seat", "street", "statistic"]

_DECISIONS: Final = """
    select
        a.match_id, a.hand_index, a.seq, a.seat, a.street, a.action, a.to_call > 0 as faces_bet,
        p.event, p.player, p.namesake_seat
    from stored.actions as a
    join players as p on p.match_id = a.match_id and p.seat = a.seat
    join games as g on g.game = p.game and g.bounties
    where a.origin = 'choice' and a.action in ('fold', 'check', 'call', 'bet', 'raise')
    order by a.match_id, a.hand_index, a.seq
"""


def decisions(store: "Store") -> pl.DataFrame:
    """Every choice in Bounty with what the player could believe; a row a decision.

    match_id, hand_index, seq, seat, street, action, faces_bet; event, player, namesake_seat
    block     hands with the same ranks bear the same number, over all matches
    belief    b: probability that the opponent's rank is among his hole cards or the board dealt so far
    ignorant  the same had nothing been learnt in earlier hands
    live      whether it is; the player could not see all of that. Null where the log does not say
    """
    hands = read_hands(store)
    frame = store.sql(_DECISIONS).pl()
    place = pl.DataFrame(
        {
            "match_id": hands.match_id,
            "hand_index": hands.hand_index.astype(np.int32),
            "row": np.arange(len(hands.block)),
        }
    )
    frame = frame.join(place, on=["match_id", "hand_index"], how="inner", maintain_order="left")
    row, seat = frame["row"].to_numpy(), frame["seat"].to_numpy().astype(np.int64)
    dealt = np.array(_BOARD)[frame["street"].to_numpy()]
    board = np.where(np.arange(5) < dealt[:, None], hands.board[row], -1)
    own, other = hands.hole[row, seat], hands.hole[row, 1 - seat]
    beliefs = np.stack([posteriors(hands, k)[0] for k in (0, 1)], axis=1)[row, seat]
    chance = hit_chance(own, board)
    seen = counted(other) + counted(board) > 0
    rank = hands.rank[row, 1 - seat]
    known = pl.Series((rank >= 0) & (other >= 0).all(axis=1))
    told: pl.DataFrame = frame.drop("row").with_columns(
        pl.Series("block", hands.block[row]),
        pl.Series("belief", (beliefs * chance).sum(axis=1)),
        pl.Series("ignorant", chance.sum(axis=1) / len(RANKS)),
        pl.when(known).then(pl.Series(seen[np.arange(len(row)), rank])).alias("live"),
    )
    return told


def shifts(store: "Store", lock: bool = False) -> pl.DataFrame:
    """How players act when the opponent's bounty is live in belief; a row an event, player, street and statistic.

    lock         only the hands before the lock point of each match
    event, player, seat (where one match holds the name twice, else null), street (1 flop, 2 turn, 3 river)
    statistic    fold: folds of decisions that face a bet; aggression: bets and raises of all decisions
    live_n, live_k, live_rate, live_low, live_high     decisions with belief of LIVE or more, and successes among them
    other_n, other_k, other_rate, other_low, other_high   the rest
    shift, low, high   live_rate - other_rate
    blocks       draws of ranks with such a decision: what all 95% intervals take as independent (`clustered`)
    """
    made = decisions(store)
    made = before_lock(made, store) if lock else made
    frame = made.filter(pl.col("street") > 0).rename({"seat": "at", "namesake_seat": "seat"})
    aggression = frame.with_columns(
        pl.lit("aggression").alias("statistic"), pl.col("action").is_in(["bet", "raise"]).alias("success")
    )
    folds = frame.filter("faces_bet").with_columns(
        pl.lit("fold").alias("statistic"), (pl.col("action") == "fold").alias("success")
    )
    high = pl.col("belief") >= LIVE
    blocks = (
        pl.concat([aggression, folds])
        # Both players of a match have a block in common, and a player's opponents share none.
        .group_by(*_KEY, "block")
        .agg(
            high.sum().alias("live_n"),
            (high & pl.col("success")).sum().alias("live_k"),
            (~high).sum().alias("other_n"),
            (~high & pl.col("success")).sum().alias("other_k"),
        )
        .sort(*_KEY, "block")
    )
    rows = []
    for key, group in blocks.group_by(_KEY, maintain_order=True):
        counts = group.select("live_k", "other_k", "live_n", "other_n").to_numpy().astype(np.float64)
        row: dict[str, object] = dict(zip(_KEY, key, strict=True))
        estimates = []
        for place, name in enumerate(("live", "other")):
            estimates.append(rate(counts[:, place], counts[:, 2 + place]))
            row[f"{name}_n"], row[f"{name}_k"] = int(counts[:, 2 + place].sum()), int(counts[:, place].sum())
            names = (f"{name}_rate", f"{name}_low", f"{name}_high")
            row |= dict(zip(names, estimates[-1], strict=True))
        row |= dict(zip(("shift", "low", "high"), difference(*estimates), strict=True))
        rows.append(row | {"blocks": len(group)})
    schema = {
        "event": pl.String,
        "player": pl.String,
        "seat": pl.Int8,
        "street": pl.Int8,
        "statistic": pl.String,
        **{f"{name}_{what}": pl.Int64 for name in ("live", "other") for what in ("n", "k")},
        **{f"{name}_{what}": pl.Float64 for name in ("live", "other") for what in ("rate", "low", "high")},
        **dict.fromkeys(("shift", "low", "high"), pl.Float64),
        "blocks": pl.Int64,
    }
    order = ["event", "player", "seat", "street", "statistic"]
    for name in ("live", "other"):
        order += [f"{name}_{what}" for what in ("n", "k", "rate", "low", "high")]
    return pl.DataFrame(rows, schema=schema).select(*order, "shift", "low", "high", "blocks")
