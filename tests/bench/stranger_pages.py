"""The tables and the picture of the strangers' tournaments, as docs/collusion.md has them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from arena.stranger_events import GAMES, HONEST, POKERKIT
from arena.stranger_plans import PLANS, SEED

from bench.collusion import area, share
from bench.kept import write_between
from bench.stranger_arena import CELLS

BEGIN, END = "<!-- strangers -->", "<!-- end of strangers -->"
PICTURE: Final = "strangers-qq.svg"
LEVELS: Final = (0.001, 0.01, 0.05, 0.1)
ALARMS: Final = 0.01
POWER: Final = 0.8
LEAST: Final = 0.75
_Z: Final = 1.96
_NORMAL_POWER: Final = 0.8416
"""The standard normal value below which 80% lie."""
_HANDS: Final = 3000

Rows = Sequence[dict[str, Any]]


def honest_of(rows: Rows, *games: str) -> list[dict[str, Any]]:
    """The honest tournaments, of some games or of all."""
    return [
        row for row in rows if row["event"]["plan"] == HONEST and (not games or row["event"]["game"] in games)
    ]


def clustered(counts: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """A share of the pairs and its standard error over tournaments, which hold pairs that depend on each other.

    counts  (pairs at or below, pairs) of each tournament. Where none or all are, the error is that of half a pair.
    """
    hits, pairs = np.array(counts, float).T
    value = float(hits.sum() / pairs.sum())
    spread = float(np.sqrt(((hits - value * pairs) ** 2).sum()) / pairs.sum())
    return value, max(spread, 0.5 / float(pairs.sum()))


def score(row: dict[str, Any]) -> float:
    """The smallest p over all detectors of the planted pair, or of the bot that reads the seed."""
    if row["event"]["plan"] != SEED:
        return float(row["least"].get(row["pair"], 1.0))
    return min(_by_player(row).get(row["pair"], 1.0), 1.0)


def scores(rows: Rows, plan: str) -> list[float]:
    """The smallest p of each honest pair; for readers of seeds of each player, the audit of information included."""
    found = [_by_player(row) if plan == SEED else row["least"] for row in rows]
    return [float(p) for one in found for p in one.values()]


def _by_player(row: dict[str, Any]) -> dict[str, float]:
    least = dict(row["informed"])
    for both, p in row["least"].items():
        for name in both.split("+"):
            least[name] = min(least.get(name, 1.0), p)
    return least


def _honest_lines(rows: Rows) -> Iterator[str]:
    honest = honest_of(rows)
    yield "| honest tournaments | with any flag | pairs taken for one program |"
    yield "|---|---|---|"
    groups = [("all", honest)]
    for title, twins in (("with two names of one program", True), ("with none", False)):
        groups.append((title, [row for row in honest if row["event"]["twins"] == twins]))
    groups.append(("by PokerKit", [row for row in honest if row["event"]["game"].startswith(POKERKIT)]))
    groups += [(game, honest_of(rows, game)) for game in GAMES if honest_of(rows, game)]
    for title, mine in groups:
        alike = sum(len(row["alike"]) for row in mine)
        yield f"| {title} | {share(sum(bool(row['flags']) for row in mine), len(mine))} | {alike} |"


def _share_lines(rows: Rows) -> Iterator[str]:
    honest = honest_of(rows)
    yield "| detector | pairs | " + " | ".join(f"p ≤ {level:g}" for level in LEVELS) + " |"
    yield "|---|---|" + "---|" * len(LEVELS)
    for name in sorted({name for row in honest for name in row["tests"]}):
        tests = [row["tests"][name] for row in honest if name in row["tests"]]
        cells = []
        for level in LEVELS:
            value, error = clustered([(sum(p <= level for p in some), len(some)) for some in tests])
            bold = "**" if value - _Z * error > level else ""
            cells.append(f"{bold}{value:.2%} ± {_Z * error:.2%}{bold}")
        yield f"| {name} | {sum(map(len, tests)):,} | " + " | ".join(cells) + " |"


def hands_for_power(planted: Sequence[float], honest: Sequence[float]) -> float | None:
    """Hands a pair that 80% of planted pairs need to lie below 99% of honest pairs; None where nothing shows.

    Extrapolated from tournaments of 3,000 hands: the mean of the normal values of p grows with the root of the hands.
    """
    from scipy.stats import norm

    one, two = (norm.isf(np.clip(some, 1e-9, 1 - 1e-9)) for some in (planted, honest))
    shift = float(one.mean() - two.mean())
    wanted = float(np.quantile(two, 1 - ALARMS) - two.mean()) + _NORMAL_POWER * float(max(one.std(), 0.5))
    return _HANDS * (wanted / shift) ** 2 if shift > 0 else None


def _cell_lines(rows: Rows) -> Iterator[str]:
    yield "| plan | game | AUC | n | below 99% of honest pairs | flagged | hands for 80% power |"
    yield "|---|---|---|---|---|---|---|"
    values = []
    for game, plan in CELLS:
        mine = [row for row in rows if (row["event"]["game"], row["event"]["plan"]) == (game, plan)]
        honest = scores(honest_of(rows, game), plan)
        if not mine or not honest:
            continue
        planted = [score(row) for row in mine]
        value, error = area(planted, honest)
        # Where all pairs lie below the honest ones, the error is that of half a pair that does not.
        missed = 0.5 / len(planted)
        error = max(error, float(np.sqrt(missed * (1 - missed) / len(planted))))
        values.append(value)
        bound = float(np.quantile(honest, ALARMS))
        named = sum(any(row["pair"] in flag[1] for flag in row["flags"]) for row in mine)
        needed = hands_for_power(planted, honest) if value < LEAST else 0.0
        said = "" if needed == 0 else "no trace" if needed is None else f"{needed:,.0f}, extrapolated"
        found = sum(p < bound for p in planted)
        yield (
            f"| {plan} | {game} | {value:.3f} ± {_Z * error:.3f} | {len(mine)} "
            f"| {share(found, len(mine))} | {share(named, len(mine))} | {said} |"
        )
    if values:
        least = sum(value >= LEAST for value in values)
        yield ""
        yield f"Mean AUC {np.mean(values):.3f}; {least} of {len(values)} cells at {LEAST} or above."


def page(rows: Rows) -> str:
    """The tables."""
    honest = honest_of(rows)
    minutes = sum(row["seconds"] for row in rows) / 60
    engines = sum(row["event"]["game"].startswith(POKERKIT) for row in honest)
    lines = [
        f"{len(honest)} honest tournaments ({engines} by PokerKit) and {len(rows) - len(honest)} with a plan were "
        f"played, {minutes:.0f} processor minutes.",
        "",
        *_honest_lines(rows),
        "",
        "### Honest strangers: p by detector",
        "",
        *_share_lines(rows),
        "",
        f"![p of honest pairs beside what is expected](pictures/{PICTURE})",
        "",
        "### Plans of strangers",
        "",
        *(f"- *{plan}*: {said}." for plan, said in PLANS.items()),
        "",
        *_cell_lines(rows),
    ]
    return "\n".join(lines)


def picture(rows: Rows, path: Path) -> None:
    """Expected against seen p of the honest pairs, a curve a detector, on logarithmic axes."""
    from matplotlib.figure import Figure

    honest = honest_of(rows)
    figure = Figure(figsize=(6.4, 4.4), layout="constrained")
    axes = figure.subplots()
    names = sorted({name for row in honest for name in row["tests"]})
    for number, name in enumerate(names):
        seen = np.sort([p for row in honest for p in row["tests"].get(name, [])])
        expected = (np.arange(len(seen)) + 0.5) / len(seen)
        kept = np.unique(np.geomspace(1, len(seen), 200).astype(int)) - 1
        style = "-" if number < 6 else "--"
        axes.plot(
            expected[kept], np.maximum(seen[kept], 1e-6), style, color=f"C{number % 6}", lw=1.2, label=name
        )
    ends = [1e-5, 1.0]
    axes.plot(ends, ends, color="0.5", lw=0.8)
    axes.set(xscale="log", yscale="log", xlabel="p expected of honest pairs", ylabel="p seen")
    axes.annotate(
        "below the line: too many small p", (0.98, 0.03), xycoords="axes fraction", ha="right", color="0.4"
    )
    axes.legend(frameon=False, fontsize=8)
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


def write(rows: Rows, path: Path) -> None:
    """Put the tables into a page of the docs, and the picture into the folder beside it."""
    write_between(path, BEGIN, END, page(rows))
    picture(rows, path.parent / "pictures" / PICTURE)
