"""Two-player Kuhn poker played by an equilibrium (Kuhn 1950): nothing that an opponent does wins against it."""

from random import Random
from typing import Final

from railbird.replay.bots import Answer, Bot, View
from railbird.replay.records import CALL, CHECK, FOLD, RAISE
from railbird.replay.simulate import Player, play_bots
from railbird.variants import registry  # noqa: F401 - makes the games known

KUHN: Final = "acpc/kuhn.limit.2p"
_LOWEST: Final = 10
"""The rank of the queen, the lowest of the three cards."""
_THIRD: Final = 1 / 3


class Kuhn(Bot):
    """One of the equilibria; the first to act bets its lowest card with a chance from 0 to a third."""

    def __init__(self, rng: Random, line: list[int], bluffs: float = 0.2) -> None:
        """line: the actions of the hand so far, which both players keep; bluffs: that chance."""
        super().__init__(rng)
        self.line, self.bluffs = line, bluffs

    def act(self, view: View) -> Answer:
        """By the card, the place and whether there is a bet."""
        answer = self._answer(view.hole[0] // 4 - _LOWEST, len(self.line) != 1, view)
        self.line.append(answer.action)
        if view.to_call or self.line == [CHECK, CHECK]:
            self.line.clear()
        return answer

    def _answer(self, card: int, is_first: bool, view: View) -> Answer:
        if view.to_call:
            calls = (0.0, self.bluffs + _THIRD if is_first else _THIRD, 1.0)[card]
            return Answer(CALL if self.happens(calls) else FOLD)
        bets = (self.bluffs, 0.0, 3 * self.bluffs) if is_first else (_THIRD, 0.0, 1.0)
        return Answer(RAISE, view.low) if self.happens(bets[card]) else Answer(CHECK)


def kuhn_match(hands: int, seed: int, **bluffs: float) -> str:
    """The log of a match of two equilibria, "Even" and "Odd"; bluffs: by name, another chance than 0.2."""
    line: list[int] = []
    seated = [
        Player(name, Kuhn(Random(f"{seed}/{name}"), line, bluffs.get(name, 0.2))) for name in ("Even", "Odd")
    ]
    return play_bots(KUHN, seated, hands, seed).text
