"""The files that an ingest is given: folders, globs, compressed files and archives, opened as streams of bytes."""

import gzip
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import BinaryIO, Final

_TAR: Final = (".tar", ".tar.gz", ".tgz", ".tar.zst", ".tar.bz2", ".tar.xz")
MANIFEST: Final = "manifest.json"


class SourceError(Exception):
    """An input that cannot be read; the message is the reason."""


@dataclass(frozen=True)
class Source:
    """A log to read: its path as shown, the folder it came from, how to open it, whether it was named by the user."""

    path: str
    folder: str
    open: Callable[[], BinaryIO]
    named: bool = True


def _zstd(path: Path) -> BinaryIO:
    import zstandard

    stream: BinaryIO = zstandard.ZstdDecompressor().stream_reader(path.open("rb"), read_across_frames=True)
    return stream


def _plain(path: Path) -> BinaryIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rb")  # type: ignore[return-value]  # GzipFile reads as BinaryIO does
    return _zstd(path) if path.suffix == ".zst" else path.open("rb")


def _zip_members(path: Path, named: bool) -> Iterator[Source]:
    with zipfile.ZipFile(path) as archive:
        names = [i.filename for i in archive.infolist() if not i.is_dir()]
    for name in names:

        def member(name: str = name) -> BinaryIO:
            return zipfile.ZipFile(path).open(name)  # type: ignore[return-value]

        yield Source(f"{path}/{name}", Path(name).parent.name or path.stem, member, named)


def _tar_members(path: Path, named: bool) -> Iterator[Source]:
    stem = path.name.split(".")[0]
    with tarfile.open(path) as archive:
        names = [entry.name for entry in archive if entry.isfile()]
    for name in names:

        def member(name: str = name) -> BinaryIO:
            stream = tarfile.open(path).extractfile(name)  # noqa: SIM115 - the stream keeps the archive open
            if stream is None:
                raise SourceError("the archive lists it and does not hold it")
            return stream  # type: ignore[return-value]

        yield Source(f"{path}/{name}", Path(name).parent.name or stem, member, named)


def _file(path: Path, named: bool) -> Iterator[Source]:
    try:
        if path.suffix == ".zip":
            yield from _zip_members(path, named)
        elif path.name.endswith(_TAR):
            yield from _tar_members(path, named)
        else:
            yield Source(str(path), path.resolve().parent.name, lambda: _plain(path), named)
    except (OSError, zipfile.BadZipFile, tarfile.TarError) as error:
        raise SourceError(f"{path}: line 1: not readable as an archive ({error})") from None


def _folder(path: Path) -> Iterator[Source]:
    """The files below a folder, in order, but for hidden ones and stores."""
    for entry in sorted(path.iterdir()):
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            if not (entry / MANIFEST).exists():
                yield from _folder(entry)
        elif entry.is_file():
            yield from _file(entry, named=False)


def sources(given: Iterable[str | Path], complain: Callable[[str], None]) -> Iterator[Source]:
    """The logs that paths, folders and globs name; what cannot be found or opened is told to `complain`."""
    for text in map(str, given):
        path = Path(text)
        matched = [path] if path.exists() else sorted(map(Path, glob(text, recursive=True)))
        if not matched:
            complain(f"{text}: line 1: no such file or folder")
        for found in matched:
            try:
                if found.is_dir():
                    before = False
                    for source in _folder(found):
                        before = True
                        yield source
                    if not before:
                        complain(f"{found}: line 1: the folder holds no files")
                else:
                    yield from _file(found, named=True)
            except (OSError, SourceError) as error:
                complain(str(error))
