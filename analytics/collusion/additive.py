"""Additive effects of giving and receiving players: the transfers that each of two players explains by itself.

A player that loses to everybody is a giver, one to whom everybody loses is a receiver. A pair is evidence only beyond
both. Effects are fitted without the pair's own play, the variance between honest pairs beyond additive effects is
allowed for, and p, effect and interval come from one difference and its standard error.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ..settings import LEVEL

Floats = NDArray[np.float64]
Blocks = Mapping[int, Mapping[int, Floats]]
"""Values by block of hands, by player and opponent."""

_ROUNDS: Final = 10
_LEAST_BLOCKS: Final = 3
_NORMAL: Final = 1.4826
"""Standard deviations of a normal distribution in its median absolute deviation."""
_FLIPS: Final = 2_000
_RESOLVED: Final = 10
"""Sign flips as extreme as the data from which on their share is p; with fewer the t distribution gives it."""


class Contrast(NamedTuple):
    """A pair's value beyond what its players explain.

    score   in standard errors, those of chance and of honest differences between opponents; p: one-sided
    effect  in the unit of the value, a hand; margin: half of its 95% interval
    """

    score: float
    p: float
    effect: float
    margin: float

    def at_least(self, p: float) -> "Contrast":
        """The same with a larger p of a second test."""
        return self._replace(p=max(self.p, p))


def of_both(one: Contrast, two: Contrast) -> Contrast:
    """Two directions that must both show: the larger p, the sum of the effects."""
    return Contrast(
        min(one.score, two.score),
        max(one.p, two.p),
        one.effect + two.effect,
        float(np.hypot(one.margin, two.margin)),
    )


NOTHING: Final = Contrast(0.0, 1.0, 0.0, float("nan"))


class Granted(NamedTuple):
    """The variance allowed for honest differences, and the variance of its estimate."""

    variance: float
    unsure: float

    @classmethod
    def known_by(cls, variance: float, degrees: float) -> "Granted":
        """A variance estimated with so many degrees of freedom."""
        return cls(variance, 2 * variance**2 / max(degrees, 1))


NONE_GRANTED: Final = Granted(0.0, 0.0)


def contrast_of(effect: float, noise: float, degrees: float, granted: Granted) -> Contrast:
    """A difference tested by Student's t.

    noise, degrees   its variance by chance, with its degrees of freedom
    """
    variance = noise + granted.variance
    if not variance > 0:
        return Contrast(0.0, 1.0, effect, float("nan"))
    # Satterthwaite's degrees of freedom of a sum of variances.
    free = 2 * variance**2 / (2 * noise**2 / max(degrees, 1) + granted.unsure)
    error, score = float(np.sqrt(variance)), effect / float(np.sqrt(variance))
    return Contrast(
        score,
        max(float(stats.t.sf(score, free)), 1e-300),
        effect,
        float(stats.t.ppf(1 - LEVEL / 2, free)) * error,
    )


def apart(picked: Floats, rest: Floats, granted: Granted, least: float = 0.0) -> Contrast:
    """Whether some blocks have a larger mean than the rest, beyond a variance granted (`contrast_of`).

    least: the variance of the picked blocks is taken to be so large at least, as known as that of the rest
    """
    if min(len(picked), len(rest)) < _LEAST_BLOCKS:
        return NOTHING
    own, others = float(picked.var(ddof=1)), float(rest.var(ddof=1)) / len(rest)
    known = len(picked) if own >= least else len(rest)
    mine = max(own, least) / len(picked)
    if not mine + others > 0:
        return NOTHING
    degrees = (mine + others) ** 2 / (mine**2 / (known - 1) + others**2 / (len(rest) - 1))
    return contrast_of(float(picked.mean() - rest.mean()), mine + others, degrees, granted)


class Spread(NamedTuple):
    """How much the means of groups of blocks differ.

    between  the variance of the means beyond chance; below 0 where they differ by less than chance explains
    noise    their mean variance by chance; within: the mean variance of the blocks of a group
    degrees  groups less one
    """

    between: float
    noise: float
    within: float
    degrees: float

    @classmethod
    def of(cls, groups: Sequence[Floats]) -> "Spread":
        """The spread of the blocks of each group, without groups of fewer than three blocks."""
        usable = [values for values in groups if len(values) >= _LEAST_BLOCKS]
        if not usable:
            return cls(0.0, 0.0, 0.0, 0)
        variances = np.array([values.var(ddof=1) for values in usable])
        noise = float((variances / [len(values) for values in usable]).mean())
        means = np.array([values.mean() for values in usable])
        between = float(means.var(ddof=1)) - noise if len(usable) > 1 else 0.0
        return cls(between, noise, float(variances.mean()), len(usable) - 1)

    @classmethod
    def mean(cls, some: Sequence["Spread"]) -> "Spread":
        """The mean of several figures of the same groups."""
        return cls(*map(float, np.mean(some, axis=0)))

    def scaled(self, within: float) -> "Spread":
        """The same in the unit of a player whose blocks have another variance: who plays big pots differs by more."""
        unit = within / self.within
        return Spread(self.between * unit, self.noise * unit, within, self.degrees)


def pooled(own: Spread, others: Sequence[Spread]) -> Granted | None:
    """The variance between the opponents of an honest player, from its own spread and those of others, in its own unit.

    None where none is known. A spread below 0 counts as it is, so that the mean is that of the players. A player that
    differs more between its other opponents than players do is allowed its own.
    """
    spreads = [each.scaled(own.within) for each in (own, *others) if each.degrees > 0 and each.within > 0]
    degrees = sum(each.degrees for each in spreads)
    if not degrees > 0:
        return None
    mean = sum(each.between * each.degrees for each in spreads) / degrees
    between = max(mean, own.between, 0.0)
    unsure = sum(2 * each.degrees * (between + each.noise) ** 2 for each in spreads) / degrees**2
    return Granted(between, unsure)


@dataclass(frozen=True)
class Receivers:
    """The mean value of each player's blocks by opponent: what the leans of opponents are fitted on.

    giver, receiver, value, noise  (C,) codes, the mean of the blocks, and its variance by chance
    """

    giver: NDArray[np.int64]
    receiver: NDArray[np.int64]
    value: Floats
    noise: Floats

    @classmethod
    def of(cls, blocks: Blocks) -> "Receivers":
        """The receivers among all players who met several opponents."""
        cells = [
            (one, other, float(values.mean()), float(values.var(ddof=1)) / len(values))
            for one, by in blocks.items()
            if len(by) > 1
            for other, values in by.items()
            if len(values) >= _LEAST_BLOCKS
        ]
        columns = [np.array([cell[k] for cell in cells]) for k in range(4)]
        return cls(columns[0].astype(np.int64), columns[1].astype(np.int64), columns[2], columns[3])

    def leans(self, one: int, other: int) -> "Leans":
        """What all but one give to each player beyond what they give to others.

        Left out are what one gives, and what the other gives to it. Leans are shrunk by how much receivers differ
        beyond chance.
        """
        kept = (self.giver != one) & ~((self.giver == other) & (self.receiver == one))
        if not kept.any():
            return Leans({}, 0.0)
        value, noise = self.value[kept], self.noise[kept]
        _, giver = np.unique(self.giver[kept], return_inverse=True)
        names, receiver = np.unique(self.receiver[kept], return_inverse=True)
        count = np.bincount(receiver)
        # Medians: another pair with a plan must not show as a lean of its receiver.
        gives, lean = _medians(value, giver), np.zeros(len(count))
        for _ in range(_ROUNDS):
            lean = _medians(value - gives[giver], receiver)
            lean -= np.median(lean)
            gives = _medians(value - lean[receiver], giver)
        rest = value - gives[giver] - lean[receiver]
        free = len(value) - len(gives) - len(count) + 1
        # Honest pairs differ beyond additive effects: that part does not shrink with the hands of a cell.
        scale = float(np.median(np.abs(rest))) * _NORMAL
        apart = max(scale**2 * len(value) / free - float(np.median(noise)), 0.0) if free > 0 else 0.0
        error = (np.bincount(receiver, noise) / count + apart) / count * (np.pi / 2)
        usable, between = count > 1, 0.0
        if usable.sum() > 1:
            between = max(float(lean[usable].var(ddof=1) - error[usable].mean()), 0.0)
        part = between / np.maximum(between + error, 1e-300)
        found = zip(names.tolist(), (lean * part).tolist(), (error * part).tolist(), strict=True)
        return Leans({name: (mean, variance) for name, mean, variance in found}, between)


class Leans(NamedTuple):
    """By receiver the lean and the variance of its error; between: the variance between receivers beyond chance."""

    by: dict[int, tuple[float, float]]
    between: float

    def of(self, player: int) -> tuple[float, float]:
        """The lean of a player; one to whom nobody else gave may have any."""
        return self.by.get(player, (0.0, self.between))


def _mean_of(value: Floats, count: Floats, axis: int) -> Floats:
    """The mean by row or column over what counts; 1 where all is 0."""
    total = (value * (count > 0)).sum(axis) / np.maximum(count.sum(axis), 1)
    mean: Floats = np.where(total > 0, total, 1.0)
    return mean


def _shrunk(variance: Floats, count: Floats) -> Floats:
    """Variances, shrunk to their geometric mean as far as chance explains that they differ; count: values of each."""
    known = np.log(np.maximum(variance, 1e-300))
    mean, chance = float(known.mean()), float((2 / np.maximum(count, 1)).mean())
    between = max(float(known.var(ddof=1)) - chance, 0.0) if len(known) > 1 else 0.0
    shrunk: Floats = np.exp(mean + (known - mean) * (between / (between + chance)))
    return shrunk


def _medians(value: Floats, key: NDArray[np.intp]) -> Floats:
    """The median by key, which counts from 0 without a gap."""
    ordered = value[np.lexsort((value, key))]
    count = np.bincount(key)
    first = np.cumsum(count) - count
    middle: Floats = (ordered[first + (count - 1) // 2] + ordered[first + count // 2]) / 2
    return middle


class Adjusted(NamedTuple):
    """A player's blocks against one opponent and against each of the others, less what everybody gives to them.

    error  the variance that the leans add to the difference of the means
    """

    picked: Floats
    rest: list[Floats]
    error: float

    def granted(self, between: Granted) -> Granted:
        """What is allowed for the difference of the means, of a variance between opponents."""
        weight = 1 + 1 / len(self.rest)
        return Granted(between.variance * weight + self.error, between.unsure * weight**2)


def adjusted(blocks: Blocks) -> dict[tuple[int, int], Adjusted]:
    """The blocks of each player and opponent, less the leans of the receivers.

    Pairs of which one has met nobody else are left out: what the pair does, its players might do to all.
    """
    receivers, found = Receivers.of(blocks), {}
    for one, by in blocks.items():
        for other, picked in by.items():
            if len(by) < 2:
                continue
            leans = receivers.leans(one, other)
            if other not in leans.by:
                continue
            means = {name: leans.of(name) for name in by}
            rest = [values - means[name][0] for name, values in by.items() if name != other]
            error = means[other][1] + sum(means[name][1] for name in by if name != other) / len(rest) ** 2
            found[one, other] = Adjusted(picked - means[other][0], rest, error)
    return found


@dataclass(frozen=True)
class Tables:
    """Values by table, block and ordered pair: `beyond` tests a pair against what its players explain.

    tables  players of each table, ascending; values: (blocks, N, N) a hand, by player who acts and player concerned
    behind  (N, N, N - 1) of each table: the share of its blocks in which the one concerned sits 1, 2, ... seats behind
            the one who acts
    """

    tables: tuple[tuple[int, ...], ...]
    values: tuple[Floats, ...]
    behind: tuple[Floats, ...]

    @classmethod
    def of(cls, values: Floats, seats: NDArray[np.integer]) -> "Tables":
        """Tables of (U, N, N) values by unit and seats, with (U, N) players by seat, each once per table."""
        order = np.argsort(seats, 1)
        lineups = np.take_along_axis(seats, order, 1)
        by_player = np.take_along_axis(np.take_along_axis(values, order[:, :, None], 1), order[:, None, :], 2)
        kinds, which = np.unique(lineups, axis=0, return_inverse=True)
        enough = [k for k in range(len(kinds)) if (which.ravel() == k).sum() >= _LEAST_BLOCKS]
        between = (order[:, None, :] - order[:, :, None]) % order.shape[1]
        behind = (between[..., None] == np.arange(1, order.shape[1])).astype(np.float64)
        return cls(
            tuple(tuple(map(int, kinds[k])) for k in enough),
            tuple(by_player[which.ravel() == k] for k in enough),
            tuple(behind[which.ravel() == k].mean(0) for k in enough),
        )

    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of players at a table together, each once."""
        return sorted({pair for table in self.tables for pair in combinations(table, 2)})

    def beyond(self, salt: int = 0) -> dict[tuple[int, int], Contrast]:
        """Each ordered pair beyond what its two players, and their company, explain; none for what cannot be told.

        The model of a value is giver + receiver + the mean effect of the company at the table + the place of the one
        concerned, in seats behind the one who acts: players meet their neighbour in more hands. It is fitted on the
        tables that do not seat both, and predicts the value at those that do. Receivers, company and places are shrunk
        by how much they differ beyond chance. What is not predicted by tables without one of the two is left out.
        """
        rows = [(t, k, j) for t, table in enumerate(self.tables) for k, j in permutations(table, 2)]
        names = sorted({name for table in self.tables for name in table})
        place = {name: k for k, name in enumerate(names)}
        size, seats = len(names), len(self.tables[0]) if self.tables else 0
        if not rows:
            return {}
        unit = self._units(place)
        design = np.zeros((len(rows), 3 * size + seats - 1))
        for row, (t, k, j) in enumerate(rows):
            design[row, [place[k], size + place[j]]] = 1.0
            company = [place[name] for name in self.tables[t] if name not in (k, j)]
            if company:
                design[row, [2 * size + each for each in company]] = 1.0 / len(company)
            design[row, 3 * size :] = self.behind[t][self.tables[t].index(k), self.tables[t].index(j)]
        at = [
            np.array([row for row, (t, _, _) in enumerate(rows) if t == k]) for k in range(len(self.tables))
        ]
        lines = [
            np.stack(
                [
                    values[:, table.index(k), table.index(j)] / unit[place[k], place[j]]
                    for k, j in permutations(table, 2)
                ],
                1,
            )
            for table, values in zip(self.tables, self.values, strict=True)
        ]
        pair_of = np.array([place[k] * size + place[j] for _, k, j in rows])
        model = _Model(design, np.concatenate([line.mean(0) for line in lines]), lines, at, size, pair_of)
        found = {}
        for one, other in self.pairs():
            met = np.array([one in self.tables[t] and other in self.tables[t] for t, _, _ in rows])
            fitted = model.fit(~met)
            if fitted is None:
                continue
            for k, j in ((one, other), (other, one)):
                target = pair_of == place[k] * size + place[j]
                tested = fitted.test(target, np.random.default_rng([salt, k, j]))
                if tested is not None:
                    scale = float(unit[place[k], place[j]])
                    found[k, j] = tested._replace(effect=tested.effect * scale, margin=tested.margin * scale)
        return found

    def _units(self, place: Mapping[int, int]) -> Floats:
        """(N, N) the unit of a value by player who acts and player concerned: the standard deviation of its blocks.

        It is a product of one number of each player: who acts much, and who is in many hands, has larger effects.
        """
        size = len(place)
        squares, count = np.zeros((size, size)), np.zeros((size, size))
        for table, values in zip(self.tables, self.values, strict=True):
            at = np.ix_([place[name] for name in table], [place[name] for name in table])
            squares[at] += ((values - values.mean(0)) ** 2).sum(0)
            count[at] += len(values) - 1
        np.fill_diagonal(count, 0)
        acts, concerned = np.ones(size), np.ones(size)
        for _ in range(_ROUNDS):
            acts = _mean_of(squares / concerned, count, 1)
            concerned = _mean_of(squares / acts[:, None], count, 0)
        unit: Floats = np.sqrt(np.outer(_shrunk(acts, count.sum(1)), _shrunk(concerned, count.sum(0))))
        return unit


