"""What a heads-up match in progress is: its arrays, its engines, and how a finding about it is written."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import part
from .. import findings, records
from ..games import MOST_PROFILES, MOST_STREETS, UNEXPLAINED
from ..records import Sheets
from . import betting as b

# match: what outlasts a hand
(
    PAYOUT,  # `games.Game.payout`
    NUMBER,  # of the match in the chunk
    SAME_NAMES,
    STACK,
    SMALL_BLIND,
    BIG_BLIND,
    EXPLAINS_FREE_FOLD,  # as `records.FINDING` has it, a byte a profile
    EXPLAINS_NO_SHOWS,
    PRINTS_STACKS,  # 1 where the log has such lines (`optional`)
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
    HOLE_CARDS,  # dealt to each player
    LAST_STREET,
    RUNS,  # 1 where more streets follow the last, a card each, until a black one is dealt
    EV_RULE,  # `bets_ev`
    PERMUTES,  # 1 where cards are printed twice, as dealt and as they count
    CHANGES,  # 1 where the hole cards are printed again after flop and turn
    EXPLAINS_BARE,
    EXPLAINS_NO_RUN,
    EXPLAINS_TIED_RUN,
    EXPLAINS_NO_FLOP,
    PRINTS_RUNS,
    PRINTS_CHANGED,
    PRINTS_STRAIGHTS,
    PRINTS_BARE,
    RUNS_DUE,  # hands in which lines about the run are due
    CHANGES_DUE,  # awards that are due to call their player changed
    LOW_RAISES,  # below the minimum of an engine that counts the player's own chips twice
    JUMP,  # 1 + the first finding that the bankrolls do not carry on from the hand before, 0 none
    REFUTED,  # awards that neither the rules nor the next bankrolls confirm, which agree
    DAMAGE,  # 1 + the last hand with a finding of structure among its lines, 0 none
    AUCTIONS,  # 1 where both players bid for a card when the flop is dealt
    DISCARDS,  # 1 where on the first two streets of the deal one player discards and the other waits
    FREE_FOLDS,  # 1 where a fold is legal though a check is free
    PRINTS_WON,
    PRINTS_EXCEPTIONS,
    WON_DUE,  # auctions, of which a line is due
    OWN_STACK,  # 1 where none of the game's engines has had the stack
    WRITTEN_STAKES,  # the rules' blinds until it is told that the match has other stakes, else 0
    STAKES_DEVIATION,  # its bit
    TELLS_ALL_INS,  # 1 once lines about a run were read of a hand that was all-in before it
    WRITTEN_BLINDS,  # the rules' blinds, `stakes.packed`
    GIVEN_BLINDS,  # those that the user says, packed, 0 where he says none
    GIVEN_STACK,
    FROM_ZERO,  # 1 where the rounds count from 0
    SEAM,  # what another log may say otherwise, since lines of two logs may have met: SEAM_...
    BOARDS,  # cards on the board by street, the last of the names: MOST_STREETS places
) = range(63)
MATCH_SIZE: Final = BOARDS + MOST_STREETS

NO_EXPLANATION: Final = -1
MOST_BOARD_CARDS: Final = 48
FIRST_DISCARD, SECOND_DISCARD = 1, 2
"""The streets of the deal on which the dealer's opponent and then the dealer discards."""

AWARD_LINE, AFTER_LINE = 0, 1

END_OF_TEXT: Final = 255
"""Stands where a line has its event's code, after the last line of a match."""

SEAM_PLAYERS, SEAM_RANKS, SEAM_PERMUTATION = 1, 2, 4
"""Who deals the odd hands and who is gone; the bounty ranks, until they are drawn anew; the permutation."""
# Findings that are what another log says.
_OF_SEAM: Final = np.zeros(len(findings.RULES), np.int64)
_OF_SEAM[[findings.ROTATION, findings.SUBSTITUTE]] = SEAM_PLAYERS
_OF_SEAM[[findings.HIT, findings.HIT_MISSING, findings.HIT_ORDER]] = SEAM_RANKS
_OF_SEAM[findings.PERMUTED] = SEAM_PERMUTATION


@bundle
class Report(NamedTuple):
    """What a finding is written with."""

    findings: NDArray[np.void]
    used: NDArray[np.int64]
    hand: NDArray[np.int64]
    match: NDArray[np.int64]


@bundle
class Play(NamedTuple):
    """A match in progress.

    match    (MATCH_SIZE,) int64, indexed by the names above
    hand     (HAND_SIZE,) int64, indexed by the names of `betting`
    chips    (16, 2) float64, the same
    holes    (2, 16) int8: count, then cards; as they are now
    dealt    (2, 16) int8: the same as they were dealt, where they have changed
    ranks    (13,) int8: the rank that each counts as, -1 not known
    board    (64,) int8
    lines    (64,) int64: count, then the lines of the hand's card events
    marks    (2,) int64: the line of the last award, and the one above the hit lines
    hits     (2,) by seat: bounty hits
    facts    (8,) float64: what the pay of the hand depends on (`settling`)
    missed   (MOST_PROFILES,) int64: hands that each profile leaves unexplained
    report   the findings, of these sheets
    """

    match: NDArray[np.int64]
    hand: NDArray[np.int64]
    chips: NDArray[np.float64]
    holes: NDArray[np.int8]
    dealt: NDArray[np.int8]
    ranks: NDArray[np.int8]
    board: NDArray[np.int8]
    lines: NDArray[np.int64]
    marks: NDArray[np.int64]
    hits: NDArray[np.int8]
    facts: NDArray[np.float64]
    missed: NDArray[np.int64]
    report: Report


