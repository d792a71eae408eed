"""Three boards, each a pot of its own: how many cards there are, and what kernels know of engines by name."""

from typing import Final

from ..games import Profile

BOARDS: Final = 3
HOLE_CARDS: Final = 2
DEALT_CARDS: Final = BOARDS * HOLE_CARDS
BOARD_CARDS: Final = 5

DEVIATIONS: Final = (
    "overspent-stack",
    "unmatched-raises",
    "minimum-waived",
    "cut-down-raise",
    "empty-call",
    "free-assignment",
)
"""The deviations of engines: names without the game's, in the order of the game's deviations."""

OVERSPENT, UNMATCHED, WAIVED, CUT_DOWN, EMPTY_CALL, ASSIGNMENT = range(len(DEVIATIONS))

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
"""Optional lines, which logs of some revisions have; bits in this order."""

(
    BLIND_PRINT,
    EACH_PRINT,
    BARE_PRINT,
    TEXT_PRINT,
    NET_RAISES_PRINT,
    NET_SUMS_PRINT,
    TRIPLE_PRINT,
    ALL_IN_PRINT,
    SILENT_PRINT,
    TABLES_PRINT,
    NO_TABLES_PRINT,
) = (1 << k for k in range(len(PRINTS)))
"""Their bits."""

TIE: Final = 3
"""Stands for a split board where a winner is a seat + 1."""


def prints_of(profile: Profile) -> int:
    """A profile's lines as a bit mask over `PRINTS`."""
    return sum(1 << PRINTS.index(word) for word in profile.prints)
