"""A store in a bucket: S3, or what speaks its protocol, through Arrow's own client.

Credentials, region and endpoint come from the usual environment (AWS_ACCESS_KEY_ID, AWS_PROFILE, AWS_REGION,
AWS_ENDPOINT_URL, ...).

One writer at a time without conditional writes, which Arrow's client has not: a writer puts a ticket below `lock/`,
then lists them, and holds the lock where no other live ticket is there; else it takes its own back and tries again
later. Where a listing shows every object put before it, as S3 and its kin promise, two cannot both see none: the
later of two tickets was put before its writer listed. A holder renews its ticket; one that was not renewed for LEASE
seconds, by the server's clock, is dead. A writer that lost its ticket (it was halted for longer) does not commit.
"""

import json
import os
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import uniform
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

from pyarrow import fs

from ..schema.columns import TABLES
from .place import LOCK, MANIFEST, PENDING, RETIRED, Place, StoreError, spot_of, spots

LEASE: Final = 60.0
"""Seconds after which a ticket that nobody renews counts as a dead writer's."""

_AT_ONCE: Final = 8
_WAIT: Final = 0.5


def client() -> fs.S3FileSystem:
    """Arrow's S3 client as the environment says."""
    endpoint = urlsplit(os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or "")
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if not endpoint.netloc:
        return fs.S3FileSystem(region=region)
    return fs.S3FileSystem(
        region=region or "us-east-1", scheme=endpoint.scheme, endpoint_override=endpoint.netloc
    )


def open_part(client: fs.S3FileSystem, root: str, part: str) -> Any:
    """A part of a store below `root`, wherever it lies."""
    *first, last = spots(part)
    for spot in first:
        with suppress(FileNotFoundError):
            return client.open_input_file(f"{root}/{spot}")
    return client.open_input_file(f"{root}/{last}")


