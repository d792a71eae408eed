"""Koper replayed: from the events of some matches to rows of games and seats, verdicts and tables."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import xxhash
from numpy.typing import NDArray

from ...parsers import events
from ...parsers.dialect import MatchText
from ...parsers.koper import KoperMatch
from ...parsers.reading import Pool, Scanned
from ...schema.words import NUMBERED
from .. import records
from ..games import Game
from ..outcome import NOT_PAID, MatchInfo, Outcome, Rejected, Tables
from ..records import Sheets
from ..rows import Assembler, MatchFacts
from . import game as rule
from . import layout as at
from .gather import gather
from .judging import judge
from .reading import NOW_SIZE, Reading
from .rows import MOST_ACTS, write_rows
from .settle import ranking, settle

_FINDINGS_PER_EVENT: Final = 4
_FINDINGS_PER_GAME: Final = 80
_CENTS: Final = 2
_CENTS_SHOWN: Final = 3

_PART_OF_AMOUNT: Final = re.compile(rb"(?<!\.\d)\d\Z")
_MOST_MATCHES: Final = 1 << 15
"""Of a tournament, that the store's int16 numbers from 0."""


@dataclass(frozen=True)
class KoperReplayed:
    """Matches of Koper that were replayed together (`outcome.Replayed`); rows are those of `layout`.

    games (G, GAME_SIZE), seats (5 G, SEAT_SIZE), matches (M, MATCH_SIZE); sheets belong to the pool; notes one a line
    event; names by seat, an entry a match.
    """

    game: Game
    games: NDArray[np.float64]
    seats: NDArray[np.float64]
    matches: NDArray[np.float64]
    sheets: Sheets
    notes: NDArray[np.uint8]
    names: Sequence[Sequence[bytes]]

    def outcome(self, place: int) -> Outcome:
        """What was found of a match."""
        row = self.matches[place]
        first, count, version = (int(row[k]) for k in (at.M_FIRST, at.M_GAMES, at.M_VERSION))
        last = first + count - 1
        profile = self.game.profiles[version - 1].name
        line = int(row[at.M_REJECTED])
        return Outcome(
            hands=count,
            last_event=int(self.games[last, at.G_LAST]) if count else -1,
            complete=self._complete(place, last, version) if count else False,
            profile=profile,
            profiles=(profile,),
            columns=self._columns(place) if count else {},
            rejected=(Rejected(line, NOT_PAID),) if line else (),
        )

    def _complete(self, place: int, last: int, version: int) -> bool:
        """The engine plays 50 games, or until fewer than two players are left; v1 says so."""
        if version == 1:
            row = self.matches[place]
            return bool(row[at.M_OVER] and row[at.M_FINALS] == row[at.M_WINS] == at.PLAYERS)
        return bool(self.games[last, at.G_END] == at.ABORTED or self.games[last, at.G_NUMBER] == rule.GAMES)

    @cached_property
    def _openings(self) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """Of each match with a game (M, 5) stacks and (M, 15) cards of its first game by position, -1 for none."""
        first = np.minimum(self.matches[:, at.M_FIRST].astype(np.int64), len(self.games) - 1)
        seats = self.seats.reshape(-1, at.PLAYERS, at.SEAT_SIZE)[first]
        holes = seats[:, :, at.S_HOLE : at.S_HOLE + 2].reshape(len(first), -1)
        cards = np.concatenate([holes, self.games[first, at.G_BOARD : at.G_BOARD + 5]], axis=1)
        cards[np.isnan(cards)] = -1
        return np.round(seats[:, :, at.S_START], _CENTS), cards.astype(np.int8)

    def _columns(self, place: int) -> dict[str, Any]:
        row = self.matches[place]
        stacks, dealt = (of_all[place] for of_all in self._openings)
        finals = row[at.M_FINAL : at.M_FINAL + at.PLAYERS]
        number = row[at.M_NUMBER]
        # The matches of a tournament are dealt the same, and so may others be, of one seed.
        cards = None if (dealt < 0).any() else xxhash.xxh3_64_intdigest(dealt.tobytes())
        return {
            "starting_stacks": None if np.isnan(stacks).any() else stacks.tolist(),
            "blinds": None,
            "buy_in": rule.BUY_IN,
            "unit": rule.BUY_IN,
            "logged_final": None if np.isnan(finals).any() else finals.tolist(),
            "card_set": cards,
            "seating": int(number) - 1 if number <= _MOST_MATCHES else None,
            "duplicate_group": None if cards is None else _duplicate_group(cards, self.names[place]),
        }

    def tables(self, scanned: Scanned, infos: Sequence[MatchInfo]) -> Tables:
        """The rows of the matches, with an info a match."""
        facts = [MatchFacts(self.game.name, NUMBERED[: at.PLAYERS], np.nan, pots_of_two=False)] * len(infos)
        return Assembler(self.game, self.sheets, infos, facts, scanned.events.text).all()


