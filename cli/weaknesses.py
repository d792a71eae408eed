"""The commands about weaknesses: which changes of play win against a player, and why a player loses to another."""

from typing import Annotated

import typer

from ..reports import Format
from .opening import opened_store, progress_bar
from .options import (
    STORE,
    AsOf,
    DocumentForm,
    How,
    PlayerEvent,
    PlayerGame,
    PlayerSeat,
    StoreDir,
    player_argument,
    player_option,
    reads_logs,
)


@reads_logs
def exploit(
    name: Annotated[
        str,
        player_argument("The player's name; your own for your own leaks."),
    ],
    store: StoreDir = STORE,
    event: PlayerEvent = None,
    game: PlayerGame = None,
    seat: PlayerSeat = None,
    as_of: AsOf = None,
    every: Annotated[
        bool, typer.Option("--all", help="Also show plays that won in these hands but may win nothing.")
    ] = False,
    form: DocumentForm = Format.TABLE,
    how: How | None = None,
) -> None:
    """Show which changes of play win most against a player.

    Each with its gain in bb per 100 hands over what the player's opponents do there now, a 95% interval that allows for
    the choice among many, and hands to look at. Exit code 1 if a winning change is listed, else 0.
    docs/exploit.md explains how.
    """
    from ..reports import exploit as printed

    with opened_store(store, how) as opened, progress_bar("Reading decisions") as progress:
        found = printed.print_leaks(opened, name, form, event, game, seat, as_of, every, progress)
    if found:
        raise typer.Exit(1)


@reads_logs
def why(
    name: Annotated[str, player_argument("Your player's name.", metavar="ME")],
    against: Annotated[
        str,
        player_option("The player that it loses to.", "--against", metavar="X"),
    ],
    store: StoreDir = STORE,
    event: PlayerEvent = None,
    game: PlayerGame = None,
    seat: PlayerSeat = None,
    against_seat: Annotated[
        int | None,
        typer.Option("--against-seat", metavar="N", help="The seat of X, if a match holds X twice."),
    ] = None,
    as_of: AsOf = None,
    every: Annotated[
        bool, typer.Option("--all", help="Show all leaks, not only those that fit 45 lines.")
    ] = False,
    form: DocumentForm = Format.TABLE,
    how: How | None = None,
) -> None:
    """Show why a player loses to another, and what to change.

    Who won and how much of it was luck; where the chips went by street, position and kind of hand; the leaks of both in
    bb per 100 hands with 95% intervals; and hands to look at. docs/why.md explains the figures.
    """
    from ..reports import why as printed

    with opened_store(store, how) as opened, progress_bar("Reading decisions") as progress:
        printed.print_why(
            opened, name, against, form, event, game, seat, against_seat, as_of, every, progress
        )
