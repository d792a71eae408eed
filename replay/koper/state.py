"""Records of Koper's matches, games and seats: printed values, computed values, and the progress of the replay.

Chips are in the log's unit; NaN is an amount that is not known. Lines count from 1 in the match's body; 0 is none.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle, new_record
from ...jit.compile import part, rare
from ...parsers.dialect import MatchText
from ...parsers.reading import Events, Pool
from ...parsers.scanner import DECIMALS
from .. import findings as rules
from ..records import Sheets
from .game import PLAYERS

STREETS: Final = 3
"""Rounds of betting."""
MOST_ACTS: Final = 5 * PLAYERS
"""Acts of a game at most: a buy-in, a stub lost and three bets of each player."""
HALF_CENT: Final = 0.0051
"""The tolerance of a printed amount, in chips."""
_PART: Final = 1 / 10**DECIMALS
"""The scanner's unit, in chips."""

MATCH: Final = np.dtype(
    [
        ("version", "i8"),  # of the engine
        ("cut", "i8"),  # 1 if the last line lacks digits
        ("start", "f8"),  # every player's stack from the console or another match of the tournament
        ("shown", "i8"),  # 1 if printed stacks determine it
        ("final", "f8", (PLAYERS,)),  # stacks as printed, by seat
        ("wins", "f8", (PLAYERS,)),
        ("final_line", "i8", (PLAYERS,)),
        ("wins_line", "i8", (PLAYERS,)),
    ]
)
"""A match, in addition to `records.MATCH`."""

GAME: Final = np.dtype(
    [
        ("end", "i8"),  # RUNNING to SHOWDOWN
        ("damaged", "i8"),  # 1 if its lines contradict each other: no stack is sure
        ("last_event", "i8"),
        ("last_line", "i8"),
        ("board", "i8", (5,)),  # -1 if it is not known
        ("street_line", "i8", (STREETS,)),  # where the betting of each round begins
        ("pot_line", "i8"),
        ("left_line", "i8"),
        # As printed
        ("pot", "f8"),
        ("paid", "f8"),
        ("left", "f8"),  # chips that no winner is paid
        ("share", "f8"),  # of each who shares them
        ("sharers", "f8"),
        ("score", "f8"),  # of the best hand
        ("winners", "f8"),
        ("prizes", "i8"),  # of version 2, a line a winner
        ("prize_seats", "i8", (PLAYERS,)),  # that the line's name can mean, a bit each
        ("prize", "f8", (PLAYERS,)),
        ("prize_cap", "f8", (PLAYERS,)),
        ("prize_line", "i8", (PLAYERS,)),
        # As computed
        ("pot_due", "f8"),
        ("rounded", "i8"),  # amounts in the pot that are printed to the cent
        ("left_due", "f8"),
        ("sharers_due", "i8"),
    ]
)
"""A game, in addition to `records.HAND`; the rows are the same."""

RUNNING, ABORTED, EARLY, ALL_FOLD, SHOWDOWN = range(5)
"""The end of a game."""

SEAT: Final = np.dtype(
    [
        ("state", "i8"),  # ABSENT to OUT_AT_FLOP
        ("hole", "i8", (2,)),  # -1 if it is not known
        ("deal_line", "i8"),
        ("out_line", "i8"),
        ("bet_line", "i8", (STREETS,)),  # by round of betting, from 0
        ("stack_line", "i8"),
        # As printed
        ("chance", "f8", (STREETS,)),  # to win, in percent
        ("bet", "f8", (STREETS,)),
        ("stub", "f8"),  # what an eliminated player had, and loses
        ("stack", "f8"),  # after the game
        ("won", "f8"),  # 1 for a winner of version 1, else chips
        ("received", "f8"),  # where all fold
        # As computed
        ("start", "f8"),  # stack as the game begins
        ("error", "f8"),  # how far it may be off
        ("put", "f8"),
        ("cap", "f8"),
        ("score", "f8"),
        ("payout", "f8"),
        ("share", "f8"),  # of what no winner is paid
        ("wins", "f8"),  # 1, or a part of it
        ("after", "f8"),  # stack as the game ends
        ("written_off", "f8"),  # what the written rules pay more than the engine
        ("engine_off", "f8"),  # what the engine should have paid more than it did
    ]
)
"""A player in a game."""

ABSENT, IN, FOLDED, OUT_AT_BUY_IN, OUT_AT_FLOP = range(5)
"""The state of a seat."""

