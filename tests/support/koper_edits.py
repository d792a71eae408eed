"""Random edits to clean Koper logs, one at a time, and whether replay notices them.

In the folder `tests`, `python -m support.koper_edits FOLDER` prints the table of docs/edits.md for the logs below it.
"""

import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from .koper import Replay, replay_text

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
MONEY = rb"(\d+\.\d\d)"

Lines = list[bytes]
Edit = Callable[["Log", random.Random], Lines | None]


@dataclass
class Log:
    """A clean log: its lines, and what reading it yields."""

    name: str
    lines: Lines
    replay: Replay
    _of: dict[bytes, list[tuple[int, re.Match[bytes]]]] = field(default_factory=dict)

    def of(self, pattern: bytes) -> list[tuple[int, re.Match[bytes]]]:
        """The lines of a form: their places and what is in them."""
        if pattern not in self._of:
            form = re.compile(pattern)
            found = ((number, form.fullmatch(line)) for number, line in enumerate(self.lines))
            self._of[pattern] = [(number, match) for number, match in found if match]
        return self._of[pattern]


def clean_logs(paths: list[Path]) -> list[Log]:
    """The logs in which nothing is wrong but named deviations."""
    logs = []
    for path in paths:
        text = path.read_bytes()
        replay = replay_text(text)
        if replay.outcomes and replay.is_clean:
            logs.append(Log(path.name, text.split(b"\n"), replay))
    return logs


def _replaced(log: Log, number: int, found: re.Match[bytes], group: int, new: bytes) -> Lines:
    start, end = found.span(group)
    line = log.lines[number]
    return [*log.lines[:number], line[:start] + new + line[end:], *log.lines[number + 1 :]]


def _number(pattern: bytes) -> Edit:
    """Change an amount by a chip or more, a count by one or more."""

    def edit(log: Log, rng: random.Random) -> Lines | None:
        if not log.of(pattern):
            return None
        number, found = rng.choice(log.of(pattern))
        group = rng.randrange(len(found.groups())) + 1
        old = float(found[group])
        new = old
        while new == old or new < 0:
            new = old + rng.choice((-1, 1)) * rng.choice((1, 2, 5, 20, 100, 300))
        text = f"{new:.2f}" if b".%d" % 0 in found[group] or b"." in found[group] else f"{int(new)}"
        return _replaced(log, number, found, group, text.encode())

    return edit


