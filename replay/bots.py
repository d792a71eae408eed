"""Bots of clearly different styles, for matches that are simulated.

A bot sees what a player of any betting game may know (`View`) and gives an `Answer`, legal or not; the
forward player of the game judges it as that game's engine would. Every bot draws from its own
generator, so a seed fixes a match, and only `random()` is drawn, whose sequence every Python release keeps.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

import numpy as np

from .evaluator import strength_of
from .records import BID, CALL, CHECK, DISCARD, FOLD, PASS, RAISE

GARBLED: Final = 100
"""An answer no engine can read: `Answer.text`."""
LATE: Final = 101
"""No answer in time."""
GONE: Final = 102
"""The connection is closed."""

_DECK: Final = 52
_SAMPLES: Final = 16


class Acted(NamedTuple):
    """One action: vocabulary of `records`; raise_to is the total of the street, -1 if none is named."""

    street: int
    seat: int
    action: int
    origin: int
    raise_to: int


class View(NamedTuple):
    """A player's information at its turn. Chips are whole numbers, cards and ranks are codes (`cards`).

    hole, board     the player's cards, and the board that is played
    street          0 before the flop
    pot             chips in the middle, those of this street included
    pip             the player's chips of this street
    to_call         chips that stay in the hand costs
    low, high       lowest and highest raise-to, 0 and 0 if no bet or raise is possible
    level           bets and raises of the street, the blinds are one
    big_blind       chips
    may_fold        False if a check is free and the engine then takes no fold
    rank            the player's bounty, -1 for none
    others          the hands of those still in, which no engine shows: for bots that cheat
    partner         of these the hand of `Bot.partner`, empty if it is out or there is none; Koper only
    seat, stack     whose turn it is, and the chips in front of it; None in games without stacks
    positions       by seat, as in the store; empty in games whose decisions no model describes
    acted           what was done in the hand before, posts left out
    """

    hole: Sequence[int]
    board: Sequence[int]
    street: int
    pot: int
    pip: int
    to_call: int
    low: int
    high: int
    level: int
    big_blind: int
    may_fold: bool
    rank: int = -1
    others: Sequence[Sequence[int]] = ()
    partner: Sequence[int] = ()
    seat: int = 0
    stack: int | None = 0
    positions: Sequence[str] = ()
    acted: Sequence[Acted] = ()


class Answer(NamedTuple):
    """FOLD, CALL, CHECK, RAISE (a bet, too), BID, DISCARD or PASS of `records`, or GARBLED, LATE or GONE.

    raise_to is the total of the street, the bid, or the place of the discarded card in the hand; text is what
    a garbled answer says, or the places of passed cards, a digit each.
    """

    action: int
    raise_to: int = 0
    text: str = ""


def preflop_strength(hole: Sequence[int]) -> float:
    """A rough share of showdowns that two cards win against any two: pairs, high cards, suit, connection."""
    low, high = sorted(code // 4 for code in hole[:2])
    if low == high:
        return 0.50 + 0.35 * high / 12
    suited = 0.03 if hole[0] % 4 == hole[1] % 4 else 0.0
    connected = 0.02 if high - low == 1 else 0.0
    return 0.30 + 0.22 * high / 12 + 0.10 * low / 12 + suited + connected


class Bot(ABC):
    """A player: answers when it is its turn, and acknowledges the end of a hand."""

    partner = ""
    """The name of the player in the same plan, if the plan needs one."""

    def __init__(self, rng: Random) -> None:
        """`rng` is the bot's alone."""
        self.rng = rng

    @abstractmethod
    def act(self, view: View) -> Answer:
        """The answer to a view."""

    def bid(self, view: View) -> Answer:
        """The bid for a card, from low to high: mostly a small one."""
        return Answer(BID, view.low + int((view.high - view.low + 1) * self.rng.random() ** 4))

    def discard(self, view: View) -> Answer:
        """Discard any card of the hand."""
        return Answer(DISCARD, self.below(len(view.hole)))

    def passes(self, view: View) -> Answer:
        """Pass any view.low cards of the hand to the opponent."""
        places = list(range(len(view.hole)))
        while len(places) > view.low:
            places.pop(self.below(len(places)))
        return Answer(PASS, text="".join(map(str, places)))

    def acknowledge(self) -> Answer:
        """The answer to the news that the hand is over; CHECK is what engines expect."""
        return Answer(CHECK)

    def happens(self, chance: float) -> bool:
        """True with a chance from 0 to 1."""
        return self.rng.random() < chance

    def below(self, count: int) -> int:
        """A whole number from 0 to count - 1."""
        return int(self.rng.random() * count)


