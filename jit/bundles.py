"""What kernels take by address: named tuples of arrays and records, whose fields kernels read by name.

A Numba that cannot pass tuples so passes them word by word.
"""

from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=tuple[Any, ...])

try:
    from .bundle_types import bundle
except (ImportError, AttributeError):
    # That file uses internals of Numba. Without them Numba passes named tuples itself; compiling takes longer.
    def bundle(kind: type[T]) -> type[T]:
        """Leave the tuple to Numba."""
        return kind


__all__ = ["bundle", "memory_of", "new_record", "words_of"]


def new_record(fields: np.dtype[Any]) -> np.void:
    """A record of zeros; Python and kernels read and write the same memory."""
    record: np.void = np.zeros(1, fields)[0]
    return record


def memory_of(record: np.void) -> NDArray[np.void]:
    """An array without dimensions over a record's memory.

    NumPy itself lends that memory for reading only, from 2.5 on by its array interface as well.
    """
    told = record.__array_interface__
    to_write = told | {"data": (told["data"][0], False)}
    # The array keeps what has the interface, and that the record.
    memory: NDArray[np.void] = np.asarray(SimpleNamespace(__array_interface__=to_write, record=record))
    return memory


def words_of(record: np.void) -> NDArray[np.int64]:
    """The memory of a record whose fields have 64 bits, as integers: to clear or copy it as a whole."""
    return memory_of(record).reshape(1).view(np.int64)
