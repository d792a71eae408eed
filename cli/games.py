"""The commands about games: those that are known, matches that bots play, and games of a user's own."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from ..reports import Format
from .opening import add_games, complain, opened_store, progress_bar
from .options import STORE, AsOf, Form, PlayerEvent, PlayerSeat, StoreDir, Variants, seed_option

if TYPE_CHECKING:
    from ..analytics.model.railbird_model import Model
    from ..reports.simulate import Choice
    from ..reports.terminal import Answer


class StyledCommand(TyperCommand):
    """A command whose help ends with the styles and plans of bots."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write them, from the code that plays them."""
        from ..replay.bots import STYLES
        from ..replay.colluders import PARTNER_PLANS, PLANS

        formatter.write_paragraph()
        for line in (
            f"Styles: {', '.join(STYLES)}.",
            f"Plans: {', '.join(PLANS)}; in Koper {', '.join(PARTNER_PLANS)}.",
        ):
            formatter.write(f"{fill(line, formatter.width, break_on_hyphens=False)}\n")


def simulate(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A game that `railbird games` lists; ACPC: acpc/NAME, such as acpc/kuhn.limit.3p.",
        ),
    ],
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=STYLE",
            help="A player; give once per seat. Add +PLAN@PERCENT for a colluder (Koper: then :PARTNER). "
            "clone:NAME is a player of --store, a path (./my_bot) a folder with a bot of MIT's skeleton.",
        ),
    ] = None,
    hands: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Number of hands; in Koper, games of each match, at most 50 (v1 plays one match, v2 five).",
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
    store: StoreDir = STORE,
    event: PlayerEvent = None,
    seat: PlayerSeat = None,
    as_of: AsOf = None,
    variant: Variants = None,
) -> None:
    """Let bots play each other; write the log as the engine would.

    clone:NAME is a player of the store, who plays as its model says (docs/spar.md): --event, --seat and --as-of choose
    it. A folder with a bot has commands.json: its program is run, and plays over a socket.
    """
    from ..reports.simulate import Choice, log_text

    add_games(variant or ())
    models = partial(_models, store, variant or (), game, Choice(event, seat, as_of))
    text = log_text(game, player or (), hands, seed, profile, models, complain)
    # A name may have come as bytes that the locale does not know.
    log = text.encode("utf-8", "surrogateescape")
    if out:
        out.write_bytes(log)
    else:
        sys.stdout.buffer.write(log)


def _models(
    store: str, variants: Sequence[Path], game: str, choice: "Choice", names: Sequence[str]
) -> "dict[str, Model]":
    """The models of players of a store."""
    from ..reports.simulate import models_of

    how = {"variants": tuple(variants)} if variants else None
    with opened_store(store, how) as opened, progress_bar("Reading decisions") as progress:
        return models_of(opened, game, choice, names, progress)


def games(form: Form = Format.TABLE, variant: Variants = None) -> None:
    """List the games, log dialects and engine deviations known."""
    add_games(variant or ())
    from ..reports import terminal

    for answer in _known_games(form):
        terminal.write(answer, form)


def _known_games(form: Format) -> "Iterator[Answer]":
    """The games and dialects; in a table, also the engines' deviations."""
    from ..replay.replaying import known_games
    from ..reports.terminal import Answer, plain
    from ..variants.registry import LISTED, listed

    rows = listed()
    if form is not Format.TABLE:
        yield Answer(LISTED, rows)
        return
    yield Answer(
        ("game", "dialect", "stack", "blinds", "engine profiles", "rules"),
        [(r[0], " ".join(r[1]), r[2], "/".join(map(plain, r[3])), " ".join(r[5]), r[7]) for r in rows],
        "Games",
    )
    yield Answer(
        ("deviation", "kind", "since", "until", "effect"),
        [
            (d.name, d.kind, d.since or None, d.until or None, d.effect)
            for game in known_games()
            for d in game.deviations
        ],
        "What engines do against the written rules",
    )


variant = typer.Typer(
    help="Write a file for a game of your own, and check it.",
    rich_markup_mode=None,
)


@variant.callback(invoke_without_command=True)
def _variant(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@variant.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The game: small letters, digits and hyphens.")],
    folder: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder that the file is written to.")
    ] = Path(),
) -> None:
    """Write a file for a new game; it works as it stands."""
    from ..reports.variant import write_new

    path = write_new(name, folder)
    print(f"{path}: next, `railbird variant check {path} LOG...`")


@variant.command()
def check(
    path: Annotated[Path, typer.Argument(metavar="FILE.py", help="The file that defines the game.")],
    logs: Annotated[list[str], typer.Argument(metavar="LOG", help="Logs, folders or globs of that game.")],
) -> None:
    """Show what a file does not explain; exit 1 if anything.

    The lines of the logs that no template of the file accepts, the first hand that breaks its rules, and the rules
    that are broken.
    """
    from ..jit.startup import prepare_process

    prepare_process()
    from ..reports.variant import print_check

    raise typer.Exit(1 if print_check(path, logs) else 0)
