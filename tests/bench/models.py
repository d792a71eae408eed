"""How well models of players predict, and how fast they are: writes docs/models.md (`make models`).

Logs of RAILBIRD_CORPUS and of a simulated tournament. A player is judged on every second of its matches; the model, and
the frequencies that it is compared with, know the others only: of them so many hands, as evenly from each as they have.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np

from railbird.analytics.model import fitting, learning, railbird_model
from railbird.analytics.model.fitting import Fitted, Material
from railbird.analytics.model.railbird_model import ACTIONS, RAISE, SIZES, Raises
from railbird.analytics.players import Player
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate

HANDS: Final = (100, 1_000, 10_000)
PLAYERS: Final = 2
"""Players judged of an event and game, evenly over the order of their names."""
OTHERS: Final = 20_000
"""Decisions of other players that a model is fitted to here."""
LEAST: Final = 300
"""Decisions on which a player is judged at least."""
SEAT_NAME: Final = re.compile(
    r"(player|bot|hero|villain|old|new|agent|seat|p|alpha|beta|gamma|delta)?[ _-]?(\w|\d+)?", re.IGNORECASE
)
"""Names that a log's maker gives to seats: another bot may have them in the next match."""
STYLES: Final = ("tight-aggressive", "loose-aggressive", "calling-station", "pot-odds")
ARENA: Final = ("arena", "simulated")
BINS: Final = 1000
PLAIN: Final = ("LightGBM", "scikit-learn")
TINY: Final = 1e-6
TURNS: Final = 15
PREDICTED: Final = 40_000
"""Decisions of the model whose `predict` is timed."""

Array = np.ndarray[Any, Any]


@dataclass
class Row:
    """A player at a number of hands: nats a decision by the model, by the baselines and by other learners."""

    kind: str
    event: str
    game: str
    hands: int
    model: float
    baselines: tuple[float, float, float]
    layers: tuple[float, float]
    others: dict[str, float] = field(default_factory=dict)
    bins: dict[str, tuple[int, float, int]] = field(default_factory=dict)
    """By thousandth of a predicted chance of a legal action: how many, their sum, how many were chosen."""

    @property
    def ratio(self) -> float:
        """The model's loss / that of the best baseline."""
        return self.model / min(self.baselines)


def total(actions: Array, sizes: Array, tested: tuple[learning.Sample, learning.Sample]) -> float:
    """Nats a decision of scores of actions, and of sizes of raises."""
    both = learning.losses(actions, tested[0]).sum() + learning.losses(sizes, tested[1]).sum()
    return float(both / len(tested[0]))


def cells_today(spot: dict[str, Array]) -> Array:
    """The cells of `bets_faced` in the opponent file: street, position, size faced."""
    fine = railbird_model.cells_of(spot)
    faced = len(SIZES) + 2
    street = np.clip(spot["street"], 0, 3).astype(np.int64)
    place = np.clip(spot["position"] + 1, 0, 9).astype(np.int64)
    found: Array = ((street * 10 + place) * faced + fine[:, 3] % faced) * 4 + fine[:, 0]
    return found


def counted(cells: Array, y: Array, prior: Array, weight: float, asked: Array, prior_asked: Array) -> Array:
    """Log chances in asked cells: counts, and the prior with a weight."""
    size = int(max(cells.max(initial=0), asked.max(initial=0))) + 1
    classes = prior.shape[1]
    counts = np.bincount(cells * classes + y, minlength=size * classes).reshape(size, classes)[asked]
    number = counts.sum(axis=1, keepdims=True)
    found: Array = np.log(np.maximum((counts + weight * prior_asked) / (number + weight), 1e-9))
    return found


def baselines(material: Material, train: Array, test: Array, others: Array) -> tuple[float, float, float]:
    """Population; own by (street, facing, raises) with 10 pseudo-counts of it; the cells of today's opponent file."""
    tested = material.samples(test)
    spot = material.decisions.take(test).spot
    raises = np.flatnonzero(material.decisions.action[test] == railbird_model.RAISE)
    own, rest = material.samples(train), material.samples(others)
    trained = material.decisions.take(train)
    raised = np.flatnonzero(trained.action == railbird_model.RAISE)
    found: list[list[Array]] = [[], [], []]
    for which, classes in ((0, len(ACTIONS)), (1, len(SIZES) + 1)):
        common = learning.population_chances(rest[which], classes)
        asked = tested[which].cells
        found[0].append(np.log(np.maximum(common[0][asked[:, 0]], 1e-9)))
        mine = own[which]
        args = (mine.cells[:, 1], mine.y, common[1], 10.0, asked[:, 1], common[1][asked[:, 1]])
        found[1].append(counted(*args))
        today = (cells_today(trained.spot), cells_today(spot))
        if which:
            today = (today[0][raised], today[1][raises])
        found[2].append(counted(today[0], mine.y, common[0], 1.0, today[1], common[0][asked[:, 0]]))
    first, second, third = (total(a, s, tested) for a, s in found)
    return first, second, third


