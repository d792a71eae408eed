"""The games of the ACPC dealer: each follows from its definition."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ..parsers.dialect import Dialect
from ..replay.acpc import definitions
from ..replay.acpc.definitions import PREFIX, acpc_game, shipped
from ..replay.games import HOLDEM_STREETS, Definitions, Deviation, Game, Profile, are_antes
from ..replay.replaying import by_definition
from ..replay.simulate import Order, Played
from .properties import Properties, Variant

_DENSE: Final = 8
_ROUNDS: Final = ("first round", "second round", "third round", "fourth round")


def properties(game: str, match: Mapping[str, Any]) -> Properties:
    """The properties of a match's game, from the columns of its definition in the match's row of `matches`."""
    boards, blinds = match.get("board_cards"), match.get("blinds_by_position") or ()
    antes = are_antes(blinds)
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


ALL_IN_CHECKS: Final = Deviation(
    "acpc.all-in-checks",
    "log",
    "",
    "",
    "LBR prints checks on the streets that are dealt after a called all-in, where the dealer prints none",
)

NOTED: Final = Deviation(
    "acpc.noted",
    "log",
    "",
    "",
    "a note in an AIVAT table says that a fault of the system made the program check and fold",
)

_ALL: Final[Mapping[str, Any]] = {
    "family": by_definition,
    "forward": play,
    "deviations": (ALL_IN_CHECKS, NOTED),
    "profiles": (
        definitions.DEALER,
        Profile("lbr", deviations=(ALL_IN_CHECKS.name,)),
        Profile("aivat", deviations=(NOTED.name,)),
    ),
}
"""What holds for every definition."""


def _named(name: str) -> Game:
    return replace(acpc_game(name), **_ALL)


def _names() -> tuple[str, ...]:
    return tuple(PREFIX + definition.name for definition in shipped())


GAME: Final = replace(definitions.GAME, definitions=Definitions(_names, _named), **_ALL)
"""The game of a match without a definition; with one, the game is `acpc/` and the definition's name."""


def dialects() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read: a command starts sooner without it."""
    from ..parsers import acpc, aivat, lbr, matchstate

    # A hand is one line: what every hand holds opens it and closes it.
    return tuple(
        Dialect(of.NAME, GAME.name, of.GRAMMAR, of.cut, word, word, dense=_DENSE, apart=apart)
        for of, word, apart in (
            (acpc, acpc.STATE, acpc.apart),
            (lbr, lbr.IN_A_HAND, None),
            (aivat, aivat.IN_A_HAND, None),
            (matchstate, matchstate.IN_A_HAND, matchstate.apart),
        )
    )


VARIANT: Final = Variant(GAME, properties, dialects)
