"""What the kernels of the arena work on: who plays, and what is written down of a match."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.jit.bundles import bundle
from railbird.jit.compile import step
from railbird.replay.acpc.cards import start

from . import policy as p

FULL: Final = -1
"""In the place of the decisions made: there is no room for more."""


@bundle
class Players(NamedTuple):
    """Who plays, N seats.

    persons, charts  (N, PERSON_SIZE) and (N, 169) by seat; heads-up, as many rows more: whom a clone imitates
    partners         (N,) the seat of each seat's partner, -1 for none
    minds            (N, MIND_SIZE) scratch
    generators       (N, 625) scratch
    spot             (SPOT_SIZE,) scratch: what the player to act knows
    """

    persons: NDArray[np.float64]
    charts: NDArray[np.float64]
    partners: NDArray[np.int64]
    minds: NDArray[np.float64]
    generators: NDArray[np.int64]
    spot: NDArray[np.float64]


@bundle
class Record(NamedTuple):
    """A match as `matches.Match` has it: the bounties are given, the rest is written as it is played."""

    holes: NDArray[np.int8]
    boards: NDArray[np.int8]
    dealers: NDArray[np.int8]
    puts: NDArray[np.float64]
    deltas: NDArray[np.float64]
    ranks: NDArray[np.int64]
    acts: NDArray[np.int32]


@step
def sit_down(players: Players, seed: int, hands: int) -> None:
    """Nobody knows anything yet; each player has random numbers of his own, the seed's and the following."""
    for seat in range(len(players.minds)):
        start(players.generators[seat], seed + seat)
        p.start_mind(players.minds[seat], hands, players.generators[seat])
