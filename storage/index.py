"""What a store already holds: its files and matches, read from the parts when an ingest begins."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq

from .manifest import Batch, Manifest


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
    """The store's files and matches by id."""

    batches: set[str] = field(default_factory=set)
    file_batch: dict[int, str] = field(default_factory=dict)
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

    def read(self, root: Path, manifest: Manifest) -> list[StoredMatch]:
        """Enter the batches not yet known; returns the matches that are new."""
        fresh = []
        for batch in manifest.batches:
            if batch.name not in self.batches:
                self.batches.add(batch.name)
                fresh += list(self._read(root, batch))
        return fresh

    def _read(self, root: Path, batch: Batch) -> Iterable[StoredMatch]:
        if "files" in batch.tables:
            part = pq.read_table(root / "files" / f"{batch.name}.parquet", columns=["file_id"])
            self.file_batch.update(dict.fromkeys(part["file_id"].to_pylist(), batch.name))
        if "matches" in batch.tables:
            columns = ["match_id", "file_id", "hands", "complete", "head_hash", "text_bytes", "text_hash"]
            part = pq.read_table(root / "matches" / f"{batch.name}.parquet", columns=columns)
            for row in part.to_pylist():
                match = StoredMatch(**row, batch=batch.name)
                self.add(match)
                yield match
