"""Finds the beginnings of the matches in an ACPC dealer's log."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel, part

START, FIRST_HAND, END, SIZE = range(4)
"""Columns of what `boundaries` fills: offsets of the match, of its first hand's line (-1: none), of its end."""

_HEADER: Final = np.frombuffer(b"# name/game/hands/seed ", np.uint8)
_TIMING: Final = np.frombuffer(b"#--t_", np.uint8)
_STATE: Final = np.frombuffer(b"STATE:", np.uint8)
_SCORE: Final = np.frombuffer(b"SCORE:", np.uint8)
_STAMP: Final = np.frombuffer(b" # ", np.uint8)
_DIGITS: Final = 12


@part
def _begins(text: NDArray[np.uint8], at: int, end: int, word: NDArray[np.uint8]) -> bool:
    if at + len(word) > end:
        return False
    same = 0
    while same < len(word) and text[at + same] == word[same]:
        same += 1
    return same == len(word)


@part
def _line_end(text: NDArray[np.uint8], at: int, end: int) -> int:
    while at < end and text[at] != 10:
        at += 1
    return at


@part
def _same_line(text: NDArray[np.uint8], one: int, other: int, end: int) -> bool:
    """True if the lines at two offsets are equal, line end included."""
    while one < end and other < end:
        if text[one] != text[other]:
            return False
        if text[one] == 10:
            return True
        one += 1
        other += 1
    return False


@part
def _number(text: NDArray[np.uint8], at: int, end: int) -> int:
    """The integer before a colon, -1 if there is none."""
    first, value = at, 0
    while at < end and 48 <= text[at] <= 57 and at - first < _DIGITS:
        value = value * 10 + int(text[at]) - 48
        at += 1
    return value if first < at < end and text[at] == 58 else -1


@part
def _names_at(text: NDArray[np.uint8], at: int, end: int) -> int:
    """The offset of the names in a hand's line; the line's end if it has none."""
    colons = 0
    while at < end and text[at] != 10 and colons < 5:
        colons += text[at] == 58
        at += 1
    return at


@part
def _names_sum(text: NDArray[np.uint8], at: int, end: int) -> int:
    """The sum of the bytes of a hand's names, in any order, if a time stamp follows them; else -1."""
    total = 0
    while at < end:
        if text[at] == 32 and _begins(text, at, end, _STAMP):
            return total
        total += int(text[at])
        at += 1
    return -1


@kernel
def boundaries(text: NDArray[np.uint8], joined: NDArray[np.int64], found: NDArray[np.int64]) -> int:
    """Fill `found`, (matches, SIZE), as far as it has room, and return the number of matches in the text.

    joined: offsets of headers within a line, which result if a log without a last line end was joined to another.

    A match begins with a header, unless the header repeats that of the previous match and the hand numbers continue
    (a resumed match); with a hand whose number starts over; with the first hand after a score; and, if hands have
    time stamps, as in logs joined from several tables, with other players.
    """
    size, at, count, passed = len(text), 0, 0, 0
    opened = scored = False
    header = comments = first = last = names = -1
    while at < size:
        if passed < len(joined) and joined[passed] == at:
            passed += 1
        stop = int(joined[passed]) if passed < len(joined) else size
        end = at
        mark = text[at]
        if mark == 35 and (_begins(text, at, size, _HEADER) or _begins(text, at, size, _TIMING)):
            if comments < 0:
                comments = at
        elif mark == 83 and opened and _begins(text, at, size, _SCORE):
            scored = True
        elif mark == 83 and _begins(text, at, size, _STATE):
            number = _number(text, at + len(_STATE), size)
            named = _names_at(text, at, stop)
            end = _line_end(text, named, stop)
            stamped = _names_sum(text, named, end) if end < size or opened else -1
            others = stamped >= 0 and names >= 0 and stamped != names
            resumed = (
                comments >= 0
                and number > last
                and header >= 0
                and _begins(text, comments, size, _HEADER)
                and _same_line(text, header, comments, size)
            )
            over = scored or others or (0 <= number <= first) or (comments >= 0 and not resumed)
            if not opened or over:
                start = comments if comments >= 0 else at
                if count < len(found):
                    found[count, START] = start
                    found[count, FIRST_HAND] = at
                count += 1
                opened, scored, first, last = True, False, number, number
                header = comments if comments >= 0 and _begins(text, comments, size, _HEADER) else -1
            elif number >= 0 and (named < end or end < stop):
                # A hand whose line is cut off by a header is played again when the match is resumed.
                first = number if first < 0 else first
                last = number
            names = stamped
            comments = -1
        at = _line_end(text, end, stop)
        at += at < stop
    if comments >= 0:
        if count < len(found):
            found[count, START] = comments
            found[count, FIRST_HAND] = -1
        count += 1
    for k in range(min(count, len(found))):
        found[k, END] = found[k + 1, START] if k + 1 < min(count, len(found)) else size
    return count
