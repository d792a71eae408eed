"""The lock of a bucket while its writers are halted: over objects in memory, and at each step over a real server."""

import itertools
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from support.stores import batch_of_lines

from railbird.storage import lease as leases
from railbird.storage.integrity import checked_parts
from railbird.storage.lease import KEEPER, LEASE, NAME, Lease, Unconditional, Version
from railbird.storage.locations import Bucket, Folder, Place
from railbird.storage.manifest import StoreError, commit, locked, read_manifest, staging

SHORT = 0.24
MANIFEST = "manifest.json"


class Server:
    """Objects in memory. `ignores`: conditions that it does not know."""

    def __init__(self, *ignores: str) -> None:
        self.objects: dict[str, Version] = {}
        self.ignores = ignores
        self.tags = itertools.count()
        self.lock = threading.Lock()

    def get(self, name: str) -> Version | None:
        return self.objects.get(name)

    def put(self, name: str, data: bytes, was: str | None) -> str | None:
        with self.lock:
            there = self.objects.get(name)
            kind = "none" if was is None else "match"
            if (there.tag if there else None) != was and kind not in self.ignores:
                return None
            self.objects[name] = Version(data, str(next(self.tags)))
            return self.objects[name].tag

    def remove(self, name: str) -> None:
        self.objects.pop(name, None)


def test_one_writer_at_a_time_and_nothing_is_left_to_wait_for() -> None:
    server, inside, most = Server(), [0], [0]

    def write() -> None:
        with Lease(server, MANIFEST).held():
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            time.sleep(0.05)
            inside[0] -= 1

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert most == [1]
    before = time.monotonic()
    with Lease(server, MANIFEST).held():
        assert time.monotonic() - before < 0.4


def test_a_dead_writer_is_waited_for_at_most_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    server, clock = Server(), [1000.0]
    server.put(NAME, b'{"holder": "somebody", "turn": 1}', None)

    def sleep(seconds: float) -> None:
        clock[0] += seconds

    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(time, "sleep", sleep)
    with Lease(server, MANIFEST).held():
        assert LEASE <= clock[0] - 1000 <= 10


def test_a_living_writer_is_not_taken_for_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE", SHORT)
    monkeypatch.setattr(leases, "_WAIT", 0.01)
    server = Server()
    with Lease(server, MANIFEST).held():
        other = threading.Thread(target=lambda: Lease(server, MANIFEST).held().__enter__(), daemon=True)
        other.start()
        other.join(5 * SHORT)
        assert other.is_alive()
        assert server.objects[NAME].data.count(b'"turn"') == 1
    other.join(5)
    assert not other.is_alive()


@pytest.mark.parametrize("ignored", ["none", "match"])
def test_a_server_without_conditional_writes_is_refused(ignored: str) -> None:
    with pytest.raises(Unconditional, match="conditional writes"):
        Lease(Server(ignored), MANIFEST).held().__enter__()


def test_who_lost_the_lock_replaces_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "_WAIT", 0.01)
    server = Server()
    first = Lease(server, MANIFEST)
    with first.held():
        assert first.exchange(b"1")
        monkeypatch.setattr(leases, "LEASE", 0.0)
        second = Lease(server, MANIFEST)
        with second.held():
            assert second.inherited
            monkeypatch.setattr(leases, "LEASE", LEASE)
            assert not first.is_held()
            assert second.exchange(b"2")
            assert not first.exchange(b"3")
    assert server.objects[MANIFEST].data == b"2"
    third = Lease(server, MANIFEST)
    with third.held():
        assert not third.inherited


class Gate:
    """Lets a writer through up to a step; then its whole process is halted until `go`."""

    def __init__(self, step: int) -> None:
        self.step, self.count = step, 0
        self.reached, self.go = threading.Event(), threading.Event()

    def pass_by(self) -> None:
        # What the thread that renews the lock does is no step: it comes at any time.
        if threading.current_thread().name != KEEPER:
            self.count += 1
            if self.count == self.step:
                self.reached.set()
        if self.reached.is_set():
            self.go.wait()


