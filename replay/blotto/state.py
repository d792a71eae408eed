"""What a Blotto match in progress is: a heads-up match (`heads_up.state`), and three boards."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import part
from ..findings import MISPLACED
from ..games import MOST_DEVIATIONS
from ..heads_up import betting as b
from ..heads_up import state as s
from ..heads_up.state import Play, Report
from ..records import Sheets
from .game import BOARD_CARDS, BOARDS, DEALT_CARDS

# match: after those of `heads_up.state`
(
    SEEN,  # bits of `game.PRINTS`
    MODERN,  # 1 where the log has all-in, sweep or table lines
    ANNOTATED,  # 1 where the log tells who wins each board
    TABLES,  # lines of totals read
    EXPLAINS,  # and the following: as `records.FINDING` has it, by deviation
) = range(s.MATCH_SIZE, s.MATCH_SIZE + 5)
MATCH_SIZE: Final = EXPLAINS + MOST_DEVIATIONS

# hand: after those of `heads_up.betting`; TURN is -2 and -1 while cards are assigned
(
    SLOT,  # boards of the triple read
    STREET_SLOT,  # boards of the street read, 0 once all are
    SHOWS,  # hands shown
    LOST,  # 1 once the lines contradict each other: what follows up to the awards is not judged
    FAULTED,  # 1 where there are faults before the triple
    WHOLE_FAULT,  # faults before the triple: those that replace all three actions
    LOW_FAULT,  # boards below the minimum, a bit each
    CUT_FAULT,  # 1 where raises are cut down
    ALL_IN_SAID,  # line of the all-in line, 0 none
    SWEPT,  # seat + 1 of the sweep line, 0 none
    CHECK_FAULTS,  # and the following: illegal actions of a kind
    FOLD_FAULTS,
    CALL_FAULTS,
    RAISE_FAULTS,
    ASSIGN_FAULTS,
) = range(b.HAND_SIZE, b.HAND_SIZE + 15)
HAND_SIZE: Final = ASSIGN_FAULTS + 1

# boards: by board
(
    LIVE,
    SETTLED,  # the betting of the street is over
    FOLDER,  # seat, -1 nobody
    LEVEL,
    AGGRESSOR,
    SIZE,  # cards on the board
    SHOWN,  # seats, a bit each
    CODE,  # the triple's line: event, seat named, line
    NAMED,
    LINE,
    WON,  # what an annotated log says: seat + 1, 3 a tie, 0 nothing
    WON_LINE,
) = range(12)

# chips: by board and seat
PIP, PUT, PAID, SUM = range(4)

# amounts: by board
RAISE_TO, WON_CHIPS = range(2)


@bundle
class Table(NamedTuple):
    """A match in progress.

    play         the heads-up part; its hand and match are longer
    boards       (12, 3) int64, indexed by the names above
    chips        (4, 3, 2) float64, the same
    amounts      (2, 3) float64, the same
    counts       (3, 2) int64: hole cards by board and seat
    holes        (3, 2, 6) int8
    cards        (3, 5) int8: the boards
    scratch      (16,) int8
    """

    play: Play
    boards: NDArray[np.int64]
    chips: NDArray[np.float64]
    amounts: NDArray[np.float64]
    counts: NDArray[np.int64]
    holes: NDArray[np.int8]
    cards: NDArray[np.int8]
    scratch: NDArray[np.int8]


@bundle
class Engines(NamedTuple):
    """The engine profiles: deviations in force (bit masks), what their logs print (`game.PRINTS`)."""

    masks: NDArray[np.int64]
    prints: NDArray[np.int64]


def new_table(sheets: Sheets) -> Table:
    """Room for one match: kernels allocate nothing."""
    match, hand = np.zeros(MATCH_SIZE, np.int64), np.zeros(HAND_SIZE, np.int64)
    report = Report(sheets.findings, sheets.used, hand, match)
    return Table(
        s.new_play(sheets)._replace(match=match, hand=hand, report=report),
        np.zeros((12, BOARDS), np.int64),
        np.zeros((4, BOARDS, 2)),
        np.zeros((2, BOARDS)),
        np.zeros((BOARDS, 2), np.int64),
        np.zeros((BOARDS, 2, DEALT_CARDS), np.int8),
        np.zeros((BOARDS, BOARD_CARDS), np.int8),
        np.zeros(16, np.int8),
    )


@part
def pot(chips: NDArray[np.float64], board: int, big_blind: float) -> float:
    """Chips in a board's pot: one, two or three big blinds that nobody paid, and what the players put in."""
    size: float = (board + 1) * big_blind + chips[PUT, board, 0] + chips[PUT, board, 1]
    return size


@part
def lose(report: Report, line: int, seat: int) -> None:
    """A line that contradicts those before it: the rest of the hand up to the awards is not judged."""
    s.find(report, line, seat, MISPLACED, 0.0, 0.0)
    hand = report.hand
    hand[b.BROKEN] += 1
    hand[LOST] = hand[b.CLOSED] = 1
    hand[b.BOARD_SIZE] = BOARD_CARDS
