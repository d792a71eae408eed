"""One look at every byte of a text: how many there are of one kind, and where."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .kernels import kernel

_BLOCK: Final = 64
_LINE_END: Final = np.uint8(10)


@kernel
def _count(text: NDArray[np.uint8], first: int, last: int, byte: np.uint8) -> int:
    found = 0
    for k in range(first, last):
        found += text[k] == byte
    return found


@kernel
def _find(text: NDArray[np.uint8], byte: np.uint8, out: NDArray[np.int64]) -> int:
    """Fill out with the places of a byte until it is full; returns how many there are in all."""
    found, first, size = 0, 0, len(text)
    while first < size:
        last = min(first + _BLOCK, size)
        here = False
        for k in range(first, last):
            here |= text[k] == byte
        if here:
            for k in range(first, last):
                if text[k] == byte:
                    if found < len(out):
                        out[found] = k
                    found += 1
        first = last
    return found


@kernel
def _find_lines(text: NDArray[np.uint8], word: NDArray[np.uint8], out: NDArray[np.int64]) -> int:
    """Fill out with where lines stand that begin with a word until it is full; returns how many there are in all."""
    found, at_line_start = 0, True
    for k in range(len(text) - len(word) + 1):
        if at_line_start and text[k] == word[0]:
            same = 1
            while same < len(word) and text[k + same] == word[same]:
                same += 1
            if same == len(word):
                if found < len(out):
                    out[found] = k
                found += 1
        at_line_start = text[k] == _LINE_END
    return found


def lines_with(text: bytes | bytearray, word: bytes) -> list[int]:
    """Where the lines stand that begin with a word, in order."""
    codes, sought = np.frombuffer(text, np.uint8), np.frombuffer(word, np.uint8)
    out = np.empty(len(text) // 256 + 64, np.int64)
    found = _find_lines(codes, sought, out)
    if found > len(out):
        out = np.empty(found, np.int64)
        _find_lines(codes, sought, out)
    starts: list[int] = out[:found].tolist()
    return starts


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
