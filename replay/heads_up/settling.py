"""The end of a hand: the payout by the rules, its comparison with the log, and the rows of the hand."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare, step
from .. import findings, payouts, records
from ..evaluator import STRAIGHT, category, eval7_strength_of_suits, strength_of_suits, suit_bit
from ..games import (
    ALL_INS_BY_EQUITY,
    BOUNTIES,
    BY_FUNCTION,
    MOST_DEVIATIONS,
    POT_BY_LIBRARY,
    POT_BY_ORDER,
    POT_TIES_TO_DEALER,
    UNEVEN,
    UNEXPLAINED,
)
from ..hand_order import is_own, strength_in
from ..records import Sheets, keep, write_card_lines
from . import bets_ev, redraws, runouts, steps
from . import state as s
from .state import Engines, Play, betting_street, find, is_above_stack, seat_in_order
from .streets import board_due
from .table_rows import take_written


@part
def dealer_award(payout: int, deviations: int, facts: np.void) -> float:
    """The dealer's award by a kind of payout (`games`); deviations: 0 for the written rules."""
    if facts["lapse"] > 0 and not deviations & int(facts["lapse"]):
        return float(facts["lapse_pays"])
    if payout == BOUNTIES:
        hits, other_hits = facts["hit"] > 0, facts["other_hit"] > 0
        return payouts.with_bounties(
            deviations, int(facts["wins"]), facts["loser_put"], hits, other_hits, int(facts["actions"])
        )
    if payout == UNEVEN:
        return payouts.uneven(int(facts["wins"]), facts["loser_put"], facts["other_put"])
    if payout == BY_FUNCTION:
        return steps.by_function(facts, deviations)
    if payout == POT_TIES_TO_DEALER:
        return payouts.pot_or_tie(deviations, int(facts["wins"]), facts["loser_put"])
    if payout == ALL_INS_BY_EQUITY and not np.isnan(facts["share"]):
        share = facts["library_share"] if deviations & payouts.BY_LIBRARY else facts["share"]
        return payouts.expected(share, facts["dealer_put"] + facts["other_put"], facts["dealer_put"])
    if payout in (POT_BY_LIBRARY, POT_BY_ORDER, ALL_INS_BY_EQUITY) and deviations & payouts.BY_LIBRARY:
        return payouts.pot(int(facts["library_wins"]), facts["library_loser_put"])
    return payouts.pot(int(facts["wins"]), facts["loser_put"])


_TWO_FLUSHES = 10
_HALF = 0.5


@part
def _holds_rank(cards: NDArray[np.int8], first: int, count: int, rank: int) -> bool:
    for k in range(first, first + count):  # noqa: SIM110 - a generator would not compile
        if cards[k] // 4 == rank:
            return True
    return False


@part
def _better(first: int, second: int) -> int:
    return 0 if first > second else 1 if second > first else -1


