"""A spectator's view of llm-poker-arena: the events of one hand per line of JSON, without stacks and hole cards."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final

import msgspec

from .llm_arena import UNKNOWN, Sessions, line_of, opening, seats_of, spelled, written_for
from .record_values import LARGEST, Number, seat_of, whole
from .records import Record
from .table_lines import Lines, RecordError

NAME: Final = "llm-poker-arena-public"

_HOLES: Final = 2
_STACK: Final = 10_000
"""Each player's stack before each hand, by the arena's rules."""
_OPENED: Final = 50
"""The number of first hands that show the number of players."""
_WHY: Final = "a public replay has no stacks and no cards of those who show nothing"


class _Action(msgspec.Struct):
    kind: str = msgspec.field(name="type")
    amount: Any = None


class Event(msgspec.Struct):
    """An event of a hand; None: the event has no such field."""

    kind: str = msgspec.field(name="type")
    dealer: Any = msgspec.field(name="button_seat", default=None)
    blinds: Any = None
    seat: Any = None
    action: _Action | None = None
    community: Any = None
    card: Any = None
    revealed: Any = None
    winnings: Any = None


class Hand(msgspec.Struct):
    """A line of the public file."""

    number: Number = msgspec.field(name="hand_id")
    events: list[Event] = msgspec.field(name="street_events")


RECORD: Final = Hand
_NONE: Final = Event("")
_WHOLE: Final = {int}


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """The sessions of a public file as tables."""
    first = list(islice(records, _OPENED))
    if not first:
        return
    ended = [
        next((event for event in record.value.events if event.kind == "hand_ended"), _NONE)
        for record in first
    ]
    won = [event.winnings for event in ended]
    players = max((len(one) for one in won if isinstance(one, dict)), default=0)
    sessions = Sessions(out, max(players, 2), NAME)
    for record in chain(first, records):
        hand: Hand = record.value
        if sessions.ends_before(hand.number):
            yield
            sessions.begin()
        out.at(record.number, record.text)
        with out.hand_or_nothing():
            sessions.count(hand.number)
            try:
                _write(hand, players, out)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise RecordError("the events of the hand cannot be read") from error
    yield


def _of_kind(hand: Hand, kinds: Sequence[str], kind: str) -> Event:
    """The first event of a kind, empty if there is none. kinds: those of the hand's events"""
    return hand.events[kinds.index(kind)] if kind in kinds else _NONE


def _write(hand: Hand, players: int, out: Lines) -> None:
    kinds = [event.kind for event in hand.events]
    begun, ended = _of_kind(hand, kinds, "hand_started"), _of_kind(hand, kinds, "hand_ended")
    dealer, blinds = seat_of(begun.dealer, players), begun.blinds
    net: dict[str, int] = ended.winnings
    seats = seats_of(tuple(net), dealer, players)
    keys, ends = written_for(seats)
    results = [net[key] for key in keys]
    if {*map(type, results)} != _WHOLE or min(results) < -LARGEST or max(results) > LARGEST:
        results = [whole(one, -LARGEST) for one in results]
    # A player who loses more had more chips than the rules give.
    stack = _STACK if min(results) >= -_STACK else UNKNOWN
    small, big = (seats[0], whole(blinds["sb"])), (seats[1 % len(seats)], whole(blinds["bb"]))
    add, more = out.lines.append, out.lines.extend
    add(f"hand {hand.number} {dealer}")
    add(f"reason {_WHY}")
    more(opening(seats, (stack,) * len(seats), small, big))
    more(_hidden(seats))
    for kind, event in zip(kinds, hand.events, strict=True):
        if kind == "action":
            action, seat = event.action, event.seat
            if action is None or type(seat) is not int or seat not in seats:
                raise RecordError("an action is of no player")
            amount = action.amount
            add(line_of(seat, action.kind, amount if amount is None else whole(amount)))
        elif kind == "flop":
            add(f"board {spelled(tuple(event.community))}")
        elif kind in ("turn", "river"):
            add(f"board {spelled((event.card,))}")
        elif kind == "showdown":
            for seat, own in event.revealed.items():
                add(f"show {seat_of(seat, players)} {spelled(tuple(own))}")
    more((ends % tuple(results)).split("\n"))


@lru_cache(1 << 10)
def _hidden(seats: tuple[int, ...]) -> tuple[str, ...]:
    """The lines of hole cards that a spectator does not see."""
    return tuple(f"hidden {seat} {_HOLES}" for seat in seats)
