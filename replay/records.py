"""The data of a replay: record types of the tables to fill, and their small vocabularies.

Kernels write rows of these NumPy record types; `rows` turns them into the store's Arrow tables.
Chips are float64 in the log's own unit, cards and ranks are codes (`cards`), -1 means none, NaN not known.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import DTypeLike, NDArray

from ..jit.bundles import bundle
from ..jit.compile import part, step
from ..parsers.dialect import MOST_NAMES, MOST_SEATED
from ..parsers.reading import Pool
from ..schema.columns import TABLES, Column

# By `words.ACTIONS` and `words.ORIGINS`
FOLD, CALL, CHECK, BET, RAISE, POST, BID, ASSIGN, DISCARD, PLAY, PASS, ACCEPT, DECLINE = range(13)

CHOICE, FORCED, SUBSTITUTE, ALLIN, DUMMY = range(5)

# By `words.VERDICTS`
OK, DEVIATION, UNVERIFIED, VIOLATION, DAMAGED = range(5)

# By `words.ENDINGS`
BY_FOLD, BY_SHOWDOWN, BY_BOTH = range(3)

# The end of a hand for a seat: folded, or unknown; won because all others folded; at a showdown: lost, shared the
# best hand, had the only best
OUT, TOOK, LOST, SHARED, BEST = range(5)

# By `words.CARD_CHANGES`
SWAP, AUCTION, DISCARDED, REDRAW, BOARD_REDRAW, REVEAL, PASSED, REVEAL_BOARD, BOUGHT = range(9)

MOST_SEATS: Final = MOST_NAMES
"""Players of a match; at most MOST_SEATED of them play a hand."""
MOST_ACTIONS: Final = 4000
"""Actions of a hand that are followed: rules allow a few hundred, `schema.columns.ACT` has room for 4096."""
MOST_LINES_BELOW: Final = 2**15 - 1
"""Lines from a hand's first to those of its cards that `hands.card_lines` has room for, below it or above."""
TOO_FAR: Final = -(2**15)
"""In place of a number of lines that does not fit."""
LARGEST_NUMBER: Final = 2**31 - 1
"""The largest amount of a fault that is stored: larger ones are stored as this."""

HAND: Final = np.dtype(
    [
        ("match", "i4"),  # in this chunk
        ("number", "i8"),  # as printed
        ("line", "i4"),  # of the match's body, from 1
        ("first_seat", "i4"),  # row of `Sheets.seats`
        ("first_act", "i4"),  # row of `Sheets.actions`
        ("first_card", "i4"),  # of `Sheets.holes`
        ("players", "i1"),  # rows of `Sheets.seats`
        ("dealer", "i1"),  # seat, -1 nobody
        ("streets", "i1"),  # betting streets reached, preflop = 1
        ("ended_by", "i1"),
        ("board_count", "i1"),
        ("undealt_count", "i1"),  # of `Sheets.undealt`
        ("board_final_count", "i1"),  # of `Sheets.board_finals`
        ("line_count", "i1"),  # of `Sheets.card_lines`
        ("verdict", "i1"),
        ("deviations", "u1"),  # bit mask over the game's deviations
        ("rake", "f8"),  # chips taken from the pots, NaN if that is not known
    ]
)

SEAT_COLUMNS: Final = tuple(column for column in TABLES["seats"] if column.row)
"""The columns of `seats` that are fields of SEAT: -1 or NaN if rules leave them out."""


def _row_type(column: Column) -> DTypeLike:
    kind = column.type.to_pandas_dtype()
    return "i1" if kind is np.bool_ else kind


