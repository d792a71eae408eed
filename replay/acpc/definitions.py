"""The game definitions that railbird ships, and look-ups among definitions."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Final

from ...parsers.acpc_game import MAX_PLAYERS, Definition, parse_definition
from ..games import HOLDEM_STREETS, Game, Profile
from ..positions import positions_at

PREFIX: Final = "acpc/"
DEALER: Final = Profile("2.0.0")
SOURCE: Final = "the dealer's protocol 2.0.0 (docs/dialects.md)"

GAME: Final = Game(
    name="acpc",
    stack=0,
    blinds=(0,),
    streets=HOLDEM_STREETS,
    source=SOURCE,
    profiles=(DEALER,),
    players=(2, MAX_PLAYERS),
)
"""All of them; the game of a match is `acpc/` and its definition's name."""


EXPLAINS: Final = {f"{GAME.name}.all-in-checks": "all_in_checks", f"{GAME.name}.noted": "noted"}
"""The name of a deviation, and the field of `state.SETTINGS` that says what it explains."""

HANDS_DEALT: Final = 1 << 16
"""Hands from this number on are not dealt from a seed: that takes the time of all earlier hands."""
HANDS_COMPARED: Final = 16
"""The hands whose hole cards identify a card set: the match's first, including unplayed ones if the seed is known."""


@cache
def shipped() -> tuple[Definition, ...]:
    """The definitions that come with railbird, by name."""
    folder = files(__package__) / "games"
    paths = {
        path.name.removesuffix(".game"): path for path in folder.iterdir() if path.name.endswith(".game")
    }
    return tuple(parse_definition(paths[name].read_text(encoding="utf-8"), name) for name in sorted(paths))


def named(name: str, definitions: Iterable[Definition]) -> Definition | None:
    """The first definition of a name, else None."""
    return next((d for d in definitions if d.name == name), None)


def playable(players: int, definitions: Iterable[Definition]) -> tuple[Definition, ...]:
    """The definitions for a number of players, the first of each name."""
    found: dict[str, Definition] = {}
    for definition in definitions:
        if definition.players == players:
            found.setdefault(definition.name, definition)
    return tuple(found.values())


def game_of(definition: Definition) -> Game:
    """A definition as a game among others."""
    return Game(
        name=PREFIX + definition.name,
        stack=float(definition.stacks[0]) if definition.has_stacks else 0.0,
        blinds=blinds_of(definition),
        streets=GAME.streets[: definition.rounds],
        source=SOURCE,
        profiles=(DEALER,),
        players=(definition.players, definition.players),
    )


def acpc_game(name: str) -> Game:
    """The game `acpc/` and a definition's name; without a shipped definition, only the name is set."""
    definition = named(name.removeprefix(PREFIX), shipped())
    return replace(GAME, name=name) if definition is None else game_of(definition)


def blinds_of(definition: Definition) -> tuple[float, ...]:
    """The blinds or antes that are posted, the smallest first."""
    return tuple(float(blind) for blind in sorted(definition.blinds) if blind)


def positions_of(definition: Definition | None, players: int) -> tuple[str, ...]:
    """The names of the positions, in the order of the hands' lines; numbers if no player posts a blind."""
    if definition is None or definition.antes:
        return tuple(str(k) for k in range(players))
    if definition.reverse_blinds:
        return ("BB", "SB")
    return positions_at(players)
