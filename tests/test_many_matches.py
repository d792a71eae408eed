"""Ingests of many matches, which are committed also within a file."""

import sys
from pathlib import Path
from random import Random

import pytest
from support.stores import holds_together, rows, told

from railbird.ingest import Run, ingest
from railbird.parsers import chunks

_HEADER = b"# name/game/hands/seed %d holdem.limit.2p.reverse_blinds.game 100 1\n"
_HANDS = (b"STATE:%d:rrf:Qs8d|2h7c:-10|10:A|B\n", b"STATE:%d:rf:AsKd|2h7c:-5|5:B|A\n")


def _logs(folder: Path, seed: int) -> list[Path]:
    """Two files of short matches: equal ones, longer versions, beginnings and copies of others, unknown lines."""
    random, paths = Random(seed), []
    folder.mkdir()
    for name in ("a.log", "b.log"):
        text = b""
        for _ in range(60):
            text += _HEADER % random.randrange(20)
            text += b"".join(random.choice(_HANDS) % number for number in range(random.randrange(1, 8)))
            text += random.choice((b"", b"", b"", b"nobody writes this\n"))
        (folder / name).write_bytes(text)
        paths.append(folder / name)
    return paths


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Files are read in pieces of a KB, and a commit comes after seven matches."""
    monkeypatch.setattr(chunks, "WHOLE_BYTES", 1 << 10)
    monkeypatch.setattr(chunks, "_BLOCK", 1 << 10)
    monkeypatch.setattr(sys.modules["railbird.ingest"], "COMMIT_MATCHES", 7)
    return monkeypatch


def _but_reasons(store: Path) -> dict[str, list[str]]:
    """All rows but the ledger's words: of equal hands in several matches they name one, which may be another."""
    found = told(store)
    found["files"] = [repr(row | {"reason": ""}) for row in rows(store, "files")]
    del found["unknown_lines"]
    return found


@pytest.mark.parametrize(("seed", "workers"), [(0, 1), (1, 2), (2, 1), (3, 2)])
def test_a_commit_within_a_file_changes_no_row(
    seed: int, workers: int, tmp_path: Path, in_pieces: pytest.MonkeyPatch
) -> None:
    commits = 0
    publish = Run.publish

    def counted(self: Run, more: bool = False) -> None:
        nonlocal commits
        commits += self.halfway is not None
        publish(self, more)

    in_pieces.setattr(Run, "publish", counted)
    paths = _logs(tmp_path / "logs", seed)
    ingest(paths, tmp_path / "often", workers=workers)
    assert commits > 4
    # Of one file alone no copies were in the store before.
    assert ingest(paths[:1], tmp_path / "own", workers=workers).copies == []
    in_pieces.setattr(sys.modules["railbird.ingest"], "COMMIT_MATCHES", 1_000_000)
    ingest(paths, tmp_path / "once", workers=workers)
    assert _but_reasons(tmp_path / "often") == _but_reasons(tmp_path / "once")
    holds_together(tmp_path / "often")


def test_after_an_end_within_a_file_all_of_it_is_read_anew(
    tmp_path: Path, in_pieces: pytest.MonkeyPatch
) -> None:
    paths = _logs(tmp_path / "logs", 9)
    whole = ingest(paths, tmp_path / "whole", workers=1)
    publish, left = Run.publish, 3

    def ended(self: Run, more: bool = False) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt
        publish(self, more)

    with in_pieces.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Run, "publish", ended)
        ingest(paths, tmp_path / "ended", workers=1)
    (row,) = told(tmp_path / "ended")["files"]
    assert "not read to its end yet" in row
    again = ingest(paths, tmp_path / "ended", workers=1)
    assert told(tmp_path / "ended") == told(tmp_path / "whole")
    assert again.replaced == whole.replaced
