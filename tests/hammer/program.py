"""`make hammer`: all kinds in turn for as long as it is given, from seeds that repeat a run; prints counts by kind.

Each kind holds one of these properties: a run after a kill equals an undisturbed one, row by row; a flipped bit is
found and repaired; whatever happens to a command, it prints no traceback, and ends with an exit code of the docs, with
one line where that is 2.
"""

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow.parquet as pq

from hammer.stores import LOGS, SAMPLES, commands, made, names_in, tried
from railbird.ingest import ingest
from railbird.schema.columns import TABLES
from railbird.storage.integrity import checked_parts
from railbird.storage.locations import Folder
from railbird.storage.manifest import StoreError, read_manifest

CODES: Final = (0, 1, 2, 3, 4, 130, 141, -signal.SIGINT)
"""The exit codes of the docs; an interrupt before Python handles any ends the process by the signal."""
SECONDS: Final = 120
_NO_ROWS: Final = ("equities", "counted", "tags")
"""Tables that are computed anew when somebody asks, or have the time of a commit."""


class Ground(NamedTuple):
    """What all kinds share: a whole store, its rows, and a folder for one try."""

    store: Path
    rows: dict[str, list[str]]
    folder: Path


def logs() -> list[str]:
    """The logs of the store."""
    return [str(SAMPLES / name) for name in LOGS]


def rows_of(root: Path) -> dict[str, list[str]]:
    """All rows of a store in no order, without what is computed anew."""
    manifest, place = read_manifest(root), Folder(root)
    return {
        table: sorted(
            repr(row)
            for part in manifest.parts(table)
            for row in pq.read_table(place.open(part.name), partitioning=None).to_pylist()
        )
        for table in TABLES
        if table not in _NO_ROWS
    }


