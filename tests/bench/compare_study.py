"""How often `railbird compare` calls equal bots different, and how soon it finds an edge. `make compare-study`.

Bots play limit hold'em heads-up with duplicate decks: 100 hands, then the same cards from the other seats. The logs go
through ingest, equities and `compare` as any others, with a look after every match. A null run is two equal bots over
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
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Final

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

import numpy as np  # noqa: E402 - the tests' folder comes first
from numpy.typing import NDArray  # noqa: E402

from bench.kept import Kept, write_between  # noqa: E402
from oracles.sequences import empirical_bernstein, normal_mixture  # noqa: E402
from railbird.analytics.compare import Material, Steps  # noqa: E402
from railbird.analytics.intervals import EFFECTS, sequence_quantile  # noqa: E402
from railbird.analytics.store import open_store  # noqa: E402
from railbird.ingest import ingest  # noqa: E402
from railbird.replay.bots import Style, Styled  # noqa: E402
from railbird.replay.simulate import Player, play_bots  # noqa: E402
from railbird.variants import registry  # noqa: E402, F401 - makes the games known

KINDS: Final = ("null", "pairs", "alone")
"""Runs of different kinds share no deck."""
GAME: Final = "acpc/holdem.limit.2p.reverse_blinds"
HANDS: Final = 100
"""Of a match."""
NULL_HANDS: Final = 20_000
PART: Final = 5_000
"""Hands that a power run plays before it is looked at again."""
MOST: Final = 200_000
STYLE: Final = Style(0.40, 0.60, 0.50, 0.72, 0.80, 0.00, 0.50)
LEAK: Final = replace(STYLE, stay=0.38)
"""The same bot, which calls bets with hands too weak; worth about 5 bb/100."""
BOTS: Final = [GAME, list(astuple(STYLE)), list(astuple(LEAK))]
"""Stands in every run that is kept: those of other bots are left out, as those of other code are."""
JUDGED_BY: Final = (
    "analytics/compare.py",
    "analytics/intervals.py",
    "analytics/luck.py",
    "analytics/slopes.py",
    "replay/bots.py",
)
MOST_WON: Final = 24.0
"""In bb, of a hand."""
POWER: Final = (1.959964 + 0.841621) ** 2

Floats = NDArray[np.float64]


class Steady(Styled):
    """A styled bot whose estimate of a hand depends on the cards alone."""

    def _sampled(self, hole: tuple[int, ...], board: tuple[int, ...]) -> float:
        return estimate(hole, board)


@lru_cache(100_000)
def estimate(hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    """What such a bot makes of a hand; duplicate decks ask for each twice."""
    return Styled(Random(f"{hole} {board}"), STYLE)._sampled(hole, board)


def write_logs(folder: Path, seed: int, first: int, hands: int, leaks: bool, paired: bool) -> None:
    """The logs of so many hands, from match number `first` on."""
    folder.mkdir(exist_ok=True)
    for number in range(first, first + hands // HANDS):
        deck = f"{seed} {number // 2 if paired else number}"
        bots = [
            Player(name, Steady(Random(f"{seed} {number} {name}"), style))
            for name, style in (("A", STYLE), ("B", LEAK if leaks else STYLE))
        ]
        seated = bots[::-1] if number % 2 else bots
        text = play_bots(GAME, seated, HANDS, Random(deck).randrange(1 << 32)).text
        (folder / f"m{number}.log").write_text(text)


def looks(store: Path) -> tuple[Steps, Floats]:
    """What A and B played, and A's raw result in bb of each match."""
    with open_store(store) as opened:
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
    return f"{count:,} of {of:,} ({100 * count / of:.1f}% ± {100 * (0.05 * 0.95 / of) ** 0.5:.1f})"


def summary(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Lines of the page."""
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
        f"**Power, {what}.** The edge of the bot without the leak is {100 * edge:.1f} ± {100 * error:.1f} bb/100 "
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
