"""The logs of `sample_logs` except those of ACPC and Koper."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..replay.simulate import COURSE, LATEST, WRITTEN, simulate
from ..variants import registry  # noqa: F401 - makes the games known


def write_texts(samples: Iterable[Mapping[str, str]], folder: Path) -> list[Path]:
    """Write each sample's texts, by path below `folder`; returns the files."""
    written = []
    for texts in samples:
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
            written.append(path)
    return written


def tell(write_samples: Callable[[Path], list[Path]], arguments: Sequence[str]) -> None:
    """Write the samples to the given folder, else to `sample_logs`, and print the files."""
    for path in write_samples(Path(arguments[0] if arguments else "sample_logs")):
        sys.stdout.write(f"{path}\n")


@dataclass(frozen=True)
class Sample:
    """One log: its path below the folder, the arguments of `simulate`, and what it shows."""

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


# fmt: off
THIRD_CARD: Final = (
    Sample("auction/2024-01-05.txt", "auction", (("Osprey", "random"), ("Plover", "calling-station")), 40, 18,
        "the first revision: the bids end the flop, without betting on it", "2024-01-05"),
    Sample("auction/2024-01-09.txt", "auction", (("Harbour", "loose-aggressive"), ("Lighthouse", "calling-station")),
        40, 19, "no line gives the card won in the auction, but a showdown shows it", "2024-01-09"),
    Sample("auction/2024-01-13.txt", "auction", (("Rook", "tight-aggressive"), ("Magpie", "random")), 40, 20,
        "the log says who won the auction, and the card", "2024-01-13"),
    Sample("auction/2024-01-30.txt", "auction", (("Otter", "pot-odds"), ("Magpie", "maniac")), 60, 21,
        "the last revision, with the chips won by street at the end"),
    Sample("auction/equal-bids.txt", "auction", (("Ferry", "calling-station"), ("Barge", "calling-station")), 60, 22,
        "equal bids: both players pay their bid and are dealt a card"),
    Sample("auction/all-in.txt", "auction", (("Avalanche", "all-in"), ("Otter", "random")), 40, 23,
        "all chips bid or bet; the streets after are checked without a choice"),
    Sample("auction/faults.txt", "auction", (("A", "faulty"), ("B", "faulty")), 60, 25,
        "illegal and illegible answers, each with the exception that it raised; bids above the stack"),
    Sample("auction/disconnected.txt", "auction", (("Moth", "disconnecting"), ("Magpie", "loose-aggressive")), 30, 25,
        "the engine bids nothing for a player who left"),
    Sample("auction/names.txt", "auction", (("Mr. X, Esq. (0)", "maniac"), ("X bids 5", "random")), 30, 26,
        "names with brackets, commas and a verb"),
    Sample("auction/one-name.txt", "auction", (("Gemini", "loose-aggressive"), ("Gemini", "calling-station")), 30, 27,
        "both players have the same name"),
    Sample("toss/2026.txt", "toss", (("Rook", "tight-aggressive"), ("Magpie", "loose-aggressive")), 60, 28,
        "three cards, two discards, and a board of six"),
    Sample("toss/all-in.txt", "toss", (("Avalanche", "all-in"), ("Otter", "calling-station")), 30, 29,
        "the players discard after they are all-in, too"),
    Sample("toss/free-folds.txt", "toss", (("Barge", "random"), ("Ferry", "maniac")), 40, 30,
        "the engine takes a fold where checking is free"),
    Sample("toss/faults.txt", "toss", (("A", "faulty"), ("B", "faulty")), 60, 31,
        "illegal and illegible answers, at the discards, too, where the engine then folds for the player"),
    Sample("toss/late.txt", "toss", (("Rook", "tight-aggressive"), ("Snail", "late")), 30, 32,
        "a player whose clock ran out loses every hand at his discard"),
    Sample("toss/one-name.txt", "toss", (("Gemini", "maniac"), ("Gemini", "tight-passive")), 30, 33,
        "both players have the same name"),
)
# fmt: on
"""Every sample log of Auction and Toss."""


