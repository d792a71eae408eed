"""One look at every byte of a text: how many there are of one kind, and where."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .dialect import Text
from .kernels import kernel, part

_BLOCK: Final = 64
_WIDE_BLOCK: Final = 128
_LINE_END: Final = np.uint8(10)
_LITTLE: Final = 1 << 13
"""Bytes that are searched before the call of a kernel has begun."""


@part
def _in_block(text: NDArray[np.uint8], first: int, byte: np.uint8) -> Any:
    """How many bytes of a block are of one kind; a count as narrow as the bytes is made of many at once."""
    found = np.uint8(0)
    for k in range(first, first + _BLOCK):
        found = np.uint8(found + np.uint8(text[k] == byte))
    return found


@kernel
def _count(text: NDArray[np.uint8], first: int, last: int, byte: np.uint8) -> int:
    found = 0
    while first + _BLOCK <= last:
        found += _in_block(text, first, byte)
        first += _BLOCK
    for k in range(first, last):
        found += text[k] == byte
    return found


@kernel
def _find(text: NDArray[np.uint8], byte: np.uint8, out: NDArray[np.int64]) -> int:
    """Fill out with the places of a byte until it is full; returns how many there are in all."""
    found, first, size = 0, 0, len(text)
    while first < size:
        last = min(first + _BLOCK, size)
        if last - first < _BLOCK or _in_block(text, first, byte) > 0:
            for k in range(first, last):
                if text[k] == byte:
                    if found < len(out):
                        out[found] = k
                    found += 1
        first = last
    return found


@kernel
def _find_word(
    text: NDArray[np.uint8], word: NDArray[np.uint8], first: int, last: int, out: NDArray[np.int64]
) -> int:
    """Fill out with the places of a word in text[first:last] until it is full; returns how many were filled in."""
    size = len(word)
    middle = size // 2
    # Compared at once in every place of a block: three bytes leave few blocks to be looked into.
    head, heart, tail = word[0], word[middle], word[size - 1]
    found, stop = 0, last - size + 1
    while first < stop:
        end = min(first + _WIDE_BLOCK, stop)
        here = False
        for k in range(first, end):
            here |= (text[k] == head) & (text[k + middle] == heart) & (text[k + size - 1] == tail)
        if here:
            for k in range(first, end):
                if text[k] == head and text[k + middle] == heart and text[k + size - 1] == tail:
                    same = 1
                    while same < size and text[k + same] == word[same]:
                        same += 1
                    if same == size:
                        if found == len(out):
                            return found
                        out[found] = k
                        found += 1
        first = end
    return found


def first_of(text: Text, word: bytes, start: int, end: int) -> int:
    """`text.find(word, start, end)`, for what is seldom there: ten times as fast through much text."""
    if end - start <= _LITTLE:
        return text.find(word, start, end)
    out = np.empty(1, np.int64)
    found = _find_word(np.frombuffer(text, np.uint8), np.frombuffer(word, np.uint8), start, end, out)
    return int(out[0]) if found else -1


def lines_with(text: Text, word: bytes) -> list[int]:
    """Where the lines stand that begin with a word, in order."""
    codes, sought = np.frombuffer(text, np.uint8), np.frombuffer(b"\n" + word, np.uint8)
    out = np.empty(len(text) // 256 + 64, np.int64)
    starts = [0] if text.startswith(word) else []
    first = 0
    while True:
        found = _find_word(codes, sought, first, len(text), out)
        starts += (out[:found] + 1).tolist()
        if found < len(out):
            return starts
        first = starts[-1]


def line_ends(text: NDArray[np.uint8], first: int, last: int) -> int:
    """How many line ends there are in text[first:last]."""
    return _count(text, first, last, _LINE_END)


def places(text: NDArray[np.uint8], byte: int) -> NDArray[np.int64]:
    """Where a byte stands, in order."""
    out = np.empty(len(text) // 256 + 64, np.int64)
    found = _find(text, np.uint8(byte), out)
    if found > len(out):
        out = np.empty(found, np.int64)
        _find(text, np.uint8(byte), out)
    return out[:found]
