"""Bots that follow a plan with a partner in some of the hands, and play as an honest style in the others.

STYLE+PLAN@PERCENT names one: `tight-aggressive+dump@50`. In a match of two the opponent is the partner; a plan is meant
for the matches in which it is. In Koper the partner is named, `tight-aggressive+dump@50:Bob`, and the plan is on while
he is in. What each does is what a detector of `analytics/collusion` looks for.
"""

import re
from random import Random
from typing import Final

import numpy as np

from .bots import Answer, Bot, View, bot_of
from .evaluator import strength_of
from .records import CALL, CHECK, FOLD, RAISE

PLANS: Final = (
    "dump",
    "soft-play",
    "shared-cards",
    "signal-sender",
    "signal-follower",
    "trigger-sender",
    "trigger-follower",
    "clone",
)
"""Gives every pot up; never raises; plays by the others' cards; raises in numbers that end in 7; folds to those; pulls
a trigger with a raise to 13 before the flop; dumps from then on; plays as the calling station does."""

PARTNER_PLANS: Final = ("dump", "soft-play", "shared-cards")
"""Plans for a named partner: pays it off with worse hands and gives up better ones; bets the least; bets by its own
cards and the partner's."""

_NAMED: Final = re.compile(
    r"(?P<style>.+)\+(?P<plan>[a-z-]+)@(?P<percent>\d{1,3})(?::(?P<partner>.+))?", re.DOTALL
)
_DIGIT: Final = 7
_TRIGGER: Final = 13
_HONEST_HANDS: Final = 20
_WINS: Final = 0.6
_EVEN: Final = 0.5
_BOARDS: Final = 16
_BOARD: Final = 5
_CLONED: Final = "calling-station"
"""The style that the plan `clone` follows."""


class Colluder(Bot):
    """An honest bot and a plan."""

    def __init__(
        self, rng: Random, honest: Bot, plan: str, intensity: float, cloned: Bot, partner: str = ""
    ) -> None:
        """`honest` and `cloned` draw from `rng` too; intensity is the share of hands, 0 to 1."""
        super().__init__(rng)
        self.partner = partner
        self.honest, self.cloned, self.plan, self.intensity = honest, cloned, plan, intensity
        self.hands, self.on, self.triggered = 0, False, False
        self._last: tuple[int, ...] = ()

    def act(self, view: View) -> Answer:
        """The plan's answer if it is on, else the honest style's."""
        # Koper's first decision comes after the flop.
        if view.street <= bool(self.partner) and tuple(view.hole) != self._last:
            self._last = tuple(view.hole)
            self.hands += 1
            self.on = self.happens(self.intensity)
        faced = view.pip + view.to_call
        if self.plan == "trigger-follower" and view.street == 0 and faced == _TRIGGER:
            self.triggered = True
        if self.plan == "signal-follower":
            if view.to_call and view.level + view.street > 1 and faced % 10 == _DIGIT:
                return Answer(FOLD)
        elif self.plan == "trigger-sender":
            ready = self.hands > _HONEST_HANDS and not self.triggered and view.street == 0 and view.level == 1
            if ready and view.low <= _TRIGGER <= view.high:
                self.triggered = True
                return Answer(RAISE, _TRIGGER)
        elif self.on:
            return self._follow(view)
        return self._unmarked(self.honest.act(view), view)

    def _follow(self, view: View) -> Answer:
        passive = Answer(CALL if view.to_call else CHECK)
        if self.partner and not view.partner:
            return self.honest.act(view)
        if self.plan == "dump" and self.partner:
            if self._share(view) < _EVEN:
                return Answer(RAISE, view.high)
            return Answer(FOLD) if view.may_fold else passive
        if self.plan == "dump" or (self.plan == "trigger-follower" and self.triggered):
            return Answer(FOLD) if view.to_call else passive
        if self.plan == "shared-cards" and (view.others or view.partner):
            return self._with_all_cards(view, passive)
        if self.plan == "clone":
            return self.cloned.act(view)
        answer = self.honest.act(view)
        if self.plan == "soft-play" and answer.action == RAISE:
            return passive
        if self.plan == "signal-sender" and view.high:
            wanted = answer.raise_to if answer.action == RAISE else view.low
            marked = wanted + (_DIGIT - wanted) % 10
            return Answer(RAISE, marked) if marked <= view.high else self._unmarked(answer, view)
        return answer

    def _unmarked(self, answer: Answer, view: View) -> Answer:
        """A sender's other raises are no signals."""
        is_signal = answer.action == RAISE and answer.raise_to % 10 == _DIGIT
        if self.plan != "signal-sender" or not is_signal:
            return answer
        return Answer(RAISE, answer.raise_to + (1 if answer.raise_to < view.high else -1))

    def _with_all_cards(self, view: View, passive: Answer) -> Answer:
        """Raise what wins against the hands really held, call what pays."""
        share = self._share(view)
        if view.high and share >= _WINS:
            return Answer(RAISE, max(view.low, min(view.pip + view.to_call + view.pot, view.high)))
        if view.to_call and share < view.to_call / (view.pot + view.to_call):
            return Answer(FOLD)
        return passive

    def _share(self, view: View) -> float:
        hands = [tuple(view.hole), *map(tuple, [view.partner] if self.partner else view.others)]
        known = {card for hand in hands for card in hand} | set(view.board)
        left = [card for card in range(52) if card not in known]
        score = 0.0
        for _ in range(_BOARDS):
            board = list(view.board)
            while len(board) < _BOARD:
                card = left[self.below(len(left))]
                if card not in board:
                    board.append(card)
            ranks = [
                strength_of(np.array((*board, *hand), np.int8), len(board) + len(hand)) for hand in hands
            ]
            best = max(ranks)
            score += (ranks[0] == best) / ranks.count(best)
        return score / _BOARDS

    def acknowledge(self) -> Answer:
        """The honest style's answer."""
        return self.honest.acknowledge()


def is_colluder(text: str) -> bool:
    """Whether a text names a colluder, of a style and plan that there may be or not."""
    return _NAMED.fullmatch(text) is not None


def colluder(text: str, rng: Random) -> Bot | None:
    """The bot that STYLE+PLAN@PERCENT or STYLE+PLAN@PERCENT:PARTNER names, None for text of another form.

    Raises ValueError for a style or plan that there is not, and for more than 100 percent.
    """
    found = _NAMED.fullmatch(text)
    if found is None:
        return None
    style, plan, percent = found["style"], found["plan"], int(found["percent"])
    honest = bot_of(style, rng)
    if plan not in PLANS:
        raise ValueError(f"no plan is called {plan!r}; there are {', '.join(PLANS)}")
    partner = found["partner"] or ""
    if partner and plan not in PARTNER_PLANS:
        raise ValueError(f"{plan} takes no partner's name; {', '.join(PARTNER_PLANS)} do")
    if percent > 100:
        raise ValueError(f"a plan is followed in at most 100 percent of the hands, not {percent}")
    return Colluder(rng, honest, plan, percent / 100, bot_of(_CLONED, rng), partner)
