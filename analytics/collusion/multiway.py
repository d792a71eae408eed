"""The detectors of tables of three and more: what one player's decisions do for another at the same table."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations
from typing import Final, Unpack

import numpy as np
from numpy.typing import NDArray

from . import heads_up
from .additive import Contrast, Granted, Tables, contrast_of, of_both
from .evidence import Evidence, Said, evidence_of, permutations_for, seed_of
from .material import ATTACKS, FOLDS, Material, seats_with
from .nulls import go_together, is_positive
from .study import (
    FINELY,
    Blocks,
    Floats,
    Shares,
    bounded,
    centred,
    facing,
    own_of,
    usual_play,
    usual_raise,
)

Pairs = dict[tuple[int, int], Contrast]
_LEAST_SEATS: Final = 4


@dataclass(frozen=True)
class CollusionTable:
    """C(j, k): what the decisions of player k do for player j, per hand of the two.

    After Mazrooei, Archibald and Bowling, "Automating Collusion Detection in Sequential Games" (AAAI 2013).

    by     by k and j; own: what k's decisions do for k itself at the tables of j; hands: hands of each pair
    """

    by: dict[int, dict[int, float]]
    own: dict[int, dict[int, float]]
    hands: dict[tuple[int, int], int]

    @classmethod
    def of(cls, values: Floats, seats: NDArray[np.int16], hands: NDArray[np.int64]) -> "CollusionTable":
        """Sum (U, N, N) values by unit, seat of k and seat of j; seats: (U, N) players; hands: (U,) of each unit."""
        size, count = int(seats.max(initial=0)) + 1, seats.shape[1]
        total, own, held = (np.zeros((size, size)) for _ in range(3))
        for k, j in permutations(range(count), 2):
            pair = seats[:, k], seats[:, j]
            np.add.at(total, pair, values[:, k, j])
            np.add.at(own, pair, values[:, k, k])
            np.add.at(held, pair, hands)
        by: dict[int, dict[int, float]] = {}
        by_own: dict[int, dict[int, float]] = {}
        for k, j in np.argwhere(held > 0).tolist():
            by.setdefault(k, {})[j] = float(total[k, j] / held[k, j])
            by_own.setdefault(k, {})[j] = float(own[k, j] / held[k, j])
        return cls(by, by_own, {(k, j): int(held[k, j]) for k, j in np.argwhere(held > 0).tolist()})

    def for_others(self, one: int, other: int) -> float:
        """The mean of what a player does for the others except one."""
        rest = [value for name, value in self.by[one].items() if name != other]
        return float(np.mean(rest)) if rest else 0.0

    def measures(self, one: int, other: int) -> tuple[tuple[str, float], ...]:
        """Measures of k = `one` and j = `other` in bb per hand of the two, except dominance, a share.

        total           what the decisions of both do for both: C(j,k) + C(k,j) + C(j,j) + C(k,k)
        marginal        C(j,k) less the mean of C(i,k) over the others i: what k does for j beyond others
        mutual          C(j,k) + C(k,j): what each does for the other
        minimum impact  the smaller marginal of the two directions: above 0 if both help each other
        dominance       the share of k's other companions i with C(i,k) < C(j,k)
        """
        there, back = self.by[one][other], self.by[other][one]
        marginal = there - self.for_others(one, other)
        least = min(marginal, back - self.for_others(other, one))
        rest = [value for name, value in self.by[one].items() if name != other]
        return (
            ("total", there + back + self.own[one][other] + self.own[other][one]),
            ("marginal", marginal),
            ("mutual", there + back),
            ("minimum impact", least),
            ("dominance", float(np.mean(np.array(rest) < there)) if rest else 0.0),
        )


@cache
def _contrasts(seats: int) -> Floats:
    """(pairs, seats x seats) for each (k, j) the weights that give C(j,k) less its additive effects.

    Row k * seats + j: the entry less its prediction from all entries but (k, j) and (j, k) under the model
    C(j,k) = mean + giver(k) + receiver(j), by least squares.
    """
    weights = np.zeros((seats * seats, seats * seats))
    entries = [(k, j) for k in range(seats) for j in range(seats) if k != j]
    design = np.zeros((seats * seats, 2 * seats))
    for k, j in entries:
        design[k * seats + j, [k, seats + j]] = 1.0
    for k, j in entries:
        kept = [a * seats + b for a, b in entries if {a, b} != {k, j}]
        weights[k * seats + j, kept] = -np.linalg.pinv(design[kept]).T @ design[k * seats + j]
        weights[k * seats + j, k * seats + j] = 1.0
    return weights


@cache
def _among_others(seats: int, k: int, j: int) -> Floats:
    """(entries, seats x seats) the residuals of all entries but (k, j) and (j, k), fitted without those two.

    They are scaled so that their mean square is the variance of a pair's deviation from additive effects.
    """
    entries = [(a, b) for a in range(seats) for b in range(seats) if a != b and {a, b} != {k, j}]
    design = np.zeros((len(entries), 2 * seats))
    for row, (a, b) in enumerate(entries):
        design[row, [a, seats + b]] = 1.0
    made = np.eye(len(entries)) - design @ np.linalg.pinv(design)
    weights = np.zeros((len(entries), seats * seats))
    weights[:, [a * seats + b for a, b in entries]] = made * np.sqrt(len(entries) / np.trace(made))
    return weights


def beyond_additive(
    values: Floats, seats: NDArray[np.int16], most: int, seed: int, symmetric: bool = False
) -> Pairs:
    """Whether C(j, k) exceeds what k does for all players and all do for j, by (k, j): signs are flipped by unit.

    values     (U, N, N) by unit, seat of k and seat of j; seats: (U, N) the players, each once
    symmetric  C(j, k) is C(k, j): half as many values tell how much honest pairs differ
    The variance between the residuals of the other pairs of a table, beyond chance, is allowed for: honest players
    deviate from additive effects too, by the order of play or by what they learn of each other.
    """
    count = seats.shape[1]
    if count < _LEAST_SEATS or not len(values):
        return {}
    order = np.argsort(seats, 1)
    lineups = np.take_along_axis(seats, order, 1)
    sorted_values = np.take_along_axis(np.take_along_axis(values, order[:, :, None], 1), order[:, None, :], 2)
    flat = sorted_values.reshape(len(values), -1)
    beyond = flat @ _contrasts(count).T
    lines: dict[tuple[int, int], list[Floats]] = {}
    grants: dict[tuple[int, int], list[float]] = {}
    for lineup in np.unique(lineups, axis=0):
        rows = np.flatnonzero((lineups == lineup).all(1))
        for k, j in permutations(range(count), 2):
            pair, place = (int(lineup[k]), int(lineup[j])), k * count + j
            lines.setdefault(pair, []).append(beyond[rows, place])
            others = flat[rows] @ _among_others(count, k, j).T
            noise = others.var(0, ddof=1) / len(rows) if len(rows) > 1 else others[0] ** 2
            spread = max(float((others.mean(0) ** 2 - noise).mean()), 0.0)
            grants.setdefault(pair, []).append(spread * float((_contrasts(count)[place] ** 2).sum()))
    # The entries of a table but the pair's, less the additive effects.
    known = count * (count - 1) // 2 - 1 - count if symmetric else count * (count - 1) - 2 - (2 * count - 1)
    found = {}
    for (one, other), each in lines.items():
        line, granted = np.concatenate(each), float(np.mean(grants[one, other]))
        if len(line) < 2:
            continue
        noise = float(line.var(ddof=1)) / len(line)
        tested = contrast_of(float(line.mean()), noise, len(line) - 1, Granted.known_by(granted, known))
        flipped = is_positive(line, most, seed_of(seed, 0, one, other), granted)
        found[one, other] = tested.at_least(flipped.p)
    return found


CARDS_EXCHANGED: Final = "chance: p with the companion's cards permuted"
_LOOK_TWICE: Final = 0.25
"""Below this p the cards are permuted too; the larger p counts."""


def either_way(rises: Pairs, falls: Pairs) -> dict[tuple[int, int], tuple[float, Contrast]]:
    """By pair the smaller p of two tests, with 1 if decisions rise with the strength and -1 if they fall."""
    return {pair: (1.0, up) if up.p <= falls[pair].p else (-1.0, falls[pair]) for pair, up in rises.items()}


def within_cells(
    test: Contrast,
    score: Floats,
    strength: Floats,
    cell: NDArray[np.int64],
    seed: int,
    pair: tuple[int, int],
) -> float:
    """The p of `go_together` of a pair's decisions and the strength of the companion's cards.

    score, strength, cell  (A,) of the pair's decisions; strengths are permuted within a cell
    p is 1 if that of the test against other tables is too large already: the larger p counts.
    """
    if test.p >= _LOOK_TWICE:
        return 1.0
    return go_together(score, strength, cell, seed * 3 + pair[0] * 101 + pair[1]).p


def of_both_ways(test: Contrast, within: float) -> Contrast:
    """With the larger p of both tests, doubled because the better of two directions was chosen."""
    return test._replace(p=min(2 * max(test.p, within), 1.0))


LEVELS: Final = 10
_BIG: Final = 10_000_000


@dataclass(frozen=True)
class Ring:
    """A material of tables of three and more: a player's decisions with a companion at the table, and without it.

    detectors  number of detectors, for which p values are corrected
    seed       seed of the permutations
    """

    material: Material
    detectors: int
    seed: int = 0

    @cached_property
    def strength(self) -> NDArray[np.int64]:
        """(A,) the actor's own strength in deciles of the decisions of a street.

        In games of few cards, as Kuhn, each card is a strength of its own: tenths of the scale would put the two
        highest together, and play with one of them would look like play against a companion.
        """
        d = self.material.decisions
        own, level = own_of(d), np.zeros(len(d), np.int64)
        for street in np.unique(d.street):
            here = d.street == street
            edges = np.unique(np.quantile(own[here], np.arange(1, LEVELS) / LEVELS))
            level[here] = np.searchsorted(edges, own[here], side="right")
        return level

    @cached_property
    def live(self) -> NDArray[np.int64]:
        """(A,) how many players are in the hand."""
        count: NDArray[np.int64] = np.bitwise_count(self.material.decisions.live.astype(np.uint32)).astype(
            np.int64
        )
        return count

    @cached_property
    def spot(self) -> NDArray[np.int64]:
        """(A,) the public situation: position, street, bets of the street, bet faced, room to raise, players in."""
        d = self.material.decisions
        public = ((d.street.astype(np.int64) * 8 + np.minimum(d.level, 7)) * 5 + facing(d)) * 2 + (d.most > 0)
        spot: NDArray[np.int64] = (d.position.astype(np.int64) * 320 + public) * 10 + self.live
        return spot

    @cached_property
    def usual(self) -> Shares:
        """(A, 3) how often the player folds, passes and attacks in such a situation, at all its tables."""
        d = self.material.decisions
        raised = d.street.astype(np.int64) * 4 + np.minimum(d.level, 3)
        coarse = (raised * 5 + facing(d)) * 2 + (d.most > 0)
        fine = (raised * (len(FINELY) + 1) + facing(d, FINELY)) * 2 + (d.most > 0)
        between = coarse, fine, fine * 3 + np.clip(self.live - 2, 0, 2)
        own = (self.strength + 0.5) / LEVELS
        return usual_play(d.player.astype(np.int64), self.spot, own, d, between)

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
        """(A, N) whether each other player is still in the hand."""
        d = self.material.decisions
        seats = np.arange(d.others.shape[1])
        found: NDArray[np.bool_] = ((d.live[:, None] >> seats & 1) > 0) & (seats != d.seat[:, None])
        return found

    @cached_property
    def blocks(self) -> Blocks:
        """The hands of the matches in blocks, about 40 a match."""
        return Blocks.some(self.material.hands, float(np.median(self.material.hands)))

    @property
    def permutations(self) -> int:
        """The number of permutations of a test."""
        players = len(self.material.players)
        return permutations_for(players * (players - 1), self.detectors)

    def by_block(self, value: Floats) -> Floats:
        """(B, N, N) the sum of a value (A, N) over each block, by seats of the actor and the player concerned."""
        d = self.material.decisions
        seats = value.shape[1]
        total = np.zeros((len(self.blocks.match), seats, seats))
        np.add.at(total, (self.blocks.of(d), d.seat.astype(np.int64)), value)
        return total

    def apart(self, value: Floats, salt: int) -> Pairs:
        """Whether a value (A, N) by player concerned is larger for one companion than its players explain, by (k, j).

        Where k and j always sit together the table itself has to tell: `beyond_additive`, four and more at a table.
        Otherwise `additive.Tables` predicts the value from the tables that do not seat both.
        """
        whole = self.blocks.is_whole
        values = self.by_block(value)[whole] / self.blocks.size[whole, None, None]
        seats = self.material.seats[self.blocks.match[whole]]
        seed = seed_of(self.seed, salt, 0, 0)
        return beyond_additive(values, seats, self.permutations, seed) | Tables.of(values, seats).beyond(seed)

    def evidence(
        self,
        detector: str,
        pair: tuple[int, int],
        tested: Contrast,
        weight: Floats,
        **said: Unpack[Said],
    ) -> Evidence:
        """`evidence_of` a pair; weight (A, N): what each decision adds for each seat, to choose hands to show."""
        where, seat = seats_with(self.material.decisions, *pair)
        weight, hands = weight[where, seat], self.material.hands_of_pair[pair]
        return evidence_of(self.material, detector, pair, tested, hands, where, weight, **said)


COALITION = "coalition"
SQUEEZE = "squeeze"
_LEAST_PLAYERS: Final = 4
_DETECTORS: Final = 6


def _benefit(ring: Ring) -> Floats:
    """(A, N) the benefit of each decision for each seat in bb, less that of the player's usual play.

    A fold passes its share of the pot to the others. Chips put in are won by the others in proportion to their shares,
    less what they have to call. After Mazrooei, Archibald and Bowling (2013), with the check-down as the value. The
    actor loses what the others gain.
    """
    d = ring.material.decisions
    rows, pot, call = np.arange(len(d)), d.pot[:, None], d.to_call[:, None]

    def attack(added: Floats) -> Floats:
        chips = added[:, None]
        return np.asarray(
            (d.shares * (2 * chips - call) - (chips - call)) * (chips > 0) * ring.is_in, np.float64
        )

    usual = attack(usual_raise(d))
    worth = np.stack(((d.after - d.shares) * pot * ring.is_in, d.shares * call * ring.is_in, usual), 2)
    attacks = d.kind == ATTACKS
    done = np.where(attacks[:, None], attack(np.where(attacks, d.added, 0.0)), worth[rows, :, d.kind])
    gain = bounded(done - (worth * ring.usual[:, None, :]).sum(2), np.ptp(worth.sum(1), 1))
    gain[rows, d.seat] = -gain.sum(1)
    return gain


def look(material: Material, seed: int) -> dict[str, list[Evidence]]:
    """Evidence by detector; none if fewer than four players met, because there is no comparison.

    Each detector compares play while a companion is in the hand with play at tables without it (`Ring.apart`).

    coalition          C(j, k): the benefit above, for the companion
    directed transfer  what the decisions lose, whichever other player gains it
    soft play          missing bets and raises, in both directions: the larger p of the two
    squeeze            bets and raises while a third player is in, less those once the two are alone, in both
                       directions: the larger p of the two
    hidden cards       correlation of decisions with the companion's cards, of either sign, beyond own cards and the
                       betting; the companion's strength is also permuted within a situation
    """
    if len(material.players) < _LEAST_PLAYERS:
        return {}
    ring = Ring(material, _DETECTORS, seed)
    benefit = _benefit(ring)
    return {
        COALITION: list(_coalition(ring, benefit)),
        heads_up.TRANSFER: list(_transfer(ring, benefit)),
        heads_up.SOFT_PLAY: list(_soft_play(ring)),
        SQUEEZE: list(_squeeze(ring)),
        heads_up.HIDDEN_CARDS: list(_hidden_cards(ring, benefit)),
    }


def _a_hand(ring: Ring, value: Floats, pair: tuple[int, int]) -> float:
    """A value (A, N) per hand, summed over the decisions of the first of a pair with the second at the table."""
    where, seat = seats_with(ring.material.decisions, *pair)
    return float(value[where, seat].sum() / ring.material.hands_of_pair[pair])


def _coalition(ring: Ring, benefit: Floats) -> Iterator[Evidence]:
    seats = ring.material.seats[ring.blocks.match]
    table = CollusionTable.of(ring.by_block(benefit), seats, ring.blocks.size)
    for_others = np.where(ring.is_in, benefit, 0.0)
    for pair, test in ring.apart(for_others, 1).items():
        explained = (
            ("bb a hand that its decisions do for the other in all", table.by[pair[0]][pair[1]]),
            ("it helps every companion: bb a hand for each of the others", table.for_others(*pair)),
            ("the other direction: bb a hand", table.by[pair[1]][pair[0]]),
        )
        measures = table.measures(*pair)
        yield ring.evidence(COALITION, pair, test, benefit, explanations=explained, measures=measures)


def _transfer(ring: Ring, benefit: Floats) -> Iterator[Evidence]:
    d = ring.material.decisions
    lost = -benefit[np.arange(len(d)), d.seat][:, None] * ring.is_in
    for pair, test in ring.apart(lost, 2).items():
        said = ("bb a hand that it loses this way with the other at the table", _a_hand(ring, lost, pair))
        yield ring.evidence(heads_up.TRANSFER, pair, test, lost, explanations=(said,))


def _more_attacks(ring: Ring) -> Floats:
    """(A,) bets and raises beyond the player's usual ones; 0 where none is possible."""
    d = ring.material.decisions
    more: Floats = ((d.kind == ATTACKS) - ring.usual[:, ATTACKS]) * (d.most > 0)
    return more


