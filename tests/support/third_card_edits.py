"""Random edits to clean logs of Auction and Toss, besides those of every heads-up log (`edits`).

In the folder `tests`, `python -m support.third_card_edits FOLDER` prints the tables of docs/edits.md.
"""

import random
import sys
from pathlib import Path

from . import edits
from .edits import Edit, Lines, Log, Tally, clean_logs, measure

_CARDS = rb"\[((?:\w\w ?)*)\]"


class ThirdCardLog(Log):
    """A clean log of a game in which a third card comes or goes."""

    def __post_init__(self) -> None:
        """More kinds of lines, and more streets and actions."""
        super().__post_init__()
        player = self.patterns["hit"].removesuffix(b" hits their bounty")
        self.patterns |= {
            "bid": player + rb" bids (\d+)",
            "told": rb"Players submitted bids of (\d+) and (\d+)",
            "untold": rb"(Players did not reach flop\.) No auction occured\.",
            "won": player + b" won the auction and was dealt " + _CARDS,
            "discard": player + rb" discards (\w\w)",
            "street": self.patterns["street"].replace(b"(?:Flop|", b"(?:Flop|Discard [12]|"),
            "action": self.patterns["action"].removesuffix(b")") + rb"|bids \d+|discards \w\w)",
        }


def third_card_logs(paths: list[Path]) -> list[Log]:
    """The logs among some files in which nothing is wrong."""
    return [ThirdCardLog(log.name, log.lines, log.players, log.checked) for log in clean_logs(paths)]


_OF_THE_AUCTION = ("bid", "told", "untold", "won", "discard")
_IN_HANDS = (*edits._IN_HANDS, *_OF_THE_AUCTION)


def _picked(log: Log, rng: random.Random, kinds: tuple[str, ...] = _IN_HANDS) -> int:
    """The place of a line of some kind."""
    rows = log.of(rng.choice([kind for kind in kinds if log.of(kind)]))
    return rng.choice(rows)[0]


def _line_dropped(log: Log, rng: random.Random) -> Lines | None:
    at = _picked(log, rng)
    return [*log.lines[:at], *log.lines[at + 1 :]]


def _line_doubled(log: Log, rng: random.Random) -> Lines | None:
    at = _picked(log, rng)
    return [*log.lines[: at + 1], *log.lines[at:]]


def _shown_card(log: Log, rng: random.Random) -> Lines | None:
    """Change a card of a hand that is shown; not one that only this line tells."""
    if not (picked := log.pick("shows", rng)):
        return None
    number, found = picked
    cards = found[2].split()
    told = len(cards) if log.of("won") or log.of("discard") else 2
    start = found.start(2) + 3 * rng.randrange(told)
    line = log.lines[number]
    new = rng.choice([card for card in edits.CARDS if card.encode() != line[start : start + 2]])
    return log.with_line(number, edits._spliced(line, start, start + 2, new.encode()))


def _auction_denied(log: Log, rng: random.Random) -> Lines | None:
    """The line after the awards says that there was none, or that there was one."""
    if not log.of("bid"):
        return None
    at = _picked(log, rng, ("told", "untold"))
    none = b"Players did not reach flop. No auction occured."
    return log.with_line(at, b"Players submitted bids of 0 and 0" if log.lines[at] == none else none)


ALWAYS: dict[str, Edit] = {
    **{name: edit for name, edit in edits.ALWAYS.items() if name != "line doubled"},
    "shown card": _shown_card,
    "bid": edits._number("bid", (2,)),
    "bids told": edits._number("told", (1, 2)),
    "auction denied or invented": _auction_denied,
    "discarded card": edits._card("discard", 2),
    "line doubled": _line_doubled,
}
"""Edits that must all be noticed."""

SOMETIMES: dict[str, Edit] = {
    **{name: edit for name, edit in edits.SOMETIMES.items() if name != "line dropped"},
    "card won": edits._card("won", 2),
    "line dropped": _line_dropped,
}
"""Edits of which a share is noticed; docs/edits.md says which cannot be."""


def tallies(logs: list[Log], count: int, seed: int, kinds: dict[str, Edit]) -> dict[str, Tally]:
    """What became of `count` edits of each kind; kinds that no log has are left out."""
    found = {name: measure(logs, edit, count, seed) for name, edit in kinds.items()}
    return {name: tally for name, tally in found.items() if tally.made}


def main(folder: str, count: int) -> None:
    """Print the tables."""
    for game in ("auction*", "toss*"):
        logs = third_card_logs(
            sorted(path for path in Path(folder).glob(f"{game}/**/*.txt") if path.is_file())
        )
        print("| edit | edits | violation or damage | another deviation | not seen | seen |")
        print("|---|---:|---:|---:|---:|---:|")
        for name, tally in tallies(logs, count, 2025, ALWAYS | SOMETIMES).items():
            unseen = tally.made - tally.flagged - tally.deviating
            share = f"{tally.share:.1%}"
            print(f"| {name} | {tally.made} | {tally.flagged} | {tally.deviating} | {unseen} | {share} |")
        print()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
