"""The state of a heads-up match: its records, its engines, and the writing of findings."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle, new_record, words_of
from ...jit.compile import part, rare
from .. import betting as b
from .. import findings, hooks, records
from ..findings import Report
from ..games import MOST_BOARDS, MOST_PASSED, MOST_PROFILES, MOST_STREETS
from ..records import Sheets
from ..stakes import LARGEST_STACK

(
    STACK_LINES,
    COUNT_LINES,
    EXCEPTION_LINES,
    SHOW_LINES,
    HIT_LINES,
    RUN_LINES,
    CHANGED_LINES,
    BARE_LINES,
    WON_LINES,
    STRAIGHT_LINES,
    EV_LINES,
    SHORT_LINES,
) = range(12)
LINE_KINDS: Final = 12
"""The number of optional kinds of lines (`optional`)."""

BAD_BID, BAD_AMOUNT, BAD_PASS, BAD_FOLD, BAD_OTHER, SILENCE = range(6)
"""Bad answers in the order of `games.FaultPolicy`."""
BAD_ANSWERS: Final = 6
ADDS_UP, DOES_NOT_ADD_UP = 1, 2
"""Bankrolls printed after a hand."""
NO_PRICE, MEETS_PRICE, ABOVE_PRICE = range(3)
A_BET, A_BID, A_PASS = range(3)
"""The kinds of questions to a player."""

MATCH: Final = np.dtype(
    [
        ("payout", "i8"),  # `games.Game.payout`
        ("number", "i8"),  # of the match in the chunk
        ("event", "i8"),  # the next to be read
        ("same_names", "i8"),
        ("stack", "i8"),
        ("small_blind", "i8"),
        ("big_blind", "i8"),
        ("explains_free_fold", "i8"),  # as `records.FINDING` has it, a byte a profile
        ("explains_no_shows", "i8"),
        ("prints", "i8", (LINE_KINDS,)),  # 1 if the log has such lines (`optional`)
        ("due", "i8", (LINE_KINDS,)),  # above 0 if an engine with such lines would have printed some
        ("last_number", "i8"),  # of the hand before, 0 none
        ("lost_number", "i8"),  # of the last hand of which no row can be read, 0 none
        ("carries", "i8"),  # 1 if the bankrolls of the hand before are to be carried on
        ("marker_line", "i8"),  # line of a merge marker before the next hand, 0 none
        ("rank", "i8", (2,)),  # bounty, -1 not known
        ("gone", "i8", (2,)),
        ("finished", "i8"),  # 1 after the final line
        ("first_hand", "i8"),  # rows at the start of the match
        ("first_finding", "i8"),
        ("header_fits", "i8"),
        ("cut", "i8"),  # 1 if the text ends without a line end
        ("whole", "i8"),  # 1 while every hand from the first was read undamaged
        ("hole_cards", "i8"),  # dealt to each player
        ("last_street", "i8"),
        ("runs", "i8"),  # cards after which another street follows the last, a bit each; 0 if none does
        ("ev_rule", "i8"),  # `bets_ev`
        ("permutes", "i8"),  # 1 if cards are printed twice, as dealt and as they count
        ("changes", "i8"),  # 1 if the hole cards are printed again after flop and turn
        ("explains_bare", "i8"),
        ("explains_no_run", "i8"),
        ("explains_tied_run", "i8"),
        ("explains_no_flop", "i8"),
        ("explains_above", "i8"),
        ("explains_back", "i8"),
        ("deals_all", "i8"),  # seat + 1 that deals every hand, 0 if the deal changes
        ("level_hands", "i8"),  # hands after which the blinds rise, 0 if they do not
        ("level_small", "i8"),  # by as much
        ("level_big", "i8"),
        ("low_raises", "i8"),  # below the minimum of an engine that counts the player's own chips twice
        ("jump", "i8"),  # 1 + the first finding that bankrolls do not follow from the hand before, 0 none
        ("refuted", "i8"),  # awards that neither the rules nor the next bankrolls confirm, which agree
        ("damage", "i8"),  # 1 + the last hand with a finding of structure among its lines, 0 none
        ("redraws", "i8"),  # streets on which an action may come with a redraw
        ("hides_runouts", "i8"),  # 1 if no line prints the cards after an all-in
        ("auctions", "i8"),  # 1 if both players bid when the flop is dealt
        ("looks", "i8"),  # 1 if the winner sees a card of the opponent's and is dealt none
        ("bids_told", "i8"),  # 1 if a line after the awards speaks of the auction
        ("folds", "i8", (BAD_ANSWERS,)),  # the bit of the deviation that it is no fold, 0 for none
        ("explains_fold", "i8", (BAD_ANSWERS,)),
        ("explains_fold_shown", "i8"),
        ("exchanges", "i8"),  # 1 if players pass cards to each other before each street's betting
        ("passes", "i8", (MOST_STREETS,)),  # how many, by street
        ("third_turns", "i8"),  # 1 if some engine asks the dealer again after a limp and a check
        ("explains_third_turn", "i8"),
        ("discards", "i8"),  # 1 if on the deal's first two streets one player discards and the other waits
        ("antes", "i8"),  # 1 if what is posted is no bet
        ("dead_antes", "i8"),  # 1 if it is no part of the first street's betting
        ("steps", "i8"),  # what players are asked besides betting
        ("functions", "i8"),  # 1 if the game has functions of a user's file, for its payout or lines
        ("bets", "i8", (MOST_STREETS,)),  # the size of every bet and raise by street, 0 for no limit
        ("most_bets", "i8"),  # of a street, 0 for any number
        ("free_folds", "i8"),  # 1 if a fold is legal though a check is free
        ("own_stack", "i8"),  # 1 if none of the game's engines has had the stack
        ("written_stakes", "i8"),  # the rules' blinds until a finding reports other stakes, else 0
        ("stakes_deviation", "i8"),  # its bit
        ("tells_all_ins", "i8"),  # 1 once lines about a run were read of a hand that was all-in before it
        ("written_blinds", "i8"),  # the rules' blinds, `stakes.packed`
        ("given_blinds", "i8"),  # those that the user gives, packed, 0 for none
        ("given_stack", "i8"),
        ("from_zero", "i8"),  # 1 if the rounds count from 0
        ("seam", "i8"),  # what another log may say otherwise, since lines of two logs may have met: SEAM_...
        ("boards", "i8", (MOST_STREETS,)),  # cards on the board by street
        ("pots", "i8"),  # boards played at once
        ("free", "f8", (MOST_BOARDS,)),  # chips that begin in each pot
        ("not_in_deck", "i8"),  # cards that the deck has not, a bit each
        ("bare_rounds", "i8"),  # 1 if rounds begin without a line of bankrolls
        ("calls_raises", "i8"),  # 1 if a refused raise of at least the chips to call is a call
        ("explains_price", "i8"),
        ("rows", "i8"),  # 1 if the log is a table whose rows are actions
        ("leads", "i8"),  # who acts first after the first street (`table_rows`)
        ("keeps", "i8"),  # hole cards that each player keeps as the flop is dealt, 0 for all
        ("explains_doubled", "i8"),
        ("explains_last_chip", "i8"),
        ("explains_open", "i8"),
        ("explains_no_option", "i8"),
    ]
)
"""State of a match across hands."""

HAND: Final = np.dtype(
    [
        *b.FIELDS,
        ("number", "i8"),  # as printed
        ("line", "i8"),
        ("board_size", "i8"),
        ("posted", "i8"),  # blinds so far
        ("dealt", "i8"),  # players dealt to so far
        ("shown", "i8"),  # players who showed
        ("awarded", "i8"),  # awards read
        ("counted", "i8"),  # after the winning counts ADDS_UP or DOES_NOT_ADD_UP
        ("hits", "i8"),  # seats whose hit the log prints, in order: digits to base 4, seat + 1
        ("pending", "i8"),  # seat whose fault the next action answers, -1 nobody
        ("refused", "i8"),  # the fault's event, while it is pending
        ("meets", "i8"),  # a refused raise and the chips to call: NO_PRICE, MEETS_PRICE, ABOVE_PRICE
        ("lapse", "i8"),  # the bit of the deviation that the first bad answer is no fold, 0 for none
        ("lapsed", "i8"),  # the seat that gave it
        ("lapsed_put", "f8"),  # what that player had put in
        ("bid_folded", "i8"),  # 1 after a fold in place of a bid
        ("passed", "i8"),  # players who have passed cards on the street
        ("betting", "i8"),  # 1 once the line is read that opens the street's betting
        ("substituted", "i8"),  # 1 if the engine passes in a player's place
        ("aside_count", "i8"),  # the first player's cards until the other has passed
        ("aside_missing", "i8"),  # passed cards that the line does not name
        ("aside_in_order", "i8"),
        ("firm", "i8", (2,)),  # first cards of each hand whose order is known
        ("hazy", "i8", (2,)),  # cards of each hand that are not known
        ("stacks_due", "i8"),  # line of a street whose stacks are not yet printed, 0 none
        ("broken", "i8"),  # findings of structure
        ("open", "i8"),  # 1 while a hand is being read
        ("paid", "i8"),  # 1 once paid by the rules
        ("on_last_street", "i8"),  # 1 on the last street: when its betting is over the hands are compared
        ("seen", "i8"),  # cards dealt so far, a bit each
        ("bare_line", "i8"),  # line of the first street that is printed without cards and chips, 0 none
        ("holes_due", "i8"),  # line of a street after which the hole cards are not yet printed, 0 none
        ("holes_printed", "i8"),  # players whose hole cards have been printed after the street
        ("changed", "i8"),  # players whose hole cards are no longer as dealt, a bit each
        ("called_changed", "i8"),  # players whose award says so, a bit each
        ("run_lines", "i8"),  # of those about the run, as many as have been read
        ("run_line", "i8"),  # where they begin
        ("bids", "i8"),  # read so far
        ("cards_due", "i8"),  # players whose card won in the auction is not printed yet, a bit each
        ("auctioned", "i8"),  # 1 after the flop's second line
        ("summed", "i8"),  # 1 after the line about the auction
        ("redrawn", "i8"),  # players who have replaced a card, a bit each
        ("replaced", "i8"),  # places of the board whose card was replaced, a bit each
        ("hidden", "i8"),  # 1 if the rest of the board was dealt without a line
        ("discarded", "i8"),  # 1 after the discard of a street on which one is due
        ("holder", "i8"),  # seat + 1 whose hole cards the line before printed after the street, 0 none
        ("run_named", "i8"),  # seat + 1 that the last line about what was won in the run names
        ("step", "i8"),  # the first that is not over
        ("asked", "i8"),  # of those whom it asks, how many are not to be asked any more
        ("answered", "i8"),  # lines of it
        ("telling", "i8"),  # seat + 1 whose cards the line below is to have, 0 none
        ("did", "i8", (2,)),  # steps that each player did, a bit each
        ("ahead", "i8"),  # 1 + the card of the board that a player saw before its street, 0 none
        ("raised_by", "f8"),  # the last raise of the street, where rows are actions
        ("unsaid", "i8"),  # 1 if no row says the result
        ("loose", "i8"),  # 1 once the turns are not the rules' and every action is the named player's
        *b.BY_PLAYER,
    ]
)
"""State of a hand."""
RUN_LINES_DUE: Final = 3
"""The lines due after a run: that it was reached, and each player's winnings in it."""

