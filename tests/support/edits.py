"""Random edits to clean logs, one at a time, and whether replay notices them.

In the folder `tests`, `python -m support.edits FOLDER` prints the tables of docs/edits.md.
"""

import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from railbird.parsers import dialects

from .checking import Checked, check

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
RANKS = "23456789TJQKA"

Lines = list[bytes]
Edit = Callable[["Log", random.Random], Lines | None]


WORDS = {
    "round": b"Round #",
    "blind": b" posts ",
    "dealt": b" dealt ",
    "award": b" awarded ",
    "street": b" [",
    "stacks": b"Current stacks: ",
    "counts": b"Winning counts ",
    "final": b"Final, ",
    "shows": b" shows ",
    "hit": b" hits ",
    "bounties": b"Bounties reset ",
    "run reached": b"Run reached",
    "run won": b" won ",
    "hole": b"'s hand: ",
    "straights": b"Straights ",
    "ev": b" bets EV: ",
    "bid": b" bids ",
    "told": b"Players submitted ",
    "untold": b"Players did not ",
    "won": b" won the auction ",
    "discard": b" discards ",
}
"""What all lines of a kind hold, which is found sooner than a pattern fails."""


@dataclass
class Log:
    """A clean log: its lines, its players, and what reading it yields."""

    name: str
    lines: Lines
    players: tuple[bytes, ...]
    checked: Checked

    def __post_init__(self) -> None:
        """What the lines of each kind look like."""
        player = b"(" + b"|".join(map(re.escape, sorted(set(self.players), key=len, reverse=True))) + b")"
        two = rb"%s \((-?\d+)\), %s \((-?\d+)\)" % (player, player)
        # Permutation prints cards twice, in brackets as they count.
        cards = rb"(?:[2-9TJQKA][cdhs] )*\[((?:\w\w ?)*)\]"
        self.patterns = {
            "round": rb"Round #(\d+), " + two,
            "blind": player + rb" posts the blind of (\d+)",
            "dealt": player + b" dealt " + cards,
            "award": player + rb"(?: \(swapped\))? awarded (-?\d+)",
            "street": rb"(?:Flop|Turn|River|Run) " + cards + b", " + two,
            "stacks": rb"Current stacks: (\d+), (\d+)",
            "counts": rb"Winning counts at the end of the round: , " + two,
            "final": rb"Final, " + two,
            "shows": player + b" shows " + cards,
            "amount": player + rb" (?:bets|raises to) (\d+)",
            "action": player + rb" (folds|calls|checks|bets \d+|raises to \d+)",
            "hit": player + b" hits their bounty",
            "bounties": rb"Bounties reset to (\w) for player %s and (\w) for player %s" % (player, player),
            "run reached": rb"Run reached",
            "run won": player + rb" won (-?\d+)",
            "hole": player + b"'s hand: " + cards,
            "permutation": rb"\[(\w)((?: \w){12})\]",
            "straights": rb"Straights (\d+) (\d+)",
            "ev": player + rb" (?:preflop|flop|turn) bets EV: (-?\d+)",
        }
        self._of: dict[str, list[tuple[int, re.Match[bytes]]]] = {}

    def of(self, kind: str) -> list[tuple[int, re.Match[bytes]]]:
        """The lines of a kind: their places and what is in them."""
        if kind not in self._of:
            matcher, word = re.compile(self.patterns[kind]).fullmatch, WORDS.get(kind, b"")
            found = ((number, matcher(line)) for number, line in enumerate(self.lines) if word in line)
            self._of[kind] = [(number, match) for number, match in found if match]
        return self._of[kind]

    def pick(self, kind: str, rng: random.Random) -> tuple[int, re.Match[bytes]] | None:
        """A line of a kind, None where the log has none."""
        return rng.choice(self.of(kind)) if self.of(kind) else None

    def with_line(self, number: int, line: bytes) -> Lines:
        """The lines with one replaced."""
        return [*self.lines[:number], line, *self.lines[number + 1 :]]


def clean_logs(paths: list[Path]) -> list[Log]:
    """The logs among some files in which nothing is wrong but named deviations."""
    logs = []
    for path in paths:
        text = path.read_bytes()
        checked = check(text)
        # An extract of one hand has nothing to compare its number and bankrolls with.
        if checked.is_clean and checked.matches == 1 and len(checked.numbers) > 1 and b"\r" not in text:
            match = dialects.likely(text, 0, len(text))[0].cut(text)[0]
            logs.append(Log(path.name, text.split(b"\n"), match.names, checked))
    return logs


def _spliced(line: bytes, start: int, end: int, text: bytes) -> bytes:
    return line[:start] + text + line[end:]


def _other_number(old: int, rng: random.Random) -> int:
    """Another number: one off, a few off, a digit changed, the sign turned, or any."""
    while True:
        digits = list(str(abs(old)))
        digits[rng.randrange(len(digits))] = rng.choice("0123456789")
        new = rng.choice(
            (
                old + rng.choice((-1, 1)),
                old + rng.randint(-20, 20),
                int("".join(digits)) * (-1 if old < 0 else 1),
                -old,
                rng.randint(-610, 610),
            )
        )
        if new != old:
            return new


