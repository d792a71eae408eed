"""Whether a store's parts are what was written: each is hashed, and compared with the hash in the manifest."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b, file_digest
from os import SEEK_END
from pathlib import Path
from typing import Final, NamedTuple

from ..parsers.sources import WishError
from .locations import Folder, Place, StoreError, reason, spot_of
from .manifest import Manifest, Part, damaged, read_manifest

CHANGED: Final = "its bytes are not those that were written"
MISSING: Final = "it is missing"
NO_PARQUET: Final = "it is no Parquet file any more"
UNHASHED: Final = "the manifest has no hash of it"

_LEAST: Final = 12
"""The bytes of a Parquet file without content."""


class Checked(NamedTuple):
    """A part, its size in bytes, and what is wrong with it; "" for nothing."""

    part: Part
    size: int
    problem: str


def checked_parts(place: Place) -> Iterator[Checked]:
    """Every part that the manifest names, read once. StoreError if there is no store."""
    yield from check(place, (part for batch in read_manifest(place).batches for part in batch.parts))


def check(place: Place, parts: Iterable[Part]) -> Iterator[Checked]:
    """Some parts, each read once."""
    return (_checked(place, part) for part in parts)


def first_damage(place: Place) -> StoreError | None:
    """The error that names the first damaged part; None if all are whole, or have no hash."""
    return next(
        (
            damaged(place, one.part, one.problem)
            for one in checked_parts(place)
            if one.problem not in ("", UNHASHED)
        ),
        None,
    )


@contextmanager
def blaming(place: Place, *passing: type[Exception]) -> Iterator[None]:
    """If work on a store fails like a bug of railbird, report a damaged part instead, if there is one.

    passing: errors that pass unchanged, in addition to those of a user, of a store and of the system
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, (StoreError, WishError, OSError, MemoryError, *passing)):
            raise
        raise first_fault(place) or error from None


def first_fault(place: Place) -> StoreError | None:
    """The error that names the first part that is damaged, or has values that no railbird writes."""
    from .values import first_strange

    return first_damage(place) or first_strange(place)


def obvious(place: Place, manifest: Manifest) -> Iterator[Checked]:
    """The parts that are missing, or whose file, in a folder, begins or ends as no Parquet file does.

    This costs an opened file a part, and finds what was cut or overwritten.
    """
    there = {spot_of(name)[1]: size for name, size in place.sizes().items()}
    for batch in manifest.batches:
        for part in batch.parts:
            if part.name not in there:
                yield Checked(part, 0, MISSING)
            elif isinstance(place, Folder) and not _is_parquet(place.open(part.name)):
                yield Checked(part, there[part.name], NO_PARQUET)


def _is_parquet(path: Path) -> bool:
    """Whether a file begins and ends as a Parquet file, with a footer that it has room for."""
    with suppress(OSError), path.open("rb") as file:
        size = file.seek(0, SEEK_END)
        if size < _LEAST:
            return False
        file.seek(size - 8)
        footer, magic = file.read(4), file.read(4)
        file.seek(0)
        return magic == file.read(4) == b"PAR1" and int.from_bytes(footer, "little") <= size - _LEAST
    # A file that another moved just now, or may not be opened: the query says so.
    return True


def _checked(place: Place, part: Part) -> Checked:
    try:
        found = place.open(part.name)
        with found.open("rb") if isinstance(found, Path) else found as file:
            digest = file_digest(file, partial(blake2b, digest_size=16)).hexdigest()
            size = file.tell()
    except FileNotFoundError:
        return Checked(part, 0, MISSING)
    except OSError as error:
        return Checked(part, 0, reason(error))
    if not part.digest:
        return Checked(part, size, UNHASHED)
    return Checked(part, size, "" if digest == part.digest else CHANGED)
