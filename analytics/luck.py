"""Winnings with the luck of the cards taken out (docs/luck.md).

adjusted = delta - sum over cards of slope x (V after the card - mean of V before it). V is the value of a hand if all
players only check from here. The mean of each difference over all possible cards is 0, so the adjusted winnings have
the mean of the raw ones for any slopes that are fixed before the cards are dealt: those of a match come from other
matches. Once no player can bet any more the slope is 1, and the expectation is exact.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ..schema.words import FLAGS
from . import intervals
from .players import Asked
from .settings import Grouping

if TYPE_CHECKING:
    import polars as pl

Floats = NDArray[np.float64]

TERMS: Final = ("deal", "flop", "turn", "river", "flop_free", "turn_free", "river_free")
"""The columns of `luck_terms` that have a slope."""

_PLAIN: Final = np.array([1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
"""The slopes of a match without other matches: cards count for their value without further bets."""

_PRIOR: Final = 500.0
"""Weight of these slopes in hands: slopes from few matches are shrunk towards them."""

_KIN: Final = 10.0
"""The weight of other matches with one of the players."""

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


@dataclass(frozen=True)
class Slopes:
    """The weight of a chip of each term of `luck_terms`.

    by_group  (game, group of matches) to slopes by TERMS; a group is a match, or all matches dealt the same cards
    digest    hash of all slopes
    """

    by_group: dict[tuple[str, int], Floats]
    digest: str


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
      list_transform(m.players, lambda name: m.event || chr(10) || name) as entrants, t.*
    from luck_terms t join matches m using (match_id)
    {where}
    order by t.match_id, t.hand_index, t.seat
"""


def _terms(store: Asked, matches: list[int] | None = None) -> "pl.DataFrame":
    where = "" if matches is None else "where list_contains($ids, t.match_id)"
    params = {} if matches is None else {"ids": matches}
    frame: pl.DataFrame = store.sql(_TERMS.format(where=where), **params).pl()
    return frame


@dataclass
class _Sums:
    """A group's contribution to the normal equations of its game, and its players."""

    squares: Floats
    products: Floats
    rest: float = 0.0
    hands: int = 0
    entrants: frozenset[str] = frozenset()


def _add(sums: dict[str, dict[int, _Sums]], frame: "pl.DataFrame") -> None:
    """Add the rows of some matches to the sums by game and group."""
    size = len(TERMS)
    for (game,), rows in frame.partition_by("game", as_dict=True, maintain_order=True).items():
        terms = rows.select(TERMS).to_numpy()
        rest = (rows["delta"] - rows["all_in"]).to_numpy()
        groups, inverse = np.unique(rows["dealt_alike"].to_numpy(), return_inverse=True)
        squares, products = np.zeros((len(groups), size, size)), np.zeros((len(groups), size))
        for k in range(size):
            products[:, k] = np.bincount(inverse, terms[:, k] * rest, len(groups))
            for j in range(size):
                squares[:, k, j] = np.bincount(inverse, terms[:, k] * terms[:, j], len(groups))
        spread = np.bincount(inverse, rest**2, len(groups))
        number = np.bincount(inverse, minlength=len(groups))
        lineups = rows.unique(("dealt_alike", "match_id")).group_by("dealt_alike").agg("entrants")
        entrants = {group: frozenset(chain(*some)) for group, some in lineups.iter_rows()}
        of_game = sums.setdefault(str(game), {})
        for k, group in enumerate(groups.tolist()):
            one = of_game.setdefault(group, _Sums(np.zeros((size, size)), np.zeros(size)))
            one.squares += squares[k]
            one.products += products[k]
            one.rest += float(spread[k])
            one.hands += int(number[k])
            one.entrants |= entrants[group]


def _solved(sums: dict[str, dict[int, _Sums]]) -> Slopes:
    """The slopes of each group, from the sums of the others of its game."""
    found: dict[tuple[str, int], Floats] = {}
    for game, by_group in sums.items():
        groups = sorted(by_group)
        each = [by_group[group] for group in groups]
        # The squares of wildly played matches would outweigh all others.
        number = np.array([one.hands for one in each], np.float64)
        spread = np.sqrt(np.array([one.rest for one in each]) / number)
        weight = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
        squares = np.stack([one.squares for one in each]) * weight[:, None, None]
        products = np.stack([one.products for one in each]) * weight[:, None]
        all_squares, all_products = squares.sum(axis=0), products.sum(axis=0)
        kin = _kin([one.entrants for one in each])
        for k, group in enumerate(groups):
            others = number.sum() - number[k]
            near = kin[k]
            of_others = all_squares - squares[k] + (_KIN - 1) * squares[near].sum(axis=0)
            with_rest = all_products - products[k] + (_KIN - 1) * products[near].sum(axis=0)
            scale = np.diag(of_others).copy() / max(others, 1) * _PRIOR
            scale[scale <= 0] = 1.0
            left = of_others + np.diag(scale)
            found[game, group] = np.linalg.solve(left, with_rest + scale * _PLAIN) if others else _PLAIN
    digest = blake2b(digest_size=6)
    for key in sorted(found):
        digest.update(repr((key, [float(f"{slope:.9g}") for slope in found[key]])).encode())
    return Slopes(found, digest.hexdigest())


