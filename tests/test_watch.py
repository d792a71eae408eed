"""A watched folder: what is new is read, and nothing else."""

import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest

import railbird as rb
from railbird import watch
from railbird.cli import main
from railbird.parsers import sources, unpacking
from railbird.storage.manifest import staging
from railbird.storage.publishing import Summary
from railbird.watch import Watcher


@pytest.fixture
def folder(sample_logs: Path, tmp_path: Path) -> Path:
    """Three logs, the newest an hour old."""
    (tmp_path / "logs" / "deep").mkdir(parents=True)
    for path in sorted((sample_logs / "bounty").glob("2025-01-0*.txt"))[:2]:
        settled(tmp_path / "logs" / path.name, path.read_bytes())
    settled(tmp_path / "logs" / "deep" / "c.txt", (sample_logs / "holdem-mit" / "base.txt").read_bytes())
    return tmp_path / "logs"


def settled(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    hour = time.time() - 3600
    os.utime(path, (hour, hour))


def complaints() -> list[str]:
    return []


def hands(store: Path) -> int:
    with rb.open(store) as opened:
        ((found,),) = opened.execute("select count(*) from hands").fetchall()
    return int(found)


def test_each_pass_reads_what_is_new(folder: Path, tmp_path: Path) -> None:
    said = complaints()
    watcher = Watcher(folder, tmp_path / "store")
    first = watcher.look(said.append)
    assert first is not None
    assert len(first.files) == 3
    assert watcher.look(said.append) is None
    settled(folder / "new.txt", (folder / "deep" / "c.txt").read_bytes().replace(b"A", b"Q"))
    second = watcher.look(said.append)
    assert second is not None
    assert [account.path for account in second.files] == [str(folder / "new.txt")]
    assert not said
    rb.ingest([folder], tmp_path / "whole")
    assert hands(tmp_path / "store") == hands(tmp_path / "whole")


def test_another_run_reads_nothing_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Watcher(folder, tmp_path / "store").look(print) is not None
    monkeypatch.setattr(watch, "ingest", lambda *_, **__: pytest.fail("nothing is new"))
    assert Watcher(folder, tmp_path / "store").look(print) is None


def test_a_new_store_is_filled_though_the_folder_was_seen(folder: Path, tmp_path: Path) -> None:
    assert Watcher(folder, tmp_path / "store").look(print) is not None
    (tmp_path / "store" / "manifest.json").unlink()
    for part in (tmp_path / "store").glob("*/*.parquet"):
        part.unlink()
    assert list((tmp_path / "store").glob(".seen-*.json"))
    again = Watcher(folder, tmp_path / "store").look(print)
    assert again is not None
    assert len(again.files) == 3


@pytest.mark.parametrize("broken", ["null", "[" * 100_000, "{"])
def test_what_was_seen_and_cannot_be_read_is_forgotten(broken: str, folder: Path, tmp_path: Path) -> None:
    assert Watcher(folder, tmp_path / "store").look(print) is not None
    (seen,) = (tmp_path / "store").glob(".seen-*.json")
    seen.write_text(broken)
    again = Watcher(folder, tmp_path / "store").look(print)
    assert again is not None
    assert len(again.unchanged) == 3


def test_a_growing_log_is_read_until_it_rests(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = (folder / "2025-01-05.txt").read_bytes()
    watcher = Watcher(folder, tmp_path / "store")
    settled(folder / "2025-01-05.txt", log[: len(log) // 2])
    first = watcher.look(print)
    assert first is not None
    (before,) = (one.hands_stored for one in first.files if one.path.endswith("05.txt"))
    (folder / "2025-01-05.txt").write_bytes(log)
    grown = watcher.look(print)
    assert grown is not None
    whole = log.count(b"\nRound #")
    assert sum(account.hands_stored for account in grown.files) == whole
    assert grown.line() == f"1 file read, {whole} hands stored, {before} of them before"
    # Written to a moment ago: it is looked at once more, and found unchanged, which is no news.
    found: list[Summary] = []

    def listened(*words: Any, **options: Any) -> Summary:
        found.append(rb.ingest(*words, **options))
        return found[-1]

    monkeypatch.setattr(watch, "ingest", listened)
    assert watcher.look(print) is None
    assert [one.unchanged for one in found] == [[str(folder / "2025-01-05.txt")]]
    rb.ingest([folder], tmp_path / "whole")
    assert hands(tmp_path / "store") == hands(tmp_path / "whole")


def test_a_file_of_a_clock_that_goes_ahead_is_read_once(folder: Path, tmp_path: Path) -> None:
    watcher = Watcher(folder, tmp_path / "store")
    ahead = time.time() + 3600
    os.utime(folder / "deep" / "c.txt", (ahead, ahead))
    assert watcher.look(print) is not None
    assert watcher.look(print) is None


def test_what_is_no_log_is_told_once(folder: Path, tmp_path: Path) -> None:
    settled(folder / "notes.md", b"# notes\n")
    watcher = Watcher(folder, tmp_path / "store")
    first = watcher.look(print)
    assert first is not None
    assert len(first.complaints) == 1
    assert watcher.look(print) is None


def test_what_the_system_refuses_to_read_is_tried_again_and_told_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = folder / "deep" / "c.txt"
    opened, open_plain = unpacking.unpacked, os.open

    def refuse(path: object) -> None:
        if path == str(refused):
            raise PermissionError(errno.EACCES, "Permission denied")

    def open_others(path: str, ending: str) -> object:
        refuse(path)
        return opened(path, ending)

    def open_other_plain(path: str, *how: int, **where: int) -> int:
        refuse(path)
        return open_plain(path, *how, **where)

    watcher = Watcher(folder, tmp_path / "store")
    with monkeypatch.context() as changed:
        changed.setattr(sources, "unpacked", open_others)
        changed.setattr(os, "open", open_other_plain)
        first = watcher.look(print)
        assert first is not None
        assert first.complaints == [f"{refused}: line 1: not readable (Permission denied)"]
        assert first.unread == [str(refused)]
        assert watcher.look(print) is None
    for again in (watcher.look(print), watcher.look(print)):
        if again is not None:
            assert [(account.path, account.status) for account in again.files] == [(str(refused), "ok")]
    assert again is None
    rb.ingest([folder], tmp_path / "whole")
    assert hands(tmp_path / "store") == hands(tmp_path / "whole")


def test_a_link_that_leads_nowhere_stops_no_pass(folder: Path, tmp_path: Path) -> None:
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "nothing").symlink_to(folder / "absent")
    watcher = Watcher(folder, tmp_path / "store")
    first = watcher.look(print)
    assert first is not None
    assert [line.partition(": line 1: not readable (")[0] for line in first.complaints] == [
        str(folder / name) for name in ("loop", "nothing")
    ]
    assert sum(account.status == "ok" for account in first.files) == 3
    assert watcher.look(print) is None
    settled(folder / "absent", (folder / "deep" / "c.txt").read_bytes().replace(b"A", b"Q"))
    again = watcher.look(print)
    assert again is not None
    assert sorted(account.status for account in again.files) == ["ok", "rejected"]
    assert again.complaints == []


def test_a_pipe_in_the_folder_is_told_once(folder: Path, tmp_path: Path) -> None:
    os.mkfifo(folder / "pipe")
    said = complaints()
    watcher = Watcher(folder, tmp_path / "store")
    for _ in range(3):
        watcher.look(said.append)
    assert said == [f"{folder / 'pipe'}: line 1: no file, but a pipe, socket or device"]


def test_the_command_says_what_each_pass_read(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    assert main(["watch", str(folder), "--store", store, "--once"]) == 0
    said, *leaders = capsys.readouterr().out.splitlines()
    assert said.endswith(f"3 files read, {hands(tmp_path / 'store')} hands stored")
    with rb.open(tmp_path / "store") as opened:
        best = opened.execute(
            "select max_by(player, delta) from winnings group by event, game order by 1"
        ).fetchall()
    assert [line.partition(" leads")[0].split(": ")[1] for line in leaders] == [name for (name,) in best]
    assert main(["watch", str(folder), "--store", store, "--once"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["watch", str(folder / "absent"), "--store", store]) == 2
    assert capsys.readouterr().err == f"railbird: {folder / 'absent'} is not a folder\n"


def test_what_a_killed_run_left_is_removed_though_nothing_is_new(folder: Path, tmp_path: Path) -> None:
    assert Watcher(folder, tmp_path / "store").look(print) is not None
    left = tmp_path / "store" / "staging" / "4711-abcd"
    left.mkdir()
    (left / ".owner").touch()
    (left / "hands.parquet").write_bytes(b"PAR1")
    assert Watcher(folder, tmp_path / "store").look(print) is None
    assert not left.exists()


def test_the_folder_of_another_writer_stays_though_nothing_is_new(folder: Path, tmp_path: Path) -> None:
    assert Watcher(folder, tmp_path / "store").look(print) is not None
    with staging(tmp_path / "store") as other:
        assert Watcher(folder, tmp_path / "store").look(print) is None
        assert other.exists()
