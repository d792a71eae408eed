"""Random edits to clean Blotto logs.

In the folder `tests`, `python -m support.blotto_edits FOLDER` prints the table of docs/edits.md.
"""

import random
import re
import sys
from pathlib import Path

from . import edits
from .checking import check
from .edits import Edit, Lines, Log, Tally, measure


class BlottoLog(Log):
    """A clean log of Blotto."""

    def __post_init__(self) -> None:
        """What the lines of each kind look like."""
        super().__post_init__()
        player = b"(" + b"|".join(map(re.escape, sorted(set(self.players), key=len, reverse=True))) + b")"
        two = rb"%s \((-?\d+)\), %s \((-?\d+)\)" % (player, player)
        cards = rb"\[((?:\w\w ?)*)\]"
        board = rb" on board (\d)"
        self.patterns |= {
            "blind": player + rb" posts the blind of (\d+)(?: on each board)?",
            "assign": player + rb" assigns " + cards + rb" to board (\d).*",
            "street": rb"(?:Flop|Turn|River) " + cards + rb", \((\d+)\), " + two + board,
            "folded": rb"Board (\d), \((\d+)\)",
            "shows": player + b" shows " + cards + board,
            "amount": player + rb" (?:bets|raises to) (\d+)" + board,
            "action": player + rb" (folds|calls|checks|bets \d+|raises to \d+)" + board,
            "all-in": player + b" went all in",
            "sweep": player + b" sweeps",
            "table": rb"Table (\d), " + two,
        }


def blotto_logs(paths: list[Path]) -> list[Log]:
    """The logs among some files in which nothing is wrong but named deviations."""
    logs: list[Log] = []
    for path in paths:
        text = path.read_bytes()
        checked = check(text)
        if checked.is_clean and checked.games == ["blotto"] and len(set(checked.names[0])) == 2:
            logs.append(BlottoLog(path.name, text.split(b"\n"), checked.names[0], checked))
    return logs


def _dropped(kind: str) -> Edit:
    """Leave out one of the lines of a kind, in a log that has several."""

    def edit(log: Log, rng: random.Random) -> Lines | None:
        if len(log.of(kind)) < 2 or not (picked := log.pick(kind, rng)):
            return None
        return [*log.lines[: picked[0]], *log.lines[picked[0] + 1 :]]

    return edit


def _sweep_added(log: Log, rng: random.Random) -> Lines | None:
    """Print a sweep before awards that are none."""
    if not log.of("sweep") or not (picked := log.pick("award", rng)):
        return None
    number = picked[0]
    if re.fullmatch(log.patterns["award"], log.lines[number - 1]):
        number -= 1
    if re.fullmatch(log.patterns["sweep"], log.lines[number - 1]):
        return None
    return [*log.lines[:number], rng.choice(log.players) + b" sweeps", *log.lines[number:]]


def _board_number(log: Log, rng: random.Random) -> Lines | None:
    """Name another board in an action."""
    if not (picked := log.pick("action", rng)):
        return None
    number, found = picked
    new = rng.choice([k for k in b"123" if k != found[3][0]])
    return log.with_line(number, log.lines[number][:-1] + bytes([new]))


ALWAYS: dict[str, Edit] = {
    "award": edits._number("award", (2,)),
    "both awards": edits._both_awards,
    "blind": edits._number("blind", (2,)),
    "bankroll": edits._number("round", (3, 5)),
    "pot": edits._number("street", (2,)),
    "pot of a folded board": edits._number("folded", (2,)),
    "stack": edits._number("street", (4, 6)),
    "final": edits._number("final", (2, 4)),
    "sum of a board": edits._number("table", (3, 5)),
    "shown card": edits._card("shows", 2),
    "board named": _board_number,
    "turn order: two actions exchanged": edits._turn_swapped,
    "turn order: the other player named": edits._turn_renamed,
    "sweep dropped": _dropped("sweep"),
    "sweep added": _sweep_added,
    "line doubled": edits._line_doubled,
}
"""Edits that must all be noticed."""

SOMETIMES: dict[str, Edit] = {
    "all-in dropped": _dropped("all-in"),
    "assigned card": edits._card("assign", 2),
    "action kind": edits._action_kind,
    "amount": edits._number("amount", (2,), positive=True),
    "dealt hole card": edits._card("dealt", 2),
    "board card": edits._card("street", 1),
    "line dropped": edits._line_dropped,
}
"""Edits of which a share is noticed."""


def table(logs: list[Log], count: int, seed: int) -> list[str]:
    """The rows of docs/edits.md."""
    rows = [
        "| edit | edits | violation or damage | another deviation | not seen | seen |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, edit in (ALWAYS | SOMETIMES).items():
        tally: Tally = measure(logs, edit, count, seed)
        if tally.made:
            unseen = tally.made - tally.flagged - tally.deviating
            rows.append(
                f"| {name} | {tally.made} | {tally.flagged} | {tally.deviating} | {unseen} | {tally.share:.1%} |"
            )
    return rows


if __name__ == "__main__":
    found = sorted(path for path in Path(sys.argv[1]).glob("blotto*/**/*.txt") if path.is_file())
    print(*table(blotto_logs(found), int(sys.argv[2]) if len(sys.argv) > 2 else 300, 2021), sep="\n")
