"""Zip and tar archives: their members, and the bytes of a member. Of a listing's archives one is open at a time."""

import tarfile
import zipfile
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from .unpacking import MAX_RATIO, first_decoded, goes_by_name, is_tar, is_zip, plain_name, salvaged, unpacked


class Member(NamedTuple):
    """A file in an archive: its name, its size as stored on disk, and the key by which the archive opens it."""

    name: str
    size: int
    place: int


class Archive(Protocol):
    """An archive; it is opened when a member is requested, and stays open until `close`.

    stem  its name without the endings
    """

    stem: str

    def members(self) -> Iterator[Member]:
        """The members, in the archive's order."""

    def open(self, place: int) -> IO[bytes]:
        """The bytes of a member, until another is opened; any exception if it is missing."""

    def close(self) -> None:
        """Close the file; a later request for a member opens it again."""


class _Zip:
    def __init__(self, path: Path) -> None:
        self.path, self.stem = path, path.stem
        self._archive: zipfile.ZipFile | None = None

    def members(self) -> Iterator[Member]:
        with zipfile.ZipFile(self.path) as archive:
            infos = archive.infolist()
        for place, info in enumerate(infos):
            if not info.is_dir():
                yield Member(info.filename, info.compress_size, place)

    def open(self, place: int) -> IO[bytes]:
        if self._archive is None:
            self._archive = zipfile.ZipFile(self.path)
        return self._archive.open(self._archive.infolist()[place])

    def close(self) -> None:
        if self._archive is not None:
            self._archive.close()
        self._archive = None


class _Tar:
    """A tar, read forwards: a request for a member before the last one read starts from the beginning."""

    def __init__(self, path: Path, ending: str, ratio: int) -> None:
        self.path, self.ending, self.stem = path, ending, path.name.split(".")[0]
        self.ratio = ratio
        self._entries = self._walk()
        self._next = 0

    def _walk(self) -> Generator[tuple[tarfile.TarFile, tarfile.TarInfo], None, None]:
        """The members in order, decoded when requested."""
        with (
            unpacked(self.path, self.ending, self.ratio) as stream,
            tarfile.open(fileobj=stream, mode="r|") as archive,
        ):
            while (entry := archive.next()) is not None:
                # It keeps every header that it has read.
                archive.members = []  # type: ignore[attr-defined]  # not in the stubs
                yield archive, entry

    def members(self) -> Iterator[Member]:
        """The members; listing decompresses what it reads past."""
        for place, (_, entry) in enumerate(self._walk()):
            if entry.isfile():
                yield Member(entry.name, entry.size, place)

    def open(self, place: int) -> IO[bytes]:
        if place < self._next:
            self.close()
        for archive, entry in self._entries:
            self._next += 1
            if self._next > place:
                stream = archive.extractfile(entry)
                if stream is not None:
                    return stream
                break
        raise LookupError("the archive lists it and does not hold it")

    def close(self) -> None:
        self._entries.close()
        self._entries, self._next = self._walk(), 0


def archive_at(path: Path, head: bytes | None, ending: str, ratio: int = MAX_RATIO) -> Archive | None:
    """The archive in a file, from its first bytes and its compression (`unpacking`); None if it is not an archive.

    ratio: as for `unpacked`
    """
    if is_zip(head) or (not ending and goes_by_name(head) and path.suffix == ".zip"):
        return _Zip(path)
    if ending:
        head = first_decoded(path, ending)
    is_named_so = goes_by_name(head) and plain_name(path.name).endswith(".tar")
    return _Tar(path, ending, ratio) if is_tar(head) or is_named_so else None


class Archives:
    """The archives of a listing: only the one whose member was requested last is open."""

    def __init__(self) -> None:
        """No archive is open."""
        self._last: Archive | None = None

    def open(self, archive: Archive, place: int, packed: int, ratio: int) -> IO[bytes]:
        """The bytes of a member as far as they can be decoded, until another is opened.

        packed: its bytes in the archive, each of which may become `ratio`
        """
        if self._last is not archive and self._last is not None:
            self._last.close()
        self._last = archive
        return salvaged(partial(archive.open, place), packed, ratio)
