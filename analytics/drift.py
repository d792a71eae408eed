"""Does a player change while a match goes on? First half against second, and the likeliest change point.

The halves are those of the match's hands; hands after the lock point are left out. The order of what is drawn anew
(hands; in Bounty blocks of 25 rounds, which stay whole) is exchangeable for a player whose habits do not change, so
that shuffling it says how large a difference chance makes: p = (b + 1) / (m + 1), b of m shuffles being at least as
large (Phipson and Smyth 2010). docs/definitions.md has the formulas.
"""

from collections import defaultdict
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from .clustered import newcombe, wilson
from .thresholds import Z

_Rate = tuple[float, float, int]

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from .store import Store

SHUFFLES: Final = 999
_EDGE: Final = 0.1
LEAST: Final = 20
"""Opportunities of a statistic in a match, below which nothing is said of it."""
_CHANCES: Final = """
    select c.match_id, c.seat, p.event, p.game, p.player, c.statistic,
        c.hand_index, sum(c.opportunities)::double as n, sum(c.successes)::double as k
    from chances_before_lock as c
    join players as p on p.match_id = c.match_id and p.seat = c.seat
    join games as g on g.game = p.game
    where ($player is null or p.player = $player) and may_drift(c.statistic, g.simultaneous)
    group by all
    order by c.match_id, c.seat, c.statistic, c.hand_index
"""
_HANDS: Final = """
    select h.match_id,
        list(
            coalesce(cluster_of(g.cluster, g.cluster_hands, h.hand_index, h.hand_no), h.hand_index)
            order by h.hand_index
        ) as units,
        count(*) filter (where not in_second_half(h.hand_index, coalesce(l.hand_index, m.hands))) as half
    from stored.hands as h
    join matches as m on m.match_id = h.match_id
    join games as g on g.game = h.game and not g.simultaneous
    left join lock_points as l on l.match_id = h.match_id
    where h.hand_index < coalesce(l.hand_index, m.hands) and ($player is null or exists (
        select 1 from players as p where p.match_id = h.match_id and p.player = $player))
    group by h.match_id
"""


