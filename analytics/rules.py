"""What the store says of the rules of a game, for those who ask for a property and not for a name."""

from ..variants.properties import Properties
from .people import Asked


def rules_of(store: Asked, game: str) -> Properties:
    """The row of the relation `games`; LookupError where the store holds no such game."""
    found = store.sql("select * from stored.games where game = $game", game=game)
    for row in found.fetchall():
        return Properties(**dict(zip(found.columns, row, strict=True)))
    raise LookupError(f"the store holds no game {game!r}")
