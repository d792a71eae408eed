"""Poker AI 2025 and 2026 (CMU): 27 cards of three suits, of which players throw some away. Logs are tables (CSV)."""

import re
from typing import Final

from ..parsers.dialect import Dialect
from ..replay import betting as b
from ..replay.bots import GARBLED, GONE, LATE, Answer, View
from ..replay.cards import card_texts
from ..replay.games import HOLDEM_STREETS, POT_BY_ORDER, Deviation, Game, Profile
from ..replay.orders import HandOrder
from ..replay.records import ALLIN, CALL, CHECK, CHOICE, DISCARD, FOLD, PASS, RAISE, SUBSTITUTE
from ..replay.replaying import heads_up
from ..replay.simulate import Acted, Order, Played, PlayedHand
from .mit_engine import HeadsUp, own_stakes
from .properties import DECISIONS, Properties, Variant

_NAME: Final = "cmu-2025"
_LATER: Final = "cmu-2026"
_STACK: Final = 100
_KEPT: Final = 2
_DEALT: Final = 5
_REDRAWS: Final = 2
"""Streets on which a player may replace a card."""
_RANKS: Final = "23456789A"
_SUITS: Final = "dhs"
_ORDER: Final = f"{_NAME}.hand-order"
_DOUBLED: Final = "{}.doubled-minimum-raise"
_OPEN: Final = f"{_NAME}.small-blind-call-leaves-street-open"
_NO_OPTION: Final = f"{_NAME}.no-option-for-the-big-blind"
_LAST_CHIP: Final = f"{_NAME}.last-chip-raise-refused"


def _doubled(game: str, since: str, until: str = "") -> Deviation:
    return Deviation(
        _DOUBLED.format(game),
        "legality",
        since,
        until,
        "a raise of at least the last raise, but of less than the last raiser has put in on the street, is a fold",
    )


_TRIES: Final = 5
"""Times that a player is asked before its call has failed."""
_FOLDS_FOR_FAILURES: Final = 2
"""Failed calls in a row that the engine of 2026 takes for folds; the next ends the match."""
_REDRAWN: Final = 0.25
"""How often a simulated player replaces a card where it may."""
_WORDS: Final = {
    FOLD: "FOLD",
    RAISE: "RAISE",
    CHECK: "CHECK",
    CALL: "CALL",
    DISCARD: "DISCARD",
    PASS: "DISCARD",
}
_ILLEGAL: Final = {CALL: "illegal_call", CHECK: "illegal_check", RAISE: "illegal_raise_by"}


class _MatchOverError(Exception):
    """A player has no time left, or does not answer."""


