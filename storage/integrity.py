"""Whether a store's parts are what was written: each is hashed, and compared with the hash in the manifest."""

from collections.abc import Iterator
from functools import partial
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Final, NamedTuple

from .locations import Place, reason
from .manifest import Part, read_manifest

CHANGED: Final = "its bytes are not those that were written"
MISSING: Final = "it is missing"
UNHASHED: Final = "the manifest has no hash of it"


class Checked(NamedTuple):
    """A part, its size in bytes, and what is wrong with it; "" for nothing."""

    part: Part
    size: int
    problem: str


def checked_parts(place: Place) -> Iterator[Checked]:
    """Every part that the manifest names, read once. StoreError if there is no store."""
    for batch in read_manifest(place).batches:
        for part in batch.parts:
            yield _checked(place, part)


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
