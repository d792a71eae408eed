"""A game of three and more under study: a player's decisions at the tables of a companion, and at the others."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Unpack

import numpy as np
from numpy.typing import NDArray

from .blocks import Blocks
from .collusion_table import Pairs, beyond_additive
from .evidence import Evidence, Said, evidence_of, pair_margins
from .material import Material, seats_with
from .permuting import Tested, permutations_for, stands_out
from .study import spread_of
from .value import Floats, Shares, facing, own_of, usual_play

LEVELS: Final = 10
_BIG: Final = 10_000_000


@dataclass(frozen=True)
class Ring:
    """A material of three and more at the table.

    detectors  how many look at it: what the smallest p has to allow for
    seed       of the permutations
    """

    material: Material
    detectors: int
    seed: int = 0

    @cached_property
    def strength(self) -> NDArray[np.int64]:
        """(A,) the actor's own strength in tenths of the decisions of a street.

        Where there are few cards, as in Kuhn, each is a strength of its own: tenths of the scale put the two highest
        together, and what a player does with one of them looked like what he does to a companion.
        """
        d = self.material.decisions
        own, level = own_of(d), np.zeros(len(d), np.int64)
        for street in np.unique(d.street):
            here = d.street == street
            edges = np.unique(np.quantile(own[here], np.arange(1, LEVELS) / LEVELS))
            level[here] = np.searchsorted(edges, own[here], side="right")
        return level

    @cached_property
    def spot(self) -> NDArray[np.int64]:
        """(A,) the public situation: position, street, bets of the street, what is faced, room to raise, who is in."""
        d = self.material.decisions
        live = np.bitwise_count(d.live.astype(np.uint32)).astype(np.int64)
        public = ((d.street.astype(np.int64) * 8 + np.minimum(d.level, 7)) * 5 + facing(d)) * 2 + (d.most > 0)
        spot: NDArray[np.int64] = (d.position.astype(np.int64) * 320 + public) * 10 + live
        return spot

    @cached_property
    def usual(self) -> Shares:
        """(A, 3) how often the player folds, passes and attacks in such a situation, at all his tables."""
        d = self.material.decisions
        return usual_play(d.player.astype(np.int64), self.spot, (self.strength + 0.5) / LEVELS, d)

    @cached_property
    def cell(self) -> NDArray[np.int64]:
        """(A,) situation and own strength."""
        return self.spot * LEVELS + self.strength

    def key_of(self, other: NDArray[np.int16]) -> NDArray[np.int64]:
        """(A,) one number for player, another player and situation."""
        d = self.material.decisions
        return (d.player.astype(np.int64) * len(self.material.players) + other) * _BIG + self.cell

    @cached_property
    def is_in(self) -> NDArray[np.bool_]:
        """(A, N) which of the others are still in."""
        d = self.material.decisions
        seats = np.arange(d.others.shape[1])
        found: NDArray[np.bool_] = ((d.live[:, None] >> seats & 1) > 0) & (seats != d.seat[:, None])
        return found

    @cached_property
    def blocks(self) -> Blocks:
        """The hands of the matches in blocks, some 40 a match."""
        return Blocks.some(self.material.hands, float(np.median(self.material.hands)))

    @property
    def permutations(self) -> int:
        """How many a test may need."""
        players = len(self.material.players)
        return permutations_for(players * (players - 1), self.detectors)

    def by_block(self, value: Floats) -> Floats:
        """(B, N, N) the sum of a value (A, N) over each block by seat of who acts and of whom it concerns."""
        d = self.material.decisions
        seats = value.shape[1]
        total = np.zeros((len(self.blocks.match), seats, seats))
        np.add.at(total, (self.blocks.of(d), d.seat.astype(np.int64)), value)
        return total

    def margins(self, value: Floats) -> dict[tuple[int, int], float]:
        """Half of the 95% interval of a value (A, N), a hand, by (k, j): a ratio over their blocks of hands."""
        seats = self.material.seats[self.blocks.match]
        return pair_margins(self.by_block(value), seats, self.blocks.size, self.material.hands_of_pair)

    def apart(self, value: Floats, salt: int) -> tuple[Pairs, dict[tuple[int, int], tuple[float, float]]]:
        """Whether a value (A, N) by whom it concerns is larger for one companion: (tests, means), by (k, j).

        The blocks of k's hands at tables with j, valued for j, are permuted with those at tables without him, valued
        for the mean of the companions there. What the tables differ by anyhow, as they do for one who adapts or tilts,
        is granted. Where k always meets j, the additive model of `beyond_additive` takes its place (four and more at a
        table). The means are a hand: at tables with j, and at the others.
        """
        total = self.by_block(value)
        seats = self.material.seats[self.blocks.match].astype(np.int64)
        hands, whole = self.blocks.size[:, None], self.blocks.is_whole
        lines: dict[tuple[int, int], tuple[list[Floats], list[Floats]]] = {}
        for k in np.unique(seats):
            rows, place = np.nonzero((seats == k) & whole[:, None])
            mine = total[rows, place] / hands[rows]
            company = seats[rows]
            mean = (mine * (company != k)).sum(1) / (company.shape[1] - 1)
            _, table = np.unique(np.sort(company, 1), axis=0, return_inverse=True)
            for j in np.unique(company[company != k]):
                met = (company == j).any(1)
                at_seat = np.argmax(company == j, 1)
                there = mine[np.arange(len(mine)), at_seat]
                lines[int(k), int(j)] = (
                    _groups(there[met], table.ravel()[met]),
                    _groups(mean[~met], table.ravel()[~met]),
                )
        usual = float(np.median([spread_of(side) for pair in lines.values() for side in pair] or [0.0]))
        always = beyond_additive(
            total / hands[:, :, None], seats.astype(np.int16), self.permutations, self.seed
        )
        tests: Pairs = {}
        means: dict[tuple[int, int], tuple[float, float]] = {}
        for (k, j), (here, elsewhere) in lines.items():
            picked = np.concatenate(here)
            rest = np.concatenate([*elsewhere, np.zeros(0)])
            means[k, j] = float(picked.mean()), float(rest.mean()) if len(rest) else 0.0
            if not len(rest):
                tests[k, j] = always.get((k, j), Tested(0.0, 1.0))
                continue
            granted = max(spread_of(elsewhere), usual) * (1 / len(here) + 1 / len(elsewhere))
            seed = self.seed * 1_000_003 + salt * 10_007 + k * 101 + j
            tests[k, j] = stands_out(
                np.concatenate([picked, rest]), len(picked), granted, self.permutations, seed
            )
        return tests, means

    def evidence(
        self,
        detector: str,
        pair: tuple[int, int],
        tested: Tested,
        effect: float,
        weight: Floats,
        **said: Unpack[Said],
    ) -> Evidence:
        """`evidence_of` a pair; weight (A, N): what each decision adds for each seat, for the hands that carry it."""
        where, seat = seats_with(self.material.decisions, *pair)
        weight, hands = weight[where, seat], self.material.hands_of_pair[pair]
        return evidence_of(self.material, detector, pair, tested, effect, hands, where, weight, **said)


def _groups(values: Floats, key: NDArray[np.intp]) -> list[Floats]:
    """The values of each key."""
    return [values[key == each] for each in np.unique(key)]
