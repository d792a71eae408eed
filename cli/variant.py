"""The commands about games of a user's own: `railbird variant new` and `railbird variant check`."""

from pathlib import Path
from typing import Annotated

import typer

variant = typer.Typer(
    help="Write a file for a game of your own, and check it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@variant.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The game: small letters, digits and hyphens.")],
    folder: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder that the file is written to.")
    ] = Path(),
) -> None:
    """Write a file that defines a game, with comments; it works as it stands."""
    from ..reports.variant import write_new

    path = write_new(name, folder)
    print(f"{path}: next, `railbird variant check {path} LOG...`")


@variant.command()
def check(
    path: Annotated[Path, typer.Argument(metavar="FILE.py", help="The file that defines the game.")],
    logs: Annotated[list[str], typer.Argument(metavar="LOG", help="Logs, folders or globs of that game.")],
) -> None:
    """Say what a file does not explain of some logs: lines, and the first hand that is not as it says; exit 1 then."""
    from ..jit.startup import prepare_process

    prepare_process()
    from ..reports.variant import print_check

    raise typer.Exit(1 if print_check(path, logs) else 0)
