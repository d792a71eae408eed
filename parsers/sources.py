"""The files an ingest is given: folders, globs, compressed files and archives, opened as streams of bytes."""

import errno
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from glob import glob
from pathlib import Path
from types import TracebackType
from typing import IO, Final, NamedTuple

from .archives import Archive, Archives, archive_at
from .unpacking import MAX_RATIO, BombError, first_bytes, is_plain, packing, unpacked

MANIFEST: Final = "manifest.json"
MOST_MANIFEST: Final = 16 << 20
"""Bytes of a store's manifest at most. One of a terabyte has as many; Python's objects take 30 times that."""


class SourceError(Exception):
    """An input that cannot be read; the message is the reason.

    passing: a system error that may not recur. line: of the file, from 1.
    """

    def __init__(self, reason: str, passing: bool = False, line: int = 1) -> None:
        """reason: a text for the user."""
        super().__init__(reason)
        self.passing, self.line = passing, line


class WishError(ValueError):
    """An option or name from the user that cannot be applied; the message is one line."""


class reading:
    """Turns errors of opening and reading a file into SourceErrors: every decompressor has its own exceptions."""

    __slots__ = ()

    def __enter__(self) -> None:
        """Nothing to begin."""

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _at: TracebackType | None
    ) -> None:
        """Raise a SourceError instead of an error."""
        if not isinstance(error, Exception) or isinstance(error, MemoryError | SourceError):
            return
        if isinstance(error, BombError):
            raise SourceError(str(error)) from None
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        # An error of a decoder's own has no number.
        passing = isinstance(error, OSError) and error.errno is not None
        raise SourceError(f"not readable ({reason})", passing) from error


class Limits(NamedTuple):
    """Limits of reading: bytes of a line and of a match, and decompressed bytes per compressed byte."""

    line: int = 16 << 20
    match: int = 32 << 20
    ratio: int = MAX_RATIO


LIMITS: Final = Limits()
"""The defaults. A match of 30 MB takes 0.6 to 1.4 GB while it is read: docs/reliability.md."""
LARGEST_SIDECAR: Final = 64 << 20
"""The most bytes of a sidecar that is read as a whole."""


@dataclass(frozen=True, slots=True)
class Source:
    """A log to read: its path as shown, the folder it came from, how to open it, its size on disk.

    packed: it is decompressed on reading; reading it again decompresses it again.
    name: the path of a file that is read directly; else empty
    """

    path: str
    folder: str
    open: Callable[[], IO[bytes]]
    size: int
    packed: bool = False
    name: str = ""
    limits: Limits = LIMITS

    def whole(self) -> bytes:
        """All its bytes; SourceError if it is unreadable, or larger than a sidecar may be."""
        with reading(), self.open() as stream:
            text = stream.read(LARGEST_SIDECAR + 1)
        if len(text) > LARGEST_SIDECAR:
            raise SourceError(f"larger than {LARGEST_SIDECAR >> 20} MB: not read beside a log")
        return text


def shown(path: str | Path) -> str:
    """A path as text; bytes that are not UTF-8 are escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _members(path: Path, archive: Archive, archives: Archives, limits: Limits) -> Iterator[Source]:
    member = None
    for member in archive.members():
        folder = Path(member.name).parent.name
        folder = archive.stem if folder in ("", "..") else shown(folder)
        opener = partial(archives.open, archive, member.place, member.size, limits.ratio)
        name = shown(f"{path}/{member.name}")
        yield Source(name, folder, opener, member.size, packed=True, limits=limits)
    if member is None:
        raise SourceError("the archive holds no files")


@lru_cache(maxsize=64)
def _name_of(folder: str) -> str:
    return shown(Path(folder).resolve().name)


def _refused(error: SourceError) -> IO[bytes]:
    raise error


def _file(name: str, archives: Archives, limits: Limits) -> Iterator[Source]:
    """A file, or the members of an archive; an unreadable one raises a SourceError when it is opened."""
    try:
        with reading():
            head, size = first_bytes(name)
            ending = ""
            if not is_plain(head):
                path = Path(name)
                ending = packing(path, head)
                if archive := archive_at(path, head, ending, limits.ratio):
                    yield from _members(path, archive, archives, limits)
                    return
            text = shown(name)
            is_link = os.path.islink(name)
            folder = shown(Path(name).resolve().parent.name) if is_link else _name_of(os.path.dirname(name))
            # Many files may be waiting: no Path is kept, and mostly one string each.
            name = text if text == name else name
            opener = partial(unpacked, name, ending, limits.ratio)
            plain = "" if ending else name
            yield Source(text, folder, opener, size, packed=bool(ending), name=plain, limits=limits)
    except SourceError as error:
        yield Source(shown(name), Path(name).stem, partial(_refused, error), 0)


def read_file(path: Path, most: int) -> bytes:
    """The bytes of a file; OSError for more than `most` of them, and for a pipe, which would wait for a writer."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if found.st_size > most:
            raise too_large(most)
        return file.read(most)


