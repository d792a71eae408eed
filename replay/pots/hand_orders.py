"""Hands that are not compared as in hold'em: the low half of Omaha, and the short deck."""

from typing import Final

from ...jit.compile import part, rare
from ..evaluator import FLUSH, FULL_HOUSE, STRAIGHT, STRAIGHT_FLUSH, category
from .settling import count_bits, strength_at
from .state import Play

_SHIFT: Final = 26
"""The shift of the category in a strength (`evaluator`)."""
_SHORT_WHEEL: Final = 1 << 12 | 0b1111 << 4
"""The ranks ace, six, seven, eight and nine."""
_NINE: Final = 1 << 7
_ACE: Final = 12
_LOW_CARDS: Final = 5
_LOW_RANKS: Final = 8
"""Ace to eight."""
_SUITS: Final = 4


@rare
def order_of(play: Play, place: int) -> int:
    """The strength of a hand of a deck without ranks below six: a flush beats a full house, A 6 7 8 9 is a straight."""
    strength = strength_at(play, place)
    holes, size = play.players[place]["holes"], play.hand["board_size"] + 0
    kind = category(strength)
    ranks = 0
    for suit in range(_SUITS):
        own = 0
        for k in range(size):
            own |= int(play.board[k] % _SUITS == suit) << (play.board[k] // _SUITS)
        for k in range(1, holes[0] + 1):
            own |= int(holes[k] % _SUITS == suit) << (holes[k] // _SUITS)
        ranks |= own
        if own & _SHORT_WHEEL == _SHORT_WHEEL and kind < STRAIGHT_FLUSH:
            return STRAIGHT_FLUSH << _SHIFT | _NINE
    if kind < STRAIGHT and ranks & _SHORT_WHEEL == _SHORT_WHEEL:
        return STRAIGHT << _SHIFT | _NINE
    if kind == FLUSH:
        return strength + ((FULL_HOUSE - FLUSH) << _SHIFT)
    if kind == FULL_HOUSE:
        return strength - ((FULL_HOUSE - FLUSH) << _SHIFT)
    return strength


@rare
def low_of(play: Play, place: int) -> int:
    """The strength of the lowest hand of five different ranks from ace to eight, of two hole cards; 0 for none."""
    holes = play.players[place]["holes"]
    count, size, used, best = holes[0] + 0, play.hand["board_size"] + 0, play.match["holes_used"] + 0, 0
    for own in range(1 << count):
        if count_bits(own) != used:
            continue
        for others in range(1 << size):
            if count_bits(others) != _LOW_CARDS - used:
                continue
            ranks = 0
            for k in range(count):
                if own >> k & 1:
                    ranks |= 1 << _low_rank(holes[1 + k])
            for k in range(size):
                if others >> k & 1:
                    ranks |= 1 << _low_rank(play.board[k])
            if ranks < 1 << _LOW_RANKS and count_bits(ranks) == _LOW_CARDS:
                # The highest card decides first, and the lower is the better.
                best = max(best, (1 << _LOW_RANKS) - ranks)
    return best


@part
def _low_rank(card: int) -> int:
    """The place of a rank where the ace is the lowest."""
    rank = card // _SUITS
    return 0 if rank == _ACE else rank + 1
