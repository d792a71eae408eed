"""How often `railbird compare` calls equal bots different, and how soon it finds an edge. `make compare-study`.

Styled bots play limit hold'em heads-up with duplicate decks: 100 hands, then the
same cards from the other seats. The logs go through ingest, equities and `compare` as any others, with a look after
every match. A null run is two equal bots over
20,000 hands. A power run is one bot against the same with a leak, until the verdict; once with pairs, and once with
other cards in every match. The runs of these bots are kept in `docs/compare-study.jsonl`, one a line, so that a study
goes on where it stopped, on any machine. `--write FILE` puts the figures into a page of the docs.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

import numpy as np  # noqa: E402 - the tests' folder comes first
from numpy.typing import NDArray  # noqa: E402

from bench.kept import Kept, write_between  # noqa: E402
from oracles.sequences import empirical_bernstein, normal_mixture  # noqa: E402
from railbird.analytics import equities  # noqa: E402
from railbird.analytics.compare import Material, Steps  # noqa: E402
from railbird.analytics.hand_arrays import Dealt  # noqa: E402
from railbird.analytics.hand_values import Outcome, Point, outcome  # noqa: E402
from railbird.analytics.intervals import EFFECTS, sequence_quantile, wilson  # noqa: E402
from railbird.analytics.store import open_store  # noqa: E402
from railbird.ingest import ingest  # noqa: E402
from railbird.replay.acpc import definitions  # noqa: E402
from railbird.replay.bots import _SAMPLES as SAMPLES  # noqa: E402
from railbird.replay.bots import Style, Styled, View, preflop_strength  # noqa: E402
from railbird.replay.cards import CARD_TEXT  # noqa: E402
from railbird.replay.evaluator import strength_of  # noqa: E402
from railbird.replay.records import FOLD, RAISE  # noqa: E402

KINDS: Final = ("null", "pairs", "alone")
"""Runs of different kinds share no deck."""
GAME: Final = "acpc/holdem.limit.2p.reverse_blinds"
RULES: Final = next(rules for rules in definitions.shipped() if definitions.PREFIX + rules.name == GAME)
HANDS: Final = 100
"""Of a match."""
NULL_HANDS: Final = 20_000
PART: Final = 5_000
"""Hands that a power run plays before it is looked at again."""
MOST: Final = 200_000
STYLE: Final = Style(0.40, 0.60, 0.50, 0.72, 0.80, 0.00, 0.50)
LEAK: Final = replace(STYLE, stay=0.38)
"""The same bot, which calls bets with hands too weak; worth about 5 bb/100."""
BOTS: Final = [GAME, list(astuple(STYLE)), list(astuple(LEAK)), 2]
"""Stands in every run that is kept: those of other bots are left out, as those of other code are. Last: their code."""
_MOST_DRAWS: Final = 32
"""Of a hand; eight answers a street are the most."""
JUDGED_BY: Final = (
    "analytics/compare.py",
    "analytics/intervals.py",
    "analytics/luck.py",
    "analytics/slopes.py",
)
MOST_WON: Final = 24.0
"""In bb, of a hand."""
POWER: Final = (1.959964 + 0.841621) ** 2

Floats = NDArray[np.float64]


class Deals:
    """The cards of a match and what a bot makes of them; the same seed gives the same.

    decks      (HANDS, 52) codes: two cards of each player in the order of their positions, the board, the rest
    strengths  of a hand, its position and its street: the preflop strength of the arena's styled bots, then, as they
               do, the share of 16 hands drawn at random that it beats so far
    """

    def __init__(self, seed: Sequence[int]) -> None:
        rng = np.random.default_rng(seed)
        self.decks = rng.random((HANDS, 52)).argsort(axis=1).astype(np.int8)
        self._others = rng.random((HANDS, 2, 3, SAMPLES, 2))
        self._kept: dict[tuple[int, int, int], float] = {}

    def strength(self, hand: int, position: int, street: int) -> float:
        """From 0 to 1."""
        place = hand, position, street
        if place not in self._kept:
            hole = self.decks[hand, 2 * position : 2 * position + 2]
            self._kept[place] = self._drawn(hole, *place) if street else preflop_strength(hole.tolist())
        return self._kept[place]

    def _drawn(self, hole: NDArray[np.int8], hand: int, position: int, street: int) -> float:
        board, size = self.decks[hand, 4 : 6 + street], 4 + street
        # All but the cards that the player sees.
        unseen = np.concatenate(
            [self.decks[hand, 2 - 2 * position : 4 - 2 * position], self.decks[hand, 6 + street :]]
        )
        drawn = self._others[hand, position, street - 1]
        first = (drawn[:, 0] * len(unseen)).astype(np.intp)
        second = (drawn[:, 1] * (len(unseen) - 1)).astype(np.intp)
        second += second >= first
        cards = np.empty((SAMPLES + 1, size), np.int8)
        cards[:, 2:], cards[0, :2] = board, hole
        cards[1:, 0], cards[1:, 1] = unseen[first], unseen[second]
        own, *others = [strength_of(one, size) for one in cards]
        return sum(1.0 if own > other else 0.5 if own == other else 0.0 for other in others) / SAMPLES

    def better(self, hand: int) -> int:
        """1 if the position 0 wins the showdown, -1 if it loses, 0 if both win."""
        one, other = (
            strength_of(np.concatenate([self.decks[hand, k : k + 2], self.decks[hand, 4:9]]), 7)
            for k in (0, 2)
        )
        return (one > other) - (one < other)


class Told(Styled):
    """A styled bot that is given the estimate of its hand and the random numbers of its match."""

    def __init__(self, style: Style, draws: Iterator[float]) -> None:
        """Of a style; draws: numbers from 0 to 1, which both players take in turn."""
        super().__init__(Random(0), style)
        self.draws, self.estimate = draws, 0.0

    def strength(self, hole: Sequence[int], board: Sequence[int]) -> float:
        """The estimate."""
        return self.estimate

    def happens(self, chance: float) -> bool:
        """As of all bots."""
        return chance > 0 and next(self.draws) < chance


def played(deals: Deals, hand: int, bots: Sequence[Told]) -> tuple[str, int]:
    """A hand between two bots by position: the actions as the log has them, and what position 0 won.

    Position 0 is the big blind.
    """
    big, small = map(int, RULES.blinds)
    put, done = [big, small], list[str]()
    for street, (size, most) in enumerate(zip(RULES.raise_sizes, RULES.max_raises, strict=True)):
        # The blinds are a first bet.
        opened = int(street == 0)
        actor, raises, answers, text = RULES.first[street], 0, 0, ""
        while answers < 2:
            bot, owed = bots[actor], put[1 - actor] - put[actor]
            bot.estimate = deals.strength(hand, actor, street)
            high = int(size) if raises < most else 0
            answer = bot.act(
                View((), (), street, sum(put), put[actor], owed, high, high, opened + raises, big, False)
            )
            if answer.action == FOLD:
                return "/".join([*done, text + "f"]), put[1] if actor else -put[0]
            put[actor] += owed
            if answer.action == RAISE:
                put[actor] += int(size)
                text, raises, answers = text + "r", raises + 1, 1
            else:
                text, answers = text + "c", answers + 1
            actor = 1 - actor
        done.append(text)
    return "/".join(done), put[0] * deals.better(hand)


def log_of(deals: Deals, names: Sequence[str], bots: Sequence[Told]) -> str:
    """The log of a match as the ACPC's dealer writes it; names and bots by position in the first hand."""
    # No seed: the dealer's generator did not deal these cards.
    lines, total = [f"# name/game/hands study {RULES.name}.game {HANDS}"], 0
    texts = [[CARD_TEXT[card] for card in deck] for deck in deals.decks[:, :9].tolist()]
    for hand, cards in enumerate(texts):
        turned = -1 if hand % 2 else 1
        actions, won = played(deals, hand, bots[::turned])
        total += turned * won
        streets = ["".join(cards[:2]) + "|" + "".join(cards[2:4]), "".join(cards[4:7]), cards[7], cards[8]]
        shown = "/".join(streets[: actions.count("/") + 1])
        lines.append(f"STATE:{hand}:{actions}:{shown}:{won}|{-won}:{'|'.join(names[::turned])}")
    lines.append(f"SCORE:{total}|{-total}:{'|'.join(names)}")
    return "\n".join([*lines, ""])