SEAT: Final = np.dtype(
    [
        ("seat", "i1"),
        ("position", "i1"),  # place in the names of the match's positions
        ("hole_count", "i1"),
        ("rank", "i1"),  # bounty
        ("hit", "i1"),
        ("final_count", "i1"),  # of `Sheets.finals`, 0 if the hole cards stayed as dealt
        ("ended", "i1"),  # OUT to BEST
        ("flags", "i8"),  # words.FLAGS
        ("stack", "f8"),  # at the start of the hand, NaN if it is the match's
        ("put", "f8"),  # contribution
        ("written", "f8"),  # what the written rules pay
        ("engine", "f8"),  # what the explaining engine pays
        ("bank", "f8"),  # before the hand
        *((column.name, _row_type(column)) for column in SEAT_COLUMNS),
    ]
)

PRIZE: Final = np.dtype(
    [
        ("written_off", "f8"),
        ("engine_off", "f8"),
        ("hand_score", "i2"),
        ("payout", "f8"),
        ("win_cap", "f8"),
        ("redistributed", "f8"),
        ("win_share", "f8"),
        ("eliminated", "i1"),
    ]
)
"""Columns of `seats`, of games that pay in parts: a row a seat."""

ACTION: Final = np.dtype(
    [
        ("hand", "i4"),
        ("line", "i4"),
        ("seq", "i2"),
        ("street", "i1"),
        ("seat", "i1"),
        ("action", "i1"),
        ("origin", "i1"),
        ("level", "i2"),  # bets and raises of the street so far, the blinds are one
        ("aggressor", "i1"),  # seat of the last bet or raise of the hand
        ("board", "i1"),  # from 1, 0 if the game has one
        ("active", "i1"),  # players who have not folded, of the board
        ("raise_to", "f8"),  # NaN if the action names no amount
        ("own", "f8"),  # the player's chips in the pot before the action
        ("pip", "f8"),  # those of the street
        ("to_call", "f8"),
        ("pot", "f8"),  # before the action
    ]
)

LIMIT: Final = np.dtype(
    [
        ("act", "i4"),  # row of `Sheets.actions`
        ("told", "i1"),  # 1 if the legal bounds are these
        ("lowest", "f8"),  # raise that is legal, NaN if none is
        ("highest", "f8"),
        ("stack", "f8"),  # before the action, NaN if it follows from the hand's start
        ("other", "f8"),  # the opponent's
        ("chance", "f8"),  # to win, as printed by the engine
    ]
)
"""Further state before an action, in games where no other row gives it; only for some actions, in order."""

FAULT: Final = np.dtype(
    [("hand", "i4"), ("line", "i4"), ("seat", "i1"), ("code", "i1"), ("text_at", "i4"), ("text_size", "i4")]
)

FINDING: Final = np.dtype(
    [
        ("hand", "i4"),
        ("line", "i4"),
        ("seat", "i1"),
        ("rule", "u1"),  # place in `findings.RULES`
        ("verdict", "i1"),
        ("deviation", "u1"),  # bit mask
        ("explained", "i8"),  # a byte a profile: the deviations that explain it there, or UNEXPLAINED
        ("expected", "f8"),
        ("logged", "f8"),
        ("chips", "f8"),
    ]
)

CHANGE: Final = np.dtype(
    [
        ("hand", "i4"),
        ("line", "i4"),
        ("street", "i1"),
        ("seat", "i1"),
        ("kind", "i1"),  # words.CARD_CHANGES
        ("count", "i1"),  # of `Sheets.changed`
        ("place", "i1"),  # of a redraw: which card of the hand or the board
    ]
)

POT: Final = np.dtype(
    [
        ("hand", "i4"),
        ("board", "i1"),  # from 1
        ("cards", "i1"),  # of `Sheets.pot_cards`
        ("hole_0", "i1"),  # of `Sheets.pot_holes`
        ("hole_1", "i1"),
        ("ended_by", "i1"),  # -1 if the hand is not decided
        ("pot", "f8"),
        ("free", "f8"),  # chips of it that no player put in
        ("put_0", "f8"),
        ("put_1", "f8"),
        ("paid_0", "f8"),  # NaN if it is not known
        ("paid_1", "f8"),
    ]
)
"""A board of a hand of two players that has several."""

