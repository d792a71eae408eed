"""What answers can be asked for by name, apart from what computes them: the command line must not wait for that."""

from enum import StrEnum


class Kind(StrEnum):
    """What `audit` can be asked."""

    CHECKS = "checks"
    FINDINGS = "findings"
    DEALS = "deals"
    BALANCE = "balance"
    FAULTS = "faults"
    GAINS = "gains"
    WINNERS = "winners"
    STANDINGS = "standings"


class FileKind(StrEnum):
    """What `export` can write."""

    PARQUET = "parquet"
    CSV = "csv"


class Grouping(StrEnum):
    """What luck-adjusted winnings can be grouped by: all that is fixed before the first card of a hand."""

    PLAYER = "player"
    OPPONENT = "opponent"
    MATCH = "match"
    POSITION = "position"
