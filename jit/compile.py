"""The decorators of kernels and of the functions that kernels call. `passes` compiles them, `cache` keeps them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import RLock
from typing import Any, Final, TypeVar

import numba
from numba import config, extending, types

from .cache import KEEPS_BITCODE, KernelCache, cache_folder
from .interpreted import UncompiledError, is_allowed, plain

try:
    from numba.core import compiler_lock
    from numba.np import arrayobj

    from .passes import KernelCompiler, PartCompiler, RareCompiler

    HAS_PASSES = True
except (ImportError, AttributeError):
    HAS_PASSES = False

F = TypeVar("F", bound=Callable[..., Any])

# Numba's annotations leave out what its documentation has.
_config: Final[Any] = config
_compile: Final[Callable[..., Any]] = numba.njit
_extend: Final[Callable[..., Any]] = extending.register_jitable
_COMMON: Final[dict[str, Any]] = {"nogil": True, "_nrt": False}
_AS_KERNEL: Final[dict[str, Any]] = (
    {"pipeline_class": KernelCompiler, "no_cfunc_wrapper": True, **_COMMON} if HAS_PASSES else {}
)

OWN_WAY: Final = HAS_PASSES and KEEPS_BITCODE
"""True if kernels are compiled and kept in railbird's own way, which builds on internals of Numba.

If this Numba lacks any of them, it compiles and keeps kernels by its documented means: the same code, in more time, and
no kernel runs uncompiled.
"""


# Parts that are not registered with Numba yet, with their options. Only compiling needs them: a kernel from the cache
# does not, and registering all parts takes longer than loading it.
_waiting: Final[list[tuple[Callable[..., Any], dict[str, Any]]]] = []


def _announce_parts() -> None:
    while _waiting:
        function, options = _waiting.pop(0)
        _extend(**options, **_COMMON)(function)


def kernel(function: F) -> F:
    """Compile a module-level function on first use, without the interpreter lock, cached on disk.

    With NUMBA_DISABLE_JIT=1 the function stays plain Python.
    """
    if not OWN_WAY:
        return _ordinary(function)
    compiled: Any = _compile(function, **_AS_KERNEL)
    if (compiler := getattr(compiled, "_compiler", None)) is None:
        return _plain_where_allowed(function)
    compiler.compile = _with_parts(compiler.compile)
    # Numba calls this for argument types without code, and then calls the function that it returns.
    compiled._compile_for_args = _or_plain(compiled._compile_for_args, function)
    with _cache_here():
        compiled._cache = KernelCache(function)
    kept: F = compiled
    return kept


def _ordinary(function: F) -> F:
    """Compile and keep a kernel by Numba's documented means alone."""
    with _cache_here():
        compiled: Any = _compile(nogil=True, cache=True)(function)
    # With NUMBA_DISABLE_JIT=1 it is the function itself.
    kept: F = _plain_where_allowed(function) if compiled is function else compiled
    return kept


_choosing: Final = RLock()


@contextmanager
def _cache_here() -> Iterator[None]:
    # One thread at a time: another's end would leave this one Numba's folder, which may be the current one.
    with _choosing:
        before = _config.CACHE_DIR
        _config.CACHE_DIR = str(cache_folder())
        try:
            yield
        finally:
            _config.CACHE_DIR = before


def _with_parts(compile_kernel: Callable[..., Any]) -> Callable[..., Any]:
    def compile_with_parts(*arguments: Any) -> Any:
        _announce_parts()
        with compiler_lock.global_compiler_lock, _no_negative_indices():
            return compile_kernel(*arguments)

    return compile_with_parts


def _or_plain(compile_for: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    def compiled_or_plain(*arguments: Any, **named: Any) -> Any:
        try:
            return compile_for(*arguments, **named)
        except UncompiledError:
            return plain(function)

    return compiled_or_plain


def _plain_where_allowed(function: F) -> F:
    @wraps(function)
    def run(*arguments: Any) -> Any:
        return (plain(function) if is_allowed() else function)(*arguments)

    either: Any = run
    kept: F = either
    return kept


@contextmanager
def _no_negative_indices() -> Iterator[None]:
    """Compile indices without a check for negative ones, which no kernel uses; the check takes a fifth of the time.

    `tests/jit/test_indices.py` runs the kernels as plain Python over arrays that refuse negative indices. A Numba that
    lacks the replaced function compiles correct code more slowly.
    """
    before = getattr(arrayobj, "fix_integer_index", None)
    if before is None:
        yield
        return
    arrayobj.fix_integer_index = _as_it_is
    try:
        yield
    finally:
        arrayobj.fix_integer_index = before


def _as_it_is(context: Any, builder: Any, kind: Any, value: Any, size: Any) -> Any:
    return context.cast(builder, value, kind, types.intp)


def part(function: F) -> F:
    """Let kernels call a module-level function: compiled into each kernel, plain Python for other callers.

    It has no machine code of its own to wrap, cache and load.
    """
    return _registered(function)


def rare(function: F) -> F:
    """A `part` that hardly any hand needs, or the hands of few games: it is called, never inlined.

    Elsewhere it then takes no registers, and the code around it stays small.
    """
    return _registered(function, rarely=True)


def step(function: F) -> F:
    """A `part` that a kernel calls in one place: it is inlined there.

    LLVM by default does not inline the largest ones; in code that runs for every hand, the calls take time.
    """
    return _registered(function, forceinline=True)


def _registered(function: F, rarely: bool = False, **options: Any) -> F:
    """Register a part with Numba before it compiles the next kernel."""
    if OWN_WAY:
        compiler = RareCompiler if rarely else PartCompiler
        no_wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        _waiting.append((function, {"pipeline_class": compiler, **no_wrappers, **options}))
    else:
        _extend(function)
    return function
