"""Rows that several kinds of lines write: an action with its context, the finding of a misplaced line."""

import numpy as np

from ...jit.compile import part, rare, step
from ...parsers import events
from .. import betting as b
from .. import findings, records
from ..findings import Report
from ..records import Sheets
from .state import (
    A_BID,
    A_PASS,
    BAD_AMOUNT,
    BAD_BID,
    BAD_FOLD,
    BAD_OTHER,
    BAD_PASS,
    SILENCE,
    Play,
    betting_street,
    find,
)


@rare
def misplaced(report: Report, line: int, seat: int) -> None:
    """A line that contradicts the lines before it."""
    find(report, line, seat, findings.MISPLACED, 0.0, 0.0)
    report.hand["broken"] += 1


@rare
def stray(play: Play, line: int, code: int) -> None:
    """Report a merge marker, or any other line that is misplaced in a hand."""
    if code == events.MARKER:
        find(play.report, line, -1, findings.MARKER, 0.0, 0.0)
        play.hand["broken"] += 1
    else:
        misplaced(play.report, line, -1)


@part
def act(
    sheets: Sheets,
    play: Play,
    line: int,
    board: int,
    seat: int,
    action: int,
    origin: int,
    raise_to: float,
    own: float,
) -> None:
    """Append an action row: the decision's context before the action is applied.

    own: the player's chips in the pot as the decision begins, which may be about several boards.
    """
    hand = play.hand
    if hand["seq"] >= records.MOST_ACTIONS:
        misplaced(play.report, line, seat)
        return
    street = betting_street(play.match, hand["street"])
    at = b.write_action(sheets, hand, board, seat, street, action, origin, own)
    row = sheets.actions[at]
    row["line"], row["raise_to"] = line, raise_to
    if hand["boards"] > 1:
        limit = sheets.limits[records.next_row(sheets.used, records.LIMITS, len(sheets.limits))]
        limit["act"], limit["told"] = at, 0
        limit["other"] = b.left(hand, 1 - seat)
        limit["lowest"] = limit["highest"] = limit["stack"] = limit["chance"] = np.nan


@part
def choose(
    sheets: Sheets, play: Play, line: int, seat: int, action: int, origin: int, raise_to: float
) -> None:
    """Append the row of a decision about one board."""
    act(sheets, play, line, 0, seat, action, origin, raise_to, play.hand["spent"][seat])


@step
def post(sheets: Sheets, play: Play, line: int, seat: int, blind: float) -> None:
    """A blind on every board, of the dealer, then of the opponent."""
    hand = play.hand
    own = hand["spent"][seat] + 0.0
    for board in range(hand["boards"]):
        act(sheets, play, line, board, seat, records.POST, records.FORCED, blind, own)
        if play.match["dead_antes"]:
            b.pay(hand, board, seat, blind)
        else:
            b.put(hand, board, seat, blind)
        hand["level"][board] = hand["posted"] if play.match["antes"] == 0 else 0
    hand["posted"] += 1


@part
def see(report: Report, line: int, seat: int, card: int) -> None:
    """Deal a card: a finding if it was dealt before or is not in the deck."""
    if report.hand["seen"] >> card & 1:
        lacks = report.match["not_in_deck"] >> card & 1
        find(report, line, seat, findings.NOT_IN_DECK if lacks else findings.DECK, -1.0, float(card))
    report.hand["seen"] |= 1 << card


@part
def changes(sheets: Sheets, play: Play, line: int, seat: int, kind: int) -> None:
    """A player's hole cards are about to change for the first time or again: begin the row of the change."""
    keep_dealt(play, seat)
    begin_change(sheets, play, line, seat, kind)


@part
def keep_dealt(play: Play, seat: int) -> None:
    """A player's hole cards are about to change: note what was dealt."""
    hand = play.hand
    if not hand["changed"] >> seat & 1:
        for k in range(play.dealt.shape[1]):
            play.dealt[seat, k] = play.holes[seat, k]
    hand["changed"] |= 1 << seat


