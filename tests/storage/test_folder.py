"""A store in a folder: objects are replaced whole whoever writes, and parts are on disk before they are named."""

import errno
import fcntl
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread
from typing import BinaryIO

import pyarrow as pa
import pytest

from railbird.analytics.store import open_store
from railbird.ingest import ingest, writing
from railbird.storage import locations
from railbird.storage.locations import Folder, temporary_folder
from railbird.storage.manifest import begun, read_manifest
from railbird.storage.writer import BatchWriter


def test_two_writers_of_one_object_do_not_meet(tmp_path: Path) -> None:
    place = Folder(tmp_path)
    texts = [b"a" * 100, b"b" * 100]

    def write(text: bytes) -> None:
        for _ in range(100):
            place.replace("seen", text)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, texts))
    assert place.read("seen") in texts
    assert [path.name for path in tmp_path.iterdir()] == ["seen"]


def test_what_a_killed_writer_left_is_removed_by_a_later_one(tmp_path: Path, sample_logs: Path) -> None:
    store, log = tmp_path / "store", sample_logs / "holdem-mit" / "base.txt"
    ingest([log], store)
    old, left, young, begun = (store / f".manifest.json.{number:016x}.new" for number in range(4))
    for path in (old, left, young):
        path.write_bytes(b"{")
    begun.touch()
    hour = time.time() - 3600
    os.utime(old, (hour, hour))
    with young.open("rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ingest([log], store)
    # The writer of one holds its lock, that of the other may be about to take it.
    assert [path for path in (old, left, young, begun) if path.exists()] == [young, begun]


def test_staging_folders_of_killed_writers_are_removed_and_no_others(
    tmp_path: Path, sample_logs: Path
) -> None:
    place, log = Folder(tmp_path), sample_logs / "holdem-mit" / "base.txt"
    ingest([log], tmp_path)
    unowned, owned = (tmp_path / "staging" / name for name in ("1-a", "2-b"))
    for folder in (unowned, owned):
        folder.mkdir()
        (folder / "hands").mkdir()
    (owned / ".owner").touch()
    with place.staging() as live:
        ingest([log], tmp_path)
        assert list((tmp_path / "staging").iterdir()) == [live]


def test_parts_are_on_disk_before_the_manifest_names_them(
    tmp_path: Path, sample_logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    fsync = os.fsync

    def noted(number: int) -> None:
        synced.append(os.fstat(number).st_ino)
        fsync(number)

    monkeypatch.setattr(os, "fsync", noted)
    ingest([sample_logs / "holdem-mit" / "base.txt"], tmp_path)
    parts = [
        part.path(tmp_path).stat().st_ino for batch in read_manifest(tmp_path).batches for part in batch.parts
    ]
    assert set(parts) <= set(synced[:-1])
    assert synced[-1] == (tmp_path / "manifest.json").stat().st_ino


class Writer:
    """A writer in a thread of its own, which writes nothing."""

    def __init__(self, store: Path) -> None:
        self.entered, self._end = Event(), Event()
        self._thread = Thread(target=self._write, args=(store,), daemon=True)
        self._thread.start()

    def _write(self, store: Path) -> None:
        with writing(Folder(store)):
            self.entered.set()
            self._end.wait(60)

    def end(self) -> None:
        self._end.set()
        self._thread.join(60)


def test_a_writer_that_stores_nothing_leaves_the_lock_to_one_other(tmp_path: Path) -> None:
    store = tmp_path / "store"
    first = Writer(store)
    assert first.entered.wait(60)
    second = Writer(store)
    assert not second.entered.wait(0.5)
    first.end()
    assert second.entered.wait(60)
    third = Writer(store)
    assert not third.entered.wait(0.5)
    second.end()
    assert third.entered.wait(60)
    third.end()
    # The second and third found a folder there.
    assert not list(store.glob("*.json"))


def test_a_writer_that_stores_nothing_tidies_up_while_it_holds_the_lock(
    tmp_path: Path, sample_logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    other: list[Thread] = []
    remove = Folder.remove

    def late(place: Folder, names: list[str]) -> None:
        """Another writer comes as the first is about to remove the manifest."""
        if names == ["manifest.json"] and not other:
            log = sample_logs / "holdem-mit" / "base.txt"
            other.append(Thread(target=ingest, args=([log], store), daemon=True))
            other[0].start()
            other[0].join(1)
        remove(place, names)

    monkeypatch.setattr(Folder, "remove", late)
    with writing(Folder(store)) as folder:
        assert folder.is_dir()
    other[0].join(60)
    assert read_manifest(store).batches


def test_a_new_store_whose_first_commit_broke_off_leaves_nothing(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with pytest.raises(KeyboardInterrupt), writing(Folder(store)) as folder:
        begun(Folder(store))
        (folder / "part").write_bytes(b"rows")
        Folder(store).bring([(folder / "part", "hands/1f.parquet")])
        raise KeyboardInterrupt
    assert not store.exists()


@pytest.mark.parametrize("name", ["seat=1/hand_index=7", "event=2025", "~x", "gs:x", "file:x"])
def test_a_store_is_what_it_is_wherever_it_lies(
    name: str, sample_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders called as columns are no columns, and what a name says to Arrow or DuckDB is not asked."""
    log = sample_logs / "toss" / "2026.txt"
    whole = "select match_id, hand_index, seat, event, delta from seats join matches using (match_id) order by all"
    ingest([log], tmp_path / "plain")
    monkeypatch.chdir(tmp_path)
    assert str(ingest([log], name).store) == name
    for store in (name, tmp_path / name):
        with open_store(store) as there, open_store("plain") as plain:
            assert there.execute(whole).fetchall() == plain.execute(whole).fetchall()
    # A log that has grown is compared with what is stored.
    text = log.read_bytes()
    shorter = tmp_path / "toss" / "2026.txt"
    shorter.parent.mkdir()
    shorter.write_bytes(text[: text.index(b"\n\nRound #9,")])
    assert ingest([shorter], name).lines()[1].startswith("stored    0 hands")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({"plain", "toss", name.split("/")[0]})


def test_a_full_disk_counts_equities_for_the_command_alone(
    sample_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest([sample_logs / "toss" / "2026.txt"], tmp_path / "store")
    ours = tmp_path / "store" / "staging"
    add = BatchWriter.add

    def full(self: BatchWriter, table: str, rows: pa.Table, kind: str = "") -> None:
        if ours in self.folder.parents:
            raise OSError(errno.ENOSPC, "No space left on device")
        add(self, table, rows, kind)

    monkeypatch.setattr(BatchWriter, "add", full)
    with open_store(tmp_path / "store") as store:
        assert store.execute("select count(*) > 100 from equities").fetchall() == [(True,)]
    assert not (tmp_path / "store" / "equities").exists()


def test_temporary_folders_of_killed_processes_are_removed_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = (
        "import os; from railbird.storage.locations import temporary_folder\n"
        "with temporary_folder() as folder:\n    (folder / 'part').touch(); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"TMPDIR": str(tmp_path)})
    (dead,) = tmp_path.iterdir()
    (tmp_path / "railbird-mine").mkdir()
    (tmp_path / "railbird-link").symlink_to(tmp_path / "railbird-mine")
    with temporary_folder() as first, temporary_folder() as second:
        assert not dead.exists()
        assert first.exists()
        assert second.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["railbird-link", "railbird-mine"]


def test_a_temporary_folder_that_was_broken_off_as_it_was_made_or_removed_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "railbird-abcdefg1").mkdir()
    (tmp_path / "railbird-abcdefg2").mkdir()
    (tmp_path / "railbird-abcdefg2" / ".owner.new").touch()
    # Not one of railbird's: there is something in it.
    (tmp_path / "railbird-results").mkdir()
    (tmp_path / "railbird-results" / "mine").touch()

    with temporary_folder() as folder:
        (folder / "part").touch()
        (folder / "more").mkdir()
        (folder / "more" / "part").touch()
        assert {path.name for path in tmp_path.iterdir()} == {folder.name, "railbird-results"}
        # The owner's file goes last.
        locations._empty(folder)
        assert [path.name for path in folder.iterdir()] == [".owner"]


def test_a_temporary_folder_that_another_process_removed_too_soon_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made: list[Path] = []
    usual = locations._owned

    def removed_before(folder: Path) -> BinaryIO:
        made.append(folder)
        if len(made) == 1:
            folder.rmdir()
        return usual(folder)

    monkeypatch.setattr(locations, "_owned", removed_before)
    with temporary_folder() as folder:
        assert made == [made[0], folder] and folder.is_dir() and not made[0].exists()
    assert [*tmp_path.iterdir()] == []
