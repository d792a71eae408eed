"""Blocks of hands that follow each other: what permutations move, since a player may change from hand to hand."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .material import Decisions

_MOST: Final = 25
_LEAST: Final = 5
_WANTED: Final = 40


@dataclass(frozen=True)
class Blocks:
    """The hands of each match in blocks, numbered through.

    hands    (M,) of each match
    length   hands a block; the last one of a match may be a stump
    """

    hands: NDArray[np.int64]
    length: int

    @classmethod
    def some(cls, hands: NDArray[np.int64], typical: float) -> "Blocks":
        """A Bounty block of 25 hands or fewer, so that `typical` hands are some 40 of them."""
        return cls(hands, int(min(max(typical // _WANTED, _LEAST), _MOST)))

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        return np.concatenate(([0], np.cumsum(-(-self.hands // self.length)))).astype(np.int64)

    @cached_property
    def match(self) -> NDArray[np.int64]:
        """(B,) the match of each block."""
        return np.repeat(np.arange(len(self.hands)), np.diff(self._first))

    @cached_property
    def place(self) -> NDArray[np.int64]:
        """(B,) each block's place in its match."""
        place: NDArray[np.int64] = np.arange(self._first[-1]) - self._first[self.match]
        return place

    @cached_property
    def size(self) -> NDArray[np.int64]:
        """(B,) how many hands each holds."""
        left: NDArray[np.int64] = self.hands[self.match] - self.place * self.length
        return np.minimum(left, self.length)

    @cached_property
    def is_whole(self) -> NDArray[np.bool_]:
        """(B,) whether it holds half of a block's hands at least."""
        whole: NDArray[np.bool_] = self.size * 2 >= self.length
        return whole

    def of(self, decisions: Decisions) -> NDArray[np.int64]:
        """(A,) the block of each decision."""
        block: NDArray[np.int64] = self._first[decisions.match] + decisions.place // self.length
        return block
