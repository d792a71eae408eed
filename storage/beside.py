"""What is added to a store that can only be read: it lies in a temporary folder, as long as the process runs."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Lock
from typing import Any
from weakref import finalize

from .folder import Folder
from .manifest import read_manifest
from .place import Place, spots


class Beside(Place):
    """A place as it was when this was made, and what is written since, which the place itself never sees."""

    def __init__(self, base: Place) -> None:
        """OSError where there is no room for temporary files."""
        self.base = base
        self.seen = read_manifest(base).batches
        folder = mkdtemp(prefix="railbird-")
        self.own = Folder(Path(folder))
        self.end = finalize(self, rmtree, folder, ignore_errors=True)
        """Removes the folder; at the latest at the end of the process."""
        self._lock = Lock()

    def __str__(self) -> str:
        return str(self.base)

    def is_own(self, name: str) -> bool:
        """True for what was written since."""
        return any((self.own.root / spot).exists() for spot in spots(name))

    def exists(self) -> bool:
        """True where anything is there."""
        return self.base.exists()

    def read(self, name: str) -> bytes | None:
        """An object's bytes; None where there is none."""
        own = self.own.read(name)
        return self.base.read(name) if own is None else own

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
        """Rename objects that were written since."""
        self.own.move(names)

    def remove(self, names: Sequence[str]) -> None:
        """Remove objects that were written since."""
        self.own.remove(names)

    def sizes(self) -> dict[str, int]:
        """The bytes of every part there is, by name."""
        return self.base.sizes() | self.own.sizes()

    def has_strangers(self) -> bool:
        """True where other things lie here than a store's."""
        return self.base.has_strangers()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock among the threads of this process: nobody else writes here."""
        with self._lock:
            yield

    def confirm(self) -> None:
        """The lock cannot be lost."""

    def staging(self) -> AbstractContextManager[Path]:
        """A folder of one's own for parts in the making."""
        return self.own.staging()

    def forget(self) -> None:
        """Nothing was made of the place itself."""


_MADE: dict[str, Beside] = {}


def beside(place: Place) -> Beside:
    """What lies beside a place: the same in all of this process, until others write to the place.

    StoreError where the place cannot be read, OSError where there is no room for temporary files.
    """
    made = _MADE.get(str(place))
    if made is None or made.seen != read_manifest(place).batches:
        made = _MADE[str(place)] = Beside(place)
    return made


def end(place: Place) -> bool:
    """Remove what this process added beside a place; False where it added nothing."""
    made = _MADE.pop(str(place), None)
    if made is not None:
        made.end()
    return made is not None
