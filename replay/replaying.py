"""The known games, the replay of matches of a game by its family, and the choice of a game for a match."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ..parsers import events
from ..parsers.dialect import Dialect, MatchText
from ..parsers.reading import Pool, Scanned, read_events
from .games import Game
from .outcome import MatchInfo, Replayed
from .stakes import TOLD_BY_HANDS, Stakes

Family = Callable[[Scanned, Sequence[MatchText], Game, Pool, Stakes], Replayed]

_LOOKED_AT: Final = 4 << 20
_RIGHT: Final = ("ok", "engine_deviation")


class UnfitError(ValueError):
    """A match that does not fit a game; the message says why in one line."""


_KNOWN: Final[list[Game]] = []


_FURTHER: Final[list[Callable[[], None]]] = []


def register(games: Iterable[Game], further: Callable[[], None] | None = None) -> None:
    """Make games known (`variants.registry`); further: makes more known, and is called where a name is not."""
    _KNOWN.extend(games)
    if further is not None:
        _FURTHER.append(further)


def known_games() -> tuple[Game, ...]:
    """Every known game; for games that definitions make, only the one without a definition."""
    return tuple(_KNOWN)


def game_named(name: str) -> Game:
    """The game of a name, which may be that of a definition; KeyError lists the names there are."""
    for game in _KNOWN:
        if game.name == name:
            return game
        if game.definitions is not None and name.startswith(f"{game.name}/"):
            return game.definitions.named(name)
    assert _KNOWN, "variants.registry makes games known, and was not imported"
    before = len(_KNOWN)
    for look in _FURTHER:
        look()
    if len(_KNOWN) > before:
        return game_named(name)
    raise KeyError(f"no game is called {name!r}; there are {', '.join(g.name for g in _KNOWN)}")


# A family's kernels are loaded when a log of it is read: each costs a command some hundredths of a second.
def heads_up(
    scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, given: Stakes
) -> Replayed:
    """Replay games of two players who bet in turn, at one board."""
    from .heads_up.chunk import replay_heads_up

    return replay_heads_up(scanned, matches, game, pool, given)


def simultaneous(
    scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, _: Stakes
) -> Replayed:
    """Replay games in which all players bet at once."""
    from .koper.chunk import replay_koper

    return replay_koper(scanned, matches, game, pool)


def several_boards(
    scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, given: Stakes
) -> Replayed:
    """Replay games of two players at several boards, each with its own pot."""
    return heads_up(scanned, matches, game, pool, given)


def by_definition(
    scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, _: Stakes
) -> Replayed:
    """Replay games made from a definition."""
    from .acpc.chunk import replay_acpc

    return replay_acpc(scanned, matches, game, pool)


def whole_pots(
    scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, given: Stakes
) -> Replayed:
    """Replay games of two or more players in turn at one board, whose logs print the pots that players win."""
    from .pots.chunk import replay_pots

    return replay_pots(scanned, matches, game, pool, given)


def tables(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, given: Stakes) -> Replayed:
    """Replay games at tables of any size, whose lines a translator of records writes (`parsers.table_lines`)."""
    from .pots.table_chunk import replay_tables

    return replay_tables(scanned, matches, game, pool, given)


def reads_like(game: Game, own: Game) -> bool:
    """True if lines written for a game, `own`, can be replayed by the rules of another."""
    return game.family is own.family and game.permutes == own.permutes


def replay(
    scanned: Scanned,
    matches: Sequence[MatchText],
    game: Game,
    pool: Pool,
    given: Stakes = TOLD_BY_HANDS,
) -> Replayed:
    """Re-execute the hands of matches that were scanned together; the game's rules can read their lines (`reads_like`).

    given: the stakes that the user names, for a game whose matches may have others (`may_have_own_stakes`). The
    arrays belong to the pool. UnfitError if a match has more or fewer players than the game.
    """
    fewest, most = game.players
    for match in matches:
        # A table has as many at once.
        some = min(len(match.names), most) if game.family is tables else len(match.names)
        if not fewest <= some <= most:
            said = f"{fewest} to {most}" if fewest < most else f"{fewest}"
            raise UnfitError(f"{game.name} is played by {said}, and this match by {len(match.names)}")
    family: Family | None = game.family
    assert family is not None, game.name
    return family(scanned, matches, game, pool, given)


def recognise(text: bytes, match: MatchText, among: Sequence[Dialect], pool: Pool) -> Dialect:
    """The dialect by which most hands of a match are right, with the fewest deviations; the first of equals."""
    last = text.rfind(b"\n" + among[0].opens, match.body, match.body + _LOOKED_AT)
    if match.end - match.body > _LOOKED_AT and last > match.body:
        match = replace(match, end=last + 1, cut_short=False)
    return max(among, key=lambda dialect: _fit(text, match, dialect, pool))


def _fit(text: bytes, match: MatchText, dialect: Dialect, pool: Pool) -> tuple[int, int]:
    """(hands that are correct by a dialect and have no unknown line, those of them without a deviation).

    Negative if the match is not of such a game: another number of players, or of cards in every hand.
    """
    game = game_named(dialect.game)
    if not game.players[0] <= len(match.names) <= game.players[1]:
        return -1, -1
    scanned = read_events(np.frombuffer(text, np.uint8), [match], dialect.grammar, pool)
    replayed = replay(scanned, [match], game, pool)
    if replayed.outcome(0).foreign:
        return -1, 0
    names = tuple(name.decode("utf-8", "backslashreplace") for name in match.names)
    shown = [
        (hands["verdict"].to_numpy(), hands["line"].to_numpy())
        for tables in replayed.tables(scanned, [MatchInfo(0, 0, names, 0)]).windows()
        for hands in (tables["hands"][0],)
    ]
    verdicts, begins = (np.concatenate(column) for column in zip(*shown, strict=True))
    right = np.isin(verdicts, _RIGHT)
    lines = scanned.events.lines[: scanned.first_event[-1]]
    unknown = lines[scanned.events.codes[: len(lines)] == events.UNKNOWN]
    in_hand = np.searchsorted(begins, unknown, side="right") - 1
    right[in_hand[in_hand >= 0]] = False
    return int(right.sum()), int((right & (verdicts == "ok")).sum())
