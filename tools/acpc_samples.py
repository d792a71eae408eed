"""The ACPC logs in `sample_logs`; `python -m railbird.tools.acpc_samples [FOLDER]` writes them."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Final

from ..parsers.acpc import GRAMMAR
from ..parsers.acpc_game import Definition, write_definition
from ..replay.acpc.definitions import DEALER, game_of, named, shipped
from ..replay.bots import STYLES
from ..replay.forward.acpc import AcpcPlayed, play_by
from ..replay.forward.orders import Order, Player
from .samples import tell, write_texts

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


@dataclass(frozen=True)
class AcpcSample:
    """One match: its path without an ending, game, players by seat, and what it shows.

    changed  a change of the log; errors: an error log is written too; a definition that is not shipped always is
    """

    path: str
    game: str
    players: tuple[tuple[str, str], ...]
    hands: int
    seed: int
    shows: str
    fixed: bool = False
    changed: Damage | None = None
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
        found = {f"{self.path}.log": self.changed(played) if self.changed else played.text}
        if self.errors:
            found[f"{self.path}.err"] = played.errors
        if self.definition not in shipped():
            folder = self.path.rsplit("/", 1)[0]
            found[f"{folder}/{self.game}.game"] = write_definition(self.definition)
        return found


_HEADS_UP: Final = (("Heron", "tight-aggressive"), ("Otter", "loose-aggressive"))
_THREE: Final = (("Ash", "tight-aggressive"), ("Birch", "calling-station"), ("Cedar", "maniac"))
_NOLIMIT: Final = "holdem.nolimit.2p.reverse_blinds"

# fmt: off
ACPC_SAMPLES: Final = (
    AcpcSample("acpc/Heron.Otter.0", _NOLIMIT, _HEADS_UP, 40, 1, "half of a duplicate match"),
    AcpcSample("acpc/Heron.Otter.1", _NOLIMIT, _HEADS_UP[::-1], 40, 1, "the same cards, seats swapped"),
    *(
        AcpcSample(f"acpc/Ash.Birch.Cedar.{k}", "holdem.limit.3p", order, 20, 2, "six seatings of the same cards")
        for k, order in enumerate(permutations(_THREE))
    ),
    AcpcSample("acpc/limit", "holdem.limit.2p.reverse_blinds", (("Rook", "maniac"), ("Crow", "loose-aggressive")), 40,
        3, "fixed bets, up to four a street"),
    AcpcSample("acpc/six-max", "holdem.nolimit.6p",
        (*_THREE, ("Dogwood", "random"), ("Elm", "all-in"), ("Fir", "pot-odds")), 40, 4,
        "the table of Pluribus; pots split in thirds and halves"),
    AcpcSample("acpc/side-pots", _UNEQUAL.name, (*_THREE, ("Dogwood", "all-in")), 40, 5,
        "stacks that differ by position; with its definition next to the log"),
    AcpcSample("acpc/kuhn", "kuhn.limit.3p", _THREE, 60, 6, "one card, one round, antes"),
    AcpcSample("acpc/leduc", "leduc.limit.2p", (("Rook", "maniac"), ("Crow", "random")), 60, 7,
        "two rounds, six cards"),
    AcpcSample("acpc/fixed-seats", _NOLIMIT, _HEADS_UP, 20, 8, "the button does not move", fixed=True),
    AcpcSample("acpc/faults", _NOLIMIT, (("Bad", "faulty"), ("Otter", "loose-aggressive")), 30, 9,
        "illegal and illegible answers that only the error log has", errors=True),
    AcpcSample("acpc/crashed", _NOLIMIT, (("Moth", "disconnecting"), ("Otter", "loose-aggressive")), 60, 10,
        "a player leaves: the log stops, the error log says why", errors=True),
    AcpcSample("acpc/names", _NOLIMIT, (("a:b|c", "random"), ("|d: 5", "maniac")), 20, 11,
        "names that contain separators"),
    AcpcSample("acpc/one-name", _NOLIMIT, (("Twin", "random"), ("Twin", "maniac")), 20, 12, "two players of one name"),
    AcpcSample("acpc/resumed", _NOLIMIT, _HEADS_UP, 40, 13, "the header again in the middle", changed=_resumed),
    AcpcSample("acpc/headless", "holdem.limit.3p", _THREE, 40, 14, "hands 10 to 39, no header, no score",
        changed=_headless),
    AcpcSample("acpc/cut-short", _NOLIMIT, _HEADS_UP, 20, 15, "the last line is not whole", changed=_cut_short),
)
# fmt: on
"""Every ACPC sample."""


def write_samples(folder: Path) -> list[Path]:
    """Write every ACPC sample below `folder`; returns the files."""
    return write_texts((sample.texts() for sample in ACPC_SAMPLES), folder)


def main(arguments: list[str]) -> None:
    """Write the samples to the folder named, else to `sample_logs`."""
    tell(write_samples, arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
