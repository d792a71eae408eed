"""The commands about games of a user's own: `railbird variant new` and `railbird variant check`."""

from pathlib import Path
from typing import Annotated

import typer

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
