"""What the engines of MIT Pokerbots share: simulating a match of two, and the "bets EV" printed at its end.

The base is plain no-limit hold'em. A game overrides what its rules change: each method of `HeadsUp` is one place where
a year's engine does something of its own.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

import numpy as np

from ..jit.bundles import new_record, words_of
from ..jit.hooks import run
from ..parsers.mit import COURSES
from ..replay import betting as b
from ..replay.bots import GARBLED, GONE, LATE, Answer, View
from ..replay.evaluator import category, strength_of, suits_of
from ..replay.games import STAKES, UNEVEN, Deviation, Game, Profile, Step
from ..replay.hand_order import strength_by
from ..replay.hooks import FIELDS
from ..replay.orders import USUAL, HandOrder, deck_mask
from ..replay.payouts import pot, uneven
from ..replay.records import ALLIN, BET, BID, CALL, CHECK, CHOICE, DISCARD, FOLD, RAISE, SUBSTITUTE
from ..replay.simulate import ILLEGAL, Acted, Order, Played, PlayedHand, drawn
from ..schema.words import CARDS, DEALER_FIRST, NUMBERED
from .mit_bots import CLAUSES, Listener

PREFLOP, FLOP, TURN = range(3)
_EV_LINES = ("ev_preflop", "ev_flop", "ev_turn")

WORDS: Final = {FOLD: "fold", CALL: "call", CHECK: "check", BET: "bet", RAISE: "raise"}


def own_stakes(game: str) -> Deviation:
    """A game's deviation: none of its engines, but any of them with another configuration."""
    return Deviation(
        f"{game}{STAKES}",
        "legality",
        "",
        "",
        "the blinds or the stacks of the match are not those of the rules",
    )


_HAND: Final = np.dtype(list(FIELDS))


def _padded(cards: Sequence[int], size: int) -> list[int]:
    """So many cards, -1 after the last."""
    return [*cards, *[-1] * size][:size]


def _texts(cards: Sequence[int]) -> list[str]:
    """Cards as a line prints them."""
    return [CARDS[card] for card in cards]


def _clause(letter: str, cards: Sequence[int]) -> str:
    """The clause of cards in a message to a bot."""
    return letter + ",".join(_texts(cards))


def folds_free(game: Game, profile: Profile) -> bool:
    """Whether an engine revision takes a fold where a check is free."""
    return game.free_folds or f"{game.name}.free-fold" in profile.deviations


@cache
def _strength_in(order: HandOrder, suits: int) -> int:
    return int(strength_by(order.table(), suits))


