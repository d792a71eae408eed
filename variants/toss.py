"""Toss (2026): each player gives one of three hole cards to the board. The engine is the rule."""

import re
from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay import betting as b
from ..replay.bots import Answer, View
from ..replay.cards import card_text, card_texts
from ..replay.games import Game, Profile
from ..replay.records import CHECK, CHOICE, DISCARD, DUMMY, FOLD, RAISE, SUBSTITUTE
from ..replay.replaying import heads_up
from ..replay.simulate import Acted, Order, Played
from .mit_engine import FLOP, PREFLOP, TURN, HeadsUp, own_stakes
from .properties import DECISIONS, Properties, Variant

_HOLE_CARDS: Final = 3
_FLOP_CARDS: Final = 2
_BOARD_CARDS: Final = 6

_PHASES: Final = ("preflop", "flop", "discard_1", "discard_2", "turn", "river")
_FLOP_BETTING: Final = _PHASES.index("discard_2")
_ENGINE_STREETS: Final = (0, 2, 3, 4, 5, 6)
"""The number that the engine gives each phase in its fault lines."""
_FLOP: Final = 1

GRAMMAR: Final = Grammar(
    """
    discard_1        Discard 1 [{c}], {p} ({n}), {p} ({n})
    discard_2        Discard 2 [{c}], {p} ({n}), {p} ({n})
    stacks           Current stacks: {n}, {n}
    discard          {p} discards {c}
    illegal_discard  {p} attempted illegal DiscardAction
    no_such_card     {p} attempted to discard invalid index {n}
    street_note      street = {n}
    ev_preflop       {p} preflop bets EV: {n}
    ev_flop          {p} flop bets EV: {n}
    ev_turn          {p} turn bets EV: {n}
    """,
    base=mit.GRAMMAR,
)

DIALECT: Final = Dialect(
    "mit-toss",
    "toss",
    GRAMMAR,
    mit.cut,
    # Its stacks are no sign: Bounty prints them, too.
    signs=((b"\nDiscard 1 [", "discard_1"), (b" dealt [", re.compile(rb"(.+) dealt \[..(?: ..){2}\]\s*"))),
)


class Toss(HeadsUp):
    """What 2026 changes: three hole cards, and each player discards one onto the board after the flop."""

    largest_board = _BOARD_CARDS - 2

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.phase = 0

    def open_hand(self) -> None:
        """Before the flop."""
        self.phase = 0

    def before_query(self) -> None:
        """Note the chips before the flop, in the betting after the discards those of that street, else the rest."""
        kinds = {0: PREFLOP, _FLOP_BETTING: FLOP}
        self.notes.note(kinds.get(self.phase, TURN), self.put())

    def play_streets(self) -> None:
        """Flop, a discard by either player, the flop's betting, turn and river."""
        self.now.finals = list(self.now.holes)
        for phase in range(1, len(_PHASES)):
            if self.hand["folded"] >= 0:
                return
            self.phase = phase
            if phase in (1, _FLOP_BETTING + 1, _FLOP_BETTING + 2):
                b.next_street(self.hand)
                new = _FLOP_CARDS if phase == 1 else 1
                self.board += self.coming[:new]
                self.coming = self.coming[new:]
            self.say_both(_PHASES[phase], self.pair, self.put(), card_texts(self.board))
            self.say_stacks()
            if phase < _FLOP_BETTING:
                self._discard(*(self.pair[::-1] if phase == 1 else self.pair))
            else:
                self.bet()

    def _discard(self, seat: int, waiting: int) -> None:
        """One player discards, or folds for any fault; the other can only check."""
        self.before_query()
        view = self._view(seat)._replace(low=0, high=0)
        answer = self.ask(seat, view, "discard")
        hole = self.held()[seat]
        if answer is not None and not (answer.action == DISCARD and 0 <= answer.raise_to < len(hole)):
            self.refuse(seat, answer, view)
            answer = None
        if answer is None:
            self.say("fold", self.names[seat])
            b.fold(self.hand, 0, seat)
            self.now.actions.append(Acted(_FLOP, seat, FOLD, SUBSTITUTE, -1))
            return
        card = hole[answer.raise_to]
        self.say("discard", self.names[seat], card_text(card))
        self.board.append(card)
        self.now.finals[seat] = tuple(other for other in hole if other != card)
        self.now.actions.append(Acted(_FLOP, seat, DISCARD, CHOICE, -1))
        self.before_query()
        view = self._view(waiting)._replace(low=0, high=0, may_fold=False)
        given = self.ask(waiting, view)
        if given is not None and given.action != CHECK:
            self.refuse(waiting, given, None)
        self.say("check", self.names[waiting])
        self.now.actions.append(Acted(_FLOP, waiting, CHECK, DUMMY, -1))

    def tells(self, answer: Answer | None, view: View) -> bool:
        """The log has no line for a raise out of bounds."""
        return answer is None or answer.action != RAISE or view.high == 0

    def refuse(self, seat: int, answer: Answer, view: View | None) -> None:
        """Before the fault line of an answer of the wrong kind, print the engine's number of the street.

        The discard of a card that the player does not hold has a fault line of its own.
        """
        if self.phase in (1, 2) and answer.action == DISCARD and view is not None:
            self.fault(seat, "no_such_card", answer.raise_to)
        elif view is None or self.tells(answer, view):
            self.say("street_note", _ENGINE_STREETS[self.phase])
            super().refuse(seat, answer, view)

    def acknowledge(self, seat: int) -> None:
        """Ignore the answer: in the engine anything but a check would end the match without a log."""
        self.ask(seat, None)

    def after_awards(self) -> None:
        """Add up the notes, which are never cleared: a hand that ends early counts notes of the hands before it."""
        self.notes.add(self.now.deltas)


def play(order: Order) -> Played:
    """A match of the Toss engine."""
    return Toss(order).play()


GAME: Final = Game(
    name="toss",
    stack=400,
    blinds=(1, 2),
    streets=("preflop", "flop", "discard_1", "discard_2", "turn", "river"),
    source="the engine of 2026",
    deviations=(own_stakes("toss"),),
    profiles=(Profile("2026", prints=frozenset({"ev"})),),
    boards=(0, _FLOP_CARDS, 3, 4, 5, _BOARD_CARDS),
    hole_cards=_HOLE_CARDS,
    bets_ev="discards",
    discards=True,
    free_folds=True,
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(
    game="toss",
    title="Toss",
    hole_cards=_HOLE_CARDS,
    board_cards=(0, 4, 5, 6),
    decisions=(*DECISIONS, "discard"),
    discards=True,
)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
