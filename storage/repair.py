"""Repair removes damaged parts and all rows that depend on them, so that an ingest reads their logs again.

A damaged batch is taken out as a whole. What its other parts say of logs that need not be read again stays, and so do
tags. Equities follow from the rest and are computed anew.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from ..parsers.chunks import examine
from ..parsers.sources import Source, SourceError, reading
from .index import Index, path_id
from .integrity import check, obvious
from .locations import Folder, Place, StoreError
from .manifest import Batch, Manifest, Part, commit, damaged, leave_out, read_manifest
from .publishing import OF_MATCHES, Changes, Mended, home_of, ids_in
from .tags import TAGS
from .writer import BatchWriter, rows_in

_COMPUTED: Final = frozenset(("equities", "counted"))
_INDEXED: Final = ("files", "matches")
"""The tables that every ingest reads."""
_KEPT: Final = ("files", "unknown_lines", "games", TAGS)
"""Tables of a damaged batch whose rows may stay: they belong to a file, a game or the user."""
_NAMED: Final = 5
_BLOCK: Final = 1 << 20


Complain = Callable[[str], None]


class NotGiven(StoreError):
    """Not all logs of a damaged part are given; the message names the others."""


def mend_obvious(place: Place, folder: Path, given: Sequence[Source], complain: Complain) -> Mended | None:
    """Repair what an ingest would stumble on: parts that are missing or no Parquet, and those of its index.

    folder    the staging folder; the caller holds the lock
    complain  takes a line, if not all logs that are to be read again are given; StoreError if the index needs them
    """
    manifest = read_manifest(place)
    found = [*obvious(place, manifest)]
    if isinstance(place, Folder):
        parts = (part for table in _INDEXED for part in manifest.parts(table))
        found += [one for one in check(place, parts) if one.problem]
    try:
        return _mend(place, folder, given) if found else None
    except NotGiven as error:
        if any(one.part.table in _INDEXED for one in found):
            raise
        complain(str(error))
        return None


def mend_behind(
    place: Place, folder: Path, given: Sequence[Source], complain: Complain, files: Collection[int]
) -> Mended | None:
    """Repair the damage in batches that hold rows of some files, by id. Parameters as of `mend_obvious`.

    Of a bucket nothing is read: its server has checksums of its own.
    """
    if not files or not isinstance(place, Folder):
        return None
    manifest, index = read_manifest(place), Index()
    index.read(place, manifest)
    names = {home_of(index, file_id) for file_id in files if index.file(file_id)}
    names |= {match.batch for file_id in files for match in index.matches_of(file_id)}
    # Tags and games alone belong to no file.
    names |= {batch.name for batch in manifest.batches if not batch.of("files") and not batch.of("matches")}
    parts = [part for batch in manifest.batches if batch.name in names for part in batch.parts]
    try:
        return _mend(place, folder, given) if any(one.problem for one in check(place, parts)) else None
    except NotGiven as error:
        complain(str(error))
        return None


def _mend(place: Place, folder: Path, given: Sequence[Source]) -> Mended:
    manifest = read_manifest(place)
    bad = [
        one
        for one in check(place, (part for batch in manifest.batches for part in batch.parts))
        if one.problem
    ]
    names = {one.part.name for one in bad}
    broken = [batch for batch in manifest.batches if any(part.name in names for part in batch.parts)]
    if {one.part.table for one in bad} <= _COMPUTED:
        leave_out(place, {part.name for batch in broken for part in batch.parts if part.table in _COMPUTED})
        return Mended(sorted(names))
    live = [batch for batch in manifest.batches if batch not in broken]
    index = Index()
    index.read(place, Manifest(live))
    lost = _Lost(place, index, live, broken, names)
    need = lost.files()
    found, are_new = _given(need, given, lost.known())
    one = bad[0]
    if absent := [file for file_id, file in need.items() if file_id not in found]:
        paths = sorted(file.path or "the other logs of the store" for file in absent)
        more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
        said = ", ".join(paths[:_NAMED]) + more
        raise NotGiven(f"{damaged(place, one.part, one.problem)}; to repair it, ingest also {said}")
    gone = lost.nameless()
    if gone != frozenset() and not are_new:
        raise NotGiven(
            f"{damaged(place, one.part, one.problem)}; {_of_which(gone)}: ingest all logs of the store"
        )
    changes = Changes()
    for file_id in need:
        for match in index.matches_of(file_id):
            for table in OF_MATCHES:
                changes.drop_rows(match.batch, table, "match_id", pa.array([match.match_id], pa.uint64()))
        if index.file(file_id):
            changes.drop_rows(home_of(index, file_id), "files", "file_id", pa.array([file_id], pa.uint64()))
    for batch in live if need else ():
        if ids := sorted(ids_in(place, batch, "unknown_lines", "file_id") & need.keys()):
            changes.drop_rows(batch.name, "unknown_lines", "file_id", pa.array(ids, pa.uint64()))
    made = [
        new
        for batch in live
        if batch.name in changes.by_batch
        for new in changes.rewritten(place, batch, folder)
    ]
    made += filter(None, [lost.kept(folder, need)])
    dropped = [*changes.by_batch, *(batch.name for batch in broken)]
    commit(place, [(folder, batch) for batch in made], drop=dropped)
    return Mended(sorted(names), len(need), any(batch.of("notes") for batch in broken), gone)


def _of_which(gone: frozenset[int] | None) -> str:
    """What is lost with a damaged part, in words."""
    if gone is None:
        return "its matches and their logs are unknown"
    return f"the logs of {len(gone):,} of its matches are unknown"


def tell_gone(place: Place, mended: Mended, complain: Complain) -> None:
    """After an ingest that followed a repair: say which matches are not stored again, if nothing names their logs."""
    said = _of_which(mended.gone)
    if mended.gone is not None:
        index = Index()
        if mended.gone:
            index.read(place, read_manifest(place))
        missing = sum(index.match(match_id) is None for match_id in mended.gone)
        if not missing:
            return
        said += f"; {missing:,} of them {'is' if missing == 1 else 'are'} not in the store again"
    complain(f"{place}/{mended.parts[0]} was damaged, and {said}: ingest all logs of the store")


@dataclass(frozen=True)
class _File:
    """A file as its row has it; without a row neither path nor size is known."""

    file_id: int
    path: str = ""
    size: int = 0


@dataclass(frozen=True)
class _Lost:
    """The facts about broken batches.

    names  the damaged parts
    """

    place: Place
    index: Index
    live: Sequence[Batch]
    broken: Sequence[Batch]
    names: Collection[str]

    def intact(self, table: str) -> list[Part]:
        """The undamaged parts of a table in the broken batches."""
        return [part for batch in self.broken for part in batch.of(table) if part.name not in self.names]

    def has_lost(self, table: str) -> bool:
        """True if a part of the table is damaged."""
        return any(name.partition("/")[0] == table for name in self.names)

    def files(self) -> "dict[int, _File]":
        """The files that must be read again, by id."""
        there = [part for batch in self.live for part in batch.of("files")]
        rows = list(self._rows([*there, *self.intact("files")], "file_id", "path", "bytes", "matches"))
        known = {file_id: _File(file_id, path, size or 0) for file_id, path, size, _ in rows}
        ids = {file_id for file_id, _ in self._rows(self.intact("matches"), "file_id", "match_id")}
        (held,) = self.index.columns("file_id")
        stored = Counter(held.tolist())
        if self.has_lost("matches"):
            ids |= {file_id for file_id, _, _, matches in rows if (matches or 0) > stored[file_id]}
        if self.has_lost("files"):
            ids |= stored.keys() - known.keys()
        if self.has_lost("unknown_lines"):
            ids |= {file_id for (file_id,) in self._rows(self.intact("files"), "file_id")}
        if self.has_lost("games"):
            ids |= self._of_lost_games()
        return {file_id: known.get(file_id) or _File(file_id) for file_id in ids}

    def known(self) -> set[int]:
        """The files whose rows are left."""
        there = [part for batch in self.live for part in batch.of("files")]
        return {file_id for (file_id,) in self._rows([*there, *self.intact("files")], "file_id")}

    def nameless(self) -> frozenset[int] | None:
        """The matches of which neither their own rows nor those of a file are left, by id; None if no id is left.

        Their hands' rows have the ids. A file's row has the number of its matches, which explains as many.
        """
        if not (self.has_lost("files") and self.has_lost("matches")):
            return frozenset()
        left = [table for table in OF_MATCHES if table != "matches" and self.intact(table)]
        if not left:
            return None
        ids = {match_id for table in left for match_id in self._distinct(table, "match_id")}
        held = Counter(file_id for (file_id,) in self._rows(self.intact("matches"), "file_id"))
        ids -= {match_id for (match_id,) in self._rows(self.intact("matches"), "match_id")}
        stored, ids_of_live = self.index.columns("file_id", "match_id")
        ids -= set(ids_of_live.tolist())
        held.update(stored.tolist())
        there = [part for batch in self.live for part in batch.of("files")]
        rows = self._rows([*there, *self.intact("files")], "file_id", "matches")
        explained = sum(max((matches or 0) - held[file_id], 0) for file_id, matches in rows)
        return frozenset(ids) if len(ids) > explained else frozenset()

    def _distinct(self, table: str, name: str) -> set[Any]:
        return {
            value
            for part in self.intact(table)
            for rows in rows_in(self.place, part)
            for value in rows[name].unique().to_pylist()
        }

    def _of_lost_games(self) -> set[int]:
        """A file of each game of which no row is left."""
        parts = [part for batch in self.live for part in batch.of("games")]
        named = {game for (game,) in self._rows([*parts, *self.intact("games")], "game")}
        matches = [part for batch in self.live for part in batch.of("matches")]
        files = dict(self._rows(matches, "game", "file_id"))
        return {file_id for game, file_id in files.items() if game not in named}

    def _rows(self, parts: Iterable[Part], *names: str) -> Iterator[tuple[Any, ...]]:
        for part in parts:
            with pq.ParquetFile(self.place.open(part.name)) as file:
                rows = file.read(list(names))
            yield from zip(*(rows[name].to_pylist() for name in names), strict=True)

    def kept(self, folder: Path, need: Collection[int]) -> Batch | None:
        """A new batch of what stays of the broken ones."""
        import pyarrow.compute as pc

        writer = BatchWriter(folder)
        ids = pa.array(sorted(need), pa.uint64())
        for table in _KEPT:
            for part in self.intact(table):
                for rows in rows_in(self.place, part):
                    is_of_file = table in ("files", "unknown_lines")
                    gone = pc.is_in(rows["file_id"], ids) if is_of_file else None
                    writer.add(table, rows if gone is None else rows.filter(pc.invert(gone)))
        return writer.close()


def _given(
    need: Mapping[int, _File], given: Sequence[Source], known: Collection[int]
) -> tuple[set[int], bool]:
    """The files that are given, and whether any is not among the known. One that has grown is given: its beginning is
    the file that was read.
    """
    found, are_new = set(), False
    earlier: dict[str, list[_File]] = {}
    for file in need.values():
        earlier.setdefault(file.path, []).append(file)
    for source in given:
        # A file that cannot be opened is known by its path.
        found.add(path_id(source.path))
        with suppress(SourceError), closing(examine(source)) as opened:
            found.add(opened.file_id)
            is_grown = False
            for file in earlier.get(source.path, ()):
                with reading(), source.open() as stream:
                    if file.size <= opened.file_size and _hash_of(stream, file.size) == file.file_id:
                        found.add(file.file_id)
                        is_grown = True
            are_new |= opened.file_id not in known and not is_grown
    return found, are_new


def _hash_of(stream: IO[bytes], size: int) -> int:
    """The hash of a stream's first bytes."""
    digest = xxhash.xxh3_64()
    while size and (block := stream.read(min(size, _BLOCK))):
        digest.update(block)
        size -= len(block)
    return digest.intdigest()
