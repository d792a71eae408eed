"""Of the archives of a listing one is open, whatever order they are read in; in its order it is decoded twice."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from pathlib import Path
from typing import IO

import pytest
import zstandard

from railbird.parsers import archives, unpacking
from railbird.parsers.sources import Source, sources

KINDS = ["zip", "tar", "tar.gz"]
NAMES = ("a.txt", "b.txt", "deep/c.txt")


def archive(folder: Path, name: str) -> Path:
    """An archive whose members say where they lie."""
    path = folder / name
    for member in NAMES:
        (folder / member).parent.mkdir(exist_ok=True)
        (folder / member).write_text(f"{name}/{member}")
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as made:
            for member in NAMES:
                made.write(folder / member, member)
    else:
        with tarfile.open(path, "w:gz" if name.endswith(".gz") else "w") as tar:
            for member in NAMES:
                tar.add(folder / member, member)
    return path


def listed(paths: list[Path]) -> list[Source]:
    complaints: list[str] = []
    found = list(sources(paths, complaints.append))
    assert not complaints
    return found


def text(source: Source) -> str:
    with source.open() as stream:
        return stream.read().decode()


@pytest.mark.parametrize("kind", KINDS)
def test_members_are_read_in_any_order(kind: str, tmp_path: Path) -> None:
    paths = [archive(tmp_path, f"{name}.{kind}") for name in "xyz"]
    found = listed(paths)
    assert [source.path for source in found] == [f"{path}/{name}" for path in paths for name in NAMES]
    assert [source.folder for source in found[:3]] == ["x", "x", "deep"]
    for source in [*found, *reversed(found), *found[::2], *found[::4]]:
        assert f"{tmp_path}/{text(source)}" == source.path


def open_files(folder: Path) -> list[str]:
    files = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    return [path for path in files if path.startswith(str(folder))]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are not listed here")
@pytest.mark.parametrize("kind", KINDS)
def test_one_archive_is_open(kind: str, tmp_path: Path) -> None:
    paths = [archive(tmp_path, f"{number}.{kind}") for number in range(5)]
    found = listed(paths)
    assert not open_files(tmp_path)
    for source in found:
        text(source)
        assert open_files(tmp_path) == [os.path.dirname(source.path.replace("/deep", ""))]


def test_an_archive_read_in_its_order_is_decoded_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To be listed, and to be read."""
    opened: list[Path] = []
    read = unpacking.unpacked

    def counted(path: Path, ending: str, ratio: int) -> IO[bytes]:
        opened.append(path)
        return read(path, ending, ratio)

    monkeypatch.setattr(archives, "unpacked", counted)
    paths = [archive(tmp_path, name) for name in ("x.tar.gz", "y.tar.gz")]
    for source in listed(paths):
        text(source)
    assert opened == paths * 2


def plain_tar() -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        entry = tarfile.TarInfo("a.txt")
        entry.size = len(LOG)
        tar.addfile(entry, io.BytesIO(LOG))
    return made.getvalue()


def plain_zip() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("a.txt", LOG)
    return made.getvalue()


LOG = b"Round #1, A (0), B (0)\n" * 3
PACKED = {
    "plain": LOG,
    "gz": gzip.compress(LOG),
    "bz2": bz2.compress(LOG),
    "xz": lzma.compress(LOG),
    "zst": zstandard.compress(LOG),
    "zip": plain_zip(),
    "tar": plain_tar(),
    "tar.gz": gzip.compress(plain_tar()),
    "tar.zst": zstandard.compress(plain_tar()),
}


@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("name", ["plain.txt", "none", "x.gz", "x.tar", "x.zip", "x.tar.gz", "x.xz", "x.tgz"])
def test_how_a_file_is_packed_is_told_by_its_content(kind: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(PACKED[kind])
    (source,) = listed([path])
    assert text(source) == LOG.decode()
    assert source.packed == (kind != "plain")
    in_archive = kind.startswith(("zip", "tar"))
    assert source.path == (f"{path}/a.txt" if in_archive else str(path))
