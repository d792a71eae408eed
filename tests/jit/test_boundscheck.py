"""A short form of `make boundscheck`: a kernel that checks its indices says so where it met more than its room."""

import os
import subprocess
import sys
from pathlib import Path

from railbird.jit import cache

SCRIPT = """
import traceback
import numpy as np
from railbird.replay import records
from railbird.replay.rows import find_uneven

rows, hands, even = np.zeros(2, records.ACTION), np.zeros(1, records.HAND), np.ones(1, np.bool_)
find_uneven(rows, hands, even)
print("within", *even)
rows["own"], rows["hand"] = 1.0, [0, 5]
try:
    find_uneven(rows, hands, even)
except IndexError as error:
    print("beyond", error)
    print(traceback.extract_tb(error.__traceback__)[-1].line)
"""
"""An action of hand 5, where there is one hand."""


def content(folder: Path, names: str = "*") -> dict[str, tuple[int, int]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.stat().st_size)
        for path in folder.rglob(names)
        if path.is_file()
    }


def test_a_checked_kernel_tells_an_index_beyond_its_array_and_leaves_the_package_alone(
    tmp_path: Path,
) -> None:
    shipped = Path(cache.__file__).resolve().parents[1] / "kernels"
    # Other tests, which run beside this one, may add kernels of theirs.
    before = content(shipped, "find_uneven-*")
    script, folder = tmp_path / "script.py", tmp_path / "cache"
    script.write_text(SCRIPT)
    folder.mkdir(mode=0o700)
    environment = os.environ | {
        "NUMBA_BOUNDSCHECK": "1",
        "RAILBIRD_COMPILE": "1",
        "RAILBIRD_CACHE": str(folder),
    }
    runs = [
        subprocess.run(
            [sys.executable, str(script)], env=environment, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for _ in range(2)
    ]
    # The second one takes it from the cache: a kernel without checks would read what lies behind the array.
    said = ["within True", "beyond index is out of bounds", "find_uneven(rows, hands, even)"]
    assert runs == [said, said]
    assert content(shipped, "find_uneven-*") == before
    assert {path.parts[0] for path in map(Path, content(folder))} == {f"kernels-{checked_hash(environment)}"}


def checked_hash(environment: dict[str, str]) -> str:
    """Of kernels that check their indices."""
    told = [sys.executable, "-c", "from railbird.jit.cache import sources_hash as told; print(told())"]
    return subprocess.run(told, env=environment, capture_output=True, text=True, check=True).stdout.strip()
