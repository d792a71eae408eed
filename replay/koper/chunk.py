"""Koper replayed: from the events of some matches to rows, verdicts and tables."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import xxhash
from numpy.typing import NDArray

from ...jit.compile import kernel, part
from ...parsers import events
from ...parsers.dialect import MatchText
from ...parsers.koper import KoperMatch
from ...parsers.reading import Pool, Scanned
from ...schema.words import NUMBERED
from .. import records
from ..games import Game
from ..outcome import LINE_REJECTED, NOT_PAID, MatchInfo, Outcome, Rejected
from ..records import keep, next_row
from ..rows import Assembler, MatchFacts
from . import game as rule
from . import state as s
from .game import PLAYERS
from .judging import judge
from .settling import bets_before, ranking, settle
from .state import MOST_ACTS, Table, new_table
from .walk import walk

_FINDINGS_PER_EVENT: Final = 4
_FINDINGS_PER_GAME: Final = 80
_CENTS: Final = 2
_CENTS_SHOWN: Final = 3

_PART_OF_AMOUNT: Final = re.compile(rb"(?<!\.\d)\d\Z")
_MOST_MATCHES: Final = 1 << 15
"""The most matches of a tournament: the store numbers them from 0 in an int16."""
_MILLION: Final = 1e6
_ENDED_BY: Final = np.array([-1, -1, records.BY_FOLD, records.BY_FOLD, records.BY_SHOWDOWN])
"""By `GAME.end`."""
_BUY_IN, _STUB, _FLOP_BET = range(3)
"""Kinds of acts; the bets of turn and river follow."""


NOBODY_SITS = "none of its lines says who sits in it"


# Rows of hands, seats, actions and cards (`records`) of games that are judged


@part
def _rounded(value: float) -> Any:
    """An amount rounded to six decimals, without the errors of float sums; never -0.0."""
    return np.rint(value * _MILLION) / _MILLION + 0.0


@part
def _line_of(seat: np.void, kind: int) -> int:
    """The line of an act of a player, 0 if there is none."""
    line: int = seat["deal_line"]
    if kind == _STUB:
        line = seat["out_line"]
    elif kind >= _FLOP_BET:
        street = kind - _FLOP_BET
        acts = not np.isnan(seat["bet"][street]) or (street == 0 and seat["state"] == s.FOLDED)
        line = seat["bet_line"][street] if acts else 0
    return line


@part
def _order_acts(table: Table, hand: int) -> int:
    """Fill `Table.acts` with a game's acts, by line, kind and seat, in the order of their lines; returns how many."""
    acts, count = table.acts, 0
    for kind in range(MOST_ACTS // PLAYERS):
        for k in range(PLAYERS):
            line = _line_of(table.seats[hand * PLAYERS + k], kind)
            if line:
                act = line * MOST_ACTS + kind * PLAYERS + k
                # Nearly always its place is the last.
                place = count
                while place > 0 and acts[place - 1] > act:
                    acts[place] = acts[place - 1]
                    place -= 1
                acts[place] = act
                count += 1
    return count


@part
def _write_actions(table: Table, hand: int) -> None:
    """The rows of a game's actions, with what each seat has put in and may bet."""
    sheets, active, pot = table.sheets, table.sheets.hands[hand]["players"] + 0, 0.0
    for seq in range(_order_acts(table, hand)):
        line, act = table.acts[seq] // MOST_ACTS, table.acts[seq] % MOST_ACTS
        kind, k = act // PLAYERS, act % PLAYERS
        seat = table.seats[hand * PLAYERS + k]
        action, origin, street, amount, own = records.POST, records.FORCED, 0, rule.BUY_IN, 0.0
        least, most, chance = np.nan, np.nan, np.nan
        if kind == _STUB:
            amount = seat["stub"]
            if seat["state"] == s.OUT_AT_FLOP:
                street, own = 1, rule.BUY_IN
        elif kind >= _FLOP_BET:
            street = kind - _STUB
            origin, amount, chance = records.CHOICE, seat["bet"][street - 1], seat["chance"][street - 1] / 100
            action = records.FOLD if np.isnan(amount) else records.PLAY
            before, spent, _ = bets_before(seat, street)
            own = rule.BUY_IN + spent
            least = np.fmin(rule.least_bet(street, before), seat["start"] - own)
            most = np.fmin(rule.most_bet(street, before), seat["start"] - own)
        place = next_row(sheets.used, records.ACTS, len(sheets.actions))
        row = sheets.actions[place]
        row["hand"], row["line"], row["seq"], row["street"], row["seat"] = hand, line, seq, street, k
        row["action"], row["origin"], row["level"], row["aggressor"] = action, origin, 0, -1
        row["board"], row["active"], row["raise_to"], row["own"] = 0, active, _rounded(amount), own
        row["pip"], row["to_call"], row["pot"] = 0.0, 0.0, _rounded(pot)
        limit = sheets.limits[next_row(sheets.used, records.LIMITS, len(sheets.limits))]
        limit["act"], limit["told"] = place, 1
        limit["lowest"], limit["highest"] = _rounded(least), _rounded(most)
        limit["stack"] = _rounded(_rounded(seat["start"]) - own)
        limit["other"], limit["chance"] = np.nan, _rounded(chance)
        if action != records.FOLD:
            pot += amount
        active -= action == records.FOLD or kind == _STUB


@part
def _write_seat(table: Table, hand: int, k: int, position: int) -> None:
    """The row of a seat that is still in its match, and what it is paid."""
    sheets, game, seat = table.sheets, table.games[hand], table.seats[hand * PLAYERS + k]
    unknown = np.nan if game["damaged"] else 0.0
    out = sheets.seats[next_row(sheets.used, records.SEATS, len(sheets.seats))]
    out["seat"], out["position"], out["rank"] = k, position, -1
    out["final_count"] = out["hit"] = out["shown"] = out["flags"] = 0
    dealt = 2 if seat["hole"][1] >= 0 else 1 if seat["hole"][0] >= 0 else 0
    out["hole_count"] = keep(sheets.holes, sheets.used, records.HOLES, seat["hole"], 0, dealt)
    payout, share, put = seat["payout"], seat["share"], seat["put"]
    gained = seat["after"] - seat["start"]
    if np.isnan(gained):
        gained = payout + share - put + unknown
    # As printed if the log prints it, else as computed.
    if seat["won"] > 1:
        payout = seat["won"]
    elif seat["wins"] == 1 and not np.isnan(game["paid"]):
        payout = game["paid"]
    out["stack"] = out["bank"] = _rounded(seat["start"])
    out["put"], out["delta"] = _rounded(put), _rounded(gained)
    out["written"] = out["engine"] = np.nan
    prize = sheets.prizes[next_row(sheets.used, records.PRIZES, len(sheets.prizes))]
    prize["written_off"] = _rounded(seat["written_off"] + seat["engine_off"]) + unknown
    prize["engine_off"] = _rounded(seat["engine_off"]) + unknown
    prize["hand_score"] = -1 if np.isnan(seat["score"]) else int(seat["score"])
    prize["payout"], prize["win_cap"] = _rounded(payout), _rounded(seat["cap"])
    prize["redistributed"], prize["win_share"] = _rounded(share), seat["wins"]
    prize["eliminated"] = seat["state"] == s.OUT_AT_BUY_IN or seat["state"] == s.OUT_AT_FLOP


@part
def _note_line(table: Table, hand: int, line: int) -> None:
    """Append the line of a card event to those of its game, if the log has it."""
    sheets = table.sheets
    if line:
        place = next_row(sheets.used, records.LINES, len(sheets.card_lines))
        sheets.card_lines[place] = records.lines_below(sheets.hands[hand]["line"] + 0, line)
        sheets.hands[hand]["line_count"] += 1


@kernel
def write_rows(table: Table) -> None:
    """Write the rows of all games."""
    sheets, used = table.sheets, table.sheets.used
    for hand in range(used[records.HANDS]):
        row, game = sheets.hands[hand], table.games[hand]
        row["first_seat"], row["first_act"] = used[records.SEATS], used[records.ACTS]
        row["first_card"], row["dealer"] = used[records.HOLES], -1
        row["ended_by"] = _ENDED_BY[game["end"]]
        row["players"] = row["undealt_count"] = row["line_count"] = known = 0
        while known < 5 and game["board"][known] >= 0:
            known += 1
        row["board_count"] = keep(sheets.board, used, records.BOARD, game["board"], 0, known)
        for k in range(PLAYERS):
            seat = table.seats[hand * PLAYERS + k]
            if seat["state"] != s.ABSENT:
                _write_seat(table, hand, k, row["players"] + 0)
                row["players"] += 1
                _note_line(table, hand, seat["deal_line"])
        for street in range(row["streets"] - 1):
            _note_line(table, hand, game["street_line"][street])
        _write_actions(table, hand)


# Matches that are replayed together


@dataclass(frozen=True)
class KoperReplayed:
    """Matches of Koper that were replayed together (`outcome.Replayed`).

    table belongs to the pool; notes is one a line event (`walk`); matches are their texts.
    """

    game: Game
    table: Table
    notes: NDArray[np.uint8]
    matches: Sequence[MatchText]
    scanned: Scanned

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
            rejected=self._rejected(place),
        )

    def _rejected(self, place: int) -> tuple[Rejected, ...]:
        """The rejected games: a last one that the text cuts off, and games without players."""
        record, found = self.table.sheets.matches[place], self.scanned.events
        first, last = self.scanned.first_event[place : place + 2].tolist()
        is_left_out = (found.codes[first:last] == events.ROUND) & (self.notes[first:last] == LINE_REJECTED)
        cut = int(record["reject_line"]) if record["rejected"] else -1
        return tuple(
            Rejected(line, NOT_PAID if line == cut else NOBODY_SITS)
            for line in found.lines[first:last][is_left_out].tolist()
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

    def tables(self, scanned: Scanned, infos: Sequence[MatchInfo]) -> Assembler:
        """The rows of the matches, with an info a match."""
        facts = [MatchFacts(self.game.name, NUMBERED[:PLAYERS], np.nan, pots_of_two=False)] * len(infos)
        return Assembler(self.game, self.table.sheets, infos, facts, scanned)


def _duplicate_group(cards: int, names: Sequence[bytes]) -> int:
    """The key of the matches of a tournament: one card set between the same players in other seats."""
    return xxhash.xxh3_64_intdigest(b"\n".join((b"%d" % cards, *sorted(names))))


def _number(match: MatchText) -> int:
    """The number of a tournament's match, from 1; 0 for another match."""
    return match.number if isinstance(match, KoperMatch) else 0


def _lacks_digits(match: MatchText, text: NDArray[np.uint8]) -> bool:
    """True if the text ends within an amount: lines that end with one have it to the cent."""
    return match.cut_short and bool(_PART_OF_AMOUNT.search(text[match.start : match.end][-4:].tobytes()))


def _share_starts(table: Table, matches: Sequence[MatchText]) -> bool:
    """Give each match without printed stacks the starting stacks of its tournament; True if there is such a match."""
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
    """Copy the final stacks and wins from a console output; stacks: those after the last game, by seat.

    Of players with one name, the one with more chips gets the larger stack; equal printed stacks are in seat order.
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
    return KoperReplayed(game, table, notes, matches, scanned)
