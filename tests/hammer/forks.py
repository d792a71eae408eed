"""Commands in processes forked from one that has imported railbird: a try costs little more than the command itself.

`ForkServer` starts that process (`python -m hammer.forks`), which has used none of the libraries it imported and so has
no threads that a fork would lose. It forks a process for each command of a group, sends the signals that the group asks
for, and says how each ended. One group runs at a time.
"""

import contextlib
import faulthandler
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, TracebackType
from typing import IO, Any, Final, NamedTuple, Self

SECONDS: Final = 120.0
"""A command that has not ended this long after it should have is killed, and that is a problem.

What it waited for a processor does not count.
"""
_LOOK: Final = 0.002
_STACKS: Final = 0.5
"""Seconds to print the stacks of a process that did not end."""
_INTERRUPTED: Final = 130
"""The exit code of an interrupted command."""
_GRACE: Final = 60.0
"""Seconds that processes which a command started may go on after it: one may write the report of a killed server."""
_LIBRARIES: Final = ("duckdb", "jinja2", "matplotlib", "mcp", "numpy", "polars", "pyarrow.parquet", "uvicorn")
_MODULES: Final = ("ingest", "watch", "analytics.store", "reports.pages.build", "reports.server")


@dataclass(frozen=True)
class Command:
    """A command to be run.

    words: after `railbird`
    folder: the working folder
    home: the folder of TMPDIR (`tmp`), the state folder (`state`), and the output afterwards; "" is the working folder
    stop: the signal sent, 0 for none
    after: seconds until it is sent: of processor time of the process, or of the clock where is_wall
    is_endless: it is interrupted when all others of its group have ended
    most_bytes: of a file, 0 without a limit
    clock: the seed of a clock that jumps backwards, 0 for the system's
    slow: seconds that a rename, a removal and a sync take at most
    said: what it reads on standard input, which stays open
    gone: the working folder no longer exists
    closed: nobody reads the output
    python: runs `python -m railbird` with this interpreter, "" forks
    output: the files OUTPUT.out and OUTPUT.err get the output, "" for those in the home
    environment: what is set besides
    """

    words: Sequence[str]
    folder: str
    stop: int = 0
    after: float = 0.0
    is_wall: bool = False
    is_endless: bool = False
    most_bytes: int = 0
    clock: int = 0
    slow: float = 0.0
    said: str = ""
    gone: bool = False
    closed: bool = False
    python: str = ""
    output: str = ""
    home: str = ""
    environment: dict[str, str] = field(default_factory=dict)


class Ended(NamedTuple):
    """How a command ended.

    code: the exit code, minus the signal where one ended it; None where it did not end in time
    cpu, wall: seconds
    left: processes that it started and that went on without it
    """

    code: int | None
    out: str
    err: str
    cpu: float
    wall: float
    left: int


