"""The lines of a log beside its hands: read again from the file, and shown only where it still says the same."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import finalize

import numpy as np
import xxhash
from numpy.typing import NDArray

from ...parsers.sources import Source, sources

if TYPE_CHECKING:
    from ...analytics.store import Store

MOST_LINES: Final = 400
"""Lines of one hand that are kept; a bot that prints for ever does not fill the report."""
_WIDEST: Final = 500


@dataclass(frozen=True)
class _Place:
    """Where a match lies: its file, the line it begins at, its length and the hash of its text."""

    path: str
    line: int
    size: int
    digest: int


class Logs:
    """The texts of a store's matches.

    A file is looked for where the store says it was read (its path as given, from the current folder). A match that is
    not there any more, or no longer the same to the byte, has no lines; text after it changes nothing.
    """

    def __init__(self, store: "Store", matches: Sequence[int]) -> None:
        """Of these match_ids; nothing is read yet."""
        rows = store.sql(
            "select match_id, path, line, text_bytes, text_hash from stored.matches join stored.files"
            " using (file_id) where list_contains($ids, match_id)",
            ids=list(matches),
        ).fetchall()
        self._places = {row[0]: _Place(*row[1:]) for row in rows}
        self._kept: tuple[str, bytes, NDArray[np.int64]] = ("", b"", np.zeros(0, np.int64))
        self._paths = {place.path for place in self._places.values()}
        # Packed texts as they were decoded: matches come in another order than they lie in, and to decode takes time.
        self._decoded = tempfile.TemporaryFile()  # noqa: SIM115 - it is read as long as this is there
        finalize(self, self._decoded.close)
        self._spans: dict[str, tuple[int, int]] = {}
        self._unpacked: set[Path] = set()

    def lines(self, match_id: int) -> list[str] | None:
        """The lines of a match, the first at index 0 being line `matches.line`; None where they cannot be had."""
        place = self._places.get(match_id)
        if place is None:
            return None
        if self._kept[0] != place.path:
            self._kept = (place.path, *_indexed(self._read(place.path)))
        _, text, starts = self._kept
        if place.line > len(starts):
            return None
        start = int(starts[place.line - 1])
        found = text[start : start + place.size]
        if xxhash.xxh3_64_intdigest(found) != place.digest:
            return None
        # As the scanner has lines: what a bot prints may hold a lone CR.
        lines = found.removesuffix(b"\n").split(b"\n")
        return [line.rstrip(b"\r")[:_WIDEST].decode("utf-8", "replace") for line in lines]

    def _read(self, path: str) -> bytes:
        """The text of a log, from an archive where its path leads into one; nothing where it is not to be had."""
        found = Path(path)
        file = next((parent for parent in (found, *found.parents) if parent.is_file()), None)
        if file is None:
            return b""
        if file not in self._unpacked:
            for source in sources([file], lambda _: None):
                if source.path == path and not source.packed:
                    return _text(source)
                if source.path in self._paths:
                    self._lay_away(source)
            self._unpacked.add(file)
        start, size = self._spans.get(path, (0, 0))
        self._decoded.seek(start)
        return self._decoded.read(size)

    def _lay_away(self, source: Source) -> None:
        text = _text(source)
        self._spans[source.path] = self._decoded.seek(0, os.SEEK_END), len(text)
        self._decoded.write(text)


def _indexed(text: bytes) -> tuple[bytes, NDArray[np.int64]]:
    """A text, and where its lines begin."""
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
    return text, np.concatenate(([0], ends + 1))


def _text(source: Source) -> bytes:
    try:
        with source.open() as stream:
            return stream.read()
    # Each way of packing has errors of its own.
    except Exception:
        return b""