def new_play(sheets: Sheets) -> Play:
    """Room for one match, whose findings go into the sheets: kernels allocate nothing."""
    match, hand = np.zeros(MATCH_SIZE, np.int64), np.zeros(b.HAND_SIZE, np.int64)
    return Play(
        match,
        hand,
        np.zeros((b.CHIPS_SIZE, 2)),
        np.zeros((2, 16), np.int8),
        np.zeros((2, 16), np.int8),
        np.zeros(13, np.int8),
        np.zeros(64, np.int8),
        np.zeros(64, np.int64),
        np.zeros(2, np.int64),
        np.zeros(2, np.int8),
        np.zeros(8),
        np.zeros(MOST_PROFILES, np.int64),
        Report(sheets.findings, sheets.used, hand, match),
    )


@bundle
class Engines(NamedTuple):
    """The game's engine profiles: deviations in force (bit masks), what their logs print (`optional.BITS`), stacks.

    streets: (256,) int64, the street that a line of each event code begins, 0 for none.
    """

    masks: NDArray[np.int64]
    prints: NDArray[np.int64]
    stacks: NDArray[np.int64] = np.zeros(MOST_PROFILES, np.int64)
    streets: NDArray[np.int64] = np.zeros(256, np.int64)


@part
def find(report: Report, line: int, seat: int, rule: int, expected: float, logged: float) -> int:
    """Write a finding about the hand being read; returns its row.

    expected and logged are floats at every call: each other type would be compiled again.
    """
    row = records.next_row(report.used, records.FINDINGS, len(report.findings))
    finding = report.findings[row]
    finding["hand"] = report.hand[b.ROW]
    finding["line"] = line
    finding["seat"] = seat
    finding["rule"] = rule
    finding["verdict"] = records.VIOLATION
    if findings.STRUCTURE[rule]:
        finding["verdict"] = records.DAMAGED
        report.match[DAMAGE] = report.hand[b.ROW] + 1
    elif report.match[SEAM] & _OF_SEAM[rule]:
        finding["verdict"] = records.DAMAGED
    finding["deviation"] = 0
    finding["explained"] = NO_EXPLANATION
    finding["expected"] = expected
    finding["logged"] = logged
    finding["chips"] = 0
    return row


@part
def byte_of(explained: int, profile: int) -> int:
    """What of `records.FINDING`'s `explained` is said of a profile."""
    return (explained >> (8 * profile)) & UNEXPLAINED


@part
def is_after_damage(match: NDArray[np.int64], hand: NDArray[np.int64]) -> bool:
    """True where bankrolls may not be carried on as they should: from a damaged hand, or past a merge marker."""
    after: bool = match[MARKED] > 0 or (match[DAMAGE] > 0 and match[DAMAGE] == hand[b.ROW])
    return after


@part
def other_log(match: NDArray[np.int64]) -> None:
    """From here on the lines may be another log's: sums from the first hand, and what was said before, are not its."""
    match[WHOLE] = 0
    match[SEAM] = SEAM_PLAYERS | SEAM_RANKS | SEAM_PERMUTATION


@part
def carried_on(report: Report, jumps: int, first: int, refuted: int, goes_on: bool) -> None:
    """Note how a hand's bankrolls follow from the hand before: how many jump, and the first finding about it.

    refuted: those that are what the rules make them, and not the awards. goes_on: they are in order and add up.

    Where both jump to what neither the awards nor the rules make them and the next hand goes on from there, lines
    of another log have been spliced in: no single edit does that.
    """
    match = report.match
    if match[JUMP] and goes_on and jumps == 0:
        for k in range(2):
            jump = report.findings[match[JUMP] - 1 + k]
            jump["rule"], jump["verdict"] = findings.SPLICED, records.DAMAGED
        other_log(match)
    match[REFUTED] += refuted == 2
    match[JUMP] = first + 1 if goes_on and jumps == 2 and refuted < 2 else 0


@part
def betting_street(match: NDArray[np.int64], street: int) -> int:
    """The street as the betting counts: those on which a player only discards are part of the flop."""
    if match[DISCARDS]:
        return max(min(street, 1), street - 2)
    return street


@part
def misnamed(report: Report, line: int, named: int, seat: int, rule: int) -> None:
    """A line names another player than the one who is due; two of one name look alike."""
    if not report.match[SAME_NAMES]:
        find(report, line, named, rule, float(seat), float(named))


@part
def credited(report: Report, line: int, named: int, due: int, again: bool, rule: int) -> int:
    """The seat that a line is about: the player it names, of two with one name the one who is due.

    A line that does not name the player who is due is a finding, by the rule. again: a line of this kind has named
    the player before; the line is then nobody's, -1.
    """
    if report.match[SAME_NAMES]:
        return due
    if named != due:
        misnamed(report, line, named, due, rule)
    return -1 if again else named


@part
def credited_pair(report: Report, line: int, first: int, second: int, due: int) -> int:
    """The seat of the first of two entries of a line, the second's is the other.

    due: who should be named first. Entries that name one player twice count in that order.
    """
    if first != due:
        misnamed(report, line, first, due, findings.SEATS)
    if second != 1 - due:
        misnamed(report, line, second, 1 - due, findings.SEATS)
    return due if report.match[SAME_NAMES] or first == second else first


@part
def seat_in_order(hand: NDArray[np.int64], place: int) -> int:
    """The seat that a line names first (0) or second (1): the dealer, then his opponent."""
    seat: int = hand[b.DEALER] if place == 0 else 1 - hand[b.DEALER]
    return seat
