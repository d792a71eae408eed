"""Threads of one ingest: they read and fill chunks in turn, commit together, and end together."""

import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.stores import everything, holds_together, many

from railbird.ingest import ingest
from railbird.storage.filling import Filled, Filler, Work
from railbird.storage.index import Turn
from railbird.storage.manifest import StoreError

MODULE = sys.modules["railbird.ingest"]


@pytest.fixture
def folder(sample_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Forty logs, two of which make a chunk."""
    log = max((path.read_bytes() for path in (sample_logs / "bounty").glob("*.txt")), key=len)
    monkeypatch.setattr(MODULE, "CHUNK_BYTES", 2 * len(log) - 100)
    monkeypatch.setattr(MODULE, "SMALL_CHUNK", len(log))
    return many(tmp_path / "logs", log, 40)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_a_store_does_not_hang_on_threads_and_commits(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    ingest([folder], tmp_path / "once", workers=1)
    whole = sum(path.stat().st_size for path in folder.iterdir())
    monkeypatch.setattr(MODULE, "COMMIT_BYTES", whole // (3 * workers))
    commits: list[int] = []
    publish = MODULE.publish

    def counted(*given: Any, **named: Any) -> Any:
        commits.append(len(given[3]))
        return publish(*given, **named)

    monkeypatch.setattr(MODULE, "publish", counted)
    summary = ingest([folder], tmp_path / "often", workers=workers)
    assert len(summary.files) == 40
    holds_together(tmp_path / "often")
    assert everything(tmp_path / "often") == everything(tmp_path / "once")
    # Each has a batch of every thread that found a chunk.
    assert len(commits) == 3
    assert all(1 <= batches <= workers for batches in commits)


@pytest.mark.parametrize("fails", [1, 4, 11])
def test_a_thread_that_fails_ends_them_all(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: int
) -> None:
    store = tmp_path / "store"
    ingest([min(folder.iterdir())], store)
    before, running = everything(store), threading.active_count()
    filled = 0
    fill = Filler.fill

    def failing(self: Filler, works: Sequence[Work], turn: Turn) -> Filled:
        nonlocal filled
        filled += 1
        if filled == fails:
            raise OSError(28, "No space left on device")
        return fill(self, works, turn)

    with monkeypatch.context() as patched:
        patched.setattr(Filler, "fill", failing)
        with pytest.raises(StoreError, match="No space left on device"):
            ingest([folder], store, workers=3)
    # Each of the other two may have begun one chunk more.
    assert filled <= fails + 2
    assert threading.active_count() == running
    assert everything(store) == before
    assert ingest([folder], store, workers=3).complaints == []
    holds_together(store)


def test_of_two_copies_the_first_is_stored_whatever_thread_is_done_first(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = sorted(folder.iterdir())
    for k, log in enumerate(logs):
        copied = logs[k - k % 4].read_bytes()
        log.write_bytes(copied if k % 4 == 0 else b"copy %d\n\n" % k + copied)
    ingest([folder], tmp_path / "one", workers=1)
    began: list[int] = []
    verify = Filler._verify

    def slow_at_first(self: Filler, *given: Any) -> Any:
        began.append(0)
        time.sleep(0.3 if len(began) % 4 == 1 else 0.0)
        return verify(self, *given)

    monkeypatch.setattr(Filler, "_verify", slow_at_first)
    ingest([folder], tmp_path / "two", workers=2)
    one, two = everything(tmp_path / "one"), everything(tmp_path / "two")
    assert len(one["matches"]) == 10
    assert two == one


def test_a_reader_that_fails_ends_them_all(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, read = threading.active_count(), 0

    def told(done: int, total: int) -> None:
        nonlocal read
        read += 1
        if read == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest([folder], tmp_path / "store", workers=3, progress=told)
    assert (read, threading.active_count()) == (5, running)
    assert not (tmp_path / "store" / "manifest.json").exists()


@pytest.mark.parametrize("together", [False, True])
def test_progress_goes_on_to_the_end(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, together: bool
) -> None:
    logs = sorted(folder.iterdir())
    if together:
        size = len(logs[0].read_bytes())
        monkeypatch.setattr("railbird.parsers.chunks.WHOLE_BYTES", 2 * size)
        monkeypatch.setattr("railbird.parsers.chunks._BLOCK", 2 * size)
        text = b"\n\n".join(path.read_bytes() for path in logs)
        logs = [tmp_path / "all.txt"]
        logs[0].write_bytes(text)
    told: list[tuple[int, int]] = []
    ingest(logs, tmp_path / "store", workers=2, progress=lambda *now: told.append(now))
    whole = sum(path.stat().st_size for path in logs)
    assert told == sorted(told)
    assert {total for _, total in told} == {whole}
    assert told[-1] == (whole, whole)
    # A step is no more than a chunk or a file.
    assert len({done for done, _ in told}) >= 15
