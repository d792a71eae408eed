"""TACS Pokerbots (2026), "Redraw": an action may replace a card by the deck's next. The engine is the rule."""

import re
from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay.bots import Answer, View
from ..replay.cards import NO_CARD, card_text
from ..replay.games import HOLDEM_BOARDS, HOLDEM_STREETS, Game, Profile
from ..replay.records import CALL, CHECK, FOLD, RAISE, SUBSTITUTE
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played
from .mit_engine import PREFLOP, WORDS, HeadsUp, own_stakes
from .properties import Properties, Variant

_REDRAW_STREETS: Final = 3
_BOARD_SHARE: Final = 0.4
"""The share of redraws after the flop that replace a board card."""
_ACTIONS: Final = {
    "fold": "folds",
    "call": "calls",
    "check": "checks",
    "bet": "bets {n}",
    "raise": "raises to {n}",
}

GRAMMAR: Final = Grammar(
    """
    blind         {p} posts blind {n}
    reveal_hole   Redraw reveal for {n}: WH{n} X{c}
    reveal_board  Redraw reveal for {n}: WB{n} X{c}
    """
    + "\n".join(
        f"redraw_{what}+{action} {{p}} redraws {what} card {{n}} and {words}"
        for what in ("hole", "board")
        for action, words in _ACTIONS.items()
    ),
    base=mit.GRAMMAR,
    without="blind illegal_fold illegal_call illegal_check illegal_raise",
)

DIALECT: Final = Dialect(
    "mit-tacs",
    "tacs",
    GRAMMAR,
    mit.cut,
    signs=(
        (b" posts blind ", re.compile(rb"(.+) posts blind -?[0-9]+[ \t]*\r?\n?")),
        (b"Redraw reveal for ", "reveal_hole reveal_board"),
    ),
)


class Tacs(HeadsUp):
    """What the engine changes: redraws, and no line for the rest of the board once a player is all-in.

    Bots do not choose redraws: the seed fixes which player replaces which card on which street.
    """

    course = "TACS"
    largest_board = HOLDEM_BOARDS[-1] + 2

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.chances = order.random("redraws")
        self.plans = [(0, 0.0, 0.0)] * 2
        self.taken = 0

    def open_hand(self) -> None:
        """Draw both players' redraws, which depend on the seed and not on the bots."""
        draw = self.chances.random
        self.plans = [(int(draw() * 2 * _REDRAW_STREETS), draw(), draw()) for _ in range(2)]
        self.now.finals = list(self.now.holes)
        # `now.board` has the cards as dealt, `board` those after redraws.
        self.board = []
        self.taken = 0

    def _next_card(self) -> int:
        self.taken += 1
        return self.coming[self.taken - 1]

    def deal_board(self, size: int) -> None:
        """Deal from the deck that redraws take cards from, too."""
        fresh = [self._next_card() for _ in range(size - len(self.board))]
        self.board += fresh
        self.now.board += fresh

    def known_hole(self, seat: int) -> tuple[int, ...]:
        """The cards as dealt: no player sees the card that its redraw brings."""
        return self.now.holes[seat]

    def say_action(self, seat: int, action: int, origin: int, *amount: int) -> None:
        """An action may come with a redraw; the line above shows the old card to the opponent."""
        street, board_chance, place_chance = self.plans[seat]
        if street != self.hand["street"] or street >= _REDRAW_STREETS or origin == SUBSTITUTE:
            super().say_action(seat, action, origin, *amount)
            return
        self.plans[seat] = _REDRAW_STREETS, 0.0, 0.0
        of_board = street != PREFLOP and board_chance < _BOARD_SHARE
        cards = self.board if of_board else list(self.now.finals[seat])
        place = int(place_chance * len(cards))
        what, viewer = "board" if of_board else "hole", int(seat == self.now.dealer)
        self.say(f"reveal_{what}", viewer, place, [card_text(cards[place])])
        self.say(f"redraw_{what}+{WORDS[action]}", self.names[seat], place, *amount)
        cards[place] = self._next_card()
        if not of_board:
            self.now.finals[seat] = tuple(cards)

    def board_size(self, street: int) -> int:
        """No street follows once a player is all-in."""
        return 0 if max(self.put()) == self.stack else super().board_size(street)

    def final_board(self) -> list[int]:
        """The board with the cards that no line prints."""
        unseen = HOLDEM_BOARDS[-1] - len(self.board)
        return self.board + self.coming[self.taken : self.taken + unseen]

    def settle(self) -> None:
        """After a fold no hand is shown, so the cards that redraws brought stay unknown."""
        super().settle()
        if self.hand["folded"] >= 0:
            for seat, (hole, final) in enumerate(zip(self.now.holes, self.now.finals, strict=True)):
                self.now.finals[seat] = tuple(
                    new if new == old else NO_CARD for old, new in zip(hole, final, strict=True)
                )

    def refuse(self, seat: int, answer: Answer, view: View | None) -> None:
        """The engine's one fault line, with the answer."""
        letters = {FOLD: "F", CALL: "C", CHECK: "K", RAISE: f"R{answer.raise_to}"}
        self.garbled(seat, letters.get(answer.action, ""))


def play(order: Order) -> Played:
    """A match of the TACS engine."""
    return Tacs(order).play()


GAME: Final = Game(
    name="tacs",
    stack=250,
    blinds=(2, 5),
    streets=HOLDEM_STREETS,
    source="the engine of 2026-03-28",
    deviations=(own_stakes("tacs"),),  # teams run the engine with other blinds and another stack
    profiles=(Profile("2026-03-28"),),
    redraws=_REDRAW_STREETS,
    hides_runouts=True,
    free_folds=True,
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(game="tacs", title="Redraw hold'em", redraws=True, hidden_runouts=True)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
