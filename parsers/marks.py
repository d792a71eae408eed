"""Searches of a text's bytes: how often a word occurs, and where."""

import re
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from ..jit.interpreted import is_allowed
from .dialect import Text

_BLOCK: Final = 64
_LINE_END: Final = np.uint8(10)
_RETURN: Final = np.uint8(13)
_SHORT_BLOCK: Final = 32
"""Half of the lines of a table are longer than two of them."""
_LITTLE: Final = 1 << 13
"""Up to this many bytes, a search in Python is faster than calling a kernel."""


@kernel
def _count(text: NDArray[np.uint8], first: int, last: int, byte: np.uint8) -> Any:
    found: Any = 0
    while first + _BLOCK <= last:
        # A count as narrow as the bytes is made of many at once.
        here = np.uint8(0)
        for k in range(first, first + _BLOCK):
            here = np.uint8(here + np.uint8(text[k] == byte))
        found += np.int64(here)
        first += _BLOCK
    for k in range(first, last):
        found += text[k] == byte
    return found


@kernel
def _find_word(
    text: NDArray[np.uint8], word: NDArray[np.uint8], first: int, last: int, out: NDArray[np.int64]
) -> int:
    """Fill out with the offsets of a word in text[first:last] until it is full; returns the number filled in."""
    size = len(word)
    middle = size // 2
    # All offsets of a block are compared at once: three bytes leave few candidates.
    head, heart, tail = word[0], word[middle], word[size - 1]
    found, stop = 0, last - size + 1
    while first < stop:
        end = min(first + _BLOCK, stop)
        left: Any = _BLOCK
        if end - first == _BLOCK:
            here = np.uint8(0)
            for k in range(first, first + _BLOCK):
                alike = (text[k] == head) & (text[k + middle] == heart) & (text[k + size - 1] == tail)
                here = np.uint8(here + np.uint8(alike))
            left = np.int64(here)
        k = first
        while left > 0 and k < end:
            if text[k] == head and text[k + middle] == heart and text[k + size - 1] == tail:
                left -= 1
                same = 1
                while same < size and text[k + same] == word[same]:
                    same += 1
                if same == size:
                    if found == len(out):
                        return found
                    out[found] = k
                    found += 1
            k += 1
        first = end
    return found


@kernel
def _drop_returns(text: NDArray[np.uint8], first: int, last: int, out: NDArray[np.uint8]) -> Any:
    """Copy text[first:last] to out without each carriage return before a line end; returns the number of bytes."""
    size: Any = 0
    while first < last:
        end = min(first + _SHORT_BLOCK, last)
        here = np.uint8(0)
        if end - first == _SHORT_BLOCK:
            for k in range(first, first + _SHORT_BLOCK):
                here = np.uint8(here + np.uint8(text[k] == _RETURN))
                out[size + k - first] = text[k]
        else:
            here = np.uint8(1)
        if here == 0:
            size += _SHORT_BLOCK
        else:
            for k in range(first, end):
                out[size] = text[k]
                size += not (text[k] == _RETURN and k + 1 < last and text[k + 1] == _LINE_END)
        first = end
    return np.int64(size)


def first_of(text: Text, word: bytes, start: int, end: int) -> int:
    """`text.find(word, start, end)`, ten times as fast through much text; for words that are near or rare."""
    soon = start + _LITTLE
    at = text.find(word, start, min(soon, end))
    if at >= 0 or end <= soon:
        return at
    if is_allowed():
        return text.find(word, soon - len(word) + 1, end)
    out = np.empty(1, np.int64)
    codes, sought = np.frombuffer(text, np.uint8), np.frombuffer(word, np.uint8)
    found = _find_word(codes, sought, soon - len(word) + 1, end, out)
    return int(out[0]) if found else -1


def places_of(text: Text, word: bytes, first: int = 0, last: int | None = None) -> NDArray[np.int64]:
    """The offsets of a word in text[first:last], in order."""
    last = len(text) if last is None else last
    if is_allowed():
        # As plain Python a loop over bytes takes longer than the replay. Occurrences may overlap.
        found = re.compile(b"(?=%s)" % re.escape(word)).finditer(text, first, last - len(word) + 1)
        return np.array([place.start() for place in found], np.int64)
    codes, sought = np.frombuffer(text, np.uint8), np.frombuffer(word, np.uint8)
    room = (last - first) // 256 + 64
    parts = []
    count = room
    while count == room:
        out = np.empty(room, np.int64)
        count = _find_word(codes, sought, first, last, out)
        parts.append(out[:count])
        first = int(out[-1]) + 1
    return np.concatenate(parts)


def lines_with(text: Text, word: bytes) -> NDArray[np.int64]:
    """The offsets of the lines that begin with a word, in order."""
    there = np.zeros(int(text.startswith(word)), np.int64)
    return np.concatenate([there, places_of(text, b"\n" + word) + 1])


def within_lines(text: Text, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which offsets of a text are not the beginning of a line."""
    codes = np.frombuffer(text, np.uint8)
    within: NDArray[np.bool_] = (places > 0) & (codes[places - 1] != _LINE_END)
    return within


def line_ends(text: NDArray[np.uint8], first: int, last: int) -> int:
    """The number of line ends in text[first:last]."""
    return int(_count(text, first, last, _LINE_END))


def with_line_ends(text: Text, first: int, last: int) -> memoryview:
    """text[first:last] with `\\n` where it has `\\r\\n`."""
    if is_allowed():
        return memoryview(bytes(text[first:last]).replace(b"\r\n", b"\n"))
    out = np.empty(last - first, np.uint8)
    size = _drop_returns(np.frombuffer(text, np.uint8), first, last, out)
    return out[:size].data
