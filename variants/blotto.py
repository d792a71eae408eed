"""Blotto Hold'em (2021): six cards are assigned to three boards, each of which is a pot of its own.

Every revision of the engine, and a team's annotated log of it.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay import betting as b
from ..replay.blotto.game import (
    ASSIGNMENT,
    BOARD_CARDS,
    BOARDS,
    DEALT_CARDS,
    DEVIATIONS,
    OVERSPENT,
    UNMATCHED,
    WAIVED,
)
from ..replay.bots import Answer, Faulty, View
from ..replay.cards import card_texts
from ..replay.evaluator import strength_of
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.records import ALLIN, ASSIGN, BET, CALL, CHECK, CHOICE, DUMMY, FOLD, RAISE, SUBSTITUTE
from ..replay.replaying import several_boards
from ..replay.simulate import ILLEGAL, Acted, Order, Played, PlayedHand, drawn
from .mit_engine import WORDS, HeadsUp
from .properties import DECISIONS, Properties, Variant

# Whose lines are those of every year; where several boards are played an action names its board.
_SHARED: Final = (
    *("header", "round", "dealt", "award", "final", "late", "gone", "marker"),
    *("illegal_fold", "illegal_call", "illegal_check", "illegal_raise"),
)

GRAMMAR: Final = Grammar(
    """
    blinds              {p} posts the blind of {n} on each board
    blind               {p} posts the blind of {n}
    assign              {p} assigns [{c}] to board {n}
    assign              {p} assigns [{c}] to board {n}, with EV {*}
    fold                {p} folds on board {n}
    call                {p} calls on board {n}
    check               {p} checks on board {n}
    bet                 {p} bets {n} on board {n}
    raise               {p} raises to {n} on board {n}
    all_in              {p} went all in
    flop                Flop [{c}], ({n}), {p} ({n}), {p} ({n}) on board {n}
    turn                Turn [{c}], ({n}), {p} ({n}), {p} ({n}) on board {n}
    river               River [{c}], ({n}), {p} ({n}), {p} ({n}) on board {n}
    board               Board {n}, ({n})
    show                {p} shows [{c}] on board {n}
    board_won           {p} wins Board {n} net winnings {n}
    board_tied          Tie on Board {n} winnings...
    sweep               {p} sweeps
    table               Table {n}, {p} ({n}), {p} ({n})
    misformatted        {p} response misformatted: {*}
    illegible           {p} response misformatted
    illegal_assign      {p} attempted illegal AssignAction
    illegal_assignment  {p} attempted illegal assignment
    too_few_actions     {p} did not submit 3 actions
    net_raises          {p} attempted net illegal RaiseAction's
    net_sums            {p} attempted net illegal RaiseAction's or CallAction's
    combination         {p} attempted an illegal combination of RaiseAction's and/or CallAction's
    below_minimum       {p} did not meet minimum raise amount on board {n}
    unmatchable         {p} attempted net RaiseAction's which opponent cannot match
    after_end           {p} attempted an action after the round has ended
    """
    + "\n".join(f"{t.event} {t.pattern}" for t in mit.GRAMMAR.templates if t.event in _SHARED)
)

_OF_BOARDS: Final = "assign fold call check bet raise flop turn river show below_minimum"

DIALECT: Final = Dialect("mit-blotto", "blotto", GRAMMAR, mit.cut, signs=((b" on board 3", _OF_BOARDS),))

_DEVIATIONS: Final = tuple(f"blotto.{name}" for name in DEVIATIONS)
_OVERSPENT, _UNMATCHED, _WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT = _DEVIATIONS
_DECK: Final = 52
_ODD: Final = 0.03
_HEEDLESS: Final = 0.3

_EARLY: Final = frozenset({"net-raises", "silent-all-in", "no-tables"})
_LATE: Final = frozenset({"blind-on-each", "misformatted-text"})


Fault = Callable[..., None]


class Triple:
    """Three answers on their way to actions: (action, raise-to, origin) a board; a bet is a raise here."""

    def __init__(self, hand: np.void, seat: int, own: int, other: int, big_blind: int) -> None:
        """own and other are the stacks before."""
        self.hand, self.seat = hand, seat
        self.own, self.other, self.big_blind = own, other, big_blind
        self.actions: list[tuple[int, int, int]] = []
        self.all_in = False

    def is_active(self, board: int) -> bool:
        """True if the player has a choice."""
        return bool(b.is_active(self.hand, board))

    def to_call(self, board: int) -> int:
        """Chips to call."""
        return int(b.to_call(self.hand, board, self.seat))

    def pip(self, board: int, seat: int) -> int:
        """A player's chips of the street."""
        return int(self.hand["pip"][board, seat])

    def bounds(self, board: int) -> tuple[int, int]:
        """The smallest and largest raise-to of one board."""
        given = (self.hand, board, self.seat, self.own, self.other)
        return int(b.smallest_raise(*given, self.big_blind)), int(b.largest_raise(*given))

    def substitute(self, board: int) -> tuple[int, int, int]:
        """A check if it is legal, else a fold."""
        faces_bet = self.is_active(board) and self.to_call(board) != 0
        return FOLD if faces_bet else CHECK, -1, SUBSTITUTE

    def fail(self) -> None:
        """All three are replaced."""
        self.actions = [self.substitute(board) for board in range(BOARDS)]

    @property
    def spent(self) -> int:
        """Chips that the three cost."""
        return sum(
            self.to_call(k) if action == CALL else raise_to - self.pip(k, self.seat)
            for k, (action, raise_to, _) in enumerate(self.actions)
            if action in (CALL, RAISE)
        )

    @property
    def raised(self) -> int:
        """Chips that the opponent needs to call all raises."""
        return sum(
            raise_to - self.pip(k, 1 - self.seat)
            for k, (action, raise_to, _) in enumerate(self.actions)
            if action == RAISE
        )


