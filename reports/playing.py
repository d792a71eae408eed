"""What `railbird games` and `railbird simulate` print: the games known, and a log played by bots."""

from collections.abc import Iterator, Sequence
from typing import Final

from ..parsers.dialects import dialects
from ..replay.replaying import game_named
from ..replay.simulate import playable, simulate
from ..variants.registry import GAMES
from . import Format, UserError
from .terminal import Answer, plain

_DEFAULTS: Final = (
    "Tight=tight-passive",
    "Loose=loose-aggressive",
    "Caller=calling-station",
    "Maniac=maniac",
    "Odds=pot-odds",
    "Rock=tight-passive",
)


def _seats(game: str) -> int:
    """How many play a game."""
    return game_named(game).players[0] if game in playable() else 2


def log_text(game: str, players: Sequence[str], hands: int, seed: int, profile: str | None) -> str:
    """The log of a simulated match.

    players are NAME=STYLE by seat, or none: then styles of every kind meet. UserError for what cannot be played.
    """
    seated = []
    for text in players or _DEFAULTS[: _seats(game)]:
        name, _, style = text.rpartition("=")
        if not name:
            raise UserError(f"--player takes NAME=STYLE, not {text!r}")
        seated.append((name, style))
    try:
        return simulate(game, seated, hands, seed, **({"profile": profile} if profile else {}))
    except (KeyError, ValueError) as error:
        raise UserError(str(error.args[0])) from None


def known_games(form: Format) -> Iterator[Answer]:
    """The games and dialects; then, in a table only, the engines' deviations."""
    rows = [
        (
            game.name,
            [dialect.name for dialect in dialects() if dialect.game == game.name],
            # Of the ACPC each definition has its own.
            game.stack or None,
            [blind for blind in game.blinds if blind],
            list(game.streets),
            [profile.name for profile in game.profiles],
            [deviation.name for deviation in game.deviations],
            game.source,
        )
        for game in GAMES
    ]
    columns = ("game", "dialects", "stack", "blinds", "streets", "profiles", "deviations", "source")
    if form is not Format.TABLE:
        yield Answer(columns, rows)
        return
    yield Answer(
        ("game", "dialect", "stack", "blinds", "engine profiles", "rules"),
        [(r[0], " ".join(r[1]), r[2], "/".join(map(plain, r[3])), " ".join(r[5]), r[7]) for r in rows],
        "Games",
    )
    yield Answer(
        ("deviation", "kind", "since", "until", "effect"),
        [
            (d.name, d.kind, d.since or None, d.until or None, d.effect)
            for game in GAMES
            for d in game.deviations
        ],
        "What engines do against the written rules",
    )
