"""Where compiled kernels are kept: machine code in the user's cache, bitcode inside the package.

Only the last pass of a compilation, from LLVM's bitcode to machine code, depends on the processor, and it takes a
twentieth of the time. The bitcode is therefore kept as well, for all machines of one kind: a wheel carries it, a
checkout makes it once, and a first use elsewhere only finishes it.

Numba's own cache checks only the file of the kernel itself: after an edit to a helper in another file, the old
machine code would still run. Both places are therefore folders named by a hash over the sources of all kernels.

Loading compiled code runs a pickle. Machine code is therefore loaded only from a folder that no other user can write
to or replace (`_unsafe`), and bitcode only if its hash is in HASHES.
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
from stat import S_IMODE, S_ISDIR, S_ISLNK, S_ISVTX, S_IWGRP, S_IWOTH
from typing import Any, Final
from uuid import uuid4

import numba
from llvmlite import binding

try:
    from numba.core import caching, serialize
except ImportError:
    caching = serialize = None  # type: ignore[assignment]

from . import interpreted, startup

PACKAGE: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = (
    "schema",
    "jit",
    "parsers",
    "replay",
    "analytics/collusion/nulls.py",
)
"""Folders and files of the package that hold kernels and what they call."""
BITCODE: Final = "kernels"
"""The folder of bitcode in the package."""
HASHES: Final = "hashes"
"""The file that lists each file of bitcode with its hash."""

_KEPT: Final = 4
# Numba promises none of these; without them it keeps machine code in its ordinary way (`compile.kernel`).
_Cache: Final[Any] = getattr(caching, "FunctionCache", object)
_dumps: Final[Any] = getattr(serialize, "dumps", None)
KEEPS_BITCODE: Final = _Cache is not object and _dumps is not None
"""True if this Numba has the internals that KernelCache builds on."""


def _is_checked() -> bool:
    """True if kernels check their indices (NUMBA_BOUNDSCHECK): they are kept apart, and not in the package."""
    checks: int | None = getattr(numba.config, "BOUNDSCHECK", None)
    return bool(checks)


def sources_hash(package: Path = PACKAGE) -> str:
    """A hash over every source file that kernels are made of, Numba's version, Python's and the kind of machine."""
    kind = f"{binding.get_process_triple()}{' checked' if _is_checked() else ''}"
    digest = blake2b(f"{numba.__version__} {sys.version_info[:2]} {kind}".encode(), digest_size=12)
    for source in map(package.joinpath, SOURCES):
        for path in [source] if source.is_file() else sorted(source.rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _is_open(mode: int) -> bool:
    """True for a folder in which users other than its owner can create, rename and remove files."""
    return bool(mode & (S_IWGRP | S_IWOTH))


def _unsafe(folder: Path) -> str:
    """Why compiled code is not loaded from a folder; empty if it is safe.

    The folder must belong to the user, have mode 0700, and be reached through no link. Other users must not be able to
    replace it or a folder above it. Links that only the administrator can make are followed, such as /tmp or a home
    folder that lies elsewhere.
    """
    user = os.getuid()
    for above in reversed(folder.parents):
        found = above.lstat()
        if S_ISLNK(found.st_mode):
            if found.st_uid or (user == 0 and above.parent != Path(above.anchor)):
                return f"{above} is a link"
            found = above.stat()
        if found.st_uid not in (0, user):
            return f"{above} belongs to another user"
        if _is_open(found.st_mode) and not found.st_mode & S_ISVTX:
            return f"others can write to {above}"
    return _not_own(folder) or (
        "" if (mode := S_IMODE(folder.lstat().st_mode)) == 0o700 else f"its mode is {mode:04o}, not 0700"
    )


def _not_own(folder: Path) -> str:
    found = folder.lstat()
    if S_ISLNK(found.st_mode):
        return f"{folder} is a link"
    if not S_ISDIR(found.st_mode):
        return f"{folder} is no folder"
    return "" if found.st_uid == os.getuid() else f"{folder} belongs to another user"


def _close_to_others(folder: Path) -> None:
    """Set a folder's mode to 0700 if no other user could write to it: an earlier railbird left it readable."""
    with suppress(OSError):
        if not _not_own(folder) and not _is_open(folder.lstat().st_mode):
            folder.chmod(0o700)


@cache
def _room_name() -> str:
    return f"kernels-{sources_hash()}"


