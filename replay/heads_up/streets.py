"""The cards of a heads-up hand after the deal: any number of streets, and the lines that games print after them."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare, step
from ...parsers import events
from ...parsers.reading import Events
from .. import betting as b
from .. import findings, records
from ..findings import Report
from ..games import ALL_INS_BY_EQUITY, BOUNTIES
from ..records import Sheets, fill
from . import bets_ev, steps
from . import state as s
from .redraws import board_again
from .rows import changed_card, changes, misplaced, see
from .state import (
    Engines,
    Play,
    betting_street,
    credited,
    credited_pair,
    find,
    runs_unseen,
    seat_in_order,
)
from .table_rows import ends_limped, first_turn

_RANKS = 13
_IN_NO_HAND = (events.ROUND, events.FINAL, events.MARKER, events.BLIND, events.DEALT)
"""Lines that end a hand's actions."""


@part
def note_line(play: Play, line: int) -> None:
    """Another card event of the hand."""
    if play.lines[0] < len(play.lines) - 1:
        play.lines[0] += 1
        play.lines[play.lines[0]] = line


@part
def _learn(ranks: NDArray[np.int8], rank: int, counts_as: int) -> None:
    """Note what a rank counts as, in a log without its first lines."""
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
            if report.match["seam"] & s.SEAM_PERMUTATION:
                # Another log's permutation is learned from the next hand on.
                report.match["seam"] &= ~s.SEAM_PERMUTATION
                report.hand["broken"] += 1
                fill(ranks, -1)
            return


@rare
def permutation(play: Play, values: NDArray[np.int64], at: int) -> None:
    """Read what each rank from 2 to A counts as, from the lines above the first hand."""
    for rank in range(_RANKS):
        _learn(play.ranks, rank, values[at + rank])


@part
def board_due(match: np.void, street: int) -> int:
    """The number of board cards in a street."""
    last = match["last_street"]
    cards: int = match["boards"][min(street, last)] + max(street - last, 0)
    return cards


@part
def goes_on(match: np.void, card: int) -> bool:
    """True if a run continues after a card."""
    on: bool = match["runs"] >> card & 1 > 0
    return on


@rare
def fits_names(found: Events, first: int, last: int, play: Play, streets: NDArray[np.int64]) -> bool:
    """True if the hand's lines from an event on agree about the chips, if every action is the named player's.

    They do where an engine has other rules of turn. Where lines are lost or another log's, chips hardly agree.
    """
    match, values = play.match, found.values
    if (
        match["same_names"]
        or match["rows"]
        or match["auctions"]
        or match["discards"]
        or match["exchanges"]
        or match["steps"]
    ):
        return False
    pip_0, pip_1 = play.hand["pip"][0, 0], play.hand["pip"][0, 1]
    put_0, put_1 = play.hand["spent"][0] - pip_0, play.hand["spent"][1] - pip_1
    folded, reached = -1, play.hand["street"]
    for k in range(first, last):
        code, at = found.codes[k] + 0, found.args[k] + 0
        if code == events.AWARD or code == events.SWAP_AWARD:
            seat, award = values[at], float(values[at + 1])
            lost = put_0 + pip_0 if folded == 0 else put_1 + pip_1
            fits: bool = match["payout"] == BOUNTIES or award == (-lost if seat == folded else lost)
            if folded < 0:
                fits = put_0 + pip_0 == put_1 + pip_1 and reached >= match["last_street"]
            return fits
        if events.FOLD <= code <= events.RAISE or code == events.AMOUNT_ONLY:
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
            follows = streets[code] == reached + 1 or min(streets[code], reached + 1) > match["last_street"]
            if folded >= 0 or not follows:
                return False
            put_0, put_1 = put_0 + pip_0, put_1 + pip_1
            pip_0 = pip_1 = 0.0
            reached += 1
            if code < events.BARE_FLOP:
                at += values[at] + 1
                if match["permutes"]:
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
    """True if the betting is over as a street or the showdown comes, or was not to be by this engine's rules."""
    hand = play.hand
    if not hand["closed"]:
        if not hand["loose"]:
            if not fits_names(found, first, last, play, streets):
                return False
            find(play.report, line, -1, findings.STREET_EARLY, 0.0, 0.0)
            hand["loose"] = 1
        hand["closed"] = 1
    return True


