"""Kuhn poker of Poker Camp (2024): three cards, an ante and a bet of one chip each. The engine is the rule."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ..parsers import events, mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..parsers.reading import Scanned, with_room
from ..replay.bots import Answer, View
from ..replay.cards import RANKS, SUITS
from ..replay.games import Game, Profile
from ..replay.records import BET, CALL, CHECK, FOLD, RAISE
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played, PlayedHand, drawn
from .mit_engine import HeadsUp
from .properties import Properties, Variant

_NAME: Final = "poker-camp"
_HEADER: Final = "Poker Camp Game Engine - "
_DECK: Final = 3
_STACK: Final = 2
_MOST_VALUES: Final = 8
"""The most values of an event."""
_LOWEST: Final = len(SUITS) * (len(RANKS) - _DECK) + len(SUITS) - 1


def translate(scanned: Scanned) -> Scanned:
    """Give numbered cards their card codes; up is a bet, or a call after one, down a check, or a fold after a bet."""
    found, tally = scanned.events, scanned.tally.copy()
    last = int(scanned.first_event[-1])
    codes, args = found.codes[:last], found.args[:last]
    up = codes == events.UP
    bets = np.cumsum(up) - up
    faces = bets > np.maximum.accumulate(np.where(codes == events.ROUND, bets, 0))
    made = [
        (up & ~faces, events.BET),
        (up & faces, events.CALL),
        ((codes == events.DOWN) & faces, events.FOLD),
        ((codes == events.DOWN) & ~faces, events.CHECK),
        (codes == events.NUMBER_DEALT, events.DEALT),
        (codes == events.NUMBER_SHOWN, events.SHOW),
    ]
    # Three values more for each event.
    values, used = with_room(scanned, _MOST_VALUES, 3 * last)
    for where, code in made:
        rows = np.flatnonzero(where)
        at, old = used + 3 * rows, args[rows]
        values[at] = values[old]
        if code in (events.DEALT, events.SHOW):
            number = values[old + 1]
            known = (number >= 0) & (number < _DECK)
            values[at + 1], values[at + 2] = known, _LOWEST + len(SUITS) * np.where(known, number, 0)
        else:
            values[at + 1] = _STACK
        args[rows], codes[rows] = at, code
        tally[code] += len(rows)
    tally[[events.UP, events.DOWN, events.NUMBER_DEALT, events.NUMBER_SHOWN]] = 0
    return replace(scanned, events=found._replace(values=values), tally=tally)


GRAMMAR: Final = Grammar(
    """
    blind         {p} posts the ante of {n}
    number_dealt  {p} dealt [{n}]
    up            {p} up
    down          {p} down
    number_shown  {p} shows [{n}]
    illegible     {p} did not respond
    illegible     "Response from {p} misformatted: "
    """,
    base=mit.GRAMMAR,
    without="blind dealt fold call check bet raise flop turn river show illegible misformatted",
    translate=translate,
)

DIALECT: Final = Dialect("mit-poker-camp", _NAME, GRAMMAR, mit.cut, header=_HEADER.encode())


class PokerCamp(HeadsUp):
    """Another deck and other words; bankrolls and awards have a sign."""

    largest_board = 0
    header = _HEADER

    def deal(self, number: int, dealer: int) -> PlayedHand:
        """One card each of three."""
        cards = drawn(self.deck, 2, _DECK)
        holes: list[tuple[int, ...]] = [(_LOWEST + len(SUITS) * card,) for card in cards]
        return PlayedHand(number, dealer, holes, list(self.banks))

    def say(self, event: str, *values: int | str | list[str]) -> None:
        """Bankrolls and awards get a sign, lines of cards the engine's events."""
        if event in ("round", "award", "final"):
            first = event == "round"
            signed = (f"{v:+d}" if isinstance(v, int) else v for v in values[first:])
            values = (*values[:first], *signed)
        names = {"dealt": "number_dealt", "show": "number_shown"}
        super().say(names.get(event, event), *values)

    def printed(self, cards: Sequence[int]) -> tuple[list[str], ...]:
        """The number of the card."""
        return ([str((cards[0] - _LOWEST) // len(SUITS))],)

    def known_hole(self, seat: int) -> tuple[int, ...]:
        """The card twice: bots expect two."""
        return self.now.holes[seat] * 2

    def say_action(self, seat: int, action: int, origin: int, *amount: int) -> None:
        """Up or down."""
        self.say("up" if action in (CALL, BET, RAISE) else "down", self.names[seat])

    def ask(self, seat: int, view: View | None, question: str = "act") -> Answer | None:
        """Turn an answer into up or down; the engine does not ask at the hand's end."""
        answer = super().ask(seat, view, question) if view is not None else None
        if answer is None or view is None:
            return None
        if answer.action in (FOLD, CHECK):
            return Answer(FOLD if view.to_call else CHECK)
        return Answer(CALL) if view.to_call else Answer(RAISE, _STACK)

    def garbled(self, seat: int, text: str) -> None:
        """The engine prints an illegible answer as a missing one."""
        self.fault(seat, "illegible")


def play(order: Order) -> Played:
    """A match of Poker Camp's engine."""
    return PokerCamp(order).play()


GAME: Final = Game(
    name=_NAME,
    stack=_STACK,
    blinds=(1, 1),
    streets=("first round",),
    source="the engine of 2024",
    profiles=(Profile("2024"),),
    boards=(0,),
    hole_cards=1,
    antes=True,
    seats_may_stay=True,
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(
    game=_NAME,
    title="Kuhn (Poker Camp)",
    streets=GAME.streets,
    board_cards=GAME.boards,
    hole_cards=1,
    suits=1,
    ranks=_DECK,
    forced="antes",
    unit="ante",
    fixed_sizes=True,
)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
