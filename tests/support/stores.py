"""Stores as tests look at them, and folders of many logs."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from bench.material import another

from railbird.analytics.store import open_store
from railbird.schema.columns import TABLES, schema
from railbird.storage.manifest import Batch, read_manifest
from railbird.storage.writer import BatchWriter

LINES = "unknown_lines"
HEADER = b"6.9630 MIT Pokerbots - "


def with_contributions(seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of the table `seats`: a contribution of the size of the result is not in the files."""
    for row in seats:
        if row["contribution"] is None and row["written_off"] is not None:
            row["contribution"] = abs(row["delta"])
    return seats


def rows(store: Path, table: str) -> list[dict[str, Any]]:
    """The live rows of a table, in no order."""
    parts = read_manifest(store).parts(table)
    return [row for part in parts for row in pq.read_table(part.path(store)).to_pylist()]


def hands_by_match(store: Path) -> dict[int, int]:
    counts: dict[int, int] = {}
    for row in rows(store, "hands"):
        counts[row["match_id"]] = counts.get(row["match_id"], 0) + 1
    return counts


def adds_up(store: Path) -> set[tuple[int, int]]:
    """The hands of a store, whose ledger adds up: matches and hands agree, and no hand is there twice."""
    files, hands = rows(store, "files"), rows(store, "hands")
    assert all(f["hands_seen"] == f["hands_stored"] + f["hands_rejected"] for f in files)
    assert all(f["reason"] for f in files if f["status"] != "ok")
    assert sum(f["hands_stored"] for f in files) == len(hands)
    keys = {(h["match_id"], h["hand_index"]) for h in hands}
    assert len(keys) == len(hands)
    assert {m["match_id"]: m["hands"] for m in rows(store, "matches")} == hands_by_match(store)
    assert {(r["match_id"], r["hand_index"]) for r in rows(store, "seats")} == keys
    return keys


def holds_together(store: Path) -> None:
    """It adds up, and every hand has an action."""
    keys = adds_up(store)
    assert {(r["match_id"], r["hand_index"]) for r in rows(store, "actions")} == keys


def everything(store: Path) -> dict[str, list[str]]:
    """All rows, so that two stores can be compared."""
    return {table: sorted(map(repr, rows(store, table))) for table in TABLES}


def told(store: Path) -> dict[str, list[str]]:
    """All rows as they are read: parts that lie in different forms are alike."""
    with open_store(store) as opened:
        return {name: sorted(map(repr, opened.execute(f"from stored.{name}").fetchall())) for name in TABLES}


def many(folder: Path, log: bytes, count: int) -> Path:
    """A folder of logs of as many matches: other headers and hand numbers."""
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:04}.txt").write_bytes(another(log, number + 1))
    return folder


def batch_of_lines(folder: Path, some: range) -> Batch:
    """A staged batch of the table `LINES`, of a row a line."""
    writer = BatchWriter(folder)
    rows = [{"file_id": 1, "line": line, "text": "x", "reason": "y"} for line in some]
    writer.add(LINES, pa.Table.from_pylist(rows, schema(LINES)))
    made = writer.close()
    assert made is not None
    return made