CHIPS: Final = np.dtype(
    [
        ("bank", "f8", (2,)),
        ("carry", "f8", (2,)),
        ("award", "f8", (2,)),
        ("noted", "f8", (3, 2)),  # by street before the river: what the engine notes for its bets EV
        ("bets_ev", "f8", (3, 2)),  # its sums
        ("before_run", "f8", (2,)),  # put in before the first street after the river
        ("run_won", "f8", (2,)),  # as the log says
        ("straights", "f8", (2,)),  # showdowns of the match won with a straight
        ("due", "f8", (2,)),  # bankroll after the hand by the written rules, NaN if it is not known
        ("bidden", "f8", (2,)),  # in the auction
        ("unseen", "f8"),  # at stake in a showdown of the last hand whose board is not in the log, else 0
    ]
)
"""Chips of a match by seat."""

PAY: Final = np.dtype(
    [
        *hooks.FIELDS,
        *hooks.OWN,
        ("library_wins", "f8"),  # as `wins`, by the engine's evaluator
        ("loser_put", "f8"),  # chips that the loser put in; in a split pot the dealer
        ("library_loser_put", "f8"),
        ("hit", "f8"),  # the dealer's bounty is in play
        ("other_hit", "f8"),
        ("actions", "f8"),  # the engine's count of actions on the last street
        ("share", "f8"),  # the dealer's equity where both are all-in before the last street, else NaN
        ("library_share", "f8"),  # the same by the engine's evaluator
        ("lapse", "f8"),  # as in HAND
        ("lapse_pays", "f8"),  # the dealer, where that answer is a fold
    ]
)
"""The facts on which the payout depends."""

