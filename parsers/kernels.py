"""How kernels are compiled: one decorator, and a cache of machine code that cannot go stale.

Numba's own cache looks only at the file of the kernel itself: after an edit to a helper in another file the
old machine code would run on. So the cache is a folder named by a hash over the sources of all kernels.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
from numba import config, extending, types
from numba.core import compiler_lock
from numba.np import arrayobj

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = ("parsers", "replay")
_KEPT: Final = 4
# Numba's annotations leave out what its documentation has.
_config: Final[Any] = config
_compile: Final[Callable[..., Any]] = numba.njit
_extend: Final[Callable[..., Any]] = extending.register_jitable
_COMMON: Final[dict[str, Any]] = {"nogil": True, "_nrt": False}


def sources_hash(package: Path = PACKAGE) -> str:
    """A hash over every source file that kernels are made of, Numba's and Python's version."""
    digest = blake2b(f"{numba.__version__} {sys.version_info[:3]}".encode(), digest_size=12)
    for folder in SOURCES:
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def cache_folder() -> Path:
    """Where machine code is kept: RAILBIRD_CACHE, else the user's cache folder, else a temporary one."""
    home = (
        os.environ.get("RAILBIRD_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "railbird"
    )
    root = Path(home).expanduser()
    if not _is_writable(root):
        root = Path(tempfile.gettempdir()) / f"railbird-{os.getuid()}"
        root.mkdir(parents=True, exist_ok=True)
    folder = root / f"kernels-{sources_hash()}"
    if not folder.exists():
        older = sorted(root.glob("kernels-*"), key=lambda path: path.stat().st_mtime)
        for path in older[: -_KEPT + 1]:
            shutil.rmtree(path, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def is_compiled() -> bool:
    """True where this version's kernels have been compiled on this machine before."""
    return any(cache_folder().rglob("*.nbc"))


# Parts that Numba has not been told of yet, with their options. It asks for them when it compiles; a kernel from the
# cache needs none, and telling it of all of them takes longer than loading the kernel.
_waiting: Final[list[tuple[Callable[..., Any], dict[str, Any]]]] = []


def _announce_parts() -> None:
    while _waiting:
        function, options = _waiting.pop(0)
        _extend(**options, **_COMMON)(function)


def kernel(function: F) -> F:
    """Compile a module-level function on first use, without the interpreter lock, cached on disk.

    With NUMBA_DISABLE_JIT=1 the function stays plain Python.
    """
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(cache_folder())
    try:
        compiled: F = _compile(function, cache=True, no_cfunc_wrapper=True, **_COMMON)
    finally:
        _config.CACHE_DIR = before
    compiler = getattr(compiled, "_compiler", None)
    if compiler is not None:
        compiler.compile = _with_parts(compiler.compile)
    return compiled


def _with_parts(compile_kernel: Callable[..., Any]) -> Callable[..., Any]:
    def compile_with_parts(*arguments: Any) -> Any:
        _announce_parts()
        with compiler_lock.global_compiler_lock, _no_negative_indices():
            return compile_kernel(*arguments)

    return compile_with_parts


@contextmanager
def _no_negative_indices() -> Iterator[None]:
    """Compile indices as they are: no kernel counts from an array's end, and asking takes a fifth of the time.

    `tests/parsers/test_kernels.py` runs the kernels as plain Python over arrays that refuse negative indices.
    A Numba without this function of its own compiles slower, equally right code.
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
    """Let kernels call a module-level function: compiled into each of them, plain Python for everyone else.

    It has no machine code of its own to wrap, cache and load, which halves the first compilation.
    """
    _waiting.append((function, {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}))
    return function


def step(function: F) -> F:
    """A `part` that is called in one place: put there as if it were written there.

    A call hands over every array of every argument, some 150 words: for what happens in every hand that is slow.
    """
    _waiting.append((function, {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}))
    return function
