"""What the detectors of collusion say about honest logs that the simulator did not write: `make strangers`.

Every folder `engine/` and `real/` of a corpus (RAILBIRD_CORPUS) is one event. Where all players of a folder are called
A and B the names say nothing, and each match is an event of its own. Left out: folders that are known to hold something
else than honest play of independent bots (`LEFT_OUT`).
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


def main() -> None:
    """Read the corpus, print every flag and the share of events with one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="events whose name has this in it")
    asked = parser.parse_args()
    events = flagged = tested = 0
    for name, paths in folders(Path(os.environ["RAILBIRD_CORPUS"])):
        if asked.only and asked.only not in name:
            continue
        for row in looked(name, paths):
            print(json.dumps(row), flush=True)
            events += row["events"]
            tested += bool(row.get("tests"))
            flagged += bool(row["flags"])
    print(f"events with a flag: {share(flagged, events)}; of those with a test: {share(flagged, tested)}")


if __name__ == "__main__":
    main()
