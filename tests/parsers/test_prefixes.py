"""What a tool puts before every line of a log is taken off, said in the ledger, and never taken off by halves."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.stores import rows

from railbird.ingest import ingest
from railbird.parsers import chunks, prefixes

LOGS = (
    "bounty/2025-01-30.txt",
    "acpc/Heron.Otter.0.log",
    "koper/v1-folds.txt",
    "koper/v2-mixed.all_games.txt",
)
Prefix = Callable[[int, bytes], bytes]
PREFIXES: dict[str, Prefix] = {
    "docker": lambda k, line: b"2026-02-03T10:%02d:%02d.%09dZ " % (k // 60 % 60, k % 60, k) + line,
    "docker, cut": lambda k, line: (b"2026-02-03T10:%02d:%02d.5Z " % (k // 60 % 60, k % 60) + line).rstrip(),
    "logger": lambda k, line: b"2025-01-27 10:00:%02d,%03d - engine - %s - " % (k % 60, k, level(k)) + line,
    "root": lambda k, line: level(k) + b":root:" + line,
    "clock": lambda k, line: b"[10:%02d:%02d] " % (k // 60 % 60, k % 60) + line,
    "grep": lambda k, line: b"logs/a.txt:" + line,
    "grep -n": lambda k, line: b"logs/a.txt:%d:" % (k + 1) + line,
    "cat -n": lambda k, line: b"%6d\t" % (k + 1) + line,
    "colours": lambda k, line: b"\x1b[1;32m" + line + b"\x1b[0m",
    "colours and a clock": lambda k, line: b"\x1b[2m10:%02d\x1b[0m \x1b[32m" % (k % 60) + line + b"\x1b[0m",
}


def level(number: int) -> bytes:
    return b"INFO" if number % 7 else b"WARNING"


def behind(text: bytes, prefix: Prefix) -> bytes:
    lines = text.split(b"\n")
    return b"\n".join(prefix(k, line) for k, line in enumerate(lines[:-1])) + b"\n"


def stored(text: bytes, folder: Path) -> tuple[list[tuple[int, str]], str]:
    """Lines and verdicts of the hands of a text, and what the ledger says."""
    folder.mkdir()
    (folder / "log").write_bytes(text)
    (account,) = ingest([folder / "log"], folder / "store").files
    return sorted((hand["line"], hand["verdict"]) for hand in rows(folder / "store", "hands")), account.reason


@pytest.mark.parametrize("kind", PREFIXES)
@pytest.mark.parametrize("log", LOGS)
def test_what_stands_before_every_line_is_taken_off(
    log: str, kind: str, sample_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (sample_logs / log).read_bytes().rstrip(b"\n") + b"\n"
    alone, _ = stored(text, tmp_path / "alone")
    changed = behind(text, PREFIXES[kind])
    hands, said = stored(changed, tmp_path / "behind")
    assert hands == alone
    assert said.startswith("taken off: ")
    assert ("colours" in said) == ("colours" in kind)
    monkeypatch.setattr(chunks, "WHOLE_BYTES", 4000)
    monkeypatch.setattr(prefixes, "WHOLE_BYTES", 4000)
    monkeypatch.setattr(prefixes, "_BLOCK", 3000)
    assert stored(changed, tmp_path / "streamed") == (hands, said)


def test_a_prefix_that_some_lines_lack_is_not_taken_off(sample_logs: Path, tmp_path: Path) -> None:
    text = (sample_logs / LOGS[0]).read_bytes()
    changed = behind(text, PREFIXES["docker"]) + b"a line of its own\n"
    (tmp_path / "log").write_bytes(changed)
    summary = ingest([tmp_path / "log"], tmp_path / "store")
    assert summary.nothing_read
    assert "no known engine writes lines such as '2026-02-03T10:00:0" in summary.complaints[0]


def test_two_states_on_a_line_are_two(sample_logs: Path, tmp_path: Path) -> None:
    text = (sample_logs / LOGS[1]).read_bytes()
    head, *states = text.split(b"\nSTATE:")
    joined = head + b"".join((b"\n" if k % 3 == 0 else b";") + b"STATE:" + s for k, s in enumerate(states))
    alone, _ = stored(text, tmp_path / "alone")
    hands, _ = stored(joined, tmp_path / "joined")
    assert [verdict for _, verdict in hands] == [verdict for _, verdict in alone]
    first = alone[0][0]
    assert [line for line, _ in hands] == [first + k // 3 for k in range(len(states))]


@pytest.mark.parametrize("note", [b"<<<<<<< HEAD\n", b"scrimmage of Monday\n\n"])
@pytest.mark.parametrize("log", LOGS)
def test_a_match_under_a_note_and_without_it_is_one(
    log: str, note: bytes, sample_logs: Path, tmp_path: Path
) -> None:
    text = (sample_logs / log).read_bytes()
    (tmp_path / "a.log").write_bytes(text)
    (tmp_path / "b.log").write_bytes(note + text)
    summary = ingest([tmp_path / "a.log", tmp_path / "b.log"], tmp_path / "store")
    assert sorted(account.status for account in summary.files) == ["ignored", "ok"]


def test_nothing_stored_is_nothing_read(tmp_path: Path) -> None:
    nameless = b"".join(b"Round #%d, a (0), b (0)\na does something\n" % k for k in range(1, 4))
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_bytes(nameless)
    summary = ingest([tmp_path], tmp_path / "store")
    assert summary.nothing_read
    (said,) = summary.complaints
    assert said.startswith(f"{tmp_path / 'a.txt'}: line ")
    assert "a does something" in said or "Round #1, a (0), b (0)" in said
