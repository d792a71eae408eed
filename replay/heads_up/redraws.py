"""Redraws: with an action a player replaces a card by the deck's next; and showdowns with an unprinted board.

The opponent sees the old card. The log prints the new one later: a hand's card at the showdown, a board card in the
next street's line, or when the opponent also replaces that card.
"""

from typing import Final

import numpy as np

from ...jit.compile import part, rare
from ...parsers import events
from ...parsers.reading import Events
from .. import betting as b
from .. import findings, records
from ..evaluator import strength_of_suits, suit_bit, suits_of
from ..records import Sheets
from . import state as s
from .rows import begin_change, changed_card, changes, misplaced, see
from .runouts import hole_suits, next_choice
from .state import Play, find

_UNKNOWN: Final = -1
_FEW: Final = 3
"""The most unknown cards of a board for which all deals are tried."""


@rare
def reveal(found: Events, event: int, last: int, play: Play, line: int) -> None:
    """Check the line of the old card, directly before the redraw, which reads it."""
    following = found.codes[event + 1] + 0 if event + 1 < last else -1
    if following != events.REDRAW_HOLE and following != events.REDRAW_BOARD:
        misplaced(play.report, line, -1)


@rare
def redraw(found: Events, event: int, first: int, sheets: Sheets, play: Play, line: int, code: int) -> None:
    """A card is replaced by one that is not printed yet; the action of the line is the event after this one.

    A redraw that the rules do not allow replaces nothing. Of two players of one name, and out of turn, the redraw is
    that of the player who is due.
    """
    match, hand, values = play.match, play.hand, found.values
    at = found.args[event] + 0
    place, named = values[at] + 0, values[at + 1] + 0
    if hand["dealt"] < 2 or hand["folded"] >= 0 or hand["awarded"] or (hand["closed"] and not hand["loose"]):
        # The action reports the misplaced line.
        return
    of_board = code == events.REDRAW_BOARD
    seat = named if hand["loose"] else b.actor(hand)
    size = hand["board_size"] if of_board else play.holes[seat, 0]
    if hand["pending"] >= 0 or match["gone"][seat] > 0:
        find(play.report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
    late = hand["street"] >= match["redraws"] or hand["redrawn"] >> seat & 1 > 0
    if late or place < 0 or place >= size:
        find(play.report, line, seat, findings.REDRAW, 0.0, 0.0)
        return
    _check_reveal(found, event, first, sheets, play, line, seat, of_board, place)
    old = _card_at(play, seat, of_board, place)
    hand["redrawn"] |= 1 << seat
    if of_board:
        begin_change(sheets, play, line, seat, records.BOARD_REDRAW)
        hand["replaced"] |= 1 << place
        play.replaced[place] = _UNKNOWN
    else:
        changes(sheets, play, line, seat, records.REDRAW)
        play.holes[seat, 1 + place] = _UNKNOWN
    sheets.changes[sheets.used[records.CHANGES] - 1]["place"] = place
    changed_card(sheets, old)
    changed_card(sheets, _UNKNOWN)


@part
def _card_at(play: Play, seat: int, of_board: bool, place: int) -> int:
    """The card that is at a place of the board or of a hand now, -1 if it is not known."""
    if not of_board:
        return int(play.holes[seat, 1 + place])
    if play.hand["replaced"] >> place & 1:
        return int(play.replaced[place])
    return int(play.board[place])


@part
def _check_reveal(
    found: Events,
    event: int,
    first: int,
    sheets: Sheets,
    play: Play,
    line: int,
    seat: int,
    of_board: bool,
    place: int,
) -> None:
    """The line above shows the card that is replaced to the opponent, by its position."""
    values = found.values
    above = found.codes[event - 1] + 0 if event > first else -1
    if above != events.REVEAL_HOLE and above != events.REVEAL_BOARD:
        find(play.report, line, seat, findings.REVEAL_MISSING, 0.0, 0.0)
        return
    line = found.lines[event - 1] + 0
    at = found.args[event - 1] + 0
    due, viewer = int(seat == play.hand["dealer"]), values[at]
    if viewer != due:
        find(play.report, line, seat, findings.REVEAL_SEAT, float(due), float(viewer))
    if (above == events.REVEAL_BOARD) != of_board or values[at + 1] != place or values[at + 2] != 1:
        find(play.report, line, seat, findings.REVEAL_PLACE, 0.0, 0.0)
        return
    card, held = values[at + 3] + 0, _card_at(play, seat, of_board, place)
    if held < 0:
        learn(sheets, play, line, seat if not of_board else -1, place, card)
    elif card != held:
        find(play.report, line, seat, findings.REVEAL, float(held), float(card))


@rare
def learn(sheets: Sheets, play: Play, line: int, seat: int, place: int, card: int) -> None:
    """Note a card that replaced another, of a player or of the board (seat -1), as the log prints it first."""
    hand = play.hand
    see(play.report, line, seat, card)
    if seat >= 0:
        play.holes[seat, 1 + place] = card
    else:
        play.replaced[place] = card
    kind = records.REDRAW if seat >= 0 else records.BOARD_REDRAW
    at = sheets.used[records.CHANGED] + 0
    for k in range(sheets.used[records.CHANGES] - 1, -1, -1):
        row = sheets.changes[k]
        if row["hand"] != hand["row"]:
            break
        at -= row["count"]
        if row["kind"] == kind and row["place"] == place and (seat < 0 or row["seat"] == seat):
            sheets.changed[at + 1] = card
            break


@rare
def board_again(sheets: Sheets, play: Play, line: int, place: int, card: int) -> bool:
    """A card of the board that was replaced, as the next street prints it; False if it is another."""
    if play.replaced[place] < 0:
        learn(sheets, play, line, -1, place, card)
    same: bool = play.replaced[place] == card
    return same


@part
def all_known(play: Play) -> bool:
    """True if all cards that a showdown compares are known."""
    known: bool = play.hand["hidden"] == 0
    for place in range(play.hand["board_size"]):
        known = known and _card_at(play, 0, True, place) >= 0
    for seat in range(2):
        known = known and hole_suits(play, seat) >= 0
    return known


@rare
def ends_unseen(play: Play) -> None:
    """Note that the showdown follows unprinted cards."""
    play.hand["on_last_street"] = play.hand["hidden"] = 1


@part
def keep_board(sheets: Sheets, play: Play) -> int:
    """Append the board as it ends to its pool; returns how many cards it has, 0 if none was replaced."""
    hand = play.hand
    if hand["replaced"] == 0:
        return 0
    size = hand["board_size"]
    for place in range(size):
        if not hand["replaced"] >> place & 1:
            play.replaced[place] = play.board[place]
    return records.keep(sheets.board_finals, sheets.used, records.BOARD_FINALS, play.replaced, 0, size)


@rare
def check_unseen(sheets: Sheets, play: Play) -> None:
    """Check the awards of a showdown whose board is not printed: the loser's chips, or 0, as some board would pay."""
    hand, chips, line = play.hand, play.chips, play.marks[s.AWARD_LINE] + 0
    dealer = hand["dealer"]
    lost = min(hand["spent"][0], hand["spent"][1])
    award, other = chips["award"][dealer], chips["award"][1 - dealer]
    if np.isnan(award + other):
        return
    if award + other != 0:
        find(play.report, line, -1, findings.ZERO_SUM, 0.0, award + other)
        return
    if award != 0 and abs(award) != lost:
        seat = dealer if award > 0 else 1 - dealer
        row = find(play.report, line, seat, findings.AWARD, lost, abs(award))
        sheets.findings[row]["chips"] = abs(award) - lost
        return
    chips["unseen"] = lost
    wins = 0 if award == 0 else 1 if award > 0 else -1
    if not _some_board_pays(play, wins):
        find(play.report, line, dealer, findings.RUNOUT, 0.0, award)


@part
def _some_board_pays(play: Play, wins: int) -> bool:
    """True if cards that are still in the deck make a board by which the dealer wins so.

    wins: 1 the dealer wins, -1 it loses, 0 a split pot.
    Also True if a hand is unknown, or if too many cards are unknown to try all deals.
    """
    match, hand, chosen = play.match, play.hand, play.combined
    whole = match["boards"][match["last_street"]]
    unknown, board = whole - hand["board_size"], 0
    for place in range(hand["board_size"]):
        card = _card_at(play, 0, True, place)
        if card < 0:
            unknown += 1
        else:
            board |= suit_bit(card)
    own, other = hole_suits(play, hand["dealer"]), hole_suits(play, 1 - hand["dealer"])
    if own < 0 or other < 0 or unknown > _FEW or unknown < 1:
        return True
    chosen[0] = -1
    while next_choice(chosen, unknown, hand["seen"] + 0):
        coming = board | int(suits_of(chosen, unknown))
        first, second = strength_of_suits(own | coming), strength_of_suits(other | coming)
        if wins == (1 if first > second else -1 if second > first else 0):
            return True
    return False
