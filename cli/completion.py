"""What a shell completes names of a store to: players, events, games and logs.

Names come from strangers' logs, and zsh evaluates what it is offered. So only names of letters, digits and a few signs
are offered, which no shell reads as anything else, and single blanks within a name: zsh and fish quote them, for Bash
they are offered with a backslash. Typer drops what does not begin as the word does, so in Bash a word that is typed
beyond a blank must begin with a quote. After a failure nothing is offered, because a message would spoil the line being
typed.
"""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from typer import Context

from ..reports import UserError

if TYPE_CHECKING:
    from ..storage.locations import Place

_PLAIN: Final = re.compile(r"(?=.{1,100}$)(?!-)[\w.+@%/-]+( [\w.+@%/-]+)*")
_STORE: Final = re.compile(r"--store[ \n]*[ \n=][ \n]*([\w.+/~][\w.+@%/~-]*)(?=[ \n]|$)")
_MOST: Final = 1000
"""Names that are offered; a shell asks before it lists more than a screen of them."""


def _names(table: str, column: str, named: Callable[[str], str] = str) -> Callable[[Context, str], list[str]]:
    """A completion by a column of a table; named: what is offered for a value."""

    def offered(context: Context, incomplete: str) -> list[str]:
        from ..storage.locations import Folder, place_of
        from ..storage.manifest import StoreError

        found: set[str] = set()
        with suppress(StoreError, UserError, OSError, ValueError):
            given = _store_ahead() or context.params.get("store") or context.lookup_default("store") or ""
            place = place_of(str(given))
            # A bucket would take seconds, and a folder of logs is read first.
            if isinstance(place, Folder):
                found = {named(value) for value in _values(place, table, column)}
        fitting = (name for name in found if name.startswith(incomplete) and _PLAIN.fullmatch(name))
        return [_as_typed(name) for name in sorted(fitting)[:_MOST]]

    return offered


def _store_ahead() -> str | None:
    """The store that a line names, also behind the cursor. Only Bash hands that part of a line on."""
    found = _STORE.search(os.environ.get("COMP_WORDS", ""))
    return os.path.expanduser(found[1]) if found else None


def _as_typed(name: str) -> str:
    """A name as the shell inserts it: Bash splits at blanks unless the word being typed has begun with a quote."""
    if os.environ.get("_RAILBIRD_COMPLETE") != "complete_bash":
        return name
    words = os.environ.get("COMP_WORDS", "").split("\n")
    place = os.environ.get("COMP_CWORD", "")
    word = words[int(place)] if place.isdecimal() and int(place) < len(words) else ""
    return name if word.startswith(("'", '"')) else name.replace(" ", "\\ ")


def _values(place: "Place", table: str, column: str) -> set[str]:
    """The texts of a column, or of its lists, in the live parts of a table; StoreError if the place is not a store."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from ..storage.manifest import read_manifest, readable

    found: set[str] = set()
    for part in read_manifest(place).parts(table):
        with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
            values = file.read([column])[column].combine_chunks()
        if isinstance(values, pa.ListArray | pa.LargeListArray):
            values = values.flatten()
        found.update(value for value in values.unique().to_pylist() if value is not None)
    return found


players = _names("matches", "players")
events = _names("matches", "event")
games = _names("matches", "game")
logs = _names("files", "path", lambda path: PurePath(path).name)