def too_large(most: int) -> OSError:
    """The error for a file or an object of more than `most` bytes."""
    return OSError(errno.EFBIG, f"larger than {most:,} bytes")


def _is_store(folder: Path) -> bool:
    """True if a folder's manifest is a store's; organisers use the same name for their own lists."""
    try:
        held = json.loads(read_file(folder / MANIFEST, MOST_MANIFEST))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(held, dict) and "batches" in held


def limits_among(given: Iterable[Source]) -> Limits:
    """The limits of an ingest's inputs, which also apply to their sidecars."""
    return next((source.limits for source in given), LIMITS)


def files_below(folder: str | Path, complain: Callable[[str], None]) -> Iterator[os.DirEntry[str]]:
    """The files below a folder, in order, but for hidden ones, stores, and folders behind links."""
    # Folders may be nested deeper than Python's calls.
    below = [iter(_entries(folder, complain))]
    while below:
        entry = next(below[-1], None)
        if entry is None:
            below.pop()
            continue
        if entry.name.startswith("."):
            continue
        try:
            is_folder, is_file = entry.is_dir(), entry.is_file() or not os.path.exists(entry.path)
        except OSError:
            # A link to itself: the error is reported when it is opened.
            is_folder, is_file = False, True
        if is_folder:
            if not entry.is_symlink() and not _is_store(Path(entry.path)):
                below.append(iter(_entries(entry.path, complain)))
        elif is_file:
            yield entry
        else:
            # Opening a pipe would wait for a writer.
            complain(f"{shown(entry.path)}: line 1: no file, but a pipe, socket or device")


def _entries(folder: str | Path, complain: Callable[[str], None]) -> list[os.DirEntry[str]]:
    """The entries of a folder, by name."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        complain(f"{shown(folder)}: line 1: not readable ({error.strerror})")
        return []


def files_of(given: Iterable[str | Path], complain: Callable[[str], None]) -> Iterator[str]:
    """The paths of the given files, of files in the given folders, and of files that match the given globs.

    Archives are not opened. `complain` is called with each path that cannot be found.
    """
    for one in given:
        text, path = str(one), Path(one)
        # Path("") is the current folder, but an empty text is an unset variable.
        matched = [path] if text and os.path.lexists(path) else sorted(map(Path, glob(text, recursive=True)))
        if not matched:
            complain(f"{shown(text) or repr(text)}: line 1: no such file or folder")
        for found in matched:
            if not found.is_dir():
                yield str(found)
                continue
            before = False
            for entry in files_below(found, complain):
                before = True
                yield entry.path
            if not before and os.access(found, os.R_OK | os.X_OK):
                complain(f"{shown(found)}: line 1: the folder holds no files")


def sources(
    given: Iterable[str | Path], complain: Callable[[str], None], limits: Limits = LIMITS
) -> Iterator[Source]:
    """The logs of paths, folders and globs; `complain` is called for what cannot be found.

    Members of archives are opened one after the other: at most one archive is open.
    """
    archives = Archives()
    for name in files_of(given, complain):
        yield from _file(name, archives, limits)
