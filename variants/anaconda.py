"""Anaconda (IIT Pokerbots 2026, finals): seven cards, no board; players pass three, two and one card to each other.

The rules are the finals' problem statement, and for bad answers the guide of the first week: any of them is a fold.
"""

import re
from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay import betting as b
from ..replay.bots import Answer, View
from ..replay.cards import card_texts
from ..replay.evaluator import category
from ..replay.games import Deviation, Game, Profile
from ..replay.records import CALL, CHECK, CHOICE, FOLD, PASS, RAISE, SUBSTITUTE
from ..replay.replaying import heads_up
from ..replay.simulate import ILLEGAL, Acted, Order, Played
from .mit_engine import HeadsUp, own_stakes
from .properties import DECISIONS, Properties, Variant
from .sneak_peek import COURSE, STATEMENTS, bad_answers

_SINCE: Final = "2026-03-28"
_HOLE_CARDS: Final = 7
_PASSES: Final = (3, 2, 1)
_STREETS: Final = ("triple_pass", "double_pass", "single_pass")
_BOARDS: Final = (0, 0, 0)
_THIRD_TURN: Final = "anaconda.limp-third-turn"
_KINDS: Final = (
    "High Card",
    "Pair",
    "Two Pair",
    "Trips",
    "Straight",
    "Flush",
    "Full House",
    "Quads",
    "Straight Flush",
)
_CLASSES: Final = {FOLD: "Fold", CALL: "Call", CHECK: "Check", RAISE: "Raise", PASS: "Pass"}
_SHOWS: Final = tuple(f"show_{kind.lower().replace(' ', '_')}" for kind in _KINDS)

GRAMMAR: Final = Grammar(
    STATEMENTS
    + """
    passes            {p} passes [{c}]
    betting_1         Betting#1{c}, {p} ({n}), {p} ({n})
    double_pass       DoublePass{c}, {p} ({n}), {p} ({n})
    betting_2         Betting#2{c}, {p} ({n}), {p} ({n})
    single_pass       SinglePass{c}, {p} ({n}), {p} ({n})
    betting_3         Betting#3{c}, {p} ({n}), {p} ({n})
    pass_places       {p} Z{*}
    illegal_class     {p} attempted illegal <class '{*}
    illegal_raise_to  {p} illegal raise amount {n}
    illegal_pass      {p} illegal pass: expected {n} indices, got {n}
    no_such_places    {p} illegal pass: indices out of range [{*}
    """
    + "".join(
        f"\n    {event}  {{p}} shows [{{c}}] -> {kind}" for event, kind in zip(_SHOWS, _KINDS, strict=True)
    )
)

DIALECT: Final = Dialect(
    "iit-anaconda",
    "anaconda",
    GRAMMAR,
    mit.cut,
    signs=(
        (b" received [", re.compile(rb"(.+) received \[..(?: ..){6}\]\s*")),
        (b": [", re.compile(rb"(.+): \[..(?: ..){6}\]\s*")),
    ),
)


class Anaconda(HeadsUp):
    """What the engine changes: exchanges before each street's betting, a third turn after a limp, its faults."""

    course = COURSE
    largest_board = 0

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.asks_again = _THIRD_TURN in order.profile.deviations

    def before_flop(self) -> None:
        """The first street: an exchange, then its betting."""
        self.now.finals = list(self.now.holes)
        self._street()

    def play_streets(self) -> None:
        """The other two streets."""
        for event in _STREETS[1:]:
            if self.hand["folded"] >= 0:
                return
            b.next_street(self.hand)
            self.say_both(event, self.pair, self.put(), [])
            self._street()

    def _street(self) -> None:
        street, before = int(self.hand["street"]), list(self.held())
        given: list[list[int]] = [[], []]
        for seat in self.pair if street == 0 else self.pair[::-1]:
            given[seat] = self._passes(seat, street)
            if self.hand["folded"] >= 0:
                return
        for seat in range(2):
            kept = [card for card in before[seat] if card not in given[seat]]
            self.now.finals[seat] = (*kept, *given[1 - seat])
        self.say_both(f"betting_{street + 1}", self.pair, self.put(), [])
        self.bet()
        limped = street == 0 and self.hand["turn"] == 1 and self.hand["aggressor"][0] == b.NOBODY
        if self.asks_again and limped and self.hand["folded"] < 0:
            self.hand["closed"] = self.hand["settled"][0] = 0
            self.hand["turn"] = 2
            self.bet()

    def _passes(self, seat: int, street: int) -> list[int]:
        """The cards that a player passes, in the order of its answer; after a bad answer the first of its hand."""
        count, held = _PASSES[street], self.held()[seat]
        view = self._view(seat)._replace(low=count, high=count)
        answer = self.ask(seat, view, "passes")
        places = list(range(count))
        legal = answer is not None and answer.action == PASS
        if not legal and self.is_a_fold("silence" if self.gone[seat] else "passing"):
            self.act(seat, Answer(FOLD), view, SUBSTITUTE)
            return []
        if answer is not None and not legal:
            self.refuse(seat, answer, None)
        elif answer is not None:
            said = [int(digit) for digit in answer.text]
            if len(said) != count:
                self.fault(seat, "illegal_pass", count, len(said))
                legal = False
            elif max(said) >= _HOLE_CARDS:
                self.fault(seat, "no_such_places", f"{', '.join(map(str, said))}]")
                legal = False
            else:
                places = said
        self.say("passes", self.names[seat], card_texts([held[k] for k in sorted(places)]))
        self.now.actions.append(Acted(street, seat, PASS, CHOICE if legal else SUBSTITUTE, -1))
        return [held[k] for k in places]

    def refuse(self, seat: int, answer: Answer, view: View | None) -> None:
        """The fault line of a raise out of bounds names its amount, any other the class of the answer."""
        if answer.action == RAISE and view is not None and view.high > 0:
            self.fault(seat, "illegal_raise_to", answer.raise_to)
        else:
            self.now.faults.append((seat, ILLEGAL.get(answer.action, "illegal_class")))
            self.say("illegal_class", self.names[seat], f"__main__.Action{_CLASSES[answer.action]}'>")

    def say_shown(self, seat: int) -> None:
        """A hand and its kind."""
        held = self.held()[seat]
        self.say(_SHOWS[category(self.strength(held))], self.names[seat], card_texts(held))


def play(order: Order) -> Played:
    """A match of the Anaconda engine."""
    return Anaconda(order).play()


_FAULTS, _NOT_FOLDED = bad_answers(
    "anaconda", _SINCE, "checks", "an invalid call, check or pass, or an illegible answer,"
)

_DEVIATIONS: Final = (
    *_NOT_FOLDED,
    Deviation(
        _THIRD_TURN,
        "legality",
        _SINCE,
        "",
        "after a limp and a check in the first betting the dealer is asked a third time and may raise",
    ),
)

GAME: Final = Game(
    name="anaconda",
    stack=5000,
    blinds=(10, 20),
    streets=_STREETS,
    source="the problem statement of the finals of IIT Pokerbots 2026",
    deviations=(*_DEVIATIONS, own_stakes("anaconda")),
    profiles=(Profile(_SINCE, tuple(d.name for d in _DEVIATIONS)),),
    boards=_BOARDS,
    hole_cards=_HOLE_CARDS,
    passes=_PASSES,
    faults=_FAULTS,
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(
    game="anaconda",
    title="Anaconda",
    streets=("first betting", "second betting", "third betting"),
    hole_cards=_HOLE_CARDS,
    board_cards=_BOARDS,
    decisions=(*DECISIONS, "pass"),
    passes=True,
)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
