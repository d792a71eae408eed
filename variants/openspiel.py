"""OpenSpiel's poker: no-limit hold'em at tables of up to ten, as the library prints its hands.

The rules are those of `repeated_poker` over `universal_poker`: the big blind is the least raise, a pot is shared in
fractions of a chip.
"""

from typing import Final

from ..parsers.dialect import Dialect, Records, no_cut
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import tables
from .properties import Properties, Variant

_NAME: Final = "openspiel"


def dialects() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read."""
    from ..parsers import table_lines as t
    from ..parsers.openspiel import SESSION

    return tuple(
        Dialect(
            name,
            _NAME,
            t.GRAMMAR,
            no_cut,
            opens=t.OPENS,
            closes=t.CLOSES,
            records=Records("text", signs, module, unlike, begins=begins),
        )
        for name, module, signs, unlike, begins in (
            (
                "openspiel-acpc-lines",
                "openspiel",
                (b"STATE:", b":Player0|Player"),
                # The ACPC dealer's lines.
                (b"# name/game/hands/seed ", b"\nSCORE:"),
                SESSION,
            ),
            (
                "openspiel-state-print",
                "openspiel_states",
                (b"BettingAbstraction: ", b"\nACPC State: STATE:"),
                (),
                None,
            ),
        )
    )


GAME: Final = Game(
    name=_NAME,
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="OpenSpiel's repeated_poker",
    players=(2, 10),
    family=tables,
    deviations=(
        Deviation(
            f"{_NAME}.half-chip-cut-off",
            "log",
            "",
            "",
            "results are printed in whole chips: a fractional share of a pot is rounded towards zero",
        ),
    ),
    profiles=(Profile("repeated_poker", (f"{_NAME}.half-chip-cut-off",)),),
)

PROPERTIES: Final = Properties(
    game=_NAME,
    title="OpenSpiel",
    players=None,
    most_chips_win=False,
    final_is_delta=False,
    bankrolls=False,
)

VARIANT: Final = Variant(GAME, PROPERTIES, dialects, (b":Player0|Player", b"BettingAbstraction: "))