PROGRESS: Final = np.dtype(
    [
        ("match", "i8"),
        ("version", "i8"),
        ("game", "i8"),  # row of the game that is read, settled or judged; -1 before the first
        ("event", "i8"),
        ("line", "i8"),
        ("stage", "i8"),  # CLOSED to STANDINGS
        ("first_event", "i8"),  # of the game
        ("first_finding", "i8"),
        ("turn", "i8"),  # seat from which the next is due
        ("done", "i8"),  # seats that have decided in the round, or received their share, a bit each
        ("shown", "i8"),  # rounds whose board was shown
        ("stacks", "i8"),  # read
        ("open_seat", "i8"),  # seat whose answer continues in the next line, -1 none
        ("lost", "i8"),  # seats that are out of the match, a bit each
        ("missed", "i8"),  # seats that were missed when cards were dealt, a bit each
        ("rough", "f8", (PLAYERS,)),  # approximate chips by seat, to distinguish players with one name
    ]
)
"""The progress within a match."""

CLOSED, OPENED, DEALING, DEALT, FLOP, TURN, RIVER = range(7)
SHOWING, RECEIVING, STACKS, AFTER, OVER, STANDINGS = range(7, 13)
"""The stage of a game."""

CARRIED: Final = np.dtype(
    [
        ("stack", "f8", (PLAYERS,)),
        ("error", "f8", (PLAYERS,)),  # how far it may be off
        ("won", "f8", (PLAYERS,)),  # since the match began
        ("won_error", "f8", (PLAYERS,)),
    ]
)
"""Chips by seat from game to game."""


@bundle
class Table(NamedTuple):
    """Matches that are replayed together.

    text, values  what the scanner found
    same          (matches, 10) seats that each name of a match can mean, a bit each; the letters' after the names'
    matches       (matches,) MATCH; games: (games,) GAME; seats: (games * 5,) SEAT
    new_game, new_seat  as a game and a seat begin
    now           PROGRESS
    carried       CARRIED
    cards         (7,) scratch; acts: (MOST_ACTS,)
    """

    text: NDArray[np.uint8]
    values: NDArray[np.int64]
    same: NDArray[np.int64]
    matches: NDArray[np.void]
    games: NDArray[np.void]
    seats: NDArray[np.void]
    new_game: np.void
    new_seat: np.void
    now: np.void
    carried: np.void
    cards: NDArray[np.int64]
    acts: NDArray[np.int64]
    sheets: Sheets


def _unknown(fields: np.dtype[Any]) -> np.void:
    """A record whose amounts are NaN, and its cards -1; other integers are 0."""
    record = new_record(fields)
    for name in fields.names or ():
        if fields[name].base == np.float64:
            record[name] = np.nan
        elif name in ("board", "hole"):
            record[name] = -1
    return record


_NEW_MATCH, _NEW_GAME, _NEW_SEAT = _unknown(MATCH), _unknown(GAME), _unknown(SEAT)


def new_table(found: Events, matches: Sequence[MatchText], games: int, pool: Pool, sheets: Sheets) -> Table:
    """Room for matches with so many games; what their texts say outside the events is in place."""
    rows = np.full(len(matches), _NEW_MATCH)
    rows["version"] = [2 if match.aliases else 1 for match in matches]
    return Table(
        found.text,
        found.values,
        _same_names(matches),
        rows,
        pool.take("games", games + 1, GAME),
        pool.take("their seats", (games + 1) * PLAYERS, SEAT),
        _NEW_GAME,
        _NEW_SEAT,
        new_record(PROGRESS),
        new_record(CARRIED),
        np.zeros(7, np.int64),
        np.zeros(MOST_ACTS, np.int64),
        sheets,
    )


def _same_names(matches: Sequence[MatchText]) -> NDArray[np.int64]:
    """The seats that each name of a match, then each of its aliases, can mean."""
    same = np.zeros((len(matches), 2 * PLAYERS), np.int64)
    for place, match in enumerate(matches):
        seats: dict[bytes, int] = {}
        for seat, name in enumerate(match.names):
            seats[name] = seats.get(name, 0) | 1 << seat
        means = [seats[name] for name in match.names] + [1 << seat for seat in range(len(match.aliases))]
        same[place, : len(means)] = means
    return same


@part
def row_of(table: Table, seat: int) -> int:
    """The row of a seat of the game at hand."""
    row: int = table.now["game"] * PLAYERS + seat
    return row


@part
def chips(table: Table, here: int) -> float:
    """An amount from the scanner, in chips."""
    amount: float = table.values[here] * _PART
    return amount


@rare
def find(table: Table, line: int, seat: int, check: int, expected: float, logged: float) -> int:
    """Write a finding of the game at hand; returns its row."""
    sheets = table.sheets
    return rules.find(sheets.findings, sheets.used, table.now["game"], line, seat, check, expected, logged)
