"""Matches at tables whose lines translators of records write: from events to filled sheets, verdicts and tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...parsers import events
from ...parsers.dialect import MOST_SEATED, MatchText, Note, RecordMatch
from ...parsers.reading import Pool, Scanned
from .. import records
from ..cards import CARD_CODE
from ..findings import RULES
from ..flags import flag_seats
from ..games import Game
from ..outcome import LINE_REJECTED, MatchInfo, Outcome, Tables
from ..positions import positions_at
from ..records import Sheets
from ..rows import Assembler, MatchFacts
from ..stakes import Stakes
from . import state
from .chunk import FINDINGS_PER_EVENT, PotsReplayed, settings_of
from .table_walk import walk_tables

_OF_SEATS: Final = ("stack", "put", "delta", "bank", "written", "engine")
_OF_ACTIONS: Final = ("raise_to", "own", "pip", "to_call", "pot")
_OF_LIMITS: Final = ("lowest", "highest")
_OF_MATCHES: Final = ("stack", "small_blind", "big_blind")
_IN_CHIPS: Final = np.array([rule.kind in ("pay", "carry", "legality") for rule in RULES])
"""Rules whose findings name amounts of chips."""


@dataclass(frozen=True)
class TablesReplayed(PotsReplayed):
    """Matches at tables that were replayed together. acts: as `walk_tables` fills it."""

    acts: NDArray[np.int32]

    def outcome(self, place: int) -> Outcome:
        """The result of a match; its stacks are unknown unless its first hand has all of them."""
        found, record = super().outcome(place), self._found[place]
        if record["hands"] and np.isnan(self._seats(record["first_hand"])["stack"]).any():
            return replace(found, columns={**found.columns, "starting_stacks": None})
        return found

    def tables(self, scanned: Scanned, infos: Sequence[MatchInfo]) -> "_TableAssembler":
        """The rows of the matches, with an info a match."""
        # Every hand names its stacks; one that it does not name is not known.
        facts = [
            MatchFacts(
                self.game.name, _positions(len(info.players)), float("nan"), pots_of_two=False, hidden=True
            )
            for info in infos
        ]
        made = _TableAssembler(self.game, self.sheets, infos, facts, scanned, lacks=("undealt",))
        made.two_boards, made.notes = self._two_boards(scanned), self._notes(scanned)
        return made

    def _two_boards(self, scanned: Scanned) -> dict[int, list[int]]:
        """The hands with a second board, run twice or from the flop on, and the cards of both boards of each.

        The second board has the first one's cards, but for the last ones.
        """
        if not scanned.tally[events.AGAIN]:
            return {}
        found, size = scanned.events, int(scanned.first_event[-1])
        dealt: dict[int, list[int]] = {}
        for event in np.flatnonzero(found.codes[:size] == events.AGAIN).tolist():
            before = event
            # A hand has posts, or decisions, before any board.
            while self.acts[before] < 0 and found.codes[before] != events.ROUND and before > 0:
                before -= 1
            if self.acts[before] < 0 or self.notes[event] == LINE_REJECTED:
                continue
            at = int(found.args[event])
            hand = int(self.sheets.actions[self.acts[before]]["hand"])
            dealt.setdefault(hand, []).extend(found.values[at + 1 : at + 1 + int(found.values[at])].tolist())
        counts = self.sheets.hands["board_count"][: self.sheets.used[records.HANDS]]
        ends = np.cumsum(counts)
        boards: dict[int, list[int]] = {}
        for hand, last in sorted(dealt.items()):
            first = self.sheets.board[ends[hand] - counts[hand] : ends[hand]].tolist()
            # A line that is out of place, of which the hand has a finding, makes no board.
            if len(last) <= len(first):
                boards[hand] = [*first, *first[: len(first) - len(last)], *last]
        return boards

    def _notes(self, scanned: Scanned) -> "_Notes":
        """The players' remarks about decisions, in stored hands."""
        of_each = [match.notes if isinstance(match, RecordMatch) else () for match in self.matches]
        said = [note for notes in of_each for note in notes]
        match_of = np.repeat(np.arange(len(of_each), dtype=np.int32), [len(notes) for notes in of_each])
        lines = np.array([note.line for note in said], np.int64)
        events_of = scanned.first_event[match_of] - 1 + lines
        acts = self.acts[events_of]
        # The rows of a hand that is left out are those of the next one.
        kept = (acts >= 0) & (self.notes[events_of] != LINE_REJECTED)
        return _Notes(self.sheets.actions[acts[kept]], [*compress(said, kept.tolist())])


class _Notes(NamedTuple):
    """The players' remarks, and the row of the decision of each."""

    rows: NDArray[np.void]
    said: list[Note]


class _TableAssembler(Assembler):
    """As of every game, with the second boards and the notes."""

    two_boards: dict[int, list[int]]
    notes: _Notes

    def more(self) -> Tables:
        """The boards and notes of the window."""
        found: Tables = {}
        hands = [hand for hand in self.two_boards if self._first <= hand < self._last]
        if hands:
            cards = [card for hand in hands for card in self.two_boards[hand]]
            found["boards"] = self.cards_of_boards(np.array(hands, np.int64), np.array(cards, np.int8))
        where = np.flatnonzero(
            (self.notes.rows["hand"] >= self._first) & (self.notes.rows["hand"] < self._last)
        )
        if len(where):
            rows, notes = self.notes.rows[where], [self.notes.said[k] for k in where.tolist()]
            found["notes"] = (
                self._table(
                    "notes",
                    rows["hand"],
                    {
                        "seq": pa.array(rows["seq"].astype(np.int16)),
                        "seat": pa.array(rows["seat"].astype(np.int8)),
                        "seconds": pa.array([note.seconds for note in notes], pa.float64()),
                        "status": pa.array([note.status or None for note in notes], pa.string()),
                        "text": pa.array([note.text or None for note in notes], pa.string()),
                        "probability": pa.array([note.probability for note in notes], pa.float64()),
                        "claim": pa.array([note.claim or None for note in notes], pa.string()),
                    },
                ),
                self._match_rows["notes"],
            )
        return found


