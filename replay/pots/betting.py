"""The next player to act on a street, and the bets allowed: no limit, pot limit or fixed bets, stacks of any size."""

import numpy as np

from ...jit.compile import part
from .. import betting as b
from .. import findings, records
from ..records import Sheets
from . import state as s
from .state import Play, find, find_known, following

FIXED = 2
"""The kind of limit."""
_SMALL_BETS = 2
"""Streets with the small bet of a fixed limit."""


@part
def is_matched(play: Play) -> bool:
    """True if the blinds leave at most one player with chips, and that player has nothing to call."""
    hand = play.hand
    if b.acting_players(hand) > 1:
        return False
    for seat in range(play.match["players"]):
        if b.may_act(hand, seat) and hand["pip"][0, seat] < b.faced(hand, 0, seat):
            return False
    return True


@part
def due_actor(play: Play) -> int:
    """The seat that is to act on the street, NOBODY once its betting is over."""
    hand = play.hand
    if hand["closed"] or hand["folded"] >= 0:
        return b.NOBODY
    for k in range(play.match["players"]):
        seat = following(play.match, hand["next"], k)
        if b.may_act(hand, seat):
            pip = hand["pip"][0, seat]
            if pip < hand["bet"] and not hand["less"] >> seat & 1:
                return seat
            if not hand["asked"][seat] and is_open(play, seat):
                return seat
    return b.NOBODY


@part
def is_open(play: Play, seat: int) -> bool:
    """True if a player with nothing to call, who has not acted since the last bet, is to act."""
    hand = play.hand
    if play.match["all_may_fold"]:
        alone: bool = hand["active"][0] == 1
        return alone or b.acting_players(hand) > 1
    # A player that has put in more than any other can is not asked.
    pip: float = hand["pip"][0, seat]
    return pip <= 0 or most_matched(play, seat) >= pip


@part
def is_asked_still(play: Play, seat: int) -> bool:
    """True for a player who is in the hand and has not acted since the last bet, whether the rules ask it or not."""
    hand = play.hand
    still: bool = not hand["out"][0, seat] and not hand["asked"][seat] and not hand["declared"] >> seat & 1
    return still


@part
def end_if_alone(play: Play) -> None:
    """End the hand if at most one player has not folded, and that one has been asked."""
    hand = play.hand
    if hand["active"][0] == 1:
        hand["folded"] = b.NOBODY
        if due_actor(play) < 0:
            hand["folded"] = hand["folder"][0]


@part
def chooser(play: Play) -> int:
    """The first player after the dealer that has not thrown away, changed or kept a card on the street."""
    hand = play.hand
    for k in range(play.match["players"]):
        seat = following(play.match, hand["dealer"], k + 1)
        if not hand["out"][0, seat] and not hand["chose"] >> seat & 1:
            return seat
    return b.NOBODY


@part
def redraw_due(play: Play) -> int:
    """The seat that may replace a card before the betting of the street, NOBODY for none."""
    hand = play.hand
    if hand["folded"] >= 0 or not play.match["replaces"] >> hand["street"] & 1:
        return b.NOBODY
    return chooser(play)


@part
def drop_due(play: Play) -> int:
    """The seat that is to throw away a card after the betting of the street, NOBODY for none."""
    hand = play.hand
    dropping = hand["street"] > 0 and hand["street"] == play.match["drops_after"]
    if not dropping or hand["folded"] >= 0 or due_actor(play) >= 0:
        return b.NOBODY
    return chooser(play)


@part
def most_matched(play: Play, seat: int) -> float:
    """The largest total of the street that another player still in the hand can put in."""
    hand, most = play.hand, 0.0
    for other in range(play.match["players"]):
        if other != seat and not hand["out"][0, other]:
            most = max(most, hand["pip"][0, other] + b.left(hand, other))
    return most


@part
def full_raise(play: Play) -> float:
    """The size of a full bet or raise: the last one's, at least a big blind."""
    size: float = max(play.hand["step"], float(play.match["big_blind"]))
    return size


@part
def fixed_bet(hand: np.void) -> float:
    """The size of a bet or raise of the street, of a fixed limit."""
    size: float = hand["low"] if hand["street"] < _SMALL_BETS else hand["high"]
    return size


@part
def is_reopened(play: Play, seat: int) -> bool:
    """True unless the player has acted on the street and faces less than a full raise since, by one or several all-ins.

    Then it may call or fold, of games where only full raises reopen the betting.
    """
    match, hand = play.match, play.hand
    short = hand["bet"] - hand["pip"][0, seat] < full_raise(play)
    return not (match["reopens_full"] and hand["capped"] >> seat & 1 and short)


