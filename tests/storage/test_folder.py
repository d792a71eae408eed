"""A store in a folder: objects are replaced whole whoever writes, and parts are on disk before they are named."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from railbird.ingest import ingest
from railbird.storage.folder import Folder
from railbird.storage.manifest import read_manifest


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
    old, young = (store / f".manifest.json.{number}.new" for number in (1, 2))
    for path in (old, young):
        path.write_bytes(b"{")
    hour = time.time() - 3600
    os.utime(old, (hour, hour))
    ingest([log], store)
    assert not old.exists()
    # Its writer may be about to rename it.
    assert young.exists()


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
