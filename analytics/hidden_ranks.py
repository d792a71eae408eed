"""Bounty's hidden ranks: what each player could know of the opponent's rank, hand by hand, and what it did with that.

Ranks are drawn uniformly, one of 13 for each player, and stay for 25 rounds. After a hand the payout shows a player
whether the *winner's* rank was hit; in a split pot each sees this of the other (docs/visibility.md). With rank r the
opponent has hit if r is among its hole cards or the board dealt so far. So Bayes' rule is exact, with

    P(hit | r) = 1 or 0                               hole cards shown: whether r is among them or the board
               = 1                                    not shown, r on the board
               = 1 - C(N - n, 2) / C(N, 2)            not shown, r not on the board

where N cards are unseen by the player (not its own two, not the board) and n of these have rank r. Hole cards that were
not shown are taken as any two of the unseen. The betting is ignored, so a player that reads it may know more; no player
can know less.

In a store as one player saw it (`Store.as_seen_by`) the opponent's rank and most of its hole cards are missing. That
player's knowledge is the same; the opponent's is what follows from the board, the payouts and the cards shown: N then
counts the opponent's own two.

At a decision the opponent's bounty is *live in belief* with probability b: the sum over ranks of the belief before the
hand times P(hit | rank), with the board dealt so far and the opponent's hole cards unseen. Without knowledge b stays
below 1/2 on every board, so b of LIVE or more means that the player could have known. A lost pot then costs 1.5 times
as much and 10 more: a bot that uses its knowledge folds and bluffs differently than on the same street with b below
LIVE. Both groups hold the bot's usual mix of hands, not the same hands: evidence, not proof.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..replay.cards import RANKS, SUITS
from .intervals import difference, rate, ratio
from .players import Player
from .views import queries

if TYPE_CHECKING:
    from .store import Store

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

LIKELY: Final = 0.9
_DECK: Final = 52


_LEAKS: Final = pl.Schema(
    {
        "event": pl.String,
        "player": pl.String,
        "seat": pl.Int8,
        "opponent": pl.String,
        "hands": pl.Int64,
        "blocks": pl.Int64,
        **dict.fromkeys(("bits_per_hand", "low", "high"), pl.Float64),
        **dict.fromkeys(("lost_per_hand", "lost_low", "lost_high", "bits_at_end"), pl.Float64),
        "known": pl.Int64,
        **dict.fromkeys(("known_rate", "known_low", "known_high"), pl.Float64),
        "likely": pl.Int64,
        **dict.fromkeys(("likely_rate", "likely_low", "likely_high"), pl.Float64),
    }
)

_BITS: Final = {
    "gained": ("bits_per_hand", "low", "high"),
    "leaked": ("lost_per_hand", "lost_low", "lost_high"),
}
"""Columns of `leaks` by the column of `knowledge` that they average."""


@dataclass(frozen=True)
class Hands:
    """H hands of Bounty with a known rank, by match and hand; ranks from 0 (deuce), -1 for unknown.

    match_id (H,), hand_index (H,), block (H,) number of the block of hands with the same ranks, from 0; board (H, 5);
    hole (H, 2, 2), rank (H, 2), hit (H, 2), told (H, 2) by seat: told if the opponent saw the hit or miss; shown (H,)
    """

    match_id: NDArray[np.uint64]
    hand_index: Ints
    block: Ints
    board: Ints
    hole: Ints
    rank: Ints
    hit: Flags
    told: Flags
    shown: Flags


def read_hands(store: "Store", ids: Sequence[int] | None = None) -> Hands:
    """The hands of Bounty matches; damaged hands and hands without a known rank are left out.

    ids  match_ids; None: every match
    """
    frame = store.sql(queries("ranks")["hands"], ids=None if ids is None else list(ids)).pl()
    board = np.full((len(frame), 5), -1, np.int64)
    for row, cards in enumerate(frame["board"].to_list()):
        board[row, : len(cards or ())] = cards or ()
    rank = frame.select("rank_0", "rank_1").to_numpy().astype(np.int64)
    match_id, number = frame["match_id"].to_numpy(), frame["block"].to_numpy()
    new = np.ones(len(frame), np.bool_)
    # In a merged log ranks may change within a block.
    new[1:] = (
        (match_id[1:] != match_id[:-1]) | (number[1:] != number[:-1]) | (rank[1:] != rank[:-1]).any(axis=1)
    )
    return Hands(
        match_id,
        frame["hand_index"].to_numpy().astype(np.int64),
        np.cumsum(new) - 1,
        board,
        np.array([frame["hole_0"].to_list(), frame["hole_1"].to_list()], np.int64)
        .reshape(2, -1, 2)
        .transpose(1, 0, 2),
        rank,
        frame.select("hit_0", "hit_1").to_numpy(),
        frame.select("told_0", "told_1").to_numpy(),
        frame["shown"].to_numpy(),
    )


def counted(cards: Ints) -> Ints:
    """The number of cards (H, C) of each rank: (H, 13)."""
    counts: Ints = (cards[:, :, None] == np.arange(len(RANKS))).sum(axis=1)
    return counts


def hit_chance(own: Ints, board: Ints) -> Floats:
    """P(hit | rank) given own hole cards (H, 2) and board (H, 5), with unseen opposing cards: (H, 13)."""
    on_board = counted(board)
    unseen = _DECK - ((own >= 0).sum(axis=1) + (board >= 0).sum(axis=1))[:, None]
    left = unseen - (len(SUITS) - counted(own) - on_board)
    return np.where(on_board > 0, 1.0, 1 - left * (left - 1) / (unseen * (unseen - 1)))


def likelihood(hands: Hands, seat: int) -> Floats:
    """The likelihood of what a seat learned after each hand, by the opponent's rank: (H, 13)."""
    other = 1 - seat
    seen = (counted(hands.hole[:, other]) + counted(hands.board) > 0).astype(np.float64)
    shown = hands.shown & (hands.hole[:, other] >= 0).all(axis=1)
    chance = np.where(shown[:, None], seen, hit_chance(hands.hole[:, seat], hands.board))
    said = np.where(hands.hit[:, [other]], chance, 1 - chance)
    return np.where(hands.told[:, [other]], said, 1.0)


