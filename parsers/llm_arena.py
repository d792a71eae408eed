"""Sessions of llm-poker-arena: language models at a table of two to ten, one hand per line of JSON.

`canonical_private.jsonl` has the whole hands, but not the size of the blinds; `public_replay.jsonl` has what
a spectator sees: no hole cards but those shown, no stacks. An amount is a player's total of the street. Results are
net. The models' reasoning is in `agent_view_snapshots.jsonl` next to a private file: one decision per line, identified
by hand, street and number of the action on the street.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

import msgspec

from .acpc_game import MAX_PLAYERS
from .record_values import Chips, Number, Seat, cards_of, clock, first_agreed, seat_of
from .records import Record
from .table_lines import Lines, RecordError

NAME: Final = "llm-poker-arena-private"

SEAT: Final = tuple(str(seat) for seat in range(MAX_PLAYERS))
"""Seats as keys of records."""
UNKNOWN: Final = -1
"""A stack."""
BOARD: Final = (0, 3, 4, 5)
"""Cards on the board by street."""

_STREETS: Final = ("preflop", "flop", "turn", "river")
_NUMBER: Final = {street: number for number, street in enumerate(_STREETS)}
_LAST: Final = len(_STREETS) - 1
_WORDS: Final = {"fold": "fold", "check": "check", "call": "call", "all_in": "allin"}
_RAISES: Final = ("bet", "raise_to")
_TWO: Final = 2
_USUAL: Final = (50, 100)
"""The small and the big blind if no hand shows them."""
MOST_LINES: Final = 60_000
"""The most lines of a match: some 3,000 hands."""
_COMPARED: Final = 200
"""The number of first hands from which the blinds are found."""


_HANDS: Final = "canonical_private"
_SNAPSHOTS: Final = "agent_view_snapshots"
_LONGEST: Final = 1 << 24
"""Bytes of a snapshot that is read."""


class _Step(msgspec.Struct):
    text_content: str = ""
    reasoning_artifacts: list[Any] = []


class _Snapshot(msgspec.Struct):
    seat: int
    turn: str = msgspec.field(name="turn_id")
    milliseconds: float = msgspec.field(name="wall_time_ms", default=0.0)
    steps: list[_Step] = msgspec.field(name="iterations", default_factory=list)
    is_default: bool = msgspec.field(name="default_action_fallback", default=False)
    is_late: bool = msgspec.field(name="turn_timeout_exceeded", default=False)
    refused: int = msgspec.field(name="illegal_action_retry_count", default=0)


@dataclass(frozen=True)
class Thought:
    """A model's remarks about a decision."""

    seat: int
    seconds: float
    status: str
    text: str


def turn(hand: int, street: str, number: int) -> str:
    """The name of a decision."""
    return f"{hand}-{street}-{number}"


def thoughts_beside(path: str) -> Mapping[str, Thought]:
    """The snapshots next to a private file, by turn; empty if there are none."""
    own = Path(path)
    if _HANDS not in own.name:
        return {}
    found: dict[str, Thought] = {}
    decode = msgspec.json.Decoder(_Snapshot).decode
    try:
        with own.with_name(own.name.replace(_HANDS, _SNAPSHOTS)).open("rb") as stream:
            while line := stream.readline(_LONGEST):
                try:
                    said = decode(line)
                except (msgspec.MsgspecError, RecursionError):
                    continue
                found[said.turn] = Thought(said.seat, said.milliseconds / 1000, _status(said), _text(said))
    except OSError:
        return {}
    return found


def _status(said: _Snapshot) -> str:
    """How the engine treated the answers."""
    parts = [f"{said.refused} illegal answers"] if said.refused else []
    parts += ["timed out"] * said.is_late + ["default action"] * said.is_default
    return ", ".join(parts)


def _text(said: _Snapshot) -> str:
    """The text that a model wrote with its answers; its reasoning if it wrote none."""
    written = [step.text_content.strip() for step in said.steps if step.text_content.strip()]
    if not written:
        artifacts = (one for step in said.steps for one in step.reasoning_artifacts if isinstance(one, dict))
        written = [str(one["content"]) for one in artifacts if one.get("content")]
    return "\n\n".join(written)


