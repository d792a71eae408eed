"""Poker AI 2024 (CMU): hands of four cards of a deck of 27, before that of three. The engine is the rule."""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from ..parsers import mit, rounds
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay.bots import Answer, View
from ..replay.games import ALL_INS_BY_EQUITY, Deviation, Game, Profile
from ..replay.orders import HandClass, HandOrder
from ..replay.payouts import expected
from ..replay.records import BET, CALL, RAISE
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played
from .mit_engine import HeadsUp, own_stakes
from .properties import Properties, Variant

_NAME: Final = "cmu-2024"
_OLD: Final = "cmu-2024-three-card"
_HEADER: Final = "CMU Poker Bot Game - "
_STREETS: Final = ("preflop", "flop", "river")
_BOARDS: Final = (0, 1, 2)
_SUITS: Final = "dhs"
_PRICE: Final = f"{_NAME}.raise-of-the-price"

GRAMMAR: Final = Grammar(
    f"""
    header            {_HEADER}{{*}} vs {{*}}
    round             Round #{{n}}
    dealt             {{p}} dealt [{{l}}]
    amount_only       {{p}} bets {{n}}
    amount_only       {{p}} raises to {{n}}
    pot_flop          Flop Board: [{{l}}] Pot: {{n}}
    pot_river         River Board: [{{l}}] Pot: {{n}}
    show              {{p}} shows [{{l}}]
    bankroll          {{p}} Bankroll: {{n}}
    illegal_raise_to  {{p}} attempted illegal RaiseAction with amount {{n}}
    illegible         {{p}} attempted illegal NoneType
    illegible         {{p}} raised an exception.
    late              {{p}} timed out.
    late              {{p}} ran out of time.
    """,
    base=mit.GRAMMAR,
    without="header round dealt bet raise flop turn river show final misformatted illegible late gone illegal_raise",
    translate=rounds.translate,
)

DIALECTS: Final = (
    Dialect(
        rounds.NAME,
        _NAME,
        GRAMMAR,
        rounds.cut,
        header=_HEADER.encode(),
        beside=(
            (
                re.compile(
                    rb"Round,Street,Team,Action,ActionAmt,Team1Cards,Team2Cards,AllCards,Bankroll\r?\n"
                ),
                "the table of a match, whose text log has its hands and more",
            ),
        ),
        alone="a table of CMU's Poker AI 2024, of whose matches railbird reads the text log: "
        "none of the files has this name with another ending",
    ),
    Dialect(
        f"{rounds.NAME}-one-card",
        _OLD,
        GRAMMAR,
        rounds.cut,
        signs=((b" dealt ['", re.compile(rb"(.+) dealt \['..'\]\s*")),),
        header=_HEADER.encode(),
    ),
)

_FOUR_CARDS: Final = (
    HandClass(suited=4, in_a_row=4),
    HandClass(groups=(3,)),
    HandClass(groups=(2, 2)),
    HandClass(suited=4),
    HandClass(in_a_row=4),
    HandClass(in_a_row=3, row_alone=True),
    HandClass(groups=(2,)),
    HandClass(),
)
_THREE_CARDS: Final = (
    HandClass(groups=(3,)),
    HandClass(suited=3, in_a_row=3),
    HandClass(suited=3),
    HandClass(in_a_row=3),
    HandClass(groups=(2,)),
    HandClass(),
)


