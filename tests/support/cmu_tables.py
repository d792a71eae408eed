"""Small tables of CMU's Poker AI 2025 and 2026, written by hand."""

from collections.abc import Iterable, Sequence
from typing import Final

from railbird.parsers.cmu_table import COLUMNS, COLUMNS_WITH_KEEPS

TEAMS: Final = "# Team 0: Ann, Team 1: X, Team 1: Y"

Row = tuple[str, int, str, int]
"""Street, seat, action, amount; of a discard that keeps cards, the two places as one number of two digits."""


def cell(cards: str) -> str:
    """Cards apart by blanks as a cell of the table."""
    said = ", ".join(f"'{card}'" for card in cards.split())
    return f'"[{said}]"' if "," in said else f"[{said}]"


def redraws(teams: str = TEAMS) -> str:
    """2025: a redraw and a showdown with 6 7 8 9 A, which wins 12 chips; a raise that is too small; one that is a
    fold by the engine alone; the last hand folded."""
    one, two, new, board = "6s 2d", "9h 8h", "9s 8h", "7d 8d 9d Ah 3s"
    shown = board.split()

    def row(
        number: int, banks: str, row: Row, cards: tuple[str, str], seen: int, given: str, bets: int
    ) -> str:
        street, seat, action, amount = row
        hands = f"{cell(cards[0])},{cell(cards[1])},{cell(' '.join(shown[:seen]))}"
        return f"{number},{street},{seat},{banks},{action},{amount},{hands},{given},{bets},{bets}"

    before, after = (one, two), ("6s 5h", two)
    rows = [
        row(0, "0,0", ("Pre-Flop", 0, "DISCARD", 0), before, 2, ",", 1),
        row(0, "0,0", ("Pre-Flop", 0, "CALL", 0), after, 2, "2d,", 1),
        row(0, "0,0", ("Pre-Flop", 1, "RAISE", 10), after, 2, "2d,", 2),
        row(0, "0,0", ("Pre-Flop", 0, "CALL", 0), after, 2, "2d,", 2),
    ]
    for street, seen in (("Flop", 3), ("Turn", 4), ("River", 5)):
        rows += [row(0, "0,0", (street, seat, "CHECK", 0), after, seen, "2d,", 12) for seat in range(2)]
    small = ("2s 3d", new)
    rows += [
        row(1, "12,-12", ("Pre-Flop", 1, "RAISE", 1), small, 2, ",", 1),
        row(2, "13,-13", ("Pre-Flop", 0, "RAISE", 2), small, 2, ",", 1),
        row(2, "13,-13", ("Pre-Flop", 1, "RAISE", 3), small, 2, ",", 2),
        row(3, "15,-15", ("Pre-Flop", 1, "FOLD", -1), small, 2, ",", 1),
    ]
    return _table(teams, COLUMNS, rows)


def keeps(teams: str = TEAMS) -> str:
    """2026: both keep two of five cards, and the second player folds to a bet; a row with another card; a limp."""
    one, two, board = "3h 7h 7d 8s 2s", "3d Ad As 3s 8h", "4s 2d 4d"

    def row(number: int, row: Row, cards: Sequence[str], seen: str, bets: int, bank: int = 0) -> str:
        street, seat, action, amount = row
        places = divmod(amount, 10) if action == "DISCARD" else (0, 0)
        by = 0 if action == "DISCARD" else amount
        cells = ",".join(map(cell, (cards[0], cards[1], seen, cards[2], cards[3])))
        return f"{number},{street},{seat},{bank},{-bank},{action},{by},{places[0]},{places[1]},{cells},{bets},{bets}"

    dealt, first, both = (
        (one, two, "", ""),
        (one, "Ad As", "", "3d 3s 8h"),
        ("7h 7d", "Ad As", "3h 8s 2s", "3d 3s 8h"),
    )
    other = ("7h 8d", *both[1:])
    rows = [
        row(0, ("Pre-Flop", 0, "CALL", 0), dealt, "", 1),
        row(0, ("Pre-Flop", 1, "CHECK", 0), dealt, "", 2),
        row(0, ("Flop", 1, "DISCARD", 12), dealt, board, 2),
        row(0, ("Flop", 0, "DISCARD", 12), first, board, 2),
        row(0, ("Flop", 1, "RAISE", 8), both, board, 2),
        row(0, ("Flop", 0, "FOLD", 0), both, board, 2),
        row(1, ("Pre-Flop", 1, "CALL", 0), dealt, "", 1, -2),
        row(1, ("Pre-Flop", 0, "CHECK", 0), dealt, "", 2, -2),
        row(1, ("Flop", 0, "DISCARD", 12), dealt, board, 2, -2),
        row(1, ("Flop", 1, "FOLD", 0), (other[0], two, "3h 8s 2s", ""), board, 2, -2),
    ]
    return _table(teams, COLUMNS_WITH_KEEPS, rows)


def _table(teams: str, columns: str, rows: Iterable[str]) -> str:
    return f"{teams}\n" + "".join(f"{row}\r\n" for row in (columns, *rows))
