"""The commands that ask no store: what games there are, and a match that bots play."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from .command_parts import Form, seed_option
from .reports import Format


def simulate(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="Of `railbird games`; ACPC: acpc/NAME, as acpc/kuhn.limit.3p.",
        ),
    ],
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=STYLE",
            help="A player; give once per seat. Add +PLAN@PERCENT for a colluder (Koper: then :PARTNER).",
        ),
    ] = None,
    hands: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Number of hands; in Koper of games a match, at most 50: one match in v1, five in v2.",
        ),
    ] = 1000,
    seed: Annotated[int, seed_option("cards and bots; the same seed writes the same log")] = 0,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Engine profile that `railbird games` lists; `written` follows the written rules "
            "[default: the latest].",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File to write [default: standard output].")
    ] = None,
) -> None:
    """Let bots play each other; write the log as the engine would."""
    from .reports import playing

    text = playing.log_text(game, player or [], hands, seed, profile)
    # A name may have come as bytes that the locale does not know.
    log = text.encode("utf-8", "surrogateescape")
    if out:
        out.write_bytes(log)
    else:
        sys.stdout.buffer.write(log)


def games(form: Form = Format.TABLE) -> None:
    """List the games, log dialects and engine deviations known."""
    from .reports import playing, terminal

    for answer in playing.known_games(form):
        terminal.write(answer, form)
