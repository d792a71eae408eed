"""How often `railbird exploit` lists a planted leak first, what its play really wins, and what it lists where none is.

A plant is a bot of `arena.planted` over 3,000 hands against an honest player. The play that is listed first
is then played: the same cards with and without it, and the difference is compared with the interval. A null is a match
of two that play an equilibrium of Kuhn or of Leduc poker. The runs are kept in `docs/leaks-study.jsonl`, one a line, so
that a study goes on where it stopped, on any machine. `--write FILE` puts the figures into a page of the docs.
`make leaks`
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any, Final

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from arena.equilibrium import kuhn_match, leduc_match  # noqa: E402 - the tests' folder comes first
from arena.planted import PLANTED, Maker, OtherBids, Ruled, gains, matches, seated  # noqa: E402

from bench.kept import Kept, write_between  # noqa: E402
from railbird.analytics.exploit.material import matches_of  # noqa: E402
from railbird.analytics.exploit.plays import Bid, Change  # noqa: E402
from railbird.analytics.exploit.search import Leaks, find_leaks  # noqa: E402
from railbird.analytics.players import find_player  # noqa: E402
from railbird.analytics.store import open_store  # noqa: E402
from railbird.ingest import ingest  # noqa: E402

HANDS: Final = 3000
PART: Final = 4_000
"""Hands in which a play is played before its sums are kept."""
UNIT: Final = 2.0
JUDGED_BY: Final = (
    "analytics/exploit",
    "replay/bots.py",
    "tests/arena/equilibrium.py",
    "tests/arena/honest.py",
    "tests/arena/planted.py",
)
"""The code that makes a result what it is."""
NULLS: Final = {"equilibrium of kuhn": kuhn_match, "equilibrium of leduc": leduc_match}
BEGIN, END = "<!-- leaks study -->", "<!-- end -->"


def leaks_of(texts: list[str], name: str, suffix: str) -> Leaks:
    """The leaks of a player in some logs."""
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder) / "cup"
        logs.mkdir()
        for number, text in enumerate(texts):
            (logs / f"{number}{suffix}").write_text(text, encoding="utf-8")
        ingest([logs], Path(folder) / "store")
        with open_store(Path(folder) / "store") as store:
            store.count_equities()
            player = find_player(store, name)
            # Also of games whose leaks the command does not price.
            return find_leaks(store, player, sure=True, matches=matches_of(store, player))


def leaks_of_plant(leak: str, seed: int) -> Leaks:
    """What is listed of a planted bot."""
    game, planted, honest = seated(leak)
    return leaks_of(matches(game, planted, honest, HANDS, seed), "Planted", ".txt")


def plant_run(leak: str, seed: int, found: Leaks) -> dict[str, Any]:
    """One planted bot: whether its leak is first."""
    plant = PLANTED[leak]
    run: dict[str, Any] = {"what": leak, "seed": seed, "listed": len(found.leaks), "first": False}
    if not found.leaks:
        return run
    first = found.leaks[0]
    run["first"] = first.kind == plant.leak and plant.street in (None, first.street)
    run |= {
        "certain": first.listed,
        "kind": first.kind,
        "street": first.street,
        "gain": first.gain,
        "low": first.low,
        "high": first.high,
    }
    return run


def played(leak: str, seed: int, part: int, play: Change) -> dict[str, Any]:
    """What a play wins in a part of the hands, in bb: how many, their sum, and the sum of their squares."""
    game, planted, honest = seated(leak)
    sides = changed(play, planted, honest)
    won = gains(game, (planted, honest), sides, PART, seed + 5000 + 1_000_003 * part, UNIT)
    won = -won if sides[1] is honest else won
    sums = [round(float(each), 6) for each in (len(won), won.sum(), (won**2).sum())]
    return {"what": leak, "seed": seed, "part": part, "sums": sums}


def changed(play: Change, planted: Maker, honest: Maker) -> tuple[Maker, Maker]:
    """The planted bot and its opponent, one of which follows a change of play."""
    if isinstance(play, Bid):
        return (
            (lambda rng: OtherBids(rng, play), honest)
            if play.own
            else (planted, lambda rng: OtherBids(rng, play))
        )
    if play.fact:
        return (lambda rng: Ruled(rng, [play], planted(rng))), honest
    return planted, lambda rng: Ruled(rng, [play], honest(rng))


def null_run(what: str, seed: int) -> dict[str, Any]:
    """Two that play an equilibrium: how many leaks are listed of one of them."""
    texts = [NULLS[what](HANDS // 2, seed * 10 + k) for k in range(2)]
    found = leaks_of(texts, ("Even", "Odd")[seed % 2], ".log")
    return {"what": what, "seed": seed, "listed": len(found.leaks)}


def realised(rows: list[dict[str, Any]]) -> dict[tuple[str, int], tuple[float, float, int]]:
    """Of each play that was played: what it won in bb/100, the standard error, and the hands."""
    sums: dict[tuple[str, int], list[float]] = {}
    for row in rows:
        if "part" in row:
            before = sums.get((row["what"], row["seed"]), [0.0] * 3)
            sums[row["what"], row["seed"]] = [
                one + other for one, other in zip(before, row["sums"], strict=True)
            ]
    return {
        run: (100 * total / n, 100 * sqrt(max(squares - total**2 / n, 0)) / n, int(n))
        for run, (n, total, squares) in sums.items()
    }


def lines_of(rows: list[dict[str, Any]]) -> Iterator[str]:
    """The figures as tables of the docs: of all runs, and of the plays of each plant's first run."""
    yield (
        "| what was played | runs | planted leak first | at a certain price | another first | none listed "
        "| realised in the interval | hands of each |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    runs, found = [row for row in rows if "part" not in row], realised(rows)
    for what in (*PLANTED, *NULLS):
        some = [run for run in runs if run["what"] == what]
        if not some:
            continue
        none = sum(not run["listed"] for run in some)
        first = sum(run.get("first", False) for run in some)
        shown, least = "", ""
        if won := [(run, *found[what, run["seed"]]) for run in some if (what, run["seed"]) in found]:
            inside = sum(
                run["low"] - 2 * error <= gain <= run["high"] + 2 * error for run, gain, error, _ in won
            )
            shown, least = f"{inside} of {len(won)}", f"{min(hands for *_, hands in won):,}"
        certain = sum(run.get("first", False) and run["certain"] for run in some)
        planted = " | " if what in NULLS else f"{first} | {certain}"
        others = len(some) - none - first
        yield f"| {what.replace('_', ' ')} | {len(some)} | {planted} | {others} | {none} | {shown} | {least} |"
    yield ""
    yield "| what was played first | the play is against | listed, bb/100 | won, bb/100 | hands |"
    yield "| --- | --- | ---: | ---: | ---: |"
    for run in runs:
        if run["seed"] == 0 and (run["what"], 0) in found:
            gain, error, hands = found[run["what"], 0]
            listed = f"{run['gain']:.1f} ({run['low']:.1f} to {run['high']:.1f})"
            gained = f"{gain:.1f} ± {1.96 * error:.1f}"
            yield f"| {run['what'].replace('_', ' ')} | `{run['kind']}` | {listed} | {gained} | {hands:,} |"


def main() -> None:
    """Do the runs that are not in the file yet, or write the figures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=Path, default=Path("docs/leaks-study.jsonl"))
    asked.add_argument("--seeds", type=int, default=20, help="runs of each plant")
    asked.add_argument("--nulls", type=int, default=100)
    asked.add_argument("--realise", type=int, default=200_000, help="hands in which the first play is played")
    asked.add_argument("--realised", type=int, default=20, help="runs of each plant of which it is played")
    asked.add_argument(
        "--part", default="0/1", help="K/N: only every N-th run from K on, for several processes"
    )
    asked.add_argument("--write", type=Path)
    given = asked.parse_args()
    kept = Kept(given.runs, JUDGED_BY)
    if given.write:
        write_between(given.write, BEGIN, END, "\n".join(lines_of(kept.rows)))
        return
    done = {(row["what"], row["seed"], row.get("part")) for row in kept.rows}
    place, of = map(int, given.part.split("/"))
    for seed, what in list(product(range(given.seeds), PLANTED))[place::of]:
        parts = range(given.realise // PART if seed < given.realised else 0)
        due = [part for part in parts if (what, seed, part) not in done]
        if (what, seed, None) in done and not due:
            continue
        found = leaks_of_plant(what, seed)
        if (what, seed, None) not in done:
            kept.add(run := plant_run(what, seed, found))
            print(json.dumps(run), flush=True)
        for part in due if found.leaks else []:
            kept.add(row := played(what, seed, part, found.leaks[0].play))
            print(json.dumps(row), flush=True)
    for seed, what in list(product(range(given.nulls), NULLS))[place::of]:
        if (what, seed, None) not in done:
            kept.add(run := null_run(what, seed))
            print(json.dumps(run), flush=True)


if __name__ == "__main__":
    main()
