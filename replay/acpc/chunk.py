"""ACPC matches replayed: from the scanner's events to filled sheets, verdicts and tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...parsers import events as ev
from ...parsers.acpc import AcpcMatch
from ...parsers.acpc_game import MAX_PLAYERS, Definition
from ...parsers.dialect import MatchText
from ...parsers.reading import Pool, Scanned
from ...schema.words import FAULT_KINDS
from .. import columns, records
from ..findings import RULES
from ..flags import flag_seats
from ..games import Game
from ..outcome import LINE_REJECTED, NOT_PAID, MatchInfo, Outcome, Rejected, Tables
from ..records import Sheets
from ..rows import Assembler, Faults, MatchFacts, find_uneven
from . import cards as dealt
from . import definitions as known
from . import state as s
from .choosing import Chosen, choose_definition, choose_seed
from .complaints import Fault, faults_in, find_faults, substitute
from .walk import count_actions, walk

NOT_READABLE = "its line cannot be read as a hand"

MOST_ROWS: Final = 1 << 19
"""The replay pauses after so many rows of actions and seats, and tables are made of them: a match of 30 MB has five
million, of at least 60 bytes each."""

# Of each player the hole cards (a count, and of three cards each), the first that the seed does not deal, the award;
# of a hand the cards of the board, and what else `walk` checks; of an action one.
_FINDINGS_PER_SEAT = 6
_FINDINGS_PER_HAND = 32
_PROBED = 64
# Rules that a hand of another game breaks, however it is paid.
_STOPPING = [k for k, rule in enumerate(RULES) if rule.kind in ("order", "legality", "deck")]
_MOST_BOARD = 16


@dataclass(frozen=True)
class AcpcReplayed:
    """ACPC matches that were replayed together (`outcome.Replayed`).

    matches, chosen, faults, cards: an entry a match; faults: by the hand's number in the match
    """

    game: Game
    chunk: "_Chunk"
    chosen: Sequence[Chosen]
    faults: Sequence[Sequence[Fault]]
    cards: Sequence[bytes]

    @property
    def matches(self) -> Sequence[AcpcMatch]:
        """The matches as cut."""
        return self.chunk.matches

    @property
    def sheets(self) -> Sheets:
        """The rows of the last window; they belong to the pool."""
        return self.chunk.sheets

    @property
    def notes(self) -> NDArray[np.uint8]:
        """As of every game."""
        return self.chunk.notes

    def outcome(self, place: int) -> Outcome:
        """What was found of a match."""
        match, chosen, record = self.matches[place], self.chosen[place], self.sheets.matches[place]
        profile = self.game.profiles[_profile_of(match, self.game)].name
        return Outcome(
            hands=int(record["hands"]),
            last_event=int(record["end"]),
            complete=bool(record["final"]),
            profile=profile,
            profiles=(profile,),
            columns=self._columns(place, match, chosen, record) if record["hands"] else {},
            rejected=self._rejected(place, match) if record["rejected"] else (),
        )

    def _columns(self, place: int, match: AcpcMatch, chosen: Chosen, record: np.void) -> dict[str, Any]:
        definition, seats = chosen.definition, len(match.names)
        found: dict[str, Any] = {
            "game": chosen.name,
            "seed": chosen.seed if chosen.seed is not None else match.seed,
            "logged_final": record["finals"][:seats].tolist() if record["final"] else None,
        }
        # Cards that one player saw do not show whether another match was dealt the same.
        if not match.owners:
            cards = dealt.card_set(chosen.name, seats, self.cards[place])
            found["card_set"], found["seating"] = cards, dealt.seating(match.names)
            found["duplicate_group"] = dealt.duplicate_group(cards, match.names, match.fixed)
        if definition is not None:
            turn = self.chunk.first_dealer[place] + 1
            stacks = [float(definition.stacks[(seat - turn) % seats]) for seat in range(seats)]
            found["starting_stacks"] = stacks if definition.has_stacks else None
            found["blinds"] = list(known.blinds_of(definition))
            found["blinds_by_position"] = [float(blind) for blind in definition.blinds]
            limit = not definition.nolimit
            found["raise_sizes"] = [float(size) for size in definition.raise_sizes] if limit else None
            found["raise_caps"] = list(definition.raise_caps) if limit else None
            found["unit"] = float(definition.big_blind)
            found["suits"], found["ranks"] = definition.suits, definition.ranks
            found["hole_cards"] = definition.hole_cards
            found["board_cards"] = list(definition.boards)
        return found

    def _rejected(self, place: int, match: AcpcMatch) -> tuple[Rejected, ...]:
        first_event = self.chunk.scanned.first_event
        first, last = int(first_event[place]), int(first_event[place + 1])
        found = np.nonzero(self.notes[first:last] == LINE_REJECTED)[0] + first
        return tuple(
            Rejected(
                int(self.chunk.scanned.events.lines[k]),
                NOT_PAID if match.owners or (match.cut_short and k == last - 1) else NOT_READABLE,
            )
            for k in found.tolist()
        )

    def tables(self, scanned: Scanned, infos: Sequence[MatchInfo]) -> "_Windows":
        """The rows of the matches, with an info a match."""
        return _Windows(self, scanned, infos)


@dataclass(frozen=True)
class _Windows:
    """The rows of matches: those of each window of the replay, in windows of hands."""

    replayed: AcpcReplayed
    scanned: Scanned
    infos: Sequence[MatchInfo]

    def windows(self) -> Iterator[Tables]:
        """As of every game. Hands are replayed again, unless one window had them all."""
        chunk, chosen = self.replayed.chunk, self.replayed.chosen
        sizes = [len(info.players) for info in self.infos]
        facts = [
            replace(_facts(one, size), hidden=bool(match.owners), even=bool(even))
            for one, size, match, even in zip(chosen, sizes, chunk.matches, chunk.even, strict=True)
        ]
        is_holdem = np.array(
            [one.definition is not None and one.definition.is_holdem for one in chosen], np.bool_
        )
        for is_last in chunk.again():
            sheets = chunk.sheets
            hands = sheets.hands[: sheets.used[records.HANDS]]
            ends = np.searchsorted(hands["match"], np.arange(len(sizes) + 1)).tolist()
            faults = [
                faults_in(of_match, first, rows, is_last)
                for of_match, first, rows in zip(
                    self.replayed.faults, sheets.matches["first_hand"].tolist(), pairwise(ends), strict=True
                )
            ]
            for of_match in faults:
                substitute(sheets, of_match)
            flag_seats(
                hands,
                sheets.seats,
                sheets.actions[: sheets.used[records.ACTS]],
                is_holdem,
            )
            yield from Assembler(
                self.replayed.game,
                sheets,
                self.infos,
                facts,
                self.scanned,
                ("card_lines", "rake"),
                _fault_rows(faults, self.infos),
            ).windows()


def _profile_of(match: AcpcMatch, game: Game) -> int:
    """The place of a match's engine profile in its game."""
    return next((k for k, profile in enumerate(game.profiles) if profile.name == match.profile), 0)


