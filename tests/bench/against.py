"""What text to a full store costs against an older version: Bounty, the ACPC dealer, Koper and Blotto, one thread.

`python tests/bench/against.py --commit 8f989325` reads 32 MB of copies of the corpus of each (`RAILBIRD_CORPUS`), by
turns with the package as that commit has it, each time in a process of its own, and prints the ratio of processor time
(user and system together), new to old: the median of the turns, and of the least of either.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from regress.run import BUILD, commit_of, package_of  # noqa: E402

from bench import material  # noqa: E402 - the tests' folder comes first

GAMES: Final = ("bounty", "acpc", "koper", "blotto")


def logs_of(game: str, folder: Path, megabytes: int) -> Path:
    """Copies of a game's logs; those of Bounty are simulated without a corpus, others are then left out."""
    texts = material.logs(game) if game in material.GAMES else []
    for path in material.corpus().get(game, []):
        text = path.read_bytes()
        texts += [text] if material.can_be_copied(text) else []
    if texts:
        material.copies(folder, texts, megabytes << 20)
    return folder


def spent(package: Path, logs: Path, folder: Path) -> float:
    """Processor seconds of an ingest of logs into a new store by a package."""
    shutil.rmtree(folder / "store", ignore_errors=True)
    command = [sys.executable, "-m", "railbird", "ingest", str(logs), "--store", str(folder / "store")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [*command, "--workers", "1"],
        check=True,
        cwd=folder,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(package.parent), "RAILBIRD_COMPILE": "1"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compared(new: Path, old: Path, logs: Path, folder: Path, times: int) -> tuple[list[float], list[float]]:
    """Seconds of either package, by turns; the first turn, in which rules may be compiled, does not count."""
    turns = [(spent(new, logs, folder), spent(old, logs, folder)) for _ in range(times + 1)][1:]
    ours, theirs = zip(*turns, strict=True)
    return list(ours), list(theirs)


def main() -> None:
    """Print a row for each game."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--commit", required=True)
    asked.add_argument("--build", type=Path, default=BUILD)
    asked.add_argument("--times", type=int, default=7)
    asked.add_argument("--megabytes", type=int, default=32)
    asked.add_argument("--only", nargs="*", default=GAMES, choices=GAMES)
    given = asked.parse_args()
    old = package_of(commit_of(given.commit), given.build.absolute())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "railbird").symlink_to(HERE.parent.parent)
        for game in given.only:
            logs = logs_of(game, folder / game, given.megabytes)
            if not logs.exists():
                print(f"{game:8} no logs", flush=True)
                continue
            ours, theirs = compared(folder / "railbird", old, logs, folder, given.times)
            ratio = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
            least = min(ours) / min(theirs)
            print(
                f"{game:8} {ratio:.3f} (least {least:.3f}) {min(ours):.2f} s, old {min(theirs):.2f} s",
                flush=True,
            )
            shutil.rmtree(logs)


if __name__ == "__main__":
    main()
