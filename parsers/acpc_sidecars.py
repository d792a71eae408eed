"""What the ACPC dealer writes beside a log: game definitions, its error log, its transaction log."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from .acpc_game import Definition, is_definition

GAME, ERRORS, TRANSACTIONS = "game definition", "error log", "transaction log"
"""What a sidecar may be."""

_HEADER: Final = b"# name/game/hands/seed "
_ERRORS: Final = re.compile(
    rb"(?:STARTED at|TO \d+ at \d+\.\d+ MATCHSTATE:|FROM \d+ at|WARNING: |ERROR: |FINISHED at"
    rb"|Seconds cumulatively)"
)
_TRANSACTION: Final = re.compile(rb"(?:[fc]|r\d*) \d+ \d+\.\d+ \d+\.\d+\r?\n")
_FROM: Final = re.compile(rb"(?:FROM|TO) (\d+) at \d+\.\d+ MATCHSTATE:\d+:(\d+):([^:]*):")
_SEAT: Final = re.compile(rb"seat (\d+)")
_HEAD_LINES: Final = 12

# How the dealer's complaints begin, and the kind of fault each is.
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
    """A bot's fault by the dealer's error log.

    file_id, line  where it stands, lines from 1
    header         the header of the run it belongs to
    hand_no        of the hand, None before the first; betting: what had been bet, as in a hand's line
    seat           from 0, None where nobody is named
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
    """What lies beside a log, for its replay: definitions, the nearest first, and complaints of the same name."""

    definitions: tuple[Definition, ...] = ()
    complaints: tuple[Complaint, ...] = field(default=(), repr=False)


NOTHING: Final = Beside()
"""Beside a log that lies alone."""


def sidecar_kind(head: bytes) -> str | None:
    """What kind of sidecar a file is by its first bytes; None for anything else, logs too."""
    if is_definition(head[:4096].decode("utf-8", "replace")):
        return GAME
    if _TRANSACTION.match(head):
        return TRANSACTIONS
    for line in head[:4096].split(b"\n", _HEAD_LINES)[:_HEAD_LINES]:
        if line.startswith(b"STATE:"):
            return None
        if _ERRORS.match(line):
            return ERRORS
    return None


def stem(name: str) -> str:
    """What a log and the dealer's other files of the same match have in common: the name without its ending."""
    for ending in (".actions.log", ".err", ".tlog", ".log"):
        if name.endswith(ending):
            return name[: -len(ending)]
    return name.rsplit(".", 1)[0]


def _kind(line: bytes) -> str | None:
    return next((kind for begin, kind in _KINDS if line.startswith(begin)), None)


def read_complaints(lines: Iterable[bytes], file_id: int) -> Iterator[Complaint]:
    """The complaints of an error log, read line by line: such logs are 20 times as long as what they go with."""
    header, betting, seat = b"", b"", -1
    hand_no: int | None = None
    for number, line in enumerate(lines, 1):
        if line.startswith((b"FROM ", b"TO ")):
            if found := _FROM.match(line):
                seat, hand_no, betting = int(found[1]) - 1, int(found[2]), found[3]
        elif line.startswith(_HEADER):
            header, betting, hand_no, seat = line.rstrip(b"\r\n"), b"", None, -1
        elif kind := _kind(line):
            text = line.rstrip(b"\r\n")
            named = _SEAT.search(text)
            who = int(named[1]) - 1 if named else seat
            yield Complaint(
                file_id=file_id,
                line=number,
                header=header,
                hand_no=hand_no,
                betting=betting,
                seat=who if who >= 0 else None,
                kind=kind,
                text=text,
                replaced=text.endswith(b"changed to call"),
            )
