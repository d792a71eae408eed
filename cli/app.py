"""The command line: all commands, and user errors in one line."""

import codecs
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from importlib.machinery import ExtensionFileLoader
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import typer
from typer.models import CommandInfo

from ..jit import startup
from ..reports import UserError
from .check import audit, collusion, verify
from .compare import compare
from .games import StyledCommand, games, simulate, variant
from .hands import hands
from .ingest import compact, forget, ingest, tag, watch
from .mcp import mcp
from .model import model
from .opening import complain
from .options import take_as_given
from .results import bankroll, luck, opponent, standings, stats
from .serve import serve
from .show import export, replay, report, sql
from .weaknesses import exploit, why

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import FrameType

_ASKS_HELP: Final = ["-h", "--help"]
_COMPLETES: Final = "_RAILBIRD_COMPLETE"
"""The variable by which a shell asks how a line may go on."""

app = typer.Typer(
    help="Read poker-bot logs into Parquet, replay every hand through the rules, answer questions.",
    epilog="Exit codes: 0 done, 1 found what was asked for, 2 the input or the options are wrong, 70 a "
    "fault of railbird, 130 "
    "interrupted, 141 the output was closed early (e.g. `| head`).",
    add_completion=True,
    # Both would import Rich for every command.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": _ASKS_HELP},
)
for _command in (
    ingest,
    watch,
    compact,
    tag,
    forget,
    verify,
    audit,
    bankroll,
    luck,
    stats,
    standings,
    compare,
    collusion,
    opponent,
    exploit,
    why,
    hands,
    replay,
    report,
    serve,
    mcp,
    export,
    sql,
):
    app.command()(_command)
app.command(cls=StyledCommand)(simulate)
app.command()(games)
app.add_typer(model, name="model")
app.add_typer(variant, name="variant")

_IN_ASCII: Final = "railbird-ascii"
"""The error handler of standard output and error: characters that their encoding lacks are printed in ASCII."""
_NO_CHOICE: Final = re.compile(r": '(.*)' is not one of (.*)$", re.DOTALL)
"""Typer's message about a value that is none of an option's choices."""
_NO_COMMAND: Final = re.compile(r"No such command '(.*?)'", re.DOTALL)
_UNDECODED: Final = re.compile("[\udc80-\udcff]")
"""Bytes that are not UTF-8, as Python keeps them in a str."""
FAULT: Final = 70
"""The exit code of a fault of railbird, which Python would end with 1 as if something was found."""
INTERRUPTED: Final = 130
"""The exit code after an interrupt: 128 + SIGINT, as of other tools."""
READER_LEFT: Final = 141
"""The exit code if the reader of the output has left: 128 + SIGPIPE, as of other tools."""
_NO_GAME: Final = "No such option: --game "
"""How the message begins where a command takes no --game; it would go on with options that are something else."""


_interrupts: Final[list[int]] = []
"""Interrupts since `run` began."""
_codes: Final[list[int]] = []
"""The exit code, once it is known."""
_NO_FOLDER: Final = "the working folder no longer exists"
_STARTS: Final = ("create_module", "exec_module")
_SOON: Final = 0.005
"""Seconds until an interrupt in a callback comes again."""


def _interrupted(number: int, frame: "FrameType | None") -> None:
    """Note an interrupt and raise it: libraries that meet KeyboardInterrupt may raise an error of their own instead."""
    if not _codes:
        _interrupts.append(number)
        if _starts_compiled(frame):
            signal.setitimer(signal.ITIMER_REAL, _SOON)
        else:
            signal.default_int_handler(signal.SIGINT, frame)


def _starts_compiled(frame: "FrameType | None") -> bool:
    """Whether a compiled module is being imported: an exception while it starts may end the process, as in DuckDB."""
    while frame is not None:
        if frame.f_code.co_name in _STARTS and isinstance(frame.f_locals.get("self"), ExtensionFileLoader):
            return True
        frame = frame.f_back
    return False


def _unraised(found: "UnraisableHookArgs") -> None:
    """An interrupt in a callback or a finaliser, of which Python would print a traceback and go on, comes again."""
    if issubclass(found.exc_type, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, _SOON)
    elif not _interrupts:
        # What an interrupt broke off may fail in a finaliser.
        sys.__unraisablehook__(found)


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    from ..reports.terminal import in_ascii  # here, because most commands print without it

    return in_ascii(error)


codecs.register_error(_IN_ASCII, _in_ascii)


