"""What a column on disk is: its type, how Parquet packs it, and the forms in which it may lie."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

import pyarrow as pa

WORD: Final = pa.dictionary(pa.int32(), pa.string())
PLACE: Final = pa.dictionary(pa.int8(), pa.string())
BYTES: Final = pa.uint64()
CARDS: Final = pa.list_(pa.dictionary(pa.int8(), pa.string()))
WORDS: Final = pa.list_(pa.string())

NO_CHIPS: Final = 0
"""Whole chips that stand for null, in the columns that say so."""

MOST_CHIPS: Final = 2**31 - 1
"""The most whole chips, won or lost, that lie on disk as such."""

NO_WORD: Final = ""
"""What stands in the places behind the end of a short list of words."""


@dataclass(frozen=True)
class Bits:
    """Some bits of an integer column, which DuckDB reads as a column of their own.

    words: what 0, 1, 2, ... stand for. none: 0 is null, and 1 stands for 0.
    """

    name: str
    shift: int
    width: int
    type: pa.DataType
    meaning: str
    words: tuple[str, ...] = ()
    none: bool = False


DICTIONARY: Final = "dictionary"


class Packing(Enum):
    """How Parquet packs a column, as measured: its encoding, and by what the pages are compressed.

    Line numbers as dictionaries would double the store. LZ4 begins a page in no time: few values are as small by it,
    and in tables of few rows to begin costs more than to compress. Of whole numbers those of one sign are smallest
    by their bytes, those of both signs as differences.
    """

    WORDS = DICTIONARY, "lz4"
    NUMBERS = DICTIONARY, "zstd"
    COUNTED = "DELTA_BINARY_PACKED", "lz4"
    DELTA = "DELTA_BINARY_PACKED", "zstd"
    SPLIT = "BYTE_STREAM_SPLIT", "zstd"
    SMALL = "PLAIN", "lz4"
    PLAIN = "PLAIN", "zstd"

    @property
    def encoding(self) -> str:
        """As Parquet names it."""
        return self.value[0]

    @property
    def codec(self) -> str:
        """As Parquet names it."""
        return self.value[1]


@dataclass(frozen=True)
class Column:
    """A column on disk; Parquet packs one that is never null faster, and lists slower than anything else.

    whole  of chips: their packing as int32, in parts where all chips are whole (`on_disk`), as they are in most games
    none   of whole chips: NO_CHIPS stands for null
    short  of lists: how many elements the columns that take its place have room for, in parts where no list is longer
    """

    name: str
    type: pa.DataType
    meaning: str
    packing: Packing = Packing.WORDS
    key: bool = False
    null: bool = True
    bits: tuple[Bits, ...] = ()
    whole: Packing | None = None
    none: bool = False
    short: int = 0

    @property
    def places(self) -> list[str]:
        """The columns of a short list of words: a word each, no word behind its end."""
        return [f"{self.name}_{place}" for place in range(1, self.short + 1)]

    @property
    def bytes(self) -> str:
        """The column of a short list of small numbers: the bytes of one, 0 behind its end."""
        return f"{self.name}_bytes"


class Form(NamedTuple):
    """How a part's columns lie.

    whole  its chips are whole numbers, all of them
    short  its lists are no longer than `Column.short`, all of them, and none is null
    """

    whole: bool = False
    short: bool = False


AS_IT_IS: Final = Form()


def on_disk(column: Column, form: Form) -> list[Column]:
    """The columns of a part of such a form in which a column of its table lies."""
    if form.short and column.short and column.type == CARDS:
        return [
            Column(name, PLACE, f"{column.meaning}: one, or no word", null=False) for name in column.places
        ]
    if form.short and column.short:
        return [
            Column(column.bytes, BYTES, f"{column.meaning}: a byte each, or 0", Packing.NUMBERS, null=False)
        ]
    if form.whole and column.whole:
        kind = pa.list_(pa.int32()) if pa.types.is_list(column.type) else pa.int32()
        return [replace(column, type=kind, packing=column.whole, null=column.null and not column.none)]
    return [column]
