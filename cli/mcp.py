"""The command that answers an assistant's questions."""

import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from threading import Thread
from typing import Final

from ..reports import UserError
from .opening import opened_store
from .options import NAMING, STORE, How, StoreDir, reads_logs

_LOOK: Final = 0.25
"""Seconds between two looks for an interrupt."""


@reads_logs
def mcp(store: StoreDir = STORE, how: How | None = None) -> None:
    """Answer an assistant's questions (MCP); only reads.

    Speaks the Model Context Protocol on standard input and output, for a program that starts it: matches, tendencies
    as of a hand, hands, one hand, SQL with limits (docs/python.md). Needs railbird[mcp].
    """
    from .. import __version__
    from ..analytics.store import AS_LOGGED
    from ..reports.bounded_sql import clean_up, warm_up
    from ..storage.locations import temporary_folder

    try:
        from ..reports import assistant
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "mcp":
            raise
        raise UserError("this command needs MCP: pip install 'railbird[mcp]'") from None
    how = how or {}
    with ExitStack() as stack:
        place = stack.enter_context(opened_store(store, how)).place
        questions = assistant.Questions(place, how.get(NAMING, AS_LOGGED))
        folder = stack.enter_context(temporary_folder())
        stack.callback(clean_up)
        stack.callback(questions.stop)
        # Ended by the program that started it, it tidies up as after Ctrl-C.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        warm_up(folder)
        _answered(lambda: assistant.server(questions, __version__).run("stdio"))


def _answered(serve: Callable[[], None]) -> None:
    """Serve until the input ends, an interrupt, or nobody reads the answers: BrokenPipeError.

    A thread reads, for the library waits at an interrupt, and where nobody reads, until another line has been read.
    """
    watched = select.poll()
    # It tells that the other end of a pipe is closed without being asked to.
    # The library puts something else in the place of standard output while it serves.
    watched.register(os.dup(sys.stdout.fileno()), 0)
    failed: list[BaseException] = []

    def run() -> None:
        try:
            serve()
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run, name="railbird-mcp", daemon=True)
    thread.start()
    while thread.is_alive():
        # The system may give an interrupt to any thread; this one sees it when it wakes up.
        thread.join(_LOOK)
        if watched.poll(0):
            raise BrokenPipeError
    if failed:
        # What one of the library's tasks failed on comes in groups.
        error = failed[0]
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        raise error
