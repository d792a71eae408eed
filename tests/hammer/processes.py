"""What happens to one command: an interrupt, a kill, a full or slow or read-only disk, a clock that goes backwards.

A command is first run undisturbed. After a disturbed run the same command runs again: it ends with a code of the
undisturbed ones and leaves the same rows and files, and nothing temporary.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from textwrap import indent
from typing import Final

import pyarrow.parquet as pq

from hammer.forks import Command, Ended, ForkServer, output_of
from hammer.rows import rows_of
from hammer.stores import SAMPLES
from hammer.words import Case
from railbird.storage.integrity import checked_parts
from railbird.storage.locations import Folder
from railbird.storage.manifest import StoreError

CODES: Final = (0, 1, 2, 3, 4, 130, 141, -signal.SIGINT, -signal.SIGKILL)
"""The exit codes of the docs; an interrupt before Python handles any, and a kill, end the process by the signal."""
START: Final = 0.6
"""Seconds of processor time until a process that is not forked has imported the command line."""
_ENDLESS: Final = 8.0
"""Seconds of a first run of a command that goes on."""
_ENDLESS_RUNS: Final = 4
"""Runs that it is given to do what it does undisturbed, each twice as long as the one before."""
_SERVED: Final = 1.5
"""Seconds that it goes on after its first line."""
_REAL: Final = 1 / 8
"""The part of the tries that start a process of their own, which also tries the start of Python."""
_SLOW: Final = 0.03
_DISK: Final = 64 << 20
"""Bytes of a disk with room enough."""
_STAYS: Final = ("store", "fresh", "out", "watched")
"""Folders of a try that commands write to."""


def problem_of(words: Sequence[str], code: int | None, out: str, err: str) -> str:
    """What is wrong with how a command ended; "" for nothing."""
    lines, said = err.splitlines(), " ".join(words)
    # Before railbird begins, an interrupt is Python's own affair.
    is_pythons = err.rstrip().endswith("KeyboardInterrupt") and f"{SAMPLES.parent}/cli/" not in err
    if is_pythons:
        return ""
    if code is None:
        return f"{said}: did not end:\n{indent(err, '    ')}"
    if "Traceback" in out + err:
        return f"{said}: a traceback:\n{indent(err or out[-200:], '    ')}"
    if code not in CODES:
        return f"{said}: exit {code}: {lines[-1:]}"
    if code == 2 and (not lines or not lines[-1].startswith("railbird: ")):
        return f"{said}: exit 2 without a line: {lines[-3:]}"
    return ""


Files = Mapping[str, object]


@dataclass(frozen=True)
class Undisturbed:
    """A command that nothing happened to.

    codes: of the first run and of a second
    out: the files that it wrote, with their hashes
    rows: of the stores
    ended: the first run; lasts: seconds of an endless one
    """

    codes: Sequence[int | None]
    out: Files
    rows: Mapping[str, Mapping[str, list[str]]]
    ended: Ended
    lasts: float = 0.0


@dataclass
class Ground:
    """What all tries share.

    whole: a folder as `words.made` writes it
    home: a folder for tries
    known: what commands do undisturbed; rows: of stores that several writers made one after the other
    pythons: interpreters with railbird, of two versions or more
    """

    server: ForkServer
    whole: Path
    home: Path
    known: dict[str, Undisturbed] = field(default_factory=dict)
    rows: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    pythons: Sequence[str] = ()

    @contextmanager
    def folder(self, size: int = 0) -> Iterator[Path]:
        """A copy of the folder for one try, on a disk of `size` bytes if it is given and a disk can be mounted."""
        path = self.home / "try"
        path.mkdir()
        is_mounted = bool(size) and _mounts("-t", "tmpfs", "-o", f"size={size},mode=700", "hammer", str(path))
        try:
            shutil.copytree(self.whole, path, dirs_exist_ok=True)
            yield path
        finally:
            if is_mounted:
                subprocess.run(["umount", "-l", str(path)], check=False)
            shutil.rmtree(path)

    def undisturbed(self, case: Case) -> Undisturbed:
        """The command as it is; it is run twice, once a hammer."""
        key = repr(case)
        if key not in self.known:
            with self.folder() as folder:
                first, lasts = self._first(case, folder)
                out, rows = files_of(folder / "out"), stores_of(folder)
                second = self.server.run(again(case, folder, lasts))
                rows = stores_of(folder) if case.is_endless else rows
                if files_of(folder / "out") != out:
                    # A file with a time in it: only its name is compared.
                    out = {
                        name: value if files_of(folder / "out").get(name) == value else ""
                        for name, value in out.items()
                    }
                self.known[key] = Undisturbed((first.code, second.code), out, rows, first, lasts)
        return self.known[key]

    def _first(self, case: Case, folder: Path) -> tuple[Ended, float]:
        if not case.is_endless:
            return self.server.run(again(case, folder, 0.0)), 0.0
        command, began, seen = again(case, folder, _ENDLESS), time.monotonic(), 0.0
        self.server.begin([command])
        while time.monotonic() - began < _ENDLESS and not seen:
            out = output_of(command, "out")
            seen = time.monotonic() - began if out.exists() and out.stat().st_size else 0.0
            time.sleep(0.01)
        return self.server.ended()[0], (seen or _ENDLESS) + _SERVED


def again(case: Case, folder: Path, lasts: float) -> Command:
    """The command without a disturbance; an endless one is interrupted."""
    if not case.is_endless:
        return Command(case.words, str(folder), said=case.said)
    return Command(case.words, str(folder), stop=signal.SIGINT, after=lasts, is_wall=True, said=case.said)


def _mounts(*words: str) -> bool:
    """Whether this user may mount, and did."""
    return subprocess.run(["mount", *words], capture_output=True, check=False).returncode == 0


def files_of(folder: Path) -> dict[str, object]:
    """A hash of every file below a folder, of its lines or rows in no order: an export's may come in any."""
    return {
        path.relative_to(folder).as_posix(): blake2b(
            b"\n".join(sorted(_lines(path))), digest_size=8
        ).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _lines(path: Path) -> list[bytes]:
    if path.suffix == ".parquet":
        return [repr(row).encode() for row in pq.read_table(path, partitioning=None).to_pylist()]
    return path.read_bytes().split(b"\n")


def stores_of(folder: Path) -> dict[str, Mapping[str, list[str]]]:
    """The rows of the stores of a try."""
    return {
        name: rows_of(folder / name)
        for name in ("store", "fresh")
        if (folder / name / "manifest.json").exists()
    }


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """The size and the time of change of every file that a command may write."""
    return {
        path.relative_to(folder).as_posix(): (found.st_size, found.st_mtime_ns)
        for name in _STAYS
        for path in (folder / name).rglob("*")
        if (found := path.lstat())
    }


def left_in(folder: Path) -> list[str]:
    """Files and folders that no command may leave."""
    found = [path for name in ("tmp", "state") for path in (folder / name).rglob("*")]
    for name in ("store", "fresh"):
        found += (path for path in (folder / name / "_pending").rglob("*") if path.is_file())
        found += [*(folder / name).glob("staging/*"), *(folder / name).glob(".*.new")]
    found += (folder / "out").rglob(".*")
    kept = folder / "state" / "railbird"
    return [
        path.relative_to(folder).as_posix()
        for path in found
        # The rows of the last table of the store.
        if path != kept and not (path.parent == kept and path.suffix == ".json") and not _is_pythons(path)
    ]


def _is_pythons(path: Path) -> bool:
    """Whether it is the file by which Python's `tempfile` finds out where it may write."""
    return (
        path.is_file()
        and path.read_bytes() in (b"", b"blat")
        and path.parent.name == "tmp"
        and not path.suffix
    )


def damaged(folder: Path) -> Iterator[str]:
    """Damaged parts: whatever happened to a writer, there are none."""
    for name in ("store", "fresh"):
        if (folder / name).exists():
            try:
                bad = [one.part.name for one in checked_parts(Folder(folder / name)) if one.problem]
            except StoreError as error:
                yield f"{name} cannot be read: {error}"
                continue
            if bad:
                yield f"damaged parts: {bad[:3]}"


def ended_well(command: Command, ended: Ended) -> Iterator[str]:
    """What is wrong with how a command ended."""
    if said := problem_of(command.words, ended.code, ended.out, ended.err):
        yield said
    elif not command.python and ended.code == -signal.SIGINT:
        yield f"{' '.join(command.words)}: an interrupt was not handled"
    if ended.left:
        yield f"{' '.join(command.words)}: {ended.left} processes went on without it"


def settled(ground: Ground, case: Case, folder: Path, before: Mapping[str, object]) -> Iterator[str]:
    """After a disturbance: the store is whole, and the same command does what it does undisturbed."""
    yield from damaged(folder) if stamps(folder) != before else ()
    if stamps(folder) == before and not left_in(folder):
        return
    usual = ground.undisturbed(case)
    said = " ".join(case.words)
    # On a busy machine one that goes on may be ended before it has read all.
    for turn in range(_ENDLESS_RUNS if case.is_endless else 1):
        command = again(case, folder, usual.lasts * 2**turn)
        ended = ground.server.run(command)
        yield from ended_well(command, ended)
        if ended.code not in usual.codes:
            yield f"{said}: the next run ended with {ended.code}: {ended.err[-200:]}"
        rows = stores_of(folder)
        if rows == usual.rows and not left_in(folder):
            break
    yield from (
        f"{said}: after the next run {table} of {store} has other rows than undisturbed"
        for store, tables in usual.rows.items()
        for table, found in tables.items()
        if rows.get(store, {}).get(table) != found
    )
    out = files_of(folder / "out")
    if differ := [
        name
        for name in {*out, *usual.out}
        if name not in out or usual.out.get(name, "?") not in ("", out[name])
    ]:
        yield f"{said}: after the next run ({ended.code}) other files than undisturbed: {sorted(differ)[:3]}"
    if left := left_in(folder):
        yield f"{said}: left after the next run: {left[:3]}"


def stopped(ground: Ground, case: Case, dice: random.Random, number: int) -> Iterator[str]:
    """A command that gets a signal at a random time of its run."""
    usual = ground.undisturbed(case)
    is_real = dice.random() < _REAL
    is_wall = case.is_endless or dice.random() < 0.5
    lasts = usual.lasts or (usual.ended.wall if is_wall else usual.ended.cpu)
    slow = 0.0 if is_real or dice.random() < 0.5 else _SLOW
    after = dice.random() * (lasts + START * is_real)
    with ground.folder() as folder:
        before = stamps(folder)
        command = Command(
            case.words,
            str(folder),
            stop=number,
            after=after,
            is_wall=is_wall,
            slow=slow,
            said=case.said,
            python=sys.executable if is_real else "",
        )
        ground.server.begin([command])
        if case.is_endless:
            visited(command, after)
        ended = ground.server.ended()[0]
        yield from ended_well(command, ended)
        yield from settled(ground, case, folder, before)


_QUERY: Final = b'{"query": "from hands"}'
_JSON: Final = {"Content-Type": "application/json"}


def visited(command: Command, seconds: float) -> None:
    """Ask a server for its pages, as long as it answers and the time lasts."""
    until = time.monotonic() + seconds
    asked = {"": None, "api/scoreboard": None, "api/live": None, "report/": None, "api/sql": _QUERY}
    while time.monotonic() < until:
        out = output_of(command, "out")
        said = out.read_text() if out.exists() else ""
        if not said.startswith("http://"):
            time.sleep(0.02)
            continue
        for name, body in asked.items():
            with suppress(OSError, ValueError):
                page = urllib.request.Request(said.split()[0] + name, body, _JSON if body else {})
                urllib.request.urlopen(page, timeout=max(until - time.monotonic(), 0.01)).read()
        time.sleep(0.05)


def interrupt(ground: Ground, case: Case, dice: random.Random) -> Iterator[str]:
    """An interrupt at a random time."""
    yield from stopped(ground, case, dice, signal.SIGINT)


def kill(ground: Ground, case: Case, dice: random.Random) -> Iterator[str]:
    """A kill at a random time."""
    yield from stopped(ground, case, dice, signal.SIGKILL)


def full_disk(ground: Ground, case: Case, dice: random.Random) -> Iterator[str]:
    """A disk that is full at some time of the run, or files that may not grow where no disk can be mounted."""
    usual = ground.undisturbed(case)
    with ground.folder(_DISK) as folder:
        before = stamps(folder)
        used = shutil.disk_usage(folder).used
        size = used + dice.randrange(1 << 10, 1 << dice.randrange(14, 21))
        is_disk = os.path.ismount(folder) and _mounts("-o", f"remount,size={size}", str(folder))
        most = 0 if is_disk else dice.choice((1, 500, 5_000, 50_000))
        command = again(case, folder, usual.lasts)
        command = replace(command, most_bytes=most, output=str(ground.home / "said"))
        ended = ground.server.run(command)
        if is_disk:
            _mounts("-o", f"remount,size={_DISK}", str(folder))
        yield from ended_well(command, ended)
        yield from settled(ground, case, folder, before)


def read_only(ground: Ground, case: Case, dice: random.Random) -> Iterator[str]:
    """A store, or all of the folder, that nobody can write to; readers answer as ever where they have TMPDIR."""
    usual = ground.undisturbed(case)
    with ground.folder(_DISK) as folder:
        before = stamps(folder)
        if not os.path.ismount(folder):
            return
        for name in ("tmp", "state"):
            (folder / name).mkdir()
        tmp = ground.home / "other"
        shutil.rmtree(tmp, ignore_errors=True)
        tmp.mkdir()
        command = again(case, folder, usual.lasts)
        command = replace(command, output=str(ground.home / "said"), environment={"TMPDIR": str(tmp)})
        if is_all := dice.random() < 0.3:
            command = replace(command, environment={})
        _mounts("-o", "remount,ro", str(folder))
        ended = ground.server.run(command)
        _mounts("-o", "remount,rw", str(folder))
        yield from ended_well(command, ended)
        changes = case.words[0] in WRITERS or any(word.startswith("./out") for word in case.words)
        if not changes and not is_all and ended.code not in usual.codes:
            yield f"{' '.join(case.words)}: exit {ended.code} on a read-only store: {ended.err[-200:]}"
        if stamps(folder) != before:
            yield f"{' '.join(case.words)}: a read-only store has changed"
        if left := [path.name for path in tmp.iterdir()]:
            yield f"{' '.join(case.words)}: left in the temporary folder: {left[:3]}"


WRITERS: Final = ("ingest", "watch", "compact", "tag", "forget", "serve")
"""Commands that change a store, or may."""


def slow_disk(ground: Ground, case: Case, dice: random.Random) -> Iterator[str]:
    """A disk on which every change of a folder takes a while."""
    yield from changed_run(ground, case, slow=_SLOW * dice.choice((0.3, 1, 3)))


def clock(ground: Ground, case: Case, dice: random.Random) -> Iterator[str]:
    """A time of day that jumps backwards during the run."""
    yield from changed_run(ground, case, clock=1 + dice.randrange(1 << 30))


def changed_run(ground: Ground, case: Case, **how: float) -> Iterator[str]:
    """A run under other conditions that does the same as an undisturbed one, also the next time."""
    usual = ground.undisturbed(case)
    with ground.folder() as folder:
        command = again(case, folder, usual.lasts)
        command = Command(**{**vars(command), **how})
        ended = ground.server.run(command)
        yield from ended_well(command, ended)
        if ended.code != usual.ended.code:
            yield f"{' '.join(case.words)}: exit {ended.code}, not {usual.ended.code}: {ended.err[-200:]}"
        yield from damaged(folder)
        yield from settled(ground, case, folder, {})


def closed_pipe(ground: Ground, case: Case, dice: random.Random) -> Iterator[str]:
    """A reader that leaves at once."""
    usual = ground.undisturbed(case)
    with ground.folder() as folder:
        before = stamps(folder)
        command = replace(again(case, folder, usual.lasts), closed=True)
        yield from ended_well(command, ground.server.run(command))
        yield from settled(ground, case, folder, before)


def no_folder(ground: Ground, case: Case, dice: random.Random) -> Iterator[str]:
    """A working folder that no longer exists."""
    usual = ground.undisturbed(case)
    with ground.folder() as folder:
        before = stamps(folder)
        absolute = case.absolute(folder)
        command = replace(again(absolute, folder, usual.lasts), gone=True)
        yield from ended_well(command, ground.server.run(command))
        yield from settled(ground, case, folder, before)


KINDS: Final[Mapping[str, Callable[[Ground, Case, random.Random], Iterator[str]]]] = {
    kind.__name__.replace("_", "-"): kind
    for kind in (interrupt, kill, full_disk, read_only, slow_disk, clock, closed_pipe, no_folder)
}
