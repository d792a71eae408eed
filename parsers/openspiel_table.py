"""Hands of OpenSpiel's poker, in either printed form, as the lines of a table."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .openspiel_stakes import FOLD, RAISE, Action, Betting, Played, fits, infer, play, posted
from .record_values import LARGEST, Cards, cards
from .table_lines import Lines, RecordError

_TWO: Final = 2
_FINE: Final = 60
"""Units of a chip that two to six winners can share."""


@dataclass(frozen=True)
class Hand:
    """A printed hand, by position (`openspiel_stakes`): the dealer is last.

    at     the number of its first line; text: how it begins
    board  the new cards of each street
    """

    at: int
    number: int
    bets: Betting
    holes: tuple[Cards, ...]
    board: tuple[Cards, ...]
    text: bytes = b""


@dataclass(frozen=True)
class Unread:
    """An unreadable hand: its first line, the reason, and how it begins."""

    at: int
    why: str
    text: bytes = b""


def dealt(text: str, order: Sequence[int]) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    """Hole cards by position, from their order of columns, and the new cards of each street."""
    hole, *streets = text.split("/")
    columns = hole.split("|")
    if len(columns) != len(order):
        raise RecordError("there are cards and results of different numbers of players")
    return tuple(cards(columns[k]) for k in order), tuple(cards(one) for one in streets)


def write_hand(
    out: Lines,
    number: int,
    seats: Sequence[int],
    stacks: Sequence[float],
    blinds: Sequence[float],
    holes: Sequence[Cards],
    board: Sequence[Cards],
    played: Played,
    unit: int,
    reason: str = "",
    after: Callable[[Action], None] = lambda _: None,
) -> None:
    """Write a hand up to its last decision and card; arguments are by position.

    reason: why it is not checked; after: called after each decision
    """
    players, add = len(seats), out.lines.append
    add(f"hand {number} {seats[-1]}")
    if reason:
        add(f"reason {reason}")
    add(f"limit 0 {round(max(blinds) * unit)} 0")
    for seat, stack in zip(seats, stacks, strict=True):
        add(f"seat {seat} {-1 if math.isinf(stack) else round(stack * unit)}")
    base = [0.0] * players
    word_of = ("big", "small") if players == 2 else ("small", "big")
    for position in (1, 0) if players == 2 else (0, 1):
        paid = min(blinds[position], stacks[position])
        add(f"{word_of[position]} {seats[position]} {round(paid * unit)}")
    if stacks[word_of.index("big")] < played.price:
        add(f"price {round(played.price * unit)}")
    for seat, own in zip(seats, holes, strict=True):
        add(f"deal {seat} {' '.join(own)}")
    street, spent = 0, [min(blind, stack) for blind, stack in zip(blinds, stacks, strict=True)]
    for action in played.actions:
        while street < action.street:
            _write_street(out, board, street)
            base, street = list(spent), street + 1
        spent[action.position] = action.spent
        seat = seats[action.position]
        if action.what == RAISE:
            add(f"raise {seat} {round((action.spent - base[action.position]) * unit)}")
        else:
            add(f"{'fold' if action.what == FOLD else 'call'} {seat}")
        after(action)
    while street < len(board):
        _write_street(out, board, street)
        street += 1


def _write_street(out: Lines, board: Sequence[Cards], street: int) -> None:
    if street >= len(board) or not board[street]:
        raise RecordError("the cards of a street are missing")
    out.add(f"board {' '.join(board[street])}")


def write_results(out: Lines, seats: Sequence[int], results: Sequence[float], unit: int) -> None:
    """Write each player's result, and the end of the hand."""
    if any(not abs(net) <= LARGEST for net in results):
        raise RecordError("a result is no number of chips")
    for seat, net in zip(seats, results, strict=True):
        out.add(f"net {seat} {round(net * unit)}")
    out.add("end")


def unit_for(players: int) -> int:
    """Units per chip that the winners of a pot can share: heads-up pots are always even."""
    return 1 if players == _TWO else _FINE


def _sessions(hands: Iterable[Hand | Unread]) -> Iterator[list[Hand | Unread]]:
    """Hands by session: numbers within a session ascend."""
    session: list[Hand | Unread] = []
    last = -1
    for hand in hands:
        if isinstance(hand, Hand):
            if hand.number <= last:
                yield session
                session = []
            last = hand.number
        session.append(hand)
    if session:
        yield session


def translate(hands: Iterable[Hand | Unread], engine: str, name: str, out: Lines) -> Iterator[None]:
    """Write sessions of an engine. name: the text before the seat in a player's name."""
    for session in _sessions(hands):
        known = [hand for hand in session if isinstance(hand, Hand)]
        if not known:
            continue
        stakes = infer([hand.bets for hand in known])
        of_hand = dict(
            zip((hand.at for hand in known), zip(stakes.blinds, stakes.stacks, strict=True), strict=True)
        )
        players = 1 + max(seat for hand in known for seat in hand.bets.seats)
        unit = unit_for(players)
        out.match([f"{name}{seat}" for seat in range(players)], engine, unit)
        for hand in session:
            out.at(hand.at, hand.text)
            with out.hand_or_nothing():
                if isinstance(hand, Unread):
                    raise RecordError(hand.why)
                level, stacks = of_hand[hand.at]
                if not fits(hand.bets, stacks, level):
                    # After a lost hand nothing can be carried over: this hand is treated by itself.
                    alone = infer([hand.bets])
                    level, stacks = alone.blinds[0], alone.stacks[0]
                blinds = posted(len(stacks), *level)
                played = play(hand.bets.betting, stacks, blinds)
                if played is None:
                    raise RecordError("the betting does not fit any stacks and blinds")
                seats = hand.bets.seats
                write_hand(out, hand.number, seats, stacks, blinds, hand.holes, hand.board, played, unit)
                write_results(out, seats, hand.bets.net, unit)
        yield
