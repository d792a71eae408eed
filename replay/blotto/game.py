"""Blotto Hold'em (2021) as its rules document has it, and what its engine does beside it."""

from typing import Final

from ..games import HOLDEM_STREETS, Deviation, Game, Profile

BOARDS: Final = 3
HOLE_CARDS: Final = 2
DEALT_CARDS: Final = BOARDS * HOLE_CARDS
BOARD_CARDS: Final = 5

_OVERSPENT: Final = "blotto.overspent-stack"
_UNMATCHED: Final = "blotto.unmatched-raises"
_WAIVED: Final = "blotto.minimum-waived"
_CUT_DOWN: Final = "blotto.cut-down-raise"
_EMPTY_CALL: Final = "blotto.empty-call"
_ASSIGNMENT: Final = "blotto.free-assignment"

PRINTS: Final = (
    "blind",  # `posts the blind of 1`
    "blind-on-each",
    "misformatted",  # without the text
    "misformatted-text",
    "net-raises",
    "net-sums",
    "triple-faults",  # combination, below the minimum, unmatchable
    "all-in",  # with the sweeps
    "silent-all-in",  # no line where the all-in or sweep line is due
    "tables",
    "no-tables",  # a final line without them
)
"""What logs of some revisions have and of others have not; bits in this order."""

_EARLY: Final = frozenset({"net-raises", "silent-all-in", "no-tables"})
_LATE: Final = frozenset({"blind-on-each", "misformatted-text"})


GAME: Final = Game(
    name="blotto",
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="rules document of Blotto Hold'em, 2021",
    deviations=(
        Deviation(
            _OVERSPENT,
            "legality",
            "2021-01-02",
            "2021-01-06",
            "the chips of three actions may be more than the player has: stacks go below zero",
        ),
        Deviation(
            _UNMATCHED,
            "legality",
            "2021-01-02",
            "2021-01-07",
            "raises on several boards may be more in all than the opponent can call",
        ),
        Deviation(
            _WAIVED,
            "legality",
            "2021-01-07",
            "",
            "no raise has a minimum where the three actions take the player's last chip",
        ),
        Deviation(
            _CUT_DOWN,
            "legality",
            "2021-01-07",
            "",
            "raises that the opponent cannot match are cut down, in order of the boards: to less than the "
            "minimum, or to a call with nothing to call",
        ),
        Deviation(
            _EMPTY_CALL,
            "legality",
            "2021-01-07",
            "",
            "a raise to what the opponent has bet is taken as a call, with nothing to call as well",
        ),
        Deviation(
            _ASSIGNMENT,
            "legality",
            "2021-01-02",
            "",
            "six cards are assigned otherwise than two to a board, or one of them twice",
        ),
    ),
    profiles=(
        Profile("2021-01-02", (_OVERSPENT, _UNMATCHED, _ASSIGNMENT), _EARLY | {"blind", "misformatted"}),
        Profile("2021-01-04", (_OVERSPENT, _UNMATCHED, _ASSIGNMENT), _EARLY | {"blind", "misformatted-text"}),
        Profile("2021-01-06", (_UNMATCHED, _ASSIGNMENT), _EARLY | _LATE | {"net-sums"}),
        Profile(
            "2021-01-07",
            (_WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT),
            _LATE | {"triple-faults", "silent-all-in", "no-tables"},
        ),
        Profile(
            "2021-01-26",
            (_WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT),
            _LATE | {"triple-faults", "all-in", "no-tables"},
        ),
        Profile(
            "2021-01-27",
            (_WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT),
            _LATE | {"triple-faults", "all-in", "tables"},
        ),
    ),
)

OVERSPENT, UNMATCHED, WAIVED, CUT_DOWN, EMPTY_CALL, ASSIGNMENT = (
    GAME.place(name) for name in (_OVERSPENT, _UNMATCHED, _WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT)
)
"""The deviations' places in the game's list."""


def prints_of(profile: Profile) -> int:
    """A profile's lines as a bit mask over `PRINTS`."""
    return sum(1 << PRINTS.index(word) for word in profile.prints)
