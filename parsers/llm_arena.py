"""Sessions of llm-poker-arena: language models at a table of two to ten, a hand a line of JSON.

`canonical_private.jsonl` has the whole hands, but not the size of the blinds; `public_replay.jsonl` has what
a spectator sees: no hole cards but those shown, no stacks. An amount is a player's total of the street. Results are
net.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Final

import msgspec

from .llm_arena_notes import Thought, thoughts_beside, turn
from .record_values import Chips, Number, Seat, cards_of, seat_of
from .records import Record
from .table_lines import Lines, RecordError

NAME: Final = "llm-poker-arena-private"

UNKNOWN: Final = -1
"""A stack."""
BOARD: Final = (0, 3, 4, 5)
"""Cards on the board by street."""

_STREETS: Final = ("preflop", "flop", "turn", "river")
_LAST: Final = len(_STREETS) - 1
_WORDS: Final = {"fold": "fold", "check": "check", "call": "call", "all_in": "allin"}
_RAISES: Final = ("bet", "raise_to")
_TWO: Final = 2
_USUAL: Final = (50, 100)
"""The small and the big blind where no hand tells them."""
_COMPARED: Final = 200
"""Hands, from the first, that tell the blinds."""


class Action(msgspec.Struct):
    """A decision. amount: the player's total of the street, of a bet or raise."""

    seat: Seat
    street: str
    kind: str = msgspec.field(name="action_type")
    amount: Number | None = None
    turn: Number = msgspec.field(name="turn_index", default=0)


class Result(msgspec.Struct):
    """What each won. showdown: the file says that hands were shown."""

    showdown: bool
    net: dict[str, Chips] = msgspec.field(name="net_pnl")


class Hand(msgspec.Struct):
    """A line of the private file."""

    number: Number = msgspec.field(name="hand_id")
    dealer: Seat = msgspec.field(name="button_seat")
    small_at: Seat = msgspec.field(name="sb_seat")
    big_at: Seat = msgspec.field(name="bb_seat")
    stacks: dict[str, Number] = msgspec.field(name="starting_stacks")
    holes: dict[str, list[str]] = msgspec.field(name="hole_cards")
    board: list[str] = msgspec.field(name="community")
    actions: list[Action]
    result: Result


RECORD: Final = Hand


def name_of(seat: int) -> str:
    """Players have no names in the files of hands."""
    return f"seat{seat}"


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """The session of a private file as a table."""
    first = list(islice(records, _COMPARED))
    if not first:
        return
    small, big = _blinds([record.value for record in first])
    players = max(len(record.value.stacks) for record in first)
    out.match([name_of(seat) for seat in range(players)], NAME)
    thoughts = thoughts_beside(first[0].path)
    for record in chain(first, records):
        out.at(record.number)
        with out.hand_or_nothing():
            _write(record.value, small, big, players, thoughts, out)
    yield


def _blinds(hands: Sequence[Hand]) -> tuple[int, int]:
    """The blinds as most hands tell them in which whoever posted one folds without another chip."""
    found: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for hand in hands:
        for seat, counted in zip((hand.small_at, hand.big_at), found, strict=True):
            own = next((action for action in hand.actions if action.seat == seat), None)
            if own is not None and own.kind == "fold" and own.street == "preflop":
                counted[-hand.result.net.get(str(seat), 0)] += 1
    small, big = (counted.most_common(1)[0][0] if counted else 0 for counted in found)
    if small <= 0 and big <= 0:
        return _USUAL
    return small if small > 0 else big // 2, big if big > 0 else 2 * small


def _write(
    hand: Hand, small: int, big: int, players: int, thoughts: Mapping[str, Thought], out: Lines
) -> None:
    stacks = {seat_of(seat, players): stack for seat, stack in hand.stacks.items()}
    holes = {seat_of(seat, players): cards_of(own) for seat, own in hand.holes.items()}
    net = {seat_of(seat, players): chips for seat, chips in hand.result.net.items()}
    board = cards_of(hand.board)
    if not stacks.keys() == holes.keys() == net.keys() or not {hand.small_at, hand.big_at} <= stacks.keys():
        raise RecordError("stacks, cards and results are not of the same players")
    if hand.dealer not in stacks or any(action.seat not in stacks for action in hand.actions):
        raise RecordError("the button or an action is of no player")
    seats = sorted(stacks, key=lambda seat: (seat - hand.dealer - 1) % players)
    write_begin(out, hand.number, hand.dealer, seats, stacks, ((hand.small_at, small), (hand.big_at, big)))
    for seat in seats:
        out.add(f"deal {seat} {' '.join(holes[seat])}")
    street, stays = 0, set(seats)
    for action in hand.actions:
        street = write_streets(out, board, street, action.street)
        out.add(line_of(action.seat, action.kind, action.amount))
        said = thoughts.get(turn(hand.number, action.street, action.turn))
        if said is not None and said.seat == action.seat:
            out.note(said.seat, said.seconds, said.status, said.text)
        if action.kind == "fold":
            stays.discard(action.seat)
    while street < _LAST and len(board) > BOARD[street]:
        street = write_streets(out, board, street, _STREETS[street + 1])
    if hand.result.showdown:
        for seat in (seat for seat in seats if seat in stays):
            out.add(f"show {seat} {' '.join(holes[seat])}")
    else:
        out.add("silent")
    for seat in seats:
        out.add(f"net {seat} {net[seat]}")
    out.add("end")


def write_begin(
    out: Lines,
    number: int,
    dealer: int,
    seats: Sequence[int],
    stacks: Mapping[int, int],
    blinds: Sequence[tuple[int, int]],
    reason: str = "",
) -> None:
    """Write a hand up to its blinds: the seats of the small and the big one, and their chips.

    seats: of all players; reason: why the hand is not checked
    """
    (small_at, small), (big_at, big) = blinds
    out.add(f"hand {number} {dealer}")
    if reason:
        out.add(f"reason {reason}")
    out.add(f"limit 0 {big} 0")
    for seat in seats:
        out.add(f"seat {seat} {stacks.get(seat, UNKNOWN)}")
    for word, seat, chips in (("small", small_at, small), ("big", big_at, big)):
        stack = stacks.get(seat, UNKNOWN)
        out.add(f"{word} {seat} {chips if stack == UNKNOWN else min(chips, stack)}")
    if UNKNOWN < stacks.get(big_at, UNKNOWN) < big:
        out.add(f"price {big}")
    if len(seats) == _TWO:
        # The button has the big blind, and the other one begins.
        out.add(f"first {small_at}")


def write_streets(out: Lines, board: Sequence[str], street: int, named: str) -> int:
    """Write the cards up to a street, and return its number."""
    if named not in _STREETS or _STREETS.index(named) < street:
        raise RecordError("an action is on no street that is to come")
    while street < _STREETS.index(named):
        street += 1
        new = board[BOARD[street - 1] : BOARD[street]]
        if len(new) != BOARD[street] - BOARD[street - 1]:
            raise RecordError("cards of a street are missing")
        out.add(f"board {' '.join(new)}")
    return street


def line_of(seat: int, kind: str, amount: int | None) -> str:
    """The line of a decision; RecordError for one that there is not."""
    if kind in _WORDS:
        return f"{_WORDS[kind]} {seat}"
    if kind not in _RAISES or amount is None:
        raise RecordError("a decision is none, or has no amount")
    return f"raise {seat} {amount}"
