"""The location of a store: a folder, or a bucket of an object store.

`Place` is what the rest of the code sees. `Folder` is a folder of one machine or a shared one. `Bucket` is S3, or
anything that speaks its protocol, through Arrow's own client; credentials, region and endpoint come from the usual
environment (AWS_ACCESS_KEY_ID, AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL, ...).

A bucket has one writer at a time: `lease.py` has its lock. Only writers need conditional writes, which Arrow's client
lacks and obstore has.
"""

import os
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING, Any, BinaryIO, Final
from urllib.parse import urlsplit

from ..parsers.sources import MANIFEST as MANIFEST
from ..parsers.sources import MOST_MANIFEST, read_file, too_large
from ..schema.columns import TABLES
from .fresh import replacing, sweep
from .lease import Conditional, Lease, Objects

if TYPE_CHECKING:
    from pyarrow import fs

STAGING: Final = "staging"
LOCK: Final = "lock"
PENDING: Final = "_pending"
"""The folder of parts that a commit has not yet moved to their tables' folders."""
RETIRED: Final = "_retired"
"""The folder of replaced parts, kept for readers that opened the store before."""

_BUCKET: Final = "s3://"
_LOCK: Final = ".lock"
_FRESH: Final = ".new"
_TEMPORARY: Final = "railbird-"
_OWNER: Final = ".owner"
_RANDOM: Final = re.compile(r"[a-z0-9_]{8}")
"""What the library adds to the prefix of a temporary folder's name."""
_AT_ONCE: Final = 8
"""Files that are synced or uploaded at the same time."""


class StoreError(Exception):
    """A store that cannot be read or written; the message is one line for the user."""


def nothing_in(place: "Place") -> StoreError:
    """The error for a question to a missing or empty store."""
    if place.exists():
        return StoreError(f"{place}: the store is empty")
    return StoreError(f"{place}: no store is there; `railbird ingest LOGS` makes one, --store names another")


def spots(part: str) -> tuple[str, str, str]:
    """The names a part may have, in the order in which it moves: a search in this order never misses it."""
    return f"{PENDING}/{part}", part, f"{RETIRED}/{part}"


def spot_of(name: str) -> tuple[str, str]:
    """An object's folder (PENDING, RETIRED, or "" for its table's folder) and the name of its part."""
    first, _, rest = name.partition("/")
    return (first, rest) if first in (PENDING, RETIRED) else ("", name)


class Place(ABC):
    """A store's objects by name (`seats/1f.parquet`) and its lock. str() is the place as the user named it.

    Methods raise OSError if the place cannot be read or written.
    """

    @abstractmethod
    def exists(self) -> bool:
        """True if anything is there."""

    @abstractmethod
    def read(self, name: str, most: int = MOST_MANIFEST) -> bytes | None:
        """An object's bytes; None if it does not exist, OSError if it has more than `most`."""

    @abstractmethod
    def replace(self, name: str, data: bytes) -> None:
        """Put an object in place of the old one, in one step."""

    @abstractmethod
    def open(self, name: str) -> Any:
        """A part for `pyarrow.parquet.ParquetFile`, wherever it lies."""

    @abstractmethod
    def bring(self, staged: Sequence[tuple[Path, str]]) -> None:
        """Turn staged files into objects, (file, name) each; the files may be moved away."""

    @abstractmethod
    def move(self, names: Sequence[tuple[str, str]]) -> None:
        """Rename objects, (from, to) each; a missing one was moved before."""

    @abstractmethod
    def remove(self, names: Sequence[str]) -> None:
        """Remove objects that may be gone already."""

    @abstractmethod
    def sizes(self) -> dict[str, int]:
        """The size in bytes of every part by its current name, in the manifest or not."""

    @abstractmethod
    def has_strangers(self) -> bool:
        """True if the place holds anything that is not a store's."""

    def intruder(self) -> str:
        """What stands in the place of something of a store's, with its name; "" for nothing."""
        return ""

    @abstractmethod
    def locked(self) -> AbstractContextManager[None]:
        """Hold the lock while others wait; a new place is created."""

    @property
    def inherited(self) -> bool:
        """True under the lock if a writer that held it before may be halted only, and go on."""
        return False

    @abstractmethod
    def confirm(self) -> None:
        """Raise StoreError if the lock has been lost."""

    @abstractmethod
    def staging(self) -> AbstractContextManager[Path]:
        """A private folder for unfinished parts; enter it under the lock."""

    def has_leftovers(self) -> bool:
        """True if folders for unfinished parts lie in the place: of processes that write, or that were killed."""
        return False

    @abstractmethod
    def forget(self) -> None:
        """Remove what `locked` and `staging` created in a place without a store; the caller holds the lock."""


