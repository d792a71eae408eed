"""The manifest: which parts make up the store, and how a change becomes visible at once or not at all.

A store is a folder, or a prefix of a bucket, with one folder a table. A *batch* is a set of parts with one name.

Parts are written to a staging folder first. A commit, under the store's lock, moves them to PENDING and replaces
`manifest.json` in one step. Then it moves the replaced parts from their tables' folders to RETIRED, and the new ones
from PENDING to the tables' folders, so that `TABLE/*.parquet` is what the manifest names. Retired parts stay for GRACE
seconds, for readers that know the old manifest; a later writer removes them. After a writer was killed, the next one
finishes these moves, or removes the parts that no manifest names (`_settle`). Readers go by the manifest and look for
a part in all three folders, in the order in which it moves.
"""

import json
import os
import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..schema.columns import TABLES, digest
from .locations import MANIFEST, PENDING, RETIRED, Place, place_of, reason, spot_of
from .locations import StoreError as StoreError

FORMAT: Final = f"11-{digest()}"
"""The schema version: a number, which grows if files are written otherwise, and the digest of their columns."""

GRACE: Final = 3600.0
"""Seconds for which replaced parts are kept."""


_PART_FILE: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*\.parquet")
"""Names of parts' files: none of another folder."""


class NoStore(StoreError):
    """A folder that has files, but not a store's."""


class NotWritable(StoreError):
    """A store that cannot be written; it may be readable."""


@dataclass(frozen=True)
class Part:
    """A file of a table, and its hash.

    digest: BLAKE2b of the file, 16 bytes as hex digits
    """

    table: str
    file: str
    digest: str = ""

    @property
    def name(self) -> str:
        """Its name in the store."""
        return f"{self.table}/{self.file}"

    def path(self, root: Path) -> Path:
        """Its file below a store's folder or a staging folder."""
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
    """The live batches in the order of their commits; retired: names of replaced parts and the time of it."""

    batches: list[Batch] = field(default_factory=list)
    retired: dict[str, float] = field(default_factory=dict)

    def parts(self, table: str) -> list[Part]:
        """The live parts of a table."""
        return [part for batch in self.batches for part in batch.of(table)]


def read_manifest(root: Path | Place) -> Manifest:
    """The manifest of a store, empty if the place is new; StoreError if it is not a store."""
    place = place_of(root)
    try:
        if intruder := place.intruder():
            raise StoreError(f"{place}/{intruder}")
        text = place.read(MANIFEST)
        if text is None and place.has_strangers():
            raise NoStore(f"{place} is not a railbird store: it has other files but no {MANIFEST}")
    except OSError as error:
        raise StoreError(f"{place} cannot be read: {reason(error)}") from None
    if text is None:
        if place.sizes():
            raise StoreError(
                f"{place} holds a store's tables and no {MANIFEST}: it was lost, or not copied yet"
            )
        return Manifest()
    try:
        data = _as(dict, json.loads(text))
        version = data.get("schema_version")
        # railbird 0.1.0 wrote "format" instead.
        if version != FORMAT and (version is not None or "format" in data):
            has = "no schema version" if version is None else f"schema version {version}"
            raise StoreError(f"{place} has {has}, this railbird reads {FORMAT}: ingest the logs again")
        if version is None:
            raise KeyError
        retired = _as(dict, data.get("retired", {}))
        return Manifest(
            [_batch(row) for row in _as(list, data["batches"])],
            {name: float(_as((int, float), at)) for name, at in retired.items()},
        )
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise StoreError(f"{place}/{MANIFEST} is not a manifest") from None


def _as(kind: type | tuple[type, ...], value: Any) -> Any:
    """A value of a manifest; TypeError if it has another type."""
    if not isinstance(value, kind):
        raise TypeError
    return value


def _batch(row: Any) -> Batch:
    return Batch(_as(str, row["name"]), tuple(map(_part, _as(list, row["parts"]))))


