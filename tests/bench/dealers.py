"""Events dealt by honest dealers and by dealers with a fault, judged by `audit balance`. `make dealers`.

Each event has HANDS hands of Bounty Hold'em in MATCHES matches. What has been judged is kept in build/dealers.jsonl, so
that a run goes on where it was stopped; `--write FILE` puts the table into a page of the docs.
"""

import argparse
import re
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Final

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from support.dealers import FAULTS, write_event  # noqa: E402

from bench.kept import Kept, write_between  # noqa: E402
from railbird.analytics import dealer  # noqa: E402 - the tests' folder comes first
from railbird.analytics.settings import Z  # noqa: E402
from railbird.analytics.store import open_store  # noqa: E402
from railbird.ingest import ingest  # noqa: E402

HANDS: Final = 20_000
MATCHES: Final = 200
JUDGED_BY: Final = ("analytics/dealer.py", "analytics/sql", "tests/support/dealers.py")
"""The code that makes a result what it is."""
KEPT: Final = HERE.parents[1] / "build" / "dealers.jsonl"
NAMED: Final = {
    "aces": ("two aces are never dealt", r"(cards|ranks), .*"),
    "seat": ("a seat gets the better of two hands in 5% of hands", r"(best hand|equity) by seat .*"),
    "player": ("a player gets it, in 5% of hands", r"(best hand|equity) by player Ann.*"),
    "player of five": (
        "a player who is in 40% of the hands gets it in 5% of those",
        r"(best hand|equity) by player Ann.*",
    ),
    "suit": ("a suit is dealt in 24% instead of 25%", r"suits, .*"),
    "repeat": ("every 1,000 hands the same deck", r"repeats.*"),
    "rank": ("one secret rank is drawn twice as often", r"secret ranks.*"),
}
"""What each fault is, and the tests that name it."""


def judged(fault: str, seed: int) -> dict[str, Any]:
    """The tests of concern of an event."""
    with tempfile.TemporaryDirectory() as folder:
        write_event(Path(folder) / "logs", [fault] if fault else [], seed, HANDS, MATCHES)
        ingest([Path(folder) / "logs"], Path(folder) / "store", event="cup")
        with open_store(Path(folder) / "store") as store:
            matches = [match for (match,) in store.execute("select match_id from matches").fetchall()]
            found = dealer.tests(store, matches)
    told = [f"{row.test} {row.who}, {row.place}" if row.who else f"{row.test}, {row.place}" for row in found]
    concerns = [name for name, row in zip(told, found, strict=True) if row.concern]
    return {"fault": fault, "seed": seed, "tests": len(found), "concerns": concerns}


def wilson(hits: int, runs: int) -> tuple[float, float]:
    """Ends of the 95% interval of a share."""
    middle, half = hits + Z**2 / 2, Z * (hits * (runs - hits) / runs + Z**2 / 4) ** 0.5
    return (middle - half) / (runs + Z**2), (middle + half) / (runs + Z**2)


def table(rows: list[dict[str, Any]]) -> str:
    """The table of the docs."""
    by_fault = defaultdict(list)
    for row in rows:
        by_fault[row["fault"]].append(row["concerns"])
    lines = ["| dealer | events | with a concern | 95% | named by |", "|---|---|---|---|---|"]
    for fault in ("", *FAULTS):
        runs = by_fault[fault]
        if not runs:
            continue
        said, pattern = NAMED.get(fault, ("honest", ".*"))
        named = [any(re.fullmatch(pattern, name) for name in one) for one in runs]
        low, high = wilson(sum(named), len(runs))
        tests = re.match(r"[a-z |]+", pattern.lstrip("("))
        names = tests[0].strip().replace("|", ", ") if fault and tests else ""
        lines.append(f"| {said} | {len(runs)} | {sum(named)} | {low:.1%} to {high:.1%} | {names} |")
    return "\n".join(lines)


def main() -> None:
    """Judge what is missing, then write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--honest", type=int, default=200)
    parser.add_argument("--planted", type=int, default=20, help="events of each fault")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    kept = Kept(KEPT, JUDGED_BY)
    done = {(row["fault"], row["seed"]) for row in kept.rows}
    wanted = [("", seed) for seed in range(asked.honest)]
    wanted += [(fault, seed) for seed in range(asked.planted) for fault in FAULTS]
    with ProcessPoolExecutor(asked.workers) as pool:
        running = [pool.submit(judged, *one) for one in wanted if one not in done]
        for one in as_completed(running):
            kept.add(one.result())
    text = table([row for row in kept.rows if (row["fault"], row["seed"]) in set(wanted)])
    print(text)
    if asked.write:
        write_between(asked.write, "<!-- dealers -->", "<!-- end -->", text)


if __name__ == "__main__":
    main()
