"""The Koper logs in `sample_logs`; `python -m railbird.tools.koper_samples [FOLDER]` writes them."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from ..parsers.koper import V1, V2
from ..replay.bots import STYLES
from ..replay.koper import engine as koper
from ..replay.simulate import Order, Player
from ..variants.koper import GAME
from .samples import listed, tell, write_texts


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


KOPER_SAMPLES: Final = tuple(KoperSample(**one) for one in listed(__file__))
"""Every Koper log, of `koper_samples.toml`."""


def write_samples(folder: Path) -> list[Path]:
    """Write every Koper sample below `folder`; returns the files."""
    return write_texts((sample.texts() for sample in KOPER_SAMPLES), folder)


def main(arguments: list[str]) -> None:
    """Write the samples to the folder named, else to `sample_logs`."""
    tell(write_samples, arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