MATCH: Final = np.dtype(
    [
        ("first_hand", "i4"),
        ("hands", "i4"),  # stored
        ("rejected", "i4"),
        ("reject_line", "i4"),
        ("end", "i8"),  # the event whose line closes the last complete hand, -1 for none
        ("profile", "i1"),
        ("ties", "u1"),  # bit mask of the profiles that explain as many hands
        ("small_blind", "f8"),
        ("big_blind", "f8"),
        ("stack", "f8"),  # of each player, at the start of every hand
        ("final", "i1"),  # 1 if the log ends as a finished match does
        ("finals", "f8", (MOST_SEATED,)),  # as logged, by seat
    ]
)


@bundle
class Sheets(NamedTuple):
    """The tables that a kernel fills, in the order of the hands, and the number of rows in use of each.

    hands HAND; seats SEAT, in the order of seats within a hand; prizes: of each seat, or of none; actions, limits,
    faults, findings, changes, pots; matches (M,) MATCH; board, undealt, holes, finals, changed, pot_cards,
    pot_holes, board_finals (cards, -1 not known), card_lines (int16): pools in the order of the rows that own them;
    ranks: (M, 13) int8, the rank that each counts as, -1 not known; used: (USED_SIZE,) int64, rows in use of each,
    indexed by the constants below.

    A game has no rows in the tables that it does not use.
    """

    hands: NDArray[np.void]
    seats: NDArray[np.void]
    prizes: NDArray[np.void]
    actions: NDArray[np.void]
    limits: NDArray[np.void]
    faults: NDArray[np.void]
    findings: NDArray[np.void]
    changes: NDArray[np.void]
    pots: NDArray[np.void]
    matches: NDArray[np.void]
    board: NDArray[np.int8]
    undealt: NDArray[np.int8]
    holes: NDArray[np.int8]
    finals: NDArray[np.int8]
    changed: NDArray[np.int8]
    pot_cards: NDArray[np.int8]
    pot_holes: NDArray[np.int8]
    card_lines: NDArray[np.int16]
    board_finals: NDArray[np.int8]
    ranks: NDArray[np.int8]
    used: NDArray[np.int64]


def actions_of(sheets: Sheets, first: int, last: int) -> NDArray[np.void]:
    """The actions of the hands from row `first` to row `last`."""
    end = sheets.hands["first_act"][last + 1] if last + 1 < sheets.used[HANDS] else sheets.used[ACTS]
    return sheets.actions[sheets.hands["first_act"][first] : end]


POOLS: Final = (
    *("hands", "seats", "prizes", "actions", "limits", "faults", "findings", "changes", "pots"),
    *("board", "undealt", "holes", "finals", "changed", "pot_cards", "pot_holes", "card_lines"),
    "board_finals",
)
"""The counts of `Sheets.used`, by the constants below; its last entry has a bit for each table without room."""
HANDS, SEATS, PRIZES, ACTS, LIMITS, FAULTS, FINDINGS, CHANGES, POTS = range(9)
BOARD, UNDEALT, HOLES, FINALS, CHANGED, POT_CARDS, POT_HOLES, LINES, BOARD_FINALS = range(9, 18)
USED_SIZE: Final = len(POOLS) + 1
_KINDS: Final[Mapping[str, DTypeLike]] = {
    "hands": HAND,
    "seats": SEAT,
    "prizes": PRIZE,
    "actions": ACTION,
    "limits": LIMIT,
    "faults": FAULT,
    "findings": FINDING,
    "changes": CHANGE,
    "pots": POT,
    "card_lines": np.int16,
}
"""Of the pools that are not cards."""