class TableEngine(HeadsUp):
    """Both years' engines: rows of a table instead of lines; an illegal answer is a fold."""

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.deviations = frozenset(order.profile.deviations)
        self.is_first_engine = _NO_OPTION in self.deviations
        self.doubles = _DOUBLED.format(order.game.name) in self.deviations
        self.keeps = order.game.keeps
        self.dealt_more = 0 if self.keeps else 2
        self.failures = [0, 0]
        self.raised_by = 0
        self.thrown: list[tuple[int, ...]] = [(), ()]
        if self.is_first_engine:
            self.names = ("Team 0", "Team 1")

    def play(self) -> Played:
        """Play hands until the match is over: a player who is late or gone ends it, and the hand has no result."""
        from ..parsers.cmu_table import COLUMNS, COLUMNS_WITH_KEEPS, TEAMS

        first, unpaid = int(self.is_first_engine), 0
        try:
            for number in range(first, first + self.order.hands):
                unpaid = len(self.lines)
                self.play_hand(number)
            unpaid = len(self.lines)
        except _MatchOverError:
            self.hands.pop()
        between = ", Team 1: ".join(self.names)
        text = "" if self.is_first_engine else f"{TEAMS.decode()}{between}\n"
        columns = COLUMNS_WITH_KEEPS if self.keeps else COLUMNS
        text += "".join(f"{line}\r\n" for line in (columns, *self.lines))
        return Played(text, self.names, tuple(self.hands), unpaid=len(self.lines) - unpaid)

    def deal(self, number: int, dealer: int) -> PlayedHand:
        """The team that posts the small blind changes with the hand's number."""
        self.thrown = [(), ()]
        return super().deal(number, number % 2)

    def say(self, event: str, *values: int | str | list[str]) -> None:
        """Nothing but actions is printed."""

    def say_both(
        self, event: str, first: tuple[int, int], values: list[int], *before: int | str | list[str]
    ) -> None:
        """As `say`."""

    def separate(self) -> None:
        """As `say`."""

    def acknowledge(self, seat: int) -> None:
        """The engine does not ask at the hand's end."""

    def say_row(self, seat: int, action: int, amount: int = 0, kept: tuple[int, ...] = ()) -> None:
        """The row of an action, as the cards and chips are before it."""
        from ..parsers.cmu_table import row

        street = int(self.hand["street"])
        shown = self.board if street or self.keeps else self.coming[:2]
        cards = [card_texts(some) for some in (*self.held(), shown, *self.thrown)]
        numbers = (self.now.number, seat, *self.now.before, amount, *(*kept, 0, 0)[: self.keeps])
        self.lines.append(
            row(_WORDS[action], street, numbers, cards, self.put()[seat], numbered=self.is_first_engine)
        )

    def ask(self, seat: int, view: View | None, question: str = "act") -> Answer | None:
        """A call that fails is repeated; no row shows it."""
        for _ in range(_TRIES):
            answer: Answer = getattr(self.order.players[seat].bot, question)(view)
            if answer.action == LATE:
                raise _MatchOverError
            if answer.action not in (GARBLED, GONE):
                self.failures[seat] = 0
                return answer
        self.failures[seat] += 1
        if not self.keeps or self.failures[seat] > _FOLDS_FOR_FAILURES:
            raise _MatchOverError
        return Answer(FOLD)

    def smallest_raise(self, seat: int) -> int:
        """The engines ask for as much as the last raiser has put in on the street."""
        low = super().smallest_raise(seat)
        faced, most = int(b.faced(self.hand, 0, seat)), self.largest_raise(seat)
        last = max(self.raised_by, self.big_blind)
        if self.doubles:
            raised = self.hand["level"][0] > (self.hand["street"] == 0)
            last = max(last, faced if raised else 0)
        return max(low, min(faced + last, most))

    def open_hand(self) -> None:
        """Begin a hand: no raise so far."""
        self.raised_by = 0

    def after_street(self) -> None:
        """Who acts first; in 2026 both players choose on the flop which cards to keep."""
        self.raised_by = 0
        if self.is_first_engine:
            self.hand["turn"] = self.hand["opened"] = int(self.now.dealer != 0)
        elif not self.keeps:
            self.hand["turn"] = self.hand["opened"] = 0
        if self.keeps and self.hand["street"] == 1:
            for seat in self.pair[::-1]:
                if self.hand["folded"] < 0:
                    self.keep(seat)
            self.hand["turn"] = self.hand["opened"]

    def keep(self, seat: int) -> None:
        """A player names the cards that it keeps, in the order that they then have; anything else is a fold."""
        view = self._view(seat)._replace(low=self.keeps)
        answer = self.ask(seat, view, "passes")
        assert answer is not None
        said = tuple(int(digit) for digit in answer.text) if answer.action == PASS else ()
        hole = self.held()[seat]
        if len(said) == len(set(said)) == self.keeps and max(said) < len(hole):
            self.say_row(seat, PASS, kept=said)
            self.thrown[seat] = tuple(card for place, card in enumerate(hole) if place not in said)
            self.change(seat, tuple(hole[place] for place in said))
            return
        self.say_row(seat, FOLD, answer.raise_to, said)
        self.act(seat, Answer(FOLD), view, CHOICE)

    def change(self, seat: int, hole: tuple[int, ...]) -> None:
        """A player has other cards from here on, after a discard."""
        hands = list(self.held())
        hands[seat] = hole
        self.now.finals = hands
        self.now.actions.append(Acted(int(self.hand["street"]), seat, DISCARD, CHOICE, -1))

    def bet(self) -> None:
        """Ask the players in turn until the betting of the street is over."""
        while not self.hand["closed"] and self.hand["folded"] < 0:
            seat = int(b.actor(self.hand))
            may_redraw = not self.keeps and self.hand["street"] < _REDRAWS and not self.thrown[seat]
            redraws = may_redraw and self.choices.random() < _REDRAWN
            view = self._view(seat)
            answer = self.ask(seat, view, "discard" if redraws else "act")
            assert answer is not None
            if answer.action == DISCARD:
                self.redraw(seat, answer.raise_to)
                view = self._view(seat)
                answer = self.ask(seat, view)
                assert answer is not None
            self.decide(seat, answer, view)

    def redraw(self, seat: int, place: int) -> None:
        """A player replaces one of its cards by the deck's next, and is still to act.

        For a place of -1 the engine replaces none. A place beyond the hand would end the engine, and is taken for -1.
        """
        hole = list(self.held()[seat])
        self.say_row(seat, DISCARD)
        if 0 <= place < len(hole):
            self.thrown[seat] = (hole[place],)
            hole[place] = self.deep.pop(0)
        self.change(seat, tuple(hole))

    def decide(self, seat: int, answer: Answer, view: View) -> None:
        """Carry out an action; one that the engine refuses is a fold.

        The row of a refused action has what was sent, in 2026 with the word FOLD.
        """
        by = answer.raise_to - int(b.faced(self.hand, 0, seat)) if answer.action == RAISE else 0
        if self._is_legal(answer, view) and not self.is_last_chip(seat, by, view):
            self.say_row(seat, answer.action, by)
            no_bets = view.to_call == 0 and max(self.put()) == self.stack
            self.act(seat, answer, view, ALLIN if no_bets and answer.action != FOLD else CHOICE)
            if answer.action == RAISE:
                self.raised_by = by
            elif answer.action == CALL and view.street == 0:
                self.after_call(seat, view)
            return
        self.say_row(seat, FOLD if self.keeps else answer.action, by)
        if not self.keeps:
            self.now.faults.append((seat, _ILLEGAL[answer.action]))
        self.act(seat, Answer(FOLD), view, CHOICE if self.keeps else SUBSTITUTE)

    def is_last_chip(self, seat: int, by: int, view: View) -> bool:
        """True for a bet of the last chip that the engine refuses."""
        return _LAST_CHIP in self.deviations and view.street > 0 and by == 1 and self.left(seat)[0] == 1

    def after_call(self, seat: int, view: View) -> None:
        """Some engines go on after a call before the flop that ends the betting, or end it after a limp."""
        hand, dealer = self.hand, self.now.dealer
        if not hand["closed"]:
            hand["closed"] = self.is_first_engine and dealer == 1
        elif _OPEN in self.deviations and seat == (0 if self.is_first_engine else dealer):
            hand["closed"] = hand["settled"][0] = 0


