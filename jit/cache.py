"""Where compiled kernels are kept: machine code in the user's cache, bitcode inside the package.

Of a compilation only the last pass, from LLVM's bitcode to machine code, depends on the processor, and it takes a
twentieth of the time. So what comes before is kept too, for every machine of the kind: a wheel carries it, a
checkout makes it once, and a first use elsewhere only finishes it.

Numba's own cache looks only at the file of the kernel itself: after an edit to a helper in another file the
old machine code would run on. So both places are folders named by a hash over the sources of all kernels.
"""

import atexit
import os
import pickle
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from inspect import getfile
from pathlib import Path
from stat import S_ISDIR, S_IWGRP, S_IWOTH
from typing import Any, Final
from uuid import uuid4

import numba
from llvmlite import binding
from numba.core import caching, serialize

from . import interpreted, startup

PACKAGE: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = (
    "schema/words.py",
    "jit",
    "parsers",
    "replay",
    "analytics/collusion/permuting.py",
    "analytics/thresholds.py",
)
"""Folders and files of the package that hold kernels and what they call."""
BITCODE: Final = "kernels"
"""The folder of bitcode in the package."""

_KEPT: Final = 4
# Numba's annotations leave out what its documentation has.
_Cache: Final[Any] = caching.FunctionCache
_dumps: Final[Any] = serialize.dumps


def sources_hash(package: Path = PACKAGE) -> str:
    """A hash over every source file that kernels are made of, Numba's version, Python's and the kind of machine."""
    kind = binding.get_process_triple()
    digest = blake2b(f"{numba.__version__} {sys.version_info[:2]} {kind}".encode(), digest_size=12)
    for source in map(package.joinpath, SOURCES):
        for path in [source] if source.is_file() else sorted(source.rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _room(root: Path) -> Path:
    """The folder of these sources; where it is new, older ones but a few are swept away."""
    folder = root / f"kernels-{sources_hash()}"
    if not folder.exists():
        older = sorted(root.glob("kernels-*"), key=lambda path: path.stat().st_mtime)
        for path in older[: -_KEPT + 1]:
            shutil.rmtree(path, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@cache
def cache_folder() -> Path:
    """Where machine code is kept: RAILBIRD_CACHE, else the user's cache folder, else a temporary one."""
    home = (
        os.environ.get("RAILBIRD_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "railbird"
    )
    root = Path(home).expanduser()
    if not _is_writable(root):
        root = _temporary()
    return _room(root)


def _temporary() -> Path:
    """A temporary folder that nobody else can write to, for code in it is run: the user's, else one of this process."""
    root = Path(tempfile.gettempdir()) / f"railbird-{os.getuid()}"
    with suppress(FileExistsError):
        root.mkdir(mode=0o700)
    found = root.lstat()
    if S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & (S_IWGRP | S_IWOTH):
        return root
    root = Path(tempfile.mkdtemp(prefix="railbird-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    return root


@cache
def bitcode_folder() -> Path | None:
    """Where bitcode is kept: in the package; None where it has none and may not be written."""
    root = PACKAGE / BITCODE
    if (found := root / cache_folder().name).exists():
        return found
    return _room(root) if _is_writable(root) else None


@cache
def _tell(line: str) -> None:
    """Say it once a process, to whoever wants to know."""
    for say in startup.compiling:
        say(line)


class KernelCache(_Cache):  # type: ignore[misc]
    """Numba's cache of one function, which finishes bitcode where it has no machine code."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The function compiled for argument types, or None; UncompiledError where it may do without."""
        found = self._load(sig, target_context)
        if found is None and self._finish(sig, target_context):
            found = self._load(sig, target_context)
        if found is None and interpreted.is_allowed():
            _tell(
                "so little text is read by uncompiled rules; more compiles them, once, for up to half a minute"
            )
            raise interpreted.UncompiledError
        if found is None:
            _tell("the rules are compiled: once, for up to half a minute")
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        # Numba's own way first tells its compiler of every function that there is: longer than loading all kernels.
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, in both forms, where the disk has room: else the next process compiles again."""
        with suppress(OSError):
            super().save_overload(sig, data)
        path = self._bitcode(sig)
        if path is None:
            return
        (name, _, (_, bitcode)), *rest = self._impl.reduce(data)
        # The annotation names files of this machine, and nobody reads it.
        rest[5] = ""
        _write(path, _dumps((name, bitcode, rest)))

    def _finish(self, sig: Any, target_context: Any) -> bool:
        """Make machine code of bitcode; False where there is none of these types."""
        path = self._bitcode(sig)
        if path is None or not path.exists():
            return False
        _tell(
            "first use of these rules on this machine: they are finished for its processor, in a few seconds"
        )
        codegen = target_context.codegen()
        try:
            name, bitcode, rest = pickle.loads(path.read_bytes())
            code = codegen._tm.emit_object(binding.parse_bitcode(bitcode))
            self._impl.locator.ensure_cache_path()
            key = self._index_key(sig, codegen)
            self._cache_file.save(key, ((name, "object", (code, bitcode)), *rest))
        # Of the last kind is a disk without room.
        except (pickle.UnpicklingError, EOFError, RuntimeError, ValueError, OSError):
            return False
        return True

    def _bitcode(self, sig: Any) -> Path | None:
        folder = bitcode_folder()
        if folder is None:
            return None
        # A kernel may be another package's.
        own = Path(getfile(self._py_func)).read_bytes()
        digest = blake2b(own + str(sig).encode(), digest_size=12)
        return folder / f"{self._py_func.__name__}-{digest.hexdigest()}.kernel"


def _write(path: Path, content: bytes) -> None:
    """A whole file or none: others may look for it meanwhile."""
    half = path.with_suffix(f".{uuid4().hex}")
    try:
        half.write_bytes(content)
        half.replace(path)
    except OSError:
        # The package may lie where nothing can be written any more, or taken away.
        with suppress(OSError):
            half.unlink()