_ROUNDING: Final = 2.0**-51
"""The error of three rounded sums, as a share of the largest."""


MOST_BOARD_CARDS: Final = 48
FIRST_DISCARD, SECOND_DISCARD = 1, 2
"""The streets of the deal on which the dealer's opponent and then the dealer discards."""

AWARD_LINE, AFTER_LINE = 0, 1

END_OF_TEXT: Final = 255
"""In place of an event code, after the last line of a match."""

SEAM_PLAYERS, SEAM_RANKS, SEAM_PERMUTATION = 1, 2, 4
"""The dealer of odd hands and disconnected players; the bounty ranks, until they are drawn again; the permutation."""
# Findings that lines of another log explain.
_OF_SEAM: Final = np.zeros(len(findings.RULES), np.int64)
_OF_SEAM[[findings.ROTATION, findings.SUBSTITUTE]] = SEAM_PLAYERS
_OF_SEAM[[findings.HIT, findings.HIT_MISSING, findings.HIT_ORDER]] = SEAM_RANKS
_OF_SEAM[findings.PERMUTED] = SEAM_PERMUTATION


@bundle
class Play(NamedTuple):
    """A match in progress.

    match    MATCH
    hand     HAND
    chips    CHIPS
    holes    (2, 16) int8: count, then cards; as they are now
    dealt    (2, 16) int8: the same as they were dealt, where they have changed
    ranks    (13,) int8: the rank that each counts as, -1 not known
    board    (64,) int8: as dealt
    replaced (64,) int8: the cards that replaced those of the board, by place, -1 not known
    lines    (64,) int64: count, then the lines of the hand's card events
    marks    (2,) int64: the line of the last award, and the one above the hit lines
    hits     (2,) by seat: bounty hits
    facts    PAY
    missed   (MOST_PROFILES,) int64: hands that each profile leaves unexplained
    passing  (2 * MOST_PASSED,) int64: the cards of an exchange, those of the first to pass before the other's
    combined (MOST_BOARD_CARDS,) int64: the cards that may come, one choice after the other (`runouts`)
    report   the findings, of these sheets
    match_words, hand_words, chips_words  the memory of the records
    """

    match: np.void
    hand: np.void
    chips: np.void
    holes: NDArray[np.int8]
    dealt: NDArray[np.int8]
    ranks: NDArray[np.int8]
    board: NDArray[np.int8]
    replaced: NDArray[np.int8]
    lines: NDArray[np.int64]
    marks: NDArray[np.int64]
    hits: NDArray[np.int8]
    facts: np.void
    missed: NDArray[np.int64]
    passing: NDArray[np.int64]
    combined: NDArray[np.int64]
    report: Report
    match_words: NDArray[np.int64]
    hand_words: NDArray[np.int64]
    chips_words: NDArray[np.int64]


