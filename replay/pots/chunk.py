"""Matches of games whose logs print whole pots: from events to filled sheets, verdicts and tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.records import new_record
from ...parsers import events
from ...parsers.dialect import ANSWER_SIZE, MatchText, RecordMatch, StakedMatch, TableMatch
from ...parsers.reading import Pool, Scanned
from .. import records
from ..flags import flag_seats
from ..games import MOST_HOLE_CARDS, Game
from ..outcome import NOT_PAID, MatchInfo, Outcome, Rejected, Tables
from ..positions import positions_at
from ..records import Sheets
from ..rows import Assembler, MatchFacts
from ..stakes import Stakes
from . import state
from .walk import walk

FINDINGS_PER_EVENT: Final = 12
AFTER: Final = "after"
"""In `Profile.prints`: a hand's first lines have the bankrolls after the hand."""
TOTALS: Final = "totals"
"""In `Profile.prints`: amounts are those of the hand, and follow each action with the pot; a first bet is a raise."""
SEATS: Final = "seats"
"""In `Profile.prints`: each player stands on a line of its own, and streets are printed without chips."""


@dataclass(frozen=True)
class PotsReplayed:
    """Matches that were replayed together (`outcome.Replayed`).

    sheets belong to the pool; notes is one a line event; matches are their texts.
    """

    game: Game
    sheets: Sheets
    notes: NDArray[np.uint8]
    matches: Sequence[MatchText]

    def outcome(self, place: int) -> Outcome:
        """What was found of a match."""
        record, players = self.sheets.matches[place], len(self.matches[place].names)
        game = self.game
        stacks, finals = [float(record["stack"])] * players, record["finals"][:players]
        if game.carries and record["hands"]:
            stacks = self._first_stacks(int(record["first_hand"]), players)
        return Outcome(
            hands=int(record["hands"]),
            last_event=int(record["end"]),
            complete=bool(record["final"]) or self._is_won(place),
            profile=game.profiles[record["profile"]].name,
            profiles=tuple(p.name for k, p in enumerate(game.profiles) if record["ties"] >> k & 1),
            columns={
                "starting_stacks": stacks,
                "blinds": [float(record["small_blind"]), float(record["big_blind"])],
                "unit": float(record["big_blind"]),
                "logged_final": finals.tolist() if record["final"] and not np.isnan(finals).all() else None,
            },
            rejected=(Rejected(int(record["reject_line"]), NOT_PAID),) if record["rejected"] else (),
        )

    def _seats(self, hand: int) -> NDArray[np.void]:
        """The rows of a hand's players."""
        row = self.sheets.hands[hand]
        return self.sheets.seats[row["first_seat"] : row["first_seat"] + row["players"]]

    def _first_stacks(self, hand: int, players: int) -> list[float]:
        """The stacks of a match's first hand, 0 for players who are out."""
        stacks, rows = [0.0] * players, self._seats(hand)
        for seat, stack in zip(rows["seat"].tolist(), rows["stack"].tolist(), strict=True):
            stacks[seat] = stack
        return stacks

    def _is_won(self, place: int) -> bool:
        """True where stacks are carried and one player has all of them."""
        record = self.sheets.matches[place]
        if not self.game.carries or not record["hands"]:
            return False
        rows = self._seats(int(record["first_hand"] + record["hands"]) - 1)
        return int(np.count_nonzero(rows["stack"] + rows["delta"])) == 1

    def tables(self, scanned: Scanned, infos: Sequence[MatchInfo]) -> Tables:
        """The rows of the matches, with an info a match."""
        game = self.game
        facts = [
            MatchFacts(
                game.name,
                positions_at(len(info.players), game.blinds_of_two),
                float(stack),
                len(info.players) == 2 and not game.carries,
                answers=match.answers.file_id if isinstance(match, TableMatch) and match.answers else 0,
            )
            for info, match, stack in zip(
                infos, self.matches, self.sheets.matches["stack"].tolist(), strict=True
            )
        ]
        return Assembler(game, self.sheets, infos, facts, scanned).all()


def settings_of(game: Game, matches: Sequence[MatchText], given: Stakes) -> NDArray[np.int64]:
    """`state.MATCH` of each match as it begins (matches, its words)."""
    one = new_record(state.MATCH)
    seats = any(SEATS in profile.prints for profile in game.profiles)
    one["hole_cards"], one["holes_used"] = game.hole_cards, game.holes_used
    one["pot_limit"], one["drops_after"] = game.pot_limit, game.drops_after
    one["replaces"] = sum(1 << street for street in game.replaces)
    one["returns_always"], one["carries"] = game.returns == "always", game.carries
    one["reserves"], one["blinds_of_two"] = game.reserves, game.blinds_of_two
    one["all_may_fold"], one["free_folds"] = game.all_may_fold, game.free_folds
    one["fault_folds"], one["reopens_full"] = game.fault_folds, game.full_raises_reopen
    one["most_raises"], one["straddles"] = game.most_raises, game.straddles_raise
    one["totals"] = any(TOTALS in profile.prints for profile in game.profiles)
    one["deals_from"], one["prints_pots"] = game.deals_from, not seats and not one["totals"]
    one["last_street"] = len(game.boards) - 1
    one["boards"][: len(game.boards)] = game.boards
    one["explains"] = [game.explained_by(game.covering(name)) for name in state.KNOWN]
    settings = np.full(len(matches), one)
    settings["number"] = np.arange(len(matches))
    for row, match in zip(settings, matches, strict=True):
        said = match if isinstance(match, StakedMatch) else None
        row["players"] = row["names"] = len(match.names)
        row["chip"] = match.chip if isinstance(match, RecordMatch) else 1
        row["raked"], row["low"], row["short_deck"] = game.raked, game.low_half, game.short_deck
        row["names_first"] = 0 if seats else len(match.names)
        row["same_names"] = len(set(match.names)) < len(match.names)
        row["unit"] = said.unit if isinstance(said, RecordMatch) else 1
        row["header_fits"], row["cut"] = match.header_fits, match.cut_short
        unit = int(row["unit"])
        row["stack"] = (given.stack or 0) * unit or (said and said.stack) or int(game.stack) * unit
        blinds = (int(game.blinds[0]) * unit, int(game.blinds[-1]) * unit)
        if said and said.big_blind:
            blinds = said.small_blind, said.big_blind
        if given.blinds:
            blinds = given.blinds[0] * unit, given.blinds[1] * unit
        row["small_blind"], row["big_blind"] = blinds
    return settings.view(np.int64).reshape(len(matches), -1)


