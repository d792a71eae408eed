"""Parts of a batch: rows in the order they came, in files whose ends stay small."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from railbird.parsers.tables import schema
from railbird.storage import writer
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


def test_a_long_batch_goes_on_in_another_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "ROW_GROUP", 10)
    monkeypatch.setattr(writer, "PART_GROUPS", 2)
    batch = BatchWriter(tmp_path)
    for k in range(11):
        batch.add("unknown_lines", lines(6 * k, 6))
    made = batch.close()
    assert made is not None
    files = [pq.ParquetFile(part.path(tmp_path)) for part in made.parts]
    assert [file.metadata.num_row_groups for file in files] == [2, 2, 2]
    assert [line for file in files for line in file.read()["line"].to_pylist()] == list(range(66))
    assert len({part.file for part in made.parts}) == 3


def test_other_columns_are_another_part(tmp_path: Path) -> None:
    batch = BatchWriter(tmp_path)
    rows = lines(0, 3)
    for some in (rows, rows.drop_columns(["reason"]), rows):
        batch.add("unknown_lines", some)
    made = batch.close()
    assert made is not None
    assert [part.without for part in made.parts] == [(), ("reason",)]
    assert [pq.ParquetFile(part.path(tmp_path)).metadata.num_rows for part in made.parts] == [6, 3]


def test_nothing_added_is_no_batch(tmp_path: Path) -> None:
    assert BatchWriter(tmp_path).close() is None