def new_play(sheets: Sheets) -> Play:
    """Room for one match, whose findings go into the sheets: kernels allocate nothing."""
    match, hand, chips = new_record(MATCH), new_record(HAND), new_record(CHIPS)
    return Play(
        match,
        hand,
        chips,
        np.zeros((2, 16), np.int8),
        np.zeros((2, 16), np.int8),
        np.zeros(13, np.int8),
        np.zeros(64, np.int8),
        np.zeros(64, np.int8),
        np.zeros(64, np.int64),
        np.zeros(2, np.int64),
        np.zeros(2, np.int8),
        new_record(PAY),
        np.zeros(MOST_PROFILES, np.int64),
        np.zeros(2 * MOST_PASSED, np.int64),
        np.zeros(MOST_BOARD_CARDS, np.int64),
        Report(sheets.findings, sheets.used, hand, match),
        words_of(match),
        b.words_to_clear(hand),
        words_of(chips),
    )


@bundle
class Engines(NamedTuple):
    """The game's engine profiles: deviations in force (bit masks), what their logs print (`optional.BITS`), stacks.

    streets: (256,) int64, the street that a line of each event code begins, 0 for none.
    orders: (2, MOST_CLASSES, FIELDS) int64, the order of hands by the rules, and an engine's own (`orders.HandOrder`).
    steps: (MOST_STEPS,) `steps.STEP`; handlers: (256, 2) int64, by event code a function (`jit.hooks.Hook`), else -1.
    """

    masks: NDArray[np.int64]
    prints: NDArray[np.int64]
    stacks: NDArray[np.int64]
    streets: NDArray[np.int64]
    orders: NDArray[np.int64]
    steps: NDArray[np.void]
    handlers: NDArray[np.int64]


