"""Auctions after the flop, of a third hole card or of a look at the opponent's; and discards to the flop."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare
from ...parsers import events
from .. import betting as b
from .. import findings, payouts, records
from ..records import Sheets
from . import bets_ev
from . import state as s
from .rows import changed_card, changes, choose, is_a_fold, lapse, look, misplaced, place_of, see, take_card
from .state import Play, find, misnamed, seat_in_order
from .streets import check_contributions, owed

CUT_SHORT: Final = 2
"""Of `summed`: the line about the auction is read, but digits may be missing at its end."""
_NUMBER_LETTERS: Final = (65, 82)  # A and R: a number follows


@part
def bids_due(play: Play) -> bool:
    """True between the flop and the second bid."""
    hand = play.hand
    due: bool = play.match["auctions"] > 0 and hand["street"] == 1 and hand["bids"] < 2
    return due and hand["folded"] < 0 and hand["awarded"] == 0


@part
def flop_due(play: Play) -> bool:
    """True between the second bid and the flop's second line."""
    hand = play.hand
    return bool(hand["bids"] == 2 and not hand["auctioned"])


@part
def _is_fraction(hand: np.void) -> bool:
    """True if the answer that the engine replaces is a fraction of a chip."""
    return bool(hand["pending"] >= 0 and hand["refused"] == events.DECIMAL_BID)