def _duplicate_group(cards: int, names: Sequence[bytes]) -> int:
    """The key of the matches of a tournament: one card set between the same players in other seats."""
    return xxhash.xxh3_64_intdigest(b"\n".join((b"%d" % cards, *sorted(names))))


def _same_names(matches: Sequence[MatchText]) -> NDArray[np.int64]:
    """The seats that each name of a match, then each of its aliases, can mean."""
    same = np.zeros((len(matches), 2 * at.PLAYERS), np.int64)
    for place, match in enumerate(matches):
        seats: dict[bytes, int] = {}
        for seat, name in enumerate(match.names):
            seats[name] = seats.get(name, 0) | 1 << seat
        means = [seats[name] for name in match.names] + [1 << seat for seat in range(len(match.aliases))]
        same[place, : len(means)] = means
    return same


def _lacks_digits(match: MatchText, text: NDArray[np.uint8]) -> bool:
    """True where the text ends within an amount: lines that end with one have it to the cent."""
    return match.cut_short and bool(_PART_OF_AMOUNT.search(text[match.start : match.end][-4:].tobytes()))


def _hear(
    match: KoperMatch, row: NDArray[np.float64], games: NDArray[np.float64], seats: NDArray[np.float64]
) -> None:
    """Take over the final stacks and wins that a console tells.

    Of players of one name the richer has more; those whose printed stacks are equal stand in the order of seats.
    """
    last = int(row[at.M_FIRST] + row[at.M_GAMES]) - 1
    if last < row[at.M_FIRST] or (
        games[last, at.G_NUMBER] != rule.GAMES and games[last, at.G_END] != at.ABORTED
    ):
        return
    stacks = seats[last * at.PLAYERS : (last + 1) * at.PLAYERS, at.S_AFTER].tolist()
    for name in set(match.names):
        told = sorted(
            (result for result in match.results if result.name == name), key=lambda result: -result.final
        )
        namesakes = (seat for seat in range(at.PLAYERS) if match.names[seat] == name)
        richest_first = sorted(namesakes, key=lambda seat: -stacks[seat])
        # Carried stacks differ by parts of a cent where the printed ones do not.
        placed = sorted(zip(told, richest_first, strict=False), key=lambda pair: (-pair[0].final, pair[1]))
        for result, (_, seat) in zip(told, placed, strict=False):
            row[at.M_FINAL + seat], row[at.M_WIN + seat] = result.final, result.wins
            row[at.M_FINAL_LINE + seat] = row[at.M_WIN_LINE + seat] = games[last, at.G_LAST_LINE]


