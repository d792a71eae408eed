"""The cards of a heads-up hand after the deal: streets of any number, and what games print directly after them."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from ...parsers import events
from ...parsers.reading import Events
from .. import findings, records
from ..evaluator import is_red
from ..games import BOUNTIES
from ..records import Sheets, fill
from . import bets_ev
from . import betting as b
from . import state as s
from .state import Engines, Play, Report, betting_street, credited, credited_pair, find, seat_in_order

_RANKS = 13
_IN_NO_HAND = (events.ROUND, events.FINAL, events.MARKER, events.BLIND, events.DEALT)
"""Lines after which the actions are not one hand's."""


@part
def see(report: Report, line: int, seat: int, card: int) -> None:
    """A card comes out of the deck, which has each card once."""
    if report.hand[b.SEEN] >> card & 1:
        find(report, line, seat, findings.DECK, -1.0, float(card))
    report.hand[b.SEEN] |= 1 << card


@part
def note_line(play: Play, line: int) -> None:
    """Another card event of the hand."""
    if play.lines[0] < len(play.lines) - 1:
        play.lines[0] += 1
        play.lines[play.lines[0]] = line


@part
def _learn(ranks: NDArray[np.int8], rank: int, counts_as: int) -> None:
    """Note what a rank counts as, where a log without its first lines does not say so."""
    for other in range(_RANKS):
        if ranks[other] == counts_as:
            return
    if ranks[rank] < 0:
        ranks[rank] = counts_as


