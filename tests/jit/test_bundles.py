"""Kernels take named tuples of arrays by address, and compile each part once."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core import caching, errors, event
from numpy.typing import NDArray

from railbird.jit import compile as jit
from railbird.jit.bundles import bundle
from railbird.jit.compile import kernel, part, rare, step

compiles = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")


@bundle
class Inner(NamedTuple):
    used: NDArray[np.int64]
    marks: NDArray[np.void]


@bundle
class Outer(NamedTuple):
    values: NDArray[Any]
    inner: Inner
    grid: NDArray[np.int8]


@part
def _mark(inner: Inner, kind: int) -> None:
    inner.marks[inner.used[0]]["kind"] = kind
    inner.used[0] += 1


@step
def _sum_of(outer: Outer, row: int) -> float:
    total = 0.0
    for k in range(len(outer.values)):
        total += outer.values[k] * outer.grid[row, k]
    _mark(outer.inner, row)
    return total


@rare
def _seldom(inner: Inner, by: int) -> None:
    inner.used[0] += by


@kernel
def counted(inner: Inner, times: int) -> int:
    """Calls a part that is called seldom, again and again."""
    for k in range(times):
        if k % 2:
            _seldom(inner, k)
    return times


@kernel
def sums(outer: Outer, other: Inner, out: NDArray[np.float64]) -> None:
    """Every row of the grid times the values, with a mark a row in one tuple and a last one in the other."""
    for row in range(len(out)):
        out[row] = _sum_of(outer, row)
    _mark(outer.inner, -1)
    _mark(other, -2)


@kernel
def lost(outer: Outer) -> int:
    """Reads a field that there is not."""
    return len(outer.nothing)  # type: ignore[attr-defined]


@part
def _one(inner: Inner) -> int:
    inner.used[0] += 1
    return 1


@part
def _another(inner: Inner) -> int:
    return _one(inner)


@step
def _third(inner: Inner) -> int:
    return _one(inner) + _another(inner)


def thrice(inner: Inner) -> int:
    return _one(inner) + _third(inner)


MARK = np.dtype([("at", np.int64), ("kind", np.int16)])


def material() -> tuple[Outer, Inner]:
    rng = np.random.default_rng(3)
    inner, other = (Inner(np.zeros(1, np.int64), np.zeros(9, MARK)) for _ in range(2))
    return Outer(rng.normal(size=5), inner, rng.integers(-9, 9, (4, 5)).astype(np.int8)), other


def test_what_parts_write_through_a_bundle_is_where_python_writes_it() -> None:
    outer, other = material()
    out = np.zeros(4)
    sums(outer, other, out)
    assert out == pytest.approx(outer.grid @ outer.values)
    assert outer.inner.used[0] == 5
    assert outer.inner.marks["kind"][:6].tolist() == [0, 1, 2, 3, -1, 0]
    assert other.used[0] == 1
    assert other.marks["kind"][0] == -2


def code_of(kept: Any, *arguments: Any) -> str:
    """The optimised code of a kernel, as LLVM prints it: compiled anew, for one from the cache has none."""
    jit._announce_parts()
    compiled = jit._compile(kept.py_func, **jit._AS_KERNEL)
    compiled(*arguments)
    (made,) = compiled.overloads.values()
    text: str = made.library.get_llvm_str()
    return text


@compiles
def test_a_rare_part_is_called_where_others_are_inlined() -> None:
    _, inner = material()
    assert counted(inner, 6) == 6
    assert inner.used[0] == 1 + 3 + 5
    assert re.search(r"define private [^\n]*_seldom", code_of(counted, inner, 1))
    outer, other = material()
    assert not re.search(r"define private [^\n]*_sum_of", code_of(sums, outer, other, np.zeros(4)))


def test_two_arguments_may_hold_the_same_arrays() -> None:
    outer, _ = material()
    sums(outer, outer.inner, np.zeros(4))
    assert outer.inner.marks["kind"][:6].tolist() == [0, 1, 2, 3, -1, -2]


@compiles
def test_a_field_of_another_type_is_another_bundle() -> None:
    outer, other = material()
    whole = outer._replace(values=np.arange(5))
    out = np.zeros(4)
    sums(whole, other, out)
    assert out.tolist() == (outer.grid @ whole.values).tolist()


@compiles
def test_a_field_that_is_not_there_is_told() -> None:
    with pytest.raises(errors.TypingError, match="nothing"):
        lost(material()[0])


@contextmanager
def compilations() -> Iterator[Counter[str]]:
    """How often each function is compiled meanwhile."""
    counts: Counter[str] = Counter()
    with event.install_recorder("numba:compile") as recorder:
        yield counts
    counts.update(found.data["dispatcher"].py_func.__name__ for _, found in recorder.buffer if found.is_start)


@compiles
def test_a_part_is_compiled_once_and_into_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "KernelCache", lambda _: caching.NullCache())
    fresh: Any = kernel(thrice)
    inner = material()[1]
    with compilations() as counts:
        assert fresh(inner) == 3
    assert inner.used[0] == 3
    assert counts == {"thrice": 1, "_one": 1, "_another": 1, "_third": 1}
    [compiled] = fresh.overloads.values()
    names = [function.name for function in compiled.library.get_defined_functions()]
    assert len(names) == 2
    assert all("6thrice" in name for name in names)


@njit()
def _of_others(inner: Inner) -> int:
    return _another(inner)


@compiles
def test_numba_code_of_others_calls_parts_that_call_parts() -> None:
    jit._announce_parts()
    inner = material()[1]
    assert _of_others(inner) == 1
    assert inner.used[0] == 1
