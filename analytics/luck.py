"""Winnings with the luck of the cards taken out (docs/luck.md).

adjusted = delta - sum over cards of slope x (V after the card - mean of V before it). V is the value of a hand if all
players only check from here. The mean of each difference over all possible cards is 0, so the adjusted winnings have
the mean of the raw ones for any slopes that are fixed before the cards are dealt: those of a hand come from hands
before it in its match and from other matches (analytics/slopes.py). Once no player can bet any more the slope is 1, and
the expectation is exact.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ..schema.words import FLAGS
from . import intervals
from .players import Asked
from .settings import Grouping
from .slopes import Slopes, Sums, brought, fit

if TYPE_CHECKING:
    import polars as pl

Floats = NDArray[np.float64]

_READ: Final = 128
"""Matches read at a time."""

GROUPINGS: Final[dict[str, tuple[str, ...]]] = {
    Grouping.PLAYER: ("event", "game", "player", "namesake_seat"),
    Grouping.OPPONENT: ("event", "game", "player", "namesake_seat", "opponent"),
    Grouping.MATCH: ("event", "game", "match_id", "player", "seat", "opponent"),
    Grouping.POSITION: ("event", "game", "player", "namesake_seat", "position"),
}
"""The columns of each grouping."""

_LATER: Final = frozenset(
    (
        *FLAGS,
        "showdown",
        "ended_by",
        "street",
        "streets",
        "board",
        "pot",
        "verdict",
        "action",
        "size",
        "hole",
        "hands",
    )
)


class GroupingError(ValueError):
    """A grouping that is unknown, or in which the adjusted winnings would be biased; the message is one line."""


def check_grouping(by: str) -> tuple[str, ...]:
    """The columns of a grouping; GroupingError if the adjusted winnings would be biased in it."""
    if by in GROUPINGS:
        return GROUPINGS[by]
    known = ", ".join(GROUPINGS)
    if by.lower() in _LATER:
        raise GroupingError(
            f"luck-adjusted winnings by {by} would be biased, because cards and actions after the deal select "
            f"these hands; groupings: {known}"
        )
    raise GroupingError(f"luck-adjusted winnings cannot be grouped by {by!r}; groupings: {known}")


_TERMS: Final = """
    select m.game, coalesce(m.card_set, m.duplicate_group, m.match_id) as dealt_alike,
      m.unit, t.*
    from luck_terms t join matches m using (match_id)
    {where}
    order by t.match_id, t.hand_index, t.seat
