"""Plans that the detectors were not built on, followed at a share of the decisions.

A partner wraps an honest player; both partners share a `Pact`. Everything else is the honest player's own play.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Final

import numpy as np

from railbird.replay.bots import Answer, View
from railbird.replay.evaluator import strength_of
from railbird.replay.records import FOLD, RAISE

from .stranger_bots import Stranger, given_up, passive, raised

BEHIND, SIZES, RIVERS, SQUEEZE, SEED = "behind", "sizes", "rivers", "squeeze", "seed"
PLANS: Final = {
    BEHIND: "the giver dumps, only while its partner is behind in the match",
    SIZES: "the giver's bet sizes modulo seven tell its partner whether its hand is strong",
    RIVERS: "neither bets or raises a river against the other",
    SQUEEZE: "both raise until the third player folds, then bet no more",
    SEED: "a bot knows the cards of its opponent and the board to come",
}
"""What each plan is. A seed has no partner: the bot that reads it does so in all its matches."""

_RIVER: Final = 3
_MODULUS: Final = 7
_STRONG, _WEAK = 3, 5
_HALF: Final = 0.5
_LOW: Final = 0.4
_GOOD: Final = 0.7
_BEST: Final = 0.9
_TABLE: Final = 2
"""Opponents at a full table of three."""


@dataclass
class Pact:
    """What two partners agreed on and tell each other.

    share    of the decisions at which they follow it, 0 to 1
    folded   seats that folded, by number of the hand
    told     the strength that the giver's last size tells, by number of the hand: True for strong
    followed decisions at which the plan changed what they did
    """

    plan: str
    share: float
    folded: dict[int, set[int]] = field(default_factory=dict)
    told: dict[int, bool] = field(default_factory=dict)
    followed: int = 0


class Partner(Stranger):
    """An honest player with a plan."""

    def __init__(self, rng: Random, honest: Stranger, pact: Pact, gives: bool, ally: int) -> None:
        """ally: the seat of its partner; `honest` draws from `rng`, too."""
        super().__init__(rng)
        self.honest, self.pact, self.gives, self.ally = honest, pact, gives, ally

    @property
    def hand(self) -> int:
        """The number of the hand under way."""
        return len(self.match.hands)

    def act(self, view: View) -> Answer:
        """As the plan says where it is on, else as the honest player."""
        usual = self.honest.act(view)
        answer = usual
        out = self.pact.folded.setdefault(self.hand, set())
        if self.pact.plan == SEED or self.ally not in out:
            answer = getattr(self, f"_{self.pact.plan}")(view, usual)
        self.pact.followed += answer != usual
        if answer.action == FOLD:
            out.add(self.seat)
        return answer

    def bid(self, view: View) -> Answer:
        """As the honest player."""
        return self.honest.bid(view)

    def discard(self, view: View) -> Answer:
        """As the honest player."""
        return self.honest.discard(view)

    def _behind(self, view: View, usual: Answer) -> Answer:
        if not self.gives or self.match.banks[self.ally] >= 0 or not self.happens(self.pact.share):
            return usual
        strength = self.strength(view)
        if strength < _LOW and view.to_call <= view.pot - view.to_call:
            return passive(view)
        return given_up(view)

    def _sizes(self, view: View, usual: Answer) -> Answer:
        if self.gives:
            self.pact.told.pop(self.hand, None)
            if usual.action != RAISE or view.high - view.low < 2 * _MODULUS:
                return usual
            strong = self.strength(view) >= _GOOD
            digit = _STRONG if strong else _WEAK
            if self.happens(self.pact.share):
                self.pact.told[self.hand] = strong
                up = usual.raise_to + (digit - usual.raise_to) % _MODULUS
                return Answer(RAISE, up if up <= view.high else up - _MODULUS)
            if usual.raise_to % _MODULUS in (_STRONG, _WEAK):
                return Answer(RAISE, usual.raise_to + (1 if usual.raise_to < view.high else -1))
            return usual
        told = self.pact.told.get(self.hand)
        if told is None or not view.to_call:
            return usual
        if told:
            return usual if self.strength(view) >= _BEST else given_up(view)
        return raised(view, 1.0) if view.high else passive(view)

    def _rivers(self, view: View, usual: Answer) -> Answer:
        if view.street < _RIVER or usual.action != RAISE or not self.happens(self.pact.share):
            return usual
        return passive(view)

    def _squeeze(self, view: View, usual: Answer) -> Answer:
        if not self.happens(self.pact.share):
            return usual
        if len(view.others) >= _TABLE:
            return raised(view, 1.0) if view.high and view.street + view.level > 0 else usual
        return passive(view) if usual.action == RAISE else usual

    def _seed(self, view: View, usual: Answer) -> Answer:
        if not self.gives or not self.happens(self.pact.share):
            return usual
        board = [*view.board, *self.match.coming[len(view.board) :]]
        mine, theirs = (
            int(strength_of(np.array((*board, *hole), np.int8), len(board) + len(hole)))
            for hole in (view.hole, view.others[0])
        )
        if mine > theirs and view.high:
            return raised(view, 0.75)
        return given_up(view) if mine < theirs else passive(view)
