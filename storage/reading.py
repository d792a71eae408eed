"""Reading of an open store: its files stay readable while a writer moves or removes them.

An `Overlay` keeps what is added to a store that can only be read, in a temporary folder, until the process ends.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from threading import Lock
from typing import Any, Final
from weakref import finalize

from ..parsers.sources import MOST_MANIFEST
from .locations import Folder, Place, spots, temporary_folder
from .manifest import read_manifest

_OPENED: Final = "/proc/self/fd"
_OPENED_FILE: Final = re.compile(rf"{_OPENED}/\d+")


class OpenFiles:
    """Files of a store in a folder, each opened once.

    DuckDB opens a file by its path again for every query. A path below /proc/self/fd means the open file, even after
    it was renamed or removed. On systems without such paths, and once a process has opened half of the files it may,
    the file's own path is used; a query then fails after the file was replaced.
    """

    _count = 0

    def __init__(self) -> None:
        """No files are open yet."""
        self._numbers: dict[tuple[Folder, str], int] = {}
        self.given: set[str] = set()
        """The paths that queries read by."""
        self.close = finalize(self, _close, self._numbers)

    def path(self, place: Folder, part: str) -> str:
        """A path for a part."""
        number = self._numbers.get((place, part))
        if number is None:
            number = _open(place, part) if OpenFiles._count < _most() else None
            if number is None:
                own = str(place.open(part))
                self.given.add(own)
                return own
            self._numbers[place, part] = number
            OpenFiles._count += 1
        self.given.add(f"{_OPENED}/{number}")
        return f"{_OPENED}/{number}"


def _open(place: Folder, part: str) -> int | None:
    for spot in spots(part):
        with suppress(OSError):
            # To open a pipe would wait for a writer.
            number = os.open(place.root / spot, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
            if S_ISREG(os.fstat(number).st_mode):
                return number
            os.close(number)
    return None


def _most() -> int:
    """The number of files that all open stores together may keep open."""
    if not os.path.isdir(_OPENED):
        return 0
    import resource

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2


def _close(numbers: dict[tuple[Folder, str], int]) -> None:
    OpenFiles._count -= len(numbers)
    while numbers:
        os.close(numbers.popitem()[1])


def with_names(text: str) -> str:
    """A message with the names of open files instead of their /proc paths."""

    def name(found: re.Match[str]) -> str:
        with suppress(OSError):
            return os.readlink(found[0]).removesuffix(" (deleted)")
        return found[0]

    return _OPENED_FILE.sub(name, text)


class Overlay(Place):
    """A place as it was when the overlay was made, with everything written since kept apart from it."""

    def __init__(self, base: Place) -> None:
        """OSError if there is no room for temporary files."""
        self.base = base
        self.seen = read_manifest(base).batches
        stack = ExitStack()
        self.own = Folder(stack.enter_context(temporary_folder()))
        self.end = finalize(self, stack.close)
        """Removes the folder, at the latest when the process ends."""
        self._lock = Lock()

    def __str__(self) -> str:
        return str(self.base)

    def is_own(self, name: str) -> bool:
        """True for objects written since."""
        return any((self.own.root / spot).exists() for spot in spots(name))

    def exists(self) -> bool:
        """True if anything is there."""
        return self.base.exists()

    def read(self, name: str, most: int = MOST_MANIFEST) -> bytes | None:
        """An object's bytes; None if it does not exist, OSError if it has more than `most`."""
        own = self.own.read(name, most)
        return self.base.read(name, most) if own is None else own

    def replace(self, name: str, data: bytes) -> None:
        """Put an object in place of the old one, in one step."""
        self.own.replace(name, data)

    def open(self, name: str) -> Any:
        """An object for `pyarrow.parquet.ParquetFile`."""
        return (self.own if self.is_own(name) else self.base).open(name)

    def bring(self, staged: Sequence[tuple[Path, str]]) -> None:
        """Move files in."""
        self.own.bring(staged)

    def move(self, names: Sequence[tuple[str, str]]) -> None:
        """Rename objects written since."""
        self.own.move(names)

    def remove(self, names: Sequence[str]) -> None:
        """Remove objects written since."""
        self.own.remove(names)

    def sizes(self) -> dict[str, int]:
        """The size in bytes of every part, by name."""
        return self.base.sizes() | self.own.sizes()

    def has_strangers(self) -> bool:
        """True if the place holds anything that is not a store's."""
        return self.base.has_strangers()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock among the threads of this process; no other process writes here."""
        with self._lock:
            yield

    def confirm(self) -> None:
        """The lock cannot be lost."""

    def staging(self) -> AbstractContextManager[Path]:
        """A private folder for unfinished parts."""
        return self.own.staging()

    def forget(self) -> None:
        """The place itself was never touched."""


_OVERLAYS: dict[str, Overlay] = {}


def overlay_of(place: Place) -> Overlay:
    """The overlay of a place: one for this process, until others write to the place.

    StoreError if the place cannot be read, OSError if there is no room for temporary files.
    """
    made = _OVERLAYS.get(str(place))
    if made is None or made.seen != read_manifest(place).batches:
        made = _OVERLAYS[str(place)] = Overlay(place)
    return made


def remove_overlay(place: Place) -> bool:
    """Remove this process's overlay of a place; False if there is none."""
    made = _OVERLAYS.pop(str(place), None)
    if made is not None:
        made.end()
    return made is not None
