"""Writing a batch: one Parquet part per table, appended to chunk by chunk, encoded as `schema.columns` says."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..schema.columns import ROW_GROUP, TABLES, NotTheSchema, Packing, schema
from .integrity import CHANGED
from .locations import Folder, Place
from .manifest import Batch, Part, damaged, readable

_AT_ONCE: Final = 1 << 20
"""The most rows of a page: pages of 20,000 rows would make Blotto's store a twentieth larger."""
_TRIED: Final = 32_768
_PLACES: Final = 8
_TO_TRY: Final = (Packing.DICTIONARY, Packing.SPLIT, Packing.PLAIN)
"""For `Packing.LEAST`: the encodings to choose from, and the number of rows that decide."""


def digest_of(path: Path) -> str:
    """The hash of a part's file, as the manifest has it."""
    with path.open("rb") as file:
        return file_digest(file, partial(blake2b, digest_size=16)).hexdigest()


def _leaf(name: str, kind: pa.DataType) -> str:
    while pa.types.is_list(kind):
        name, kind = f"{name}.list.element", kind.value_type
    return name


_Packed = dict[str, Packing]
"""The encoding of each column of a part, by the name of its leaf."""


def _packed(rows: pa.Table, table: str) -> _Packed:
    """The encodings of a part that begins with these rows."""
    packed = {_leaf(column.name, column.type): column.packing for column in TABLES[table]}
    names = [name for name, packing in packed.items() if packing is Packing.LEAST]
    if not names:
        return packed
    some = _sample(rows.select(names))
    levels = {name: level for name, level in _levels(table).items() if name in names}
    sizes = {packing: _sizes(some, packing, levels) for packing in _TO_TRY}
    return packed | {name: min(_TO_TRY, key=lambda packing: sizes[packing][name]) for name in names}


def _sample(rows: pa.Table) -> pa.Table:
    """Rows from several places, for matches may differ."""
    if rows.num_rows <= _TRIED:
        return rows
    each = _TRIED // _PLACES
    starts = np.linspace(0, rows.num_rows - each, _PLACES, dtype=int).tolist()
    return pa.concat_tables([rows.slice(start, each) for start in starts]).combine_chunks()


def _levels(table: str) -> dict[str, int]:
    """The level of zstd of each column, by the name of its leaf."""
    return {_leaf(column.name, column.type): column.level for column in TABLES[table]}


def _sizes(rows: pa.Table, packing: Packing, levels: Mapping[str, int]) -> dict[str, int]:
    """Bytes of each column of some rows in one encoding, at its level of zstd."""
    out = pa.BufferOutputStream()
    encodings = _encodings(dict.fromkeys(rows.column_names, packing))
    with pq.ParquetWriter(
        out, rows.schema, compression="zstd", compression_level=levels, **encodings
    ) as writer:
        writer.write_table(rows)
    group = pq.read_metadata(pa.BufferReader(out.getvalue())).row_group(0)
    columns = map(group.column, range(group.num_columns))
    return {column.path_in_schema: column.total_compressed_size for column in columns}


def _encodings(packed: Mapping[str, Packing]) -> dict[str, Any]:
    return {
        "use_dictionary": [name for name, packing in packed.items() if packing is Packing.DICTIONARY],
        "column_encoding": {n: p.value for n, p in packed.items() if p is not Packing.DICTIONARY},
        "write_statistics": False,
    }


def _options(table: str, packed: Mapping[str, Packing]) -> dict[str, Any]:
    return {
        **_encodings(packed),
        "compression": "zstd",
        "compression_level": _levels(table),
        "write_statistics": [column.name for column in TABLES[table] if column.key],
        "max_rows_per_page": _AT_ONCE,
        "write_batch_size": _AT_ONCE,
        "store_schema": False,
        "write_page_checksum": True,
    }


