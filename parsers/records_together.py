"""Files of records that form one match: the files of it among an ingest's inputs, and their order.

The first file has the match; the others are its sidecars. Files that are already in the store join no new match. Texts
of a folder's small files are kept until each is read in its turn.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from .chunks import Opened, examine
from .dialect import Dialect
from .records import module_of
from .sidecar_names import split
from .sources import Source, SourceError

KIND = "a record of the match whose first file is {}"

_KEPT: Final = 16 << 20
"""Bytes of files that are kept."""

_Key = tuple[str, bytes]
"""A dialect, and a key that distinguishes the matches of a folder."""


class Together:
    """Matches that span several files, by folder."""

    def __init__(
        self, given: Sequence[Source], is_known: Callable[[int], bool], kept: dict[str, Opened]
    ) -> None:
        """Look through the inputs once, by their paths.

        is_known: of a file_id, where the store has the file; kept: gets small files that are read, by path
        """
        self._is_known, self._kept = is_known, kept
        self._folders: dict[str, list[Source]] = {}
        for source in given:
            self._folders.setdefault(split(source.path)[0], []).append(source)
        self._matches = lru_cache(4)(self._read)

    def members(self, source: Source, opened: Opened) -> tuple[Source, ...]:
        """The files of a file's match in order, including itself; empty if it is not such a file.

        opened: the file
        """
        folder = split(source.path)[0]
        if len(self._folders.get(folder, ())) < 2:
            return ()
        self._kept[source.path] = opened
        try:
            return self._matches(folder).get(source.path, ())
        finally:
            del self._kept[source.path]

    def _read(self, folder: str) -> dict[str, tuple[Source, ...]]:
        """The files of a folder's matches, by the path of each."""
        found: dict[_Key, list[tuple[int, int, Source]]] = {}
        seen = set[int]()
        size = sum(len(opened.head) for opened in self._kept.values())
        for place, source in enumerate(self._folders[folder]):
            opened = self._kept.get(source.path)
            if opened is None:
                try:
                    opened = examine(source)
                except SourceError:
                    continue
                opened.close()
            dialect = opened.records
            # A copy, or a file given twice, adds nothing.
            if dialect is None or opened.file_id in seen or self._is_known(opened.file_id):
                continue
            seen.add(opened.file_id)
            key, number = _match_of(dialect, opened.head)
            if key is None:
                continue
            # Kept only for files whose turn comes; others would never be released.
            if source.path not in self._kept and opened.whole and size + opened.size <= _KEPT:
                self._kept[source.path] = opened
                size += opened.size
            found.setdefault(key, []).append((number, place, source))
        matches = [tuple(source for _, _, source in sorted(some, key=_order)) for some in found.values()]
        return {source.path: match for match in matches for source in match}


def _order(one: tuple[int, int, Source]) -> tuple[int, int]:
    return one[:2]


def _match_of(dialect: Dialect, head: bytes) -> tuple[_Key | None, int]:
    """The match in a file's first bytes, None if each file of its dialect is a match; its number within the match."""
    form = dialect.records
    if form is None or not form.together:
        return None, 0
    module = module_of(form)
    group, order = getattr(module, "group", None), getattr(module, "order", None)
    number = order(head) if order is not None else None
    return (dialect.name, group(head) if group is not None else b""), number or 0
