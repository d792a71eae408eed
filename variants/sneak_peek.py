"""Sneak Peek (IIT Pokerbots 2026, first week): an auction on the flop, whose winner sees one of the opponent's cards.

The rules are the competition's problem statement and its guide: any invalid answer is a fold. The engine mostly
checks, or bids nothing, instead.
"""

import re
from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay.bots import Answer, View
from ..replay.cards import card_texts
from ..replay.games import HOLDEM_STREETS, UNEVEN, Deviation, FaultPolicy, Game, Profile
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played
from .auction import Auction
from .mit_engine import HeadsUp, own_stakes
from .properties import DECISIONS, Properties, Variant

_SINCE: Final = "2026-02-27"
_FOLD_SHOWN: Final = "sneak-peek.fold-shown"
_FRACTION: Final = re.compile(r"[AR][0-9]+\.[0-9]+")
COURSE: Final = "2026-03-07 12:00:00"
"""What a header begins with, if the order has no date."""

STATEMENTS: Final = """
    header            {t} {*} vs {*}
    round             Round #{n}, {p} ({n}), {p} ({n})
    blind             {p} posts blind: {n}
    dealt             {p} received [{c}]
    fold              {p} folds
    call              {p} calls
    check             {p} checks
    bet               {p} bets {n}
    raise             {p} raises to {n}
    award             {p} awarded {n}
    final             Final, {p} ({n}), {p} ({n})
    hand_only         {p}: [{c}]
    fold              {p} F
    call              {p} C
    check             {p} K
    amount_only       {p} R{n}
    award             {p}: {n}
    misformatted      {p} response misformatted: {*}
    late              {p} ran out of time
    gone              {p} disconnected
    marker            <<<<<<<{*}
    marker            |||||||{*}
    marker            =======
    marker            >>>>>>>{*}
    """
"""Lines of both games of the year. Small logs have the shorter forms."""

GRAMMAR: Final = Grammar(
    STATEMENTS
    + """
    flop              Flop [{c}], {p} ({n}), {p} ({n})
    turn              Turn [{c}], {p} ({n}), {p} ({n})
    river             River [{c}], {p} ({n}), {p} ({n})
    show              {p} shows [{c}]
    bid               {p} bids {n}
    revealed          {p} won the auction and was revealed [{c}]
    bid               {p} A{n}
    illegal_fold      {p} attempted illegal ActionFold
    illegal_call      {p} attempted illegal ActionCall
    illegal_check     {p} attempted illegal ActionCheck
    illegal_raise_to  {p} attempted illegal ActionRaise with amount {n}
    illegal_bid       {p} attempted illegal ActionBid with amount {n}
    decimal_raise     {p} attempted illegal ActionRaise({*}
    decimal_bid       {p} attempted illegal bid with decimal
    """
)

DIALECT: Final = Dialect(
    "iit-sneak-peek",
    "sneak-peek",
    GRAMMAR,
    mit.cut,
    # In a small log the name alone stands before the cards.
    signs=(
        (b" received [", re.compile(rb"(.+) received \[.. ..\]\s*")),
        (b": [", re.compile(rb"(.+): \[.. ..\]\s*")),
    ),
)


class SneakPeek(Auction):
    """What the engine changes: the auction's prize, the header and the faults."""

    course = COURSE

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.looks = order.random("looks")
        self.question: tuple[str, View | None] = "", None
        self.fraction = False

    def open_hand(self) -> None:
        """Nobody has bid a fraction."""
        super().open_hand()
        self.fraction = False

    def ask(self, seat: int, view: View | None, question: str = "act") -> Answer | None:
        """Keep the question and its view, by which `garbled` chooses the fault."""
        self.question = question, view
        return super().ask(seat, view, question)

    def garbled(self, seat: int, text: str) -> None:
        """A fraction has a line of its own, and for a bid it is a fold."""
        question, view = self.question
        if view is None or not _FRACTION.fullmatch(text):
            super().garbled(seat, text)
        elif question == "bid" and text[0] == "A":
            self.fraction = True
            self.fault(seat, "decimal_bid")
        elif question == "act" and text[0] == "R" and view.high:
            self.fault(seat, "decimal_raise", f"{text[1:]}) with decimal")
        else:
            super().garbled(seat, text)

    def folds_bid(self, seat: int) -> bool:
        """The engine folds for a fraction in every profile."""
        return self.fraction or super().folds_bid(seat)

    def ends_in_showdown(self) -> bool:
        """The engine also shows hands after a fold that no bet led to."""
        shown = self.fraction and _FOLD_SHOWN in self.order.profile.deviations
        return shown or super().ends_in_showdown()

    def prize(self, seat: int) -> None:
        """One of the opponent's cards, at random."""
        card = self.now.holes[1 - seat][int(2 * self.looks.random())]
        self.say("revealed", self.names[seat], card_texts([card]))

    def fault(self, seat: int, event: str, *values: int | str) -> None:
        """A fault and its line; no exception follows."""
        HeadsUp.fault(self, seat, event, *values)

    def after_awards(self) -> None:
        """No line about the auction."""

    def after_final(self) -> None:
        """No bets EV."""


def play(order: Order) -> Played:
    """A match of the Sneak Peek engine."""
    return SneakPeek(order).play()


def bad_answers(
    game: str, since: str, instead: str, others: str, bid: str = ""
) -> tuple[FaultPolicy, tuple[Deviation, ...]]:
    """The year's rule that any bad answer is a fold, and a game's deviations from it.

    instead: what the engine does for a player who is late; others: answers that are bad and no fold, bet or raise
    bid: the deviation of a bad bid, "" for a game without an auction
    """
    policy = FaultPolicy(
        bid=bid,
        amount=f"{game}.bad-raise-not-folded",
        fold=f"{game}.free-fold-refused",
        other=f"{game}.bad-action-not-folded",
        silence=f"{game}.late-not-folded",
    )
    effects = {
        policy.silence: f"the engine {instead} for a player who is late or disconnected, and does not fold",
        policy.other: f"after {others} the engine checks if it can",
        policy.fold: "a fold where a check is free is refused and becomes a check; a player may fold at any point",
        policy.amount: "after an invalid bet or raise the engine checks if it can, and does not fold",
    }
    return policy, tuple(Deviation(name, "pay", since, "", effect) for name, effect in effects.items())


_BAD_BID: Final = "sneak-peek.bad-bid-is-zero"
_FAULTS, _NOT_FOLDED = bad_answers(
    "sneak-peek",
    _SINCE,
    "checks or bids 0",
    "an invalid call or check, a bid outside the auction or an illegible answer",
    _BAD_BID,
)

_DEVIATIONS: Final = (
    Deviation(
        _BAD_BID,
        "pay",
        _SINCE,
        "",
        "any invalid answer at the auction is a bid of 0, not a fold",
    ),
    *_NOT_FOLDED,
    Deviation(
        _FOLD_SHOWN,
        "log",
        _SINCE,
        "",
        "a bid with a decimal point is a fold, yet both hands are printed",
    ),
)

GAME: Final = Game(
    name="sneak-peek",
    stack=5000,
    blinds=(10, 20),
    streets=HOLDEM_STREETS,
    source="the problem statement and the guide of IIT Pokerbots 2026",
    deviations=(*_DEVIATIONS, own_stakes("sneak-peek")),
    profiles=(Profile(_SINCE, tuple(d.name for d in _DEVIATIONS)),),
    payout=UNEVEN,
    auctions=True,
    looks=True,
    faults=_FAULTS,
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(
    game="sneak-peek", title="Sneak Peek", decisions=(*DECISIONS, "bid"), auctions=True
)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
