"""What the store asks of the place where it lies, be it a folder or a bucket of an object store."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from ..parsers.sources import MANIFEST as MANIFEST

STAGING: Final = "staging"
LOCK: Final = "lock"
PENDING: Final = "_pending"
"""The folder of parts that a commit has not yet moved to their tables' folders."""
RETIRED: Final = "_retired"
"""The folder of replaced parts, kept for readers that opened the store before."""


class StoreError(Exception):
    """A store that cannot be read or written; the message is one line for the user."""


def nothing_in(place: "Place") -> StoreError:
    """The error of who asks a store that has no tables, or none."""
    if place.exists():
        return StoreError(f"{place}: the store is empty")
    return StoreError(f"{place}: no store is there; `railbird ingest LOGS` makes one, --store names another")


def spots(part: str) -> tuple[str, str, str]:
    """The names under which a part may lie, in the order in which it moves: looking in this order never misses it."""
    return f"{PENDING}/{part}", part, f"{RETIRED}/{part}"


def spot_of(name: str) -> tuple[str, str]:
    """Where an object lies, PENDING, RETIRED or its table's folder (""), and the name of its part."""
    first, _, rest = name.partition("/")
    return (first, rest) if first in (PENDING, RETIRED) else ("", name)


class Place(ABC):
    """A store's objects by name (`seats/1f.parquet`), and its lock. str() is the place as the user named it.

    Methods raise OSError where the place cannot be read or written.
    """

    @abstractmethod
    def exists(self) -> bool:
        """True where anything is there."""

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """An object's bytes; None where there is none."""

    @abstractmethod
    def replace(self, name: str, data: bytes) -> None:
        """Put an object in place of the old one, in one step."""

    @abstractmethod
    def open(self, name: str) -> Any:
        """A part for `pyarrow.parquet.ParquetFile`, wherever it lies."""

    @abstractmethod
    def bring(self, staged: Sequence[tuple[Path, str]]) -> None:
        """Make objects of staged files, (file, name) each; the files need not outlast it."""

    @abstractmethod
    def move(self, names: Sequence[tuple[str, str]]) -> None:
        """Rename objects, (from, to) each; one that is no longer there was moved before."""

    @abstractmethod
    def remove(self, names: Sequence[str]) -> None:
        """Remove objects that may be gone already."""

    @abstractmethod
    def sizes(self) -> dict[str, int]:
        """The bytes of every part there is, by the name under which it lies, in the manifest or not."""

    @abstractmethod
    def has_strangers(self) -> bool:
        """True where other things lie here than a store's."""

    @abstractmethod
    def locked(self) -> AbstractContextManager[None]:
        """Hold the lock, others wait; the place is made where it is new."""

    @abstractmethod
    def confirm(self) -> None:
        """Raise StoreError where the lock was lost meanwhile."""

    @abstractmethod
    def staging(self) -> AbstractContextManager[Path]:
        """A folder of one's own for parts in the making; it is entered under the lock."""

    @abstractmethod
    def forget(self) -> None:
        """Remove what `locked` and `staging` made of a place that holds no store; the caller holds the lock."""


def reason(error: OSError) -> str:
    """Why something cannot be read or written, on one line."""
    text = (error.strerror or str(error)).split("\n")[0]
    # The AWS library tells what it did before it tells what went wrong.
    return text[text.find("AWS Error") :] if "AWS Error" in text else text


def failure(error: BaseException | None) -> str:
    """An error that nobody foresaw, on one line: its kind, and the first line of what it says."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