class FourCards(HeadsUp):
    """What the engine changes: the pay of all-ins, and most lines."""

    header = _HEADER

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.folds_price = _PRICE in order.profile.deviations
        self.by_equity = order.game.payout == ALL_INS_BY_EQUITY

    def play(self) -> Played:
        """Play all hands; the bankrolls of the last are printed twice."""
        self.say_header()
        for number in range(1, self.order.hands + 1):
            self.play_hand(number)
        self._say_banks((0, 1))
        return Played("\n".join(self.lines), self.names, tuple(self.hands))

    def known_hole(self, seat: int) -> tuple[int, ...]:
        """A single card twice: bots expect two."""
        hole = self.now.holes[seat]
        return hole * 2 if len(hole) == 1 else hole

    def say(self, event: str, *values: int | str | list[str]) -> None:
        """A round's line has its number alone."""
        super().say(event, *(values[:1] if event == "round" else values))

    def say_action(self, seat: int, action: int, origin: int, *amount: int) -> None:
        """One word for bets and raises."""
        if action in (BET, RAISE):
            self.say("amount_only", self.names[seat], *amount)
        else:
            super().say_action(seat, action, origin)

    def say_street(self) -> None:
        """The board and the pot."""
        self.say(f"pot_{_STREETS[int(self.hand['street'])]}", *self.printed(self.board), sum(self.put()))

    def _say_banks(self, seats: Sequence[int]) -> None:
        for seat in seats:
            self.say("bankroll", self.names[seat], self.banks[seat])

    def close_hand(self) -> None:
        """Bankrolls after the hand."""
        self._say_banks(self.pair)

    def acknowledge(self, seat: int) -> None:
        """The engine does not ask at the hand's end."""

    def ask(self, seat: int, view: View | None, question: str = "act") -> Answer | None:
        """A player without time has a fault at each of its turns, and a fold is tried for it."""
        assert view is not None
        if self.gone[seat]:
            self.now.faults.append((seat, "late"))
            self.lines.append(f"{self.names[seat]} ran out of time.")
        else:
            answer = super().ask(seat, view, question)
            if not self.gone[seat]:
                return answer
        if view.to_call == 0:
            self.fault(seat, "illegal_fold")
        return None

    def fault(self, seat: int, event: str, *values: int | str) -> None:
        """A player that is gone has no time."""
        super().fault(seat, "late" if event == "gone" else event, *values)

    def garbled(self, seat: int, text: str) -> None:
        """The engine prints an illegible answer as a missing one."""
        self.fault(seat, "illegible")

    def refuse(self, seat: int, answer: Answer, view: View | None) -> None:
        """A refused raise is printed with its amount."""
        if answer.action == RAISE:
            self.fault(seat, "illegal_raise_to", answer.raise_to)
        else:
            super().refuse(seat, answer, view)

    def instead(self, seat: int, answer: Answer | None, view: View) -> int:
        """A refused raise that pays the price is a call."""
        least = view.to_call + self.folds_price
        if answer is not None and answer.action == RAISE and view.to_call > 0 and answer.raise_to >= least:
            return CALL
        return super().instead(seat, answer, view)

    @property
    def is_all_in(self) -> bool:
        """True if both are all-in before the last street, and paid by equity."""
        last = int(self.hand["street"]) == len(_STREETS) - 1
        return self.by_equity and not last and min(self.put()) == self.stack

    def play_streets(self) -> None:
        """No street follows once both are all-in."""
        while (
            self.hand["folded"] < 0
            and not self.is_all_in
            and (size := self.board_size(int(self.hand["street"]) + 1))
        ):
            self.deal_street(size)
            self.bet()

    def award(self, wins: int, loser_chips: int) -> int:
        """The equity of who is all-in before the last street, else the pot."""
        if not (self.ends_in_showdown() and self.is_all_in):
            return super().award(wins, loser_chips)
        own, other = (self.now.holes[seat] for seat in self.pair)
        seen = {*own, *other, *self.board}
        won = deals = 0.0
        for coming in combinations(
            (c for c in self.codes if c not in seen), self.largest_board - len(self.board)
        ):
            first, second = (self.strength((*hole, *self.board, *coming)) for hole in (own, other))
            won += 1.0 if first > second else 0.5 if first == second else 0.0
            deals += 1.0
        return int(expected(won / deals, sum(self.put()), self.stack))


def play(order: Order) -> Played:
    """A match of the engine."""
    return FourCards(order).play()


GAME: Final = Game(
    name=_NAME,
    stack=400,
    blinds=(1, 2),
    streets=_STREETS,
    source="the engine of 2024-03-30",
    deviations=(
        Deviation(
            f"{_NAME}.hand-order",
            "pay",
            "2024-03-23",
            "",
            "three ranks in a row of which the middle one is paired count as that pair and the lowest rank, also in "
            "equities",
        ),
        Deviation(
            _PRICE,
            "legality",
            "2024-03-28",
            "2024-03-30",
            "a refused raise that names exactly the chips to call is a fold, later and earlier it is a call",
        ),
        own_stakes(_NAME),
    ),
    profiles=(
        Profile("2024-03-23", (f"{_NAME}.hand-order",)),
        Profile("2024-03-28", (f"{_NAME}.hand-order", _PRICE)),
        Profile("2024-03-30", (f"{_NAME}.hand-order",)),
    ),
    payout=ALL_INS_BY_EQUITY,
    boards=_BOARDS,
    order=HandOrder(_FOUR_CARDS),
    engine_order=HandOrder(_FOUR_CARDS, paired_middle=True),
    deck=("123456789", _SUITS),
    bare_rounds=True,
    calls_raises=True,
    family=heads_up,
    forward=play,
)

OLD: Final = Game(
    name=_OLD,
    stack=400,
    blinds=(1, 2),
    streets=_STREETS,
    source="the engine of 2024-03-18",
    deviations=(own_stakes(_OLD),),
    profiles=(Profile("2024-03-18"),),
    boards=_BOARDS,
    hole_cards=1,
    order=HandOrder(_THREE_CARDS, lowest_first=True),
    deck=("1234567", _SUITS),
    bare_rounds=True,
    calls_raises=True,
    family=heads_up,
    forward=play,
)

VARIANTS: Final = tuple(
    Variant(
        game,
        Properties.of(game, title, shows_folded=True),
        dialects,
    )
    for game, title, dialects in (
        (GAME, "Four-card hands (CMU 2024)", DIALECTS[:1]),
        (OLD, "Three-card hands (CMU 2024)", DIALECTS[1:]),
    )
)
