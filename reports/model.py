"""The output of `railbird model`."""

from pathlib import Path
from typing import TYPE_CHECKING

from ..progress import Progress
from . import UserError
from .matches import one_match
from .terminal import printable

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
    last = None if as_of is None else one_match(store, as_of, "--as-of names one match").match_id
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
        f"fitted to {fitted.decisions:,} decisions in {_some(fitted.hands, 'hand')} of "
        f"{_some(fitted.matches, 'match', 'matches')}, and to {fitted.others:,} decisions of other players\n"
        f"actions  {_said(fitted.actions)}\n"
        f"sizes    {_said(fitted.sizes)}\n"
        f"wrote {out / fitting.MODEL} and {out / fitting.MODULE}"
    )


def _some(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _said(layers: "Layers") -> str:
    """What a choice is predicted from."""
    said = ["own frequencies"]
    if layers.share:
        said.append(f"{layers.share:.0%} of what cards and prices change in other players")
    if layers.rounds:
        said.append(f"{_some(layers.rounds, 'round')} of own trees")
    return ", ".join(said)
