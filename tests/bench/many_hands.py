"""A store of many hands: simulated matches, stored again and again as other matches."""

from itertools import combinations
from pathlib import Path
from typing import Final

import pyarrow as pa

from railbird.ingest import ingest
from railbird.replay.bots import STYLES
from railbird.replay.simulate import simulate
from railbird.storage.locations import Folder
from railbird.storage.manifest import commit, locked, read_manifest, staging
from railbird.storage.writer import BatchWriter, rows_in

HANDS: Final = 1000
STORED: Final = """
    select player, count(*) filter (where acted_preflop) as opportunities, count(*) filter (where vpip) as successes,
        sum(delta) as bankroll
    from seats group by player order by player
"""
"""By player, from the stored flags and chips."""

COUNTED: Final = """
    with own as (
        select match_id, hand_index, seat,
            bool_or(street = 0 and origin = 'choice') as acted,
            bool_or(street = 0 and origin = 'choice' and action in ('call', 'raise')) as entered
        from stored.actions group by all
    )
    select p.player, count(*) filter (where acted) as opportunities, count(*) filter (where entered) as successes,
        (select sum(delta) from stored.seats as s where s.player = p.player) as bankroll
    from own join players as p on p.match_id = own.match_id and p.seat = own.seat
    group by p.player order by p.player
"""
"""The same with VPIP from the actions. No action says who won, so the bankroll is taken from the seats here, too."""

_BATCH: Final = 250_000
_STEP: Final = 0x9E3779B97F4A7C15
_TABLES: Final = ("matches", "hands", "seats", "actions")


def simulated(folder: Path, game: str, matches: int) -> Path:
    """A store of matches of `HANDS` hands, the styles of bots meeting each other in turn."""
    pairs = list(combinations(sorted(STYLES), 2))
    (folder / "logs").mkdir(parents=True)
    for number in range(matches):
        one, two = pairs[number % len(pairs)]
        text = simulate(game, [(one, one), (two, two)], HANDS, seed=number)
        (folder / "logs" / f"{number:03}.txt").write_text(text)
    ingest([folder / "logs"], folder / "few")
    return folder / "few"


def replicated(source: Path, target: Path, hands: int) -> Path:
    """A store of at least so many hands: the tables of `source` over and over, each time with other match_ids."""
    manifest = read_manifest(source)
    tables = {
        name: pa.concat_tables(
            rows for part in manifest.parts(name) for rows in rows_in(Folder(source), part)
        )
        for name in (*_TABLES, "games")
        if manifest.parts(name)
    }
    games = tables.pop("games")
    held = tables["hands"].num_rows
    copies = -(-hands // held)
    with locked(target), staging(target) as folder:
        batches = []
        for first in range(0, copies, max(1, _BATCH // held)):
            writer = BatchWriter(folder)
            if first == 0:
                writer.add("games", games)
            for copy in range(first, min(copies, first + max(1, _BATCH // held))):
                for name, rows in tables.items():
                    writer.add(name, _as_copy(rows, copy))
            batch = writer.close()
            assert batch is not None
            batches.append(batch)
        commit(target, [(folder, batch) for batch in batches])
    return target


def _as_copy(rows: pa.Table, copy: int) -> pa.Table:
    ids = rows["match_id"].to_numpy()
    place = rows.column_names.index("match_id")
    field = rows.schema.field(place)
    other = ids + ids.dtype.type(copy * _STEP % 2**64)
    return rows.set_column(place, field, pa.chunked_array([pa.array(other, field.type)]))
