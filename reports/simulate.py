"""The matches that `railbird simulate` plays: who plays, and the log."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from ..progress import Progress
from ..replay.bots import STYLES, Bot
from ..replay.colluders import is_colluder
from . import UserError
from .matches import last_match

if TYPE_CHECKING:
    from ..analytics.model.fitting import Material
    from ..analytics.model.railbird_model import Model
    from ..analytics.store import Store

CLONE: Final = "clone:"
"""Before the name of the player that a clone plays as."""
DEFAULTS: Final = (
    "Tight=tight-passive",
    "Loose=loose-aggressive",
    "Caller=calling-station",
    "Maniac=maniac",
    "Odds=pot-odds",
    "Rock=tight-passive",
)
"""NAME=STYLE by seat where the user names nobody."""


def seats_of(game: str) -> int:
    """The number of players of a game."""
    from ..replay.replaying import game_named
    from ..replay.simulate import playable

    return game_named(game).players[0] if game in playable() else 2


def is_folder(style: str) -> bool:
    """Whether a style is the path of a folder with a bot: it has a separator of folders."""
    return "/" in style or os.sep in style


def seated(text: str) -> tuple[str, str]:
    """The name and the style of NAME=STYLE; either may hold a =. UserError for another text.

    The style begins at the first = behind which stands one; where none does, at the last.
    """
    parts = text.split("=")
    for k in range(1, len(parts)):
        style = "=".join(parts[k:])
        if style in STYLES or style.startswith(CLONE) or is_colluder(style):
            break
        if is_folder(style) and Path(style).is_dir():
            break
    else:
        style = parts[-1]
    name = text[: -len(style) - 1] if style else text[:-1]
    if not name or len(parts) == 1:
        raise UserError(f"--player takes NAME=STYLE, not {text!r}")
    return name, style


@dataclass(frozen=True)
class Choice:
    """Which player of a store a clone plays as: the options of `railbird model fit`."""

    event: str | None = None
    seat: int | None = None
    as_of: str | None = None


def models_of(
    store: "Store", game: str, choice: Choice, names: Sequence[str], progress: Progress | None = None
) -> "dict[str, Model]":
    """The models of players of a game; UserError for one that no clone can play as."""
    from ..analytics.model import clone, fitting, learning
    from ..analytics.players import find_player, rules_of

    last = last_match(store, choice.as_of)
    read: dict[str, Material] = {}
    found: dict[str, Model] = {}
    for name in names:
        player = find_player(store, name, choice.event, game, choice.seat)
        try:
            clone.check_game(rules_of(store, game))
            learning.learner()
            if player.event not in read:
                read[player.event] = fitting.read_material(store, player, last, progress)
            found[name] = fitting.fit(read[player.event].of(player), player).loaded()
        except (ImportError, fitting.NothingToFit) as error:
            raise UserError(str(error)) from None
    return found


def log_text(
    game: str,
    players: Sequence[str],
    hands: int,
    seed: int,
    profile: str | None,
    models: "Callable[[Sequence[str]], dict[str, Model]]",
    complain: Callable[[str], None] = print,
) -> str:
    """The log of a simulated match.

    players  NAME=STYLE by seat; without any, bots of all styles play
    models   called with the names that clones play as, if there are any; gives the model of each
    complain  called with a line about a program of a folder that failed

    UserError if it cannot be played.
    """
    from ..replay.simulate import check_playable, simulate
    from ..variants import registry  # noqa: F401  # makes the games known
    from ..variants.mit_bots import SocketBot

    who = [seated(text) for text in players or DEFAULTS[: seats_of(game)]]
    cloned = sorted({style.removeprefix(CLONE) for _, style in who if style.startswith(CLONE)})
    more = {"profile": profile} if profile else {}
    programs: list[SocketBot] = []
    try:
        check_playable(game)
        known = models(cloned) if cloned else {}

        def others(style: str, rng: Random) -> Bot | None:
            from ..analytics.model.clone import Clone

            if style.startswith(CLONE):
                return Clone(rng, known[style.removeprefix(CLONE)])
            if style in STYLES or is_colluder(style):
                return None
            if not is_folder(style):
                if Path(style).is_dir():
                    raise UserError(f"no style of play is called {style!r}; the folder is written ./{style}")
                return None
            programs.append(SocketBot(Path(style)))
            return programs[-1]

        return simulate(game, who, hands, seed, others=others, **more)
    except (KeyError, ValueError) as error:
        raise UserError(str(error.args[0])) from None
    finally:
        for program in programs:
            program.stop()
            if program.trouble:
                complain(program.trouble)
