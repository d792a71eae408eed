"""The command line: runs one of `commands`, and tells the user's errors in one line."""

import gc
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NoReturn

import typer

from .command_parts import complain
from .commands import app
from .jit import startup
from .reports import UserError
from .reports.terminal import take_any_text

_UNDECODED: Final = re.compile("[\udc80-\udcff]")
"""What Python makes of bytes that are no UTF-8."""
READER_LEFT: Final = 141
"""As of other tools, 128 + SIGPIPE: what was to be found is not known."""


def _one_line(error: Exception) -> str | None:
    """What to tell the user of an error; None where it is railbird's own."""
    from .analytics.players import UnknownPlayer
    from .storage.manifest import StoreError

    if isinstance(error, UserError | StoreError | UnknownPlayer):
        return str(error)
    if isinstance(error, typer.TyperException):
        return error.format_message().replace("Value error, ", "")
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code. A user's error is one line on standard error."""
    from typer.main import get_command

    # A command is short: collecting while it imports takes a tenth of its time.
    gc.set_threshold(200_000, 20, 20)
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        # Not app(): that puts Typer's own hook in the place of sys.excepthook.
        code = get_command(app)(args=given, prog_name="railbird", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):
        # The reader has left, of which Typer and Rich make an exit; Python would complain again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_LEFT
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except Exception as error:
        line = _one_line(error)
        # DuckDB calls it a value, or a type, that it cannot take.
        of_text = isinstance(error, TypeError | UnicodeError) or "surrogate" in str(error)
        if line is None and of_text and _UNDECODED.search("".join(given)):
            line = "an argument is not valid UTF-8"
        if line is None:
            raise
        complain(line)
        return 2
    return code if isinstance(code, int) else 0


def run() -> NoReturn:
    """The command `railbird`: `main`, and out at once. Taking down an interpreter with Numba in it takes 0.1 s."""
    startup.compiling.append(complain)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # Closed by who started it.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # as long as the process
        take_any_text(getattr(sys, name))
    code = main()
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
