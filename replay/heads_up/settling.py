"""The end of a hand and of a match: what the rules pay, which engine explains the match, and each hand's verdict."""

from typing import Final, NamedTuple

import numpy as np

from numpy.typing import NDArray

from ...parsers import events
from ...parsers.kernels import kernel

from .. import bounty, findings, holdem_mit, records
from ..evaluator import strength_of
from ..records import Sheets
from . import betting as b
from . import tendencies

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
) = range(26)
MATCH_SIZE: Final = 28

UNEXPLAINED: Final = 255
PROFILE_HITS, PROFILE_EV = 1, 2
NO_EXPLANATION: Final = -1
BOARD_DUE: Final = 5


class Play(NamedTuple):
    """A match in progress.

    match (28,) int64 and hand (24,) int64, indexed by the names above and of `betting`; chips (12, 2) float64;
    holes (2, 16) int8: count, then cards; board (64,) int8; lines (64,) int64: lines of the hand's card events,
    count first; marks (2,) int64: lines of the awards and of the hit lines; cards, hits, flags (by seat), missed (hands
    that each profile leaves unexplained) and kept (rows in use before the hand) are scratch.
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


def new_play() -> Play:
    """Room for one match: kernels allocate nothing."""
    return Play(
        np.zeros(MATCH_SIZE, np.int64),
        np.zeros(b.HAND_SIZE, np.int64),
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
    )


AWARD_LINE, AFTER_LINE = 0, 1


class Engines(NamedTuple):
    """The game's engine profiles: deviations in force (bit masks), what their logs print (PROFILE_*)."""

    masks: NDArray[np.int64]
    prints: NDArray[np.int64]


@kernel
def find(sheets: Sheets, hand: int, line: int, seat: int, rule: int, expected: float, logged: float) -> int:
    """Write a finding about a hand's row; returns its own row."""
    row = sheets.used[records.FINDINGS]
    finding = sheets.findings[row]
    finding["hand"] = hand
    finding["line"] = line
    finding["seat"] = seat
    finding["rule"] = rule
    finding["verdict"] = records.DAMAGED if findings.STRUCTURE[rule] else records.VIOLATION
    finding["deviation"] = 0
    finding["explained"] = NO_EXPLANATION
    finding["expected"] = expected
    finding["logged"] = logged
    finding["chips"] = 0
    sheets.used[records.FINDINGS] = row + 1
    return row


@kernel
def dealer_award(game: int, deviations: int, wins: int, chips: float, hit: bool, other_hit: bool, turn: int) -> float:
    """What a game of the family pays its dealer: one line a game."""
    if game == bounty.CODE:
        return bounty.payout(deviations, wins, chips, hit, other_hit, turn)
    return holdem_mit.payout(wins, chips)


@kernel
def _holds_rank(cards: NDArray, first: int, count: int, rank: int) -> bool:
    for k in range(first, first + count):  # noqa: SIM110 - a generator would not compile
        if cards[k] // 4 == rank:
            return True
    return False


@kernel
def _showdown_winner(play: Play) -> int:
    """The seat with the better five cards of hole cards and board, -1 for a split pot."""
    cards = play.cards
    size = play.hand[b.BOARD_SIZE]
    for k in range(size):
        cards[k] = play.board[k]
    best_0 = best_1 = 0
    for seat in range(2):
        count = play.holes[seat, 0]
        for k in range(count):
            cards[size + k] = play.holes[seat, 1 + k]
        strength = strength_of(cards, size + count)
        if seat == 0:
            best_0 = strength
        else:
            best_1 = strength
    return 0 if best_0 > best_1 else 1 if best_1 > best_0 else -1