@rare
def find(report: Report, line: int, seat: int, rule: int, expected: float, logged: float) -> int:
    """Write a finding about the hand being read; returns its row.

    expected and logged are floats at every call: each other type would be compiled again.
    """
    hand, match = report.hand["row"], report.match
    row = findings.find(report.findings, report.used, hand, line, seat, rule, expected, logged)
    if findings.STRUCTURE[rule]:
        match["damage"] = hand + 1
    elif match["seam"] & _OF_SEAM[rule]:
        report.findings[row]["verdict"] = records.DAMAGED
    return row


@part
def carries(chips: np.void, seat: int, bank: float) -> bool:
    """True for a bankroll that the hand before leaves: as it was to be paid, or as its awards say.

    They differ where the awards do not add up: one may be misprinted, or an engine paid what it should not.
    Bankrolls that a float64 does not hold are rounded.
    """
    due, paid = chips["carry"][seat], chips["bank"][seat] + chips["award"][seat]
    carried: bool = bank in (due, paid)
    largest = max(abs(bank), abs(chips["bank"][seat]))
    if not carried and largest >= LARGEST_STACK:
        carried = min(abs(bank - due), abs(bank - paid)) <= _ROUNDING * largest
    return carried


@part
def is_after_damage(match: np.void, hand: np.void) -> bool:
    """True if bankrolls may not be carried on as they should: from a damaged hand, or past a merge marker."""
    after: bool = match["marker_line"] > 0 or (match["damage"] > 0 and match["damage"] == hand["row"])
    return after


@rare
def other_log(match: np.void) -> None:
    """Note that lines from here on may be another log's, to which sums and facts of earlier hands do not apply."""
    match["whole"] = 0
    match["seam"] = SEAM_PLAYERS | SEAM_RANKS | SEAM_PERMUTATION


@rare
def carried_on(report: Report, jumps: int, first: int, refuted: int, goes_on: bool) -> None:
    """Note how a hand's bankrolls follow from the hand before: how many jump, and the first finding about it.

    refuted: those that are what the rules make them, and not the awards. goes_on: they are in order and add up.

    If both jump to values that follow neither from the awards nor from the rules, and the next hand continues from
    them, lines of another log were spliced in: no single edit does that.
    """
    match = report.match
    if match["jump"] and goes_on and jumps == 0:
        for k in range(2):
            jump = report.findings[match["jump"] - 1 + k]
            jump["rule"], jump["verdict"] = findings.SPLICED, records.DAMAGED
        other_log(match)
    match["refuted"] += refuted == 2
    match["jump"] = first + 1 if goes_on and jumps == 2 and refuted < 2 else 0


@part
def is_above_stack(match: np.void) -> bool:
    """True if blinds that rise are above the stack: players may be below nothing, and a bet may be negative."""
    above: bool = match["level_hands"] > 0 and match["big_blind"] > match["stack"]
    return above


@part
def runs_unseen(match: np.void, hand: np.void) -> bool:
    """True if the rest of the board is dealt without a line: the betting is over, and a player is all-in."""
    over: bool = match["hides_runouts"] > 0 and hand["closed"] > 0 and hand["folded"] < 0
    return over and (hand["spent"][0] >= hand["stack"][0] or hand["spent"][1] >= hand["stack"][1])


@part
def betting_street(match: np.void, street: int) -> int:
    """The street as the betting counts: those on which a player only discards are part of the flop."""
    if match["discards"]:
        return max(min(street, 1), street - 2)
    return street


@rare
def misnamed(report: Report, line: int, named: int, seat: int, rule: int) -> None:
    """Report a line that names another player than the one due; equal names cannot be distinguished."""
    if not report.match["same_names"]:
        find(report, line, named, rule, float(seat), float(named))


@part
def credited(report: Report, line: int, named: int, due: int, again: bool, rule: int) -> int:
    """The seat of a line: the player it names; with equal names the player who is due.

    A finding is written if the line does not name the player who is due. again: an earlier line of this kind named the
    player; the result is then -1.
    """
    if report.match["same_names"]:
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
    return due if report.match["same_names"] or first == second else first


@part
def seat_in_order(hand: np.void, place: int) -> int:
    """The seat that a line names first (0) or second (1): the dealer, then the opponent."""
    seat: int = hand["dealer"] if place == 0 else 1 - hand["dealer"]
    return seat
