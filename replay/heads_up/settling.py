"""The end of a hand: what the rules pay, whether the log pays it, and the rows of the hand."""

import numpy as np
from numpy.typing import NDArray

from ...parsers.kernels import part, step
from .. import bounty, findings, holdem_mit, records
from ..evaluator import strength_of
from ..records import Sheets
from . import bets_ev, tendencies
from . import betting as b
from . import state as s
from .state import Engines, Play, find, seat_in_order


@part
def dealer_award(
    game: int, deviations: int, wins: int, chips: float, hit: bool, other_hit: bool, turn: int
) -> float:
    """What a game of the family pays its dealer: one line a game."""
    if game == bounty.CODE:
        return bounty.payout(deviations, wins, chips, hit, other_hit, turn)
    return holdem_mit.payout(wins, chips)


@part
def _holds_rank(cards: NDArray[np.int8], first: int, count: int, rank: int) -> bool:
    for k in range(first, first + count):  # noqa: SIM110 - a generator would not compile
        if cards[k] // 4 == rank:
            return True
    return False


@step
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


@step
def _check_hits(play: Play) -> None:
    """Compare the printed hit lines with the hits; with equal names only how many there are can be told."""
    hand, hits, line = play.hand, play.hits, play.marks[s.AFTER_LINE]
    due, sets = 0, 0
    for place in range(2):
        seat = seat_in_order(hand, place)
        if hits[seat]:
            due = 4 * due + seat + 1
    printed = hand[b.HITS]
    if play.match[s.SAME_NAMES]:
        while printed > 0 and due > 0:
            printed, due = printed // 4, due // 4
        if printed > 0:
            find(play.report, line, -1, findings.HIT, 0.0, 1.0)
        elif due > 0:
            find(play.report, line, -1, findings.HIT_MISSING, 1.0, 0.0)
    elif printed != due:
        digits = printed
        while digits > 0:
            sets |= 1 << (digits % 4 - 1)
            digits //= 4
        alike = True
        for seat in range(2):
            bit = (sets >> seat) & 1
            if bit and not hits[seat]:
                find(play.report, line, seat, findings.HIT, 0.0, 1.0)
            elif hits[seat] and not bit:
                find(play.report, line, seat, findings.HIT_MISSING, 1.0, 0.0)
            alike = alike and bit == hits[seat]
        if alike:
            find(play.report, line, -1, findings.HIT_ORDER, 0.0, 0.0)


@step
def _hits(play: Play) -> bool:
    """Whose bounty rank is in play; checks the hit lines if there are any. False where a rank is unknown."""
    hand, match, hits = play.hand, play.match, play.hits
    known: bool = match[s.RANK_0] >= 0 and match[s.RANK_1] >= 0
    for seat in range(2):
        rank = match[s.RANK_0 + seat]
        own = _holds_rank(play.holes[seat], 1, play.holes[seat, 0], rank)
        hits[seat] = rank >= 0 and (own or _holds_rank(play.board, 0, hand[b.BOARD_SIZE], rank))
    match[s.HITS_DUE] += hits[0] or hits[1]
    if match[s.PRINTS_HITS] and known and hand[b.BROKEN] == 0:
        _check_hits(play)
    return known


@step
def _check_award(
    sheets: Sheets,
    play: Play,
    engines: Engines,
    written: float,
    wins: int,
    chips: float,
    hit: bool,
    other_hit: bool,
) -> None:
    """Compare the awards with the written rules; note which engine pays as the log says."""
    hand, line = play.hand, play.marks[s.AWARD_LINE]
    dealer = hand[b.DEALER]
    logged, opposite = play.chips[b.AWARD, dealer], play.chips[b.AWARD, 1 - dealer]
    if logged + opposite != 0:
        wrong = dealer if logged != written else 1 - dealer
        due = written if wrong == dealer else -written
        paid = play.chips[b.AWARD, wrong]
        found = find(play.report, line, wrong, findings.AWARD, due, paid)
        sheets.findings[found]["chips"] = paid - due
        find(play.report, line, -1, findings.ZERO_SUM, 0.0, logged + opposite)
        return
    if logged == written:
        return
    seat = dealer if logged > written else 1 - dealer
    sign = 1 if seat == dealer else -1
    found = find(play.report, line, seat, findings.AWARD, sign * written, sign * logged)
    sheets.findings[found]["chips"] = sign * (logged - written)
    game, turn = play.match[s.GAME], hand[b.TURN]
    explained = 0
    for profile in range(len(engines.masks)):
        mask = engines.masks[profile]
        byte = s.UNEXPLAINED
        if dealer_award(game, mask, wins, chips, hit, other_hit, turn) == logged:
            byte = mask
            for shift in range(7):
                one = 1 << shift
                if mask & one and dealer_award(game, one, wins, chips, hit, other_hit, turn) == logged:
                    byte = one
                    break
        explained |= byte << (8 * profile)
    sheets.findings[found]["explained"] = explained


