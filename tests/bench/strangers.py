"""Strangers as judges: what the detectors of collusion say where railbird's own arena has no part. `make strangers`.

Two parts. The tests' second arena (`arena/stranger_*.py`) plays honest tournaments, some by PokerKit, and tournaments
with plans that the detectors were not built on; results are kept (`--results FILE`), so that a run that was stopped
goes on, and `--minutes N` stop it. Then the honest logs of a corpus (RAILBIRD_CORPUS), if there is one: every folder
`engine/` and `real/` is one event, each match where all players of a folder are called A and B. `--write FILE` puts the
tables into a page, and the picture beside it.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

# The tests' folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench import stranger_arena, stranger_pages
from bench.collusion import share
from railbird.analytics.collusion import detectors
from railbird.analytics.store import open_store
from railbird.ingest import ingest

LEFT_OUT: Final = ("iit-2026/real", "people/real")
"""Bots that knew more than the rules tell, and tables of people."""
_UNUSABLE: Final = "krishjainm__"
_SUBFOLDERS: Final = 4
"""From so many logs on a folder within `engine/` is an event of its own as well: a round robin among other logs."""


def folders(corpus: Path) -> Iterator[tuple[str, list[Path]]]:
    """The events: a name, and the paths of its logs."""
    for kind in ("engine", "real", "v1", "v2"):
        for folder in sorted(corpus.rglob(kind)):
            name = folder.relative_to(corpus).as_posix()
            if not folder.is_dir() or name in LEFT_OUT:
                continue
            yield name, [path for path in sorted(folder.iterdir()) if not path.name.startswith(_UNUSABLE)]
            for inner in sorted(path for path in folder.iterdir() if path.is_dir()):
                if len(list(inner.iterdir())) >= _SUBFOLDERS:
                    yield f"{name}/{inner.name}", [inner]


def looked(name: str, paths: list[Path]) -> Iterator[dict[str, Any]]:
    """What is said of each event: a row a game that is looked at."""
    with TemporaryDirectory() as scratch:
        ingest(paths, Path(scratch) / "store", event=name)
        with open_store(Path(scratch) / "store") as store:
            count = store.execute("select count(*) from matches").fetchone()
            names = {row[0] for row in store.execute("select distinct player from players").fetchall()}
            if names <= {"A", "B"}:
                yield {"event": name, "events": int((count or (0,))[0]), "flags": []}
                return
            rows, tests = [], 0
            for material in detectors.materials(store):
                found = detectors.look(material)
                tests += len(found)
                for row in found:
                    if row.flag and not detectors.same_program(row):
                        pair = [material.players[row.one], material.players[row.other]]
                        said = [material.game, row.detector, *pair]
                        rows.append([*said, row.q_all, row.p, row.effect, row.margin, row.hands])
            yield {"event": name, "events": 1, "tests": tests, "flags": rows}


def read_corpus(only: str) -> None:
    """Print every flag in the honest logs of the corpus and the share of events with one."""
    events = flagged = tested = 0
    for name, paths in folders(Path(os.environ["RAILBIRD_CORPUS"])):
        if only not in name:
            continue
        for row in looked(name, paths):
            print(json.dumps(row), flush=True)
            events += row["events"]
            tested += bool(row.get("tests"))
            flagged += bool(row["flags"])
    print(f"events with a flag: {share(flagged, events)}; of those with a test: {share(flagged, tested)}")


def main() -> None:
    """Play what is missing and write, then read the corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", default="", help="events of the corpus whose name has this in it; nothing is played"
    )
    parser.add_argument("--results", type=Path, default=Path("build/strangers.jsonl"))
    parser.add_argument("--minutes", type=float, default=210.0, help="for the arena, by the clock")
    parser.add_argument("--rounds", type=int, default=stranger_arena.ROUNDS)
    parser.add_argument("--first-seed", type=int, default=stranger_arena.FIRST_SEED)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    if not asked.only:
        rows = stranger_arena.play(
            asked.results, asked.rounds, asked.first_seed, asked.minutes, asked.workers
        )
        print(stranger_pages.page(rows))
        if asked.write:
            stranger_pages.write(rows, asked.write)
    if os.environ.get("RAILBIRD_CORPUS"):
        read_corpus(asked.only)


if __name__ == "__main__":
    main()
