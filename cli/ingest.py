"""The commands that write a store: ingest, watch, compact, tag and forget."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..reports import UserError
from .opening import complain, progress_bar
from .options import STORE, How, KeptStore, LogsEvent, OneEvent, Tagged, ingests_logs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..analytics.own_logs import OwnLine
    from ..reports.live import Leaders
    from ..storage.locations import Place


@ingests_logs
def ingest(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Logs, folders or globs; .gz .zst .zip .tar.gz too.")
    ],
    store: KeptStore = STORE,
    event: LogsEvent = None,
    tag: Tagged = None,
    join: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="A bot's own log, JSON lines with round and order: they become notes of its decisions in these logs "
            "(docs/own-logs.md); may be repeated.",
        ),
    ] = None,
    join_line: Annotated[
        list[str] | None,
        typer.Option(
            "--join-line",
            metavar="'KEYS PATTERN'",
            help="With --join: how a bot prints a line, as 'round+order+equity R{n} d{n}: {d}'; may be repeated.",
        ),
    ] = None,
    how: How | None = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", "-j", metavar="N", min=1, help="Number of threads [default: one per core]."
        ),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Dask cluster that does the work: tcp://HOST:PORT.")
    ] = None,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", help="Print a line for each file that is not read, however many have one reason."
        ),
    ] = False,
) -> None:
    """Read logs into the store and verify every hand."""
    if join_line and not join:
        raise UserError("--join-line: --join FILE names the bot's own log")
    from ..jit.startup import prepare_process

    prepare_process()
    from ..ingest import ingest as run
    from ..reports.terminal import printable
    from ..storage.tags import tags_of

    forms: Sequence[OwnLine] = ()
    if join_line:
        from ..analytics.own_logs import own_lines

        # Before logs are read, which may take long.
        forms = own_lines(join_line)

    with progress_bar("Reading") as progress:
        options = {**(how or {}), "event": event, "progress": progress, "tags": tags_of(tag or ())}
        if scheduler is not None:
            from ..cluster import ingest_on_cluster

            summary = ingest_on_cluster(paths, store, scheduler, **options)
        else:
            summary = run(paths, store, workers=workers, **options)
    for line in summary.complaints if verbose else summary.few_complaints("; --verbose lists them"):
        complain(line)
    if summary.nothing_read:
        if not summary.complaints:
            raise UserError("nothing to read")
        raise typer.Exit(2)
    for line in summary.lines():
        print(printable(line))
    if summary.nothing_stored:
        raise UserError("no hand was stored")
    if join:
        _join(store, join, [*(account.path for account in summary.files), *summary.unchanged], forms)


def _join(store: str, logs: "Sequence[Path]", paths: "Sequence[str]", forms: "Sequence[OwnLine]") -> None:
    """Tie bots' own logs to the decisions in the matches of some files."""
    from ..analytics import own_logs
    from ..reports.terminal import printable
    from ..storage.locations import place_of

    place = place_of(store)
    for log in logs:
        found = own_logs.join(place, log, paths, forms)
        for line in own_logs.listed(found.complaints):
            complain(line)
        print(printable(found.sentence))


@ingests_logs
def watch(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that logs are written to.")],
    store: KeptStore = STORE,
    event: LogsEvent = None,
    tag: Tagged = None,
    how: How | None = None,
    every: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="Seconds between two passes.")
    ] = 10.0,
    once: Annotated[bool, typer.Option("--once", help="Stop after one pass.")] = False,
) -> None:
    """Keep ingesting the new and grown logs of a folder.

    Each pass that reads something prints what, and who leads. `railbird serve --watch` shows the same as a page.
    """
    from ..jit.startup import prepare_process

    prepare_process()
    from ..reports.live import Leaders
    from ..reports.terminal import printable
    from ..storage.manifest import StoreError
    from ..storage.tags import tags_of
    from ..watch import Watcher

    if not folder.is_dir():
        raise UserError(f"{folder} is not a folder")
    watcher = Watcher(folder, store, event, **(how or {}), **({"tags": tags_of(tag)} if tag else {}))
    leaders, first = Leaders(), True
    while True:
        try:
            summary = watcher.look(complain)
        except (StoreError, OSError) as error:
            if first or once:
                raise
            complain(str(error))
            summary = None
        if summary is not None:
            for line in watcher.complaints_of(summary):
                complain(line)
            print(printable(f"{time.strftime('%H:%M:%S')}  {summary.line()}"))
            for line in _leaders(watcher.place, leaders):
                print(f"          {line}")
            sys.stdout.flush()
        if once:
            return
        first = False
        time.sleep(every)


def _leaders(place: "Place", leaders: "Leaders") -> "list[str]":
    """Who leads in the competitions of a store that have new hands; nothing where it has no hands."""
    from ..analytics.store import open_store
    from ..reports.live import competitions
    from ..storage.manifest import StoreError, read_manifest

    try:
        if not read_manifest(place).batches:
            return []
        with open_store(place) as store:
            return list(leaders.lines(competitions(store)))
    except StoreError as error:
        complain(str(error))
        return []


def compact(store: KeptStore = STORE) -> None:
    """Merge the store's small files; others can read during that."""
    from ..storage.compacting import compact as run

    done = run(store)
    if not done.batches:
        print("nothing to merge: the parts are large enough")
        return
    before, after = done.bytes_before / 1e6, done.bytes_after / 1e6
    batches = f"{done.batches:,} batches ({done.parts_before:,} parts, {before:.1f} MB)"
    print(f"merged {batches} into {done.parts_after:,} parts, {after:.1f} MB")


_Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[MATCH]...",
        help="A file, a folder, a match_id, the beginning of one, @last, or @1 of the last table.",
    ),
]


def tag(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="[MATCH]... NAME=VALUE...",
            help="Matches (a file, a folder, a match_id, the beginning of one, @last, @1), and the tags that they get; "
            "NAME= takes a tag away.",
        ),
    ],
    store: KeptStore = STORE,
    event: OneEvent = None,
) -> None:
    """Tag matches: each tag becomes a column.

    It is one of matches, hands, seats, players and results. --split NAME of other commands counts a player's matches
    with each value as a player of their own.
    """
    from ..reports.terminal import counted
    from ..storage.editing import tag as run
    from ..storage.tags import tags_of

    tags = [name for name in names if "=" in name]
    if not tags:
        raise UserError("no tag: give NAME=VALUE, such as version=v7")
    done = run(store, [name for name in names if "=" not in name], tags_of(tags), event)
    print(f"tagged {counted(done.matches, 'match')}, {counted(done.hands, 'hand')}")


def forget(names: _Names = None, store: KeptStore = STORE, event: OneEvent = None) -> None:
    """Remove what was ingested by mistake.

    A forgotten file can be ingested again. A file of which only some matches were forgotten stays as it is.
    """
    from ..reports.terminal import counted
    from ..storage.editing import forget as run

    done = run(store, names or (), event)
    files = f", {counted(done.files, 'file')}" if done.files else ""
    print(f"forgot {counted(done.matches, 'match')}, {counted(done.hands, 'hand')}{files}")
