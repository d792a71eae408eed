"""The lines of a heads-up hand: each is checked against the state that the rules give, then applied to it.

If the log and the rules differ, a finding is written and the hand continues with the rules' state, so that one
wrong line is one finding.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare, step
from ...parsers import events
from ...parsers.reading import Events
from .. import betting as b
from .. import findings, records
from ..games import BOUNTIES, ROUNDS_PER_BOUNTY
from ..records import Sheets
from . import bets_ev, exchanges, redraws, stakes, table_rows, third_cards
from . import state as s
from .framing import open_hand
from .rows import choose, is_a_fold, lapse, misplaced, post, see, write_fault
from .state import (
    Engines,
    Play,
    credited,
    credited_pair,
    find,
    is_above_stack,
    misnamed,
    seat_in_order,
)
from .streets import fits_names, note_line, owed, permuted

_MANY_HITS: Final = 4**20


@step
def begin(sheets: Sheets, play: Play, values: NDArray[np.int64], at: int, line: int) -> None:
    """A round line: number, then dealer and opponent with their bankrolls."""
    match, hand = play.match, play.hand
    last_number = open_hand(sheets, play, values, at, line)
    hand["pending"] = -1
    if match["written_stakes"]:
        stakes.tell(play.report, line)
    if match["ev_rule"] == bets_ev.STREET or match["ev_rule"] == bets_ev.QUERY_ANEW:
        bets_ev.clear(play.chips)
    before = last_number + match["from_zero"]
    if (hand["number"] - 1) // ROUNDS_PER_BOUNTY != (before - 1) // ROUNDS_PER_BOUNTY:
        match["rank"][0] = match["rank"][1] = -1


@step
def blind(
    found: Events, event: int, last: int, sheets: Sheets, play: Play, line: int, named: int, amount: int
) -> None:
    """Post the dealer's small blind, then the other player's big blind.

    If two consecutive lines swap the players, each named player posts the blind of its line.
    """
    match, hand = play.match, play.hand
    if hand["posted"] > 1 or hand["dealt"] or hand["awarded"]:
        misplaced(play.report, line, named)
        return
    seat = seat_in_order(hand, hand["posted"])
    due = float(match["small_blind"] if hand["posted"] == 0 else match["big_blind"])
    if named != seat:
        misnamed(play.report, line, named, seat, findings.BLIND_ORDER)
        if not match["same_names"] and _turned_blinds(found, event, last, named, hand["posted"]):
            seat = named
    if amount != due:
        find(play.report, line, seat, findings.BLIND, due, float(amount))
    post(sheets, play, line, seat, due)


@rare
def _turned_blinds(found: Events, event: int, last: int, named: int, posted: int) -> bool:
    """True if the line below the first blind, or above the second, is the other blind and the other player's."""
    other = event + 1 if posted == 0 else event - 1
    if other >= last or found.codes[other] not in (events.BLIND, events.BLINDS):
        return False
    turned: bool = found.values[found.args[other]] == 1 - named
    return turned


@part
def is_last_street(play: Play) -> bool:
    """True while the hand is on its last street, without a fold or an award."""
    hand = play.hand
    on_it: bool = (
        hand["on_last_street"] > 0 and hand["folded"] < 0 and hand["awarded"] == 0 and hand["dealt"] == 2
    )
    return on_it


@rare
def post_unsaid(sheets: Sheets, play: Play, line: int) -> None:
    """Post the blinds of a log that does not print them."""
    match = play.match
    for k in range(2):
        blind = match["small_blind"] if k == 0 else match["big_blind"]
        post(sheets, play, line, seat_in_order(play.hand, k), float(blind))


