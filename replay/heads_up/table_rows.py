"""Tables whose rows are actions: everything else follows from the rules and from the next row.

A player discards cards, with or without replacement. An illegal answer is printed unchanged, is the last of its hand
and counts as a fold. A hand's result follows from the next hand's bankrolls; no row has the last hand's result.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare, step
from ...parsers import events
from ...parsers.reading import Events
from .. import betting as b
from .. import findings, records
from ..records import Sheets
from . import state as s
from .rows import changed_card, changes, choose, misplaced, see, write_fault
from .state import Play, find

BANK, HOLE, BOARD, GIVEN, UNREAD, LOST_HAND = range(6)
"""The subjects of `events.CONTRADICTS`; the last two are an unreadable row, and a hand of such rows only."""
FLOP: Final = 1
LEADS_OTHER, LEADS_DEALER, LEADS_FIRST_SEAT = range(3)
"""The first to act on later streets: the dealer's opponent, the dealer, or always the first seat."""


@part
def first_turn(match: np.void, hand: np.void) -> int:
    """The turn with which a street after the first begins."""
    leads = match["leads"]
    if leads == LEADS_FIRST_SEAT:
        return int(hand["dealer"] != 0)
    return int(leads == LEADS_OTHER)


@part
def keeping_due(play: Play) -> bool:
    """True if a player must choose the cards to keep."""
    hand = play.hand
    due: bool = (
        play.match["keeps"] > 0 and hand["street"] == FLOP and hand["passed"] < 2 and not hand["closed"]
    )
    return due and hand["folded"] < 0


@part
def _is_last(found: Events, event: int, last: int) -> bool:
    """True for a hand's last row."""
    return event + 1 < last and found.codes[event + 1] == events.AWARD


@part
def _has_result(found: Events, event: int) -> bool:
    """True if the bankrolls after a hand's last row are known."""
    told: bool = found.values[found.args[event + 1] + 1] != events.NOT_SAID
    return told


