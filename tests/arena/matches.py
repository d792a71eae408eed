"""Matches of the arena from Python: the players, and a record of the play."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from railbird.analytics.collusion.material import COLUMNS
from railbird.replay import showdowns
from railbird.replay.acpc import state as s
from railbird.replay.acpc.definitions import PREFIX, named, shipped
from railbird.replay.games import BOUNTIES, HOLDEM_BOARDS, POT, ROUNDS_PER_BOUNTY
from railbird.replay.replaying import game_named, known_games
from railbird.replay.replaying import heads_up as heads_up_family

from . import heads_up, ring
from . import policy as p
from .heads_up import CARDS
from .state import Players, Record

_ACTIONS_A_HAND: Final = 40


@dataclass(frozen=True)
class Person:
    """A player of the arena.

    row     `policy.person`
    chart   (169,) the player's estimates of the strength of two hole cards
    """

    name: str
    row: NDArray[np.float64]
    chart: NDArray[np.float64]


@dataclass(frozen=True)
class Match:
    """What was played; N seats.

    holes    (hands, N, 2) int8, boards (hands, 5) as far as dealt, -1: no card
    dealers  (hands,) seats; puts and deltas (hands, N) chips; ranks (hands, N) bounties, -1 for none
    acts     (decisions, state.COLUMNS) int32
    """

    game: str
    names: tuple[str, ...]
    seed: int
    holes: NDArray[np.int8]
    boards: NDArray[np.int8]
    dealers: NDArray[np.int8]
    puts: NDArray[np.float64]
    deltas: NDArray[np.float64]
    ranks: NDArray[np.int64]
    acts: NDArray[np.int32]


def plays_heads_up(name: str) -> bool:
    """True for a game of two that the arena plays: hold'em, with bounties or without."""
    game = next((game for game in known_games() if game.name == name), None)
    if game is None or game.family is not heads_up_family or game.payout not in (POT, BOUNTIES):
        return False
    others = game.runs, game.permutes, game.changes, game.auctions, game.discards
    return game.boards == HOLDEM_BOARDS and not any(others)


def own_chart(seed: int, width: float) -> NDArray[np.float64]:
    """A chart of a player's own: the rough one with errors of this standard deviation."""
    return showdowns.rough_chart() + width * np.random.default_rng(seed).standard_normal(p.CHARTS)


def _uniforms(purpose: str, count: int) -> NDArray[np.float64]:
    """The numbers that `Random(purpose).random()` gives, all at once."""
    state = Random(purpose).getstate()[1]
    twister = np.random.RandomState()
    twister.set_state(
        {"bit_generator": "MT19937", "state": {"key": np.array(state[:-1], np.uint32), "pos": state[-1]}}
    )
    return twister.random_sample(count)


def play(
    game: str,
    players: Sequence[Person],
    hands: int,
    seed: int,
    partners: Sequence[int] = (),
    twins: Sequence[Person] = (),
) -> Match:
    """Play a match; the cards are those that `simulate` deals from the same seed.

    game      one of `plays_heads_up`, or `acpc/` and the name of a limit definition
    partners  by seat, the seat of the partner or -1; empty: nobody has one. Only partners follow plans
    twins     by seat, the person whom a clone imitates

    Raises ValueError for a game that the arena does not play.
    """
    count = len(players)
    friends = list(partners) or [-1] * count
    holes = np.full((hands, count, 2), -1, np.int8)
    boards = np.full((hands, 5), -1, np.int8)
    dealers = np.zeros(hands, np.int8)
    puts, deltas = np.zeros((hands, count)), np.zeros((hands, count))
    ranks = np.full((hands, count), -1, np.int64)
    acts = np.zeros((hands * _ACTIONS_A_HAND + 400, COLUMNS), np.int32)
    record = Record(holes, boards, dealers, puts, deltas, ranks, acts)
    others = (twins or players) if plays_heads_up(game) else ()
    seated = Players(
        persons=np.array([x.row for x in (*players, *others)]),
        charts=np.array([x.chart for x in (*players, *others)]),
        partners=np.array(friends, np.int64),
        minds=np.zeros((count, p.MIND_SIZE)),
        generators=np.zeros((count, 625), np.int64),
        spot=np.zeros(p.SPOT_SIZE),
    )
    bots = int(Random(f"{seed}/arena").random() * 2**28)
    if plays_heads_up(game) and count == 2:
        rules = game_named(game)
        if rules.payout_kind == BOUNTIES:
            blocks = hands // ROUNDS_PER_BOUNTY + 1
            drawn = (_uniforms(f"{seed}/bounties", 2 * blocks) * 13).astype(np.int64)
            ranks[:] = np.repeat(drawn.reshape(-1, 2), ROUNDS_PER_BOUNTY, axis=0)[:hands]
        draws = _uniforms(f"{seed}/deck", CARDS * hands).reshape(hands, CARDS)
        table = heads_up.new_table(float(rules.stack), float(rules.blinds[0]), float(rules.blinds[1]))
        used = heads_up.play_heads_up(rules.payout_kind, bots, draws, seated, table, record)
    else:
        definition = named(game.removeprefix(PREFIX), shipped())
        if definition is None or definition.nolimit or definition.players != count:
            raise ValueError(f"the arena does not play {game!r} with {count} players")
        used = ring.play_ring(seed, bots, seated, ring.new_table(s.row_of(definition)), record)
    if used < 0:
        raise ValueError("the match has more decisions than there is room for")
    names = tuple(x.name for x in players)
    return Match(game, names, seed, holes, boards, dealers, puts, deltas, ranks, acts[:used].copy())
