"""Random edits to clean ACPC logs, one at a time, and whether replay notices them.

In the folder `tests`, `python -m support.acpc_edits FOLDER` prints the table of docs/edits.md for the logs below it.
"""

import random
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from railbird.parsers.acpc_game import Definition

from .acpc import check, definitions_beside

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
WINDOW = 20
"""Hands of a log that an edit is tried on: its first, with its header and without its score."""

Lines = list[bytes]


@dataclass(frozen=True)
class Log:
    """A clean log: its lines, the definitions beside it."""

    name: str
    lines: Lines
    definitions: tuple[Definition, ...]

    @property
    def hands(self) -> list[int]:
        return [k for k, line in enumerate(self.lines) if line.startswith(b"STATE:")]

    def flagged(self, lines: Lines) -> bool:
        return not check(b"\n".join(lines) + b"\n", self.definitions).is_clean


@dataclass
class Tally:
    made: int = 0
    flagged: int = 0
    unseen: list[tuple[str, bytes, bytes]] = field(default_factory=list)

    @property
    def share(self) -> float:
        return self.flagged / self.made if self.made else 0.0


Edit = Callable[[Log, random.Random], Lines | None]


def _hand(log: Log, rng: random.Random, part: int, change: Callable[[bytes], bytes | None]) -> Lines | None:
    """Change a part of a hand's line: 1 number, 2 betting, 3 cards, 4 results, 5 names."""
    at = rng.choice(log.hands)
    parts = log.lines[at].split(b":", 5)
    fresh = change(parts[part])
    if fresh is None or fresh == parts[part]:
        return None
    parts[part] = fresh
    return [*log.lines[:at], b":".join(parts), *log.lines[at + 1 :]]


def _another(
    rng: random.Random, pattern: bytes, make: Callable[[bytes], bytes]
) -> Callable[[bytes], bytes | None]:
    def change(text: bytes) -> bytes | None:
        found = list(re.finditer(pattern, text))
        if not found:
            return None
        one = rng.choice(found)
        return text[: one.start()] + make(one[0]) + text[one.end() :]

    return change


def _number(rng: random.Random) -> Callable[[bytes], bytes]:
    def make(text: bytes) -> bytes:
        value = float(text) + rng.choice([-100, -7, -1, 1, 3, 50, 0.5])
        return f"{value:.6f}".rstrip("0").rstrip(".").encode()

    return make


def _card(rng: random.Random, held: bytes) -> bytes:
    return rng.choice([card for card in CARDS if card.encode() != held]).encode()


def result(log: Log, rng: random.Random) -> Lines | None:
    return _hand(log, rng, 4, _another(rng, rb"-?[\d.]+", _number(rng)))


def result_moved(log: Log, rng: random.Random) -> Lines | None:
    """Chips from one player to another: the line's sum stays."""

    def change(text: bytes) -> bytes:
        values = [float(word) for word in text.split(b"|")]
        giver, taker = rng.sample(range(len(values)), 2)
        size = rng.choice([1, 5, 100])
        values[giver], values[taker] = values[giver] - size, values[taker] + size
        return b"|".join(f"{value:g}".encode() for value in values)

    return _hand(log, rng, 4, change)


def name(log: Log, rng: random.Random) -> Lines | None:
    return _hand(log, rng, 5, lambda text: text[:-1] + bytes([text[-1] ^ 1]))


def names_swapped(log: Log, rng: random.Random) -> Lines | None:
    def change(text: bytes) -> bytes:
        names = text.split(b"|")
        one, other = rng.sample(range(len(names)), 2)
        names[one], names[other] = names[other], names[one]
        return b"|".join(names)

    return _hand(log, rng, 5, change)


def hand_number(log: Log, rng: random.Random) -> Lines | None:
    return _hand(log, rng, 1, lambda text: str(int(text) + rng.choice([1, 2, 10])).encode())


def hole_card(log: Log, rng: random.Random) -> Lines | None:
    def change(text: bytes) -> bytes | None:
        holes, slash, board = text.partition(b"/")
        fresh = _another(rng, rb"[2-9TJQKA][cdhs]", lambda card: _card(rng, card))(holes)
        return None if fresh is None else fresh + slash + board

    return _hand(log, rng, 3, change)


