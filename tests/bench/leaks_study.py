"""How often `railbird exploit` lists a planted leak first, what its play really wins, and what it lists where none is.

A plant is a bot of `arena.planted` over 3,000 hands against an honest player. The play that is listed first
is then played: the same cards with and without it, and the difference is compared with the interval. A null is a match
of two that play an equilibrium of Kuhn or of Leduc poker. Runs are kept in a file, one a line, so that a study goes on
where it stopped.
`--write FILE` puts the figures into a page of the docs. `make leaks`
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any, Final

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from arena.equilibrium import kuhn_match, leduc_match  # noqa: E402 - the tests' folder comes first
from arena.planted import PLANTED, Maker, OtherBids, Ruled, matches, seated, winnings  # noqa: E402

from railbird.analytics.exploit.material import matches_of  # noqa: E402
from railbird.analytics.exploit.plays import Bid, Change  # noqa: E402
from railbird.analytics.exploit.search import Leaks, find_leaks  # noqa: E402
from railbird.analytics.players import find_player  # noqa: E402
from railbird.analytics.store import open_store  # noqa: E402
from railbird.ingest import ingest  # noqa: E402

HANDS: Final = 3000
UNIT: Final = 2.0
NULLS: Final = {"equilibrium of kuhn": kuhn_match, "equilibrium of leduc": leduc_match}
_MARKS: Final = re.compile(r"(<!-- leaks study -->\n).*?(<!-- end -->)", re.DOTALL)


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


def plant_run(leak: str, seed: int, hands: int) -> dict[str, Any]:
    """One planted bot: whether its leak is first, and what the first play wins in so many hands."""

    plant, (game, planted, honest) = PLANTED[leak], seated(leak)
    texts = matches(game, planted, honest, HANDS, seed)
    found = leaks_of(texts, "Planted", ".txt")
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
    if hands:
        play = first.play
        sides = changed(play, planted, honest)
        base = winnings(game, planted, honest, hands, seed + 5000, UNIT)
        ruled = winnings(game, *sides, hands, seed + 5000, UNIT)
        won = 100 * (base - ruled if sides[1] is honest else ruled - base)
        run |= {"realised": float(won.mean()), "error": float(won.std() / sqrt(len(won))), "hands": len(won)}
    return run


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


def lines_of(runs: list[dict[str, Any]]) -> Iterator[str]:
    """The figures as a table of the docs."""
    yield (
        "| what was played | runs | planted leak first | at a certain price | another first | none listed "
        "| realised in the interval |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for what in (*PLANTED, *NULLS):
        some = [run for run in runs if run["what"] == what]
        if not some:
            continue
        none = sum(not run["listed"] for run in some)
        first = sum(run.get("first", False) for run in some)
        played = [run for run in some if "realised" in run]
        inside = sum(
            run["low"] - 2 * run["error"] <= run["realised"] <= run["high"] + 2 * run["error"]
            for run in played
        )
        shown = f"{inside} of {len(played)}" if played else ""
        certain = sum(run.get("first", False) and run["certain"] for run in some)
        planted = " | " if what in NULLS else f"{first} | {certain}"
        others = len(some) - none - first
        yield f"| {what.replace('_', ' ')} | {len(some)} | {planted} | {others} | {none} | {shown} |"


def main() -> None:
    """Do the runs that are not in the file yet, or write the figures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=Path, default=Path("build/leaks-study.jsonl"))
    asked.add_argument("--seeds", type=int, default=20, help="runs of each plant")
    asked.add_argument("--nulls", type=int, default=100)
    asked.add_argument(
        "--realise", type=int, default=200_000, help="hands in which the first play is played; 0: none"
    )
    asked.add_argument("--write", type=Path)
    given = asked.parse_args()
    given.runs.parent.mkdir(parents=True, exist_ok=True)
    lines = given.runs.read_text(encoding="utf-8").splitlines() if given.runs.exists() else []
    runs = [json.loads(line) for line in lines]
    if given.write:
        table = "\n".join(lines_of(runs))
        page = given.write.read_text(encoding="utf-8")
        given.write.write_text(
            _MARKS.sub(lambda mark: f"{mark[1]}{table}\n{mark[2]}", page), encoding="utf-8"
        )
        return
    done = {(run["what"], run["seed"]) for run in runs}
    wanted = [(what, seed) for seed in range(given.seeds) for what in PLANTED]
    wanted += [(what, seed) for seed in range(given.nulls) for what in NULLS]
    for what, seed in wanted:
        if (what, seed) in done:
            continue
        run = null_run(what, seed) if what in NULLS else plant_run(what, seed, given.realise)
        with given.runs.open("a", encoding="utf-8") as file:
            file.write(json.dumps(run) + "\n")
        print(json.dumps(run), flush=True)


if __name__ == "__main__":
    main()
