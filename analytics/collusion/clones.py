"""Clones: two names that decide alike in every situation in which other players differ."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ...replay.games import HOLDEM_STREETS
from .evidence import Alike, Evidence
from .material import ATTACKS, FOLDS, Decisions, Material
from .study import Floats, facing, own_of

NAME = "clones"
INDEPENDENT = "likeness of two other players of the event, on average"
_BINS = 24
_LEAST = 20
_TELLING = 2.0
_SITUATIONS = 200
_COMMON = 20
_FLOOR = 0.05
_TOLERATED = 4.0
_PARTS = 20
_SIZES = 300
_STEP = 0.01
_HALVES = 50
_SURE = 0.65
_MANY = 30.0
_ALL = 0.9
_SHOWN = 3


def _situations(material: Material) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(A,) fine and rough situations with the own hand: its class before the flop, its strength after it.

    Rough situations hold more decisions, so that slightly different thresholds show.
    """
    d = material.decisions
    own = own_of(d)
    after = d.street > 0
    _, before = np.unique(own, return_inverse=True)

    def strengths(bins: int) -> NDArray[np.int64]:
        edges = np.quantile(own[after], np.linspace(0, 1, bins + 1)[1:-1]) if after.any() else np.zeros(0)
        return np.where(after, np.searchsorted(edges, own), before).astype(np.int64)

    classes = int(before.max(initial=0)) + 2 * _BINS
    faces = np.minimum(facing(d), 3)
    spot = ((d.street.astype(np.int64) * 2 + (d.position > 0)) * 4 + faces) * 3 + np.minimum(d.level, 2)
    rough = (after * 4 + faces) * 2 + (d.level > 1)
    ranks = (
        np.searchsorted(np.quantile(own[~after], np.linspace(0, 1, 2 * _BINS)), own)
        if (~after).any()
        else own
    )
    coarse = np.where(after, strengths(2 * _BINS), ranks).astype(np.int64)
    return spot * classes + strengths(_BINS), rough * classes + coarse


def _policies(
    key: NDArray[np.int64], answer: NDArray[np.int64], player: NDArray[np.int16], players: int, answers: int
) -> Floats:
    """(players, situations, answers) counts."""
    _, at = np.unique(key, return_inverse=True)
    count = int(at.max(initial=-1)) + 1
    flat = (player.astype(np.int64) * count + at) * answers + answer
    counts = np.bincount(flat, minlength=players * count * answers).astype(np.float64)
    return counts.reshape(players, count, answers)


def _misfit(one: Floats, two: Floats, part: float) -> float:
    """How far the first is from doing `part` of what the second does in every situation, in standard errors.

    A player that plays like the other in a part of its hands does at least that part of what the other does, in every
    situation. The shortfalls, in standard errors, are squared and added up; half of them are above zero by chance.
    """
    n, m = one.sum(1), two.sum(1)
    enough = (n >= _LEAST) & (m >= _LEAST)
    one, two, n, m = one[enough], two[enough], n[enough, None], m[enough, None]
    if not len(n):
        return 0.0
    smooth, smooth_other = (one + 0.5) / (n + 1.5), (two + 0.5) / (m + 1.5)
    error = smooth * (1 - smooth) / n + part**2 * smooth_other * (1 - smooth_other) / m
    missing = np.maximum(part * two / m - one / n, 0.0) ** 2 / error
    # Answers that both always or never give carry no information and no variance.
    pooled, least = (one + two) / (n + m), np.minimum(n, m)
    telling = (pooled * least >= _TELLING) & ((1 - pooled) * least >= _TELLING)
    # The answers of a situation add up to one; a square above zero by chance is 1 / 2 on average, variance 5 / 4.
    free = float((telling.sum(1) - telling.all(1)).clip(0).sum())
    if free < 1:
        return 0.0
    return float((missing[telling].sum() - free / 2) / np.sqrt(1.25 * free))