@part
def begin_change(sheets: Sheets, play: Play, line: int, seat: int, kind: int) -> None:
    """Begin the row of a change, or of a look at the opponent's cards."""
    hand = play.hand
    row = sheets.changes[records.next_row(sheets.used, records.CHANGES, len(sheets.changes))]
    row["hand"], row["line"], row["seat"] = hand["row"], line, seat
    # A showdown may be the first line with the card won on the flop.
    row["street"] = 1 if kind == records.AUCTION else betting_street(play.match, hand["street"])
    row["kind"], row["count"] = kind, 0


@part
def changed_card(sheets: Sheets, card: int) -> None:
    """Another card of the change begun last."""
    sheets.changed[records.next_row(sheets.used, records.CHANGED, len(sheets.changed))] = card
    sheets.changes[sheets.used[records.CHANGES] - 1]["count"] += 1


@part
def place_of(play: Play, seat: int, card: int) -> int:
    """The place of a card in a hand, from 1; 0 if it is not known to be there."""
    holes = play.holes[seat]
    for k in range(1, holes[0] + 1):
        if holes[k] == card:
            return k
    return 0


@part
def take_card(play: Play, seat: int, place: int) -> None:
    """The card at a place leaves a hand."""
    holes, hand = play.holes[seat], play.hand
    for k in range(place, holes[0]):
        holes[k] = holes[k + 1]
    holes[0] -= 1
    if place <= hand["firm"][seat]:
        hand["firm"][seat] -= 1


@part
def look(sheets: Sheets, play: Play, line: int, seat: int, card: int) -> None:
    """A player sees a hole card of the opponent's."""
    if place_of(play, 1 - seat, card) == 0:
        find(play.report, line, seat, findings.LOOK, 0.0, float(card))
    begin_change(sheets, play, line, seat, records.REVEAL)
    changed_card(sheets, card)


@rare
def write_fault(
    sheets: Sheets, play: Play, line: int, seat: int, code: int, text_at: int, text_size: int
) -> None:
    """Append the row of a fault; a player who is late or gone acts no more in the match."""
    row = sheets.faults[records.next_row(sheets.used, records.FAULTS, len(sheets.faults))]
    row["hand"], row["line"], row["seat"], row["code"] = play.hand["row"], line, seat, code
    row["text_at"], row["text_size"] = text_at, text_size
    if (code == events.GONE or code == events.LATE) and seat >= 0:
        play.match["gone"][seat] = 1


@part
def _bad_answer(code: int, asked: int) -> int:
    """The index in `games.FaultPolicy` of a fault's event, 0 for a player who is gone; asked: `state.A_BET` ..."""
    if code == 0 or code == events.LATE or code == events.GONE:
        return SILENCE
    if asked == A_BID:
        return BAD_BID
    if asked == A_PASS:
        return BAD_PASS
    if code == events.ILLEGAL_FOLD:
        return BAD_FOLD
    if code == events.ILLEGAL_RAISE or code == events.ILLEGAL_RAISE_TO or code == events.DECIMAL_RAISE:
        return BAD_AMOUNT
    return BAD_OTHER


@rare
def is_a_fold(play: Play, seat: int, asked: int) -> bool:
    """True if the rules replace the player's bad answer by a fold."""
    refused = play.hand["refused"] if play.hand["pending"] >= 0 else 0
    folds: bool = play.match["folds"][_bad_answer(refused, asked)] > 0
    return folds and (play.hand["pending"] >= 0 or play.match["gone"][seat] > 0)


@rare
def lapse(play: Play, line: int, seat: int, asked: int) -> None:
    """Note that the engine acts for a player with a bad answer, which by the rules of some games is a fold.

    By the rules, the first such answer ends the hand, although the engine continues it.
    """
    match, hand = play.match, play.hand
    kind = _bad_answer(hand["refused"] if hand["pending"] >= 0 else 0, asked)
    if hand["lapse"] or not match["folds"][kind]:
        return
    hand["lapse"], hand["lapsed"], hand["lapsed_put"] = match["folds"][kind], seat, hand["spent"][seat]
    row = find(play.report, line, seat, findings.NOT_FOLDED, 0.0, 0.0)
    play.report.findings[row]["explained"] = match["explains_fold"][kind]