@dataclass(frozen=True)
class _Model:
    """Rows of values (mean of the blocks of a table) and their design.

    lines: (blocks, rows of the table) a table; size: number of players; pair: a number of the ordered pair of each row
    """

    design: Floats
    value: Floats
    lines: list[Floats]
    at: list[NDArray[np.int64]]
    size: int
    pair: NDArray[np.int64]

    @property
    def random(self) -> tuple[slice, slice, slice]:
        """The columns of receivers, of company and of places."""
        n = self.size
        return slice(n, 2 * n), slice(2 * n, 3 * n), slice(3 * n, None)

    @cached_property
    def shared(self) -> list[Floats]:
        """The covariance of the rows of each table."""
        return [np.cov(line.T) / len(line) for line in self.lines]

    def fit(self, kept: NDArray[np.bool_]) -> "_Fit | None":
        """The model fitted on some rows; None if they are too few."""
        x, y = self.design[kept], self.value[kept]
        if not len(y):
            return None
        left = np.linalg.pinv(x)
        degrees = len(y) - int(np.linalg.matrix_rank(x))
        if degrees < 1:
            return None
        where = np.cumsum(kept) - 1
        # Rows of one table share their blocks: their covariance is that of the means over the blocks.
        trace, chance, error = 0.0, 0.0, np.zeros(x.shape[1])
        for rows, shared in zip(self.at, self.shared, strict=True):
            if kept[rows[0]]:
                part = left[:, where[rows]]
                weighted = part @ shared
                chance += float((x[where[rows]] * weighted.T).sum())
                error += (weighted * part).sum(1)
                trace += float(np.trace(shared))
        rest = y - x @ (left @ y)
        # A pair's deviation is the same at all its tables, and the effects fitted take a part of it.
        _, pair = np.unique(self.pair[kept], return_inverse=True)
        count = np.bincount(pair)
        by_pair, left_by_pair = np.zeros((len(count), x.shape[1])), np.zeros((len(count), x.shape[1]))
        np.add.at(by_pair, pair, x)
        np.add.at(left_by_pair, pair, left.T)
        seen = np.diag(count) - by_pair @ left_by_pair.T
        share = max(float(np.trace(seen)), 1e-12)
        apart = max((float(rest @ rest) - trace + chance) / share, 0.0)
        known = share**2 / max(float((seen**2).sum()), 1e-12)
        effects = left @ y
        between = []
        for group in self.random:
            used = np.flatnonzero(np.abs(x[:, group]).sum(0) > 0)
            some = effects[group][used]
            excess = float(some.var(ddof=1) - error[group][used].mean()) if len(used) > 1 else 0.0
            between.append(max(excess, 0.0))
        # Its standard error: of few pairs, and of the chance in the rows.
        unsure = 2 * apart**2 / known + 2 * (max(trace - chance, 0.0) / share) ** 2 / degrees
        return _Fit(self, kept, apart, float(np.sqrt(unsure)), tuple(between), known, trace / len(y))


