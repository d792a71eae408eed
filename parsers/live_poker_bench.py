"""Hands of live-poker-bench: one JSON document per hand, one folder per tournament of language models.

Eliminated players stay in the list of players; those who are dealt cards play. `pots_awarded` has the payouts, the
next hand the stacks afterwards.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from .grammar import number_in
from .record_values import Chips, Number
from .records import Record
from .table_lines import Lines, RecordError, cards_text

NAME: Final = "live-poker-bench"

STREETS: Final = ("preflop", "flop", "turn", "river")
_BOARDS: Final = (0, 3, 4, 5)
_NUMBER: Final = re.compile(rb'"hand_number"\s*:\s*(\d{1,9})\b')


class _Blinds(msgspec.Struct):
    small: Number
    big: Number


class _Player(msgspec.Struct):
    seat: int
    name: str
    stack_start: Chips


class _Action(msgspec.Struct):
    street: str
    seat: int
    action: str
    amount: int = 0
    thinking_time_ms: float | None = None
    retries: int = 0
    forced: bool = False


class Hand(msgspec.Struct):
    """The fields of a hand's document that railbird reads."""

    hand_number: int
    button_seat: int
    blinds: _Blinds
    players: list[_Player]
    hole_cards: dict[int, tuple[str, ...]]
    community_cards: tuple[str, ...]
    actions: list[_Action]
    pots_awarded: dict[int, int]
    showdown: dict[int, tuple[str, ...]] = {}


RECORD: Final = Hand


def order(head: bytes) -> int | None:
    """The number of a document's hand, from its first bytes."""
    said = _NUMBER.search(head)
    return number_in(said[1]) if said else None


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """The hands of a tournament as table lines; a match lasts while the players are the same."""
    names: list[str] = []
    record = next(records, None)
    while record is not None:
        after = next(records, None)
        hand: Hand = record.value
        players = [player.name for player in hand.players]
        if players != names:
            if names:
                yield
            stack = max((player.stack_start for player in hand.players), default=0)
            out.match(players, NAME, stack=stack, small=hand.blinds.small, big=hand.blinds.big)
            names = players
        out.at(record.number, record.text)
        with out.hand_or_nothing():
            _hand(hand, after.value if after is not None else None, out)
        record = after


def _posters(playing: Sequence[int], button: int) -> tuple[int, int]:
    """The players who post the small and the big blind: heads-up the dealer posts the small one."""
    if len(playing) == 2 and button in playing:
        return button, playing[1] if playing[0] == button else playing[0]
    return playing[0], playing[1]


def _hand(hand: Hand, after: Hand | None, out: Lines) -> None:
    add = out.lines.append
    in_turn = [player.seat for player in hand.players]
    place = {seat: k for k, seat in enumerate(in_turn)}
    if (
        hand.button_seat not in place
        or len(place) != len(in_turn)
        or not place.keys() >= set(hand.hole_cards)
    ):
        raise RecordError("a hand whose seats are not those of its players")
    if len(hand.hole_cards) < 2:
        raise RecordError("a hand of fewer than two players")
    at = place[hand.button_seat] + 1
    playing = [seat for seat in in_turn[at:] + in_turn[:at] if seat in hand.hole_cards]
    add(f"hand {hand.hand_number} {place[hand.button_seat]}")
    add(f"limit 0 {hand.blinds.big} 0")
    left = {seat: hand.players[place[seat]].stack_start for seat in playing}
    for seat in playing:
        add(f"seat {place[seat]} {left[seat]}")
    small, big = _posters(playing, hand.button_seat)
    pips = dict.fromkeys(playing, 0)
    for word, seat, blind in (("small", small, hand.blinds.small), ("big", big, hand.blinds.big)):
        pips[seat] = min(blind, left[seat])
        left[seat] -= pips[seat]
        add(f"{word} {place[seat]} {pips[seat]}")
    bet = hand.blinds.big
    add(f"price {bet}")
    for seat in playing:
        add(f"deal {place[seat]} {cards_text(hand.hole_cards[seat])}")
    street, name = 0, STREETS[0]
    for action in hand.actions:
        seat, what, due = action.seat, action.action, 0
        if action.street != name or seat not in pips:
            name = action.street
            if name not in STREETS or seat not in pips:
                raise RecordError("a hand with an action of an unknown street or player")
            while street < STREETS.index(name):
                street = _next_street(hand, street, out)
                pips, bet = dict.fromkeys(playing, 0), 0
        own = place[seat]
        if action.forced:
            add(f"misformatted {own}")
        if what in ("fold", "check"):
            add(f"{what} {own}")
        elif what == "call":
            due = action.amount
            is_all = due == max(min(bet - pips[seat], left[seat]), 0)
            add(f"call {own}" if is_all else f"call_to {own} {pips[seat] + due}")
        elif what in ("bet", "raise"):
            bet = action.amount
            due = bet - pips[seat]
            add(f"raise {own} {bet}")
        else:
            raise RecordError("a hand with an action of another name")
        if due:
            pips[seat] += due
            left[seat] -= due
        status = "forced" if action.forced else f"{action.retries} retries" if action.retries else ""
        seconds = None if action.thinking_time_ms is None else action.thinking_time_ms / 1000
        out.note(own, seconds, status)
    while street + 1 < len(STREETS) and len(hand.community_cards) > _BOARDS[street]:
        street = _next_street(hand, street, out)
    for seat, cards in hand.showdown.items():
        if seat not in left:
            raise RecordError("a hand in which somebody shows cards who does not play it")
        add(f"show {place[seat]} {cards_text(cards)}")
    for seat, chips in hand.pots_awarded.items():
        if seat not in left:
            raise RecordError("a hand in which somebody is paid who does not play it")
        add(f"total {place[seat]} {chips}")
    if after is not None and after.hand_number == hand.hand_number + 1:
        # An eliminated player keeps the chips of its last bet in the list of players.
        for player in after.players:
            if player.seat in left:
                add(
                    f"left {place[player.seat]} {player.stack_start if player.seat in after.hole_cards else 0}"
                )
    add("end")


def _next_street(hand: Hand, street: int, out: Lines) -> int:
    out.add(f"board {cards_text(hand.community_cards[_BOARDS[street] : _BOARDS[street + 1]])}")
    return street + 1
