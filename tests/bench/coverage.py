"""How often 95% intervals hold the truth: aggression, rates of exploits, probabilities of standings. `make coverage`.

Of two bots many hands are simulated and read as any log. A run draws 1,000 of them by what is dealt independently (in
Bounty blocks of hands, elsewhere hands); the macros of `aggression` and `exploits` make its intervals, and the truth is
the rate over all hands that it was drawn from. Standings are of four equal players over a few resets: a probability
beyond 97.5% or below 2.5% is wrong. `--write FILE` puts the figures into a page of the docs.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

import numpy as np  # noqa: E402 - the tests' folder comes first
import polars as pl  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from support.tables import pairs_of  # noqa: E402

from bench.kept import write_between  # noqa: E402
from railbird.analytics import rankings  # noqa: E402
from railbird.analytics.store import Store, open_store  # noqa: E402
from railbird.ingest import ingest  # noqa: E402
from railbird.replay.simulate import simulate  # noqa: E402

GAMES: Final = {
    "holdem-mit": ("loose-aggressive", "tight-passive"),
    "acpc/holdem.nolimit.2p.reverse_blinds": ("loose-aggressive", "tight-passive"),
    "bounty": ("loose-aggressive", "bounty-hunter"),
}
"""The styles of A and B. What the hunting one does depends on its rank, which is one in a block of hands."""
LOG: Final = 500
"""Hands of a simulated log."""
HANDS: Final = 1000
"""Hands of a run."""
RUNS: Final = 5000
LEAST: Final = 50, 10
"""Opportunities of a run on average, and of them successes and failures at the least, so that a rate is judged."""
BEGIN, END = "<!-- coverage -->", "<!-- end of coverage -->"

_UNITS: Final = """
select match_id, coalesce(cluster, hand_index) as unit, count(*) as hands
from counted_hands
group by all
order by all
"""
_RATES: Final = """
with decided as (
  select match_id, hand_index, seat,
    count(*) filter (where action in ('bet', 'raise')) as aggressive,
    count(*) filter (where action in ('call', 'check')) as passive,
    count(*) filter (where action in ('call', 'fold')) as given
  from actions
  where street > 0 and origin = 'choice'
  group by all
), counted as (
  select match_id, hand_index, seat, 'aggression %' as rate, aggressive + passive as n, aggressive as k from decided
  union all
  select match_id, hand_index, seat, 'aggression frequency', aggressive + given, aggressive from decided
  union all
  select g.match_id, g.hand_index, p.seat, format('{} on street {}, size {}', exploit, street, size), 1, taken::bigint
  from gains as g
  join players as p on p.match_id = g.match_id and p.player = g.player
)
select c.match_id, coalesce(h.cluster, h.hand_index) as unit, p.player, c.rate, sum(c.n) as n, sum(c.k) as k
from counted as c
join counted_hands as h on h.match_id = c.match_id and h.hand_index = c.hand_index
join players as p on p.match_id = c.match_id and p.seat = c.seat
group by all
having sum(c.n) > 0
"""
_HELD: Final = """
select avg((rate_low(k, n, spread) <= $truth and $truth <= rate_high(k, n, spread))::integer)
from (select k, n, {'clusters': clusters, 'kk': kk, 'nn': nn, 'kn': kn} as spread from drawn where n > 0)
"""


@dataclass(frozen=True)
class Covered:
    """A rate of a player: how many opportunities a run has on average, and how often its interval held the truth."""

    kind: str
    name: str
    opportunities: float
    held: float


def simulated(game: str, hands: int, folder: Path) -> Path:
    """A store of so many hands of two bots that take turns in the first seat."""
    logs = folder / game.replace("/", "-")
    logs.mkdir()
    for number in range(hands // LOG):
        players = list(zip("AB", GAMES[game], strict=True))
        text = simulate(game, players[::-1] if number % 2 else players, LOG, 77_000 + number)
        (logs / f"{number}.txt").write_text(text)
    target = folder / f"{logs.name}-store"
    ingest([logs], target)
    return target


def rates(store: Store, runs: int) -> Iterator[Covered]:
    """Every rate that has enough opportunities."""
    units: pl.DataFrame = store.sql(_UNITS).pl().with_row_index("place")
    found: pl.DataFrame = store.sql(_RATES).pl().join(units, on=["match_id", "unit"])
    size = max(round(HANDS / float(units["hands"].to_numpy().mean())), 2)
    rng = np.random.default_rng(1)
    drawn = rng.integers(len(units), size=(runs, size), dtype=np.int32)
    for (player, rate), rows in found.partition_by(
        "player", "rate", as_dict=True, maintain_order=True
    ).items():
        n, k = np.zeros(len(units)), np.zeros(len(units))
        n[rows["place"].to_numpy()], k[rows["place"].to_numpy()] = rows["n"], rows["k"]
        share = HANDS / units["hands"].sum()
        most, least = LEAST
        if n.sum() * share < most or min(k.sum(), (n - k).sum()) * share < least:
            continue
        held = coverage(store, n, k, drawn)
        yield Covered(str(rate).split(" on ")[0], f"{player}: {rate}", float(n.sum() * share), held)


def coverage(store: Store, n: NDArray[np.float64], k: NDArray[np.float64], drawn: NDArray[np.int32]) -> float:
    """How often the interval of a run holds the rate over all units.

    n, k   (units,) opportunities and successes
    drawn  (runs, units of a run) which units a run has
    """
    return holds(store, n, k, drawn, float(k.sum() / n.sum()))


def holds(
    store: Store, n: NDArray[np.float64], k: NDArray[np.float64], drawn: NDArray[np.int32], truth: float
) -> float:
    """How often the interval of a run holds a rate."""
    sums = {
        "n": n,
        "k": k,
        "clusters": (n > 0).astype(np.float64),
        "kk": k * k,
        "nn": n * n,
        "kn": k * n,
    }
    frame = pl.DataFrame({name: each[drawn].sum(axis=1) for name, each in sums.items()})
    frame = frame.with_columns(pl.col("n", "k", "clusters").cast(pl.Int64))
    connection = store.connection
    connection.register("drawn", frame.to_arrow())
    ((held,),) = connection.execute(_HELD, {"truth": truth}).fetchall()
    connection.unregister("drawn")
    return float(held)


def of_standings(resets: int, results: NDArray[np.float64], tables: int) -> tuple[float, float]:
    """Of equal players, how often the interval of a total holds 0, and how often a probability to be ahead is wrong.

    resets   of each pair
    results  what the first of two players won in a reset: drawn from these, with either sign
    """
    rng = np.random.default_rng(resets)
    held = wrong = 0
    for number in range(tables):
        won = rng.choice(results, size=(6, resets)) * rng.choice([-1.0, 1.0], size=(6, resets))
        table = pairs_of(4, won.tolist())
        drawn = rankings.draw(table, 2000, seed=number)
        row = rankings.ranks(table, drawn).to_dicts()[0]
        held += row["chips_low"] <= 0 <= row["chips_high"]
        ahead = float(rankings.beats(table, drawn)[0, 1])
        wrong += not 0.025 <= ahead <= 0.975
    return held / tables, wrong / tables


def lines(hands: int, runs: int) -> Iterator[str]:
    """The page's lines."""
    error = 100 * (0.05 * 0.95 / runs) ** 0.5
    yield (
        f"{runs:,} runs of {HANDS:,} hands, drawn from {hands:,} of each game; standard error {error:.1f}%. A run has "
        f"{LEAST[0]} opportunities of a rate on average at least, and {LEAST[1]} successes and failures."
    )
    yield ""
    yield "| game | rate | rates | lowest | mean | highest |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    results = np.zeros(0)
    with tempfile.TemporaryDirectory() as folder:
        for game in GAMES:
            with open_store(simulated(game, hands, Path(folder))) as store:
                found = list(rates(store, runs))
                won = store.sql(
                    "select sum(delta) / any_value(unit) from seats join matches using (match_id) "
                    "where seat = 0 group by match_id, hand_index // 100"
                ).fetchall()
            results = np.array([each for (each,) in won]) if not len(results) else results
            for each in found:
                print(f"{game} {each.name}: {each.opportunities:.0f}, {each.held:.1%}", file=sys.stderr)
            for kind in dict.fromkeys(each.kind for each in found):
                held = [100 * each.held for each in found if each.kind == kind]
                mean = sum(held) / len(held)
                yield f"| {game} | {kind} | {len(held)} | {min(held):.1f}% | {mean:.1f}% | {max(held):.1f}% |"
    yield ""
    yield "| resets of a pair | results of a reset | interval of a total | probability to be ahead: wrong |"
    yield "| ---: | --- | ---: | ---: |"
    normal = np.random.default_rng(3).normal(size=100_000)
    for resets in (10, 15, 20):
        for name, drawn in (("normal", normal), (f"100 hands of {next(iter(GAMES))}", results)):
            held_share, wrong = of_standings(resets, drawn, runs)
            yield f"| {resets} | {name} | {held_share:.1%} | {wrong:.1%} |"


def main() -> None:
    """Print the figures, or write them into a page."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--hands", type=int, default=30_000, help="hands simulated of each game")
    asked.add_argument("--runs", type=int, default=RUNS)
    asked.add_argument("--write", type=Path, metavar="FILE")
    given = asked.parse_args()
    text = "\n".join(lines(given.hands, given.runs))
    print(text)
    if given.write is not None:
        write_between(given.write, BEGIN, END, f"\n{text}\n")


if __name__ == "__main__":
    main()
