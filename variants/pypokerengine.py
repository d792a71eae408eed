"""Hold'em as PyPokerEngine plays it: tables of up to ten, whose own evaluator ties some two pairs."""

from typing import Final

from ..parsers.dialect import Dialect
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import tables
from .properties import Properties, Variant

_NAME: Final = "pypokerengine"


def dialects() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read."""
    from ..parsers.dialect import Records, no_cut
    from ..parsers.table_lines import CLOSES, GRAMMAR, OPENS

    records = Records("document", (b'"round_state"', b'"action_histories"'), "pypokerengine")
    return (
        Dialect("pypokerengine-replay", _NAME, GRAMMAR, no_cut, opens=OPENS, closes=CLOSES, records=records),
    )


_DEVIATIONS: Final = tuple(
    Deviation(f"{_NAME}.{name}", kind, "", "", effect)
    for name, kind, effect in (
        (
            "two-pair-kicker-ignored",
            "pay",
            "equal two pairs split the pot if their kickers are below both pairs",
        ),
        ("odd-chip-dropped", "pay", "each share of a pot is rounded down, what is left is paid to nobody"),
        (
            "chips-taken",
            "pay",
            "a player who is next for a blind and has less loses its chips between two hands",
        ),
        (
            "raise-not-reopened",
            "legality",
            "a player who has acted raises again after an all-in raise below the minimum",
        ),
        (
            "blind-all-in-is-asked",
            "legality",
            "a player whose last chips went into a blind is asked again, and may fold",
        ),
        (
            "hand-named-wrong",
            "log",
            "a hand at the showdown is named by another evaluator, which knows no straight from ace to five",
        ),
    )
)

GAME: Final = Game(
    name=_NAME,
    stack=1500,
    blinds=(15, 30),
    streets=HOLDEM_STREETS,
    source="game replays of the Sberbank Holdem Challenge, September 2017",
    players=(2, 10),
    deviations=_DEVIATIONS,
    profiles=(Profile("2017-09", tuple(d.name for d in _DEVIATIONS)),),
    free_folds=True,
    fault_folds=True,
    carries=True,
    full_raises_reopen=True,
    family=tables,
)

PROPERTIES: Final = Properties(
    game=_NAME,
    title="PyPokerEngine",
    players=None,
    most_chips_win=False,
    final_is_delta=False,
    bankrolls=False,
)

VARIANT: Final = Variant(GAME, PROPERTIES, dialects)
