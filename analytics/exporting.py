"""Export of the relations as files, derived columns included, for tools that cannot read views."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from ..progress import Progress
from ..schema.columns import TABLES
from ..storage.locations import StoreError, reason, sweep_temporary, temporary_folder
from .players import Asked
from .settings import FileKind
from .views import all_views

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

HANDS_AT_ONCE: Final = 100_000
"""Hands whose rows are read at a time, which limits memory for relations of any size."""
_ROWS: Final = 20_000
_FRESH: Final = ".railbird-export-"
"""How folders of unfinished exports are called."""
_NAMES: Final = frozenset({"players"})
"""Lists of names, which may contain spaces."""
_SORTED: Final = {"hands": "match_id, hand_index", "actions": "match_id, hand_index, seq"}
"""Keys of the relations that are joins: several threads return their rows in another order at each run. The others are
read as they are stored."""


class Exported(Asked, Protocol):
    """An open store that can read a result while other queries run."""

    def cursor(self, query: str) -> "DuckDBPyConnection":
        """Another connection with the views that a query names."""


def export(
    store: Exported,
    folder: Path,
    kind: FileKind = FileKind.PARQUET,
    progress: Progress | None = None,
    only: Collection[int] | None = None,
) -> list[Path]:
    """Write each relation of docs/schema.md to a file; returns the paths.

    only  match_ids: rows of these matches, and of their files and games; None for all

    In CSV ids are quoted text and lists are words separated by spaces (docs/export.md). StoreError, one line, if the
    folder is not empty or cannot be written; it is then left empty.
    """
    made: list[Path] = []
    with new_folder(folder) as fresh:
        ranges = _ranges(store) if only is None else [(match, match) for match in sorted(only)]
        for done, relation in enumerate(relations()):
            name = f"{relation}.{kind}"
            made.append(folder / name)
            _write(store, relation, ranges, fresh / name, kind, only)
            if progress is not None:
                progress(done + 1, len(relations()))
    return made


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into, whose files are those of `folder` when the block ends, all at once if it is new.

    `folder` stays as it was if the block fails; what a killed process left is removed first. StoreError, one line, if
    the folder is not empty or cannot be written.
    """
    is_new = not folder.exists()
    home = folder.parent if is_new else folder
    try:
        home.mkdir(parents=True, exist_ok=True)
        if not is_new:
            # An export that was killed after renaming its new folder left a temporary folder next to it.
            sweep_temporary(folder.parent, _FRESH)
        with temporary_folder(home, _FRESH) as own:
            # Python 3.12 and later make the path of a temporary folder absolute.
            if not is_new and any(path.name != own.name for path in folder.iterdir()):
                raise StoreError(f"{folder} is not empty: export writes into a new folder")
            fresh = own / "files"
            fresh.mkdir()
            yield fresh
            if is_new:
                fresh.rename(folder)
            else:
                for path in fresh.iterdir():
                    path.rename(folder / path.name)
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {reason(error)}") from None


def relations() -> list[str]:
    """The names of the exported relations."""
    known = {view.name for view in all_views() if view.relation}
    return [table for table in TABLES if table in known]


def _ranges(store: Exported) -> list[tuple[int, int]]:
    """The matches in ranges of match_id, both ends included, of about HANDS_AT_ONCE hands each."""
    found: list[tuple[int, int]] = []
    hands = 0
    for match_id, count in store.sql("select match_id, hands from matches order by match_id").fetchall():
        if found and hands + count <= HANDS_AT_ONCE:
            found[-1] = found[-1][0], match_id
            hands += count
        else:
            found.append((match_id, match_id))
            hands = count
    return found


def _listed(ids: Collection[int]) -> str:
    return ", ".join(map(str, sorted(ids)))


def _write(
    store: Exported,
    relation: str,
    ranges: Sequence[tuple[int, int]],
    path: Path,
    kind: FileKind,
    only: Collection[int] | None,
) -> None:
    columns = store.sql(f"describe {relation}").fetchall()
    selected = ", ".join(
        _as_text(name, kept) if kind is FileKind.CSV else f'"{name}"' for name, kept, *_ in columns
    )
    query = f"select {selected} from {relation}"
    queries = [query]
    names = {name for name, *_ in columns}
    # Those of chosen matches: of their files, else of their games.
    key = next((key for key in ("file_id", "game") if key in names), None)
    of_matches = (
        "" if only is None else f"{key} in (select {key} from matches where match_id in ({_listed(only)}))"
    )
    if ranges and "match_id" in names:
        queries = [f"{query} where match_id between {low} and {high}" for low, high in ranges]
        # Rows without a match, such as findings about a file.
        if only is None:
            queries.append(f"{query} where match_id is null")
        elif key is not None:
            queries.append(f"{query} where match_id is null and {of_matches}")
    elif of_matches:
        queries = [f"{query} where {of_matches}"]
    if relation in _SORTED:
        queries = [f"{one} order by {_SORTED[relation]}" for one in queries]
    with ExitStack() as stack:
        writer: Any = None
        for reader in (_read(store, one) for one in queries):
            for batch in reader:
                if writer is None:
                    writer = stack.enter_context(_writer(path, batch.schema, kind))
                writer.write_batch(batch)
            if writer is None:
                writer = stack.enter_context(_writer(path, reader.schema, kind))


def _read(store: Exported, query: str) -> pa.RecordBatchReader:
    return store.cursor(query).sql(query).to_arrow_reader(_ROWS)


def _writer(path: Path, schema: pa.Schema, kind: FileKind) -> Any:
    if kind is FileKind.PARQUET:
        return pq.ParquetWriter(path, schema, compression="zstd")
    return pyarrow.csv.CSVWriter(path, schema)


def _as_text(name: str, kind: str) -> str:
    """A column for CSV: an id as text, a list as words separated by spaces."""
    held = f'"{name}"'
    if kind == "UBIGINT":
        held = f"{held}::varchar"
    elif name in _NAMES and kind == "VARCHAR[]":
        held = f"to_json({held})::varchar"
    elif kind.endswith("[][]"):
        held = f"array_to_string(list_transform({held}, lambda one: coalesce({_joined('one')}, '?')), ' | ')"
    elif kind.endswith("[]"):
        held = _joined(held)
    return f'{held} as "{name}"'


def _joined(items: str) -> str:
    return f"array_to_string(list_transform({items}, lambda item: coalesce(item::varchar, '?')), ' ')"