@kernel
def _hits(sheets: Sheets, play: Play, hits: NDArray) -> bool:
    """Whose bounty rank is in play; checks the hit lines where the log has them. False where a rank is unknown."""
    hand, match = play.hand, play.match
    known = match[RANK_0] >= 0 and match[RANK_1] >= 0
    printed = 0
    for seat in range(2):
        rank = match[RANK_0 + seat]
        own = _holds_rank(play.holes[seat], 1, play.holes[seat, 0], rank)
        hits[seat] = rank >= 0 and (own or _holds_rank(play.board, 0, hand[b.BOARD_SIZE], rank))
        printed |= hits[seat] << seat
    match[HITS_DUE] += printed > 0
    if match[PRINTS_HITS] and known and hand[b.BROKEN] == 0:
        if match[SAME_NAMES]:
            if (hand[b.HITS] > 0) != (printed > 0):
                rule = findings.HIT if hand[b.HITS] else findings.HIT_MISSING
                find(sheets, hand[b.ROW], play.marks[AFTER_LINE], -1, rule, printed, hand[b.HITS])
        else:
            for seat in range(2):
                bit = 1 << seat
                if hand[b.HITS] & bit and not printed & bit:
                    find(sheets, hand[b.ROW], play.marks[AFTER_LINE], seat, findings.HIT, 0, 1)
                if printed & bit and not hand[b.HITS] & bit:
                    find(sheets, hand[b.ROW], play.marks[AFTER_LINE], seat, findings.HIT_MISSING, 1, 0)
    return known


@kernel
def _check_award(
    sheets: Sheets, play: Play, engines: Engines, written: float, wins: int, chips: float, hit: bool, other_hit: bool
) -> None:
    """Compare the awards with the written rules; note which engine pays as the log says."""
    hand, row = play.hand, play.hand[b.ROW]
    dealer = hand[b.DEALER]
    logged, opposite = play.chips[b.AWARD, dealer], play.chips[b.AWARD, 1 - dealer]
    if logged + opposite != 0:
        wrong = dealer if logged != written else 1 - dealer
        due = written if wrong == dealer else -written
        found = find(sheets, row, play.marks[AWARD_LINE], wrong, findings.AWARD, due, play.chips[b.AWARD, wrong])
        sheets.findings[found]["chips"] = play.chips[b.AWARD, wrong] - due
        find(sheets, row, play.marks[AWARD_LINE], -1, findings.ZERO_SUM, 0, logged + opposite)
        return
    if logged == written:
        return
    seat = dealer if logged > written else 1 - dealer
    sign = 1 if seat == dealer else -1
    found = find(sheets, row, play.marks[AWARD_LINE], seat, findings.AWARD, sign * written, sign * logged)
    sheets.findings[found]["chips"] = sign * (logged - written)
    explained = 0
    for profile in range(len(engines.masks)):
        mask = engines.masks[profile]
        byte = UNEXPLAINED
        game, turn = play.match[GAME], hand[b.TURN]
        if dealer_award(game, mask, wins, chips, hit, other_hit, turn) == logged:
            byte = mask
            for shift in range(7):
                one = 1 << shift
                if mask & one and dealer_award(game, one, wins, chips, hit, other_hit, turn) == logged:
                    byte = one
                    break
        explained |= byte << (8 * profile)
    sheets.findings[found]["explained"] = explained


