"""The Koper logs in `sample_logs`; `python -m railbird.tools.koper_samples [FOLDER]` writes them."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from ..parsers.koper import V1, V2
from ..replay.bots import STYLES
from ..replay.forward import koper
from ..replay.forward.orders import Order, Player
from ..variants.koper import GAME
from .samples import tell, write_texts


@dataclass(frozen=True)
class KoperSample:
    """One match (v1) or tournament (v2): its path below the folder, players by seat, games a match, what it shows.

    stack: chips of each player at the start; engines are also run with less than the 10,000 of the rules.
    """

    path: str
    players: tuple[tuple[str, str], ...]
    hands: int
    seed: int
    profile: str
    shows: str
    stack: float = GAME.stack

    def order(self) -> Order:
        """The order to play, with new bots."""
        profile = next(profile for profile in GAME.profiles if profile.name == self.profile)
        players = tuple(
            Player(name, STYLES[style](Random(f"{self.seed}/bot {seat}")))
            for seat, (name, style) in enumerate(self.players)
        )
        grammar = V1 if self.profile == "v1" else V2
        return Order(replace(GAME, stack=self.stack), grammar, players, self.hands, self.seed, profile, "")

    def texts(self) -> dict[str, str]:
        """The log by path, for v2 also the console output."""
        found = {self.path: koper.play(self.order()).text}
        if self.profile == "v2":
            found[self.path.replace(".all_games.", ".stdout.")] = koper.console(self.order())
        return found


_TIGHT: Final = (
    ("A", "tight-passive"),
    ("B", "tight-passive"),
    ("C", "tight-aggressive"),
    ("D", "tight-passive"),
    ("E", "bounty-hunter"),
)
_CLASSES: Final = (
    ("Tight", "tight-passive"),
    ("Max", "all-in"),
    ("Rock", "tight-passive"),
    ("Coin", "random"),
    ("Coin2", "tight-aggressive"),
)

# fmt: off
KOPER_SAMPLES: Final = (
    KoperSample("koper/v1-mixed.txt", _TIGHT, 50, 3, "v1",
        "a whole match: early wins, games in which all fold, draws, shares of what is left over"),
    KoperSample("koper/v1-eliminations.txt", tuple((letter, "all-in") for letter in "ABCDE"), 50, 2, "v1",
        "eliminations in both rounds, one of whom wins; short bets; the match ends for want of players", 1000.0),
    KoperSample("koper/v1-folds.txt", _CLASSES, 50, 3, "v1", "many games in which all fold: their pots vanish", 600.0),
    KoperSample("koper/v1-printing.txt",
        (("A", "faulty"), ("B", "faulty"), ("C", "random"), ("D", "late"), ("E", "disconnecting")), 30, 8, "v1",
        "strategies that print into the lines of the engine"),
    KoperSample("koper/v2-mixed.all_games.txt", _CLASSES, 12, 5, "v2",
        "a tournament with every ending, one name the beginning of another", 600.0),
    KoperSample("koper/v2-one-class.all_games.txt",
        (("Max", "all-in"), ("Max", "all-in"), ("Calm", "calling-station"), ("Max", "maniac"), ("Calm", "maniac")), 12,
        2, "v2", "players of one class, eliminated ones among them, some of whom win", 1500.0),
)
# fmt: on
"""Every Koper log."""


def write_samples(folder: Path) -> list[Path]:
    """Write every Koper sample below `folder`; returns the files."""
    return write_texts((sample.texts() for sample in KOPER_SAMPLES), folder)


def main(arguments: list[str]) -> None:
    """Write the samples to the folder named, else to `sample_logs`."""
    tell(write_samples, arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
