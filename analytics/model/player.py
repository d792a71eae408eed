"""A model as a bot of MIT's engine: a folder that holds all that it needs but Python and NumPy."""

import json
import shutil
from pathlib import Path
from typing import Any, Final

from ...variants import registry  # noqa: F401  # makes the games known
from ...variants.mit_bots import COMMANDS, BotError, check_spoken
from ..players import Asked, Player, UnknownMatch, matches_in_order
from ..views import queries
from . import railbird_player
from .clone import NoClone
from .fitting import Fitted

PROGRAM: Final = "player.py"
_RUN: Final = ("python3", PROGRAM)


def table_of(store: Asked, player: Player, as_of: int | None = None) -> dict[str, Any]:
    """The table that a player's clone sits down at: `stack` and `blinds`, of most of the player's matches.

    as_of  match_id of the last match, in the order of play
    Raises NoClone for a game whose engine's messages are not known, for a player whose stacks no log tells, and for a
    match that is not of the player's event and game.
    """
    try:
        check_spoken(player.game)
    except BotError as error:
        raise NoClone(str(error)) from None
    try:
        ids = sorted({row[0] for row in matches_in_order(store, player.event, player.game, as_of)})
    except UnknownMatch as error:
        raise NoClone(str(error)) from None
    rows = store.sql(queries("model")["stakes"], ids=ids, player=player.name, seat=player.seat).fetchall()
    if not rows:
        raise NoClone(f"the stacks of {player} are not known")
    ((stack, blinds),) = rows
    return {"stack": int(stack), "blinds": [int(blind) for blind in blinds]}


def write_player(fitted: Fitted, folder: Path, table: dict[str, Any]) -> tuple[str, ...]:
    """Write the folder of a bot that plays as a model; returns the names of its files."""
    fitted.write(folder)
    shutil.copyfile(Path(railbird_player.__file__), folder / PROGRAM)
    for name, content in (
        (railbird_player.TABLE, table),
        (COMMANDS, {"build": [], "run": list(_RUN)}),
    ):
        (folder / name).write_text(json.dumps(content) + "\n", encoding="utf-8")
    return (COMMANDS, PROGRAM, *fitted.files, railbird_player.TABLE)