def _part(row: Any) -> Part:
    table, file, digest = _as(list, row)
    if table not in TABLES or not _PART_FILE.fullmatch(_as(str, file)):
        raise ValueError
    return Part(_as(str, table), _as(str, file), _as(str, digest))


def _write_manifest(place: Place, manifest: Manifest) -> None:
    data = {
        "schema_version": FORMAT,
        "batches": [
            {"name": b.name, "parts": [[p.table, p.file, p.digest] for p in b.parts]}
            for b in manifest.batches
        ],
        "retired": manifest.retired,
        # No two manifests are equal, so a writer sees if another wrote since it read.
        "word": os.urandom(8).hex(),
    }
    place.replace(MANIFEST, json.dumps(data, indent=1).encode())


@contextmanager
def locked(root: Path | Place) -> Iterator[None]:
    """Hold the store's lock while others wait; a new store is created. NotWritable if that fails."""
    place = place_of(root)
    read_manifest(place)
    with ExitStack() as stack:
        try:
            stack.enter_context(place.locked())
        except OSError as error:
            raise unwritable(place, error) from None
        if place.inherited:
            # The last holder may be halted before it replaces the manifest. From now on it cannot.
            _write_manifest(place, read_manifest(place))
        yield


@contextmanager
def staging(root: Path | Place) -> Iterator[Path]:
    """A private folder for unfinished parts, removed afterwards; NotWritable if that fails.

    Enter it under the lock, which need not be held until the end. Leftovers of killed processes, and parts replaced
    long ago, are removed first.
    """
    place = place_of(root)
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(place.staging())
            _settle(place, read_manifest(place))
        except OSError as error:
            raise unwritable(place, error) from None
        yield folder


def unwritable(place: Place, error: OSError) -> NotWritable:
    """The error for a store that the system does not let us write."""
    return NotWritable(f"{place} cannot be written: {reason(error)}")


@contextmanager
def readable(place: Place, part: Part) -> Iterator[None]:
    """A context to read a part in; a failure becomes a StoreError that names the part."""
    try:
        yield
    except FileNotFoundError:
        raise _missing(place, part) from None
    except (OSError, ValueError, LookupError, ArithmeticError, TypeError, NotImplementedError) as error:
        said = str(error).partition("\n")[0]
        raise StoreError(f"{place}/{part.name} cannot be read: {said}") from None


def _missing(place: Place, part: Part) -> StoreError:
    return StoreError(f"{place}/{part.name} is missing, but the store's manifest names it")


def damaged(place: Place, part: Part, problem: str) -> StoreError:
    """The error for a damaged part."""
    return StoreError(
        f"{place}/{part.name} is damaged: {problem}; `railbird ingest` of the same logs repairs it"
    )


def sizes_of(place: Place, manifest: Manifest) -> dict[str, int]:
    """The size in bytes of every live part, by name; StoreError if one is missing."""
    there = {spot_of(name)[1]: size for name, size in place.sizes().items()}
    found = {}
    for batch in manifest.batches:
        for part in batch.parts:
            if part.name not in there:
                raise _missing(place, part)
            found[part.name] = there[part.name]
    return found


def _settle(place: Place, manifest: Manifest) -> None:
    """Move every part to its folder, and remove parts that the manifest does not name or that retired long ago."""
    # One that is missing is the affair of those who read it, and of an ingest that repairs it.
    live = {part.name for batch in manifest.batches for part in batch.parts}
    recent = _recent(manifest, time.time())
    moves, gone = [], []
    for name in place.sizes():
        spot, part = spot_of(name)
        due = "" if part in live else RETIRED if part in recent else None
        if due is None:
            gone.append(name)
        elif spot != due:
            moves.append((name, f"{due}/{part}" if due else part))
    if gone:
        # No other writer was here until now, so no process can still commit these parts.
        place.confirm()
        place.remove(gone)
    place.move(sorted(moves, key=_by_table))


def _by_table(move: tuple[str, str]) -> tuple[str, bool]:
    """The order of moves: table by table, replaced parts first, so that each table changes in the shortest time."""
    spot, part = spot_of(move[1])
    return part.partition("/")[0], spot != RETIRED