def _card(pattern: bytes) -> Edit:
    """Change one of a line's cards."""

    def edit(log: Log, rng: random.Random) -> Lines | None:
        if not log.of(pattern):
            return None
        number, found = rng.choice(log.of(pattern))
        start = found.start(1) + 6 * rng.randrange((len(found[1]) + 2) // 6) + 1
        line = log.lines[number]
        new = rng.choice([card for card in CARDS if card.encode() != line[start : start + 2]]).encode()
        return [*log.lines[:number], line[:start] + new + line[start + 2 :], *log.lines[number + 1 :]]

    return edit


def _swapped(pattern: bytes) -> Edit:
    """Exchange two lines that follow each other."""

    def edit(log: Log, rng: random.Random) -> Lines | None:
        places = [number for number, _ in log.of(pattern)]
        pairs = [a for a, b in pairwise(places) if b == a + 1]
        if not pairs:
            return None
        k = rng.choice(pairs)
        lines = list(log.lines)
        lines[k], lines[k + 1] = lines[k + 1], lines[k]
        return lines

    return edit


def _folded(log: Log, rng: random.Random) -> Lines | None:
    """Make a bet of round 1 a fold."""
    pattern = rb"(Equity: .*? +chose to )(bet \$.*)"
    if not log.of(pattern):
        return None
    number, found = rng.choice(log.of(pattern))
    return _replaced(log, number, found, 2, b"fold.")


def _said(log: Log) -> list[int]:
    """Places of the lines that carry something."""
    plain = (b"Game End Stacks:", b"TOURNAMENT LOG", b"*** EARLY", b"Note: ", b"Total Fractional", b"=====")
    return [number for number, line in enumerate(log.lines) if line.strip() and not line.startswith(plain)]


def _dropped(log: Log, rng: random.Random) -> Lines | None:
    number = rng.choice(_said(log))
    return [*log.lines[:number], *log.lines[number + 1 :]]


def _doubled(log: Log, rng: random.Random) -> Lines | None:
    number = rng.choice(_said(log))
    return [*log.lines[: number + 1], *log.lines[number:]]


EQUITY = rb"Equity: \d+\.\d\d%%, .*? %s.*"
EDITS: dict[str, Edit] = {
    "total pot, amount distributed": _number(
        rb"Total Pot: %s, Total Win Amount Distributed: %s" % (MONEY, MONEY)
    ),
    "redistributed, share": _number(rb"Redistributing %s \(%s each\) to (\d+) .*" % (MONEY, MONEY)),
    "remaining pot": _number(rb"Distributing remaining pot \$%s among (\d+) .*" % MONEY),
    "prize, cap, pot": _number(rb".* won \$%s\. Winning Cap was \$%s\. Pot was \$%s" % (MONEY, MONEY, MONEY)),
    "early win": _number(rb".* wins by fold! Pot: \$%s\. Payout: \$%s" % (MONEY, MONEY)),
    "received back": _number(rb".* receives \$" + MONEY),
    "stack": _number(rb"(?:Player .:|.* final stack:) \$" + MONEY),
    "stack of the eliminated": _number(rb".* eliminated! Stack \(%s\) < 100\." % MONEY),
    "hand score": _number(rb".* Hand Score (\d+)"),
    "wins": _number(rb"Player .: (\d+\.\d) wins"),
    "game number": _number(rb"--- .* ?Game (\d+) ---"),
    "bet of round 1": _number(rb"Equity: .* bet \$%s\." % MONEY),
    "later bet": _number(rb"Equity: .* bet %s in round \d" % MONEY),
    "bet made a fold": _folded,
    "two players exchanged": _swapped(rb"Equity: .*"),
    "two stacks exchanged": _swapped(rb".*final stack: .*"),
    "line doubled": _doubled,
    "line dropped": _dropped,
    "hole card": _card(rb"(?:Player . is dealt: )?\[(.*)\](?: dealt to .*)?"),
    "community card": _card(rb"The community cards are: \[(.*)\]"),
    "visible card": _card(rb"Visible Community Cards .*: \[(.*)\]"),
    "win probability": _number(rb"Equity: (\d+\.\d\d)%, .*"),
}
"""Every edit; docs/edits.md says which cannot always be seen, and why."""


@dataclass
class Tally:
    """How many edits were made, and how many of them change what is found; the rest."""

    made: int = 0
    seen: int = 0
    unseen: list[tuple[str, bytes, bytes]] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of edits that is noticed."""
        return self.seen / self.made


def _shape(replay: Replay) -> tuple[int, list[bool], list[tuple[int, int, str]]]:
    return (
        replay.tables["hands"][0].num_rows,
        [outcome.complete for outcome in replay.outcomes],
        replay.deviating,
    )


def measure(logs: list[Log], edit: Edit, count: int, seed: int) -> Tally:
    """Make `count` edits, each to a log drawn anew; none if none applies."""
    rng = random.Random(seed)
    tally = Tally()
    for _ in range(20 * count):
        if tally.made == count:
            break
        log = rng.choice(logs)
        lines = edit(log, rng)
        if lines is None or lines == log.lines:
            continue
        tally.made += 1
        after = replay_text(b"\n".join(lines))
        if not after.is_clean or _shape(after) != _shape(log.replay):
            tally.seen += 1
        else:
            changed = next(pair for pair in zip(log.lines, lines, strict=False) if pair[0] != pair[1])
            tally.unseen.append((log.name, *changed))
    return tally


def table(logs: list[Log], count: int, seed: int) -> Iterator[str]:
    """The rows of docs/edits.md."""
    yield "| edit | edits | not seen | seen |"
    yield "|---|---:|---:|---:|"
    for name, edit in EDITS.items():
        tally = measure(logs, edit, count, seed)
        if tally.made:
            yield f"| {name} | {tally.made} | {tally.made - tally.seen} | {tally.share:.1%} |"


if __name__ == "__main__":
    found = [path for path in sorted(Path(sys.argv[1]).rglob("*.txt")) if ".stdout." not in path.name]
    print(*table(clean_logs(found), int(sys.argv[2]) if len(sys.argv) > 2 else 300, 2025), sep="\n")