"""


def _terms(store: Asked, matches: list[int] | None = None) -> "pl.DataFrame":
    where = "" if matches is None else "where among(t.match_id, $ids)"
    params = {} if matches is None else {"ids": matches}
    frame: pl.DataFrame = store.sql(_TERMS.format(where=where), **params).pl()
    return frame


@contextmanager
def kept_terms(store: Asked) -> Iterator[None]:
    """Make `luck_terms` a temporary table within the block, so that reading some of its matches needs no joins.

    The view adds up the equities of all matches even if some are selected, unless they are a range. It is read range by
    range, because a million hands at once need more memory than a report may use.
    """
    # While a temporary table has the view's name, `main.luck_terms` is that table.
    store.sql("create or replace temp table terms_read as select * from main.luck_terms where false")
    try:
        matches = [
            match for (match,) in store.sql("select match_id from matches order by match_id").fetchall()
        ]
        for start in range(0, len(matches), _READ):
            some = matches[start : start + _READ]
            store.sql(
                "insert into temp.terms_read select * from main.luck_terms"
                " where match_id between $low and $high order by match_id",
                low=some[0],
                high=some[-1],
            )
        store.sql("alter table temp.terms_read rename to luck_terms")
        yield
    finally:
        store.sql("drop table if exists temp.terms_read")
        store.sql("drop table if exists temp.luck_terms")


def fit_store(store: Asked, order: Sequence[int] | None = None) -> Slopes:
    """What the slopes of each match of a store begin with, read in chunks of matches (`slopes.fit`).

    order  match_ids in the order in which they were played: the slopes of a match come from matches before it alone
    """
    if order is None:
        matches = [
            match for (match,) in store.sql("select match_id from matches order by match_id").fetchall()
        ]
    else:
        matches = list(order)
    sums = Sums(earlier=order is not None)
    for start in range(0, len(matches), _READ):
        some = matches[start : start + _READ]
        frame = _terms(store, some)
        if order is not None:
            import polars as pl

            places = pl.DataFrame({"match_id": pl.Series(some, dtype=frame.schema["match_id"])})
            frame = places.join(frame, on="match_id", maintain_order="left_right")
        sums.add(frame)
    return sums.solved()


def hands(store: Asked, slopes: Slopes | None = None, matches: Sequence[int] | None = None) -> "pl.DataFrame":
    """Every hand of every seat, raw and adjusted; a Polars frame in the order of match, hand and seat.

    slopes   what those of each match begin with; None: `slopes.fit` for this store, each match from the others
    matches  match_ids; None: all
    Columns: game, match_id, hand_index, seat, cluster (within the match), delta (chips won as logged), all_in_adjusted
    (without the luck of cards dealt after all betting; a hand that ended by a fold counts with delta), chance_adjusted
    (without that of all cards), published (what the log itself prints as luck-adjusted, mostly null), slopes (digest).
    """
    import polars as pl

    if slopes is None and matches is not None:
        slopes = fit_store(store)
    frame = _terms(store, None if matches is None else list(matches))
    slopes = slopes or fit(frame)
    return frame.select(
        "game",
        "match_id",
        "hand_index",
        "seat",
        "cluster",
        "delta",
        all_in_adjusted=pl.col("delta") - pl.when("folded").then(0.0).otherwise(pl.col("all_in")),
        chance_adjusted=pl.col("delta") - pl.col("all_in") - pl.Series(brought(frame, slopes)),
        published=pl.col("published"),
        slopes=pl.lit(slopes.digest),
    )


ESTIMATES: Final = ("delta", "all_in_adjusted", "chance_adjusted")
PUBLISHED: Final = "published"
_ENDS: Final = ("_low", "_high")


def winnings(store: Asked, by: str = "player") -> "pl.DataFrame":
    """Raw, all-in-adjusted and chance-adjusted winnings side by side; a Polars frame.

    by  a key of GROUPINGS; GroupingError for any other
    Columns: those of the grouping, matches, hands, clusters; for each of ESTIMATES NAME in bb per 100 hands with the
    ends NAME_low and NAME_high of its 95% interval, and NAME_sd, the standard deviation of a hand in bb; sd_removed and
    variance_removed, 1 - chance-adjusted / raw; published_hands, those whose log prints a luck-adjusted result, and for
    these `published` as one of ESTIMATES, null without any; slopes.

    The interval is mean +- t * se over clusters (`intervals.ratio`): in Bounty blocks of 25 rounds, in Koper matches
    (those of a tournament on the same cards as one), in the ACPC's games a hand's cards in every match that dealt
    them, elsewhere hands.
    """
    import polars as pl

    columns = check_grouping(by)
    frame = hands(store)
    names: pl.DataFrame = store.sql("select * from players").pl()
    frame = with_decks(store, frame.join(names.drop("game"), on=["match_id", "seat"], how="left"))
    if by == "position":
        places: pl.DataFrame = store.sql("select match_id, hand_index, seat, position from seats").pl()
        frame = frame.join(places, on=["match_id", "hand_index", "seat"], how="left")
    rows = []
    for key, group in frame.partition_by(
        columns, as_dict=True, maintain_order=True, include_key=True
    ).items():
        rows.append({**dict(zip(columns, key, strict=True)), **_estimates(group)})
    found = pl.DataFrame(rows, infer_schema_length=None)
    order = [name for name in ("event", "game") if name in columns]
    return (
        found.sort([*order, "chance_adjusted"], descending=[*[False] * len(order), True]) if rows else found
    )


def with_decks(store: Asked, frame: "pl.DataFrame") -> "pl.DataFrame":
    """Rows of matches with a column deck: matches that were dealt the same cards have the same."""
    decks: pl.DataFrame = store.sql("select match_id, deck_of(match_id, card_set) as deck from matches").pl()
    return frame.join(decks, on="match_id", how="left")


def _estimates(group: "pl.DataFrame") -> dict[str, object]:
    inverse, sizes = clusters(group)
    out: dict[str, object] = {
        "matches": group["match_id"].n_unique(),
        "hands": len(group),
        "clusters": len(sizes),
    }
    deviation = {}
    for name in ESTIMATES:
        deviation[name], columns = _estimate(group, name, inverse, sizes)
        out |= columns
    raw = deviation["delta"]
    kept = deviation["chance_adjusted"] / raw if raw else float("nan")
    out["sd_removed"] = 1 - kept
    out["variance_removed"] = 1 - kept**2
    published = group.drop_nulls(PUBLISHED)
    out["published_hands"] = len(published)
    out |= dict.fromkeys(PUBLISHED + end for end in ("", *_ENDS, "_sd"))
    if len(published):
        _, columns = _estimate(published, PUBLISHED, *clusters(published))
        out |= columns
    out["slopes"] = group["slopes"][0]
    return out


def clusters(group: "pl.DataFrame") -> tuple[NDArray[np.int64], Floats]:
    """The independent unit of each row by its columns deck and cluster, and how many rows each unit has."""
    places = group.select("deck", "cluster").to_numpy()
    _, inverse = np.unique(places, axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    return inverse, np.bincount(inverse).astype(np.float64)


def _estimate(
    group: "pl.DataFrame", name: str, inverse: NDArray[np.int64], sizes: Floats
) -> tuple[float, dict[str, float | None]]:
    """The standard deviation of a hand in bb, and the columns of an estimate.

    They are a column's mean in bb per 100 hands, the ends of its interval, and that standard deviation.
    """
    bb = group[name].to_numpy() / group["unit"].to_numpy()
    figures = intervals.ratio(np.bincount(inverse, bb).astype(np.float64), sizes)
    out = {
        name + suffix: None if figure is None else 100 * figure
        for suffix, figure in zip(("", *_ENDS), figures, strict=True)
    }
    deviation = out[f"{name}_sd"] = float(bb.std(ddof=1)) if len(bb) > 1 else float("nan")
    return deviation, out


def curve(store: Asked, match_id: int) -> "pl.DataFrame":
    """The running totals of a match, for a plot; a Polars frame in the order of hand and seat.

    Columns: hand_index, seat, raw, all_in_adjusted, chance_adjusted (chips since the first hand of the match), low,
    high: the 95% band of chance_adjusted, total +- t * sqrt of the sum over the clusters so far of their squared
    distance from the mean; NaN for one cluster.
    """
    import polars as pl

    frame = hands(store, matches=[match_id])
    parts = []
    for _, rows in frame.partition_by("seat", as_dict=True, maintain_order=True).items():
        total = np.cumsum(rows["chance_adjusted"].to_numpy())
        half = half_band(total, rows["cluster"].to_numpy())
        parts.append(
            rows.select(
                "hand_index",
                "seat",
                raw=pl.col("delta").cum_sum(),
                all_in_adjusted=pl.col("all_in_adjusted").cum_sum(),
                chance_adjusted=pl.Series(total),
                low=pl.Series(total - half),
                high=pl.Series(total + half),
            )
        )
    return pl.concat(parts).sort("hand_index", "seat") if parts else frame.clear()


def half_band(total: Floats, cluster: NDArray[np.int64], least: int = 2) -> Floats:
    """Half the width of the 95% band of a running total, hand by hand; NaN with fewer clusters than `least`.

    t * sqrt of the sum over the clusters so far of their squared distance from the mean so far.
    """
    count = np.arange(1, len(total) + 1)
    ends = np.flatnonzero(np.diff(cluster, append=-1))
    sums, sizes = np.diff(total[ends], prepend=0.0), np.diff(count[ends], prepend=0)
    clusters = np.searchsorted(ends, np.arange(len(total)), side="right")
    # sum of (s - mean * n)^2 over the clusters so far, with the mean so far
    a, b, c = (np.concatenate([[0.0], np.cumsum(x)]) for x in (sums**2, sums * sizes, sizes**2.0))
    n, s = (np.concatenate([[0.0], np.cumsum(x)]) for x in (sizes, sums))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = s / n
        square = np.maximum(a - 2 * mean * b + mean**2 * c, 0.0)
        k = np.arange(len(square))
        half = intervals.quantiles(k) * np.sqrt(k / (k - 1) * square)
    found: Floats = np.where(k >= max(least, 2), half, np.nan)[clusters]
    return found
