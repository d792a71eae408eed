"""Kernels as plain Python: for small inputs, while the kernels are not compiled yet.

Compiling the rules takes as long as reading a gigabyte with compiled rules, so small inputs do not wait for it. A
kernel and its parts then run as Python, over views of their arrays that return Python's own numbers: no int8 overflows
where compiled code counts in int64. An operation that no view has, a number that does not fit its field, and an index
outside an array are errors. Compiled code, which checks none of this, is not tried instead.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from .bundles import memory_of

T = TypeVar("T")

LITTLE: Final = 1 << 20
"""Bytes of text that a process reads with uncompiled rules, in about two seconds; compiling takes twenty."""

_NEVER: Final = "NUMBA_DISABLE_JIT"
_allowed: Final = ContextVar("uncompiled", default=False)
_left = LITTLE


class UncompiledError(Exception):
    """A kernel is not compiled and need not be: its plain form runs instead."""


def _is_set(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


@contextmanager
def interpret_small(size: int) -> Iterator[None]:
    """Let kernels run uncompiled while an input of `size` bytes is read, if it is small.

    With RAILBIRD_COMPILE set, no kernel runs uncompiled; with NUMBA_DISABLE_JIT, all do.
    """
    global _left
    never = _is_set(_NEVER)
    few = size <= _left and not _is_set("RAILBIRD_COMPILE")
    _left -= size * few
    before = _allowed.set(never or few)
    try:
        yield
    finally:
        _allowed.reset(before)


def is_allowed() -> bool:
    """True while kernels may run uncompiled."""
    return _allowed.get()


def or_compiled(work: Callable[[], T], size: int) -> T:
    """Do `work` on `size` bytes, with every kernel compiled if they are many, and return its result."""
    if size > LITTLE and not _is_set(_NEVER):
        _allowed.set(False)
    return work()


@cache
def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel's plain form: it takes the kernel's arguments; NumPy's floating-point warnings become errors."""
    run = _rebound(function)

    def call(*arguments: Any) -> Any:
        with np.errstate(all="raise"):
            return run(*map(view, arguments))

    return call


def view(value: Any) -> Any:
    """An array, a record, or a named tuple of them, as plain kernels see it; any other value is unchanged."""
    if isinstance(value, np.ndarray):
        return Records(value) if value.dtype.names else _cells(value)
    if isinstance(value, np.void):
        return _Single(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(view, value))
    return value


class Records:
    """An array of records: `records[row]["field"]`, and `records[row] = record`."""

    __slots__ = ("_array", "_columns", "_size")

    def __init__(self, array: NDArray[Any]) -> None:
        """The array stays where it is."""
        self._columns = {name: _cells(array[name]) for name in array.dtype.names or ()}
        self._array, self._size = array, len(array)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, row: int) -> "_Record":
        return _Record(self._columns, row)

    def __setitem__(self, row: int, record: "_Single") -> None:
        self._array[row] = record.record


class _Record:
    __slots__ = ("_columns", "_row")

    def __init__(self, columns: dict[str, Any], row: int) -> None:
        self._columns, self._row = columns, row

    def __getitem__(self, name: str) -> Any:
        column = self._columns[name]
        return column[self._row] if column.ndim == 1 else _Inner(column, self._row)

    def __setitem__(self, name: str, value: Any) -> None:
        self._columns[name][self._row] = value


class _Single:
    """A record by itself, of aligned fields."""

    __slots__ = ("_arrays", "_cells", "record")

    def __init__(self, record: np.void) -> None:
        self.record = record
        fields: Any = memory_of(record)
        names = record.dtype.names or ()
        self._cells = {name: memoryview(fields[name]) for name in names if not fields[name].ndim}
        self._arrays = {name: _cells(fields[name]) for name in names if fields[name].ndim}

    def __getitem__(self, name: str) -> Any:
        return self._cells[name][()] if name in self._cells else self._arrays[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._cells[name][()] = value


class _Inner:
    """An array in a record."""

    __slots__ = ("_cells", "_row")

    def __init__(self, cells: Any, row: int) -> None:
        self._cells, self._row = cells, row

    def __len__(self) -> int:
        return int(self._cells.shape[1])

    def __getitem__(self, at: int) -> Any:
        return self._cells[self._row, at]

    def __setitem__(self, at: int, value: Any) -> None:
        self._cells[self._row, at] = value


class _Unaligned:
    """A column of records that is not aligned to machine words, so that no memoryview accepts it."""

    __slots__ = ("_array", "item", "ndim")

    def __init__(self, array: NDArray[Any]) -> None:
        self._array, self.item, self.ndim = array, array.item, array.ndim

    def __getitem__(self, at: int) -> Any:
        return self.item(at)

    def __setitem__(self, at: int, value: Any) -> None:
        self._array[at] = value


class _Grid:
    """An array of rows: `grid[row, k]`, and `grid[row]`, which is an array."""

    __slots__ = ("_array", "_cells", "ndim", "shape")

    def __init__(self, array: Any) -> None:
        self._array, self._cells, self.ndim, self.shape = array, memoryview(array), array.ndim, array.shape

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, at: Any) -> Any:
        return self._cells[at] if type(at) is tuple else view(self._array[at])

    def __setitem__(self, at: Any, value: Any) -> None:
        self._cells[at] = value


def _cells(array: Any) -> Any:
    if not array.flags.aligned:
        return _Unaligned(array)
    return memoryview(array) if array.ndim == 1 else _Grid(array)


# The globals of plain kernels, by module.
_shadows: Final[dict[str, dict[str, Any]]] = {}


def _rebound(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that sees its module's shadow."""
    source: Any = function
    names = _shadow(sys.modules[function.__module__])
    made = FunctionType(source.__code__, names, source.__name__, source.__defaults__, source.__closure__)
    made.__kwdefaults__ = source.__kwdefaults__
    return made


def _shadow(module: ModuleType) -> dict[str, Any]:
    """The names of a module, with views of its arrays and of all that its package's functions and modules name."""
    found = _shadows.get(module.__name__)
    if found is None:
        # Modules name each other: this one is found before it is filled.
        found = _shadows[module.__name__] = dict(vars(module))
        for name, value in vars(module).items():
            found[name] = _as_seen(value, module.__name__.partition(".")[0])
    return found


def _as_seen(value: Any, package: str) -> Any:
    # A kernel's function, whether it is compiled or not
    value = getattr(value, "py_func", getattr(value, "__wrapped__", value))
    if isinstance(value, ModuleType) and value.__name__.startswith(f"{package}."):
        return _Shadow(value)
    if isinstance(value, FunctionType) and value.__module__.startswith(f"{package}."):
        return _rebound(value)
    return view(value)


class _Shadow:
    """A module's shadow, as a module."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        """Called once for each name."""
        value = self.__dict__[name] = _shadow(self._module)[name]
        return value
