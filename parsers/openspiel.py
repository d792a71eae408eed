"""Hands that OpenSpiel's repeated poker prints, one finished hand per line.

Columns are seats. A line has no button, blinds or stacks: the last seat deals the first hand, then the next remaining
player; the rest is inferred (`openspiel_stakes`).

The ACPC dealer's lines have the same form, and its players may have the same names. Its columns are positions: names
move from hand to hand or, where seats are fixed, the same column acts first in every hand (`SESSION`).
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from .grammar import number_in
from .openspiel_stakes import Betting, play, posted
from .openspiel_table import Hand, Unread, dealt
from .openspiel_table import translate as as_tables
from .records import Record
from .table_lines import Lines

NAME: Final = "openspiel-acpc-lines"

_PLAYER: Final = "Player"
_LINE: Final = re.compile(
    rb"STATE:(\d{1,18}):([cfr\d/]*):([^:\n]+):(-?\d{1,12}(?:\|-?\d{1,12})*):(Player\d{1,3}(?:\|Player\d{1,3})+)"
)
_LIMIT: Final = re.compile(r"r(?!\d)")
"""A raise without chips: the bets are fixed."""
_DEALT: Final = re.compile(r"(?:[^|/]{4}\|)+[^|/]{4}(?:/[^/]{6}(?:/[^/]{2}){0,2})?")
"""The cards of a hand of hold'em."""
_SMALL: Final = 0.5
"""The smallest possible blind; no raise is smaller."""
_PART: Final = 4
"""One in so many lines may be damaged. Rotating names are out of order in at least half of the dealer's lines."""


def _seats(named: str) -> list[int]:
    """The seats of a line's players, column by column."""
    return [int(name[len(_PLAYER) :]) for name in named.split("|")]


def _dealer(dealer: int, last: int, number: int, seats: Sequence[int]) -> int:
    """The seat that deals a hand: the next remaining player; the last seat deals hand 0. Hands may be missing.

    dealer, last: dealer and number of the previous hand; -1 for none
    """
    turns = number - last
    if dealer < 0 or turns <= 0:
        dealer, turns = seats[-1], number
    turns = turns if turns <= len(seats) else turns % len(seats) + len(seats)
    for _ in range(turns):
        dealer = next((seat for seat in seats if seat > dealer), seats[0])
    return dealer


class _Session:
    """The form of a session's first lines (`dialect.Form`)."""

    def match(self, head: bytes) -> bool:
        """False for a log of the ACPC dealer: over a quarter of its lines show it, or the winner after all others fold.

        A single such line may be damaged. A log that fits both is a session's: the dealer writes a header.
        """
        lines = head.split(b"\n")
        read = others = ours = theirs = 0
        dealer, last = -1, -1
        for line in lines[:-1] or lines:
            said = _LINE.fullmatch(line.strip())
            if said is None:
                continue
            number, betting, cards, results, named = (
                group.decode("utf-8", "replace") for group in said.groups()
            )
            seats, net = _seats(named), [float(chips) for chips in results.split("|")]
            read += 1
            if sorted(set(seats)) != seats or _LIMIT.search(betting) or not _DEALT.fullmatch(cards):
                others += 1
                continue
            dealer = _dealer(dealer, last, number_in(number), seats)
            last = number_in(number)
            if len(net) == len(seats):
                ours += _wins(betting, net, seats.index(dealer) + 1)
                theirs += _wins(betting, net, 0)
        return others * _PART <= read and ours >= theirs


SESSION: Final = _Session()


def _wins(betting: str, net: Sequence[float], first: int) -> bool:
    """True if all but one fold and that player wins, given the column of the first to act after the flop."""
    players = len(net)
    played = play(betting, [math.inf] * players, posted(players, _SMALL, 2 * _SMALL))
    if played is None or sum(played.stays) > 1:
        return False
    return net[(played.stays.index(True) + first) % players] > 0


def _hands(records: Iterable[Record]) -> Iterator[Hand | Unread]:
    """The hands of a session, one per line. A player without chips has no column from then on."""
    dealer, last = -1, -1
    for record in records:
        line = record.value.strip()
        if not line:
            continue
        said = _LINE.fullmatch(line)
        if said is None:
            yield Unread(record.number, "the line is no hand", line)
            continue
        number, betting, dealt_to, results, named = (
            group.decode("utf-8", "replace") for group in said.groups()
        )
        seats = _seats(named)
        dealer = _dealer(dealer, last, number_in(number), seats)
        last = number_in(number)
        at = seats.index(dealer) + 1
        order = [*range(at, len(seats)), *range(at)]
        net = results.split("|")
        if len(net) != len(seats):
            yield Unread(record.number, "there are names and results of different numbers of players", line)
            continue
        if sorted(set(seats)) != seats:
            yield Unread(record.number, "the names are not in the order of seats", line)
            continue
        try:
            holes, board = dealt(dealt_to, order)
        except ValueError as error:
            yield Unread(record.number, str(error), line)
            continue
        bets = Betting(tuple(seats[k] for k in order), betting, tuple(float(net[k]) for k in order))
        yield Hand(record.number, last, bets, holes, board, line)


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """The sessions of a log as tables."""
    return as_tables(_hands(records), NAME, _PLAYER, out)