@kernel
def settle(sheets: Sheets, play: Play, engines: Engines, awards: NDArray) -> None:
    """Pay the hand by the rules, compare with the awards, and complete its rows.

    awards: (hands, 8) out, the dealer's award by profile; NaN where it cannot be told.
    """
    match, hand, chips = play.match, play.hand, play.chips
    row, dealer, game, folded = hand[b.ROW], hand[b.DEALER], match[GAME], hand[b.FOLDED]
    hand[b.SETTLED] = 1
    record = sheets.hands[row]
    record["streets"] = hand[b.STREET] + 1
    record["ended_by"] = records.BY_FOLD if folded >= 0 else records.BY_SHOWDOWN
    record["pot"] = chips[b.PUT, 0] + chips[b.PUT, 1]
    shown_down = folded < 0 and hand[b.CLOSED] == 1 and hand[b.BOARD_SIZE] >= BOARD_DUE
    decided = (folded >= 0 or shown_down) and play.holes[0, 0] > 0 and play.holes[1, 0] > 0 and hand[b.BROKEN] == 0
    winner = -1
    if decided:
        winner = 1 - folded if folded >= 0 else _showdown_winner(play)
        if shown_down and hand[b.SHOWN] != 3 and not (match[SAME_NAMES] and hand[b.SHOWN]):
            found = find(sheets, row, play.marks[AWARD_LINE], -1, findings.SHOW_MISSING, 2, hand[b.SHOWN])
            if not match[PRINTS_SHOWS]:
                sheets.findings[found]["explained"] = match[EXPLAINS_NO_SHOWS]
    hits = play.hits
    b.fill(hits, 0)
    known = _hits(sheets, play, hits) if game == bounty.CODE else True
    wins = 0 if winner < 0 else 1 if winner == dealer else -1
    loser_chips = chips[b.PUT, 0] if winner < 0 else chips[b.PUT, 1 - winner]
    hit, other_hit = hits[dealer] > 0, hits[1 - dealer] > 0
    written = np.nan
    if decided and known:
        written = dealer_award(game, 0, wins, loser_chips, hit, other_hit, hand[b.TURN])
        _check_award(sheets, play, engines, written, wins, loser_chips, hit, other_hit)
    elif decided:
        found = find(sheets, row, hand[b.LINE], -1, findings.UNKNOWN_BOUNTY, 0, 0)
        sheets.findings[found]["verdict"] = records.UNVERIFIED
    for profile in range(len(engines.masks)):
        awards[row, profile] = np.nan
        if decided and known:
            mask = engines.masks[profile]
            awards[row, profile] = dealer_award(game, mask, wins, loser_chips, hit, other_hit, hand[b.TURN])
    flags = play.flags
    b.fill(flags, 0)
    first_action = sheets.used[records.ACTS] - hand[b.SEQ]
    tendencies.hand_flags(sheets.actions, first_action, sheets.used[records.ACTS], dealer, hand[b.STREET] + 1, flags)
    zero_sum = chips[b.AWARD, 0] + chips[b.AWARD, 1] == 0
    for seat in range(2):
        sign = 1.0 if seat == dealer else -1.0
        out = sheets.seats[2 * row + seat]
        out["hole_count"] = play.holes[seat, 0]
        for k in range(play.holes[seat, 0]):
            sheets.holes[sheets.used[records.HOLES] + k] = play.holes[seat, 1 + k]
        sheets.used[records.HOLES] += play.holes[seat, 0]
        out["rank"] = match[RANK_0 + seat] if game == bounty.CODE else -1
        out["hit"] = hits[seat]
        out["put"] = chips[b.PUT, seat]
        out["delta"] = chips[b.AWARD, seat]
        out["written"] = sign * written
        out["engine"] = np.nan
        out["bank"] = chips[b.BANK, seat]
        out["shown"] = (hand[b.SHOWN] >> seat) & 1
        out["flags"] = flags[seat] | tendencies.result_flags(shown_down, decided, winner, seat)
        due = chips[b.AWARD, seat] if zero_sum or not decided or not known else sign * written
        chips[b.CARRY, seat] = chips[b.BANK, seat] + due
    _sum_ev(chips)
    for k in range(hand[b.BOARD_SIZE]):
        sheets.board[sheets.used[records.BOARD] + k] = play.board[k]
    record["board_count"] = hand[b.BOARD_SIZE]
    sheets.used[records.BOARD] += hand[b.BOARD_SIZE]
    for k in range(play.lines[0]):
        sheets.card_lines[sheets.used[records.LINES] + k] = play.lines[1 + k] - hand[b.LINE]
    record["line_count"] = play.lines[0]
    sheets.used[records.LINES] += play.lines[0]


@kernel
def _fits(match: NDArray, prints: int) -> bool:
    """True where the lines a log has are those that a profile's engine prints."""
    if match[PRINTS_HITS] and not prints & PROFILE_HITS:
        return False
    if not match[PRINTS_HITS] and match[HITS_DUE] > 0 and prints & PROFILE_HITS:
        return False
    if match[PRINTS_EV] and not prints & PROFILE_EV:
        return False
    return not (match[FINISHED] and not match[PRINTS_EV] and prints & PROFILE_EV)


