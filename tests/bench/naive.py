"""The baseline of the speed figures: what teams write after a match. No replay, no store, no check of anything.

Regular expressions tried in order on every line, a hand and street counter beside them, and a list of tuples.
"""

import re
from pathlib import Path

CARDS = r"\[([^\]]*)\]"
LINES = [
    (kind, re.compile(pattern))
    for kind, pattern in {
        "round": r"Round #(\d+), (.+) \((-?\d+)\), (.+) \((-?\d+)\)$",
        "blind": r"(.+) posts the blind of (\d+)(?: on each board)?$",
        "dealt": rf"(.+) dealt {CARDS}$",
        "assign": rf"(.+) assigns {CARDS} to board (\d)$",
        "fold": r"(.+) folds(?: on board (\d))?$",
        "call": r"(.+) calls(?: on board (\d))?$",
        "check": r"(.+) checks(?: on board (\d))?$",
        "bet": r"(.+) bets (\d+)(?: on board (\d))?$",
        "raise": r"(.+) raises to (\d+)(?: on board (\d))?$",
        "street": rf"(Flop|Turn|River|Run) {CARDS}, (.*)$",
        "show": rf"(.+) shows {CARDS}(?: on board (\d))?$",
        "award": r"(.+) awarded (-?\d+)$",
        "stacks": r"Current stacks: (\d+), (\d+)$",
        "counts": r"Winning counts(.*)$",
        "hit": r"(.+) hits their bounty$",
        "bounties": r"Bounties reset to (.+) for player (.+) and (.+) for player (.+)$",
        "final": r"Final, (.+)$",
        "fault": r"(.+) (?:response misformatted|attempted illegal|ran out of time|disconnected)(.*)$",
        "header": r"([\d.]+) MIT Pokerbots - (.+) vs (.+)$",
    }.items()
]

Row = tuple[object, ...]


def parse(path: Path) -> list[Row]:
    """The rows of one log: file, hand, number in the hand, street, kind, the line's groups."""
    rows: list[Row] = []
    hand, number, street = -1, 0, 0
    with path.open(errors="replace", newline="\n") as file:
        for line in file:
            text = line.rstrip("\r\n")
            if not text:
                continue
            for name, pattern in LINES:
                found = pattern.match(text)
                if found:
                    kind = name
                    break
            else:
                continue
            if kind == "round":
                hand, number, street = int(found[1]), 0, 0
            elif kind == "street":
                street += 1
            number += 1
            rows.append((path.name, hand, number, street, kind, *found.groups()))
    return rows
