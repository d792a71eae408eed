"""The lines of a heads-up hand: each is checked against the state that the rules give, then applied to it.

Where the log and the rules differ a finding is written and the hand goes on with the rules' state, so that
one wrong line is one finding.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...parsers import events
from ...parsers.kernels import part, step
from .. import bounty, findings, records
from ..records import Sheets
from . import bets_ev
from . import betting as b
from . import state as s
from .state import Play, Report, find, misnamed, seat_in_order

_LARGEST_NUMBER: Final = 2**31 - 1
_MANY_HITS: Final = 4**20


@step
def begin(sheets: Sheets, play: Play, values: NDArray[np.int64], at: int, line: int) -> None:
    """A round line: number, then dealer and opponent with their bankrolls."""
    match, hand, chips = play.match, play.hand, play.chips
    row = sheets.used[records.HANDS]
    sheets.used[records.HANDS] += 1
    sheets.used[records.SEATS] += 2
    number, last_number = values[at], match[s.LAST_NUMBER]
    named, second = values[at + 1], values[at + 3]
    dealer = 1 - number % 2
    b.fill(hand, 0)
    hand[b.OPEN], hand[b.ROW], hand[b.NUMBER], hand[b.LINE] = 1, row, number, line
    hand[b.FOLDED] = hand[b.AGGRESSOR] = hand[b.PENDING] = -1
    if not match[s.SAME_NAMES]:
        if second == named:
            find(play.report, line, second, findings.SEATS, float(1 - named), float(second))
        if named != dealer:
            misnamed(play.report, line, named, dealer, findings.ROTATION)
        dealer = named
    hand[b.DEALER] = dealer
    in_order = last_number == 0 or number == last_number + 1
    if not in_order:
        find(play.report, line, -1, findings.SEQUENCE, float(last_number), float(number))
    if number == 1:
        match[s.WHOLE] = last_number == 0
    elif number != last_number + 1:
        match[s.WHOLE] = 0
    for k in range(2):
        seat = seat_in_order(hand, k)
        bank = float(values[at + 2 + 2 * k])
        if match[s.CARRIES] and in_order and bank != chips[b.CARRY, seat]:
            find(play.report, line, seat, findings.BANKROLL, chips[b.CARRY, seat], bank)
        chips[b.PIP, seat] = chips[b.PUT, seat] = 0
        chips[b.AWARD, seat] = np.nan
        chips[b.BANK, seat] = bank
        play.holes[seat, 0] = 0
    play.lines[0] = 0
    if not match[s.HEADER_FITS]:
        find(play.report, 1, -1, findings.HEADER, 0.0, 0.0)
        match[s.HEADER_FITS] = 1
    if match[s.MARKED]:
        find(play.report, match[s.MARKED], -1, findings.MARKER, 0.0, 0.0)
        match[s.MARKED] = 0
    if (number - 1) // bounty.ROUNDS_PER_BOUNTY != (last_number - 1) // bounty.ROUNDS_PER_BOUNTY:
        match[s.RANK_0] = match[s.RANK_1] = -1
    match[s.LAST_NUMBER] = number
    record = sheets.hands[row]
    record["match"], record["line"], record["dealer"] = match[s.NUMBER], line, dealer
    record["number"] = min(number, _LARGEST_NUMBER)


@part
def misplaced(report: Report, line: int, seat: int) -> None:
    """A line that contradicts the lines before it."""
    find(report, line, seat, findings.MISPLACED, 0.0, 0.0)
    report.hand[b.BROKEN] += 1


@part
def stray(play: Play, line: int, code: int) -> None:
    """A merge marker, or any other line that has no place in a hand."""
    if code == events.MARKER:
        find(play.report, line, -1, findings.MARKER, 0.0, 0.0)
        play.hand[b.BROKEN] += 1
    else:
        misplaced(play.report, line, -1)


@part
def _act(sheets: Sheets, play: Play, line: int, seat: int, action: int, origin: int, raise_to: float) -> None:
    """Append an action row: the decision's context before the action is applied."""
    hand, chips = play.hand, play.chips
    row = sheets.actions[sheets.used[records.ACTS]]
    row["hand"], row["line"], row["seq"], row["street"] = hand[b.ROW], line, hand[b.SEQ], hand[b.STREET]
    row["seat"], row["action"], row["origin"] = seat, action, origin
    row["level"], row["aggressor"] = hand[b.LEVEL], hand[b.AGGRESSOR]
    row["raise_to"] = raise_to
    row["pip"] = chips[b.PIP, seat]
    row["to_call"] = b.to_call(chips, seat) if action != records.POST else 0
    row["pot"] = chips[b.PUT, 0] + chips[b.PUT, 1]
    hand[b.SEQ] += 1
    sheets.used[records.ACTS] += 1


