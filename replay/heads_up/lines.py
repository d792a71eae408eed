"""The lines of a heads-up hand: each is checked against the state that the rules give, then applied to it.

Where the log and the rules differ a finding is written and the hand goes on with the rules' state, so that one wrong
line is one finding.
"""

import numpy as np

from numpy.typing import NDArray

from ...parsers import events
from ...parsers.kernels import kernel
from .. import bounty, findings, records
from ..records import Sheets
from . import betting as b
from . import settling as s
from .settling import Play, find


@kernel
def begin(sheets: Sheets, play: Play, values: NDArray, at: int, line: int) -> None:
    """A round line: number, then dealer and opponent with their bankrolls."""
    match, hand, chips = play.match, play.hand, play.chips
    row = sheets.used[records.HANDS]
    sheets.used[records.HANDS] += 1
    sheets.used[records.SEATS] += 2
    number = values[at]
    dealer = 1 - number % 2
    named, second = values[at + 1], values[at + 3]
    in_order = match[s.LAST_NUMBER] == 0 or number == match[s.LAST_NUMBER] + 1
    last_rank = match[s.LAST_NUMBER]
    if not match[s.SAME_NAMES]:
        if second == named:
            find(sheets, row, line, second, findings.SEATS, 1 - named, second)
        if named != dealer:
            find(sheets, row, line, named, findings.ROTATION, dealer, named)
            dealer = named
    if not in_order:
        find(sheets, row, line, -1, findings.SEQUENCE, match[s.LAST_NUMBER], number)
    b.fill(hand, 0)
    hand[b.OPEN] = 1
    hand[b.ROW], hand[b.NUMBER], hand[b.LINE], hand[b.DEALER] = row, number, line, dealer
    hand[b.FOLDED] = hand[b.AGGRESSOR] = hand[b.PENDING] = -1
    for k in range(2):
        chips[b.PIP, k] = chips[b.PUT, k] = 0
        chips[b.AWARD, k] = np.nan
    for k in range(2):
        seat = dealer if k == 0 else 1 - dealer
        bank = values[at + 2 + 2 * k]
        if match[s.CARRIES] and in_order and bank != chips[b.CARRY, seat]:
            find(sheets, row, line, seat, findings.BANKROLL, chips[b.CARRY, seat], bank)
        chips[b.BANK, seat] = bank
        play.holes[seat, 0] = 0
    play.lines[0] = 0
    if not match[s.HEADER_FITS]:
        find(sheets, row, 1, -1, findings.HEADER, 0, 0)
        match[s.HEADER_FITS] = 1
    if match[s.MARKED]:
        find(sheets, row, match[s.MARKED], -1, findings.MARKER, 0, 0)
        match[s.MARKED] = 0
    if match[s.GAME] == bounty.CODE and (number - 1) // bounty.ROUNDS_PER_BOUNTY != (
        last_rank - 1
    ) // bounty.ROUNDS_PER_BOUNTY:
        match[s.RANK_0] = match[s.RANK_1] = -1
    match[s.LAST_NUMBER] = number
    record = sheets.hands[row]
    record["match"], record["number"], record["line"], record["dealer"] = match[s.NUMBER], number, line, dealer


@kernel
def misplaced(sheets: Sheets, play: Play, line: int, seat: int) -> None:
    """A line that contradicts the lines before it."""
    find(sheets, play.hand[b.ROW], line, seat, findings.MISPLACED, 0, 0)
    play.hand[b.BROKEN] += 1


@kernel
def _act(
    sheets: Sheets, play: Play, line: int, seat: int, action: int, origin: int, raise_to: float
) -> None:
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


@kernel
def blind(sheets: Sheets, play: Play, line: int, named: int, amount: int) -> None:
    """The dealer posts the small blind, then the other player the big blind."""
    match, hand = play.match, play.hand
    if hand[b.POSTED] > 1 or hand[b.DEALT] or hand[b.AWARDED]:
        misplaced(sheets, play, line, named)
        return
    seat = hand[b.DEALER] if hand[b.POSTED] == 0 else 1 - hand[b.DEALER]
    due = match[s.SMALL_BLIND] if hand[b.POSTED] == 0 else match[s.BIG_BLIND]
    if named != seat and not match[s.SAME_NAMES]:
        find(sheets, hand[b.ROW], line, named, findings.BLIND_ORDER, seat, named)
    if amount != due:
        find(sheets, hand[b.ROW], line, seat, findings.BLIND, due, amount)
    _act(sheets, play, line, seat, records.POST, records.FORCED, due)
    b.put(play.chips, seat, due)
    hand[b.POSTED] += 1
    hand[b.LEVEL] = hand[b.POSTED] // 2


