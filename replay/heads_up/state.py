"""What a heads-up match in progress is: its arrays, its engines, and how a finding about it is written."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...parsers.kernels import part
from .. import findings, records
from ..records import Sheets
from . import betting as b

# match: what outlasts a hand
(
    GAME,
    NUMBER,  # of the match in the chunk
    SAME_NAMES,
    STACK,
    SMALL_BLIND,
    BIG_BLIND,
    EXPLAINS_FREE_FOLD,  # as `records.FINDING` has it, a byte a profile
    EXPLAINS_NO_SHOWS,
    PRINTS_STACKS,  # 1 where the log has such lines
    PRINTS_COUNTS,
    PRINTS_HITS,
    PRINTS_SHOWS,
    PRINTS_EV,
    LAST_NUMBER,  # of the hand before, 0 none
    CARRIES,  # 1 where the bankrolls of the hand before are to be carried on
    MARKED,  # line of a merge marker before the next hand, 0 none
    RANK_0,
    RANK_1,
    GONE_0,
    GONE_1,
    FINISHED,  # 1 after the final line
    HITS_DUE,  # hands in which a hit was due
    FIRST_HAND,  # rows at the start of the match
    FIRST_FINDING,
    HEADER_FITS,
    CUT,  # 1 where the text ends without a line end
    WHOLE,  # 1 while every hand from the first was read undamaged
) = range(27)
MATCH_SIZE: Final = 28

UNEXPLAINED: Final = 255
NO_EXPLANATION: Final = -1
BOARD_DUE: Final = 5
# What the logs of an engine profile have.
PROFILE_HITS, PROFILE_EV, PROFILE_SHOWS = 1, 2, 4

AWARD_LINE, AFTER_LINE = 0, 1


class Report(NamedTuple):
    """What a finding is written with: few arrays, since a call hands over every one."""

    findings: NDArray[np.void]
    used: NDArray[np.int64]
    hand: NDArray[np.int64]
    match: NDArray[np.int64]


class Play(NamedTuple):
    """A match in progress.

    match    (28,) int64, indexed by the names above
    hand     (24,) int64, indexed by the names of `betting`
    chips    (12, 2) float64, the same
    holes    (2, 16) int8: count, then cards
    board    (64,) int8
    lines    (64,) int64: count, then the lines of the hand's card events
    marks    (2,) int64: the line of the last award, and the one above the hit lines
    cards, hits, flags    scratch; the latter two by seat
    missed   (8,) int64: hands that each profile leaves unexplained
    kept     (8,) int64: rows in use before the hand
    report   the findings, of these sheets
    """

    match: NDArray[np.int64]
    hand: NDArray[np.int64]
    chips: NDArray[np.float64]
    holes: NDArray[np.int8]
    board: NDArray[np.int8]
    lines: NDArray[np.int64]
    marks: NDArray[np.int64]
    cards: NDArray[np.int8]
    hits: NDArray[np.int8]
    flags: NDArray[np.int64]
    missed: NDArray[np.int64]
    kept: NDArray[np.int64]
    report: Report


def new_play(sheets: Sheets) -> Play:
    """Room for one match, whose findings go into the sheets: kernels allocate nothing."""
    match, hand = np.zeros(MATCH_SIZE, np.int64), np.zeros(b.HAND_SIZE, np.int64)
    return Play(
        match,
        hand,
        np.zeros((b.CHIPS_SIZE, 2)),
        np.zeros((2, 16), np.int8),
        np.zeros(64, np.int8),
        np.zeros(64, np.int64),
        np.zeros(2, np.int64),
        np.zeros(64, np.int8),
        np.zeros(2, np.int8),
        np.zeros(2, np.int64),
        np.zeros(8, np.int64),
        np.zeros(8, np.int64),
        Report(sheets.findings, sheets.used, hand, match),
    )


class Engines(NamedTuple):
    """The game's engine profiles: deviations in force (bit masks), what their logs print (PROFILE_*)."""

    masks: NDArray[np.int64]
    prints: NDArray[np.int64]


@part
def find(report: Report, line: int, seat: int, rule: int, expected: float, logged: float) -> int:
    """Write a finding about the hand being read; returns its row.

    expected and logged are floats at every call: each other type would be compiled again.
    """
    row: int = report.used[records.FINDINGS]
    finding = report.findings[row]
    finding["hand"] = report.hand[b.ROW]
    finding["line"] = line
    finding["seat"] = seat
    finding["rule"] = rule
    finding["verdict"] = records.DAMAGED if findings.STRUCTURE[rule] else records.VIOLATION
    finding["deviation"] = 0
    finding["explained"] = NO_EXPLANATION
    finding["expected"] = expected
    finding["logged"] = logged
    finding["chips"] = 0
    report.used[records.FINDINGS] = row + 1
    return row


@part
def misnamed(report: Report, line: int, named: int, seat: int, rule: int) -> None:
    """A line names another player than the one who is due; two of one name look alike."""
    if not report.match[SAME_NAMES]:
        find(report, line, named, rule, float(seat), float(named))


@part
def seat_in_order(hand: NDArray[np.int64], place: int) -> int:
    """The seat that a line names first (0) or second (1): the dealer, then his opponent."""
    seat: int = hand[b.DEALER] if place == 0 else 1 - hand[b.DEALER]
    return seat
