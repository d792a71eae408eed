"""What kernels and parts say of odd numbers as plain Python is what they say compiled."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.jit.compile import kernel
from railbird.parsers.marks import _count
from railbird.replay.heads_up.spread import _put
from railbird.storage.whole import _narrow

NUMBERS = (7.0, -3.0, 0.5, np.nan, 2.0**31 - 1, 2.0**31, -3e9, np.inf)


def both(compiled: Callable[..., Any]) -> list[Callable[..., Any]]:
    return [compiled, getattr(compiled, "py_func", compiled)]


@kernel
def put_all(chips: NDArray[Any], numbers: NDArray[np.float64], changed: NDArray[np.int64]) -> None:
    for k in range(len(numbers)):
        changed[k] = _put(chips, k, numbers[k])


@pytest.mark.parametrize("put", both(put_all))
def test_chips_that_no_int32_holds_are_told(put: Callable[..., Any]) -> None:
    numbers, changed = np.array(NUMBERS), np.zeros(len(NUMBERS), np.int64)
    whole, chips = np.zeros(len(numbers), np.int32), np.zeros(len(numbers))
    put(whole, numbers, changed)
    assert changed.tolist() == [0, 0, 1, 0, 0, 1, 1, 1]
    assert whole.tolist() == [7, -3, 0, 0, 2**31 - 1, 0, 0, 0]
    put(chips, numbers, changed)
    assert not changed.any()
    assert np.array_equal(chips, numbers, equal_nan=True)


@pytest.mark.parametrize("narrow", both(_narrow))
def test_chips_that_are_not_there_leave_the_others_whole(narrow: Callable[..., Any]) -> None:
    out = np.zeros(3, np.int32)
    assert narrow(np.array([5.0, np.nan, -2.0]), out)
    assert out.tolist() == [5, 0, -2]
    for other in (0.5, 2.0**31, -3e9, np.inf):
        assert not narrow(np.array([5.0, np.nan, other]), out)


@pytest.mark.parametrize("count", both(_count))
def test_more_bytes_are_counted_than_a_byte_holds(count: Callable[..., Any]) -> None:
    assert count(np.full(1000, 10, np.uint8), 0, 1000, np.uint8(10)) == 1000
