"""Whether luck-adjusted winnings keep their promise: simulated matches whose true result is known. `make calibration`.

All players of a match play alike, so a player can expect an equal share of what a hand pays beyond what was put in:
nothing, in Blotto half of the chips that nobody put in. Hands of many simulated logs go through ingest, equities and
slopes as any log does, slopes fitted on other logs; matches of HANDS hands are then drawn from them, whole blocks of
25 in Bounty, whole matches in Koper. `--write FILE` puts the rows of the games that were run into a page of the docs.
"""

import argparse
import os
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

import numpy as np  # noqa: E402 - the tests' folder comes first
import polars as pl  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from scipy import stats  # noqa: E402

from railbird.analytics import luck  # noqa: E402
from railbird.analytics.store import open_store  # noqa: E402
from railbird.ingest import ingest  # noqa: E402
from railbird.replay.simulate import LATEST, simulate  # noqa: E402

GAMES: Final = (
    "bounty",
    "holdem-mit",
    "acpc/holdem.nolimit.2p.reverse_blinds",
    "river-of-blood",
    "blotto",
    "acpc/holdem.limit.2p.reverse_blinds",
    "auction",
    "swap",
    "toss",
    "permutation",
    "koper",
)
STYLE: Final = "loose-aggressive"
LOG: Final = 500
"""Hands of a simulated log."""
KOPER_LOG: Final = 50
"""Those of a match of Koper, which has no more."""
HANDS: Final = 500
"""Hands of a match that is judged."""
MATCHES: Final = 10_000
LEAST: Final = 100
"""Hands of a logged match from which its standard deviation is told."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """An estimate over all matches: coverage of its 95% interval, its mean error and that error's standard error."""

    coverage: float
    bias: float
    bias_error: float
    sd: float