def _number(kind: str, groups: tuple[int, ...], positive: bool = False) -> Edit:
    """Change one of the numbers of a line."""

    def edit(log: Log, rng: random.Random) -> Lines | None:
        if not (picked := log.pick(kind, rng)):
            return None
        number, found = picked
        group = rng.choice(groups)
        new = _other_number(int(found[group]), rng)
        while positive and new <= 0:
            new = _other_number(int(found[group]), rng)
        return log.with_line(number, _spliced(log.lines[number], *found.span(group), b"%d" % new))

    return edit


def _both_awards(log: Log, rng: random.Random) -> Lines | None:
    """Move chips from one player's award to the other's."""
    awards = log.of("award")
    at = 2 * rng.randrange(len(awards) // 2)
    moved, lines = rng.choice((-20, -5, -1, 1, 5, 20)), log.lines
    for (number, found), chips in zip(awards[at : at + 2], (moved, -moved), strict=True):
        line = _spliced(lines[number], *found.span(2), b"%d" % (int(found[2]) + chips))
        lines = [*lines[:number], line, *lines[number + 1 :]]
    return lines


def _card(kind: str, group: int) -> Edit:
    """Change one of the cards of a line."""

    def edit(log: Log, rng: random.Random) -> Lines | None:
        if not (picked := log.pick(kind, rng)):
            return None
        number, found = picked
        start = found.start(group) + 3 * rng.randrange((len(found[group]) + 1) // 3)
        line = log.lines[number]
        new = rng.choice([card for card in CARDS if card.encode() != line[start : start + 2]])
        return log.with_line(number, _spliced(line, start, start + 2, new.encode()))

    return edit


def _turn_swapped(log: Log, rng: random.Random) -> Lines | None:
    """Exchange two neighbouring actions of two players."""
    rows = [number for number, _ in log.of("action")]
    pairs = [a for a, b in pairwise(rows) if b == a + 1 and log.lines[a] != log.lines[b]]
    if not pairs or len(set(log.players)) < 2:
        return None
    at = rng.choice(pairs)
    return [*log.lines[:at], log.lines[at + 1], log.lines[at], *log.lines[at + 2 :]]


def _turn_renamed(log: Log, rng: random.Random) -> Lines | None:
    """Let the other player take an action."""
    if len(set(log.players)) < 2 or not (picked := log.pick("action", rng)):
        return None
    number, found = picked
    other = log.players[1 - log.players.index(found[1])]
    return log.with_line(number, _spliced(log.lines[number], *found.span(1), other))


def _action_kind(log: Log, rng: random.Random) -> Lines | None:
    """Make an action another: a bet of the street's size becomes a check, and so on."""
    if not (picked := log.pick("action", rng)):
        return None
    number, found = picked
    old = found[2]
    word = old.split(b" ")[0]
    amount = (
        old.rsplit(b" ", 1)[1] if word in (b"bets", b"raises") else b"%d" % rng.choice((2, 4, 6, 10, 20, 400))
    )
    kinds = {b"folds": b"folds", b"calls": b"calls", b"checks": b"checks"}
    kinds |= {b"bets": b"bets " + amount, b"raises": b"raises to " + amount}
    new = kinds[rng.choice([kind for kind in kinds if kind != word])]
    return log.with_line(number, _spliced(log.lines[number], *found.span(2), new))


def _bounty_rank(log: Log, rng: random.Random) -> Lines | None:
    if not (picked := log.pick("bounties", rng)):
        return None
    number, found = picked
    group = rng.choice((1, 3))
    new = rng.choice([rank for rank in RANKS if rank.encode() != found[group]])
    return log.with_line(number, _spliced(log.lines[number], *found.span(group), new.encode()))


def _hit_dropped(log: Log, rng: random.Random) -> Lines | None:
    picked = log.pick("hit", rng)
    return picked and [*log.lines[: picked[0]], *log.lines[picked[0] + 1 :]]


def _hit_added(log: Log, rng: random.Random) -> Lines | None:
    if not log.of("hit") or not (picked := log.pick("award", rng)):
        return None
    number = picked[0] + (re.fullmatch(log.patterns["award"], log.lines[picked[0] + 1]) is not None)
    hit = rng.choice(log.players) + b" hits their bounty"
    return [*log.lines[: number + 1], hit, *log.lines[number + 1 :]]


def _swapped_said(log: Log, rng: random.Random) -> Lines | None:
    """Say of an award that its player was swapped, or no longer say so."""
    if not any(b" (swapped) awarded " in line for line in log.lines) or not (
        picked := log.pick("award", rng)
    ):
        return None
    line = log.lines[picked[0]]
    bare = line.replace(b" (swapped) awarded ", b" awarded ")
    return log.with_line(
        picked[0], bare if bare != line else line.replace(b" awarded ", b" (swapped) awarded ")
    )


def _permutation(log: Log, rng: random.Random) -> Lines | None:
    """Exchange two ranks of the header."""
    if not (picked := log.pick("permutation", rng)):
        return None
    ranks = picked[1][0].decode()[1:-1].split(" ")
    one, two = rng.sample(range(len(ranks)), 2)
    ranks[one], ranks[two] = ranks[two], ranks[one]
    return log.with_line(picked[0], f"[{' '.join(ranks)}]".encode())


_IN_HANDS = (
    "round",
    "blind",
    "dealt",
    "award",
    "street",
    "stacks",
    "counts",
    "shows",
    "action",
    "hit",
    "run reached",
    "run won",
    "hole",
)


def _line_dropped(log: Log, rng: random.Random) -> Lines | None:
    picked = log.pick(rng.choice([kind for kind in _IN_HANDS if log.of(kind)]), rng)
    return picked and [*log.lines[: picked[0]], *log.lines[picked[0] + 1 :]]


def _line_doubled(log: Log, rng: random.Random) -> Lines | None:
    picked = log.pick(rng.choice([kind for kind in _IN_HANDS if log.of(kind)]), rng)
    return picked and [*log.lines[: picked[0] + 1], *log.lines[picked[0] :]]


ALWAYS: dict[str, Edit] = {
    "award": _number("award", (2,)),
    "both awards": _both_awards,
    "blind": _number("blind", (2,)),
    "bankroll": _number("round", (3, 5)),
    "street contribution": _number("street", (3, 5)),
    "current stacks": _number("stacks", (1, 2)),
    "winning counts": _number("counts", (2, 4)),
    "final": _number("final", (2, 4)),
    "shown card": _card("shows", 2),
    "turn order: two actions exchanged": _turn_swapped,
    "turn order: the other player named": _turn_renamed,
    "bounty hit dropped": _hit_dropped,
    "bounty hit added": _hit_added,
    "line doubled": _line_doubled,
    "won in the run": _number("run won", (2,)),
    "swapped or not": _swapped_said,
    "permutation": _permutation,
    "straights": _number("straights", (1, 2), positive=True),
}
"""Edits that must all be noticed."""

SOMETIMES: dict[str, Edit] = {
    "action kind": _action_kind,
    "amount": _number("amount", (2,), positive=True),
    "dealt hole card": _card("dealt", 2),
    "board card": _card("street", 1),
    "hole card after a street": _card("hole", 2),
    "bounty rank": _bounty_rank,
    "bets EV": _number("ev", (2,)),
    "round number": _number("round", (1,), positive=True),
    "line dropped": _line_dropped,
}
"""Edits of which a share is noticed; docs/edits.md says which cannot be."""


@dataclass
class Tally:
    """How many edits of a kind were made; flagged: a violation, damage, unknown line or lost hand.

    deviating are those that only show as other named deviations; unseen keeps (log, line before, line after).
    """

    made: int = 0
    flagged: int = 0
    deviating: int = 0
    unseen: list[tuple[str, int, bytes, bytes]] | None = None

    @property
    def share(self) -> float:
        """The share of edits that change any finding."""
        return (self.flagged + self.deviating) / self.made


def _first_change(before: Lines, after: Lines) -> tuple[int, bytes, bytes]:
    for number, (old, new) in enumerate(zip(before, after, strict=False)):
        if old != new:
            return number, old, new
    return len(before), b"", b""


def measure(logs: list[Log], edit: Edit, count: int, seed: int) -> Tally:
    """Make `count` edits, each to a log drawn anew, and tally what became of them; none if none applies."""
    rng = random.Random(seed)
    tally = Tally(unseen=[])
    for _ in range(20 * count):
        if tally.made == count:
            break
        log = rng.choice(logs)
        lines = edit(log, rng)
        if lines is None or lines == log.lines:
            continue
        tally.made += 1
        after = check(b"\n".join(lines))
        if not after.is_clean or len(after.numbers) != len(log.checked.numbers):
            tally.flagged += 1
        elif after.deviating != log.checked.deviating:
            tally.deviating += 1
        elif tally.unseen is not None:
            tally.unseen.append((log.name, *_first_change(log.lines, lines)))
    return tally


def table(logs: list[Log], count: int, seed: int) -> Iterator[str]:
    """The rows of docs/edits.md."""
    yield "| edit | edits | violation or damage | another deviation | not seen | seen |"
    yield "|---|---:|---:|---:|---:|---:|"
    for name, edit in (ALWAYS | SOMETIMES).items():
        tally = measure(logs, edit, count, seed)
        if tally.made:
            unseen = tally.made - tally.flagged - tally.deviating
            share = f"{tally.share:.1%}"
            yield f"| {name} | {tally.made} | {tally.flagged} | {tally.deviating} | {unseen} | {share} |"


if __name__ == "__main__":
    for game in ("bounty*", "holdem-mit", "river-of-blood*", "permutation*", "swap*"):
        found = sorted(path for path in Path(sys.argv[1]).glob(f"{game}/**/*.txt") if path.is_file())
        print(*table(clean_logs(found), 1000, 2025), "", sep="\n")