def _soft_play(ring: Ring) -> Iterator[Evidence]:
    missing: Floats = -_more_attacks(ring)[:, None] * ring.is_in
    yield from _of_both(ring, heads_up.SOFT_PLAY, missing, 3)


def _squeeze(ring: Ring) -> Iterator[Evidence]:
    """Both press while a third player is in and spare each other once it has folded: in `_soft_play` these cancel."""
    sign = np.where(ring.live > 2, 1.0, -1.0)
    pressed: Floats = (_more_attacks(ring) * sign)[:, None] * ring.is_in
    yield from _of_both(ring, SQUEEZE, pressed, 5)


def _of_both(ring: Ring, detector: str, value: Floats, salt: int) -> Iterator[Evidence]:
    """A value (A, N) by player concerned that both directions of a pair must show: the larger p of the two."""
    tested = ring.apart(value, salt)
    for (one, other), test in tested.items():
        back = tested.get((other, one))
        if one > other or back is None:
            continue
        explained = (("only one of them adapts: the smaller p of the two directions", min(test.p, back.p)),)
        yield ring.evidence(detector, (one, other), of_both(test, back), value, explanations=explained)


def _hidden_cards(ring: Ring, benefit: Floats) -> Iterator[Evidence]:
    d = ring.material.decisions
    score = (d.kind == ATTACKS).astype(np.float64) - (d.kind == FOLDS)
    score -= ring.usual[:, ATTACKS] - ring.usual[:, FOLDS]
    strength: Floats = np.zeros((len(d), d.own.shape[1]))
    for seat in range(strength.shape[1]):
        strength[:, seat] = centred(d.own[:, seat].astype(np.float64), ring.key_of(d.others[:, seat]))
    # Strengths vary less before the flop than after it, but carry as much information.
    squares = (strength**2 * ring.is_in).sum(1) / np.maximum(ring.is_in.sum(1), 1)
    deviation = np.sqrt(np.bincount(d.street, squares) / np.maximum(np.bincount(d.street), 1))
    strength /= np.maximum(deviation, 1e-9)[d.street][:, None]
    product = score[:, None] * strength * ring.is_in
    up, down = (ring.apart(sign * product, 4) for sign in (1.0, -1.0))
    for pair, (sign, test) in either_way(up, down).items():
        where, seat_of = seats_with(d, *pair)
        within = within_cells(
            test, score[where], sign * strength[where, seat_of], ring.cell[where], ring.seed, pair
        )
        explained = (
            (CARDS_EXCHANGED, within),
            ("bb a hand that its decisions do for the other", _a_hand(ring, benefit, pair)),
        )
        yield ring.evidence(
            heads_up.HIDDEN_CARDS, pair, of_both_ways(test, within), sign * product, explanations=explained
        )
