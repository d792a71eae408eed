"""The folder of a report: known by what is in it, and replaced as a whole."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from ...storage.locations import MANIFEST
from .. import UserError

MADE_BY: Final = "<p>Made by railbird."
"""Words that every page of a report has had since the first version."""
_FRESH: Final = ".railbird-new-"
_PARTS: Final = re.compile(
    r"(index|matches|hands|integrity|definitions|replay|evidence|information|match-\d+|player-[0-9a-f]{16})"
    # Pages of lists that are divided.
    r"((-[0-9a-f]{16})?(-[a-z]+)?-\d+)?\.html"
    rf"|assets|plots|hands|{re.escape(_FRESH)}[0-9a-f]{{32}}"
)
"""The names of a report's pages and folders; the last one is what an interrupted command left."""


def check_folder(out: Path) -> None:
    """UserError if a report cannot be written to `out`: it is there, is not empty and is no older report."""
    if not out.exists():
        return
    if (out / MANIFEST).exists():
        raise UserError(f"{out} is a store: choose another folder for the pages")
    if not out.is_dir():
        raise UserError(f"{out} is a file: choose a folder for the pages")
    names = sorted(path.name for path in out.iterdir())
    foreign = [name for name in names if not _PARTS.fullmatch(name)]
    first = out / "index.html"
    left = all(name.startswith(_FRESH) for name in names)
    if foreign or not (
        left or (first.is_file() and MADE_BY in first.read_text(encoding="utf-8", errors="replace"))
    ):
        why = f"it has {foreign[0]!r}" if foreign else "railbird did not make what is in it"
        raise UserError(f"{out} is no report ({why}): choose another folder for the pages")


@contextmanager
def replaced(out: Path) -> Iterator[Path]:
    """A new folder for a report, which becomes the content of `out` when the block ends.

    An older report stays as it was if the block fails, and goes as a whole if it does not. UserError as of
    `check_folder`. The folder itself stays: it may be the current folder, a link or a mount.
    """
    check_folder(out)
    made = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    fresh = out / f"{_FRESH}{uuid4().hex}"
    try:
        fresh.mkdir()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(out)) from None
    try:
        yield fresh
        # Again: the block took a while.
        check_folder(out)
        for old in out.iterdir():
            if old != fresh:
                _remove(old)
        for part in fresh.iterdir():
            part.rename(out / part.name)
        fresh.rmdir()
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        if made:
            # Not if another command has written into it meanwhile.
            with suppress(OSError):
                out.rmdir()
        raise


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
