"""What a store already holds: its files and matches, read from the parts when an ingest begins.

Terabytes of logs are millions of matches, and what an ingest asks for is mostly not among them. So what is stored lies
in sorted columns, 98 bytes a match and its file; what an ingest enters are objects until it is committed.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from .manifest import Batch, Manifest, readable
from .place import Place


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match in the store, or claimed for it by an ingest under way: then batch is empty.

    hand_marks: only of a match that is claimed.
    """

    match_id: int
    file_id: int
    hands: int
    complete: bool
    head_hash: int
    text_bytes: int
    text_hash: int
    batch: str = ""
    players_hash: int = 0
    first_hand_no: int = 0
    last_hand_no: int = 0
    first_hand_hash: int = 0
    hand_marks: bytes = b""


class StoredFile(NamedTuple):
    """A file of the store: the batch that holds its row, and whether it was refused."""

    batch: str
    rejected: bool


Columns = dict[str, NDArray[Any]]

_BATCH: Final = "batch"
"""The column of a batch's number."""
_FILES: Final = {"file_id": np.uint64, "rejected": np.bool_, _BATCH: np.uint32}
_MATCHES: Final = {
    "match_id": np.uint64,
    "file_id": np.uint64,
    "hands": np.int32,
    "complete": np.bool_,
    "head_hash": np.uint64,
    "text_bytes": np.int64,
    "text_hash": np.uint64,
    "players_hash": np.uint64,
    "first_hand_no": np.int64,
    "last_hand_no": np.int64,
    "first_hand_hash": np.uint64,
    _BATCH: np.uint32,
}
"""The fields of a `StoredMatch` but the marks of its hands; rows are sorted by the first column, here as above."""


class Index:
    """The store's files and matches by id, and what an ingest enters and takes out before it commits."""

    def __init__(self) -> None:
        """An index of nothing."""
        self.batches: set[str] = set()
        self._names: list[str] = []
        self._files, self._matches = _Rows(_FILES), _Rows(_MATCHES)
        self._by_head: NDArray[np.intp] = np.empty(0, np.intp)
        self._claimed: dict[int, StoredMatch] = {}
        self._heads: dict[int, list[StoredMatch]] = {}
        self._removed: set[int] = set()

    @property
    def claimed(self) -> list[StoredMatch]:
        """The matches entered since the last commit."""
        return list(self._claimed.values())

    @property
    def matches(self) -> int:
        """How many are stored."""
        return len(self._matches)

    def file(self, file_id: int) -> StoredFile | None:
        """A stored file."""
        for row in map(self._files.row, self._files.find(file_id)):
            return StoredFile(self._names[row[_BATCH]], row["rejected"])
        return None

    def match(self, match_id: int) -> StoredMatch | None:
        """The match of an id."""
        if match_id in self._claimed:
            return self._claimed[match_id]
        return next(self._stored(self._matches.find(match_id)), None)

    def relatives(self, head_hash: int) -> list[StoredMatch]:
        """The matches that begin alike."""
        found = self._matches.find(head_hash, "head_hash", self._by_head)
        return [*self._stored(self._by_head[found.start : found.stop]), *self._heads.get(head_hash, ())]

    def add(self, match: StoredMatch) -> None:
        """Enter a match that is not stored yet."""
        self._claimed[match.match_id] = match
        self._heads.setdefault(match.head_hash, []).append(match)

    def remove(self, match: StoredMatch) -> None:
        """Take out a match, stored or entered."""
        if self._claimed.pop(match.match_id, None):
            self._heads[match.head_hash] = [m for m in self._heads[match.head_hash] if m != match]
        else:
            self._removed.add(match.match_id)

    def restore(self) -> None:
        """Be again what the store holds, without what was entered or taken out since."""
        self._claimed.clear()
        self._heads.clear()
        self._removed.clear()

    def forget(self, batches: Collection[str]) -> None:
        """After a commit: take out what batches hold that are no longer live, and all that was not stored."""
        self.restore()
        if gone := self.batches & set(batches):
            self.batches -= gone
            numbers = [number for number, name in enumerate(self._names) if name in gone]
            self._files.drop(numbers)
            self._matches.drop(numbers)
            self._order()

    def read(self, place: Place, manifest: Manifest) -> None:
        """Enter the batches not yet known."""
        files: list[Columns] = []
        matches: list[Columns] = []
        for batch in manifest.batches:
            if batch.name not in self.batches:
                files += _columns(place, batch, "files", len(self._names))
                matches += _columns(place, batch, "matches", len(self._names))
                self.batches.add(batch.name)
                self._names.append(batch.name)
        self._files.add(files)
        self._matches.add(matches)
        self._order()

    def columns(self, *names: str) -> list[NDArray[Any]]:
        """Columns of the stored matches that nothing entered since replaces."""
        kept = np.ones(len(self._matches), np.bool_)
        if self._removed:
            kept = ~np.isin(
                self._matches.columns["match_id"], np.fromiter(self._removed, np.uint64, len(self._removed))
            )
        return [self._matches.columns[name][kept] for name in names]

    def _order(self) -> None:
        self._by_head = self._matches.order("head_hash")

    def _stored(self, places: "range | NDArray[np.intp]") -> Iterator[StoredMatch]:
        for row in map(self._matches.row, places):
            if row["match_id"] not in self._removed:
                yield StoredMatch(**(row | {_BATCH: self._names[row[_BATCH]]}))


class _Rows:
    """Rows in columns, sorted by the first of them."""

    def __init__(self, types: dict[str, type[np.generic]]) -> None:
        self.columns: Columns = {name: np.empty(0, kind) for name, kind in types.items()}
        self.key = next(iter(types))

    def __len__(self) -> int:
        return len(self.columns[self.key])

    def row(self, place: int) -> dict[str, Any]:
        return {name: column[place].item() for name, column in self.columns.items()}

    def find(self, value: int, name: str = "", order: NDArray[np.intp] | None = None) -> range:
        """The places of a value in the column that rows are sorted by, or of another one in the order given."""
        column = self.columns[name or self.key]
        # NumPy would compare a plain int with unsigned numbers as floats.
        sought = column.dtype.type(value)
        first, last = (int(column.searchsorted(sought, side, order)) for side in ("left", "right"))
        return range(first, last)

    def order(self, name: str) -> NDArray[np.intp]:
        return np.argsort(self.columns[name], kind="stable")

    def add(self, some: list[Columns]) -> None:
        held = [self.columns, *some]
        order = np.argsort(np.concatenate([rows[self.key] for rows in held]), kind="stable")
        # One after the other: a second copy of all columns would be the most that an ingest holds.
        for name in self.columns:
            self.columns[name] = np.concatenate([rows[name] for rows in held])[order]

    def drop(self, batches: list[int]) -> None:
        kept = ~np.isin(self.columns[_BATCH], batches)
        for name, column in self.columns.items():
            self.columns[name] = column[kept]


def _columns(place: Place, batch: Batch, table: str, number: int) -> Iterator[Columns]:
    """The columns of a batch's parts."""
    asked = ["file_id", "status"] if table == "files" else [name for name in _MATCHES if name != _BATCH]
    for part in batch.of(table):
        # Not `read_table`, which loads Arrow's datasets.
        with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
            rows = file.read(asked)
        columns = {name: rows[name].to_numpy() for name in asked if name != "status"}
        if table == "files":
            columns["rejected"] = np.array(
                [status == "rejected" for status in rows["status"].to_pylist()], np.bool_
            )
        yield columns | {_BATCH: np.full(len(rows), number, np.uint32)}
