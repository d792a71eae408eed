"""The store that a command opens, the user's SQL, and messages on standard error."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Final

from ..reports import UserError, query_error
from .options import NAMING, How

if TYPE_CHECKING:
    from ..analytics.store import Store
    from ..storage.locations import Place

_SILENT = 3
"""Seconds after which a silent command says what it does."""
_EVERY = 60
"""Seconds between lines about a long job."""
_OPTIONS: Final = {"game_definition": "game-def", "variants": "variant"}
"""Options whose names differ from those of `ingest`'s parameters."""
_TARGET: Final = re.compile(r"\bto\s+'((?:[^']|'')*)'", re.IGNORECASE)
_LOCKED: Final = "the configuration has been locked"
"""What DuckDB says of a setting in a sealed store."""


@contextmanager
def opened_store(store: str | Path, how: How | None = None) -> "Iterator[Store]":
    """The store of a folder; for a folder of logs, a store that lasts as long as the command.

    how: how to read the logs, UserError if there is a store already; and NAMING, which names are one player.
    """
    import duckdb

    from ..analytics.players import UnknownName
    from ..analytics.store import open_store, unreadable
    from ..storage.integrity import blaming, first_fault
    from ..storage.locations import place_of, temporary_folder
    from ..storage.manifest import NoStore, read_manifest
    from ..storage.reading import remove_overlay

    how = dict(how or {})
    naming, is_kept = how.pop(NAMING, None), True
    with ExitStack() as stack:
        try:
            place = place_of(store)
            if read_manifest(place).batches and (of_logs := {**how}):
                # A game's functions may be asked for, though its logs are stored.
                add_games(of_logs.pop("variants", ()))
                if of_logs:
                    options = ", ".join(f"--{_OPTIONS.get(name, name)}" for name in of_logs)
                    raise UserError(
                        f"{options}: for a folder of logs; {place} is a store, which keeps its logs as read"
                    )
        except NoStore:
            folder = stack.enter_context(temporary_folder())
            place, is_kept = place_of(_read_logs(store, folder, how)), False
        try:
            named = {NAMING: naming} if naming else {}
            with open_store(place, lambda: progress_bar("Counting equities"), **named) as opened:
                opened.is_kept = is_kept
                try:
                    with blaming(place, UserError, UnknownName, RuntimeError, duckdb.Error):
                        yield opened
                except duckdb.Error as error:
                    # Now, while the store is open and its files have names.
                    raise first_fault(place) or unreadable(place, error) or error from None
        finally:
            if remove_overlay(place):
                complain(f"{place} cannot be written: equities were counted for this command only")


def add_games(paths: Sequence[str | Path]) -> None:
    """Make the games of some files known."""
    if paths:
        from ..jit.startup import prepare_process

        prepare_process()
        from ..variants.registry import add_file

        for path in paths:
            add_file(path)


@contextmanager
def users_query(store: "Store | None" = None, query: str = "") -> Iterator[None]:
    """Run the user's SQL: an error of DuckDB is a UserError, unless a view that it names is broken."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        if isinstance(error, duckdb.PermissionException) or _LOCKED in str(error):
            raise UserError(
                "a query reads the store only: no other file, address or setting (--files allows them)"
            ) from None
        if store is not None:
            store.bind(query)
        raise UserError(query_error(error)) from None


def check_query(query: str) -> None:
    """UserError if the user's SQL is not a single query with a result."""
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


def is_inside(path: str | Path, place: "Place") -> bool:
    """True for the folder of a store and what lies in it."""
    from ..storage.locations import Folder

    return isinstance(place, Folder) and Path(os.path.abspath(path)).is_relative_to(place.root)


def targets_of(query: str, place: "Place") -> list[str]:
    """The files that a checked query of the user writes; UserError if one lies in the store's folder."""
    import duckdb

    targets = [target.replace("''", "'") for target in _TARGET.findall(query)]
    for target in targets:
        if is_inside(target, place):
            raise UserError(f"{target}: a query cannot write into the store")
    writes = any(s.type == duckdb.StatementType.COPY for s in duckdb.extract_statements(query))
    return targets if writes else []


def _read_logs(path: str | Path, folder: Path, how: How) -> Path:
    """Ingest a folder of logs into a temporary store."""
    from ..jit.startup import prepare_process

    prepare_process()
    from ..ingest import holds_log, is_vast
    from ..ingest import ingest as run

    add_games(how.get("variants", ()))
    if os.path.isdir(path) and not holds_log(Path(path)):
        raise UserError(f"{path} is neither a railbird store nor a folder of logs")
    if os.path.isdir(path) and is_vast(Path(path)):
        raise UserError(
            f"{path} is no store, and few of its more than 10,000 files are logs: "
            "name the folder of logs, or keep them by `railbird ingest`"
        )
    summary = run([path], folder / "store", **how)
    if summary.nothing_read:
        raise UserError(f"{path} is neither a railbird store nor a folder of logs")
    if summary.warning:
        complain(summary.warning)
    complain(f"{path} is a folder of logs: read for this command only; `railbird ingest` keeps them")
    return folder / "store"


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function (done, total) that draws a bar on standard error; without a terminal it prints a line now and then.

    The bar is there from the first call until all is done, so that answers are printed without it.
    """
    if not sys.stderr.isatty():
        yield _now_and_then(what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TimeRemainingColumn())
    # Rich would print the answer on standard error, too, also where it is to go into a file.
    bar = Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    )
    task = bar.add_task(what, total=None)

    def update(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)
        if done >= total:
            bar.stop()
        elif not bar.live.is_started:
            bar.start()

    try:
        yield update
    finally:
        bar.stop()


@contextmanager
def patience(what: str) -> Iterator[None]:
    """Say in a terminal that a step without a progress bar takes time, once it does."""
    timer = Timer(_SILENT, complain, (f"{what} ...",))
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _now_and_then(what: str) -> Callable[[int, int], None]:
    """A function (done, total) that prints the progress every minute."""
    due = time.monotonic() + _EVERY

    def update(done: int, total: int) -> None:
        nonlocal due
        if (now := time.monotonic()) >= due:
            due = now + _EVERY
            complain(f"{what}: {100 * done // max(total, 1)}%")

    return update


def complain(line: str) -> None:
    """Print one line on standard error."""
    from ..reports.terminal import printable

    # A closed standard error must not stop the command.
    with suppress(OSError):
        print(f"railbird: {printable(' '.join(line.split()))}", file=sys.stderr)