class _PartWriter:
    """A part while it is written: rows of one table."""

    def __init__(self, folder: Path, part: Part) -> None:
        """A part whose encodings are those that suit its first rows, unless they are set before."""
        self.folder, self.part = folder, part
        self.packed: _Packed | None = None
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[pa.Table] = []

    def add(self, rows: pa.Table) -> None:
        """Append rows; small ones wait until they fill a row group."""
        self._waiting.append(rows)
        if sum(some.num_rows for some in self._waiting) >= ROW_GROUP:
            self.flush()

    def flush(self) -> None:
        """Write the waiting rows as a row group."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        rows = waiting[0] if len(waiting) == 1 else pa.concat_tables(waiting).unify_dictionaries()
        if self._writer is None:
            path = self.part.path(self.folder)
            path.parent.mkdir(exist_ok=True)
            table = self.part.table
            self.packed = self.packed or _packed(rows, table)
            self._writer = pq.ParquetWriter(path, schema(table), **_options(table, self.packed))
        self._writer.write_table(rows, row_group_size=rows.num_rows)

    def close(self) -> None:
        """Finish the file, and enter its hash."""
        self.flush()
        if self._writer is not None:
            self._writer.close()
            self.part = replace(self.part, digest=digest_of(self.part.path(self.folder)))


class BatchWriter:
    """The parts of one batch while they are written: one per table, or more for rows with other encodings."""

    def __init__(self, folder: Path) -> None:
        """A batch of a fresh name under a staging folder."""
        self.folder = folder
        self.name = os.urandom(8).hex()
        self._parts: dict[str, list[_PartWriter]] = {}
        self._homes: dict[tuple[str, str], _PartWriter] = {}

    def add(self, table: str, rows: pa.Table, kind: str = "") -> None:
        """Append rows of a table; fewer than ROW_GROUP may wait, so nothing may change them.

        kind: rows of one kind take the same encodings. Raises NotTheSchema where the columns are not the table's.
        """
        if rows.schema != schema(table):
            raise NotTheSchema(f"the columns of {table} are not those of its schema")
        if rows.num_rows:
            self._home(table, rows, kind).add(rows)

    def _home(self, table: str, rows: pa.Table, kind: str) -> _PartWriter:
        """The part for some rows: small tables and the first large one share the first."""
        parts = self._parts.setdefault(table, [])
        home = self._homes.get((table, kind))
        if home is None and rows.num_rows >= ROW_GROUP:
            packed = _packed(rows, table)
            home = next((part for part in parts if part.packed in (None, packed)), None)
            if home is None:
                home = self._begin(table, parts)
            home.packed = packed
            self._homes[table, kind] = home
        return home or (parts[0] if parts else self._begin(table, parts))

    def _begin(self, table: str, parts: list[_PartWriter]) -> _PartWriter:
        number = f"-{len(parts) + 1}" if parts else ""
        parts.append(_PartWriter(self.folder, Part(table, f"{self.name}{number}.parquet")))
        return parts[-1]

    def close(self) -> Batch | None:
        """Finish the parts; None if nothing was added."""
        writers = [writer for parts in self._parts.values() for writer in parts]
        for writer in writers:
            writer.close()
        return Batch(self.name, tuple(writer.part for writer in writers)) if writers else None


Row = dict[str, Any]


def _expect_whole(place: Place, part: Part) -> None:
    """StoreError if a part in a folder is damaged: its copy would have a hash that hides it."""
    if isinstance(place, Folder) and part.digest:
        with readable(place, part):
            is_whole = digest_of(place.open(part.name)) == part.digest
        if not is_whole:
            raise damaged(place, part, CHANGED)


def rows_in(place: Place, part: Part) -> Iterator[pa.Table]:
    """The rows of a part in its order, some at a time, as the writer takes them; StoreError if it is damaged."""
    kept = schema(part.table)
    _expect_whole(place, part)
    # Without threads and read-ahead, merging takes a sixth longer and 140 MB less.
    with readable(place, part), pq.ParquetFile(place.open(part.name), pre_buffer=False) as file:
        for some in file.iter_batches(ROW_GROUP, use_threads=False):
            yield pa.Table.from_batches([some]).cast(kept)


_ROWS_AT_ONCE: Final = 256
"""A row of `matches` takes some 10 KB as a dict: thousands of them are more than all other rows that wait."""


class MatchRows:
    """Rows of the table `matches`, collected until their batch is full: a table for each chunk's few takes longer."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._tables: list[pa.Table] = []

    def add(self, row: Row) -> None:
        """Collect a row that passed `checked`."""
        self._rows.append(row)
        if len(self._rows) >= _ROWS_AT_ONCE:
            self._pack()

    def packed(self) -> Iterator[pa.Table]:
        """The tables that are full; they are not kept."""
        yield from self._tables
        self._tables.clear()

    def take(self) -> Iterator[pa.Table]:
        """The rows so far; none are left."""
        if self._rows:
            self._pack()
        yield from self.packed()

    def _pack(self) -> None:
        self._tables.append(pa.Table.from_pylist(self._rows, schema("matches")))
        self._rows.clear()


def checked(row: Row) -> Row:
    """The row itself; OverflowError if one of its numbers does not fit its column.

    Arrow would refuse it too, but together with all other rows of the batch.
    """
    for name, (least, most) in _limits().items():
        value = row.get(name)
        if type(value) is int and least <= value <= most:
            continue
        for number in value if isinstance(value, list) else (value,):
            if number is not None and not least <= number <= most:
                raise OverflowError(f"{name} cannot be {number}")
    return row


@cache
def _limits() -> dict[str, tuple[int, int]]:
    """The least and greatest value of each integer column, or column of integer lists."""
    limits = {}
    for field in schema("matches"):
        kind = field.type.value_type if pa.types.is_list(field.type) else field.type
        if pa.types.is_integer(kind):
            limit = np.iinfo(kind.to_pandas_dtype())
            limits[field.name] = int(limit.min), int(limit.max)
    return limits
