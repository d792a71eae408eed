"""Rewriting a batch without some of its rows: matches that a longer version of their log replaces."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..parsers.tables import schema
from .manifest import Batch
from .writer import BatchWriter

_ROWS = 200_000


def rewrite(
    folder: Path, batch: Batch, writer: BatchWriter, change: Mapping[str, Callable[[pa.Table], pa.Table]]
) -> None:
    """Copy a batch's parts from folder / table into a writer, each table through its change."""
    for table in batch.tables:
        same = change.get(table)
        with pq.ParquetFile(folder / table / f"{batch.name}.parquet") as part:
            for rows in part.iter_batches(_ROWS):
                read = pa.Table.from_batches([rows]).cast(schema(table))
                writer.add(table, same(read) if same else read)


def of_match(match_id: int) -> pc.Expression:
    """True for the rows of a match."""
    return pc.field("match_id") == pa.scalar(match_id, pa.uint64())


def without(matches: Collection[int]) -> dict[str, Callable[[pa.Table], pa.Table]]:
    """Changes that leave out some matches from every table that has a match_id."""
    gone = pa.array(sorted(matches), pa.uint64())

    def drop(rows: pa.Table) -> pa.Table:
        return rows.filter(pc.invert(pc.is_in(rows["match_id"], value_set=gone)))

    return dict.fromkeys(("matches", "hands", "seats", "actions", "faults", "findings", "boards"), drop)
