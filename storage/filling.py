"""One chunk on its way into the store: scanned, replayed, claimed, and written to a batch in the making."""

import ctypes
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..jit.interpreted import or_compiled
from ..parsers import hand_cut
from ..parsers.chunks import Piece, line_count
from ..parsers.dialect import UNREAD, Dialect, MatchText, RecordMatch
from ..parsers.dialects import dialect_named, likely
from ..parsers.marks import line_ends
from ..parsers.reading import Pool, Scanned, read_events
from ..parsers.sources import WishError
from ..replay.columns import TEXT_CUT, clean
from ..replay.games import Game
from ..replay.outcome import (
    LINE_BEHEADED,
    LINE_LOST,
    LINE_REJECTED,
    LINE_STRAY,
    LINE_UNKNOWN,
    NOT_PAID,
    MatchInfo,
    Outcome,
    Replayed,
    Tables,
    Windows,
)
from ..replay.replaying import UnfitError, game_named, reads_like, recognise, replay
from ..replay.stakes import TOLD_BY_HANDS, Stakes
from ..schema.columns import ROW_GROUP
from ..variants.properties import Properties, shared_by_name
from ..variants.registry import properties_of
from .copies import HandMarks
from .index import Claim, Claims, StoredMatch, Turn, identify, line_end
from .ledger import (
    BEHEADED,
    HEADLESS,
    KNOWN,
    LOST,
    NAMELESS,
    NO_STAKES,
    OTHER_GAME,
    STRAY,
    UNKNOWN,
    WITH_NUL,
    Unknown,
    earlier,
    failed_on,
    not_a_log,
    unknown_table,
)
from .locations import Place
from .manifest import Batch
from .writer import BatchWriter, MatchRows, Row, checked

_HEADS_UP = 2
_MATCHES_AT_ONCE: Final = 1000
"""The most matches that are replayed together: each takes some 10 KB, however short it is."""
_LISTED: Final = {LINE_UNKNOWN: UNKNOWN, LINE_STRAY: STRAY, LINE_LOST: LOST, LINE_BEHEADED: BEHEADED}
"""Notes on lines that are listed, and the reason that is given."""
_CLOCK: Final = re.compile(rb"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)\b")
CHUNK_BYTES: Final = 8 << 20
"""Bytes of MIT's logs that are scanned and replayed together, as whole matches. Two MB more would take 17 MB a thread
and save 1% of the time. Chunks of denser logs are smaller by `Dialect.dense`."""


@dataclass(frozen=True)
class Work:
    """A piece of a file to be stored, and the event its matches belong to.

    again: its lines were counted before; anew: a new sidecar adds facts to its matches, which are stored already
    """

    file_id: int
    event: str
    piece: Piece
    again: bool = False
    anew: bool = False


@dataclass(frozen=True)
class Choice:
    """A dialect, a game and stakes that the user names instead of what the text says."""

    dialect: str | None = None
    game: str | None = None
    stakes: Stakes = TOLD_BY_HANDS


@dataclass
class Entry:
    """The result of one piece: hands rejected by reason; dialects, revisions, strange, games as in `Account`."""

    file_id: int
    lines: int = 0
    unknown: int = 0
    matches: int = 0
    hands: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    dialects: dict[str, int] = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=dict)
    fits: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    deviations: Counter[str] = field(default_factory=Counter)
    strange: Unknown | None = None
    nameless: Unknown | None = None
    games: Mapping[str, Properties] = field(default_factory=dict)


@dataclass
class Filled:
    """The result of a chunk: one entry per piece, stored matches that it replaces, pieces to be claimed later."""

    entries: list[Entry]
    replaced: list[StoredMatch] = field(default_factory=list)
    later: list[Work] = field(default_factory=list)


@dataclass(frozen=True)
class _Job:
    """A match of a chunk: whose piece, where in the chunk's text, its number in the file, lines above its body."""

    place: int
    match: MatchText
    number: int
    first_line: int
    lines_before: int


