"""The library texasholdem: no-limit hold'em, one document per hand, as published from runs with language models."""

import re
from typing import Final

from ..parsers.dialect import Dialect, Records, no_cut
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import tables
from .properties import Properties, Variant

_NAME: Final = "texasholdem"


def dialects() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read."""
    from ..parsers import table_lines as t

    return (
        Dialect(
            "texasholdem-json",
            _NAME,
            t.GRAMMAR,
            no_cut,
            opens=t.OPENS,
            closes=t.CLOSES,
            beside=((re.compile(rb"PREHAND\r?\nBig Blind: "), "a hand once more, without the button"),),
            records=Records("document", (b'"prehand"', b'"btn_loc"', b'"player_chips"'), "texasholdem"),
        ),
    )


GAME: Final = Game(
    name=_NAME,
    stack=500,
    blinds=(2, 5),
    streets=HOLDEM_STREETS,
    source="the library texasholdem, version 0.11",
    players=(2, 10),
    family=tables,
    deviations=(
        Deviation(f"{_NAME}.free-fold", "legality", "", "", "a fold is accepted although a check is free"),
    ),
    profiles=(Profile("0.11", (f"{_NAME}.free-fold",)),),
)

PROPERTIES: Final = Properties(
    game=_NAME,
    title="texasholdem",
    players=None,
    most_chips_win=False,
    final_is_delta=False,
    bankrolls=False,
)

VARIANT: Final = Variant(GAME, PROPERTIES, dialects)
