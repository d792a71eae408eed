"""A log that is still being written, or whose end is lost, ends anywhere: nothing is wrong with what it has."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import acpc, koper
from support.checking import check

from railbird.replay.simulate import simulate

LOGS = [
    "auction/faults.txt",
    "blotto/2021-01-27.txt",
    "bounty/faults.txt",
    "holdem-mit/faults.txt",
    "permutation/2020-01-05.txt",
    "river-of-blood/2023-02-01.txt",
    "river-of-blood/as-written.txt",
    "river-of-blood/faults.txt",
    "swap/faults.txt",
    "toss/faults.txt",
    "acpc/Heron.Otter.0.log",
    "koper/v1-eliminations.txt",
    "koper/v2-mixed.all_games.txt",
    "koper/v2-one-class.all_games.txt",
]
_SHAPE = re.compile(rb"\[[^]]*\]|[\d.]+")


def wrong(name: str, text: bytes) -> set[tuple[str, int]]:
    """Rule and line of what no engine explains."""
    if name.startswith("koper/"):
        return {(row["rule"], row["line"]) for row in koper.replay_text(text).wrong}
    if name.startswith("acpc/"):
        found = acpc.check(text).tables.get("findings")
        rows = [] if found is None else found.to_pylist()
        return {(row["rule"], row["line"]) for row in rows if row["verdict"] != "engine_deviation"}
    return {(f.rule, f.line) for f in check(text).findings if f.verdict != "engine_deviation"}


def places(text: bytes) -> Iterator[int]:
    """In the middle and at the end of the last line of each of 60 kinds; in the last hundred bytes."""
    last: dict[bytes, tuple[int, int]] = {}
    end = 0
    for line in text.splitlines(keepends=True):
        last[_SHAPE.sub(b"", line)] = end, end + len(line)
        end += len(line)
    # Of a Koper log that begins, who plays cannot be told.
    for start, stop in [kind for kind in last.values() if kind[0] > end // 3][-60:]:
        yield from ((start + stop) // 2, stop - 2, stop - 1, stop)
    yield from range(end - 100, end)


@pytest.mark.parametrize("name", LOGS)
def test_a_log_that_ends_anywhere_has_nothing_wrong_that_it_has_not_as_a_whole(
    name: str, sample_logs: Path
) -> None:
    text = (sample_logs / name).read_bytes()
    whole = wrong(name, text)
    found = {
        (text[:place][-40:], *fault)
        for place in set(places(text))
        for fault in wrong(name, text[:place]) - whole
    }
    assert not found


@pytest.mark.parametrize("lines", [1, 2])
def test_a_blotto_log_that_ends_within_its_totals_has_every_hand_whole(lines: int, sample_logs: Path) -> None:
    text = (sample_logs / "blotto/2021-01-27.txt").read_bytes()
    part = b"".join(text.splitlines(keepends=True)[: lines - 3])
    assert part.count(b"\nTable ") == lines
    found, whole = check(part), check(text)
    assert "table-missing" not in found.rules
    assert (found.numbers, found.verdicts) == (whole.numbers, whole.verdicts)


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_a_run_whose_lines_are_not_all_there_is_left_out(lines: int, sample_logs: Path) -> None:
    text = (sample_logs / "river-of-blood/2023-02-01.txt").read_bytes()
    reached = text.rindex(b"\nRun reached\n") + 1
    part = text[:reached] + b"".join(text[reached:].splitlines(keepends=True)[:lines])
    assert len(check(part).numbers) == text.count(b"\nRound #", 0, reached) - (lines < 3)


@pytest.mark.parametrize(("profile", "is_told"), [("2023-02-01", False), ("written", True)])
def test_a_run_of_which_its_engine_says_nothing_is_whole_once_it_is_paid(profile: str, is_told: bool) -> None:
    """Both were all-in before it; an engine that has told of such a run will do so again."""
    players = [("Ann", "random"), ("Bea", "calling-station")]
    rounds = simulate("river-of-blood", players, 300, 4, profile).encode().split(b"\n\nRound #")
    all_in = [
        k for k, hand in enumerate(rounds) if b" (400)" in hand.partition(b"\nRun [")[2].split(b"\n")[0]
    ]
    assert len(all_in) > 5
    for k in all_in[1:]:
        assert (b"\nRun reached" in rounds[k]) == is_told
        text = b"\n\nRound #".join([*rounds[:k], rounds[k].partition(b"\nRun reached")[0]]) + b"\n"
        assert len(check(text).numbers) == k - is_told


@pytest.mark.parametrize("name", ["v1-mixed.txt", "v2-mixed.all_games.txt"])
def test_a_koper_log_without_its_last_line_end_is_whole(name: str, sample_logs: Path) -> None:
    text = (sample_logs / "koper" / name).read_bytes()
    end = text.index(b"\n\n--- Match Over") if b"--- Match Over" in text else len(text.rstrip())
    assert re.search(rb"\.\d\d\Z", text[:end])
    assert len(koper.replay_text(text[:end]).hands) == len(koper.replay_text(text).hands)
    assert len(koper.replay_text(text[: end - 1]).hands) == len(koper.replay_text(text).hands) - 1
