"""Parts of a batch: one a table and set of columns, rows in the order they came."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from railbird.parsers.tables import schema
from railbird.storage.writer import BatchWriter


def lines(first: int, count: int) -> pa.Table:
    """Rows of `unknown_lines`, numbered."""
    kept = schema("unknown_lines")
    values = {
        "file_id": [7] * count,
        "line": list(range(first, first + count)),
        "text": ["?"] * count,
        "reason": ["no template"] * count,
    }
    return pa.table([values[name] for name in kept.names], schema=kept)


def test_other_columns_are_another_part(tmp_path: Path) -> None:
    batch = BatchWriter(tmp_path)
    rows = lines(0, 3)
    for some in (rows, rows.drop_columns(["reason"]), rows):
        batch.add("unknown_lines", some)
    made = batch.close()
    assert made is not None
    assert [part.without for part in made.parts] == [(), ("reason",)]
    read = [pq.read_table(part.path(tmp_path))["line"].to_pylist() for part in made.parts]
    assert read == [[0, 1, 2, 0, 1, 2], [0, 1, 2]]


def test_nothing_added_is_no_batch(tmp_path: Path) -> None:
    assert BatchWriter(tmp_path).close() is None
