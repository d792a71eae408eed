"""What the commands share: their common options, the store they open, and what they say on standard error."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperCommand

from .reports import Format, UserError

if TYPE_CHECKING:
    from .analytics.store import Store
    from .storage.locations import Place

MOST: Final = 2**32 - 1
"""The largest seed."""


def _store(help: str) -> Any:
    return typer.Option("--store", metavar="DIR", envvar="RAILBIRD_STORE", help=help)


StoreDir = Annotated[
    str, _store("Store folder or s3://bucket/path. A folder of logs is read for this command only.")
]
KeptStore = Annotated[str, _store("Store folder or s3://bucket/path.")]
"""Of the commands that write it."""

Form = Annotated[Format, typer.Option("--format", help="Output format.", case_sensitive=False)]
# Of what is no table
DocumentForm = Annotated[
    Format, typer.Option("--format", metavar="<table|json>", help="Output format.", case_sensitive=False)
]
Match = Annotated[
    str | None,
    typer.Option(
        metavar="MATCH",
        help="Only this match: its match_id or the beginning of it, or its file as FILE or FOLDER/FILE.",
    ),
]
OneEvent = Annotated[str | None, typer.Option("--event", metavar="NAME", help="Only this event.")]
LogsEvent = Annotated[
    str | None,
    typer.Option(
        "--event",
        metavar="NAME",
        help="Event these logs belong to; equal names in different events are different players "
        "[default: the log's folder].",
    ),
]
PlayerEvent = Annotated[
    str | None,
    typer.Option("--event", metavar="NAME", help="The player's event, if the name occurs in more than one."),
]
PlayerGame = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="The player's game, if the name occurs in more than one."),
]
PlayerSeat = Annotated[
    int | None,
    typer.Option(
        "--seat",
        metavar="N",
        help="The player's seat from 0, if a match holds the name twice (Koper: the seat in the first match).",
    ),
]


def seed_option(of: str) -> Any:
    """The option of a random seed."""
    return typer.Option(metavar="N", min=0, max=MOST, help=f"Random seed of {of}.")


STORE = "railbird-store"
_SILENT = 3
"""Seconds after which one asks whether a command still lives."""
_EVERY = 60
"""Seconds between lines about a long job."""


class StyledCommand(TyperCommand):
    """A command whose help ends with the styles and plans of bots."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write them, from the code that plays them."""
        from .replay.bots import STYLES
        from .replay.colluders import PARTNER_PLANS, PLANS

        formatter.write_paragraph()
        for line in (
            f"Styles: {', '.join(STYLES)}.",
            f"Plans: {', '.join(PLANS)}; in Koper {', '.join(PARTNER_PLANS)}.",
        ):
            formatter.write(f"{fill(line, formatter.width, break_on_hyphens=False)}\n")


@contextmanager
def opened_store(store: str | Path) -> "Iterator[Store]":
    """The store of a folder; of a folder of logs, a store that lasts as long as the command."""
    import duckdb

    from .analytics.store import open_store, unreadable
    from .storage.locations import place_of
    from .storage.manifest import NoStore, read_manifest
    from .storage.reading import remove_overlay

    with ExitStack() as stack:
        try:
            place = place_of(store)
            read_manifest(place)
        except NoStore:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="railbird-")))
            place = place_of(_read_logs(store, folder))
        try:
            with open_store(place, lambda: progress_bar("Counting equities")) as opened:
                try:
                    yield opened
                except duckdb.Error as error:
                    # While the store is open, for then its files have names.
                    told = unreadable(place, error)
                    if told is None:
                        raise
                    raise told from None
        finally:
            if remove_overlay(place):
                complain(f"{place} cannot be written: equities were counted for this command only")


_TARGET: Final = re.compile(r"\bto\s+'((?:[^']|'')*)'", re.IGNORECASE)
_WITH_TIME_ZONE: Final = "times with a zone cannot be shown: cast them, as in `select now()::timestamp`"


@contextmanager
def users_query(store: "Store | None" = None, query: str = "") -> Iterator[None]:
    """Runs what the user wrote in SQL: an error of DuckDB there is the user's, unless a view that it names is wrong."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        if store is not None:
            store.bind(query)
        # Where its text goes on, it draws an arrow below the query, or has lines of Python.
        said = str(error).split("\n\nLINE ")[0]
        raise UserError(_WITH_TIME_ZONE if "'pytz'" in said else said) from None


def check_query(query: str) -> None:
    """UserError where what the user wrote is no single query with a result."""
    import duckdb

    with users_query():
        statements = duckdb.extract_statements(query)
    if not statements:
        raise UserError("the query is empty")
    if any(s.type == duckdb.StatementType.SELECT for s in statements[:-1]):
        raise UserError("give exactly one query")
    kind, last = duckdb.StatementType, statements[-1]
    changes = last.type in (kind.CREATE, kind.INSERT, kind.UPDATE, kind.DELETE)
    if changes or last.expected_result_type == [duckdb.ExpectedResultType.NOTHING]:
        raise UserError("this statement returns nothing: give a query")


def check_targets(query: str, place: "Place") -> None:
    """UserError where a query of the user's would write a file into a store's folder."""
    from .storage.locations import Folder

    if isinstance(place, Folder):
        for target in _TARGET.findall(query):
            path = Path(os.path.abspath(target.replace("''", "'")))
            if place.root in (path, *path.parents):
                raise UserError(f"{target}: a query cannot write into the store")


def _read_logs(path: str | Path, folder: Path) -> Path:
    """Ingest a folder of logs into a store that is thrown away."""
    from .ingest import ingest as run

    summary = run([path], folder / "store")
    if summary.nothing_read:
        raise UserError(f"{path} is neither a railbird store nor a folder of logs")
    complain(f"{path} is a folder of logs: read for this command only; `railbird ingest` keeps them")
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


@contextmanager
def patience(what: str) -> Iterator[None]:
    """Say in a terminal that something takes its time, once it does, where nothing tells how far it is."""
    timer = Timer(_SILENT, complain, (f"{what} ...",))
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


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
