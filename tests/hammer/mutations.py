"""Logs with edits at random, of every engine: nothing fails on them, and every ledger adds up.

`python tests/hammer/mutations.py --logs 2000 --seed 1` prints how many were read, and the seed of each that failed;
`--only SEED` repeats one. `make boundscheck` runs it with kernels that check their indices.
"""

import argparse
import logging
import os
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from support.damage import DAMAGES
from support.failures import Failures
from support.stores import adds_up

from railbird.ingest import ingest

_SAMPLES: Final = Path(__file__).resolve().parents[2] / "sample_logs"
_TOGETHER: Final = 25
"""Logs of an ingest: the start of one takes longer than a log."""
_MOST: Final = 1 << 16
_NUMBERS: Final = (b"-1", b"0", b"2", b"400", b"4000000000", b"9" * 30, b"1e9", b"0.5", b"")


def logs() -> list[Path]:
    """Samples, and a few of each folder of the corpus where there is one."""
    found = [path for path in sorted(_SAMPLES.rglob("*")) if path.is_file()]
    if corpus := os.environ.get("RAILBIRD_CORPUS"):
        for folder in sorted(path for path in Path(corpus).rglob("*") if path.is_dir()):
            files = sorted(path for path in folder.iterdir() if path.is_file() and path.suffix != ".md")
            found += files[:: max(len(files) // 3, 1)][:3]
    return found


def mutated(given: Sequence[Path], seed: int) -> tuple[str, bytes]:
    """The name of a log and its text, with one to six edits; a few lines of another may stand in it."""
    random = Random(seed)
    path, other = random.choice(given), random.choice(given)
    text = path.read_bytes()
    begin = 0 if random.random() < 0.7 else random.randrange(max(len(text), 1))
    lines = text[begin : begin + random.randrange(200, _MOST)].split(b"\n")
    for _ in range(random.randint(1, 6)):
        k = random.randrange(len(lines))
        line, another = lines[k], random.choice(lines)
        match random.randrange(10):
            case 0:
                edited = []
            case 1:
                edited = [line] * random.choice((2, 2, 3, 200))
            case 2:
                edited = [another, line]
            case 3:
                edited = [re.sub(rb"\d+", random.choice(_NUMBERS), line)]
            case 4:
                edited = [re.sub(rb"\d+", random.choice(_NUMBERS), line, count=1)]
            case 5:
                edited = [re.sub(rb"\[([^\]]*)\]", rb"[\1 \1]", line)]
            case 6:
                at = random.randrange(len(line) + 1)
                edited = [line[:at] + random.randbytes(random.choice((1, 1, 3, 400))) + line[at:]]
            case 7:
                edited = [line[: random.randrange(len(line) + 1)]]
            case 8:
                # The rest comes again, as in a log that a tool appended to itself.
                edited = [line, *lines[random.randrange(len(lines)) :][:400]]
            case _:
                strange = other.read_bytes()[:_MOST].split(b"\n")
                at = random.randrange(len(strange))
                edited = [line, *strange[at : at + random.randrange(1, 60)]]
        lines[k : k + 1] = edited or [b""]
    text = b"\n".join(lines)
    damage = DAMAGES[random.choice(sorted(DAMAGES))]
    return path.name, damage(text, random) if text and random.random() < 0.2 else text


def failures(given: Sequence[Path], seeds: Sequence[int], folder: Path) -> list[str]:
    """What railbird failed on in an ingest of mutated logs; nothing where it did not."""
    folder.mkdir()
    texts = folder / "logs"
    for seed in seeds:
        name, text = mutated(given, seed)
        (texts / str(seed)).mkdir(parents=True)
        (texts / str(seed) / name).write_bytes(text)
    seen, logger = Failures(), logging.getLogger("railbird")
    logger.addHandler(seen)
    logger.setLevel(logging.DEBUG)
    try:
        summary = ingest([texts], folder / "store", workers=1)
        if summary.files:
            adds_up(folder / "store")
    except Exception as error:
        seen.texts.append("".join(traceback.format_exception(error)[-2:]))
    finally:
        logger.removeHandler(seen)
    return seen.texts


def main() -> int:
    """Read mutated logs; the exit code is 1 where one failed."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--logs", type=int, default=1000)
    asked.add_argument("--seconds", type=float, default=1e9)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--only", type=int)
    wanted = asked.parse_args()
    given, began, failed, read = logs(), time.monotonic(), list[int](), 0
    first = wanted.seed * 10_000_000
    seeds = range(first, first + wanted.logs) if wanted.only is None else range(wanted.only, wanted.only + 1)
    with tempfile.TemporaryDirectory(prefix="mutations-") as held:
        for at in range(0, len(seeds), _TOGETHER):
            some = seeds[at : at + _TOGETHER]
            if time.monotonic() - began > wanted.seconds:
                break
            read += len(some)
            if not failures(given, some, Path(held, f"{at}")):
                continue
            for seed in some:
                if why := failures(given, [seed], Path(held, f"{at}-{seed}")):
                    failed.append(seed)
                    print(f"--only {seed}: {why[0]}", flush=True)
    print(f"{read:,} mutated logs of {len(given)} files, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