def _alphabets(material: Material) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Which decisions are raises of a chosen size, precise to a hundredth of the pot, and their sizes in hundredths."""
    d = material.decisions
    whole = d.pot + d.to_call
    # Chips are whole. About the chips in a bb: raise_to is in chips, added in bb; more if chips were in before.
    unit = np.median(d.raise_to[d.raise_to > 0] / np.maximum(d.added[d.raise_to > 0], 0.1)) if len(d) else 1.0
    share = (d.added - d.to_call) / np.maximum(whole, 0.1)
    chosen = (d.kind == ATTACKS) & (d.added < d.most) & (whole * max(float(unit), 1.0) >= 1 / _STEP / 2)
    size = np.clip(np.round(share / _STEP), 0, _SIZES - 1).astype(np.int64)
    return chosen, size


def _from_itself(halves: Floats) -> tuple[float, ...]:
    """How far each player is from itself; halves: rows of one half of its hands and the other in turn."""
    return tuple(max(_misfit(one, two, 1.0), 0.0) for one, two in zip(halves[::2], halves[1::2], strict=True))


@dataclass(frozen=True)
class _Ways:
    """How the players decide in situations of one kind.

    at       (A,) the situation; acts (players, situations, 3) counts
    itself   how far each player is from itself: one half of its hands from the other
    """

    at: NDArray[np.intp]
    acts: Floats
    itself: tuple[float, ...]

    @classmethod
    def of(cls, material: Material, key: NDArray[np.int64]) -> "_Ways":
        d, players = material.decisions, len(material.players)
        _, at = np.unique(key, return_inverse=True)
        kind = d.kind.astype(np.int64)
        halves = _policies(at, kind, d.player * 2 + d.place // _HALVES % 2, 2 * players, 3)
        return cls(at, _policies(at, kind, d.player, players, 3), _from_itself(halves))

    def apart(self, material: Material, one: int, two: int) -> Floats:
        """Decisions of the first against all but the second, so that both met the same opponents."""
        d = material.decisions
        mine: Floats = self.acts[one]
        if material.seats.shape[1] > 2:
            return mine
        where = (d.player == one) & (d.others[np.arange(len(d)), 1 - d.seat] == two)
        met = np.bincount(self.at[where] * 3 + d.kind[where], minlength=mine.size)
        rest: Floats = mine - met.reshape(mine.shape)
        return rest

    def common(self, material: Material, one: int, two: int) -> int:
        """The number of situations in which both decided often enough against others."""
        mine, theirs = self.apart(material, one, two).sum(1), self.apart(material, two, one).sum(1)
        return int(((mine >= _LEAST) & (theirs >= _LEAST)).sum())

    def part(self, material: Material, one: int, two: int) -> float:
        """The largest part in which either could be playing like the other, given how each differs from itself."""
        granted = _TOLERATED + 2 * max(self.itself[one], self.itself[two])
        return _part(self.apart(material, one, two), self.apart(material, two, one), granted)


def _decided(acts: Floats) -> float:
    """How often a player does what it mostly does in a situation."""
    n = acts.sum(1)
    return float(acts.max(1)[n >= _LEAST].sum() / max(n[n >= _LEAST].sum(), 1))


def _sizes_used(counts: Floats) -> float:
    """The effective number of bet sizes of a player: the exponential of the entropy."""
    shares = counts[counts > 0] / max(counts.sum(), 1)
    return float(np.exp(-(shares * np.log(shares)).sum()))


def _near(one: Floats, two: Floats) -> float:
    """The share of one player's sizes within two hundredths of a size of the other."""
    used = (two > 0.02 * two.sum()).astype(np.float64)
    return float(one[np.convolve(used, np.ones(5), "same") > 0].sum() / max(one.sum(), 1))