@part
def _counted(ranks: NDArray[np.int8], card: int, permutes: bool) -> int:
    """The bit of the card that a card counts as, 0 if that is not known."""
    if permutes:
        card = 4 * int(ranks[card // 4]) + card % 4
    return suit_bit(card) if card >= 0 else 0


@step
def _compare(play: Play, engines: Engines) -> tuple[int, int, int]:
    """The seat with the better hand of hole cards and board, -1 for a split pot.

    By the rules, then by the engine's evaluator; last the seats that hold a straight, a bit each.
    """
    ranks, match, size = play.ranks, play.match, play.hand["board_size"]
    permutes, own_order = match["permutes"] > 0, is_own(engines.orders[0])
    board = 0
    for k in range(size):
        card = int(play.replaced[k] if play.hand["replaced"] >> k & 1 else play.board[k])
        board |= _counted(ranks, card, permutes)
    best_0 = best_1 = library_0 = library_1 = straights = 0
    for seat in range(2):
        suits, count = board, play.holes[seat, 0]
        for k in range(count):
            suits |= _counted(ranks, int(play.holes[seat, 1 + k]), permutes)
        strength = strength_in(engines.orders[0], suits) if own_order else int(strength_of_suits(suits))
        by_library = strength
        if match["runs"] and size + count >= _TWO_FLUSHES:
            by_library = eval7_strength_of_suits(suits)
        elif is_own(engines.orders[1]):
            by_library = strength_in(engines.orders[1], suits)
        if not own_order and category(strength) == STRAIGHT:
            straights |= 1 << seat
        if seat == 0:
            best_0, library_0 = strength, by_library
        else:
            best_1, library_1 = strength, by_library
    return _better(best_0, best_1), _better(library_0, library_1), straights


@rare
def _describe_hands(play: Play, engines: Engines) -> None:
    """Fill the fields about a showdown that a user's function may read."""
    facts, ranks, permutes = play.facts, play.ranks, play.match["permutes"] > 0
    facts["showdown"] = 1
    own_order = is_own(engines.orders[0])
    board = 0
    for k in range(play.hand["board_size"]):
        card = int(play.replaced[k] if play.hand["replaced"] >> k & 1 else play.board[k])
        board |= _counted(ranks, card, permutes)
    for seat in range(2):
        suits = board
        for k in range(play.holes[seat, 0]):
            suits |= _counted(ranks, int(play.holes[seat, 1 + k]), permutes)
        strength = strength_in(engines.orders[0], suits) if own_order else int(strength_of_suits(suits))
        kind = -1 if own_order else category(strength)
        if seat == play.hand["dealer"]:
            facts["dealer_strength"], facts["dealer_kind"] = strength, kind
        else:
            facts["other_strength"], facts["other_kind"] = strength, kind


@rare
def _check_hits(play: Play) -> None:
    """Compare the printed hit lines with the hits; with equal names, only their number."""
    hand, hits, line = play.hand, play.hits, play.marks[s.AFTER_LINE]
    due, sets = 0, 0
    for place in range(2):
        seat = seat_in_order(hand, place)
        if hits[seat]:
            due = 4 * due + seat + 1
    printed = hand["hits"]
    if play.match["same_names"]:
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
    """Set whether each player's bounty rank is in play, and check the hit lines; False if a rank is unknown."""
    hand, match, hits = play.hand, play.match, play.hits
    known: bool = match["rank"][0] >= 0 and match["rank"][1] >= 0
    for seat in range(2):
        rank = match["rank"][seat]
        own = _holds_rank(play.holes[seat], 1, play.holes[seat, 0], rank)
        hits[seat] = rank >= 0 and (own or _holds_rank(play.board, 0, hand["board_size"], rank))
    match["due"][s.HIT_LINES] += hits[0] or hits[1]
    if match["prints"][s.HIT_LINES] and known and hand["broken"] == 0:
        _check_hits(play)
    return known


@part
def _other_ranks_pay(facts: np.void, payout: int, logged: float) -> bool:
    """True if the award is what the rules pay under some bounty ranks."""
    hit, other_hit = facts["hit"], facts["other_hit"]
    pay = False
    for hits in range(4):
        facts["hit"], facts["other_hit"] = float(hits & 1), float(hits >> 1)
        pay = pay or dealer_award(payout, 0, facts) == logged
    facts["hit"], facts["other_hit"] = hit, other_hit
    return pay


@rare
def _check_award(sheets: Sheets, play: Play, engines: Engines, written: float) -> None:
    """Compare the awards with the written rules; note which engine pays as the log says."""
    hand, line, payout = play.hand, play.marks[s.AWARD_LINE], play.match["payout"]
    dealer = hand["dealer"]
    logged, opposite = play.chips["award"][dealer], play.chips["award"][1 - dealer]
    if np.isnan(logged + opposite):
        # Both lines name one player: reported by another finding.
        named = 1 - dealer if np.isnan(logged) else dealer
        due, paid = written if named == dealer else -written, play.chips["award"][named]
        if paid != due:
            found = find(play.report, line, named, findings.AWARD, due, paid)
            sheets.findings[found]["chips"] = paid - due
        return
    if logged + opposite != 0:
        wrong = dealer if logged != written else 1 - dealer
        due = written if wrong == dealer else -written
        paid = play.chips["award"][wrong]
        found = find(play.report, line, wrong, findings.AWARD, due, paid)
        sheets.findings[found]["chips"] = paid - due
        find(play.report, line, -1, findings.ZERO_SUM, 0.0, logged + opposite)
        return
    seat = dealer if logged > written else 1 - dealer
    sign = 1 if seat == dealer else -1
    found = find(play.report, line, seat, findings.AWARD, sign * written, sign * logged)
    sheets.findings[found]["chips"] = sign * (logged - written)
    if play.match["seam"] & s.SEAM_RANKS and _other_ranks_pay(play.facts, payout, logged):
        sheets.findings[found]["verdict"] = records.DAMAGED
    explained = 0
    for profile in range(len(engines.masks)):
        mask = engines.masks[profile]
        byte = UNEXPLAINED
        if dealer_award(payout, mask, play.facts) == logged:
            byte = mask
            for shift in range(MOST_DEVIATIONS):
                one = 1 << shift
                if mask & one and dealer_award(payout, one, play.facts) == logged:
                    byte = one
                    break
        explained |= int(np.int64(byte) << (8 * profile))
    sheets.findings[found]["explained"] = explained


@rare
def _check_run(play: Play) -> None:
    """Check the lines about the run: chips won after the river. They are not due if both were all-in."""
    hand, match, chips, line = play.hand, play.match, play.chips, play.marks[s.AFTER_LINE]
    if hand["street"] <= match["last_street"]:
        if hand["run_lines"]:
            find(play.report, hand["run_line"], -1, findings.RUN_UNASKED, 0.0, 0.0)
        return
    all_in = chips["before_run"][0] == match["stack"]
    match["due"][s.RUN_LINES] += not all_in
    if all_in and hand["run_lines"]:
        match["tells_all_ins"] = 1
    if match["prints"][s.RUN_LINES] and hand["run_lines"] < s.RUN_LINES_DUE:
        found = find(play.report, line, -1, findings.RUN_MISSING, 0.0, 0.0)
        if all_in and hand["run_lines"] == 0:
            play.report.findings[found]["explained"] = match["explains_no_run"]
    if hand["run_lines"] < s.RUN_LINES_DUE:
        return
    for k in range(2):
        seat = seat_in_order(hand, k)
        award, before, said = chips["award"][seat], chips["before_run"][seat], chips["run_won"][seat]
        due = award - np.sign(award) * before
        if said != due:
            found = find(play.report, line, seat, findings.RUN_WON, due, said)
            if award == 0 and said == (before if k == 0 else -before):
                play.report.findings[found]["explained"] = match["explains_tied_run"]


@rare
def _check_stack(play: Play) -> None:
    """Report blinds above the stack, and calls of them."""
    hand, match = play.hand, play.match
    for seat in range(2):
        if hand["spent"][seat] > match["stack"]:
            stack, put = float(match["stack"]), float(hand["spent"][seat])
            found = find(play.report, play.marks[s.AWARD_LINE], seat, findings.MORE_THAN_STACK, stack, put)
            play.report.findings[found]["explained"] = match["explains_above"]


@rare
def _check_changed(play: Play) -> None:
    """Check that an award marks a player as changed exactly if the hole cards changed."""
    hand, match = play.hand, play.match
    for seat in range(2):
        changed, said = hand["changed"] >> seat & 1, hand["called_changed"] >> seat & 1
        match["due"][s.CHANGED_LINES] += changed
        if said and not changed:
            find(play.report, play.marks[s.AWARD_LINE], seat, findings.SWAPPED, 0.0, 1.0)
        if match["prints"][s.CHANGED_LINES] and changed and not said:
            find(play.report, play.marks[s.AWARD_LINE], seat, findings.UNSWAPPED, 1.0, 0.0)


@part
def _ending(shown_down: bool, is_over: bool, winner: int, seat: int) -> int:
    """The end of the hand for a seat (`records`). is_over: the log shows the winner; winner: -1 for a split pot."""
    if not is_over:
        return records.OUT
    if not shown_down:
        return records.TOOK if winner == seat else records.OUT
    if winner < 0:
        return records.SHARED
    return records.BEST if winner == seat else records.LOST


@step
def settle(sheets: Sheets, play: Play, engines: Engines, awards: NDArray[np.float64]) -> None:
    """Pay the hand by the rules, compare with the awards, and complete its rows.

    awards: (hands, MOST_PROFILES) out, the dealer's award by profile; NaN if it is not known.
    """
    match, hand, chips, hits, facts = play.match, play.hand, play.chips, play.hits, play.facts
    row, dealer, payout, folded = hand["row"], hand["dealer"], match["payout"], hand["folded"]
    hand["paid"] = 1
    record = sheets.hands[row]
    streets = betting_street(match, hand["street"]) + 1
    record["streets"] = streets
    record["ended_by"] = records.BY_FOLD if folded >= 0 else records.BY_SHOWDOWN
    shown_down = folded < 0 and hand["closed"] == 1 and hand["on_last_street"] == 1
    board_known = hand["board_size"] >= board_due(match, hand["street"])
    if match["redraws"] or match["hides_runouts"]:
        board_known = board_known and redraws.all_known(play)
        chips["unseen"] = 0.0
        record["board_final_count"] = redraws.keep_board(sheets, play)
    hazy = hand["hazy"][0] + hand["hazy"][1] > 0
    dealt = (hazy or (play.holes[0, 0] > 0 and play.holes[1, 0] > 0)) and hand["broken"] == 0
    is_over = dealt and (folded >= 0 or shown_down)
    by_equity = payout == ALL_INS_BY_EQUITY and hand["hidden"] > 0 and folded < 0
    board_known = board_known or (by_equity and hand["board_size"] == board_due(match, hand["street"]))
    decided = is_over and (folded >= 0 or (board_known and not hazy))
    winner = by_library = -1
    facts["share"] = facts["library_share"] = np.nan
    if decided:
        winner = by_library = 1 - folded
        if by_equity:
            runouts.set_shares(play, engines)
            share = facts["share"]
            winner = by_library = dealer if share > _HALF else 1 - dealer if share < _HALF else -1
        elif folded < 0:
            winner, by_library, straights = _compare(play, engines)
            for seat in range(2):
                chips["straights"][seat] += straights >> seat & 1 and chips["award"][seat] > 0
    if shown_down and match["rows"]:
        # No row shows it, but the engine shows the hands to both players.
        hand["shown"] = 3
    if dealt and shown_down and hand["shown"] != 3:
        shown = float(hand["shown"])
        found = find(play.report, play.marks[s.AWARD_LINE], -1, findings.SHOW_MISSING, 2.0, shown)
        if not match["prints"][s.SHOW_LINES]:
            sheets.findings[found]["explained"] = match["explains_no_shows"]
    if dealt and match["runs"]:
        _check_run(play)
    if is_above_stack(match):
        _check_stack(play)
    if dealt and match["changes"]:
        _check_changed(play)
    hits[0] = hits[1] = 0
    known = True
    if payout == BOUNTIES:
        known = _hits(play)
    facts["wins"] = 0 if winner < 0 else 1 if winner == dealer else -1
    facts["loser_put"] = hand["spent"][dealer] if winner < 0 else hand["spent"][1 - winner]
    facts["library_wins"] = 0 if by_library < 0 else 1 if by_library == dealer else -1
    facts["library_loser_put"] = hand["spent"][dealer] if by_library < 0 else hand["spent"][1 - by_library]
    facts["hit"], facts["other_hit"], facts["actions"] = hits[dealer], hits[1 - dealer], hand["turn"]
    facts["dealer_put"], facts["other_put"] = hand["spent"][dealer], hand["spent"][1 - dealer]
    if payout == BY_FUNCTION and decided:
        steps.describe(play)
        facts["usual"] = payouts.uneven(int(facts["wins"]), facts["dealer_put"], facts["other_put"])
        if folded < 0:
            _describe_hands(play, engines)
    facts["lapse"] = hand["lapse"]
    facts["lapse_pays"] = -hand["lapsed_put"] if hand["lapsed"] == dealer else hand["lapsed_put"]
    written = np.nan
    if decided and known:
        written = dealer_award(payout, 0, facts)
        if hand["unsaid"]:
            take_written(play, written)
        if chips["award"][dealer] != written or chips["award"][1 - dealer] != -written:
            _check_award(sheets, play, engines, written)
    elif is_over:
        rule = findings.UNKNOWN_BOUNTY if decided else findings.UNKNOWN_BOARD
        if hand["hidden"]:
            rule = findings.HIDDEN_RUNOUT
            redraws.check_unseen(sheets, play)
        elif hazy:
            rule = findings.UNKNOWN_HANDS
        find(play.report, hand["line"], -1, rule, 0.0, 0.0)
    for profile in range(len(engines.masks)):
        awards[row, profile] = np.nan
        if decided and known:
            awards[row, profile] = dealer_award(payout, engines.masks[profile], facts)
    checked = decided and known and chips["award"][0] + chips["award"][1] != 0
    if not decided and chips["award"][dealer] != 0:
        # The winning cards are unknown: the winner is the player whom the log pays.
        lost = np.isnan(chips["award"][dealer]) and chips["award"][1 - dealer] < 0
        winner = dealer if chips["award"][dealer] > 0 or lost else 1 - dealer
    for seat in range(2):
        paid = written if seat == dealer else -written
        write_seat(sheets, play, seat, paid)
        sheets.seats[2 * row + seat]["ended"] = _ending(shown_down, is_over, winner, seat)
        chips["due"][seat] = chips["bank"][seat] + paid
        chips["carry"][seat] = chips["bank"][seat] + (paid if checked else chips["award"][seat])
    if match["ev_rule"] != bets_ev.NONE:
        bets_ev.add_hand(chips)
    record["board_count"] = keep(sheets.board, sheets.used, records.BOARD, play.board, 0, hand["board_size"])
    write_card_lines(sheets, hand, play.lines)


@step
def write_seat(sheets: Sheets, play: Play, seat: int, paid: float) -> None:
    """Complete a player's row; paid: by the written rules, NaN if it is not known."""
    hand, match, chips = play.hand, play.match, play.chips
    out = sheets.seats[2 * hand["row"] + seat]
    changed = hand["changed"] >> seat & 1
    used, holes = sheets.used, play.holes[seat]
    dealt = play.dealt[seat] if changed else holes
    out["hole_count"] = keep(sheets.holes, used, records.HOLES, dealt, 1, int(dealt[0]))
    out["final_count"] = 0
    if changed:
        out["final_count"] = keep(sheets.finals, used, records.FINALS, holes, 1, int(holes[0]))
    out["seat"], out["position"], out["stack"] = seat, seat != hand["dealer"], np.nan
    out["rank"] = match["rank"][seat] if match["payout"] == BOUNTIES else -1
    out["hit"] = play.hits[seat]
    out["put"] = hand["spent"][seat]
    out["delta"] = chips["award"][seat]
    out["written"] = paid
    out["engine"] = np.nan
    out["bank"] = chips["bank"][seat]
    out["shown"] = (hand["shown"] >> seat) & 1
