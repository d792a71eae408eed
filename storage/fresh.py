"""Files that take the place of others in one step; the next writer removes what killed ones left."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import BinaryIO, Final

_FRESH: Final = ".new"
_RANDOM: Final = 8
"""Bytes of a half-written file's name, in hexadecimal digits, that no other file has."""
_ABANDONED: Final = 600.0
"""Seconds after which a half-written file counts as abandoned; writing and renaming one takes a moment."""


@contextmanager
def replacing(path: Path, mode: int = 0o666, is_new: bool = False) -> Iterator[BinaryIO]:
    """A file to write, which becomes the file `path` when the block ends, and goes if it fails.

    mode: its permissions, less the umask; is_new: FileExistsError if a file is there
    """
    import fcntl

    sweep(path.parent, path.name)
    fresh = path.with_name(f".{path.name}.{os.urandom(_RANDOM).hex()}{_FRESH}")
    try:
        with open(fresh, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            # It is empty until it is locked. Some file systems have no locks.
            with suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield file
            file.flush()
            # Under the lock: a file without one is removed.
            _put(fresh, path, is_new)
    except OSError as error:
        if error.filename == str(fresh):
            error.filename = str(path)
        raise
    finally:
        fresh.unlink(missing_ok=True)


def _put(fresh: Path, path: Path, is_new: bool) -> None:
    if not is_new:
        fresh.replace(path)
        return
    try:
        os.link(fresh, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without links.
        if os.path.lexists(path):
            raise FileExistsError(f"{path} is there") from None
        fresh.replace(path)


def sweep(folder: Path, name: str = "") -> None:
    """Remove half-written files of processes that are gone: those of a name, or all."""
    import fcntl

    digits = 2 * _RANDOM * "[0-9a-f]"
    for path in folder.glob(f".{escape(name) or '*'}.{digits}{_FRESH}"):
        with suppress(OSError):
            found = path.lstat()
            if time.time() - found.st_mtime > _ABANDONED:
                path.unlink()
            elif found.st_size:
                with path.open("rb+") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    path.unlink()