# fmt: off
SAMPLES: Final = (
    Sample("bounty/2025-01-05.txt", "bounty", (("Harbour", "maniac"), ("Lighthouse", "calling-station")), 60, 15,
        "the first revision: a split pot hit by the second player alone is paid to the dealer", "2025-01-05"),
    Sample("bounty/2025-01-07.txt", "bounty", (("Rook", "tight-aggressive"), ("Magpie", "loose-aggressive")), 60, 3,
        "the sign bug mended; fractions are still rounded by turn", "2025-01-07"),
    Sample("bounty/2025-01-08a.txt", "bounty", (("Ferry", "pot-odds"), ("Barge", "random")), 40, 1,
        "a fold is allowed where checking is free, and showdowns show no cards", "2025-01-08a"),
    Sample("bounty/2025-01-08.txt", "bounty", (("Ferry", "tight-passive"), ("Barge", "random")), 40, 2,
        "hands are shown again", "2025-01-08"),
    Sample("bounty/2025-01-27.txt", "bounty", (("Heron", "bounty-hunter"), ("Otter", "calling-station")), 60, 4,
        "lines tell who hit", "2025-01-27"),
    Sample("bounty/2025-01-30.txt", "bounty", (("Heron", "bounty-hunter"), ("Rook", "tight-aggressive")), 60, 5,
        "the last revision, with the chips won by street at the end"),
    Sample("bounty/all-in.txt", "bounty", (("Avalanche", "all-in"), ("Otter", "calling-station")), 26, 6,
        "the streets after an all-in are dealt and checked without a choice; two resets of bounties"),
    Sample("bounty/faults.txt", "bounty", (("A", "faulty"), ("B", "faulty")), 60, 4,
        "illegal and illegible answers, some of which imitate lines of a log, also after the awards"),
    Sample("bounty/disconnected.txt", "bounty", (("Moth", "disconnecting"), ("Magpie", "loose-aggressive")), 30, 8,
        "the engine checks and folds for a player who left"),
    Sample("bounty/late.txt", "bounty", (("Rook", "tight-aggressive"), ("Snail", "late")), 30, 9,
        "the engine checks and folds for a player whose clock ran out"),
    Sample("bounty/names.txt", "bounty", (("Mr. X, Esq. (0)", "maniac"), ("X (2) vs Y", "faulty")), 30, 10,
        "names with brackets, commas and a vs of their own"),
    Sample("bounty/prefixes.txt", "bounty", (("Wren", "loose-aggressive"), ("Wren checks", "maniac")), 30, 11,
        "one name begins with the other and goes on like an action"),
    Sample("bounty/one-name.txt", "bounty", (("Gemini", "loose-aggressive"), ("Gemini", "tight-passive")), 30, 12,
        "both players have the same name"),
    Sample("bounty/as-written.txt", "bounty", (("Magpie", "maniac"), ("Otter", "pot-odds")), 40, 13,
        "an engine that keeps to the rules", WRITTEN),
    Sample("holdem-mit/base.txt", "holdem-mit", (("Rook", "tight-aggressive"), ("Magpie", "loose-aggressive")), 60, 14,
        "the base engine", "base"),
    Sample("holdem-mit/free-folds.txt", "holdem-mit", (("Barge", "random"), ("Ferry", "maniac")), 40, 15,
        "an engine that takes a fold where checking is free", "2025-01-08"),
    Sample("holdem-mit/faults.txt", "holdem-mit", (("Crow", "faulty"), ("Moth", "disconnecting")), 40, 16,
        "faults of the base engine, under the header of another course; a player leaves", "base", "6.176 MIT"),
    Sample("holdem-mit/ties.txt", "holdem-mit", (("[Ah Kd]", "calling-station"), ("Ünal ♠", "all-in")), 30, 17,
        "split pots; names with cards and other letters in them; another host's header", "base", "Lakeside"),
    *THIRD_CARD,
    Sample("blotto/2021-01-02.txt", "blotto", (("Crow", "faulty"), ("Magpie", "maniac")), 24, 42,
        "the first engine: stacks go below zero, raises that nobody can match, illegible answers without their text",
        "2021-01-02", course="6.176 MIT"),
    Sample("blotto/2021-01-04.txt", "blotto", (("Crow", "faulty"), ("Rook", "tight-aggressive")), 16, 3,
        "illegible answers are printed", "2021-01-04", course="6.176 MIT"),
    Sample("blotto/2021-01-06.txt", "blotto", (("Crow", "faulty"), ("Magpie", "maniac")), 24, 20,
        "blinds on each board; what three actions cost is checked, what the opponent can match is not", "2021-01-06",
        course="6.176 MIT"),
    Sample("blotto/2021-01-07.txt", "blotto", (("Crow", "faulty"), ("Magpie", "maniac")), 24, 17,
        "no minimum for an all-in, a raise to nothing is a call", "2021-01-07", course="6.176 MIT"),
    Sample("blotto/2021-01-26.txt", "blotto", (("Barge", "random"), ("Ferry", "random")), 20, 42,
        "all-ins and sweeps are printed; raises that cannot be matched are cut down", "2021-01-26", course="6.176 MIT"),
    Sample("blotto/2021-01-27.txt", "blotto", (("Rook", "tight-aggressive"), ("Heron", "loose-aggressive")), 24, 1,
        "the last revision, with the sums of each board at the end", course="6.176 MIT"),
    Sample("blotto/assignments.txt", "blotto", (("Crow", "faulty"), ("Otter", "calling-station")), 30, 5,
        "six cards sent otherwise than two to a board, one of them twice, or not at all", course="6.176 MIT"),
    Sample("blotto/all-in.txt", "blotto", (("Avalanche", "all-in"), ("Otter", "calling-station")), 10, 6,
        "one stack for three boards", course="6.176 MIT"),
    Sample("blotto/disconnected.txt", "blotto", (("Moth", "disconnecting"), ("Rook", "tight-aggressive")), 20, 8,
        "the engine folds all boards of a player who left", course="6.176 MIT"),
    Sample("blotto/late.txt", "blotto", (("Rook", "tight-aggressive"), ("Snail", "late")), 20, 9,
        "the same for one whose clock ran out", course="6.176 MIT"),
    Sample("blotto/names.txt", "blotto", (("Mr. X, Esq. (0)", "maniac"), ("X (2) vs Y", "faulty")), 10, 10,
        "names with brackets, commas and a vs of their own", course="6.176 MIT"),
    Sample("blotto/prefixes.txt", "blotto", (("Bot", "loose-aggressive"), ("Bot shows", "tight-passive")), 10, 11,
        "one name begins with the other and goes on like a line", course="6.176 MIT"),
    Sample("blotto/one-name.txt", "blotto", (("Gemini", "loose-aggressive"), ("Gemini", "tight-passive")), 12, 12,
        "both players have the same name", course="6.176 MIT"),
    Sample("blotto/as-written.txt", "blotto", (("Magpie", "maniac"), ("Otter", "pot-odds")), 12, 13,
        "an engine that keeps to the rules", WRITTEN, course="6.176 MIT"),
    Sample("river-of-blood/2023-01-02a.txt", "river-of-blood",
        (("Delta", "loose-aggressive"), ("Brook", "calling-station")), 40, 20,
        "streets up to the river are bare words; boards are known from the run on", "2023-01-02a"),
    Sample("river-of-blood/2023-01-02.txt", "river-of-blood", (("Delta", "maniac"), ("Brook", "pot-odds")), 60, 21,
        "streets of the run, and folds in it", "2023-01-02"),
    Sample("river-of-blood/2023-02-01.txt", "river-of-blood", (("Delta", "maniac"), ("Otter", "calling-station")), 60,
        22, "what was won in the run is printed, and not where both were all-in before it; a split pot told wrong"),
    Sample("river-of-blood/two-flushes.txt", "river-of-blood",
        (("Cascade", "calling-station"), ("Otter", "calling-station")), 60, 58,
        "long runs; a better flush in a second suit is overlooked", "2023-01-02"),
    Sample("river-of-blood/as-written.txt", "river-of-blood", (("Cascade", "all-in"), ("Otter", "calling-station")), 40,
        26, "an engine that keeps to the rules", WRITTEN),
    Sample("river-of-blood/one-name.txt", "river-of-blood",
        (("Gemini", "loose-aggressive"), ("Gemini", "calling-station")), 30, 24, "both players have the same name"),
    Sample("river-of-blood/faults.txt", "river-of-blood", (("Crow", "faulty"), ("Otter", "calling-station")), 60, 25,
        "faults, also in the run"),
    Sample("permutation/initial.txt", "permutation", (("Rook", "maniac"), ("Magpie", "loose-aggressive")), 40, 26,
        "400 chips", "initial", "6.176 MIT"),
    Sample("permutation/2020-01-05.txt", "permutation", (("Rook", "loose-aggressive"), ("Magpie", "pot-odds")), 40, 27,
        "200 chips; raises below too high a minimum are refused", "2020-01-05", "6.176 MIT"),
    Sample("permutation/2020-01-06.txt", "permutation", (("Rook", "loose-aggressive"), ("Magpie", "random")), 40, 28,
        "the minimum is mended", "2020-01-06", "6.176 MIT"),
    Sample("permutation/2020-01-29.txt", "permutation",
        (("Mr. X, Esq. (0)", "calling-station"), ("X (2) vs Y", "faulty")), 60, 29,
        "straights are counted at the end; names with brackets, commas and a vs of their own; faults"),
    Sample("swap/initial.txt", "swap", (("Heron", "loose-aggressive"), ("Otter", "calling-station")), 40, 30,
        "400 chips", "initial", "6.176 MIT"),
    Sample("swap/2022-01-04.txt", "swap", (("Heron", "maniac"), ("Otter", "pot-odds")), 40, 31, "200 chips",
        "2022-01-04", "6.176 MIT"),
    Sample("swap/2022-01-27.txt", "swap", (("Heron", "tight-aggressive"), ("Otter", "calling-station")), 60, 32,
        "awards tell who was swapped; the chips won by street at the end"),
    Sample("swap/faults.txt", "swap", (("Crow", "faulty"), ("Moth", "disconnecting")), 40, 33,
        "faults; a player leaves"),
)
# fmt: on
"""Every sample log."""


def write_samples(folder: Path) -> list[Path]:
    """Write every sample below `folder`; returns the files."""
    return write_texts(({sample.path: sample.text()} for sample in SAMPLES), folder)


def main(arguments: list[str]) -> None:
    """Write the samples to the folder named, else to `sample_logs`."""
    tell(write_samples, arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