def _sheets(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool) -> Sheets:
    """Tables large enough for the matches of a chunk."""
    last, count = int(scanned.first_event[-1]), scanned.tally
    hands = int(count[events.ROUND])
    seats = max(len(match.names) for match in matches) * hands
    acts = int(count[events.BLIND] + count[events.FOLD : events.RAISE + 1].sum())
    acts += int(count[[events.CALL_TO, events.ALL_IN, events.DISCARD, events.EXCHANGE]].sum())
    changes = int(count[[events.DISCARD, events.EXCHANGE]].sum())
    return records.new_sheets(
        pool,
        len(matches),
        hands=hands,
        seats=seats,
        actions=acts,
        limits=acts,
        faults=int(count[events.FIRST_FAULT :].sum()),
        findings=FINDINGS_PER_EVENT * last + 64,
        holes=game.hole_cards * seats,
        board=game.boards[-1] * hands,
        card_lines=16 * hands,
        finals=game.hole_cards * seats if changes else 0,
        changes=changes,
        changed=MOST_HOLE_CARDS * changes,
    )


def _is_of(answer: NDArray[np.int64] | None, number: int, seat: int) -> bool:
    """True for an answer of a player in a hand of a number."""
    return answer is not None and bool(answer[0] == number and answer[1] == seat)


def _with_answers(scanned: Scanned, matches: Sequence[MatchText]) -> tuple[Scanned, NDArray[np.int64]]:
    """The events of matches with what their players answered, as another file says, before what was done.

    And where they stand among these.
    """
    if not any(isinstance(match, TableMatch) and match.answers for match in matches):
        return scanned, np.zeros(0, np.int64)
    found, edges = scanned.events, scanned.first_event.copy()
    last = int(edges[-1])
    codes, args = found.codes[:last], found.args[:last]
    decisions = ((codes >= events.FOLD) & (codes <= events.RAISE)) | (codes == events.ALL_IN)
    told = np.append(False, (codes == events.LATE) | (codes == events.GONE))
    places: list[int] = []
    rows: list[NDArray[np.int64]] = []
    for k, match in enumerate(matches):
        if not isinstance(match, TableMatch) or match.answers is None:
            continue
        number, said = 0, iter(match.answers.rows)
        answer = next(said, None)
        for place in range(int(scanned.first_event[k]), int(scanned.first_event[k + 1])):
            if codes[place] == events.ROUND:
                number = int(found.values[args[place]])
                while answer is not None and answer[0] < number:
                    answer = next(said, None)
            elif decisions[place] and _is_of(answer, number, int(found.values[args[place]])):
                # Of an answer that came too late both files tell.
                if answer is not None and not told[place]:
                    places.append(place)
                    rows.append(answer)
                answer = next(said, None)
        edges[k + 1 :] = scanned.first_event[k + 1 :] + len(places)
    at = np.array(places, np.int64)
    used = len(found.values)
    values = np.concatenate([found.values, np.zeros(ANSWER_SIZE * len(rows), np.int64)])
    for k, row in enumerate(rows):
        begin = used + ANSWER_SIZE * k
        values[begin : begin + 3], values[begin + 4] = row[1:4], row[4]
    made = found._replace(
        codes=np.insert(codes, at, events.ANSWER),
        starts=np.insert(found.starts[:last], at, found.starts[at]),
        lines=np.insert(found.lines[:last], at, found.lines[at]),
        args=np.insert(args, at, used + ANSWER_SIZE * np.arange(len(rows))),
        values=values,
    )
    tally = scanned.tally.copy()
    tally[events.ANSWER] += len(rows)
    more = Scanned(made, edges, scanned.line_count, tally, scanned.pool)
    return more, at + np.arange(len(at))


def replay_pots(
    scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, given: Stakes
) -> PotsReplayed:
    """Re-execute the hands of matches that were scanned together; the arrays belong to the pool.

    given: the stakes that the user says they have.
    """
    scanned, answers = _with_answers(scanned, matches)
    sheets = _sheets(scanned, matches, game, pool)
    notes = pool.take("notes", int(scanned.first_event[-1]), np.uint8)
    prints = np.array([AFTER in profile.prints for profile in game.profiles], np.int64)
    settings = settings_of(game, matches, given)
    walk(scanned.events, scanned.first_event, settings, prints, state.new_play(sheets), sheets, notes)
    if len(answers):
        # Others count the events of the log alone.
        notes = np.delete(notes[: int(scanned.first_event[-1])], answers)
        ends = sheets.matches["end"]
        ends -= np.searchsorted(answers, ends)
    records.check_room(sheets.used, game.name)
    flag_seats(
        sheets.hands[: sheets.used[records.HANDS]],
        sheets.seats,
        sheets.actions[: sheets.used[records.ACTS]],
        np.ones(len(matches), np.bool_),
    )
    return PotsReplayed(game, sheets, notes, matches)
