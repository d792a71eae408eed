"""Untrusted SQL over a store: one read-only query, in a process of its own with limits.

The process is forked from a clean one, parses the query, opens the store, makes the views that the query names and
gives up all else that DuckDB could reach (`Store.seal`). The system limits its memory from the start: nested queries of
a few kilobytes take gigabytes to parse. The caller ends it when its time is over.
"""

import json
import multiprocessing
import os
import signal
import tempfile
import time
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from shutil import rmtree
from threading import Event
from typing import TYPE_CHECKING, Final

from . import UserError, query_error, terminal

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from ..analytics.naming import Naming

MOST_ROWS: Final = 100_000
SECONDS: Final = 30.0
MEMORY: Final = 2_000_000_000
"""Bytes that the process of a query may use."""
_DUCKDB_MEMORY: Final = "1500MB"
"""The part of MEMORY for DuckDB: the rows of the answer and Python come on top of it."""
MOST_BYTES: Final = 64_000_000
"""The most bytes of an answer as JSON."""
_LONGEST: Final = 100_000
"""Characters of a query."""
_LOOK: Final = 0.2
"""Seconds between two looks whether anybody waits for the answer."""
_ADDRESS: Final = 104
"""Bytes of a socket's path that every system can hold."""
_SOCKET: Final = len("/pymp-12345678/listener-12345678")
_SHORT: Final = "/tmp"
"""The folder of a socket whose path would be longer; what is made in it is nobody else's."""
_ENDED: Final = "the server ends"
_FAILED: Final = f"the query needs more than {MEMORY / 1e9:.0f} GB of memory"
_CRASHED: Final = f"the query's process ended; most often it needs more than {MEMORY / 1e9:.0f} GB of memory"


def check_select(query: str) -> None:
    """UserError unless a text is one query that only reads."""
    import duckdb

    try:
        statements = duckdb.extract_statements(query)
    except duckdb.OutOfMemoryException:
        raise UserError(_FAILED) from None
    except duckdb.Error as error:
        raise UserError(_line(error)) from None
    except (TypeError, UnicodeError):
        # DuckDB's word for text with half a surrogate pair.
        raise UserError("the query is not valid text") from None
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise UserError("give one query that only reads: select, from, with, describe, show or summarize")


def _line(error: Exception) -> str:
    return " ".join(query_error(error).split())


@cache
def _context() -> ForkServerContext:
    """Processes forked from one that has no threads and has imported what queries need."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["duckdb", "railbird.analytics.store", __name__])
    return context


def warm_up(folder: Path) -> None:
    """Start the process from which those of queries are forked: the first query need not wait for it.

    folder: gets the folder of its socket, and is removed with it if this process is killed
    """
    from multiprocessing import forkserver, resource_tracker, util

    _context()
    # Python 3.14 chooses a shorter one by itself.
    is_short = len(os.fsencode(folder)) + _SOCKET < _ADDRESS
    usual, tempfile.tempdir = tempfile.tempdir, str(folder if is_short else _SHORT)
    try:
        # It is made once.
        util.get_temp_dir()
    finally:
        tempfile.tempdir = usual
    # Its start unblocks the signal that is to be blocked below.
    resource_tracker.ensure_running()
    # An interrupt of the terminal reaches that process too, which handles it only once it has imported all.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def clean_up() -> None:
    """Remove the folder of that process's socket: a command ends at once, without what Python does at an exit."""
    from multiprocessing import util

    rmtree(util.get_temp_dir(), ignore_errors=True)


