"""The commands that write a store: ingest, watch and compact."""

import time
from pathlib import Path
from typing import Annotated

import typer

from ..reports import UserError
from .opening import complain, progress_bar
from .options import STORE, How, KeptStore, LogsEvent, reads_logs


@reads_logs
def ingest(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Logs, folders or globs; .gz .zst .zip .tar.gz too.")
    ],
    store: KeptStore = STORE,
    event: LogsEvent = None,
    how: How | None = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Number of threads [default: one per core].")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Dask cluster that does the work: tcp://HOST:PORT.")
    ] = None,
) -> None:
    """Read logs into the store and verify every hand."""
    from ..jit.startup import prepare_process

    prepare_process()
    from ..ingest import ingest as run
    from ..reports.terminal import printable

    with progress_bar("Reading") as progress:
        options = {**(how or {}), "event": event, "progress": progress}
        if scheduler is not None:
            from ..cluster import ingest_on_cluster

            summary = ingest_on_cluster(paths, store, scheduler, **options)
        else:
            summary = run(paths, store, workers=workers, **options)
    for line in summary.complaints:
        complain(line)
    if summary.nothing_read:
        if not summary.complaints:
            raise UserError("nothing to read")
        raise typer.Exit(2)
    for line in summary.lines():
        print(printable(line))


@reads_logs
def watch(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that logs are written to.")],
    store: KeptStore = STORE,
    event: LogsEvent = None,
    how: How | None = None,
    every: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="Seconds between two passes.")
    ] = 10.0,
    once: Annotated[bool, typer.Option("--once", help="Stop after one pass.")] = False,
) -> None:
    """Keep ingesting the new and grown logs of a folder."""
    from ..jit.startup import prepare_process

    prepare_process()
    from ..reports.terminal import printable
    from ..storage.manifest import StoreError
    from ..watch import Watcher

    if not folder.is_dir():
        raise UserError(f"{folder} is not a folder")
    watcher = Watcher(folder, store, event, **(how or {}))
    first = True
    while True:
        try:
            summary = watcher.look(complain)
        except (StoreError, OSError) as error:
            if first or once:
                raise
            complain(str(error))
            summary = None
        if summary is not None:
            for line in summary.complaints:
                complain(line)
            print(printable(f"{time.strftime('%H:%M:%S')}  {summary.line()}"), flush=True)
        if once:
            return
        first = False
        time.sleep(every)


def compact(store: KeptStore = STORE) -> None:
    """Merge the store's small files; others can read it meanwhile."""
    from ..storage.compacting import compact as run

    done = run(store)
    if not done.batches:
        print("nothing to merge: the parts are large enough")
        return
    before, after = done.bytes_before / 1e6, done.bytes_after / 1e6
    batches = f"{done.batches:,} batches ({done.parts_before:,} parts, {before:.1f} MB)"
    print(f"merged {batches} into {done.parts_after:,} parts, {after:.1f} MB")
