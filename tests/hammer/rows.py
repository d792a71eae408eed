"""The rows of a store, to compare it with another."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq

from railbird.schema.columns import TABLES
from railbird.storage.locations import Folder
from railbird.storage.manifest import read_manifest
from railbird.storage.tags import TAGS

_NO_ROWS: Final = ("equities", "counted")
"""Tables that are computed anew when somebody asks."""


def rows_of(root: Path) -> dict[str, list[str]]:
    """All rows of a store in no order, without what is computed anew; of tags those that count, without their time.

    A file keeps the path under which it was read first; one below the store's folder counts as relative to it.
    """
    manifest, place = read_manifest(root), Folder(root)

    def rows(table: str) -> Iterator[dict[str, Any]]:
        for part in manifest.parts(table):
            for row in pq.read_table(place.open(part.name), partitioning=None).to_pylist():
                if "path" in row:
                    row["path"] = row["path"].removeprefix(f"{root.parent}/")
                yield row

    found = {table: sorted(map(repr, rows(table))) for table in TABLES if table not in (*_NO_ROWS, TAGS)}
    latest = {(row["match_id"], row["tag"]): row["value"] for row in sorted(rows(TAGS), key=_time)}
    return found | {TAGS: sorted(repr(one) for one in latest.items() if one[1] is not None)}


def _time(row: dict[str, Any]) -> int:
    time: int = row["tagged_at"]
    return time
