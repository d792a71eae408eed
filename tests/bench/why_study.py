"""How often `railbird why Planted --against Honest` names a planted weakness first.

A plant is a bot of `arena.planted` in twelve matches of hold'em against an honest player, as a team has from an evening
of scrimmages. Runs are kept in a file, one a line, so that a study goes on where it stopped; `--write FILE` puts the
figures into a page of the docs. `make why-study`
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from arena.planted import PLANTED, Honest, Planted, matches  # noqa: E402 - the tests' folder comes first

from bench.kept import Kept, write_between  # noqa: E402
from railbird.analytics.players import find_player  # noqa: E402
from railbird.analytics.store import open_store  # noqa: E402
from railbird.analytics.why import why  # noqa: E402
from railbird.ingest import ingest  # noqa: E402

MATCHES: Final = 12
HANDS: Final = (250, 1000)
"""Of a match."""
GAME: Final = "holdem-mit"
CODE: Final = ("analytics/exploit", "analytics/why.py", "tests/arena/planted.py", "tests/arena/honest.py")
BEGIN, END = "<!-- why study -->", "<!-- end -->"
PLANTS: Final = tuple(leak for leak, plant in PLANTED.items() if plant.game == GAME)


def run_of(leak: str, hands: int, seed: int) -> dict[str, Any]:
    """What `why` names first of a planted bot after matches of so many hands."""

    def planted(rng: Random) -> Planted:
        return Planted(rng, leak)

    texts = matches(GAME, planted, lambda rng: Honest(rng), MATCHES * hands, seed, MATCHES)
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder) / "cup"
        logs.mkdir()
        for number, text in enumerate(texts):
            (logs / f"{number}.txt").write_text(text, encoding="utf-8")
        ingest([logs], Path(folder) / "store")
        with open_store(Path(folder) / "store") as store:
            found = why(store, find_player(store, "Planted"), find_player(store, "Honest"))
    named = [(one.leak.kind, one.leak.street) for one in found.own.found]
    plant = PLANTED[leak]
    hits = [kind == plant.leak and plant.street in (None, street) for kind, street in named]
    return {
        "what": leak,
        "hands": hands,
        "seed": seed,
        "named": named,
        "place": hits.index(True) + 1 if any(hits) else None,
        "of_honest": len(found.of_other.found),
    }


def table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The figures as a table of the docs."""
    yield "| planted | hands of a match | runs | named first | among the first three | another first | nothing named |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for hands in HANDS:
        for leak in (*PLANTS, None):
            some = [row for row in rows if row["hands"] == hands and leak in (None, row["what"])]
            if not some:
                continue
            places = [row["place"] for row in some]
            first, none = places.count(1), sum(not row["named"] for row in some)
            three = sum(place is not None and place <= 3 for place in places)
            name = "all" if leak is None else leak.replace("_", " ")
            yield f"| {name} | {hands:,} | {len(some)} | {first} | {three} | {len(some) - first - none} | {none} |"


def main() -> None:
    """Do the runs that are not in the file yet, or write the figures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=Path, default=Path("build/why-study.jsonl"))
    asked.add_argument("--seeds", type=int, default=10, help="runs of each plant")
    asked.add_argument("--hands", type=int, nargs="+", default=HANDS, help="hands of each of twelve matches")
    asked.add_argument("--write", type=Path)
    given = asked.parse_args()
    kept = Kept(given.runs, CODE)
    if given.write:
        write_between(given.write, BEGIN, END, "\n".join(table(kept.rows)))
        return
    done = {(row["what"], row["hands"], row["seed"]) for row in kept.rows}
    for seed in range(given.seeds):
        for hands in given.hands:
            for leak in PLANTS:
                if (leak, hands, seed) not in done:
                    kept.add(run := run_of(leak, hands, seed))
                    print(json.dumps(run), flush=True)


if __name__ == "__main__":
    main()
