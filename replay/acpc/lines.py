"""Reads a hand's line: betting, cards, results and names."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part
from ...parsers.acpc_game import MAX_PLAYERS
from ...parsers.grammar import by_byte
from ...schema.words import RANKS, SUITS
from .state import Hand

_RANK_OF: Final = by_byte(RANKS, RANKS.lower())
_SUIT_OF: Final = by_byte(SUITS, SUITS.upper())

_SLASH: Final = 47
_COLON: Final = 58
_BAR: Final = 124
_DOT: Final = 46
_MINUS: Final = 45
_BLANK: Final = 32
_TAB: Final = 9
_ONE: Final = 49
_ZERO: Final = 48
_OPENING: Final = 40
_CLOSING: Final = 41
_TEN: Final = RANKS.index("T")
_MOST_CARDS: Final = 16
_MOST_SECTIONS: Final = 8
_HOLE_CARDS: Final = 3
_LONGEST: Final = 15


@part
def trimmed(text: NDArray[np.uint8], first: int, end: int) -> int:
    """The end of a text without trailing blanks."""
    while end > first and (text[end - 1] == _BLANK or text[end - 1] == _TAB):
        end -= 1
    return end


@part
def split(text: NDArray[np.uint8], first: int, end: int, at: np.void) -> bool:
    """Find the parts of what follows the hand's number (`state.LINE_PARTS`); False if one is missing."""
    place, field = first, 0
    end = trimmed(text, first, end)
    at["bets"] = first
    while place < end and field < 3:
        if text[place] == _COLON:
            if field == 0:
                at["bets_end"], at["cards"] = place, place + 1
            elif field == 1:
                at["cards_end"], at["results"] = place, place + 1
            else:
                at["results_end"], at["names"] = place, place + 1
            field += 1
        place += 1
    at["line_end"] = end
    if field < 3:
        return False
    stop = at["results_end"]
    at["more"] = at["more_end"] = stop
    if at["restated"] and stop > at["results"] and text[stop - 1] == _CLOSING:
        begin = stop - 1
        while begin > at["results"] and text[begin] != _OPENING:
            begin -= 1
        at["results_end"], at["more"], at["more_end"] = begin, begin + 1, stop - 1
    complete: bool = at["names"] < end or at["restated"] > 0
    return complete


@part
def read_cards(text: NDArray[np.uint8], hand: Hand) -> int:
    """Read hole cards and board; the number of players, 0 if it is not a list of cards.

    The board's sections are counted by round; cards of the first round follow the last hole cards.
    """
    place, end = hand.at["cards"], hand.at["cards_end"]
    player = section = dealt = 0
    hand.hole_count[0] = 0
    for k in range(_MOST_SECTIONS):
        hand.sections[k] = 0
    while place < end:
        mark = text[place]
        if mark == _BAR:
            player += 1
            if section > 0 or player >= MAX_PLAYERS:
                return 0
            hand.hole_count[player] = 0
            place += 1
        elif mark == _SLASH:
            section += 1
            if section >= _MOST_SECTIONS:
                return 0
            place += 1
        else:
            if place + 1 >= end:
                return 0
            rank = int(_RANK_OF[mark])
            if mark == _ONE and text[place + 1] == _ZERO and place + 2 < end:
                rank = _TEN
                place += 1
            suit = int(_SUIT_OF[text[place + 1]])
            if rank < 0 or suit < 0:
                return 0
            if section > 0:
                if dealt >= _MOST_CARDS:
                    return 0
                hand.board[dealt] = rank * 4 + suit
                dealt += 1
                hand.sections[section] += 1
            else:
                count = hand.hole_count[player]
                if count >= _HOLE_CARDS:
                    return 0
                hand.hole[player, count] = rank * 4 + suit
                hand.hole_count[player] = count + 1
            place += 2
    hand.sections[0] = section
    return player + 1


@part
def read_numbers(
    text: NDArray[np.uint8], place: int, end: int, count: int, values: NDArray[np.float64]
) -> bool:
    """Read `count` numbers separated by bars, with or without decimals; False for any other text."""
    for k in range(count):
        negative = place < end and text[place] == _MINUS
        if negative:
            place += 1
        first, whole = place, 0
        while place < end and 48 <= text[place] <= 57:
            whole = whole * 10 + int(text[place]) - 48
            place += 1
        if place == first or place - first > _LONGEST:
            return False
        value = float(whole)
        if place < end and text[place] == _DOT:
            place += 1
            first, part_of, scale = place, 0, 1
            while place < end and 48 <= text[place] <= 57:
                part_of = part_of * 10 + int(text[place]) - 48
                scale *= 10
                place += 1
            if place == first or place - first > _LONGEST:
                return False
            value += part_of / scale
        # No result is -0.
        values[k] = 0.0 - value if negative else value
        if k + 1 < count:
            if place >= end or text[place] != _BAR:
                return False
            place += 1
    return place == end


@part
def names_fit(
    text: NDArray[np.uint8],
    place: int,
    end: int,
    names: NDArray[np.uint8],
    name_at: NDArray[np.int64],
    first_name: int,
    players: int,
    turn: int,
) -> bool:
    """True if the names are those of the match, beginning with seat `turn`; a time stamp may follow."""
    for k in range(players):
        seat = k + turn
        if seat >= players:
            seat -= players
        for at in range(name_at[first_name + seat], name_at[first_name + seat + 1]):
            if place >= end or text[place] != names[at]:
                return False
            place += 1
        if k + 1 < players:
            if place >= end or text[place] != _BAR:
                return False
            place += 1
    if place == end:
        return True
    if place + 3 >= end or text[place] != _BLANK or text[place + 1] != 35 or text[place + 2] != _BLANK:
        return False
    place += 3
    while place < end and (text[place] == _DOT or 48 <= text[place] <= 57):
        place += 1
    return place == end
