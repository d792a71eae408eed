"""A hand whose first line is damaged or lost is counted as left out, wherever its other lines stand."""

from pathlib import Path

import pytest

from railbird.analytics.store import open_store
from railbird.ingest import ingest

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
LOGS = {
    "holdem-mit/base.txt": b"Round #5,",
    "river-of-blood/faults.txt": b"Round #5,",
    "poker-camp/2024.txt": b"Round #5,",
    "sneak-peek/faults.txt": b"Round #5,",
    "holdem-2017/2017-01-16.txt": b"Hand #5,",
    "pineapple-2013/2013-01.txt": b"Hand #5,",
    "acpc/six-max.log": b"STATE:5:",
    "acpc/kuhn.log": b"STATE:5:",
}


def account_of(text: bytes, folder: Path) -> tuple[int, int, str, str | None]:
    """Hands seen and left out, the status and the reason of a log."""
    logs = folder / "logs"
    logs.mkdir(parents=True)
    (logs / "match.log").write_bytes(text)
    ingest([logs], folder / "store")
    with open_store(folder / "store") as store:
        (row,) = store.execute("select hands_seen, hands_rejected, status, reason from files").fetchall()
    return row


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("damage", ["damaged", "unlike", "lost"])
def test_a_hand_without_its_first_line_is_left_out(name: str, damage: str, tmp_path: Path) -> None:
    text, begins = (SAMPLES / name).read_bytes(), LOGS[name]
    whole = account_of(text, tmp_path / "whole")
    at = text.index(b"\n" + begins) + 1
    end = text.index(b"\n", at) + 1
    first = {"damaged": b"X" + text[at:end], "unlike": b"...\n", "lost": b""}[damage]
    if damage == "lost" and name.startswith("acpc"):
        # The hand has no other line: nothing in the file tells of it.
        first = b"\n"
    seen, left_out, status, reason = account_of(text[:at] + first + text[end:], tmp_path / "damaged")
    if first == b"\n":
        assert (seen, left_out) == (whole[0] - 1, whole[1])
        return
    assert (seen, left_out, status) == (whole[0], whole[1] + 1, "partial")
    assert reason is not None and "1 hand: " in reason


def test_a_blind_that_stands_below_the_awards_of_its_own_hand_begins_no_other(tmp_path: Path) -> None:
    lines = (SAMPLES / "holdem-mit" / "base.txt").read_bytes().splitlines(keepends=True)
    at = next(k for k, line in enumerate(lines) if line.startswith(b"Round #5,"))
    blind = lines.pop(at + 1)
    below = next(k for k in range(at, len(lines)) if lines[k].startswith(b"Round #6,"))
    lines.insert(below - 1, blind)
    seen, left_out, _, _ = account_of(b"".join(lines), tmp_path)
    assert (seen, left_out) == (60, 0)