@part
def permuted(
    report: Report, ranks: NDArray[np.int8], line: int, values: NDArray[np.int64], at: int, again: int
) -> None:
    """Cards that are printed twice: as dealt (count at `at`), then as they count (count at `again`)."""
    count = values[at]
    if values[again] != count:
        find(report, line, -1, findings.DEAL, float(count), float(values[again]))
        return
    for k in range(1, count + 1):
        card, counts_as = values[at + k], values[again + k]
        _learn(ranks, card // 4, counts_as // 4)
        due = 4 * ranks[card // 4] + card % 4 if ranks[card // 4] >= 0 else -1
        if counts_as != due:
            find(report, line, -1, findings.PERMUTED, float(due), float(counts_as))
            if report.match[s.SEAM] & s.SEAM_PERMUTATION:
                # That of another log is learned from the next hand on.
                report.match[s.SEAM] &= ~s.SEAM_PERMUTATION
                report.hand[b.BROKEN] += 1
                fill(ranks, -1)
            return


@step
def permutation(play: Play, values: NDArray[np.int64], at: int) -> None:
    """What each rank from 2 to A counts as, in the lines above the first hand."""
    for rank in range(_RANKS):
        _learn(play.ranks, rank, values[at + rank])


@part
def board_due(match: NDArray[np.int64], street: int) -> int:
    """How many cards are on the board in a street."""
    last = match[s.LAST_STREET]
    cards: int = match[s.BOARDS + min(street, last)] + max(street - last, 0)
    return cards


@part
def goes_on(match: NDArray[np.int64], card: int) -> bool:
    """True where a run goes on after a card."""
    return match[s.RUNS] > 0 and is_red(card)


@part
def fits_names(found: Events, first: int, last: int, play: Play, streets: NDArray[np.int64]) -> bool:
    """True where the hand's lines from an event on agree about the chips, if every action is the named player's.

    They do where an engine has other rules of turn. Where lines are lost or another log's, chips hardly agree.
    """
    match, values = play.match, found.values
    if match[s.SAME_NAMES] or match[s.AUCTIONS] or match[s.DISCARDS]:
        return False
    pip_0, pip_1 = play.chips[b.PIP, 0] + 0, play.chips[b.PIP, 1] + 0
    put_0, put_1 = play.chips[b.PUT, 0] - pip_0, play.chips[b.PUT, 1] - pip_1
    folded, reached = -1, play.hand[b.STREET] + 0
    for k in range(first, last):
        code, at = found.codes[k] + 0, found.args[k] + 0
        if code == events.AWARD or code == events.SWAP_AWARD:
            seat, award = values[at], float(values[at + 1])
            lost = put_0 + pip_0 if folded == 0 else put_1 + pip_1
            fits: bool = match[s.PAYOUT] == BOUNTIES or award == (-lost if seat == folded else lost)
            if folded < 0:
                fits = put_0 + pip_0 == put_1 + pip_1 and reached >= match[s.LAST_STREET]
            return fits
        if events.FOLD <= code <= events.RAISE:
            if folded >= 0:
                return False
            seat = values[at]
            own, other = (pip_0, pip_1) if seat == 0 else (pip_1, pip_0)
            if code == events.FOLD:
                folded = seat + 0
            elif code == events.CALL:
                own = other
            elif code >= events.BET:
                own = float(values[at + 1])
            if seat == 0:
                pip_0 = own
            else:
                pip_1 = own
        elif streets[code] > 0:
            follows = streets[code] == reached + 1 or min(streets[code], reached + 1) > match[s.LAST_STREET]
            if folded >= 0 or not follows:
                return False
            put_0, put_1 = put_0 + pip_0, put_1 + pip_1
            pip_0 = pip_1 = 0.0
            reached += 1
            if code < events.BARE_FLOP:
                at += values[at] + 1
                if match[s.PERMUTES]:
                    at += values[at] + 1
                own, other = (put_0, put_1) if values[at] == 0 else (put_1, put_0)
                if values[at + 1] != own or values[at + 3] != other:
                    return False
        elif code in _IN_NO_HAND:
            return False
    return False


@part
def ends_betting(
    found: Events, first: int, last: int, play: Play, streets: NDArray[np.int64], line: int
) -> bool:
    """True where the betting is over as a street or the showdown comes, or was not to be by this engine's rules."""
    hand = play.hand
    if not hand[b.CLOSED]:
        if not hand[b.LOOSE]:
            if not fits_names(found, first, last, play, streets):
                return False
            find(play.report, line, -1, findings.STREET_EARLY, 0.0, 0.0)
            hand[b.LOOSE] = 1
        hand[b.CLOSED] = 1
    return True


@part
def stops_run(play: Play, line: int) -> None:
    """The showdown comes although the last card is red, after which another is due."""
    hand = play.hand
    unpaid = hand[b.FOLDED] < 0 and hand[b.AWARDED] == 0
    if unpaid and hand[b.CLOSED] and not hand[b.LAST] and hand[b.STREET] >= play.match[s.LAST_STREET]:
        find(play.report, line, -1, findings.RUN_STOPS, 0.0, float(play.board[hand[b.BOARD_SIZE] - 1]))
        hand[b.LAST] = 1


@part
def owed(report: Report) -> None:
    """What is due directly after a street is not there and another line follows."""
    hand = report.hand
    if hand[b.STACKS_DUE]:
        find(report, hand[b.STACKS_DUE], -1, findings.STACKS_MISSING, 0.0, 0.0)
    if hand[b.HOLES_DUE]:
        find(report, hand[b.HOLES_DUE], -1, findings.HOLE_MISSING, 2.0, float(hand[b.HOLES_PRINTED]))
    hand[b.STACKS_DUE] = hand[b.HOLES_DUE] = 0


@step
def street(
    found: Events,
    event: int,
    last_event: int,
    engines: Engines,
    play: Play,
    line: int,
    street: int,
    bare: bool,
    at: int,
) -> None:
    """A street line: the whole board, then what each player has put into the pot, dealer first.

    event, last_event: the line's and where the match's end. street: that the line names; all those of a run have
    one name. bare: the line says nothing else.
    """
    values = found.values
    match, hand, chips = play.match, play.hand, play.chips
    if hand[b.STACKS_DUE] or hand[b.HOLES_DUE]:
        owed(play.report)
    following, last = hand[b.STREET] + 1, match[s.LAST_STREET]
    due = board_due(match, following)
    fits = (street == following or (street > last and following > last)) and due <= s.MOST_BOARD_CARDS
    if hand[b.FOLDED] >= 0 or hand[b.DEALT] < 2 or hand[b.AWARDED] or not fits:
        find(play.report, line, -1, findings.MISPLACED, 0.0, 0.0)
        hand[b.BROKEN] += 1
        return
    if following > 1 and hand[b.BIDS] == 2 and not hand[b.AUCTIONED]:
        row = find(play.report, line, -1, findings.NO_FLOP_BETTING, 0.0, 0.0)
        play.report.findings[row]["explained"] = match[s.EXPLAINS_NO_FLOP]
        hand[b.AUCTIONED] = hand[b.CLOSED] = 1
    if not ends_betting(found, event, last_event, play, engines.streets, line):
        find(play.report, line, -1, findings.STREET, 0.0, 0.0)
        hand[b.BROKEN] += 1
    size = hand[b.BOARD_SIZE]
    if following > last and size > 0 and not goes_on(match, play.board[size - 1]):
        find(play.report, line, -1, findings.RUN, 0.0, float(play.board[size - 1]))
    if following == last + 1:
        chips[b.BEFORE_RUN, 0], chips[b.BEFORE_RUN, 1] = chips[b.PUT, 0], chips[b.PUT, 1]
        hand[b.RUN_LINES] = 0
    b.next_street(hand, chips)
    hand[b.GIVEN] = 0
    if match[s.DISCARDS] and following == s.SECOND_DISCARD:
        hand[b.TURN] = 0
    if match[s.EV_RULE] == bets_ev.STREET:
        bets_ev.note(play, 1, 2)
    if bare:
        if not hand[b.BARE]:
            hand[b.BARE] = line
            row = find(play.report, line, -1, findings.BARE, 0.0, 0.0)
            play.report.findings[row]["explained"] = match[s.EXPLAINS_BARE]
    else:
        count = values[at]
        if count != due:
            find(play.report, line, -1, findings.BOARD_SIZE, float(due), float(count))
        alike = True
        for k in range(min(count, due)):
            card = values[at + 1 + k]
            if k >= hand[b.BOARD_SIZE]:
                see(play.report, line, -1, card)
                play.board[hand[b.BOARD_SIZE]] = card
                hand[b.BOARD_SIZE] += 1
            elif card != play.board[k] and alike:
                alike = False
                find(play.report, line, -1, findings.BOARD, float(play.board[k]), float(card))
        if match[s.PERMUTES]:
            permuted(play.report, play.ranks, line, values, at, at + count + 1)
            at += values[at + count + 1] + 1
        at += count + 1
        first = credited_pair(play.report, line, values[at], values[at + 2], hand[b.DEALER] + 0)
        for k in range(2):
            seat, put = first if k == 0 else 1 - first, values[at + 2 * k + 1]
            if put != chips[b.PUT, seat]:
                find(play.report, line, seat, findings.CONTRIBUTION, chips[b.PUT, seat], float(put))
        hand[b.STACKS_DUE] = match[s.PRINTS_STACKS] * line
    size = hand[b.BOARD_SIZE]
    hand[b.LAST] = following >= last and not (size > 0 and goes_on(match, play.board[size - 1]))
    if match[s.CHANGES] and following < last:
        hand[b.HOLES_DUE], hand[b.HOLES_PRINTED], hand[b.HOLDER] = line, 0, 0
    if not match[s.DISCARDS] or betting_street(match, following) > 1 or following == 1:
        note_line(play, line)


@step
def stacks(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """What is left in front of each player, dealer first; printed directly after the street."""
    hand = play.hand
    if not hand[b.STACKS_DUE]:
        find(play.report, line, -1, findings.MISPLACED, 0.0, 0.0)
        hand[b.BROKEN] += 1
        return
    hand[b.STACKS_DUE] = 0
    for k in range(2):
        seat = seat_in_order(hand, k)
        left = play.match[s.STACK] - play.chips[b.PUT, seat]
        if values[at + k] != left:
            find(play.report, line, seat, findings.STACKS, left, float(values[at + k]))


@part
def changes(sheets: Sheets, play: Play, line: int, seat: int, kind: int) -> None:
    """A player's hole cards are about to change for the first time or again: begin the row of the change."""
    hand = play.hand
    if not hand[b.CHANGED] >> seat & 1:
        for k in range(play.dealt.shape[1]):
            play.dealt[seat, k] = play.holes[seat, k]
    hand[b.CHANGED] |= 1 << seat
    row = sheets.changes[records.next_row(sheets.used, records.CHANGES, len(sheets.changes))]
    row["hand"], row["line"], row["seat"] = hand[b.ROW], line, seat
    # A showdown may be the first to tell the card won on the flop.
    row["street"] = 1 if kind == records.AUCTION else betting_street(play.match, hand[b.STREET])
    row["kind"], row["count"] = kind, 0


@part
def changed_card(sheets: Sheets, card: int) -> None:
    """Another card of the change begun last."""
    sheets.changed[records.next_row(sheets.used, records.CHANGED, len(sheets.changed))] = card
    sheets.changes[sheets.used[records.CHANGES] - 1]["count"] += 1


@step
def hole(sheets: Sheets, play: Play, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """A player's hole cards after a street, the dealer's first: each may have been exchanged."""
    hand = play.hand
    if not hand[b.HOLES_DUE]:
        find(play.report, line, named, findings.MISPLACED, 0.0, 0.0)
        hand[b.BROKEN] += 1
        return
    due = seat_in_order(hand, hand[b.HOLES_PRINTED])
    seat = credited(play.report, line, named, due, hand[b.HOLDER] == named + 1, findings.SEATS)
    hand[b.HOLES_PRINTED] += 1
    hand[b.HOLDER] = named + 1 if hand[b.HOLES_PRINTED] == 1 else 0
    if hand[b.HOLES_PRINTED] == 2:
        hand[b.HOLES_DUE] = 0
    if seat < 0:
        return
    count, held = values[at], play.holes[seat, 0]
    if count != held:
        find(play.report, line, seat, findings.DEAL, float(held), float(count))
    begun = False
    for k in range(1, min(count, held) + 1):
        card = values[at + k]
        if card != play.holes[seat, k]:
            if not begun:
                changes(sheets, play, line, seat, records.SWAP)
            begun = True
            see(play.report, line, seat, card)
            play.holes[seat, k] = card
            changed_card(sheets, card)


@step
def run_line(play: Play, line: int, reached: bool, named: int, amount: int) -> None:
    """Directly after the awards: that a run was reached, then what each player won in it, dealer first."""
    hand = play.hand
    read = hand[b.RUN_LINES]
    if hand[b.AWARDED] < 2 or hand[b.SETTLED] or reached != (read == 0) or read == b.RUN_LINES_DUE:
        find(play.report, line, named, findings.MISPLACED, 0.0, 0.0)
        hand[b.BROKEN] += 1
        return
    hand[b.RUN_LINES] += 1
    if reached:
        hand[b.RUN_LINE] = line
        return
    again = read == b.RUN_LINES_DUE - 1 and hand[b.RUN_NAMED] == named + 1
    seat = credited(play.report, line, named, seat_in_order(hand, read - 1), again, findings.SEATS)
    hand[b.RUN_NAMED] = named + 1
    if seat < 0:
        return
    play.chips[b.RUN_WON, seat] = amount
    play.marks[s.AFTER_LINE] = line
