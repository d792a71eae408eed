"""Ingest on a Dask cluster: workers read, replay and write; the client decides what is new, and commits once.

A task is a batch of whole files. It ends with parts that nobody sees yet, in the staging folder of a shared store or
in the bucket, and says what they hold. A worker that dies leaves parts that no commit names; Dask gives its task to
another, which writes parts of other names. Tasks know the store as it was when the ingest began, not each other:
where two hold versions of one match, the client takes the first in the order of the files, and the other is read
again, when the store holds the first.
"""

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from .ingest import COMMIT_BYTES, Run, Wishes, limits_of, writing
from .parsers.sources import files_of, shown, sources
from .parsers.unpacking import ratio
from .progress import Progress
from .storage.compacting import tidy
from .storage.index import Index, StoredMatch, path_id
from .storage.ledger import Account
from .storage.locations import Folder, Place, failure, place_of, temporary_folder
from .storage.manifest import Batch, StoreError, begun, pending, read_manifest
from .storage.publishing import Summary, publish
from .storage.repair import mend_obvious, tell_gone
from .storage.tags import Tags

if TYPE_CHECKING:
    from distributed import Client

LEAST_BYTES: Final = 64 << 20
"""Less text is not worth a task: its parts would be small."""

_PER_THREAD: Final = 4
_WAIT: Final = "20s"


@dataclass(frozen=True)
class Task:
    """A batch of files, and where their parts go: a folder that all machines see, or None for the store's bucket."""

    store: str
    folder: str | None
    paths: tuple[str, ...]
    wishes: Wishes
    size: int


@dataclass
class Done:
    """What a task stored, unseen yet: its parts, the account of its files, the matches that they hold.

    tagged: stored matches that get the user's tags.
    again: matches that must be claimed when another version of them is in the store.
    """

    staged: list[Batch]
    summary: Summary
    accounts: list[Account]
    claimed: list[StoredMatch]
    replaced: list[StoredMatch]
    stale: list[int]
    tagged: set[int]
    again: bool