def write_logs(folder: Path, seed: int, first: int, hands: int, leaks: bool, paired: bool) -> None:
    """The logs of so many hands, from match number `first` on."""
    folder.mkdir(exist_ok=True)
    styles = {"A": STYLE, "B": LEAK if leaks else STYLE}
    for number in range(first, first + hands // HANDS):
        if not paired or number % 2 == 0 or number == first:
            deals = Deals([seed, number // 2 if paired else number, 0])
        names = ["A", "B"][:: -1 if number % 2 else 1]
        draws = iter(np.random.default_rng([seed, number, 1]).random(HANDS * _MOST_DRAWS).tolist())
        bots = [Told(styles[name], draws) for name in names]
        (folder / f"m{number}.log").write_text(log_of(deals, names, bots))


def _without_unseen(dealt: Dealt, point: Point, unseen: bool = False) -> Outcome:
    """The outcomes of a point without the equity against unseen hands, which `compare` does not read."""
    return outcome(dealt, point)


def looks(store: Path) -> tuple[Steps, Floats]:
    """What A and B played, and A's raw result in bb of each match."""
    with mock.patch.object(equities, "outcome", _without_unseen), open_store(store) as opened:
        wrong = opened.execute("select count(*) from hands where verdict <> 'ok'").fetchone()
        assert wrong == (0,), wrong
        material = Material(opened, GAME)
        material.read({"A", "B"})
        raw = {
            match: float(won)
            for match, won in opened.execute(
                "select match_id, sum(delta) / any_value(unit) from seats join matches using (match_id) "
                "where player = 'A' group by match_id"
            ).fetchall()
        }
    return material.steps("A", "B"), np.array([raw[match.match_id] for match in material.matches])


def verdict_at(steps: Steps) -> tuple[int, str] | None:
    """The hands at the first look with a verdict, and the verdict."""
    for place in range(len(steps.parts)):
        look = steps.look(place)
        if (verdict := look.verdict(None)) != "undecided":
            return look.hands, verdict
    return None


def run(kind: str, number: int) -> dict[str, Any]:
    """One run: `null`, `pairs` or `alone`."""
    paired, leaks = kind != "alone", kind != "null"
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        logs, store = Path(folder) / "logs", Path(folder) / "store"
        most = MOST if leaks else NULL_HANDS
        done, decided = 0, None
        while done < most and (decided is None or not leaks):
            part = PART if leaks else NULL_HANDS
            write_logs(logs, number * len(KINDS) + KINDS.index(kind), done // HANDS, part, leaks, paired)
            done += part
            ingest([logs], store, workers=1)
            steps, raw = looks(store)
            decided = verdict_at(steps)
    won = np.array(steps.won)
    pairs = won.reshape(-1, 2).mean(axis=1) if paired else won
    return {
        "kind": kind,
        "run": number,
        "bots": BOTS,
        "hands": done,
        "decided": decided,
        "crossed": crossings(pairs, HANDS * (1 + paired)),
        "raw": sums(raw),
        "adjusted": sums(won),
        "pairs": sums(pairs),
        "first": sums(pairs[: PART // HANDS // (1 + paired)]),
        "seats": sums(raw[::2], raw[1::2]) if paired else [],
        "seconds": round(time.process_time() - began, 1),
    }


def sums(first: Floats, second: Floats | None = None) -> list[float]:
    """How many, their sum, and the sum of their squares; of two series also the second's, and of their products."""
    series = [first] if second is None else [first, second]
    found = [float(len(first)), *(float(power) for one in series for power in (one.sum(), (one**2).sum()))]
    return [
        round(value, 6) for value in (found if second is None else [*found, float((first * second).sum())])
    ]


def added(rows: Sequence[dict[str, Any]], name: str) -> Floats:
    """The sums of several runs together."""
    total: Floats = np.sum([row[name] for row in rows], axis=0)
    return total


def spread_of(n: float, total: float, squares: float) -> float:
    """The standard deviation of n numbers."""
    return float(((squares - total**2 / n) / (n - 1)) ** 0.5)


# What the runs say.


def crossings(values: Floats, hands: int) -> dict[str, int | None]:
    """The first step, each of so many hands, at which each kind of bounds leaves 0 out; None: never."""
    n = np.arange(1, len(values) + 1)
    mean = np.cumsum(values) / n
    spread = np.sqrt(np.maximum(np.cumsum(values**2) - n * mean**2, 0) / np.maximum(n - 1, 1))
    least = np.maximum(spread, 1e-9)
    mixed = np.array([sequence_quantile(k - 1, k * hands) for k in n.tolist()]) * least / np.sqrt(n)
    bounded = HANDS * MOST_WON
    middle, half = empirical_bernstein(values, -bounded, bounded)
    made = {
        "t-mixture (used)": (mean, np.where(n < 3, np.inf, mixed)),
        "normal mixture, spread estimated": (
            mean,
            np.where(n < 3, np.inf, normal_mixture(n.astype(np.float64), spread, hands * EFFECTS[-1][1])),
        ),
        "empirical Bernstein": (middle, half),
        "z-test at every look": (mean, np.where(n < 3, np.inf, 1.96 * spread / np.sqrt(n))),
    }
    found: dict[str, int | None] = {}
    for name, (center, width) in made.items():
        out = np.flatnonzero(np.abs(center) > width)
        found[name] = int(out[0]) + 1 if len(out) else None
    return found


def _rate(count: int, of: int) -> str:
    low, high = wilson(count / of, of)
    return f"{count:,} of {of:,} ({100 * count / of:.1f}%; {100 * low:.1f} to {100 * high:.1f})"


def summary(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Lines of the page; rates and edges have 95% intervals."""
    by_kind = {kind: [row for row in rows if row["kind"] == kind] for kind in KINDS}
    nulls = by_kind["null"]
    if nulls:
        called = sum(row["decided"] is not None for row in nulls)
        n, one, ones, two, twos, both = added(nulls, "seats").tolist()
        together = (both - one * two / n) / ((n - 1) * spread_of(n, one, ones) * spread_of(n, two, twos))
        yield (
            f"**Null.** Two equal bots, {NULL_HANDS:,} hands in {NULL_HANDS // HANDS} matches, {len(nulls):,} runs, a "
            f"look after every match: called different in {_rate(called, len(nulls))}; at most 5% are allowed. "
            f"Results of the two seats of a deck correlate by {together:+.2f}."
        )
        yield ""
        yield "| bounds, on luck-adjusted pairs | ever called different |"
        yield "|---|---|"
        counts: dict[str, int] = {}
        for row in nulls:
            for name, step in row["crossed"].items():
                counts[name] = counts.get(name, 0) + (step is not None)
        yield from (f"| {name} | {_rate(count, len(nulls))} |" for name, count in counts.items())
        yield ""
    for kind, goal in (("pairs", 0.5), ("alone", 0.7)):
        if by_kind[kind]:
            yield from _power(kind, by_kind[kind], rows, goal)


def _power(
    kind: str, runs: list[dict[str, Any]], rows: Sequence[dict[str, Any]], goal: float
) -> Iterator[str]:
    leaking = [row for row in rows if row["kind"] != "null"]
    # In every match as it was played: the spread of a hand is that of matches, which are independent.
    spread = spread_of(*added(leaking, "raw").tolist()) / HANDS**0.5
    # Of the hands that every run plays: a run that goes on until it has a verdict stops when the edge looks large.
    n, total, squares = added(leaking, "first").tolist()
    edge, error = total / n / HANDS, spread_of(n, total, squares) / HANDS / n**0.5
    needed = POWER * (spread / edge) ** 2
    wrong = sum(row["decided"] is not None and row["decided"][1] != "better" for row in runs)
    hands = sorted(row["decided"][0] if row["decided"] else MOST * 10 for row in runs)
    median = (
        hands[len(hands) // 2]
        if len(hands) % 2
        else (hands[len(hands) // 2 - 1] + hands[len(hands) // 2]) / 2
    )
    removed = 1 - spread_of(*added(runs, "adjusted").tolist()) / spread_of(*added(runs, "raw").tolist())
    what = "with duplicate decks" if kind == "pairs" else "other cards in every match"
    yield (
        f"**Power, {what}.** The edge of the bot without the leak is {100 * edge:.1f} ± {196 * error:.1f} bb/100 "
        f"in the first {PART:,} hands of all runs, a hand's standard deviation {spread:.1f} bb; a z-test of raw "
        f"winnings of fixed size needs {needed:,.0f} hands for 80%. Median of the hands to the verdict in "
        f"{len(runs):,} runs: {median:,.0f}, {median / needed:.2f} of that (wanted: at most {goal}); wrong verdicts: "
        f"{wrong}. The luck adjustment removes {100 * removed:.0f}% of the standard deviation of a match."
    )
    yield ""


BEGIN: Final = "<!-- begin of compare-study -->"
END: Final = "<!-- end of compare-study -->"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--runs", type=Path, default=Path("docs/compare-study.jsonl"), help="where runs are kept"
    )
    parser.add_argument("--nulls", type=int, default=1000)
    parser.add_argument("--powers", type=int, default=200)
    parser.add_argument("--hours", type=float, default=6.0, help="stop after so long")
    parser.add_argument(
        "--part", default="0/1", help="K/N: only every N-th run from K on, for several processes"
    )
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="write the figures into this page, run nothing"
    )
    chosen = parser.parse_args()
    kept = Kept(chosen.runs, JUDGED_BY)
    if chosen.write is None:
        _play_missing(chosen, kept)
    text = "\n".join(summary([row for row in kept.rows if row["bots"] == BOTS])).rstrip()
    print(text)
    if chosen.write is not None:
        write_between(chosen.write, BEGIN, END, f"\n{text}\n")


def _play_missing(chosen: argparse.Namespace, kept: Kept) -> None:
    """Play the runs that are missing, by turns of their kinds."""
    known = {(row["kind"], row["run"]) for row in kept.rows if row["bots"] == BOTS}
    place, of = map(int, chosen.part.split("/"))
    limits = {"null": chosen.nulls, "pairs": chosen.powers, "alone": chosen.powers}
    due = [
        (kind, number)
        for number in range(place, max(limits.values()), of)
        for kind, limit in limits.items()
        if number < limit and (kind, number) not in known
    ]
    ends = time.monotonic() + 3600 * chosen.hours
    for kind, number in due:
        if time.monotonic() > ends:
            break
        kept.add(row := run(kind, number))
        print(kind, number, row["decided"], f"{row['seconds']} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