def _one(triple: Triple, board: int, answer: Answer, checks_minimum: bool, fault: Fault) -> None:
    """One board's answer, replaced where it is not legal there."""
    call, active = triple.to_call(board), triple.is_active(board)
    legal = {CHECK}
    if active:
        raises = call != triple.own and triple.other != 0 if call else triple.own != 0 and triple.other != 0
        legal = {FOLD, CALL} if call else {CHECK}
        legal |= {RAISE} if raises else set()
    if answer.action in legal:
        if answer.action != RAISE:
            triple.actions.append((answer.action, -1, CHOICE))
            return
        low, high = triple.bounds(board)
        faced = triple.pip(board, 1 - triple.seat)
        if (low if checks_minimum else faced + 1) <= answer.raise_to <= high:
            triple.actions.append((RAISE, answer.raise_to, CHOICE))
            return
        if not checks_minimum and answer.raise_to == faced:
            triple.actions.append((CALL, -1, CHOICE))
            return
    fault(ILLEGAL[answer.action])
    triple.actions.append(triple.substitute(board))


def _early(triple: Triple, deviations: Collection[str], fault: Fault) -> None:
    """Until 2021-01-07: the engine first checks only the sum of the raises, then the cost of all three actions."""
    if DEVIATIONS[OVERSPENT] in deviations:
        open_boards = [k for k in range(BOARDS) if triple.is_active(k)]
        named = sum(raise_to for action, raise_to, _ in triple.actions if action == RAISE)
        calls = sum(triple.to_call(k) for k in open_boards)
        pips = sum(triple.pip(k, triple.seat) for k in open_boards)
        if not 0 <= named <= pips + min(triple.own, triple.other + calls):
            fault("net_raises")
            triple.fail()
    elif not 0 <= triple.spent <= triple.own:
        fault("net_sums")
        triple.fail()


def _late(triple: Triple, waives: bool, fault: Fault) -> None:
    """From 2021-01-07; `waives`: an all-in has no minimum, and unmatchable raises are cut down."""
    if not 0 <= triple.spent <= triple.own or (not waives and triple.raised > triple.other):
        fault("combination")
        triple.fail()
        return
    raised = triple.raised
    triple.all_in = triple.spent == triple.own and triple.spent > 0
    for board, (action, raise_to, _) in enumerate(triple.actions):
        if action != RAISE or (waives and triple.all_in) or raise_to >= triple.bounds(board)[0]:
            continue
        fault("below_minimum", board + 1)
        triple.actions[board] = (CALL if triple.to_call(board) else CHECK, -1, SUBSTITUTE)
    if not waives:
        triple.all_in = triple.spent == triple.own and triple.spent > 0
    if raised <= triple.other:
        return
    fault("unmatchable")
    left = triple.other
    for board, (action, raise_to, origin) in enumerate(triple.actions):
        if action != RAISE:
            continue
        faced = triple.pip(board, 1 - triple.seat)
        if left == 0:
            triple.actions[board] = (CALL, -1, SUBSTITUTE)
        elif raise_to - faced > left:
            triple.actions[board] = (RAISE, faced + left, SUBSTITUTE)
            left = 0
        else:
            triple.actions[board] = (RAISE, raise_to, origin)
            left -= raise_to - faced