def posteriors(hands: Hands, seat: int) -> tuple[Floats, Floats]:
    """A seat's beliefs about the opponent's rank before and after each hand: (H, 13) each."""
    told = likelihood(hands, seat)
    before = np.full(told.shape, 1 / len(RANKS))
    after = before.copy()
    first = np.searchsorted(hands.block, np.arange(hands.block[-1] + 1 if len(hands.block) else 0))
    place = np.arange(len(told)) - first[hands.block]
    for number in range(int(place.max()) + 1 if len(place) else 0):
        rows = np.flatnonzero(place == number)
        if number:
            before[rows] = after[rows - 1]
        weights = before[rows] * told[rows]
        after[rows] = weights / weights.sum(axis=1, keepdims=True)
    return before, after


def _bits(beliefs: Floats) -> Floats:
    """Shannon's entropy of beliefs (H, 13), in bits: (H,)."""
    logs = np.log2(beliefs, where=beliefs > 0, out=np.zeros_like(beliefs))
    entropy: Floats = np.maximum(-(beliefs * logs).sum(axis=1), 0.0)
    return entropy


def before_lock(frame: pl.DataFrame, store: "Store") -> pl.DataFrame:
    """The rows of a frame with match_id and hand_index for hands before the lock point of their match."""
    locks = store.sql(
        "select match_id, hand_index as lock from lock_points where hand_index is not null"
    ).pl()
    joined = frame.join(locks, on="match_id", how="left", maintain_order="left")
    return joined.filter(pl.col("lock").is_null() | (pl.col("hand_index") < pl.col("lock"))).drop("lock")


def _log_ratio(after: Floats, before: Floats) -> Floats:
    """log2 of after / before, both (H,); NaN for 0 / 0, as for unknown ranks."""
    ratios = np.divide(after, before, out=np.full(len(after), np.nan), where=before > 0)
    logs: Floats = np.log2(ratios, where=ratios > 0, out=np.full(len(after), np.nan))
    return logs