def _strange(path: Path) -> str:
    """What is wrong with a path that is there, and neither a file nor a folder; "" for nothing."""
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if S_ISLNK(mode):
        return "is a link: railbird follows none in a store"
    # Opening a pipe would wait for a writer.
    return "" if S_ISREG(mode) or S_ISDIR(mode) else "is no file, but a pipe, socket or device"


def reason(error: OSError) -> str:
    """The reason of a system error, on one line."""
    text = (error.strerror or str(error)).split("\n")[0]
    # The AWS library says what it did before it says what went wrong.
    return text[text.find("AWS Error") :] if "AWS Error" in text else text


def failure(error: BaseException | None) -> str:
    """An unforeseen error on one line: its type and the first line of its message."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


def place_of(store: str | Path | Place) -> Place:
    """The place of a store: `s3://bucket/path`, or a folder."""
    if isinstance(store, Place):
        return store
    if isinstance(store, str) and store[: len(_BUCKET)].lower() == _BUCKET:
        return Bucket(store[len(_BUCKET) :])
    # A shell does not expand `--store=~/logs`.
    return Folder(Path(store).expanduser() if str(store).startswith("~/") else Path(store))


class Folder(Place):
    """A store in a folder, of one machine or shared by several."""

    def __init__(self, root: Path) -> None:
        """The folder need not exist; str() gives `root` as it is."""
        # Arrow and DuckDB give names such as `~x` and `gs:x` a meaning.
        self.root, self._said = Path(os.path.abspath(root)), str(root)

    def __str__(self) -> str:
        return self._said

    def exists(self) -> bool:
        """True if a folder, or a file, is there."""
        return self.root.exists()

    def read(self, name: str, most: int = MOST_MANIFEST) -> bytes | None:
        """An object's bytes; None if it does not exist, OSError if it has more than `most` or is no file."""
        try:
            return read_file(self.root / name, most)
        except FileNotFoundError:
            return None

    def replace(self, name: str, data: bytes) -> None:
        """Put an object in place of the old one, in one step."""
        # Not every writer holds the lock.
        with replacing(self.root / name) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def open(self, name: str) -> Any:
        """The path of a part's file, wherever it lies."""
        for spot in spots(name):
            path = self.root / spot
            if problem := _strange(path):
                raise StoreError(f"{self}/{spot} {problem}")
            if path.exists():
                return path
        return self.root / name

    def bring(self, staged: Sequence[tuple[Path, str]]) -> None:
        """Move files into the store after syncing them, so that a power failure cannot empty them."""
        # One after the other takes three times as long.
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(_sync, [path for path, _ in staged]))
        self._make_folders([name for _, name in staged])
        for path, name in staged:
            path.rename(self.root / name)

    def _make_folders(self, names: Sequence[str]) -> None:
        for folder in {(self.root / name).parent for name in names}:
            folder.mkdir(parents=True, exist_ok=True)

    def move(self, names: Sequence[tuple[str, str]]) -> None:
        """Rename files, (from, to) each; a missing one was moved before."""
        self._make_folders([after for _, after in names])
        for before, after in names:
            with suppress(FileNotFoundError):
                (self.root / before).rename(self.root / after)

    def remove(self, names: Sequence[str]) -> None:
        """Remove files that may be gone already."""
        for name in names:
            (self.root / name).unlink(missing_ok=True)

    def sizes(self) -> dict[str, int]:
        """The size in bytes of every part by its current name."""
        found, root = {}, os.fspath(self.root)
        # In the order in which parts move, because another process may be moving them.
        for folder in (f"{PENDING}/", "", f"{RETIRED}/"):
            for table in TABLES:
                with suppress(FileNotFoundError), os.scandir(os.path.join(root, folder, table)) as entries:
                    for entry in entries:
                        if entry.name.endswith(".parquet"):
                            with suppress(FileNotFoundError):
                                found[f"{folder}{table}/{entry.name}"] = entry.stat().st_size
        return found

    def has_strangers(self) -> bool:
        """True if the folder holds anything that is not a store's."""
        if not self.root.is_dir():
            return False
        ours = {STAGING, PENDING, RETIRED, *TABLES}
        with os.scandir(self.root) as entries:
            return any(entry.name not in ours and entry.name[0] != "." for entry in entries)

    def intruder(self) -> str:
        """The first folder, lock or manifest that is a link or a pipe, as a store from a stranger may have."""
        folders = (f"{folder}{table}" for folder in ("", f"{PENDING}/", f"{RETIRED}/") for table in TABLES)
        for name in (MANIFEST, _LOCK, STAGING, PENDING, RETIRED, *folders):
            if problem := _strange(self.root / name):
                return f"{name} {problem}"
        return ""

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold an advisory lock of the operating system, which ends with the process."""
        with self._lock_file():
            yield

    def _lock_file(self) -> BinaryIO:
        """The lock file, locked, and still the one that others open."""
        import fcntl

        path = self.root / _LOCK
        while True:
            self.root.mkdir(parents=True, exist_ok=True)
            try:
                file = path.open("wb")
            except FileNotFoundError:
                # The last holder removed the folder just now.
                if self.root.exists():
                    raise
                continue
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
                # If the last holder removed the file, others lock a new one.
                with suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                        return file
            except BaseException:
                file.close()
                raise
            file.close()

    def confirm(self) -> None:
        """This lock ends only with the process."""

    @contextmanager
    def staging(self) -> Iterator[Path]:
        """A folder below `staging/`; leftovers of killed processes are removed first."""
        import fcntl

        home = self.root / STAGING
        home.mkdir(parents=True, exist_ok=True)
        folder = home / f"{os.getpid()}-{os.urandom(4).hex()}"
        folder.mkdir()
        with (folder / ".owner").open("wb") as owner:
            fcntl.flock(owner, fcntl.LOCK_EX)
            try:
                _sweep_staging(home)
                sweep(self.root)
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def has_leftovers(self) -> bool:
        """True if `staging/` has a folder."""
        try:
            with os.scandir(self.root / STAGING) as found:
                return any(not entry.is_symlink() for entry in found)
        except OSError:
            return False

    def forget(self) -> None:
        """Remove the manifest, empty folders, and the lock file."""
        within = (f"{folder}/{table}" for folder in (PENDING, RETIRED) for table in TABLES)
        self.remove([MANIFEST])
        for name in (*within, PENDING, RETIRED, *TABLES, STAGING):
            with suppress(OSError):
                (self.root / name).rmdir()
        # From here on, another process may hold the lock.
        with suppress(OSError):
            (self.root / _LOCK).unlink()
        with suppress(OSError):
            self.root.rmdir()


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _sweep_staging(home: Path) -> None:
    """Remove staging folders without an owner; the caller holds the lock, so none is being created now."""
    import fcntl

    for folder in home.iterdir():
        # Its owner may have been killed before it wrote the file.
        with suppress(OSError), (folder / ".owner").open("ab") as owner:
            fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)


def _endpoint() -> str:
    """The address of a server that is not Amazon's, or ""."""
    return os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""


