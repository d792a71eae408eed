"""The output of `railbird model`."""

from pathlib import Path
from typing import TYPE_CHECKING

from ..progress import Progress
from . import UserError
from .matches import last_match
from .terminal import counted, printable

if TYPE_CHECKING:
    from ..analytics.model.learning import Layers
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
    from ..analytics.model import fitting, learning
    from ..analytics.players import find_player

    player = find_player(store, name, event, game, seat)
    last = last_match(store, as_of)
    try:
        learning.learner()
        fitted = fitting.fit_player(store, player, last, progress)
    except (ImportError, fitting.NothingToFit) as error:
        raise UserError(str(error)) from None
    try:
        fitted.write(out)
    except OSError as error:
        raise UserError(f"{out} cannot be written: {error.strerror}") from None
    return (
        f"{printable(f'{name}: {player.game}, event {player.event}')}\n"
        f"fitted to {fitted.decisions:,} decisions in {counted(fitted.hands, 'hand')} of "
        f"{counted(fitted.matches, 'match')}, and to {fitted.others:,} decisions of other players\n"
        f"actions  {_said(fitted.actions)}\n"
        f"sizes    {_said(fitted.sizes)}\n"
        f"wrote {out / fitting.MODEL} and {out / fitting.MODULE}"
    )


def _said(layers: "Layers") -> str:
    """What a choice is predicted from."""
    said = ["own frequencies"]
    if layers.share:
        said.append(f"{layers.share:.0%} of what cards and prices change in other players")
    if layers.rounds:
        said.append(f"{counted(layers.rounds, 'round')} of own trees")
    return ", ".join(said)
