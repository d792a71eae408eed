"""Functions of a user's own that kernels call by their address, so that no kernel is compiled again for them.

Such a function takes a record and returns a number. Compiled kernels call its machine code; kernels that run as plain
Python, and all other callers, call the function itself.
"""

import ast
import inspect
import math
import os
import re
import textwrap
from collections.abc import Callable, Collection
from threading import Lock
from typing import Any, Final, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import config, extending, types
from numba.core import errors

from .bundles import memory_of

Function = Callable[[Any], float]

_lock: Final = Lock()
_known: Final[dict[Function, "Hook"]] = {}
_functions: Final[list[Function]] = []

# Numba's annotations leave out what its documentation has.
_config: Final[Any] = config
_compile: Final[Any] = numba.njit
_entry: Final[Any] = numba.cfunc
_array_at: Final[Any] = numba.carray  # type: ignore[attr-defined]
_typed: Final[Any] = extending.type_callable
_lowered: Final[Any] = extending.lower_builtin
_FAILED: Final = float("nan")
_BOILERPLATE: Final = re.compile(r"Failed in |\s*$|Use of unsupported NumPy function|\s*\^")


class HookError(ValueError):
    """A function cannot be called, or failed; the message has the place in its file."""


class Hook(NamedTuple):
    """A function as kernels call it: its number in this process, and its address (0 if it is not compiled)."""

    place: int
    address: int


def call(place: int, address: int, record: Any) -> float:
    """What a function says of a record: in kernels NaN if it fails, in plain Python an error (`run`)."""
    return run(_functions[place], record)


def run(function: Function, record: Any) -> float:
    """What a function says of a record, called as plain Python; HookError if it fails or returns no finite number."""
    try:
        value = float(function(Fields(getattr(record, "record", record))))
    except Exception as error:
        raise HookError(_place_of(error, function)) from None
    if not math.isfinite(value):
        raise HookError(_no_number(function, value))
    return value


class Fields:
    """A record whose fields are attributes, as functions have it; an array is read and written in place."""

    def __init__(self, record: np.void) -> None:
        """The record stays where it is."""
        object.__setattr__(self, "_memory", memory_of(record))

    def __getattr__(self, name: str) -> Any:
        try:
            field = self._memory[name]
        except ValueError:
            raise AttributeError(f"a hand has no {name!r}") from None
        return memoryview(field) if field.ndim else field.item()

    def __setattr__(self, name: str, value: Any) -> None:
        self._memory[name] = value


def hook(function: Function, fields: np.dtype[Any], named: Collection[str]) -> Hook:
    """A function, compiled once in a process; named: the fields that it may use.

    Raises HookError if Numba cannot compile it, or if it does not take one argument and return a number.
    """
    with _lock:
        return _known_or_new(function, fields, named)


def _known_or_new(function: Function, fields: np.dtype[Any], named: Collection[str]) -> Hook:
    if function not in _known:
        if not callable(function) or len(inspect.signature(function).parameters) != 1:
            raise HookError(f"{_line_of(function)}: the function takes one argument, the hand")
        _check_fields(function, named)
        address = 0 if _config.DISABLE_JIT else _compiled(function, fields)
        _functions.append(function)
        _known[function] = Hook(len(_functions) - 1, address)
    return _known[function]


def failure(place: int, record: np.void) -> HookError:
    """Why a compiled function failed on a record: it is called once more, as plain Python."""
    function = _functions[place]
    try:
        return HookError(_no_number(function, run(function, record)))
    except HookError as error:
        return error


_kept: Final[list[Any]] = []
"""What has machine code whose address kernels have."""


def _compiled(function: Function, fields: np.dtype[Any]) -> int:
    inner = _compile(boundscheck=True, error_model="python")(function)
    kind = numba.from_dtype(fields)
    try:
        inner.compile((kind,))
    except errors.NumbaError as error:
        raise HookError(_said(error, function)) from None
    except Exception as error:
        raise HookError(f"{_line_of(function)}: {type(error).__name__}: {error}") from None
    returned = inner.overloads[(kind,)].signature.return_type
    if not isinstance(returned, types.Number | types.Boolean):
        said = (
            "nothing on some paths"
            if isinstance(returned, types.Optional | types.NoneType)
            else f"a {returned}"
        )
        raise HookError(f"{_line_of(function)}: {_name(function)} returns {said}; it must return a number")

    @_entry(types.float64(types.voidptr))  # type: ignore[untyped-decorator]
    def entry(at: Any) -> Any:
        # An index out of range is an exception here. A kernel has none.
        record = _array_at(at, 1, fields)
        try:
            return 1.0 * inner(record[0])
        except Exception:
            return _FAILED

    _kept.append(entry)
    address: int = entry.address
    return address


@_typed(call)  # type: ignore[untyped-decorator]
def _type_of_call(context: Any) -> Any:
    def of(place: Any, address: Any, record: Any) -> Any:
        return types.float64

    return of


@_lowered(call, types.Integer, types.Integer, types.Record)  # type: ignore[untyped-decorator]
def _lower_call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    pointer = ir.IntType(8).as_pointer()
    kind = ir.FunctionType(ir.DoubleType(), [pointer])
    address = context.cast(builder, arguments[1], signature.args[1], types.intp)
    function = builder.inttoptr(address, kind.as_pointer())
    return builder.call(function, [builder.bitcast(arguments[2], pointer)])


# What is wrong with a function, and where


def _no_number(function: Function, value: float) -> str:
    return f"{_line_of(function)}: {_name(function)} returns {value!r}, which is no number of chips"


def _name(function: Function) -> str:
    return getattr(function, "__name__", repr(function))


def _file_of(function: Function) -> str:
    code = getattr(function, "__code__", None)
    return code.co_filename if code else "?"


def _line_of(function: Function) -> str:
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else _name(function)


def _check_fields(function: Function, named: Collection[str]) -> None:
    """Raises HookError for a field that is not there: Numba's own message does not name it."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return
    (argument,) = inspect.signature(function).parameters
    first = function.__code__.co_firstlineno
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        if node.value.id == argument and node.attr not in named:
            at = f"{_file_of(function)}:{first + node.lineno - 1}"
            raise HookError(f"{at}: a hand has no {node.attr!r}; it has {', '.join(named)}")


def _said(error: Exception, function: Function) -> str:
    """What Numba says, in a line, and the line of the function's file."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = text.splitlines()
    places = re.findall(rf'File "{re.escape(os.path.basename(_file_of(function)))}", line (\d+)', text)
    places += re.findall(rf'File "{re.escape(_file_of(function))}", line (\d+)', text)
    places += re.findall(rf"{re.escape(_file_of(function))} \((\d+)\)", text)
    telling = [line.strip() for line in lines if not _BOILERPLATE.match(line)]
    said = telling[0] if telling else type(error).__name__
    if said.endswith(":"):
        said = f"{said} {next((line.strip(' >') for line in lines if '>>>' in line), '')}".strip()
    place = f"{_file_of(function)}:{min(map(int, places))}" if places else _line_of(function)
    return f"{place}: {_name(function)} cannot be compiled: {said}"


def _place_of(error: Exception, function: Function) -> str:
    import traceback

    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == _file_of(function)
    ]
    place = f"{_file_of(function)}:{lines[-1]}" if lines else _line_of(function)
    said = str(error).partition("\n")[0]
    if not lines and isinstance(error, TypeError | ValueError):
        return f"{place}: {_name(function)} returns no number: {said}"
    return f"{place}: {type(error).__name__}: {said}"
