"""What is fitted to decisions: frequencies by cell that fall back on coarser cells, and trees on top of them.

The model of a player has three layers. The frequencies of its own actions by cell (`railbird_model.cells_of`), each
cell shrunk to the coarser one and to the population. Trees fitted to the other players, each against its own
frequencies: how cards and prices move a player from what it does on average. Trees fitted to the player, against both.
How much of the second is used, and how many trees of the third, is what predicts best those of the player's own matches
that are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from . import railbird_model as spots
from .railbird_model import ACTIONS, CELLS, FOREST, IMPOSSIBLE, RAISE, SIZES, Forest, softmax

Array = NDArray[Any]
Floats = NDArray[np.float64]

STRENGTHS: Final = (1.0, 3.0, 10.0, 30.0, 100.0)
"""Decisions that a coarser cell weighs in a finer one; for each level the best of these is taken."""
POPULATION_STRENGTH: Final = 10.0
SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The weights of the population's trees that are tried."""
MOST_OF_OTHERS: Final = 200_000
"""Decisions of other players that trees are fitted to."""
_TREES: Final = 60
_OWN_TREES: Final = 200
_OF_MANY: Final = 100
_FOLDS: Final = 5
_MANY: Final = 30_000
"""Decisions from which on one fifth of them is enough to choose how many trees are used."""
_LEAST: Final = 40
"""Decisions below which a player has no trees of its own."""
_SURE: Final = 2.0
"""Standard errors by which a player's own trees must be better than none."""
_TINY: Final = 1e-9


@dataclass
class Sample:
    """n decisions as a learner takes them.

    x       (n, features); cells: (n, levels); legal: (n, k); y: (n) which of the k was chosen
    match   (n) a number of the match, block: of some hands in a row; player: of whose decisions they are
    """

    x: NDArray[np.float32]
    cells: NDArray[np.int64]
    legal: NDArray[np.bool_]
    y: NDArray[np.int64]
    match: NDArray[np.int64]
    block: NDArray[np.int64]
    player: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of decisions."""
        return len(self.y)

    def take(self, rows: Array) -> "Sample":
        """Some of them."""
        return Sample(*(getattr(self, each.name)[rows] for each in fields(self)))

    @property
    def group(self) -> NDArray[np.int64]:
        """(n) what is left out together to choose between models: a match, of one match a block."""
        several = len(self.match) and self.match.min() < self.match.max()
        return self.match if several else self.block


def samples(
    spot: Mapping[str, Array], x: Array, chosen: tuple[Array, Array], whose: tuple[Array, Array, Array]
) -> tuple[Sample, Sample]:
    """Decisions as samples of the action, and those that are raises as samples of the size.

    chosen  the actions, and the bins of sizes; whose: match, block and player (`Sample`)
    """
    action, size = chosen
    cells = spots.cells_of(spot)
    actions = Sample(x, cells, spots.legal_of(spot), action, *whose)
    rows = np.flatnonzero(action == RAISE)
    bins = spots.legal_bins({name: column[rows] for name, column in spot.items()})
    bins[np.arange(len(rows)), size[rows]] = True
    sizes = Sample(x[rows], cells[rows, :2], bins, size[rows], *(each[rows] for each in whose))
    return actions, sizes


def _parents(levels: int) -> list[NDArray[np.int64]]:
    """For each level the cell of the level before in which each cell lies."""
    return [np.arange(CELLS[k]) // (CELLS[k] // CELLS[k - 1]) for k in range(1, levels)]


def _normal(chances: Floats) -> Floats:
    found: Floats = chances / np.maximum(chances.sum(axis=-1, keepdims=True), _TINY)
    return found


def _counts(cells: Array, y: Array, size: int, classes: int) -> Floats:
    found = np.bincount(cells * classes + y, minlength=size * classes).astype(np.float64)
    return found.reshape(size, classes)


def _start(classes: int) -> Floats:
    """(4, classes) for each cell of the first level equal chances of what is legal."""
    if classes != len(ACTIONS):
        return np.full((CELLS[0], classes), 1 / classes)
    cell = np.arange(CELLS[0])
    faces, can_raise = cell // 2 > 0, cell % 2 > 0
    return _normal(np.stack([faces, ~faces, faces, can_raise], axis=1).astype(np.float64))


def population_chances(sample: Sample, classes: int) -> list[Floats]:
    """By level, the chances in each cell, (cells, classes), of all players."""
    found: list[Floats] = []
    prior = _start(classes)
    levels = sample.cells.shape[1]
    parents = _parents(levels)
    for level in range(levels):
        if level:
            prior = found[-1][parents[level - 1]]
        counts = _counts(sample.cells[:, level], sample.y, CELLS[level], classes)
        total = counts.sum(axis=1, keepdims=True)
        found.append((counts + POPULATION_STRENGTH * prior) / (total + POPULATION_STRENGTH))
    return found


@dataclass
class Frequencies:
    """The frequencies of a player: `table` (cells, k) log chances; `rows` (n, k) those of its decisions.

    rows are those without the decision's own group (`Sample.group`)
    """

    table: Floats
    rows: Floats


def frequencies(
    sample: Sample, population: Sequence[Floats], strengths: Sequence[float] = STRENGTHS
) -> Frequencies:
    """A player's frequencies, shrunk to coarser cells as they differ in the population."""
    classes = population[0].shape[1]
    parents = _parents(len(population))
    at = np.arange(len(sample))
    group = np.unique(sample.group, return_inverse=True)[1].reshape(-1).astype(np.int64)
    table = np.zeros((0, classes))
    rows = np.zeros((len(sample), classes))
    for level, common in enumerate(population):
        prior = common
        if level:
            above = parents[level - 1]
            prior = _normal(table[above] * common / np.maximum(population[level - 1][above], _TINY))
        counts = _counts(sample.cells[:, level], sample.y, CELLS[level], classes)
        total = counts.sum(axis=1, keepdims=True)
        cell = sample.cells[:, level]
        _, part = np.unique(group * CELLS[level] + cell, return_inverse=True)
        part = part.reshape(-1)
        inside = _counts(part, sample.y, int(part.max(initial=-1)) + 1, classes)
        others = counts[cell] - inside[part]
        number = others.sum(axis=1, keepdims=True)
        best = np.inf
        for strength in strengths:
            left_out = (others + strength * prior[cell]) / (number + strength)
            loss = -np.log(np.maximum(left_out[at, sample.y], _TINY)).sum()
            if loss < best or not len(at):
                best, rows, kept = loss, left_out, strength
        table = (counts + kept * prior) / (total + kept)
    return Frequencies(np.log(np.maximum(table, _TINY)), np.log(np.maximum(rows, _TINY)))


