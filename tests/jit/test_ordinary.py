"""Without Numba's private interfaces kernels are compiled and kept as Numba does it by itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from railbird.jit import compile as jit
from railbird.jit.bundles import bundle

pytestmark = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")

KERNELS = """
from typing import NamedTuple
import numpy as np
from railbird.jit.bundles import bundle
from railbird.jit.compile import kernel, part, rare, step

@bundle
class Pots(NamedTuple):
    chips: np.ndarray
    shares: np.ndarray

@rare
def twice(value):
    return 2 * value

@step
def doubled(value):
    return twice(value)

@part
def add(pots, place, value):
    pots.chips[place] += doubled(value)

@kernel
def share(pots, value):
    for place in range(len(pots.chips)):
        add(pots, place, value)
    pots.shares[0] = pots.chips.sum() / 2
    return len(pots.chips)
"""

USE = """
import importlib, sys
from numba.experimental import function_type, jitclass
{removed}
from railbird.jit import compile as jit
import numpy as np, kernels_of_a_test as own
pots = own.Pots(np.arange(4), np.zeros(1))
by_address, hits = "railbird.jit.bundle_types" in sys.modules, own.share.stats.cache_hits
print(own.share(pots, 3), pots.chips.tolist(), pots.shares[0], jit.OWN_WAY, by_address, sum(hits.values()))
"""

CACHE = "numba.core.caching FunctionCache"
PRIVATE = {
    "the cache": [CACHE],
    "a pass": ["numba.core.untyped_passes WithLifting"],
    "the compiler": ["numba.core.compiler CompilerBase"],
    "the library": ["numba.core.codegen JITCodeLibrary"],
    "tuples by address": [CACHE, "numba.core.datamodel.registry register_default"],
}


def test_the_pinned_numba_has_all_that_railbird_takes_from_it() -> None:
    assert jit.OWN_WAY
    assert bundle.__module__ == "railbird.jit.bundle_types"


@pytest.mark.parametrize("name", PRIVATE)
def test_kernels_are_compiled_and_kept_without(name: str, tmp_path: Path) -> None:
    pairs = [each.split() for each in PRIVATE[name]]
    removed = "; ".join(f"vars(importlib.import_module({module!r})).pop({what!r})" for module, what in pairs)
    (tmp_path / "kernels_of_a_test.py").write_text(KERNELS)
    said = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", USE.format(removed=removed)],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": str(tmp_path),
                "RAILBIRD_CACHE": str(tmp_path / "cache"),
                "RAILBIRD_COMPILE": "1",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.split("\n")[0])
    by_address = len(pairs) == 1
    assert said == [f"4 [6, 7, 8, 9] 15.0 False {by_address} {hits}" for hits in (0, 1)]
