"""Blotto Hold'em (2021) run forward, as its engine of a given revision judges and prints it."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ...jit.records import new_record, words_of
from .. import betting as b
from ..blotto.game import ASSIGNMENT, BOARD_CARDS, BOARDS, DEALT_CARDS, DEVIATIONS
from ..bots import GARBLED, GONE, LATE, Answer, Faulty, View
from ..cards import card_texts
from ..evaluator import strength_of
from ..records import ALLIN, ASSIGN, BET, CALL, CHECK, CHOICE, DUMMY, FOLD, RAISE, SUBSTITUTE
from .blotto_engine import Triple, judge
from .orders import ILLEGAL, Acted, Order, Played, PlayedHand, drawn

_WORDS: Final = {FOLD: "fold", CALL: "call", CHECK: "check"}
_DECK: Final = 52
_ODD: Final = 0.03
_HEEDLESS: Final = 0.3


@dataclass
class PlayedBoards(PlayedHand):
    """boards: cards of each; sent: by board and seat the cards assigned; paid: the same, chips."""

    boards: list[list[int]] = field(default_factory=list)
    sent: list[list[tuple[int, ...]]] = field(default_factory=list)
    paid: list[list[int]] = field(default_factory=list)


class Blotto:
    """One match of two players on three boards."""

    def __init__(self, order: Order) -> None:
        """Raises ValueError unless there are two players."""
        if len(order.players) != 2:
            raise ValueError(f"{order.game.name} is a game of 2 players, not {len(order.players)}")
        self.order, self.grammar = order, order.grammar
        self.names = tuple(player.name for player in order.players)
        self.prints = order.profile.prints
        # Without the name of the game.
        self.deviations = {name.partition(".")[2] for name in order.profile.deviations}
        self.stack, self.big_blind = int(order.game.stack), int(order.game.blinds[1])
        self.deck, self.moods = order.random("deck"), order.random("moods")
        self.hand = new_record(b.BETTING)
        self.banks, self.totals = [0, 0], [[0, 0] for _ in range(BOARDS)]
        self.gone = [False, False]
        self.lines: list[str] = []
        self.hands: list[PlayedBoards] = []
        self.coming: list[list[int]] = []
        self.now = PlayedBoards(0, 0, [], [])

    @property
    def pair(self) -> tuple[int, int]:
        """Seats in the order of the log: dealer, opponent."""
        return self.now.dealer, 1 - self.now.dealer

    def say(self, event: str, *values: int | str | list[str]) -> None:
        """Append a line."""
        self.lines.append(self.grammar.write(event, *values))

    def left(self, seat: int) -> int:
        """A player's stack; the engine of the first days lets it go below zero."""
        return self.stack - int(self.hand["spent"][seat])

    def is_live(self, board: int) -> bool:
        """True where nobody has folded a board."""
        return bool(self.hand["active"][board] > 1)

    def play(self) -> Played:
        """Play all hands; the log ends without a line end."""
        self.say("header", self.order.course, *self.names)
        for number in range(1, self.order.hands + 1):
            self._play_hand(number)
        self.lines.append("")
        one, two = reversed(self.pair)
        self.say("final", self.names[one], self.banks[one], self.names[two], self.banks[two])
        if "tables" in self.prints:
            for board, sums in enumerate(self.totals):
                self.say("table", board + 1, self.names[one], sums[one], self.names[two], sums[two])
        return Played("\n".join(self.lines), self.names, tuple(self.hands))

    def _play_hand(self, number: int) -> None:
        cards = drawn(self.deck, DEALT_CARDS * 2)
        holes = [tuple(cards[:DEALT_CARDS]), tuple(cards[DEALT_CARDS:])]
        rest = [card for card in range(_DECK) if card not in cards]
        self.coming = [[rest[k] for k in drawn(self.deck, BOARD_CARDS, len(rest))] for _ in range(BOARDS)]
        self.now = PlayedBoards(number, 1 - number % 2, holes, list(self.banks))
        self.now.boards = [[] for _ in range(BOARDS)]
        self.now.sent = [[(), ()] for _ in range(BOARDS)]
        self.hands.append(self.now)
        words_of(self.hand)[:] = 0
        b.begin(self.hand, 2, BOARDS)
        self.hand["dealer"], self.hand["turn"], self.hand["level"] = self.now.dealer, -2, 1
        self.hand["free"] = np.multiply(self.order.game.free_chips, self.big_blind)
        self.lines.append("")
        one, two = self.pair
        self.say("round", number, self.names[one], self.banks[one], self.names[two], self.banks[two])
        for seat, blind in zip(self.pair, self.order.game.blinds, strict=True):
            self.say("blinds" if "blind-on-each" in self.prints else "blind", self.names[seat], int(blind))
            for board in range(BOARDS):
                b.put(self.hand, board, seat, blind)
        for seat in self.pair:
            self.say("dealt", self.names[seat], card_texts(holes[seat]))
        for _ in range(2):
            if not self.hand["closed"]:
                self._assign(int(b.actor(self.hand)))
        self._bet()
        while self.hand["folded"] < 0 and self.hand["street"] < 3:
            self._deal_street()
            self._bet()
        self._settle()

    # Cards to boards

    def _fault(self, seat: int, event: str, *values: int | str) -> None:
        self.now.faults.append((seat, event))
        self.say(event, self.names[seat], *values)

    def _unreadable(self, seat: int, answer: Answer) -> bool:
        """Whether an answer is none: garbage, too late, or the player has left."""
        if answer.action == GARBLED:
            if "misformatted-text" in self.prints:
                self._fault(seat, "misformatted", repr(answer.text.strip().split(";")))
            else:
                self._fault(seat, "illegible")
        elif answer.action in (LATE, GONE):
            self.gone[seat] = True
            self._fault(seat, "late" if answer.action == LATE else "gone")
        return answer.action in (GARBLED, LATE, GONE)

    def _sent(self, seat: int) -> list[tuple[int, ...]] | None:
        """The cards a player sends to the boards, () for none to a board; None for a failure of all three."""
        if self.gone[seat]:
            return None
        bot = self.order.players[seat].bot
        answer = bot.acknowledge()
        if self._unreadable(seat, answer):
            return None
        if answer.action != CHECK:
            for _ in range(sum(self.is_live(board) for board in range(BOARDS))):
                self._fault(seat, ILLEGAL[answer.action])
            return None
        cards = sorted(self.now.holes[seat])
        if bot.happens(0.5):
            cards[1], cards[3] = cards[3], cards[1]
        sent: list[tuple[int, ...]] = [(cards[2 * k], cards[2 * k + 1]) for k in range(BOARDS)]
        if not bot.happens(3 * _ODD if isinstance(bot, Faulty) else 0.0):
            return sent
        odd = bot.below(4)
        if odd == 0:
            return [sent[0], (), sent[2]]
        sent[1], sent[2] = ((cards[2],), (*cards[3:],)) if odd == 1 else (sent[1], (*sent[2], cards[0]))
        if odd == 3 or DEVIATIONS[ASSIGNMENT] not in self.deviations:
            self._fault(seat, "illegal_assignment")
            return None
        return sent

    def _assign(self, seat: int) -> None:
        sent = self._sent(seat)
        live = [self.is_live(board) for board in range(BOARDS)]
        if sent is not None:
            for board in range(BOARDS):
                if not live[board]:
                    self._fault(seat, "illegal_assign")
                elif not sent[board]:
                    self._fault(seat, ILLEGAL[CHECK])
        for board in range(BOARDS):
            if not live[board]:
                self._act(seat, board, CHECK, DUMMY)
            elif sent is None or not sent[board]:
                self._act(seat, board, FOLD, SUBSTITUTE)
                b.fold(self.hand, board, seat)
            else:
                self.now.sent[board][seat] = sent[board]
                self.now.actions.append(Acted(0, seat, ASSIGN, CHOICE, -1))
                self.say("assign", self.names[seat], card_texts(sent[board]), board + 1)
        b.after_turn(self.hand, False)

    # Betting

    def _deal_street(self) -> None:
        b.next_street(self.hand)
        street = int(self.hand["street"])
        for board in range(BOARDS):
            pot = int(b.pot(self.hand, board))
            if not self.is_live(board):
                self.say("board", board + 1, pot)
                continue
            self.now.boards[board] = cards = self.coming[board][: street + 2]
            one, two = self.pair
            stacks = self.names[one], self.left(one), self.names[two], self.left(two)
            self.say(self.order.game.streets[street], card_texts(cards), pot, *stacks, board + 1)

    def _bet(self) -> None:
        while not self.hand["closed"]:
            seat = int(b.actor(self.hand))
            triple = Triple(self.hand, seat, self.left(seat), self.left(1 - seat), self.big_blind)
            answers = None if self.gone[seat] else self._answers(seat, triple)
            judge(
                triple, answers, self.deviations, lambda event, *more: self._fault(self._asked, event, *more)
            )
            if triple.all_in and "all-in" in self.prints:
                self.say("all_in", self.names[seat])
            for board in range(BOARDS):
                self._apply(seat, board, triple)
            b.after_turn(self.hand, False)

    @property
    def _asked(self) -> int:
        return int(b.actor(self.hand))

    def _answers(self, seat: int, triple: Triple) -> list[Answer] | None:
        """What a player wants on each board; he mostly heeds what the boards before have cost him."""
        bot = self.order.players[seat].bot
        heeds = self.moods.random() > _HEEDLESS
        own, other = triple.own, triple.other
        answers = []
        for board in range(BOARDS):
            if not b.is_active(self.hand, board):
                stray = isinstance(bot, Faulty) and bot.happens(_ODD)
                answers.append(Answer(FOLD if stray else CHECK))
                continue
            call = triple.to_call(board)
            if heeds and own < call:
                answers.append(Answer(FOLD))
                continue
            answer = bot.act(self._view(seat, board, own, other))
            if self._unreadable(seat, answer):
                return None
            if heeds and answer.action in (RAISE, CALL):
                pip = int(self.hand["pip"][board, seat])
                spent = call if answer.action == CALL else answer.raise_to - pip
                own, other = own - spent, other - max(spent - call, 0)
            answers.append(answer)
        return answers

    def _view(self, seat: int, board: int, own: int, other: int) -> View:
        hand, low, high = self.hand, 0, 0
        call = int(b.to_call(hand, board, seat))
        if own > call and other > 0:
            low = int(b.smallest_raise(hand, board, seat, own, other, self.big_blind))
            high = int(b.largest_raise(hand, board, seat, own, other))
        sent = self.now.sent[board][seat]
        return View(
            sent if len(sent) > 1 else (*sent, *sent),
            self.now.boards[board],
            int(self.hand["street"]),
            int(b.pot(hand, board)),
            int(hand["pip"][board, seat]),
            call,
            low,
            high,
            int(hand["level"][board]),
            self.big_blind,
            False,
        )

    def _act(self, seat: int, board: int, action: int, origin: int, raise_to: int = -1) -> None:
        self.now.actions.append(Acted(int(self.hand["street"]), seat, action, origin, raise_to))
        if action in (BET, RAISE):
            self.say("bet" if action == BET else "raise", self.names[seat], raise_to, board + 1)
        else:
            self.say(_WORDS[action], self.names[seat], board + 1)

    def _apply(self, seat: int, board: int, triple: Triple) -> None:
        action, raise_to, origin = triple.actions[board]
        if not b.is_active(self.hand, board):
            self._act(seat, board, action, DUMMY)
            return
        if action == RAISE:
            first = not self.hand["pip"][board].any()
            self._act(seat, board, BET if first else RAISE, origin, raise_to)
            b.bet_or_raise(self.hand, board, seat, raise_to)
            return
        no_bets = triple.to_call(board) == 0 and min(triple.own, triple.other) <= 0
        self._act(seat, board, action, ALLIN if no_bets and origin == CHOICE else origin)
        if action == FOLD:
            b.fold(self.hand, board, seat)
        elif action == CALL:
            b.call(self.hand, board, seat)
        else:
            b.check(self.hand, board)

    # The end

    def _payout(self, board: int) -> list[int]:
        pot = int(b.pot(self.hand, board))
        if not self.is_live(board):
            winner = 1 - int(self.hand["folder"][board])
            return [pot * (seat == winner) for seat in range(2)]
        one, two = (
            strength_of(np.array((*self.now.boards[board], *sent), np.int8), BOARD_CARDS + len(sent))
            for sent in self.now.sent[board]
        )
        return [pot // 2, pot // 2] if one == two else [pot * (one > two), pot * (two > one)]

    def _settle(self) -> None:
        now = self.now
        for board in range(BOARDS):
            now.paid.append(self._payout(board))
            if self.is_live(board):
                for seat in self.pair:
                    self.say("show", self.names[seat], card_texts(now.sent[board][seat]), board + 1)
        won = [sum(paid[seat] for paid in now.paid) for seat in range(2)]
        now.put = [int(self.hand["spent"][seat]) for seat in range(2)]
        now.deltas = [won[seat] - now.put[seat] for seat in range(2)]
        if "all-in" in self.prints and 0 in won:
            self.say("sweep", self.names[1 - won.index(0)])
        for seat in self.pair:
            self.say("award", self.names[seat], now.deltas[seat])
            self.banks[seat] += now.deltas[seat]
            for board in range(BOARDS):
                self.totals[board][seat] += now.paid[board][seat]
        for seat in self.pair:
            if self.gone[seat]:
                continue
            answer = self.order.players[seat].bot.acknowledge()
            if not self._unreadable(seat, answer) and answer.action != CHECK:
                for _ in range(BOARDS):
                    self._fault(seat, ILLEGAL[answer.action])


def play(order: Order) -> Played:
    """A match of the Blotto engine."""
    return Blotto(order).play()
