"""Permutation tests, compiled: p = (b + 1) / (m + 1), stopped early once b is large enough to rule a finding out.

A test that is stopped early gives p = b / m of the permutations made (Besag and Clifford 1991), which is as valid.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ...jit.compile import kernel, part
from ...replay.acpc.cards import start
from ...replay.showdowns import uniform

Floats = NDArray[np.float64]

ENOUGH: Final = 20
"""A test stops after this many permutations as extreme as the data."""


@part
def _shuffle(work: NDArray[Any], first: int, end: int, drawn: int, generator: NDArray[np.int64]) -> None:
    """Draw `drawn` of the rows from first to end into the first places, in random order; all of them: a shuffle."""
    for k in range(first, first + drawn):
        other = k + int(uniform(generator) * (end - k))
        work[k], work[other] = work[other], work[k]


@part
def _welch(
    total: float, squares: float, n: int, rest: float, rest_squares: float, m: int, spread: float
) -> float:
    """Welch's t of two means; spread: a variance added to that of their difference."""
    one, two = total / n, rest / m
    variance = max(squares / n - one * one, 0.0) / (n - 1) + max(rest_squares / m - two * two, 0.0) / (m - 1)
    variance += spread
    return (one - two) / np.sqrt(variance) if variance > 0 else 0.0


@kernel
def permute_labels(
    values: Floats,
    picked: int,
    spread: float,
    most: int,
    seed: int,
    work: Floats,
    generator: NDArray[np.int64],
) -> tuple[float, float]:
    """Whether the first `picked` values have a larger mean than the rest: (t, p), one-sided.

    Values are exchanged between the two. spread, the variance between honest opponents, is allowed for in the observed
    difference. work: (n,) scratch, generator: (625,).
    """
    n = len(values)
    total = squares = rest = rest_squares = 0.0
    for k in range(n):
        work[k] = values[k]
        if k < picked:
            total += values[k]
            squares += values[k] ** 2
        else:
            rest += values[k]
            rest_squares += values[k] ** 2
    seen = _welch(total, squares, picked, rest, rest_squares, n - picked, spread)
    every, every_squares = total + rest, squares + rest_squares
    start(generator, seed)
    beyond = 0
    for made in range(1, most + 1):
        _shuffle(work, 0, n, picked, generator)
        total = squares = 0.0
        for k in range(picked):
            total += work[k]
            squares += work[k] ** 2
        t = _welch(total, squares, picked, every - total, every_squares - squares, n - picked, 0.0)
        if t >= seen:
            beyond += 1
            if beyond == ENOUGH:
                return seen, float(beyond) / float(made)
    return seen, float(beyond + 1) / float(most + 1)


@kernel
def flip_signs(
    values: Floats, spread: float, most: int, seed: int, generator: NDArray[np.int64]
) -> tuple[float, float]:
    """Whether the mean is above 0: (score, p), one-sided; the signs of the values are flipped.

    spread is a variance allowed for in the observed mean, as in `permute_labels`.
    """
    n = len(values)
    total = squares = 0.0
    for k in range(n):
        total += values[k]
        squares += values[k] ** 2
    deviation = np.sqrt(max(squares - total * total / n, 1e-300))
    if spread > 0 and total > 0:
        # The mean that has the same t without spread; flipping signs does not change the squares.
        t = total / n / np.sqrt(deviation**2 / (n * (n - 1)) + spread)
        total = n * t * np.sqrt(squares / n / (n - 1 + t * t))
    start(generator, seed)
    beyond = 0
    for made in range(1, most + 1):
        flipped = 0.0
        for k in range(n):
            flipped += values[k] if uniform(generator) < 0.5 else -values[k]
        if flipped >= total:
            beyond += 1
            if beyond == ENOUGH:
                return total / deviation, float(beyond) / float(made)
    return total / deviation, float(beyond + 1) / float(most + 1)


@kernel
def permute_within(
    one: Floats,
    two: Floats,
    starts: NDArray[np.int64],
    most: int,
    seed: int,
    work: Floats,
    generator: NDArray[np.int64],
) -> tuple[float, float]:
    """Whether two columns are correlated within strata: (sum of products, p), one-sided; `two` is permuted in each.

    starts (strata + 1,): the first row of each stratum in the columns, which are sorted by stratum.
    """
    seen = 0.0
    for k in range(len(one)):
        work[k] = two[k]
        seen += one[k] * two[k]
    start(generator, seed)
    beyond = 0
    for made in range(1, most + 1):
        total = 0.0
        for stratum in range(len(starts) - 1):
            first, end = starts[stratum], starts[stratum + 1]
            _shuffle(work, first, end, end - first, generator)
            for k in range(first, end):
                total += one[k] * work[k]
        if total >= seen:
            beyond += 1
            if beyond == ENOUGH:
                return seen, float(beyond) / float(made)
    return seen, float(beyond + 1) / float(most + 1)


