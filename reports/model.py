"""The output of `railbird model`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..progress import Progress
from . import UserError
from .matches import last_match
from .terminal import counted, printable

if TYPE_CHECKING:
    from ..analytics.model.fitting import Fitted
    from ..analytics.model.learning import Layers
    from ..analytics.players import Player
    from ..analytics.store import Store


def fit_model(
    store: "Store",
    name: str,
    out: Path,
    event: str | None = None,
    game: str | None = None,
    seat: int | None = None,
    as_of: str | None = None,
    progress: Progress | None = None,
) -> str:
    """Fit the model of a player and write it into a folder; returns what was done, in lines.

    UserError without the library that fits, for a player without decisions, and for a folder that cannot be written.
    """
    from ..analytics.players import find_player

    fitted = _fitted(store, find_player(store, name, event, game, seat), last_match(store, as_of), progress)
    with _writing(out):
        fitted.write(out)
    model, module = fitted.files
    return f"{_what(fitted)}\nwrote {out / model} and {out / module}"


def export_player(
    store: "Store",
    name: str,
    out: Path,
    event: str | None = None,
    game: str | None = None,
    seat: int | None = None,
    as_of: str | None = None,
    progress: Progress | None = None,
) -> str:
    """Fit the model of a player and write it as a bot; returns what was done, in lines.

    UserError as of `fit_model`, and for a game that no such bot plays.
    """
    from ..analytics.model.clone import table_of, write_player
    from ..analytics.model.fitting import NothingToFit
    from ..analytics.players import find_player

    try:
        player, last = find_player(store, name, event, game, seat), last_match(store, as_of)
        table = table_of(store, player, last)
    except NothingToFit as error:
        raise UserError(str(error)) from None
    fitted = _fitted(store, player, last, progress)
    with _writing(out):
        files = write_player(fitted, out, table)
    blinds = "/".join(map(str, table["blinds"]))
    stakes = f"plays with a stack of {table['stack']} and blinds of {blinds}"
    return f"{_what(fitted)}\n{stakes}\nwrote {out}: {', '.join(files)}"


def _fitted(store: "Store", player: "Player", last: int | None, progress: Progress | None) -> "Fitted":
    from ..analytics.model import fitting, learning

    try:
        learning.learner()
        return fitting.fit_player(store, player, last, progress)
    except (ImportError, fitting.NothingToFit) as error:
        raise UserError(str(error)) from None


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """UserError if files cannot be written."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{out} cannot be written: {error.strerror}") from None


def _what(fitted: "Fitted") -> str:
    """What was fitted, in lines."""
    player = fitted.player
    return (
        f"{printable(f'{player.name}: {player.game}, event {player.event}')}\n"
        f"fitted to {fitted.decisions:,} decisions in {counted(fitted.hands, 'hand')} of "
        f"{counted(fitted.matches, 'match')}, and to {fitted.others:,} decisions of other players\n"
        f"actions  {_said(fitted.actions)}\n"
        f"sizes    {_said(fitted.sizes)}"
    )


def _said(layers: "Layers") -> str:
    """What a choice is predicted from."""
    said = ["own frequencies"]
    if layers.share:
        said.append(f"{layers.share:.0%} of what cards and prices change in other players")
    if layers.rounds:
        said.append(f"{counted(layers.rounds, 'round')} of own trees")
    return ", ".join(said)
