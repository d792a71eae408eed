"""Bots of MIT's skeleton: the program of a folder, which plays over a socket with the engines of MIT Pokerbots.

`commands.json` in the folder says how it is built and run: `{"build": [...], "run": [...]}`; the port is appended to
`run`. The engine sends a line of clauses for each answer that it wants: `T` the clock, and what happened since.
"""

import json
import os
import signal
import socket
import subprocess
import time
from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Thread
from typing import IO, Final

from ..replay.bots import GARBLED, GONE, LATE, Answer, Bot, View
from ..replay.records import CALL, CHECK, FOLD, RAISE
from ..replay.simulate import Player, play_bots

COMMANDS: Final = "commands.json"
CLOCK: Final = 60.0
"""Seconds that a bot has for all its answers in 1,000 hands."""
CLAUSES: Final = {FOLD: "F", CALL: "C", CHECK: "K"}
"""The clause of an action; that of a bet or raise is R and its total of the street."""
_ACTIONS: Final = {clause: action for action, clause in CLAUSES.items()}
_ANSWER: Final = 10.0
_CONNECT: Final = 10.0
_BUILD: Final = 60.0
_STOP: Final = 2.0
"""Seconds for an answer, to connect, to build, and to stop by itself."""
_LONGEST: Final = 1 << 16
"""Bytes of an answer that are read."""
_KEPT: Final = 4096
"""Bytes of a program's output that are kept, the last ones."""


class BotError(ValueError):
    """A folder that holds no bot that can be run; the message is one line."""


class Listener(Bot):
    """A bot that hears of a hand what the engine of MIT Pokerbots says, in its clauses."""

    @abstractmethod
    def open(self, hands: int) -> bool:
        """Get ready for a match; False if the bot is not there."""

    @abstractmethod
    def told(self, *clauses: str) -> None:
        """Hear what happened; a clause has no blanks."""


class _Silent(Listener):
    """A listener that gives every hand up; `opened`: whether the engine plays with listeners."""

    opened = False

    def open(self, hands: int) -> bool:
        """It is there."""
        self.opened = True
        return True

    def told(self, *clauses: str) -> None:
        """Nothing is kept."""

    def act(self, view: View) -> Answer:
        """Fold, or check where that is free."""
        return Answer(FOLD if view.to_call else CHECK)


def check_spoken(game: str) -> None:
    """Raise BotError for a game of which the messages of an engine to its bots are not known."""
    bots = [_Silent(Random(0)) for _ in range(2)]
    with suppress(ValueError):
        play_bots(game, [Player(f"P{seat}", bot) for seat, bot in enumerate(bots)], 1, 0)
    if not all(bot.opened for bot in bots):
        raise BotError(
            f"the messages of {game}'s engine to bots are not known: no bot of MIT's skeleton plays it"
        )


def answer_of(text: str, can_raise: bool) -> Answer:
    """The answer of a line: what the engine reads of it, by its first character; GARBLED for no action."""
    action = _ACTIONS.get(text[:1])
    if action is not None:
        return Answer(action)
    if text[:1] == "R":
        try:
            return Answer(RAISE, int(text[1:]))
        except ValueError:
            if not can_raise:
                # The amount is ignored if no raise is legal.
                return Answer(RAISE)
    return Answer(GARBLED, text=text)


