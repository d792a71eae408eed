"""A real Dask scheduler and two worker processes: the store they make is the one that this machine makes alone."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from bench.material import another

import railbird as rb
from railbird.cli import main
from railbird.schema.columns import TABLES
from railbird.storage.compacting import FANOUT
from railbird.storage.locations import RETIRED
from railbird.storage.manifest import StoreError, read_manifest

distributed = pytest.importorskip(
    "distributed", reason="no Dask: `pip install railbird[dask]` brings it", exc_type=ImportError
)

from railbird.cluster import Done, Task, ingest_on_cluster, work  # noqa: E402 - without Dask the tests are skipped before

SECONDS = 60


@dataclass
class Cluster:
    """A scheduler's address, and its workers' processes by their addresses."""

    address: str
    workers: dict[str, "subprocess.Popen[bytes]"]


def spawn(module: str, *arguments: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def started(folder: Path, count: int, environment: dict[str, str]) -> Iterator[Cluster]:
    """A scheduler and workers; they end with the test."""
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    file = folder / "scheduler.json"
    processes = [
        spawn("dask_scheduler", "--host=127.0.0.1", "--port=0", f"--scheduler-file={file}"),
        *(
            spawn(
                "dask_worker",
                f"--scheduler-file={file}",
                "--no-nanny",
                "--nthreads=1",
                f"--name=w{number}",
                f"--local-directory={folder}",
            )
            for number in range(count)
        ),
    ]
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.update({name: value})
    try:
        until = time.monotonic() + SECONDS
        while not file.exists():
            assert time.monotonic() < until, "the scheduler did not start"
            time.sleep(0.05)
        with distributed.Client(scheduler_file=str(file), set_as_default=False) as client:
            if count:
                client.wait_for_workers(count, timeout=SECONDS)
            named = {
                info["name"]: address
                for address, info in client.scheduler_info(n_workers=-1)["workers"].items()
            }
            address = client.scheduler.address
        yield Cluster(address, {named[f"w{k}"]: processes[k + 1] for k in range(count)})
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    yield from started(tmp_path, 2, {})


@pytest.fixture
def logs(sample_logs: Path, tmp_path: Path) -> Path:
    """Forty matches, the same one again in another folder, and what is no log, twice."""
    folder = tmp_path / "logs"
    for name in ("a", "b"):
        (folder / name).mkdir(parents=True)
        (folder / name / "notes.md").write_text("# notes\n")
    log = (sample_logs / "bounty" / "2025-01-05.txt").read_bytes()
    for number in range(40):
        (folder / "a" / f"{number:02}.txt").write_bytes(another(log, number))
    (folder / "b" / "same.txt").write_bytes((folder / "a" / "03.txt").read_bytes())
    # A version of a match that another task holds whole.
    whole = (folder / "a" / "05.txt").read_bytes()
    (folder / "b" / "shorter.txt").write_bytes(whole[: whole.index(b"\n\nRound #50030,")])
    return folder


def rows(store: str | Path, tables: tuple[str, ...] = tuple(TABLES)) -> dict[str, Counter[str]]:
    """Every stored row, in no order."""
    with rb.open(store) as opened:
        return {
            table: Counter(map(repr, opened.execute(f"from stored.{table}").fetchall())) for table in tables
        }


def assert_equal(one: dict[str, Counter[str]], other: dict[str, Counter[str]]) -> None:
    """The stores hold the same rows; of many that differ, a few are told."""
    for table in one:
        assert list((one[table] - other[table]).elements())[:3] == []
        assert list((other[table] - one[table]).elements())[:3] == []


HANDS = tuple(table for table in TABLES if table not in ("files", "unknown_lines"))


def test_a_worker_killed_in_the_middle_changes_nothing(cluster: Cluster, logs: Path, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        """The first worker that is at a task when another task has ended."""
        if killed:
            return
        with distributed.Client(cluster.address, set_as_default=False) as client:
            for address, tasks in client.processing().items():
                if tasks and not killed:
                    cluster.workers[address].send_signal(signal.SIGKILL)
                    killed.append(cluster.workers[address].wait())

    store = tmp_path / "store"
    summary = ingest_on_cluster([logs], store, cluster.address, batch_bytes=30_000, progress=kill)
    assert killed == [-signal.SIGKILL]
    assert all("notes.md" in complaint for complaint in summary.complaints)
    alone = rb.ingest([logs], tmp_path / "alone")
    assert_equal(rows(store), rows(tmp_path / "alone"))
    assert summary.verdicts == alone.verdicts
    assert summary.deviations == alone.deviations
    # To a task that reads a copy later than another committed the file, the store has it already.
    assert sorted(summary.unchanged + summary.repeated) == sorted(alone.repeated)
    manifest = read_manifest(store)
    live = {part.path(store) for batch in manifest.batches for part in batch.parts}
    assert set(store.rglob("*.parquet")) == live | {store / RETIRED / name for name in manifest.retired}
    assert not list((store / "staging").iterdir())
    again = ingest_on_cluster([logs], store, cluster.address, batch_bytes=30_000)
    # Tasks do not know what others found unchanged.
    assert len(again.unchanged + again.repeated) == 42
    assert_equal(rows(store), rows(tmp_path / "alone"))


def test_workers_write_to_a_bucket(
    sample_logs: Path, logs: Path, s3: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {name: os.environ[name] for name in os.environ if name.startswith("AWS_")}
    for cluster in started(tmp_path, 2, environment):
        command = [
            "ingest",
            str(logs),
            str(sample_logs / "acpc"),
            "--store",
            s3,
            "--scheduler",
            cluster.address,
        ]
        assert main(command) == 0
    assert "stored    " in capsys.readouterr().out
    rb.ingest([logs, sample_logs / "acpc"], tmp_path / "alone")
    assert_equal(rows(s3), rows(tmp_path / "alone"))


def test_a_log_that_grew_is_replaced_and_damage_is_repaired(
    cluster: Cluster, logs: Path, tmp_path: Path
) -> None:
    store, log = tmp_path / "store", logs / "a" / "07.txt"
    whole = log.read_bytes()
    log.write_bytes(whole[: len(whole) // 2])
    ingest_on_cluster([logs], store, cluster.address, batch_bytes=100_000)
    log.write_bytes(whole)
    ingest_on_cluster([logs], store, cluster.address, batch_bytes=100_000)
    rb.ingest([logs], tmp_path / "alone")
    assert_equal(rows(store, HANDS), rows(tmp_path / "alone", HANDS))
    part = store / read_manifest(store).parts("matches")[0].name
    part.write_bytes(part.read_bytes()[:-5])
    summary = ingest_on_cluster([logs], store, cluster.address, batch_bytes=100_000)
    assert any(line.startswith("repaired  1 damaged part") for line in summary.lines())
    assert_equal(rows(store, HANDS), rows(tmp_path / "alone", HANDS))


def test_files_of_a_task_that_kills_its_workers_are_in_the_ledger(
    cluster: Cluster, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, lost = tmp_path / "store", logs / "a" / "07.txt"

    def do(client: object, tasks: list[Task]) -> list[Done | str]:
        return ["not read (its workers died)" if str(lost) in task.paths else work(task) for task in tasks]

    with monkeypatch.context() as changed:
        changed.setattr("railbird.cluster._Ingest._do", do)
        for _ in range(2):
            ingest_on_cluster([logs / "a"], store, cluster.address, batch_bytes=1)
    with rb.open(store) as opened:
        said = opened.sql("select path, bytes, reason from files where status = 'rejected' order by 1")
        assert said.fetchall()[0] == (str(lost), lost.stat().st_size, "not read (its workers died)")
    ingest_on_cluster([logs / "a"], store, cluster.address, batch_bytes=1)
    rb.ingest([logs / "a"], tmp_path / "alone")
    assert_equal(rows(store), rows(tmp_path / "alone"))


def test_small_commits_of_a_cluster_are_merged_as_they_come(
    cluster: Cluster, logs: Path, tmp_path: Path
) -> None:
    found = sorted((logs / "a").glob("*.txt"))[: FANOUT + 4]
    for path in found:
        ingest_on_cluster([path], tmp_path / "store", cluster.address)
    assert len(read_manifest(tmp_path / "store").batches) < 2 * len(found)
    assert len(read_manifest(tmp_path / "store").batches) < 2 * FANOUT
    rb.ingest(found, tmp_path / "alone")
    assert_equal(rows(tmp_path / "store"), rows(tmp_path / "alone"))


def test_no_cluster_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railbird.cluster._WAIT", "1s")
    with pytest.raises(StoreError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9 \("):
        ingest_on_cluster([], tmp_path / "store", "tcp://127.0.0.1:9")
    assert not (tmp_path / "store").exists()


def test_a_scheduler_without_workers_is_told(tmp_path: Path) -> None:
    for cluster in started(tmp_path, 0, {}):
        with pytest.raises(StoreError, match="has no workers"):
            ingest_on_cluster([], tmp_path / "store", cluster.address)
