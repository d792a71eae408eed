"""Publishing: what an ingest staged becomes visible in one commit, and what it replaces disappears."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import pyarrow.parquet as pq

from ..variants.properties import Properties, games_table
from .index import Index, StoredMatch
from .ledger import Account, files_table, unknown_table
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
) -> None:
    """Commit staged batches, the ledger of the files they came from, and what they change in older batches.

    replaced  stored matches of which the staged batches hold longer versions
    stale     files that were read again: what the ledger said of them before goes
    revised   files of which more was read: their accounts take the place of their rows, which say less
    brought   staged batches whose parts are in the store already
    """
    ledger = BatchWriter(folder)
    books = list(accounts)
    ledger.add("files", files_table(books))
    ledger.add("games", games_table(_new_games(place, books)))
    batches = list(staged)
    dropped: list[str] = []
    if replaced or stale or revised:
        # Loads Arrow's compute functions, which most ingests do without.
        from . import rewriting

        again = set(stale)
        longer = [match for match in replaced if match.file_id not in again]
        ledger.add("unknown_lines", unknown_table(rewriting.farewell(place, match) for match in longer))
        changes = rewriting.changes(place, index, replaced, stale, revised)
        for batch in read_manifest(place).batches:
            if batch.name in changes:
                writer = BatchWriter(folder)
                rewriting.rewrite(place, batch, writer, changes[batch.name])
                batches += filter(None, [writer.close()])
        dropped = list(changes)
    batches += filter(None, [ledger.close()])
    there = [(None, batch) for batch in brought]
    commit(place, [*there, *((folder, batch) for batch in batches)], drop=dropped)
    index.forget(dropped)


def _new_games(place: Place, accounts: Iterable[Account]) -> list[Properties]:
    """The games of some files that the store has no row of."""
    games = {game.game: game for account in accounts for game in account.games.values()}
    for part in read_manifest(place).parts("games") if games else ():
        with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
            for known in file.read(["game"])["game"].to_pylist():
                games.pop(known, None)
    return list(games.values())