@rare
def stops_run(play: Play, line: int) -> None:
    """Report a showdown although another card is due."""
    hand = play.hand
    unpaid = hand["folded"] < 0 and hand["awarded"] == 0
    if (
        unpaid
        and hand["closed"]
        and not hand["on_last_street"]
        and hand["street"] >= play.match["last_street"]
    ):
        find(play.report, line, -1, findings.RUN_STOPS, 0.0, float(play.board[hand["board_size"] - 1]))
        hand["on_last_street"] = 1


@rare
def owed(report: Report) -> None:
    """Report the lines that are due directly after a street and are missing, as another line follows."""
    hand = report.hand
    if hand["stacks_due"]:
        find(report, hand["stacks_due"], -1, findings.STACKS_MISSING, 0.0, 0.0)
    if hand["holes_due"]:
        find(report, hand["holes_due"], -1, findings.HOLE_MISSING, 2.0, float(hand["holes_printed"]))
    hand["stacks_due"] = hand["holes_due"] = 0


@part
def check_contributions(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """Compare what a street's line says that each player has put into the pot: player, chips, player, chips."""
    hand = play.hand
    first = credited_pair(play.report, line, values[at], values[at + 2], hand["dealer"])
    for k in range(2):
        seat, put = first if k == 0 else 1 - first, values[at + 2 * k + 1]
        if put != hand["spent"][seat]:
            find(play.report, line, seat, findings.CONTRIBUTION, hand["spent"][seat], float(put))


@part
def check_pot(play: Play, line: int, chips: int) -> None:
    """Compare the chips that a street's line says are in the pot."""
    pot = b.pot(play.hand, 0)
    if chips != pot and chips != events.NOT_SAID:
        find(play.report, line, -1, findings.POT, pot, float(chips))


@step
def street(
    found: Events,
    event: int,
    last_event: int,
    engines: Engines,
    sheets: Sheets,
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
    if hand["stacks_due"] or hand["holes_due"]:
        owed(play.report)
    following, last = hand["street"] + 1, match["last_street"]
    due = board_due(match, following)
    fits = (street == following or (street > last and following > last)) and due <= s.MOST_BOARD_CARDS
    # Engines that pay such a hand by equity had others before them, which dealt on.
    unseen = match["payout"] != ALL_INS_BY_EQUITY and runs_unseen(match, hand)
    if hand["folded"] >= 0 or hand["dealt"] < 2 or hand["awarded"] or not fits or unseen:
        misplaced(play.report, line, -1)
        return
    if following > 1 and hand["bids"] == 2 and not hand["auctioned"]:
        row = find(play.report, line, -1, findings.NO_FLOP_BETTING, 0.0, 0.0)
        play.report.findings[row]["explained"] = match["explains_no_flop"]
        hand["auctioned"] = hand["closed"] = 1
    if match["rows"]:
        ends_limped(play, line)
    if not ends_betting(found, event, last_event, play, engines.streets, line):
        find(play.report, line, -1, findings.STREET, 0.0, 0.0)
        hand["broken"] += 1
    if match["steps"]:
        steps.finish(play, engines, line, following)
    size = hand["board_size"]
    if following > last and size > 0 and not goes_on(match, play.board[size - 1]):
        find(play.report, line, -1, findings.RUN, 0.0, float(play.board[size - 1]))
    if following == last + 1:
        chips["before_run"][0], chips["before_run"][1] = hand["spent"][0], hand["spent"][1]
        hand["run_lines"] = 0
    b.next_street(hand)
    hand["discarded"] = hand["passed"] = hand["betting"] = 0
    if match["rows"]:
        hand["turn"] = hand["opened"] = first_turn(match, hand)
        hand["raised_by"] = 0.0
    if match["discards"] and following == s.SECOND_DISCARD:
        hand["turn"] = 0
    if match["ev_rule"] == bets_ev.STREET:
        bets_ev.note(play, 1, 2)
    if bare:
        if not hand["bare_line"]:
            hand["bare_line"] = line
            row = find(play.report, line, -1, findings.BARE, 0.0, 0.0)
            play.report.findings[row]["explained"] = match["explains_bare"]
    else:
        count = values[at]
        if count != due:
            find(play.report, line, -1, findings.BOARD_SIZE, float(due), float(count))
        alike = True
        for k in range(min(count, due)):
            card = values[at + 1 + k]
            if k >= hand["board_size"]:
                see(play.report, line, -1, card)
                play.board[hand["board_size"]] = card
                hand["board_size"] += 1
            elif hand["replaced"] >> k & 1:
                if not board_again(sheets, play, line, k, card) and alike:
                    alike = False
                    find(play.report, line, -1, findings.BOARD, float(play.replaced[k]), float(card))
            elif card != play.board[k] and alike:
                alike = False
                find(play.report, line, -1, findings.BOARD, float(play.board[k]), float(card))
        if match["permutes"]:
            permuted(play.report, play.ranks, line, values, at, at + count + 1)
            at += values[at + count + 1] + 1
        if found.codes[event] >= events.POT_FLOP:
            check_pot(play, line, values[at + count + 1] + 0)
        else:
            check_contributions(play, line, values, at + count + 1)
        hand["stacks_due"] = match["prints"][s.STACK_LINES] * line
    if hand["ahead"]:
        steps.check_ahead(play, line, size)
    size = hand["board_size"]
    hand["on_last_street"] = following >= last and not (size > 0 and goes_on(match, play.board[size - 1]))
    if match["changes"] and following < last:
        hand["holes_due"], hand["holes_printed"], hand["holder"] = line, 0, 0
    if match["exchanges"]:
        # No street deals a card.
        return
    if not match["discards"] or betting_street(match, following) > 1 or following == 1:
        note_line(play, line)


@step
def stacks(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """The chips left in front of each player, dealer first; printed directly after the street."""
    hand = play.hand
    if not hand["stacks_due"]:
        misplaced(play.report, line, -1)
        return
    hand["stacks_due"] = 0
    for k in range(2):
        seat = seat_in_order(hand, k)
        left = b.left(play.hand, seat)
        if values[at + k] != left:
            find(play.report, line, seat, findings.STACKS, left, float(values[at + k]))


@step
def hole(sheets: Sheets, play: Play, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """A player's hole cards after a street, the dealer's first: each may have been exchanged."""
    hand = play.hand
    if not hand["holes_due"]:
        misplaced(play.report, line, named)
        return
    due = seat_in_order(hand, hand["holes_printed"])
    seat = credited(play.report, line, named, due, hand["holder"] == named + 1, findings.SEATS)
    hand["holes_printed"] += 1
    hand["holder"] = named + 1 if hand["holes_printed"] == 1 else 0
    if hand["holes_printed"] == 2:
        hand["holes_due"] = 0
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


@rare
def run_line(play: Play, line: int, reached: bool, named: int, amount: int) -> None:
    """Directly after the awards: that a run was reached, then what each player won in it, dealer first."""
    hand = play.hand
    read = hand["run_lines"]
    if hand["awarded"] < 2 or hand["paid"] or reached != (read == 0) or read == s.RUN_LINES_DUE:
        misplaced(play.report, line, named)
        return
    hand["run_lines"] += 1
    if reached:
        hand["run_line"] = line
        return
    again = read == s.RUN_LINES_DUE - 1 and hand["run_named"] == named + 1
    seat = credited(play.report, line, named, seat_in_order(hand, read - 1), again, findings.SEATS)
    hand["run_named"] = named + 1
    if seat < 0:
        return
    play.chips["run_won"][seat] = amount
    play.marks[s.AFTER_LINE] = line