class BoundedSql:
    """Runs queries over a store, each in a process of its own; several threads may call `answer` at once."""

    def __init__(self, place: str, naming: "Naming | None" = None, seconds: float = SECONDS) -> None:
        """The store by its name, opened anew by each query.

        naming: which names are one player; seconds: the time of a query
        """
        self._place, self._naming, self._seconds = place, naming, seconds
        self._running: set[BaseProcess] = set()
        self._stopped = False

    def answer(self, query: str, left: Event | None = None) -> bytes:
        """The JSON `{columns, rows, truncated}` of a query, its first MOST_ROWS rows.

        left: set once nobody waits for the answer any more

        UserError if it does not only read, is wrong, or takes too long or too much memory.
        """
        if len(query) > _LONGEST:
            raise UserError(f"the query is longer than {_LONGEST:,} characters")
        if self._stopped:
            raise UserError(_ENDED)
        receive, send = _context().Pipe(duplex=False)
        process = _context().Process(
            target=_run, args=(send, self._place, self._naming, query, self._seconds), daemon=True
        )
        try:
            process.start()
        except (EOFError, OSError) as error:
            receive.close()
            send.close()
            raise UserError(f"the query was not started: {error}") from None
        self._running.add(process)
        if self._stopped:
            process.kill()
        send.close()
        try:
            until = time.monotonic() + self._seconds
            while not receive.poll(min(_LOOK, max(until - time.monotonic(), 0))):
                if left is not None and left.is_set():
                    raise UserError("the viewer left")
                if time.monotonic() >= until:
                    raise UserError(f"the query takes longer than {self._seconds:g} s")
            said = receive.recv_bytes()
        except (EOFError, OSError):
            raise UserError(_ENDED if self._stopped else _CRASHED) from None
        finally:
            process.kill()
            process.join()
            self._running.discard(process)
            receive.close()
        if said[:1] == b"-":
            raise UserError(said[1:].decode())
        return said[1:]

    def stop(self) -> None:
        """End the processes of all queries; later ones are refused."""
        self._stopped = True
        for process in list(self._running):
            process.kill()


def _run(send: Connection, place: str, naming: "Naming | None", query: str, seconds: float) -> None:
    """In the process of a query: send + and the answer, or - and why there is none."""
    # An interrupt of the terminal is for the process that asked, which ends this one; it may have been killed, though.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.alarm(int(seconds) + 5)
    from ..parsers.sources import WishError
    from ..storage.manifest import StoreError

    try:
        said = b"+" + _answer(place, naming, query)
    except (UserError, StoreError, WishError) as error:
        said = b"-" + str(error).encode(errors="replace")
    except MemoryError:
        said = b"-" + _FAILED.encode()
    except Exception as error:
        said = b"-" + f"the query failed: {type(error).__name__}: {error}".encode(errors="replace")
    with suppress(OSError):
        send.send_bytes(said)


def _answer(place: str, naming: "Naming | None", query: str) -> bytes:
    import duckdb

    from ..analytics.store import AS_LOGGED, open_store, unreadable
    from ..storage.locations import place_of

    _limit_memory()
    check_select(query)
    where = place_of(place)
    with open_store(where, naming=naming or AS_LOGGED) as store:
        try:
            cursor = store.cursor(query)
            store.seal(_DUCKDB_MEMORY)
            _forbid_files()
            return _as_json(terminal.answered(cursor.execute(query), exact=True))
        except duckdb.OutOfMemoryException:
            raise UserError(_FAILED) from None
        except duckdb.Error as error:
            if isinstance(error, duckdb.PermissionException):
                raise UserError("a query reads the store only: no files, addresses or settings") from None
            raise unreadable(where, error) or UserError(_line(error)) from None


def _limit_memory() -> None:
    """Let this process have no more than MEMORY."""
    import resource

    # macOS has the limit of memory in name only.
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _forbid_files() -> None:
    """Let this process write no file."""
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _as_json(answer: terminal.Answer) -> bytes:
    """The answer as JSON; UserError if it is too long."""
    made, size, truncated = list[str](), 0, False
    for row in answer.rows:
        if len(made) == MOST_ROWS:
            truncated = True
            break
        text = json.dumps([terminal.json_value(value, answer.exact) for value in row])
        size += len(text) + 1
        if size > MOST_BYTES:
            raise UserError(
                f"the answer is longer than {MOST_BYTES / 1e6:.0f} MB: select fewer columns or rows"
            )
        made.append(text)
    columns, rows = json.dumps(list(answer.columns)), ",".join(made)
    return f'{{"columns": {columns}, "rows": [{rows}], "truncated": {json.dumps(truncated)}}}'.encode()