def knowledge(store: "Store") -> pl.DataFrame:
    """What each player could know of the opponent's rank; a row a hand and seat of every Bounty match.

    match_id, hand_index
    seat           the player who knows
    block          number of the block of hands with the same ranks, over all matches
    belief         13 probabilities of the opponent's rank, deuce to ace, before the hand
    p_true         probability of the true rank; null if the rank is unknown
    p_top          the largest probability; 1 (to rounding) if the rank is certain
    bits           entropy of belief; log2(13) = 3.70 without information
    leaked         bits less those after the hand: below 0 if the hand was misleading
    gained         log2 of the factor by which p_true changed: information about the true rank, leaked on average; null
                   if the rank is unknown
    told           hit, no hit, or null if the player learned nothing
    shown          whether the opponent's hole cards were shown
    """
    hands = read_hands(store)
    frames = []
    for seat in (0, 1):
        before, after = posteriors(hands, seat)
        rows, rank = np.arange(len(before)), hands.rank[:, 1 - seat]
        known = pl.Series(rank >= 0)
        words = np.where(hands.hit[:, 1 - seat], "hit", "no hit").tolist()
        told = hands.told[:, 1 - seat].tolist()
        frames.append(
            pl.DataFrame(
                {
                    "match_id": hands.match_id,
                    "hand_index": hands.hand_index.astype(np.int32),
                    "seat": np.full(len(rows), seat, np.int8),
                    "block": hands.block,
                    "belief": pl.Series(before, dtype=pl.Array(pl.Float64, len(RANKS))),
                    "p_true": pl.select(pl.when(known).then(pl.Series(before[rows, rank]))).to_series(),
                    "p_top": before.max(axis=1),
                    "bits": _bits(before),
                    "leaked": _bits(before) - _bits(after),
                    "gained": pl.select(
                        pl.when(known).then(pl.Series(_log_ratio(after[rows, rank], before[rows, rank])))
                    ).to_series(),
                    "told": [word if said else None for word, said in zip(words, told, strict=True)],
                    "shown": hands.shown,
                },
                schema_overrides={"told": pl.String},
            )
        )
    return pl.concat(frames).sort("match_id", "hand_index", "seat")


def leaks(store: "Store", lock: bool = False) -> pl.DataFrame:
    """How much information about its rank each player gave away; a row an event, player and opponent.

    lock                 only the hands before the lock point of each match
    event, player, seat (if one match holds the name twice, else null), opponent
    hands, blocks        n: hands, and blocks of hands with the same ranks, the independent units of intervals
    bits_per_hand        mean of gained over the hands, with low, high: 95%, Student's t over blocks; null if the
                         player's rank is unknown
    lost_per_hand        mean of leaked, likewise with lost_low, lost_high
    bits_at_end          mean entropy left after the last hand of a block, of 3.70 at its start
    known                hands before which the rank was certain; known_rate with known_low, known_high: 95%, Wilson
                         with an effective n by blocks (`intervals.rate`)
    likely               hands before which one rank had 90% or more; likely_rate with likely_low, likely_high
    """
    who = store.sql(
        "select p.match_id, o.seat, p.event, p.player, p.namesake_seat, p.opponent"
        " from players p join players o on o.match_id = p.match_id and o.seat <> p.seat"
        " join games g on g.game = p.game and g.bounties"
    ).pl()
    rows = []
    told = knowledge(store)
    frame = (before_lock(told, store) if lock else told).join(who, on=["match_id", "seat"])
    keys = ["event", "player", "namesake_seat", "opponent"]
    for key, group in frame.group_by(keys, maintain_order=True):
        blocks = group.group_by("block", maintain_order=True).agg(
            pl.len().alias("hands"),
            pl.col("gained").sum(),
            pl.col("leaked").sum(),
            (pl.col("p_top") > 1 - 1e-9).sum().alias("known"),
            (pl.col("p_top") >= LIKELY).sum().alias("likely"),
            (pl.col("bits").last() - pl.col("leaked").last()).alias("end"),
        )
        hands = blocks["hands"].to_numpy().astype(np.float64)
        row: dict[str, object] = dict(zip(("event", "player", "seat", "opponent"), key, strict=True))
        row |= {"hands": len(group), "blocks": len(blocks)}
        for column, names in _BITS.items():
            said = group[column].null_count() == 0
            figures = ratio(blocks[column].to_numpy(), hands) if said else (None, None, None)
            row |= dict(zip(names, figures, strict=True))
        row["bits_at_end"] = blocks["end"].mean()
        for name in ("known", "likely"):
            counts = blocks[name].to_numpy().astype(np.float64)
            row[name] = int(counts.sum())
            names = (f"{name}_rate", f"{name}_low", f"{name}_high")
            row |= dict(zip(names, rate(counts, hands), strict=True))
        rows.append(row)
    return pl.DataFrame(rows, schema=_LEAKS).sort("event", "player", "seat", "opponent")


