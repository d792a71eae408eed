"""The state of a match: its records, its players, and the writing of findings."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle, new_record, words_of
from ...jit.compile import part, rare
from ...parsers.dialect import MOST_SEATED
from .. import betting as b
from .. import findings
from ..findings import Report
from ..games import MOST_HOLE_CARDS, MOST_PROFILES, MOST_STREETS
from ..records import Sheets

MOST_LINES: Final = 63
"""The most lines of card events in a hand."""

FREE_FOLD, NOT_ASKED, STOPS, LOW_RAISE, RETURNED, SIDE_POT, POTS_PRINTED, TURN = range(8)
FOR_NOTHING, ALL_IN_ASKED, REOPENED, FOLDED_MONEY, ODD_TO_LAST, ODD_DROPPED = range(8, 14)
KICKERS, HAND_NAMED, FOR_FREE, AFTER_END, BOARD_AFTER, MORE_CHIPS, FOR_LESS, SHORT_BLIND = range(14, 22)
DEAD_MONEY, TAKEN, ONE_POT = range(22, 25)
ODD_CHIP, WINNINGS = range(25, 27)
CUT_OFF, NOT_SHOWN, OTHER_SUM, PHANTOM = range(27, 31)
KNOWN: Final = (
    "free-fold",
    "option-not-asked",
    "betting-stops",
    "low-raise",
    "returned-too-much",
    "side-pot-missing",
    "pots-printed",
    "turn-order",
    "asked-though-nothing-is-open",
    "blind-all-in-is-asked",
    "raise-not-reopened",
    "folded-money-to-the-main-pot",
    "odd-chip-to-the-last",
    "odd-chip-dropped",
    "two-pair-kicker-ignored",
    "hand-named-wrong",
    "call-of-nothing",
    "acts-after-the-end",
    "board-after-the-end",
    "more-than-the-stack",
    "call-for-less",
    "short-big-blind",
    "dead-money-lost",
    "chips-taken",
    "side-pots-not-written",
    "odd-chip",
    "winnings-not-pot",
    "half-chip-cut-off",
    "showdown-flag-missing",
    "rewards-differ",
    "phantom-hand",
)
"""Deviations that the kernels know, by the names that games give them."""

MATCH: Final = np.dtype(
    [
        ("number", "i8"),  # of the match in the chunk
        ("players", "i8"),
        ("same_names", "i8"),  # 1 if two players have one name
        ("header_fits", "i8"),
        ("cut", "i8"),  # 1 if the text ends without a line end
        ("hole_cards", "i8"),  # dealt to each player
        ("holes_used", "i8"),  # at the showdown, 0 for the best of all
        ("pot_limit", "i8"),
        ("drops_after", "i8"),  # street after whose betting each throws away a card, 0 for none
        ("replaces", "i8"),  # a bit for each street before whose betting each may replace a card
        ("returns_always", "i8"),  # 0 if a bet is returned only if the hand continues, or never
        ("reserves", "i8"),  # 1 if players have chips in reserve, and each hand names who plays it
        ("blinds_of_two", "i8"),  # posted when two are left
        ("all_may_fold", "i8"),
        ("free_folds", "i8"),  # 1 if a fold is legal though a check is free
        ("fault_folds", "i8"),
        ("reopens_full", "i8"),  # 1 if only a full raise lets players raise again
        ("most_raises", "i8"),  # fixed bets and raises of a street, the blinds are none; 0 for any number
        ("straddles", "i8"),  # 1 if the first raise is by as much as a straddle
        ("totals", "i8"),  # 1 if amounts are the chips of the hand, and a first bet is called a raise, too
        ("carries", "i8"),  # 1 if stacks are carried on
        ("prints_pots", "i8"),  # 1 if streets are printed with the chips in the pot
        ("names_first", "i8"),  # how many players a hand's first line names
        ("deals_from", "i8"),  # places from the dealer to the player who is dealt cards first
        ("banks_after", "i8"),  # 1 if a hand's first lines have the bankrolls after it
        ("last_street", "i8"),
        ("stack", "i8"),
        ("small_blind", "i8"),
        ("big_blind", "i8"),
        ("explains", "i8", (len(KNOWN),)),  # as `records.FINDING` has it, a byte a profile, by KNOWN
        ("first_hand", "i8"),  # rows at the start of the match
        ("first_finding", "i8"),
        ("last_number", "i8"),  # of the hand before, 0 none
        ("carried", "i8"),  # 1 if the bankrolls of the hand before are to be carried on
        ("damage", "i8"),  # 1 + the last hand with a finding of structure, 0 none
        ("marker_line", "i8"),  # line of a merge marker before the next hand, 0 none
        ("moved", "i8"),  # chips returned in the hand before that the rules do not return, 0 none
        ("moved_from", "i8"),  # the seat to which they were returned
        ("direction", "i8"),  # seats by which the first position moves from hand to hand
        ("whole", "i8"),  # 1 if the first hand is number 1
        ("dealer", "i8"),  # of the hand before
        ("turned", "i8"),  # seats between the first position and where the hand's number puts it
        ("finished", "i8"),  # 1 after the final line
        ("names", "i8"),  # of a table: players of the match; `players` are those of the hand
        ("chip", "f8"),  # of a table: units of the least share of a pot
        ("raked", "i8"),
        ("low", "i8"),  # 1 if half of each pot goes to a low hand
        ("short_deck", "i8"),
        ("unit", "f8"),  # of a table: of the amounts in its lines, how many are one chip
        ("boards", "i8", (MOST_STREETS,)),  # cards on the board by street
    ]
)
"""State of a match across hands."""

HAND: Final = np.dtype(
    [
        *b.FIELDS,
        ("number", "i8"),
        ("line", "i8"),
        ("open", "i8"),  # 1 while a hand is being read
        ("seated", "i8"),  # players whose place and bankroll are read
        ("banks_line", "i8"),  # the last line of bankrolls
        ("posted", "i8"),
        ("posts", "i8"),  # blinds that are due
        ("holders", "i8"),  # players who are dealt cards
        ("scored", "i8"),  # lines of scores after the pay
        ("answered", "i8"),  # 1 while the next action is what the engine makes of an answer
        ("said", "i8"),  # that answer: an event, UNKNOWN for one that cannot be read, -1 for none
        ("said_at", "i8"),  # its amount, or its offset in the text
        ("said_size", "i8"),
        ("said_line", "i8"),
        ("declared", "i8"),  # players who said that they are all-in, a bit each
        ("capped", "i8"),  # players who have acted since the last full raise of the street, a bit each
        ("dealt", "i8"),
        ("shown", "i8"),  # a bit a seat
        ("wins", "i8"),  # award lines of one winner
        ("ties", "i8"),  # award lines of several
        ("award_line", "i8"),
        ("first_tied", "i8"),  # seat of the first line of a shared pot, -1 none
        ("board_size", "i8"),
        ("seen", "i8"),  # cards dealt so far, a bit each
        ("pending", "i8"),  # seat whose fault the next action answers, -1 nobody
        ("broken", "i8"),  # findings of structure
        ("next", "i8"),  # the first seat that may be next to act
        ("chose", "i8"),  # players who have thrown away, replaced or kept a card on the street, a bit each
        ("changed", "i8"),  # players whose cards are no longer as dealt, a bit each
        ("stops", "i8"),  # 1 once a player with chips in the pot folded to a bet of all that it had
        ("loose", "i8"),  # 1 once a deviation ended the betting of a street
        ("in_order", "i8", (MOST_SEATED,)),  # seats as the hand's first lines name them
        ("live", "i8"),  # players with chips as the hand begins
        ("asked", "i8", (MOST_SEATED,)),  # 1 for players that have acted since the last bet or raise
        ("bet", "f8"),  # to call on the street
        ("step", "f8"),  # the last bet's or raise's
        ("raiser", "i8"),  # seat of the last bet or raise of the street, -1 none
        # Of a table (`table_lines`), whose places are counted from the player after the dealer:
        ("begun", "i8"),  # 1 once all players have their places
        ("button", "i8"),  # the dealer's seat as the line says, -1 not known
        ("limit", "i8"),  # 0 none, 1 the pot, 2 fixed bets
        ("low", "f8"),  # the least bet, or the small one of fixed bets
        ("high", "f8"),  # the big one of fixed bets
        ("opener", "i8"),  # place that acts first before the flop, -1 not said
        ("last_post", "i8"),  # place of the largest bet that was posted, -1 none
        ("short", "i8"),  # 1 if the price of a call is more than any player has posted
        ("less", "i8"),  # places that have called the last bet for less, with chips left, a bit each
        ("reason", "i8"),  # 1 if the hand is not to be checked
        ("reason_at", "i8"),  # where the text has why
        ("reason_size", "i8"),
        ("lost", "i8"),  # places that threw their cards away at the showdown, a bit each
        ("first_finding", "i8"),  # row of the first finding
        ("silent", "i8"),  # 1 if the record says that no player shows cards
        ("told", "i8"),  # which results the lines have, a bit each: win, total, net, left
        ("rake", "f8"),
        ("dead", "f8"),  # chips of the first pot that are not a bet
        ("second", "i8"),  # cards of a second board, the last ones
        *b.BY_PLAYER,
    ]
)
"""State of a hand; a place is a seat."""

PLAYER: Final = np.dtype(
    [
        ("bank", "f8"),  # as printed; once the hand is paid, before it
        ("carry", "f8"),  # after the hand before as the log pays, once the hand is paid after it
        ("due", "f8"),  # the same by the written rules
        ("award", "f8"),  # as printed, gross
        ("returned", "f8"),
        ("owed", "f8"),  # to be returned by the rules
        ("share", "f8"),  # of the pots, by the rules, including the unmatched part of a bet
        ("out", "i8"),  # 1 for players without chips as the hand begins, or who do not play it
        ("reserve", "f8"),  # chips that are not at the table
        ("left", "f8"),  # chips at the table after the hand before
        ("seat", "i8"),  # of a table: in the match
        ("net", "f8"),  # of a table: the result as the lines say, NaN if they do not
        ("after", "f8"),  # of a table: chips after the hand, the same
        ("hidden", "i8"),  # of a table: hole cards that are not known
        ("dead", "f8"),  # of a table: chips put in that are no bet
        ("played", "i8"),  # 1 once the player has been in a hand
        ("gone", "i8"),  # 1 once the engine has lost the player: its chips are taken
        ("holes", "i8", (MOST_HOLE_CARDS + 1,)),  # count, then cards, as they are now and are shown
        ("dealt", "i8", (MOST_HOLE_CARDS + 1,)),  # the same as they were dealt
        ("placed", "i8", (MOST_HOLE_CARDS + 1,)),  # as now, but a new card where the old one was
    ]
)
"""A player of a match, by seat."""


@bundle
class Play(NamedTuple):
    """A match in progress.

    match, hand   MATCH, HAND
    players       (MOST_SEATED,) PLAYER by seat
    board         (16,) cards
    lines         (MOST_LINES + 1,) count, then the lines of the hand's card events
    strength, ended, folded  (MOST_SEATED,) by seat; second: of the hand with a second board
    cards         (16,) scratch
    missed        (MOST_PROFILES,) findings that each profile leaves unexplained
    stacks        of a table: (names,) chips after the last hand by seat, NaN not known
    sums          of a table: (names,) what the hands so far made each player win
    report        the findings, of these sheets
    match_words, hand_words  the memory of the records
    """

    match: np.void
    hand: np.void
    players: NDArray[np.void]
    board: NDArray[np.int64]
    lines: NDArray[np.int64]
    strength: NDArray[np.int64]
    second: NDArray[np.int64]
    ended: NDArray[np.int64]
    folded: NDArray[np.int64]
    cards: NDArray[np.int64]
    missed: NDArray[np.int64]
    stacks: NDArray[np.float64]
    sums: NDArray[np.float64]
    report: Report
    match_words: NDArray[np.int64]
    hand_words: NDArray[np.int64]


def new_play(sheets: Sheets, names: int = 1) -> Play:
    """Room for one match, whose findings go into the sheets: kernels allocate nothing. names: players of a table."""
    match, hand = new_record(MATCH), new_record(HAND)
    return Play(
        match,
        hand,
        np.zeros(MOST_SEATED, PLAYER),
        np.zeros(16, np.int64),
        np.zeros(MOST_LINES + 1, np.int64),
        np.zeros(MOST_SEATED, np.int64),
        np.zeros(MOST_SEATED, np.int64),
        np.zeros(MOST_SEATED, np.int64),
        np.zeros(MOST_SEATED, np.int64),
        np.zeros(16, np.int64),
        np.zeros(MOST_PROFILES, np.int64),
        np.zeros(names),
        np.zeros(names),
        Report(sheets.findings, sheets.used, hand, match),
        words_of(match),
        b.words_to_clear(hand),
    )


@rare
def find(report: Report, line: int, seat: int, rule: int, expected: float, logged: float) -> int:
    """Write a finding about the hand being read; returns its row."""
    hand = report.hand["row"]
    row = findings.find(report.findings, report.used, hand, line, seat, rule, expected, logged)
    if findings.STRUCTURE[rule]:
        report.match["damage"] = hand + 1
        report.hand["broken"] += 1
    return row


@rare
def find_known(
    report: Report, line: int, seat: int, rule: int, expected: float, logged: float, deviation: int
) -> int:
    """Write a finding that one of the KNOWN deviations explains; returns its row."""
    row = find(report, line, seat, rule, expected, logged)
    report.findings[row]["explained"] = report.match["explains"][deviation]
    return row


@rare
def misplaced(report: Report, line: int, seat: int) -> None:
    """A line that contradicts the lines before it."""
    find(report, line, seat, findings.MISPLACED, 0.0, 0.0)


@part
def following(match: np.void, seat: int, places: int) -> int:
    """The seat `places` after another, without a slow modulo."""
    after = seat + places
    return after - match["players"] if after >= match["players"] else after


@part
def note_line(play: Play, line: int) -> None:
    """Another card event of the hand."""
    if play.lines[0] < MOST_LINES:
        play.lines[0] += 1
        play.lines[play.lines[0]] = line


@part
def see(report: Report, line: int, seat: int, card: int) -> None:
    """Deal a card: a finding if it was dealt before."""
    if report.hand["seen"] >> card & 1:
        find(report, line, seat, findings.DECK, -1.0, float(card))
    report.hand["seen"] |= 1 << card


@part
def check_named(report: Report, line: int, named: int, due: int, rule: int) -> None:
    """Write a finding if a line names another player than the one due; equal names prove nothing."""
    if named != due and not report.match["same_names"]:
        find(report, line, named, rule, float(due), float(named))
