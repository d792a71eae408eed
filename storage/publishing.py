"""Publishing: what an ingest staged becomes visible in one commit, and what it replaces disappears."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import pyarrow.parquet as pq

from ..variants.properties import Properties, by_name, games_table
from .copies import Copy, Lying, find_copies
from .folder import Folder
from .index import Index, StoredMatch
from .ledger import Account, Unknown, files_table, unknown_table
from .manifest import Batch, commit, read_manifest, readable
from .place import Place
from .writer import BatchWriter


def publish(
    place: Place,
    folder: Path,
    index: Index,
    staged: Sequence[Batch],
    accounts: Iterable[Account],
    replaced: Sequence[StoredMatch],
    stale: Sequence[int],
    revised: Collection[int] = (),
    brought: Sequence[Batch] = (),
    claimed: Sequence[StoredMatch] = (),
) -> list[Copy]:
    """Commit staged batches, the ledger of the files they came from, and what they change in older batches.

    replaced  stored matches of which the staged batches hold longer versions
    stale     files that were read again: what the ledger said of them before goes
    revised   files of which more was read: their accounts take the place of their rows, which say less
    brought   staged batches whose parts are in the store already
    claimed   the matches of the staged batches
    Returns the copies of parts of other matches, new or stored, which are taken out in the same commit.
    """
    known = {account.file_id: account for account in accounts}
    live = read_manifest(place).batches
    lying = [*((Folder(folder), batch) for batch in staged), *((place, batch) for batch in brought)]
    copies = find_copies(index, claimed, live, place, lying)
    stored = [copy for copy in copies if copy.match.batch]
    staged, brought = list(staged), list(brought)
    ledger = BatchWriter(folder)
    if copies:
        _name_files(copies, known, place, index, live)
        own = {copy.match.match_id for copy in copies} - {copy.match.match_id for copy in stored}
        staged, brought = _without(
            folder, lying, [copy for copy in copies if copy.match.match_id in own], brought
        )
        for copy in copies:
            if copy.match.match_id in own or copy.match.file_id in revised:
                account = known[copy.match.file_id]
                account.lose(copy.hands, copy.verdicts["damaged"], copy.reason, int(not copy.kept))
        ledger.add("unknown_lines", unknown_table(map(_said_of, copies)))
    ledger.add("files", files_table(known.values()))
    games, told_less = _new_games(place, live, known.values())
    ledger.add("games", games_table(games))
    batches = staged
    dropped: list[str] = []
    if replaced or stale or revised or stored or told_less:
        # Loads Arrow's compute functions, which most ingests do without.
        from . import rewriting

        again = set(stale)
        longer = [match for match in replaced if match.file_id not in again]
        ledger.add("unknown_lines", unknown_table(rewriting.farewell(place, match) for match in longer))
        changes = rewriting.changes(place, index, replaced, stale, revised, stored)
        for name, of_games in told_less.items():
            rewriting.drop_games(changes, name, of_games)
        for batch in live:
            if batch.name in changes:
                writer = BatchWriter(folder)
                rewriting.rewrite(place, batch, writer, changes[batch.name])
                batches += filter(None, [writer.close()])
        dropped = list(changes)
    batches += filter(None, [ledger.close()])
    there = [(None, batch) for batch in brought]
    commit(place, [*there, *((folder, batch) for batch in batches)], drop=dropped)
    index.forget(dropped)
    return copies


def _new_games(
    place: Place, live: Sequence[Batch], accounts: Iterable[Account]
) -> tuple[list[Properties], dict[str, list[str]]]:
    """The games of some files that the store has no row of, or one that tells less; by batch the games of those."""
    games = by_name(game for account in accounts for game in account.games.values())
    told_less: dict[str, list[str]] = {}
    parts = ((batch.name, part) for batch in live for part in batch.of("games"))
    for name, part in parts if games else ():
        with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
            for row in file.read().to_pylist():
                stored = Properties(**row)
                if stored.game in games and games[stored.game].known > stored.known:
                    told_less.setdefault(name, []).append(stored.game)
                else:
                    games.pop(stored.game, None)
    return list(games.values()), told_less


def _without(
    folder: Path, lying: Lying, copies: Sequence[Copy], brought: Sequence[Batch]
) -> tuple[list[Batch], list[Batch]]:
    """Staged and brought batches without some hands: those that hold any are written anew, all staged."""
    from . import rewriting

    ids = {copy.match.match_id for copy in copies}
    there = {batch.name for batch in brought}
    kept: tuple[list[Batch], list[Batch]] = [], []
    for place, batch in lying:
        held = _matches_in(place, batch) & ids
        if not held:
            kept[batch.name in there].append(batch)
            continue
        changes: rewriting.Changes = {}
        for copy in copies:
            if copy.match.match_id in held:
                rewriting.take_out(changes, batch.name, copy)
        writer = BatchWriter(folder)
        rewriting.rewrite(place, batch, writer, changes[batch.name])
        kept[0].extend(filter(None, [writer.close()]))
    return kept


def _matches_in(place: Place, batch: Batch) -> set[int]:
    found: set[int] = set()
    for part in batch.of("matches"):
        with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
            found.update(file.read(["match_id"])["match_id"].to_pylist())
    return found


def _name_files(
    copies: Sequence[Copy], known: Mapping[int, Account], place: Place, index: Index, live: Sequence[Batch]
) -> None:
    """Give copies the paths of their files and of those that hold their hands too."""
    paths = {file_id: account.path for file_id, account in known.items()}
    asked = {file_id for copy in copies for file_id in (copy.match.file_id, copy.holder)} - paths.keys()
    homes = {file.batch for file_id in asked if (file := index.file(file_id))}
    for batch in live:
        for part in batch.of("files") if batch.name in homes else ():
            with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
                rows = file.read(["file_id", "path"])
            found = dict(zip(rows["file_id"].to_pylist(), rows["path"].to_pylist(), strict=True))
            paths |= {file_id: found[file_id] for file_id in asked & found.keys()}
    for copy in copies:
        # A writer that was killed between two commits may have left a match whose file has no row.
        copy.path, copy.holder_path = (paths.get(f, "another log") for f in (copy.match.file_id, copy.holder))


def _said_of(copy: Copy) -> Unknown:
    return Unknown(copy.match.file_id, copy.line, "", copy.said)
