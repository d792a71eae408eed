"""The command that compares two players."""

from typing import Annotated

import typer

from ..reports import Format, UserError
from .opening import opened_store, patience
from .options import (
    STORE,
    AsOf,
    DocumentForm,
    How,
    OneEvent,
    StoreDir,
    player_argument,
    player_option,
    reads_logs,
)


@reads_logs
def compare(
    players: Annotated[
        list[str] | None,
        player_argument("The names of the two players.", metavar="[A B]"),
    ] = None,
    store: StoreDir = STORE,
    event: OneEvent = None,
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="The game, if they played more than one.")
    ] = None,
    against: Annotated[
        str | None,
        player_option("Compare only what each won from this opponent."),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(metavar="D", min=0.0, help="Call them equal if the difference is within D bb/100."),
    ] = None,
    league: Annotated[
        str | None,
        typer.Option(
            metavar="REGEX", help="A row for each name that matches, with the difference to the one before."
        ),
    ] = None,
    as_of: AsOf = None,
    path: Annotated[bool, typer.Option("--path", help="Also show the state after each match.")] = False,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="decided", help="Exit with 0 for better, 3 for worse, 4 for equal, 1 for undecided."
        ),
    ] = None,
    form: DocumentForm = Format.TABLE,
    how: How | None = None,
) -> None:
    """Say whether A is better than B, and what would decide it.

    The difference in bb/100, adjusted for luck and for cards that both were dealt, with a 95% confidence sequence,
    which holds however often you look, and how many more hands would decide it. Versions of one bot in one name:
    --rename and --split name them, --league has a row for each. docs/compare.md explains how.
    """
    from ..reports import compare as printed

    if until not in (None, "decided"):
        raise UserError(f"--until takes `decided`, not {until!r}")
    names = players or []
    if league is not None and (names or against or path or until):
        raise UserError("--league takes no players, and none of --against, --path and --until")
    if league is None and len(names) != 2:
        raise UserError("name two players, or give --league")
    with opened_store(store, how) as opened, patience("Comparing"):
        if league is not None:
            printed.print_league(opened, league, form, event=event, game=game, as_of=as_of, margin=margin)
            return
        verdict = printed.print_comparison(
            opened,
            names[0],
            names[1],
            form,
            event=event,
            game=game,
            against=against,
            as_of=as_of,
            margin=margin,
            path=path,
        )
    if until:
        raise typer.Exit(printed.EXITS[verdict])
