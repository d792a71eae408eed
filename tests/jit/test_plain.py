"""What kernels say of odd numbers as plain Python is what they say compiled."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from railbird.parsers.marks import _count
from railbird.replay.columns import _spread_bits


def both(compiled: Callable[..., Any]) -> list[Callable[..., Any]]:
    return [compiled, getattr(compiled, "py_func", compiled)]


@pytest.mark.parametrize("spread", both(_spread_bits))
@pytest.mark.parametrize("size", [1, 8, 13])
def test_a_bitmap_a_flag_has_the_bits_of_every_number(spread: Callable[..., Any], size: int) -> None:
    numbers = np.random.default_rng(size).integers(0, 2**34, size, np.uint64)
    out = np.full((34, -(-size // 8)), 255, np.uint8)
    spread(numbers, out)
    wanted = [[int(number) >> flag & 1 for number in numbers] for flag in range(34)]
    assert np.unpackbits(out, axis=1, bitorder="little")[:, :size].tolist() == wanted


@pytest.mark.parametrize("count", both(_count))
def test_more_bytes_are_counted_than_a_byte_holds(count: Callable[..., Any]) -> None:
    assert count(np.full(1000, 10, np.uint8), 0, 1000, np.uint8(10)) == 1000
