"""Watching a folder to which logs are written: each pass reads only new and grown files."""

import json
import os
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import xxhash

from .ingest import ingest
from .parsers.sidecar_names import informed_by, informs
from .parsers.sources import files_below, shown
from .storage.locations import MANIFEST, Place, place_of
from .storage.manifest import StoreError, locked, staging
from .storage.publishing import Summary

_UNSETTLED: Final = 2_000_000_000
"""A file changed in the last two seconds may change again with the same time, so it is read again."""

_MOST_SEEN: Final = 256 << 20
"""Bytes of what a store remembers of the files of a folder: some 100 each."""

Seen = dict[str, list[int]]
"""By path: size, time of the last change in ns, inode."""


class Watcher:
    """Passes over a folder. The store remembers the files seen, so that a new run reads nothing again."""

    def __init__(
        self, folder: str | Path, store: str | Path | Place, event: str | None = None, **how: Any
    ) -> None:
        """`event` and `how` (dialect, game, stack, ...) are arguments of `ingest`; nothing is read yet."""
        self.folder, self.place = Path(folder), place_of(store)
        self.options = {"event": event, **how}
        key = "\n".join(
            map(str, (self.folder.resolve(), event, *(f"{k} {v}" for k, v in sorted(how.items()))))
        )
        self._name = f".seen-{xxhash.xxh3_64_hexdigest(key.encode(errors='surrogateescape'))}.json"
        self._seen: Seen | None = None
        self._complaints: set[str] = set()

    def look(self, complain: Callable[[str], None]) -> Summary | None:
        """One pass; None if nothing is new. Raises the errors of `ingest`; the next pass then tries again.

        Every pass tries again to read files that the system refused. Complaints of the pass before are not repeated,
        neither to `complain` nor in the summary.
        """
        is_first = self._seen is None
        if self._seen is None:
            self._seen = self._recall()
        now: Seen = {}
        listed: list[str] = []
        for entry in files_below(self.folder, listed.append):
            try:
                stat = entry.stat()
                now[entry.path] = [stat.st_size, stat.st_mtime_ns, stat.st_ino]
            except OSError:
                # A file that is gone meanwhile is ignored; `ingest` reports broken links.
                if os.path.lexists(entry.path):
                    now[entry.path] = [0, 0, 0]
        for line in self._news(listed):
            complain(line)
        new = [path for path, state in now.items() if self._seen.get(path) != state]
        if not new:
            self._complaints = set(listed)
            if is_first and self.place.has_leftovers():
                # No ingest follows that would remove them; to enter a staging folder does. Of a store that cannot be
                # written they stay.
                with suppress(StoreError), locked(self.place), ExitStack() as stack:
                    stack.enter_context(staging(self.place))
            return None
        began = time.time_ns()
        # A new sidecar informs a log that was read before.
        informed = set(map(informs, new))
        logs = [path for path in now if self._seen.get(path) == now[path] and informed_by(path) & informed]
        summary = ingest([*new, *logs], self.place, **self.options)
        said = summary.complaints
        summary.complaints = self._news(said)
        self._complaints = {*listed, *said}
        unread = set(summary.unread)
        for path in new:
            # A clock ahead of this one must not make a file new for ever.
            if shown(path) in unread or abs(began - now[path][1]) < _UNSETTLED:
                del now[path]
        self._seen = now
        if self.place.exists():
            self.place.replace(self._name, json.dumps(now, separators=(",", ":")).encode())
        # A file that was being written is checked until it no longer changes; an unchanged file is not reported.
        quiet = unread if is_first else unread.union(summary.unchanged)
        return summary if summary.complaints or not quiet.issuperset(map(shown, new)) else None

    def complaints_of(self, summary: Summary) -> list[str]:
        """What to print of a pass's complaints: all if the store does not keep the files' reasons."""
        return summary.few_complaints() if self.place.exists() else summary.complaints

    def _news(self, lines: list[str]) -> list[str]:
        """The lines that the pass before did not have."""
        return [line for line in lines if line not in self._complaints]

    def _recall(self) -> Seen:
        """The files that earlier runs saw; none if the store is new."""
        try:
            held = self.place.read(self._name, _MOST_SEEN)
            is_new = held is None or self.place.read(MANIFEST) is None
        except OSError:
            return {}
        if held is None or is_new:
            return {}
        try:
            found = json.loads(held)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}
