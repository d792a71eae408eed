"""Where a store lies, as a user names it."""

from pathlib import Path
from typing import Final

from .folder import Folder
from .place import Place

_BUCKET: Final = "s3://"


def place_of(store: str | Path | Place) -> Place:
    """Where a store lies: `s3://bucket/path`, or a folder."""
    if isinstance(store, Place):
        return store
    if isinstance(store, str) and store[: len(_BUCKET)].lower() == _BUCKET:
        from .bucket import Bucket

        return Bucket(store[len(_BUCKET) :])
    # Of `--store=~/logs` a shell makes no folder.
    return Folder(Path(store).expanduser() if str(store).startswith("~/") else Path(store))
