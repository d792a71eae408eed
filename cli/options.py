"""The options that several commands share."""

from collections.abc import Callable, Sequence, Set
from functools import wraps
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Final

import typer

from ..reports import Format, PlotStyle, UserError
from . import completion

STORE: Final = "railbird-store"
"""The default of --store."""
MOST: Final = 2**32 - 1
"""The largest seed."""


def _store(help: str) -> Any:
    return typer.Option("--store", metavar="DIR", envvar="RAILBIRD_STORE", help=help)


StoreDir = Annotated[
    str,
    _store(
        "Store folder or s3://bucket/path. A folder of logs is read for this command only, "
        "by --dialect, --game-def, --stack and --blinds."
    ),
]
KeptStore = Annotated[str, _store("Store folder or s3://bucket/path.")]
"""For commands that write the store."""

Form = Annotated[Format, typer.Option("--format", help="Output format.", case_sensitive=False)]
# For output that is not a table
DocumentForm = Annotated[
    Format, typer.Option("--format", metavar="<table|json>", help="Output format.", case_sensitive=False)
]
PictureTitle = Annotated[
    str,
    typer.Option(
        "--title",
        metavar="TEXT",
        help="Title of the picture.",
        callback=lambda text: " ".join((text or "").split()),
    ),
]


def check_picture(plot: Path | None, title: str, style: PlotStyle) -> None:
    """UserError for options of a picture that is not drawn."""
    if plot is None and title:
        raise UserError("--title is for a picture: add --plot FILE")
    if plot is None and style is not PlotStyle.PAGE:
        raise UserError("--style is for a picture: add --plot FILE")


def say_picture(plot: Path | None, form: Format) -> None:
    """Say below a table where its picture is; CSV and JSON stay as they are."""
    if plot is not None and form is Format.TABLE:
        from ..reports.terminal import printable

        print(f"picture {printable(str(plot))}")


PictureStyle = Annotated[
    PlotStyle, typer.Option("--style", help="What the picture is for.", case_sensitive=False)
]


def player_option(help: str, *names: str, metavar: str = "NAME") -> Any:
    """An option that takes the name of a player; shells complete it."""
    return typer.Option(*names, metavar=metavar, autocompletion=completion.players, help=help)


def player_argument(help: str, metavar: str = "NAME") -> Any:
    """An argument that is the name of a player; shells complete it."""
    return typer.Argument(metavar=metavar, autocompletion=completion.players, help=help)


PlayerName = Annotated[str, player_argument("The player's name.")]
Match = Annotated[
    str | None,
    typer.Option(
        metavar="MATCH",
        autocompletion=completion.logs,
        help="Only this match: its file or its match_id, the beginning of one, @last, or @1 of the last table.",
    ),
]
OneEvent = Annotated[
    str | None,
    typer.Option("--event", metavar="NAME", autocompletion=completion.events, help="Only this event."),
]
OneGame = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", autocompletion=completion.games, help="Only this game."),
]
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
    typer.Option(
        "--event",
        metavar="NAME",
        autocompletion=completion.events,
        help="The player's event, if the name occurs in more than one.",
    ),
]
PlayerGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        autocompletion=completion.games,
        help="The player's game, if the name occurs in more than one.",
    ),
]
PlayerSeat = Annotated[
    int | None,
    typer.Option(
        "--seat",
        metavar="N",
        help="The player's seat from 0, if a match holds the name twice (Koper: the seat in the first match).",
    ),
]


AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="MATCH",
        autocompletion=completion.logs,
        help="Use no match played after this one: its file, match_id, @last or @1.",
    ),
]


Last = Annotated[
    int | None,
    typer.Option(
        "--last",
        metavar="N",
        min=1,
        help="Use only the last N matches of each event and game, of the player if one is named.",
    ),
]


def seed_option(of: str) -> Any:
    """The option of a random seed."""
    return typer.Option(metavar="N", min=0, max=MOST, help=f"Random seed of {of}.")


Tagged = Annotated[
    list[str] | None,
    typer.Option(
        "--tag",
        metavar="NAME=VALUE",
        help="Tag the matches of these files: NAME becomes a column, such as version=v7; may be repeated.",
    ),
]
Variants = Annotated[
    list[Path] | None,
    typer.Option(
        "--variant", metavar="FILE.py", help="A game of your own (`railbird variant new`); may be repeated."
    ),
]

How = dict[str, Any]
"""How to read logs: arguments of `ingest`, only those that the user gave."""


