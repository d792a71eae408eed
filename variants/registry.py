"""The games that railbird knows, and the properties of the game of a match."""

from collections.abc import Mapping
from typing import Any, Final

from . import (
    acpc,
    auction,
    blotto,
    bounty,
    holdem_mit,
    koper,
    permutation,
    river_of_blood,
    swap,
    toss,
)
from .properties import Properties

KNOWN: Final = (
    holdem_mit.PROPERTIES,
    bounty.PROPERTIES,
    river_of_blood.PROPERTIES,
    permutation.PROPERTIES,
    swap.PROPERTIES,
    auction.PROPERTIES,
    toss.PROPERTIES,
    blotto.PROPERTIES,
    koper.PROPERTIES,
)
"""Of the games whose rules no match changes."""


def properties_named(game: str) -> Properties | None:
    """The properties of a game by its name; None where matches tell them, or of none that is known."""
    return next((known for known in KNOWN if known.game == game), None)


def properties_of(match: Mapping[str, Any]) -> Properties:
    """The properties of a match's game, from its row of `matches`."""
    game: str = match["game"]
    if (known := properties_named(game)) is not None:
        return known
    if game.split("/")[0] == acpc.NAME:
        return acpc.properties(game, match)
    raise KeyError(f"no game is called {game!r}")