def board_card(log: Log, rng: random.Random) -> Lines | None:
    def change(text: bytes) -> bytes | None:
        holes, slash, board = text.partition(b"/")
        fresh = _another(rng, rb"[2-9TJQKA][cdhs]", lambda card: _card(rng, card))(board)
        return None if fresh is None else holes + slash + fresh

    return _hand(log, rng, 3, change)


def line_dropped(log: Log, rng: random.Random) -> Lines | None:
    at = rng.choice(log.hands[1:-1])
    return [*log.lines[:at], *log.lines[at + 1 :]]


def line_doubled(log: Log, rng: random.Random) -> Lines | None:
    at = rng.choice(log.hands[1:])
    return [*log.lines[: at + 1], *log.lines[at:]]


def seed(log: Log, rng: random.Random) -> Lines | None:
    head = log.lines[0].split(b" ")
    if not log.lines[0].startswith(b"# name"):
        return None
    return [b" ".join([*head[:-1], str(int(head[-1]) + rng.choice([1, 2, 1000])).encode()]), *log.lines[1:]]


def betting_letter(log: Log, rng: random.Random) -> Lines | None:
    def make(text: bytes) -> bytes:
        return rng.choice([letter for letter in (b"f", b"c", b"r") if letter != text])

    return _hand(log, rng, 2, _another(rng, rb"[fcr]", make))


def betting_dropped(log: Log, rng: random.Random) -> Lines | None:
    return _hand(log, rng, 2, _another(rng, rb"[fc]|r\d*|/", lambda text: b""))


def amount(log: Log, rng: random.Random) -> Lines | None:
    def make(text: bytes) -> bytes:
        return str(max(int(text) + rng.choice([-500, -50, -1, 1, 7, 50, 1000]), 0)).encode()

    return _hand(log, rng, 2, _another(rng, rb"\d+", make))


ALWAYS: dict[str, Edit] = {
    "result": result,
    "result moved to another": result_moved,
    "name": name,
    "names swapped": names_swapped,
    "hand number": hand_number,
    "hole card": hole_card,
    "board card": board_card,
    "hand dropped": line_dropped,
    "hand doubled": line_doubled,
    "seed": seed,
}
SOMETIMES: dict[str, Edit] = {
    "action kind": betting_letter,
    "action dropped": betting_dropped,
    "amount": amount,
}


def clean_logs(paths: Sequence[Path]) -> list[Log]:
    """The beginnings of logs in which nothing is wrong and whose players' names differ."""
    found = []
    for path in paths:
        lines = path.read_bytes().splitlines()
        kept = [line for line in lines if line.startswith((b"#", b"STATE:"))][: WINDOW + 4]
        log = Log(path.name, kept, definitions_beside(path))
        last = log.lines[log.hands[-1]].split(b":", 5) if len(log.hands) > 2 else []
        names = last[5].split(b"|") if len(last) > 5 else []
        headed = log.lines[0].startswith(b"# name")
        if names and headed and len(set(names)) == len(names) and not log.flagged(log.lines):
            found.append(log)
    return found


def measure(logs: Sequence[Log], edit: Edit, times: int, start: int) -> Tally:
    """Make an edit to random logs so many times."""
    tally, rng = Tally(), random.Random(start)
    tried = 0
    while tally.made < times and tried < 20 * times:
        tried += 1
        log = rng.choice(logs)
        lines = edit(log, rng)
        if lines is None:
            continue
        tally.made += 1
        if log.flagged(lines):
            tally.flagged += 1
        else:
            old = next((a for a, b in zip(log.lines, lines, strict=False) if a != b), b"")
            new = next((b for a, b in zip(log.lines, lines, strict=False) if a != b), b"")
            tally.unseen.append((log.name, old, new))
    return tally


def main(folder: Path) -> None:
    logs = clean_logs(sorted(folder.rglob("*.log")))
    for kind, edit in (ALWAYS | SOMETIMES).items():
        tally = measure(logs, edit, 1000, 2025)
        sys.stdout.write(f"| {kind} | {tally.made} | {tally.flagged} | {tally.share:.1%} |\n")
        for unseen in tally.unseen[:2] if "-v" in sys.argv else ():
            sys.stdout.write(f"    {unseen}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