@dataclass(frozen=True)
class Style:
    """The parameters of a `Styled` bot. Strengths are shares of showdowns won, chances go from 0 to 1.

    enter    strength from which it pays to see the flop
    opens    strength from which it raises before the flop
    stay     strength from which it calls a bet on later streets
    value    strength from which it bets or raises there
    attack   chance that it does, where it could
    bluff    chance of a bet or raise with any hand
    size     bets and raises as a share of the pot
    odds     True: calls wherever strength exceeds the pot odds, `enter` and `stay` apart
    hunts    what its bounty in play adds to its strength
    """

    enter: float
    opens: float
    stay: float
    value: float
    attack: float
    bluff: float
    size: float
    odds: bool = False
    hunts: float = 0.0


class Styled(Bot):
    """A bot that goes by the strength of its hand: the share of unseen hands that it beats so far."""

    def __init__(self, rng: Random, style: Style) -> None:
        """`style` is fixed for the match."""
        super().__init__(rng)
        self.style = style
        self._seen: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        self._strength = 0.0

    def strength(self, hole: Sequence[int], board: Sequence[int]) -> float:
        """From 0 to 1; postflop an estimate from a few hands drawn at random, kept for the street."""
        seen = (tuple(hole), tuple(board))
        if seen != self._seen:
            self._seen = seen
            self._strength = self._sampled(*seen) if board else preflop_strength(hole)
        return self._strength

    def _sampled(self, hole: tuple[int, ...], board: tuple[int, ...]) -> float:
        size = len(board) + 2
        cards = np.array((*board, *hole), np.int8)
        known = {*hole, *board}
        own = strength_of(cards, len(cards))
        score = 0.0
        for _ in range(_SAMPLES):
            first = second = hole[0]
            while first in known:
                first = self.below(_DECK)
            while second in known or second == first:
                second = self.below(_DECK)
            cards[len(board)], cards[len(board) + 1] = first, second
            other = strength_of(cards, size)
            score += 1.0 if own > other else 0.5 if own == other else 0.0
        return score / _SAMPLES

    def _raise(self, view: View) -> Answer:
        wanted = view.pip + view.to_call + round(self.style.size * (view.pot + view.to_call))
        return Answer(RAISE, max(view.low, min(wanted, view.high)))

    def act(self, view: View) -> Answer:
        """Bet and raise for value or as a bluff, call what the style or the pot odds allow."""
        style = self.style
        strength = self.strength(view.hole, view.board)
        if style.hunts and any(card // 4 == view.rank for card in (*view.hole, *view.board)):
            strength += style.hunts
        # Every raise of the street asks for a better hand.
        floor = (style.value if view.street else style.opens) + 0.05 * max(view.level - 1, 0)
        wants = strength >= floor and self.happens(style.attack)
        if view.high and (wants or self.happens(style.bluff / (1 + view.level))):
            return self._raise(view)
        if view.to_call == 0:
            return Answer(CHECK)
        floor = style.stay if view.street else style.enter
        if style.odds:
            floor = view.to_call / (view.pot + view.to_call)
        return Answer(CALL if strength >= floor else FOLD)

    def bid(self, view: View) -> Answer:
        """A share of the pot that goes with the size of its bets, twice that when it attacks."""
        wanted = round(view.pot * self.style.size * (2 if self.happens(self.style.attack) else 1))
        return Answer(BID, max(view.low, min(wanted, view.high)))

    def discard(self, view: View) -> Answer:
        """The lowest card, of a pair neither."""
        ranks = [card // 4 for card in view.hole]
        return Answer(DISCARD, min(range(len(ranks)), key=lambda k: (ranks.count(ranks[k]), ranks[k])))


class Arbitrary(Bot):
    """Any legal answer, folds where checking is free among them."""

    def act(self, view: View) -> Answer:
        """One in eight folds; the rest checks, calls and raises of any size."""
        if self.happens(0.125) and (view.may_fold or view.to_call):
            return Answer(FOLD)
        if view.high and self.happens(0.4):
            # Squared: small raises are the common ones.
            return Answer(RAISE, view.low + int((view.high - view.low + 1) * self.rng.random() ** 2))
        return Answer(CALL if view.to_call else CHECK)


class Shover(Bot):
    """All-in whenever it may, else check or call: the streets after are dealt without a choice."""

    def bid(self, view: View) -> Answer:
        """All there is."""
        return Answer(BID, view.high)

    def act(self, view: View) -> Answer:
        """The highest raise there is."""
        if view.high:
            return Answer(RAISE, view.high)
        return Answer(CALL if view.to_call else CHECK)


GARBAGE: Final = (
    "",
    "hello world",
    "1K;2K;3K",
    "A folds",
    "B awarded 5",
    "Round #7, A (0), B (0)",
    "Final, A (0), B (0)",
    "6.9630 MIT Pokerbots - A vs B",
    "♠ 5",
    "one\u2028two",
    "one\x0btwo",
    "['x', 'y']",
)
"""Answers of a broken bot; some imitate lines of a log."""


class Faulty(Styled):
    """A bot that sometimes says nothing legible or nothing legal, also when a hand is over."""

    chance = 0.15

    def _garbled(self) -> Answer:
        return Answer(GARBLED, text=GARBAGE[self.below(len(GARBAGE))])

    def act(self, view: View) -> Answer:
        """Mostly as its style says."""
        if not self.happens(self.chance):
            return super().act(view)
        wrong = (
            self._garbled(),
            Answer(RAISE, view.high + 1 + self.below(50)),
            Answer(RAISE, max(view.low - 1 - self.below(2), 0)),
            Answer(CHECK) if view.to_call else Answer(CALL),
            Answer(FOLD),
        )
        return wrong[self.below(len(wrong))]

    def bid(self, view: View) -> Answer:
        """Mostly as its style says, at times more than it has, less than nothing, or no bid at all."""
        if not self.happens(self.chance):
            return super().bid(view)
        wrong = (
            self._garbled(),
            Answer(BID, view.high + 1 + self.below(50)),
            Answer(BID, -1),
            Answer(CHECK),
            Answer(RAISE, 4),
        )
        return wrong[self.below(len(wrong))]

    def discard(self, view: View) -> Answer:
        """Mostly as its style says, at times a card it does not hold, or no discard at all."""
        if not self.happens(self.chance):
            return super().discard(view)
        wrong = (
            self._garbled(),
            Answer(DISCARD, len(view.hole)),
            Answer(DISCARD, -1),
            Answer(CHECK),
            Answer(RAISE, 4),
        )
        return wrong[self.below(len(wrong))]

    def passes(self, view: View) -> Answer:
        """Mostly as any bot, at times too few or too many cards, one that it does not hold, or no pass at all."""
        if not self.happens(self.chance):
            return super().passes(view)
        wrong = (
            self._garbled(),
            Answer(PASS, text="0" * (view.low + 1)),
            Answer(PASS, text="12"[: view.low - 1]),
            Answer(PASS, text="9" * view.low),
            Answer(CHECK),
            Answer(RAISE, 4),
        )
        return wrong[self.below(len(wrong))]

    def acknowledge(self) -> Answer:
        """A few times garbage, or an action."""
        if not self.happens(self.chance / 3):
            return Answer(CHECK)
        return (self._garbled(), Answer(CALL), Answer(FOLD), Answer(RAISE, 4))[self.below(4)]


class Fractional(Styled):
    """A bot that now and then bets or bids a fraction of a chip."""

    chance = 0.2

    def act(self, view: View) -> Answer:
        """As its style says; a raise may have a decimal point."""
        answer = super().act(view)
        if answer.action == RAISE and self.happens(self.chance):
            return Answer(GARBLED, text=f"R{answer.raise_to}.5")
        return answer

    def bid(self, view: View) -> Answer:
        """As its style says; so may a bid."""
        answer = super().bid(view)
        if self.happens(self.chance):
            return Answer(GARBLED, text=f"A{answer.raise_to}.5")
        return answer


class Leaving(Styled):
    """A bot that plays for a while, then is never heard of again."""

    def __init__(self, rng: Random, style: Style, *last: Answer) -> None:
        """`last`: its last answers, in order; the last of them is LATE or GONE."""
        super().__init__(rng, style)
        self.left = 20 + self.below(60)
        self.last = list(last)

    def _leaves(self) -> Answer | None:
        self.left -= 1
        if self.left > 0:
            return None
        return self.last.pop(0) if len(self.last) > 1 else self.last[0]

    def act(self, view: View) -> Answer:
        """As its style says until its time is up."""
        return self._leaves() or super().act(view)

    def bid(self, view: View) -> Answer:
        """An answer like any other."""
        return self._leaves() or super().bid(view)

    def discard(self, view: View) -> Answer:
        """An answer like any other."""
        return self._leaves() or super().discard(view)

    def passes(self, view: View) -> Answer:
        """An answer like any other."""
        return self._leaves() or super().passes(view)

    def acknowledge(self) -> Answer:
        """An answer like any other."""
        return self._leaves() or super().acknowledge()


# enter, opens, stay, value, attack, bluff, size
TIGHT_PASSIVE: Final = Style(0.52, 0.84, 0.62, 0.93, 0.50, 0.00, 0.50)
TIGHT_AGGRESSIVE: Final = Style(0.50, 0.52, 0.60, 0.72, 0.80, 0.04, 0.75)
LOOSE_AGGRESSIVE: Final = Style(0.40, 0.45, 0.45, 0.58, 0.75, 0.18, 0.80)
STATION: Final = Style(0.33, 0.99, 0.12, 0.99, 0.30, 0.00, 0.40)
MANIAC: Final = Style(0.00, 0.35, 0.30, 0.35, 0.85, 0.45, 1.30)
POT_ODDS: Final = Style(0.00, 0.58, 0.00, 0.74, 0.80, 0.02, 0.60, odds=True)
HUNTER: Final = Style(0.00, 0.55, 0.00, 0.70, 0.85, 0.02, 1.00, odds=True, hunts=0.20)

STYLES: Final[dict[str, Callable[[Random], Bot]]] = {
    "tight-passive": lambda rng: Styled(rng, TIGHT_PASSIVE),
    "tight-aggressive": lambda rng: Styled(rng, TIGHT_AGGRESSIVE),
    "loose-aggressive": lambda rng: Styled(rng, LOOSE_AGGRESSIVE),
    "calling-station": lambda rng: Styled(rng, STATION),
    "maniac": lambda rng: Styled(rng, MANIAC),
    "pot-odds": lambda rng: Styled(rng, POT_ODDS),
    "bounty-hunter": lambda rng: Styled(rng, HUNTER),
    "all-in": Shover,
    "random": Arbitrary,
    "faulty": lambda rng: Faulty(rng, LOOSE_AGGRESSIVE),
    "fractions": lambda rng: Fractional(rng, LOOSE_AGGRESSIVE),
    "late": lambda rng: Leaving(rng, TIGHT_AGGRESSIVE, Answer(LATE)),
    "disconnecting": lambda rng: Leaving(rng, LOOSE_AGGRESSIVE, Answer(GARBLED), Answer(GONE)),
}
"""Every style by name; a bot is made from its generator."""


def bot_of(style: str, rng: Random) -> Bot:
    """A bot of a style; ValueError for a style that there is not."""
    if style not in STYLES:
        raise ValueError(f"no style of play is called {style!r}; there are {', '.join(STYLES)}")
    return STYLES[style](rng)