@kernel
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


@kernel
def _note_line(play: Play, line: int) -> None:
    play.lines[0] += 1
    play.lines[play.lines[0]] = line


@kernel
def dealt(sheets: Sheets, play: Play, line: int, named: int, values: NDArray, at: int) -> None:
    """Two hole cards, the dealer's first."""
    hand = play.hand
    if hand[b.DEALT] > 1 or hand[b.POSTED] < 2 or hand[b.SEQ] > 2 or hand[b.AWARDED]:
        misplaced(sheets, play, line, named)
        return
    seat = hand[b.DEALER] if hand[b.DEALT] == 0 else 1 - hand[b.DEALER]
    if named != seat and not play.match[s.SAME_NAMES]:
        find(sheets, hand[b.ROW], line, named, findings.DEAL_ORDER, seat, named)
    count = values[at]
    if count != 2:
        find(sheets, hand[b.ROW], line, seat, findings.DEAL, 2, count)
    for k in range(min(count, 2)):
        card = values[at + 1 + k]
        if _repeated(play, card):
            find(sheets, hand[b.ROW], line, seat, findings.DECK, -1, card)
        play.holes[seat, 1 + k] = card
        play.holes[seat, 0] = k + 1
    hand[b.DEALT] += 1
    _note_line(play, line)


@kernel
def decide(sheets: Sheets, play: Play, line: int, named: int, code: int, amount: int) -> None:
    """A fold, call, check, bet or raise: whose turn, is it legal, how much."""
    match, hand, chips = play.match, play.hand, play.chips
    stack, big_blind = match[s.STACK], match[s.BIG_BLIND]
    row = hand[b.ROW]
    if hand[b.DEALT] < 2 or hand[b.FOLDED] >= 0 or hand[b.CLOSED] or hand[b.AWARDED]:
        misplaced(sheets, play, line, named)
        return
    seat = b.actor(hand)
    if named != seat and not match[s.SAME_NAMES]:
        find(sheets, row, line, named, findings.TURN, seat, named)
    call = b.to_call(chips, seat)
    no_chips = stack - chips[b.PUT, seat] <= 0 or stack - chips[b.PUT, 1 - seat] <= 0
    stands_in = hand[b.PENDING] >= 0 or match[s.GONE_0 + seat] > 0
    origin = records.CHOICE
    if stands_in:
        origin = records.SUBSTITUTE
    elif call == 0 and no_chips:
        origin = records.ALLIN
    raises = code == events.BET or code == events.RAISE
    if stands_in and (raises or code == events.CALL or (code == events.FOLD) != (call > 0)):
        find(sheets, row, line, seat, findings.SUBSTITUTE, 0, 0)
    hand[b.PENDING] = -1
    action = code - events.FOLD + records.FOLD
    if code == events.FOLD:
        if call == 0:
            found = find(sheets, row, line, seat, findings.FREE_FOLD, 0, 0)
            sheets.findings[found]["explained"] = play.match[s.EXPLAINS_FREE_FOLD]
        _act(sheets, play, line, seat, records.FOLD, origin, np.nan)
        hand[b.FOLDED] = seat
    elif code == events.CHECK:
        if call > 0:
            find(sheets, row, line, seat, findings.CHECK, call, 0)
        _act(sheets, play, line, seat, records.CHECK, origin, np.nan)
        b.after_check(hand)
    elif code == events.CALL:
        if call <= 0:
            find(sheets, row, line, seat, findings.CALL, 0, 0)
        _act(sheets, play, line, seat, records.CALL, origin, np.nan)
        b.after_call(hand, chips, seat)
    else:
        first = chips[b.PIP, 0] == 0 and chips[b.PIP, 1] == 0
        if first != (code == events.BET):
            find(sheets, row, line, seat, findings.WORDING, 0, 0)
        low, high = b.smallest_raise(chips, seat, stack, big_blind), b.largest_raise(chips, seat, stack)
        if not b.may_raise(chips, seat, stack):
            find(sheets, row, line, seat, findings.RAISE, 0, amount)
        elif amount < low:
            find(sheets, row, line, seat, findings.TOO_SMALL, low, amount)
        elif amount > high:
            find(sheets, row, line, seat, findings.TOO_LARGE, high, amount)
        _act(sheets, play, line, seat, action, origin, amount)
        b.after_raise(hand, chips, seat, amount)


