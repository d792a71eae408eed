"""The files and matches that a store has: how a match is identified, and which matches of an ingest are new.

An ingest reads the index from the store's parts when it begins. Terabytes of logs hold millions of matches, and an
ingest asks for few of them. So the stored ones lie in sorted columns, 99 bytes a match and its file; what an ingest
adds are objects until it is committed.

A match is stored once; only a longer version of it replaces it. It is known by hashes of its text: up to its first
lines, up to its last complete hand, and whole.
"""

import threading
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow.parquet as pq
import xxhash
from numpy.typing import NDArray

from ..parsers import events
from ..parsers.dialect import MatchText
from ..parsers.marks import with_line_ends
from ..parsers.reading import Scanned
from ..replay.outcome import Outcome
from ..schema.words import READ_AGAIN, REJECTED, REOPENED
from .ledger import UNDONE
from .locations import Place
from .manifest import Batch, Manifest, readable


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match in the store, or one that a running ingest claimed: then batch is empty.

    hand_marks: only for claimed matches; replaced_by: the match_id of a longer version that a running ingest claimed
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
    replaced_by: int = 0


class StoredFile(NamedTuple):
    """A file of the store: the batch of its row, and the user's games it was read with.

    rejected  it is read again when it is given again
    reopened  so are its matches: hands of them were left out as copies of what has been forgotten since
    undone    an ingest ended before it had read all of it
    """

    batch: str
    rejected: bool
    variants: str = ""
    reopened: bool = False
    undone: bool = False


Columns = dict[str, NDArray[Any]]

_FEW: Final = 8
"""The most matches with equal beginnings that are compared one by one; more are found by hashes."""

_BATCH: Final = "batch"
"""The column with the batch's number."""
_FILES: Final = {
    "file_id": np.uint64,
    "rejected": np.bool_,
    "variants": np.uint32,
    "reopened": np.bool_,
    "undone": np.bool_,
    _BATCH: np.uint32,
}
"""variants: the place of the text in `Index._variants`"""
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
"""The fields of a `StoredMatch` except hand_marks. In both tables, rows are sorted by the first column."""