def _part(one: Floats, two: Floats, granted: float) -> float:
    """The largest part, in twentieths, in which either could be playing like the other.

    A larger part has larger shortfalls, so a binary search finds the largest.
    """
    low, high = 0, _PARTS
    while low < high:
        middle = (low + high + 1) // 2
        part = middle / _PARTS
        if min(_misfit(one, two, part), _misfit(two, one, part)) <= granted:
            low = middle
        else:
            high = middle - 1
    return low / _PARTS


def likeness(material: Material) -> Floats:
    """(players, players) the part of hands in which either could be playing like the other, 0 to 1.

    It is the largest part such that a player does that part of what the other does in every situation, and bets that
    part of the other's sizes, given how one player differs from itself. NaN if two players were too seldom in the same
    situations against others. If nearly all sizes coincide, as among players of one starter code, or none are chosen,
    as in limit games, only identical play counts: 1 or 0.
    """
    players = len(material.players)
    d = material.decisions
    ways = [_Ways.of(material, key) for key in _situations(material)]
    if (ways[0].acts.sum((0, 2)) >= _LEAST).sum() < _SITUATIONS:
        # In small games such as Kuhn honest players are alike anyway.
        return np.zeros((players, players))
    chosen, size = _alphabets(material)
    one_key, d_sizes = np.zeros(int(chosen.sum()), np.int64), size[chosen]
    sizes = _policies(one_key, d_sizes, d.player[chosen], players, _SIZES)
    half = d.player[chosen] * 2 + d.place[chosen] // _HALVES % 2
    of_itself = _from_itself(_policies(one_key, d_sizes, half, 2 * players, _SIZES))
    has_sizes = chosen.any() and len(np.unique(size[chosen])) > 3
    found = np.zeros((players, players))
    for one, two in combinations(range(players), 2):
        # Rough situations: in a small event fine ones are rarely met 20 times.
        if ways[-1].common(material, one, two) < _COMMON:
            found[one, two] = found[two, one] = np.nan
            continue
        part = min(way.part(material, one, two) for way in ways)
        bets = (
            _part(sizes[one], sizes[two], _TOLERATED + 2 * max(of_itself[one], of_itself[two]))
            if has_sizes
            else 1.0
        )
        # A player that acts or bets at random does a part of what any player does.
        vague = min(_decided(ways[0].acts[one]), _decided(ways[0].acts[two])) < _SURE
        if has_sizes:
            vague = vague or max(_sizes_used(sizes[one, 0]), _sizes_used(sizes[two, 0])) > _MANY
        whole = float(part == 1) * float(bets == 1)
        shared = (
            not has_sizes
            or min(_near(sizes[one, 0], sizes[two, 0]), _near(sizes[two, 0], sizes[one, 0])) > _ALL
        )
        found[one, two] = found[two, one] = whole if vague or shared else min(part, bets)
    return found


def look(material: Material) -> list[Evidence]:
    """Clones: whether two players are alike in every situation, compared with all other pairs.

    Statistic: `likeness`, less that of a third player: the largest over all others of the smaller of its likeness to
    the one and to the other. A third player that is like only one of them, by a shared bet size for example, explains
    nothing. Null: that figure of all other pairs, by Student's t with a standard deviation of at least 0.05: with few
    players p cannot be small. Pairs that cannot be compared are left out. A shared starter code makes players alike in
    some situations, not in all; the result shows likeness, not intent.
    """
    players = len(material.players)
    if players < 4:
        return []
    like = likeness(material)
    pairs = [pair for pair in combinations(range(players), 2) if not np.isnan(like[pair])]
    if len(pairs) < 3:
        return []
    like = np.nan_to_num(like)
    gaps = []
    for one, two in pairs:
        rest = [k for k in range(players) if k not in (one, two)]
        gaps.append(like[one, two] - np.minimum(like[one, rest], like[two, rest]).max())
    values = np.array(gaps)
    answers = _Answers.of(material)
    found = []
    for k, (one, two) in enumerate(pairs):
        rest_gaps = np.maximum(np.delete(values, k), 0.0)
        n = len(rest_gaps)
        deviation = max(float(rest_gaps.std(ddof=1)), _FLOOR) * np.sqrt(1 + 1 / n)
        score = (values[k] - float(rest_gaps.mean())) / deviation
        p = float(stats.t.sf(score, n - 1))
        others = [like[pair] for n, pair in enumerate(pairs) if n != k]
        explained = (
            ("likeness of a third player to both", float(like[one, two] - values[k])),
            (INDEPENDENT, float(np.mean(others))),
        )
        alike = _alike(material, answers, one, two) if like[one, two] > 0 else ()
        found.append(
            Evidence(
                NAME,
                one,
                two,
                p,
                float(score),
                float(like[one, two]),
                min(material.hands_of[one], material.hands_of[two]),
                tuple(hand for pair in alike for hand in pair[:2]),
                explained,
                alike=alike,
            )
        )
    return found