def _room(root: Path) -> Path:
    """The folder of these sources; a new one removes all but a few of the older ones."""
    folder = root / _room_name()
    if not folder.exists():
        older = sorted(root.glob("kernels-*"), key=lambda path: path.stat().st_mtime)
        for path in older[: -_KEPT + 1]:
            shutil.rmtree(path, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@cache
def cache_folder() -> Path:
    """Where machine code is kept: RAILBIRD_CACHE, else the user's cache folder, else a temporary one."""
    chosen = os.environ.get("RAILBIRD_CACHE")
    home = chosen or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "railbird"
    root = Path(os.path.abspath(Path(home).expanduser()))
    if not _is_writable(root):
        return _room(_temporary())
    if not chosen:
        _close_to_others(root)
    why = _unsafe(root)
    if not why:
        room = root / _room_name()
        why = _not_own(room) if os.path.lexists(room) else ""
    if not why:
        return _room(root)
    own = _temporary()
    _refused.append(f"compiled rules in {root} are not used: {why}; others are kept in {own}")
    return _room(own)


_refused: Final[list[str]] = []
"""Messages about a folder of machine code that is not used."""


def _temporary() -> Path:
    """A temporary folder that no other user can write to: the user's, else one of this process."""
    root = Path(tempfile.gettempdir()) / f"railbird-{os.getuid()}"
    with suppress(FileExistsError):
        root.mkdir(mode=0o700)
    if not _not_own(root) and S_IMODE(root.lstat().st_mode) == 0o700:
        return root
    root = Path(tempfile.mkdtemp(prefix="railbird-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    return root


@cache
def bitcode_folder() -> Path | None:
    """The folder of bitcode in the package; None if there is none and the package cannot be written, or for checked
    kernels.
    """
    if _is_checked():
        return None
    root = PACKAGE / BITCODE
    if (found := root / cache_folder().name).exists():
        return found
    return _room(root) if _is_writable(root) else None


@cache
def _tell(line: str) -> None:
    """Pass a message to the listeners, once a process."""
    for say in startup.compiling:
        say(line)


@cache
def _own_sources(file: str) -> bytes:
    """The text of a kernel's file; of one in a package other than railbird that of all files of its folder."""
    path = Path(file).resolve()
    is_ours = any(path.is_relative_to(PACKAGE / source) for source in SOURCES)
    is_alone = is_ours or not (path.parent / "__init__.py").exists()
    files = [path] if is_alone else sorted(path.parent.glob("*.py"))
    return b"\0".join(each.read_bytes() for each in files)


class KernelCache(_Cache):  # type: ignore[misc]
    """Numba's cache of one function; without machine code, it finishes bitcode."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The function compiled for argument types, or None; UncompiledError if it may run uncompiled."""
        for line in _refused:
            _tell(line)
        found = self._load(sig, target_context)
        if found is None and self._finish(sig, target_context):
            found = self._load(sig, target_context)
        if found is None and interpreted.is_allowed():
            _tell(
                "this input is small, so the rules run uncompiled; "
                "more text compiles them once, in half a minute at most"
            )
            raise interpreted.UncompiledError
        if found is None:
            _tell("compiling the rules: this happens once and takes up to half a minute")
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        # Numba's own method first registers every function with its compiler, longer work than loading all kernels.
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except MemoryError:
            raise
        # A file that a crash or a bad disk has damaged raises errors of any kind.
        except Exception:
            _tell(f"compiled rules in {self._cache_path} are damaged: they are made again")
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compilation in both forms; on a full disk nothing is kept, and the next process compiles again."""
        with suppress(OSError):
            super().save_overload(sig, data)
        path = self._bitcode(sig)
        if path is None:
            return
        (name, _, (_, bitcode)), *rest = self._impl.reduce(data)
        # The annotation names files of this machine and is never read.
        rest[5] = ""
        content = _dumps((name, bitcode, rest))
        # The hash comes first: a file without one is not loaded.
        with suppress(OSError), (path.parent / HASHES).open("a", encoding="utf-8") as hashes:
            hashes.write(f"{_hash(content)}  {path.name}\n")
        _write(path, content)

    def _finish(self, sig: Any, target_context: Any) -> bool:
        """Make machine code of bitcode; False if there is none for these types, or it was changed."""
        path = self._bitcode(sig)
        content = None if path is None else _read(path)
        if content is None:
            return False
        _tell(
            "first use of these rules on this machine: finishing them for its processor takes a few seconds"
        )
        codegen = target_context.codegen()
        try:
            name, bitcode, rest = pickle.loads(content)
            code = codegen._tm.emit_object(binding.parse_bitcode(bitcode))
            self._impl.locator.ensure_cache_path()
            key = self._index_key(sig, codegen)
            self._cache_file.save(key, ((name, "object", (code, bitcode)), *rest))
        # A full disk raises OSError.
        except (pickle.UnpicklingError, EOFError, RuntimeError, ValueError, OSError):
            return False
        return True

    def _index_key(self, *asked: Any) -> Any:
        return *super()._index_key(*asked), blake2b(_own_sources(getfile(self._py_func))).digest()

    def _bitcode(self, sig: Any) -> Path | None:
        folder = bitcode_folder()
        if folder is None:
            return None
        digest = blake2b(_own_sources(getfile(self._py_func)) + str(sig).encode(), digest_size=12)
        return folder / f"{self._py_func.__name__}-{digest.hexdigest()}.kernel"


def _hash(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


def _read(path: Path) -> bytes | None:
    """A file of bitcode; None if there is none, or it was changed."""
    try:
        content = path.read_bytes()
        lines = (path.parent / HASHES).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return None
    # Another process may have written the file again: each version has a line.
    if f"{_hash(content)}  {path.name}" in lines:
        return content
    _tell(f"{path} was changed or damaged: it is not loaded")
    return None


def _write(path: Path, content: bytes) -> None:
    """Write a file in one step: other processes may look for it meanwhile."""
    half = path.with_suffix(f".{uuid4().hex}")
    try:
        half.write_bytes(content)
        half.replace(path)
    except OSError:
        # Nothing in the package may be writable or removable any more.
        with suppress(OSError):
            half.unlink()
