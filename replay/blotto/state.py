"""The state of a Blotto match: a heads-up match (`heads_up.state`), and three boards."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle, new_record, words_of
from ...jit.compile import part
from ..games import MOST_DEVIATIONS
from ..heads_up import state as s
from ..heads_up.rows import misplaced
from ..heads_up.state import Play
from ..records import Sheets
from .game import BOARD_CARDS, BOARDS, DEALT_CARDS

FAULT_KINDS: Final = 5

MATCH: Final = np.dtype(
    [
        ("seen", "i8"),  # bits of `game.PRINTS`
        ("modern", "i8"),  # 1 if the log has all-in, sweep or table lines
        ("annotated", "i8"),  # 1 if the log prints each board's winner
        ("tables", "i8"),  # lines of totals read
        ("explains", "i8", (MOST_DEVIATIONS,)),  # as `records.FINDING` has it, by deviation
    ]
)
"""State of a match across hands, in addition to `heads_up.state.MATCH`."""

HAND: Final = np.dtype(
    [
        ("slot", "i8"),  # boards of the triple read
        ("street_slot", "i8"),  # boards of the street read, 0 once all are
        ("shows", "i8"),  # hands shown
        ("lost", "i8"),  # 1 once the lines contradict each other: no line is judged up to the awards
        ("faulted", "i8"),  # 1 if there are faults before the triple
        ("whole_fault", "i8"),  # faults before the triple: those that replace all three actions
        ("low_fault", "i8"),  # boards below the minimum, a bit each
        ("cut_fault", "i8"),  # 1 if raises are cut down
        ("all_in_said", "i8"),  # line of the all-in line, 0 none
        ("swept", "i8"),  # seat + 1 of the sweep line, 0 none
        ("faults", "i8", (FAULT_KINDS,)),  # illegal actions by kind: check, fold, call, raise, assignment
    ]
)
"""State of a hand, in addition to `heads_up.state.HAND`, whose turn is -2 and -1 while cards are assigned."""

BY_BOARD: Final = np.dtype(
    [
        ("size", "i8", (BOARDS,)),  # cards on the board
        ("shown", "i8", (BOARDS,)),  # seats, a bit each
        ("code", "i8", (BOARDS,)),  # the triple's line: event, seat named, line, amount
        ("named", "i8", (BOARDS,)),
        ("line", "i8", (BOARDS,)),
        ("raise_to", "f8", (BOARDS,)),
        ("won", "i8", (BOARDS,)),  # what an annotated log says: seat + 1, 3 a tie, 0 nothing
        ("won_line", "i8", (BOARDS,)),
        ("won_chips", "f8", (BOARDS,)),
    ]
)
"""The boards of a hand."""

CHIPS: Final = np.dtype(
    [
        ("paid", "f8", (BOARDS, 2)),
        ("sum", "f8", (BOARDS, 2)),  # paid in all hands
    ]
)
"""Chips by board and seat."""


@bundle
class Table(NamedTuple):
    """A match in progress.

    play         the heads-up part
    match        MATCH
    hand         HAND
    boards       BY_BOARD
    chips        CHIPS
    counts       (3, 2) int64: hole cards by board and seat
    holes        (3, 2, 6) int8
    cards        (3, 5) int8: the boards
    scratch      (16,) int8
    hand_words, board_words  the memory of hand and boards
    """

    play: Play
    match: np.void
    hand: np.void
    boards: np.void
    chips: np.void
    counts: NDArray[np.int64]
    holes: NDArray[np.int8]
    cards: NDArray[np.int8]
    scratch: NDArray[np.int8]
    hand_words: NDArray[np.int64]
    board_words: NDArray[np.int64]


@bundle
class Engines(NamedTuple):
    """The engine profiles: deviations in force (bit masks), what their logs print (`game.PRINTS`)."""

    masks: NDArray[np.int64]
    prints: NDArray[np.int64]


def new_table(sheets: Sheets, explains: Sequence[int]) -> Table:
    """Room for one match: kernels allocate nothing. explains: as MATCH has it."""
    match, hand, boards = new_record(MATCH), new_record(HAND), new_record(BY_BOARD)
    match["explains"][: len(explains)] = explains
    return Table(
        s.new_play(sheets),
        match,
        hand,
        boards,
        new_record(CHIPS),
        np.zeros((BOARDS, 2), np.int64),
        np.zeros((BOARDS, 2, DEALT_CARDS), np.int8),
        np.zeros((BOARDS, BOARD_CARDS), np.int8),
        np.zeros(16, np.int8),
        words_of(hand),
        words_of(boards),
    )


@part
def lose(table: Table, line: int, seat: int) -> None:
    """A line that contradicts those before it: the rest of the hand up to the awards is not judged."""
    misplaced(table.play.report, line, seat)
    hand = table.play.hand
    table.hand["lost"] = hand["closed"] = 1
    hand["on_last_street"] = 1