def change(n: "NDArray[np.float64]", k: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """For each cut of a row |z| of the rates before and after it.

    n, k   (rows, units) opportunities and successes in order, the totals of all rows alike
    z      (rows, units - 1); 0 where a side holds less than a tenth of the opportunities
    """
    import numpy as np

    before_n, before_k = np.cumsum(n, 1)[:, :-1], np.cumsum(k, 1)[:, :-1]
    total_n, total_k = n.sum(1, keepdims=True), k.sum(1, keepdims=True)
    after_n, after_k = total_n - before_n, total_k - before_k
    p = total_k / total_n
    wide = (np.minimum(before_n, after_n) >= _EDGE * total_n) & (p > 0) & (p < 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = np.abs(after_k / after_n - before_k / before_n)
        z: NDArray[np.float64] = difference / np.sqrt(p * (1 - p) * (1 / before_n + 1 / after_n))
    return np.where(wide, z, 0.0)


def _halves(
    n: "NDArray[np.float64]",
    k: "NDArray[np.float64]",
    starts: "NDArray[np.int64]",
    orders: "NDArray[np.int64]",
    half: int,
) -> "NDArray[np.float64]":
    """Second half less first of each order; 0 where a half has no opportunity.

    n, k     (hands,) opportunities and successes; starts: (units,) the first hand of each unit
    orders   (rows, units) the units as they come; the middle, after `half` hands, may lie in one
    """
    import numpy as np

    sizes = np.diff(starts, append=len(n))
    held = sizes[orders]
    whole = np.cumsum(held, 1) <= half
    split = orders[np.arange(len(orders)), np.minimum(whole.sum(1), len(starts) - 1)]
    part = half - np.where(whole, held, 0).sum(1)
    first = []
    for counts in (n, k):
        before, sums = np.concatenate([[0.0], np.cumsum(counts)]), np.add.reduceat(counts, starts)
        split_sum = before[starts[split] + part] - before[starts[split]]
        first.append(np.where(whole, sums[orders], 0).sum(1) + split_sum)
    first_n, first_k = first
    second_n, second_k = n.sum() - first_n, k.sum() - first_k
    with np.errstate(divide="ignore", invalid="ignore"):
        found: NDArray[np.float64] = second_k / second_n - first_k / first_n
    return np.where((first_n > 0) & (second_n > 0), found, 0.0)


def drift(
    store: "Store", player: str | None = None, shuffles: int = SHUFFLES, seed: int = 0
) -> "pl.DataFrame":
    """How far a player's tendencies move within each match; the same store and seed give the same figures.

    Columns: match_id, seat, event, game, player, statistic, opportunities, first (rate of the first half), second,
    difference, low, high (its 95% interval over units), p (shuffled, two-sided), change_hand (hand_index at which the
    likeliest change begins), before, after (rates), change_p (that the largest |z| of all cuts is so large by chance).
    Of a half without an opportunity there is no rate. Units are hands, in Bounty blocks, in Blotto rounds; a row needs
    20 opportunities and 4 units with one.
    """
    import numpy as np
    import polars as pl

    series: dict[tuple[Any, ...], list[tuple[float, float, int]]] = defaultdict(list)
    for row in store.sql(_CHANCES, player=player).fetchall():
        series[row[:6]].append(row[6:])
    matches = {match: (units, half) for match, units, half in store.sql(_HANDS, player=player).fetchall()}
    rows = []
    for key, chances in series.items():
        units, half = matches[key[0]]
        unit = np.unique(units, return_inverse=True)[1]
        n, k = np.zeros(len(unit)), np.zeros(len(unit))
        asked, *counts = zip(*chances, strict=True)
        n[list(asked)], k[list(asked)] = counts
        starts = np.flatnonzero(np.diff(unit, prepend=-1))
        unit_n, unit_k = np.bincount(unit, n), np.bincount(unit, k)
        holding = unit_n > 0
        if n.sum() < LEAST or holding.sum() < 4:
            continue
        rng = np.random.default_rng([seed, key[0], key[1], crc32(key[5].encode())])
        orders = rng.permuted(np.tile(np.arange(len(starts)), (shuffles, 1)), axis=1)
        orders = np.vstack([np.arange(len(starts)), orders])
        halves = np.abs(_halves(n, k, starts, orders, half))
        orders = orders[holding[orders]].reshape(len(orders), -1)
        z = change(unit_n[orders], unit_k[orders])
        largest = z.max(1)
        first, second = _rate(unit[:half], n[:half], k[:half]), _rate(unit[half:], n[half:], k[half:])
        moved: tuple[float | None, ...] = (None, None, None)
        if first is not None and second is not None:
            moved = (second[0] - first[0], *_moves(first, second))
        changed: tuple[float | None, ...] = (None, None, None, 1.0)
        if largest[0] > 0:
            following = orders[0, int(z[0].argmax()) + 1]
            cut = int(np.flatnonzero((n > 0) & (unit == following))[0])
            changed = (cut, k[:cut].sum() / n[:cut].sum(), k[cut:].sum() / n[cut:].sum(), _p(largest))
        rates = (None if side is None else side[0] for side in (first, second))
        rows.append((*key, int(n.sum()), *rates, *moved, _p(halves), *changed))
    names = ("match_id", "seat", "event", "game", "player", "statistic", "opportunities", "first", "second")
    more = ("difference", "low", "high", "p", "change_hand", "before", "after", "change_p")
    kinds = [pl.UInt64, pl.Int8, *[pl.String] * 4, pl.Int64, *[pl.Float64] * 6, pl.Int64, *[pl.Float64] * 3]
    return pl.DataFrame(rows, dict(zip((*names, *more), kinds, strict=True)), orient="row")


def _moves(first: _Rate, second: _Rate) -> tuple[float, float]:
    """The 95% interval of the second rate less the first; Newcombe's (1998, method 10) where one has no error.

    So has a rate of 0 or 1, and one of a single unit: there Wilson's interval is asked, of as many as there are units.
    """
    if first[1] and second[1]:
        difference, width = second[0] - first[0], Z * hypot(first[1], second[1])
        return difference - width, difference + width
    _, low, high = newcombe(
        *(
            (rate, *wilson(rate, rate * (1 - rate) / error**2 if error else units))
            for rate, error, units in (second, first)
        )
    )
    return low, high


def _p(values: "NDArray[np.float64]") -> float:
    """The share of shuffles, the order as played (row 0) among them, that reach it; ties within rounding count."""
    return float((values >= values[0] - 1e-12).sum() / len(values))


def _rate(unit: "NDArray[np.int64]", n: "NDArray[np.float64]", k: "NDArray[np.float64]") -> _Rate | None:
    """Rate of some hands and its standard error over their units with an opportunity (ratio estimator), and these."""
    import numpy as np

    total = float(n.sum())
    if not total:
        return None
    rate, units = float(k.sum()) / total, len(np.unique(unit[n > 0]))
    if units < 2:
        return rate, 0.0, units
    rest = np.bincount(unit, k - rate * n)
    return rate, sqrt(units / (units - 1) * float((rest**2).sum())) / total, units