@contextmanager
def temporary_folder(home: Path | None = None, prefix: str = _TEMPORARY) -> Iterator[Path]:
    """A temporary folder; those of killed processes are removed first.

    home: where, by default the system's place; prefix: of the names of all such folders there
    """
    sweep_temporary(home or Path(gettempdir()), prefix)
    while True:
        with ExitStack() as stack:
            folder = Path(
                stack.enter_context(TemporaryDirectory(prefix=prefix, dir=home, ignore_cleanup_errors=True))
            )
            try:
                stack.enter_context(_owned(folder))
            except FileNotFoundError:
                # Another process took it for one without an owner before it had one.
                continue
            # The file with the lock goes last: if this is interrupted, the next process finds it unlocked and goes on.
            stack.callback(_empty, folder)
            yield folder
            return


def _owned(folder: Path) -> BinaryIO:
    """The file that says, as long as it is open, that a folder has an owner."""
    import fcntl

    owner = (folder / f"{_OWNER}{_FRESH}").open("wb")
    try:
        # Locked before it gets its name, because other writers may remove an unlocked folder.
        fcntl.flock(owner, fcntl.LOCK_EX)
        Path(owner.name).rename(folder / _OWNER)
    except BaseException:
        owner.close()
        raise
    return owner


def _empty(folder: Path) -> None:
    with suppress(OSError):
        for path in folder.iterdir():
            if path.name == _OWNER:
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def sweep_temporary(home: Path, prefix: str) -> None:
    """Remove this user's temporary folders whose process is gone."""
    for folder in home.glob(f"{prefix}*"):
        with suppress(OSError):
            found = folder.lstat()
            if not S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or _remove_unlocked(folder):
                continue
            if _RANDOM.fullmatch(folder.name.removeprefix(prefix)):
                # Its process ended before it wrote the file; a folder with anything in it may be the user's.
                folder.rmdir()