@dataclass(frozen=True)
class _Verified:
    """Some matches scanned and replayed: for each what was found, its keys, its row of `matches`; all other rows.

    windows: those of `Replayed.tables`, once.
    """

    scanned: Scanned
    replayed: Replayed
    outcomes: list[Outcome]
    stored: list[StoredMatch]
    rows: list[Row]
    windows: Iterable[Tables]


class Filler:
    """A thread's state to fill a batch: its writer and its arrays, and the objects that all threads share."""

    def __init__(self, root: Place, writer: BatchWriter, claims: Claims, choice: Choice) -> None:
        """A filler of one batch of the store at `root`."""
        self.root, self.writer, self.claims, self.choice = root, writer, claims, choice
        self.pool = Pool()
        self._matches = MatchRows()
        self._kinds: set[tuple[str, bool]] = set()
        self._begin(())

    def fill(self, works: Sequence[Work], turn: Turn) -> Filled:
        """Store the matches of some pieces, whose texts are taken, and say what became of them.

        turn  waited for before the first match is claimed, ended after the last
        """
        self._begin(works)
        self._turn = turn
        # With more than two players, more columns are filled.
        groups: dict[tuple[str, bool], tuple[Dialect, list[_Job]]] = {}
        for job in self._jobs():
            dialect = self._dialect(job.match)
            self._read_head(job, dialect)
            if dialect.cut is not dialect_named(job.match.engine).cut:
                said = self._line(job, job.match.opening)
                self._reject_match(job, dialect, not_a_log(clean(said), dialect.name))
            elif job.match.names:
                alike = dialect.name, len(job.match.names) > _HEADS_UP
                groups.setdefault(alike, (dialect, []))[1].append(job)
            else:
                self._reject_nameless(job, dialect)
                self._count_lines(job, line_count(self.text[job.match.start : job.match.end]))
        if self._kinds and groups.keys() != self._kinds:
            # Arrays of other sizes follow.
            self.pool = Pool()
            give_back()
        self._kinds = set(groups)
        portions: list[tuple[Dialect, list[_Job]]] = []
        for dialect, jobs in groups.values():
            if self.choice.game and not reads_like(game_named(self.choice.game), game_named(dialect.game)):
                for job in jobs:
                    self._reject_match(job, dialect, OTHER_GAME.format(self.choice.game, dialect.name))
            elif self.choice.stakes.any and not game_named(dialect.game).may_have_own_stakes:
                for job in jobs:
                    self._reject_match(job, dialect, NO_STAKES.format(dialect.name))
            else:
                portions += [(dialect, some) for some in _portions(jobs, dialect.dense)]
        for k, (dialect, some) in enumerate(portions, 1):
            self._fill_group(dialect, some, k == len(portions))
        self._write_list()
        for table in self._matches.packed():
            self.writer.add("matches", table)
        return self.done

    def close(self) -> Batch | None:
        """Finish the batch, None if nothing was stored, and begin another."""
        for table in self._matches.take():
            self.writer.add("matches", table)
        batch = self.writer.close()
        self.writer = BatchWriter(self.writer.folder)
        return batch

    def _begin(self, works: Sequence[Work]) -> None:
        self.works, self.text = works, b""
        texts = [work.piece.take() for work in works]
        self.done = Filled(
            [
                Entry(work.file_id, 0 if work.piece.matches else line_count(text))
                for work, text in zip(works, texts, strict=True)
            ]
        )
        self.sizes = [len(text) for text in texts]
        self.text = texts[0] if len(texts) == 1 else b"".join(texts)
        self._rows: list[Unknown] = []

    def _jobs(self) -> Iterator[_Job]:
        """The matches of a chunk, their offsets moved to where each piece begins in its text."""
        base = 0
        codes = np.frombuffer(self.text, np.uint8)
        for place, (work, size) in enumerate(zip(self.works, self.sizes, strict=True)):
            at, line = base, work.piece.lines_before
            for number, match in enumerate(work.piece.matches, work.piece.matches_before + 1):
                moved = match.moved(base)
                line += line_ends(codes, at, moved.start)
                above = line + line_ends(codes, moved.start, moved.body)
                yield _Job(place, moved, number, line + 1, above)
                at, line = moved.body, above
            base += size

    def _line_no(self, job: _Job, line: int) -> int:
        return self.works[job.place].piece.line_no(line)

    def _count_lines(self, job: _Job, lines: int) -> None:
        """Note the lines of a piece where its last match, of so many, is known; one that comes again adds none."""
        work = self.works[job.place]
        piece = work.piece
        if job.number == piece.matches_before + len(piece.matches) and not work.again:
            if piece.own_lines is not None:
                self.done.entries[job.place].lines = piece.own_lines
                return
            self.done.entries[job.place].lines = job.first_line - 1 - piece.lines_before + lines

    def _dialect(self, match: MatchText) -> Dialect:
        if self.choice.dialect:
            return dialect_named(self.choice.dialect)
        among = likely(self.text, match.start, match.end, match.names, match.engine)
        if len(among) == 1 or not match.names:
            return among[0]
        return or_compiled(lambda: recognise(self.text, match, among, self.pool), match.end - match.start)

    def _read_head(self, job: _Job, dialect: Dialect) -> None:
        """List the lines before a match's first that are not headers, nor headers in an organiser's own words."""
        header = dialect.grammar.template("header").regex
        lines = self.text[job.match.start : job.match.body].split(b"\n")
        for number, line in enumerate(lines, job.first_line):
            own = hand_cut.is_rule(line) or (
                len(job.match.names) == 2 and hand_cut.is_header(line, job.match.names)
            )
            if not line.strip() or own or header.fullmatch(line):
                continue
            if not self._unreadable(dialect, job, self._line_no(job, number), line):
                self._unknown(job, self._line_no(job, number), line, UNKNOWN)

    def _line(self, job: _Job, at: int) -> bytes:
        return self.text[at : line_end(self.text, at, job.match.end)]

    def _unknown(self, job: _Job, line: int, text: bytes, reason: str) -> None:
        entry = self.done.entries[job.place]
        entry.unknown += 1
        why = WITH_NUL if reason == UNKNOWN and b"\0" in text else reason
        row = Unknown(entry.file_id, line, clean(text.rstrip(b"\r")), why)
        entry.strange = earlier(entry.strange, row)
        self._list(row)

    def _unreadable(self, dialect: Dialect, job: _Job, line: int, text: bytes) -> bool:
        """List the record of a line that says why it cannot be read; False for any other line."""
        if UNREAD not in text:
            return False
        from ..parsers.table_lines import unreadable

        if (found := unreadable(text)) is None:
            return False
        if found.is_hand:
            self._reject(job, line, found.text, 1, found.why)
            if dialect.records is not None and dialect.records.form == "toml":
                # A hand of several lines of text: what it begins with is accepted nowhere.
                self.done.entries[job.place].unknown += 1
        else:
            self._unknown(job, line, found.text, found.why)
        return True

    def _list(self, row: Unknown) -> None:
        """Append a row of unknown_lines; a text of no engine may have as many as it has lines."""
        if len(self._rows) >= ROW_GROUP:
            self._write_list()
        self._rows.append(row)

    def _write_list(self) -> None:
        if self._rows:
            self.writer.add("unknown_lines", unknown_table(self._rows))
        self._rows = []

    def _reject(self, job: _Job, line: int, text: bytes, hands: int, reason: str) -> None:
        entry = self.done.entries[job.place]
        entry.rejected[reason] += hands
        said = reason if hands == 1 else f"{hands:,} hands: {reason}"
        self._list(Unknown(entry.file_id, line, clean(text.rstrip(b"\r")), said))

    def _reject_first(self, job: _Job, hands: int, reason: str) -> None:
        line = self._line_no(job, job.first_line)
        self._reject(job, line, self._line(job, job.match.start), hands, reason)

    def _reject_nameless(self, job: _Job, dialect: Dialect) -> None:
        """A match that stops before its first hand names the players; what follows the last line end is not whole."""
        lines = self.text[job.match.body : job.match.end].split(b"\n")
        last = job.lines_before + len(lines)
        for line, said in enumerate(lines, job.lines_before + 1):
            if said.startswith(dialect.opens):
                self._reject(job, self._line_no(job, line), said, 1, NAMELESS)
                entry = self.done.entries[job.place]
                entry.nameless = earlier(entry.nameless, self._rows[-1])
            elif said.strip() and line < last and not dialect.grammar.accepts(said):
                self._unknown(job, self._line_no(job, line), said, UNKNOWN)

    def _reject_match(self, job: _Job, dialect: Dialect, why: str) -> None:
        """Refuse a match: none of its hands is stored."""
        text = self.text[job.match.start : job.match.end]
        hands = sum(line.startswith(dialect.opens) for line in text.split(b"\n"))
        self._reject_first(job, max(hands, 1), why)
        entry = self.done.entries[job.place]
        entry.strange = earlier(entry.strange, self._rows[-1])
        self._count_lines(job, line_count(text))

    def _fill_group(self, dialect: Dialect, jobs: list[_Job], last: bool) -> None:
        """Store the matches of one dialect; one that railbird fails on is left out and takes no other with it.

        last: no other matches of the chunk follow
        """
        size = dialect.dense * _bytes_of(jobs)
        try:
            verified = or_compiled(lambda: self._verify(dialect, jobs), size)
        except (MemoryError, WishError):
            # A mistake in a function of a user's file is no fault of a match.
            raise
        except Exception as error:
            if len(jobs) > 1:
                for job in jobs:
                    self._fill_group(dialect, [job], last and job is jobs[-1])
            else:
                why = str(error) if isinstance(error, UnfitError) else failed_on(error)
                self._reject_match(jobs[0], dialect, why[:TEXT_CUT])
            return
        # An explicit game overrides detection.
        whys = ["" if self.choice.game else outcome.foreign for outcome in verified.outcomes]
        if not any(whys):
            self._store(dialect, jobs, verified, last)
            return
        for job, why in zip(jobs, whys, strict=True):
            if why:
                self._reject_match(job, dialect, why)
        if others := [job for job, why in zip(jobs, whys, strict=True) if not why]:
            self._fill_group(dialect, others, last)

    def _verify(self, dialect: Dialect, jobs: list[_Job]) -> _Verified:
        """Scan and replay matches of one dialect; nothing is written yet."""
        matches = [job.match for job in jobs]
        scanned = read_events(np.frombuffer(self.text, np.uint8), matches, dialect.grammar, self.pool)
        self._number_lines(jobs, scanned)
        game = game_named(self.choice.game or dialect.game)
        replayed = replay(scanned, matches, game, self.pool, self.choice.stakes)
        outcomes = [replayed.outcome(place) for place in range(len(jobs))]
        stored = [
            identify(self.text, job.match, scanned, k, outcome, self.works[job.place].file_id)
            for k, (outcome, job) in enumerate(zip(outcomes, jobs, strict=True))
        ]
        infos = [
            MatchInfo(m.match_id, m.file_id, _names(job.match), job.lines_before)
            for m, job in zip(stored, jobs, strict=True)
        ]
        files = [self.works[job.place].piece.files for job in jobs]
        marks = HandMarks(len(jobs), dialect.views)
        windows = _in_their_files(replayed.tables(scanned, infos), files)
        count, window = 0, Tables()
        # All are made before any is written: a claim needs all hands, and of a match that fails nothing is stored.
        for window in windows():
            marks.add(window)
            count += 1
        stored = [replace(match, **found) for match, found in zip(stored, marks.found(), strict=True)]
        rows = [
            self._match_row(dialect, game, job, match, outcome)
            for job, match, outcome in zip(jobs, stored, outcomes, strict=True)
        ]
        return _Verified(scanned, replayed, outcomes, stored, rows, [window] if count == 1 else windows())

    def _number_lines(self, jobs: list[_Job], scanned: Scanned) -> None:
        """Give the events of a text in another order than its file's the lines of the file, as the others have them."""
        for k, job in enumerate(jobs):
            line_of = self.works[job.place].piece.line_of
            if line_of is not None:
                lines = scanned.events.lines[slice(*scanned.first_event[k : k + 2].tolist())]
                lines[:] = line_of[job.lines_before + lines - 1] - job.lines_before

    def _match_row(
        self, dialect: Dialect, game: Game, job: _Job, match: StoredMatch, outcome: Outcome
    ) -> Row:
        # Lines above a match are not part of it.
        above = self.text.count(b"\n", job.match.start, max(job.match.start, job.match.opening))
        return checked(
            {
                "match_id": match.match_id,
                "file_id": match.file_id,
                "match_no": job.number,
                "line": self._line_no(job, job.first_line + above),
                "event": self.works[job.place].event,
                "game": game.name,
                "dialect": dialect.name,
                "engine_profile": outcome.profile,
                "engine_profiles": list(outcome.profiles),
                "players": list(_names(job.match)),
                "played_at": self._played_at(job),
                "hands": match.hands,
                "complete": match.complete,
                "head_hash": match.head_hash,
                "text_bytes": match.text_bytes,
                "text_hash": match.text_hash,
                "players_hash": match.players_hash,
                "first_hand_no": match.first_hand_no,
                "last_hand_no": match.last_hand_no,
                "first_hand_hash": match.first_hand_hash,
                "hand_marks": match.hand_marks,
                "log_hands": match.hands,
                **outcome.columns,
            }
        )

    def _played_at(self, job: _Job) -> str | None:
        """When a match began, by the date and time with which its header begins, or by its records."""
        if isinstance(job.match, RecordMatch):
            return job.match.played_at or None
        if len(job.match.names) != _HEADS_UP:
            return None
        for line in self.text[job.match.start : job.match.body].splitlines():
            found = _CLOCK.match(line)
            if found and hand_cut.is_header(line, job.match.names):
                return f"{found[1].decode()} {found[2].decode()}"
        return None

    def _store(self, dialect: Dialect, jobs: list[_Job], verified: _Verified, last: bool) -> None:
        """Claim matches, write those that are new, and note what became of each."""
        scanned, outcomes, stored = verified.scanned, verified.outcomes, verified.stored
        keep = np.zeros(len(jobs), np.bool_)
        later = np.zeros(len(jobs), np.bool_)
        for job, lines in zip(jobs, scanned.line_count.tolist(), strict=True):
            said = job.match
            # A header that nothing follows, not even a line end, is a line.
            lines += said.start < said.body == said.end and said.cut_short
            self._count_lines(job, job.lines_before - job.first_line + 1 + lines)
        self._turn.wait()
        for k, (job, match) in enumerate(zip(jobs, stored, strict=True)):
            if match.hands:
                keep[k], later[k] = self._claim(job, match)
        if last:
            # Others may claim theirs while these are written.
            self._turn.end()
        for k, job in enumerate(jobs):
            if not later[k]:
                self._note_lines(dialect, job, k, scanned, verified.replayed, outcomes[k])
        kind = f"{dialect.name} {len(jobs[0].match.names) > _HEADS_UP}"
        for window in verified.windows if keep.any() else ():
            for name, (table, match_of) in window.items():
                kept = table if keep.all() else table.filter(pa.array(keep[match_of]))
                self.writer.add(name, kept, kind)
            _count_verdicts(self.done, jobs, *window["hands"], keep)
        for k, (job, outcome) in enumerate(zip(jobs, outcomes, strict=True)):
            entry = self.done.entries[job.place]
            _at_first(entry.dialects, dialect.name, job.number)
            if keep[k]:
                row = verified.rows[k]
                self._matches.add(row)
                entry.games = shared_by_name(*entry.games.values(), properties_of(row))
                entry.matches += 1
                entry.hands += outcome.hands
                _at_first(entry.revisions, outcome.profile, job.number)
                if outcome.fits and not self.choice.game:
                    entry.fits[outcome.fits] += 1

    def _claim(self, job: _Job, match: StoredMatch) -> tuple[bool, bool]:
        """(store it, claim it later)."""
        whole = memoryview(self.text)[max(job.match.start, job.match.opening) : job.match.end]
        anew = self.works[job.place].anew
        by_lines = isinstance(job.match, RecordMatch)
        answer = self.claims.claim(match, whole, anew, by_lines)
        if answer.claim is Claim.NEW:
            self.done.replaced += answer.replaced
        elif answer.claim is Claim.LATER:
            self.done.later.append(
                _alone(self.works[job.place], job, self.text[job.match.start : job.match.end])
            )
        else:
            self._reject_first(job, match.hands, KNOWN)
        return answer.claim is Claim.NEW, answer.claim is Claim.LATER

    def _note_lines(
        self,
        dialect: Dialect,
        job: _Job,
        place: int,
        scanned: Scanned,
        replayed: Replayed,
        outcome: Outcome,
    ) -> None:
        """List a match's unknown lines and the hands that are left out."""
        first, last = int(scanned.first_event[place]), int(scanned.first_event[place + 1])
        found, begun = scanned.events, -1
        for k, note, its_line, start in _noted(replayed.notes, scanned, first, last):
            reason = _LISTED[note]
            line, said = job.lines_before + its_line, self._line(job, start)
            if reason == UNKNOWN and self._unreadable(dialect, job, line, said):
                continue
            if reason == UNKNOWN and said.startswith(dialect.opens):
                # The hand that it begins is not stored, and nothing else reports it.
                if job.match.cut_short and k == last - 1:
                    self._reject(job, line, said, 1, NOT_PAID)
                    continue
                reason, begun = HEADLESS, k
            if reason == BEHEADED and begun == k - 1:
                # Of the hand that the line above begins.
                continue
            if reason in (HEADLESS, LOST, BEHEADED):
                self.done.entries[job.place].rejected[reason] += 1
            self._unknown(job, line, said, reason)
        for hand in outcome.rejected:
            said = self._line(job, int(found.starts[_event_of(found.lines, first, last, hand.line)]))
            self._reject(job, job.lines_before + hand.line, said, 1, hand.reason)


