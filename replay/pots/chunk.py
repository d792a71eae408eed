"""Matches of games whose logs print whole pots: from events to filled sheets, verdicts and tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import new_record
from ...parsers import events
from ...parsers.dialect import ANSWER_SIZE, MatchText, RecordMatch, StakedMatch, TableMatch
from ...parsers.reading import Pool, Scanned
from .. import records
from ..flags import flag_seats
from ..games import MOST_HOLE_CARDS, Game
from ..outcome import NOT_PAID, MatchInfo, Outcome, Rejected
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
"""In `Profile.prints`: each player has a line of its own, and streets are printed without chips."""


_FOUND: Final = (
    "stack",
    "hands",
    "first_hand",
    "end",
    "final",
    "profile",
    "ties",
    "small_blind",
    "big_blind",
    "rejected",
    "reject_line",
)
"""Words of a match's record that its outcome is made of."""


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
        record, players = self._found[place], len(self.matches[place].names)
        game = self.game
        stacks, finals = [float(record["stack"])] * players, None
        if game.carries and record["hands"]:
            stacks = self._first_stacks(record["first_hand"], players)
        if record["final"]:
            said = self.sheets.matches["finals"][place, :players]
            finals = None if np.isnan(said).all() else said.tolist()
        return Outcome(
            hands=record["hands"],
            last_event=record["end"],
            complete=bool(record["final"]) or self._is_won(place),
            profile=game.profiles[record["profile"]].name,
            profiles=tuple([p.name for k, p in enumerate(game.profiles) if record["ties"] >> k & 1]),
            columns={
                "starting_stacks": stacks,
                "blinds": [float(record["small_blind"]), float(record["big_blind"])],
                "unit": float(record["big_blind"]) or self._largest_post(place),
                "logged_final": finals,
            },
            rejected=(Rejected(record["reject_line"], NOT_PAID),) if record["rejected"] else (),
        )

    @cached_property
    def _found(self) -> list[dict[str, Any]]:
        """The kernels' results by match, as dicts: reading a NumPy record takes longer."""
        rows = self.sheets.matches[: len(self.matches)]
        columns = [rows[name].tolist() for name in _FOUND]
        return [dict(zip(_FOUND, row, strict=True)) for row in zip(*columns, strict=True)]

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

    def _largest_post(self, place: int) -> float:
        """The largest ante or bring-in of the first hand, the unit of results without blinds; 1 if no player posts."""
        if not self._found[place]["hands"]:
            return 1.0
        hand = self._found[place]["first_hand"]
        acts = records.actions_of(self.sheets, hand, hand)
        posts = acts[acts["action"] == records.POST]
        return float(posts["raise_to"].max(initial=0)) or 1.0

    def _is_won(self, place: int) -> bool:
        """True if stacks are carried and one player has all of them."""
        record = self._found[place]
        if not self.game.carries or not record["hands"]:
            return False
        rows = self._seats(record["first_hand"] + record["hands"] - 1)
        return int(np.count_nonzero(rows["stack"] + rows["delta"])) == 1

    def tables(self, scanned: Scanned, infos: Sequence[MatchInfo]) -> Assembler:
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
        return Assembler(game, self.sheets, infos, facts, scanned)


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
    settings["raked"], settings["low"], settings["short_deck"] = game.raked, game.low_half, game.short_deck
    of_each = np.array([_settings_of(game, match, given, seats) for match in matches], np.int64)
    for name, column in zip(_OF_EACH, of_each.reshape(-1, len(_OF_EACH)).T, strict=True):
        settings[name] = column
    return settings.view(np.int64).reshape(len(matches), -1)


_OF_EACH: Final = (
    "players",
    "names",
    "names_first",
    "same_names",
    "unit",
    "chip",
    "header_fits",
    "cut",
    "stack",
    "small_blind",
    "big_blind",
)
"""Words of `state.MATCH` that matches of a game may differ in."""


def _settings_of(game: Game, match: MatchText, given: Stakes, seats: bool) -> tuple[int, ...]:
    """The words _OF_EACH of a match. seats: as SEATS"""
    names, unit, chip = len(match.names), 1, 1
    stack, small, big = 0, 0, 0
    if isinstance(match, StakedMatch):
        stack, small, big = match.stack, match.small_blind, match.big_blind
    if isinstance(match, RecordMatch):
        unit, chip = match.unit, match.chip
    if not big:
        small, big = int(game.blinds[0]) * unit, int(game.blinds[-1]) * unit
    if given.blinds:
        small, big = given.blinds[0] * unit, given.blinds[1] * unit
    stack = (given.stack or 0) * unit or stack or int(game.stack) * unit
    same = len(set(match.names)) < names
    first = 0 if seats else names
    return names, names, first, same, unit, chip, match.header_fits, match.cut_short, stack, small, big


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
                # Both files report a late answer.
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