def _said(d: Decisions, k: int, size: int) -> str:
    street, kind = int(d.street[k]), int(d.kind[k])
    if kind == ATTACKS:
        did = f"raises by {size}% of the pot" if size else "bets or raises"
    elif kind == FOLDS:
        did = "folds"
    else:
        did = "calls" if d.to_call[k] > 0 else "checks"
    return f"{did} {HOLDEM_STREETS[street] if street == 0 else f'on the {HOLDEM_STREETS[street]}'}"


@dataclass(frozen=True)
class _Answers:
    """The fine situation of each decision, with the own hand, and the answer, with the size of a raise.

    situation, answer  (A,)
    """

    situation: NDArray[np.int64]
    answer: NDArray[np.int64]

    @classmethod
    def of(cls, material: Material) -> "_Answers":
        d = material.decisions
        chosen, size = _alphabets(material)
        _, situation = np.unique(_situations(material)[0], return_inverse=True)
        return cls(situation, d.kind.astype(np.int64) * _SIZES + np.where(chosen, size, 0))


def _alike(material: Material, answers: _Answers, one: int, two: int) -> tuple[Alike, ...]:
    """Hands in which both do the same in a situation in which others act differently.

    Only situations that both were in at least twice. Answers are ordered by their share beyond that of the others times
    the root of their number; a raise of one size is more specific and counts twice. No hand is named twice.
    """
    d = material.decisions
    count = int(answers.situation.max(initial=-1)) + 1
    key = answers.situation * (3 * _SIZES) + answers.answer
    codes, at = np.unique(key, return_inverse=True)
    where = codes // (3 * _SIZES)
    mine, theirs = d.player == one, d.player == two

    def share(who: NDArray[np.bool_], least: float) -> Floats:
        asked = np.bincount(answers.situation[who], minlength=count)[where]
        given = np.bincount(at[who], minlength=len(codes))
        shares: Floats = given / np.maximum(asked, 1) * (asked >= least)
        return shares

    often = np.sqrt(np.minimum(*(np.bincount(at[who], minlength=len(codes)) for who in (mine, theirs))))
    beyond = (np.minimum(share(mine, 2), share(theirs, 2)) - share(~(mine | theirs), 0)) * often
    beyond *= np.where(codes % _SIZES > 0, 2.0, 1.0)
    found: list[Alike] = []
    used: set[tuple[int, int]] = set()
    for place in np.argsort(-beyond, kind="stable")[: 4 * _SHOWN]:
        if beyond[place] <= 0 or len(found) == _SHOWN:
            break
        here = [np.flatnonzero(who & (at == place)) for who in (mine, theirs)]
        hands = [[(int(d.match[k]), int(d.hand[k])) for k in rows] for rows in here]
        pair = next(((a, b) for a in hands[0] for b in hands[1] if a != b and not {a, b} & used), None)
        if pair:
            found.append(Alike(*pair, _said(d, int(here[0][0]), int(codes[place] % _SIZES))))
            used.update(pair)
    return tuple(found)