def _move(place: Place, brought: Iterable[Part], replaced: Iterable[Part] = ()) -> None:
    """The moves after a commit; if the lock was lost, the next writer makes them."""
    moves = [(part.name, f"{RETIRED}/{part.name}") for part in replaced]
    moves += [(f"{PENDING}/{part.name}", part.name) for part in brought]
    try:
        place.confirm()
    except StoreError:
        return
    place.move(sorted(moves, key=_by_table))


def pending(staged: Iterable[tuple[Path, Part]]) -> list[tuple[Path, str]]:
    """Staged parts as `Place.bring` takes them."""
    return [(part.path(folder), f"{PENDING}/{part.name}") for folder, part in staged]


def _recent(manifest: Manifest, now: float) -> dict[str, float]:
    """The parts that retired recently; the clock that says so may be ahead of this one."""
    return {name: at for name, at in manifest.retired.items() if abs(now - at) < GRACE}


def begun(place: Place) -> Manifest:
    """The manifest, written if it is missing: later, parts without a manifest mean that it was lost."""
    manifest = read_manifest(place)
    if not manifest.batches and place.read(MANIFEST) is None:
        _write_manifest(place, manifest)
    return manifest


def forget_empty(place: Place) -> None:
    """Remove a store in which nothing was committed; the caller holds the lock.

    StoreError if the lock was lost meanwhile; nothing is removed then.
    """
    if not read_manifest(place).batches:
        parts = list(place.sizes())
        place.confirm()
        # The parts go before the manifest: parts without one mean that it was lost.
        place.remove(parts)
        place.forget()


def commit(root: Path | Place, staged: Sequence[tuple[Path | None, Batch]], drop: Sequence[str] = ()) -> None:
    """Add staged batches and drop others in one step; the caller holds the lock.

    staged  (folder with the parts, batch); folder None: the parts are in PENDING already
    drop    names of the batches that are replaced
    StoreError if the lock was lost meanwhile; nothing is changed then.
    """
    place = place_of(root)
    manifest = begun(place)
    place.bring(pending((folder, part) for folder, batch in staged if folder for part in batch.parts))
    now = time.time()
    retired = _recent(manifest, now)
    replaced = [part for batch in manifest.batches if batch.name in drop for part in batch.parts]
    retired |= {part.name: now for part in replaced}
    kept = [b for b in manifest.batches if b.name not in drop]
    place.confirm()
    _write_manifest(place, Manifest(kept + [batch for _, batch in staged], retired))
    _move(place, [part for _, batch in staged for part in batch.parts], replaced)


def extend(root: Path | Place, folder: Path, more: Mapping[str, Sequence[Part]]) -> None:
    """Add staged parts to live batches, by name, in one step; the caller holds the lock.

    Parts of a batch that is no longer live are left out. StoreError if the lock was lost meanwhile.
    """
    place = place_of(root)
    manifest = read_manifest(place)
    live = [batch.name for batch in manifest.batches if batch.name in more]
    added = [part for name in live for part in more[name]]
    place.bring(pending((folder, part) for part in added))
    longer = [Batch(b.name, (*b.parts, *more.get(b.name, ()))) for b in manifest.batches]
    place.confirm()
    _write_manifest(place, Manifest(longer, manifest.retired))
    _move(place, added)


def leave_out(root: Path | Place, names: Collection[str]) -> None:
    """Take some parts out of their batches, in one step; the caller holds the lock.

    StoreError if the lock was lost meanwhile; nothing is changed then.
    """
    place = place_of(root)
    manifest, now = read_manifest(place), time.time()
    gone = [part for batch in manifest.batches for part in batch.parts if part.name in names]
    fewer = [
        Batch(b.name, tuple(part for part in b.parts if part.name not in names)) for b in manifest.batches
    ]
    place.confirm()
    _write_manifest(place, Manifest(fewer, manifest.retired | {part.name: now for part in gone}))
    _move(place, (), gone)
