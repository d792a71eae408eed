"""The files that an open store reads: they stay readable while a writer moves or removes them."""

import os
import re
from contextlib import suppress
from typing import Final
from weakref import finalize

from .folder import Folder
from .place import spots

_OPENED: Final = "/proc/self/fd"
_OPENED_FILE: Final = re.compile(rf"{_OPENED}/\d+")


class OpenFiles:
    """Files of a store in a folder, opened once.

    DuckDB opens a file again for every query, by its path. A path of an opened file means that file until it is closed,
    whatever becomes of its name. Where a system has no such paths, or a process has opened half of the files it may,
    a path is the file's own, and a query after the file was replaced fails.
    """

    _count = 0

    def __init__(self) -> None:
        """None yet."""
        self._numbers: dict[tuple[Folder, str], int] = {}
        self.close = finalize(self, _close, self._numbers)

    def path(self, place: Folder, part: str) -> str:
        """A path of a part, by its name."""
        number = self._numbers.get((place, part))
        if number is None:
            number = _open(place, part) if OpenFiles._count < _most() else None
            if number is None:
                return str(place.open(part))
            self._numbers[place, part] = number
            OpenFiles._count += 1
        return f"{_OPENED}/{number}"


def _open(place: Folder, part: str) -> int | None:
    for spot in spots(part):
        with suppress(OSError):
            return os.open(place.root / spot, os.O_RDONLY | os.O_CLOEXEC)
    return None


def _most() -> int:
    """How many files all open stores may keep open."""
    if not os.path.isdir(_OPENED):
        return 0
    import resource

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2


def _close(numbers: dict[tuple[Folder, str], int]) -> None:
    OpenFiles._count -= len(numbers)
    while numbers:
        os.close(numbers.popitem()[1])


def with_names(text: str) -> str:
    """A message in which files that are open are called by their names."""

    def name(found: re.Match[str]) -> str:
        with suppress(OSError):
            return os.readlink(found[0]).removesuffix(" (deleted)")
        return found[0]

    return _OPENED_FILE.sub(name, text)
