"""Writing a batch: one Parquet part a table, appended to as chunks come, packed as `parsers.tables` says."""

import os
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ..parsers.tables import TABLES, Packing, schema
from .manifest import Batch

ROW_GROUP: Final = 20_000
_LEVEL: Final = 3


def _leaf(name: str, kind: pa.DataType) -> str:
    while pa.types.is_list(kind):
        name, kind = f"{name}.list.element", kind.value_type
    return name


def _options(table: str) -> dict[str, Any]:
    packed = {_leaf(c.name, c.type): c.packing for c in TABLES[table]}
    return {
        "compression": "zstd",
        "compression_level": _LEVEL,
        "use_dictionary": [name for name, packing in packed.items() if packing is Packing.DICTIONARY],
        "column_encoding": {n: p.value for n, p in packed.items() if p is not Packing.DICTIONARY},
        "write_statistics": [c.name for c in TABLES[table] if c.key],
        "store_schema": False,
    }


class BatchWriter:
    """The parts of one batch in the making."""

    def __init__(self, folder: Path) -> None:
        """A batch of a fresh name under a staging folder."""
        self.folder = folder
        self.name = os.urandom(8).hex()
        self._writers: dict[str, pq.ParquetWriter] = {}
        self._waiting: dict[str, list[pa.Table]] = {}

    def add(self, table: str, rows: pa.Table) -> None:
        """Append rows; small ones wait until they fill a row group."""
        if not rows.num_rows:
            return
        waiting = self._waiting.setdefault(table, [])
        waiting.append(rows)
        if sum(part.num_rows for part in waiting) >= ROW_GROUP:
            self._flush(table)

    def _flush(self, table: str) -> None:
        waiting = self._waiting.pop(table, [])
        if not waiting:
            return
        if table not in self._writers:
            (self.folder / table).mkdir(exist_ok=True)
            path = self.folder / table / f"{self.name}.parquet"
            self._writers[table] = pq.ParquetWriter(path, schema(table), **_options(table))
        rows = waiting[0] if len(waiting) == 1 else pa.concat_tables(waiting).unify_dictionaries()
        self._writers[table].write_table(rows, row_group_size=max(rows.num_rows, 1))

    def close(self) -> Batch | None:
        """Finish the parts; None where nothing was added."""
        for table in list(self._waiting):
            self._flush(table)
        for writer in self._writers.values():
            writer.close()
        return Batch(self.name, tuple(sorted(self._writers))) if self._writers else None