def plain_learners() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Other learners, with the settings that they have by default, on the player's own decisions alone."""
    yield "LightGBM", lambda: learning.learner().LGBMClassifier(verbosity=-1, n_jobs=1)
    try:
        ensemble = import_module("sklearn.ensemble")
    except ImportError:
        return
    yield "scikit-learn histogram boosting", lambda: ensemble.HistGradientBoostingClassifier()


def by_learner(make: Callable[[], Any], material: Material, train: Array, test: Array) -> float:
    """Nats of a learner that is given the player's own decisions alone."""
    found = []
    for sample, tested, classes in zip(
        material.samples(train), material.samples(test), (len(ACTIONS), len(SIZES) + 1), strict=True
    ):
        scores = np.full((len(tested), classes), np.log(TINY))
        kinds = np.unique(sample.y)
        if len(kinds) == 1:
            scores[:, kinds[0]] = 0.0
        elif len(kinds):
            learner = make()
            learner.fit(sample.x, sample.y)
            chances = learner.predict_proba(tested.x)
            scores[:, learner.classes_.astype(np.int64)] = np.log(np.maximum(chances, TINY))
        found.append(scores)
    return total(found[0], found[1], material.samples(test))


def first_hands(material: Material, rows: Array, most: int) -> Array | None:
    """The decisions of so many hands, as evenly from each match as they have; None if there are fewer."""
    table = material.decisions
    keys, hand = np.unique(table.match[rows] << 32 | table.hand[rows], return_inverse=True)
    if len(keys) < most:
        return None
    match = keys >> 32
    place = np.concatenate([np.arange(count) for count in np.unique(match, return_counts=True)[1]])
    taken = np.zeros(len(keys), np.bool_)
    taken[np.lexsort((match, place))[:most]] = True
    found: Array = rows[taken[hand.reshape(-1)]]
    return found


def binned(chances: Array, chosen: Array) -> dict[str, tuple[int, float, int]]:
    """`Row.bins` of some chances."""
    place = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    found = {}
    for k in np.unique(place).tolist():
        rows = place == k
        found[str(k)] = int(rows.sum()), float(chances[rows].sum()), int(chosen[rows].sum())
    return found


