"""Games of people: tables of PokerNow, and the play-money limit games of the IRC poker database.

The rules of PokerNow's house are those that hold in what its tables export; no page of its own has them.
"""

import re
from typing import Final

from ..parsers.dialect import Dialect, Records, no_cut
from ..replay.games import HOLDEM_STREETS, Game
from ..replay.replaying import tables
from .properties import Properties, Variant

_POKERNOW: Final = "pokernow"
_OMAHA: Final = "pokernow-omaha"
_IRC: Final = "irc"
_MOST: Final = 10
_MOST_OF_IRC: Final = 12
_HEADING: Final = b"entry,at,order"


def _of_pokernow() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read."""
    from ..parsers.table_lines import CLOSES, GRAMMAR, OPENS

    records = Records("text", (_HEADING,), "pokernow")
    return (
        Dialect(
            _POKERNOW, _POKERNOW, GRAMMAR, no_cut, opens=OPENS, closes=CLOSES, records=records, views=True
        ),
    )


def _of_omaha() -> tuple[Dialect, ...]:
    """Its matches are those that the translator of PokerNow's tables names so."""
    from ..parsers.table_lines import CLOSES, GRAMMAR, OPENS

    return (Dialect(_OMAHA, _OMAHA, GRAMMAR, no_cut, opens=OPENS, closes=CLOSES, views=True),)


def _of_irc() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read."""
    from ..parsers.table_lines import CLOSES, GRAMMAR, OPENS

    lists = re.compile(rb"\s*\d{6,} +\d+ +\d+ +\d+(?: +\d+/\d+){4}(?: +[2-9TJQKA][cdhs])*\s*\n")
    records = Records("text", (), "irc", begins=lists, beside=True)
    return (Dialect(_IRC, _IRC, GRAMMAR, no_cut, opens=OPENS, closes=CLOSES, records=records),)


HOLDEM: Final = Game(
    name=_POKERNOW,
    stack=1000,
    blinds=(10, 20),
    streets=HOLDEM_STREETS,
    source="tables that players of PokerNow exported in 2022 to 2025",
    players=(2, _MOST),
    free_folds=True,
    family=tables,
)

OMAHA: Final = Game(
    name=_OMAHA,
    stack=1000,
    blinds=(10, 20),
    streets=HOLDEM_STREETS,
    source="tables that players of PokerNow exported in 2022 to 2025",
    players=(2, _MOST),
    hole_cards=4,
    holes_used=2,
    pot_limit=True,
    free_folds=True,
    family=tables,
)


LIMIT: Final = Game(
    name=_IRC,
    stack=1000,
    blinds=(5, 10),
    streets=HOLDEM_STREETS,
    source="the IRC poker database, limit hold'em of April 1995",
    players=(2, _MOST_OF_IRC),
    free_folds=True,
    family=tables,
)


_AT_TABLES: Final = {"players": None, "most_chips_win": False, "final_is_delta": False, "bankrolls": False}
"""What does not follow from the rules: any number of players, who come and go with their chips."""

VARIANTS: Final = (
    Variant(
        HOLDEM, Properties.of(HOLDEM, "PokerNow: no-limit hold'em", **_AT_TABLES), _of_pokernow, (_HEADING,)
    ),
    Variant(OMAHA, Properties.of(OMAHA, "PokerNow: pot-limit Omaha", **_AT_TABLES), _of_omaha),
    Variant(LIMIT, Properties.of(LIMIT, "IRC: limit hold'em", **_AT_TABLES, fixed_sizes=True), _of_irc),
)
