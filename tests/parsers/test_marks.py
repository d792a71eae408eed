"""Searches over all bytes of a text find what the plain ones of Python find."""

import re
from random import Random

import numpy as np
import pytest

from railbird.parsers.marks import (
    first_of,
    line_ends,
    lines_with,
    places_of,
    with_line_ends,
    within_lines,
)

WORDS = (b"\n", b"-", b"--", b"-- ", b"\n--- M", b"ab a", b"--- M 1")


def texts() -> list[bytes]:
    rng = Random(5)
    sizes = [0, 1, 2, 5, 63, 64, 65, 127, 300, 5000, 20_000]
    return [bytes(rng.choices(b"\nab- M1", k=size)) for size in sizes for _ in range(6)]


@pytest.mark.parametrize("word", WORDS)
def test_the_first_place_of_a_word_is_that_of_find(word: bytes) -> None:
    for text in texts():
        for start in (0, 1, len(text) // 2, len(text)):
            for end in (len(text), max(len(text) - 1, 0), start):
                assert first_of(text, word, start, end) == text.find(word, start, end)


@pytest.mark.parametrize("word", [word for word in WORDS if b"\n" not in word])
def test_all_lines_that_begin_with_a_word_are_found(word: bytes) -> None:
    for text in (*texts(), (word + b"\n") * 900, b"\n" + word):
        found = [said.start() for said in re.finditer(b"(?m)^" + re.escape(word), text)]
        assert lines_with(text, word).tolist() == found


@pytest.mark.parametrize("word", [word for word in WORDS if b"\n" not in word])
def test_all_places_of_a_word_and_whether_they_begin_a_line_are_found(word: bytes) -> None:
    for text in (*texts(), (word + b"\n") * 900, word * 900):
        places = places_of(text, word)
        assert places.tolist() == [said.start() for said in re.finditer(b"(?=%s)" % re.escape(word), text)]
        assert places[~within_lines(text, places)].tolist() == lines_with(text, word).tolist()
        for first, last in (
            (0, len(text) // 2),
            (len(text) // 3, len(text)),
            (len(text) // 3, len(text) // 2),
        ):
            among = places[(places >= first) & (places + len(word) <= last)]
            assert places_of(text, word, first, last).tolist() == among.tolist()


def test_all_line_ends_are_counted() -> None:
    for text in texts():
        codes = np.frombuffer(text, np.uint8)
        for first in (0, len(text) // 3):
            assert line_ends(codes, first, len(text)) == text[first:].count(b"\n")


def test_returns_go_where_a_line_end_follows() -> None:
    rng = Random(6)
    for size in (0, 1, 31, 32, 33, 64, 65, 300, 5000):
        for letters in (b"ab\r\n", b"\r\n", b"abcdefghijklmn\r\n", b"ab\n"):
            text = bytes(rng.choices(letters, k=size)).replace(b"bb", b"\r\n")
            for first, last in ((0, len(text)), (len(text) // 3, len(text)), (0, len(text) // 2)):
                plain = text[first:last].replace(b"\r\n", b"\n")
                assert bytes(with_line_ends(text, first, last)) == plain