class Index:
    """The store's files and matches by id, with what an ingest adds and removes before it commits."""

    def __init__(self) -> None:
        """An empty index."""
        self.batches: set[str] = set()
        self._names: list[str] = []
        self._variants: list[str] = [""]
        self._files, self._matches = _Rows(_FILES), _Rows(_MATCHES)
        self._by_head: NDArray[np.intp] = np.empty(0, np.intp)
        self._claimed: dict[int, StoredMatch] = {}
        self._heads: dict[int, list[StoredMatch]] = {}
        self._sizes: dict[int, list[int]] = {}
        self._stored_sizes: dict[int, list[int]] = {}
        self._texts: dict[int, StoredMatch] = {}
        self._by_text: NDArray[np.intp] | None = None
        self._removed: set[int] = set()

    @property
    def claimed(self) -> list[StoredMatch]:
        """The matches added since the last commit."""
        return list(self._claimed.values())

    @property
    def matches(self) -> int:
        """The number of stored matches."""
        return len(self._matches)

    def file(self, file_id: int) -> StoredFile | None:
        """A stored file by its id."""
        for row in map(self._files.row, self._files.find(file_id)):
            batch, variants = self._names[row[_BATCH]], self._variants[row["variants"]]
            return StoredFile(batch, row["rejected"], variants, row["reopened"], row["undone"])
        return None

    def match(self, match_id: int) -> StoredMatch | None:
        """A match, stored or added, by its id."""
        if match_id in self._claimed:
            return self._claimed[match_id]
        return next(self._stored(self._matches.find(match_id)), None)

    def matches_of(self, file_id: int) -> list[StoredMatch]:
        """The stored matches of a file."""
        return list(self._stored(np.flatnonzero(self._matches.columns["file_id"] == np.uint64(file_id))))

    def relatives(self, head_hash: int) -> list[StoredMatch]:
        """The matches that begin with the same lines."""
        found = self._matches.find(head_hash, "head_hash", self._by_head)
        added = self._heads.get(head_hash, ())
        return [*self._stored(self._by_head[found.start : found.stop]), *added]

    def relatives_at_most(self, head_hash: int) -> int:
        """The number of `relatives`, including those removed since the last commit."""
        found = self._matches.find(head_hash, "head_hash", self._by_head)
        return len(found) + len(self._heads.get(head_hash, ()))

    def sizes_of_relatives(self, head_hash: int, most: int) -> list[int]:
        """The different sizes of the texts of `relatives`, ascending up to `most`, those of removed ones included."""
        if (stored := self._stored_sizes.get(head_hash)) is None:
            found = self._matches.find(head_hash, "head_hash", self._by_head)
            places = self._by_head[found.start : found.stop]
            stored = np.unique(self._matches.columns["text_bytes"][places]).tolist()
            self._stored_sizes[head_hash] = stored
        if (added := self._sizes.get(head_hash)) is None:
            added = sorted({match.text_bytes for match in self._heads.get(head_hash, ())})
        both = (sizes[: bisect_right(sizes, most)] for sizes in (stored, added))
        return sorted({size for sizes in both for size in sizes})

    def with_text(self, text_hash: int) -> list[StoredMatch]:
        """The matches whose whole text has this hash."""
        if self._by_text is None:
            self._by_text = self._matches.order("text_hash")
        found = self._matches.find(text_hash, "text_hash", self._by_text)
        added = [self._texts[text_hash]] if text_hash in self._texts else []
        return [*self._stored(self._by_text[found.start : found.stop]), *added]

    def add(self, match: StoredMatch) -> None:
        """Add a match that is not stored yet."""
        self._claimed[match.match_id] = match
        alike = self._heads.setdefault(match.head_hash, [])
        alike.append(match)
        if len(alike) > _FEW:
            self._note_size(alike)
        # Two matches of one text are one.
        self._texts[match.text_hash] = match

    def _note_size(self, alike: list[StoredMatch]) -> None:
        """Keep the different sizes of many matches that begin alike in order; the last was added just now."""
        head, size = alike[-1].head_hash, alike[-1].text_bytes
        if head not in self._sizes:
            self._sizes[head] = sorted({match.text_bytes for match in alike})
            return
        sizes = self._sizes[head]
        at = bisect_left(sizes, size)
        if sizes[at : at + 1] != [size]:
            sizes.insert(at, size)

    def remove(self, match: StoredMatch) -> None:
        """Remove a match, stored or added."""
        if added := self._claimed.pop(match.match_id, None):
            self._heads[match.head_hash].remove(added)
            self._texts.pop(match.text_hash, None)
        else:
            self._removed.add(match.match_id)

    def restore(self) -> None:
        """Undo everything added and removed since the last commit."""
        self._claimed.clear()
        self._heads.clear()
        self._sizes.clear()
        self._texts.clear()
        self._removed.clear()

    def forget(self, batches: Collection[str]) -> None:
        """After a commit: remove the content of batches that are no longer live, and all that was added."""
        self.restore()
        if gone := self.batches & set(batches):
            self.batches -= gone
            numbers = [number for number, name in enumerate(self._names) if name in gone]
            self._files.drop(numbers)
            self._matches.drop(numbers)
            self._order()

    def read(self, place: Place, manifest: Manifest) -> None:
        """Read the batches that are not known yet."""
        files: list[Columns] = []
        matches: list[Columns] = []
        for batch in manifest.batches:
            if batch.name not in self.batches:
                files += _columns(place, batch, "files", len(self._names), self._variants)
                matches += _columns(place, batch, "matches", len(self._names))
                self.batches.add(batch.name)
                self._names.append(batch.name)
        self._files.add(files)
        self._matches.add(matches)
        self._order()

    def columns(self, *names: str) -> list[NDArray[Any]]:
        """Columns of the stored matches, without those removed since the last commit."""
        kept = np.ones(len(self._matches), np.bool_)
        if self._removed:
            kept = ~np.isin(
                self._matches.columns["match_id"], np.fromiter(self._removed, np.uint64, len(self._removed))
            )
        return [self._matches.columns[name][kept] for name in names]

    def _order(self) -> None:
        self._by_head, self._by_text = self._matches.order("head_hash"), None
        self._stored_sizes.clear()

    def _stored(self, places: "range | NDArray[np.intp]") -> Iterator[StoredMatch]:
        for row in map(self._matches.row, places):
            if row["match_id"] not in self._removed:
                yield StoredMatch(**(row | {_BATCH: self._names[row[_BATCH]]}))