class Action(msgspec.Struct):
    """A decision. amount: the player's total of the street, of a bet or raise."""

    seat: Seat
    street: str
    kind: str = msgspec.field(name="action_type")
    amount: Number | None = None
    turn: Number = msgspec.field(name="turn_index", default=0)


class Result(msgspec.Struct):
    """Each player's result. showdown: the file says that hands were shown."""

    showdown: bool
    net: dict[str, Chips] = msgspec.field(name="net_pnl")


class Hand(msgspec.Struct):
    """A line of the private file."""

    number: Number = msgspec.field(name="hand_id")
    dealer: Seat = msgspec.field(name="button_seat")
    small_at: Seat = msgspec.field(name="sb_seat")
    big_at: Seat = msgspec.field(name="bb_seat")
    stacks: dict[str, Number] = msgspec.field(name="starting_stacks")
    holes: dict[str, tuple[str, ...]] = msgspec.field(name="hole_cards")
    board: list[str] = msgspec.field(name="community")
    actions: list[Action]
    result: Result
    started_at: Any = None


RECORD: Final = Hand


def name_of(seat: int) -> str:
    """Players have no names in the files of hands."""
    return f"seat{seat}"


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """The sessions of a private file as tables (`Sessions`)."""
    first = list(islice(records, _COMPARED))
    if not first:
        return
    small, big = _blinds([record.value for record in first])
    players = max(len(record.value.stacks) for record in first)
    thoughts = thoughts_beside(first[0].path)
    sessions = Sessions(out, players, NAME)
    for record in chain(first, records):
        hand: Hand = record.value
        if sessions.ends_before(hand.number):
            yield
            sessions.begin()
        sessions.played_at(hand.started_at)
        out.at(record.number, record.text)
        with out.hand_or_nothing():
            sessions.count(hand.number)
            _write(hand, small, big, players, thoughts, out)
    yield


class Sessions:
    """The matches of a file whose hands have numbers.

    Another one begins where the number of the first hand comes again, or after MOST_LINES lines.
    """

    def __init__(self, out: Lines, players: int, engine: str) -> None:
        """Begin the first match."""
        self._out, self._names, self._engine = out, [name_of(seat) for seat in range(players)], engine
        self._first: int | None = None
        self.begin()

    def begin(self) -> None:
        """Begin a match."""
        self._table, self._seen = self._out.match(self._names, self._engine), set[int]()

    def ends_before(self, number: int) -> bool:
        """True if another match begins with a hand of this number."""
        if self._first is None:
            self._first = number
        if number == self._first and len(self._seen) > 1:
            return True
        return len(self._table.lines) >= MOST_LINES

    def played_at(self, said: Any) -> None:
        """When a hand began; of a match the first hand's counts."""
        if not self._table.lines:
            self._table.played_at = clock(said)

    def count(self, number: int) -> None:
        """Note a hand; RecordError if the match has one of its number."""
        if number in self._seen:
            raise RecordError("a hand of this number stands above")
        self._seen.add(number)


def _blinds(hands: Sequence[Hand]) -> tuple[int, int]:
    """The blinds, from the first hands in which the poster of a blind folds without paying another chip."""
    found: tuple[list[int], list[int]] = ([], [])
    for hand in hands:
        for seat, told in zip((hand.small_at, hand.big_at), found, strict=True):
            own = next((action for action in hand.actions if action.seat == seat), None)
            if own is not None and own.kind == "fold" and own.street == "preflop":
                told.append(-hand.result.net.get(str(seat), 0))
    small, big = (first_agreed(told) or 0 for told in found)
    if small <= 0 and big <= 0:
        return _USUAL
    return small if small > 0 else big // 2, big if big > 0 else 2 * small


@lru_cache(1 << 10)
def seats_of(named: tuple[str, ...], dealer: int, players: int) -> tuple[int, ...]:
    """The seats of a record's keys, from the player after the dealer on; RecordError for an invalid key."""
    seats = [seat_of(name, players) for name in named]
    if dealer not in seats:
        raise RecordError("the button is at no player's seat")
    if [SEAT[seat] for seat in seats] != [*named]:
        raise RecordError("a seat has a number that is written in another way")
    return tuple(sorted(seats, key=lambda seat: (seat - dealer - 1) % players))


@lru_cache(1 << 13)
def spelled(cards: tuple[str, ...]) -> str:
    """Cards as a line has them."""
    return " ".join(cards_of(cards))