def by_player(sample: Sample, population: Sequence[Floats]) -> Floats:
    """(n, k) for each decision the log chances by the frequencies of its player, without its group."""
    found = np.zeros((len(sample), population[0].shape[1]))
    order = np.argsort(sample.player, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(sample.player[order])) + 1):
        if len(rows):
            found[rows] = frequencies(sample.take(rows), population, (POPULATION_STRENGTH,)).rows
    return found


def losses(scores: Floats, sample: Sample) -> Floats:
    """(n) minus the log chance of what was chosen, normalised over what is legal."""
    chances = softmax(np.where(sample.legal, scores, IMPOSSIBLE))
    found: Floats = -np.log(np.maximum(chances[np.arange(len(sample)), sample.y], 1e-6))
    return found


@dataclass
class Trees:
    """Trees, each for one of k classes, as the library has them; None for no trees."""

    booster: Any = None

    def scores(self, x: NDArray[np.float32], classes: int) -> Floats:
        """(n, k) the sums of the trees' values."""
        if self.booster is None or not len(x):
            return np.zeros((len(x), classes))
        return np.asarray(self.booster.predict(x, raw_score=True), np.float64).reshape(len(x), classes)


def _settings(classes: int, count: int, seed: int, rate: float) -> dict[str, Any]:
    small = count < 4000
    return {
        "objective": "multiclass",
        "num_class": classes,
        "learning_rate": rate,
        "num_leaves": 6 if small else 31,
        "max_depth": 10,
        "min_data_in_leaf": 15 if small else 20,
        "min_sum_hessian_in_leaf": 0.5 if small else 1.0,
        "lambda_l2": 5.0 if small else 1.0,
        "feature_fraction": 0.7,
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "use_missing": False,
        "max_bin": 127,
        "num_threads": 1 if count < _MANY else 0,
        "seed": seed,
        "deterministic": True,
        "force_col_wise": True,
        "verbosity": -1,
    }


def learner() -> Any:
    """The library that fits trees; ImportError, one line, where it is not installed."""
    try:
        return import_module("lightgbm")
    except ImportError:
        raise ImportError("a model needs LightGBM: pip install 'railbird[model]'") from None


def _data(sample: Sample, offset: Floats) -> Any:
    scores = np.where(sample.legal, offset, IMPOSSIBLE)
    return learner().Dataset(sample.x, sample.y, init_score=scores, free_raw_data=False)


def grown(sample: Sample, offset: Floats, rounds: int, seed: int, rate: float) -> Trees:
    """So many rounds of trees, fitted against scores that are given."""
    if not rounds:
        return Trees()
    settings = _settings(offset.shape[1], len(sample), seed, rate)
    return Trees(booster=learner().train(settings, _data(sample, offset), rounds))