class _Rows:
    """Rows in columns, sorted by the first column."""

    def __init__(self, types: dict[str, type[np.generic]]) -> None:
        self.columns: Columns = {name: np.empty(0, kind) for name, kind in types.items()}
        self.key = next(iter(types))

    def __len__(self) -> int:
        return len(self.columns[self.key])

    def row(self, place: int) -> dict[str, Any]:
        return {name: column[place].item() for name, column in self.columns.items()}

    def find(self, value: int, name: str = "", order: NDArray[np.intp] | None = None) -> range:
        """The rows with a value in the sort column; or in another column, as places in its `order`."""
        column = self.columns[name or self.key]
        if not len(column):
            return range(0)
        # NumPy compares a plain int with unsigned numbers as floats.
        sought = column.dtype.type(value)
        first, last = (int(column.searchsorted(sought, side, order)) for side in ("left", "right"))
        return range(first, last)

    def order(self, name: str) -> NDArray[np.intp]:
        return np.argsort(self.columns[name], kind="stable")

    def add(self, some: list[Columns]) -> None:
        held = [self.columns, *some]
        order = np.argsort(np.concatenate([rows[self.key] for rows in held]), kind="stable")
        # Column by column: a second copy of all would be the largest thing in an ingest's memory.
        for name in self.columns:
            self.columns[name] = np.concatenate([rows[name] for rows in held])[order]

    def drop(self, batches: list[int]) -> None:
        kept = ~np.isin(self.columns[_BATCH], batches)
        for name, column in self.columns.items():
            self.columns[name] = column[kept]


def _columns(
    place: Place, batch: Batch, table: str, number: int, variants: list[str] | None = None
) -> Iterator[Columns]:
    """The columns of a batch's parts, for the index; texts of `files.variants` are added to `variants`."""
    asked = (
        ["file_id", "status", "variants"]
        if table == "files"
        else [name for name in _MATCHES if name != _BATCH]
    )
    for part in batch.of(table):
        # Not `read_table`: it imports Arrow's datasets.
        with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
            rows = file.read(asked)
            statuses = rows["status"].to_pylist() if table == "files" else []
            # Reasons are the largest column, and few files have one.
            whys = file.read(["reason"])["reason"].to_pylist() if REJECTED in statuses else statuses
        columns = {name: rows[name].to_numpy() for name in asked if name not in ("status", "variants")}
        if variants is not None:
            said = [text or "" for text in rows["variants"].to_pylist()]
            variants += sorted(set(said).difference(variants))
            places = {text: place for place, text in enumerate(variants)}
            columns["variants"] = np.array([places[text] for text in said], np.uint32)
            columns["rejected"] = np.array([status in READ_AGAIN for status in statuses], np.bool_)
            columns["reopened"] = np.array([status == REOPENED for status in statuses], np.bool_)
            columns["undone"] = np.array([why == UNDONE for why in whys], np.bool_)
        yield columns | {_BATCH: np.full(len(rows), number, np.uint32)}


_BEFORE = (b"", b"\n", b"\r\n")
"""Text that may be before a match: before Koper's first one there is a blank line, unless logs were joined."""


class Claim(Enum):
    """The kinds of outcomes of a claim."""

    NEW = "new"
    KNOWN = "known"
    LATER = "later"


@dataclass(frozen=True)
class Answer:
    """The outcome of a claim.

    replaced  the stored matches that the new one replaces
    Claim.LATER: the same ingest has read a shorter version, which must be committed first.
    """

    claim: Claim
    replaced: tuple[StoredMatch, ...] = ()


class Queue:
    """Chunks claim their matches in the order in which they were taken, whichever thread has them.

    So of several copies of a match the first is stored, with two threads as with one.
    """

    def __init__(self) -> None:
        """Start without a chunk."""
        self._moved = threading.Condition()
        self._taken = self._front = 0
        self._done = set[int]()

    def take(self) -> "Turn":
        """The turn after all that were taken; it must be ended."""
        with self._moved:
            self._taken += 1
            return Turn(self, self._taken - 1)

    def wait(self, number: int) -> None:
        """Wait until all turns before it are ended."""
        with self._moved:
            self._moved.wait_for(lambda: self._front >= number)

    def end(self, number: int) -> None:
        """Let the next turn begin."""
        with self._moved:
            if number >= self._front:
                self._done.add(number)
            while self._front in self._done:
                self._done.remove(self._front)
                self._front += 1
            self._moved.notify_all()


