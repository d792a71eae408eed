"""A store in a folder, of one machine or shared by several."""

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from ..schema.columns import TABLES
from .place import PENDING, RETIRED, STAGING, Place, spots

_LOCK: Final = ".lock"
_FRESH: Final = ".new"
_ABANDONED: Final = 600.0
"""Seconds; to write and rename an object takes a moment."""
_SYNCED_AT_ONCE: Final = 8


class Folder(Place):
    """A store in a folder, of one machine or shared by several."""

    def __init__(self, root: Path) -> None:
        """The folder need not exist; it is called as it is here."""
        # Arrow and DuckDB read more into a name than a file's: `~x`, `gs:x`.
        self.root, self._said = Path(os.path.abspath(root)), str(root)

    def __str__(self) -> str:
        return self._said

    def exists(self) -> bool:
        """True where a folder, or a file, is there."""
        return self.root.exists()

    def read(self, name: str) -> bytes | None:
        """An object's bytes; None where there is none."""
        try:
            return (self.root / name).read_bytes()
        except FileNotFoundError:
            return None

    def replace(self, name: str, data: bytes) -> None:
        """Put an object in place of the old one, in one step."""
        # Not every writer holds the lock.
        fresh = self.root / f".{name}.{os.urandom(8).hex()}{_FRESH}"
        try:
            with fresh.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.root / name)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise

    def open(self, name: str) -> Any:
        """The path of a part's file, wherever it lies."""
        for spot in spots(name):
            if (path := self.root / spot).exists():
                return path
        return self.root / name

    def bring(self, staged: Sequence[tuple[Path, str]]) -> None:
        """Move files into the store, once a loss of power can no longer empty them."""
        # One after the other they would take three times as long.
        with ThreadPoolExecutor(_SYNCED_AT_ONCE) as pool:
            list(pool.map(_sync, [path for path, _ in staged]))
        self._make_folders([name for _, name in staged])
        for path, name in staged:
            path.rename(self.root / name)

    def _make_folders(self, names: Sequence[str]) -> None:
        for folder in {(self.root / name).parent for name in names}:
            folder.mkdir(parents=True, exist_ok=True)

    def move(self, names: Sequence[tuple[str, str]]) -> None:
        """Rename files, (from, to) each; one that is no longer there was moved before."""
        self._make_folders([after for _, after in names])
        for before, after in names:
            with suppress(FileNotFoundError):
                (self.root / before).rename(self.root / after)

    def remove(self, names: Sequence[str]) -> None:
        """Remove files that may be gone already."""
        for name in names:
            (self.root / name).unlink(missing_ok=True)

    def sizes(self) -> dict[str, int]:
        """The bytes of every part there is, by the name under which it lies."""
        found = {}
        # In the order in which parts move: another process may be moving them.
        for folder in (f"{PENDING}/", "", f"{RETIRED}/"):
            for table in TABLES:
                with suppress(FileNotFoundError), os.scandir(self.root / folder / table) as entries:
                    for entry in entries:
                        if entry.name.endswith(".parquet"):
                            with suppress(FileNotFoundError):
                                found[f"{folder}{table}/{entry.name}"] = entry.stat().st_size
        return found

    def has_strangers(self) -> bool:
        """True where the folder holds other things than a store's."""
        return self.root.is_dir() and any(
            path.name not in (STAGING, PENDING, RETIRED, *TABLES) and path.name[0] != "."
            for path in self.root.iterdir()
        )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold an advisory lock of the operating system, which ends with the process."""
        with self._lock_file():
            yield

    def _lock_file(self) -> BinaryIO:
        """The lock's file, locked, and still the one that others find."""
        import fcntl

        path = self.root / _LOCK
        while True:
            self.root.mkdir(parents=True, exist_ok=True)
            try:
                file = path.open("wb")
            except FileNotFoundError:
                # The last holder removed the folder just now.
                if self.root.exists():
                    raise
                continue
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
                # Where the last holder removed the file, the next one holds another.
                with suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                        return file
            except BaseException:
                file.close()
                raise
            file.close()

    def confirm(self) -> None:
        """Only the process's end takes this lock away."""

    @contextmanager
    def staging(self) -> Iterator[Path]:
        """A folder below `staging/`; those of killed processes are removed, and what they wrote beside it."""
        import fcntl

        home = self.root / STAGING
        home.mkdir(parents=True, exist_ok=True)
        folder = home / f"{os.getpid()}-{os.urandom(4).hex()}"
        folder.mkdir()
        with (folder / ".owner").open("wb") as owner:
            fcntl.flock(owner, fcntl.LOCK_EX)
            try:
                _sweep_staging(home)
                _sweep_fresh(self.root)
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def forget(self) -> None:
        """Remove the folders, where they are empty, and the lock's file."""
        within = (f"{folder}/{table}" for folder in (PENDING, RETIRED) for table in TABLES)
        for name in (*within, PENDING, RETIRED, *TABLES, STAGING):
            with suppress(OSError):
                (self.root / name).rmdir()
        # From here on another may hold the lock.
        with suppress(OSError):
            (self.root / _LOCK).unlink()
        with suppress(OSError):
            self.root.rmdir()


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _sweep_fresh(root: Path) -> None:
    """Remove what was to replace an object, and did not within minutes."""
    for path in root.glob(f".*{_FRESH}"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _ABANDONED:
                path.unlink()


def _sweep_staging(home: Path) -> None:
    """Remove staging folders without an owner; the caller holds the lock, so none is just being made."""
    import fcntl

    for folder in home.iterdir():
        # Its maker may have been killed before it wrote the file.
        with suppress(OSError), (folder / ".owner").open("ab") as owner:
            fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