def _write(
    hand: Hand, small: int, big: int, players: int, thoughts: Mapping[str, Thought], out: Lines
) -> None:
    holes, result = hand.holes, hand.result
    seats = seats_of(tuple(hand.stacks), hand.dealer, players)
    if not hand.stacks.keys() == holes.keys() == result.net.keys():
        raise RecordError("stacks, cards and results are not of the same players")
    keys, results = written_for(seats)
    stacks = tuple([hand.stacks[key] for key in keys])
    begin = opening(seats, stacks, (hand.small_at, small), (hand.big_at, big))
    lines = out.lines
    add, more = lines.append, lines.extend
    add(f"hand {hand.number} {hand.dealer}")
    more(begin)
    more(map(_dealt, seats, [holes[key] for key in keys]))
    street, name, stays = 0, _STREETS[0], [*seats]
    for action in hand.actions:
        if action.street != name:
            street, name = write_streets(out, hand.board, street, action.street), action.street
        seat, kind = action.seat, action.kind
        if seat not in seats:
            raise RecordError("an action is of no player")
        add(line_of(seat, kind, action.amount))
        if thoughts:
            said = thoughts.get(turn(hand.number, name, action.turn))
            if said is not None and said.seat == seat:
                out.note(seat, said.seconds, said.status, said.text)
        if kind == "fold" and seat in stays:
            stays.remove(seat)
    while street < _LAST and len(hand.board) > BOARD[street]:
        street = write_streets(out, hand.board, street, _STREETS[street + 1])
    if result.showdown:
        more([f"show {seat} {spelled(holes[SEAT[seat]])}" for seat in seats if seat in stays])
    else:
        add("silent")
    more((results % tuple([result.net[key] for key in keys])).split("\n"))


@lru_cache(1 << 10)
def written_for(seats: tuple[int, ...]) -> tuple[tuple[str, ...], str]:
    """The keys of a hand's players in a record, and the hand's last lines, a format string for their net results."""
    return tuple(SEAT[seat] for seat in seats), "\n".join([*(f"net {seat} %d" for seat in seats), "end"])


@lru_cache(1 << 14)
def _dealt(seat: int, cards: tuple[str, ...]) -> str:
    """The line of a player's hole cards."""
    return f"deal {seat} {spelled(cards)}"


@lru_cache(1 << 12)
def opening(
    seats: tuple[int, ...],
    stacks: tuple[int, ...],
    small: tuple[int, int],
    big: tuple[int, int],
) -> tuple[str, ...]:
    """The lines from a hand's limit to the first player to act; small, big: the seat and the chips of each blind.

    stacks: by seat of `seats`, UNKNOWN if not given
    """
    of = dict(zip(seats, stacks, strict=True))
    if not {small[0], big[0]} <= of.keys():
        raise RecordError("a blind is of no player")
    lines = [f"limit 0 {big[1]} 0"]
    lines += [f"seat {seat} {stack}" for seat, stack in of.items()]
    for word, (seat, chips) in (("small", small), ("big", big)):
        lines.append(f"{word} {seat} {chips if of[seat] == UNKNOWN else min(chips, of[seat])}")
    if UNKNOWN < of[big[0]] < big[1]:
        lines.append(f"price {big[1]}")
    if len(seats) == _TWO:
        # The button posts the big blind, and the other player begins.
        lines.append(f"first {small[0]}")
    return tuple(lines)


def write_streets(out: Lines, board: Sequence[str], street: int, named: str) -> int:
    """Write the cards up to a street, and return its number."""
    last = _NUMBER.get(named, -1)
    if last < street:
        raise RecordError("an action is on no street that is to come")
    while street < last:
        street += 1
        new = tuple(board[BOARD[street - 1] : BOARD[street]])
        if len(new) != BOARD[street] - BOARD[street - 1]:
            raise RecordError("cards of a street are missing")
        out.add(f"board {spelled(new)}")
    return street


@lru_cache(1 << 13)
def line_of(seat: int, kind: str, amount: int | None) -> str:
    """The line of a decision; RecordError for an unknown kind."""
    if kind in _WORDS:
        return f"{_WORDS[kind]} {seat}"
    if kind not in _RAISES or amount is None:
        raise RecordError("a decision is none, or has no amount")
    return f"raise {seat} {amount}"
