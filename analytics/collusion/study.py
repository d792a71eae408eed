"""Heads-up decisions valued against the cards really held, in blocks of hands, and the test that compares opponents.

A decision is valued by a check-down: the pot goes to the showdown as it stands after the decision, and the opponent
folds to a raise as often as it usually does with such a hand. So neither chance nor the opponent's style counts: the
player's usual play is valued in the same spot against the same cards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Unpack

import numpy as np
from numpy.typing import NDArray

from ..settings import LEVEL
from .additive import Contrast, Spread, adjusted, apart, pooled
from .evidence import Evidence, Said, evidence_of, permutations_for, seed_of
from .material import ATTACKS, FOLDS, Decisions, Material
from .nulls import is_positive, stands_out

Floats = NDArray[np.float64]
Shares = NDArray[np.float32]

STRENGTHS: Final = 10
_FACED: Final = (0.0, 0.35, 0.75, 1.25)
FINELY: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1.1, 1.5, 2.0, 4.0)
"""Bounds between the sizes of a bet faced, in pots: a few for a situation, more for what a rare one is shrunk to."""
_PRIOR: Final = np.float32(4.0)
_MOST_BB: Final = 4.0


@dataclass(frozen=True)
class Valued:
    """Values of heads-up decisions.

    cell      number of the situation: street, position, bet faced, level, own strength, room to raise
    usual     (A, 3) frequencies of fold, pass and attack in that situation, against all opponents
    fair      (A, 3) the same among decisions against opposing cards of equal strength, which the player does not see:
              its play cannot depend on them, so differences finer than its own strength affect both sides alike
    worth     (A, 3) value in bb of a fold (0), a pass and an attack
    gain      value of the decision less that of the fair play, in bb; spots with more than 4 bb at stake count as 4
    sense     the same with the average value of such a hand in that spot against that opponent, not of the hand really
              held: the player cannot see it, and the average has less variance
    strength  own equity against unseen hands; odds: the equity that pays for the call
    ahead     share of showdowns won against the hand really held
    """

    cell: NDArray[np.int64]
    usual: Shares
    fair: Shares
    worth: Shares
    gain: Floats
    sense: Floats
    strength: Floats
    odds: Floats
    ahead: Floats


def facing(d: Decisions, edges: tuple[float, ...] = _FACED) -> NDArray[np.int64]:
    """0 if a check is possible, else the number of edges that the size of the bet in pots is above."""
    share = d.to_call / np.maximum(d.pot - d.to_call, 0.1)
    return np.where(d.to_call > 0, np.searchsorted(np.array(edges), share, side="left"), 0).astype(np.int64)


def opponents(d: Decisions) -> NDArray[np.int64]:
    """The opponent in a heads-up game."""
    other: NDArray[np.int64] = d.others[np.arange(len(d)), 1 - d.seat].astype(np.int64)
    return other


def own_of(d: Decisions) -> Floats:
    """The actor's own strength."""
    own: Floats = d.own[np.arange(len(d)), d.seat].astype(np.float64)
    return own


def spots(d: Decisions) -> NDArray[np.int64]:
    """The public situation and the room to raise, without the own hand: below 400 a position."""
    level = np.minimum(d.level, 3)
    public = ((d.street * 4 + level) * 5 + facing(d)) * 2 + (d.most > 0)
    return (d.position.astype(np.int64) * 160 + public).astype(np.int64)


def centred(value: Floats, key: NDArray[np.int64]) -> Floats:
    """A value less its mean over the decisions with the same key."""
    _, at = np.unique(key, return_inverse=True)
    apart: Floats = value - (np.bincount(at, value) / np.maximum(np.bincount(at), 1))[at]
    return apart


def frequencies(key: NDArray[np.int64], kind: NDArray[Any], kinds: int = 3) -> Shares:
    """(A, kinds) the number of decisions of each kind (folds, passes, attacks) with the same key."""
    _, at = np.unique(key, return_inverse=True)
    size = kinds * (int(at.max(initial=-1)) + 1)
    counts = np.bincount(at * kinds + kind, minlength=size).reshape(-1, kinds)
    # float32 halves the memory: there may be millions of decisions.
    shares: Shares = counts.astype(np.float32)[at]
    return shares


