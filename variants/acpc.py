"""The games of the ACPC dealer: each follows from its definition."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ..parsers.dialect import Dialect
from ..replay.acpc import definitions
from ..replay.acpc.definitions import PREFIX, acpc_game, shipped
from ..replay.games import HOLDEM_STREETS, Definitions, Game
from ..replay.replaying import by_definition
from ..replay.simulate import Order, Played
from .properties import Properties, Variant

_ROUNDS: Final = ("first round", "second round", "third round", "fourth round")


def properties(game: str, match: Mapping[str, Any]) -> Properties:
    """The properties of a match's game, from the columns of its definition in the match's row of `matches`."""
    boards, blinds = match.get("board_cards"), match.get("blinds_by_position") or ()
    antes = len(set(blinds)) == 1
    return Properties(
        game=game,
        title=game,
        players=len(match["players"]),
        streets=(_ROUNDS if antes else HOLDEM_STREETS)[: len(boards) if boards else None],
        board_cards=tuple(boards) if boards else None,
        hole_cards=match.get("hole_cards"),
        suits=match.get("suits"),
        ranks=match.get("ranks"),
        forced="antes" if antes else "blinds",
        unit="ante" if antes else "big blind",
        fixed_sizes=match.get("raise_sizes") is not None,
        shared_cards=True,
        first_hand_no=0,
        most_chips_win=False,
    )


def play(order: Order) -> Played:
    """A match of the dealer."""
    from ..replay.acpc.dealer import play

    return play(order)


def _named(name: str) -> Game:
    return replace(acpc_game(name), family=by_definition, forward=play)


def _names() -> tuple[str, ...]:
    return tuple(PREFIX + definition.name for definition in shipped())


GAME: Final = replace(
    definitions.GAME, family=by_definition, forward=play, definitions=Definitions(_names, _named)
)
"""The game of a match without a definition; with one, the game is `acpc/` and the definition's name."""


def dialects() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read: a command starts sooner without it."""
    from ..parsers.acpc import GRAMMAR, NAME, STATE, apart, cut

    return (Dialect(NAME, GAME.name, GRAMMAR, cut, opens=STATE, closes=STATE, dense=8, apart=apart),)


VARIANT: Final = Variant(GAME, properties, dialects)
