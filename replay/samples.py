"""The logs in `sample_logs`; `python -m railbird.replay.samples [FOLDER]` writes them."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .simulate import COURSE, LATEST, WRITTEN, simulate


@dataclass(frozen=True)
class Sample:
    """One log: where it lies in the folder, the arguments of `simulate`, and what it is there for."""

    path: str
    game: str
    players: tuple[tuple[str, str], tuple[str, str]]
    hands: int
    seed: int
    shows: str
    profile: str = LATEST
    course: str = COURSE

    def text(self) -> str:
        """The log."""
        return simulate(self.game, self.players, self.hands, self.seed, self.profile, self.course)


SAMPLES: Final = (
    Sample(
        "bounty/2025-01-05.txt",
        "bounty",
        (("Harbour", "maniac"), ("Lighthouse", "calling-station")),
        60,
        15,
        "the first revision: a split pot hit by the second player alone is paid to the dealer",
        "2025-01-05",
    ),
    Sample(
        "bounty/2025-01-07.txt",
        "bounty",
        (("Rook", "tight-aggressive"), ("Magpie", "loose-aggressive")),
        60,
        3,
        "the sign bug mended; fractions are still rounded by turn",
        "2025-01-07",
    ),
    Sample(
        "bounty/2025-01-08a.txt",
        "bounty",
        (("Ferry", "pot-odds"), ("Barge", "random")),
        40,
        1,
        "a fold is allowed where checking is free, and showdowns show no cards",
        "2025-01-08a",
    ),
    Sample(
        "bounty/2025-01-08.txt",
        "bounty",
        (("Ferry", "tight-passive"), ("Barge", "random")),
        40,
        2,
        "hands are shown again",
        "2025-01-08",
    ),
    Sample(
        "bounty/2025-01-27.txt",
        "bounty",
        (("Heron", "bounty-hunter"), ("Otter", "calling-station")),
        60,
        4,
        "lines tell who hit",
        "2025-01-27",
    ),
    Sample(
        "bounty/2025-01-30.txt",
        "bounty",
        (("Heron", "bounty-hunter"), ("Rook", "tight-aggressive")),
        60,
        5,
        "the last revision, with the chips won by street at the end",
    ),
    Sample(
        "bounty/all-in.txt",
        "bounty",
        (("Avalanche", "all-in"), ("Otter", "calling-station")),
        26,
        6,
        "the streets after an all-in are dealt and checked without a choice; two resets of bounties",
    ),
    Sample(
        "bounty/faults.txt",
        "bounty",
        (("A", "faulty"), ("B", "faulty")),
        60,
        4,
        "illegal and illegible answers, some of which imitate lines of a log, also after the awards",
    ),
    Sample(
        "bounty/disconnected.txt",
        "bounty",
        (("Moth", "disconnecting"), ("Magpie", "loose-aggressive")),
        30,
        8,
        "the engine checks and folds for a player who left",
    ),
    Sample(
        "bounty/late.txt",
        "bounty",
        (("Rook", "tight-aggressive"), ("Snail", "late")),
        30,
        9,
        "the engine checks and folds for a player whose clock ran out",
    ),
    Sample(
        "bounty/names.txt",
        "bounty",
        (("Mr. X, Esq. (0)", "maniac"), ("X (2) vs Y", "faulty")),
        30,
        10,
        "names with brackets, commas and a vs of their own",
    ),
    Sample(
        "bounty/prefixes.txt",
        "bounty",
        (("Wren", "loose-aggressive"), ("Wren checks", "maniac")),
        30,
        11,
        "one name begins with the other and goes on like an action",
    ),
    Sample(
        "bounty/one-name.txt",
        "bounty",
        (("Gemini", "loose-aggressive"), ("Gemini", "tight-passive")),
        30,
        12,
        "both players bear one name",
    ),
    Sample(
        "bounty/as-written.txt",
        "bounty",
        (("Magpie", "maniac"), ("Otter", "pot-odds")),
        40,
        13,
        "an engine that keeps to the rules",
        WRITTEN,
    ),
    Sample(
        "holdem-mit/base.txt",
        "holdem-mit",
        (("Rook", "tight-aggressive"), ("Magpie", "loose-aggressive")),
        60,
        14,
        "the base engine",
        "base",
    ),
    Sample(
        "holdem-mit/free-folds.txt",
        "holdem-mit",
        (("Barge", "random"), ("Ferry", "maniac")),
        40,
        15,
        "an engine that takes a fold where checking is free",
        "2025-01-08",
    ),
    Sample(
        "holdem-mit/faults.txt",
        "holdem-mit",
        (("Crow", "faulty"), ("Moth", "disconnecting")),
        40,
        16,
        "faults of the base engine, under the header of another course; a player leaves",
        "base",
        "6.176 MIT",
    ),
    Sample(
        "holdem-mit/ties.txt",
        "holdem-mit",
        (("[Ah Kd]", "calling-station"), ("Ünal ♠", "all-in")),
        30,
        17,
        "split pots; names with cards and other letters in them; another host's header",
        "base",
        "Lakeside",
    ),
)
"""Every sample log."""


def write_samples(folder: Path) -> list[Path]:
    """Write every sample below `folder`; returns the files."""
    written = []
    for sample in SAMPLES:
        path = folder / sample.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(sample.text().encode())
        written.append(path)
    return written


def main(arguments: list[str]) -> None:
    """Write the samples to the folder named, else to `sample_logs`."""
    for path in write_samples(Path(arguments[0] if arguments else "sample_logs")):
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