@step
def settle(sheets: Sheets, play: Play, engines: Engines, awards: NDArray[np.float64]) -> None:
    """Pay the hand by the rules, compare with the awards, and complete its rows.

    awards: (hands, 8) out, the dealer's award by profile; NaN where it cannot be told.
    """
    match, hand, chips, hits = play.match, play.hand, play.chips, play.hits
    row, dealer, game, folded = hand[b.ROW], hand[b.DEALER], match[s.GAME], hand[b.FOLDED]
    hand[b.SETTLED] = 1
    record = sheets.hands[row]
    record["streets"] = hand[b.STREET] + 1
    record["ended_by"] = records.BY_FOLD if folded >= 0 else records.BY_SHOWDOWN
    record["pot"] = chips[b.PUT, 0] + chips[b.PUT, 1]
    shown_down = folded < 0 and hand[b.CLOSED] == 1 and hand[b.BOARD_SIZE] >= s.BOARD_DUE
    decided = folded >= 0 or shown_down
    decided = decided and play.holes[0, 0] > 0 and play.holes[1, 0] > 0 and hand[b.BROKEN] == 0
    winner = -1
    if decided:
        winner = 1 - folded if folded >= 0 else _showdown_winner(play)
        if shown_down and hand[b.SHOWN] != 3:
            shown = float(hand[b.SHOWN])
            found = find(play.report, play.marks[s.AWARD_LINE], -1, findings.SHOW_MISSING, 2.0, shown)
            if not match[s.PRINTS_SHOWS]:
                sheets.findings[found]["explained"] = match[s.EXPLAINS_NO_SHOWS]
    b.fill(hits, 0)
    known = True
    if game == bounty.CODE:
        known = _hits(play)
    wins = 0 if winner < 0 else 1 if winner == dealer else -1
    loser_chips = chips[b.PUT, 0] if winner < 0 else chips[b.PUT, 1 - winner]
    hit, other_hit = hits[dealer] > 0, hits[1 - dealer] > 0
    written = np.nan
    if decided and known:
        written = dealer_award(game, 0, wins, loser_chips, hit, other_hit, hand[b.TURN])
        _check_award(sheets, play, engines, written, wins, loser_chips, hit, other_hit)
    elif decided:
        found = find(play.report, hand[b.LINE], -1, findings.UNKNOWN_BOUNTY, 0.0, 0.0)
        sheets.findings[found]["verdict"] = records.UNVERIFIED
    for profile in range(len(engines.masks)):
        awards[row, profile] = np.nan
        if decided and known:
            mask = engines.masks[profile]
            awards[row, profile] = dealer_award(game, mask, wins, loser_chips, hit, other_hit, hand[b.TURN])
    flags = play.flags
    b.fill(flags, 0)
    acts = sheets.used[records.ACTS]
    tendencies.hand_flags(sheets.actions, acts - hand[b.SEQ], acts, dealer, hand[b.STREET] + 1, flags)
    checked = decided and known and chips[b.AWARD, 0] + chips[b.AWARD, 1] != 0
    for seat in range(2):
        paid = written if seat == dealer else -written
        flags[seat] |= tendencies.result_flags(shown_down, decided, winner, seat)
        _write_seat(sheets, play, seat, paid)
        chips[b.CARRY, seat] = chips[b.BANK, seat] + (paid if checked else chips[b.AWARD, seat])
    bets_ev.add_hand(chips)
    _write_cards(sheets, play)


@step
def _write_seat(sheets: Sheets, play: Play, seat: int, paid: float) -> None:
    """Complete a player's row; paid is what the written rules pay him."""
    hand, match, chips = play.hand, play.match, play.chips
    out = sheets.seats[2 * hand[b.ROW] + seat]
    at, count = sheets.used[records.HOLES], play.holes[seat, 0]
    for k in range(count):
        sheets.holes[at + k] = play.holes[seat, 1 + k]
    sheets.used[records.HOLES] = at + count
    out["hole_count"] = count
    out["rank"] = match[s.RANK_0 + seat] if match[s.GAME] == bounty.CODE else -1
    out["hit"] = play.hits[seat]
    out["put"] = chips[b.PUT, seat]
    out["delta"] = chips[b.AWARD, seat]
    out["written"] = paid
    out["engine"] = np.nan
    out["bank"] = chips[b.BANK, seat]
    out["shown"] = (hand[b.SHOWN] >> seat) & 1
    out["flags"] = play.flags[seat]


@step
def _write_cards(sheets: Sheets, play: Play) -> None:
    """The board, and the lines of the card events counted from the hand's own."""
    hand = play.hand
    record = sheets.hands[hand[b.ROW]]
    at, count = sheets.used[records.BOARD], hand[b.BOARD_SIZE]
    for k in range(count):
        sheets.board[at + k] = play.board[k]
    sheets.used[records.BOARD] = at + count
    record["board_count"] = count
    at, count = sheets.used[records.LINES], play.lines[0]
    for k in range(count):
        sheets.card_lines[at + k] = play.lines[1 + k] - hand[b.LINE]
    sheets.used[records.LINES] = at + count
    record["line_count"] = count
