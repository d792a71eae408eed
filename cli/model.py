"""The commands about models of players: `railbird model fit` and `railbird model export`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .opening import opened_store, progress_bar
from .options import STORE, AsOf, How, PlayerEvent, PlayerGame, PlayerName, PlayerSeat, StoreDir, reads_logs


class Kind(StrEnum):
    """What a model is written as."""

    PLAYER = "player"


model = typer.Typer(
    help="Fit a model of what a player does next, or a bot that does it.",
    rich_markup_mode=None,
)


@model.callback(invoke_without_command=True)
def _model(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@model.command()
@reads_logs
def fit(
    name: PlayerName,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for model.npz and railbird_model.py.")
    ],
    store: StoreDir = STORE,
    event: PlayerEvent = None,
    game: PlayerGame = None,
    seat: PlayerSeat = None,
    as_of: AsOf = None,
    how: How | None = None,
) -> None:
    """Fit what a player does, and write the model.

    DIR/model.npz is the model, DIR/railbird_model.py reads it and needs NumPy only; docs/model.md says how a bot uses
    them.
    """
    from ..reports import model as printed

    with opened_store(store, how) as opened, progress_bar("Reading decisions") as progress:
        lines = printed.fit_model(opened, name, out, event, game, seat, as_of, progress)
    print(lines)


@model.command()
@reads_logs
def export(
    name: PlayerName,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the bot.")],
    kind: Annotated[
        Kind,
        typer.Option(
            "--as",
            help="player: a folder that the engine of MIT Pokerbots runs as a bot (docs/spar.md).",
            case_sensitive=False,
        ),
    ] = Kind.PLAYER,
    store: StoreDir = STORE,
    event: PlayerEvent = None,
    game: PlayerGame = None,
    seat: PlayerSeat = None,
    as_of: AsOf = None,
    how: How | None = None,
) -> None:
    """Fit what a player does, and write a bot that plays so.

    It needs Python and NumPy. `railbird simulate GAME --player NAME=./DIR` plays against it, too.
    """
    from ..reports import model as printed

    with opened_store(store, how) as opened, progress_bar("Reading decisions") as progress:
        lines = printed.export_player(opened, name, out, event, game, seat, as_of, progress)
    print(lines)
