"""Honest players of the tests' second arena, built otherwise than those the detectors were made with.

A rule table over made hands, thresholds of sampled equity, a small network of random weights, and mimics: players that
fold, call and raise as often in each (street, facing) as a player of real logs did (`habits.csv`).
"""

import csv
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from math import exp
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from railbird.replay.bots import Answer, Bot, View, preflop_strength
from railbird.replay.evaluator import category, strength_of
from railbird.replay.records import BID, CALL, CHECK, DISCARD, FOLD, RAISE

_DECK: Final = 52
_BOARD: Final = 5
_SAMPLES: Final = 12
_STREETS: Final = 4
_GRADES: Final = 6
_LOWEST: Final = 8.5
"""Half a rank below the jack: the games of one hole card have its rank or a higher one."""
_RANKS: Final = 4
_PAIR, _TWO_PAIR = 1, 2
_PAIRED: Final = 0.5
_FACING: Final = (0.0, 0.4, 0.85)
"""Bounds of the sizes of a bet faced, as shares of the pot before it; `habits.csv` is counted by them."""
_HIDDEN: Final = 6
_FEATURES: Final = 10
_WHIM: Final = 0.1
"""How often a mimic decides by its frequencies alone, whatever it holds."""


def squashed(value: float) -> float:
    """The logistic function."""
    return 1 / (1 + exp(-max(min(value, 40.0), -40.0)))


def facing(view: View) -> int:
    """0 where a check is possible, else 1 to 3 by the size of the bet."""
    share = view.to_call / max(view.pot - view.to_call, 1)
    return sum(share > bound for bound in _FACING) if view.to_call else 0


def raised(view: View, fraction: float) -> Answer:
    """A bet or raise of a share of the pot, as near to it as the engine takes."""
    wanted = view.pip + view.to_call + round(fraction * (view.pot + view.to_call))
    return Answer(RAISE, max(view.low, min(wanted, view.high)))


def passive(view: View) -> Answer:
    """A check or a call."""
    return Answer(CALL if view.to_call else CHECK)


def given_up(view: View) -> Answer:
    """A fold, a check where that is free."""
    return Answer(FOLD if view.to_call else CHECK)


