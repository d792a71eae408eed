"""Hands of the library texasholdem: one JSON document per hand, with all hole cards and final stacks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from .record_values import Number
from .records import Record
from .table_lines import Lines, RecordError

NAME: Final = "texasholdem-json"

_RANKS: Final = "23456789TJQKA"
_CARDS: Final = {
    (rank, suit): letter + suit[0]
    for rank, letter in enumerate(_RANKS)
    for suit in ("clubs", "diamonds", "hearts", "spades")
}
_BOARD: Final = (3, 1, 1)
"""New cards of each street after the first."""
_WORDS: Final = {"FOLD": "fold", "CHECK": "check", "CALL": "call", "ALL_IN": "allin"}
_HAND: Final = 1
"""The number of the only hand."""
_TWO: Final = 2


class Card(msgspec.Struct):
    """rank: 0 is a deuce, 12 an ace."""

    rank: int
    suit: str


class Action(msgspec.Struct):
    """A decision. total: the raise-to on the street."""

    player_id: int
    action_type: str
    total: Number | None = None


class Street(msgspec.Struct):
    """The cards that are dealt, and the betting."""

    new_cards: list[Card]
    actions: list[Action]


class Before(msgspec.Struct):
    """The start of a hand."""

    btn_loc: int
    big_blind: Number
    small_blind: Number
    player_chips: dict[str, Number]
    player_cards: dict[str, list[Card]]


class After(msgspec.Struct):
    """The end of a hand: the undealt cards, and all stacks."""

    new_cards: list[Card]
    final_chips: dict[str, Number]


class Hand(msgspec.Struct):
    """A document."""

    prehand: Before
    settle: After
    preflop: Street | None = None
    flop: Street | None = None
    turn: Street | None = None
    river: Street | None = None


RECORD: Final = Hand


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """Each document's hand as a table."""
    for record in records:
        hand: Hand = record.value
        names = list(hand.prehand.player_chips)
        out.match(
            names,
            NAME,
            stack=max(hand.prehand.player_chips.values(), default=0),
            small=hand.prehand.small_blind,
            big=hand.prehand.big_blind,
        )
        out.at(_HAND, record.text)
        with out.hand_or_nothing():
            _write(hand, names, out)
        yield


def _write(hand: Hand, names: Sequence[str], out: Lines) -> None:
    before, after = hand.prehand, hand.settle
    seat_of = {name: seat for seat, name in enumerate(names)}
    if str(before.btn_loc) not in seat_of or not before.player_cards.keys() <= seat_of.keys():
        raise RecordError("the button or a player with cards has no chips")
    if not before.player_cards.keys() <= after.final_chips.keys() or len(before.player_cards) < _TWO:
        raise RecordError("not all players have chips after the hand")
    dealer = seat_of[str(before.btn_loc)]
    seats = sorted([seat_of[name] for name in before.player_cards])
    seats = [seat for seat in seats if seat > dealer] + [seat for seat in seats if seat <= dealer]
    stacks = [before.player_chips[names[seat]] for seat in seats]
    lines = out.lines
    add = lines.append
    lines += f"hand {_HAND} {dealer}", f"limit 0 {before.big_blind} 0"
    lines += [f"seat {seat} {stack}" for seat, stack in zip(seats, stacks, strict=True)]
    # Heads-up the button has the small blind.
    small, big = (1, 0) if len(seats) == _TWO else (0, 1)
    add(f"small {seats[small]} {min(before.small_blind, stacks[small])}")
    add(f"big {seats[big]} {min(before.big_blind, stacks[big])}")
    if stacks[big] < before.big_blind:
        add(f"price {before.big_blind}")
    lines += [f"deal {seat} {_cards(before.player_cards[names[seat]])}" for seat in seats]
    dealt = 0
    for street in (hand.preflop, hand.flop, hand.turn, hand.river):
        if street is None:
            continue
        if street.new_cards:
            dealt = _write_board(street.new_cards, dealt, add)
        for action in street.actions:
            if (seat := seat_of.get(str(action.player_id))) is None:
                raise RecordError("an action is of no player")
            if (word := _WORDS.get(action.action_type)) is not None:
                add(f"{word} {seat}")
            elif action.action_type == "RAISE" and action.total is not None:
                add(f"raise {seat} {action.total}")
            else:
                raise RecordError("a decision is none, or has no amount")
    _write_board(after.new_cards, dealt, add)
    lines += [f"left {seat} {after.final_chips[names[seat]]}" for seat in seats]
    add("end")


def _write_board(new: Sequence[Card], dealt: int, add: Callable[[str], None]) -> int:
    """Write new cards street by street; returns how many streets after the first are dealt."""
    at = 0
    while at < len(new):
        if dealt == len(_BOARD):
            raise RecordError("more cards are dealt than a board has")
        add(f"board {_cards(new[at : at + _BOARD[dealt]])}")
        at, dealt = at + _BOARD[dealt], dealt + 1
    return dealt


def _cards(known: Sequence[Card]) -> str:
    try:
        return " ".join([_CARDS[card.rank, card.suit] for card in known])
    except KeyError:
        raise RecordError("a card is none") from None
