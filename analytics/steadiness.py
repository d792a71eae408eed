"""How steady a bot's play is: whether it changes within a match, and whether it repeats itself in the same state.

`drift` compares the first half of a match with the second and finds the likeliest change point. The halves are those
of the match's hands; hands after the lock point are left out. If a player's habits do not change, the order of the
independent draws (hands; in Bounty blocks of 25 rounds, kept whole) is exchangeable, so the other orders show how large
a difference chance makes. Where a draw has at most one opportunity, p of the halves counts all orders. Else, and for
the likeliest change, p = (b + 1) / (m + 1), where b of m shuffles are at least as large (Phipson and Smyth 2010).
docs/definitions.md has the formulas.

`determinism` counts pairs of decisions in one state, street by street. A state is what the player knew of the hand:
game, position, own cards and board up to a renaming of the suits, and every action so far with its amount; in Bounty
the own rank too. Earlier matches are not part of it, so a bot that learns, plays by the score or folds once its lead is
safe is found to vary, as is a bot that randomises.
"""

from collections import Counter, defaultdict
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from .intervals import newcombe, wilson
from .settings import Z
from .views import queries

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from .store import Store

_Rate = tuple[float, float, int]

SHUFFLES: Final = 999
_MOST_COUNTED: Final = 1 << 20
"""Pairs of opportunities and successes in a half that are looked at for a p of all orders, at most: 50 MB."""
_RARE: Final = 10
"""Fewer shuffles than this at least as far apart as the halves played say too little of p."""
_EDGE: Final = 0.1
LEAST: Final = 20
"""Fewer opportunities of a statistic in a match are not analysed."""