@step
def dealt(play: Play, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """Hole cards, the dealer's first."""
    hand = play.hand
    if hand["dealt"] > 1 or hand["posted"] < 2 or hand["seq"] > 2 * hand["boards"] or hand["awarded"]:
        misplaced(play.report, line, named)
        return
    again = play.holes[named, 0] > 0
    due_seat = seat_in_order(hand, hand["dealt"])
    seat = credited(play.report, line, named, due_seat, again, findings.DEAL_ORDER)
    hand["dealt"] += 1
    note_line(play, line)
    if seat < 0:
        return
    count, due = values[at], play.match["hole_cards"]
    hand["firm"][seat] = min(count, due)
    if count != due:
        find(play.report, line, seat, findings.DEAL, float(due), float(count))
    for k in range(min(count, due)):
        card = values[at + 1 + k]
        see(play.report, line, seat, card)
        play.holes[seat, 1 + k] = card
        play.holes[seat, 0] = k + 1
    if play.match["permutes"]:
        permuted(play.report, play.ranks, line, values, at, at + count + 1)


@rare
def _folds_instead(sheets: Sheets, play: Play, line: int, named: int) -> bool:
    """Apply a fold in place of a bid or of a pass; False if that is impossible."""
    hand, seat, of_bid = play.hand, b.actor(play.hand), third_cards.folds_bid(play)
    if not of_bid and not exchanges.folds_pass(play):
        return False
    if named != seat:
        misnamed(play.report, line, named, seat, findings.TURN)
    hand["pending"] = -1
    choose(sheets, play, line, seat, records.FOLD, records.SUBSTITUTE, np.nan)
    b.fold(hand, 0, seat)
    hand["closed"], hand["bid_folded"] = 1, of_bid
    return True


@part
def _opens_street(match: np.void, hand: np.void, call: float) -> bool:
    """True if a raise is called a bet: no chips of the street are to be called."""
    opens: bool = (hand["pip"][0, 0] == 0 and hand["pip"][0, 1] == 0) or (match["antes"] and call == 0)
    return opens


@part
def _may_raise(play: Play, seat: int, own: float, other: float) -> bool:
    """True if the player may bet or raise."""
    most = play.match["most_bets"]
    return b.may_raise(play.hand, 0, seat, own, other) and (most == 0 or play.hand["level"][0] < most)


@part
def _bounds(play: Play, seat: int, own: float, other: float) -> tuple[float, float]:
    """The least and the most that the player may bet or raise to."""
    match, hand = play.match, play.hand
    high = b.largest_raise(hand, 0, seat, own, other)
    size = match["bets"][min(hand["street"], match["last_street"])]
    if size > 0:
        fixed = min(b.faced(hand, 0, seat) + size, high)
        return fixed, fixed
    return b.smallest_raise(hand, 0, seat, own, other, float(match["big_blind"])), high


@rare
def named_by_amount(play: Play, named: int, amount: int) -> int:
    """The decision (an event code) of a line that has only a player and its chips on the street."""
    hand = play.hand
    faced = b.faced(hand, 0, named)
    if faced > 0 and amount == faced and b.to_call(hand, 0, named) > 0:
        return events.CALL
    return events.BET if _opens_street(play.match, hand, b.to_call(hand, 0, named)) else events.RAISE


@step
def decide(
    found: Events,
    event: int,
    last: int,
    engines: Engines,
    sheets: Sheets,
    play: Play,
    line: int,
    at: int,
    code: int,
) -> None:
    """Check and apply a fold, call, check, bet or raise: its turn, legality and amount.

    event, last: the line's and where the match's end.

    An action out of turn belongs to the player who was due: a name may be misprinted. If the chips of the whole hand
    fit only the named player, it belongs to that one, and so do all later actions; the hand gets a finding.
    """
    match, hand, values = play.match, play.hand, found.values
    named = values[at]
    amount = float(values[at + 1]) if code >= events.BET else np.nan
    if hand["stacks_due"] or hand["holes_due"]:
        owed(play.report)
    bets_ev.before_query(play)
    if match["rows"] and not table_rows.takes(found, event, last, sheets, play, line, at, code):
        return
    if match["discards"] and third_cards.discard_due(play):
        third_cards.around_discard(sheets, play, line, named, code)
        return
    auction = match["auctions"] > 0 and (third_cards.bids_due(play) or third_cards.flop_due(play))
    waits = match["exchanges"] > 0 and exchanges.due(play)
    if (auction or waits) and code == events.FOLD and _folds_instead(sheets, play, line, named):
        return
    if hand["dealt"] < 2 or hand["folded"] >= 0 or hand["awarded"] or auction or waits:
        misplaced(play.report, line, named)
        return
    if match["third_turns"] and hand["closed"]:
        exchanges.third_turn(play, line, named)
    seat = b.actor(hand)
    astray = not hand["loose"] and (hand["closed"] > 0 or named != seat)
    if astray:
        fits = fits_names(found, event, last, play, engines.streets)
        if hand["closed"] and not fits:
            misplaced(play.report, line, named)
            return
        if hand["closed"]:
            find(play.report, line, named, findings.AGAIN, 0.0, float(named))
        else:
            misnamed(play.report, line, named, seat, findings.TURN)
        hand["loose"] = fits
        astray = fits
    if hand["loose"]:
        seat = named
        hand["closed"] = hand["settled"][0] = 0
        hand["turn"] += b.actor(hand) != seat
    call = b.to_call(hand, 0, seat)
    own, other = b.left(hand, seat), b.left(hand, 1 - seat)
    stands_in = hand["pending"] >= 0 or match["gone"][seat] > 0
    calls = stands_in and hand["meets"] > s.NO_PRICE
    # If blinds rise above the stack, a call may take chips back: to_call is negative.
    above = is_above_stack(match)
    faces = call != 0 if above else call > 0
    origin = records.CHOICE
    if stands_in:
        origin = records.SUBSTITUTE
    elif call == 0 and (own <= 0 or other <= 0) and not above and not (match["rows"] and code == events.FOLD):
        origin = records.ALLIN
    folds = stands_in and code == events.FOLD and is_a_fold(play, seat, s.A_BET)
    substitute = events.CALL if calls else events.FOLD if faces else events.CHECK
    if stands_in and not folds and code != substitute:
        row = find(play.report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
        if hand["meets"] == s.MEETS_PRICE and code == events.FOLD:
            sheets.findings[row]["explained"] = match["explains_price"]
    elif stands_in and code == events.CHECK:
        lapse(play, line, seat, s.A_BET)
    hand["pending"], hand["meets"] = -1, s.NO_PRICE
    action = code - events.FOLD + records.FOLD
    choose(sheets, play, line, seat, action, origin, amount)
    if code == events.FOLD:
        if call == 0 and not match["free_folds"] and not folds and not match["folds"][s.BAD_FOLD]:
            row = find(play.report, line, seat, findings.FREE_FOLD, 0.0, 0.0)
            sheets.findings[row]["explained"] = match["explains_free_fold"]
        b.fold(hand, 0, seat)
    elif code == events.CHECK:
        if faces:
            find(play.report, line, seat, findings.CHECK, call, 0.0)
        b.check(hand, 0)
    elif code == events.CALL:
        if call < 0 and above:
            row = find(play.report, line, seat, findings.CALL_BACK, 0.0, -call)
            sheets.findings[row]["explained"] = match["explains_back"]
        elif call <= 0 and not astray:
            find(play.report, line, seat, findings.CALL, 0.0, 0.0)
        b.call(hand, 0, seat)
    else:
        if _opens_street(match, hand, call) != (code == events.BET):
            find(play.report, line, seat, findings.WORDING, 0.0, 0.0)
        low, high = _bounds(play, seat, own, other)
        may_raise = own != call and other != 0 if above else _may_raise(play, seat, own, other)
        if not may_raise:
            find(play.report, line, seat, findings.RAISE, 0.0, amount)
        elif amount < low:
            find(play.report, line, seat, findings.TOO_SMALL, low, amount)
        elif amount > high:
            find(play.report, line, seat, findings.TOO_LARGE, high, amount)
        elif amount < min(low + hand["pip"][0, seat], high):
            match["low_raises"] += 1
        b.bet_or_raise(hand, 0, seat, amount)
    b.after_turn(hand, code == events.FOLD or code == events.CHECK)


@step
def show(
    sheets: Sheets, play: Play, line: int, code: int, named: int, values: NDArray[np.int64], at: int
) -> None:
    """Read a shown hand: both are shown at a showdown, the dealer's first; some lines also name the hand's kind."""
    hand = play.hand
    at_showdown = hand["folded"] < 0 and hand["closed"] and hand["on_last_street"]
    if hand["bid_folded"] and not at_showdown:
        at_showdown = True
        if hand["shown"] == 0:
            row = find(play.report, line, named, findings.FOLD_SHOWN, 0.0, 0.0)
            sheets.findings[row]["explained"] = play.match["explains_fold_shown"]
    if not at_showdown or hand["awarded"] or hand["shown"] == 3:
        find(play.report, line, named, findings.SHOW_UNASKED, 0.0, 0.0)
        return
    # Two players with one name show in order.
    due = seat_in_order(hand, int(hand["shown"] == 1 << hand["dealer"]))
    if hand["shown"] == 1 << (1 - hand["dealer"]):
        due = hand["dealer"]
    seat = credited(play.report, line, named, due, hand["shown"] >> named & 1 > 0, findings.SEATS)
    if seat < 0:
        return
    hand["shown"] |= 1 << seat
    if code != events.SHOW:
        exchanges.shown(play, line, seat, code - events.SHOW_HIGH_CARD, values, at)
        return
    if hand["cards_due"]:
        third_cards.shown_first(sheets, play, line, seat, values, at)
    if values[at] != play.holes[seat, 0]:
        find(play.report, line, seat, findings.DEAL, float(play.holes[seat, 0]), float(values[at]))
    for k in range(min(values[at], play.holes[seat, 0])):
        if play.holes[seat, 1 + k] < 0:
            redraws.learn(sheets, play, line, seat, k, values[at + 1 + k] + 0)
        elif values[at + 1 + k] != play.holes[seat, 1 + k]:
            find(
                play.report,
                line,
                seat,
                findings.SHOW,
                float(play.holes[seat, 1 + k]),
                float(values[at + 1 + k]),
            )
    if play.match["permutes"]:
        permuted(play.report, play.ranks, line, values, at, at + values[at] + 1)


@step
def award(play: Play, line: int, named: int, amount: int, changed: bool) -> None:
    """Read the change of a bankroll, dealer first; `settling` checks it.

    changed: the line says that a card of the player was changed.
    """
    hand = play.hand
    at_showdown = hand["closed"] and hand["on_last_street"]
    if hand["awarded"] > 1 or (hand["awarded"] == 0 and hand["folded"] < 0 and not at_showdown):
        misplaced(play.report, line, named)
        if hand["awarded"] > 1:
            return
    due = seat_in_order(hand, hand["awarded"])
    again = not np.isnan(play.chips["award"][named])
    seat = credited(play.report, line, named, due, again, findings.SEATS)
    hand["awarded"] += 1
    if seat < 0:
        return
    play.chips["award"][seat] = amount
    play.marks[s.AWARD_LINE] = play.marks[s.AFTER_LINE] = line
    hand["called_changed"] |= changed << seat


@part
def _could_be(play: Play, code: int, amount: int, got: int) -> bool:
    """True if the engine refuses such an answer from the player to act.

    amount, got: the first and the second number of the line
    """
    match, hand = play.match, play.hand
    seat = b.actor(hand)
    call = b.to_call(hand, 0, seat)
    own, other = b.left(hand, seat), b.left(hand, 1 - seat)
    if match["auctions"] and third_cards.bids_due(play):
        if code == events.DECIMAL_RAISE:
            return False
        return code != events.ILLEGAL_BID or amount < 0 or amount > own
    if match["exchanges"] and exchanges.pass_due(play):
        return exchanges.is_refused(play, code, amount, got)
    if match["discards"] and third_cards.discard_due(play):
        if hand["discarded"]:
            return code != events.ILLEGAL_CHECK and code != events.NO_SUCH_CARD
        no_such_card = amount < 0 or amount >= play.holes[seat, 0]
        return code != events.ILLEGAL_DISCARD and (code != events.NO_SUCH_CARD or no_such_card)
    if code == events.ILLEGAL_CHECK:
        return call != 0 if is_above_stack(match) else call > 0
    if code == events.ILLEGAL_CALL:
        return call == 0
    if code == events.ILLEGAL_FOLD:
        return call == 0 and not match["free_folds"]
    if code == events.ILLEGAL_RAISE_TO or (code == events.ILLEGAL_RAISE and match["discards"]):
        # In games with discards, the log has no line for a raise of a wrong size.
        low, high = _bounds(play, seat, own, other)
        wrong_size = code == events.ILLEGAL_RAISE_TO and (amount < low or amount > high)
        return not _may_raise(play, seat, own, other) or wrong_size
    if code == events.DECIMAL_RAISE:
        return _may_raise(play, seat, own, other)
    asked = code == events.NO_SUCH_CARD or code == events.DECIMAL_BID or code == events.ILLEGAL_PASS
    return not asked and code != events.NO_SUCH_PLACES


@part
def _meets(amount: float, call: float) -> int:
    """How the amount of a refused raise compares with the chips to call; NO_PRICE if there are none."""
    if call <= 0 or amount < call:
        return s.NO_PRICE
    return s.ABOVE_PRICE if amount > call else s.MEETS_PRICE


_FOLDS, _CALLS, _CHECKS, _RAISES = 100, 108, 107, 101
"""The last letters of the answers' class names: Fold, Call, Check, Raise."""


@part
def _of_class(text: NDArray[np.uint8], at: int, size: int) -> int:
    """The fault of an illegal answer, by the name of its class; the line ends in that name and two characters."""
    last = text[at + size - 3] if size > 2 else 0
    if last == _FOLDS:
        return events.ILLEGAL_FOLD
    if last == _CALLS:
        return events.ILLEGAL_CALL
    if last == _CHECKS:
        return events.ILLEGAL_CHECK
    if last == _RAISES:
        return events.ILLEGAL_RAISE
    return events.ILLEGAL_CLASS


@rare
def fault(
    sheets: Sheets,
    play: Play,
    line: int,
    code: int,
    text: NDArray[np.uint8],
    values: NDArray[np.int64],
    at: int,
    before: int,
    following: int,
) -> None:
    """Read a fault line: before the engine's substitute action, or after the hand for the acknowledgement.

    before, following: the codes of the lines around it, -1 for none.
    """
    match, hand = play.match, play.hand
    if code == events.INDEX_ERROR and before == events.MISFORMATTED:
        return
    if match["third_turns"] and hand["closed"]:
        exchanges.third_turn(play, line, values[at] + 0)
    text_at, text_size, amount, got = 0, 0, 0, 0
    if code == events.ILLEGAL_CLASS:
        code = _of_class(text, values[at + 1] + 0, values[at + 2] + 0)
    betting = hand["awarded"] == 0 and hand["dealt"] == 2 and not hand["closed"] and hand["folded"] < 0
    nameless = match["same_names"] or code == events.INDEX_ERROR
    named = -1 if code == events.INDEX_ERROR else values[at]
    seat = b.actor(hand) if betting and nameless else named
    if not betting and nameless:
        seat = -1
    if code == events.ILLEGAL_PASS:
        amount, got = values[at + 1], values[at + 2]
        text_at = records.storable(got)
    elif code == events.NO_SUCH_PLACES or code == events.DECIMAL_RAISE:
        text_at, text_size = values[at + 1], values[at + 2]
    elif code == events.MISFORMATTED:
        text_at, text_size = values[at + 1], values[at + 2]
        if match["prints"][s.EXCEPTION_LINES] and following >= 0:
            due = third_cards.exception_of(text, text_at, text_size)
            if following != due:
                find(play.report, line, seat, findings.EXCEPTION, float(due), float(following))
    elif code in (events.ILLEGAL_BID, events.ILLEGAL_RAISE_TO, events.NO_SUCH_CARD):
        amount = values[at + 1]
        text_at = records.storable(amount)
    write_fault(sheets, play, line, seat, code, text_at, text_size)
    if match["discards"] and third_cards.is_refusal(code) and before != events.STREET_NOTE:
        find(play.report, line, seat, findings.STREET_NOTE_MISSING, 0.0, 0.0)
    if betting:
        actor = b.actor(hand)
        if seat != actor:
            find(play.report, line, seat, findings.TURN, float(actor), float(seat))
        if not _could_be(play, code, amount, got):
            find(play.report, line, seat, findings.FAULT, 0.0, 0.0)
        hand["pending"], hand["refused"] = seat, code
        hand["meets"] = s.NO_PRICE
        if match["calls_raises"] and code == events.ILLEGAL_RAISE_TO:
            hand["meets"] = _meets(float(amount), b.to_call(hand, 0, actor))
    elif hand["awarded"] != 2:
        misplaced(play.report, line, named)
    elif match["discards"] and third_cards.is_refusal(code):
        # That engine stops after such an answer to the end of a hand.
        find(play.report, line, seat, findings.FAULT, 0.0, 0.0)


@step
def hit(play: Play, line: int, named: int) -> None:
    """A bounty hit, directly after the awards."""
    hand = play.hand
    if hand["awarded"] < 2 or hand["paid"]:
        misplaced(play.report, line, named)
        return
    if hand["hits"] < _MANY_HITS:
        hand["hits"] = 4 * hand["hits"] + named + 1
    play.marks[s.AFTER_LINE] = line


@step
def counts(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """The bankrolls after the hand, dealer first."""
    hand, chips = play.hand, play.chips
    if hand["awarded"] != 2 or hand["counted"]:
        misplaced(play.report, line, -1)
        return
    first = credited_pair(play.report, line, values[at], values[at + 2], hand["dealer"])
    for k in range(2):
        seat, bank = first if k == 0 else 1 - first, float(values[at + 2 * k + 1])
        if not s.carries(chips, seat, bank):
            find(play.report, line, seat, findings.COUNTS, chips["carry"][seat], bank)
    hand["counted"] = s.ADDS_UP if values[at + 1] + values[at + 3] == 0 else s.DOES_NOT_ADD_UP


@rare
def bounties(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """Both ranks, the dealer's first; drawn anew every 25 rounds."""
    match, hand = play.match, play.hand
    if hand["posted"] or match["payout"] != BOUNTIES:
        misplaced(play.report, line, -1)
        return
    if (hand["number"] - 1) % ROUNDS_PER_BOUNTY:
        find(play.report, line, -1, findings.BOUNTIES, 0.0, float(hand["number"]))
    first = credited_pair(play.report, line, values[at + 1], values[at + 3], hand["dealer"])
    match["rank"][first], match["rank"][1 - first] = values[at], values[at + 2]
    match["seam"] &= ~s.SEAM_RANKS
