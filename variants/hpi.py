"""HPI Showdown (2025), "Royal run": River of Blood in which a jack, queen or king lets the run go on."""

from dataclasses import replace
from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay.games import HOLDEM_STREETS, POT_BY_LIBRARY, Game, Profile
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played
from . import river_of_blood as parent
from .mit_engine import own_stakes
from .properties import Properties, Variant

_NAME: Final = "hpi"
_SINCE: Final = "2025"
_ROYALS: Final = "JQK"

GRAMMAR: Final = Grammar("separator ===", base=parent.GRAMMAR, without="bare_flop bare_turn bare_river")

DIALECT: Final = Dialect(
    "mit-hpi",
    _NAME,
    GRAMMAR,
    mit.cut,
    signs=((b"\n===\n", "separator"), (b"\n===\r\n", "separator")),
    header=b"0.02 HPI Pokerbots - ",
)

_INHERITED: Final = tuple(
    replace(one, name=f"{_NAME}.{what}", since=_SINCE)
    for one in parent.GAME.deviations
    if (what := one.name.split(".")[1]) in (parent.EVAL7, parent.UNREPORTED, parent.TIE)
)


class Hpi(parent.RiverOfBlood):
    """Another line between the hands."""

    course = "0.02 HPI"

    def separate(self) -> None:
        """Three equals signs."""
        self.say("separator")


def play(order: Order) -> Played:
    """A match of the HPI engine."""
    return Hpi(order).play()


GAME: Final = Game(
    name=_NAME,
    stack=400,
    blinds=(1, 2),
    streets=(*HOLDEM_STREETS, "run"),
    source="the engine of HPI Showdown, 2025",
    deviations=(*_INHERITED, own_stakes(_NAME)),
    profiles=(Profile(_SINCE, tuple(one.name for one in _INHERITED), frozenset({"runs"})),),
    payout=POT_BY_LIBRARY,
    runs=True,
    run_after=_ROYALS,
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(game=_NAME, title="Royal run", runs=True, run_after=_ROYALS)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
