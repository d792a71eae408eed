"""Intervals of players who met others at every table: Koper's tournaments on common cards, against plain arithmetic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import fsum, sqrt
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate

STYLES = ("maniac", "calling-station", "loose-aggressive", "pot-odds", "tight-passive")
# Who sits at which table, and the seeds of their cards.
LINEUPS = {
    ("Ann", "Bob", "Cid", "Dot", "Eve"): (1, 2),
    ("Ann", "Fay", "Gus", "Hal", "Ida"): (3, 4),
    ("Bob", "Fay", "Cid", "Gus", "Dot"): (1, 3),
    ("Eve", "Hal", "Ida", "Joy", "Kim"): (1, 2),
    ("Joy", "Kim", "Leo", "Mia", "Ned"): (2,),
    ("Leo", "Mia", "Ned", "Kim", "Gus"): (4,),
}
Unit = tuple[tuple[str, ...], int]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("cup")
    (folder / "logs").mkdir()
    for number, (names, seeds) in enumerate(LINEUPS.items()):
        for seed in seeds:
            text = simulate("koper", list(zip(names, STYLES, strict=True)), 4, seed, "v2")
            (folder / "logs" / f"{number}-{seed}.all_games.txt").write_text(text)
    ingest([folder / "logs"], folder / "store", event="cup")
    with open_store(folder / "store") as opened:
        yield opened


def units_of(store: Store) -> dict[str, dict[Unit, tuple[float, int]]]:
    """Of each player by lineup and seed the bb won and the hands."""
    found: dict[str, dict[Unit, tuple[float, int]]] = defaultdict(dict)
    for path, player, bb, hands in store.execute("""
        select f.path, p.player, sum(s.delta) / 100, count(*)
        from seats as s
        join players as p on p.match_id = s.match_id and p.seat = s.seat
        join matches as m on m.match_id = s.match_id
        join files as f on f.file_id = m.file_id
        group by all
    """).fetchall():
        number, seed = Path(path).name.split(".")[0].split("-")
        found[player][list(LINEUPS)[int(number)], int(seed)] = bb, hands
    return found


def interval(units: dict[Unit, tuple[float, int]]) -> tuple[float, float, float] | None:
    """Mean mbb per hand and its ends, as the definition of `standings` has them; None without one."""
    seeds = {seed for _, seed in units}
    if len(seeds) < 2:
        return None
    counts = defaultdict(set)
    for lineup, seed in units:
        counts[lineup].add(seed)
    apart = min(map(len, counts.values())) > 1
    pools: dict[Any, dict[int, list[tuple[float, int]]]] = defaultdict(lambda: defaultdict(list))
    for (lineup, seed), won in units.items():
        pools[lineup if apart else ""][seed].append(won)
    residual: dict[int, float] = defaultdict(float)
    for pool in pools.values():
        sums = {seed: (fsum(bb for bb, _ in won), sum(n for _, n in won)) for seed, won in pool.items()}
        mean = fsum(bb for bb, _ in sums.values()) / sum(n for _, n in sums.values())
        for seed, (bb, hands) in sums.items():
            residual[seed] += (bb - hands * mean) * sqrt(len(sums) / (len(sums) - 1))
    hands = sum(n for _, n in units.values())
    df = max(len(seeds) - len({frozenset(pool) for pool in pools.values()}), 1)
    half = 1000 * float(stats.t.ppf(0.975, df)) * sqrt(fsum(r * r for r in residual.values())) / hands
    mean = 1000 * fsum(bb for bb, _ in units.values()) / hands
    return mean, mean - half, mean + half


def test_each_lineup_has_its_own_mean_where_it_can(store: Store) -> None:
    units = units_of(store)
    rows = {
        row[0]: row[1:]
        for row in store.execute("select player, mbb_per_hand, low, high from standings").fetchall()
    }
    assert len(rows) == 14
    for player, found in rows.items():
        wanted = interval(units[player])
        if wanted is None:
            assert found[1:] == (None, None)
        else:
            assert found == pytest.approx(wanted, rel=1e-4)
    assert {player for player, found in rows.items() if found[1] is None} == {"Mia", "Leo", "Ned"} - {
        player for player in ("Mia", "Leo", "Ned") if interval(units[player])
    }


def test_two_tables_of_one_card_set_each_are_no_certainty(tmp_path: Path) -> None:
    """Ann sits with Bob and his friends on one card set, with others on the next: as who sits with the same twice."""
    (tmp_path / "logs").mkdir()
    tables = {"both-1": "PQRST", "both-2": "PQRST", "one-1": "ABCDE", "other-2": "AFGHI"}
    for name, letters in tables.items():
        text = simulate("koper", list(zip(letters, STYLES, strict=True)), 4, int(name[-1]), "v2")
        (tmp_path / "logs" / f"{name}.all_games.txt").write_text(text)
    ingest([tmp_path / "logs"], tmp_path / "store", event="cup")
    with open_store(tmp_path / "store") as opened:
        found = dict(opened.execute("select player, [chips, low, high] from standings").fetchall())
    assert found["A"] == found["P"]
    assert found["A"][1] < found["A"][2]
    assert found["B"][1:] == [None, None]