class Notes:
    """What engines since 2022 note before a query, and how it adds up to the bets EV printed at the end.

    They are chips put in by street, kept by name as in the engine: players who share a name share notes and sums.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """names by seat."""
        self.names = names
        self.sums = {name: [0, 0, 0] for name in names}
        self.clear()

    def clear(self) -> None:
        """Forget the notes, not the sums."""
        self.noted = {name: [0, 0, 0] for name in self.names}

    def note(self, street: int, put: Sequence[int]) -> None:
        """Overwrite the note of a street: the chips so far, less those noted of the streets before it."""
        for name, chips in zip(self.names, put, strict=True):
            noted = self.noted[name]
            noted[street] = chips - sum(noted[:street])

    def add(self, deltas: Sequence[int]) -> None:
        """After a hand: the notes count with the sign of the award."""
        for name, delta in zip(self.names, deltas, strict=True):
            for k, chips in enumerate(self.noted[name]):
                self.sums[name][k] += ((delta > 0) - (delta < 0)) * chips

    def lines(self, seats: Sequence[int]) -> Iterator[tuple[str, str, int]]:
        """The lines after the final one: event, name, sum; players in the order of `seats`."""
        for seat in seats:
            name = self.names[seat]
            for event, total in zip(_EV_LINES, self.sums[name], strict=True):
                yield event, name, total


class HeadsUp:
    """One match of two players: the deal changes after every hand, stacks are the same in every hand."""

    blind_line = "blind"
    course = COURSES[-1]
    """What the header begins with, if the order does not say."""
    dealt_more = 0
    """Cards that a game may deal besides those of its steps."""
    sockets = False
    """Whether the messages of the engine to its bots are those of this class: then folders with bots may play."""
    header = ""
    """The text before the names in an engine's own header; "" for the grammar's."""

    def __init__(self, order: Order) -> None:
        """Raises ValueError unless there are two players."""
        if len(order.players) != 2:
            raise ValueError(f"{order.game.name} is a game of 2 players, not {len(order.players)}")
        self.order = order
        self.grammar = order.grammar
        self.names = tuple(player.name for player in order.players)
        self.free_fold = folds_free(order.game, order.profile) or self.is_a_fold("fold")
        self.positions = NUMBERED[:2] if order.game.has_antes else DEALER_FIRST
        self.stack = int(order.game.stack_of(order.profile))
        self.big_blind = int(order.game.blinds[1])
        self.deck = order.random("deck")
        mask = deck_mask(*order.game.deck)
        self.codes = [code for code in range(len(CARDS)) if mask >> code & 1]
        by_engine = f"{order.game.name}.hand-order" in order.profile.deviations
        self.hand_order = order.game.engine_order if by_engine else order.game.order
        self.choices = order.random("steps")
        self.deep: list[int] = []
        """Cards below the board's."""
        self.did = [0, 0]
        self.notes = Notes(self.names)
        self.hand = new_record(b.BETTING)
        self.to_clear = words_of(self.hand)
        self.banks = [0, 0]
        self.gone = [False, False]
        self.lines: list[str] = []
        self.hands: list[PlayedHand] = []
        self.board: list[int] = []
        self.coming: list[int] = []
        self.now = PlayedHand(0, 0, [], [])

    # What a year changes

    @property
    def largest_board(self) -> int:
        """Cards that may come to the board."""
        return self.order.game.boards[-1]

    def board_size(self, street: int) -> int:
        """Cards on the board in a street, 0 if the hand has no such street; called when the street before ends."""
        boards = self.order.game.boards
        return boards[street] if street < len(boards) else 0

    def printed(self, cards: Sequence[int]) -> tuple[list[str], ...]:
        """How a line prints cards: a list for each of its fields."""
        return (_texts(cards),)

    def strength(self, cards: Sequence[int]) -> int:
        """How good a hand is, by the engine's evaluator, or in the game's own order of hands."""
        codes = np.array(cards, np.int8)
        if self.hand_order != USUAL:
            return _strength_in(self.hand_order, int(suits_of(codes, len(cards))))
        return int(strength_of(codes, len(cards)))

    def say_header(self) -> None:
        """The first line."""
        if self.header:
            self.lines.append(f"{self.header}{' vs '.join(self.names)}")
        else:
            course = (self.order.course or self.course,)
            fields = len(self.grammar.template("header").fields)
            self.say("header", *course[: fields - len(self.names)], *self.names)

    def separate(self) -> None:
        """The line between two hands."""
        self.lines.append("")

    def blinds(self, number: int) -> tuple[int, int]:
        """Small and big blind of a hand, by its number."""
        small, big = self.order.game.blinds
        return int(small), int(big)

    def after_header(self) -> None:
        """Lines after the header."""

    def say_street(self) -> None:
        """The line of a street that has just been dealt."""
        streets = self.order.game.streets
        event = streets[min(int(self.hand["street"]), len(streets) - 1)]
        self.say_both(event, self.pair, self.put(), *self.printed(self.board))

    def say_shown(self, seat: int) -> None:
        """The line of a hand at the showdown."""
        self.say("show", self.names[seat], *self.printed(self.held()[seat]))

    def say_award(self, seat: int) -> None:
        """The line of a player's award."""
        self.say("award", self.names[seat], self.now.deltas[seat])

    def before_final(self) -> None:
        """Lines after the last hand, before the final one."""

    def smallest_raise(self, seat: int) -> int:
        """The lowest raise-to that the engine takes."""
        if (size := self._bet_size()) > 0:
            return min(int(b.faced(self.hand, 0, seat)) + size, self._most(seat))
        return int(b.smallest_raise(self.hand, 0, seat, *self.left(seat), self.big_blind))

    def largest_raise(self, seat: int) -> int:
        """The highest raise-to that the engine takes."""
        return self.smallest_raise(seat) if self._bet_size() else self._most(seat)

    def _most(self, seat: int) -> int:
        """The highest raise-to without a limit."""
        return int(b.largest_raise(self.hand, 0, seat, *self.left(seat)))

    def _bet_size(self) -> int:
        """The size of every bet and raise of the street, 0 for no limit."""
        bets = self.order.game.bets
        return int(bets[min(int(self.hand["street"]), len(bets) - 1)]) if bets else 0

    def open_hand(self) -> None:
        """Lines after the round line."""

    def before_query(self) -> None:
        """Before either player is asked."""

    def deal_board(self, size: int) -> None:
        """Bring the board to so many cards."""
        self.board[:] = self.coming[:size]

    def after_street(self) -> None:
        """Lines after a street line."""

    def say_action(self, seat: int, action: int, origin: int, *amount: int) -> None:
        """The line of an action, with the amount of a bet or raise."""
        self.say(WORDS[action], self.names[seat], *amount)

    def final_board(self) -> list[int]:
        """The board by which a showdown is decided."""
        return self.board

    def known_hole(self, seat: int) -> tuple[int, ...]:
        """The hole cards that a player knows to hold."""
        return self.held()[seat]

    def shows(self) -> bool:
        """True if a showdown prints both hands."""
        return True

    def acknowledge(self, seat: int) -> None:
        """Tell a player that the hand is over; the answer should be a check."""
        answer = self.ask(seat, None)
        if answer is not None and answer.action != CHECK:
            self.refuse(seat, answer, None)

    def award(self, wins: int, loser_chips: int) -> int:
        """The dealer's award; wins is 1, -1, or 0 for a split pot."""
        if self.order.game.payout_kind == UNEVEN:
            put, (dealer, other) = self.put(), self.pair
            return int(uneven(wins, put[dealer], put[other]))
        return int(pot(wins, loser_chips))

    def after_awards(self) -> None:
        """Lines after the awards, before the players acknowledge them."""

    def close_hand(self) -> None:
        """Lines after the acknowledgements."""

    def after_final(self) -> None:
        """Lines after the final one: chips won and lost by street, in its order."""
        if "ev" in self.order.profile.prints:
            for line in self.notes.lines(self.pair[::-1]):
                self.say(*line)

    def rank(self, seat: int) -> int:
        """A player's bounty, -1 for none."""
        return b.NOBODY

    def own_facts(self, seat: int) -> tuple[str, ...]:
        """The clauses that only this player is sent when its cards are dealt."""
        return ()

    def outcome(self, seat: int) -> tuple[str, ...]:
        """The clauses that a player is sent after the result of a hand."""
        return ()

    # What all years share, or several

    def note_street(self) -> None:
        """Note the chips of a street: preflop's on the flop, the flop's on the turn, else the rest."""
        kinds = {1: PREFLOP, 2: FLOP}
        self.notes.note(kinds.get(int(self.hand["street"]), TURN), self.put())

    def held(self) -> list[tuple[int, ...]]:
        """The cards that the players hold now, by seat."""
        return self.now.finals or self.now.holes

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

    def say_stacks(self) -> None:
        """The line of the chips left in front of both players."""
        for_dealer, for_other = self.left(self.now.dealer)
        self.say("stacks", for_dealer, for_other)

    def open_bots(self) -> None:
        """Start the bots that hear the engine's messages; ValueError in a game whose messages are not known.

        One that does not connect is never asked, and no line of the log says so.
        """
        game = self.order.game
        for seat, player in enumerate(self.order.players):
            if isinstance(player.bot, Listener):
                if not self.sockets or game.steps or game.changes:
                    raise ValueError(
                        f"{game.name} has no folders with bots: its messages to bots are not known"
                    )
                self.gone[seat] = not player.bot.open(self.order.hands)

    def tell(self, seat: int, *clauses: str) -> None:
        """Let a bot hear clauses of the engine's messages, if it is one that does."""
        bot = self.order.players[seat].bot
        if isinstance(bot, Listener):
            bot.told(*clauses)

    def put(self) -> list[int]:
        """Contributions by seat."""
        return [int(self.hand["spent"][0]), int(self.hand["spent"][1])]

    def left(self, seat: int) -> tuple[int, int]:
        """Chips in front of a player, and of the opponent."""
        put = self.put()
        return self.stack - put[seat], self.stack - put[1 - seat]

    def play(self) -> Played:
        """Play all hands; the log ends without a line end."""
        self.open_bots()
        self.say_header()
        self.after_header()
        for number in range(1, self.order.hands + 1):
            self.play_hand(number)
        self.before_final()
        self.lines.append("")
        following = 1 - self.now.dealer
        self.say_both("final", (following, 1 - following), self.banks)
        self.after_final()
        return Played("\n".join(self.lines), self.names, tuple(self.hands))

    def play_hand(self, number: int) -> None:
        """Play a hand, by its number."""
        game, pots = self.order.game, self.order.game.pots
        self.now = self.deal(number, 1 - number % 2)
        self.board = self.now.board
        self.hands.append(self.now)
        self.to_clear[:] = 0
        b.begin(self.hand, 2, pots)
        self.hand["dealer"], self.hand["level"] = self.now.dealer, not game.antes
        self.hand["free"][:pots] = np.multiply(game.free_chips, self.big_blind)
        self.separate()
        self.say_both("round", self.pair, self.banks, number)
        self.open_hand()
        blinds = self.blinds(number)
        self.big_blind = blinds[1]
        for seat, blind in zip(self.pair, blinds, strict=True):
            self.say(self.blind_line, self.names[seat], blind)
            for board in range(pots):
                (b.pay if game.dead_antes else b.put)(self.hand, board, seat, blind)
        for seat in self.pair:
            self.say("dealt", self.names[seat], *self.printed(self.now.holes[seat]))
        for place, seat in enumerate(self.pair):
            self.tell(seat, f"P{place}", _clause("H", self.now.holes[seat]), *self.own_facts(seat))
        self.before_flop()
        self.play_streets()
        self.settle()

    def deal(self, number: int, dealer: int) -> PlayedHand:
        """Draw the cards of a hand: hole cards, and those that come after them."""
        size, steps = self.order.game.hole_cards, self.order.game.steps
        taken = 2 * sum(step.takes for step in steps) + self.dealt_more
        most = 2 * size + self.largest_board + taken
        if most > len(self.codes):
            raise ValueError(f"a hand needs up to {most} cards, the deck has {len(self.codes)}")
        cards = [self.codes[k] for k in drawn(self.deck, most, len(self.codes))]
        self.coming = cards[2 * size : 2 * size + self.largest_board]
        self.deep = cards[2 * size + self.largest_board :]
        self.did = [0, 0]
        holes = [tuple(cards[:size]), tuple(cards[size : 2 * size])]
        return PlayedHand(number, dealer, holes, list(self.banks))

    def before_flop(self) -> None:
        """What comes between the deal and the flop."""
        self.bet()

    def play_streets(self) -> None:
        """All that comes between the betting before the flop and the end of the hand."""
        while self.hand["folded"] < 0 and (size := self.board_size(int(self.hand["street"]) + 1)):
            self.take_steps(int(self.hand["street"]) + 1)
            self.deal_street(size)
            self.bet()

    def take_steps(self, street: int) -> None:
        """Ask the players what they may do before a street besides betting."""
        game = self.order.game
        for number, step in enumerate(game.steps):
            if step.before != game.streets[street]:
                continue
            for who in step.asked:
                seat = self.now.dealer if who == "dealer" else 1 - self.now.dealer
                if self.left(seat)[0] < step.price:
                    continue
                if step.must or self.choices.random() < 0.5:
                    self._take(number, step, seat)
                elif step.declines:
                    self.say(step.declines, self.names[seat])

    def _take(self, number: int, step: Step, seat: int) -> None:
        """A player does what a step says: its lines, its price, its cards."""
        lines: list[list[str]] = []
        self.did[seat] |= 1 << number
        b.pay(self.hand, 0, seat, step.price)
        if step.to == "other":
            b.pay(self.hand, 0, 1 - seat, -step.price)
        held, taken = list(self.held()[seat]), self.deep[: step.takes]
        del self.deep[: step.takes]
        if step.gives:
            given = [held.pop(int(self.choices.random() * len(held))) for _ in range(step.gives)]
            lines.append(_texts(given))
            if step.goes_to == "board":
                self.coming[len(self.board) : len(self.board)] = given
                self.board += given
        if step.gives or step.takes:
            hands = list(self.held())
            hands[seat] = (*held, *taken)
            self.now.finals = hands
        if step.takes:
            lines.append(_texts(taken))
        elif step.sees:
            other = self.held()[1 - seat]
            seen = (
                self.coming[len(self.board)]
                if step.sees == "board"
                else other[int(self.choices.random() * len(other))]
            )
            lines.append(_texts([seen]))
        told = [lines.pop()] if step.told else []
        self.say(step.does, self.names[seat], *lines)
        if told:
            self.say(step.told, self.names[seat], *told)

    def deal_street(self, size: int) -> None:
        """The next street's cards and lines."""
        b.next_street(self.hand)
        self.deal_board(size)
        for seat in self.pair:
            self.tell(seat, _clause("B", self.board))
        self.say_street()
        self.after_street()

    def bet(self) -> None:
        """Ask the players in turn until the betting of the street is over."""
        while not self.hand["closed"] and self.hand["folded"] < 0:
            seat = int(b.actor(self.hand))
            self.before_query()
            view = self._view(seat)
            answer = self.ask(seat, view)
            legal = answer is not None and self._is_legal(answer, view)
            if answer is not None and not legal:
                self.refuse(seat, answer, view)
            if answer is None or not legal:
                origin = SUBSTITUTE if self.tells(answer, view) else CHOICE
                self.act(seat, Answer(self.instead(seat, answer, view)), view, origin)
            else:
                no_bets = view.to_call == 0 and max(self.put()) == self.stack
                self.act(seat, answer, view, ALLIN if no_bets else CHOICE)

    def instead(self, seat: int, answer: Answer | None, view: View) -> int:
        """What the engine does in place of a bad answer."""
        folds = view.to_call or self.is_a_fold(self.kind_of(seat, answer))
        return FOLD if folds else CHECK

    def is_a_fold(self, kind: str) -> bool:
        """True if the engine folds for a bad answer of a kind of `games.FaultPolicy`, as the rules say."""
        name: str = getattr(self.order.game.faults, kind)
        return bool(name) and name not in self.order.profile.deviations

    def kind_of(self, seat: int, answer: Answer | None) -> str:
        """The kind of a bad answer in the betting, of `games.FaultPolicy`; None: no legible answer."""
        if self.gone[seat]:
            return "silence"
        if answer is None:
            return "other"
        return {FOLD: "fold", RAISE: "amount"}.get(answer.action, "other")

    def _view(self, seat: int) -> View:
        hand, left, low, high = self.hand, self.left(seat), 0, 0
        most = self.order.game.most_bets
        if b.may_raise(hand, 0, seat, *left) and (not most or hand["level"][0] < most):
            low = self.smallest_raise(seat)
            high = self.largest_raise(seat)
        return View(
            self.known_hole(seat),
            self.board,
            int(hand["street"]),
            sum(self.put()),
            int(hand["pip"][0, seat]),
            int(b.to_call(hand, 0, seat)),
            low,
            high,
            int(hand["level"][0]),
            self.big_blind,
            self.free_fold,
            self.rank(seat),
            (self.held()[1 - seat],),
            seat=seat,
            stack=left[0],
            positions=self.positions if self.now.dealer == 0 else self.positions[::-1],
            acted=self.now.actions,
        )

    def _is_legal(self, answer: Answer, view: View) -> bool:
        if answer.action == RAISE:
            return view.high > 0 and view.low <= answer.raise_to <= view.high
        if answer.action == FOLD:
            return view.to_call > 0 or self.free_fold
        if answer.action in (BID, DISCARD):
            return False
        return (answer.action == CALL) == (view.to_call > 0)

    def tells(self, answer: Answer | None, view: View) -> bool:
        """True if the log shows that the engine acts in place of this answer; None: no legible answer."""
        return True

    def refuse(self, seat: int, answer: Answer, view: View | None) -> None:
        """The fault lines of an answer that is not legal; no view: it acknowledges the hand's end."""
        self.fault(seat, ILLEGAL[answer.action])

    def garbled(self, seat: int, text: str) -> None:
        """The fault line of an answer that cannot be read."""
        self.fault(seat, "misformatted", text)

    def fault(self, seat: int, event: str, *values: int | str) -> None:
        """A fault and its line."""
        self.now.faults.append((seat, event))
        self.say(event, self.names[seat], *values)

    def ask(self, seat: int, view: View | None, question: str = "act") -> Answer | None:
        """A player's answer, to the hand's end where there is no view; None for a fault and once the player has left.

        question: which of a bot's answers to a view is asked for: act, bid, discard.
        """
        if self.gone[seat]:
            return None
        bot = self.order.players[seat].bot
        answer: Answer = bot.acknowledge() if view is None else getattr(bot, question)(view)
        if answer.action == GARBLED:
            self.garbled(seat, answer.text.strip())
            return None
        if answer.action in (LATE, GONE):
            self.gone[seat] = True
            self.fault(seat, "late" if answer.action == LATE else "gone")
            return None
        return answer

    def act(self, seat: int, answer: Answer, view: View, origin: int) -> None:
        """Carry out an action and print its line."""
        action, raise_to = answer.action, -1
        if action == RAISE:
            raise_to = answer.raise_to
            # The first bet of a street, and it alone, is called a bet.
            opens = view.to_call == 0 and (view.pip == 0 or self.order.game.antes)
            action = BET if opens else RAISE
            self.say_action(seat, action, origin, raise_to)
            b.bet_or_raise(self.hand, 0, seat, raise_to)
        else:
            self.say_action(seat, action, origin)
            if action == FOLD:
                b.fold(self.hand, 0, seat)
            elif action == CALL:
                b.call(self.hand, 0, seat)
            else:
                b.check(self.hand, 0)
        for each in self.pair:
            self.tell(each, CLAUSES.get(action) or f"R{raise_to}")
        b.after_turn(self.hand, action in (FOLD, CHECK))
        self.now.actions.append(Acted(view.street, seat, action, origin, raise_to))

    def ends_in_showdown(self) -> bool:
        """Whether nobody has folded."""
        return int(self.hand["folded"]) < 0

    def _winner(self) -> int:
        """The seat that wins, -1 for a split pot."""
        if self.hand["folded"] >= 0:
            return 1 - int(self.hand["folded"])
        strengths = [self.strength((*self.final_board(), *hole)) for hole in self.held()]
        return 0 if strengths[0] > strengths[1] else 1 if strengths[1] > strengths[0] else b.NOBODY

    def _described(self, wins: int) -> np.void:
        """The hand as a function of the game knows it (`replay.hooks`)."""
        record, put, dealer = new_record(_HAND), self.put(), self.now.dealer
        record["number"], record["street"], record["wins"] = self.now.number, self.hand["street"], wins
        record["showdown"] = self.hand["folded"] < 0
        record["usual"] = uneven(wins, put[dealer], put[1 - dealer])
        record["pot"], record["deviations"] = sum(put), self.order.game.mask(self.order.profile.deviations)
        record["small_blind"], record["big_blind"] = self.blinds(self.now.number)
        record["board"][:] = _padded(self.board, len(record["board"]))
        for name, seat in (("dealer", dealer), ("other", 1 - dealer)):
            held = self.held()[seat]
            strength = self.strength((*self.final_board(), *held)) if record["showdown"] else -1
            record[f"{name}_put"], record[f"{name}_steps"] = put[seat], self.did[seat]
            record[f"{name}_strength"] = strength
            is_usual = record["showdown"] and self.hand_order == USUAL
            record[f"{name}_kind"] = category(strength) if is_usual else -1
            record[f"{name}_hole"][:] = _padded(held, len(record[f"{name}_hole"]))
        return record

    def settle(self) -> None:
        """Pay the hand, print how it ended, and tell both players."""
        now, put = self.now, self.put()
        dealer = now.dealer
        if self.ends_in_showdown() and self.shows():
            for seat in self.pair:
                self.say_shown(seat)
        winner = self._winner()
        wins = 0 if winner < 0 else 1 if winner == dealer else -1
        award = self.award(wins, put[0] if winner < 0 else put[1 - winner])
        if callable(self.order.game.payout):
            award = int(run(self.order.game.payout, self._described(wins)))
        now.put = put
        now.deltas = [award, -award] if dealer == 0 else [-award, award]
        for seat in self.pair:
            shown = (_clause("O", self.held()[1 - seat]),) if self.ends_in_showdown() else ()
            self.tell(seat, *shown, f"D{now.deltas[seat]}", *self.outcome(seat))
        for seat in self.pair:
            self.say_award(seat)
            self.banks[seat] += now.deltas[seat]
        self.after_awards()
        for seat in self.pair:
            self.acknowledge(seat)
        self.close_hand()