def ingest_on_cluster(
    paths: Iterable[str | Path],
    store: str | Path | Place,
    scheduler: str,
    *,
    event: str | None = None,
    dialect: str | None = None,
    game: str | None = None,
    game_definition: str | Path | None = None,
    stack: int | None = None,
    blinds: tuple[int, int] | None = None,
    variants: Sequence[str | Path] = (),
    max_document: int | None = None,
    max_line: int | None = None,
    max_match: int | None = None,
    max_ratio: int | None = None,
    batch_bytes: int | None = None,
    progress: Progress | None = None,
    tags: Tags = MappingProxyType({}),
) -> Summary:
    """Read logs into a store on the workers of a Dask cluster; arguments not named here are those of `ingest`.

    paths        as every worker sees them
    store        s3://bucket/path, or a folder that every worker sees
    scheduler    its address, tcp://HOST:PORT
    batch_bytes  text of a task, about; None: by how much there is and how many threads

    Raises StoreError also where there is no cluster, or its workers cannot do it.
    """
    limits = limits_of(max_line, max_match, max_ratio)
    wishes = Wishes.of(
        event, dialect, game, game_definition, stack, blinds, variants, max_document, tags, limits
    )
    root = place_of(store)
    summary = Summary(root, definition=wishes.definition)
    listed = [(path, _weight(Path(path))) for path in files_of(paths, summary.complaints.append)]
    with _connected(scheduler) as (client, threads), writing(root) as folder:
        given = list(sources(paths, lambda _: None, limits))
        summary.repaired = mend_obvious(root, folder, given, summary.complain_once)
        total = sum(size for _, size in listed)
        least = batch_bytes or min(max(total // (_PER_THREAD * threads), LEAST_BYTES), COMMIT_BYTES)
        shared = folder if isinstance(root, Folder) else None
        where = str(root.root.resolve()) if isinstance(root, Folder) else str(root)
        tasks = [
            Task(where, str(shared.resolve()) if shared else None, some, wishes, size)
            for some, size in _batches(listed, least)
        ]
        if not shared:
            # Workers put their parts into the bucket before the client commits them.
            begun(root)
        cluster = _Ingest(client, root, folder, summary, progress, total, wishes.tags)
        # What two tasks have in common is read again: once more there, and what is left then, here.
        left = cluster.round(cluster.round(tasks))
        if left:
            run = Run(root, folder, summary, wishes, 1)
            again = (path for task in left for path in task.paths)
            run.read(list(sources(again, summary.complaints.append, limits)))
        if summary.repaired:
            tell_gone(root, summary.repaired, summary.complain_once)
        tidy(root, folder)
    return summary


class _Ingest:
    """The client's side of an ingest."""

    def __init__(
        self,
        client: "Client",
        root: Place,
        folder: Path,
        summary: Summary,
        progress: Progress | None,
        total: int,
        tags: Tags,
    ) -> None:
        self.tags = tags
        self.client, self.root, self.folder, self.summary = client, root, folder, summary
        self.progress, self.total, self.finished = progress, total, 0

    def round(self, tasks: Sequence[Task]) -> list[Task]:
        """Do tasks, commit what they stored, at once; the tasks that met another one are to be done again."""
        if not tasks:
            return []
        taken = _Taken()
        left = []
        for task, done in zip(tasks, self._do(tasks), strict=True):
            if isinstance(done, str):
                self.summary.files += taken.lose(task, done)
            elif done.again or not taken.take(done):
                left.append(task)
            else:
                _add(self.summary, done.summary)
        self.summary.add_replaced(taken.replaced, taken.stale)
        if taken.accounts or taken.stale or taken.lost or taken.tagged:
            index = Index()
            index.read(self.root, read_manifest(self.root))
            # A row that stands of a file not read before stands again.
            lost = [account for account in taken.lost if index.file(account.file_id) is None]
            brought = isinstance(self.root, Folder)
            copies = publish(
                self.root,
                self.folder,
                index,
                taken.staged if brought else [],
                [*taken.accounts.values(), *lost],
                taken.replaced,
                taken.stale,
                brought=[] if brought else taken.staged,
                claimed=taken.claimed,
                tags=self.tags,
                tagged=taken.tagged,
            )
            self.summary.add_copies(copies)
        return left

    def _do(self, tasks: Sequence[Task]) -> list[Done | str]:
        """What became of each task; the reason where it failed or workers died of it, which is complained of."""
        from distributed import as_completed

        # Not pure: a task done again writes parts of other names.
        futures = [self.client.submit(work, task, pure=False) for task in tasks]
        place = {future.key: k for k, future in enumerate(futures)}
        results: list[Done | str] = [""] * len(tasks)
        for future in as_completed(futures, loop=self.client.loop):
            task = tasks[place[future.key]]
            try:
                # Waits once more where the worker died with the result.
                results[place[future.key]] = future.result()
            except StoreError:
                raise
            except Exception as error:
                rest = f" and {len(task.paths) - 1:,} more" if len(task.paths) > 1 else ""
                why = results[place[future.key]] = f"not read ({_said(error)})"
                self.summary.complaints.append(f"{task.paths[0]}{rest}: {why}")
            future.release()
            self.finished += task.size
            if self.progress is not None:
                self.progress(min(self.finished, self.total), self.total)
        return results


@dataclass
class _Taken:
    """What the tasks of a round stored, as far as they do not meet."""

    staged: list[Batch] = field(default_factory=list)
    accounts: dict[int, Account] = field(default_factory=dict)
    replaced: list[StoredMatch] = field(default_factory=list)
    stale: list[int] = field(default_factory=list)
    heads: set[int] = field(default_factory=set)
    claimed: list[StoredMatch] = field(default_factory=list)
    tagged: set[int] = field(default_factory=set)
    lost: list[Account] = field(default_factory=list)

    def lose(self, task: Task, why: str) -> list[Account]:
        """The accounts of a task's files, of which it failed: they stand for what could not be opened."""
        lost = [Account(path_id(shown(path)), shown(path), _size(path), problem=why) for path in task.paths]
        self.lost += lost
        return lost

    def take(self, done: Done) -> bool:
        """Take what a task stored; False where another task read the same file, or a version of the same match."""
        heads = {match.head_hash for match in done.claimed}
        again = [account for account in done.accounts if account.file_id in self.accounts]
        if heads & self.heads or any(not (account.problem or account.sidecar) for account in again):
            return False
        # The same notes or sidecar in two folders: one row of the ledger.
        for account in again:
            done.summary.files = [a for a in done.summary.files if a.file_id != account.file_id]
            done.summary.repeated.append(account.path)
        self.accounts |= {a.file_id: a for a in done.accounts if a.file_id not in self.accounts}
        self.staged += done.staged
        self.replaced += done.replaced
        self.stale += [file_id for file_id in done.stale if file_id not in self.stale]
        self.heads |= heads
        self.claimed += done.claimed
        self.tagged |= done.tagged
        return True


_known = threading.local()
"""The index of the store that this thread of a worker last wrote for."""


def work(task: Task) -> Done:
    """One task, in a thread of a worker: read its files, write their parts, commit nothing."""
    root = place_of(task.store)
    if task.folder is not None:
        if not Path(task.folder).is_dir():
            raise StoreError(f"{task.store} is not visible to the workers")
        return _work(task, root, Path(task.folder))
    with temporary_folder() as folder:
        done = _work(task, root, folder)
        if not done.again:
            root.bring(pending((folder, part) for batch in done.staged for part in batch.parts))
        return done


def _work(task: Task, root: Place, folder: Path) -> Done:
    for variant in task.wishes.variants:
        variant.add()
    index = _index_of(task, root)
    _known.held = None
    summary = Summary(task.store)
    run = _TaskRun(root, folder, summary, task.wishes, 1, index)
    run.read(list(sources(task.paths, summary.complaints.append, task.wishes.limits)))
    claimed = index.claimed
    # For the next task the store is as it was: other tasks' matches are the client's business, and this one's too.
    index.restore()
    _known.held = (task.store, index)
    return Done(
        run.staged,
        summary,
        list(run.accounts.values()),
        claimed,
        run.replaced,
        run.stale,
        run.tagged,
        bool(run.later),
    )


class _TaskRun(Run):
    """An ingest whose commit is the client's."""

    def publish(self, more: bool = False) -> None:
        """Leave what is staged."""
        self.staged_bytes = self.staged_matches = 0


def _index_of(task: Task, root: Place) -> Index:
    """What the store holds, read once for all tasks of a round that a thread does."""
    manifest = read_manifest(root)
    names = {batch.name for batch in manifest.batches}
    held: tuple[str, Index] | None = getattr(_known, "held", None)
    known = held is not None and held[0] == task.store and not held[1].batches - names
    index = held[1] if held is not None and known else Index()
    index.read(root, manifest)
    return index


def _weight(path: Path) -> int:
    """Bytes of text in a file, about."""
    try:
        return path.stat().st_size * ratio(path)
    except OSError:
        return 0


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _batches(listed: Sequence[tuple[str, int]], least: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Files in order, so many together that they weigh `least`."""
    some: list[str] = []
    size = 0
    for path, weight in listed:
        some.append(path)
        size += weight
        if size >= least:
            yield tuple(some), size
            some, size = [], 0
    if some:
        yield tuple(some), size


def _add(summary: Summary, other: Summary) -> None:
    summary.files += other.files
    summary.unchanged += other.unchanged
    summary.repeated += other.repeated
    summary.held |= other.held
    summary.complaints += other.complaints
    summary.verdicts += other.verdicts
    summary.deviations += other.deviations
    summary.overruled |= other.overruled
    summary.unread += other.unread


def _said(error: BaseException | None) -> str:
    if type(error).__name__ == "KilledWorker":
        return "its workers died"
    return failure(error)


class _connected:
    """A client of a scheduler and the threads of its workers; StoreError where there are none that can do it."""

    def __init__(self, scheduler: str) -> None:
        self.scheduler = scheduler

    def __enter__(self) -> "tuple[Client, int]":
        try:
            from distributed import Client
        except ImportError:
            raise StoreError("a cluster needs Dask: pip install 'railbird[dask]'") from None
        try:
            self.client: Client = Client(self.scheduler, timeout=_WAIT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise StoreError(f"no Dask scheduler answers at {self.scheduler} ({_said(error)})") from None
        try:
            return self.client, self._threads()
        except BaseException:
            self.client.close()
            raise

    def _threads(self) -> int:
        """The workers' threads, when all have this railbird."""
        from . import __version__

        try:
            versions: dict[str, str] = self.client.run(_version)
        except Exception as error:
            raise StoreError(f"the workers of {self.scheduler} have no railbird ({_said(error)})") from None
        if not versions:
            raise StoreError(f"the scheduler at {self.scheduler} has no workers")
        other = sorted(set(versions.values()) - {__version__})
        if other:
            raise StoreError(f"the workers have railbird {', '.join(other)}, this is {__version__}")
        return sum(self.client.nthreads().values())

    def __exit__(self, *_: Any) -> None:
        self.client.close()


def _version() -> str:
    from . import __version__

    return __version__
