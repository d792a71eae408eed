"""Hold'em of Husky Hold'em Bench: bots written by language models, on the engine pokerden."""

from typing import Final

from ..parsers.dialect import Dialect
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import tables
from .properties import Properties, Variant

_NAME: Final = "husky-bench"


def dialects() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read."""
    from ..parsers.dialect import Records, no_cut
    from ..parsers.table_lines import CLOSES, GRAMMAR, OPENS

    records = Records("document", (b'"gameId"', b'"rounds"'), "husky_bench", together=True)
    return (Dialect("husky-pokerden", _NAME, GRAMMAR, no_cut, opens=OPENS, closes=CLOSES, records=records),)


_DEVIATIONS: Final = tuple(
    Deviation(f"{_NAME}.{name}", kind, "", "", effect)
    for name, kind, effect in (
        (
            "option-not-asked",
            "legality",
            "with two players, the big blind is not asked when the small blind calls",
        ),
        (
            "acts-after-the-end",
            "legality",
            "a player is asked although the betting of the street, or the hand, is over; chips bet after the "
            "last fold are returned",
        ),
        (
            "queue-order",
            "legality",
            "players are asked in passes from the small blind: after a raise not clockwise, and not all of them; "
            "raises are accepted that no full raise reopened",
        ),
        ("low-raise", "legality", "a bet or raise of one chip is accepted"),
        (
            "more-than-the-stack",
            "legality",
            "bets and calls of chips that the player does not have are accepted",
        ),
        ("call-for-less", "legality", "an all-in of any amount is accepted, even below the bet"),
        (
            "board-after-the-end",
            "log",
            "the next street is dealt although a fold has ended the hand",
        ),
    )
)

GAME: Final = Game(
    name=_NAME,
    stack=10000,
    blinds=(5, 10),
    streets=HOLDEM_STREETS,
    source="published logs of 2025-08-10 and the engine pokerden of 2025-08-25",
    players=(2, 10),
    deviations=_DEVIATIONS,
    profiles=(Profile("2025-08", tuple(d.name for d in _DEVIATIONS)),),
    covers={
        "turn-order": "queue-order",
        "betting-stops": "queue-order",
        "raise-not-reopened": "queue-order",
        "call-of-nothing": "acts-after-the-end",
        "asked-though-nothing-is-open": "acts-after-the-end",
    },
    free_folds=True,
    carries=True,
    full_raises_reopen=True,
    family=tables,
)

PROPERTIES: Final = Properties(
    game=_NAME,
    title="Husky Hold'em Bench",
    players=None,
    most_chips_win=False,
    final_is_delta=False,
    bankrolls=False,
)

VARIANT: Final = Variant(GAME, PROPERTIES, dialects)