def fit(frame: "pl.DataFrame") -> Slopes:
    """The slopes of each match, least squares of delta - all_in over the other matches of its game.

    The weight of a match is one over the root mean square of the dependent variable, ten times that if it shares a
    player of the same event.

    frame  columns game, dealt_alike, match_id, entrants, delta, all_in and TERMS: `luck_terms` with the columns that
           identify groups
    """
    sums: dict[str, dict[int, _Sums]] = {}
    _add(sums, frame)
    return _solved(sums)


@contextmanager
def kept_terms(store: Asked) -> Iterator[None]:
    """Make `luck_terms` a temporary table within the block, so that reading some of its matches needs no joins.

    The view adds up the equities of all matches even if some are selected.
    """
    store.sql("create or replace temp table luck_terms as select * from main.luck_terms order by match_id")
    try:
        yield
    finally:
        store.sql("drop table temp.luck_terms")


def fit_store(store: Asked) -> Slopes:
    """The slopes of `fit` for a whole store, read in chunks of matches."""
    rows = store.sql("select match_id from matches order by match_id").fetchall()
    matches = [match for (match,) in rows]
    sums: dict[str, dict[int, _Sums]] = {}
    for start in range(0, len(matches), _READ):
        _add(sums, _terms(store, matches[start : start + _READ]))
    return _solved(sums)


def _kin(entrants: Sequence[frozenset[str]]) -> list[list[int]]:
    """For each group the others that share a player."""
    by_name: dict[str, set[int]] = {}
    for k, names in enumerate(entrants):
        for name in names:
            by_name.setdefault(name, set()).add(k)
    return [sorted(set().union(*(by_name[name] for name in names)) - {k}) for k, names in enumerate(entrants)]


def _brought(frame: "pl.DataFrame", slopes: Slopes) -> Floats:
    """The sum of slope x term of each row."""
    import polars as pl

    keys = [*slopes.by_group]
    places = pl.DataFrame(
        {
            "game": pl.Series([game for game, _ in keys], dtype=frame.schema["game"]),
            "dealt_alike": pl.Series([group for _, group in keys], dtype=frame.schema["dealt_alike"]),
            "place": pl.Series(range(len(keys)), dtype=pl.Int64),
        }
    )
    key = ("game", "dealt_alike")
    joined = frame.select(key).join(places, on=key, how="left", maintain_order="left")
    place = joined["place"].fill_null(len(keys)).to_numpy()
    table = np.stack([*slopes.by_group.values(), _PLAIN])
    luck = np.zeros(len(frame))
    for k, term in enumerate(TERMS):
        luck += frame[term].to_numpy() * table[place, k]
    return luck


def hands(store: Asked, slopes: Slopes | None = None, matches: Sequence[int] | None = None) -> "pl.DataFrame":
    """Every hand of every seat, raw and adjusted; a Polars frame in the order of match, hand and seat.

    slopes   None: those of `fit` for this store, each match from the others
    matches  match_ids; None: all
    Columns: game, match_id, hand_index, seat, cluster (within the match), delta (chips won as logged), all_in_adjusted
    (without the luck of cards dealt after all betting), chance_adjusted (without that of all cards), published (what
    the log itself prints as luck-adjusted, mostly null), slopes (digest).
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
        all_in_adjusted=pl.col("delta") - pl.col("all_in"),
        chance_adjusted=pl.col("delta") - pl.col("all_in") - pl.Series(_brought(frame, slopes)),
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
    frame = frame.join(names.drop("game"), on=["match_id", "seat"], how="left")
    decks: pl.DataFrame = store.sql("select match_id, deck_of(match_id, card_set) as deck from matches").pl()
    frame = frame.join(decks, on="match_id", how="left")
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


def _estimates(group: "pl.DataFrame") -> dict[str, object]:
    inverse, sizes = _clusters(group)
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
        _, columns = _estimate(published, PUBLISHED, *_clusters(published))
        out |= columns
    out["slopes"] = group["slopes"][0]
    return out


def _clusters(group: "pl.DataFrame") -> tuple[NDArray[np.int64], Floats]:
    """The cluster of each row, and how many rows each has."""
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
