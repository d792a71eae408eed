"""Koper replayed: from the events of some matches to filled sheets, verdicts and tables."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
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
from ..rows import Assembler, MatchFacts
from . import game as rule
from .game import PLAYERS
from .judging import judge
from .rows import write_rows
from .settling import ranking, settle
from .state import MOST_ACTS, Table, new_table
from .walk import walk

_FINDINGS_PER_EVENT: Final = 4
_FINDINGS_PER_GAME: Final = 80
_CENTS: Final = 2
_CENTS_SHOWN: Final = 3

_PART_OF_AMOUNT: Final = re.compile(rb"(?<!\.\d)\d\Z")
_MOST_MATCHES: Final = 1 << 15
"""Of a tournament, that the store's int16 numbers from 0."""


@dataclass(frozen=True)
class KoperReplayed:
    """Matches of Koper that were replayed together (`outcome.Replayed`).

    table belongs to the pool; notes is one a line event (`walk`); matches are their texts.
    """

    game: Game
    table: Table
    notes: NDArray[np.uint8]
    matches: Sequence[MatchText]

    def outcome(self, place: int) -> Outcome:
        """What was found of a match."""
        record = self.table.sheets.matches[place]
        profile = self.game.profiles[self.table.matches[place]["version"] - 1].name
        return Outcome(
            hands=int(record["hands"]),
            last_event=int(record["end"]),
            complete=bool(record["final"]),
            profile=profile,
            profiles=(profile,),
            columns=self._columns(place, record["first_hand"]) if record["hands"] else {},
            rejected=(Rejected(int(record["reject_line"]), NOT_PAID),) if record["rejected"] else (),
        )

    def _columns(self, place: int, hand: int) -> dict[str, Any]:
        """Columns of `matches`; hand is the first."""
        seats = self.table.seats[hand * PLAYERS : (hand + 1) * PLAYERS]
        dealt = np.concatenate([seats["hole"].ravel(), self.table.games[hand]["board"]]).astype(np.int8)
        # The matches of a tournament are dealt the same, and so may others be, of one seed.
        cards = None if (dealt < 0).any() else xxhash.xxh3_64_intdigest(dealt.tobytes())
        stacks, finals = np.round(seats["start"], _CENTS), self.table.matches[place]["final"]
        number = _number(self.matches[place])
        return {
            "starting_stacks": None if np.isnan(stacks).any() else stacks.tolist(),
            "blinds": None,
            "buy_in": rule.BUY_IN,
            "unit": rule.BUY_IN,
            "logged_final": None if np.isnan(finals).any() else finals.tolist(),
            "card_set": cards,
            "seating": number - 1 if 0 < number <= _MOST_MATCHES else None,
            "duplicate_group": None if cards is None else _duplicate_group(cards, self.matches[place].names),
        }

    def tables(self, scanned: Scanned, infos: Sequence[MatchInfo]) -> Tables:
        """The rows of the matches, with an info a match."""
        facts = [MatchFacts(self.game.name, NUMBERED[:PLAYERS], np.nan, pots_of_two=False)] * len(infos)
        return Assembler(self.game, self.table.sheets, infos, facts, scanned.events.text).all()


def _duplicate_group(cards: int, names: Sequence[bytes]) -> int:
    """The key of the matches of a tournament: one card set between the same players in other seats."""
    return xxhash.xxh3_64_intdigest(b"\n".join((b"%d" % cards, *sorted(names))))


def _number(match: MatchText) -> int:
    """Of a tournament's matches, from 1; 0 for another match."""
    return match.number if isinstance(match, KoperMatch) else 0


def _lacks_digits(match: MatchText, text: NDArray[np.uint8]) -> bool:
    """True where the text ends within an amount: lines that end with one have it to the cent."""
    return match.cut_short and bool(_PART_OF_AMOUNT.search(text[match.start : match.end][-4:].tobytes()))


