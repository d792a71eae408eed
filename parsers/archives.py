"""Zip and tar archives: what they hold, and the bytes of a member. Of those of a listing one at a time is open."""

import tarfile
import zipfile
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from .unpacking import MAX_RATIO, first_decoded, goes_by_name, is_tar, is_zip, plain_name, salvaged, unpacked


class Member(NamedTuple):
    """A file in an archive: its name, its bytes as they are read from disk, and what the archive opens it by."""

    name: str
    size: int
    place: int


class Archive(Protocol):
    """An archive that is open from when a member is asked for until it is closed.

    stem  its name without the endings
    """

    stem: str

    def members(self) -> Iterator[Member]:
        """What it holds, in its order."""

    def open(self, place: int) -> IO[bytes]:
        """The bytes of a member, until another is opened; any error where it is not there."""

    def close(self) -> None:
        """Let go of the file; a member that is asked for later opens it again."""


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
    """Read forwards: a member before the last one read makes it begin again."""

    def __init__(self, path: Path, ending: str, ratio: int) -> None:
        self.path, self.ending, self.stem = path, ending, path.name.split(".")[0]
        self.ratio = ratio
        self._entries = self._walk()
        self._next = 0

    def _walk(self) -> Generator[tuple[tarfile.TarFile, tarfile.TarInfo], None, None]:
        """What it holds, in its order, decoded as it is asked for."""
        with (
            unpacked(self.path, self.ending, self.ratio) as stream,
            tarfile.open(fileobj=stream, mode="r|") as archive,
        ):
            while (entry := archive.next()) is not None:
                # It keeps all that it has read.
                archive.members = []  # type: ignore[attr-defined]  # not in the stubs
                yield archive, entry

    def members(self) -> Iterator[Member]:
        """None is unpacked to be listed but as it passes by."""
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
    """The archive that a file is by its first bytes and its way of packing (`unpacking`); None where it is none.

    ratio: as for `unpacked`
    """
    if is_zip(head) or (not ending and goes_by_name(head) and path.suffix == ".zip"):
        return _Zip(path)
    if ending:
        head = first_decoded(path, ending)
    is_named_so = goes_by_name(head) and plain_name(path.name).endswith(".tar")
    return _Tar(path, ending, ratio) if is_tar(head) or is_named_so else None


class Archives:
    """The archives of a listing: the one that a member was last asked of is open, the others are not."""

    def __init__(self) -> None:
        """None is open."""
        self._last: Archive | None = None

    def open(self, archive: Archive, place: int, packed: int, ratio: int) -> IO[bytes]:
        """The bytes of a member as far as they are there, until another is opened.

        packed: its bytes in the archive, each of which may become `ratio`
        """
        if self._last is not archive and self._last is not None:
            self._last.close()
        self._last = archive
        return salvaged(partial(archive.open, place), packed, ratio)
