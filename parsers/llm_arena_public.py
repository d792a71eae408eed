"""What a spectator of llm-poker-arena sees: the events of a hand a line of JSON, without stacks and hole cards."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any, Final

import msgspec

from .llm_arena import UNKNOWN, line_of, name_of, write_begin
from .record_values import LARGEST, Number, cards_of, seat_of, whole
from .records import Record
from .table_lines import Lines, RecordError

NAME: Final = "llm-poker-arena-public"

_HOLES: Final = 2
_STACK: Final = 10_000
"""Of each player before each hand, by the arena's rules."""
_OPENED: Final = 50
"""Hands that tell how many play."""
_WHY: Final = "a public replay has no stacks and no cards of those who show nothing"


class Hand(msgspec.Struct):
    """A line of the public file."""

    number: Number = msgspec.field(name="hand_id")
    events: list[Any] = msgspec.field(name="street_events")


RECORD: Final = Hand


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """The session of a public file as a table."""
    first = list(islice(records, _OPENED))
    if not first:
        return
    players = max(
        (len(_of_kind(record.value, "hand_ended").get("winnings", ())) for record in first), default=0
    )
    out.match([name_of(seat) for seat in range(max(players, 2))], NAME)
    for record in chain(first, records):
        out.at(record.number)
        with out.hand_or_nothing():
            try:
                _write(record.value, players, out)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise RecordError("the events of the hand cannot be read") from error
    yield


def _of_kind(hand: Hand, kind: str) -> Mapping[str, Any]:
    """The first event of a kind, empty where there is none."""
    return next((one for one in hand.events if isinstance(one, dict) and one.get("type") == kind), {})


def _write(hand: Hand, players: int, out: Lines) -> None:
    opening, closing = _of_kind(hand, "hand_started"), _of_kind(hand, "hand_ended")
    dealer, blinds = seat_of(opening["button_seat"], players), opening["blinds"]
    net = {seat_of(seat, players): whole(chips, -LARGEST) for seat, chips in closing["winnings"].items()}
    if dealer not in net:
        raise RecordError("the button is at no player's seat")
    seats = sorted(net, key=lambda seat: (seat - dealer - 1) % players)
    # A player who loses more had more chips than the file says.
    stacks = dict.fromkeys(seats, _STACK if min(net.values()) >= -_STACK else UNKNOWN)
    posts = [seats[0], seats[1 % len(seats)]]
    write_begin(
        out,
        hand.number,
        dealer,
        seats,
        stacks,
        ((posts[0], whole(blinds["sb"])), (posts[1], whole(blinds["bb"]))),
        _WHY,
    )
    for seat in seats:
        out.add(f"hidden {seat} {_HOLES}")
    for event in hand.events:
        match event["type"]:
            case "action":
                action = event["action"]
                amount = action.get("amount")
                out.add(
                    line_of(
                        seat_of(event["seat"], players),
                        action["type"],
                        None if amount is None else whole(amount),
                    )
                )
            case "flop":
                out.add(f"board {' '.join(cards_of(event['community']))}")
            case "turn" | "river":
                out.add(f"board {' '.join(cards_of([event['card']]))}")
            case "showdown":
                for seat, own in event["revealed"].items():
                    out.add(f"show {seat_of(seat, players)} {' '.join(cards_of(own))}")
    for seat in seats:
        out.add(f"net {seat} {net[seat]}")
    out.add("end")
