"""Does a player change while a match goes on? First half against second, and the likeliest change point.

The order of what is drawn anew (hands; in Bounty blocks of 25 rounds, which stay whole) is exchangeable for a player
whose habits do not change, so that shuffling it says how large a difference chance makes: p = (b + 1) / (m + 1), b of
m shuffles being at least as large (Phipson and Smyth 2010). Hands after the lock point are left out.
"""

from collections import defaultdict
from math import sqrt
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from .store import Store

SHUFFLES: Final = 999
_EDGE: Final = 0.1
_LEAST: Final = 20
_CHANCES: Final = """
    select c.match_id, c.seat, p.event, p.game, p.player, c.statistic,
        coalesce(h.cluster, h.hand_index) as unit,
        sum(c.opportunities)::double as n, sum(c.successes)::double as k, min(c.hand_index) as first_hand
    from chances_before_lock as c
    join counted_hands as h on h.match_id = c.match_id and h.hand_index = c.hand_index
    join players as p on p.match_id = c.match_id and p.seat = c.seat
    where ($player is null or p.player = $player) and p.game <> 'koper'
        and list_contains(['vpip', 'pfr', 'rfi', '3bet', 'cbet_flop', 'fold_to_cbet', 'wtsd'], c.statistic)
    group by all
    order by c.match_id, c.seat, c.statistic, unit
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


def _halves(n: "NDArray[np.float64]", k: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Second half less first, by units, of each row; 0 where a half has no opportunity."""
    import numpy as np

    half = n.shape[1] // 2
    first_n, second_n = n[:, :half].sum(1), n[:, half:].sum(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: NDArray[np.float64] = k[:, half:].sum(1) / second_n - k[:, :half].sum(1) / first_n
    return np.where((first_n > 0) & (second_n > 0), found, 0.0)


def drift(
    store: "Store", player: str | None = None, shuffles: int = SHUFFLES, seed: int = 0
) -> "pl.DataFrame":
    """How far a player's tendencies move within each match; the same store and seed give the same figures.

    Columns: match_id, seat, event, game, player, statistic, opportunities, first (rate of the first half), second,
    difference, low, high (its 95% interval over units), p (shuffled, two-sided), change_hand (hand_index at which the
    likeliest change begins), before, after (rates), change_p (that the largest |z| of all cuts is so large by chance).
    Units are hands with an opportunity, in Bounty blocks, in Blotto rounds; a row needs 20 opportunities and 4 units.
    """
    import numpy as np
    import polars as pl

    series: dict[tuple[Any, ...], list[tuple[float, float, int]]] = defaultdict(list)
    for row in store.sql(_CHANCES, player=player).fetchall():
        series[row[:6]].append((row[7], row[8], row[9]))
    rows = []
    for key, units in series.items():
        n, k = np.array([u[0] for u in units]), np.array([u[1] for u in units])
        if n.sum() < _LEAST or len(units) < 4:
            continue
        rng = np.random.default_rng([seed, key[0], key[1], crc32(key[5].encode())])
        orders = rng.permuted(np.tile(np.arange(len(units)), (shuffles, 1)), axis=1)
        orders = np.vstack([np.arange(len(units)), orders])
        halves = np.abs(_halves(n[orders], k[orders]))
        z = change(n[orders], k[orders])
        largest = z.max(1)
        cut = int(z[0].argmax()) + 1
        half = len(units) // 2
        first, second = _rate(n[:half], k[:half]), _rate(n[half:], k[half:])
        width = 1.959963984540054 * sqrt(first[1] ** 2 + second[1] ** 2)
        moved = second[0] - first[0]
        before, after = k[:cut].sum() / max(n[:cut].sum(), 1), k[cut:].sum() / max(n[cut:].sum(), 1)
        found = bool(largest[0] > 0)
        rows.append(
            (
                *key,
                int(n.sum()),
                *(first[0], second[0], moved, moved - width, moved + width, _p(halves)),
                *((units[cut][2], before, after, _p(largest)) if found else (None, None, None, 1.0)),
            )
        )
    names = ("match_id", "seat", "event", "game", "player", "statistic", "opportunities", "first", "second")
    more = ("difference", "low", "high", "p", "change_hand", "before", "after", "change_p")
    kinds = [pl.UInt64, pl.Int8, *[pl.String] * 4, pl.Int64, *[pl.Float64] * 6, pl.Int64, *[pl.Float64] * 3]
    return pl.DataFrame(rows, dict(zip((*names, *more), kinds, strict=True)), orient="row")


def _p(values: "NDArray[np.float64]") -> float:
    """The share of shuffles, the order as played (row 0) among them, that reach it; ties within rounding count."""
    return float((values >= values[0] - 1e-12).sum() / len(values))


def _rate(n: "NDArray[np.float64]", k: "NDArray[np.float64]") -> tuple[float, float]:
    """Rate and its standard error over units (ratio estimator)."""
    total = float(n.sum())
    if not total:
        return 0.0, 0.0
    rate = float(k.sum()) / total
    if len(n) < 2:
        return rate, 0.0
    return rate, sqrt(len(n) / (len(n) - 1) * float(((k - rate * n) ** 2).sum())) / total