@rare
def bid(sheets: Sheets, play: Play, line: int, named: int, amount: int) -> None:
    """Read a bid, the dealer's last; then each winner pays the price."""
    match, hand, chips = play.match, play.hand, play.chips
    if not bids_due(play):
        misplaced(play.report, line, named)
        return
    bets_ev.before_query(play)
    seat = b.actor(hand)
    if named != seat:
        misnamed(play.report, line, named, seat, findings.TURN)
    left = b.left(hand, seat)
    if amount < 0 or amount > left:
        find(play.report, line, seat, findings.BID, left, float(amount))
    stands_in = hand["pending"] >= 0 or match["gone"][seat] > 0
    if stands_in and (amount != 0 or _is_fraction(hand)):
        find(play.report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
    elif stands_in:
        lapse(play, line, seat, s.A_BID)
    hand["pending"] = -1
    origin = records.SUBSTITUTE if stands_in else records.CHOICE
    choose(sheets, play, line, seat, records.BID, origin, float(amount))
    chips["bidden"][seat] = amount
    hand["bids"] += 1
    hand["turn"] += 1
    if hand["bids"] == 2:
        for k in range(2):
            price = payouts.price(chips["bidden"][k], chips["bidden"][1 - k])
            if price == price:
                hand["cards_due"] |= 1 << k
                b.pay(hand, 0, k, price)
        match["due"][s.WON_LINES] += 1


@rare
def folds_bid(play: Play) -> bool:
    """True if a fold may come in place of a bid: an engine folds for a fraction, rules for any bad answer."""
    if not bids_due(play):
        return False
    return _is_fraction(play.hand) or is_a_fold(play, b.actor(play.hand), s.A_BID)


@part
def _winner_named(play: Play, line: int, named: int) -> int:
    """The seat that a line about a won auction is about; where both won, the dealer's line is first."""
    hand = play.hand
    dealer = hand["dealer"]
    seat: int = dealer if hand["cards_due"] >> dealer & 1 else 1 - dealer
    if named != seat:
        misnamed(play.report, line, named, seat, findings.CARD_WON)
        if not play.match["same_names"] and hand["cards_due"] >> named & 1:
            seat = named
    return seat


@rare
def revealed(sheets: Sheets, play: Play, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """The line of a player who won the auction, with the card of the opponent's that it sees."""
    hand = play.hand
    if not flop_due(play) or hand["cards_due"] == 0:
        misplaced(play.report, line, named)
        return
    seat = _winner_named(play, line, named)
    hand["cards_due"] &= ~(1 << seat)
    if values[at] != 1:
        find(play.report, line, seat, findings.DEAL, 1.0, float(values[at]))
        return
    look(sheets, play, line, seat, values[at + 1])


@part
def _won(sheets: Sheets, play: Play, line: int, seat: int, card: int) -> None:
    """A card won in the auction joins a hand."""
    hand, holes = play.hand, play.holes
    changes(sheets, play, line, seat, records.AUCTION)
    see(play.report, line, seat, card)
    changed_card(sheets, card)
    holes[seat, 0] += 1
    holes[seat, holes[seat, 0]] = card
    hand["cards_due"] &= ~(1 << seat)


@rare
def won(sheets: Sheets, play: Play, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """The line of a player who won the auction, with its new card; after equal bids both win, the dealer first."""
    hand = play.hand
    if not flop_due(play) or hand["cards_due"] == 0:
        misplaced(play.report, line, named)
        return
    seat = _winner_named(play, line, named)
    if values[at] != 1:
        find(play.report, line, seat, findings.DEAL, 1.0, float(values[at]))
    if values[at] > 0:
        _won(sheets, play, line, seat, values[at + 1])


@rare
def shown_first(sheets: Sheets, play: Play, line: int, seat: int, values: NDArray[np.int64], at: int) -> None:
    """A card won in the auction that no line has printed before: the last card of the shown hand."""
    if play.hand["cards_due"] >> seat & 1 and values[at] == play.holes[seat, 0] + 1:
        _won(sheets, play, line, seat, values[at + values[at]])


@rare
def flop_again(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """The flop line once more, with what was paid; then the betting begins."""
    match, hand = play.match, play.hand
    count, due = values[at], hand["board_size"]
    if count != due:
        find(play.report, line, -1, findings.BOARD_SIZE, float(due), float(count))
    for k in range(min(count, due)):
        if values[at + 1 + k] != play.board[k]:
            find(play.report, line, -1, findings.BOARD, float(play.board[k]), float(values[at + 1 + k]))
            break
    check_contributions(play, line, values, at + count + 1)
    for seat in range(2):
        if hand["cards_due"] >> seat & 1:
            if match["looks"]:
                find(play.report, line, seat, findings.LOOK_MISSING, 0.0, 0.0)
            elif match["prints"][s.WON_LINES]:
                find(play.report, line, seat, findings.CARD_WON_MISSING, 0.0, 0.0)
    if match["looks"]:
        hand["cards_due"] = 0
    hand["auctioned"] = 1
    hand["turn"] = 1


@rare
def summary(play: Play, line: int, has_bids: bool, values: NDArray[np.int64], at: int) -> None:
    """After the awards: both bids, dealer first (has_bids), or that there was no auction."""
    hand = play.hand
    if hand["awarded"] != 2 or hand["summed"]:
        misplaced(play.report, line, -1)
        return
    hand["summed"] = 1
    if has_bids != (hand["bids"] == 2):
        find(play.report, line, -1, findings.AUCTION_TOLD, float(hand["bids"]), 2.0 if has_bids else 0.0)
    elif has_bids:
        for k in range(2):
            seat = seat_in_order(hand, k)
            due, said = play.chips["bidden"][seat], float(values[at + k])
            if said != due:
                find(play.report, line, seat, findings.BIDS, due, said)
                if k == 1 and bets_ev.begins(said, due):
                    hand["summed"] = CUT_SHORT


@part
def discard_due(play: Play) -> bool:
    """True if a player is to discard or, after that, the other one to check."""
    hand = play.hand
    on_street: bool = hand["street"] == s.FIRST_DISCARD or hand["street"] == s.SECOND_DISCARD
    return play.match["discards"] > 0 and on_street and not hand["closed"] and hand["folded"] < 0


@rare
def discard(sheets: Sheets, play: Play, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """Discard a hole card to the board."""
    match, hand, holes = play.match, play.hand, play.holes
    if hand["stacks_due"]:
        owed(play.report)
    if not discard_due(play) or hand["discarded"] or values[at] < 1 or holes[b.actor(hand), 0] < 1:
        misplaced(play.report, line, named)
        return
    bets_ev.before_query(play)
    seat = b.actor(hand)
    if named != seat:
        misnamed(play.report, line, named, seat, findings.TURN)
    stands_in = hand["pending"] >= 0 or match["gone"][seat] > 0
    if stands_in:
        find(play.report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
    hand["pending"] = -1
    origin = records.SUBSTITUTE if stands_in else records.CHOICE
    choose(sheets, play, line, seat, records.DISCARD, origin, np.nan)
    card = values[at + 1]
    if values[at] != 1:
        find(play.report, line, seat, findings.DEAL, 1.0, float(values[at]))
    changes(sheets, play, line, seat, records.DISCARDED)
    changed_card(sheets, card)
    place = place_of(play, seat, card)
    if place == 0:
        find(play.report, line, seat, findings.DISCARD, 0.0, float(card))
        see(play.report, line, seat, card)
    take_card(play, seat, max(place, 1))
    play.board[hand["board_size"]] = card
    hand["board_size"] += 1
    hand["discarded"] = 1
    hand["turn"] += 1


@rare
def around_discard(sheets: Sheets, play: Play, line: int, named: int, code: int) -> None:
    """While a discard is due: a fold in its place, or the other player's check after it.

    That check is a filler: it is no decision, and a raise later in the street is no check-raise.
    """
    hand = play.hand
    seat = b.actor(hand)
    if code != (events.CHECK if hand["discarded"] else events.FOLD):
        misplaced(play.report, line, named)
        return
    if named != seat:
        misnamed(play.report, line, named, seat, findings.TURN)
    hand["pending"] = -1
    if code == events.FOLD:
        choose(sheets, play, line, seat, records.FOLD, records.SUBSTITUTE, np.nan)
        b.fold(hand, 0, seat)
    else:
        choose(sheets, play, line, seat, records.CHECK, records.DUMMY, np.nan)
        hand["closed"] = 1


@rare
def exception_of(text: NDArray[np.uint8], at: int, size: int) -> int:
    """The exception that reading an answer raises: for no letter, no number after a letter, another letter."""
    if size == 0:
        return events.INDEX_ERROR
    if text[at] in _NUMBER_LETTERS:
        return events.VALUE_ERROR
    return events.KEY_ERROR


@rare
def street_note(play: Play, line: int, number: int, following: int) -> None:
    """Check the engine's number of the street, which precedes an answer of the wrong kind."""
    street = play.hand["street"]
    due = street + 1 if street > 0 else 0
    if number != due:
        find(play.report, line, -1, findings.STREET_NOTE, float(due), float(number))
    if not is_refusal(following):
        misplaced(play.report, line, -1)


@part
def is_refusal(code: int) -> bool:
    """True for the fault of an answer of the wrong kind."""
    return events.ILLEGAL_FOLD <= code <= events.ILLEGAL_RAISE or code == events.ILLEGAL_DISCARD