class Gated:
    """An object each of whose calls passes a gate."""

    def __init__(self, behind: Any, gate: Gate) -> None:
        self._behind, self._gate = behind, gate

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._behind, name)
        if not callable(found):
            return found

        def call(*arguments: Any, **options: Any) -> Any:
            self._gate.pass_by()
            return found(*arguments, **options)

        return call


class Halted(Bucket):
    """A bucket's place whose writer is halted at a step."""

    def __init__(self, path: str, gate: Gate) -> None:
        super().__init__(path)
        self.gate = gate
        self.client = Gated(self.client, gate)

    def _conditional(self) -> Any:
        return Gated(super()._conditional(), self.gate)


def replace_first(place: Place, lines: range) -> str:
    """Be a writer that replaces the first batch: the name of its own."""
    with locked(place), staging(place) as folder:
        old = [batch.name for batch in read_manifest(place).batches[:1]]
        made = batch_of_lines(folder, lines)
        commit(place, [(folder, made)], drop=old)
    return made.name


def add(place: Place, lines: range) -> str:
    with locked(place), staging(place) as folder:
        made = batch_of_lines(folder, lines)
        commit(place, [(folder, made)])
    return made.name


def outcome(place: Place, said: list[str | StoreError]) -> None:
    """The name of a writer's batch, or why it was not committed."""
    try:
        said.append(replace_first(place, range(10, 15)))
    except StoreError as error:
        said.append(error)


def wait_until_halted(writer: threading.Thread, gate: Gate) -> None:
    """Wait until the writer is halted, or has ended: the last gate is behind all its steps."""
    while not gate.reached.wait(0.01):
        if not writer.is_alive():
            return


def steps() -> Iterator[tuple[int, Gate]]:
    for step in itertools.count(1):
        gate = Gate(step)
        yield step, gate
        if not gate.reached.is_set():
            return


def test_a_writer_halted_at_any_step_loses_nobodys_batch(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE", SHORT)
    monkeypatch.setattr(leases, "_WAIT", 0.02)
    path = s3.removeprefix("s3://")
    refused = done = 0
    for step, gate in steps():
        place = Bucket(f"{path}/{step}")
        first = add(place, range(5))
        # A writer that was killed left a part.
        place.client.copy_file(
            place._at(read_manifest(place).batches[0].parts[0].name),
            place._at("_pending/unknown_lines/0.parquet"),
        )
        said: list[str | StoreError] = []

        writer = threading.Thread(target=outcome, args=(Halted(place.path, gate), said))
        writer.start()
        wait_until_halted(writer, gate)
        second = add(place, range(20, 25))
        gate.go.set()
        writer.join()
        (own,) = said
        batches = {batch.name for batch in read_manifest(place).batches}
        assert second in batches, step
        if isinstance(own, StoreError):
            refused += 1
            assert "the lock was lost" in str(own), step
            assert first in batches, step
        else:
            done += 1
            assert own in batches, step
            assert first not in batches, step
        assert len(batches) == 2, step
        assert [found.problem for found in checked_parts(place)] == ["", ""], step
        add(place, range(30, 35))
        assert [found.problem for found in checked_parts(place)] == [""] * 3, step
        assert len(place.sizes()) == 3 + (not isinstance(own, StoreError)), (step, place.sizes())
    assert refused > 10
    assert done > 10


def test_a_folders_lock_ends_with_its_process_alone(tmp_path: Any) -> None:
    """A halted writer keeps others waiting, however long: there is nobody to be taken for dead."""
    place = Folder(tmp_path / "store")
    add(place, range(5))
    done = threading.Event()

    def write() -> None:
        add(Folder(tmp_path / "store"), range(20, 25))
        done.set()

    with locked(place), staging(place) as folder:
        made = batch_of_lines(folder, range(10, 15))
        other = threading.Thread(target=write)
        other.start()
        assert not done.wait(0.3)
        commit(place, [(folder, made)])
    other.join()
    assert len(read_manifest(place).batches) == 3