class Stranger(Bot):
    """A player; `seat` and `match`, what runs the match forward, are set before the first hand.

    The match has `banks`, the score by seat, and `hands`, one more in every hand.
    """

    seat = 0
    match: Any = None
    runs_out = False
    """True: the board to come is drawn, too, when the strength of a hand is estimated."""

    def __init__(self, rng: Random) -> None:
        """`rng` is the bot's alone."""
        super().__init__(rng)
        self._seen: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        self._strength = 0.0

    @abstractmethod
    def act(self, view: View) -> Answer:
        """The answer to a view."""

    def strength(self, view: View) -> float:
        """From 0 to 1, how much of what an opponent may hold this hand beats; kept for the street."""
        seen = (tuple(view.hole), tuple(view.board))
        if seen != self._seen:
            self._seen = seen
            self._strength = self._estimated(*seen)
        return self._strength

    def _estimated(self, hole: tuple[int, ...], board: tuple[int, ...]) -> float:
        if hole[0] == hole[1]:
            pairs = _PAIRED * any(card // 4 == hole[0] // 4 for card in board)
            return min((hole[0] // 4 - _LOWEST) / _RANKS + pairs, 1.0)
        if not board:
            return preflop_strength(hole)
        size = max(len(board), _BOARD if self.runs_out else 0)
        known = {*hole, *board}
        mine = np.zeros(size + len(hole), np.int8)
        other = np.zeros(size + 2, np.int8)
        mine[: len(board)] = other[: len(board)] = board
        mine[size:] = hole
        score = 0.0
        for _ in range(_SAMPLES):
            used = set(known)
            for k in range(len(board), size + 2):
                card = self.below(_DECK)
                while card in used:
                    card = self.below(_DECK)
                used.add(card)
                other[k] = card
            mine[len(board) : size] = other[len(board) : size]
            own, theirs = strength_of(mine, len(mine)), strength_of(other, len(other))
            score += 1.0 if own > theirs else 0.5 if own == theirs else 0.0
        return score / _SAMPLES

    def bid(self, view: View) -> Answer:
        """A part of the pot that grows with the strength of the hand."""
        wanted = round(view.pot * (0.1 + self.strength(view)) * (0.5 + self.rng.random()))
        return Answer(BID, max(view.low, min(wanted, view.high)))

    def discard(self, view: View) -> Answer:
        """The lowest card that makes no pair."""
        ranks = [card // 4 for card in view.hole]
        return Answer(DISCARD, min(range(len(ranks)), key=lambda k: (ranks.count(ranks[k]), ranks[k])))


def introduce(bot: Any, seat: int, match: Any) -> None:
    """Tell a stranger its seat and its match."""
    if isinstance(bot, Stranger):
        bot.seat, bot.match = seat, match


def grade(hole: Sequence[int], board: Sequence[int]) -> int:
    """From 0 to 5, what a hand is made of: nothing, two high cards, a pair, the best pair, two pairs, more."""
    ranks, on_board = [card // 4 for card in hole], [card // 4 for card in board]
    if hole[0] == hole[1]:
        return min(max(ranks[0] - 8, 0) + 2 * (ranks[0] in on_board), _GRADES - 1)
    if not board:
        points = max(ranks) + min(ranks) / 2 + (8 if ranks[0] == ranks[1] else 0)
        points += (hole[0] % 4 == hole[1] % 4) + (abs(ranks[0] - ranks[1]) == 1)
        return sum(points > bound for bound in (9, 12, 14.5, 17, 20))
    cards = np.array((*board, *hole), np.int8)
    kind = int(category(strength_of(cards, len(cards))))
    counts = sorted(Counter(on_board).values(), reverse=True)
    alone = {1: 0, 2: _PAIR if counts[1:2] != [2] else _TWO_PAIR}.get(counts[0], 3)
    if kind <= alone:
        return int(min(ranks) > max(on_board))
    if kind == _PAIR or (kind == _TWO_PAIR and alone == _PAIR):
        paired = [rank for rank in ranks if rank in on_board or ranks.count(rank) > 1]
        return 3 if paired and max(paired) >= max(on_board) else 2
    return 4 if kind == _TWO_PAIR else 5


class RuleTable(Stranger):
    """A table of chances by street, made hand and size of the bet faced; no equity is estimated."""

    def __init__(self, rng: Random, drawn: Random) -> None:
        """`drawn` fixes the table."""
        super().__init__(rng)
        loose, attacks = drawn.uniform(0.3, 0.75), drawn.uniform(0.4, 0.95)

        def near(value: float, width: float) -> float:
            return max(min(value + drawn.gauss(0, width), 1.0), 0.0)

        self.stays = [
            [
                [near(squashed(7 * (g / 5 + loose - 0.75) - 0.9 * size), 0.1) for size in range(3)]
                for g in range(_GRADES)
            ]
            for _ in range(_STREETS)
        ]
        self.raises = [
            [
                [near(attacks * squashed(8 * (g / 5 - place)), 0.07) for g in range(_GRADES)]
                for place in (0.4, 0.7)
            ]
            for _ in range(_STREETS)
        ]
        self.sizes = [drawn.choice((0.33, 0.5, 0.66, 0.75, 1.0, 1.5)) for _ in range(2)]

    def act(self, view: View) -> Answer:
        """As the table says."""
        street, made = min(view.street, _STREETS - 1), grade(view.hole, view.board)
        faced = facing(view)
        chance = self.raises[street][faced > 0][made] / (1 + 0.5 * max(view.level - 1, 0))
        if view.high and self.happens(chance):
            return raised(view, self.sizes[made > 2])
        if not faced:
            return Answer(CHECK)
        return Answer(CALL if self.happens(self.stays[street][made][faced - 1]) else FOLD)


class Thresholds(Stranger):
    """Equity against any hand over boards drawn at random, compared with thresholds of each street."""

    runs_out = True

    def __init__(self, rng: Random, drawn: Random) -> None:
        """`drawn` fixes the thresholds."""
        super().__init__(rng)
        base = drawn.uniform(-0.06, 0.1)
        self.bets = [drawn.uniform(0.52, 0.66) + base + 0.03 * k for k in range(_STREETS)]
        self.again = [value + drawn.uniform(0.06, 0.16) for value in self.bets]
        self.margin = [drawn.uniform(-0.08, 0.12) for _ in range(_STREETS)]
        self.slow, self.bluffs = drawn.uniform(0, 0.3), drawn.uniform(0, 0.25)
        self.sizes = [drawn.uniform(0.3, 0.7), drawn.uniform(0.7, 1.4)]

    def act(self, view: View) -> Answer:
        """Bets and raises above its thresholds, calls what the pot pays and a margin."""
        street, equity = min(view.street, _STREETS - 1), self.strength(view)
        floor = (self.again if view.to_call and view.level + street > 1 else self.bets)[street]
        wants = equity >= floor + 0.04 * max(view.level - 2, 0) and not self.happens(self.slow)
        bluffs = not view.to_call and equity < 0.35 and self.happens(self.bluffs)
        if view.high and (wants or bluffs):
            return raised(view, self.sizes[equity > floor + 0.12 or bluffs])
        if not view.to_call:
            return Answer(CHECK)
        return Answer(
            CALL if equity >= view.to_call / (view.pot + view.to_call) + self.margin[street] else FOLD
        )


class Network(Stranger):
    """A network of one hidden layer with fixed random weights, on top of a rough rule that keeps it from the absurd."""

    def __init__(self, rng: Random, drawn: Random) -> None:
        """`drawn` fixes the weights."""
        super().__init__(rng)
        self.hidden = np.array([[drawn.gauss(0, 0.8) for _ in range(_FEATURES)] for _ in range(_HIDDEN)])
        self.out = np.array([[drawn.gauss(0, 0.7) for _ in range(_HIDDEN)] for _ in range(4)])
        self.sharp = drawn.uniform(5, 12)

    def act(self, view: View) -> Answer:
        """A draw from the softmax of what it makes of the situation."""
        strength, price = self.strength(view), view.to_call / max(view.pot + view.to_call, 1)
        street = min(view.street, _STREETS - 1)
        deep = view.pot / max(view.big_blind, 1)
        features = [strength, price, float(np.log1p(deep)) / 3, view.level / 3, len(view.others) / 3, 1.0]
        features += [float(street == k) for k in range(_STREETS)]
        fold, stay, attack, size = self.out @ np.tanh(self.hidden @ np.array(features))
        logits = [
            float(fold) + self.sharp * (price + 0.12 - strength),
            float(stay) + 0.5,
            float(attack) + self.sharp * (strength - 0.72) - 0.6 * max(view.level - 1, 0),
        ]
        weights = [
            exp(min(logits[0], 30.0)) if view.to_call else 0.0,
            exp(min(logits[1], 30.0)),
            exp(min(logits[2], 30.0)) if view.high else 0.0,
        ]
        at = self.rng.random() * sum(weights)
        if at < weights[0]:
            return Answer(FOLD)
        return (
            passive(view) if at < weights[0] + weights[1] else raised(view, 0.3 + 1.2 * squashed(float(size)))
        )


class Habit(NamedTuple):
    """How often a player of real logs folded and raised in a (street, facing), 0 to 1, and the median size in pots."""

    folds: float
    raises: float
    size: float


@cache
def habits() -> tuple[dict[tuple[int, int], Habit], ...]:
    """Of each mimic, its habits by (street, facing); counted by `railbird sql` in public logs, names left out."""
    found: dict[int, dict[tuple[int, int], Habit]] = {}
    with (Path(__file__).parent / "habits.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            habit = Habit(float(row["folds"]), float(row["raises"]), float(row["size"] or 0.5))
            found.setdefault(int(row["mimic"]), {})[int(row["street"]), int(row["facing"])] = habit
    return tuple(found.values())


class Mimic(Stranger):
    """Raises with the best hands, folds the worst, as often as a player of real logs did there."""

    def __init__(self, rng: Random, drawn: Random) -> None:
        """`drawn` chooses the player."""
        super().__init__(rng)
        self.habits = habits()[int(drawn.random() * len(habits()))]

    def act(self, view: View) -> Answer:
        """By the place of its hand among all hands."""
        place = (min(view.street, _STREETS - 1), facing(view))
        nearest = min(self.habits, key=lambda other: (abs(other[1] - place[1]), abs(other[0] - place[0])))
        habit = self.habits[nearest]
        order = self.strength(view) + 0.1 * (self.rng.random() - 0.5)
        if not view.board and view.hole[0] != view.hole[1]:
            # Before the flop strengths lie between 0.3 and 0.85; half of all hands are below 0.52.
            order = squashed(12 * (order - 0.52))
        if self.happens(_WHIM):
            order = self.rng.random()
        if view.high and order >= 1 - habit.raises / (1 + 0.3 * max(view.level - 2, 0)):
            return raised(view, habit.size)
        if not view.to_call:
            return Answer(CHECK)
        return Answer(FOLD if order < habit.folds else CALL)


KINDS: Final[dict[str, Callable[[Random, Random], Stranger]]] = {
    "table": RuleTable,
    "thresholds": Thresholds,
    "network": Network,
    "mimic": Mimic,
}
"""How a player is built: from its own generator in a match, and from one that fixes what it is."""
