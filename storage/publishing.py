"""Publishing: what an ingest staged becomes visible in one commit, and what it replaces disappears."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .index import Index, StoredMatch
from .ledger import REPLACED, Account, Unknown, files_table, take_back, unknown_table
from .manifest import Batch, commit, read_manifest
from .rewriting import of_match, rewrite, without
from .writer import BatchWriter

Change = Callable[[pa.Table], pa.Table]


def publish(
    root: Path,
    folder: Path,
    index: Index,
    staged: Sequence[Batch],
    accounts: Iterable[Account],
    replaced: Sequence[StoredMatch],
    stale: Sequence[int],
) -> None:
    """Commit staged batches, the ledger of the files they came from, and what they change in older batches.

    replaced  stored matches of which the staged batches hold longer versions
    stale     files whose earlier rows, rejections all, the accounts replace
    """
    ledger = BatchWriter(folder)
    ledger.add("files", files_table(accounts))
    ledger.add("unknown_lines", unknown_table(_farewell(root, match) for match in replaced))
    batches = [*staged, *filter(None, [ledger.close()])]
    changes: dict[str, dict[str, list[Change]]] = {}
    for match in replaced:
        home = changes.setdefault(match.batch, {})
        for table, change in without([match.match_id]).items():
            home.setdefault(table, []).append(change)
        hands, damaged = match.hands, _damaged(root, match)
        entry = changes.setdefault(index.files[match.file_id][0], {}).setdefault("files", [])
        entry.append(partial(take_back, file_id=match.file_id, hands=hands, damaged=damaged))
    for file_id in stale:
        entry = changes.setdefault(index.files[file_id][0], {}).setdefault("files", [])
        entry.append(partial(_without_file, file_id=file_id))
    for batch in read_manifest(root).batches:
        if batch.name in changes:
            writer = BatchWriter(folder)
            rewrite(root, batch, writer, {table: _chain(some) for table, some in changes[batch.name].items()})
            batches += filter(None, [writer.close()])
    commit(root, [(folder, batch) for batch in batches], drop=list(changes))
    index.forget(changes)
    index.read(root, read_manifest(root))


def _chain(changes: Sequence[Change]) -> Change:
    def all_of_them(rows: pa.Table) -> pa.Table:
        for change in changes:
            rows = change(rows)
        return rows

    return all_of_them


def _without_file(rows: pa.Table, file_id: int) -> pa.Table:
    return rows.filter(pc.field("file_id") != pa.scalar(file_id, pa.uint64()))


def _damaged(root: Path, match: StoredMatch) -> int:
    part = root / "hands" / f"{match.batch}.parquet"
    mine = of_match(match.match_id) & (pc.field("verdict") == "damaged")
    return int(pq.read_table(part, columns=["hand_index"], filters=mine).num_rows)


def _farewell(root: Path, match: StoredMatch) -> Unknown:
    part = root / "matches" / f"{match.batch}.parquet"
    rows = pq.read_table(part, columns=["line"], filters=of_match(match.match_id))
    return Unknown(match.file_id, rows["line"][0].as_py(), "", f"{match.hands:,} hands: {REPLACED}")