def best_rounds(sample: Sample, offset: Floats, seed: int, rate: float, most: int) -> int:
    """How many rounds of trees predict decisions best that they are not fitted to."""
    library = learner()
    folds = np.unique(sample.group, return_inverse=True)[1].reshape(-1) % _FOLDS
    curve = np.zeros(most)
    left_out = range(1 if len(sample) > _MANY else _FOLDS)
    fitted_to: list[tuple[Any, Array]] = []
    for k in left_out:
        fitted, tested = np.flatnonzero(folds != k), np.flatnonzero(folds == k)
        if not len(fitted) or not len(tested):
            continue
        history: dict[str, Any] = {}
        settings = _settings(offset.shape[1], len(fitted), seed, rate) | {"metric": "multi_logloss"}
        train, valid = (_data(sample.take(rows), offset[rows]) for rows in (fitted, tested))
        valid.reference = train
        stop = [library.record_evaluation(history), library.early_stopping(30, verbose=False)]
        booster = library.train(settings, train, most, valid_sets=[valid], callbacks=stop)
        fitted_to.append((booster, tested))
        found = np.asarray(history["valid_0"]["multi_logloss"]) * len(tested)
        curve += (
            np.r_[found, np.full(most - len(found), found.max())]
            - losses(offset[tested], sample.take(tested)).sum()
        )
    if not fitted_to:
        return 0
    best = int(curve.argmin()) + 1
    gains = np.concatenate([_gains(sample, offset, booster, rows, best) for booster, rows in fitted_to])
    # Of few decisions the best of many rounds is often luck.
    return best if gains.mean() > _SURE * gains.std() / np.sqrt(len(gains)) else 0


def _gains(sample: Sample, offset: Floats, booster: Any, rows: Array, rounds: int) -> Floats:
    """What so many rounds of trees take off the loss of each of some decisions."""
    some, before = sample.take(rows), offset[rows]
    scores = booster.predict(some.x, raw_score=True, num_iteration=rounds).reshape(before.shape)
    found: Floats = losses(before, some) - losses(before + scores, some)
    return found


@dataclass
class Layers:
    """A fitted model of a choice: frequencies, trees of the population (`share` of them), and trees of the player."""

    frequencies: Frequencies
    share: float
    common: Trees
    own: Trees
    rounds: int

    def scores(self, x: NDArray[np.float32], cells: Array) -> Floats:
        """(n, k) scores, whose softmax over what is legal are the chances."""
        classes = self.frequencies.table.shape[1]
        found = self.frequencies.table[cells[:, -1]] + self.own.scores(x, classes)
        return found + self.share * self.common.scores(x, classes) if self.share else found


@dataclass
class Population:
    """The population: how often the others take each action in a cell, and trees that correct one player's rates."""

    chances: list[Floats]
    trees: Trees


def population_of(sample: Sample, classes: int, seed: int = 0, rounds: int = _TREES) -> Population:
    """The population of a sample."""
    chances = population_chances(sample, classes)
    every = -(-len(sample) // MOST_OF_OTHERS)
    some = sample.take(np.flatnonzero(sample.block % every == 0)) if every > 1 else sample
    if len(some) < _LEAST:
        return Population(chances, Trees())
    return Population(chances, grown(some, by_player(some, chances), rounds, seed, 0.1))


def fit_layers(sample: Sample, population: Population, seed: int = 0) -> Layers:
    """The model of one player's choice."""
    own = frequencies(sample, population.chances)
    classes = own.table.shape[1]
    if len(sample) < _LEAST:
        share = 0.5 if population.trees.booster is not None else 0.0
        return Layers(own, share, population.trees, Trees(), 0)
    common = population.trees.scores(sample.x, classes)
    share = min(SHARES, key=lambda one: float(losses(own.rows + one * common, sample).sum()))
    offset = own.rows + share * common
    many = len(sample) > _MANY
    rate = 0.15 if many else 0.06
    rounds = best_rounds(sample, offset, seed, rate, _OF_MANY if many else _OWN_TREES)
    return Layers(own, share, population.trees, grown(sample, offset, rounds, seed, rate), rounds)


def forest_of(parts: Sequence[tuple[Trees, float]], classes: int) -> Forest:
    """The trees of some boosters, their values by a factor, as arrays."""
    nodes: list[tuple[int, float, int, int, float]] = []
    roots: list[int] = []
    kinds: list[int] = []
    deepest = 0

    def add(node: Mapping[str, Any], factor: float, depth: int) -> int:
        nonlocal deepest
        deepest = max(deepest, depth)
        at = len(nodes)
        nodes.append((0, np.inf, at, at, 0.0))
        if "split_feature" not in node:
            nodes[at] = (0, np.inf, at, at, factor * float(node["leaf_value"]))
            return at
        left, right = (add(node[side], factor, depth + 1) for side in ("left_child", "right_child"))
        nodes[at] = (int(node["split_feature"]), float(node["threshold"]), left, right, 0.0)
        return at

    for trees, factor in parts:
        if trees.booster is None or not factor:
            continue
        for k, tree in enumerate(trees.booster.dump_model()["tree_info"]):
            if (value := tree["tree_structure"]).get("split_feature") is None and not value["leaf_value"]:
                continue
            roots.append(add(value, factor, 0))
            kinds.append(k % classes)
    kinds_of = (np.int64, np.float64, np.int64, np.int64, np.float64)
    columns = [np.array([row[k] for row in nodes], kind) for k, kind in enumerate(kinds_of)]
    arrays: list[Any] = [*columns, np.array(roots, np.int64), np.array(kinds, np.int64)]
    return Forest(**dict(zip(FOREST, arrays, strict=True)), depth=deepest)


def size_classes() -> int:
    """The number of bins of a raise's size."""
    return len(SIZES) + 1
