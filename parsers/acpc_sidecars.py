"""The sidecars that the ACPC dealer writes: game definitions, its error log, its transaction log."""

import re
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Final

import numpy as np

from .acpc_game import MAX_PLAYERS, OPENS, Definition, is_definition
from .dialect import line_at
from .dialects import holds_hands, records_for
from .grammar import number_in
from .marks import lines_with
from .sources import reading

GAME, ERRORS, TRANSACTIONS = "game definition", "error log", "transaction log"
"""The kinds of sidecars."""

TITLE: Final = b"# name/game/hands/seed "
"""The beginning of a header."""
_ERRORS: Final = re.compile(
    rb"(?:STARTED at|TO \d+ at \d+\.\d+ MATCHSTATE:|FROM \d+ at|WARNING: |ERROR: |FINISHED at"
    rb"|Seconds cumulatively)"
)
_FIRST_LETTERS: Final = frozenset((b"S", b"T", b"F", b"W", b"E"))
"""The first letters of an error log's lines, and of a state."""
_TRANSACTION: Final = re.compile(rb"(?:[fc]|r\d*) \d+ \d+\.\d+ \d+\.\d+\r?\n")
_FROM: Final = re.compile(rb"(?:FROM|TO) (\d{1,18}) at \d+\.\d+ MATCHSTATE:\d+:(\d{1,18}):([^:\n]*):")
_SEAT: Final = re.compile(rb"seat (\d+)")
_HEAD_LINES: Final = 12
_BLOCK: Final = 1 << 20

# How the dealer's complaints begin, and the kind of fault of each.
_KINDS: Final = (
    (b"WARNING: bad action format in response", "misformatted"),
    (b"WARNING: bad state format in response", "misformatted"),
    (b"WARNING: ignoring un-requested response", "misformatted"),
    (b"WARNING: invalid action", "illegal"),
    (b"WARNING: raise of ", "illegal"),
    (b"WARNING: #actions in round", "illegal"),
    (b"ERROR: could not get action", "disconnected"),
    (b"ERROR: seat ", "late"),
    (b"ERROR: timed out waiting", "disconnected"),
)


@dataclass(frozen=True)
class Complaint:
    """A bot's fault, reported in the dealer's error log.

    file_id, line  where it is reported; lines count from 1
    header         the header of its run
    hand_no        of the hand, None before the first; betting: the betting so far, as in a hand's line
    seat           from 0, None if no player is named
    kind           as in `faults`
    replaced       the dealer called in the player's place
    """

    file_id: int
    line: int
    header: bytes
    hand_no: int | None
    betting: bytes
    seat: int | None
    kind: str
    text: bytes
    replaced: bool


@dataclass(frozen=True)
class Beside:
    """The sidecars of a log, for its replay: definitions, the nearest first, and complaints of the same name.

    given: the definitions that the user names, which come first.
    """

    definitions: tuple[Definition, ...] = ()
    complaints: tuple[Complaint, ...] = field(default=(), repr=False)
    given: tuple[Definition, ...] = ()


NOTHING: Final = Beside()
"""Of a log without sidecars."""


def sidecar_kind(head: bytes) -> str | None:
    """The kind of a sidecar, from its first bytes; None for any other file, logs included."""
    start = head[:4096]
    if OPENS in start.lower() and is_definition(start.decode("utf-8", "replace")):
        return GAME
    if _TRANSACTION.match(head):
        return TRANSACTIONS
    at = 0
    for line in start.split(b"\n", _HEAD_LINES)[:_HEAD_LINES]:
        if line[:1] in _FIRST_LETTERS:
            if line.startswith(b"STATE:"):
                return None
            if _ERRORS.match(line):
                # If such a line follows hands, or records of hands, the file is their log.
                above = start[:at]
                return None if holds_hands(above) or records_for(above) is not None else ERRORS
        at += len(line) + 1
    return None


def _kind(line: bytes) -> str | None:
    return next((kind for begin, kind in _KINDS if line.startswith(begin)), None)


@dataclass
class _Progress:
    """The position in an error log: the run and hand of the following lines, and the number of lines so far."""

    lines: int = 0
    header: bytes = b""
    hand_no: int | None = None
    betting: bytes = b""
    seat: int = -1

    def state(self, text: bytes, lines: Sequence[int]) -> None:
        """Note the last of some lines that sends or receives a state."""
        found = next(filter(None, (_FROM.match(text, at) for at in reversed(lines))), None)
        if found:
            self.seat, self.hand_no, self.betting = number_in(found[1]) - 1, number_in(found[2]), found[3]

    def run(self, header: bytes) -> None:
        """Begin a run."""
        self.header, self.hand_no, self.betting, self.seat = header, None, b"", -1


def read_complaints(log: IO[bytes], file_id: int, size: int = sys.maxsize) -> Iterator[Complaint]:
    """The complaints of an error log, read in blocks: such logs are 20 times as long as the log itself.

    size: the most bytes to read
    SourceError if it cannot be read to its end.
    """
    progress = _Progress()
    # A line that spans many blocks is joined once.
    rest: list[bytes] = []
    while block := _block(log, min(size, _BLOCK)):
        size -= len(block)
        end = block.rfind(b"\n") + 1
        if end:
            yield from _complaints_in(b"".join((*rest, block[:end])), file_id, progress)
            rest.clear()
        rest.append(block[end:])
    yield from _complaints_in(b"".join(rest), file_id, progress)


def _block(log: IO[bytes], most: int) -> bytes:
    with reading():
        return log.read(most)


def _lines_of(text: bytes, *words: bytes) -> list[int]:
    """Offsets of the lines that begin with one of some words, in order."""
    found: list[int] = np.sort(np.concatenate([lines_with(text, word) for word in words])).tolist()
    return found


def _complaints_in(text: bytes, file_id: int, progress: _Progress) -> Iterator[Complaint]:
    """The complaints of some complete lines."""
    states = _lines_of(text, b"FROM ", b"TO ")
    counted = taken = 0
    for at in _lines_of(text, TITLE, b"WARNING: ", b"ERROR: "):
        before = bisect_left(states, at)
        progress.state(text, states[taken:before])
        taken = before
        progress.lines += text.count(b"\n", counted, at)
        counted = at
        line = line_at(text, at).rstrip(b"\r\n")
        if line.startswith(TITLE):
            progress.run(line)
        elif kind := _kind(line):
            named = _SEAT.search(line)
            who = number_in(named[1]) - 1 if named else progress.seat
            yield Complaint(
                file_id=file_id,
                line=progress.lines + 1,
                header=progress.header,
                hand_no=progress.hand_no,
                betting=progress.betting,
                seat=who if 0 <= who < MAX_PLAYERS else None,
                kind=kind,
                text=line,
                replaced=line.endswith(b"changed to call"),
            )
    progress.state(text, states[taken:])
    progress.lines += text.count(b"\n", counted)