def _one_line(error: Exception) -> str | None:
    """The line for a user's error; None for a fault of railbird."""
    from ..analytics.players import UnknownName
    from ..parsers.sources import WishError
    from ..storage.manifest import StoreError

    if isinstance(error, UserError | StoreError | UnknownName | WishError):
        return str(error)
    if isinstance(error, typer.TyperException):
        line = error.format_message()
        if line.startswith(_NO_GAME):
            return (
                f"{_NO_GAME.rstrip()}; logs of a game are read by `railbird ingest LOGS --game GAME`, "
                "without it here"
            )
        return _with_choice(_with_names(error, line).replace("Value error, ", ""))
    if isinstance(error, OSError) and error.strerror:
        if error.filename:
            return f"{error.filename}: {error.strerror}"
        return _NO_FOLDER if _is_folder_gone() else error.strerror
    return None


def _is_folder_gone() -> bool:
    """Whether the working folder no longer exists."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _with_names(error: Any, line: str) -> str:
    """The message about an option or command that does not exist, with the most similar ones in railbird's order."""
    from ..analytics.players import alike

    context = getattr(error, "ctx", None)
    if context is None:
        return line
    # A short option has no suggestions.
    if getattr(error, "possibilities", None) is not None:
        names = (name for param in context.command.get_params(context) for name in param.opts)
        # Without the hyphens, which would make all options alike.
        bare = (name.removeprefix("--") for name in names if name.startswith("--"))
        found = [f"--{name}" for name in alike(error.option_name.removeprefix("--"), bare)]
        return f"{error.message} (Possible options: {', '.join(found)})" if found else error.message
    if (wrong := _NO_COMMAND.match(line)) is not None:
        found = alike(wrong[1], context.command.commands)
        return f"{wrong[0]}. Did you mean {', '.join(map(repr, found))}?" if found else line
    return line


def _with_choice(line: str) -> str:
    """The message about a value that is none of an option's choices, with the most similar ones."""
    from ..analytics.players import unknown

    if (found := _NO_CHOICE.search(line)) is None:
        return line
    alike = unknown("", found[1], re.findall(r"'([^']+)'", found[2])).partition("; ")[2]
    return f"{line.removesuffix('.')}; {alike}" if alike else line


def needed(given: Sequence[str]) -> typer.Typer:
    """The command line as far as some arguments need it: to look into the options of all commands takes 12 ms."""
    if _COMPLETES in os.environ:
        return app
    few = copy(app)
    if given[0] in _ASKS_HELP:
        few.registered_commands = [_without_options(info) for info in app.registered_commands]
        return few
    few.registered_commands = [info for info in app.registered_commands if _name(info) == given[0]]
    few.registered_groups = [info for info in app.registered_groups if info.name == given[0]]
    # All names are alternatives to a name that is none.
    return few if few.registered_commands or few.registered_groups else app


def _name(info: CommandInfo) -> str | None:
    return info.name or getattr(info.callback, "__name__", None)


def _without_options(info: CommandInfo) -> CommandInfo:
    """A command as the list of commands shows it."""

    def shown() -> None: ...

    shown.__doc__ = info.callback.__doc__
    found = copy(info)
    found.name, found.callback = _name(info), shown
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code. A user's error is one line on standard error."""
    from typer.main import get_command

    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        # Not app(): it replaces sys.excepthook.
        command = get_command(needed(given))
        take_as_given(command, _ASKS_HELP)
        code = command(args=given, prog_name="railbird", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as left:
        if isinstance(left, SystemExit) and not left.code:
            # A shell has asked how a line may go on.
            sys.stdout.flush()
            return 0
        # The reader has left. Typer and Rich turn that into an exit; Python would complain again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_LEFT
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        if _interrupts:
            return INTERRUPTED
        line = _one_line(error)
        # DuckDB reports such an argument as a wrong value or type.
        of_text = isinstance(error, TypeError | UnicodeError) or "surrogate" in str(error)
        if line is None and of_text and _UNDECODED.search("".join(given)):
            line = "an argument is not valid UTF-8"
        if line is None:
            raise
        complain(line)
        return 2
    return code if isinstance(code, int) else 0


def run() -> NoReturn:
    """The command `railbird`: `main`, then exit at once. Shutting down an interpreter with Numba takes 0.1 s."""
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _interrupted)
            signal.signal(signal.SIGALRM, _interrupted)
            sys.unraisablehook = _unraised
        startup.compiling.append(complain)
        for name in ("stdout", "stderr"):
            if getattr(sys, name) is None:
                # The parent process closed it.
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # as long as the process
            if isinstance(stream := getattr(sys, name), TextIOWrapper):
                stream.reconfigure(errors=_IN_ASCII)
        _codes.append(main())
    except KeyboardInterrupt:
        # Between a command's end and here.
        _codes.append(INTERRUPTED)
    except Exception:
        import traceback

        traceback.print_exc()
        _codes.append(FAULT)
    # What is left is to print the rest; another interrupt must not add a traceback.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(_codes[0])


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", is_eager=True, help="Print the version.")] = False,
) -> None:
    if version:
        from .. import __version__

        print(f"railbird {__version__}")
        raise typer.Exit