def _positions(players: int) -> tuple[str, ...]:
    """The names of the positions, as many as there are players of the match: of a large one those of a full table."""
    names = positions_at(min(players, MOST_SEATED))
    return names + names[-1:] * (players - len(names))


def _sheets(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool) -> Sheets:
    """Tables large enough for the matches of a chunk."""
    last, count = int(scanned.first_event[-1]), scanned.tally
    hands, seats = int(count[events.ROUND]), int(count[events.SEATED])
    decisions = (
        events.FOLD,
        events.LEAVE,
        events.CALL,
        events.CHECK,
        events.RAISE,
        events.CALL_TO,
        events.ALL_IN,
    )
    posts = (events.ANTE, events.DEAD, events.SMALL, events.BIG, events.STRADDLE)
    acts = int(count[[*decisions, *posts]].sum())
    return records.new_sheets(
        pool,
        len(matches),
        hands=hands,
        seats=seats,
        actions=acts,
        limits=acts,
        faults=int(count[events.FIRST_FAULT : events.LAST_FAULT + 1].sum()),
        findings=FINDINGS_PER_EVENT * last + 64,
        holes=game.hole_cards * seats,
        board=game.boards[-1] * hands,
        card_lines=(state.MOST_LINES + 1) * hands,
    )


def _in_chips(sheets: Sheets, units: NDArray[np.float64]) -> None:
    """Make chips of the units in which lines have amounts. units: of a chip, by match."""
    if (units == 1).all():
        return
    used = sheets.used
    hands = sheets.hands[: used[records.HANDS]]
    by_hand = units[hands["match"]]
    for name in _OF_MATCHES:
        sheets.matches[name] /= units
    sheets.matches["finals"] /= units[:, None]
    seats, actions = sheets.seats[: used[records.SEATS]], sheets.actions[: used[records.ACTS]]
    limits, found = sheets.limits[: used[records.LIMITS]], sheets.findings[: used[records.FINDINGS]]
    hands["rake"] /= by_hand
    of_seats = np.repeat(by_hand, hands["players"])
    for name in _OF_SEATS:
        seats[name] /= of_seats
    of_actions = by_hand[actions["hand"]]
    for name in _OF_ACTIONS:
        actions[name] /= of_actions
    for name in _OF_LIMITS:
        limits[name] /= of_actions[limits["act"]]
    of_findings = by_hand[found["hand"]]
    found["chips"] /= of_findings
    told = _IN_CHIPS[found["rule"]]
    for name in ("expected", "logged"):
        found[name] /= np.where(told, of_findings, 1.0)


def _with_own(scanned: Scanned, matches: Sequence[MatchText]) -> Scanned:
    """The events of matches, with the hole cards that the file of one player has in place of hidden ones."""
    found, values = scanned.events, scanned.events.values
    dealt: list[int] = []
    codes, args = found.codes, found.args
    for k, match in enumerate(matches):
        if not isinstance(match, RecordMatch) or not match.own:
            continue
        first, last = scanned.first_event[k : k + 2].tolist()
        if not dealt:
            codes, args = codes.copy(), args.copy()
        for line, cards in match.own:
            # Every line of a table is one event.
            event = first + line - 1
            if event < last and codes[event] == events.HIDDEN:
                codes[event] = events.DEALT
                seat = int(values[args[event]])
                args[event] = len(values) + len(dealt)
                dealt += [seat, len(cards), *(CARD_CODE[card] for card in cards)]
    if not dealt:
        return scanned
    made = found._replace(codes=codes, args=args, values=np.append(values, dealt))
    return replace(scanned, events=made)


def replay_tables(
    scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, given: Stakes
) -> TablesReplayed:
    """Re-execute the hands of matches that were scanned together; the arrays belong to the pool."""
    scanned = _with_own(scanned, matches)
    sheets = _sheets(scanned, matches, game, pool)
    size = int(scanned.first_event[-1])
    notes, acts = pool.take("notes", size, np.uint8), pool.take("acts of events", size, np.int32)
    settings = settings_of(game, matches, given)
    names = max(len(match.names) for match in matches)
    walk_tables(
        scanned.events,
        scanned.first_event,
        settings,
        np.zeros(len(game.profiles), np.int64),
        state.new_play(sheets, names),
        sheets,
        notes,
        acts,
    )
    records.check_room(sheets.used, game.name)
    highest = sheets.limits["highest"][: sheets.used[records.LIMITS]]
    # As much as the player has, which is not known.
    highest[np.isinf(highest)] = np.nan
    units = [match.unit if isinstance(match, RecordMatch) else 1 for match in matches]
    _in_chips(sheets, np.array(units, np.float64))
    flag_seats(
        sheets.hands[: sheets.used[records.HANDS]],
        sheets.seats,
        sheets.actions[: sheets.used[records.ACTS]],
        np.ones(len(matches), np.bool_),
    )
    return TablesReplayed(game, sheets, notes, matches, acts)
