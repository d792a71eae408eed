"""Writing a batch: Parquet parts that are appended to as chunks come, packed as `schema.columns` says."""

import os
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ..schema.columns import DICTIONARY, TABLES, Form, on_disk
from .manifest import Batch, Part
from .short import short_lists
from .whole import whole_chips

ROW_GROUP: Final = 20_000
_LEVELS: Final = {"zstd": 1}
_AT_ONCE: Final = 1 << 20
"""Rows that may share a page: a page of each 20,000 would make Blotto's store a twentieth larger."""


def digest_of(path: Path) -> str:
    """The hash of a part's file, as the manifest has it."""
    with path.open("rb") as file:
        return file_digest(file, partial(blake2b, digest_size=16)).hexdigest()


def _leaf(name: str, kind: pa.DataType) -> str:
    while pa.types.is_list(kind):
        name, kind = f"{name}.list.element", kind.value_type
    return name


def _options(part: Part, names: Collection[str]) -> dict[str, Any]:
    columns = [c for column in TABLES[part.table] for c in on_disk(column, part.form) if c.name in names]
    packed = {_leaf(c.name, c.type): c.packing for c in columns}
    return {
        "compression": {name: packing.codec for name, packing in packed.items()},
        "compression_level": {n: _LEVELS[p.codec] for n, p in packed.items() if p.codec in _LEVELS},
        "use_dictionary": [name for name, packing in packed.items() if packing.encoding == DICTIONARY],
        "column_encoding": {n: p.encoding for n, p in packed.items() if p.encoding != DICTIONARY},
        "write_statistics": [c.name for c in columns if c.key],
        "max_rows_per_page": _AT_ONCE,
        "write_batch_size": _AT_ONCE,
        "store_schema": False,
        "write_page_checksum": True,
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
            self._writer = pq.ParquetWriter(path, self.schema, **_options(self.part, self.schema.names))
        waiting, self._waiting = self._waiting, []
        rows = waiting[0] if len(waiting) == 1 else pa.concat_tables(waiting).unify_dictionaries()
        self._writer.write_table(rows, row_group_size=rows.num_rows)

    def close(self) -> None:
        """Finish the file, and enter its hash."""
        self.flush()
        if self._writer is not None:
            self._writer.close()
            self.part = replace(self.part, digest=digest_of(self.part.path(self.folder)))


class BatchWriter:
    """The parts of one batch in the making: one a table, and one more for each further set of columns or types."""

    def __init__(self, folder: Path) -> None:
        """A batch of a fresh name under a staging folder."""
        self.folder = folder
        self.name = os.urandom(8).hex()
        self._parts: dict[tuple[str, Form, *tuple[str, ...]], _PartWriter] = {}

    def add(self, table: str, rows: pa.Table) -> None:
        """Append rows of a table, which may leave out columns; they may wait, so nothing may change them."""
        if not rows.num_rows:
            return
        whole = whole_chips(table, rows)
        rows = whole or rows
        short = short_lists(table, rows)
        rows = short or rows
        form = Form(whole is not None, short is not None)
        key = (table, form, *rows.column_names)
        if key not in self._parts:
            number = sum(writer.part.table == table for writer in self._parts.values())
            file = f"{self.name}{f'-{number}' if number else ''}.parquet"
            held = {*rows.column_names}
            without = (c.name for c in TABLES[table] if not held & {d.name for d in on_disk(c, form)})
            self._parts[key] = _PartWriter(self.folder, Part(table, file, tuple(without), form), rows.schema)
        self._parts[key].add(rows)

    def close(self) -> Batch | None:
        """Finish the parts; None where nothing was added."""
        for writer in self._parts.values():
            writer.close()
        return (
            Batch(self.name, tuple(writer.part for writer in self._parts.values())) if self._parts else None
        )
