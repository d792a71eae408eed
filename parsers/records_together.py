"""Files of records that are one match: which they are among an ingest's inputs, in which order, and which leads.

The first has the match; the others are its sidecars. Files that the store knows already are in no new match.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import lru_cache

from .chunks import examine
from .dialect import Dialect
from .dialects import records_for
from .records import module_of
from .sidecar_names import split
from .sources import Source, SourceError

KIND = "a record of the match whose first file is {}"

_Key = tuple[str, bytes]
"""A dialect, and what tells matches of a folder apart."""


class Together:
    """The matches of several files each, by folder."""

    def __init__(self, given: Sequence[Source], is_known: Callable[[int], bool]) -> None:
        """Look through the inputs once, by their paths. is_known: of a file_id, where the store has the file."""
        self._is_known = is_known
        self._folders: dict[str, list[Source]] = {}
        for source in given:
            self._folders.setdefault(split(source.path)[0], []).append(source)
        self._matches = lru_cache(4)(self._read)

    def members(self, source: Source) -> tuple[Source, ...]:
        """The files of a file's match in their order, itself among them; none where it is no such file."""
        folder = split(source.path)[0]
        if len(self._folders.get(folder, ())) < 2:
            return ()
        return next((some for some in self._matches(folder).values() if source in some), ())

    def _read(self, folder: str) -> dict[_Key, tuple[Source, ...]]:
        """The files of each match of a folder."""
        found: dict[_Key, list[tuple[int, int, Source]]] = {}
        for place, source in enumerate(self._folders[folder]):
            try:
                with closing(examine(source)) as opened:
                    dialect = records_for(opened.head)
                    if dialect is None or self._is_known(opened.file_id):
                        continue
                    key, number = _told(dialect, opened.head)
            except SourceError:
                continue
            if key is not None:
                found.setdefault(key, []).append((number, place, source))
        return {
            key: tuple(source for _, _, source in sorted(some, key=_order)) for key, some in found.items()
        }


def _order(one: tuple[int, int, Source]) -> tuple[int, int]:
    return one[:2]


def _told(dialect: Dialect, head: bytes) -> tuple[_Key | None, int]:
    """The match that a file's first bytes name, None where files of its dialect are matches; its number there."""
    form = dialect.records
    if form is None or not form.together:
        return None, 0
    module = module_of(form)
    group, order = getattr(module, "group", None), getattr(module, "order", None)
    number = order(head) if order is not None else None
    return (dialect.name, group(head) if group is not None else b""), number or 0
