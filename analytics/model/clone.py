"""A clone: a bot that plays as a model says its player would, in the arena or as a folder for MIT's engine.

The folder holds all that the bot needs but Python and NumPy.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from ...replay.bots import Answer, Bot, View
from ...replay.records import ALLIN, BET, CALL, CHECK, DUMMY, FOLD, RAISE
from ...replay.simulate import Acted
from ...schema.words import CARDS, RANKS
from ...variants import registry  # noqa: F401  # makes the games known
from ...variants.mit_bots import COMMANDS, BotError, check_spoken
from ...variants.properties import DECISIONS, Properties
from ..players import Asked, Player, UnknownMatch, matches_in_order
from ..views import queries
from . import railbird_player
from .fitting import Fitted, NothingToFit
from .railbird_model import Model

_WORDS: Final = {FOLD: "fold", CHECK: "check", CALL: "call", BET: "bet", RAISE: "raise"}
_ANSWERS: Final = {"fold": FOLD, "check": CHECK, "call": CALL, "raise": RAISE}


class NoClone(NothingToFit):
    """A game in which a player decides what no model describes; the message is one line."""


def check_game(rules: Properties) -> None:
    """Raise NoClone for a game in which players decide anything but to fold, check, call, bet or raise."""
    why = ""
    if rules.simultaneous:
        why = "all players bet at once"
    elif more := [word for word in rules.decisions if word not in DECISIONS]:
        why = f"players decide more than to bet ({', '.join(more)})"
    elif rules.boards > 1:
        why = "there is more than one board"
    elif rules.redraws:
        why = "players may replace cards"
    if why:
        raise NoClone(f"no clone plays {rules.game}: {why}, and a model does not say how")


class Clone(Bot):
    """Draws each answer from the chances of a model."""

    def __init__(self, rng: Random, model: Model) -> None:
        """The model of the player; `rng` is the bot's alone."""
        super().__init__(rng)
        self.model = model

    def act(self, view: View) -> Answer:
        """What the player would do, one of its ways to play."""
        action, amount = self.model.choose(state_of(view), self.rng.random)
        return Answer(_ANSWERS[action], amount or 0)


def state_of(view: View) -> dict[str, Any]:
    """A view as the `state` that a model takes: what `railbird export --to jsonl` writes of the decision."""
    can_raise = view.high > 0
    return {
        "street": view.street,
        "position": view.positions[view.seat],
        "hole": [CARDS[card] for card in view.hole],
        "board": [CARDS[card] for card in view.board],
        "big_blind": view.big_blind,
        "players": len(view.positions),
        "pot_before": view.pot,
        "to_call": view.to_call,
        "pip_before": view.pip,
        "stack_before": view.stack,
        "min_raise_to": view.low if can_raise else None,
        "max_raise_to": view.high if can_raise else None,
        "line": list(_line(view.acted, view.positions, view.big_blind)),
        "facts": {"bounty_rank": RANKS[view.rank]} if view.rank >= 0 else {},
    }


def _line(acted: Sequence[Acted], positions: Sequence[str], big_blind: int) -> Iterator[list[Any]]:
    """The decisions of a hand so far: street, position, action, and the player's total of the street."""
    street, most = 0, big_blind
    for act in acted:
        if act.origin in (ALLIN, DUMMY) or act.action not in _WORDS:
            continue
        if act.street != street:
            street, most = act.street, 0
        if act.action in (BET, RAISE):
            most = act.raise_to
        to = most if act.action in (CALL, BET, RAISE) else None
        yield [act.street, positions[act.seat], _WORDS[act.action], to]


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