@kernel
def street(sheets: Sheets, play: Play, line: int, code: int, values: NDArray, at: int) -> None:
    """A street line: the whole board, then what each player has put into the pot, dealer first."""
    match, hand, chips = play.match, play.hand, play.chips
    row, street = hand[b.ROW], code - events.FLOP + 1
    if hand[b.FOLDED] >= 0 or hand[b.DEALT] < 2 or hand[b.AWARDED] or street != hand[b.STREET] + 1:
        misplaced(sheets, play, line, -1)
        return
    if not hand[b.CLOSED]:
        find(sheets, row, line, -1, findings.STREET, 0, 0)
        hand[b.BROKEN] += 1
    b.next_street(hand, chips)
    count, due = values[at], street + 2
    if count != due:
        find(sheets, row, line, -1, findings.BOARD_SIZE, due, count)
    for k in range(min(count, due)):
        card = values[at + 1 + k]
        if k < hand[b.BOARD_SIZE]:
            if card != play.board[k]:
                find(sheets, row, line, -1, findings.BOARD, play.board[k], card)
        else:
            if _repeated(play, card):
                find(sheets, row, line, -1, findings.DECK, -1, card)
            play.board[hand[b.BOARD_SIZE]] = card
            hand[b.BOARD_SIZE] += 1
    at += count + 1
    for k in range(2):
        seat = hand[b.DEALER] if k == 0 else 1 - hand[b.DEALER]
        named, put = values[at + 2 * k], values[at + 2 * k + 1]
        if named != seat and not match[s.SAME_NAMES]:
            find(sheets, row, line, named, findings.SEATS, seat, named)
        if put != chips[b.PUT, seat]:
            find(sheets, row, line, seat, findings.CONTRIBUTION, chips[b.PUT, seat], put)
    _note_line(play, line)
    hand[b.STACKS_DUE] = match[s.PRINTS_STACKS] * line


@kernel
def stacks(sheets: Sheets, play: Play, line: int, values: NDArray, at: int) -> None:
    """What is left in front of each player, dealer first; printed directly after the street."""
    hand = play.hand
    if not hand[b.STACKS_DUE]:
        misplaced(sheets, play, line, -1)
        return
    hand[b.STACKS_DUE] = 0
    for k in range(2):
        seat = hand[b.DEALER] if k == 0 else 1 - hand[b.DEALER]
        left = play.match[s.STACK] - play.chips[b.PUT, seat]
        if values[at + k] != left:
            find(sheets, hand[b.ROW], line, seat, findings.STACKS, left, values[at + k])


@kernel
def show(sheets: Sheets, play: Play, line: int, named: int, values: NDArray, at: int) -> None:
    """Both hands are shown at a showdown, the dealer's first."""
    hand = play.hand
    at_showdown = hand[b.FOLDED] < 0 and hand[b.CLOSED] and hand[b.BOARD_SIZE] >= s.BOARD_DUE
    if not at_showdown or hand[b.AWARDED] or hand[b.SHOWN] == 3:
        find(sheets, hand[b.ROW], line, named, findings.SHOW_UNASKED, 0, 0)
        return
    seat = hand[b.DEALER] if hand[b.SHOWN] == 0 else 1 - hand[b.DEALER]
    if named != seat and not play.match[s.SAME_NAMES]:
        find(sheets, hand[b.ROW], line, named, findings.SEATS, seat, named)
    if values[at] != play.holes[seat, 0]:
        find(sheets, hand[b.ROW], line, seat, findings.DEAL, play.holes[seat, 0], values[at])
    for k in range(min(values[at], play.holes[seat, 0])):
        if values[at + 1 + k] != play.holes[seat, 1 + k]:
            find(sheets, hand[b.ROW], line, seat, findings.SHOW, play.holes[seat, 1 + k], values[at + 1 + k])
    hand[b.SHOWN] |= 1 << seat


