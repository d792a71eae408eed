"""DuckDB views over a store's Parquet parts, one a table, in a folder or a bucket.

Schema `stored` has these views: a table's columns as they lie on disk, except that the street is its number, that what
is left out since it follows from the row is there, that `actions` has the seat of the last bet or raise, and that
`flags` of `seats` holds all statistic flags as bits of one number, by which queries group.
"""

from collections.abc import Callable, Sequence
from io import UnsupportedOperation
from typing import TYPE_CHECKING, Any, Final

from ..schema.columns import TABLES, Column, plain, sql_type
from ..schema.words import FLAGS, FLAGS_OF_FLAGS, STREETS, STREETS_AND_RUNS
from ..storage.locations import Folder, Place
from ..storage.manifest import Manifest, Part
from ..storage.reading import OpenFiles, Overlay

if TYPE_CHECKING:
    from pyarrow import dataset

Reader = Callable[[Sequence[Part]], str]

STORED: Final = "stored"
TRUTH: Final = "truth"
"""The schema of the tables as they are on disk; in a store as a player saw it `stored` lacks what is hidden."""

GAMES: Final = "games"
KEPT: Final = "kept_matches"
"""The table, in the schema of the tables on disk, of the matches that a store is limited to."""


def reader(place: Place, remote: dict[str, object], opened: OpenFiles) -> Reader:
    """The function that gives the FROM item of parts of one table.

    remote  receives the datasets that must be registered
    opened  keeps the files of a folder open while queries may read them
    """
    if isinstance(place, Folder):

        def read_files(parts: Sequence[Part]) -> str:
            files = ", ".join(_quoted(opened.path(place, part.name)) for part in parts)
            # A parent folder may be named like a column: `seat=1`.
            return f"read_parquet([{files}], hive_partitioning = false)"

        return read_files
    if isinstance(place, Overlay):
        return _overlay(place, remote, opened)

    def read(parts: Sequence[Part]) -> str:
        name = f"parts {parts[0].table} {parts[0].file}"
        remote[name] = dataset_of(place, parts)
        return f'"{name}"'

    return read


def _overlay(place: Overlay, remote: dict[str, object], opened: OpenFiles) -> Reader:
    base, own = reader(place.base, remote, opened), reader(place.own, remote, opened)

    def read(parts: Sequence[Part]) -> str:
        added = [part for part in parts if place.is_own(part.name)]
        there = [part for part in parts if part not in added]
        both = [f"from {read_some(some)}" for read_some, some in ((base, there), (own, added)) if some]
        return f"({' union all by name '.join(both)})"

    return read


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def stored_tables(
    read: Reader, manifest: Manifest, schema: str, until: Sequence[int] | None = None
) -> list[str]:
    """The statements for a view a table; `games`, which nearly every query joins, becomes a table.

    until  of these matches only
    """
    kept = (
        []
        if until is None
        else [f"create table {schema}.{KEPT} as select unnest({[*until]}::ubigint[]) as match_id"]
    )
    is_cut = until is not None
    # What has no match_id is limited by the view of matches.
    order = ("matches", *(table for table in TABLES if table not in (GAMES, "matches")))
    tables = (stored_table(read, manifest, table, schema, is_cut) for table in order)
    games = f"create table {schema}.{GAMES} as {selected(read, manifest, GAMES)}"
    return [f"create schema {schema}", games, *kept, *tables]


def stored_table(read: Reader, manifest: Manifest, table: str, schema: str, is_cut: bool = False) -> str:
    """The view of a table; is_cut: of the matches in table KEPT of the schema."""
    query = selected(read, manifest, table, schema if is_cut else "")
    return f"create or replace view {schema}.{table} with (defer_binding) as {query}"


def selected(read: Reader, manifest: Manifest, table: str, cut: str = "") -> str:
    """The query of a table's rows; cut: the schema whose table KEPT has the matches that it is limited to."""
    columns, parts = TABLES[table], manifest.parts(table)
    if parts:
        source = read(parts)
    else:
        typed = ", ".join(f'null::{sql_type(column.type)} as "{column.name}"' for column in columns)
        source = f"(select {typed} where false)"
    listed = ", ".join(_read(column) for column in columns)
    if table == "seats":
        listed += f", {_FLAGS_OF_FLAGS}, {_FLAGS} as flags"
    if table == "actions":
        listed += f", {_AGGRESSOR} as aggressor_seat"
    limit = ""
    if cut and any(column.name == "match_id" for column in columns):
        limit = f" where match_id in (select match_id from {cut}.{KEPT})"
    elif cut and table != GAMES:
        limit = f" where file_id in (select file_id from {cut}.matches)"
    return f"select {listed} from {source}{limit}"


_FLAGS: Final = " | ".join(
    f"(({FLAGS_OF_FLAGS.get(flag, flag)})::ubigint << {bit})" for bit, flag in enumerate(FLAGS)
)
_FLAGS_OF_FLAGS: Final = ", ".join(f"{follows} as {flag}" for flag, follows in FLAGS_OF_FLAGS.items())
_AGGRESSOR: Final = """
    last_value(if(action in ('bet', 'raise'), seat, null) ignore nulls) over (
      partition by match_id, hand_index, board_no order by seq rows between unbounded preceding and 1 preceding
    )
"""
"""DuckDB computes it only for queries that ask for it."""


def _read(column: Column) -> str:
    """A column as the view of its table selects it."""
    if column.words == STREETS_AND_RUNS:
        numbered = " ".join(f"when '{name}' then {number}" for number, name in enumerate(STREETS))
        run = f'{len(STREETS) - 1} + substr("{column.name}", 5)::tinyint'
        return f'(case "{column.name}" {numbered} else {run} end)::tinyint as "{column.name}"'
    return (
        f'coalesce("{column.name}", {column.follows}) as "{column.name}"'
        if column.follows
        else f'"{column.name}"'
    )


def dataset_of(place: Place, parts: Sequence[Part]) -> "dataset.Dataset":
    """The parts of one table in a bucket as an Arrow dataset; nothing is read yet.

    DuckDB's own reader of buckets is an extension that it downloads when first used. DuckDB gives a dataset the columns
    and rows that a query needs, so other row groups are not fetched.
    """
    # The import takes a third of a second, which stores in folders do not need.
    from pyarrow import dataset, fs

    from ..storage.locations import Bucket

    assert isinstance(place, Bucket)

    class ReadOnlyParts(fs.FileSystemHandler):  # type: ignore[misc]
        """Parts by name, each opened where it lies at that moment: writers move them."""

        def open_input_file(self, path: str) -> Any:
            return place.open(path)

        def get_type_name(self) -> str:
            return "railbird"

        def normalize_path(self, path: str) -> str:
            return path

        def get_file_info(self, paths: list[str]) -> list[Any]:
            return [fs.FileInfo(path, fs.FileType.File) for path in paths]

        def _refused(self, *_: Any, **__: Any) -> Any:
            raise UnsupportedOperation("the parts of a store are read-only")

        open_input_stream = open_input_file
        copy_file = create_dir = delete_dir = delete_dir_contents = delete_file = _refused
        delete_root_dir_contents = get_file_info_selector = move = _refused
        open_append_stream = open_output_stream = _refused

    ahead = dataset.ParquetFragmentScanOptions(pre_buffer=True)
    return dataset.FileSystemDataset.from_paths(
        [part.name for part in parts],
        schema=plain(parts[0].table),
        format=dataset.ParquetFileFormat(default_fragment_scan_options=ahead),
        filesystem=fs.PyFileSystem(ReadOnlyParts()),
    )