def _facts(chosen: Chosen, players: int) -> MatchFacts:
    """The facts of a match for its tables; players: their number."""
    definition = chosen.definition
    positions = known.positions_of(definition, players)
    if definition is None:
        return MatchFacts(chosen.name, positions, np.nan, unknown=chosen.reason)
    even = definition.even_stacks or not definition.has_stacks
    totals = definition.nolimit and not (definition.has_stacks and definition.even_stacks)
    return MatchFacts(chosen.name, positions, np.nan, definition.players == 2 and even, totals)


def _fault_rows(faults: Sequence[Sequence[Fault]], infos: Sequence[MatchInfo]) -> Faults:
    """The complaints of error logs, and those that a match's own lines make."""
    match = np.repeat(np.arange(len(faults), dtype=np.int32), [len(of_match) for of_match in faults])
    said = [fault.complaint for of_match in faults for fault in of_match]
    of = [infos[m] for m in match.tolist()]
    seats = (
        -1 if c.seat is None or c.seat >= len(infos[m].players) else c.seat
        for c, m in zip(said, match.tolist(), strict=True)
    )
    return Faults(
        match,
        np.array([fault.row for of_match in faults for fault in of_match], np.int64),
        np.array([c.file_id or info.file_id for c, info in zip(said, of, strict=True)], np.uint64),
        np.array(
            [c.line + (0 if c.file_id else info.line_base) for c, info in zip(said, of, strict=True)],
            np.int64,
        ),
        np.array(list(seats), np.int8),
        np.array([FAULT_KINDS.index(c.kind) for c in said], np.int32),
        np.arange(len(said), dtype=np.int32),
        [columns.clean(c.text) for c in said],
    )


