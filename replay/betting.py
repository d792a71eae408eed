"""Betting in turn: one state over boards and players, its legal actions, and the row of an action.

A hand's record, of every family of games, begins with FIELDS. Compiled and plain Python read it alike. Chips are in
the log's unit. Players are indexed by place: heads-up the seat, else the position, 0 after the button.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jit.bundles import words_of
from ..jit.compile import part
from ..parsers.dialect import MOST_SEATED
from . import records
from .games import MOST_BOARDS
from .records import Sheets

MOST_OF_STREET: Final = 64
"""Actions of a street by a definition: after a raise, each player must have room to answer it."""
NOBODY: Final = -1

FIELDS: Final = (
    ("players", "i8"),
    ("boards", "i8"),
    ("first_seat", "i8"),  # of place 0
    ("row", "i8"),  # the hand's row
    ("seq", "i8"),  # action rows of the hand
    ("dealer", "i8"),
    ("street", "i8"),
    ("turn", "i8"),  # of two: the engine's count of actions on the street; even: the dealer acts
    ("opened", "i8"),  # of two: the turn with which the street began
    ("closed", "i8"),  # 1 if the betting of the street is over
    ("folded", "i8"),  # who folded last of all, where that ended the hand; else NOBODY
    ("raises", "i8"),  # of the street, the blinds are none
    ("answers", "i8"),  # of more than two: who can act and has answered the last raise
    ("acted", "i8"),  # actions of the street
    ("least", "f8"),  # by a definition without a limit: the total of the hand to raise to at least
    ("settled", "i8", (MOST_BOARDS,)),  # 1 if the betting of the street is over on a board
    ("active", "i8", (MOST_BOARDS,)),  # players who have not folded
    ("folder", "i8", (MOST_BOARDS,)),  # who folded last
    ("level", "i8", (MOST_BOARDS,)),  # bets and raises of the street, the blinds are one
    ("aggressor", "i8", (MOST_BOARDS,)),  # who bet or raised last in the hand
    ("free", "f8", (MOST_BOARDS,)),  # chips in the pot that no player put in
)
"""The first fields of a hand's record."""
BY_PLAYER: Final = (
    ("out", "i8", (MOST_BOARDS, MOST_SEATED)),  # 1 for who has folded
    ("pip", "f8", (MOST_BOARDS, MOST_SEATED)),  # put in on the street
    ("put", "f8", (MOST_BOARDS, MOST_SEATED)),
    ("spent", "f8", (MOST_SEATED,)),  # put in on all boards
    ("stack", "f8", (MOST_SEATED,)),  # as the hand begins
)
"""Its last fields, by player: `begin` clears as many entries as there are players."""

BETTING: Final = np.dtype([*FIELDS, *BY_PLAYER])
"""A betting state and nothing else."""


