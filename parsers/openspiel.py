"""Hands that OpenSpiel's repeated poker prints, a finished hand a line.

Columns are seats. A line has no button, blinds and stacks: the last seat deals the first hand, then the next player
that is still there; the rest is inferred (`openspiel_stakes`).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from .openspiel_stakes import Betting
from .openspiel_table import Hand, Unread, dealt
from .openspiel_table import translate as as_tables
from .records import Record
from .table_lines import Lines

NAME: Final = "openspiel-acpc-lines"

_PLAYER: Final = "Player"
_LINE: Final = re.compile(
    rb"STATE:(\d{1,18}):([cfr\d/]*):([^:\n]+):(-?\d{1,12}(?:\|-?\d{1,12})*):(Player\d{1,3}(?:\|Player\d{1,3})+)"
)


def _hands(records: Iterable[Record]) -> Iterator[Hand | Unread]:
    """The hands of a session, one on each line. A player without chips has no column from then on."""
    dealer, last = -1, -1
    for record in records:
        line = record.value.strip()
        if not line:
            continue
        said = _LINE.fullmatch(line)
        if said is None:
            yield Unread(record.number, "the line is no hand", line)
            continue
        number, betting, dealt_to, results, named = (group.decode() for group in said.groups())
        seats = [int(name[len(_PLAYER) :]) for name in named.split("|")]
        # The button goes on to the next who still plays, from the last seat in hand 0. Hands may be missing.
        turns = int(number) - last
        if dealer < 0 or turns <= 0:
            dealer, turns = seats[-1], int(number)
        last = int(number)
        turns = turns if turns <= len(seats) else turns % len(seats) + len(seats)
        for _ in range(turns):
            dealer = next((seat for seat in seats if seat > dealer), seats[0])
        at = seats.index(dealer) + 1
        order = [*range(at, len(seats)), *range(at)]
        net = results.split("|")
        if len(net) != len(seats) or sorted(set(seats)) != seats:
            yield Unread(record.number, "there are names and results of different numbers of players", line)
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