class Turn(NamedTuple):
    """The turn of a chunk to claim matches."""

    queue: Queue
    number: int

    def wait(self) -> None:
        """Wait for it."""
        self.queue.wait(self.number)

    def end(self) -> None:
        """Nothing more is claimed for the chunk; may be called repeatedly."""
        self.queue.end(self.number)


class Claims:
    """The matches of a store and of the running ingest; safe to use from several threads."""

    def __init__(self, index: Index) -> None:
        """Start from the store's index."""
        self.index = index
        self._lock = threading.Lock()

    def claim(
        self, match: StoredMatch, text: memoryview, anew: bool = False, by_lines: bool = False
    ) -> Answer:
        """Add a match unless its hands are stored already.

        text  the match's whole text
        anew  a sidecar adds to what the text says: the match also replaces itself
        by_lines  its text and those of its relatives are whole lines, also where their files are cut
        """
        with self._lock:
            same = self.index.match(match.match_id)
            shorter = self._shorter(match, text, by_lines)
            if anew and same is not None and same.batch and same not in shorter:
                shorter.append(same)
            if any(not m.batch for m in shorter):
                return Answer(Claim.LATER)
            if same is not None and same not in shorter:
                return Answer(Claim.KNOWN)
            for old in shorter:
                self.index.remove(old)
            self.index.add(match)
            return Answer(
                Claim.NEW, replaced=tuple(replace(old, replaced_by=match.match_id) for old in shorter)
            )

    def _shorter(self, match: StoredMatch, text: memoryview, by_lines: bool) -> list[StoredMatch]:
        """Older versions of a match: of no other is the whole text the beginning of its text."""
        if match.hands == 1 and not match.complete:
            # No version that is stored says less.
            return []
        count = self.index.relatives_at_most(match.head_hash)
        if by_lines and count > 1 and count > (whole := bytes(text)).count(b"\n"):
            # Matches of the same players may all begin alike: to look at each would take the square of their number.
            relatives = [old for end in _hashes_of_lines(whole) for old in self.index.with_text(end)]
        elif count > _FEW:
            beginnings = _Beginnings(text)
            sizes = self.index.sizes_of_relatives(match.head_hash, beginnings.most)
            relatives = [
                old
                for size in sizes
                for hashed, _ in beginnings.of_size(size)
                for old in self.index.with_text(hashed)
                if old.text_bytes == size and old.head_hash == match.head_hash
            ]
        else:
            relatives = self.index.relatives(match.head_hash) if count else []
        return _older(relatives, match, text) if relatives else []


class _Beginnings:
    """Hashes of the beginnings of a text, each asked for after all shorter ones: the text is read once."""

    def __init__(self, text: memoryview) -> None:
        self._text = text
        self.blank = blanks_in(bytes(text[:BLANKS]))
        self._hashed = {
            before: (xxhash.xxh3_64(before), self.blank) for before in {bytes(text[: self.blank]), *_BEFORE}
        }

    @property
    def most(self) -> int:
        """The size of the largest text that may be a beginning."""
        return len(self._text) + max(map(len, self._hashed)) - self.blank

    def of_size(self, text_bytes: int) -> Iterator[tuple[int, int]]:
        """(hash, end) of each beginning that may be a text of this size, which other blank lines may precede."""
        for before, (hashed, at) in self._hashed.items():
            end = self.blank + text_bytes - len(before)
            if at <= end <= len(self._text):
                hashed.update(self._text[at:end])
                self._hashed[before] = hashed, end
                yield hashed.intdigest(), end

    def end_of(self, old: StoredMatch) -> int | None:
        """The end of an older version's text; None if it is not there."""
        found = (end for hashed, end in self.of_size(old.text_bytes) if hashed == old.text_hash)
        return next(found, None)


def _older(known: Iterable[StoredMatch], new: StoredMatch, text: memoryview) -> list[StoredMatch]:
    """The matches whose whole text is a proper beginning of a new one's."""
    beginnings = _Beginnings(text)
    return [
        old
        for old in sorted(known, key=lambda match: match.text_bytes)
        if new.text_hash != old.text_hash
        and (end := beginnings.end_of(old)) is not None
        and _says_more(old, new, text[end:])
    ]