def _share_starts(
    matches: Sequence[MatchText], rows: NDArray[np.float64], seats: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Let each match that shows no stack begin as the others of its tournament; returns their places."""
    lacking: list[int] = []
    number, players, alike = 0, list[bytes](), list[int]()
    for place, match in enumerate([*matches, None]):
        is_next = isinstance(match, KoperMatch) and match.number > number and sorted(match.names) == players
        if not is_next:
            lacking += _share_start(alike, rows, seats)
            alike = []
        if isinstance(match, KoperMatch) and match.number:
            number, players = match.number, sorted(match.names)
            alike.append(place)
    return np.array(lacking, np.int64)


def _share_start(
    places: Sequence[int], rows: NDArray[np.float64], seats: NDArray[np.float64]
) -> Sequence[int]:
    """The same for the matches of one tournament."""
    lacking = [
        place for place in places if not rows[place, at.M_SHOWN] > 0 and np.isnan(rows[place, at.M_START])
    ]
    showing = [place for place in places if rows[place, at.M_SHOWN] > 0]
    for place in showing if lacking else ():
        first = int(rows[place, at.M_FIRST]) * at.PLAYERS
        opening = seats[first : first + at.PLAYERS]
        if not opening[:, at.S_ERROR].any():
            rows[lacking, at.M_START] = opening[0, at.S_START]
            return lacking
    return []


def replay_koper(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool) -> KoperReplayed:
    """Re-execute the games of matches that were scanned together; the arrays belong to the pool."""
    found, first = scanned.events, scanned.first_event
    last = int(first[-1])
    size = int(np.count_nonzero(found.codes[:last] == events.ROUND))
    games = pool.take("games", (size + 1) * at.GAME_SIZE, np.float64)[: (size + 1) * at.GAME_SIZE]
    seats = pool.take("their seats", (size + 1) * 5 * at.SEAT_SIZE, np.float64)[
        : (size + 1) * 5 * at.SEAT_SIZE
    ]
    sheets = records.new_sheets(
        pool,
        len(matches),
        hands=size,
        seats=at.PLAYERS * size,
        prizes=at.PLAYERS * size,
        actions=MOST_ACTS * size,
        limits=MOST_ACTS * size,
        findings=_FINDINGS_PER_EVENT * last + _FINDINGS_PER_GAME * (size + 1),
        board=5 * size,
        holes=2 * at.PLAYERS * size,
        card_lines=(at.PLAYERS + 3) * size,
    )
    finds, used = sheets.findings, sheets.used
    notes = pool.take("notes", last, np.uint8)
    games = games.reshape(-1, at.GAME_SIZE)
    seats = seats.reshape(-1, at.SEAT_SIZE)
    rows = np.full((len(matches), at.MATCH_SIZE), np.nan)
    rows[:, at.M_REJECTED : at.M_WINS + 1] = 0
    rows[:, at.M_VERSION] = [2 if match.aliases else 1 for match in matches]
    rows[:, at.M_CUT] = [_lacks_digits(match, found.text) for match in matches]
    for place, match in enumerate(matches):
        if isinstance(match, KoperMatch) and match.results:
            rows[place, at.M_START] = match.results[0].final - match.results[0].profit
    reading = Reading(
        found.text,
        found.values,
        _same_names(matches),
        games,
        seats,
        rows,
        finds,
        used,
        rough=np.zeros(at.PLAYERS),
        now=np.zeros(NOW_SIZE, np.int64),
    )
    gather(found, first, reading, notes)
    records.check_room(used, game.name)
    figures = np.zeros((size + 1, 4))
    scratch = np.zeros((4, at.PLAYERS)), np.zeros(7, np.int64)
    settle(games, seats, rows, ranking(), figures, *scratch)
    lacking = _share_starts(matches, rows, seats)
    if len(lacking):
        settle(games, seats, rows[lacking], ranking(), figures, *scratch)
    for place, match in enumerate(matches):
        if isinstance(match, KoperMatch) and match.results:
            _hear(match, rows[place], games, seats)
    judge(reading, figures, sheets.hands)
    records.check_room(used, game.name)
    played, found_rows = int(used[records.HANDS]), finds[: used[records.FINDINGS]]
    for figure in ("expected", "logged", "chips"):
        found_rows[figure] = np.round(found_rows[figure], _CENTS_SHOWN)
    sheets.matches["first_hand"], sheets.matches["hands"] = rows[:, at.M_FIRST], rows[:, at.M_GAMES]
    write_rows(games, seats, np.empty((MOST_ACTS, 4)), np.empty(at.PLAYERS), sheets)
    records.check_room(used, game.name)
    names = [match.names for match in matches]
    return KoperReplayed(game, games[:played], seats[: played * at.PLAYERS], rows, sheets, notes, names)