LIVE: Final = 0.5
_BOARD: Final = (0, 3, 4, 5)
_KEY: Final = ["event", "player", "seat", "street", "statistic"]


def decisions(store: "Store") -> pl.DataFrame:
    """Every own decision in Bounty with the player's belief; a row a decision.

    match_id, hand_index, seq, seat, street, action, faces_bet; event, player, namesake_seat
    block     number of the block of hands with the same ranks, over all matches
    belief    b: probability that the opponent's rank is among its hole cards or the board dealt so far
    ignorant  the same without information from earlier hands
    live      whether it really is, which the player could not fully see; null if the log does not say
    """
    hands = read_hands(store)
    frame = store.sql(queries("ranks")["decisions"]).pl()
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
    event, player, seat (if one match holds the name twice, else null), street (1 flop, 2 turn, 3 river)
    statistic    fold: folds of decisions that face a bet; aggression: bets and raises of all decisions
    live_n, live_k, live_rate, live_low, live_high     decisions with belief of LIVE or more, and successes among them
    other_n, other_k, other_rate, other_low, other_high   the rest
    shift, low, high   live_rate - other_rate
    blocks       blocks with such a decision, the independent units of all 95% intervals (`intervals`)
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
        # Both players of a match share its blocks; the opponents of a player share none.
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


_USED: Final[Mapping[str, str]] = {
    "street": "street",
    "statistic": "statistic",
    "live_n": "live_opportunities",
    "live_k": "live_successes",
    "live_rate": "live_rate",
    "live_low": "live_low",
    "live_high": "live_high",
    "other_n": "opportunities",
    "other_k": "successes",
    "other_rate": "rate",
    "other_low": "low",
    "other_high": "high",
    "shift": "shift",
    "low": "shift_low",
    "high": "shift_high",
    "blocks": "blocks",
}
"""Columns of `shifts` by their name in the document, which is that in the view bounty_shift."""

_GIVEN: Final[Mapping[str, str]] = {"low": "bits_low", "high": "bits_high"}


def knowledge_of(store: "Store", player: Player, lock: bool) -> dict[str, list[dict[str, Any]]]:
    """A player's ranks in the opponent file: what it gave away, learned and used, with n and 95% intervals.

    lock  only the hands before the lock point of each match

    rank_given_away  by opponent who learned it: the columns of `leaks`, its interval as bits_low and bits_high
    rank_learnt      by opponent whose rank it is: the same
    rank_used        by street and statistic: the columns of `shifts`, named as in the view bounty_shift
    """

    given, learnt = [], []
    for row in leaks(store, lock).to_dicts():
        if row["event"] != player.event:
            continue
        who, seat, other = row.pop("player"), row.pop("seat"), row["opponent"]
        told = {_GIVEN.get(name, name): value for name, value in row.items() if name != "event"}
        if (who, seat) == (player.name, player.seat):
            given.append(told)
        # With two players of one name the row belongs to the one in the other seat.
        if other == player.name and seat == (None if player.seat is None else 1 - player.seat):
            learnt.append(told | {"opponent": who})
    used = [
        {name: row[column] for column, name in _USED.items()}
        for row in shifts(store, lock).to_dicts()
        if (row["event"], row["player"], row["seat"]) == (player.event, player.name, player.seat)
    ]
    return {"rank_given_away": given, "rank_learnt": learnt, "rank_used": used}