class SocketBot(Listener):
    """A program in a folder that answers over a socket of this machine."""

    def __init__(self, folder: Path, clock: float | None = None) -> None:
        """BotError for a folder without a bot.

        clock: seconds for all answers of a match, by default CLOCK for each 1,000 hands that are begun
        """
        super().__init__(Random(0))
        self.folder = folder
        self.commands = _commands(folder)
        self.clock = clock
        self.left = 0.0
        """Seconds on the clock."""
        self.trouble = ""
        """One line about the program; "" for nothing."""
        self._clauses: list[str] = []
        self._unread = b""
        self._ended = False
        self._output = b""
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: Thread | None = None
        self._socket: socket.socket | None = None

    def open(self, hands: int) -> bool:
        """Build and start the program; False if it does not connect. BotError if it cannot be built or started."""
        self.left = CLOCK * -(-hands // 1000) if self.clock is None else self.clock
        self._build()
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            try:
                self._process = self._started([*self.commands["run"], str(port)])
            except OSError as error:
                raise BotError(
                    f"{self.folder}: {self.commands['run'][0]!r} cannot be run: {error.strerror}"
                ) from None
            assert self._process.stdout is not None
            self._reader = Thread(target=self._read_output, args=(self._process.stdout,), daemon=True)
            self._reader.start()
            self._socket = self._accepted(server)
        if self._socket is None:
            self._note("did not connect")
        return self._socket is not None

    def _build(self) -> None:
        if not self.commands["build"]:
            return
        try:
            with self._started(self.commands["build"]) as process:
                try:
                    output, _ = process.communicate(timeout=_BUILD)
                finally:
                    _end(process)
        except (OSError, subprocess.TimeoutExpired) as error:
            why = (
                f"it takes more than {_BUILD:.0f} s"
                if isinstance(error, subprocess.TimeoutExpired)
                else error
            )
            raise BotError(f"{self.folder} cannot be built: {why}") from None
        if process.returncode:
            raise BotError(f"{self.folder} cannot be built: {_last_line(output) or process.returncode}")

    def _started(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """A program that runs in the folder, in a session of its own; its output can be read."""
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            start_new_session=True,
        )

    def _accepted(self, server: socket.socket) -> socket.socket | None:
        """The connection of the program; None if it ends first, or does not connect in time."""
        assert self._process is not None
        deadline = time.monotonic() + _CONNECT
        server.settimeout(0.1)
        while time.monotonic() < deadline:
            with suppress(TimeoutError):
                connection, _ = server.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return connection
            if self._process.poll() is not None:
                return None
        return None

    def _read_output(self, stream: IO[bytes]) -> None:
        with stream:
            while some := stream.read1(_KEPT):  # type: ignore[attr-defined]
                self._output = (self._output + some)[-_KEPT:]

    def _note(self, what: str) -> None:
        if not self.trouble:
            self.trouble = f"{self.folder}: {what}"

    def told(self, *clauses: str) -> None:
        """Keep the clauses for the next line that is sent."""
        self._clauses += clauses

    def act(self, view: View) -> Answer:
        """The program's answer."""
        return self.answer(view.high > 0)

    def answer(self, can_raise: bool) -> Answer:
        """The program's answer to the messages sent to it; can_raise: whether a raise is legal."""
        if self._socket is None:
            raise BotError("a folder with a bot plays only where the engine's messages are known")
        return answer_of_line(self._asked(), can_raise)

    def acknowledge(self) -> Answer:
        """The program's answer to the end of a hand."""
        return answer_of_line(self._asked(), False)

    def _asked(self) -> str | Answer:
        """The line that the program answers; LATE or GONE if there is none."""
        assert self._socket is not None
        if self._ended:
            self._note("closed the connection")
            return Answer(GONE)
        line = " ".join([f"T{self.left:.3f}", *self._clauses]) + "\n"
        self._clauses.clear()
        begun = time.perf_counter()
        try:
            self._socket.settimeout(_ANSWER)
            self._socket.sendall(line.encode())
            text = self._line(begun + min(_ANSWER, self.left))
        except TimeoutError:
            self._note("ran out of time")
            return Answer(LATE)
        except OSError:
            self._note("closed the connection")
            return Answer(GONE)
        self.left -= time.perf_counter() - begun
        if self.left <= 0:
            self._note("ran out of time")
            return Answer(LATE)
        return text

    def _line(self, deadline: float) -> str:
        """The next line, stripped; "" once the program has closed the connection."""
        assert self._socket is not None
        while b"\n" not in self._unread and not self._ended and len(self._unread) < _LONGEST:
            self._socket.settimeout(max(deadline - time.perf_counter(), 1e-3))
            try:
                some = self._socket.recv(4096)
            except ConnectionError:
                some = b""
            self._ended = not some
            self._unread += some
        line, _, self._unread = self._unread.partition(b"\n")
        return " ".join(line.decode(errors="replace").splitlines()).strip()

    def stop(self) -> None:
        """Say that the match is over, and end the program and all that it started."""
        if self._socket is not None:
            with suppress(OSError), self._socket as connection:
                connection.settimeout(_STOP)
                connection.sendall(b"Q\n")
            self._socket = None
        if self._process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_STOP)
        _end(self._process)
        if self._reader is not None:
            self._reader.join(_STOP)
        if self.trouble and (said := _last_line(self._output)):
            self.trouble += f"; it printed: {said}"
        self._process = None


def answer_of_line(line: str | Answer, can_raise: bool) -> Answer:
    """What a program answered, which may be nothing."""
    return line if isinstance(line, Answer) else answer_of(line, can_raise)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program, if it runs, and all that it started in its session."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _last_line(output: bytes) -> str:
    lines = [line for line in output.decode(errors="replace").splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


def _commands(folder: Path) -> dict[str, list[str]]:
    """The commands of a folder; BotError for one without."""
    path = folder / COMMANDS
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise BotError(f"{path} is not JSON") from None
    commands: dict[str, list[str]] = {}
    for name in ("build", "run"):
        words = found.get(name, []) if isinstance(found, dict) else None
        if not isinstance(words, list) or not all(isinstance(word, str) and word for word in words):
            raise BotError(f"{path} has no list of words under {name!r}")
        commands[name] = words
    if not commands["run"]:
        raise BotError(f"{path} has no list of words under 'run'")
    return commands