def change(n: "NDArray[np.float64]", k: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """|z| of the rates before and after each cut of a row.

    n, k   (rows, units) opportunities and successes in order, with equal totals in all rows
    z      (rows, units - 1); 0 if a side has less than a tenth of the opportunities
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
    """Rate of the second half less that of the first, for each order; 0 if a half has no opportunity.

    n, k     (hands,) opportunities and successes; starts: (units,) the first hand of each unit
    orders   (rows, units) units in order; the middle, after `half` hands, may fall within one
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


def exact_p(hands: int, half: int, opportunities: int, successes: int, difference: float) -> float:
    """The share of all orders of hands whose halves are at least `difference` apart.

    A hand has at most one opportunity, so failures and successes of the first half have a multivariate hypergeometric
    distribution. An order in which a half has no opportunity has the difference 0. Where more than `_MOST_COUNTED`
    pairs are possible, those are counted whose first half has about as many of the opportunities as of the hands.
    """
    import numpy as np

    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, hands + 1)))])

    def log_ways(of: int, chosen: "NDArray[np.int64]") -> "NDArray[np.float64]":
        inside = (chosen >= 0) & (chosen <= of)
        taken = np.where(inside, chosen, 0)
        ways: NDArray[np.float64] = log_factorial[of] - log_factorial[taken] - log_factorial[of - taken]
        return np.where(inside, ways, -np.inf)

    # Failures are as far apart as successes.
    few = min(successes, opportunities - successes)
    most, middle = max(_MOST_COUNTED // (few + 1), 1), round(opportunities * half / hands)
    firsts = np.arange(opportunities + 1)
    if len(firsts) > most:
        firsts = firsts[max(middle - most // 2, 0) :][:most]
    first_n, some = firsts[:, None], np.arange(few + 1)[None, :]
    second_n = opportunities - first_n
    chance = np.exp(
        log_ways(few, some)
        + log_ways(opportunities - few, first_n - some)
        + log_ways(hands - opportunities, half - first_n)
        - log_ways(hands, np.array(half))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.abs((few - some) / second_n - some / first_n)
    apart = np.where((first_n > 0) & (second_n > 0), apart, 0.0)
    return min(1.0, float(chance[apart >= difference - 1e-12].sum() / chance.sum()))


def shuffled_p(
    n: "NDArray[np.float64]",
    k: "NDArray[np.float64]",
    starts: "NDArray[np.int64]",
    halves: "NDArray[np.float64]",
    half: int,
    rng: "np.random.Generator",
    together: int,
) -> float:
    """p of the halves, with as many shuffles as the least of `together` p needs.

    n, k, starts, half   as of `_halves`
    halves               differences without sign of the order played and the first shuffles

    While fewer than `_RARE` of m shuffles are as far apart, and together / m above 0.01, m is doubled. Stopping after
    `_RARE` keeps p valid (Besag and Clifford 1991): p is at most x only if all shuffles up to the first m with
    (_RARE + 1) / (m + 1) <= x give such a p.
    """
    import numpy as np

    reached, shuffles, units = int((halves[1:] >= halves[0] - 1e-12).sum()), len(halves) - 1, len(starts)
    while reached < _RARE and together > 0.01 * (shuffles + 1):
        for done in range(0, shuffles + 1, SHUFFLES + 1):
            some = min(SHUFFLES, shuffles - done) + 1
            orders = rng.permuted(np.tile(np.arange(units), (some, 1)), axis=1)
            apart = np.abs(_halves(n, k, starts, orders, half))
            reached += int((apart >= halves[0] - 1e-12).sum())
        shuffles += shuffles + 1
    return (reached + 1) / (shuffles + 1)


def drift(
    store: "Store", player: str | None = None, shuffles: int = SHUFFLES, seed: int = 0
) -> "pl.DataFrame":
    """How a player's tendencies change within each match; the same store and seed give the same figures.

    Columns: match_id, seat, event, game, player, statistic, opportunities, first (rate of the first half), second,
    difference, low, high (its 95% interval over units), p (two-sided, over all orders or shuffles), change_hand
    (hand_index at which the likeliest change begins), before, after (rates), change_p (shuffled p of the largest |z| of
    all cuts). A half without an opportunity has no rate. Units are hands, in Bounty blocks, in Blotto rounds; a row
    needs 20 opportunities and 4 units with one.
    """
    import numpy as np
    import polars as pl

    series: dict[tuple[Any, ...], list[tuple[float, float, int]]] = defaultdict(list)
    questions = queries("steadiness")
    for row in store.execute(questions["chances"], player=player).fetchall():
        series[row[:6]].append(row[6:])
    matches = {
        match: (units, half)
        for match, units, half in store.execute(questions["hands"], player=player).fetchall()
    }
    # A match_id is a hash of cards that spectators did not see.
    places = {match: place for place, match in enumerate(store.order_of_draws())}
    kept = []
    for key, chances in series.items():
        units, half = matches[key[0]]
        unit = np.unique(units, return_inverse=True)[1]
        n, k = np.zeros(len(unit)), np.zeros(len(unit))
        asked, *counts = zip(*chances, strict=True)
        n[list(asked)], k[list(asked)] = counts
        starts = np.flatnonzero(np.diff(unit, prepend=-1))
        unit_n, unit_k = np.bincount(unit, n), np.bincount(unit, k)
        holding = unit_n > 0
        if n.sum() >= LEAST and holding.sum() >= 4:
            kept.append((key, unit, n, k, starts, unit_n, unit_k, half))
    together = Counter(key[2:5] for key, *_ in kept)
    rows = []
    for key, unit, n, k, starts, unit_n, unit_k, half in kept:
        holding = unit_n > 0
        rng = np.random.default_rng([seed, places.get(key[0], key[0]), key[1], crc32(key[5].encode())])
        orders = rng.permuted(np.tile(np.arange(len(starts)), (shuffles, 1)), axis=1)
        orders = np.vstack([np.arange(len(starts)), orders])
        halves = np.abs(_halves(n, k, starts, orders, half))
        if len(starts) == len(n) and n.max() == 1:
            p = exact_p(len(n), half, int(n.sum()), int(k.sum()), float(halves[0]))
        else:
            p = shuffled_p(n, k, starts, halves, half, rng, together[key[2:5]])
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
        rows.append((*key, int(n.sum()), *rates, *moved, p, *changed))
    names = ("match_id", "seat", "event", "game", "player", "statistic", "opportunities", "first", "second")
    more = ("difference", "low", "high", "p", "change_hand", "before", "after", "change_p")
    kinds = [pl.UInt64, pl.Int8, *[pl.String] * 4, pl.Int64, *[pl.Float64] * 6, pl.Int64, *[pl.Float64] * 3]
    return pl.DataFrame(rows, dict(zip((*names, *more), kinds, strict=True)), orient="row")


def _moves(first: _Rate, second: _Rate) -> tuple[float, float]:
    """The 95% interval of the second rate less the first; Newcombe's (1998, method 10) if one has no standard error.

    Rates of 0 or 1 and of a single unit have none: their intervals are Wilson's with the number of units.
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
    """The share of rows that reach row 0, the order as played, itself included; ties within rounding count."""
    return float((values >= values[0] - 1e-12).sum() / len(values))


def _rate(unit: "NDArray[np.int64]", n: "NDArray[np.float64]", k: "NDArray[np.float64]") -> _Rate | None:
    """A rate, its standard error (ratio estimator) and the number of units with an opportunity."""
    import numpy as np

    total = float(n.sum())
    if not total:
        return None
    rate, units = float(k.sum()) / total, len(np.unique(unit[n > 0]))
    if units < 2:
        return rate, 0.0, units
    rest = np.bincount(unit, k - rate * n)
    return rate, sqrt(units / (units - 1) * float((rest**2).sum())) / total, units


_KINDS: Final = ("fold", "check", "call", "bet", "raise")


def canonical(hole: list[str], board: list[str]) -> tuple[str, ...]:
    """Cards with suits renamed in the order of appearance; hole cards and flop are unordered.

    Cards that differ only by a renaming of suits become equal, except some with pairs, which count as two states.
    """
    names: dict[str, str] = {}
    ordered = [*sorted(hole, reverse=True), *sorted(board[:3], reverse=True), *board[3:]]
    return tuple(card[0] + names.setdefault(card[1], str(len(names))) for card in ordered)


def agreement(counts: list[Counter[Any]]) -> tuple[int, int, float, float, float]:
    """(pairs, equal pairs, share, low, high) of decisions in the same state; each counter has a state's actions.

    share = sum over states of equal pairs / sum of pairs. Its variance is the ratio estimator's with the state as the
    unit; the interval is Wilson's for the n with that variance. Raises ZeroDivisionError if no state occurs twice.
    """
    drawn = [
        (n * (n - 1) // 2, sum(k * (k - 1) // 2 for k in c.values())) for c in counts if (n := c.total()) > 1
    ]
    pairs, equal = sum(n for n, _ in drawn), sum(k for _, k in drawn)
    share = equal / pairs
    squares = sum((k - share * n) ** 2 for n, k in drawn)
    units = len(drawn)
    effective = float(units)
    if squares > 0 and units > 1:
        effective = min(pairs, share * (1 - share) * pairs**2 * (units - 1) / (units * squares))
    return pairs, equal, share, *wilson(share, effective)


def determinism(store: "Store", player: str | None = None) -> "pl.DataFrame":
    """How often a player repeats its action in the same state; a row for each player and street with such states.

    Columns: event, game, player, seat (namesake_seat of view players), street, states (met at least twice), decisions
    (in them), pairs (of decisions in one state), equal (of those, with the same action), rate (equal / pairs), low,
    high (95%, states as the unit), always (states whose decisions are all equal). Bets and raises are equal if their
    amounts are. Only own decisions are compared. Games whose cards change or whose boards share a stack are left out.
    """
    import polars as pl

    seats = {
        row[:3]: row[3:]
        for row in store.execute("select match_id, hand_index, seat, hole, bounty_rank from seats").fetchall()
    }
    people = {
        row[:2]: row[2:]
        for row in store.execute(
            "select match_id, seat, event, player, namesake_seat from players"
        ).fetchall()
    }
    tallies: dict[Any, dict[Any, Counter[Any]]] = defaultdict(lambda: defaultdict(Counter))
    hand: tuple[int, int] | None = None
    history: list[tuple[int, str, float | None]] = []
    for match, index, street, seat, kind, origin, amount, game, board, place in store.execute(
        queries("steadiness")["moves"], player=player
    ).fetchall():
        if (match, index) != hand:
            hand, history = (match, index), []
        event, name, namesake = people[match, seat]
        if origin == "choice" and kind in _KINDS and player in (None, name):
            hole, rank = seats[match, index, seat]
            dealt = board[: street + 2] if street and board else []
            state = (place, rank, canonical(hole, dealt), tuple(history))
            done = (kind, amount if kind in ("bet", "raise") else None)
            tallies[event, game, name, namesake, street][state][done] += 1
        history.append((street, kind, amount))
    rows = []
    for key in sorted(tallies, key=lambda key: (*key[:3], -1 if key[3] is None else key[3], key[4])):
        again = [counts for counts in tallies[key].values() if counts.total() > 1]
        if again:
            pairs, equal, share, low, high = agreement(again)
            decisions, always = sum(c.total() for c in again), sum(len(c) == 1 for c in again)
            rows.append((*key, len(again), decisions, pairs, equal, share, low, high, always))
    columns = (
        "event",
        "game",
        "player",
        "seat",
        "street",
        "states",
        "decisions",
        "pairs",
        "equal",
        "rate",
        "low",
        "high",
    )
    kinds = [pl.String, pl.String, pl.String, pl.Int8, pl.Int8, *[pl.Int64] * 4, *[pl.Float64] * 3, pl.Int64]
    return pl.DataFrame(rows, dict(zip((*columns, "always"), kinds, strict=True)), orient="row")
