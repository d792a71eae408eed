"""Compiled kernels do not ask whether an index is negative: as plain Python they show that none is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

# Stands in for the compiler: every array that a kernel is handed refuses an index below 0.
CHECKED = """
import sys
from pathlib import Path

import numpy as np

from railbird.parsers import kernels


class Checked(np.ndarray):
    def _check(self, key):
        for index in key if isinstance(key, tuple) else (key,):
            if not isinstance(index, (str, slice)) and np.ndim(index) == 0 and index < 0:
                raise IndexError(f"{index} of {self.shape}")

    def __getitem__(self, key):
        self._check(key)
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        self._check(key)
        super().__setitem__(key, value)


def checked(value):
    if isinstance(value, np.ndarray):
        return value.view(Checked)
    if isinstance(value, tuple):
        parts = [checked(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def compile(function, **options):
    return lambda *arguments: function(*map(checked, arguments))


kernels._compile = compile
"""
INGEST = """
from railbird.ingest import ingest

for number, path in enumerate(sys.argv[2:]):
    ingest([path], Path(sys.argv[1]) / str(number), workers=1)
"""
PLAY = """
from railbird.replay.arena import policy
from railbird.replay.arena.matches import Person, own_chart, play

for plan in (policy.DUMP, policy.SHARED, policy.SIGNAL, policy.TRIGGER):
    row = policy.person((0.5, 0.52, 0.6, 0.72, 0.8, 0.04, 0.75), plan=plan, intensity=0.5)
    for game, seats in (("holdem-mit", 2), ("bounty", 2), ("acpc/kuhn.limit.3p", 3)):
        people = [Person(f"P{k}", row, own_chart(k, 0.02)) for k in range(seats)]
        for partners in ((), (1, 0, -1)[:seats]):
            play(game, people, 8, 5, partners)
"""


def materials() -> list[Path]:
    """Two logs a game, and every odd one."""
    games = [
        sorted(p for p in folder.iterdir() if p.is_file())[:2]
        for folder in sorted((ROOT / "sample_logs").iterdir())
    ]
    odd = sorted(p for p in (ROOT / "tests" / "fixtures").rglob("*.txt"))
    return [path for game in games for path in game] + odd


@pytest.mark.parametrize("third", range(3))
def test_no_kernel_counts_from_the_end_of_an_array(third: int, tmp_path: Path) -> None:
    command = [sys.executable, "-c", CHECKED + INGEST, str(tmp_path), *map(str, materials()[third::3])]
    done = subprocess.run(
        command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_nor_does_the_arena() -> None:
    command = [sys.executable, "-c", CHECKED + PLAY]
    done = subprocess.run(
        command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_check_would_see_one(tmp_path: Path) -> None:
    probe = CHECKED.split("kernels._compile")[0] + "compile(lambda array: array[-1])(np.zeros(3))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert "IndexError: -1 of (3,)" in done.stderr
