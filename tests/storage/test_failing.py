"""A match on which railbird itself fails is told in the ledger, and takes no other match with it."""

import sys
from pathlib import Path
from typing import Any

import pytest

from railbird.ingest import ingest
from railbird.replay.simulate import simulate


@pytest.mark.may_fail
def test_a_failure_costs_its_own_match_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("Ann", "Bea", "Zed"):
        log = simulate("bounty", [(name, "random"), ("Cal", "random")], hands=7, seed=1)
        (folder / f"{name}.txt").write_text(log)
    filling = sys.modules["railbird.storage.filling"]
    replay = filling.replay

    def failing(scanned: Any, matches: Any, *rest: Any) -> Any:
        if any(b"Zed" in match.names for match in matches):
            raise IndexError("of no array")
        return replay(scanned, matches, *rest)

    monkeypatch.setattr(filling, "replay", failing)
    summary = ingest([folder], tmp_path / "store")
    ann, bea, zed = sorted(summary.files, key=lambda account: account.path)
    assert [account.hands_stored for account in (ann, bea, zed)] == [7, 7, 0]
    assert [account.status for account in (ann, bea)] == ["ok", "ok"]
    assert zed.hands_rejected == 7
    assert zed.reason == "7 hands: railbird failed on it, please report: IndexError: of no array"
    assert zed.lines_seen == len((folder / "Zed.txt").read_text().split("\n"))


@pytest.mark.may_fail
def test_want_of_memory_is_no_failure_of_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log.txt"
    log.write_text(simulate("bounty", [("Ann", "random"), ("Bea", "random")], hands=2, seed=1))

    def full(*_: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(sys.modules["railbird.storage.filling"], "replay", full)
    with pytest.raises(MemoryError):
        ingest([log], tmp_path / "store")