def _event_of(lines: NDArray[np.int32], first: int, last: int, line: int) -> int:
    """An event of a line among those of a match: records may be read in another order than that of lines."""
    own = lines[first:last]
    at = int(np.searchsorted(own, line))
    if at < len(own) and own[at] == line:
        return first + at
    return first + int(np.argmax(own == line))


def _noted(
    notes: NDArray[np.uint8], scanned: Scanned, first: int, last: int
) -> Iterator[tuple[int, int, int, int]]:
    """The events of a match that are listed, from the first to before the last: each with its note, line and start.

    A text may have a million lines: some at a time are looked at, and made objects of.
    """
    found = scanned.events
    for at in range(first, last, ROW_GROUP):
        some = notes[at : min(at + ROW_GROUP, last)]
        here = np.flatnonzero((some > 0) & (some != LINE_REJECTED)) + at
        columns = (here, notes[here], found.lines[here], found.starts[here])
        yield from zip(*(column.tolist() for column in columns), strict=True)


def give_back() -> None:
    """Return freed memory to the system: glibc keeps it, in pieces that suit what was there before."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


def _at_first(places: dict[str, int], name: str, number: int) -> None:
    """Note a match of a name by the number that it has in the file, unless an earlier one has the name."""
    places[name] = min(number, places.get(name, number))


def _bytes_of(jobs: Sequence[_Job]) -> int:
    return sum(job.match.end - job.match.body for job in jobs)


def _portions(jobs: list[_Job], dense: int) -> Iterator[list[_Job]]:
    """The matches of a chunk in as many portions as their rows take chunks of MIT's logs."""
    count = min(max(dense * _bytes_of(jobs) // CHUNK_BYTES, 1), len(jobs))
    ends = np.cumsum([job.match.end - job.match.body for job in jobs])
    # Each begins with the match in which the one before is full.
    places = np.searchsorted(ends, np.arange(1, count) * (int(ends[-1]) / count), side="right").tolist()
    for first, last in pairwise([0, *places, len(jobs)]):
        for at in range(first, last, _MATCHES_AT_ONCE):
            yield jobs[at : min(at + _MATCHES_AT_ONCE, last)]


def _names(match: MatchText) -> tuple[str, ...]:
    return tuple(name.decode("utf-8", "backslashreplace") for name in match.names)


def _in_their_files(rows: Windows, files: Sequence[Sequence[int]]) -> Callable[[], Iterator[Tables]]:
    """Windows in which lines of findings and faults are those of the matches' files. files: ids by match."""

    def windows() -> Iterator[Tables]:
        for window in rows.windows():
            if any(files):
                for name in ("findings", "faults"):
                    window[name] = _in_its_files(*window[name], files)
            yield window

    return windows


def _in_its_files(
    rows: pa.Table, match_of: NDArray[np.int32], files: Sequence[Sequence[int]]
) -> tuple[pa.Table, NDArray[np.int32]]:
    """Rows whose lines are numbers of their matches' files, with the file and its line."""
    ids, lines = rows["file_id"].to_numpy().copy(), rows["line"].to_numpy().copy()
    for match, of_match in enumerate(files):
        if of_match:
            own = match_of == match
            ids[own], lines[own] = np.array(of_match, np.uint64)[lines[own] - 1], 1
    for name, values in (("file_id", ids), ("line", lines)):
        column = pa.array(values).cast(rows.schema.field(name).type)
        rows = rows.set_column(rows.schema.get_field_index(name), rows.schema.field(name), column)
    return rows, match_of


def _alone(work: Work, job: _Job, text: bytes) -> Work:
    """A match as a piece of its own; its lines are counted where it was read first."""
    start = job.match.start
    match = replace(
        job.match,
        start=0,
        body=job.match.body - start,
        end=job.match.end - start,
        opening=max(job.match.opening - start, 0),
    )
    piece = Piece(
        text, job.first_line - 1, job.number - 1, (match,), work.piece.line_of, files=work.piece.files
    )
    return replace(work, again=True, anew=False, piece=piece)


def _count_verdicts(
    done: Filled, jobs: list[_Job], hands: pa.Table, match_of: NDArray[np.int32], keep: NDArray[np.bool_]
) -> None:
    """Add the verdicts and deviations of the hands stored to their pieces' entries."""
    entry_of = np.array([job.place for job in jobs], np.int32)[match_of]
    if not keep.all():
        entry_of[~keep[match_of]] = -1
    verdicts = hands["verdict"].combine_chunks()
    words, codes = verdicts.dictionary.to_pylist(), verdicts.indices.to_numpy()
    lists = hands["deviations"].combine_chunks()
    inner = lists.values
    names, deviations = inner.dictionary.to_pylist(), inner.indices.to_numpy()
    owners = np.repeat(entry_of, np.diff(lists.offsets.to_numpy()))
    _count([entry.verdicts for entry in done.entries], entry_of, words, codes)
    _count([entry.deviations for entry in done.entries], owners, names, deviations)


def _count(
    counters: list[Counter[str]], owners: NDArray[np.int32], words: list[str], codes: NDArray[np.int32]
) -> None:
    """Add places in a vocabulary to the counters of their owners; -1 has no owner."""
    cells = np.bincount((owners + 1) * len(words) + codes)
    for cell in np.flatnonzero(cells).tolist():
        owner, code = divmod(cell, len(words))
        if owner:
            counters[owner - 1][words[code]] += int(cells[cell])