def usual_play(
    player: NDArray[np.int64],
    spot: NDArray[np.int64],
    own: Floats,
    d: Decisions,
    between: Sequence[NDArray[np.int64]] = (),
) -> Shares:
    """(A, 3) a player's decisions in a situation; rare situations are shrunk to its general play with such a hand.

    between  (A,) coarser situations, the coarsest first, to which those rare are shrunk in turn
    """
    level = np.minimum((own * STRENGTHS).astype(np.int64), STRENGTHS - 1)
    broad = frequencies(((player * 5 + facing(d)) * 2 + (d.most > 0)) * STRENGTHS + level, d.kind)
    play: Shares = broad / broad.sum(1, keepdims=True)
    for each in (*between, spot):
        fine = frequencies((player * 100_000 + each) * STRENGTHS + level, d.kind)
        play = (fine + _PRIOR * play) / (fine.sum(1, keepdims=True) + _PRIOR)
    return play


def fair_play(
    usual: Shares,
    player: NDArray[np.int64],
    spot: NDArray[np.int64],
    own: Floats,
    ahead: Floats,
    d: Decisions,
) -> Shares:
    """(A, 3) `Valued.fair`; rare situations are shrunk to the usual play."""
    level = np.minimum((own * STRENGTHS).astype(np.int64), STRENGTHS - 1)
    fifth = np.minimum((ahead * 5).astype(np.int64), 4)
    fine = frequencies(((player * 100_000 + spot) * STRENGTHS + level) * 5 + fifth, d.kind)
    play: Shares = (fine + _PRIOR * usual) / (fine.sum(1, keepdims=True) + _PRIOR)
    return play


def _mean_by(
    key: NDArray[np.int64], value: Floats, where: NDArray[np.bool_], prior: float | Floats, weight: float
) -> Floats:
    """The mean of `value` over the decisions `where`, by key; `prior` counts as `weight` decisions."""
    size = int(key.max(initial=-1)) + 1
    total = np.bincount(key[where], value[where], size)[key]
    count = np.bincount(key[where], minlength=size)[key]
    means: Floats = (total + prior * weight) / (count + weight)
    return means


def _lean(broad: Floats, key: NDArray[np.intp], value: Floats) -> Floats:
    """The mean of a value by key, shrunk to the broad mean with the weight of ten decisions."""
    total, count = np.bincount(key, value), np.bincount(key)
    leaning: Floats = (total[key] + 10.0 * broad) / (count[key] + 10.0)
    return leaning


def usual_raise(d: Decisions) -> Floats:
    """(A,) chips that a bet or raise of the player's usual size adds, 0 where none is possible.

    The size is a share of the pot, by street and bet faced: a player that raises more after an overbet, and meets
    overbets from one opponent, would else lose to that one by raises as frequent as ever. Where all bets and raises are
    the largest there is, as at a fixed limit, this is the size.
    """
    attacks, call, pot = d.kind == ATTACKS, d.to_call.astype(np.float64), d.pot.astype(np.float64)
    most = d.most.astype(np.float64)
    if attacks.any() and np.allclose(d.added[attacks], most[attacks]):
        return most
    share = (d.added - call) / np.maximum(pot + call, 0.1)
    street = d.player.astype(np.int64) * 4 + d.street
    usual = _mean_by(street, share, attacks, 0.6, 5.0)
    usual = _mean_by(street * 5 + facing(d), share, attacks, usual, 5.0)
    size: Floats = np.minimum(call + usual * (pot + call), most)
    return size


def bounded(gain: Floats, stake: Floats | Shares) -> Floats:
    """Gains in bb of decisions in which so many bb are at stake: more than `_MOST_BB` at stake count as that many.

    gain: (A, ...); stake: (A,), known before the decision, so big pots count less for every decision
    """
    part = np.minimum(1.0, _MOST_BB / np.maximum(stake, 0.1))
    found: Floats = np.clip(gain * part.reshape(-1, *[1] * (gain.ndim - 1)), -2 * _MOST_BB, 2 * _MOST_BB)
    return found


