"""What DuckDB is told of a store's parts: how they are read, and a view a table of what they hold.

Schema `stored` has these views: a table's columns as they lie on disk, but for the street, which is its number, and for
`flags`, all statistic flags of a seat as bits of one number, by which queries group.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from ..schema.columns import TABLES, Column
from ..schema.words import FLAGS, STREETS, STREETS_AND_RUNS
from ..storage.locations import Folder, Place
from ..storage.manifest import Manifest, Part
from ..storage.reading import OpenFiles, Overlay

Reader = Callable[[Sequence[Part]], str]

STORED: Final = "stored"
TRUTH: Final = "truth"
"""Where the tables as they lie on disk are: in a store of one player's matches `stored` has what is left of them."""

_TYPES: Final = {
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "uint64": "UBIGINT",
    "double": "DOUBLE",
    "bool": "BOOLEAN",
    "string": "VARCHAR",
    "binary": "BLOB",
}

GAMES: Final = "games"


def reader(place: Place, remote: dict[str, object], opened: OpenFiles) -> Reader:
    """What parts of one table are called in a query's FROM.

    remote  gets the datasets that must be registered
    opened  keeps the files of a folder open, as long as they may be asked for
    """
    if isinstance(place, Folder):

        def read_files(parts: Sequence[Part]) -> str:
            files = ", ".join(_quoted(opened.path(place, part.name)) for part in parts)
            # A folder above the store may be called as a column is: `seat=1`.
            return f"read_parquet([{files}], hive_partitioning = false)"

        return read_files
    if isinstance(place, Overlay):
        return _overlay(place, remote, opened)
    from .remote import dataset_of

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


def stored_tables(read: Reader, manifest: Manifest, schema: str) -> list[str]:
    """A view a table; `games`, which nearly every query joins, is read at once."""
    tables = (stored_table(read, manifest, table, schema) for table in TABLES if table != GAMES)
    games = f"create table {schema}.{GAMES} as {_selected(read, manifest, GAMES)}"
    return [f"create schema {schema}", games, *tables]


def stored_table(read: Reader, manifest: Manifest, table: str, schema: str) -> str:
    """The view of a table."""
    return f"create or replace view {schema}.{table} as {_selected(read, manifest, table)}"


def _selected(read: Reader, manifest: Manifest, table: str) -> str:
    """The query of a table's rows."""
    columns, parts = TABLES[table], manifest.parts(table)
    if parts:
        source = read(parts)
    else:
        typed = ", ".join(f'null::{sql_type(column.type)} as "{column.name}"' for column in columns)
        source = f"(select {typed} where false)"
    listed = ", ".join(_read(column) for column in columns)
    if table == "seats":
        listed += f", {_FLAGS} as flags"
    return f"select {listed} from {source}"


_FLAGS: Final = " | ".join(f'("{flag}"::ubigint << {bit})' for bit, flag in enumerate(FLAGS))


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


def sql_type(kind: Any) -> str:
    """The DuckDB type of an Arrow type of `schema.columns`."""
    name = str(kind)
    if name.startswith("list"):
        return f"{sql_type(kind.value_type)}[]"
    return sql_type(kind.value_type) if name.startswith("dictionary") else _TYPES[name]
