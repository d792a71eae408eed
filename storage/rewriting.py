"""Rewriting older batches: without matches that a longer version of their log replaces, their files' rows amended."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..parsers.tables import TABLES, schema
from .index import Index, StoredMatch
from .ledger import REPLACED, Unknown, take_back
from .manifest import Batch
from .writer import BatchWriter

_ROWS = 200_000

Change = Callable[[pa.Table], pa.Table]
Changes = dict[str, dict[str, list[Change]]]
"""By batch and table."""


def of_match(match_id: int) -> pc.Expression:
    """True for the rows of a match."""
    return pc.field("match_id") == pa.scalar(match_id, pa.uint64())


def changes(root: Path, index: Index, replaced: Sequence[StoredMatch], stale: Sequence[int]) -> Changes:
    """What is to change where matches are replaced, and where files' rows are out of date."""
    found: Changes = {}
    for match in replaced:
        home = found.setdefault(match.batch, {})
        for table, columns in TABLES.items():
            if table != "unknown_lines" and any(column.name == "match_id" for column in columns):
                home.setdefault(table, []).append(partial(_without_match, match_id=match.match_id))
        amended = partial(take_back, file_id=match.file_id, hands=match.hands, damaged=_damaged(root, match))
        found.setdefault(index.files[match.file_id][0], {}).setdefault("files", []).append(amended)
    for file_id in stale:
        dropped = partial(_without_file, file_id=file_id)
        found.setdefault(index.files[file_id][0], {}).setdefault("files", []).append(dropped)
    return found


def rewrite(root: Path, batch: Batch, writer: BatchWriter, by_table: dict[str, list[Change]]) -> None:
    """Copy a batch's parts into a writer, each table through its changes."""
    for table in batch.tables:
        with pq.ParquetFile(root / table / f"{batch.name}.parquet") as part:
            for some in part.iter_batches(_ROWS):
                rows = pa.Table.from_batches([some]).cast(schema(table))
                for change in by_table.get(table, ()):
                    rows = change(rows)
                writer.add(table, rows)


def farewell(root: Path, match: StoredMatch) -> Unknown:
    """What the ledger says of a match that is replaced."""
    part = root / "matches" / f"{match.batch}.parquet"
    rows = pq.read_table(part, columns=["line"], filters=of_match(match.match_id))
    return Unknown(match.file_id, rows["line"][0].as_py(), "", f"{match.hands:,} hands: {REPLACED}")


def _without_match(rows: pa.Table, match_id: int) -> pa.Table:
    return rows.filter(~of_match(match_id))


def _without_file(rows: pa.Table, file_id: int) -> pa.Table:
    return rows.filter(pc.field("file_id") != pa.scalar(file_id, pa.uint64()))


def _damaged(root: Path, match: StoredMatch) -> int:
    part = root / "hands" / f"{match.batch}.parquet"
    mine = of_match(match.match_id) & (pc.field("verdict") == "damaged")
    return int(pq.read_table(part, columns=["hand_index"], filters=mine).num_rows)
