"""What DuckDB is told of a store's parts: how they are read, and a view a table of what they hold.

Schema `stored` has these views. A part may leave out columns, or keep them in another form (docs/schema.md); the view
of its table has them all as the schema says.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from ..schema.columns import CARDS, NO_CHIPS, NO_WORD, TABLES, Bits, Column, Form
from ..storage.beside import Beside
from ..storage.folder import Folder
from ..storage.manifest import Manifest, Part
from ..storage.place import Place
from ..storage.reading import OpenFiles
from .views import SQL

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
}

GAMES: Final = "games"

ON_DISK: Final = {"actions": "decisions"}
"""What a table is called as it lies on disk where the schema `stored` adds rows that follow from other tables."""


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
    if isinstance(place, Beside):
        return _beside(place, remote, opened)
    from .remote import dataset_of

    def read(parts: Sequence[Part]) -> str:
        name = f"parts {parts[0].table} {parts[0].file}"
        remote[name] = dataset_of(place, parts)
        return f'"{name}"'

    return read


def _beside(place: Beside, remote: dict[str, object], opened: OpenFiles) -> Reader:
    base, own = reader(place.base, remote, opened), reader(place.own, remote, opened)

    def read(parts: Sequence[Part]) -> str:
        added = [part for part in parts if place.is_own(part.name)]
        there = [part for part in parts if part not in added]
        both = [f"from {read_some(some)}" for read_some, some in ((base, there), (own, added)) if some]
        return f"({' union all by name '.join(both)})"

    return read


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def actions_view(schema: str, manifest: Manifest) -> str:
    """The view of decisions and the posts that follow from their hands."""
    # Only games with buy-ins share their wins; what is in the view takes time to plan even where it has no rows.
    has_buy_ins = any("win_share" not in part.without for part in manifest.parts("seats"))
    names = ("posts", "buy_ins") if has_buy_ins else ("posts",)
    queries = ((SQL / "relations" / f"{name}.sql").read_text(encoding="utf-8") for name in names)
    listed = "".join(f" union all by name ({query.replace(f'{STORED}.', f'{schema}.')})" for query in queries)
    return f"create view {schema}.actions with (defer_binding) as from {schema}.decisions{listed}"


def stored_tables(read: Reader, manifest: Manifest, schema: str) -> list[str]:
    """A view a table; `games`, which nearly every query joins, is read at once."""
    tables = (stored_table(read, manifest, table, schema) for table in TABLES if table != GAMES)
    rows = _selected(read, manifest, GAMES)
    games = f"create table {schema}.{GAMES} as {rows}"
    return [f"create schema {schema}", games, *tables, actions_view(schema, manifest)]


def stored_table(read: Reader, manifest: Manifest, table: str, schema: str) -> str:
    """The view of a table."""
    query = _selected(read, manifest, table)
    return f"create or replace view {schema}.{ON_DISK.get(table, table)} as {query}"


def _selected(read: Reader, manifest: Manifest, table: str) -> str:
    """The query of a table's rows; parts of one kind are read together, what they leave out is null."""
    columns = TABLES[table]
    alike: dict[tuple[tuple[str, ...], Form], list[Part]] = {}
    for part in manifest.parts(table):
        alike.setdefault(part.kind, []).append(part)
    reads = []
    for parts in alike.values():
        listed = ", ".join(_read(column, parts[0]) for column in columns)
        reads.append(f"select {listed} from {read(parts)}")
    if not reads:
        fields = [field for column in columns for field in column.bits or (column,)]
        typed = ", ".join(f'null::{sql_type(field.type)} as "{field.name}"' for field in fields)
        reads.append(f"select {typed} where false")
    return " union all ".join(reads)


def _read(column: Column, part: Part) -> str:
    """A column of a part as the view of its table selects it; one of bits is several."""
    if column.name in part.without:
        return f'null::{sql_type(column.type)} as "{column.name}"'
    if part.form.short and column.short:
        return f'{_short(column)} as "{column.name}"'
    if part.form.whole and column.whole:
        held = f'nullif("{column.name}", {NO_CHIPS})' if column.none else f'"{column.name}"'
        return f'{held}::{sql_type(column.type)} as "{column.name}"'
    return ", ".join(_bits(column.name, bits) for bits in column.bits) or f'"{column.name}"'


def _short(column: Column) -> str:
    """A short list of a part: as long as its columns have words, or its number has bytes.

    Every query over the table plans it, so it is as few words as can be.
    """
    if column.type == CARDS:
        words = [f'"{name}"' for name in column.places]
        ends = (
            f"when {word} = '{NO_WORD}' then [{', '.join(words[:k])}]" for k, word in enumerate(words) if k
        )
        none = f"when {words[0]} = '{NO_WORD}' then []::{sql_type(column.type)}"
        return f"case {none} {' '.join(ends)} else [{', '.join(words)}] end"
    shifts = [8 * place for place in range(column.short)]
    held = f'list_filter({shifts}, lambda shift: ("{column.bytes}" >> shift) > 0)'
    kind = sql_type(column.type.value_type)
    return f'list_transform({held}, lambda shift: ("{column.bytes}" >> shift & 255)::{kind})'


def _bits(name: str, bits: Bits) -> str:
    value = f"({name} >> {bits.shift} & {(1 << bits.width) - 1})"
    if bits.words:
        return f"{list(bits.words)}[{value} + 1] as {bits.name}"
    if bits.none:
        value = f"nullif({value}, 0) - 1"
    return f"({value})::{sql_type(bits.type)} as {bits.name}"


def sql_type(kind: Any) -> str:
    """The DuckDB type of an Arrow type of `schema.columns`."""
    name = str(kind)
    if name.startswith("list"):
        return f"{sql_type(kind.value_type)}[]"
    return sql_type(kind.value_type) if name.startswith("dictionary") else _TYPES[name]
