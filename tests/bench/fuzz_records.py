"""Damaged records of every kind, other ones in each run: `make fuzz-records SECONDS=300 FUZZ=seed`.

Prints each damage that is not taken as it should be, with what repeats it; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from support.damage import DAMAGES, FILES, sample, stored, tried  # noqa: E402


def main() -> int:
    """Damage until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", default=str(Random().randrange(1 << 32)))
    parser.add_argument("--only", help="a kind of FILES")
    asked = parser.parse_args()
    corpus = Path(os.environ["RAILBIRD_CORPUS"])
    kinds = [asked.only] if asked.only else [*FILES]
    until, number, wrong, counts = monotonic() + asked.seconds, 0, 0, Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        plain = {kind: stored(corpus, kind, sample(corpus, kind), Path(folder) / kind) for kind in kinds}
        random = Random(asked.seed)
        while monotonic() < until:
            kind, damage, seed = random.choice(kinds), random.choice([*DAMAGES]), f"{asked.seed} {number}"
            into = Path(folder) / str(number)
            if why := tried(corpus, kind, damage, seed, plain[kind], into):
                print(f"{kind}, {damage}, seed {seed!r}: {why}", flush=True)
                wrong += 1
            number += 1
            counts[damage] += 1
    print(
        f"{number:,} damaged files of {len(kinds)} kinds, seed {asked.seed}: {wrong} not taken as they should be"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
