"""Compiled code: kept between runs, and never older than its sources."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

pytestmark = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")

KERNEL = """
from ..parsers.kernels import kernel
from .probe_part import plus


@kernel
def probe(x):
    return plus(x)
"""
PART = """
from ..parsers.kernels import part


@part
def plus(x):
    return x + {}
"""
RUN = "from railbird.replay.probe import probe; from railbird.replay.probe_part import plus; print(probe(1), plus(1))"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the least of the package that compiles a kernel."""
    root = tmp_path / "railbird"
    for name in ("parsers/__init__.py", "parsers/kernels.py", "replay/__init__.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    (root / "__init__.py").touch()
    (root / "replay" / "probe.py").write_text(KERNEL)
    return root


def run(package: Path) -> str:
    environment = os.environ | {
        "PYTHONPATH": str(package.parent),
        "RAILBIRD_CACHE": str(package.parent / "cache"),
    }
    command = [sys.executable, "-c", RUN]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()


def compiled(package: Path) -> dict[str, int]:
    files = (package.parent / "cache").rglob("*.nbc")
    return {path.as_posix(): path.stat().st_mtime_ns for path in files}


def test_machine_code_is_kept_until_a_part_of_it_is_edited(package: Path) -> None:
    part = package / "replay" / "probe_part.py"
    part.write_text(PART.format(1))
    assert run(package) == "2 2"
    first = compiled(package)
    assert len(first) == 1
    assert run(package) == "2 2"
    assert compiled(package) == first
    part.write_text(PART.format(10))
    assert run(package) == "11 11"
    assert len(compiled(package)) == 2


def test_old_machine_code_is_swept_away(package: Path) -> None:
    for number in range(6):
        (package / "replay" / "probe_part.py").write_text(PART.format(number))
        assert run(package) == f"{1 + number} {1 + number}"
    assert len(list((package.parent / "cache").glob("kernels-*"))) <= 4
