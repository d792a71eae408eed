"""Names of matches and hands as users type them: a file, the beginning of a name or an id, @last, @3.

@1, @2 ... are the rows of the last table printed for a store. They are kept in the user's state folder, in a file for
each store, which only that user can read or write; a file that another user could have written is not read.
"""

import json
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path, PurePath
from typing import Final, Protocol, TypeVar

import pyarrow.parquet as pq

from ..parsers.sources import WishError
from .fresh import replacing
from .ledger import is_called
from .locations import Folder, Place, natural_order
from .manifest import Manifest, read_manifest, readable

Row = tuple[int, int | None]
"""A match_id, and the hand_index of a row that is a hand."""

LAST: Final = "@last"
_MOST: Final = 10_000
"""Rows that are kept of a table."""
_LARGEST: Final = 1 << 20
"""Bytes of a file of rows; a larger one is not ours."""


class Named(Protocol):
    """A match with its id and the path of its file."""

    @property
    def match_id(self) -> int:
        """Its id."""

    @property
    def path(self) -> str:
        """Its file."""


N = TypeVar("N", bound=Named)


def matches_called(matches: Sequence[N], text: str) -> list[N]:
    """The matches of a file that is called so (path or name, with or without extension), else that of a match_id."""
    found = [match for match in matches if text and is_called(match.path, text)]
    return found or [match for match in matches if str(match.match_id) == text]


def matches_beginning(matches: Sequence[N], text: str) -> tuple[list[N], bool]:
    """The matches whose match_id or file name begins so; whether it is clear which: one match, or all of one file."""
    of_file = [match for match in matches if text and _file_begins(match, text)]
    same = {match.match_id for match in of_file}
    found = [
        match
        for match in matches
        if match.match_id in same or (text and str(match.match_id).startswith(text))
    ]
    return found, len(found) == 1 or (
        len(found) == len(of_file) and len({match.path for match in found}) == 1
    )


def _file_begins(match: Named, text: str) -> bool:
    parts = PurePath(match.path).parts
    return bool(parts) and "/".join(parts[-1 - text.count("/") :]).startswith(text)


def expanded(place: Place, text: str) -> str:
    """A text with the match_id, or MATCH#HAND, for @last or @3; another text as it is.

    WishError if no table was printed, if it has no such row, or if the matches of the store have changed since.
    """
    if not text.startswith("@"):
        return text
    name, sign, hand = text.partition("#")
    if name == LAST:
        return f"{last_match_read(place)}{sign}{hand}"
    if not (name[1:].isascii() and name[1:].isdigit()):
        raise WishError(
            f"{text!r} is no name: @last is the match read last, @1 the first row of the last table"
        )
    match_id, index = _row(place, int(name[1:]), name)
    if sign:
        return f"{match_id}#{hand}"
    return str(match_id) if index is None else f"{match_id}#{index}"


def expanded_match(place: Place, text: str) -> str:
    """The same for an argument that names a match: for a row that is a hand, its match."""
    return expanded(place, text).partition("#")[0] if text.startswith("@") else text


def last_match_read(place: Place) -> int:
    """The match_id of the last match, by path and place in its file, of what was committed last."""
    manifest = read_manifest(place)
    rows: list[tuple[int, int, int]] = []
    for batch in reversed(manifest.batches):
        for part in batch.of("matches"):
            with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
                table = file.read(["match_id", "file_id", "match_no"])
            rows += zip(*(table[name].to_pylist() for name in table.column_names), strict=True)
        if rows:
            break
    if not rows:
        raise WishError(f"{LAST}: the store has no matches")
    paths: dict[int, str] = {}
    for part in manifest.parts("files"):
        with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
            table = file.read(["file_id", "path"])
        paths |= dict(zip(*(table[name].to_pylist() for name in table.column_names), strict=True))
    return max(rows, key=lambda row: (natural_order(paths.get(row[1]) or ""), row[2], row[0]))[0]


def remember(place: Place, rows: Sequence[Row]) -> None:
    """Keep the rows of a table that is printed; nothing is kept where the state folder cannot be written."""
    kept = {
        "store": _location(place),
        "matches": _matches_of(read_manifest(place)),
        "rows": [list(row) for row in rows[:_MOST]],
    }
    with suppress(OSError):
        path = _file(place)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(path.parent):
            return
        with replacing(path, 0o600) as file:
            file.write(json.dumps(kept).encode())


def _row(place: Place, number: int, name: str) -> Row:
    try:
        path = _file(place)
        if not (_is_own(path.parent) and _is_own(path)) or path.stat().st_size > _LARGEST:
            raise OSError
        kept = json.loads(path.read_bytes())
        store, matches = kept["store"], kept["matches"]
        rows = [(int(match), None if hand is None else int(hand)) for match, hand in kept["rows"]]
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise WishError(
            f"{name}: no table with such numbers was printed for this store; `railbird bankroll` prints one"
        ) from None
    if store != _location(place) or matches != _matches_of(read_manifest(place)):
        raise WishError(
            f"{name}: the store has changed since its last table was printed; print the table again"
        )
    if not 1 <= number <= len(rows):
        raise WishError(f"{name}: the last table printed for this store has the rows @1 to @{len(rows)}")
    return rows[number - 1]


def _location(place: Place) -> str:
    return os.path.realpath(place.root) if isinstance(place, Folder) else str(place)


def _matches_of(manifest: Manifest) -> str:
    """A hash that differs once matches come or go."""
    names = sorted(part.name for part in manifest.parts("matches"))
    return blake2b("\n".join(names).encode(), digest_size=16).hexdigest()


def _file(place: Place) -> Path:
    """The file of a store's rows; OSError if the user has no home."""
    # The XDG specification ignores a relative path.
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    if not state.is_absolute():
        home = os.path.expanduser("~")
        if not os.path.isabs(home):
            raise OSError("the user has no home folder")
        state = Path(home, ".local", "state")
    name = blake2b(os.fsencode(_location(place)), digest_size=16).hexdigest()
    return state / "railbird" / f"{name}.json"


def _is_own(path: Path) -> bool:
    """Whether a file or folder, no link, belongs to this user and no other user can write to it."""
    found = path.lstat()
    is_kind = stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode)
    return is_kind and found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
