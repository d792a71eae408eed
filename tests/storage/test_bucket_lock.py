"""The lock of a bucket while its writers are halted, over a server in memory whose clock the test sets."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from pyarrow import fs

from railbird.storage import locations as buckets
from railbird.storage.locations import LEASE, Bucket
from railbird.storage.manifest import StoreError


@dataclass
class Server:
    """Objects with the time of their last put; the machine's clocks."""

    objects: dict[str, tuple[float, bytes]] = field(default_factory=dict)
    monotonic: float = 1_000.0
    wall: float = 50_000.0

    def sleep(self, seconds: float) -> None:
        self.monotonic += seconds
        self.wall += seconds


class Writer(Bucket):
    """A bucket of the server. `halted` is called when it has been told whether it holds the lock."""

    def __init__(self, server: Server, halted: Callable[[], None] = lambda: None) -> None:
        self.path = "bucket/store"
        self.server = server
        self.halted = halted
        self._ticket = None
        self._renewed = buckets._clocks()

    def read(self, name: str) -> bytes | None:
        return self.server.objects.get(name, (0.0, None))[1]

    def replace(self, name: str, data: bytes) -> None:
        self.server.objects[name] = (self.server.wall, data)

    def remove(self, names: object) -> None:
        assert isinstance(names, list)
        for name in names:
            self.server.objects.pop(name, None)

    def _listed(self, folder: str = "") -> list[fs.FileInfo]:
        return [
            fs.FileInfo(f"{self.path}/{name}", mtime_ns=int(at * 1e9))
            for name, (at, _) in self.server.objects.items()
            if name.startswith(folder)
        ]

    def _is_held(self) -> bool:
        held = super()._is_held()
        self.halted()
        return held


class Turns(threading.Event):
    """Is set after a number of waits."""

    def __init__(self, turns: int) -> None:
        super().__init__()
        self.turns = turns

    def wait(self, timeout: float | None = None) -> bool:
        self.turns -= 1
        return self.turns < 0


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    made = Server()
    monkeypatch.setattr(buckets, "_clocks", lambda: (made.monotonic, made.wall))
    return made


def test_a_writer_halted_before_it_renews_does_not_take_its_lock_back(server: Server) -> None:
    other = Writer(server)

    def halted() -> None:
        if other._ticket is None:
            server.sleep(1.2 * LEASE)
            assert other._take("lock/other.json")

    writer = Writer(server, halted)
    assert writer._take("lock/writer.json")
    writer._keep("lock/writer.json", Turns(1))
    other.confirm()
    with pytest.raises(
        StoreError, match="the lock was lost, another may have written; nothing was committed"
    ):
        writer.confirm()
    # It does not renew what it lost.
    server.objects.pop("lock/writer.json")
    writer._keep("lock/writer.json", Turns(3))
    assert "lock/writer.json" not in server.objects


def test_a_writer_halted_while_it_takes_the_lock_does_not_hold_it(server: Server) -> None:
    other, writer = Writer(server), Writer(server)
    listed = writer._listed

    def halted(folder: str = "") -> list[fs.FileInfo]:
        found = listed(folder)
        server.sleep(1.2 * LEASE)
        assert other._take("lock/other.json")
        return found

    writer._listed = halted  # type: ignore[method-assign]
    assert writer._take("lock/writer.json")
    other.confirm()
    with pytest.raises(StoreError, match="the lock was lost"):
        writer.confirm()


@pytest.mark.parametrize("clock", ["monotonic", "wall"])
def test_a_writer_that_is_late_by_either_clock_does_not_commit(server: Server, clock: str) -> None:
    writer = Writer(server)
    assert writer._take("lock/writer.json")
    for late, is_held in ((0.4, True), (0.2, False)):
        setattr(server, clock, getattr(server, clock) + late * LEASE)
        if is_held:
            writer.confirm()
            continue
        assert "lock/writer.json" in server.objects
        with pytest.raises(StoreError, match="the lock was lost"):
            writer.confirm()


def test_a_writer_that_renews_in_time_keeps_the_lock(server: Server) -> None:
    writer = Writer(server, lambda: server.sleep(LEASE / 6))
    assert writer._take("lock/writer.json")
    writer._keep("lock/writer.json", Turns(30))
    writer.confirm()
    assert not Writer(server)._take("lock/other.json")
