"""Husky Hold'em (University of Washington, 2024): plain hold'em whose blinds rise, in the end above the stack."""

from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played
from .mit_engine import HeadsUp
from .properties import Properties, Variant

_NAME: Final = "husky"
_ABOVE: Final = f"{_NAME}.more-than-the-stack"
_BACK: Final = f"{_NAME}.call-takes-back"
_HEADER: Final = "HUSKY HOLD`EM - "
_EVERY, _SMALL, _BIG = _LEVELS = (200, 25, 50)

DIALECT: Final = Dialect("mit-husky", _NAME, mit.GRAMMAR, mit.cut, header=_HEADER.encode())


class Husky(HeadsUp):
    """The header, and the blinds of a hand."""

    header = _HEADER

    def blinds(self, number: int) -> tuple[int, int]:
        """They rise every 200 hands, but not with the last."""
        level = (number - (number == self.order.hands)) // _EVERY
        return (level * _SMALL, level * _BIG) if level else super().blinds(number)


def play(order: Order) -> Played:
    """A match of the Husky Hold'em engine."""
    return Husky(order).play()


GAME: Final = Game(
    name=_NAME,
    stack=1000,
    blinds=(10, 20),
    streets=HOLDEM_STREETS,
    source="the engine of 2024-04",
    deviations=(
        Deviation(
            _ABOVE,
            "legality",
            "2024-04",
            "",
            "blinds above the stack are posted and called with chips that nobody has",
        ),
        Deviation(
            _BACK,
            "legality",
            "2024-04",
            "",
            "an all-in below the big blind, or a negative bet, is called by taking chips back",
        ),
    ),
    profiles=(Profile("2024-04", (_ABOVE, _BACK)),),
    blind_levels=_LEVELS,
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(game=_NAME, title="hold'em with rising blinds")

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