@step
def blind(sheets: Sheets, play: Play, line: int, named: int, amount: int) -> None:
    """The dealer posts the small blind, then the other player the big blind."""
    match, hand = play.match, play.hand
    if hand[b.POSTED] > 1 or hand[b.DEALT] or hand[b.AWARDED]:
        misplaced(play.report, line, named)
        return
    seat = seat_in_order(hand, hand[b.POSTED])
    due = float(match[s.SMALL_BLIND] if hand[b.POSTED] == 0 else match[s.BIG_BLIND])
    if named != seat:
        misnamed(play.report, line, named, seat, findings.BLIND_ORDER)
    if amount != due:
        find(play.report, line, seat, findings.BLIND, due, float(amount))
    _act(sheets, play, line, seat, records.POST, records.FORCED, due)
    b.put(play.chips, seat, due)
    hand[b.POSTED] += 1
    hand[b.LEVEL] = hand[b.POSTED] // 2


@part
def _repeated(play: Play, card: int) -> bool:
    """True where the card is already on the board or in a hand."""
    for k in range(play.hand[b.BOARD_SIZE]):
        if play.board[k] == card:
            return True
    for seat in range(2):
        for k in range(play.holes[seat, 0]):
            if play.holes[seat, 1 + k] == card:
                return True
    return False


@part
def _note_line(play: Play, line: int) -> None:
    play.lines[0] += 1
    play.lines[play.lines[0]] = line


