"""Ingest: logs in, a verified store out.

The text of whole matches, of one file or several, makes a chunk; a few threads read one chunk after the other in turn,
and scan, replay and write it into staged parts; a commit makes them visible at once, at the end of a file, or within
one that has many matches. One ingest at a time writes to a store, others wait for it.
"""

import gc
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from .jit.interpreted import interpret_small
from .parsers.chunks import Opened, Piece, examine, lines_of, pieces, too_long
from .parsers.dialect import MAX_DOCUMENT, Dialect
from .parsers.dialects import cut_for, dialect_named, records_for
from .parsers.prefixes import without_prefix
from .parsers.sidecars import Sidecars, kind_of, late, tell_anew
from .parsers.sources import LIMITS, Limits, Source, SourceError, WishError, reading, sources
from .parsers.unpacking import DEFLATED
from .progress import Progress
from .replay.replaying import game_named
from .replay.stakes import Stakes
from .storage.compacting import tidy
from .storage.filling import CHUNK_BYTES, Choice, Entry, Filled, Filler, Work, give_back
from .storage.index import Claims, Index, Queue, StoredMatch, Turn, path_id
from .storage.integrity import blaming
from .storage.ledger import (
    CUT,
    UNDONE,
    Account,
    earlier,
    failed_on,
    joined,
    not_as_it_is,
    summed,
    why_none,
)
from .storage.locations import Place, place_of, reason
from .storage.manifest import Batch, StoreError, forget_empty, locked, read_manifest, staging
from .storage.publishing import Mended, Summary, publish
from .storage.repair import mend_behind, mend_obvious, tell_gone
from .storage.tags import Tags, check_tag
from .storage.writer import BatchWriter
from .variants.properties import shared_by_name
from .variants.registry import VariantFile, all_files, needs_reading, signature

if TYPE_CHECKING:
    from .parsers.acpc_game import Definition
    from .parsers.records_together import Together

_CHUNK_PIECES: Final = 1000
"""The most files, or pieces of files, in a chunk: a short log takes more memory than its text."""

SMALL_CHUNK: Final = 3 << 20
"""The least size of a chunk while more text is left: each chunk costs some milliseconds, however small it is."""

COMMIT_BYTES: Final = 1 << 30
"""A commit comes at the end of a file once the threads have read this much each, on average, since the last commit. A
thread's rows of one commit are a batch; a batch of this much text is not merged again."""

COMMIT_MATCHES: Final = 50_000
"""A commit also comes once so many matches were read, within a file, too: until then each takes a KB or two."""

_CHUNK_MATCHES: Final = 20_000
"""So many matches fill a chunk, however short they are."""

_LATER_BYTES: Final = 64 << 20

_FILES_TRIED: Final = 50
_NAMES_TRIED: Final = 10_000
_LEVELS_TRIED: Final = 8
_SECONDS_TRIED: Final = 1.0
_TRIED_ANYHOW: Final = 20
"""Files that are examined in any case, however long it takes."""
_HEAD_TRIED: Final = 1 << 16
_LITTLE_TEXT: Final = 16 << 20

_NEW_OBJECTS: Final = 50_000
"""Garbage is collected after so many new objects, not after Python's 700: a log makes hundreds that live briefly."""

Chunk = list[Work]
_COMMIT: Final[Chunk] = []
"""A mark between chunks at which a commit is due."""


