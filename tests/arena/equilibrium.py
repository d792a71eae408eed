"""Two-player Kuhn and Leduc played by an equilibrium: nothing that an opponent does wins against it.

Of Kuhn poker the equilibria are known (Kuhn 1950); one of Leduc is solved for.
"""

from functools import cache
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

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


LEDUC: Final = "acpc/leduc.limit.2p"
_RANKS: Final = 3
_MOST_RAISES: Final = 2
_BETS: Final = (2, 4)
_ROUNDS: Final = 400
Line = tuple[str, ...]
Key = tuple[Line, int]
"""What was done on each street, a letter each (see `choices_of`), and the rank of the board, -1 for none."""
Values = NDArray[np.float64]


class LeducSolution:
    """An equilibrium of two-player limit Leduc, by CFR+ (Tammelin 2014) over the ranks of both hands at once.

    chances  by what was done and the board: (3 ranks, choices); `choices_of` names the choices
    """

    def __init__(self, rounds: int = _ROUNDS) -> None:
        """rounds: of CFR+."""
        self.regrets: dict[Key, Values] = {}
        self.sums: dict[Key, Values] = {}
        ones = np.ones(_RANKS)
        for weight in range(1, rounds + 1):
            for player in range(2):
                self._walk(("",), -1, (ones, ones), player, weight)
        self.chances = {
            key: sums / np.maximum(sums.sum(axis=1, keepdims=True), 1e-300) for key, sums in self.sums.items()
        }

    def best_responses(self) -> tuple[float, float]:
        """What the best reply of the first and of the second player wins against the other, in antes a hand."""
        ones = np.ones(_RANKS)
        first, second = (
            float(self._walk(("",), -1, (ones, ones), player, 0).sum()) / _DEALS for player in range(2)
        )
        return first, second

    def _walk(self, line: Line, board: int, reach: tuple[Values, Values], player: int, weight: int) -> Values:
        """(3) the value of each rank for a player; weight 0: of its best reply."""
        ended = _ended(line)
        if ended == "street" and len(line) == 1:
            nexts = (self._walk((*line, ""), rank, reach, player, weight) for rank in range(_RANKS))
            found: Values = np.sum([*nexts], axis=0)
            return found
        if ended:
            return _pay(line, board, reach[1 - player], player)
        actor, key = len(line[-1]) % 2, (line, board)
        choices = choices_of(line)
        regrets = self.regrets.setdefault(key, np.zeros((_RANKS, len(choices))))
        total = regrets.sum(axis=1, keepdims=True)
        now = np.where(total > 0, regrets / np.maximum(total, 1e-300), 1 / len(choices))
        if not weight:
            now = self.chances[key]
        values = []
        for k, choice in enumerate(choices):
            share = list(reach)
            share[actor] = share[actor] * (now[:, k] if weight or actor != player else 1.0)
            after = (*line[:-1], line[-1] + choice)
            values.append(self._walk(after, board, (share[0], share[1]), player, weight))
        if actor != player or not weight:
            summed: Values = np.sum(values, axis=0) if actor != player else np.max(values, axis=0)
            return summed
        value: Values = (now * np.stack(values, axis=1)).sum(axis=1)
        regrets += np.stack(values, axis=1) - value[:, None]
        np.maximum(regrets, 0, out=regrets)
        sums = self.sums.setdefault(key, np.zeros_like(regrets))
        sums += weight * reach[player][:, None] * now
        return value


def choices_of(line: Line) -> str:
    """The letters of the choices: f fold, k check, c call, b bet or raise."""
    last = line[-1]
    raises = "b" if last.count("b") < _MOST_RAISES else ""
    return f"fc{raises}" if last.endswith("b") else f"k{raises}"


def _ended(line: Line) -> str:
    last = line[-1]
    if last.endswith("f"):
        return "fold"
    return "street" if last.endswith("c") or last == "kk" else ""


_DEALS: Final = 6 * 5 * 4
_DEALT: Final = 4.0 - 2.0 * np.eye(_RANKS)
"""Pairs of cards by the ranks of both hands."""


def _pay(line: Line, board: int, other: Values, player: int) -> Values:
    """(3) by rank what a player wins in an ended hand, times the deals of the other's cards and the board."""
    put = [1, 1]
    for size, street in zip(_BETS, line, strict=False):
        for k, letter in enumerate(street):
            if letter in "cb":
                put[k % 2] = put[1 - k % 2] + (size if letter == "b" else 0)
    boards = np.full((_RANKS, _RANKS), 4.0)
    if board >= 0:
        has = np.arange(_RANKS) == board
        boards = 2.0 - has[:, None] - has[None, :]
    if _ended(line) == "fold":
        loser = (len(line[-1]) - 1) % 2
        won = np.full((_RANKS, _RANKS), float(-put[player] if loser == player else put[1 - player]))
    else:
        score = np.arange(_RANKS) + _RANKS * (np.arange(_RANKS) == board)
        won = put[0] * np.sign(score[:, None] - score[None, :]).astype(np.float64)
    found: Values = (_DEALT * boards * won) @ other
    return found


class Leduc(Bot):
    """It plays a solution of Leduc."""

    def __init__(self, rng: Random, solution: LeducSolution) -> None:
        """solution: which both players may share."""
        super().__init__(rng)
        self.solution = solution

    def act(self, view: View) -> Answer:
        """By the rank of its card and of the board, and what was done."""
        line = tuple(
            "".join(_LETTERS.get(act.action, "b") for act in view.acted if act.street == street)
            for street in range(view.street + 1)
        )
        board = view.board[0] // 4 - _LOWEST if view.street else -1
        chances = self.solution.chances[line, board][view.hole[0] // 4 - _LOWEST]
        choices = choices_of(line)
        drawn = int(np.searchsorted(np.cumsum(chances), self.rng.random(), side="right"))
        choice = choices[min(drawn, len(choices) - 1)]
        if choice == "b":
            return Answer(RAISE, view.low)
        return Answer({"f": FOLD, "k": CHECK, "c": CALL}[choice])


_LETTERS: Final = {FOLD: "f", CHECK: "k", CALL: "c"}
"""Of all but bets and raises."""


@cache
def leduc_solution() -> LeducSolution:
    """The solution, once a program."""
    return LeducSolution()


def leduc_match(hands: int, seed: int) -> str:
    """The log of a match of two equilibria of Leduc, "Even" and "Odd"."""
    seated = [Player(name, Leduc(Random(f"{seed}/{name}"), leduc_solution())) for name in ("Even", "Odd")]
    return play_bots(LEDUC, seated, hands, seed).text
