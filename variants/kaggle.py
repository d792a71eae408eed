"""Kaggle's Game Arena: language models play heads-up no-limit hold'em on OpenSpiel, 100 hands a session.

Each hand begins with 200 chips, or stacks are carried on until one player has all (`reset_stacks`, `blind_schedule`).
An illegal answer, a failure or a time-out ends the session within a hand, which then has no result; what the session
pays is not the sum of its hands then.
"""

from typing import Final

from ..parsers.dialect import Dialect, Records, no_cut
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import tables
from .properties import Properties, Variant

_NAME: Final = "kaggle-arena"


def dialects() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read."""
    from ..parsers import table_lines as t

    return (
        Dialect(
            "kaggle-repeated-poker",
            _NAME,
            t.GRAMMAR,
            no_cut,
            opens=t.OPENS,
            closes=t.CLOSES,
            records=Records("document", (b'"openSpielGameName"', b"repeated_poker"), "kaggle"),
        ),
    )


GAME: Final = Game(
    name=_NAME,
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="kaggle-environments' open_spiel_env over OpenSpiel's repeated_poker",
    players=(2, 10),
    family=tables,
    deviations=(
        Deviation(
            f"{_NAME}.rewards-differ",
            "log",
            "",
            "",
            "a session that an illegal answer, a failure or a time-out ends pays 1 to the other player, or nothing, "
            "not the sum of its hands",
        ),
        Deviation(
            f"{_NAME}.phantom-hand",
            "log",
            "",
            "",
            "after a player has lost all chips, the session's last state repeats the end of the last hand under "
            "the next number",
        ),
    ),
    profiles=(Profile("2025-10", (f"{_NAME}.rewards-differ", f"{_NAME}.phantom-hand")),),
)

PROPERTIES: Final = Properties(
    game=_NAME,
    title="Kaggle Game Arena",
    players=None,
    most_chips_win=False,
    final_is_delta=False,
    bankrolls=False,
)

VARIANT: Final = Variant(GAME, PROPERTIES, dialects)