def _share_starts(table: Table, matches: Sequence[MatchText]) -> bool:
    """Let each match that shows no stack begin as the others of its tournament; True where one does."""
    tournaments: list[list[int]] = []
    number, players = 0, list[bytes]()
    for place, match in enumerate(matches):
        before, number = number, _number(match)
        if number > before and players == sorted(match.names):
            tournaments[-1].append(place)
        else:
            tournaments.append([place])
            players = sorted(match.names)
    shown, start = table.matches["shown"], table.matches["start"]
    shared = False
    for places in tournaments:
        lacking = [place for place in places if not shown[place] and np.isnan(start[place])]
        for place in (place for place in places if lacking and shown[place]):
            first = table.sheets.matches[place]["first_hand"] * PLAYERS
            opening = table.seats[first : first + PLAYERS]
            if not opening["error"].any():
                start[lacking], shared = opening["start"][0], True
                break
    return shared


def _hear(match: KoperMatch, row: np.void, stacks: Sequence[float], line: int) -> None:
    """Take over the final stacks and wins that a console tells; stacks: those after the last game, by seat.

    Of players of one name the richer has more; those whose printed stacks are equal stand in the order of seats.
    """
    for name in set(match.names):
        told = sorted(
            (result for result in match.results if result.name == name), key=lambda result: -result.final
        )
        namesakes = (seat for seat in range(PLAYERS) if match.names[seat] == name)
        richest_first = sorted(namesakes, key=lambda seat: -stacks[seat])
        # Carried stacks differ by parts of a cent where the printed ones do not.
        placed = sorted(zip(told, richest_first, strict=False), key=lambda pair: (-pair[0].final, pair[1]))
        for result, (_, seat) in zip(told, placed, strict=False):
            row["final"][seat], row["wins"][seat] = result.final, result.wins
            row["final_line"][seat] = row["wins_line"][seat] = line


def _hear_consoles(table: Table, matches: Sequence[MatchText]) -> None:
    """The same for all matches that are played to their end."""
    for place, match in enumerate(matches):
        record = table.sheets.matches[place]
        if isinstance(match, KoperMatch) and match.results and record["final"]:
            last = record["first_hand"] + record["hands"] - 1
            stacks = table.seats["after"][last * PLAYERS : (last + 1) * PLAYERS].tolist()
            _hear(match, table.matches[place], stacks, table.games[last]["last_line"])


def replay_koper(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool) -> KoperReplayed:
    """Re-execute the games of matches that were scanned together; the arrays belong to the pool."""
    found, last, games = scanned.events, int(scanned.first_event[-1]), int(scanned.tally[events.ROUND])
    sheets = records.new_sheets(
        pool,
        len(matches),
        hands=games,
        seats=PLAYERS * games,
        prizes=PLAYERS * games,
        actions=MOST_ACTS * games,
        limits=MOST_ACTS * games,
        findings=_FINDINGS_PER_EVENT * last + _FINDINGS_PER_GAME * (games + 1),
        board=5 * games,
        holes=2 * PLAYERS * games,
        card_lines=(PLAYERS + 3) * games,
    )
    table, notes = new_table(found, matches, games, pool, sheets), pool.take("notes", last, np.uint8)
    table.matches["cut"] = [_lacks_digits(match, found.text) for match in matches]
    for place, match in enumerate(matches):
        if isinstance(match, KoperMatch) and match.results:
            table.matches["start"][place] = match.results[0].final - match.results[0].profit
    walk(found, scanned.first_event, table, notes)
    records.check_room(sheets.used, game.name)
    settle(table, ranking())
    if _share_starts(table, matches):
        settle(table, ranking())
    _hear_consoles(table, matches)
    judge(table)
    findings = sheets.findings[: sheets.used[records.FINDINGS]]
    for figure in ("expected", "logged", "chips"):
        findings[figure] = np.round(findings[figure], _CENTS_SHOWN)
    write_rows(table)
    records.check_room(sheets.used, game.name)
    return KoperReplayed(game, table, notes, matches)