def play(order: Order) -> Played:
    """A match of either year."""
    return TableEngine(order).play()


GAME: Final = Game(
    name=_NAME,
    stack=_STACK,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="the rules and the engine of 2025",
    deviations=(
        Deviation(_ORDER, "pay", "2024-12-10", "2025-03-22", "6 7 8 9 A is no straight"),
        _doubled(_NAME, "2024-12-10"),
        Deviation(
            _OPEN,
            "legality",
            "2024-12-10",
            "2025-03-23",
            "a call of the small blind does not end the first street: the big blind acts again",
        ),
        Deviation(
            _NO_OPTION,
            "legality",
            "2024-12-10",
            "2025-03-21",
            "in odd hands the big blind is not asked after a limp",
        ),
        Deviation(
            _LAST_CHIP,
            "legality",
            "2024-12-10",
            "2025-03-22",
            "a bet of the last chip on a new street, which the player is told to be possible, is a fold",
        ),
        own_stakes(_NAME),
    ),
    profiles=(
        Profile("2024-12-10", (_ORDER, _DOUBLED.format(_NAME), _OPEN, _NO_OPTION, _LAST_CHIP)),
        Profile("2025-03-21", (_ORDER, _DOUBLED.format(_NAME), _OPEN, _LAST_CHIP)),
        Profile("2025-03-22", (_DOUBLED.format(_NAME), _OPEN)),
        Profile("2025-03-23", (_DOUBLED.format(_NAME),)),
    ),
    payout=POT_BY_ORDER,
    redraws=_REDRAWS,
    free_folds=True,
    order=HandOrder(ace_as="T"),
    engine_order=HandOrder(ace_as="A"),
    deck=(_RANKS, _SUITS),
    rows=True,
    dealer_leads=True,
    family=heads_up,
    forward=play,
)

LATER: Final = Game(
    name=_LATER,
    stack=_STACK,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="the rules and the engine of 2026",
    deviations=(_doubled(_LATER, "2026-02-12"), own_stakes(_LATER)),
    profiles=(Profile("2026-03-09", (_DOUBLED.format(_LATER),)),),
    hole_cards=_DEALT,
    free_folds=True,
    order=HandOrder(ace_as="T"),
    deck=(_RANKS, _SUITS),
    rows=True,
    keeps=_KEPT,
    family=heads_up,
    forward=play,
)

_UNREAD: Final = (
    (
        re.compile(rb"\{\\rtf"),
        "rich text of a word processor: export it as plain text, and railbird may read it",
    ),
    (
        re.compile(rb"# Team 0: .*, Team 1: |hand_number,street,active_team,"),
        "a table of CMU's Poker AI with other columns than those of 2025 and 2026",
    ),
)


def _dialect(keeps: bool) -> Dialect:
    """Loaded when a text is none of MIT's."""
    from ..parsers import cmu_table as table

    return Dialect(
        table.NAME_OF_KEEPS if keeps else table.NAME,
        _LATER if keeps else _NAME,
        table.GRAMMAR_WITH_KEEPS if keeps else table.GRAMMAR,
        table.cut,
        opens=table.CELL,
        closes=b"', '",
        header=(table.COLUMNS_WITH_KEEPS if keeps else table.COLUMNS).encode(),
        unread=() if keeps else _UNREAD,
        in_lines=True,
    )


def _properties(game: Game, title: str) -> Properties:
    return Properties.of(
        game,
        title,
        decisions=(*DECISIONS, "discard"),
        suits=None,
        ranks=None,
        first_hand_no=0,
        own_rules=game.keeps > 0,
    )


VARIANTS: Final = (
    Variant(GAME, _properties(GAME, "Redraw of a card (CMU 2025)"), lambda: (_dialect(keeps=False),)),
    Variant(LATER, _properties(LATER, "Two of five cards (CMU 2026)"), lambda: (_dialect(keeps=True),)),
)