class Bucket(Place):
    """A store below a prefix of a bucket."""

    def __init__(self, path: str) -> None:
        """`path` is bucket/prefix; nothing is asked of the server yet. StoreError where no bucket is named."""
        self.path = path.strip("/")
        if not self.path:
            raise StoreError("s3:// needs a bucket: s3://BUCKET/PATH")
        self.client = client()
        self._ticket: str | None = None
        self._renewed = _clocks()

    def __str__(self) -> str:
        return f"s3://{self.path}"

    def _at(self, name: str) -> str:
        return f"{self.path}/{name}"

    def exists(self) -> bool:
        """True where an object lies below the prefix."""
        return bool(self._listed())

    def read(self, name: str) -> bytes | None:
        """An object's bytes; None where there is none."""
        try:
            with self.client.open_input_stream(self._at(name)) as stream:
                data: bytes = stream.read()
                return data
        except FileNotFoundError:
            return None

    def replace(self, name: str, data: bytes) -> None:
        """Put an object in place of the old one, in one request."""
        with self.client.open_output_stream(self._at(name)) as stream:
            stream.write(data)

    def open(self, name: str) -> Any:
        """A part, wherever it lies, opened for reads at any offset."""
        return open_part(self.client, self.path, name)

    def bring(self, staged: Sequence[tuple[Path, str]]) -> None:
        """Upload files, some at once."""

        def put(pair: tuple[Path, str]) -> None:
            with pair[0].open("rb") as file, self.client.open_output_stream(self._at(pair[1])) as stream:
                while block := file.read(8 << 20):
                    stream.write(block)

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(put, staged))

    def move(self, names: Sequence[tuple[str, str]]) -> None:
        """Copy objects, (from, to) each, and remove the old ones; one that is no longer there was moved before."""

        def copy(pair: tuple[str, str]) -> None:
            # The server's answer for a missing source is no FileNotFoundError.
            if self.client.get_file_info(self._at(pair[0])).type == fs.FileType.File:
                self.client.copy_file(self._at(pair[0]), self._at(pair[1]))
                self.remove([pair[0]])

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(copy, names))

    def remove(self, names: Sequence[str]) -> None:
        """Remove objects that may be gone already."""

        def drop(name: str) -> None:
            with suppress(FileNotFoundError):
                self.client.delete_file(self._at(name))

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(drop, names))

    def _listed(self, folder: str = "") -> list[fs.FileInfo]:
        at = self._at(folder) if folder else self.path
        found = self.client.get_file_info(fs.FileSelector(at, recursive=True, allow_not_found=True))
        return [info for info in found if info.type == fs.FileType.File]

    def sizes(self) -> dict[str, int]:
        """The bytes of every part there is, by the name under which it lies."""
        found = {info.path.removeprefix(f"{self.path}/"): info.size for info in self._listed()}
        return {
            name: size
            for name, size in found.items()
            if name.endswith(".parquet") and spot_of(name)[1].split("/")[0] in TABLES
        }

    def has_strangers(self) -> bool:
        """True where other objects lie below the prefix than a store's."""
        ours = {*TABLES, LOCK, MANIFEST, PENDING, RETIRED}
        names = (info.path.removeprefix(f"{self.path}/") for info in self._listed())
        return any(name.split("/")[0] not in ours and not name.startswith(".") for name in names)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock as the module says; others wait."""
        self._expect_bucket()
        name = f"{LOCK}/{os.urandom(8).hex()}.json"
        while not self._take(name):
            time.sleep(uniform(_WAIT, 3 * _WAIT))
        done = threading.Event()
        keeper = threading.Thread(target=self._keep, args=(name, done), daemon=True)
        keeper.start()
        try:
            yield
        finally:
            done.set()
            keeper.join()
            self._ticket = None
            self.remove([name])

    def _expect_bucket(self) -> None:
        """StoreError where the server says that there is no such bucket: some make one for the first object."""
        bucket = self.path.split("/")[0]
        with suppress(OSError):
            if self.client.get_file_info(bucket).type == fs.FileType.NotFound:
                raise StoreError(f"{self}: no bucket is called {bucket!r}")

    def _take(self, name: str) -> bool:
        """Put a ticket; False, and it is taken back, where another one is alive."""
        self._put(name, _clocks())
        renewed = {
            info.path.removeprefix(f"{self.path}/"): info.mtime_ns / 1e9 for info in self._listed(LOCK)
        }
        now = renewed.pop(name, 0.0)
        dead = [other for other, at in renewed.items() if now - at > LEASE]
        if now and len(dead) == len(renewed):
            self.remove(dead)
            self._ticket = name
            return True
        self.remove([name])
        return False

    def _put(self, name: str, asked: tuple[float, float]) -> None:
        """Put the ticket, which counts as renewed when its writer last knew that it could be."""
        self.replace(name, json.dumps({"host": socket.gethostname(), "process": os.getpid()}).encode())
        self._renewed = asked

    def _keep(self, name: str, done: threading.Event) -> None:
        """Renew the ticket; one that another writer took away is not put again."""
        while not done.wait(LEASE / 6):
            # Halted after the answer, the writer may put a ticket that was taken away: it is late all the same.
            asked = _clocks()
            if not self._is_held():
                return
            with suppress(OSError):
                self._put(name, asked)

    def _is_held(self) -> bool:
        late = max(now - then for now, then in zip(_clocks(), self._renewed, strict=True)) > LEASE / 2
        with suppress(OSError):
            if self._ticket and (late or self.read(self._ticket) is None):
                self._ticket = None
        return self._ticket is not None

    def confirm(self) -> None:
        """Raise StoreError where the ticket was not renewed in time, or is gone."""
        if not self._is_held():
            raise StoreError(f"{self}: the lock was lost, another may have written; nothing was committed")

    @contextmanager
    def staging(self) -> Iterator[Path]:
        """A folder on this machine."""
        with TemporaryDirectory(prefix="railbird-") as folder:
            yield Path(folder)

    def forget(self) -> None:
        """An empty prefix is nothing at all."""


def _clocks() -> tuple[float, float]:
    """Either clock may stand still while the machine sleeps."""
    return time.monotonic(), time.time()