def valued(material: Material) -> Valued:
    """The decisions of a heads-up game, valued."""
    d = material.decisions
    rows = np.arange(len(d))
    player, other = d.player.astype(np.int64), opponents(d)
    own, ahead = own_of(d), d.shares[rows, d.seat].astype(np.float64)
    theirs = d.own[rows, 1 - d.seat].astype(np.float64)
    spot = spots(d)
    usual = usual_play(player, spot, own, d)
    fair = fair_play(usual, player, spot, own, ahead, d)
    call, pot = d.to_call.astype(np.float64), d.pot.astype(np.float64)
    # How often each player folds a hand of such strength to a raise.
    pressed = (d.to_call > 0) & (d.level + d.street > 1)
    fifth = np.minimum((own * 5).astype(np.int64), 4)
    their_fifth = np.minimum((theirs * 5).astype(np.int64), 4)
    fold = (d.kind == FOLDS).astype(np.float64)
    key = np.concatenate(((player * 4 + d.street) * 5 + fifth, (other * 4 + d.street) * 5 + their_fifth))
    twice = np.concatenate((pressed, np.zeros(len(d), np.bool_)))
    gives_up = _mean_by(key, np.concatenate((fold, fold)), twice, 0.4, 5.0)[len(d) :]
    attacks = d.kind == ATTACKS
    added = np.maximum(usual_raise(d), call)
    done = np.where(attacks, d.added, added)

    def gained(share: Floats, gives_up: Floats, play: Shares) -> tuple[Shares, Floats]:
        def attack(chips: Floats) -> Floats:
            called = share * (pot + 2 * chips - call) - chips
            return np.asarray(gives_up * pot + (1 - gives_up) * called, np.float64)

        worth = np.stack((np.zeros(len(d)), share * (pot + call) - call, attack(added)), 1).astype(np.float32)
        taken = np.where(attacks, attack(done), worth[rows, d.kind])
        return worth, bounded(taken - (play * worth).sum(1), worth.max(1) - worth.min(1))

    worth, gain = gained(ahead, gives_up, fair)
    pair = player * (int(player.max(initial=0)) + 1) + other
    every = np.ones(len(d), np.bool_)
    level = np.minimum((own * STRENGTHS).astype(np.int64), STRENGTHS - 1)
    _, here = np.unique((pair * 400 + spot) * STRENGTHS + level, return_inverse=True)
    _, broad = np.unique((pair * 4 + d.street) * STRENGTHS + level, return_inverse=True)
    mean_ahead = _lean(_mean_by(broad, ahead, every, 0.5, 1.0), here, ahead)
    mean_fold = _lean(_mean_by(broad, gives_up, every, 0.4, 1.0), here, gives_up)
    _, sense = gained(mean_ahead, mean_fold, usual)
    odds = call / np.maximum(pot + call, 0.1)
    return Valued(spot * STRENGTHS + level, usual, fair, worth, gain, sense, own, odds, ahead)


_MOST: Final = 25
_LEAST: Final = 5
_WANTED: Final = 40


@dataclass(frozen=True)
class Blocks:
    """The hands of each match in blocks of consecutive hands, numbered over all matches: the units of permutation.

    hands    (M,) hands of each match
    length   hands in a block; the last block of a match may be shorter
    """

    hands: NDArray[np.int64]
    length: int

    @classmethod
    def some(cls, hands: NDArray[np.int64], typical: float) -> "Blocks":
        """Blocks of 5 to 25 hands, so that `typical` hands make about 40 blocks."""
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
        """(B,) the number of each block within its match."""
        place: NDArray[np.int64] = np.arange(self._first[-1]) - self._first[self.match]
        return place

    @cached_property
    def size(self) -> NDArray[np.int64]:
        """(B,) the number of hands in each block."""
        left: NDArray[np.int64] = self.hands[self.match] - self.place * self.length
        return np.minimum(left, self.length)

    @cached_property
    def is_whole(self) -> NDArray[np.bool_]:
        """(B,) whether the block has at least half of the full length."""
        whole: NDArray[np.bool_] = self.size * 2 >= self.length
        return whole

    def of(self, decisions: Decisions) -> NDArray[np.int64]:
        """(A,) the block of each decision."""
        block: NDArray[np.int64] = self._first[decisions.match] + decisions.place // self.length
        return block


