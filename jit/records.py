"""Records that kernels work on: `record["field"]`, an array of them for each field that has one."""

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray


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
