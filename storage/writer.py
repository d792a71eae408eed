"""Writing a batch: Parquet parts that are appended to as chunks come, packed as `parsers.tables` says."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ..parsers.tables import TABLES, Column, Packing
from .manifest import Batch, Part

ROW_GROUP: Final = 20_000
_CODECS: Final = {"zstd": 1, "lz4": None}
"""How columns are compressed, with the level."""
_SHORT: Final = ("files", "unknown_lines", "matches", "faults", "findings")
"""Tables of few rows a batch: to begin a page costs more than to compress it."""


def _leaf(name: str, kind: pa.DataType) -> str:
    while pa.types.is_list(kind):
        name, kind = f"{name}.list.element", kind.value_type
    return name


def _codec(table: str, column: Column) -> str:
    """Words, cards, seats, keys of matches and short tables are as small by LZ4, which begins a page in no time."""
    if table in _SHORT:
        return "lz4"
    kind = column.type
    while pa.types.is_list(kind):
        kind = kind.value_type
    few = pa.types.is_dictionary(kind) or pa.types.is_boolean(kind) or pa.types.is_int8(kind)
    return "lz4" if few or column.name == "match_id" else "zstd"


def _options(table: str, names: Collection[str]) -> dict[str, Any]:
    columns = [column for column in TABLES[table] if column.name in names]
    packed = {_leaf(c.name, c.type): c.packing for c in columns}
    codecs = {_leaf(c.name, c.type): _codec(table, c) for c in columns}
    return {
        "compression": codecs,
        "compression_level": {
            n: level for n, codec in codecs.items() if (level := _CODECS[codec]) is not None
        },
        "use_dictionary": [name for name, packing in packed.items() if packing is Packing.DICTIONARY],
        "column_encoding": {n: p.value for n, p in packed.items() if p is not Packing.DICTIONARY},
        "write_statistics": [c.name for c in columns if c.key],
        "store_schema": False,
    }


class _PartWriter:
    """A part in the making: rows of one table with the same columns."""

    def __init__(self, folder: Path, part: Part, schema: pa.Schema) -> None:
        self.folder, self.part, self.schema = folder, part, schema
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[pa.Table] = []

    def add(self, rows: pa.Table) -> None:
        """Append rows; small ones wait until they fill a row group."""
        self._waiting.append(rows)
        if sum(some.num_rows for some in self._waiting) >= ROW_GROUP:
            self.flush()

    def flush(self) -> None:
        """Write what waits as a row group."""
        if not self._waiting:
            return
        if self._writer is None:
            path = self.part.path(self.folder)
            path.parent.mkdir(exist_ok=True)
            self._writer = pq.ParquetWriter(path, self.schema, **_options(self.part.table, self.schema.names))
        waiting, self._waiting = self._waiting, []
        rows = waiting[0] if len(waiting) == 1 else pa.concat_tables(waiting).unify_dictionaries()
        self._writer.write_table(rows, row_group_size=rows.num_rows)

    def close(self) -> None:
        """Finish the file."""
        self.flush()
        if self._writer is not None:
            self._writer.close()


class BatchWriter:
    """The parts of one batch in the making: one a table, and one more for each further set of columns."""

    def __init__(self, folder: Path) -> None:
        """A batch of a fresh name under a staging folder."""
        self.folder = folder
        self.name = os.urandom(8).hex()
        self._parts: dict[tuple[str, ...], _PartWriter] = {}

    def add(self, table: str, rows: pa.Table) -> None:
        """Append rows of a table, which may leave out columns; they may wait, so nothing may change them."""
        if not rows.num_rows:
            return
        key = (table, *rows.column_names)
        if key not in self._parts:
            number = sum(writer.part.table == table for writer in self._parts.values())
            file = f"{self.name}{f'-{number}' if number else ''}.parquet"
            without = tuple(c.name for c in TABLES[table] if c.name not in rows.column_names)
            self._parts[key] = _PartWriter(self.folder, Part(table, file, without), rows.schema)
        self._parts[key].add(rows)

    def close(self) -> Batch | None:
        """Finish the parts; None where nothing was added."""
        for writer in self._parts.values():
            writer.close()
        return (
            Batch(self.name, tuple(writer.part for writer in self._parts.values())) if self._parts else None
        )
