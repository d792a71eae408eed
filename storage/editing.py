"""Changes by the user: tags of matches, and removal of matches that were ingested by mistake.

Both are commits like those of an ingest: visible at once or not at all, one writer after the other.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ..parsers.sources import WishError
from ..schema.columns import schema
from .index import Index
from .integrity import blaming
from .ledger import FORGOTTEN, KNOWN, PART, REPLACED, is_called, lies_in, reopen, take_back
from .locations import Place, StoreError, nothing_in, place_of, reason
from .manifest import Batch, Part, commit, locked, read_manifest, readable, staging
from .names import expanded_match, matches_beginning, matches_called
from .publishing import OF_MATCHES, Changes, damaged_hands, home_of, ids_in
from .tags import TAGS, Tags, check_tag, next_time, tags_table
from .writer import BatchWriter

NOTES: Final = "notes"


@dataclass(frozen=True)
class _File:
    file_id: int
    path: str


@dataclass(frozen=True)
class _Match:
    match_id: int
    file_id: int
    event: str
    hands: int
    path: str


@dataclass(frozen=True)
class Chosen:
    """The changes of a command: matches, their hands, and files that are no longer in the store."""

    matches: int
    hands: int
    files: int = 0


def tag(store: str | Path | Place, names: Sequence[str], tags: Tags, event: str | None = None) -> Chosen:
    """Give matches tags, or take tags away where the value is None.

    names  each a match_id or its beginning, a file as FILE or FOLDER/FILE, or a folder
    event  all matches of an event; with names, only those among them
    WishError for a name that no match has, and for a tag that cannot be; StoreError if the store cannot be written.
    """
    for name in tags:
        check_tag(name)
    with _editing(store) as (place, folder, live):
        matches, _ = _chosen(_matches(place, live), (), _expanded(place, names), event)
        writer = BatchWriter(folder)
        rows = ((match.match_id, name, value) for match in matches for name, value in tags.items())
        writer.add(TAGS, tags_table(rows, next_time(place, live)))
        if (made := writer.close()) is not None:
            commit(place, [(folder, made)])
    return Chosen(len(matches), sum(match.hands for match in matches))


def forget(store: str | Path | Place, names: Sequence[str], event: str | None = None) -> Chosen:
    """Remove matches, or whole files, as if they had never been read; a file can then be ingested again.

    Files that left out hands because these were stored already are reopened: given again, they are read again.
    A file of which some matches stay is not read again. Parameters and errors as of `tag`.
    """
    with _editing(store) as (place, folder, live):
        index = Index()
        index.read(place, read_manifest(place))
        every, listed = _matches(place, live), _files(place, live)
        matches, named = _chosen(every, listed, _expanded(place, names), event)
        ids = {match.match_id for match in matches}
        held = {match.file_id for match in every if match.match_id not in ids}
        whole = ({match.file_id for match in matches} | named) - held
        changes = Changes()
        _drop_matches(place, live, index, ids, changes)
        for match in matches:
            stored = index.match(match.match_id)
            home = index.file(match.file_id)
            if match.file_id not in whole and stored is not None and home is not None:
                taken = partial(
                    take_back,
                    file_id=match.file_id,
                    hands=match.hands,
                    damaged=damaged_hands(place, stored),
                    why=FORGOTTEN,
                )
                changes.add(home.batch, "files", taken)
        _drop_files(place, live, index, whole, changes)
        paths = {match.path for match in matches}
        if matches:
            whys = [KNOWN, REPLACED, *(PART.format(path) for path in sorted(paths))]
            for batch in live:
                if _says(place, batch, whys):
                    changes.add(batch.name, "files", partial(reopen, whys=whys))
        made = [
            (folder, new)
            for batch in live
            if batch.name in changes.by_batch
            for new in changes.rewritten(place, batch, folder)
        ]
        if changes.by_batch:
            commit(place, made, drop=list(changes.by_batch))
    return Chosen(len(matches), sum(match.hands for match in matches), len(whole))


def write_notes(store: str | Path | Place, notes: Mapping[int, Sequence[Mapping[str, Any]]]) -> None:
    """Replace the notes of some matches, by match_id: all rows of the table `notes` that each has then.

    A match that is no longer in the store is left out.
    """
    with _editing(store) as (place, folder, live):
        index = Index()
        index.read(place, read_manifest(place))
        changes = Changes()
        for match_id, rows in notes.items():
            stored = index.match(match_id)
            if stored is not None:
                changes.drop_rows(stored.batch, NOTES, "match_id", pa.array([match_id], pa.uint64()))
                changes.add_rows(
                    stored.batch, NOTES, pa.Table.from_pylist([dict(row) for row in rows], schema(NOTES))
                )
        if changes.by_batch:
            made = [
                (folder, new)
                for batch in live
                if batch.name in changes.by_batch
                for new in changes.rewritten(place, batch, folder)
            ]
            commit(place, made, drop=list(changes.by_batch))


@contextmanager
def _editing(store: str | Path | Place) -> Iterator[tuple[Place, Path, list[Batch]]]:
    """Hold the lock of a store that has something: its place, a folder for new parts, and its batches."""
    place = place_of(store)
    if not read_manifest(place).batches:
        raise nothing_in(place)
    try:
        with blaming(place), locked(place), staging(place) as folder:
            yield place, folder, read_manifest(place).batches
    except OSError as error:
        raise StoreError(f"{place} cannot be written: {reason(error)}") from None


def _drop_matches(
    place: Place, live: Sequence[Batch], index: Index, ids: Collection[int], changes: Changes
) -> None:
    homes: dict[str, list[int]] = {}
    for match_id in ids:
        stored = index.match(match_id)
        assert stored is not None
        homes.setdefault(stored.batch, []).append(match_id)
    for name, some in homes.items():
        for table in OF_MATCHES:
            changes.drop_rows(name, table, "match_id", pa.array(some, pa.uint64()))
    for batch in live:
        if tagged := ids_in(place, batch, TAGS, "match_id") & set(ids):
            changes.drop_rows(batch.name, TAGS, "match_id", pa.array(sorted(tagged), pa.uint64()))


def _drop_files(
    place: Place, live: Sequence[Batch], index: Index, whole: Collection[int], changes: Changes
) -> None:
    for file_id in whole:
        changes.drop_rows(home_of(index, file_id), "files", "file_id", pa.array([file_id], pa.uint64()))
    for batch in live if whole else ():
        if listed := ids_in(place, batch, "unknown_lines", "file_id") & set(whole):
            changes.drop_rows(batch.name, "unknown_lines", "file_id", pa.array(sorted(listed), pa.uint64()))


def _says(place: Place, batch: Batch, whys: Sequence[str]) -> bool:
    """Whether a row of `files` left out hands for one of some reasons."""
    rows = _columns(place, batch.of("files"), ["status", "reason"])
    return any(
        status in ("ignored", "partial") and any(f": {why}" in (said or "") for why in whys)
        for status, said in rows
    )


def _columns(place: Place, parts: Sequence[Part], names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    for part in parts:
        with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
            rows = file.read(list(names))
        yield from zip(*(rows[name].to_pylist() for name in names), strict=True)


def _files(place: Place, live: Sequence[Batch]) -> list[_File]:
    parts = [part for batch in live for part in batch.of("files")]
    return [_File(*row) for row in _columns(place, parts, ["file_id", "path"])]


def _matches(place: Place, live: Sequence[Batch]) -> list[_Match]:
    paths = {file.file_id: file.path for file in _files(place, live)}
    parts = [part for batch in live for part in batch.of("matches")]
    rows = _columns(place, parts, ["match_id", "file_id", "event", "hands"])
    return [
        _Match(match_id, file_id, event, hands, paths.get(file_id) or "")
        for match_id, file_id, event, hands in rows
    ]


def _expanded(place: Place, names: Sequence[str]) -> list[str]:
    return [expanded_match(place, name) for name in names]


def _chosen(
    matches: Sequence[_Match], files: Sequence[_File], names: Sequence[str], event: str | None
) -> tuple[list[_Match], set[int]]:
    """The matches, and the files, of some names."""
    if not names and event is None:
        raise WishError("name a match, a file or a folder, or give --event")
    among = [match for match in matches if event in (None, match.event)]
    if not among and event is not None:
        raise WishError(f"no match is of the event {event!r}")
    if not names:
        return among, set()
    chosen: dict[int, _Match] = {}
    whole: set[int] = set()
    for name in names:
        named = {file.file_id for file in files if event is None and is_called(file.path, name)}
        found = matches_called(among, name)
        if not found and not named:
            found = [match for match in among if lies_in(match.path, name)]
            named = {file.file_id for file in files if event is None and lies_in(file.path, name)}
        if not found and not named:
            found, is_clear = matches_beginning(among, name)
            if found and not is_clear:
                raise WishError(f"{name!r} begins several names; give more of it, or a match_id")
        if not found and not named:
            raise WishError(f"no match, file or folder is called {name!r}; `railbird bankroll` lists them")
        chosen |= {match.match_id: match for match in found}
        whole |= named
    return list(chosen.values()), whole
