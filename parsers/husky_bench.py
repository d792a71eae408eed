"""Hands of Husky Hold'em Bench: one JSON document per hand, or one per match with a key for each hand.

Rounds, hands and names are indexed by the player's number, money by that number plus 1. Amounts are chips added; the
first two actions are the blinds.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from .record_values import UNDECODED, Number, moment
from .records import Record
from .table_lines import QUOTED, Lines, RecordError, cards_text

NAME: Final = "husky-pokerden"

_BOARDS: Final = (0, 3, 4, 5)
_HAND: Final = "gamelog_"
_MATCH: Final = re.compile(rb'"gameId"\s*:\s*"([^"\\]{1,64})"')
_DIGITS: Final = 16
_MILLISECONDS: Final = 1000
"""Time stamps are in milliseconds."""
_BLINDS: Final = 2
"""Actions of the first round that are the blinds."""


class _Blinds(msgspec.Struct):
    small: Number
    big: Number


class _Money(msgspec.Struct):
    initial: Number = msgspec.field(name="initialAmount")
    start: dict[int, int] = msgspec.field(name="startingMoney")
    final: dict[int, int] = msgspec.field(name="finalMoney")
    delta: dict[int, int] = msgspec.field(name="thisGameDelta")


class _Action(msgspec.Struct):
    player: int
    action: str
    amount: int
    timestamp: int | None = None


class _Round(msgspec.Struct):
    actions: list[_Action] = msgspec.field(name="action_sequence")


class Hand(msgspec.Struct):
    """The fields of a hand that railbird reads."""

    id: str = msgspec.field(name="gameId")
    rounds: dict[int, _Round]
    players: dict[int, str] = msgspec.field(name="playerNames")
    blinds: _Blinds
    board: tuple[str, ...] = msgspec.field(name="finalBoard")
    money: _Money = msgspec.field(name="playerMoney")
    hands: dict[int, tuple[str, ...]] = msgspec.field(name="playerHands")
    users: dict[int, str] = msgspec.field(name="playerIdToUsername", default_factory=dict)


RECORD: Final = dict[str, msgspec.Raw]
_KEYS: Final = tuple(field.encode_name for field in msgspec.structs.fields(Hand))


def group(head: bytes) -> bytes:
    """The match that a document belongs to, by its first bytes."""
    said = _MATCH.search(head)
    return said[1] if said else b""


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """The hands of a match as table lines; a match lasts while its name and its players are the same."""
    of: tuple[str, tuple[int, ...]] | None = None
    before = 0
    for record in records:
        for number, raw in _hands_of(record.value):
            text = record.text if isinstance(raw, dict) else bytes(memoryview(raw)[:QUOTED])
            out.at(number or record.number, text)
            try:
                hand = _read(raw)
            except UNDECODED as error:
                out.unread(f"a hand that cannot be read: {error}", is_hand=True, text=text)
                continue
            match = hand.id, tuple(hand.players)
            if match != of:
                if of is not None:
                    yield
                of, before = match, record.number - 1
                names = [hand.users.get(player + 1, name) for player, name in hand.players.items()]
                blinds = hand.blinds
                stack, began = hand.money.initial, _began(hand)
                out.match(names, NAME, stack=stack, small=blinds.small, big=blinds.big, played_at=began)
            with out.hand_or_nothing():
                _Writer(hand, number or record.number - before, out).write()


def _hands_of(document: Mapping[str, msgspec.Raw]) -> Iterator[tuple[int, Any]]:
    """The hands of a document, with the numbers of their keys; 0 for a document that is a single hand."""
    several = {key: raw for key, raw in document.items() if key.startswith(_HAND)}
    if not several:
        yield 0, document
        return
    for place, (key, raw) in enumerate(several.items(), 1):
        number = key.removeprefix(_HAND)
        yield int(number) if number.isdecimal() and len(number) < _DIGITS else place, raw


def _read(raw: Any) -> Hand:
    if isinstance(raw, dict):
        known = {key: msgspec.json.decode(raw[key]) for key in _KEYS if key in raw}
        return msgspec.convert(known, Hand, strict=False)
    return msgspec.json.decode(raw, type=Hand)


def _began(hand: Hand) -> str:
    """When the first blind of a hand was posted."""
    first = hand.rounds.get(0)
    at = first.actions[0].timestamp if first is not None and first.actions else None
    return "" if at is None else moment(at // _MILLISECONDS)


class _Writer:
    """The lines of a hand."""

    def __init__(self, hand: Hand, number: int, out: Lines) -> None:
        self.hand, self.number, self.out = hand, number, out
        self.place = {player: k for k, player in enumerate(hand.players)}
        self.left: dict[int, int] = {}
        self.active: set[int] = set()
        self.time: int | None = None

    def write(self) -> None:
        hand, add = self.hand, self.out.add
        actions = [one for _, each in sorted(hand.rounds.items()) for one in each.actions]
        playing, dealer = self._in_turn(actions)
        add(f"hand {self.number} {self.place[dealer]}")
        add(f"limit 0 {hand.blinds.big} 0")
        for player in playing:
            self.left[player] = hand.money.start[player + 1]
            add(f"seat {self.place[player]} {self.left[player]}")
        self.active = set(playing)
        dealt = 0
        for street, played in sorted(hand.rounds.items()):
            if street:
                self._board(dealt, street)
                dealt = street
            self._street(street, played.actions, playing)
        for street in range(dealt + 1, len(_BOARDS)):
            if len(hand.board) >= _BOARDS[street]:
                self._board(street - 1, street)
        for player in playing:
            add(f"net {self.place[player]} {hand.money.delta[player + 1]}")
        for player in playing:
            add(f"left {self.place[player]} {hand.money.final[player + 1]}")
        add("end")

    def _in_turn(self, actions: list[_Action]) -> tuple[list[int], int]:
        """The players of the hand, from the one after the dealer on; and the dealer."""
        hand = self.hand
        if sorted(hand.rounds) != list(range(len(hand.rounds))) or len(hand.rounds) > len(_BOARDS):
            raise RecordError("a hand whose rounds do not follow each other")
        playing = [player for player in hand.players if player in hand.hands]
        known = {*hand.money.start} & {*hand.money.final} & {*hand.money.delta}
        if not playing or not known >= {player + 1 for player in playing}:
            raise RecordError("a hand whose players have no money, or no cards")
        if not actions:
            return playing, playing[-1]
        if (
            len(hand.rounds[0].actions) < _BLINDS
            or not {one.player for one in actions} <= set(playing)
            or len(playing) < 2
        ):
            raise RecordError("a hand of players who do not play it")
        small = playing.index(actions[0].player)
        playing = playing[small:] + playing[:small]
        if len(playing) == 2:
            # Heads-up the dealer posts the small blind.
            return [playing[1], playing[0]], playing[0]
        return playing, playing[-1]

    def _board(self, before: int, street: int) -> None:
        self.out.add(f"board {cards_text(self.hand.board[_BOARDS[before] : _BOARDS[street]])}")

    def _street(self, street: int, actions: list[_Action], playing: list[int]) -> None:
        """A round's actions; the blinds before the first."""
        add, place = self.out.add, self.place
        pips = dict.fromkeys(playing, 0)
        bet = 0
        if street == 0:
            for word, blind in zip(("small", "big"), actions[:_BLINDS], strict=True):
                add(f"{word} {place[blind.player]} {blind.amount}")
                pips[blind.player] += blind.amount
                self.left[blind.player] -= blind.amount
                self.time = blind.timestamp
            bet = self.hand.blinds.big
            for player in playing:
                add(f"deal {place[player]} {cards_text(self.hand.hands[player])}")
            actions = actions[_BLINDS:]
        for one in actions:
            seconds = None
            if one.timestamp is not None:
                seconds = (one.timestamp - self.time) / 1000 if self.time is not None else None
                self.time = one.timestamp
            if self.left[one.player] <= 0 and one.amount == 0 and one.action != "FOLD":
                # A player who is all-in is also asked on later streets, and can do nothing.
                continue
            pips[one.player] += one.amount
            bet = self._act(one, pips[one.player], bet)
            self.out.note(place[one.player], seconds)

    def _act(self, one: _Action, to: int, bet: int) -> int:
        """Write an action after which its player has `to` chips on the street; returns the bet to match then."""
        add, seat = self.out.add, self.place[one.player]
        if one.action == "FOLD":
            add(f"fold {seat}")
            self.active.discard(one.player)
        elif one.action == "CHECK":
            add(f"check {seat}")
        elif one.action not in ("CALL", "RAISE", "ALL IN"):
            raise RecordError("a hand with an action of another name")
        elif to > bet:
            add(f"raise {seat} {to}")
        else:
            # A call of nothing, or of more than the stack, is written with the chips that the document gives.
            is_plain = to == bet and one.amount <= self.left[one.player]
            is_plain = is_plain and (one.amount > 0 or one.action != "CALL")
            add(f"call {seat}" if is_plain else f"call_to {seat} {to}")
        self.left[one.player] -= one.amount
        return max(bet, to)
