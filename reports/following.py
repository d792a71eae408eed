"""The state of a live page: a store that grows, and the report on it.

A thread looks for new logs and for a changed store. Each answer for the page is made once for a state of the store,
however many viewers ask.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Final

from ..analytics.naming import Naming
from ..analytics.store import AS_LOGGED, Store, open_store
from ..parsers.sources import WishError
from ..storage.locations import MANIFEST, Place
from ..storage.manifest import StoreError, read_manifest
from . import live
from .terminal import json_value, printable

if TYPE_CHECKING:
    from ..watch import Watcher

_PASSES: Final = 8
"""Lines about the last passes that the page shows."""
_RESTS: Final = 2
"""The thread rests so many times as long as its last refresh took, so that a large store leaves time for viewers."""


class Following:
    """A store that is followed. `start` begins a thread; the other methods may be called by any thread."""

    def __init__(
        self,
        place: Place,
        naming: Naming = AS_LOGGED,
        watcher: "Watcher | None" = None,
        every: float = 1.0,
        complain: Callable[[str], None] = print,
    ) -> None:
        """every: seconds between two looks; watcher: reads new logs into the store."""
        self.place, self.naming = place, naming
        self.watcher = watcher
        self.version = 0
        """Counts the states of the store."""
        self._every, self._complain = every, complain
        self._ended, self._seen = Event(), b""
        self._lock = Lock()
        self._store: Store | None = None
        self._found: Sequence[live.Competition] = ()
        self._active = 0
        self._answers: dict[object, bytes] = {}
        self._passes: list[str] = []
        self._said = ""
        self._thread = Thread(target=self._follow, name="railbird-follow", daemon=True)

    def start(self) -> None:
        """Read the store as it is, then follow it; StoreError if there is none and no log is watched for."""
        self._refresh(must_exist=self.watcher is None)
        self._thread.start()

    def stop(self, seconds: float = 10.0) -> None:
        """End the thread, after the pass that it is in unless that takes longer, and close the store."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(seconds)
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None

    def scoreboard(self) -> bytes:
        """The answer of /api/scoreboard."""
        with self._lock:
            return self._answer("scoreboard", lambda: live.scoreboard(self._found))

    def page(self, event: str | None, game: str | None) -> bytes:
        """The answer of /api/live about a competition, by default the one with the newest hands."""
        with self._lock:
            place = next((k for k, one in enumerate(self._found) if one.key == (event, game)), self._active)
            return self._answer(place, lambda: self._about(place))

    def _about(self, place: int) -> dict[str, object]:
        listed = [{"event": one.event, "game": one.game} for one in self._found]
        about: dict[str, object] = {
            "version": self.version,
            "watches": self.watcher is not None,
            "passes": self._passes,
            "competitions": listed,
        }
        if self._store is None or not self._found:
            return about
        shown = self._found[place]
        about |= {
            "event": shown.event,
            "game": shown.game,
            "leaders": shown.leaders,
            "players": shown.players,
        }
        return about | live.details(self._store, shown)

    def _answer(self, key: object, make: Callable[[], object]) -> bytes:
        if key not in self._answers:
            self._answers[key] = json.dumps(json_value(make())).encode()
        return self._answers[key]

    def _follow(self) -> None:
        while not self._ended.is_set():
            began, took = time.monotonic(), 0.0
            try:
                if self.watcher is not None:
                    self._look(self.watcher)
                took = self._refresh()
            except (StoreError, OSError, WishError) as error:
                self._say_once(str(error))
            except Exception as error:
                # A thread that ends would leave a page that looks alive.
                self._say_once(f"{type(error).__name__}: {error}")
            self._ended.wait(max(self._every - (time.monotonic() - began), _RESTS * took, 0.05))

    def _look(self, watcher: "Watcher") -> None:
        summary = watcher.look(self._complain)
        if summary is not None:
            for line in watcher.complaints_of(summary):
                self._complain(line)
            self._passes = [
                *self._passes[1 - _PASSES :],
                printable(f"{time.strftime('%H:%M:%S')}  {summary.line()}"),
            ]

    def _say_once(self, line: str) -> None:
        if line != self._said:
            self._said = line
            self._complain(line)

    def _refresh(self, must_exist: bool = False) -> float:
        """Take the store's new state, if it has one; the seconds that took."""
        began = time.monotonic()
        manifest = self.place.read(MANIFEST) or b""
        if manifest == self._seen and not must_exist:
            return 0.0
        fresh, found = None, list[live.Competition]()
        if must_exist or read_manifest(self.place).batches:
            fresh = open_store(self.place, naming=self.naming)
            try:
                found = live.competitions(fresh)
            except BaseException:
                fresh.close()
                raise
        with self._lock:
            before = {one.key: one.hands for one in self._found}
            active = self._found[self._active].key if self._found else None
            grown = [k for k, one in enumerate(found) if before.get(one.key) != one.hands]
            kept = [k for k, one in enumerate(found) if one.key == active]
            old, self._store = self._store, fresh
            self._found, self._seen = found, manifest
            self._active = (grown or kept or [0])[0]
            self._answers.clear()
            self.version += 1
        if old is not None:
            old.close()
        return time.monotonic() - began


class Pages:
    """The report on the followed store, written by another process when someone asks for it.

    Only one is written at a time; the one before is shown until then, and then removed.
    """

    def __init__(self, following: Following, folder: Path, options: Sequence[str] = ()) -> None:
        """folder: for the pages; options: of `railbird report`."""
        self._following, self._folder, self._options = following, folder, options
        self._lock = Lock()
        self._shown: Path | None = None
        self._version = -1
        self._writing: subprocess.Popen[bytes] | None = None
        self.trouble = ""
        """Why the last report was not written."""

    def ask(self) -> Path | None:
        """The folder of the newest report; if the store changed since it was written, another is begun."""
        with self._lock:
            version = self._following.version
            if self._writing is None and version != self._version:
                self._begin(version)
            return self._shown

    def folder(self) -> Path | None:
        """The folder of the newest report, if there is one."""
        return self._shown

    def _begin(self, version: int) -> None:
        out = self._folder / str(version)
        command = [sys.executable, "-m", "railbird", "report", "--store", str(self._following.place)]
        self._writing = subprocess.Popen(
            [*command, "--out", str(out), *self._options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        Thread(target=self._wait, args=(self._writing, out, version), daemon=True).start()

    def _wait(self, process: "subprocess.Popen[bytes]", out: Path, version: int) -> None:
        _, said = process.communicate()
        with self._lock:
            self._writing, self._version = None, version
            if process.returncode == 0:
                old, self._shown, self.trouble = self._shown, out, ""
            else:
                old, lines = out, said.decode(errors="replace").strip().splitlines()
                self.trouble = lines[-1] if lines else f"railbird report ended with {process.returncode}"
        if old is not None:
            rmtree(old, ignore_errors=True)

    def stop(self) -> None:
        """End the process that writes a report."""
        with self._lock, suppress(OSError):
            if self._writing is not None:
                self._writing.kill()