class ForkServer:
    """The process that forks; a context."""

    def __init__(self, nice: int = 0) -> None:
        """Starts it, which takes a second or two; nice: what it adds to its priority's number."""
        tests = str(Path(__file__).resolve().parent.parent)
        path = os.pathsep.join(filter(None, (tests, os.environ.get("PYTHONPATH"))))
        self._server = subprocess.Popen(
            [sys.executable, "-m", "hammer.forks", str(nice)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": path},
        )

    def __enter__(self) -> Self:
        """The server."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """End it."""
        assert self._server.stdin is not None
        with contextlib.suppress(OSError):
            self._server.stdin.close()
        self._server.wait()
        self._output.close()

    @property
    def _output(self) -> IO[str]:
        assert self._server.stdout is not None
        return self._server.stdout

    def begin(self, commands: Sequence[Command]) -> None:
        """Start a group of commands at once."""
        assert self._server.stdin is not None
        for command in commands:
            for name in ("tmp", "state"):
                Path(command.home or command.folder, name).mkdir(exist_ok=True)
        self._server.stdin.write(json.dumps([asdict(command) for command in commands]) + "\n")
        self._server.stdin.flush()

    def ended(self) -> list[Ended]:
        """Wait for the group; ChildProcessError if the server has ended."""
        line = self._output.readline()
        if not line:
            raise ChildProcessError("the process that forks has ended")
        return [Ended(**one) for one in json.loads(line)]

    def run(self, command: Command) -> Ended:
        """Run one command."""
        self.begin([command])
        return self.ended()[0]


def output_of(command: Command, name: str) -> Path:
    """The file of a command's output: `name` is out or err."""
    return Path(f"{command.output or (command.home or command.folder) + '/said'}.{name}")


class _Running:
    """A command that runs."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.began, self.until = time.monotonic(), float("inf")
        self.is_told = not command.stop
        reading, writing = os.pipe()
        # An interrupt waits until the command handles it.
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        self.pid = os.fork()
        if not self.pid:
            os.close(writing)
            _become(command, reading)
        os.close(reading)
        with contextlib.suppress(OSError):
            os.write(writing, command.said.encode())
        self.input = writing if command.said else None
        if self.input is None:
            os.close(writing)
        self.status: int | None = None
        self.cpu, self.killed = 0.0, False

    def look(self, is_alone: bool) -> None:
        """Send a signal whose time has come, and note the end."""
        pid, status, used = os.wait4(self.pid, os.WNOHANG)
        now = time.monotonic()
        if pid:
            self.status, self.cpu = status, used.ru_utime + used.ru_stime
            self.wall = now - self.began
            return
        if not self.is_told and self._is_due(now):
            os.kill(self.pid, self.command.stop)
            self.is_told = True
        elif is_alone and self.command.is_endless and self.until == float("inf"):
            os.kill(self.pid, signal.SIGINT)
            self.is_told, self.until = True, now + SECONDS
        if self.is_told and self.until == float("inf") and not self.command.is_endless:
            self.until = now + SECONDS
        if now > self.until and now > self.until + _kept_waiting(self.pid):
            self.killed = True
            if not self.command.python:
                # Its threads' stacks go to its standard error.
                os.kill(self.pid, signal.SIGUSR1)
                time.sleep(_STACKS)
            os.kill(self.pid, signal.SIGKILL)

    def _is_due(self, now: float) -> bool:
        if self.command.is_wall or now - self.began > SECONDS:
            return now - self.began >= self.command.after
        # The clock of another process's processor time, as clock_getcpuclockid(3) numbers it.
        with contextlib.suppress(OSError):
            return time.clock_gettime((~self.pid << 3) | 2) >= self.command.after
        return False

    def ended(self) -> dict[str, Any]:
        """How it ended."""
        assert self.status is not None
        if self.input is not None:
            os.close(self.input)
        code = None if self.killed else os.waitstatus_to_exitcode(self.status)
        # What was killed leaves processes that find out by themselves.
        until = time.monotonic() + _GRACE
        while (left := _members(self.pid)) and time.monotonic() < until:
            time.sleep(0.02)
        if left:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        texts = [
            path.read_text("utf-8", "backslashreplace")
            if (path := output_of(self.command, name)).exists()
            else ""
            for name in ("out", "err")
        ]
        return Ended(code, texts[0], texts[1], self.cpu, self.wall, left)._asdict()


def _kept_waiting(pid: int) -> float:
    """Seconds that a process's threads were ready to run and had no processor; of the thread that had most of them."""
    waited = 0
    for path in Path("/proc", str(pid), "task").glob("*/schedstat"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            waited = max(waited, int(path.read_text().split()[1]))
    return waited / 1e9


def _members(group: int) -> int:
    """The number of processes of a group, those that only wait to be noticed left out."""
    found = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                state, _, of = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()[:3]
                found += int(of) == group and state != "Z"
    return found


def _become(command: Command, reading: int) -> None:
    """In the new process: run the command, and end."""
    import tempfile

    try:
        os.setpgid(0, 0)
        folder, home = Path(command.folder), Path(command.home or command.folder)
        os.dup2(reading, 0)
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(output_of(command, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
        if command.closed:
            unread, written = os.pipe()
            os.close(unread)
            os.dup2(written, 1)
        os.closerange(3, 256)
        os.environ |= {
            "TMPDIR": str(home / "tmp"),
            "XDG_STATE_HOME": str(home / "state"),
        } | command.environment
        tempfile.tempdir = None
        if command.gone:
            (folder / "gone").mkdir()
            os.chdir(folder / "gone")
            (folder / "gone").rmdir()
        else:
            os.chdir(folder)
        if command.most_bytes:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (command.most_bytes, command.most_bytes))
        if command.python:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
            os.execv(command.python, [command.python, "-m", "railbird", *command.words])
        if command.clock:
            _turn_back(random.Random(command.clock))
        if command.slow:
            _slow_down(command.slow)
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, encoding="utf-8", buffering=1 if number == 2 else -1, closefd=False)  # noqa: SIM115
            for number, mode in ((0, "r"), (1, "w"), (2, "w"))
        )
        faulthandler.register(signal.SIGUSR1, sys.stderr)
        # Else processes that a command starts by itself would import this file's main.
        sys.modules["__main__"] = ModuleType("__main__")
        sys.modules["__main__"].__spec__ = ModuleSpec("railbird.__main__", None)
        sys.argv = ["railbird", *command.words]
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        except KeyboardInterrupt:
            # It came while the process was made ready.
            os._exit(_INTERRUPTED)
        _run()()
    except BaseException:
        import traceback

        traceback.print_exc()
    os._exit(99)


def _turn_back(dice: random.Random) -> None:
    """Let the time of day jump backwards at every third look; files are stamped by the system's."""
    seconds, nanoseconds = time.time, time.time_ns
    back = dice.choice((0.0, 3600.0, 4e8))

    def shift() -> float:
        nonlocal back
        if dice.random() < 1 / 3:
            back += dice.choice((0.001, 1.0, 700.0, 86_400.0))
        return back

    # Only this process has the other clock.
    time.time = lambda: seconds() - shift()
    time.time_ns = lambda: nanoseconds() - int(shift() * 1e9)


def _slow_down(most: float) -> None:
    """Let what changes a folder take a while, and so let others in between."""
    dice = random.Random(os.getpid())
    for name in ("fsync", "rename", "replace", "unlink", "mkdir", "rmdir", "open"):
        setattr(os, name, _slowly(getattr(os, name), dice, most))


def _slowly(call: Any, dice: random.Random, most: float) -> Any:
    def slowly(*given: Any, **named: Any) -> Any:
        time.sleep(dice.random() ** 3 * most)
        return call(*given, **named)

    return slowly


@cache
def _run() -> Any:
    import_module("railbird.cli")
    return sys.modules["railbird.cli.app"].run


def _import_all() -> None:
    """Import the modules that commands need, of which none starts a thread: a forked child would lack it."""
    _run()
    from railbird.jit.startup import prepare_process

    prepare_process()
    for name in (*_LIBRARIES, *(f"railbird.{module}" for module in _MODULES)):
        # Some are extras.
        with contextlib.suppress(ModuleNotFoundError):
            import_module(name)


def main() -> None:
    """Read groups of commands from standard input, a line of JSON each; write how each ended."""
    import gc

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(int(sys.argv[1]))
    _import_all()
    gc.collect()
    # Forks then share the memory: no object is moved between generations.
    gc.freeze()
    for line in sys.stdin:
        running = [_Running(Command(**one)) for one in json.loads(line)]
        while on := [one for one in running if one.status is None]:
            is_alone = all(one.command.is_endless for one in on)
            for one in on:
                one.look(is_alone)
            time.sleep(_LOOK)
        print(json.dumps([one.ended() for one in running]), flush=True)
    # Without what libraries say at an exit.
    os._exit(0)


if __name__ == "__main__":
    main()
