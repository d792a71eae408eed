"""Inputs that cost more than they look: refused in one line, in bounded memory, and nothing before them is lost.

The large ones are dropped by `make bombs` (`hammer.bombs`).
"""

import re
from pathlib import Path

import pytest
from hammer.bombs import BOMBS, MOST_MB, dropped, removed
from support.stores import holds_together, rows

from railbird.ingest import ingest
from railbird.parsers import unpacking

MB = 1 << 20
_LONG = "a line of more than 4 MB, which is not read; --max-line allows more"
_BOMB = "decompresses to more than 200 times its size: --max-ratio allows more"


@pytest.fixture(scope="module")
def log(sample_logs: Path) -> bytes:
    return sorted((sample_logs / "holdem-mit").glob("*.txt"))[0].read_bytes()


@pytest.mark.parametrize("kind", ["gzip", "zstd", "bz2", "xz"])
def test_a_bomb_is_refused_before_it_is_unpacked(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "_NO_BOMB", MB)
    for name in ("zeros", "lines"):
        folder = tmp_path / name
        folder.mkdir()
        BOMBS[f"{kind}-{name}"](folder, 8 / 2048)
        (bomb,) = folder.iterdir()
        assert ingest([bomb], tmp_path / "store").complaints == [f"{bomb}: line 1: {_BOMB}"]
        # With leave of the user it is read, and is no log.
        (said,) = ingest([bomb], tmp_path / "store", max_ratio=1 << 30).complaints
        assert "--max-ratio" not in said


def test_memory_is_bounded_even_where_the_ratio_is_not(tmp_path: Path) -> None:
    found = dropped("gzip-lines", 0.2, tmp_path, "--max-ratio", "5000")
    assert found.code == 2
    assert found.err.endswith(": line 1: no known engine writes lines such as 'x'\n")
    assert found.peak < MOST_MB


def test_a_line_that_is_too_long_costs_its_hand_alone(log: bytes, tmp_path: Path) -> None:
    place = log.index(b"\nRound #31,") + 1
    path = tmp_path / "log.txt"
    path.write_bytes(log[:place] + b"x" * (5 * MB) + b"\n" + log[place:])
    summary = ingest([path], tmp_path / "store", max_line=4)
    line = log.count(b"\n", 0, place) + 1
    assert summary.complaints == [f"{path}: line {line}: {_LONG}"]
    # It stands below the last line of a hand.
    assert summary.files[0].hands_stored == 60
    assert summary.files[0].lines_seen == log.count(b"\n") + 2
    assert [(row["line"], row["text"]) for row in rows(tmp_path / "store", "unknown_lines")] == [
        (line, "x" * 200)
    ]
    holds_together(tmp_path / "store")
    # Nothing is lost or doubled where the user allows more.
    again = ingest([path], tmp_path / "store", max_line=8)
    assert again.complaints == []
    assert again.files[0].hands_stored == 60
    holds_together(tmp_path / "store")


def test_lines_within_hands_cost_these(log: bytes, tmp_path: Path) -> None:
    hands = re.split(rb"(?m)^(?=Round #)", log)
    # The second of a hand's lines names its blind.
    for number in (7, 31, 32):
        first, blind, rest = hands[number].split(b"\n", 2)
        hands[number] = b"\n".join((first, blind.ljust(5 * MB, b"!"), rest))
    path = tmp_path / "log.txt"
    path.write_bytes(b"".join(hands))
    summary = ingest([path], tmp_path / "store", max_line=4)
    first_line = b"".join(hands[:7]).count(b"\n") + 2
    said = "the first of 3 lines of more than 4 MB, which are not read; --max-line allows more"
    assert summary.complaints == [f"{path}: line {first_line}: {said}"]
    holds_together(tmp_path / "store")
    verdicts = {row["hand_no"]: row["verdict"] for row in rows(tmp_path / "store", "hands")}
    assert {number for number in range(1, 61) if verdicts.get(number) != "ok"} == {7, 31, 32}


def test_so_does_that_of_a_log_with_a_prefix(log: bytes, tmp_path: Path) -> None:
    place = log.index(b"\nRound #31,") + 1
    path = tmp_path / "log.txt"
    head = b"2026-03-07 12:00:00 INFO "
    lines = [*log[:place].splitlines(True), b"x" * (5 * MB) + b"\n", *log[place:].splitlines(True)]
    path.write_bytes(b"".join(head + line for line in lines))
    summary = ingest([path], tmp_path / "store", max_line=4)
    assert [line.endswith(_LONG) for line in summary.complaints] == [True]
    assert summary.files[0].hands_stored == 60


def test_a_file_that_begins_with_such_a_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(b"\n\n" + b"x" * (5 * MB))
    assert ingest([path], tmp_path / "store", max_line=4).complaints == [f"{path}: line 3: {_LONG}"]


def test_what_a_sidecar_says_besides_such_a_line_is_kept(sample_logs: Path, tmp_path: Path) -> None:
    for name in ("faults.log", "faults.err"):
        (tmp_path / name).write_bytes((sample_logs / "acpc" / name).read_bytes())
    plain = ingest([tmp_path], tmp_path / ".plain")
    said = (sample_logs / "acpc" / "faults.err").read_bytes()
    (tmp_path / "faults.err").write_bytes(b"x" * (5 * MB) + b"\n" + said)
    found = ingest([tmp_path], tmp_path / ".store", max_line=4)
    assert found.complaints == [f"{tmp_path / 'faults.err'}: line 1: {_LONG}"]
    assert found.verdicts == plain.verdicts


def test_a_match_that_is_too_large_takes_no_other_with_it(log: bytes, tmp_path: Path) -> None:
    hand = log[log.index(b"Round #1,") : log.index(b"Round #2,")]
    path = tmp_path / "log.txt"
    large = b"".join(hand.replace(b"#1,", b"#%d," % number, 1) for number in range(1, 6 * MB // len(hand)))
    path.write_bytes(log + large)
    summary = ingest([path], tmp_path / "store", max_match=4)
    (said,) = summary.complaints
    assert said.endswith(
        "a match of more than 4 MB: it, and what follows, is not read; --max-match allows more"
    )
    assert summary.files[0].hands_stored == 60


def test_folders_may_be_nested_deeper_than_calls(tmp_path: Path) -> None:
    BOMBS["deep"](tmp_path, 1)
    try:
        summary = ingest([tmp_path], tmp_path / ".store")
    finally:
        removed(tmp_path / "d")
    assert summary.complaints == []
    assert summary.files[0].hands_stored == 60


def test_matches_without_hands_are_passed_over(tmp_path: Path) -> None:
    BOMBS["headers"](tmp_path, 0.02)
    summary = ingest([tmp_path], tmp_path / "store")
    assert summary.files[0].lines_seen == 40_000
    assert summary.files[0].hands_stored == 0


@pytest.mark.parametrize("kind", ["acpc-matches", "equal-beginnings"])
def test_many_matches_take_little_memory_each(kind: str, tmp_path: Path) -> None:
    peaks = []
    for scale in (0.02, 0.1):
        folder = tmp_path / str(scale)
        folder.mkdir()
        found = dropped(kind, scale, folder)
        assert found.code == 0
        peaks.append(found.peak)
    assert peaks[1] - peaks[0] < 80
