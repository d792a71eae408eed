"""Watching a folder that logs are written to: each pass reads what is new or has grown, and nothing else."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import xxhash

from .ingest import ingest
from .parsers.sidecar_names import informed_by, informs
from .parsers.sources import files_below, shown
from .storage.locations import MANIFEST, Place, place_of
from .storage.publishing import Summary

_UNSETTLED: Final = 2_000_000_000
"""A file written to in the last two seconds may change again without a new time: it is read again."""

Seen = dict[str, list[int]]
"""By path: size, time of the last change in ns, inode."""


class Watcher:
    """Passes over a folder. What was seen is kept in the store, so that another run reads nothing again."""

    def __init__(self, folder: str | Path, store: str | Path | Place, event: str | None = None) -> None:
        """`event` as for `ingest`; nothing is read yet."""
        self.folder, self.place, self.event = Path(folder), place_of(store), event
        told = f"{self.folder.resolve()}\n{event}"
        self._name = f".seen-{xxhash.xxh3_64_hexdigest(told.encode(errors='surrogateescape'))}.json"
        self._seen: Seen | None = None
        self._told: set[str] = set()

    def look(self, complain: Callable[[str], None]) -> Summary | None:
        """One pass; None where nothing is new. Raises what `ingest` raises; the next pass then tries again.

        What the system refuses to read is tried again in every pass; what was complained of in the pass before is not
        again, neither to `complain` nor in the summary.
        """
        if self._seen is None:
            self._seen = self._recall()
        now: Seen = {}
        listed: list[str] = []
        for entry in files_below(self.folder, listed.append):
            try:
                stat = entry.stat()
                now[entry.path] = [stat.st_size, stat.st_mtime_ns, stat.st_ino]
            except OSError:
                # A file that is gone meanwhile is no news; of a link to nothing, or to itself, ingest says what it is.
                if os.path.lexists(entry.path):
                    now[entry.path] = [0, 0, 0]
        for line in self._news(listed):
            complain(line)
        new = [path for path, told in now.items() if self._seen.get(path) != told]
        if not new:
            self._told = set(listed)
            return None
        began = time.time_ns()
        # A sidecar that comes after its log tells more of what is stored.
        told = set(map(informs, new))
        beside = [path for path in now if self._seen.get(path) == now[path] and informed_by(path) & told]
        summary = ingest([*new, *beside], self.place, event=self.event)
        said = summary.complaints
        summary.complaints = self._news(said)
        self._told = {*listed, *said}
        unread = set(summary.unread)
        for path in new:
            # A clock that goes ahead of this one does not make a file new for ever.
            if shown(path) in unread or abs(began - now[path][1]) < _UNSETTLED:
                del now[path]
        self._seen = now
        if self.place.exists():
            self.place.replace(self._name, json.dumps(now, separators=(",", ":")).encode())
        return summary if summary.complaints or not unread.issuperset(map(shown, new)) else None

    def _news(self, lines: list[str]) -> list[str]:
        """Those that the pass before did not tell."""
        return [line for line in lines if line not in self._told]

    def _recall(self) -> Seen:
        """What earlier runs saw; nothing where the store is new."""
        held = self.place.read(self._name)
        if held is None or self.place.read(MANIFEST) is None:
            return {}
        try:
            found = json.loads(held)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}
