"""The games there are, and the replay of some matches of one of them: each family of games has its own."""

from collections.abc import Callable, Sequence
from typing import Final

from ..parsers.dialect import MatchText
from ..parsers.reading import Pool, Scanned
from . import bounty, holdem_mit
from .games import Game
from .heads_up.chunk import replay_heads_up
from .outcome import Replayed

Family = Callable[[Scanned, Sequence[MatchText], Game, Pool], Replayed]

FAMILIES: Final[tuple[tuple[Family, tuple[Game, ...]], ...]] = (
    (replay_heads_up, (holdem_mit.GAME, bounty.GAME)),
)
"""How the games of each family are replayed."""

GAMES: Final = tuple(game for _, games in FAMILIES for game in games)


def game_named(name: str) -> Game:
    """The game of a name; KeyError lists the names there are."""
    for game in GAMES:
        if game.name == name:
            return game
    raise KeyError(f"no game is called {name!r}; there are {', '.join(g.name for g in GAMES)}")


def replay(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool) -> Replayed:
    """Re-execute the hands of matches that were scanned together; the arrays belong to the pool."""
    family = next(family for family, games in FAMILIES if game in games)
    return family(scanned, matches, game, pool)
