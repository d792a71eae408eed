"""The ACPC logs in `sample_logs`; `python -m railbird.tools.acpc_samples [FOLDER]` writes them."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from ..parsers.acpc import GRAMMAR
from ..parsers.acpc_game import Definition, write_definition
from ..replay.acpc.dealer import AcpcPlayed, play_by
from ..replay.acpc.definitions import DEALER, game_of, named, shipped
from ..replay.bots import STYLES
from ..replay.simulate import Order, Player
from .samples import listed, tell, write_texts

_HEADER_LINES: Final = 4

_UNEQUAL: Final = Definition(
    name="unequal.nolimit.4p",
    nolimit=True,
    players=4,
    rounds=4,
    stacks=(700, 2000, 1333, 950),
    blinds=(5, 10, 0, 0),
    raise_sizes=(0, 0, 0, 0),
    first=(2, 0, 0, 0),
    max_raises=(255, 255, 255, 255),
    suits=4,
    ranks=13,
    hole_cards=2,
    board_cards=(0, 3, 1, 1),
)
"""Stacks that differ by position, so that most hands have side pots. It ships only next to its sample log."""

Damage = Callable[[AcpcPlayed], str]


def _headless(played: AcpcPlayed) -> str:
    lines = played.text.splitlines(keepends=True)
    return "".join(lines[_HEADER_LINES + 10 : -1])


def _resumed(played: AcpcPlayed) -> str:
    lines = played.text.splitlines(keepends=True)
    return "".join([*lines[:20], *lines[:_HEADER_LINES], *lines[20:]])


def _cut_short(played: AcpcPlayed) -> str:
    lines = played.text.splitlines(keepends=True)
    return "".join(lines[:-1])[:-30]


CHANGES: Final[dict[str, Damage]] = {"headless": _headless, "resumed": _resumed, "cut_short": _cut_short}


@dataclass(frozen=True)
class AcpcSample:
    """One match: its path without an ending, game, players by seat, and what it shows.

    changed  a change of the log, of CHANGES; errors: an error log is written too

    A definition that is not shipped is always written.
    """

    path: str
    game: str
    players: tuple[tuple[str, str], ...]
    hands: int
    seed: int
    shows: str
    fixed: bool = False
    changed: str = ""
    errors: bool = False

    @property
    def definition(self) -> Definition:
        """The rules; KeyError for an unknown game."""
        found = named(self.game, (*shipped(), _UNEQUAL))
        if found is None:
            raise KeyError(self.game)
        return found

    def played(self) -> AcpcPlayed:
        """The match, played by new bots."""
        players = tuple(
            Player(name, STYLES[style](Random(f"{self.seed}/bot {name}"))) for name, style in self.players
        )
        title = self.path.rsplit("/", 1)[-1]
        order = Order(game_of(self.definition), GRAMMAR, players, self.hands, self.seed, DEALER, "")
        return play_by(self.definition, order, self.fixed, title)

    def texts(self) -> dict[str, str]:
        """The files by path: the log, and those next to it."""
        played = self.played()
        found = {f"{self.path}.log": CHANGES[self.changed](played) if self.changed else played.text}
        if self.errors:
            found[f"{self.path}.err"] = played.errors
        if self.definition not in shipped():
            folder = self.path.rsplit("/", 1)[0]
            found[f"{folder}/{self.game}.game"] = write_definition(self.definition)
        return found


ACPC_SAMPLES: Final = tuple(AcpcSample(**one) for one in listed(__file__))
"""Every ACPC sample, of `acpc_samples.toml`."""


def write_samples(folder: Path) -> list[Path]:
    """Write every ACPC sample below `folder`; returns the files."""
    return write_texts((sample.texts() for sample in ACPC_SAMPLES), folder)


def main(arguments: list[str]) -> None:
    """Write the samples to the folder named, else to `sample_logs`."""
    tell(write_samples, arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