@step
def dealt(sheets: Sheets, play: Play, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """Two hole cards, the dealer's first."""
    hand = play.hand
    if hand[b.DEALT] > 1 or hand[b.POSTED] < 2 or hand[b.SEQ] > 2 or hand[b.AWARDED]:
        misplaced(play.report, line, named)
        return
    seat = seat_in_order(hand, hand[b.DEALT])
    if named != seat:
        misnamed(play.report, line, named, seat, findings.DEAL_ORDER)
    count = values[at]
    if count != 2:
        find(play.report, line, seat, findings.DEAL, 2.0, float(count))
    for k in range(min(count, 2)):
        card = values[at + 1 + k]
        if _repeated(play, card):
            find(play.report, line, seat, findings.DECK, -1.0, float(card))
        play.holes[seat, 1 + k] = card
        play.holes[seat, 0] = k + 1
    hand[b.DEALT] += 1
    _note_line(play, line)


@step
def decide(sheets: Sheets, play: Play, line: int, values: NDArray[np.int64], at: int, code: int) -> None:
    """A fold, call, check, bet or raise: whose turn, is it legal, how much."""
    match, hand, chips = play.match, play.hand, play.chips
    named = values[at]
    amount = float(values[at + 1]) if code >= events.BET else np.nan
    stack, big_blind = float(match[s.STACK]), float(match[s.BIG_BLIND])
    if hand[b.STACKS_DUE]:
        stacks_missing(play.report)
    bets_ev.query(play)
    if hand[b.DEALT] < 2 or hand[b.FOLDED] >= 0 or hand[b.CLOSED] or hand[b.AWARDED]:
        misplaced(play.report, line, named)
        return
    seat = b.actor(hand)
    if named != seat:
        misnamed(play.report, line, named, seat, findings.TURN)
    call = b.to_call(chips, seat)
    no_chips = stack - chips[b.PUT, seat] <= 0 or stack - chips[b.PUT, 1 - seat] <= 0
    stands_in = hand[b.PENDING] >= 0 or match[s.GONE_0 + seat] > 0
    origin = records.CHOICE
    if stands_in:
        origin = records.SUBSTITUTE
    elif call == 0 and no_chips:
        origin = records.ALLIN
    raises = code in (events.BET, events.RAISE)
    if stands_in and (raises or code == events.CALL or (code == events.FOLD) != (call > 0)):
        find(play.report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
    hand[b.PENDING] = -1
    _act(sheets, play, line, seat, code - events.FOLD + records.FOLD, origin, amount)
    if code == events.FOLD:
        if call == 0:
            found = find(play.report, line, seat, findings.FREE_FOLD, 0.0, 0.0)
            sheets.findings[found]["explained"] = match[s.EXPLAINS_FREE_FOLD]
        hand[b.FOLDED] = seat
    elif code == events.CHECK:
        if call > 0:
            find(play.report, line, seat, findings.CHECK, call, 0.0)
        b.after_check(hand)
    elif code == events.CALL:
        if call <= 0:
            find(play.report, line, seat, findings.CALL, 0.0, 0.0)
        b.after_call(hand, chips, seat)
    else:
        first = chips[b.PIP, 0] == 0 and chips[b.PIP, 1] == 0
        if first != (code == events.BET):
            find(play.report, line, seat, findings.WORDING, 0.0, 0.0)
        low, high = b.smallest_raise(chips, seat, stack, big_blind), b.largest_raise(chips, seat, stack)
        if not b.may_raise(chips, seat, stack):
            find(play.report, line, seat, findings.RAISE, 0.0, amount)
        elif amount < low:
            find(play.report, line, seat, findings.TOO_SMALL, low, amount)
        elif amount > high:
            find(play.report, line, seat, findings.TOO_LARGE, high, amount)
        b.after_raise(hand, chips, seat, amount)


@step
def street(play: Play, line: int, code: int, values: NDArray[np.int64], at: int) -> None:
    """A street line: the whole board, then what each player has put into the pot, dealer first."""
    match, hand, chips = play.match, play.hand, play.chips
    if hand[b.STACKS_DUE]:
        stacks_missing(play.report)
    street = code - events.FLOP + 1
    if hand[b.FOLDED] >= 0 or hand[b.DEALT] < 2 or hand[b.AWARDED] or street != hand[b.STREET] + 1:
        misplaced(play.report, line, -1)
        return
    if not hand[b.CLOSED]:
        find(play.report, line, -1, findings.STREET, 0.0, 0.0)
        hand[b.BROKEN] += 1
    b.next_street(hand, chips)
    count, due = values[at], street + 2
    if count != due:
        find(play.report, line, -1, findings.BOARD_SIZE, float(due), float(count))
    for k in range(min(count, due)):
        card = values[at + 1 + k]
        if k < hand[b.BOARD_SIZE]:
            if card != play.board[k]:
                find(play.report, line, -1, findings.BOARD, float(play.board[k]), float(card))
        else:
            if _repeated(play, card):
                find(play.report, line, -1, findings.DECK, -1.0, float(card))
            play.board[hand[b.BOARD_SIZE]] = card
            hand[b.BOARD_SIZE] += 1
    at += count + 1
    for k in range(2):
        seat = seat_in_order(hand, k)
        named, put = values[at + 2 * k], values[at + 2 * k + 1]
        if named != seat:
            misnamed(play.report, line, named, seat, findings.SEATS)
        if put != chips[b.PUT, seat]:
            find(play.report, line, seat, findings.CONTRIBUTION, chips[b.PUT, seat], float(put))
    _note_line(play, line)
    hand[b.STACKS_DUE] = match[s.PRINTS_STACKS] * line


@step
def stacks(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """What is left in front of each player, dealer first; printed directly after the street."""
    hand = play.hand
    if not hand[b.STACKS_DUE]:
        misplaced(play.report, line, -1)
        return
    hand[b.STACKS_DUE] = 0
    for k in range(2):
        seat = seat_in_order(hand, k)
        left = play.match[s.STACK] - play.chips[b.PUT, seat]
        if values[at + k] != left:
            find(play.report, line, seat, findings.STACKS, left, float(values[at + k]))


@part
def stacks_missing(report: Report) -> None:
    """The stacks are due and another line follows."""
    find(report, report.hand[b.STACKS_DUE], -1, findings.STACKS_MISSING, 0.0, 0.0)
    report.hand[b.STACKS_DUE] = 0


@step
def show(play: Play, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """Both hands are shown at a showdown, the dealer's first."""
    hand = play.hand
    at_showdown = hand[b.FOLDED] < 0 and hand[b.CLOSED] and hand[b.BOARD_SIZE] >= s.BOARD_DUE
    if not at_showdown or hand[b.AWARDED] or hand[b.SHOWN] == 3:
        find(play.report, line, named, findings.SHOW_UNASKED, 0.0, 0.0)
        return
    seat = seat_in_order(hand, hand[b.SHOWN])
    if named != seat:
        misnamed(play.report, line, named, seat, findings.SEATS)
    if values[at] != play.holes[seat, 0]:
        find(play.report, line, seat, findings.DEAL, float(play.holes[seat, 0]), float(values[at]))
    for k in range(min(values[at], play.holes[seat, 0])):
        if values[at + 1 + k] != play.holes[seat, 1 + k]:
            find(
                play.report,
                line,
                seat,
                findings.SHOW,
                float(play.holes[seat, 1 + k]),
                float(values[at + 1 + k]),
            )
    hand[b.SHOWN] |= 1 << seat


@step
def award(play: Play, line: int, named: int, amount: int) -> None:
    """The change of each bankroll, dealer first; `settling` says whether it is right."""
    hand = play.hand
    at_showdown = hand[b.CLOSED] and hand[b.BOARD_SIZE] >= s.BOARD_DUE
    if hand[b.AWARDED] > 1 or (hand[b.AWARDED] == 0 and hand[b.FOLDED] < 0 and not at_showdown):
        misplaced(play.report, line, named)
        if hand[b.AWARDED] > 1:
            return
    seat = seat_in_order(hand, hand[b.AWARDED])
    if named != seat:
        misnamed(play.report, line, named, seat, findings.SEATS)
    play.chips[b.AWARD, seat] = amount
    play.marks[s.AWARD_LINE] = play.marks[s.AFTER_LINE] = line
    hand[b.AWARDED] += 1


@part
def fault(
    sheets: Sheets, play: Play, line: int, named: int, code: int, values: NDArray[np.int64], at: int
) -> None:
    """A fault line: before the engine's substitute action, or after the hand for the acknowledgement."""
    match, hand, chips = play.match, play.hand, play.chips
    row = sheets.faults[sheets.used[records.FAULTS]]
    sheets.used[records.FAULTS] += 1
    betting = hand[b.AWARDED] == 0 and hand[b.DEALT] == 2 and not hand[b.CLOSED] and hand[b.FOLDED] < 0
    seat = b.actor(hand) if betting and match[s.SAME_NAMES] else named
    if not betting and match[s.SAME_NAMES]:
        seat = -1
    row["hand"], row["line"], row["seat"], row["code"] = hand[b.ROW], line, seat, code
    row["text_at"], row["text_size"] = 0, 0
    if code == events.MISFORMATTED:
        row["text_at"], row["text_size"] = values[at], values[at + 1]
    if code in (events.GONE, events.LATE) and seat >= 0:
        match[s.GONE_0 + seat] = 1
    if betting:
        actor = b.actor(hand)
        if seat != actor:
            find(play.report, line, seat, findings.TURN, float(actor), float(seat))
        call = b.to_call(chips, actor)
        possible = code != events.ILLEGAL_CHECK or call > 0
        possible = possible and (code != events.ILLEGAL_CALL or call == 0)
        possible = possible and (code != events.ILLEGAL_FOLD or call == 0)
        if not possible:
            find(play.report, line, seat, findings.FAULT, 0.0, 0.0)
        hand[b.PENDING] = seat
    elif hand[b.AWARDED] != 2:
        misplaced(play.report, line, named)


@step
def hit(play: Play, line: int, named: int) -> None:
    """A bounty hit, directly after the awards."""
    hand = play.hand
    if hand[b.AWARDED] < 2 or hand[b.SETTLED]:
        misplaced(play.report, line, named)
        return
    if hand[b.HITS] < _MANY_HITS:
        hand[b.HITS] = 4 * hand[b.HITS] + named + 1
    play.marks[s.AFTER_LINE] = line


@step
def counts(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """The bankrolls after the hand, dealer first."""
    hand, chips = play.hand, play.chips
    if hand[b.AWARDED] != 2 or hand[b.COUNTED]:
        misplaced(play.report, line, -1)
        return
    for k in range(2):
        seat = seat_in_order(hand, k)
        named, bank = values[at + 2 * k], values[at + 2 * k + 1]
        if named != seat:
            misnamed(play.report, line, named, seat, findings.SEATS)
        if bank != chips[b.CARRY, seat]:
            find(play.report, line, seat, findings.COUNTS, chips[b.CARRY, seat], float(bank))
    hand[b.COUNTED] = 1


@part
def bounties(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """Both ranks, the dealer's first; drawn anew every 25 rounds."""
    match, hand = play.match, play.hand
    if hand[b.POSTED] or match[s.GAME] != bounty.CODE:
        misplaced(play.report, line, -1)
        return
    if (hand[b.NUMBER] - 1) % bounty.ROUNDS_PER_BOUNTY:
        find(play.report, line, -1, findings.BOUNTIES, 0.0, float(hand[b.NUMBER]))
    for k in range(2):
        seat = seat_in_order(hand, k)
        if values[at + 2 * k + 1] != seat:
            misnamed(play.report, line, values[at + 2 * k + 1], seat, findings.SEATS)
        match[s.RANK_0 + seat] = values[at + 2 * k]
