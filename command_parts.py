"""What the commands share: their common options, the store they open, and what they say on standard error."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from .reports import Format, UserError

if TYPE_CHECKING:
    from .analytics.store import Store

StoreDir = Annotated[
    str,
    typer.Option("--store", metavar="DIR", envvar="RAILBIRD_STORE", help="Its folder, or s3://bucket/path."),
]
Form = Annotated[Format, typer.Option("--format", help="How the table comes out.", case_sensitive=False)]
Match = Annotated[
    str | None,
    typer.Option(
        metavar="MATCH", help="One match: its match_id, the beginning of it, or its file's name, FOLDER/FILE."
    ),
]
Event = Annotated[
    str | None, typer.Option(metavar="NAME", help="The player's event, where several have the name.")
]
Game = Annotated[str | None, typer.Option(metavar="GAME", help="The player's game, likewise.")]
Seat = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="The player's seat from 0, where a match holds the name twice (Koper: of the first match).",
    ),
]
STORE = "railbird-store"
_EVERY = 60
"""Seconds between lines about a long job."""


@contextmanager
def opened_store(store: str | Path) -> "Iterator[Store]":
    """The store of a folder; of a folder of logs, a store that lasts as long as the command."""
    import duckdb

    from .analytics.store import open_store, unreadable
    from .storage import beside
    from .storage.manifest import NoStore, read_manifest
    from .storage.places import place_of

    with ExitStack() as stack:
        try:
            place = place_of(store)
            read_manifest(place)
        except NoStore:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="railbird-")))
            place = place_of(_read_logs(store, folder))
        try:
            with open_store(place, lambda: progress_bar("Counting equities")) as opened:
                yield opened
        except duckdb.Error as error:
            told = unreadable(place, error)
            if told is None:
                raise
            raise told from None
        finally:
            if beside.end(place):
                complain(f"{place} cannot be written: its equities were counted for this command only")


@contextmanager
def users_query() -> Iterator[None]:
    """Runs what the user wrote in SQL: an error of DuckDB there is the user's."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        # The rest of its text draws an arrow below the query.
        raise UserError(str(error).split("\n\nLINE ")[0]) from None


def _read_logs(path: str | Path, folder: Path) -> Path:
    """Ingest a folder of logs into a store that is thrown away."""
    from .ingest import ingest as run

    summary = run([path], folder / "store")
    if summary.nothing_read:
        raise UserError(f"{path} is neither a railbird store nor a folder of logs")
    complain(
        f"{path} is a folder of logs: they were read for this command only, `railbird ingest` keeps them"
    )
    return folder / "store"


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function (done, total) that draws a bar on standard error; where that is no terminal, a line now and then."""
    if not sys.stderr.isatty():
        yield _now_and_then(what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def update(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield update


def _now_and_then(what: str) -> Callable[[int, int], None]:
    """Say how far it is, every minute."""
    due = time.monotonic() + _EVERY

    def update(done: int, total: int) -> None:
        nonlocal due
        if (now := time.monotonic()) >= due:
            due = now + _EVERY
            complain(f"{what}: {100 * done // max(total, 1)}%")

    return update


def complain(line: str) -> None:
    """Say one line on standard error."""
    from .reports.terminal import printable

    # Where nobody hears it, what it is about goes on.
    with suppress(OSError):
        print(f"railbird: {printable(' '.join(line.split()))}", file=sys.stderr)