def _begun(words: Sequence[str], folder: Path, most_bytes: int = 0) -> "subprocess.Popen[str]":
    """A command in a process of its own, whose files may have so many bytes; 0: as many as they like."""

    def limit() -> None:
        if most_bytes:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    return subprocess.Popen(
        [sys.executable, "-m", "railbird", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env=os.environ | {"TMPDIR": str(folder)},
        preexec_fn=limit,  # no thread of this process is running
    )


def problem_of(words: Sequence[str], code: int, out: str, err: str) -> str:
    """What is wrong with how a command ended; "" for nothing."""
    lines = err.splitlines()
    # Before railbird begins, an interrupt is Python's own affair.
    is_pythons = err.rstrip().endswith("KeyboardInterrupt") and f"{SAMPLES.parent}/cli/" not in err
    if is_pythons:
        return ""
    if "Traceback" in out + err:
        return f"{' '.join(words)}: a traceback: {lines[-1] if lines else out[-200:]}"
    if code not in CODES:
        return f"{' '.join(words)}: exit {code}: {lines[-1:]}"
    if code == 2 and (not lines or not lines[-1].startswith("railbird: ")):
        return f"{' '.join(words)}: exit 2 without a line: {lines[-3:]}"
    return ""


def _copied(ground: Ground) -> Path:
    store = ground.folder / "store"
    shutil.copytree(ground.store, store)
    return store


def _a_command(ground: Ground, dice: random.Random) -> list[str]:
    ids, (player, other) = names_in(ground.store)
    words = dice.choice(
        [*commands(str(ids[0]), player, other, ground.folder / "out"), ["model", "fit", player]]
    )
    return [*words, "--store", str(ground.folder / "store")]


def interrupt(ground: Ground, dice: random.Random) -> Iterator[str]:
    """An interrupt at random in a command, and the same command again."""
    _copied(ground)
    words = _a_command(ground, dice)
    child = _begun(words, ground.folder)
    time.sleep(dice.random() ** 2 * 4)
    child.send_signal(signal.SIGINT)
    yield from _ended(words, child)
    yield from _whole(ground)


def _ended(words: Sequence[str], child: "subprocess.Popen[str]") -> Iterator[str]:
    try:
        out, err = child.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        yield f"{' '.join(words)}: did not end within {SECONDS} s"
        return
    if said := problem_of(words, child.returncode, out or "", err):
        yield said


def _whole(ground: Ground) -> Iterator[str]:
    """No damaged part, whatever happened to a writer."""
    try:
        bad = [one.part.name for one in checked_parts(Folder(ground.folder / "store")) if one.problem]
    except StoreError as error:
        yield f"the store cannot be read: {error}"
        return
    if bad:
        yield f"damaged parts: {bad[:3]}"


def kill(ground: Ground, dice: random.Random) -> Iterator[str]:
    """An ingest that is killed at random; the next one stores what an undisturbed one does, and tidies up."""
    words = ["ingest", *logs(), "--store", str(ground.folder / "store")]
    child = _begun(words, ground.folder)
    time.sleep(0.4 + dice.random() * 2.5)
    child.kill()
    child.communicate()
    yield from _same_after(ground)


def _same_after(ground: Ground) -> Iterator[str]:
    store = ground.folder / "store"
    ingest(logs(), store)
    found = rows_of(store)
    yield from (
        f"{table}: other rows than undisturbed" for table in found if found[table] != ground.rows[table]
    )
    left = [
        path.name for name in ("staging", "_pending") for path in (store / name).rglob("*") if path.is_file()
    ]
    if left:
        yield f"left in the store: {left[:3]}"


def flip(ground: Ground, dice: random.Random) -> Iterator[str]:
    """A bit flipped in a part: it is found, and an ingest of the same logs repairs it."""
    store = _copied(ground)
    part = dice.choice([path for path in sorted(store.rglob("*.parquet")) if "_retired" not in path.parts])
    data = bytearray(part.read_bytes())
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    part.write_bytes(data)
    bad = [one.part.name for one in checked_parts(Folder(store)) if one.problem]
    if bad != [part.relative_to(store).as_posix()]:
        yield f"{part.name}: a flipped bit was not found"
    yield from _same_after(ground)


def crafted(ground: Ground, dice: random.Random) -> Iterator[str]:
    """Values that no railbird writes: an answer or a line."""
    for said, found in tried(ground.store, dice.randrange(1 << 32), 2):
        yield f"{said}: {' '.join(found.words[:3])}: {found.problem.strip().splitlines()[-1][:200]}"


def full_disk(ground: Ground, dice: random.Random) -> Iterator[str]:
    """Files that cannot grow, as on a full disk: one line, and the store is as it was."""
    _copied(ground)
    words = _a_command(ground, dice)
    yield from _ended(words, _begun(words, ground.folder, most_bytes=dice.choice((1, 500, 5_000, 50_000))))
    yield from _whole(ground)


def closed_pipe(ground: Ground, dice: random.Random) -> Iterator[str]:
    """A reader that leaves at once."""
    _copied(ground)
    words = _a_command(ground, dice)
    child = _begun(words, ground.folder)
    assert child.stdout is not None
    child.stdout.close()
    child.stdout = None
    yield from _ended(words, child)


def no_folder(ground: Ground, dice: random.Random) -> Iterator[str]:
    """A working folder that no longer exists."""
    _copied(ground)
    words, gone = _a_command(ground, dice), ground.folder / "gone"
    gone.mkdir()
    script = [
        "sh",
        "-c",
        'cd "$0" && rmdir "$0" && exec "$@"',
        str(gone),
        sys.executable,
        "-m",
        "railbird",
        *words,
    ]
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    found = subprocess.run(script, capture_output=True, text=True, check=False, timeout=SECONDS, env=env)
    if said := problem_of(words, found.returncode, found.stdout, found.stderr):
        yield said


KINDS: Final[dict[str, Callable[[Ground, random.Random], Iterator[str]]]] = {
    kind.__name__.replace("_", "-"): kind
    for kind in (interrupt, kill, flip, crafted, full_disk, closed_pipe, no_folder)
}


def hammered(kind: str, seed: int, store: Path, rows: dict[str, list[str]]) -> list[str]:
    """What a kind found, from a seed."""
    with tempfile.TemporaryDirectory(prefix="hammer-") as folder:
        return list(KINDS[kind](Ground(store, rows, Path(folder)), random.Random(f"{kind} {seed}")))


def main() -> int:
    """Try all kinds in turn until the time is over; exit code 1 if anything was found."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=10.0)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--only", nargs="*", default=list(KINDS), choices=list(KINDS))
    given = asked.parse_args()
    done, wrong = Counter[str](), Counter[str]()
    until, seed = time.monotonic() + 60 * given.minutes, given.seed
    with tempfile.TemporaryDirectory(prefix="hammer-") as folder:
        store = made(Path(folder))
        rows = rows_of(store)
        while time.monotonic() < until:
            for kind in given.only:
                if time.monotonic() > until:
                    break
                for line in hammered(kind, seed, store, rows):
                    wrong[kind] += 1
                    print(f"{kind} --seed {seed}: {line}", flush=True)
                done[kind] += 1
            seed += 1
    for kind in given.only:
        print(f"{kind:12} {done[kind]:6,} tried {wrong[kind]:4,} found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