@rare
def contradicts(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """Report a cell that contradicts the row above, or an unreadable row of the hand."""
    seat, what, due, said = values[at] + 0, values[at + 1], values[at + 2], values[at + 3]
    if what == UNREAD:
        find(play.report, line, -1, findings.ROW_UNREAD, 0.0, 0.0)
        return
    rule = findings.BANK_CHANGES
    if what != BANK:
        if said < 0 or (due < 0 and what != GIVEN):
            misplaced(play.report, line, seat)
            return
        rule = findings.SHOW if what == HOLE else findings.BOARD if what == BOARD else findings.DISCARD
    find(play.report, line, seat, rule, float(due), float(said))


@rare
def lost_hand(match: np.void, number: int) -> None:
    """Note a hand without a readable row, if it is the next hand: the hand after it is then in sequence."""
    if number == max(match["last_number"], match["lost_number"]) + 1:
        match["lost_number"] = number
        match["whole"] = 0


@rare
def _refuse(sheets: Sheets, play: Play, line: int, seat: int, code: int, amount: int) -> None:
    """Apply an answer that the engine refuses: a fold."""
    write_fault(sheets, play, line, seat, code, records.storable(amount), 0)
    choose(sheets, play, line, seat, records.FOLD, records.SUBSTITUTE, np.nan)
    b.fold(play.hand, 0, seat)
    b.after_turn(play.hand, True)


@part
def _least_by_double(play: Play, seat: int) -> float:
    """The minimum raise of an engine that requires as much as the last raiser put in on the street."""
    hand, match = play.hand, play.match
    raised = hand["level"][0] > (1 if hand["street"] == 0 else 0)
    least = float(hand["pip"][0, 1 - seat]) if raised else float(match["big_blind"])
    left: float = match["stack"] - max(hand["spent"][0], hand["spent"][1])
    return min(least, left)


@part
def _fault_of(play: Play, seat: int, code: int, raise_to: float) -> int:
    """The fault of an action by the rules, 0 for a legal one."""
    hand = play.hand
    call = b.to_call(hand, 0, seat)
    own, other = b.left(hand, seat), b.left(hand, 1 - seat)
    if code == events.CALL:
        return events.ILLEGAL_CALL if call == 0 else 0
    if code == events.CHECK:
        return events.ILLEGAL_CHECK if call > 0 else 0
    most = b.largest_raise(hand, 0, seat, own, other)
    least = b.smallest_raise(hand, 0, seat, own, other, float(play.match["big_blind"]))
    # If a call did not end the betting, nothing is to call, and the last raise still counts.
    least = max(least, min(b.faced(hand, 0, seat) + hand["raised_by"], most))
    fits = b.may_raise(hand, 0, seat, own, other) and least <= raise_to <= most
    return 0 if fits else events.ILLEGAL_RAISE_BY


@rare
def _is_refused(
    found: Events, event: int, sheets: Sheets, play: Play, line: int, seat: int, code: int, raise_to: float
) -> bool:
    """Apply a hand's last action as a fold where the engine refused it; False if it took it."""
    hand, match = play.hand, play.match
    by = int(raise_to - b.faced(hand, 0, seat)) if code >= events.BET else 0
    fault = _fault_of(play, seat, code, raise_to)
    if fault == 0 and code >= events.BET:
        doubled = _least_by_double(play, seat)
        if by < doubled:
            row = find(play.report, line, seat, findings.DOUBLED, doubled, float(by))
            play.report.findings[row]["explained"] = match["explains_doubled"]
            fault = events.ILLEGAL_RAISE_BY
        elif hand["street"] > 0 and by == 1 and b.left(hand, seat) == 1 and _has_result(found, event):
            row = find(play.report, line, seat, findings.LAST_CHIP, 0.0, 0.0)
            play.report.findings[row]["explained"] = match["explains_last_chip"]
            fault = events.ILLEGAL_RAISE_BY
    if fault == 0:
        return False
    _refuse(sheets, play, line, seat, fault, by)
    return True


@part
def _is_open(play: Play, line: int, seat: int) -> bool:
    """True if a player may act: also after the small blind's call, which in some engines ends no betting."""
    hand, match = play.hand, play.match
    if hand["dealt"] < 2 or hand["folded"] >= 0 or hand["awarded"]:
        return False
    if not hand["closed"]:
        return True
    again = seat != hand["dealer"] or match["leads"] == LEADS_FIRST_SEAT
    if hand["street"] > 0 or not again or b.actor(hand) != seat:
        return False
    row = find(play.report, line, seat, findings.STREET_OPEN, 0.0, 0.0)
    play.report.findings[row]["explained"] = match["explains_open"]
    hand["closed"] = hand["settled"][0] = 0
    return True


@part
def _begins(play: Play, line: int, seat: int, own: int, other: int) -> bool:
    """Check whose turn it is and the cells of bets, which both may have the player's; False for a row out of place."""
    hand = play.hand
    if not _is_open(play, line, seat):
        misplaced(play.report, line, seat)
        return False
    if b.actor(hand) != seat:
        misplaced(play.report, line, seat)
        hand["turn"] += 1
    # The cells are in the order of the seats.
    said, beside = (own, other) if seat == 0 else (other, own)
    put = int(hand["spent"][seat])
    if said != put:
        find(play.report, line, seat, findings.CONTRIBUTION, float(put), float(said))
    elif beside != put and beside != int(hand["spent"][1 - seat]):
        find(
            play.report, line, 1 - seat, findings.CONTRIBUTION, float(hand["spent"][1 - seat]), float(beside)
        )
    return True


@step
def takes(
    found: Events, event: int, last: int, sheets: Sheets, play: Play, line: int, at: int, code: int
) -> bool:
    """What is particular to a row of a decision; False if it is dealt with, or out of place."""
    values = found.values
    seat = values[at] + 0
    if not _begins(play, line, seat, values[at + 2] + 0, values[at + 3] + 0):
        return False
    is_last = code != events.FOLD and _is_last(found, event, last)
    if keeping_due(play):
        if code == events.FOLD:
            return True
        if is_last:
            fault = code - events.FOLD + events.ILLEGAL_FOLD if code < events.BET else events.ILLEGAL_RAISE
            _refuse(sheets, play, line, seat, fault, 0)
        else:
            misplaced(play.report, line, seat)
        return False
    to = float(values[at + 1]) if code >= events.BET else 0.0
    if is_last and _is_refused(found, event, sheets, play, line, seat, code, to):
        return False
    if code >= events.BET:
        play.hand["raised_by"] = to - b.faced(play.hand, 0, seat)
    return True


@part
def raise_to(play: Play, seat: int, by: int) -> int:
    """The raise-to of a raise by so many chips over the opponent's bet."""
    return int(b.faced(play.hand, 0, seat)) + by


@rare
def discard(
    found: Events,
    event: int,
    last: int,
    sheets: Sheets,
    play: Play,
    line: int,
    values: NDArray[np.int64],
    at: int,
) -> None:
    """A player throws cards away: for the deck's next, and is still to act; or all but those that it keeps."""
    match, hand = play.match, play.hand
    seat = values[at] + 0
    if not _begins(play, line, seat, values[at + 1] + 0, values[at + 2] + 0):
        return
    keeps, thrown = match["keeps"] > 0, values[at + 3] + 0
    legal = (
        keeping_due(play) if keeps else hand["street"] < match["redraws"] and not hand["redrawn"] >> seat & 1
    )
    if _is_last(found, event, last) and (not legal or (keeps and thrown < 0)):
        _refuse(sheets, play, line, seat, events.ILLEGAL_DISCARD, 0)
        return
    choose(sheets, play, line, seat, records.DISCARD, records.CHOICE, np.nan)
    if thrown < 0:
        # The table ends here.
        return
    if thrown > 0 and not legal:
        misplaced(play.report, line, seat)
        return
    if keeps:
        _keep(sheets, play, line, seat, values, at + 3)
        hand["passed"] += 1
        hand["turn"] = hand["opened"] if hand["passed"] == 2 else hand["turn"] + 1
    elif thrown > 0:
        _draw(sheets, play, line, seat, values, at + 4)
        hand["redrawn"] |= 1 << seat


@rare
def _keep(sheets: Sheets, play: Play, line: int, seat: int, values: NDArray[np.int64], at: int) -> None:
    """Throw away the cards counted at `at`; those kept follow, in the order that they have from here on."""
    holes = play.holes[seat]
    changes(sheets, play, line, seat, records.DISCARDED)
    count = values[at] + 0
    for k in range(count):
        card, held = values[at + 1 + k] + 0, False
        for place in range(1, holes[0] + 1):
            held = held or holes[place] == card
        if not held:
            find(play.report, line, seat, findings.DISCARD, 0.0, float(card))
        changed_card(sheets, card)
    at += count + 1
    kept = values[at] + 0
    if kept != play.match["keeps"]:
        find(play.report, line, seat, findings.DEAL, float(play.match["keeps"]), float(kept))
    holes[0] = min(kept, holes[0])
    for k in range(holes[0]):
        holes[1 + k] = values[at + 1 + k]


@rare
def _draw(sheets: Sheets, play: Play, line: int, seat: int, values: NDArray[np.int64], at: int) -> None:
    """The card at `at` is replaced by the one counted behind it; then its place in the hand follows."""
    old, new, place = values[at] + 0, values[at + 2] + 0, values[at + 3] + 0
    if place >= play.holes[seat, 0] or play.holes[seat, 1 + place] != old:
        find(play.report, line, seat, findings.DISCARD, 0.0, float(old))
        return
    changes(sheets, play, line, seat, records.REDRAW)
    sheets.changes[sheets.used[records.CHANGES] - 1]["place"] = place
    see(play.report, line, seat, new)
    changed_card(sheets, old)
    changed_card(sheets, new)
    play.holes[seat, 1 + place] = new


@rare
def ends_limped(play: Play, line: int) -> None:
    """Handle a street after a limp without a decision of the big blind, as some engines play."""
    hand = play.hand
    limped = hand["street"] == 0 and hand["turn"] == 1 and hand["aggressor"][0] == b.NOBODY
    if limped and not hand["closed"] and hand["dealt"] == 2 and b.to_call(hand, 0, 1 - hand["dealer"]) == 0:
        row = find(play.report, line, 1 - hand["dealer"], findings.NO_OPTION, 0.0, 0.0)
        play.report.findings[row]["explained"] = play.match["explains_no_option"]
        hand["closed"] = 1


@part
def is_over(hand: np.void) -> bool:
    """True if the rules end the hand."""
    shown_down = hand["closed"] > 0 and hand["on_last_street"] > 0
    over: bool = hand["folded"] >= 0 or shown_down
    return over


@rare
def unsaid(play: Play, line: int) -> None:
    """Handle a hand without a result in the rows; if the hand is over, the rules give it."""
    hand = play.hand
    if is_over(hand):
        hand["awarded"], hand["unsaid"] = 2, 1
        play.marks[s.AWARD_LINE] = play.marks[s.AFTER_LINE] = line


@part
def take_written(play: Play, written: float) -> None:
    """Set the awards of a hand whose result no row has."""
    dealer = play.hand["dealer"]
    play.chips["award"][dealer], play.chips["award"][1 - dealer] = written, -written