@dataclass(frozen=True)
class Study:
    """A heads-up material with its valued decisions.

    detectors  number of detectors, for which p values are corrected
    seed       seed of the permutations
    """

    material: Material
    worth: Valued
    detectors: int
    seed: int = 0

    @cached_property
    def blocks(self) -> Blocks:
        """The hands of the matches in blocks, about 40 a pair."""
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
        """(A,) the opponent of each decision."""
        return opponents(self.material.decisions)

    @cached_property
    def permutations(self) -> int:
        """The number of permutations of a test."""
        return permutations_for(len(self.material.hands_of_pair), self.detectors)

    def by_block(self, value: Floats) -> Floats:
        """(B, 2) a value per hand, by block and seat; NaN for blocks of less than half the length."""
        d = self.material.decisions
        total = np.bincount(self.block * 2 + d.seat, value, 2 * len(self.blocks.match)).reshape(-1, 2)
        means: Floats = np.where(self.blocks.is_whole[:, None], total / self.blocks.size[:, None], np.nan)
        return means

    def per_opponent(
        self, value: Floats, keep: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None = None
    ) -> dict[int, dict[int, Floats]]:
        """The block means of a value by player and opponent, in the order of play.

        keep: selects blocks by their number within the match; without it all count.
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

    def apart(
        self, blocks: dict[int, dict[int, Floats]], absolute: bool, salt: int
    ) -> dict[tuple[int, int], Contrast]:
        """For every pair, whether a player's blocks against one opponent are larger than against the others.

        What all others give to an opponent is subtracted (`additive`), then blocks are permuted among the opponents.
        The variance between opponents, as of a player that adapts or tilts, is allowed for. p is the larger one of the
        permutation and of Student's t, which the interval goes by. absolute: the blocks must also be above 0, tested by
        flipping signs.
        """
        beyond = adjusted(blocks)
        spreads: dict[int, list[Spread]] = {}
        for (one, _), each in beyond.items():
            spreads.setdefault(one, []).append(Spread.of([each.picked, *each.rest]))
        usual = {one: Spread.mean(some) for one, some in spreads.items()}
        found = {}
        for (one, other), each in beyond.items():
            # Neither the pair's own blocks nor what the other does, which may be the same plan.
            own = Spread.of(each.rest)
            between = pooled(own, [usual[k] for k in usual if k not in (one, other)])
            if between is None:
                continue
            granted = each.granted(between)
            others = np.concatenate(each.rest)
            # A plan that always does the same varies less than play: that must not make it surer.
            tested = apart(each.picked, others, granted, own.within)
            seed = seed_of(self.seed, salt, one, other)
            if tested.p < 1:
                whole, picked = np.concatenate([each.picked, others]), len(each.picked)
                permuted = stands_out(whole, picked, granted.variance, self.permutations, seed)
                tested = tested.at_least(permuted.p)
            if absolute and tested.p < LEVEL:
                positive = is_positive(blocks[one][other], self.permutations, seed + 1)
                tested = tested.at_least(positive.p)
            found[one, other] = tested
        return found

    def evidence(
        self,
        detector: str,
        pair: tuple[int, int],
        tested: Contrast,
        weight: Floats,
        **said: Unpack[Said],
    ) -> Evidence:
        """`evidence_of` a pair; weight (A,): what each decision adds, to choose the hands that show it most."""
        where = np.flatnonzero((self.material.decisions.player == pair[0]) & (self.other == pair[1]))
        hands = self.material.hands_of_pair[pair]
        return evidence_of(self.material, detector, pair, tested, hands, where, weight[where], **said)
