"""What replay works on and hands over: record types of the tables being filled, and their small vocabularies.

Kernels write rows of these NumPy record types; `assemble` turns them into the store's Arrow tables.
Chips are float64 in the log's own unit, cards and ranks are codes (`cards`), -1 means none, NaN not known.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.bundles import bundle
from ..jit.compile import part

# By `words.ACTIONS` and `words.ORIGINS`
FOLD, CALL, CHECK, BET, RAISE, POST, BID, ASSIGN, DISCARD, PLAY = range(10)

CHOICE, FORCED, SUBSTITUTE, ALLIN, DUMMY = range(5)

# By `words.VERDICTS`
OK, DEVIATION, UNVERIFIED, VIOLATION, DAMAGED = range(5)

# By `words.ENDINGS`
BY_FOLD, BY_SHOWDOWN, BY_BOTH = range(3)

# How a hand ended for a seat: folded, or it is not told; won since all others folded; at a showdown lost, shared the
# best hand, had the only best
OUT, TOOK, LOST, SHARED, BEST = range(5)

# By `words.CARD_CHANGES`
SWAP, AUCTION, DISCARDED = range(3)

MOST_ACTIONS: Final = 4000
"""Actions of a hand that are followed: rules allow a few hundred, `schema.columns.ACT` has room for 4096."""
MOST_LINES_BELOW: Final = 2**15 - 1
"""Lines from a hand's first to those of its cards that `hands.card_lines` has room for."""

HAND: Final = np.dtype(
    [
        ("match", "i4"),  # in this chunk
        ("number", "i4"),  # as printed
        ("line", "i4"),  # of the match's body, from 1
        ("dealer", "i1"),
        ("streets", "i1"),  # betting streets reached, preflop = 1
        ("ended_by", "i1"),
        ("board_count", "i1"),
        ("line_count", "i1"),  # of `Sheets.card_lines`
        ("verdict", "i1"),
        ("deviations", "u1"),  # bit mask over the game's deviations
    ]
)

SEAT: Final = np.dtype(
    [
        ("hole_count", "i1"),
        ("rank", "i1"),  # bounty
        ("hit", "i1"),
        ("shown", "i1"),
        ("final_count", "i1"),  # of `Sheets.finals`, 0 where the hole cards stayed as dealt
        ("ended", "i1"),  # OUT to BEST
        ("flags", "i8"),  # words.FLAGS
        ("put", "f8"),  # contribution
        ("delta", "f8"),
        ("written", "f8"),  # what the written rules pay
        ("engine", "f8"),  # what the explaining engine pays
        ("bank", "f8"),  # before the hand
    ]
)

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
        ("raise_to", "f8"),  # NaN where the action names no amount
        ("own", "f8"),  # the player's chips in the pot before the action
        ("pip", "f8"),  # those of the street
        ("to_call", "f8"),
        ("pot", "f8"),  # before the action
    ]
)

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
    ]
)

MATCH: Final = np.dtype(
    [
        ("first_hand", "i4"),
        ("hands", "i4"),  # stored
        ("rejected", "i4"),
        ("reject_line", "i4"),
        ("end", "i8"),  # the event whose line closes the last complete hand
        ("profile", "i1"),
        ("ties", "u1"),  # bit mask of the profiles that explain as many hands
        ("small_blind", "f8"),
        ("big_blind", "f8"),
        ("stack", "f8"),  # of each player, at the start of every hand
        ("final", "i1"),  # 1 where the log ends as a finished match does
        ("final_0", "f8"),
        ("final_1", "f8"),
    ]
)


@bundle
class Sheets(NamedTuple):
    """The tables a kernel fills, and how many rows of each are in use.

    hands (H,) HAND; seats (H * players,) SEAT, in seat order; actions, faults, findings; matches (M,) MATCH;
    board, holes, finals, changed, card_lines: int8 and int16 pools in the order of the rows that own them;
    changes: CHANGE; ranks: (M, 13) int8, the rank that each counts as, -1 not known; used: (16,) int64, rows
    in use of each, indexed by the constants below.
    """

    hands: NDArray[np.void]
    seats: NDArray[np.void]
    actions: NDArray[np.void]
    faults: NDArray[np.void]
    findings: NDArray[np.void]
    matches: NDArray[np.void]
    board: NDArray[np.int8]
    holes: NDArray[np.int8]
    card_lines: NDArray[np.int16]
    used: NDArray[np.int64]
    # Of games whose hole cards change, or whose ranks do
    finals: NDArray[np.int8] = np.zeros(0, np.int8)
    changes: NDArray[np.void] = np.zeros(0, CHANGE)
    changed: NDArray[np.int8] = np.zeros(0, np.int8)
    ranks: NDArray[np.int8] = np.zeros((0, 13), np.int8)


HANDS, SEATS, ACTS, FAULTS, FINDINGS, BOARD, HOLES, LINES, FINALS, CHANGES, CHANGED = range(11)
USED_SIZE: Final = 16
POOLS: Final = (
    *("hands", "seats", "actions", "faults", "findings", "board", "holes", "card_lines"),
    *("finals", "changes", "changed"),
)
"""What `Sheets.used` counts, by its constants; its last place notes which of them had no room."""


class RoomError(RuntimeError):
    """Rules wrote more rows of a table than room was made for; the message names it."""


def check_room(used: NDArray[np.int64], names: Sequence[str], game: str) -> None:
    """Raise RoomError where a kernel had no room for another row of a table."""
    if used[-1]:
        full = ", ".join(name for place, name in enumerate(names) if used[-1] >> place & 1)
        raise RoomError(f"no room for as many rows of {full} as {game} has")


@part
def next_row(used: NDArray[np.int64], table: int, room: int) -> int:
    """The next row of a table, now in use: the one place where rows are appended.

    Of a full one, which is noted, the last. room: rows of the table, 1 at least.
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
def fill(array: NDArray[Any], value: float) -> None:
    """Set every element of an array of one dimension."""
    for k in range(len(array)):
        array[k] = value


@part
def lines_below(first: int, line: int) -> int:
    """Lines from a hand's first to another, as `hands.card_lines` has it: -1 where there is no room for so many."""
    below = line - first
    return below if below <= MOST_LINES_BELOW else -1


@part
def rows_in_use(used: NDArray[np.int64]) -> tuple[int, int, int, int, int, int, int, int, int, int, int]:
    """`Sheets.used` as it is now: a tuple, since a copy of an array just written to is slow."""
    return (
        used[HANDS] + 0,
        used[SEATS] + 0,
        used[ACTS] + 0,
        used[FAULTS] + 0,
        used[FINDINGS] + 0,
        used[BOARD] + 0,
        used[HOLES] + 0,
        used[LINES] + 0,
        used[FINALS] + 0,
        used[CHANGES] + 0,
        used[CHANGED] + 0,
    )


def no_sheets(matches: int) -> Sheets:
    """Sheets of no rows but the matches': for families that fill only some of them."""
    # A row is appended where there is room for one at least.
    cards, lines = np.zeros(1, np.int8), np.zeros(1, np.int16)
    return Sheets(
        hands=np.zeros(1, HAND),
        seats=np.zeros(1, SEAT),
        actions=np.zeros(1, ACTION),
        faults=np.zeros(1, FAULT),
        findings=np.zeros(1, FINDING),
        matches=np.zeros(matches, MATCH),
        board=cards,
        holes=cards,
        finals=cards,
        changes=np.zeros(1, CHANGE),
        changed=cards,
        card_lines=lines,
        ranks=np.zeros((matches, 13), np.int8),
        used=np.zeros(USED_SIZE, np.int64),
    )