@dataclass(frozen=True)
class _Fit:
    """A fitted model.

    apart    variance of honest pairs beyond additive effects; error: its standard error
    between  the variance of receivers, of company, and of places
    known    degrees of freedom that `apart` is known by; noise: the mean variance of a row
    """

    model: _Model
    kept: NDArray[np.bool_]
    apart: float
    error: float
    between: tuple[float, ...]
    known: float
    noise: float

    def test(self, target: NDArray[np.bool_], rng: np.random.Generator) -> Contrast | None:
        """The mean of the target rows less its prediction; None if the other rows do not predict it."""
        model, n = self.model, self.model.size
        x = model.design[self.kept]
        wanted = model.design[target].mean(0)
        if not (x[:, :n] @ wanted[:n] > 0).any():
            return None
        # Ridge: receivers, company and places are random effects, givers are free.
        penalty = np.zeros(len(wanted))
        row = max(self.noise + self.apart, 1e-300)
        for group, between in zip(model.random, self.between, strict=True):
            penalty[group] = row / max(between, row * 1e-6)
        weights = np.zeros(len(model.design))
        weights[target] = 1 / target.sum()
        weights[self.kept] -= x @ np.linalg.pinv(x.T @ x + np.diag(penalty)) @ wanted
        effect = float(weights @ model.value)
        # The variance by chance, from the blocks of each table.
        noise, degrees, parts = 0.0, 0.0, []
        for rows, line in zip(model.at, model.lines, strict=True):
            if np.abs(weights[rows]).sum() > 0:
                mean = line @ weights[rows]
                part = float(mean.var(ddof=1)) / len(mean)
                noise += part
                degrees += part**2 / (len(mean) - 1)
                parts.append((mean - mean.mean()) / len(mean) * np.sqrt(len(mean) / (len(mean) - 1)))
        missed = weights @ model.design
        granted = sum(
            between * float((missed[group] ** 2).sum())
            for group, between in zip(model.random, self.between, strict=True)
        )
        of_pairs = float((np.bincount(model.pair, weights) ** 2).sum())
        # With its standard error: where chance hides the variance between pairs, it is not 0 because it looks so.
        granted += (self.apart + self.error) * of_pairs
        allowed = Granted.known_by(granted, self.known)
        tested = contrast_of(effect, noise, noise**2 / degrees if degrees > 0 else 1.0, allowed)
        if tested.p < LEVEL:
            values = np.concatenate(parts)
            flips = np.where(rng.random((_FLIPS, len(values))) < 0.5, 1.0, -1.0) @ values
            beyond = int((flips * np.sqrt((noise + granted) / noise) >= effect).sum()) if noise > 0 else 0
            if beyond >= _RESOLVED:
                tested = tested.at_least((beyond + 1) / (_FLIPS + 1))
        return tested