def judge(triple: Triple, answers: list[Answer] | None, deviations: Collection[str], fault: Fault) -> None:
    """Turn answers into actions; None: there are none that could be read. Fault lines go to `fault`."""
    if answers is None:
        triple.fail()
        return
    early = DEVIATIONS[OVERSPENT] in deviations or DEVIATIONS[UNMATCHED] in deviations
    waives = DEVIATIONS[WAIVED] in deviations
    for board, answer in enumerate(answers):
        _one(triple, board, answer, not waives, fault)
    if early:
        _early(triple, deviations, fault)
    else:
        _late(triple, waives, fault)


@dataclass
class PlayedBoards(PlayedHand):
    """boards: cards of each; sent: by board and seat the cards assigned; paid: the same, chips."""

    boards: list[list[int]] = field(default_factory=list)
    sent: list[list[tuple[int, ...]]] = field(default_factory=list)
    paid: list[list[int]] = field(default_factory=list)


class Blotto(HeadsUp):
    """One match of two players on three boards."""

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.prints = order.profile.prints
        # Without the name of the game.
        self.deviations = {name.partition(".")[2] for name in order.profile.deviations}
        self.blind_line = "blinds" if "blind-on-each" in self.prints else "blind"
        self.moods = order.random("moods")
        self.totals = [[0, 0] for _ in range(BOARDS)]
        self.boards_to_come: list[list[int]] = []
        self.played = PlayedBoards(0, 0, [], [])

    def is_live(self, board: int) -> bool:
        """Whether both players are still in on a board."""
        return bool(self.hand["active"][board] > 1)

    def deal(self, number: int, dealer: int) -> PlayedHand:
        """Six cards to each player; every board is dealt from what is left."""
        cards = drawn(self.deck, DEALT_CARDS * 2)
        rest = [card for card in range(_DECK) if card not in cards]
        coming = [[rest[k] for k in drawn(self.deck, BOARD_CARDS, len(rest))] for _ in range(BOARDS)]
        self.boards_to_come = coming
        holes = [tuple(cards[:DEALT_CARDS]), tuple(cards[DEALT_CARDS:])]
        self.played = PlayedBoards(number, dealer, holes, list(self.banks))
        self.played.boards = [[] for _ in range(BOARDS)]
        self.played.sent = [[(), ()] for _ in range(BOARDS)]
        return self.played

    def before_flop(self) -> None:
        """Both assign their cards, the dealer first, then bet."""
        self.hand["turn"] = -2
        for _ in range(2):
            if not self.hand["closed"]:
                self._assign(int(b.actor(self.hand)))
        self.bet()

    def play_streets(self) -> None:
        """Flop, turn and river of all boards that are left."""
        while self.hand["folded"] < 0 and self.hand["street"] < 3:
            self._deal_boards()
            self.bet()

    def after_final(self) -> None:
        """What each player won on each board, in the order of the final line."""
        if "tables" in self.prints:
            for board, sums in enumerate(self.totals):
                self.say_both("table", self.pair[::-1], sums, board + 1)

    # Faults

    def garbled(self, seat: int, text: str) -> None:
        """By revision with what was answered."""
        if "misformatted-text" in self.prints:
            super().garbled(seat, repr(text.split(";")))
        else:
            self.fault(seat, "illegible")

    def refuse(self, seat: int, answer: Answer, view: View | None) -> None:
        """The fault lines of an answer to the end of a hand: one a board."""
        for _ in range(BOARDS):
            self.fault(seat, ILLEGAL[answer.action])

    # Cards to boards

    def _sent(self, seat: int) -> list[tuple[int, ...]] | None:
        """The cards a player sends to the boards, () for none to a board; None for a failure of all three."""
        bot, answer = self.order.players[seat].bot, self.ask(seat, None)
        if answer is None:
            return None
        if answer.action != CHECK:
            for _ in range(sum(self.is_live(board) for board in range(BOARDS))):
                self.fault(seat, ILLEGAL[answer.action])
            return None
        cards = sorted(self.played.holes[seat])
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
            self.fault(seat, "illegal_assignment")
            return None
        return sent

    def _assign(self, seat: int) -> None:
        sent = self._sent(seat)
        live = [self.is_live(board) for board in range(BOARDS)]
        if sent is not None:
            for board in range(BOARDS):
                if not live[board]:
                    self.fault(seat, "illegal_assign")
                elif not sent[board]:
                    self.fault(seat, ILLEGAL[CHECK])
        for board in range(BOARDS):
            if not live[board]:
                self._say_action(seat, board, CHECK, DUMMY)
            elif sent is None or not sent[board]:
                self._say_action(seat, board, FOLD, SUBSTITUTE)
                b.fold(self.hand, board, seat)
            else:
                self.played.sent[board][seat] = sent[board]
                self.now.actions.append(Acted(0, seat, ASSIGN, CHOICE, -1))
                self.say("assign", self.names[seat], card_texts(sent[board]), board + 1)
        b.after_turn(self.hand, False)

    # Betting

    def _deal_boards(self) -> None:
        b.next_street(self.hand)
        street = int(self.hand["street"])
        for board in range(BOARDS):
            pot = int(b.pot(self.hand, board))
            if not self.is_live(board):
                self.say("board", board + 1, pot)
                continue
            self.played.boards[board] = cards = self.boards_to_come[board][: street + 2]
            one, two = self.pair
            stacks = self.names[one], self.left(one)[0], self.names[two], self.left(two)[0]
            self.say(self.order.game.streets[street], card_texts(cards), pot, *stacks, board + 1)

    def bet(self) -> None:
        """Ask the players in turn for their three actions until the betting of the street is over."""
        while not self.hand["closed"]:
            seat = int(b.actor(self.hand))
            triple = Triple(self.hand, seat, *self.left(seat), self.big_blind)
            answers = None if self.gone[seat] else self._answers(seat, triple)
            judge(triple, answers, self.deviations, partial(self.fault, seat))
            if triple.all_in and "all-in" in self.prints:
                self.say("all_in", self.names[seat])
            for board in range(BOARDS):
                self._apply(seat, board, triple)
            b.after_turn(self.hand, False)

    def _answers(self, seat: int, triple: Triple) -> list[Answer] | None:
        """What a player wants on each board, mostly with regard to what the boards before have cost."""
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
            answer = self.ask(seat, self._view_of(seat, board, own, other))
            if answer is None:
                return None
            if heeds and answer.action in (RAISE, CALL):
                pip = int(self.hand["pip"][board, seat])
                spent = call if answer.action == CALL else answer.raise_to - pip
                own, other = own - spent, other - max(spent - call, 0)
            answers.append(answer)
        return answers

    def _view_of(self, seat: int, board: int, own: int, other: int) -> View:
        hand, low, high = self.hand, 0, 0
        call = int(b.to_call(hand, board, seat))
        if own > call and other > 0:
            low = int(b.smallest_raise(hand, board, seat, own, other, self.big_blind))
            high = int(b.largest_raise(hand, board, seat, own, other))
        sent = self.played.sent[board][seat]
        return View(
            sent if len(sent) > 1 else (*sent, *sent),
            self.played.boards[board],
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

    def _say_action(self, seat: int, board: int, action: int, origin: int, raise_to: int = -1) -> None:
        self.now.actions.append(Acted(int(self.hand["street"]), seat, action, origin, raise_to))
        if action in (BET, RAISE):
            self.say("bet" if action == BET else "raise", self.names[seat], raise_to, board + 1)
        else:
            self.say(WORDS[action], self.names[seat], board + 1)

    def _apply(self, seat: int, board: int, triple: Triple) -> None:
        action, raise_to, origin = triple.actions[board]
        if not b.is_active(self.hand, board):
            self._say_action(seat, board, action, DUMMY)
            return
        if action == RAISE:
            first = not self.hand["pip"][board].any()
            self._say_action(seat, board, BET if first else RAISE, origin, raise_to)
            b.bet_or_raise(self.hand, board, seat, raise_to)
            return
        no_bets = triple.to_call(board) == 0 and min(triple.own, triple.other) <= 0
        self._say_action(seat, board, action, ALLIN if no_bets and origin == CHOICE else origin)
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
            strength_of(np.array((*self.played.boards[board], *sent), np.int8), BOARD_CARDS + len(sent))
            for sent in self.played.sent[board]
        )
        return [pot // 2, pot // 2] if one == two else [pot * (one > two), pot * (two > one)]

    def settle(self) -> None:
        """Pay every board, print how the hand ended, and tell both players."""
        now = self.played
        for board in range(BOARDS):
            now.paid.append(self._payout(board))
            if self.is_live(board):
                for seat in self.pair:
                    self.say("show", self.names[seat], card_texts(now.sent[board][seat]), board + 1)
        won = [sum(paid[seat] for paid in now.paid) for seat in range(2)]
        now.put = self.put()
        now.deltas = [won[seat] - now.put[seat] for seat in range(2)]
        if "all-in" in self.prints and 0 in won:
            self.say("sweep", self.names[1 - won.index(0)])
        for seat in self.pair:
            self.say("award", self.names[seat], now.deltas[seat])
            self.banks[seat] += now.deltas[seat]
            for board in range(BOARDS):
                self.totals[board][seat] += now.paid[board][seat]
        for seat in self.pair:
            self.acknowledge(seat)


def play(order: Order) -> Played:
    """A match of the engine."""
    return Blotto(order).play()


GAME: Final = Game(
    name="blotto",
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    hole_cards=DEALT_CARDS,
    free_chips=(1.0, 2.0, 3.0),
    family=several_boards,
    forward=play,
    source="rules document of Blotto Hold'em, 2021",
    deviations=(
        Deviation(
            _OVERSPENT,
            "legality",
            "2021-01-02",
            "2021-01-06",
            "the chips of three actions may be more than the player has: stacks go below zero",
        ),
        Deviation(
            _UNMATCHED,
            "legality",
            "2021-01-02",
            "2021-01-07",
            "raises on several boards may together exceed what the opponent can call",
        ),
        Deviation(
            _WAIVED,
            "legality",
            "2021-01-07",
            "",
            "raises have no minimum if the three actions take the player's last chip",
        ),
        Deviation(
            _CUT_DOWN,
            "legality",
            "2021-01-07",
            "",
            "raises that the opponent cannot match are cut down, in order of the boards: to less than the "
            "minimum, or to a call with nothing to call",
        ),
        Deviation(
            _EMPTY_CALL,
            "legality",
            "2021-01-07",
            "",
            "a raise to the opponent's bet is taken as a call, even if there is nothing to call",
        ),
        Deviation(
            _ASSIGNMENT,
            "legality",
            "2021-01-02",
            "",
            "an assignment is accepted that does not send two cards to each board, or sends a card twice",
        ),
    ),
    profiles=(
        Profile("2021-01-02", (_OVERSPENT, _UNMATCHED, _ASSIGNMENT), _EARLY | {"blind", "misformatted"}),
        Profile("2021-01-04", (_OVERSPENT, _UNMATCHED, _ASSIGNMENT), _EARLY | {"blind", "misformatted-text"}),
        Profile("2021-01-06", (_UNMATCHED, _ASSIGNMENT), _EARLY | _LATE | {"net-sums"}),
        Profile(
            "2021-01-07",
            (_WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT),
            _LATE | {"triple-faults", "silent-all-in", "no-tables"},
        ),
        Profile(
            "2021-01-26",
            (_WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT),
            _LATE | {"triple-faults", "all-in", "no-tables"},
        ),
        Profile(
            "2021-01-27",
            (_WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT),
            _LATE | {"triple-faults", "all-in", "tables"},
        ),
    ),
)

PROPERTIES: Final = Properties(
    game="blotto",
    title="Blotto",
    boards=GAME.pots,
    hole_cards=GAME.hole_cards,
    decisions=("assign", *DECISIONS),
    free_chips=GAME.free_chips,
    cluster="hand",
)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
