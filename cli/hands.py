"""The command that finds hands: railbird hands."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ..analytics.settings import HandOrder
from ..reports import Listing, UserError
from .opening import is_inside, opened_store
from .options import STORE, How, Match, OneEvent, OneGame, StoreDir, player_option, reads_logs

if TYPE_CHECKING:
    from ..analytics.store import Store

_FILTERS: Final = {
    "player",
    "against",
    "did",
    "street",
    "situation",
    "pot",
    "showdown",
    "match",
    "event",
    "game",
    "sort",
    "limit",
}
"""The options that choose hands, and their order."""


def _moves() -> list[str]:
    """What --did is completed to."""
    from ..analytics.found_hands import MOVES

    return [*MOVES]


def _situations() -> list[str]:
    """What --situation is completed to."""
    from ..analytics.found_hands import SITUATIONS

    return [*SITUATIONS]


@reads_logs
def hands(
    store: StoreDir = STORE,
    player: Annotated[
        str | None,
        player_option("Hands that this player is in.", "--player"),
    ] = None,
    against: Annotated[
        str | None,
        player_option("Hands that this other player is in, too.", "--against"),
    ] = None,
    did: Annotated[
        str | None,
        typer.Option(
            "--did",
            metavar="ACTION",
            autocompletion=_moves,
            help="What the player (without --player: some player) did, as above.",
        ),
    ] = None,
    street: Annotated[
        str | None,
        typer.Option(
            "--street", metavar="NAME", help="On this street; without --did: hands that came to it."
        ),
    ] = None,
    situation: Annotated[
        str | None,
        typer.Option(
            "--situation", metavar="NAME", autocompletion=_situations, help="A situation, as above."
        ),
    ] = None,
    pot: Annotated[
        list[str] | None,
        typer.Option(
            "--pot",
            metavar="'>N'",
            help="Compare the pot in chips, or as '>20bb', by > >= < <=; may be repeated.",
        ),
    ] = None,
    showdown: Annotated[bool, typer.Option("--showdown", help="Hands that came to a showdown.")] = False,
    match: Match = None,
    event: OneEvent = None,
    game: OneGame = None,
    sort: Annotated[
        HandOrder,
        typer.Option(
            "--sort",
            metavar="ORDER",
            help="play: as played; pot: largest first; won, lost: largest win or loss first, of the player or anybody; "
            "belief: where a bot's own log was most wrong (docs/own-logs.md).",
            case_sensitive=False,
        ),
    ] = HandOrder.PLAY,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", metavar="N", min=1, help="Number of hands [default: 20; playlist 200; csv, json all]."
        ),
    ] = None,
    form: Annotated[
        Listing,
        typer.Option("--format", help="playlist: a page that replays these hands.", case_sensitive=False),
    ] = Listing.TABLE,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder of the playlist [default: railbird-hands]."),
    ] = None,
    how: How | None = None,
) -> None:
    """Find hands by action, pot or result, such as worst losses.

    A pot is what could be won, without the part of the last bet that nobody called.

    \b
    --did        fold check call bet raise check-raise 3bet limp cbet, and the
                 game's own: bid, discard, pass, assign, play, accept, decline
    --situation  limped-pot raised-pot 3bet-pot 4bet-pot squeezed
                 all-in-before-river missed-draw folded-the-best
                 called-the-worst bet-the-worst

    docs/find-hands.md defines them. Hands are listed as MATCH#HAND, as
    `railbird replay` takes them.
    """
    from ..analytics.found_hands import Conditions, comparison
    from ..reports import hands as printed

    if out is not None and form is not Listing.PLAYLIST:
        raise UserError("--out: only a playlist is written into a folder; give --format playlist")
    compared = tuple(map(comparison, pot or ()))
    wanted = Conditions(player, against, did, street, situation, compared, showdown)
    with opened_store(store, how) as opened:
        folder = out or Path(printed.PLAYLIST)
        if form is Listing.PLAYLIST and is_inside(folder, opened.place):
            raise UserError(f"{folder} lies in the store: choose another folder for the page")
        printed.print_hands(opened, wanted, form, match, event, game, sort, limit, folder)


def hands_asked(store: "Store", line: str) -> list[tuple[int, int]]:
    """match_id and hand_index of the hands that a line of options asks for, such as `--did check-raise --sort pot`.

    UserError if it is no such line; errors of names as of the command.
    """
    from ..analytics.found_hands import Conditions, checked, comparison, found_hands
    from ..reports.hands import matches_as_played
    from ..reports.matches import ids

    only = typer.Typer()
    only.command()(hands)
    try:
        context = typer.main.get_command(only).make_context("hands", shlex.split(line))
    except typer.TyperException as error:
        raise UserError(" ".join(error.format_message().split())) from None
    except (ValueError, typer.Exit) as error:
        raise UserError(f"not options of `railbird hands`: {line}") from error
    given = context.params
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name not in _FILTERS and source is not None and source.name == "COMMANDLINE":
            raise UserError(f"{option.opts[0]} does not choose hands")
    compared = tuple(map(comparison, given["pot"] or ()))
    named = {name: given[name] for name in ("player", "against", "did", "street", "situation", "showdown")}
    wanted = checked(store, Conditions(pots=compared, **named), given["event"], given["game"])
    _, chosen = matches_as_played(store, given["match"], given["event"], given["game"])
    rows = found_hands(store, wanted, ids(chosen), given["sort"], given["limit"])
    return [(row["match_id"], row["hand_index"]) for row in rows]
