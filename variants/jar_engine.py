"""Simulation of a match of two, as MIT's engines of 2012 to 2019 play it."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from ..replay import betting as b
from ..replay.bots import Answer, View
from ..replay.cards import card_texts
from ..replay.evaluator import strength_of
from ..replay.games import HOLDEM_BOARDS
from ..replay.records import CHECK, CHOICE, DISCARD, DUMMY, RAISE, SUBSTITUTE
from ..replay.simulate import Acted, Order, Played
from .mit_engine import HeadsUp

FINAL: Final = "final"
"""In `Profile.prints`: the log ends with the bankrolls."""
_KEEPS: Final = 0.5
"""The chance that a bot keeps its cards."""


class WholePots(HeadsUp):
    """One match of two: the log prints the pot that is won, and the part of a bet that nobody matched is returned."""

    course = "6.S912 MIT"
    largest_board = HOLDEM_BOARDS[-1] + 4

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.shown: list[list[int]] = []

    def strength(self, cards: Sequence[int]) -> int:
        """The best hand, with exactly `holes_used` hole cards if the game has them."""
        used = self.order.game.holes_used
        if not used:
            return super().strength(cards)
        board, hole = cards[: HOLDEM_BOARDS[-1]], cards[HOLDEM_BOARDS[-1] :]
        return max(
            int(strength_of(np.array((*own, *others), np.int8), 5))
            for own in combinations(hole, used)
            for others in combinations(board, 5 - used)
        )

    def largest_raise(self, seat: int) -> int:
        """At most the pot if there is a limit."""
        most = super().largest_raise(seat)
        if not self.order.game.pot_limit:
            return most
        call = int(b.to_call(self.hand, 0, seat))
        return min(most, int(self.hand["pip"][0, seat]) + 2 * call + sum(self.put()))

    def play(self) -> Played:
        """Play all hands; the log ends with a line end."""
        self.say_header()
        for number in range(1, self.order.hands + 1):
            self.play_hand(number)
        self.lines.append("")
        if FINAL in self.order.profile.prints:
            self.say_both("final", (0, 1), self.banks)
        return Played("\n".join([*self.lines, ""]), self.names, tuple(self.hands))

    def say_header(self) -> None:
        """The header has the stakes, too."""
        one, two = self.names
        stakes = f"(stack={self.stack}, bb={self.big_blind})"
        self.say("header", self.order.course or self.course, one, f"{two} {stakes}")

    def separate(self) -> None:
        """A blank line follows each hand."""
        if len(self.hands) > 1:
            super().separate()

    def before_flop(self) -> None:
        """Note the hole cards, which may change."""
        self.shown = [list(hole) for hole in self.now.holes]
        if self.order.game.drops_after or self.order.game.replaces:
            self.now.finals = list(self.now.holes)
        super().before_flop()

    def say_street(self) -> None:
        """The chips in the pot, the board so far, and the new cards."""
        street = int(self.hand["street"])
        known = HOLDEM_BOARDS[street - 1]
        cards = [card_texts(self.board[:known])] if known else []
        self.say(self.order.game.streets[street], sum(self.put()), *cards, card_texts(self.board[known:]))

    def after_street(self) -> None:
        """Each may change a card for the next of the deck, the dealer last."""
        street = int(self.hand["street"])
        if street in self.order.game.replaces:
            for seat in reversed(self.pair):
                self._redraw(street, seat)

    def _redraw(self, street: int, seat: int) -> None:
        view = self._view(seat)._replace(low=0, high=0)
        keeps = self.order.players[seat].bot.happens(_KEEPS)
        answer = None if keeps else self._asked(seat, view)
        if answer is None:
            self.say("check", self.names[seat])
            self.now.actions.append(Acted(street, seat, CHECK, DUMMY, -1))
            return
        old, new = self.shown[seat][answer.raise_to], self.coming.pop()
        self.say("exchange", self.names[seat], card_texts([old]), card_texts([new]))
        self.shown[seat].remove(old)
        self.shown[seat].append(new)
        self.now.finals[seat] = tuple(new if card == old else card for card in self.now.finals[seat])
        self.now.actions.append(Acted(street, seat, DISCARD, CHOICE, -1))

    def _asked(self, seat: int, view: View) -> Answer | None:
        """The card that a player gives up; None for an answer that names none."""
        view = view._replace(hole=self.shown[seat])
        answer = self.ask(seat, view, "discard")
        if answer is not None and not (
            answer.action == DISCARD and 0 <= answer.raise_to < len(self.shown[seat])
        ):
            self.garbled(seat, "")
            return None
        return answer

    def play_streets(self) -> None:
        """As in hold'em; after the betting of one street each may have to throw away a card, the dealer last."""
        for size in HOLDEM_BOARDS[1:]:
            if self.hand["folded"] >= 0:
                return
            self.deal_street(size)
            if min(self.left(0)) > 0:
                self.bet()
            if self.hand["street"] == self.order.game.drops_after and self.hand["folded"] < 0:
                for seat in reversed(self.pair):
                    self._drop(seat)

    def _drop(self, seat: int) -> None:
        answer = self._asked(seat, self._view(seat)._replace(low=0, high=0))
        card = self.shown[seat][answer.raise_to if answer is not None else 0]
        self.say("discard", self.names[seat], card_texts([card]))
        self.shown[seat].remove(card)
        self.now.finals[seat] = tuple(self.shown[seat])
        origin = SUBSTITUTE if answer is None else CHOICE
        self.now.actions.append(Acted(int(self.hand["street"]), seat, DISCARD, origin, -1))

    def ask(self, seat: int, view: View | None, question: str = "act") -> Answer | None:
        """A player that has left has a fault line at each of its decisions."""
        if self.gone[seat]:
            self.fault(seat, "gone")
        return super().ask(seat, view, question)

    def garbled(self, seat: int, text: str) -> None:
        """The fault line does not quote the answer."""
        self.fault(seat, "illegible")

    def refuse(self, seat: int, answer: Answer, view: View | None) -> None:
        """A refused bet or raise is printed with its amount."""
        if answer.action == RAISE and view is not None:
            first = view.pip == 0 and view.to_call == 0
            self.fault(seat, "illegal_bet" if first else "illegal_raise_to", answer.raise_to)
        else:
            super().refuse(seat, answer, view)

    def settle(self) -> None:
        """Return the part of a bet that nobody matched, show the hands, and print the winner of the pot."""
        now, hand = self.now, self.hand
        folded = int(hand["folded"])
        if folded >= 0:
            left = 1 - folded
            chips = int(hand["pip"][0, left] - hand["pip"][0, folded])
            if chips > 0 and hand["aggressor"][0] == left:
                self.say("returned", chips, self.names[left])
                b.put(hand, 0, left, hand["pip"][0, left] - chips)
        else:
            for seat in self.pair:
                self.say("show", self.names[seat], card_texts(self.shown[seat]))
        put, winner = self.put(), self._winner()
        paid = [0, 0]
        for seat in self.pair:
            if winner in (seat, b.NOBODY):
                paid[seat] = sum(put) if winner == seat else sum(put) // 2
                self.say("award" if winner == seat else "tie", self.names[seat], paid[seat])
        now.put, now.deltas = put, [paid[0] - put[0], paid[1] - put[1]]
        for seat in self.pair:
            self.banks[seat] += now.deltas[seat]


def play(order: Order) -> Played:
    """A match of such an engine."""
    return WholePots(order).play()
