"""How long a commit moves parts, the only time in which a glob of a table finds other rows than the store's."""

import sys
import tempfile
import time
from pathlib import Path

from railbird.schema.columns import TABLES
from railbird.storage.locations import RETIRED, Folder

COUNTS = (14, 480, 1200)
"""Parts of a small commit, of sixteen merged batches with their replacement, and of a store of a year."""


def moved_in(folder: Path, count: int) -> float:
    """Seconds to move so many parts."""
    tables = list(TABLES)
    names = [f"{tables[k % len(tables)]}/{k}.parquet" for k in range(count)]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(bytes(1000))
        (folder / RETIRED / name).parent.mkdir(parents=True, exist_ok=True)
    before = time.perf_counter()
    Folder(folder).move([(name, f"{RETIRED}/{name}") for name in names])
    return time.perf_counter() - before


def main() -> None:
    """Print the least of nine for each count, below the folder that is given."""
    for count in COUNTS:
        taken = []
        for _ in range(9):
            with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
                taken.append(moved_in(Path(folder), count))
        print(f"{count:,} parts: {1e3 * min(taken):.1f} ms, at most {1e3 * max(taken):.1f} ms")


if __name__ == "__main__":
    main()
