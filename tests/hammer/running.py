"""A command in a process of its own, watched from outside: its time, and the memory of all its processes together."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

_EVERY: Final = 0.01
_PARENT: Final = re.compile(r"^PPid:\s+(\d+)", re.MULTILINE)
_NOW: Final = re.compile(r"^VmRSS:\s+(\d+)", re.MULTILINE)
_PEAK: Final = re.compile(r"^VmHWM:\s+(\d+)", re.MULTILINE)


class Ran(NamedTuple):
    """How a command ended.

    code: None where it was killed; peak: resident MB of its processes together; seconds: of processor time
    """

    code: int | None
    out: str
    err: str
    peak: float
    seconds: float

    @property
    def said(self) -> str:
        """All that the command printed."""
        return self.out + self.err


def ran(*words: str, folder: Path, most_mb: float = 4000, most_seconds: float = 300, **more: str) -> Ran:
    """Run `railbird`; it is killed above a memory and a time, so that a bomb does no harm.

    more: of the environment
    """
    command = [sys.executable, "-m", "railbird", *words]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began, before, peak, is_killed = time.monotonic(), _spent(), 0.0, False
        child = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err, env=os.environ | more)
        while child.poll() is None:
            peak = max(peak, *_memory(child.pid))
            if peak > most_mb or time.monotonic() - began > most_seconds:
                is_killed = True
                child.kill()
                child.wait()
            time.sleep(_EVERY)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "backslashreplace"))
    return Ran(None if is_killed else child.returncode, texts[0], texts[1], peak, _spent() - before)


def _spent() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _memory(pid: int) -> tuple[float, float]:
    """MB of a process and those below it together, now; of the process alone at its peak."""
    status = dict(_statuses())
    below, found = [pid], 0
    while below:
        one = below.pop()
        text = status.get(one, "")
        found += int(said[1]) if (said := _NOW.search(text)) else 0
        below += [
            child for child, told in status.items() if (of := _PARENT.search(told)) and int(of[1]) == one
        ]
    peak = int(said[1]) if (said := _PEAK.search(status.get(pid, ""))) else 0
    return found * 1024 / 1e6, peak * 1024 / 1e6


def _statuses() -> Iterator[tuple[int, str]]:
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError):
                yield int(name), Path("/proc", name, "status").read_text()