@part
def raise_bounds(play: Play, seat: int) -> tuple[bool, float, float]:
    """Whether a player may bet or raise, the least and the most to bet or raise to, before what `is_reopened` says.

    A raise is at least as large as the last one and a big blind; less is enough if the player, or every opponent, has
    less. With a pot limit the most is the pot after a call. A fixed bet or raise has one size, and a street takes
    `most_raises` of them.
    """
    match, hand = play.match, play.hand
    bet, pip = hand["bet"], hand["pip"][0, seat]
    own = pip + b.left(hand, seat)
    may = own > bet
    if hand["limit"] == FIXED:
        may = may and (match["most_raises"] == 0 or hand["raises"] < match["most_raises"])
        fixed = min(bet + fixed_bet(hand), own)
        return may, fixed, fixed
    high = own
    if match["pot_limit"]:
        high = min(high, bet + b.pot(hand, 0) + bet - pip)
    # No raise has to be larger than what an opponent can match: the rest would be returned.
    low = min(bet + full_raise(play), max(most_matched(play, seat), bet))
    return may, min(low, high), high


@part
def write_bounds(sheets: Sheets, play: Play, seat: int, act: int) -> None:
    """Append the least and the most to raise to, of the decision whose action row is `act`; NaN if there is none.

    There is none if the betting is not reopened for the player, or where no opponent can answer: engines ask all the
    same, and what is bet comes back.
    """
    may, low, high = raise_bounds(play, seat)
    found = sheets.limits[records.next_row(sheets.used, records.LIMITS, len(sheets.limits))]
    found["act"], found["told"] = act, 1
    found["lowest"] = found["highest"] = np.nan
    if may and is_reopened(play, seat) and most_matched(play, seat) > play.hand["bet"]:
        found["lowest"], found["highest"] = low, high
    found["stack"] = found["other"] = found["chance"] = np.nan


@part
def check_raise(play: Play, line: int, seat: int, named: int, amount: float, again: bool) -> None:
    """Write what is wrong with a bet or raise to an amount.

    seat: of the state; named: as findings have it; again: the player is asked once more after the end of the betting
    """
    may, low, high = raise_bounds(play, seat)
    if not again and not is_reopened(play, seat):
        find_known(play.report, line, named, findings.NOT_REOPENED, 0.0, 0.0, s.REOPENED)
    if not may or amount <= play.hand["bet"]:
        find_known(play.report, line, named, findings.RAISE, 0.0, amount, s.LOW_RAISE)
    elif amount < low:
        find_known(play.report, line, named, findings.TOO_SMALL, low, amount, s.LOW_RAISE)
    elif amount > high:
        find(play.report, line, named, findings.TOO_LARGE, high, amount)


@part
def unmatched(play: Play) -> tuple[int, float]:
    """The seat that bet or raised last on the street, and the unmatched part of its bet."""
    hand = play.hand
    seat = hand["raiser"]
    if not play.match["returns_always"]:
        # If the hand continues, a blind is also returned.
        seat = b.NOBODY
        for other in range(play.match["players"]):
            if not hand["out"][0, other] and (seat < 0 or hand["pip"][0, other] > hand["pip"][0, seat]):
                seat = other
    if seat < 0:
        return b.NOBODY, 0.0
    second = -np.inf
    for other in range(play.match["players"]):
        if other != seat:
            second = max(second, hand["pip"][0, other])
    chips = hand["pip"][0, seat] - second
    if not play.match["returns_always"] and hand["folded"] >= 0:
        chips = 0.0
    return seat, max(chips, 0.0)


@part
def open_pot(play: Play) -> float:
    """Chips of the last pot: those above the largest all-in that a player has exceeded."""
    hand, level, most, chips = play.hand, 0.0, 0.0, 0.0
    for seat in range(play.match["players"]):
        if not hand["out"][0, seat]:
            most = max(most, hand["spent"][seat])
    for seat in range(play.match["players"]):
        if not hand["out"][0, seat] and b.left(hand, seat) <= 0 and hand["spent"][seat] < most:
            level = max(level, hand["spent"][seat])
    for seat in range(play.match["players"]):
        chips += max(hand["spent"][seat] - level, 0.0)
    return chips


@part
def raise_to(play: Play, seat: int, amount: float) -> None:
    """Carry out a bet or raise: all others are to answer."""
    hand = play.hand
    if amount - hand["bet"] >= full_raise(play):
        hand["capped"] = 0
    # An all-in that is no full raise leaves the least raise as it was.
    hand["step"] = max(amount - hand["bet"], hand["step"])
    hand["bet"] = amount
    hand["raises"] += 1
    hand["raiser"] = seat
    b.bet_or_raise(hand, 0, seat, amount)
    for other in range(play.match["players"]):
        hand["asked"][other] = other == seat


@part
def next_street(play: Play) -> None:
    """Begin the next street with the player after the dealer; no player is asked unless two can bet."""
    match, hand = play.match, play.hand
    b.next_street(hand)
    hand["bet"], hand["step"], hand["raiser"] = 0.0, float(match["big_blind"]), b.NOBODY
    hand["chose"] = hand["capped"] = 0
    hand["next"] = following(match, hand["dealer"], 1)
    for seat in range(match["players"]):
        hand["asked"][seat] = 0
    hand["closed"] = hand["loose"] > 0 or b.acting_players(hand) < 2