def simulated(
    game: str, hands: int, folder: Path, seed: int
) -> tuple[dict[str, Floats], Floats, NDArray[np.int64]]:
    """Of seat 0 in bb by hand: each estimate, and an equal share of what all won; and the cluster of each hand."""
    logs = folder / "logs" / game.replace("/", "-")
    logs.mkdir(parents=True)
    koper = game == "koper"
    length = KOPER_LOG if koper else LOG
    for number in range(max(hands // length, 2)):
        players = [(name, STYLE) for name in ("ABCDE" if koper else "AB")]
        # A tournament of Koper's second engine deals the same cards five times.
        profile = "v1" if koper else LATEST
        (logs / f"{number}.txt").write_text(simulate(game, players, length, seed + number, profile))
    target = folder / f"store-{game.replace('/', '-')}"
    ingest([logs], target)
    with open_store(target) as store:
        frame = luck.hands(store)
        hand = ["match_id", "hand_index"]
        frame = frame.with_columns(share=pl.col("delta").mean().over(hand))
        # Seats change the dealer's button by turns: seat 0 plays as seat 1 does.
        mine = frame.filter(frame["seat"] == 0)
        _, cluster = np.unique(mine.select("match_id", "cluster").to_numpy(), axis=0, return_inverse=True)
        (unit,) = store.sql("select any_value(unit) from matches").fetchall()[0]
    names = luck.ESTIMATES
    values = {name: mine[name].to_numpy() / unit for name in names}
    return values, mine["share"].to_numpy() / unit, cluster.reshape(-1)


def judged(
    values: Floats, share: Floats, cluster: NDArray[np.int64], rng: np.random.Generator, matches: int
) -> Judged:
    """Matches of HANDS hands, drawn by clusters: how often mean +- t * se holds what the hands drawn from average."""
    sums, sizes = np.bincount(cluster, values), np.bincount(cluster)
    count = max(round(HANDS / sizes.mean()), 2)
    truth = sums.sum() / sizes.sum()
    quantile = float(stats.t.ppf(0.975, count - 1))
    holds = 0
    for first in range(0, matches, 500):
        drawn = rng.integers(len(sums), size=(min(500, matches - first), count))
        s, n = sums[drawn], sizes[drawn].astype(np.float64)
        mean = s.sum(axis=1) / n.sum(axis=1)
        spread = ((s - mean[:, None] * n) ** 2).sum(axis=1) * count / (count - 1)
        half = quantile * np.sqrt(spread) / n.sum(axis=1)
        holds += int((np.abs(mean - truth) <= half).sum())
    # The truth of players alike is the equal share: the mean of all hands simulated is off by no more than chance.
    excess = np.bincount(cluster, values - share)
    bias = excess.sum() / sizes.sum()
    error = np.sqrt(((excess - bias * sizes) ** 2).sum()) / sizes.sum()
    return Judged(holds / matches, float(bias), float(error), float(values.std()))


def row(game: str, hands: int, matches: int, folder: Path, seed: int) -> str:
    """A line of the table."""
    began = time.process_time()
    values, share, cluster = simulated(game, hands, folder, seed)
    rng = np.random.default_rng(1)
    found = {name: judged(values[name], share, cluster, rng, matches) for name in luck.ESTIMATES}
    raw, fair = found["delta"], found["chance_adjusted"]
    difference = values["chance_adjusted"] - values["delta"]
    luck_mean, luck_error = difference.mean(), difference.std() / len(difference) ** 0.5
    cells = [
        game,
        f"{len(difference):,}",
        f"{100 * raw.coverage:.1f}%",
        f"{100 * found['all_in_adjusted'].coverage:.1f}%",
        f"{100 * fair.coverage:.1f}%",
        # The first of Koper's seats bets before he sees what the others put in: they are not alike.
        "" if game == "koper" else f"{1000 * fair.bias:+.0f} ± {1000 * fair.bias_error:.0f}",
        f"{1000 * luck_mean:+.0f} ± {1000 * luck_error:.0f}",
        f"{100 * (1 - found['all_in_adjusted'].sd / raw.sd):.0f}%",
        f"{100 * (1 - fair.sd / raw.sd):.0f}%",
    ]
    print(" | ".join(cells), f"({time.process_time() - began:.0f} s)", file=sys.stderr, flush=True)
    return "| " + " | ".join(cells) + " |"


def page(rows: list[str], matches: int) -> str:
    """The table, as a part of docs/luck.md."""
    head = (
        "game",
        "hands simulated",
        "raw",
        "all-in-adjusted",
        "chance-adjusted",
        "mean, mbb/h ± se",
        "luck taken out, mbb/h ± se",
        "SD gone, all-in",
        "SD gone",
    )
    lines = [
        "Made by `make calibration`, one game after the other (`--game`, with the second column's `--hands`):",
        f"{matches:,} matches of {HANDS} hands a game (Koper: of ten of its matches), drawn from simulated hands of",
        f"`{STYLE}` bots that play alike. Raw, all-in-adjusted and chance-adjusted: how often the 95%",
        "interval holds the mean of the hands that are drawn from. *Mean*: that of the chance-adjusted winnings",
        "less an equal share of what all players won (0; in Blotto half of the 6 bb that nobody puts in). The true",
        "mean is 0, and so is that of the luck taken out; both come with standard errors. Koper has no such mean,",
        "because its seats are not alike: each sees the pot so far.",
        "",
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
        *rows,
    ]
    return "\n".join(lines) + "\n"


def removed(path: Path) -> str:
    """How much of the standard deviation of a hand goes in each match of a store: the table of docs/luck.md."""
    with open_store(path) as store:
        frame = luck.winnings(store, "match")
    frame = frame.filter((frame["seat"] == 0) & (frame["delta_sd"] > 0) & (frame["hands"] >= LEAST))
    lines = [
        f"Made by `make calibration` with `--store STORE`, from matches of at least {LEAST} hands: by how",
        "much the adjustment reduces the standard deviation of a hand for seat 0. *Chance-adjusted* is the median over",
        "matches, *middle half* the quartiles; below 0 the adjusted winnings spread more than the raw ones.",
        "",
        "| game | matches | hands | all-in-adjusted | chance-adjusted | middle half | mean | least |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (game,), rows in sorted(frame.partition_by("game", as_dict=True).items()):
        all_in = 1 - (rows["all_in_adjusted_sd"] / rows["delta_sd"]).to_numpy()
        every = 1 - (rows["chance_adjusted_sd"] / rows["delta_sd"]).to_numpy()
        low, middle, high = (100 * np.quantile(every, share) for share in (0.25, 0.5, 0.75))
        cells = (
            str(game),
            f"{len(rows)}",
            f"{rows['hands'].sum():,}",
            f"{100 * np.median(all_in):.0f}%",
            f"{middle:.0f}%",
            f"{low:.0f}% to {high:.0f}%",
            f"{100 * np.mean(every):.0f}%",
            f"{100 * every.min():.0f}%",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def merged(rows: list[str], text: str) -> list[str]:
    """The rows, and of the other games those that a page has."""
    told = {line.split(" | ")[0].removeprefix("| "): line for line in [*text.splitlines(), *rows]}
    return [told[game] for game in GAMES if game in told]


def part(page: Path, mark: str) -> str:
    """What stands between the marks of a page."""
    found = re.search(rf"<!-- {mark} -->\n(.*?)<!-- end -->\n", page.read_text(), flags=re.DOTALL)
    return found[1] if found else ""


def put(text: str, page: Path, mark: str) -> None:
    """Write a table between its marks of a page."""
    marked = rf"(<!-- {mark} -->\n).*?(<!-- end -->\n)"
    page.write_text(re.sub(marked, lambda m: m[1] + text + m[2], page.read_text(), flags=re.DOTALL))


def main() -> None:
    """Run the games; `--write FILE` replaces what stands between the marks of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000, help="simulated a game")
    parser.add_argument("--matches", type=int, default=MATCHES, help="judged a game")
    parser.add_argument("--seed", type=int, default=7_000, help="of the first simulated log")
    parser.add_argument("--game", action="append", choices=GAMES, help="this one alone; may be given again")
    parser.add_argument("--write", type=Path, help="page of the docs to be written")
    parser.add_argument("--store", type=Path, help="instead: what goes in the matches of a store")
    given = parser.parse_args()
    if given.store:
        text = removed(given.store)
        print(text)
        if given.write:
            put(text, given.write, "corpus")
        return
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory(prefix="railbird-") as folder:
        rows = [
            row(game, given.hands, given.matches, Path(folder), given.seed) for game in given.game or GAMES
        ]
    print(page(rows, given.matches))
    if given.write:
        put(page(merged(rows, part(given.write, "calibration")), given.matches), given.write, "calibration")


if __name__ == "__main__":
    main()
