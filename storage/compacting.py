"""Compacting merges many small batches into few of a useful size; nothing else changes.

Rows of the merged parts are sorted by match within windows of WINDOW rows. So a row group has a narrow range of
match_id, and a query for one match reads few row groups.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa

from .integrity import blaming
from .locations import Place, StoreError, nothing_in, place_of, reason
from .manifest import Batch, commit, locked, read_manifest, sizes_of, staging
from .writer import BatchWriter, rows_in

TARGET: Final = 256 << 20
"""The size in bytes of a large enough batch; eight million hands of heads-up play."""

SMALL: Final = TARGET // 4
FANOUT: Final = 16
"""`tidy` merges this many batches of a similar size."""

WINDOW: Final = 400_000
_GROUP: Final = 40_000
_TIER: Final = 64 << 10


@dataclass(frozen=True)
class Compacted:
    """The merged batches, and their parts and bytes before and after."""

    batches: int = 0
    parts_before: int = 0
    parts_after: int = 0
    bytes_before: int = 0
    bytes_after: int = 0

    def __add__(self, other: "Compacted") -> "Compacted":
        return Compacted(
            self.batches + other.batches,
            self.parts_before + other.parts_before,
            self.parts_after + other.parts_after,
            self.bytes_before + other.bytes_before,
            self.bytes_after + other.bytes_after,
        )


def compact(store: str | Path | Place) -> Compacted:
    """Merge all small batches of a store, with pauses for other writers. StoreError if the store cannot be written."""
    place = place_of(store)
    if not read_manifest(place).batches:
        raise nothing_in(place)
    done = Compacted()
    while True:
        try:
            with blaming(place), locked(place), staging(place) as folder:
                group = next(_full_groups(place), [])
                if group:
                    done += merge(place, folder, group)
        except OSError as error:
            raise StoreError(f"{place} cannot be written: {reason(error)}") from None
        if not group:
            return done


def tidy(place: Place, folder: Path) -> Compacted:
    """Merge batches of a similar size if there are FANOUT of them; the caller holds the lock.

    So a row is copied once for every sixteen-fold growth of its batch, up to SMALL, even if commits are tiny.
    """
    done = Compacted()
    while group := _tier(place):
        done += merge(place, folder, group)
    return done


def _bytes_of(place: Place) -> list[tuple[Batch, int]]:
    """The live batches and the bytes of their parts."""
    manifest = read_manifest(place)
    sizes = sizes_of(place, manifest)
    return [(batch, sum(sizes[part.name] for part in batch.parts)) for batch in manifest.batches]


def _full_groups(place: Place) -> Iterator[list[Batch]]:
    """Groups of small batches in their order, each of about TARGET bytes and at least two batches."""
    group: list[Batch] = []
    weight = 0
    for batch, size in _bytes_of(place):
        if size >= SMALL:
            continue
        group.append(batch)
        weight += size
        if weight >= TARGET:
            yield group
            group, weight = [], 0
    if len(group) > 1:
        yield group


def _tier(place: Place) -> list[Batch]:
    """FANOUT batches of one tier of sizes; empty if every tier has fewer."""
    if len(read_manifest(place).batches) < FANOUT:
        return []
    tiers: dict[int, list[Batch]] = {}
    for batch, size in _bytes_of(place):
        if size < SMALL:
            tier = tiers.setdefault(int(log(max(size, _TIER) / _TIER, FANOUT)), [])
            tier.append(batch)
            if len(tier) >= FANOUT:
                return tier
    return []


def merge(place: Place, folder: Path, batches: Sequence[Batch]) -> Compacted:
    """Make one batch of several; the caller holds the lock."""
    writer = BatchWriter(folder)
    for table in sorted({part.table for batch in batches for part in batch.parts}):
        for window in _windows(place, batches, table):
            # Even slices: a short one would wait in the writer and keep its whole window in memory.
            groups = max(window.num_rows // _GROUP, 1)
            for first, last in pairwise(np.linspace(0, window.num_rows, groups + 1, dtype=int).tolist()):
                writer.add(table, window.slice(first, last - first))
            # One window less in memory while the next one is read.
            del window
    made = writer.close()
    before = sizes_of(place, read_manifest(place))
    after = [part.path(folder).stat().st_size for part in made.parts] if made else []
    commit(place, [(folder, made)] if made else [], drop=[batch.name for batch in batches])
    old = [part.name for batch in batches for part in batch.parts]
    return Compacted(len(batches), len(old), len(after), sum(before[name] for name in old), sum(after))


def _windows(place: Place, batches: Sequence[Batch], table: str) -> Iterator[pa.Table]:
    """The rows of a table in windows of about WINDOW rows, each sorted by match."""
    parts = [part for batch in batches for part in batch.of(table)]
    waiting: list[pa.Table] = []
    for part in parts:
        for rows in rows_in(place, part):
            waiting.append(rows)
            if sum(some.num_rows for some in waiting) >= WINDOW:
                yield _sorted(waiting)
    if waiting:
        yield _sorted(waiting)


def _sorted(tables: list[pa.Table]) -> pa.Table:
    """Rows sorted by match, otherwise in their old order; the list is emptied."""
    import pyarrow.compute as pc

    rows = pa.concat_tables(tables).unify_dictionaries()
    tables.clear()
    if "match_id" not in rows.column_names:
        return rows
    # `sort_indices` does not promise to be stable, so the place in the window decides between equals.
    keys = pa.table({"match": rows["match_id"], "place": pa.array(np.arange(rows.num_rows, dtype=np.int32))})
    return rows.take(pc.sort_indices(keys, [("match", "ascending"), ("place", "ascending")]))
