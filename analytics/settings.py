"""Thresholds, and the choices of commands, without the code that computes: importing this module is cheap."""

from enum import StrEnum, auto
from typing import Final

FEW: Final = 30
"""Rates and intervals of fewer cases are weak: files say so, tables and pages show them faint."""

FEW_IN_CELL: Final = 5
"""The same for one of the 169 cells of a grid of hole cards, which hold few decisions each."""

LEVEL: Final = 0.05
"""A p or q below this is significant."""

Z: Final = 1.959963984540054
"""The 97.5% quantile of the normal distribution: half of a 95% interval in standard errors."""


class Kind(StrEnum):
    """The tables of `railbird audit`."""

    CHECKS = "checks"
    FINDINGS = "findings"
    DEALS = "deals"
    BALANCE = "balance"
    FAILURES = "failures"
    FAULTS = "faults"
    GAINS = "gains"
    WINNERS = "winners"
    STANDINGS = "standings"
    INFORMATION = "information"


class FileKind(StrEnum):
    """The file formats of `railbird export`: of tables, and of hands."""

    PARQUET = auto()
    CSV = auto()
    JSONL = auto()
    PHH = auto()
    PHHS = auto()
    ACPC = auto()
    OHH = auto()
    POKERSTARS = auto()

    @property
    def of_tables(self) -> bool:
        """Whether it holds tables whole, and so everything."""
        return self in (FileKind.PARQUET, FileKind.CSV)

    @property
    def has_hero(self) -> bool:
        """Whether it can show the hole cards of one player alone."""
        return self in (FileKind.OHH, FileKind.POKERSTARS)


class HandOrder(StrEnum):
    """The order of hands in `railbird hands`: as they were played, or first the largest pot, win or loss.

    BELIEF: those in which what a bot believed (table notes) and what came differ most, and no others.
    """

    PLAY = auto()
    POT = auto()
    WON = auto()
    LOST = auto()
    BELIEF = auto()


class Grouping(StrEnum):
    """Groupings of luck-adjusted winnings; each is fixed before the first card of a hand."""

    PLAYER = "player"
    OPPONENT = "opponent"
    MATCH = "match"
    POSITION = "position"


DRAWS: Final = 2000
"""Bootstrap draws by default."""
