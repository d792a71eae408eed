"""The games that railbird knows, as `railbird games` lists them."""

from typing import Any, Final

from ..parsers.dialects import dialects
from ..replay.replaying import known_games
from ..variants.registry import add_all

COLUMNS: Final = ("game", "dialects", "stack", "blinds", "streets", "profiles", "deviations", "source")


def rows_of_games() -> list[tuple[Any, ...]]:
    """A row for each game."""
    add_all()
    return [
        (
            game.name,
            [dialect.name for dialect in dialects() if dialect.game == game.name],
            # Each ACPC definition has its own stack.
            game.stack or None,
            [blind for blind in game.blinds if blind],
            list(game.streets),
            [profile.name for profile in game.profiles],
            [deviation.name for deviation in game.deviations],
            game.source,
        )
        for game in known_games()
    ]
