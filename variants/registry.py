"""The games that railbird knows; importing this module registers them with the parsers and the replay."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from ..parsers import dialects
from ..replay import replaying
from . import (
    acpc,
    auction,
    blotto,
    bounty,
    build4good,
    holdem_mit,
    hpi,
    husky,
    koper,
    permutation,
    river_of_blood,
    swap,
    tacs,
    toss,
)
from .properties import Properties, Variant

VARIANTS: Final[tuple[Variant, ...]] = (
    holdem_mit.VARIANT,
    bounty.VARIANT,
    river_of_blood.VARIANT,
    permutation.VARIANT,
    swap.VARIANT,
    auction.VARIANT,
    toss.VARIANT,
    build4good.VARIANT,
    hpi.VARIANT,
    husky.VARIANT,
    tacs.VARIANT,
    blotto.VARIANT,
    acpc.VARIANT,
    koper.VARIANT,
)
"""The base of an engine's games before its other ones."""

GAMES: Final = tuple(variant.game for variant in VARIANTS)

KNOWN: Final = tuple(v.properties for v in VARIANTS if isinstance(v.properties, Properties))
"""Of the games whose rules no match changes."""

_ADDED: Final[list[Variant]] = []
"""By users (`files`)."""


def add(variant: Variant) -> None:
    """Make another game known."""
    _ADDED.append(variant)
    dialects.register([variant.dialects])
    replaying.register([variant.game])


def _look_further() -> None:
    """Users' games, where a name is not known: `files` builds on this module, which loads it by name."""
    import_module(f"{__package__}.files").add_all()


dialects.register(variant.dialects for variant in VARIANTS)
replaying.register(GAMES, _look_further)


def properties_of(match: Mapping[str, Any]) -> Properties:
    """The properties of a match's game, from its row of `matches`."""
    game: str = match["game"]
    for rules, properties, _ in (*VARIANTS, *_ADDED):
        if isinstance(properties, Properties):
            if rules.name == game:
                return properties
        elif game.split("/")[0] == rules.name:
            return properties(game, match)
    raise KeyError(f"no game is called {game!r}")