@kernel
def close_match(sheets: Sheets, match: NDArray, missed: NDArray, engines: Engines, awards: NDArray) -> None:
    """Choose the engine profile that leaves fewest hands unexplained and give every finding and hand its verdict.

    Profiles whose logs have other lines than this one are left out where any fits; ties go to the latest.
    """
    first, last = match[FIRST_HAND], sheets.used[records.HANDS]
    first_finding, last_finding = match[FIRST_FINDING], sheets.used[records.FINDINGS]
    count = len(engines.masks)
    b.fill(missed, 0)
    for row in range(first, last):
        dealer = sheets.hands[row]["dealer"]
        for profile in range(count):
            award = awards[row, profile]
            missed[profile] += not np.isnan(award) and award != sheets.seats[2 * row + dealer]["delta"]
    for row in range(first_finding, last_finding):
        finding = sheets.findings[row]
        if finding["explained"] != NO_EXPLANATION and finding["rule"] != findings.AWARD:
            for profile in range(count):
                missed[profile] += (finding["explained"] >> (8 * profile)) & 255 == UNEXPLAINED
    any_fits = False
    for profile in range(count):
        any_fits = any_fits or _fits(match, engines.prints[profile])
    chosen, ties = -1, 0
    for profile in range(count):
        if any_fits and not _fits(match, engines.prints[profile]):
            continue
        if chosen < 0 or missed[profile] < missed[chosen]:
            ties = 0
        if chosen < 0 or missed[profile] <= missed[chosen]:
            chosen = profile
            ties |= 1 << profile
    record = sheets.matches[match[NUMBER]]
    record["profile"], record["ties"] = chosen, ties
    for row in range(first, last):
        sheets.hands[row]["verdict"] = records.OK
        sheets.hands[row]["deviations"] = 0
        dealer = sheets.hands[row]["dealer"]
        sheets.seats[2 * row + dealer]["engine"] = awards[row, chosen]
        sheets.seats[2 * row + 1 - dealer]["engine"] = -awards[row, chosen]
    for row in range(first_finding, last_finding):
        finding = sheets.findings[row]
        byte = (finding["explained"] >> (8 * chosen)) & 255
        if finding["explained"] != NO_EXPLANATION and byte != UNEXPLAINED:
            finding["verdict"], finding["deviation"] = records.DEVIATION, byte
        hand = sheets.hands[finding["hand"]]
        hand["deviations"] |= finding["deviation"]
        hand["verdict"] = max(hand["verdict"], finding["verdict"])
    for row in range(first_finding, last_finding):
        finding = sheets.findings[row]
        if finding["verdict"] == records.VIOLATION and sheets.hands[finding["hand"]]["verdict"] == records.DAMAGED:
            finding["verdict"] = records.DAMAGED


@kernel
def query_ev(play: Play) -> None:
    """What the engine notes for both players before every action: the chips of each street so far.

    On the flop the preflop chips, on the turn those of the flop, on any other street the rest. Bounty's engine never
    clears them, so values of earlier hands go on where a hand ends before the street.
    """
    street, chips = play.hand[b.STREET], play.chips
    for seat in range(2):
        put = chips[b.PUT, seat]
        if street == 1:
            chips[b.EV_PRE, seat] = put
        elif street == 2:
            chips[b.EV_FLOP, seat] = put - chips[b.EV_PRE, seat]
        else:
            chips[b.EV_TURN, seat] = put - chips[b.EV_FLOP, seat] - chips[b.EV_PRE, seat]


@kernel
def _sum_ev(chips: NDArray[np.float64]) -> None:
    """After a hand: the chips of each street count with the sign of the award."""
    for seat in range(2):
        sign = np.sign(chips[b.CARRY, seat] - chips[b.BANK, seat])
        chips[b.SUM_PRE, seat] += sign * chips[b.EV_PRE, seat]
        chips[b.SUM_FLOP, seat] += sign * chips[b.EV_FLOP, seat]
        chips[b.SUM_TURN, seat] += sign * chips[b.EV_TURN, seat]


@kernel
def bets_ev(sheets: Sheets, play: Play, line: int, code: int, seat: int, logged: int, cut: bool) -> None:
    """Compare a line of the final bets EV with the engine's own sum; with equal names the engine keeps none.

    cut: the text ends within the line, so that digits may be missing.
    """
    due = play.chips[b.SUM_PRE + code - events.EV_PREFLOP, seat]
    if play.match[SAME_NAMES]:
        due = 0.0
    if logged != due and not cut:
        find(sheets, play.hand[b.ROW], line, seat, findings.BETS_EV, due, logged)