@part
def _largest_step(values: Floats, first: int, end: int) -> tuple[float, int]:
    """The largest standardised rise of the mean at one place of a series, and the place."""
    n = end - first
    every = squares = 0.0
    for k in range(first, end):
        every += values[k]
        squares += values[k] ** 2
    variance = max(squares / n - (every / n) ** 2, 1e-12)
    best, place = 0.0, -1
    before = 0.0
    for k in range(first, end - 2):
        before += values[k]
        one = k + 1 - first
        if one < 2:
            continue
        two = n - one
        rise = (every - before) / two - before / one
        score = rise / np.sqrt(variance * (1.0 / one + 1.0 / two))
        if score > best:
            best, place = score, k + 1
    return best, place


@kernel
def permute_order(
    values: Floats,
    starts: NDArray[np.int64],
    most: int,
    seed: int,
    work: Floats,
    generator: NDArray[np.int64],
) -> tuple[float, float, int]:
    """Whether the mean rises at some place of a match: (largest step, p, place).

    The statistic is the sum over matches of the largest step; the values of each match are permuted. starts as in
    `permute_within`, a stratum a match; place is that of the largest of all steps, -1 for none.
    """
    seen, top, where = 0.0, 0.0, -1
    for k in range(len(values)):
        work[k] = values[k]
    for stratum in range(len(starts) - 1):
        step, place = _largest_step(values, starts[stratum], starts[stratum + 1])
        seen += step
        if step > top:
            top, where = step, place
    start(generator, seed)
    beyond = 0
    for made in range(1, most + 1):
        total = 0.0
        for stratum in range(len(starts) - 1):
            first, end = starts[stratum], starts[stratum + 1]
            _shuffle(work, first, end, end - first, generator)
            step, _ = _largest_step(work, first, end)
            total += step
        if total >= seen:
            beyond += 1
            if beyond == ENOUGH:
                return seen, float(beyond) / float(made), where
    return seen, float(beyond + 1) / float(most + 1), where


@part
def _contrasts(token: NDArray[np.int64], answer: Floats, scale: float, sums: Floats) -> float:
    """Set row 2 of `sums`: each token's answers less those to all others, in standard errors; returns the largest."""
    tokens = len(sums[0])
    for t in range(tokens):
        sums[0, t] = sums[1, t] = 0.0
    every = 0.0
    for k in range(len(token)):
        sums[0, token[k]] += answer[k]
        sums[1, token[k]] += 1
        every += answer[k]
    best = 0.0
    for t in range(tokens):
        a, rest = sums[1, t], len(token) - sums[1, t]
        sums[2, t] = 0.0
        if a >= 8 and rest >= 8:
            step = sums[0, t] / a - (every - sums[0, t]) / rest
            sums[2, t] = step / np.sqrt(scale * (1.0 / a + 1.0 / rest))
            best = max(best, sums[2, t])
    return best


@kernel
def permute_answers(
    token: NDArray[np.int64],
    answer: Floats,
    starts: NDArray[np.int64],
    seed: int,
    seen: Floats,
    nulls: Floats,
    sums: Floats,
    work: NDArray[np.int64],
    generator: NDArray[np.int64],
) -> int:
    """How the answers to each token of a sender differ from those to its other tokens; returns the permutations made.

    token, answer  (n,) sorted by stratum, in which the tokens are permuted
    seen (tokens,): out, the difference of each in standard errors; nulls (m,): out, the largest in each permutation.
    It stops early once ENOUGH of them reach the largest seen. sums (3, tokens), work (n,): scratch.
    """
    n = len(token)
    scale = 1e-12
    for k in range(n):
        work[k] = token[k]
        scale += answer[k] ** 2 / n
    start(generator, seed)
    largest = _contrasts(work, answer, scale, sums)
    for t in range(len(seen)):
        seen[t] = sums[2, t]
    beyond = 0
    for made in range(len(nulls)):
        for stratum in range(len(starts) - 1):
            first, end = starts[stratum], starts[stratum + 1]
            _shuffle(work, first, end, end - first, generator)
        nulls[made] = _contrasts(work, answer, scale, sums)
        beyond += nulls[made] >= largest
        if beyond == ENOUGH:
            return made + 1
    return len(nulls)