@kernel
def award(sheets: Sheets, play: Play, line: int, named: int, amount: int) -> None:
    """The change of each bankroll, dealer first; `settling` says whether it is right."""
    hand = play.hand
    at_showdown = hand[b.CLOSED] and hand[b.BOARD_SIZE] >= s.BOARD_DUE
    if hand[b.AWARDED] > 1 or (hand[b.AWARDED] == 0 and hand[b.FOLDED] < 0 and not at_showdown):
        misplaced(sheets, play, line, named)
        if hand[b.AWARDED] > 1:
            return
    seat = hand[b.DEALER] if hand[b.AWARDED] == 0 else 1 - hand[b.DEALER]
    if named != seat and not play.match[s.SAME_NAMES]:
        find(sheets, hand[b.ROW], line, named, findings.SEATS, seat, named)
    play.chips[b.AWARD, seat] = amount
    play.marks[s.AWARD_LINE] = play.marks[s.AFTER_LINE] = line
    hand[b.AWARDED] += 1


@kernel
def fault(sheets: Sheets, play: Play, line: int, named: int, code: int, values: NDArray, at: int) -> None:
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
    if (code == events.GONE or code == events.LATE) and seat >= 0:
        match[s.GONE_0 + seat] = 1
    if betting:
        actor = b.actor(hand)
        if seat != actor:
            find(sheets, hand[b.ROW], line, seat, findings.TURN, actor, seat)
        call = b.to_call(chips, actor)
        possible = code != events.ILLEGAL_CHECK or call > 0
        possible = possible and (code != events.ILLEGAL_CALL or call == 0)
        possible = possible and (code != events.ILLEGAL_FOLD or call == 0)
        if not possible:
            find(sheets, hand[b.ROW], line, seat, findings.FAULT, 0, 0)
        hand[b.PENDING] = seat
    elif hand[b.AWARDED] != 2:
        misplaced(sheets, play, line, named)


@kernel
def counts(sheets: Sheets, play: Play, line: int, values: NDArray, at: int) -> None:
    """The bankrolls after the hand, dealer first."""
    hand, chips = play.hand, play.chips
    if hand[b.AWARDED] != 2 or hand[b.COUNTED]:
        misplaced(sheets, play, line, -1)
        return
    for k in range(2):
        seat = hand[b.DEALER] if k == 0 else 1 - hand[b.DEALER]
        named, bank = values[at + 2 * k], values[at + 2 * k + 1]
        if named != seat and not play.match[s.SAME_NAMES]:
            find(sheets, hand[b.ROW], line, named, findings.SEATS, seat, named)
        if bank != chips[b.CARRY, seat]:
            find(sheets, hand[b.ROW], line, seat, findings.COUNTS, chips[b.CARRY, seat], bank)
    hand[b.COUNTED] = 1


@kernel
def bounties(sheets: Sheets, play: Play, line: int, values: NDArray, at: int) -> None:
    """Both ranks, the dealer's first; drawn anew every 25 rounds."""
    match, hand = play.match, play.hand
    if hand[b.POSTED] or match[s.GAME] != bounty.CODE:
        misplaced(sheets, play, line, -1)
        return
    if (hand[b.NUMBER] - 1) % bounty.ROUNDS_PER_BOUNTY:
        find(sheets, hand[b.ROW], line, -1, findings.BOUNTIES, 0, hand[b.NUMBER])
    for k in range(2):
        seat = hand[b.DEALER] if k == 0 else 1 - hand[b.DEALER]
        if values[at + 2 * k + 1] != seat and not match[s.SAME_NAMES]:
            find(sheets, hand[b.ROW], line, values[at + 2 * k + 1], findings.SEATS, seat, values[at + 2 * k + 1])
        match[s.RANK_0 + seat] = values[at + 2 * k]