def ingest(
    paths: Iterable[str | Path],
    store: str | Path | Place,
    *,
    event: str | None = None,
    dialect: str | None = None,
    game: str | None = None,
    game_definition: str | Path | None = None,
    stack: int | None = None,
    blinds: tuple[int, int] | None = None,
    variants: Sequence[str | Path] = (),
    workers: int | None = None,
    progress: Progress | None = None,
    max_document: int | None = None,
    max_line: int | None = None,
    max_match: int | None = None,
    max_ratio: int | None = None,
    tags: Tags = MappingProxyType({}),
) -> Summary:
    """Read logs into a store.

    store     a folder, or s3://bucket/path
    paths     files, folders, globs; .gz, .zst, .zip and .tar* are opened
    event     what tells players of one name apart; None: the folder a log came from
    dialect, game  instead of what the text says
    game_definition  a `.game` file of ACPC matches
    stack, blinds    of heads-up matches of MIT's engines, in the place of what their hands tell: chips that each
              player has as a hand begins; small and big blind
    variants  files of games of the user's own (docs/add-a-variant.md), beside those of RAILBIRD_VARIANTS and of
              installed packages
    workers   threads; None: one a core
    progress  called, from any of the threads, with the bytes done and the bytes there are, as they lie on disk
    max_document  MB of a JSON document, which is read as a whole; None: 64
    max_line, max_match  MB of a line, and of a match; None: 16 and 32. A longer line is not read, and a longer match
              with what follows it
    max_ratio  bytes that a byte of a compressed file becomes on average, where that is more than 64 MB; None: 200
    tags      values of columns, by name, for every match of these files, also of those that the store has already

    Raises StoreError where the store cannot be read or written, WishError for an unknown dialect or game, for
    stakes that no match can have, or for a file that is no game.
    """
    limits = limits_of(max_line, max_match, max_ratio)
    wishes = Wishes.of(
        event, dialect, game, game_definition, stack, blinds, variants, max_document, tags, limits
    )
    root = place_of(store)
    summary = Summary(root, definition=wishes.definition)
    with writing(root) as folder, _few_collections():
        given = list(sources(paths, summary.complaints.append, limits))
        summary.repaired = mend_obvious(root, folder, given, summary.complain_once)
        threads = workers or os.cpu_count() or 1
        run = Run(root, folder, summary, wishes, threads)
        run.read(given, progress)
        if mended := mend_behind(root, folder, given, summary.complain_once, run.unchanged):
            _read_again(Run(root, folder, summary, wishes, threads), given, mended)
        if summary.repaired:
            tell_gone(root, summary.repaired, summary.complain_once)
        tidy(root, folder)
    return summary


def _read_again(run: "Run", given: Sequence[Source], mended: Mended) -> None:
    """Read everything once more: a repair has taken some logs out of the store. What the first time read is known."""
    summary = run.summary
    first = {account.path for account in summary.files}
    summary.repaired = mended
    summary.unchanged.clear()
    summary.repeated.clear()
    summary.complaints.clear()
    run.read(given)
    summary.unchanged[:] = [path for path in summary.unchanged if path not in first]


def limits_of(line: int | None, match: int | None, ratio: int | None) -> Limits:
    """The limits that a user names: MB of a line and of a match, and a ratio; None: the usual one."""
    return Limits(
        LIMITS.line if line is None else line << 20,
        LIMITS.match if match is None else match << 20,
        LIMITS.ratio if ratio is None else ratio,
    )


def holds_log(folder: Path) -> bool:
    """True if a log is among the first names of a folder and those below it, which are looked at for a second.

    True also for so few files that reading them says it sooner, and with all that a log may begin with.
    """
    deadline, size, tried = None, 0, 0
    for tried, path in enumerate(islice(_names_below(folder), _NAMES_TRIED)):
        if deadline is not None and tried > _TRIED_ANYHOW and time.monotonic() > deadline:
            return False
        try:
            if not path.is_file() or path.is_symlink() or not (bytes_there := path.stat().st_size):
                continue
        except OSError:
            continue
        size += bytes_there
        for number, source in enumerate(sources([path], lambda _: None)):
            if _is_log(source):
                return True
            # The dialects are loaded with the first file.
            deadline = deadline or time.monotonic() + _SECONDS_TRIED
            if number > _TRIED_ANYHOW and time.monotonic() > deadline:
                return False
    return tried + 1 < _NAMES_TRIED and size < _LITTLE_TEXT


def is_vast(folder: Path) -> bool:
    """True if a folder and those below it have more names than are looked at, and few of the first files are logs."""
    if next(islice(_names_below(folder), _NAMES_TRIED, None), None) is None:
        return False
    files, logs = 0, 0
    for path in islice(_names_below(folder), _NAMES_TRIED):
        with suppress(OSError):
            if path.is_file() and not path.is_symlink():
                files += 1
                logs += path.stat().st_size > 0 and any(
                    _is_log(one) for one in sources([path], lambda _: None)
                )
        if files == _FILES_TRIED:
            break
    return 2 * logs < files


