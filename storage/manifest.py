"""The manifest: which parts make up the store, and how a change becomes visible at once or not at all.

A store is a folder with one folder a table; a *batch* is a set of parts of one name, one a table at most.
Parts are written to `staging/` first. A commit takes the store's lock, moves the parts into the tables'
folders, and puts a new `manifest.json` in place of the old in one step. Whatever a killed process leaves
behind is not in the manifest and is swept away by the next ingest.
"""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..parsers.tables import TABLES

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
STAGING: Final = "staging"


class StoreError(Exception):
    """A store that cannot be read or written; the message is one line for the user."""


class NoStore(StoreError):
    """A folder that holds other things than a store."""


@dataclass(frozen=True)
class Part:
    """A file of a table: its name, and the table's columns that it leaves out."""

    table: str
    file: str
    without: tuple[str, ...] = ()

    def path(self, root: Path) -> Path:
        """Where it lies in a store, or in a staging folder."""
        return root / self.table / self.file


@dataclass(frozen=True)
class Batch:
    """Parts that were committed together."""

    name: str
    parts: tuple[Part, ...]

    def of(self, table: str) -> list[Part]:
        """The parts of a table."""
        return [part for part in self.parts if part.table == table]


@dataclass
class Manifest:
    """The live batches, in the order of their commits."""

    batches: list[Batch] = field(default_factory=list)

    def parts(self, table: str) -> list[Part]:
        """The live parts of a table."""
        return [part for batch in self.batches for part in batch.of(table)]


def read_manifest(root: Path) -> Manifest:
    """The manifest of a store, an empty one where the folder is new; StoreError where it is no store."""
    path = root / MANIFEST
    try:
        text = path.read_text()
    except FileNotFoundError:
        if root.is_dir() and any(
            p.name != STAGING and p.name not in TABLES for p in root.iterdir() if p.name[0] != "."
        ):
            raise NoStore(f"{root} is not a railbird store: it holds other files and no {MANIFEST}") from None
        return Manifest()
    except OSError as error:
        raise StoreError(f"{root} cannot be read: {error.strerror}") from None
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise StoreError(f"{root} has store format {data['format']}, this railbird reads {FORMAT}")
        return Manifest([Batch(b["name"], tuple(map(_part, b["parts"]))) for b in data["batches"]])
    except (ValueError, KeyError, TypeError):
        raise StoreError(f"{path} is not a manifest") from None


def _part(row: list[Any]) -> Part:
    table, file, without = row
    return Part(table, file, tuple(without))


def _write_manifest(root: Path, manifest: Manifest) -> None:
    data = {
        "format": FORMAT,
        "batches": [
            {"name": b.name, "parts": [[p.table, p.file, list(p.without)] for p in b.parts]}
            for b in manifest.batches
        ],
    }
    fresh = root / f".{MANIFEST}.new"
    with fresh.open("w") as file:
        json.dump(data, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(root / MANIFEST)


@contextmanager
def locked(root: Path) -> Iterator[None]:
    """Hold the store's lock, made where there is none; other processes wait. StoreError if it is not writable."""
    import fcntl

    read_manifest(root)
    try:
        root.mkdir(parents=True, exist_ok=True)
        file = (root / ".lock").open("w")
    except OSError as error:
        raise StoreError(f"{root} cannot be written: {error.strerror}") from None
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def staging(root: Path) -> Iterator[Path]:
    """A folder of one's own for parts in the making, removed afterwards; StoreError if it is not writable.

    The caller holds the lock. What killed processes left is swept away first.
    """
    import fcntl

    try:
        (root / STAGING).mkdir(parents=True, exist_ok=True)
        folder = root / STAGING / f"{os.getpid()}-{os.urandom(4).hex()}"
        folder.mkdir()
        owner = (folder / ".owner").open("w")
    except OSError as error:
        raise StoreError(f"{root} cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(owner, fcntl.LOCK_EX)
        _sweep(root, read_manifest(root))
        yield folder
    finally:
        owner.close()
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(root: Path, manifest: Manifest) -> None:
    """Remove what killed processes left: parts outside the manifest, staging folders without an owner."""
    import fcntl

    for table in TABLES:
        live = {part.file for part in manifest.parts(table)}
        for path in (root / table).glob("*.parquet"):
            if path.name not in live:
                path.unlink(missing_ok=True)
    for folder in (root / STAGING).iterdir():
        with suppress(OSError), (folder / ".owner").open("r+") as owner:
            fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)


def commit(root: Path, staged: Sequence[tuple[Path, Batch]], drop: Sequence[str] = ()) -> None:
    """Make staged batches live and others no longer so, at once; the caller holds the lock.

    staged  (folder, batch): where the parts lie
    drop    names of batches that the staged ones replace
    """
    manifest = read_manifest(root)
    for folder, batch in staged:
        for part in batch.parts:
            (root / part.table).mkdir(exist_ok=True)
            part.path(folder).rename(part.path(root))
    kept = [b for b in manifest.batches if b.name not in drop]
    after = Manifest(kept + [batch for _, batch in staged])
    _write_manifest(root, after)
    for batch in manifest.batches:
        if batch.name in drop:
            for part in batch.parts:
                part.path(root).unlink(missing_ok=True)
