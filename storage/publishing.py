"""Publishing: what an ingest staged becomes visible in one commit, and what it replaces disappears."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from .index import Index, StoredMatch
from .ledger import Account, files_table, unknown_table
from .manifest import Batch, commit, read_manifest
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
    ledger.add("files", files_table(accounts))
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