def _names_below(folder: Path) -> Iterator[Path]:
    """What a folder holds and what lies below it, the nearest first; nothing that is hidden or behind a link."""
    level = [folder]
    for _ in range(_LEVELS_TRIED):
        below = []
        for one in level:
            with suppress(OSError), os.scandir(one) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    yield Path(entry.path)
                    if entry.is_dir(follow_symlinks=False):
                        below.append(Path(entry.path))
        level = below


def _is_log(source: Source) -> bool:
    """True for a file that begins like a log or like a sidecar."""
    try:
        with reading(), source.open() as stream:
            head = stream.read(_HEAD_TRIED)
    except SourceError:
        return False
    opened = Opened(0, len(head), head, whole=True, file_size=len(head))
    if (bare := without_prefix(source, opened)) is not None:
        head = bare[0].head
    return kind_of(head) is not None or records_for(head) is not None or cut_for(head) is not None


@contextmanager
def _few_collections() -> Iterator[None]:
    """Collect garbage seldom, and leave objects that exist already alone: each collection stops every thread."""
    thresholds = gc.get_threshold()
    is_frozen = gc.get_freeze_count() > 0
    if not is_frozen:
        gc.freeze()
    if 0 < thresholds[0] < _NEW_OBJECTS:
        gc.set_threshold(_NEW_OBJECTS, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        if not is_frozen:
            gc.unfreeze()


@dataclass(frozen=True)
class Wishes:
    """What a user says of logs in the place of what they say themselves."""

    event: str | None
    choice: Choice
    definitions: "tuple[Definition, ...]" = ()
    variants: tuple[VariantFile, ...] = ()
    max_document: int = MAX_DOCUMENT
    tags: Tags = field(default_factory=dict)
    limits: Limits = LIMITS

    @property
    def any(self) -> bool:
        """Whether the user says anything."""
        return bool(self.event or self.choice != Choice() or self.definitions)

    @property
    def definition(self) -> str:
        """The name of the ACPC definition that the user gave; empty without one."""
        return ", ".join(definition.name for definition in self.definitions)

    @classmethod
    def of(
        cls,
        event: str | None,
        dialect: str | None,
        game: str | None,
        game_definition: str | Path | None,
        stack: int | None,
        blinds: tuple[int, int] | None,
        variants: Sequence[str | Path] = (),
        max_document: int | None = None,
        tags: Tags = MappingProxyType({}),
        limits: Limits = LIMITS,
    ) -> "Wishes":
        """The options of `ingest`; WishError if they cannot be fulfilled. Registers the user's games."""
        for name in tags:
            check_tag(name)
        said = dict(tags)
        taught = all_files(variants)
        try:
            choice = Choice(
                dialect and dialect_named(dialect).name, game and game_named(game).name, Stakes(stack, blinds)
            )
        except (KeyError, ValueError) as error:
            raise WishError(error.args[0]) from None
        most = MAX_DOCUMENT if max_document is None else max_document << 20
        if game_definition is None:
            return cls(event, choice, variants=taught, max_document=most, tags=said, limits=limits)
        from .parsers.acpc_beside import read_definition

        return cls(event, choice, (read_definition(game_definition),), taught, most, said, limits)


@contextmanager
def writing(root: Place) -> Iterator[Path]:
    """Hold the store for a writer, with a folder for parts; StoreError, one line, where it cannot be written.

    Nothing is left of a new store in which nothing was stored.
    """
    try:
        before = root.exists()
    except OSError as error:
        raise StoreError(f"{root} cannot be read: {reason(error)}") from None
    try:
        with locked(root):
            try:
                with blaming(root), staging(root) as folder:
                    yield folder
            finally:
                if not before:
                    forget_empty(root)
    except OSError as error:
        raise StoreError(f"{root} cannot be written: {reason(error)}") from None


class _Turns:
    """Chunks that threads take in turn, up to where a commit is due: to read one is the turn of one thread."""

    def __init__(self, chunks: Iterator[Chunk]) -> None:
        self._chunks, self._lock, self._large = chunks, Lock(), Lock()
        self._queue = Queue()
        self._over = self.commit = False

    @contextmanager
    def take(self) -> Iterator[tuple[Chunk, Turn] | None]:
        """The next chunk, and its turn to claim matches; None where no thread is to go on."""
        with self._lock:
            chunk = self._next()
            # Two large ones at a time would need too much memory. It is waited for in turn: one with the lock
            # may wait for the claims of an earlier chunk, which must not wait for the lock.
            is_large = chunk is not None and sum(len(work.piece.text) for work in chunk) > 2 * CHUNK_BYTES
            if is_large:
                self._large.acquire()
            turn = self._queue.take()
        try:
            yield None if chunk is None else (chunk, turn)
        finally:
            turn.end()
            if is_large:
                self._large.release()

    def _next(self) -> Chunk | None:
        if self._over:
            return None
        chunk: Chunk | None = None
        try:
            chunk = next(self._chunks, None)
            return chunk or None
        finally:
            self.commit = chunk is _COMMIT
            if not chunk:
                self.stop()

    def stop(self) -> None:
        """Let every thread end with the chunk that it has."""
        self._over = True


class Run:
    """One ingest: reads files in order, fills chunks, and commits."""

    def __init__(
        self,
        root: Place,
        folder: Path,
        summary: Summary,
        wishes: Wishes,
        workers: int,
        index: Index | None = None,
    ) -> None:
        """The caller holds the lock; parts are made in `folder`. `index` is what is known of the store already."""
        self.root, self.folder, self.summary, self.wishes = root, folder, summary, wishes
        self.workers = workers
        self.index = Index() if index is None else index
        self.index.read(root, read_manifest(root))
        self.claims = Claims(self.index)
        self.accounts: dict[int, Account] = {}
        self.stale: list[int] = []
        # Files that are not done, though the store has a row of them.
        self.revised: set[int] = set()
        # Stored matches of unchanged files, which get the user's tags.
        self.tagged: set[int] = set()
        self.unchanged: set[int] = set()
        self.replaced: list[StoredMatch] = []
        self.later: list[Work] = []
        self.idle: list[Filler] = []
        self.staged: list[Batch] = []
        self.staged_bytes = self.staged_matches = 0
        # The file that is read up to a commit within it, and goes on after it.
        self.halfway: int | None = None
        self._books = Lock()
        # Files of records that were read before their turn came (`Together`), by path.
        self._kept: dict[str, Opened] = {}

    def read(self, given: Sequence[Source], progress: Progress | None = None) -> None:
        """Read everything; commit what was read when it is much, and at the end."""
        self._given, self._signature = given, signature()
        self.sidecars = Sidecars(given, self.wishes.definitions, self.summary.complaints.append)
        # In a new store, no log was stored before its sidecars came.
        self.late = late(given, lambda i: self.index.file(i) is not None) if self.index.matches else set()
        size = sum(map(_text_in, given))
        threads = max(min(self.workers, size // SMALL_CHUNK), 1)
        chunks = self._chunks(given, threads * COMMIT_BYTES, progress)
        with interpret_small(size):
            while self._fill_all(chunks, threads):
                self._refuse_strange()
                self.publish(more=True)
            self.idle.clear()
            give_back()
            self._refuse_strange()
            self.publish()

    def _chunks(self, given: Sequence[Source], commit: int, progress: Progress | None) -> Iterator[Chunk]:
        """The pieces of all files, some together; _COMMIT between files where so many bytes are staged."""
        chunk: Chunk = []
        size = matches = done = 0
        total, left = sum(source.size for source in given), sum(map(_text_in, given))
        for source in given:
            before = left
            for work in self._file(source):
                chunk.append(work)
                size += len(work.piece.text)
                matches += len(work.piece.matches)
                self.staged_bytes += len(work.piece.text)
                self.staged_matches += len(work.piece.matches)
                left -= len(work.piece.text)
                is_due = self.staged_matches >= COMMIT_MATCHES
                if is_due or _is_full(chunk, size, matches, self._enough(left)):
                    yield chunk
                    chunk, size, matches = [], 0, 0
                    if is_due:
                        self.halfway = work.file_id
                        yield _COMMIT
                        self.halfway = None
                    if progress is not None:
                        read = min((before - left) / max(_text_in(source), 1), 1)
                        progress(done + int(read * source.size), total)
            done += source.size
            left = before - _text_in(source)
            if progress is not None:
                progress(done, total)
            if self.staged_bytes >= commit or sum(len(w.piece.text) for w in self.later) > _LATER_BYTES:
                if chunk:
                    yield chunk
                    chunk, size, matches = [], 0, 0
                yield _COMMIT
        if chunk:
            yield chunk

    def _enough(self, left: int) -> int:
        """Bytes of a chunk, less at the end of a run of several threads: all are to end at one time."""
        if self.workers == 1:
            return CHUNK_BYTES
        return min(CHUNK_BYTES, max(SMALL_CHUNK, left // self.workers))

    def _file(self, source: Source) -> Iterator[Work]:
        """The pieces of a file, unless the store knows it or nobody knows its lines."""
        # Files that cannot be opened are recorded by path.
        unopened = path_id(source.path)
        try:
            opened = self._kept.pop(source.path, None) or examine(source)
        except SourceError as error:
            account = Account(unopened, source.path, source.size)
            self._refuse_unread(account, error, self.index.file(unopened) is not None)
            return
        if self.index.file(unopened):
            self.stale.append(unopened)
        with closing(opened):
            yield from self._opened(source, opened)

    def _opened(self, source: Source, opened: Opened) -> Iterator[Work]:
        known = self.index.file(opened.file_id)
        if opened.file_id in self.accounts or (
            known
            and not known.rejected
            and not needs_reading(known.variants)
            and not tell_anew(self.late, source, opened.head)
        ):
            is_repeated = opened.file_id in self.accounts or opened.file_id in self.unchanged
            (self.summary.repeated if is_repeated else self.summary.unchanged).append(source.path)
            self.unchanged.add(opened.file_id)
            self.summary.held |= known is not None
            if self.wishes.tags:
                self.tagged.update(match.match_id for match in self.index.matches_of(opened.file_id))
            self.summary.overruled |= self.wishes.any
            return
        account = Account(
            opened.file_id, source.path, opened.file_size, cut=opened.cut, variants=self._signature
        )
        # Where it fails, what was read of it before stays.
        try:
            yield from self._pieces(source, opened, account, known is not None)
        except MemoryError:
            raise
        except SourceError as error:
            self._count_unread(source, opened, account)
            self._refuse_unread(account, error, known is not None)
        except Exception as error:
            self._count_unread(source, opened, account)
            self._refuse(account, failed_on(error), known is not None)

    def _count_unread(self, source: Source, opened: Opened, account: Account) -> None:
        """Count the lines of a file of which nothing was read: those of pieces are counted with them."""
        if account.lines_seen or account.file_id in self.accounts:
            return
        with suppress(SourceError):
            account.lines_seen = lines_of(source, opened)

    def _pieces(self, source: Source, opened: Opened, account: Account, again: bool) -> Iterator[Work]:
        dialect = opened.records
        if members := self._members(source, opened, dialect):
            if members[0].path != source.path:
                from .parsers.records_together import KIND

                account.sidecar = KIND.format(os.path.basename(members[0].path))
                account.lines_seen = lines_of(source, opened)
                self._open(account, again)
                return
        elif kind := kind_of(opened.head) or self.sidecars.kind_beside(source, opened.head):
            account.lines_seen = lines_of(source, opened)
            if why := self.sidecars.why_alone(source, opened.head):
                self._refuse(account, why, again)
                return
            account.sidecar = kind
            self._open(account, again)
            return
        if why := not_as_it_is(opened.head):
            account.lines_seen = lines_of(source, opened)
            self._refuse(account, why, again)
            return
        # A prefix would stand before the brace with which a JSON document begins.
        is_json = dialect is not None and dialect.records is not None and dialect.records.is_json
        if is_json or (bare := without_prefix(source, opened)) is None:
            yield from self._matches(source, opened, account, again, dialect)
            return
        account.taken_off = bare[1]
        with closing(bare[0]) as without:
            yield from self._matches(source, without, account, again, without.records)

    def _matches(
        self, source: Source, opened: Opened, account: Account, again: bool, dialect: Dialect | None
    ) -> Iterator[Work]:
        """The pieces of a file that is no sidecar; dialect: of its records, None if it has none."""
        known = self.index.file(opened.file_id)
        anew = tell_anew(self.late, source, opened.head) or (known is not None and known.reopened)
        # A decoded file is gone once its pieces are read.
        long_line = too_long(source, opened) if opened.long_lines[0] else None
        found = 0
        for piece in self._cut(source, opened, dialect):
            if not found:
                self._open(account, again)
            found += 1
            event = self.wishes.event or source.folder
            yield Work(opened.file_id, event, self.sidecars.inform(piece, source), anew=anew)
        if long_line is not None:
            account.lines_seen = account.lines_seen if found else lines_of(source, opened)
            raise long_line
        if not found:
            account.lines_seen = lines_of(source, opened)
            self._refuse(account, CUT if opened.cut else why_none(opened.head), again)

    def _cut(self, source: Source, opened: Opened, dialect: Dialect | None) -> Iterator[Piece]:
        """The pieces of a log's text, or of that which is made of a file of records."""
        if dialect is None:
            return pieces(source, opened)
        from .parsers.records import translated

        others = self._members(source, opened, dialect)[1:]
        most = self.wishes.max_document
        return translated(source, opened, dialect, most, self.sidecars.beside, others, self._kept)

    def _members(self, source: Source, opened: Opened, dialect: Dialect | None) -> tuple[Source, ...]:
        """The files of the match of a file of records, where its dialect has a match in several; else none."""
        if dialect is None or dialect.records is None or not dialect.records.together:
            return ()
        return self._together.members(source, opened)

    @cached_property
    def _together(self) -> "Together":
        from .parsers.records_together import Together

        return Together(self._given, lambda file_id: self.index.file(file_id) is not None, self._kept)

    def _open(self, account: Account, again: bool) -> None:
        self.accounts[account.file_id] = account
        self.summary.files.append(account)
        if account.cut:
            self.summary.complaints.append(f"{account.path}: line 1: {CUT}")
        if again:
            self.stale.append(account.file_id)
            # What a user's game makes of a log may begin and end at other lines.
            known = self.index.file(account.file_id)
            # Of what an ingest read that was killed halfway, the ledger is to be made anew.
            if known is not None and (known.undone or needs_reading(known.variants)):
                for match in self.index.matches_of(account.file_id):
                    self.index.remove(match)
                    self.replaced.append(match)

    def _refuse(self, account: Account, problem: str, again: bool, line: int = 1) -> None:
        """Note why a file, or the rest of it, is not read; again: the store has a row of it already."""
        account.problem, account.line = problem, line
        self.summary.complaints.append(account.complaint)
        if account.file_id not in self.accounts:
            self.summary.files.append(account)
            if not again:
                self.accounts[account.file_id] = account

    def _refuse_unread(self, account: Account, error: SourceError, again: bool) -> None:
        if error.passing:
            self.summary.unread.append(account.path)
        self._refuse(account, str(error), again, error.line)

    def _refuse_strange(self) -> None:
        """Reject files that begin like a log and are of no known engine."""
        undone = {work.file_id for work in self.later} | {self.halfway}
        for account in self.accounts.values():
            why = account.why_no_log(self.wishes.choice.dialect)
            if why is not None and account.file_id not in undone:
                account.problem, account.line = why
                self.summary.complaints.append(account.complaint)

    def _fill_all(self, chunks: Iterator[Chunk], threads: int = 1) -> bool:
        """Fill chunks in so many threads, this one among them; True where a commit is due and more may follow."""
        turns = _Turns(chunks)
        with ThreadPoolExecutor(max(threads - 1, 1)) as pool:
            others = [pool.submit(copy_context().run, self._fill, turns) for _ in range(threads - 1)]
            try:
                self._fill(turns)
            finally:
                turns.stop()
            for other in others:
                other.result()
        return turns.commit

    def _fill(self, turns: _Turns) -> None:
        """Fill one chunk after the other, and finish the parts in the making."""
        # A filler stays: arrays made anew for every commit would each time leave a tenth more memory in use.
        try:
            filler = self.idle.pop()
        except IndexError:
            filler = Filler(self.root, BatchWriter(self.folder), self.claims, self.wishes.choice)
        try:
            while True:
                with turns.take() as taken:
                    if taken is None:
                        break
                    filled = filler.fill(*taken)
                with self._books:
                    self._settle(filled)
            if batch := filler.close():
                self.staged.append(batch)
        except BaseException:
            turns.stop()
            raise
        self.idle.append(filler)

    def _settle(self, filled: Filled) -> None:
        self.replaced += filled.replaced
        self.later += filled.later
        for entry in filled.entries:
            _book(self.accounts[entry.file_id], entry)
            self.summary.verdicts.update(entry.verdicts)
            self.summary.deviations.update(entry.deviations)

    def _take_back(self, replaced: Sequence[StoredMatch]) -> None:
        """Take stored matches out of the accounts of files that are not done."""
        if replaced:
            # Loads Arrow's compute functions, which most ingests do without.
            from .storage.publishing import damaged_hands

            for match in replaced:
                self.accounts[match.file_id].lose(match.hands, damaged_hands(self.root, match))

    def publish(self, more: bool = False) -> None:
        """Commit what is staged; then matches whose other version is staged, until none is left.

        more: other files follow.
        """
        while True:
            staged, self.staged = self.staged, []
            order = {file_id: place for place, file_id in enumerate(self.accounts)}
            later = sorted(self.later, key=lambda work: (order[work.file_id], work.piece.matches_before))
            self.later = []
            known = list(self.accounts.values())
            readable = any(account.was_read for account in known)
            self.summary.add_replaced(self.replaced, self.stale)
            self._take_back([match for match in self.replaced if match.file_id in self.revised])
            undone = {work.file_id: self.accounts[work.file_id] for work in later}
            if self.halfway is not None:
                undone[self.halfway] = self.accounts[self.halfway]
            problems = {file_id: account.problem for file_id, account in undone.items()}
            for account in undone.values():
                # A refused file is read again, so this one is if the process ends before the next commit.
                account.problem = account.problem or UNDONE
            if (known or self.stale or self.tagged) and (readable or self.index.batches):
                copies = publish(
                    self.root,
                    self.folder,
                    self.index,
                    staged,
                    known,
                    self.replaced,
                    self.stale,
                    self.revised,
                    claimed=self.index.claimed,
                    tags=self.wishes.tags,
                    tagged=self.tagged,
                )
                self.summary.add_copies(copies, self.revised)
            for file_id, problem in problems.items():
                undone[file_id].problem = problem
            self.accounts, self.revised = undone, set(undone)
            self.replaced, self.stale = [], []
            self.staged_bytes = self.staged_matches = 0
            self.tagged = set()
            if later or more:
                self.index.read(self.root, read_manifest(self.root))
            if not later:
                return
            self._fill_all(iter([[work] for work in later]))


def _is_full(chunk: Chunk, size: int, matches: int, enough: int) -> bool:
    """True where a chunk is to be filled; enough: bytes of its text."""
    return size >= enough or len(chunk) >= _CHUNK_PIECES or matches >= _CHUNK_MATCHES


def _text_in(source: Source) -> int:
    """Bytes of text, guessed where they are compressed."""
    return source.size * (DEFLATED if source.packed else 1)


def _book(account: Account, entry: Entry) -> None:
    account.lines_seen += entry.lines
    account.lines_unknown += entry.unknown
    account.matches += entry.matches
    account.hands_stored += entry.hands
    account.hands_damaged += entry.verdicts["damaged"]
    account.rejected = summed(account.rejected, entry.rejected)
    account.fits = summed(account.fits, entry.fits)
    account.dialects = joined(account.dialects, tuple(entry.dialects.items()))
    account.strange = earlier(account.strange, entry.strange)
    account.nameless = earlier(account.nameless, entry.nameless)
    account.games = shared_by_name(*account.games.values(), *entry.games.values())
    account.revisions = joined(account.revisions, tuple(entry.revisions.items()))