def new_sheets(pool: Pool, matches: int, **sizes: int) -> Sheets:
    """Sheets with room for so many rows by name, for one at least; their arrays belong to the pool."""
    held = {
        # A row is appended where there is room for one at least.
        name: pool.take(name, sizes[name], kind) if name in sizes else np.zeros(1, kind)
        for name in POOLS
        for kind in (_KINDS.get(name, np.int8),)
    }
    for column in SEAT_COLUMNS:
        held["seats"][column.name] = np.nan if pa.types.is_floating(column.type) else -1
    return Sheets(
        matches=np.zeros(matches, MATCH),
        ranks=np.full((matches, 13), -1, np.int8),
        used=np.zeros(USED_SIZE, np.int64),
        **held,
    )


class RoomError(RuntimeError):
    """A kernel wrote more rows of a table than were allocated; the message names the table."""


def check_room(used: NDArray[np.int64], game: str) -> None:
    """Raise RoomError if a kernel had no room for another row of a table; used: of `Sheets`."""
    if used[-1]:
        full = ", ".join(name for place, name in enumerate(POOLS) if used[-1] >> place & 1)
        raise RoomError(f"no room for as many rows of {full} as {game} has")


@part
def next_row(used: NDArray[np.int64], table: int, room: int) -> int:
    """The next row of a table, now in use: the one place where rows are appended.

    If the table is full, that is noted, and the last row is returned. room: rows of the table, at least 1.
    """
    row: int = used[table]
    if row < room:
        used[table] = row + 1
        return row
    used[len(used) - 1] |= 1 << table
    return room - 1


@part
def next_rows(used: NDArray[np.int64], table: int, count: int, room: int) -> int:
    """The first of some rows of a table, now in use; -1, and a note of it, where there is no room for all of them."""
    row: int = used[table]
    if row + count <= room:
        used[table] = row + count
        return row
    used[len(used) - 1] |= 1 << table
    return -1


@part
def keep(
    pool: NDArray[Any], used: NDArray[np.int64], table: int, cards: NDArray[Any], first: int, count: int
) -> int:
    """Append so many cards, from the first on, to a pool; returns how many there was room for: all or none."""
    at = next_rows(used, table, count, len(pool))
    if at < 0:
        return 0
    for k in range(count):
        pool[at + k] = cards[first + k]
    return count


@part
def fill(array: NDArray[Any], value: float) -> None:
    """Set every element of an array of one dimension."""
    for k in range(len(array)):
        array[k] = value


@part
def storable(number: int) -> int:
    """A number as it is stored (LARGEST_NUMBER)."""
    return min(max(number, -LARGEST_NUMBER), LARGEST_NUMBER)


@part
def lines_below(first: int, line: int) -> int:
    """Lines from a hand's first to another, less than 0 in a log that is written backwards; TOO_FAR without room."""
    below = line - first
    return below if -MOST_LINES_BELOW <= below <= MOST_LINES_BELOW else TOO_FAR


@step
def write_card_lines(sheets: Sheets, hand: np.void, lines: NDArray[np.int64]) -> None:
    """Write the lines of a hand's card events, counted from its first line; lines: count, then the lines."""
    record = sheets.hands[hand["row"]]
    count = lines[0]
    at = next_rows(sheets.used, LINES, count, len(sheets.card_lines))
    if at < 0:
        count = 0
    record["line_count"] = count
    for k in range(count):
        sheets.card_lines[at + k] = lines_below(hand["line"], lines[1 + k])


@part
def rows_in_use(
    used: NDArray[np.int64],
) -> tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int]:
    """`Sheets.used` as it is now: a tuple, since a copy of an array just written to is slow."""
    return (
        used[HANDS] + 0,
        used[SEATS] + 0,
        used[PRIZES] + 0,
        used[ACTS] + 0,
        used[LIMITS] + 0,
        used[FAULTS] + 0,
        used[FINDINGS] + 0,
        used[CHANGES] + 0,
        used[POTS] + 0,
        used[BOARD] + 0,
        used[UNDEALT] + 0,
        used[HOLES] + 0,
        used[FINALS] + 0,
        used[CHANGED] + 0,
        used[POT_CARDS] + 0,
        used[POT_HOLES] + 0,
        used[LINES] + 0,
        used[BOARD_FINALS] + 0,
    )
