"""Koper: five players pay a buy-in and bet at the same time in three rounds; a win is capped.

By its rules document, and what its two engines do otherwise: v1, one match on the console, and v2, a tournament of five
matches.
"""

from typing import Final

from ..parsers.dialect import Dialect
from ..replay.games import Deviation, Game, Profile
from ..replay.koper.game import CAP_FACTOR, DEVIATIONS, PLAYERS, STACK
from ..replay.replaying import simultaneous
from ..replay.simulate import Order, Played
from .properties import Properties, Variant

_ALL_FOLD, _EARLY_WIN, _ELIMINATED, _LAST_POT, _SHORT_BET = (f"koper.{name}" for name in DEVIATIONS)


def dialects() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read: a command starts sooner without them."""
    from ..parsers import koper as k

    return (
        Dialect(k.NAME_V1, GAME.name, k.V1, k.cut_v1, opens=k.OPENS_V1, closes=b"\nGame End Stacks:"),
        Dialect(k.NAME_V2, GAME.name, k.V2, k.cut_v2, opens=k.OPENS_V2, closes=k.FINAL_STACK),
    )


def play(order: Order) -> Played:
    """A match of one of the engines."""
    from ..replay.koper.engine import play

    return play(order)


GAME: Final = Game(
    name="koper",
    stack=STACK,
    blinds=(),
    streets=("buy-in", "flop", "turn", "river"),
    source="rules document of Koper, shipped with the v1 engine",
    deviations=(
        Deviation(_ALL_FOLD, "pay", "v1", "v2", "the pot vanishes if everybody folds"),
        Deviation(_EARLY_WIN, "pay", "v1", "v2", "an early winner is paid no more than the winning cap"),
        Deviation(
            _ELIMINATED, "pay", "v1", "", "a player eliminated before the flop betting wins at the showdown"
        ),
        Deviation(
            _LAST_POT, "pay", "v1", "", "the pot vanishes if the match ends because too few players are left"
        ),
        Deviation(
            _SHORT_BET,
            "legality",
            "v1",
            "",
            "a bet below the minimum is accepted from a player who has no more chips",
        ),
    ),
    profiles=(
        Profile("v1", (_ALL_FOLD, _EARLY_WIN, _ELIMINATED, _LAST_POT, _SHORT_BET)),
        Profile("v2", (_ELIMINATED, _LAST_POT, _SHORT_BET)),
    ),
    players=(PLAYERS, PLAYERS),
    family=simultaneous,
    forward=play,
    partners=True,
)

PROPERTIES: Final = Properties(
    game="koper",
    title="Koper",
    players=PLAYERS,
    streets=("buy-in", "flop", "turn", "river"),
    first_street=1,
    decisions=("fold", "play"),
    forced="buy-in",
    unit="100 chips",
    simultaneous=True,
    button=False,
    win_cap=CAP_FACTOR,
    cluster="match",
    shared_cards=True,
    seats_rotate=True,
    most_chips_win=False,
    final_is_delta=False,
    bankrolls=False,
    shows_folded=True,
)

VARIANT: Final = Variant(GAME, PROPERTIES, dialects)