def _remove_unlocked(folder: Path) -> bool:
    """Remove a folder whose process is gone; False if it has no file with a lock, which says nothing about its process.

    Raises OSError while its process runs, which holds the lock.
    """
    import fcntl

    for name in (_OWNER, f"{_OWNER}{_FRESH}"):
        with suppress(FileNotFoundError), (folder / name).open("rb+") as owner:
            fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
            return True
    return False


def client() -> "fs.S3FileSystem":
    """Arrow's S3 client, set up from the environment."""
    from pyarrow import fs

    endpoint = urlsplit(_endpoint())
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if not endpoint.netloc:
        return fs.S3FileSystem(region=region)
    return fs.S3FileSystem(
        region=region or "us-east-1", scheme=endpoint.scheme, endpoint_override=endpoint.netloc
    )


def open_part(client: "fs.S3FileSystem", root: str, part: str) -> Any:
    """A part of a store below `root`, in whichever folder it is."""
    *first, last = spots(part)
    for spot in first:
        with suppress(FileNotFoundError):
            return client.open_input_file(f"{root}/{spot}")
    return client.open_input_file(f"{root}/{last}")


class Bucket(Place):
    """A store below a prefix of a bucket."""

    def __init__(self, path: str) -> None:
        """`path` is bucket/prefix; the server is not contacted yet. StoreError if no bucket is named."""
        self.path = path.strip("/")
        if not self.path:
            raise StoreError("s3:// needs a bucket: s3://BUCKET/PATH")
        self.client = client()
        self._lease: Lease | None = None

    def __str__(self) -> str:
        return f"s3://{self.path}"

    def _at(self, name: str) -> str:
        return f"{self.path}/{name}"

    def exists(self) -> bool:
        """True if an object is below the prefix, a free lock apart."""
        return any(not info.path.startswith(self._at(f"{LOCK}/")) for info in self._listed())

    def read(self, name: str, most: int = MOST_MANIFEST) -> bytes | None:
        """An object's bytes; None if it does not exist, OSError if it has more than `most`."""
        try:
            with self.client.open_input_stream(self._at(name)) as stream:
                data: bytes = stream.read(most + 1)
        except FileNotFoundError:
            return None
        if len(data) > most:
            raise too_large(most)
        return data

    def replace(self, name: str, data: bytes) -> None:
        """Put an object in place of the old one, in one request; StoreError if another replaced the manifest."""
        if name == MANIFEST and self._lease is not None:
            if not self._lease.exchange(data):
                raise self._lost()
            return
        with self.client.open_output_stream(self._at(name)) as stream:
            stream.write(data)

    def open(self, name: str) -> Any:
        """A part, in whichever folder it is, opened for reads at any offset."""
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
        """Copy objects, (from, to) each, and remove the old ones; a missing one was moved before."""

        def copy(pair: tuple[str, str]) -> None:
            if not self._is_there(pair[0]):
                return
            try:
                self.client.copy_file(self._at(pair[0]), self._at(pair[1]))
            except OSError:
                # A server does not report a missing source as FileNotFoundError.
                if self._is_there(pair[0]):
                    raise
                return
            self.remove([pair[0]])

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(copy, names))

    def _is_there(self, name: str) -> bool:
        return bool(self.client.get_file_info(self._at(name)).is_file)

    def remove(self, names: Sequence[str]) -> None:
        """Remove objects that may be gone already."""

        def drop(name: str) -> None:
            with suppress(FileNotFoundError):
                self.client.delete_file(self._at(name))

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(drop, names))

    def _listed(self, folder: str = "") -> "list[fs.FileInfo]":
        from pyarrow.fs import FileSelector

        at = self._at(folder) if folder else self.path
        found = self.client.get_file_info(FileSelector(at, recursive=True, allow_not_found=True))
        return [info for info in found if info.is_file]

    def sizes(self) -> dict[str, int]:
        """The size in bytes of every part by its current name."""
        found = {info.path.removeprefix(f"{self.path}/"): info.size for info in self._listed()}
        return {
            name: size
            for name, size in found.items()
            if name.endswith(".parquet") and spot_of(name)[1].split("/")[0] in TABLES
        }

    def has_strangers(self) -> bool:
        """True if the prefix holds anything that is not a store's."""
        ours = {*TABLES, LOCK, MANIFEST, PENDING, RETIRED}
        names = (info.path.removeprefix(f"{self.path}/") for info in self._listed())
        return any(name.split("/")[0] not in ours and not name.startswith(".") for name in names)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock; others wait. StoreError without obstore, or if the server has no conditional writes."""
        self._expect_bucket()
        lease = Lease(self._conditional(), MANIFEST)
        with lease.held():
            self._lease = lease
            try:
                yield
            finally:
                self._lease = None

    def _conditional(self) -> Objects:
        try:
            return Conditional(self.path, self.client.region, _endpoint())
        except ImportError:
            raise StoreError("writing into a bucket needs obstore: pip install 'railbird[s3]'") from None

    def _expect_bucket(self) -> None:
        """StoreError if the bucket does not exist: some servers create one for the first object."""
        bucket = self.path.split("/")[0]
        with suppress(OSError):
            if self.client.get_file_info(bucket).type.name == "NotFound":
                raise StoreError(f"{self}: no bucket is called {bucket!r}")

    @property
    def inherited(self) -> bool:
        """True under the lock if a writer that held it before may be halted only, and go on."""
        return self._lease is not None and self._lease.inherited

    def confirm(self) -> None:
        """Raise StoreError if another has taken the lock."""
        if self._lease is None or not self._lease.is_held():
            raise self._lost()

    def _lost(self) -> StoreError:
        return StoreError(f"{self}: the lock was lost, another may have written; nothing was committed")

    @contextmanager
    def staging(self) -> Iterator[Path]:
        """A folder on this machine."""
        with temporary_folder() as folder:
            yield folder

    def forget(self) -> None:
        """Remove the lock, unless there is a manifest. A manifest stays: another's may lie there a moment later."""
        if self._lease is not None and self.read(MANIFEST) is None:
            self._lease.is_last = True


def natural_order(path: str) -> list[tuple[int, int, str]]:
    """The key of the natural order of paths: numbers in them count as numbers."""
    # Python converts no text of more than 4,300 digits to a number.
    parts = ((part, part.lstrip("0")) for part in re.split(r"(\d+)", path))
    return [(0, len(digits), digits) if part.isdecimal() else (1, 0, part) for part, digits in parts]
