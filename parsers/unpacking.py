"""Compressed files as streams of bytes: decoded as far as they are there."""

import bz2
import gzip
import io
import lzma
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

_MAGIC: Final = 0xFD2FB528
_SKIPPED, _SKIPPED_MASK = 0x184D2A50, 0xFFFFFFF0
_LONGEST_HEADER: Final = 18
_RUN: Final = 1
"""The kind of a block that is one byte on disk, whatever its size."""


class _Decoded(io.RawIOBase):
    """What a decompressor makes of a file; `cut` where, or once it is read, the file's end is missing."""

    def __init__(self, stream: Any, cut: bool = False) -> None:
        self._stream, self.cut = stream, cut

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        try:
            # One block at a time: of several, those before a missing end would be lost.
            block = self._stream.read1(len(room))
        except EOFError:
            self.cut = True
            return 0
        room[: len(block)] = block
        return len(block)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


def _zstd(path: Path) -> _Decoded:
    import zstandard

    file = path.open("rb")
    cut = _stops_in_a_frame(file)
    file.seek(0)
    return _Decoded(zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True), cut)


def _stops_in_a_frame(file: IO[bytes]) -> bool:
    """True where a Zstandard file ends too soon, which its decoder does not tell (RFC 8878, section 3.1)."""
    import zstandard

    at, size = 0, os.fstat(file.fileno()).st_size
    while at < size:
        file.seek(at)
        head = file.read(_LONGEST_HEADER)
        magic = int.from_bytes(head[:4], "little")
        if magic & _SKIPPED_MASK == _SKIPPED:
            at += 8 + int.from_bytes(head[4:8], "little")
            continue
        if magic != _MAGIC:
            # Of what is no frame the decoder says so.
            return len(head) < 4
        try:
            has_checksum = zstandard.get_frame_parameters(head).has_checksum
        except zstandard.ZstdError:
            return True
        at += zstandard.frame_header_size(head)
        is_last = False
        while not is_last:
            file.seek(at)
            if len(block := file.read(3)) < 3:
                return True
            bits = int.from_bytes(block, "little")
            is_last, kind = bool(bits & 1), bits >> 1 & 3
            at += 3 + (1 if kind == _RUN else bits >> 3)
        at += 4 * has_checksum
    return at > size


class _Kind(NamedTuple):
    """A way of packing: bytes of a log for one of its file, about; how it is opened; the ending that it covers."""

    ratio: int
    open: Callable[[Path], _Decoded]
    covers: str = ""


def _decoder(opener: Callable[[Path], Any]) -> Callable[[Path], _Decoded]:
    return lambda path: _Decoded(opener(path))


_KINDS: Final = {
    ".gz": _Kind(12, _decoder(gzip.open)),
    ".tgz": _Kind(12, _decoder(gzip.open), ".tar"),
    ".zst": _Kind(14, _zstd),
    ".bz2": _Kind(16, _decoder(bz2.open)),
    ".xz": _Kind(16, _decoder(lzma.open)),
}
"""By the endings of names."""


def is_packed(path: Path) -> bool:
    """True where the name says that a file is compressed."""
    return path.suffix in _KINDS


def plain_name(name: str) -> str:
    """The name of what a file holds: without the ending that says that it is compressed."""
    base, ending = os.path.splitext(name)
    return base + _KINDS[ending].covers if ending in _KINDS else name


def ratio(path: Path) -> int:
    """Bytes of a log for one of a file of that name, about."""
    return _KINDS[path.suffix].ratio if is_packed(path) else 1


def unpacked(name: str | Path) -> IO[bytes]:
    """A file's bytes, decompressed where its name says so. OSError, or an error of the decompressor's own."""
    path = Path(name)
    return io.BufferedReader(_KINDS[path.suffix].open(path)) if is_packed(path) else path.open("rb")


def is_cut(stream: IO[bytes]) -> bool:
    """True where a compressed file ended too soon; of some kinds that is known when all of it is read."""
    return isinstance(stream, io.BufferedReader) and isinstance(stream.raw, _Decoded) and stream.raw.cut
