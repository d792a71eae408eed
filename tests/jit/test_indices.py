"""Compiled kernels do not ask whether an index is negative: as plain Python they show that none is."""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from conftest import ROOT
from support import cmu_tables, phh
from support.huawei import Act, Seat, hand, replay
from support.pokernow import run_twice

SCRIPT = ROOT / "tests" / "support" / "checked_kernels.py"
EDITS = int(os.environ.get("RAILBIRD_EDITS", "100"))
"""Logs of random edits; `make edits` takes more."""
JOBS = ("ingesting", "editing", "simulating", "counting", "looking")
KERNEL = re.compile(r"^@kernel\ndef (\w+)", re.MULTILINE)


def materials() -> list[Path]:
    """Two logs a game, all of ACPC's, and every odd one."""
    acpc, *folders = sorted((ROOT / "sample_logs").iterdir())
    games = [sorted(p for p in folder.iterdir() if p.is_file())[:2] for folder in folders]
    odd = sorted((ROOT / "tests" / "fixtures").rglob("*.txt"))
    return [acpc, *(path for game in games for path in game), *odd]


def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
    """A job of the script's. Numbers that do not fit where they are put are warnings in plain Python."""
    command = [sys.executable, "-W", "error", str(SCRIPT), *map(str, arguments)]
    own = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    return subprocess.run(command, env=own, capture_output=True, text=True)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stores")


@cache
def kernels_of(job: str, store: Path) -> frozenset[str]:
    """The kernels that ran in a job, none of which took a negative index."""
    logs = [log for path in materials() for log in (path.glob("*.log") if path.is_dir() else [path])]
    seats: list[Seat] = [("1001", 2000, 0), ("1002", 1500, 0)]
    acts: list[Act | str] = [("1001", "call", 20), ("1002", "check", 20), "flop", ("1002", "fold", 20)]
    of_reserves = store / "replay.txt"
    of_reserves.write_text(replay(hand(1, seats, [*acts, ("1001", "check", 20)], {"1001": 40})))
    of_records = store / "table.csv"
    of_records.write_text(run_twice())
    of_actions = [store / f"{number}.csv" for number in range(2)]
    for path, text in zip(of_actions, (cmu_tables.redraws(), cmu_tables.keeps()), strict=True):
        path.write_text(text, newline="")
    published = store / "hands.phhs"
    published.write_bytes(phh.file_of(phh.MIXED))
    given: dict[str, list[object]] = {
        "ingesting": [store, *materials(), of_reserves, of_records, published, *of_actions],
        "editing": [store, EDITS, *logs],
    }
    done = run(job, *given.get(job, []))
    assert done.returncode == 0, done.stderr[-2000:]
    return frozenset(done.stdout.split())


@pytest.mark.parametrize("job", JOBS)
def test_no_kernel_counts_from_the_end_of_an_array(job: str, store: Path) -> None:
    assert kernels_of(job, store)


def test_all_kernels_were_looked_at(store: Path) -> None:
    every = {
        ".".join((*package, *path.relative_to(root).with_suffix("").parts, name))
        for package, root, folder in (
            *((("railbird",), ROOT, folder) for folder in ("parsers", "replay", "storage", "analytics")),
            ((), ROOT / "tests", "arena"),
        )
        for path in (root / folder).rglob("*.py")
        for name in KERNEL.findall(path.read_text())
    }
    assert every == frozenset().union(*(kernels_of(job, store) for job in JOBS))


@pytest.mark.parametrize(
    ("kind", "said"),
    {"read": "-1 of (2, 3)", "write": "-2 of (2, 3)", "row": "-3 of (3,)", "record": "-4 of (3,)"}.items(),
)
def test_a_negative_index_is_refused(kind: str, said: str) -> None:
    assert run("failing", kind).stderr.endswith(f"IndexError: {said}\n")


def test_a_negative_index_into_an_array_of_a_module_is_refused() -> None:
    assert run("failing", "module").stderr.endswith("IndexError: -5 of (6,)\n")