def how_to_read(
    dialect: Annotated[
        str | None, typer.Option(metavar="NAME", help="Dialect of the logs [default: detected].")
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Game of the logs [default: the dialect's].")
    ] = None,
    game_def: Annotated[
        Path | None, typer.Option("--game-def", metavar="FILE", help="Game definition (.game) of ACPC logs.")
    ] = None,
    stack: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Chips of each player at the start of a hand, in heads-up logs of MIT's engines "
            "[default: found from the hands].",
        ),
    ] = None,
    blinds: Annotated[
        str | None,
        typer.Option(
            metavar="SMALL/BIG", help="Blinds, in the same logs as --stack [default: found from the hands]."
        ),
    ] = None,
    variant: Variants = None,
    max_document: Annotated[
        int | None,
        typer.Option(metavar="MB", min=1, help="The largest JSON document that is read [default: 64]."),
    ] = None,
    max_line: Annotated[
        int | None,
        typer.Option(metavar="MB", min=4, help="The longest line that is read [default: 16]."),
    ] = None,
    max_match: Annotated[
        int | None,
        typer.Option(metavar="MB", min=4, help="The largest match that is read [default: 32]."),
    ] = None,
    max_ratio: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="The most that decompressing may enlarge a file that becomes more than 64 MB [default: 200].",
        ),
    ] = None,
) -> How:
    """The options that say how to read logs, as `ingest` takes them."""
    both = None
    if blinds is not None:
        from ..jit.startup import prepare_process

        prepare_process()
        from ..replay.stakes import blinds_of

        try:
            both = blinds_of(blinds)
        except ValueError as error:
            raise UserError(str(error)) from None
    how = {
        "dialect": dialect,
        "game": game,
        "game_definition": game_def,
        "stack": stack,
        "blinds": both,
        "variants": variant,
        "max_document": max_document,
        "max_line": max_line,
        "max_match": max_match,
        "max_ratio": max_ratio,
    }
    return {name: value for name, value in how.items() if value is not None}


def how_to_name(
    rename: Annotated[
        str | None,
        typer.Option(
            metavar="REGEX",
            help="Names that match are one player, named by what is outside the groups; the group becomes the "
            "column `version`, or (?P<NAME>...) the column NAME. Such as 'bot-(v[0-9]+)'.",
        ),
    ] = None,
    split: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Count a player's matches with each value of a tag, or of a group of --rename, as a player of "
            "their own; may be repeated.",
        ),
    ] = None,
) -> How:
    """The options that say which names are one player, as `opened_store` takes them."""
    if not (rename or split):
        return {}
    from ..analytics.naming import Naming

    return {NAMING: Naming(rename or "", tuple(split or ()))}


NAMING: Final = "naming"


def ingests_logs(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `how_to_read` in the place of its parameter `how`, except those it has itself."""
    return _with_options(command, how_to_read)


def reads_logs(command: Callable[..., None]) -> Callable[..., None]:
    """The same for a command that answers from a store: with the options of `how_to_name`, and without --game.

    There --game chooses the matches of a game, in the commands that can; `ingest --game` says what logs are of.
    """
    return _with_options(command, how_to_read, how_to_name, without=frozenset({"game"}))


def follows_logs(command: Callable[..., None]) -> Callable[..., None]:
    """The same for a command that answers from a store and may read new logs into it, which are of --game."""
    return _with_options(command, how_to_read, how_to_name)


def _with_options(
    command: Callable[..., None], *asked: Callable[..., How], without: Set[str] = frozenset()
) -> Callable[..., None]:
    own = {**signature(command).parameters, **dict.fromkeys(without)}
    by_source = {
        source: {name: option for name, option in signature(source).parameters.items() if name not in own}
        for source in asked
    }
    options = {name: option for some in by_source.values() for name, option in some.items()}

    @wraps(command)
    def run(**given: Any) -> None:
        how: How = {}
        for source, some in by_source.items():
            how |= source(**{name: given.pop(name) for name in some})
        command(**given, how=how)

    shown = [
        option
        for name, parameter in signature(command).parameters.items()
        for option in (options.values() if name == "how" else (parameter,))
    ]
    run.__signature__ = signature(command).replace(parameters=shown)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in shown}
    return run


class _Given:
    """Coerces the values of an option that need no conversion: text, and a default that is what the command takes.

    Typer sends every value through Pydantic, whose import a short command notices. Other values still
    go there.
    """

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as the command takes it; Typer's own errors for one that it cannot be."""
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        if many and self._kind == list[str] and not isinstance(value, str):
            return list(value)
        if isinstance(self._kind, type) and isinstance(value, self._kind):
            return value
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def take_as_given(command: Any, asks_help: Sequence[str]) -> None:
    """Let a command, and those below it, take text and defaults without Pydantic, where this version of Typer allows.

    asks_help: the names of the option --help, which Typer makes for each command when it is called.
    """
    for below in getattr(command, "commands", {}).values():
        take_as_given(below, asks_help)
    option = command.get_help_option(SimpleNamespace(help_option_names=asks_help))
    for param in filter(None, (*command.params, option)):
        kind = getattr(getattr(param, "type_descriptor", None), "annotation", None)
        if getattr(param, "_runtime_param", kind) is None:
            param._runtime_param = _Given(kind)
