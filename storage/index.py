"""What a store already holds: its files and matches, read from the parts when an ingest begins."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow.parquet as pq

from .manifest import Batch, Manifest
from .place import Place


@dataclass(frozen=True)
class StoredMatch:
    """A match in the store, or claimed for it by an ingest under way (batch is then empty)."""

    match_id: int
    file_id: int
    hands: int
    complete: bool
    head_hash: int
    text_bytes: int
    text_hash: int
    batch: str = ""


@dataclass
class Index:
    """The store's files and matches by id; `files` has the batch and status of each file's row."""

    batches: set[str] = field(default_factory=set)
    files: dict[int, tuple[str, str]] = field(default_factory=dict)
    matches: dict[int, StoredMatch] = field(default_factory=dict)
    heads: dict[int, list[StoredMatch]] = field(default_factory=dict)

    def add(self, match: StoredMatch) -> None:
        """Enter a match."""
        self.matches[match.match_id] = match
        self.heads.setdefault(match.head_hash, []).append(match)

    def remove(self, match: StoredMatch) -> None:
        """Take a match out again."""
        self.matches.pop(match.match_id, None)
        self.heads[match.head_hash] = [m for m in self.heads[match.head_hash] if m.match_id != match.match_id]

    def forget(self, batches: Collection[str]) -> None:
        """Take out what batches hold that are no longer live, and matches claimed before a commit."""
        self.batches -= set(batches)
        for match in [m for m in self.matches.values() if not m.batch or m.batch in batches]:
            self.remove(match)
        for file_id in [f for f, (batch, _) in self.files.items() if batch in batches]:
            del self.files[file_id]

    def read(self, place: Place, manifest: Manifest) -> None:
        """Enter the batches not yet known."""
        for batch in manifest.batches:
            if batch.name not in self.batches:
                self.batches.add(batch.name)
                self._read(place, batch)

    def _read(self, place: Place, batch: Batch) -> None:
        for row in _rows(place, batch, "files", ["file_id", "status"]):
            self.files[row["file_id"]] = batch.name, row["status"]
        columns = ["match_id", "file_id", "hands", "complete", "head_hash", "text_bytes", "text_hash"]
        for row in _rows(place, batch, "matches", columns):
            self.add(StoredMatch(**row, batch=batch.name))


def _rows(place: Place, batch: Batch, table: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    # Not `read_table`, which loads Arrow's datasets.
    for part in batch.of(table):
        with pq.ParquetFile(place.open(part.name)) as file:
            yield from file.read(columns).to_pylist()