def _sheets(scanned: Scanned, matches: Sequence[AcpcMatch], pool: Pool) -> Sheets:
    """Tables large enough for the matches of a chunk."""
    first, last = scanned.first_event, int(scanned.first_event[-1])
    codes = scanned.events.codes[:last]
    hands = [int(np.count_nonzero(codes[a:b] == ev.STATE)) for a, b in pairwise(first)]
    rows = sum(hands)
    seats = sum(count * len(match.names) for count, match in zip(hands, matches, strict=True))
    acts = count_actions(scanned.events, last) + seats
    findings = acts + _FINDINGS_PER_SEAT * seats + _FINDINGS_PER_HAND * rows + 64 * len(matches)
    return records.new_sheets(
        pool,
        len(matches),
        hands=rows + 1,
        # Rows of a window, and of the first hands of each match, at which no window ends.
        seats=min(seats, MOST_ROWS + MAX_PLAYERS + MAX_PLAYERS * known.HANDS_COMPARED * len(matches)),
        actions=acts,
        limits=acts,
        findings=findings,
        board=_MOST_BOARD * rows,
        undealt=_MOST_BOARD * rows,
        holes=3 * seats,
    )


class _Chunk:
    """The matches of a chunk on their way through the kernel."""

    def __init__(self, scanned: Scanned, matches: Sequence[AcpcMatch], game: Game, pool: Pool) -> None:
        self.scanned, self.matches, self.game = scanned, matches, game
        self.hand, self.scratch = s.new_hand(), s.new_hand()
        self.sheets = _sheets(scanned, matches, pool)
        self.notes = pool.take("notes", int(scanned.first_event[-1]), np.uint8)
        names = [name for match in matches for name in match.names]
        self.names = np.frombuffer(b"".join(names) + b"\0", np.uint8)
        self.name_at = np.zeros(len(names) + 1, np.int64)
        np.cumsum([len(name) for name in names], out=self.name_at[1:])
        self.settings = np.zeros(len(matches), s.SETTINGS)
        for name in ("game", "seed", "wrong_seed", "last_event"):
            self.settings[name] = s.NONE
        self.settings["players"] = [len(match.names) for match in matches]
        self.settings["seating"] = [
            s.NAMED if match.named else s.FIXED if match.fixed else s.ROTATING for match in matches
        ]
        self.settings["owners"] = [sum(1 << seat for seat in match.owners) for match in matches]
        self.settings["gaps"] = [match.gaps for match in matches]
        self.settings["first_number"] = [match.first_hand for match in matches]
        self.settings["restated"] = [match.restated for match in matches]
        self.settings["profile"] = [_profile_of(match, game) for match in matches]
        for deviation, field in known.EXPLAINS.items():
            self.settings[field] = game.explained_by(deviation)
        self.settings["cut"] = [match.cut_short for match in matches]
        due = [match.hands_due if match.hands_due is not None else s.NONE for match in matches]
        self.settings["hands_due"] = due
        self.settings["first_name"][1:] = np.cumsum([len(match.names) for match in matches])[:-1]

    def walk(
        self,
        first: NDArray[np.int64],
        settings: NDArray[np.void],
        games: NDArray[np.void],
        begin: NDArray[np.int64],
        most: int,
    ) -> None:
        """Run the kernel over some events, the tables empty. begin, most: as of `walk`."""
        self.sheets.used[:] = 0
        report = s.new_report(self.sheets.findings, self.sheets.used)
        walk(
            self.scanned.events,
            first,
            settings,
            games,
            self.names,
            self.name_at,
            self.hand,
            self.sheets,
            report,
            self.notes,
            begin,
            most,
        )
        records.check_room(self.sheets.used, "an ACPC game")

    def misfits(self, place: int, definition: Definition) -> tuple[int, int]:
        """Hands at a match's beginning that break a rule of a definition, and how many there are."""
        settings = self.settings[place : place + 1].copy()
        settings[0]["game"] = 0
        first = self.scanned.first_event[place : place + 2]
        settings[0]["last_event"] = first[0] + _PROBED
        self.walk(first, settings, s.rows_of((definition,)), np.zeros(2, np.int64), MOST_ROWS)
        rows, hands = self.sheets.findings[: self.sheets.used[records.FINDINGS]], self.sheets.hands
        # Lines below a hand, such as the score, belong to no single hand.
        own = (rows["verdict"] > records.UNVERIFIED) & (rows["line"] <= hands["line"][rows["hand"]])
        return len(np.unique(rows["hand"][own])), int(self.sheets.matches[0]["hands"])

    def is_playable(self, place: int, definition: Definition) -> bool:
        """True if a hand at a match's beginning can be played by a definition, whatever it is paid."""
        self.misfits(place, definition)
        rows = self.sheets.findings[: self.sheets.used[records.FINDINGS]]
        stopped = np.unique(rows["hand"][np.isin(rows["rule"], _STOPPING)])
        return len(stopped) < int(self.sheets.matches[0]["hands"])

    def choose(self, place: int, game_name: str) -> Chosen:
        """A match's definition and seed."""
        match = self.matches[place]
        chosen = choose_definition(
            match,
            game_name,
            lambda definition: self.misfits(place, definition),
            lambda definition: self.is_playable(place, definition),
        )
        if chosen.definition is None:
            return chosen
        seed, wrong = choose_seed(self.scanned, place, match, chosen.definition, self.hand)
        return Chosen(chosen.definition, chosen.name, "", seed, wrong)

    def choose_all(self, chosen: Sequence[Chosen]) -> None:
        """Note what was chosen for every match."""
        games: dict[Definition, int] = {}
        for row, choice in zip(self.settings, chosen, strict=True):
            if choice.definition is not None:
                row["game"] = games.setdefault(choice.definition, len(games))
            row["seed"] = s.NONE if choice.seed is None else choice.seed
            row["wrong_seed"] = s.NONE if choice.wrong_seed is None else choice.wrong_seed
        self.games = s.rows_of(tuple(games))

    def windows(self) -> Iterator[bool]:
        """Replay every match, some hands after the others, which are then in the sheets; True with the last."""
        begin = np.zeros(2, np.int64)
        is_last = False
        while not is_last:
            self.walk(self.scanned.first_event, self.settings, self.games, begin, MOST_ROWS)
            is_last = int(begin[0]) == len(self.settings)
            yield is_last

    def run(self, chosen: Sequence[Chosen]) -> AcpcReplayed:
        """Replay every match, and note what the whole of it says: of its rows, those of the last window are kept."""
        self.choose_all(chosen)
        facts = [_facts(one, len(match.names)) for one, match in zip(chosen, self.matches, strict=True)]
        self.even = np.array([one.pots_of_two for one in facts], np.bool_)
        self.first_dealer = [-1] * len(self.matches)
        cards = [b""] * len(self.matches)
        numbers: list[list[NDArray[np.int64]]] = [[] for _ in self.matches]
        self.count = 0
        for _ in self.windows():
            self.count += 1
            used, sheets = self.sheets.used, self.sheets
            hands = sheets.hands[: used[records.HANDS]]
            if self.even.any():
                find_uneven(sheets.actions[: used[records.ACTS]], hands, self.even)
            ends = np.searchsorted(hands["match"], np.arange(len(self.matches) + 1)).tolist()
            for place, (first, last) in enumerate(pairwise(ends)):
                if first == last:
                    continue
                if not numbers[place]:
                    self.first_dealer[place] = int(hands[first]["dealer"])
                    if not self.matches[place].owners:
                        cards[place] = self._cards(place, chosen[place])
                numbers[place].append(hands["number"][first:last].copy())
        none = np.zeros(0, np.int64)
        faults = [
            find_faults(self.scanned, place, match, np.concatenate([none, *of_match]))
            for place, (match, of_match) in enumerate(zip(self.matches, numbers, strict=True))
        ]
        return AcpcReplayed(self.game, self, chosen, faults, cards)

    def again(self) -> Iterator[bool]:
        """As `windows`, after `run`; a single window with all hands is reused."""
        return iter((True,)) if self.count == 1 else self.windows()

    def _cards(self, place: int, chosen: Chosen) -> bytes:
        """The bytes that identify a match's cards (`first_cards`)."""
        record, sheets = self.sheets.matches[place], self.sheets
        first = int(record["first_hand"])
        rows = sheets.hands[first : first + min(int(record["hands"]), known.HANDS_COMPARED)]
        seats, players = int(rows[0]["first_seat"]), len(self.matches[place].names)
        counts = sheets.seats[seats : seats + players * len(rows)]["hole_count"]
        ends = [0, *np.cumsum(counts).tolist()]
        begin = int(rows[0]["first_card"])
        cards = sheets.holes[begin : begin + ends[-1]].tobytes()
        holes = []
        for seat, dealer in zip(count(0, players), rows["dealer"].tolist(), strict=False):
            # Cards lie by seat; the first position is the one after the dealer.
            start, turn, end = ends[seat], ends[seat + (dealer + 1) % players], ends[seat + players]
            holes.append(cards[turn:end] + cards[start:turn])
        return dealt.first_cards(rows["number"], holes, chosen.definition, chosen.seed, self.scratch)


def replay_acpc(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool) -> AcpcReplayed:
    """Re-execute the hands of matches that were scanned together; the arrays belong to the pool.

    game: `acpc`, to find each match's definition from its header or its hands, or one definition for all.
    """
    given = [match if isinstance(match, AcpcMatch) else _plain(match) for match in matches]
    chunk = _Chunk(scanned, given, game, pool)
    return chunk.run([chunk.choose(place, game.name) for place in range(len(given))])


def _plain(match: MatchText) -> AcpcMatch:
    """A match that another dialect cut."""
    return AcpcMatch(match.start, match.body, match.end, match.names[:MAX_PLAYERS], cut_short=match.cut_short)