class Tested(NamedTuple):
    """A statistic and its p."""

    score: float
    p: float


def starts_of(key: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first row of each value in a sorted column, then the number of rows."""
    changes = np.flatnonzero(np.diff(key)) + 1
    return np.concatenate(([0], changes, [len(key)])).astype(np.int64)


def stands_out(values: Floats, picked: int, spread: float, most: int, seed: int) -> Tested:
    """`permute_labels` with its scratch; p is 1 where either side is too small."""
    if picked < 3 or len(values) - picked < 3:
        return Tested(0.0, 1.0)
    score, p = permute_labels(
        values, picked, spread, most, seed, np.zeros(len(values)), np.zeros(625, np.int64)
    )
    return Tested(float(score), float(p))


class Answers(NamedTuple):
    """`permute_answers`: the difference of each token, and the largest of each permutation.

    counts: occurrences of each token; deviation: standard deviation of the answers
    """

    seen: Floats
    nulls: Floats
    counts: NDArray[np.int64]
    deviation: float

    def error(self, token: int) -> float:
        """The standard error of a token's difference."""
        a, every = float(self.counts[token]), float(self.counts.sum())
        return self.deviation * float(np.sqrt(1 / max(a, 1) + 1 / max(every - a, 1))) or 1.0

    def p(self, score: float) -> float:
        """The probability that chance gives a largest difference of at least a score.

        If fewer than 3 permutations reach the score, p is that of a Gumbel distribution, which describes maxima, with
        the mean and standard deviation of the permutations.
        """
        beyond = int((self.nulls >= score).sum())
        p = (beyond + 1) / (len(self.nulls) + 1)
        if beyond < 3:
            scale = max(float(self.nulls.std()), 1e-9) * np.sqrt(6) / np.pi
            p = min(p, float(-np.expm1(-np.exp(-(score - self.nulls.mean()) / scale - np.euler_gamma))))
        return max(p, 1e-12)


def answers_apart(
    token: NDArray[np.int64], answer: Floats, key: NDArray[np.int64], tokens: int, seed: int
) -> Answers:
    """`permute_answers` with its scratch; the columns need not be sorted by their stratum, `key`.

    The mean of each stratum is subtracted from its answers: permutations leave differences between strata unchanged.
    """
    order = np.argsort(key, kind="stable")
    starts = starts_of(key[order])
    means = np.add.reduceat(answer[order], starts[:-1]) / np.diff(starts)
    centred = answer[order] - np.repeat(means, np.diff(starts))
    seen, nulls = np.zeros(tokens), np.zeros(400)
    work, generator = np.zeros(len(token), np.int64), np.zeros(625, np.int64)
    made = permute_answers(
        token[order], centred, starts, seed, seen, nulls, np.zeros((3, tokens)), work, generator
    )
    counts = np.bincount(token, minlength=tokens)
    return Answers(seen, nulls[:made], counts, float(np.sqrt((centred**2).mean())))


def is_positive(values: Floats, most: int, seed: int, spread: float = 0.0) -> Tested:
    """`flip_signs` with its scratch."""
    if len(values) < 3:
        return Tested(0.0, 1.0)
    score, p = flip_signs(values, spread, most, seed, np.zeros(625, np.int64))
    return Tested(float(score), float(p))


def go_together(one: Floats, two: Floats, key: NDArray[np.int64], seed: int) -> Tested:
    """`permute_within` with its scratch; the columns need not be sorted. The score is in standard errors.

    If p is below 0.01, the normal distribution with the exact permutation variance gives a finer one: the sum is over
    thousands of decisions.
    """
    if len(one) < 3:
        return Tested(0.0, 1.0)
    order = np.argsort(key, kind="stable")
    first, second, starts = one[order], two[order], starts_of(key[order])
    total, p = permute_within(first, second, starts, 400, seed, np.zeros(len(one)), np.zeros(625, np.int64))
    sizes = np.diff(starts)
    ones, twos = np.add.reduceat(first, starts[:-1]), np.add.reduceat(second, starts[:-1])
    one_squares = np.add.reduceat(first**2, starts[:-1]) - ones**2 / sizes
    two_squares = np.add.reduceat(second**2, starts[:-1]) - twos**2 / sizes
    variance = float((one_squares * two_squares / np.maximum(sizes - 1, 1)).sum())
    score = (total - float((ones * twos / sizes).sum())) / max(variance, 1e-300) ** 0.5
    if p < 0.01:
        p = min(p, float(stats.norm.sf(score)))
    return Tested(float(score), max(float(p), 1e-12))