def _says_more(old: StoredMatch, new: StoredMatch, rest: memoryview) -> bool:
    """True if a match says more than an older version of it, whose text is followed by `rest`."""
    more = new.hands > old.hands or (new.complete and not old.complete)
    # Lines after the last hand, such as final bankrolls, concern all hands.
    return more or (new.hands == old.hands and new.complete and bool(bytes(rest).strip()))


def _hashes_of_lines(text: bytes) -> Iterator[int]:
    """The hash of a text up to each line end."""
    hashed, at = xxhash.xxh3_64(), 0
    while (end := text.find(b"\n", at + 1)) >= 0:
        hashed.update(text[at:end])
        at = end
        yield hashed.intdigest()


_HEAD_LINES = 4
"""Lines after the first line of the first hand; no hand of several lines is shorter."""
_CR = 13
_BLANK = b" \t\r\n\v\f\xef\xbb\xbf"
BLANKS = 64
"""Leading bytes of a match that are searched for blank lines."""
_OPENS_BY = 64
"""The first hand of a match mostly begins within this many events."""


def path_id(path: str) -> int:
    """The id of a file that could not be opened: a hash of its path, as shown."""
    return xxhash.xxh3_64_intdigest(f"unopened {path}".encode())


def blanks_in(opening: bytes) -> int:
    """The length of the blank lines, or byte order mark, at the beginning of a match's first BLANKS bytes."""
    return len(opening) - len(opening.lstrip(_BLANK))


def line_end(text: bytes, at: int, last: int) -> int:
    """The end of a line; `last` is the end of its match, which the next file's text follows at once."""
    end = text.find(b"\n", at, last)
    return last if end < 0 else end


def identify(
    text: bytes, match: MatchText, scanned: Scanned, place: int, outcome: Outcome, file_id: int
) -> StoredMatch:
    """The keys of a match (docs/schema.md); its id is 0 if no hand is complete."""
    # A note or a merge marker above a match is not part of it.
    start, found = max(match.start, match.opening), scanned.events
    whole = memoryview(text)[start : match.end]
    # A copy with other line ends, with other blank lines before it, or a byte order mark, is the same match.
    blank = blanks_in(text[start : start + BLANKS])
    # A search for one byte is eighty times as fast as for two.
    by_crlf = text.find(b"\r", start, match.end) >= 0
    match_id = head = 0
    hashed, at = xxhash.xxh3_64(), blank
    if outcome.hands:
        first = int(scanned.first_event[place])
        # Each of the three texts begins with the one before.
        digests = []
        for k in (_head(found.codes, first, outcome.last_event), outcome.last_event):
            end = line_end(text, int(found.starts[k]), match.end) - start
            if by_crlf:
                end -= whole[end - 1] == _CR
                hashed.update(with_line_ends(text, start + at, start + end))
            else:
                hashed.update(whole[at:end])
            digests.append(hashed.intdigest())
            at = end
        head, match_id = digests
    size = len(whole)
    # A shorter version may end in blank lines that the longer one lacks.
    while size and whole[size - 1] in _BLANK:
        size -= 1
    if by_crlf or blank or size < at:
        hashed, at = xxhash.xxh3_64(), 0
    hashed.update(whole[at:size])
    return StoredMatch(
        match_id=match_id,
        file_id=file_id,
        hands=outcome.hands,
        complete=outcome.complete,
        head_hash=head,
        text_bytes=size,
        text_hash=hashed.intdigest(),
    )


def _head(codes: NDArray[np.uint8], first: int, last: int) -> int:
    """The event on whose line the head of a match ends; later hands do not change it."""
    opening = first + _opening(codes[first : last + 1])
    if codes[opening] in events.HAND_IN_A_LINE:
        return opening
    return min(opening + _HEAD_LINES, last)


def _opening(codes: NDArray[np.uint8]) -> int:
    """The event that opens a match's first hand."""
    for some in (codes[:_OPENS_BY].tobytes(), codes.tobytes()):
        found = [at for at in map(some.find, events.OPENS_HAND) if at >= 0]
        if found:
            break
    return min(found)
