"""The MIT Pokerbots engine's heads-up family run forward; the base game is plain no-limit hold'em.

A relative of the base game overrides what its rules change: each method below is one place where a year's
engine does something of its own.
"""

from typing import Final

import numpy as np

from .. import holdem_mit
from ..bots import GARBLED, GONE, LATE, Answer, View
from ..cards import card_texts
from ..evaluator import strength_of
from ..heads_up import betting as b
from ..records import ALLIN, BET, CALL, CHECK, CHOICE, FOLD, RAISE, SUBSTITUTE
from .orders import Acted, Order, Played, PlayedHand, drawn

HOLE_CARDS: Final = 2
BOARD_CARDS: Final = (0, 3, 4, 5)
"""Cards on the board by street."""

_ILLEGAL: Final = {
    FOLD: "illegal_fold",
    CALL: "illegal_call",
    CHECK: "illegal_check",
    RAISE: "illegal_raise",
}
_WORDS: Final = {FOLD: "fold", CALL: "call", CHECK: "check", BET: "bet", RAISE: "raise"}
_NOBODY: Final = -1


class HeadsUp:
    """One match of two players: the deal changes after every hand, stacks are the same in every hand."""

    largest_board = BOARD_CARDS[-1]

    def __init__(self, order: Order) -> None:
        """Raises ValueError unless there are two players."""
        if len(order.players) != 2:
            raise ValueError(f"{order.game.name} is a game of 2 players, not {len(order.players)}")
        self.order = order
        self.grammar = order.grammar
        self.names = tuple(player.name for player in order.players)
        self.mask = order.game.mask(order.profile.deviations)
        self.free_fold = f"{order.game.name}.free-fold" in order.profile.deviations
        self.stack = int(order.game.stack)
        self.big_blind = int(order.game.blinds[1])
        self.deck = order.random("deck")
        self.hand = np.zeros(b.HAND_SIZE, np.int64)
        self.chips = np.zeros((b.CHIPS_SIZE, 2))
        self.banks = [0, 0]
        self.gone = [False, False]
        self.lines: list[str] = []
        self.hands: list[PlayedHand] = []
        self.board: list[int] = []
        self.coming: list[int] = []
        self.now = PlayedHand(0, 0, [], [])

    # What a year changes

    def board_size(self, street: int) -> int:
        """Cards on the board in a street, 0 where the hand has no such street; asked as the last ends."""
        return BOARD_CARDS[street] if street < len(BOARD_CARDS) else 0

    def open_hand(self) -> None:
        """Lines after the round line."""

    def before_query(self) -> None:
        """Before either player is asked."""

    def after_street(self) -> None:
        """Lines after a street line."""

    def shows(self) -> bool:
        """True where a showdown prints both hands."""
        return True

    def award(self, wins: int, loser_chips: int) -> int:
        """The dealer's award; wins is 1, -1, or 0 for a split pot."""
        return int(holdem_mit.payout(wins, loser_chips))

    def after_awards(self) -> None:
        """Lines after the awards, before the players acknowledge them."""

    def close_hand(self) -> None:
        """Lines after the acknowledgements."""

    def after_final(self) -> None:
        """Lines after the final one."""

    def rank(self, seat: int) -> int:
        """A player's bounty, -1 for none."""
        return _NOBODY

    # What all years share

    @property
    def pair(self) -> tuple[int, int]:
        """Seats in the order of the log: dealer, opponent."""
        return self.now.dealer, 1 - self.now.dealer

    def say(self, event: str, *values: int | str | list[str]) -> None:
        """Append a line."""
        self.lines.append(self.grammar.write(event, *values))

    def say_both(
        self, event: str, first: tuple[int, int], values: list[int], *before: int | str | list[str]
    ) -> None:
        """Append a line that ends in both names, each with its seat's value, in the given order of seats."""
        one, two = first
        self.say(event, *before, self.names[one], values[one], self.names[two], values[two])

    def put(self) -> list[int]:
        """Contributions by seat."""
        return [int(self.chips[b.PUT, 0]), int(self.chips[b.PUT, 1])]

    def play(self) -> Played:
        """Play all hands; the log ends without a line end."""
        self.say("header", self.order.course, *self.names)
        for number in range(1, self.order.hands + 1):
            self._play_hand(number)
        self.lines.append("")
        following = 1 - self.now.dealer
        self.say_both("final", (following, 1 - following), self.banks)
        self.after_final()
        return Played("\n".join(self.lines), self.names, tuple(self.hands))

    def _play_hand(self, number: int) -> None:
        dealer = 1 - number % 2
        cards = drawn(self.deck, 2 * HOLE_CARDS + self.largest_board)
        holes = [tuple(cards[:HOLE_CARDS]), tuple(cards[HOLE_CARDS : 2 * HOLE_CARDS])]
        self.coming = cards[2 * HOLE_CARDS :]
        self.now = PlayedHand(number, dealer, holes, list(self.banks))
        self.board = self.now.board
        self.hands.append(self.now)
        self.hand[:] = 0
        self.hand[b.NUMBER], self.hand[b.DEALER], self.hand[b.LEVEL] = number, dealer, 1
        self.hand[b.FOLDED] = self.hand[b.AGGRESSOR] = _NOBODY
        self.chips[[b.PIP, b.PUT]] = 0
        self.lines.append("")
        self.say_both("round", self.pair, self.banks, number)
        self.open_hand()
        for seat, blind in zip(self.pair, self.order.game.blinds, strict=True):
            self.say("blind", self.names[seat], int(blind))
            b.put(self.chips, seat, blind)
        for seat in self.pair:
            self.say("dealt", self.names[seat], card_texts(holes[seat]))
        self._bet()
        while self.hand[b.FOLDED] < 0 and (size := self.board_size(int(self.hand[b.STREET]) + 1)):
            self._deal_street(size)
            self._bet()
        self._settle()

    def _deal_street(self, size: int) -> None:
        b.next_street(self.hand, self.chips)
        street = int(self.hand[b.STREET])
        self.board[:] = self.coming[:size]
        event = self.order.game.streets[street]
        self.say_both(event, self.pair, self.put(), card_texts(self.board))
        self.after_street()

    def _bet(self) -> None:
        while not self.hand[b.CLOSED] and self.hand[b.FOLDED] < 0:
            seat = int(b.actor(self.hand))
            self.before_query()
            view = self._view(seat)
            answer = self._ask(seat, view)
            legal = answer is not None and self._is_legal(answer, view)
            if answer is not None and not legal:
                self._fault(seat, _ILLEGAL[answer.action])
            if answer is None or not legal:
                self._act(seat, Answer(FOLD if view.to_call else CHECK), view, SUBSTITUTE)
            else:
                no_bets = view.to_call == 0 and max(self.put()) == self.stack
                self._act(seat, answer, view, ALLIN if no_bets else CHOICE)

    def _view(self, seat: int) -> View:
        chips, low, high = self.chips, 0, 0
        if b.may_raise(chips, seat, self.stack):
            low = int(b.smallest_raise(chips, seat, self.stack, self.big_blind))
            high = int(b.largest_raise(chips, seat, self.stack))
        return View(
            self.now.holes[seat],
            self.board,
            int(self.hand[b.STREET]),
            sum(self.put()),
            int(chips[b.PIP, seat]),
            int(b.to_call(chips, seat)),
            low,
            high,
            int(self.hand[b.LEVEL]),
            self.big_blind,
            self.free_fold,
            self.rank(seat),
        )

    def _is_legal(self, answer: Answer, view: View) -> bool:
        if answer.action == RAISE:
            return view.high > 0 and view.low <= answer.raise_to <= view.high
        if answer.action == FOLD:
            return view.to_call > 0 or self.free_fold
        return (answer.action == CALL) == (view.to_call > 0)

    def _fault(self, seat: int, event: str, *values: str) -> None:
        self.now.faults.append((seat, event))
        self.say(event, self.names[seat], *values)

    def _ask(self, seat: int, view: View | None) -> Answer | None:
        """A player's answer, to the hand's end where there is no view; None for a fault and once he left."""
        if self.gone[seat]:
            return None
        bot = self.order.players[seat].bot
        answer = bot.acknowledge() if view is None else bot.act(view)
        if answer.action == GARBLED:
            self._fault(seat, "misformatted", answer.text.strip())
            return None
        if answer.action in (LATE, GONE):
            self.gone[seat] = True
            self._fault(seat, "late" if answer.action == LATE else "gone")
            return None
        return answer

    def _act(self, seat: int, answer: Answer, view: View, origin: int) -> None:
        action, raise_to = answer.action, -1
        if action == RAISE:
            raise_to = answer.raise_to
            # The first bet of a street, and it alone, is called a bet.
            action = BET if view.pip == 0 and view.to_call == 0 else RAISE
            self.say(_WORDS[action], self.names[seat], raise_to)
            b.after_raise(self.hand, self.chips, seat, raise_to)
        else:
            self.say(_WORDS[action], self.names[seat])
            if action == FOLD:
                self.hand[b.FOLDED] = seat
            elif action == CALL:
                b.after_call(self.hand, self.chips, seat)
            else:
                b.after_check(self.hand)
        self.now.actions.append(Acted(view.street, seat, action, origin, raise_to))

    def _winner(self) -> int:
        """The seat that wins, -1 for a split pot."""
        if self.hand[b.FOLDED] >= 0:
            return 1 - int(self.hand[b.FOLDED])
        strengths = []
        for hole in self.now.holes:
            cards = np.array((*self.board, *hole), np.int8)
            strengths.append(strength_of(cards, len(cards)))
        return 0 if strengths[0] > strengths[1] else 1 if strengths[1] > strengths[0] else _NOBODY

    def _settle(self) -> None:
        now, put = self.now, self.put()
        dealer = now.dealer
        if self.hand[b.FOLDED] < 0 and self.shows():
            for seat in self.pair:
                self.say("show", self.names[seat], card_texts(now.holes[seat]))
        winner = self._winner()
        wins = 0 if winner < 0 else 1 if winner == dealer else -1
        award = self.award(wins, put[0] if winner < 0 else put[1 - winner])
        now.put = put
        now.deltas = [award, -award] if dealer == 0 else [-award, award]
        for seat in self.pair:
            self.say("award", self.names[seat], now.deltas[seat])
            self.banks[seat] += now.deltas[seat]
        self.after_awards()
        for seat in self.pair:
            answer = self._ask(seat, None)
            if answer is not None and answer.action != CHECK:
                self._fault(seat, _ILLEGAL[answer.action])
        self.close_hand()


def play(order: Order) -> Played:
    """A match of the base engine."""
    return HeadsUp(order).play()
