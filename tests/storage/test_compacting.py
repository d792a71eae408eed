"""Compacting keeps every row and the promise of no duplicates; small commits are merged as they come."""

import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from bench.material import another

import railbird as rb
from railbird.cli import main
from railbird.schema.columns import TABLES
from railbird.storage import compacting
from railbird.storage.compacting import compact
from railbird.storage.manifest import StoreError, read_manifest


@pytest.fixture(scope="module")
def log(sample_logs: Path) -> bytes:
    return (sample_logs / "bounty" / "2025-01-05.txt").read_bytes()


def many(folder: Path, log: bytes, count: int) -> list[Path]:
    """Logs of as many matches: other headers and hand numbers."""
    folder.mkdir()
    paths = []
    for number in range(count):
        path = folder / f"{number:04}.txt"
        path.write_bytes(another(log, number + 1))
        paths.append(path)
    return paths


def rows(store: Path) -> dict[str, list[str]]:
    """Every stored row, in no order."""
    with rb.open(store) as opened:
        return {
            table: sorted(map(repr, opened.execute(f"from stored.{table}").fetchall())) for table in TABLES
        }


def part_count(store: Path) -> int:
    return sum(len(batch.parts) for batch in read_manifest(store).batches)


@pytest.fixture
def scattered(log: bytes, sample_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of ten commits, of games whose parts leave out different columns."""
    monkeypatch.setattr(compacting, "FANOUT", 100)
    for path in many(tmp_path / "logs", log, 8):
        rb.ingest([path], tmp_path / "store")
    for game in ("koper", "blotto"):
        rb.ingest([sample_logs / game], tmp_path / "store")
    return tmp_path / "store"


def test_a_compacted_store_holds_the_same_rows_in_few_parts(scattered: Path) -> None:
    before, parts = rows(scattered), part_count(scattered)
    done = compact(scattered)
    assert rows(scattered) == before
    assert (done.parts_before, done.parts_after) == (parts, part_count(scattered))
    assert part_count(scattered) < parts / 4
    assert len(read_manifest(scattered).batches) == 1
    assert not compact(scattered).batches


def test_rows_are_sorted_by_match_and_in_their_order_within(scattered: Path) -> None:
    compact(scattered)
    parts = read_manifest(scattered).parts("actions")
    assert parts
    for part in parts:
        found = pq.read_table(part.path(scattered), columns=["match_id", "hand_index", "seq"]).to_pylist()
        keys = [tuple(row.values()) for row in found]
        assert [key[:2] for key in keys] == sorted(key[:2] for key in keys)
        assert len(set(keys)) == len(keys)


def test_the_same_logs_again_change_nothing_after_compacting(scattered: Path, tmp_path: Path) -> None:
    compact(scattered)
    before = rows(scattered)
    summary = rb.ingest([tmp_path / "logs"], scattered)
    assert len(summary.unchanged) == 8
    assert rows(scattered) == before


def test_a_log_that_grew_after_compacting_is_replaced(log: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    half = log.index(b"\n\nRound #", len(log) // 2)
    for other in many(tmp_path / "logs", log, 3):
        rb.ingest([other], tmp_path / "store")
    path.write_bytes(log[:half])
    rb.ingest([path], tmp_path / "store")
    compact(tmp_path / "store")
    path.write_bytes(log)
    rb.ingest([path], tmp_path / "store")
    with rb.open(tmp_path / "store") as opened:
        ask = "select count(*), count(distinct (match_id, hand_index)), count(distinct match_id) from hands"
        assert opened.execute(ask).fetchall() == [(4 * log.count(b"\nRound #"),) * 2 + (4,)]


def test_who_opened_the_store_before_reads_on(scattered: Path) -> None:
    with rb.open(scattered) as before:
        compact(scattered)
        ask = "select count(*), count(distinct match_id), count(distinct player), sum(hand_index) from seats"
        old = before.execute(ask).fetchall()
        with rb.open(scattered) as after:
            assert after.execute(ask).fetchall() == old
            assert (
                after.execute("select count(*) from files").fetchall()
                == before.execute("select count(*) from files").fetchall()
            )


def test_what_was_replaced_goes_with_a_later_write(
    scattered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compact(scattered)
    live = {part.path(scattered) for batch in read_manifest(scattered).batches for part in batch.parts}
    assert set(scattered.rglob("*.parquet")) > live
    monkeypatch.setattr("railbird.storage.manifest.GRACE", 0)
    rb.ingest([tmp_path / "logs" / "0000.txt"], scattered)
    assert set(scattered.rglob("*.parquet")) == live


def test_what_a_writer_whose_clock_is_ahead_replaced_stays_as_long(
    scattered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr("railbird.storage.manifest.time.time", lambda: now + 5)
    compact(scattered)
    before = set(scattered.rglob("*.parquet"))
    monkeypatch.setattr("railbird.storage.manifest.time.time", lambda: now)
    rb.ingest([tmp_path / "logs" / "0000.txt"], scattered)
    assert set(scattered.rglob("*.parquet")) == before


def test_commits_of_small_logs_are_merged_as_they_come(log: bytes, tmp_path: Path) -> None:
    """A commit is two batches, its rows and its ledger: forty commits would be eighty."""
    for path in many(tmp_path / "logs", log[: log.index(b"\n\nRound #9,")], 40):
        rb.ingest([path], tmp_path / "store")
    assert len(read_manifest(tmp_path / "store").batches) < 2 * compacting.FANOUT
    rb.ingest([tmp_path / "logs"], tmp_path / "whole")
    assert rows(tmp_path / "store") == rows(tmp_path / "whole")


def test_the_command_says_what_it_did(scattered: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = part_count(scattered)
    assert main(["compact", "--store", str(scattered)]) == 0
    assert capsys.readouterr().out.startswith(f"merged 20 batches ({parts} parts, ")
    assert main(["compact", "--store", str(scattered)]) == 0
    assert capsys.readouterr().out == "nothing to merge: the parts are large enough\n"


def test_there_must_be_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store is there"):
        compact(tmp_path / "none")
    assert not (tmp_path / "none").exists()
