"""A game of two under study: its decisions in blocks of hands, and the test that one opponent is treated apart."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from ..thresholds import LEVEL
from .blocks import Blocks
from .evidence import Evidence, Said, evidence_of, margin_of
from .material import Material
from .permuting import Tested, is_positive, permutations_for, stands_out
from .value import Floats, Valued, opponents


@dataclass(frozen=True)
class Study:
    """A material of two at the table, its decisions valued.

    detectors  how many look at it: what the smallest p has to allow for
    seed       of the permutations
    """

    material: Material
    worth: Valued
    detectors: int
    seed: int = 0

    @cached_property
    def blocks(self) -> Blocks:
        """The hands of the matches in blocks, some 40 a pair."""
        pair = self._pair_of_match
        return Blocks.some(
            self.material.hands, float(np.median(np.bincount(pair, self.material.hands)[np.unique(pair)]))
        )

    @cached_property
    def _pair_of_match(self) -> NDArray[np.int64]:
        low = self.material.seats.min(1).astype(np.int64)
        pair: NDArray[np.int64] = low * len(self.material.players) + self.material.seats.max(1)
        return pair

    @cached_property
    def block(self) -> NDArray[np.int64]:
        """(A,) the block of each decision."""
        return self.blocks.of(self.material.decisions)

    @cached_property
    def other(self) -> NDArray[np.int64]:
        """(A,) whom each decision is against."""
        return opponents(self.material.decisions)

    @cached_property
    def permutations(self) -> int:
        """How many a test may need."""
        return permutations_for(len(self.material.hands_of_pair), self.detectors)

    def by_block(self, value: Floats) -> Floats:
        """(B, 2) the sum of a value over each block's decisions by seat, a hand; NaN where a block is a stump."""
        d = self.material.decisions
        total = np.bincount(self.block * 2 + d.seat, value, 2 * len(self.blocks.match)).reshape(-1, 2)
        means: Floats = np.where(self.blocks.is_whole[:, None], total / self.blocks.size[:, None], np.nan)
        return means

    def per_opponent(
        self, value: Floats, keep: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None = None
    ) -> dict[int, dict[int, Floats]]:
        """The block means of a value by player and opponent, in the order of play.

        keep: which places in a match count, all without.
        """
        means = self.by_block(value)
        seats = self.material.seats[self.blocks.match]
        kept = np.ones(len(means), np.bool_) if keep is None else keep(self.blocks.place)
        found: dict[int, dict[int, list[Floats]]] = {}
        key = self._pair_of_match[self.blocks.match]
        for pair in np.unique(key):
            rows = (key == pair) & kept
            for one in np.unique(seats[rows]):
                for other in np.unique(seats[rows]):
                    which = rows[:, None] & (seats == one) & (seats[:, ::-1] == other)
                    blocks = means[which]
                    blocks = blocks[~np.isnan(blocks)]
                    if len(blocks) and (one != other or (seats[rows][:, 0] == seats[rows][:, 1]).any()):
                        found.setdefault(int(one), {}).setdefault(int(other), []).append(blocks)
        return {
            one: {other: np.concatenate(parts) for other, parts in by.items()} for one, by in found.items()
        }

    def margin(self, pair: tuple[int, int], where: NDArray[np.intp], value: Floats) -> float:
        """`margin_of` a value, a hand of the pair; value (A,), where: the decisions of the first that have one."""
        total = np.bincount(self.block[where], value[where], len(self.blocks.match)) / self.blocks.size
        seats = self.material.seats[self.blocks.match]
        met = ((seats == pair[0]) & (seats[:, ::-1] == pair[1])).any(1) & self.blocks.is_whole
        return margin_of(total[met])

    def apart(
        self, blocks: dict[int, dict[int, Floats]], absolute: bool, salt: int
    ) -> dict[tuple[int, int], Tested]:
        """Whether a player's blocks against one opponent are larger than against the others, for every pair.

        The blocks are permuted among the opponents. Where the opponents differ anyhow, as they do for a player who
        adapts or tilts, that spread is granted. absolute: they must be above 0 as well, for which signs are flipped.
        """
        spreads = {one: spread_of(list(by.values())) for one, by in blocks.items()}
        usual = float(np.median(list(spreads.values()))) if spreads else 0.0
        found = {}
        for one, by in blocks.items():
            for other, picked in by.items():
                rest = [values for name, values in by.items() if name != other]
                if not rest:
                    continue
                granted = max(spread_of(rest), usual) * (1 + 1 / len(rest))
                seed = self.seed * 1_000_003 + salt * 10_007 + one * 101 + other
                whole = np.concatenate([picked, *rest])
                tested = stands_out(whole, len(picked), granted, self.permutations, seed)
                if absolute and tested.p < LEVEL:
                    positive = is_positive(picked, self.permutations, seed + 1)
                    tested = Tested(min(tested.score, positive.score), max(tested.p, positive.p))
                found[one, other] = tested
        return found

    def evidence(
        self,
        detector: str,
        pair: tuple[int, int],
        tested: Tested,
        effect: float,
        weight: Floats,
        **said: Unpack[Said],
    ) -> Evidence:
        """`evidence_of` a pair; weight (A,): what each decision adds, for the hands that carry it."""
        where = np.flatnonzero((self.material.decisions.player == pair[0]) & (self.other == pair[1]))
        hands = self.material.hands_of_pair[pair]
        return evidence_of(self.material, detector, pair, tested, effect, hands, where, weight[where], **said)


def spread_of(groups: list[Floats]) -> float:
    """The variance between the means of groups beyond what the values in them explain."""
    usable = [values for values in groups if len(values) > 2]
    if len(usable) < 2:
        return 0.0
    means = np.array([values.mean() for values in usable])
    noise = np.array([values.var(ddof=1) / len(values) for values in usable])
    return max(float(means.var(ddof=1) - noise.mean()), 0.0)