def judged(material: Material, player: Player, kind: str, compared: bool) -> Iterator[Row]:
    """The rows of a player."""
    table = material.decisions
    matches = np.flatnonzero(material.present)
    held_out = np.isin(table.match, matches[1::2])
    test = np.flatnonzero(material.own & held_out)
    known = np.flatnonzero(material.own & ~held_out)
    others = np.flatnonzero(~material.own & ~held_out)
    others = others[:: -(-len(others) // OTHERS)] if len(others) else others
    if len(test) < LEAST or not len(others) or first_hands(material, known, HANDS[0]) is None:
        return
    tested = material.samples(test)
    classes = len(ACTIONS), len(SIZES) + 1
    populations = [
        learning.population_of(*each) for each in zip(material.samples(others), classes, strict=True)
    ]
    for hands in HANDS:
        train = first_hands(material, known, hands)
        if train is None:
            return
        layers = [
            learning.fit_layers(*each) for each in zip(material.samples(train), populations, strict=True)
        ]
        scores = [one.scores(each.x, each.cells) for one, each in zip(layers, tested, strict=True)]
        legal = tested[0].legal
        chances = railbird_model.softmax(np.where(legal, scores[0], railbird_model.IMPOSSIBLE))
        chosen = np.arange(len(ACTIONS)) == tested[0].y[:, None]
        tables = [one.frequencies.table[each.cells[:, -1]] for one, each in zip(layers, tested, strict=True)]
        common = [
            rates + one.share * one.common.scores(each.x, rates.shape[1])
            for rates, one, each in zip(tables, layers, tested, strict=True)
        ]
        row = Row(
            kind,
            player.event,
            player.game,
            hands,
            total(scores[0], scores[1], tested),
            baselines(material, train, test, others),
            (total(tables[0], tables[1], tested), total(common[0], common[1], tested)),
            bins=binned(chances[legal], chosen[legal]),
        )
        if compared and hands == 1000:
            for name, make in plain_learners():
                row.others[name] = by_learner(make, material, train, test)
        yield row


def players_of(store: Any) -> dict[tuple[str, str, str], list[str]]:
    """By kind, event and game the players with a name of their own and at least two matches."""
    rows = store.sql(
        """
        select if(f.path like '%/real/%' or f.path like '%/phh/%', 'published', 'engine-written') as kind,
          m.event, m.game, p.player, count(distinct m.match_id) as matches, sum(m.hands) as hands
        from stored.matches m join players p using (match_id) left join files f using (file_id)
        where p.namesake_seat is null
        group by all having matches >= 2 and hands >= 300 order by all
        """
    ).fetchall()
    found: dict[tuple[str, str, str], list[str]] = {}
    for kind, event, game, name, _, _ in rows:
        if not SEAT_NAME.fullmatch(name):
            found.setdefault((ARENA[1] if event == ARENA[0] else kind, event, game), []).append(name)
    return found


def arena(folder: Path, game: str = "bounty", hands: int = 3_400) -> Path:
    """A folder of simulated matches: every pair of styles four times."""
    logs = folder / ARENA[0]
    logs.mkdir(parents=True, exist_ok=True)
    for seed, (one, other) in enumerate([*combinations(STYLES, 2)] * 4):
        path = logs / f"match-{seed}.txt"
        if not path.exists():
            path.write_text(simulate(game, [(one, one), (other, other)], hands, seed), encoding="utf-8")
    return logs


def calibration(rows: list[Row]) -> list[tuple[float, float, int]]:
    """Ten equal groups of predicted chances, cut at thousandths: their mean, the share chosen, their number."""
    sums = np.zeros((BINS, 3))
    for row in rows:
        for place, counted in row.bins.items():
            sums[int(place)] += counted
    number = sums[:, 0]
    group = np.minimum(((np.cumsum(number) - number / 2) / number.sum() * 10).astype(np.int64), 9)
    found = []
    for k in range(10):
        count, chance, chosen = sums[group == k].sum(axis=0)
        if count:
            found.append((float(chance / count), float(chosen / count), int(count)))
    return found


@dataclass
class Speeds:
    """Seconds of processor time; decisions: of the fit, predicted: of the fit of the model that predicts."""

    decisions: int
    predicted: int
    table: float
    fit: float
    defaults: float
    predict: float
    product: float


def speeds(material: Material, player: Player, million: int, table: float) -> Speeds:
    """The fit of so many decisions of one player against LightGBM's defaults, and `predict` against NumPy."""

    def layers_of(count: int) -> tuple[learning.Sample, learning.Layers, learning.Layers, float]:
        """The sample of so many decisions, the layers of actions and sizes, and the seconds of their fit."""
        sample, sizes = material.samples(np.resize(np.arange(len(material.own)), count))
        started = time.process_time()
        nobody = learning.population_of(sample.take(np.arange(0)), len(ACTIONS))
        layers = learning.fit_layers(sample, nobody)
        no_sizes = learning.population_of(sizes.take(np.arange(0)), len(SIZES) + 1)
        return sample, layers, learning.fit_layers(sizes, no_sizes), time.process_time() - started

    sample, *_, fit = layers_of(million)
    started = time.process_time()
    learning.learner().LGBMClassifier(verbosity=-1).fit(sample.x, sample.y)
    defaults = time.process_time() - started
    positions = material.decisions.positions
    some = material.decisions.take(np.flatnonzero(material.decisions.action == RAISE)[:4000])
    raises = Raises.of(some.spot, some.amount)
    predicted = min(million, PREDICTED)
    _, layers, of_sizes, _ = layers_of(predicted)
    made = Fitted(
        player, material.rules, positions, layers, of_sizes, raises, predicted, predicted, 1, 0
    ).loaded()
    state = {
        "game": player.game, "street": 2, "position": positions[0], "hole": ["Ah", "Kd"], "players": 2,
        "board": ["Ac", "9d", "8d", "2s"], "big_blind": 2, "pot_before": 40, "to_call": 20, "pip_before": 0,
        "stack_before": 360, "min_raise_to": 40, "max_raise_to": 360, "facts": {},
        "line": [[0, positions[0], "raise", 6], [0, positions[-1], "call", 6], [2, positions[-1], "bet", 20]],
    }  # fmt: skip
    one, other = np.random.default_rng(0).random((2, 100, 100))

    predict, product = by_turns((lambda: made.predict(state), 50), (lambda: one @ other, 500))
    return Speeds(million, predicted, table, fit, defaults, predict, product)


def by_turns(*calls: tuple[Callable[[], object], int]) -> list[float]:
    """Median seconds of processor time of a call of each; they take turns, with so many calls in each."""
    found: list[list[float]] = [[] for _ in calls]
    for _ in range(TURNS):
        for (call, times), taken in zip(calls, found, strict=True):
            begun = time.process_time()
            for _ in range(times):
                call()
            taken.append((time.process_time() - begun) / times)
    return [float(np.median(taken)) for taken in found]


def report(rows: list[Row], measured: Speeds | None, none: list[str]) -> str:
    """docs/models.md."""
    head = [
        "| logs | hands | players | population | own | today's cells | back-off | + population's trees | model | ratio "
        "| below all | worst ratio |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines = [
        "# How well models of players predict",
        "",
        "Written by `make models`. [Model](model.md) says what a model is.",
        "",
        "Each player is judged on every second of its matches; the model is fitted to the others. The fit uses the",
        f"number of hands in the table, spread over the matches as evenly as possible. At most {PLAYERS} players of",
        f"an event and game are judged: those with at least two matches, {LEAST} decisions to be judged on, and a",
        "name of their own (`A` or `Player` may be another bot in the next match). The loss is in nats per decision:",
        "that of the action among the legal ones and, for a raise, that of its size bin; probabilities below",
        "0.000001 count as 0.000001.",
        "",
        "The baselines are the population's frequencies (facing a bet or not, a raise legal or not); the player's",
        "own frequencies by street, something to call and raises on the street, with 10 pseudo-counts of the",
        "population (*own*); and the cells of the [opponent file](opponent.md) (street, position, size faced), with",
        "one pseudo-count (*today's cells*). *Back-off* and *+ population's trees* are the model's [first two",
        "layers](model.md#how-it-is-fitted).",
        "",
        "## Against the baselines",
        "",
        "Medians over players. *Ratio* is the model's loss divided by that of the best baseline; *below all* is the",
        "number of players for whom the model beats every baseline.",
        "",
        *head,
    ]

    def line(what: str, hands: int, some: list[Row]) -> str:
        def median(of: Callable[[Row], float]) -> str:
            return f"{float(np.median([of(row) for row in some])):.3f}"

        columns = [
            *(median(lambda row, k=k: row.baselines[k]) for k in range(3)),  # type: ignore[misc]
            *(median(lambda row, k=k: row.layers[k]) for k in range(2)),  # type: ignore[misc]
            median(lambda row: row.model),
            median(lambda row: row.ratio),
            f"{sum(row.ratio < 1 for row in some)} of {len(some)}",
            f"{max(row.ratio for row in some):.2f}",
        ]
        return f"| {what} | {hands:,} | {len(some)} | {' | '.join(columns)} |"

    for kind in ("engine-written", ARENA[1], "published"):
        for hands in HANDS:
            some = [row for row in rows if row.kind == kind and row.hands == hands]
            if some:
                lines.append(line(kind, hands, some))
    lines += ["", "### By game, at 1,000 hands", "", *head]
    for kind, game in sorted({(row.kind, row.game) for row in rows if row.hands == 1000}):
        some = [row for row in rows if (row.kind, row.game) == (kind, game) and row.hands == 1000]
        lines.append(line(f"{game}, {kind}", 1000, some))
    if none:
        lines += ["", f"No player was judged at 1,000 hands in these games: {', '.join(none)}."]
    compared = [row for row in rows if row.others]
    if compared:
        lines += [
            "",
            "## Other learners",
            "",
            "All learners are fitted to the player's own decisions alone, with all features and default settings, at",
            f"1,000 hands of {len(compared)} players, one of each event and game; medians.",
            "",
            "| learner | nats a decision | / the model's |",
            "|---|---|---|",
        ]
        ways: dict[str, Callable[[Row], float]] = {
            "the model: frequencies, population's trees, own trees": lambda row: row.model,
            "frequencies with back-off and the population's trees": lambda row: row.layers[1],
            "hierarchical multinomial (frequencies with back-off)": lambda row: row.layers[0],
        }
        for name in sorted({name for row in compared for name in row.others}):
            ways[name] = lambda row, name=name: row.others[name]  # type: ignore[misc]
        for name, of in ways.items():
            have = [row for row in compared if name in row.others or not name.startswith(PLAIN)]
            loss = float(np.median([of(row) for row in have]))
            share = float(np.median([of(row) / row.model for row in have]))
            lines.append(f"| {name} | {loss:.3f} | {share:.2f} |")
    groups = calibration(rows)
    gap = float(np.mean([abs(chance - share) for chance, share, _ in groups]))
    lines += [
        "",
        "## Calibration",
        "",
        "Probabilities of legal actions over all judged decisions, in ten groups of about equal size, cut at",
        f"multiples of 0.001. Mean absolute gap over the groups: {gap:.4f}.",
        "",
        "| predicted | chosen | probabilities |",
        "|---|---|---|",
        *(f"| {chance:.3f} | {share:.3f} | {count:,} |" for chance, share, count in groups),
        "",
    ]
    if measured is not None:
        lines += [
            "## Speed",
            "",
            "Processor time on the machine of this run; the two times of a ratio are measured in turns, in one run.",
            "The decisions that are fitted are repeated ones, and the population's trees are left out.",
            "",
            "| what | time | in comparison |",
            "|---|---|---|",
            f"| table and features of 1,000,000 decisions | {measured.table:.0f} s | |",
            f"| fit of {measured.decisions:,} decisions of one player | {measured.fit:.0f} s | "
            f"{measured.fit / measured.defaults:.2f} x LightGBM's defaults on that table ({measured.defaults:.0f} s) |",
            f"| `predict`, of a model of {measured.predicted:,} decisions | {1e6 * measured.predict:.0f} µs | "
            f"{measured.predict / measured.product:.1f} x a product of two 100 x 100 matrices "
            f"({1e6 * measured.product:.0f} µs) |",
            "",
        ]
    return "\n".join(lines)


def main() -> None:
    """Judge, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, help="a store of the corpus and the arena [default: made]")
    parser.add_argument("--work", type=Path, default=Path("build/models"), help="folder for what is made")
    parser.add_argument("--results", type=Path, help="what was found; it goes on there [default: in --work]")
    parser.add_argument("--out", type=Path, default=Path("docs/models.md"))
    parser.add_argument("--million", type=int, default=1_000_000)
    parser.add_argument("--part", type=int, nargs=2, default=(0, 1), help="K N: only every N-th game, from K")
    parser.add_argument("--only", choices=("judge", "speed", "page"), help="one of the steps")
    asked = parser.parse_args()
    folder = asked.store or asked.work / "store"
    results = asked.results or asked.work / "results.jsonl"
    if not (folder.exists() and any(folder.iterdir())):
        if not os.environ.get("RAILBIRD_CORPUS"):
            parser.error("RAILBIRD_CORPUS names the folder of logs: make models CORPUS=LOGS")
        ingest([Path(os.environ["RAILBIRD_CORPUS"]), arena(asked.work)], folder)
    with open_store(folder) as store:
        chosen = players_of(store)
        games = {game for (game,) in store.sql("select game from stored.games").fetchall()}
        if asked.only in (None, "judge"):
            judge_all(store, chosen, results, *asked.part)
        if asked.only in (None, "speed"):
            (_, event, game), names = max(chosen.items(), key=lambda one: one[0][0] == ARENA[1])
            player = Player(event, game, names[0])
            started = time.process_time()
            material = fitting.read_material(store, player)
            table = (time.process_time() - started) * 1e6 / len(material.decisions)
            add(results, {"speeds": asdict(speeds(material, player, asked.million, table))})
    if asked.only in (None, "page"):
        lines = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
        rows = [Row(**line["row"]) for line in lines if "row" in line]
        # What was timed before the page named the model of `predict` does not count.
        timed = [Speeds(**line["speeds"]) for line in lines if "predicted" in line.get("speeds", ())]
        none = sorted(games - {row.game for row in rows if row.hands == 1000})
        asked.out.write_text(report(rows, timed[-1] if timed else None, none), encoding="utf-8")


def add(results: Path, line: dict[str, Any]) -> None:
    """Add a line to the results."""
    results.parent.mkdir(parents=True, exist_ok=True)
    with results.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def judge_all(
    store: Any, chosen: dict[tuple[str, str, str], list[str]], results: Path, part: int, parts: int
) -> None:
    """Judge the players that the results lack."""
    lines = results.read_text("utf-8").splitlines() if results.exists() else []
    done = {tuple(line["done"]) for line in map(json.loads, lines) if "done" in line}
    for (kind, event, game), names in [*chosen.items()][part::parts]:
        picked = [names[k * len(names) // PLAYERS] for k in range(PLAYERS)] if len(names) > PLAYERS else names
        left = [name for name in picked if (event, game, name) not in done]
        if not left:
            continue
        material = fitting.read_material(store, Player(event, game, left[0]))
        for name in left:
            player = Player(event, game, name)
            for row in judged(material.of(player), player, kind, compared=name == picked[0]):
                add(results, {"row": asdict(row)})
                print(f"{game} {row.hands} {row.ratio:.3f}", file=sys.stderr, flush=True)
            add(results, {"done": [event, game, name]})


if __name__ == "__main__":
    main()