def words_to_clear(hand: np.void) -> NDArray[np.int64]:
    """The memory of a hand's record that must be zero when a hand begins."""
    assert hand.dtype.fields is not None
    return words_of(hand)[: hand.dtype.fields[BY_PLAYER[0][0]][1] // 8]


@part
def begin(hand: np.void, players: int, boards: int) -> None:
    """Reset the betting state for a new hand.

    The caller has cleared the record up to BY_PLAYER (`words_to_clear`).
    """
    hand["players"], hand["boards"], hand["folded"] = players, boards, NOBODY
    for board in range(boards):
        hand["active"][board] = players
        hand["folder"][board] = hand["aggressor"][board] = NOBODY
        for place in range(players):
            hand["out"][board, place] = 0
            hand["pip"][board, place] = hand["put"][board, place] = 0.0
    for place in range(players):
        hand["spent"][place] = 0.0


@part
def seat_of(hand: np.void, place: int) -> int:
    """The seat of a place, without a slow modulo."""
    seat: int = place + hand["first_seat"]
    return seat - hand["players"] if seat >= hand["players"] else seat


# Chips


@part
def pot(hand: np.void, board: int) -> float:
    """Chips in a board's pot."""
    chips: float = hand["free"][board] + hand["put"][board, 0] + hand["put"][board, 1]
    for place in range(2, hand["players"]):
        chips += hand["put"][board, place]
    return chips


@part
def left(hand: np.void, place: int) -> float:
    """Chips in front of a player."""
    chips: float = hand["stack"][place] - hand["spent"][place]
    return chips


@part
def put(hand: np.void, board: int, place: int, pip: float) -> None:
    """Bring a player's chips of this street and board to `pip`."""
    added = pip - hand["pip"][board, place]
    hand["put"][board, place] += added
    hand["spent"][place] += added
    hand["pip"][board, place] = pip


@part
def pay(hand: np.void, board: int, place: int, chips: float) -> None:
    """Pay chips into the pot that are not part of the street's betting."""
    hand["put"][board, place] += chips
    hand["spent"][place] += chips


@part
def faced(hand: np.void, board: int, place: int) -> float:
    """The most that another player has put in on the street."""
    if hand["players"] == 2:
        # Most hands have two players, and a loop is slow.
        pip: float = hand["pip"][board, 1 - place]
        return pip
    most = -np.inf
    for other in range(hand["players"]):
        if other != place:
            most = max(most, hand["pip"][board, other])
    return most


@part
def to_call(hand: np.void, board: int, place: int) -> float:
    """Chips that a player has to add to stay on the board, even if fewer are left."""
    due: float = faced(hand, board, place) - hand["pip"][board, place]
    return due


# Legal bets of two players without a limit


@part
def may_raise(hand: np.void, board: int, seat: int, own: float, other: float) -> bool:
    """True if the player has chips beyond the call, and the opponent has chips left.

    own, other: the chips in front of the player and of the opponent as the decision begins.
    """
    return own > to_call(hand, board, seat) and other > 0


@part
def largest_raise(hand: np.void, board: int, seat: int, own: float, other: float) -> float:
    """The highest raise-to: no more than the player has, nor than the opponent can call."""
    pip: float = hand["pip"][board, seat]
    return pip + min(own, other + to_call(hand, board, seat))


@part
def smallest_raise(hand: np.void, board: int, seat: int, own: float, other: float, big_blind: float) -> float:
    """The lowest raise-to: by the last bet or raise, at least a big blind; the highest raise-to if that is less."""
    step = max(to_call(hand, board, seat), big_blind)
    return min(faced(hand, board, seat) + step, largest_raise(hand, board, seat, own, other))


# Actions


@part
def fold(hand: np.void, board: int, place: int) -> None:
    """Fold on a board; the hand ends if no player is left to act on any board."""
    hand["out"][board, place] = 1
    hand["active"][board] -= 1
    hand["folder"][board] = place
    if hand["active"][board] > 1:
        return
    hand["settled"][board] = 1
    for other in range(hand["boards"]):
        if hand["active"][other] > 1:
            return
    hand["folded"] = place


@part
def bet_or_raise(hand: np.void, board: int, place: int, raise_to: float) -> None:
    """Bet or raise: all others must answer on this board."""
    put(hand, board, place, raise_to)
    hand["level"][board] += 1
    hand["aggressor"][board] = place
    hand["settled"][board] = 0


# Two in turn, with the button's count of actions


@part
def actor(hand: np.void) -> int:
    """The seat whose turn it is: the dealer before the flop, the other player first on later streets."""
    seat: int = hand["dealer"] if hand["turn"] % 2 == 0 else 1 - hand["dealer"]
    return seat


@part
def is_active(hand: np.void, board: int) -> bool:
    """True while the board's betting continues; otherwise only a meaningless check is possible."""
    active: bool = hand["active"][board] > 1 and hand["settled"][board] == 0
    return active


@part
def check(hand: np.void, board: int) -> None:
    """Check: two checks end a board's street; before the flop the big blind's check does."""
    if hand["turn"] > hand["opened"]:
        hand["settled"][board] = 1


@part
def call(hand: np.void, board: int, seat: int) -> None:
    """Call: it ends the board's street, except the small blind's first call: the big blind may then check or raise."""
    put(hand, board, seat, faced(hand, board, seat))
    hand["settled"][board] = hand["street"] != 0 or hand["turn"] != 0


@part
def after_turn(hand: np.void, passive: bool) -> None:
    """Pass the turn to the other player; the street ends when every board is settled or folded.

    passive: the player folded or checked, which engines do not count where it ends the street.
    """
    goes_on = is_active(hand, 0)
    for board in range(1, hand["boards"]):
        goes_on = goes_on or is_active(hand, board)
    hand["closed"] = not goes_on
    hand["turn"] += goes_on or not passive


@part
def next_street(hand: np.void) -> None:
    """Later streets begin with the dealer's opponent and no chips bet; folded boards stay settled."""
    hand["street"] += 1
    hand["turn"] = hand["opened"] = 1
    hand["closed"] = hand["raises"] = hand["answers"] = hand["acted"] = 0
    for board in range(hand["boards"]):
        hand["settled"][board] = hand["active"][board] < 2
        hand["level"][board] = 0
        for place in range(hand["players"]):
            hand["pip"][board, place] = 0


# Any number by a definition (`acpc.state.DEFINITION`); totals are those of the hand


@part
def may_act(hand: np.void, place: int) -> bool:
    """True for a player who has neither folded nor put in all chips."""
    may: bool = hand["out"][0, place] == 0 and hand["spent"][place] < hand["stack"][place]
    return may


@part
def acting_players(hand: np.void) -> int:
    """The number of players who may act."""
    count = 0
    for place in range(hand["players"]):
        count += may_act(hand, place)
    return count


@part
def next_to_act(hand: np.void, place: int) -> int:
    """The first player who may act, from a place on, which may be one past the last; NOBODY if none may."""
    players = hand["players"]
    for k in range(place, place + players):
        other = k if k < players else k - players
        if may_act(hand, other):
            return other
    return NOBODY


@part
def most_spent(hand: np.void) -> float:
    """The most chips that a player has put in."""
    most = 0.0
    for place in range(hand["players"]):
        most = max(most, hand["spent"][place])
    return most


@part
def price_of_call(hand: np.void, place: int) -> float:
    """The total after a call: the most that a player has put in, or all chips of the caller."""
    chips: float = min(most_spent(hand), hand["stack"][place]) - hand["spent"][place]
    return chips


@part
def takes_raise(game: np.void, hand: np.void) -> bool:
    """True while a street takes another raise."""
    room: bool = hand["acted"] + hand["players"] <= MOST_OF_STREET
    return room and hand["raises"] < game["max_raises"][hand["street"]] and acting_players(hand) > 1


@part
def legal_raise(game: np.void, hand: np.void, place: int) -> tuple[bool, float, float]:
    """Whether a player may raise, the least and the most to raise to."""
    stack, most, least = hand["stack"][place], most_spent(hand), hand["least"]
    may = takes_raise(game, hand)
    if not game["nolimit"]:
        fixed = min(most + game["raise_size"][hand["street"]], stack)
        return may, fixed, fixed
    if least > stack:
        return may and most < stack, stack, stack
    return may, least, stack


@part
def begin_bets(game: np.void, hand: np.void) -> None:
    """After the blinds: the first raise is to twice the largest."""
    most = most_spent(hand)
    hand["least"] = 2 * most if most > 0 else 1.0
    hand["level"][0] = game["bet_level"]


@part
def pip_of(hand: np.void, place: int, total: float) -> float:
    """A total of the hand as chips of the street."""
    pip: float = total - (hand["spent"][place] - hand["pip"][0, place])
    return pip


@part
def match_most(hand: np.void, place: int) -> None:
    """Call, or check if it costs nothing."""
    put(hand, 0, place, hand["pip"][0, place] + price_of_call(hand, place))
    hand["answers"] += may_act(hand, place)


@part
def raise_total(hand: np.void, place: int, total: float) -> None:
    """Bet or raise: the next raise must be by as much, and at least to this one's minimum."""
    hand["least"] = max(hand["least"], 2 * total - most_spent(hand))
    bet_or_raise(hand, 0, place, pip_of(hand, place, total))
    hand["raises"] += 1
    hand["answers"] = may_act(hand, place)


@part
def is_answered(hand: np.void) -> bool:
    """True if the betting of the street is over."""
    over: bool = hand["answers"] >= acting_players(hand)
    return over


@part
def begin_street(game: np.void, hand: np.void) -> None:
    """Begin the next street, whose first bet is at least a big blind."""
    next_street(hand)
    hand["least"] = most_spent(hand) + max(game["big_blind"], 1)


# The row of an action


@part
def write_action(
    sheets: Sheets, hand: np.void, board: int, place: int, street: int, action: int, origin: int, own: float
) -> int:
    """Append the row of an action, with the state before it; returns its index.

    Its line and amount are still to be set. street: as the betting counts; own: the player's chips in the pot as the
    decision begins.
    """
    at = records.next_row(sheets.used, records.ACTS, len(sheets.actions))
    row = sheets.actions[at]
    aggressor = hand["aggressor"][board]
    row["hand"], row["seq"], row["street"] = hand["row"], hand["seq"], street
    row["seat"], row["action"], row["origin"] = seat_of(hand, place), action, origin
    row["level"] = hand["level"][board]
    row["aggressor"] = NOBODY if aggressor < 0 else seat_of(hand, aggressor)
    row["board"] = board + 1 if hand["boards"] > 1 else 0
    row["active"] = hand["active"][board]
    row["own"], row["pip"], row["pot"] = own, hand["pip"][board, place], pot(hand, board)
    bets = action != records.POST and action != records.ASSIGN and action != records.PASS
    decides = bets and is_active(hand, board)
    row["to_call"] = to_call(hand, board, place) if decides else 0.0
    row["raise_to"] = np.nan
    hand["seq"] += 1
    return at
