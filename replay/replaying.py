"""The games there are, and the replay of some matches of one of them: each family of games has its own."""

from collections.abc import Callable, Sequence
from typing import Final

from ..parsers.dialect import MatchText
from ..parsers.reading import Pool, Scanned
from . import auction, bounty, holdem_mit, permutation, river_of_blood, swap, toss
from .acpc import definitions as acpc
from .blotto.game import GAME as BLOTTO
from .games import Game
from .koper.game import GAME as KOPER
from .outcome import Replayed
from .stakes import TOLD_BY_HANDS, Stakes

Family = Callable[[Scanned, Sequence[MatchText], Game, Pool, Stakes], Replayed]


# A family's kernels are loaded when a log of it is read: each costs a command some hundredths of a second.
def _heads_up(
    scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, given: Stakes
) -> Replayed:
    from .heads_up.chunk import replay_heads_up

    return replay_heads_up(scanned, matches, game, pool, given)


def _koper(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, _: Stakes) -> Replayed:
    from .koper.chunk import replay_koper

    return replay_koper(scanned, matches, game, pool)


def _blotto(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, _: Stakes) -> Replayed:
    from .blotto.chunk import replay_blotto

    return replay_blotto(scanned, matches, game, pool)


def _acpc(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, _: Stakes) -> Replayed:
    from .acpc.chunk import replay_acpc

    return replay_acpc(scanned, matches, game, pool)


_HEADS_UP: Final = (
    holdem_mit.GAME,
    bounty.GAME,
    river_of_blood.GAME,
    permutation.GAME,
    swap.GAME,
    auction.GAME,
    toss.GAME,
)

FAMILIES: Final[tuple[tuple[Family, tuple[Game, ...]], ...]] = (
    (_heads_up, _HEADS_UP),
    (_koper, (KOPER,)),
    (_blotto, (BLOTTO,)),
    (_acpc, (acpc.GAME,)),
)
"""How the games of each family are replayed."""


class UnfitError(ValueError):
    """A match that is none of a game; the message says in one line why not."""


GAMES: Final = tuple(game for _, games in FAMILIES for game in games)


def game_named(name: str) -> Game:
    """The game of a name, of ACPC games `acpc/` and a definition's; KeyError lists the names there are."""
    if name.startswith(acpc.PREFIX):
        return acpc.acpc_game(name)
    for game in GAMES:
        if game.name == name:
            return game
    raise KeyError(f"no game is called {name!r}; there are {', '.join(g.name for g in GAMES)}")


def _family(game: Game) -> Family:
    name = game.name.split("/")[0]
    return next(family for family, games in FAMILIES if any(name == one.name for one in games))


def reads_like(game: Game, own: Game) -> bool:
    """True where lines that are written for a game, `own`, can be replayed by the rules of another."""
    return _family(game) is _family(own) and game.permutes == own.permutes


def has_own_stakes(game: Game) -> bool:
    """True for a game whose matches may have other stakes than its rules."""
    return _family(game) is _heads_up


def replay(
    scanned: Scanned,
    matches: Sequence[MatchText],
    game: Game,
    pool: Pool,
    given: Stakes = TOLD_BY_HANDS,
) -> Replayed:
    """Re-execute the hands of matches that were scanned together, their lines as the game's are (`reads_like`).

    given: the stakes of the matches by the user's word, of a game that may have others (`has_own_stakes`). The arrays
    belong to the pool. UnfitError where another number plays a match than can play the game.
    """
    fewest, most = game.players
    for match in matches:
        if not fewest <= len(match.names) <= most:
            said = f"{fewest} to {most}" if fewest < most else f"{fewest}"
            raise UnfitError(f"{game.name} is played by {said}, and this match by {len(match.names)}")
    return _family(game)(scanned, matches, game, pool, given)
