"""Replay of a chunk's matches: from events to filled tables, one call a game."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..parsers import events
from ..parsers.dialect import MatchText
from ..parsers.reading import Pool, Scanned
from . import bounty, findings, holdem_mit, records
from .games import Game
from .heads_up import settling
from .heads_up.settling import Engines
from .heads_up.walk import walk
from .records import Sheets

GAMES: tuple[Game, ...] = (holdem_mit.GAME, bounty.GAME)

_FINDINGS_PER_EVENT = 10
_FREE_FOLD = "{}.free-fold"
_NO_SHOWS = "{}.no-shows"


def game_named(name: str) -> Game:
    """The game of a name; KeyError lists the names there are."""
    for game in GAMES:
        if game.name == name:
            return game
    raise KeyError(f"no game is called {name!r}; there are {', '.join(g.name for g in GAMES)}")


@dataclass(frozen=True)
class Replayed:
    """The tables of some matches of one game.

    sheets belong to the pool; notes is one a line event (`walk`).
    """

    game: Game
    sheets: Sheets
    notes: NDArray[np.uint8]


@cache
def engines_of(game: Game) -> Engines:
    """A game's engine profiles as the kernels read them."""
    prints = {"hits": settling.PROFILE_HITS, "ev": settling.PROFILE_EV}
    return Engines(
        np.array([game.mask(p.deviations) for p in game.profiles], np.int64),
        np.array([sum(prints[word] for word in p.prints) for p in game.profiles], np.int64),
    )


def explained_by(game: Game, deviation: str) -> int:
    """What `records.FINDING` holds for a finding that one deviation explains: a byte a profile."""
    explained = 0
    for place, profile in enumerate(game.profiles):
        has = deviation in profile.deviations
        explained |= (game.mask((deviation,)) if has else settling.UNEXPLAINED) << (8 * place)
    return explained


def _settings(scanned: Scanned, game: Game, matches: Sequence[MatchText]) -> NDArray[np.int64]:
    one = np.zeros(settling.MATCH_SIZE, np.int64)
    one[settling.GAME] = game.code
    one[settling.STACK] = int(game.stack)
    one[settling.SMALL_BLIND], one[settling.BIG_BLIND] = (int(blind) for blind in game.blinds)
    one[settling.EXPLAINS_FREE_FOLD] = explained_by(game, _FREE_FOLD.format(game.name))
    one[settling.EXPLAINS_NO_SHOWS] = explained_by(game, _NO_SHOWS.format(game.name))
    one[[settling.RANK_0, settling.RANK_1]] = -1
    settings = np.tile(one, (len(matches), 1))
    settings[:, settling.NUMBER] = np.arange(len(matches))
    settings[:, settling.SAME_NAMES] = [m.names[0] == m.names[1] for m in matches]
    settings[:, settling.HEADER_FITS] = [m.header_fits for m in matches]
    text = scanned.events.text
    settings[:, settling.CUT] = [m.end == len(text) and m.end > 0 and text[m.end - 1] != 10 for m in matches]
    return settings


def replay(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool) -> Replayed:
    """Re-execute the hands of matches that were scanned together; the arrays belong to the pool."""
    first, last = scanned.first_event, int(scanned.first_event[-1])
    codes = scanned.events.codes[:last]
    hands = int(np.count_nonzero(codes == events.ROUND))
    acts = int(np.count_nonzero((codes >= events.BLIND) & (codes <= events.RAISE)))
    sheets = Sheets(
        pool.take("hands", hands, records.HAND),
        pool.take("seats", 2 * hands, records.SEAT),
        pool.take("actions", acts, records.ACTION),
        pool.take("faults", int(np.count_nonzero(codes >= events.FIRST_FAULT)), records.FAULT),
        pool.take("findings", _FINDINGS_PER_EVENT * last + 64, records.FINDING),
        np.zeros(len(matches), records.MATCH),
        pool.take("board", 5 * hands, np.int8),
        pool.take("holes", 4 * hands, np.int8),
        pool.take("card_lines", 8 * hands, np.int16),
        np.zeros(8, np.int64),
    )
    awards = pool.take("awards", 8 * hands, np.float64)[: 8 * hands].reshape(hands, 8)
    notes = pool.take("notes", last, np.uint8)
    walk(scanned.events, first, _settings(scanned, game, matches), engines_of(game), settling.new_play(), sheets, awards, notes)
    return Replayed(game, sheets, notes)
