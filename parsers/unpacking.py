"""Compressed files as streams of bytes, decoded as far as they are intact."""

import bz2
import gzip
import io
import lzma
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any, Final, NamedTuple

_MAGIC: Final = 0xFD2FB528
_SKIPPED, _SKIPPED_MASK = 0x184D2A50, 0xFFFFFFF0
_LONGEST_HEADER: Final = 18
_SMALL_BLOCK: Final = 4096
_NO_GZIP: Final = "Not a gzipped file"
MAX_RATIO: Final = 200
"""The default limit of decompressed bytes per compressed byte; logs have about 15."""
_NO_BOMB: Final = 64 << 20
"""A decompressed size that is always allowed, in bytes."""
_RUN: Final = 1
"""The kind of a block that is one byte on disk, whatever its size."""


class BombError(Exception):
    """A compressed file that exceeds its limit when decompressed; the message is the reason."""


class _Decoded(io.RawIOBase):
    """The decompressed bytes of a file; `cut` is set when the rest turns out to be undecodable."""

    def __init__(
        self,
        stream: Any,
        cut: bool = False,
        again: Callable[[], IO[bytes]] | None = None,
        packed: int = 0,
        ratio: int = MAX_RATIO,
    ) -> None:
        """again: opens the stream again, for formats in which a block with a missing byte is lost as a whole.

        packed: bytes of the file, 0 for no limit; ratio: the most decompressed bytes per byte of it
        """
        self._stream, self.cut, self._again = stream, cut, again
        self._given, self._most = 0, sys.maxsize
        self._ratio, self._last = ratio, max(packed * ratio, _NO_BOMB) if packed else sys.maxsize

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        try:
            # One block at a time: of several, those before a missing end would be lost.
            block = self._stream.read1(min(len(room), self._most))
        except MemoryError:
            raise
        except Exception as error:
            if self._again is not None:
                self._reopen(self._again)
                return self.readinto(room)
            self._end(error)
            return 0
        self._given += len(block)
        if self._given > self._last:
            raise BombError(
                f"decompresses to more than {self._ratio:,} times its size: --max-ratio allows more"
            )
        room[: len(block)] = block
        return len(block)

    def _reopen(self, again: Callable[[], IO[bytes]]) -> None:
        """Continue at the failed block, in small ones."""
        self._stream, self._again, self._most = again(), None, _SMALL_BLOCK
        left = self._given
        while left and (block := self._stream.read1(min(left, _SMALL_BLOCK))):
            left -= len(block)

    def _end(self, error: Exception) -> None:
        """Keep what was decoded before an error; raise the error if that is nothing, or if the disk failed."""
        if isinstance(error, EOFError):
            self.cut = True
            return
        # Disk errors have an errno, a decoder's do not.
        if not self._given or getattr(error, "errno", None) is not None:
            raise error
        # Bytes after a complete gzip file are ignored.
        self.cut |= not (isinstance(error, gzip.BadGzipFile) and str(error).startswith(_NO_GZIP))

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


def _zstd(path: Path, ratio: int) -> _Decoded:
    import zstandard

    file = path.open("rb")
    cut = _stops_in_a_frame(file)
    file.seek(0)
    stream = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    return _Decoded(stream, cut, packed=path.stat().st_size, ratio=ratio)


def _stops_in_a_frame(file: IO[bytes]) -> bool:
    """True if a Zstandard file is truncated, which its decoder does not report (RFC 8878, section 3.1)."""
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
            # The decoder reports bytes that are not a frame.
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
    """A compression: its files' first bytes, its typical ratio for logs, and how to open a file."""

    mark: re.Pattern[bytes]
    ratio: int
    open: Callable[[Path, int], _Decoded]


def _decoder(opener: Callable[[Path], Any]) -> Callable[[Path, int], _Decoded]:
    return lambda path, ratio: _Decoded(opener(path), packed=path.stat().st_size, ratio=ratio)


DEFLATED: Final = 9
"""The typical ratio of gzip and zip: 9.3 for Bounty Hold'em."""

_KINDS: Final = {
    ".gz": _Kind(re.compile(rb"\x1f\x8b"), DEFLATED, _decoder(gzip.open)),
    ".zst": _Kind(re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"), 14, _zstd),
    ".bz2": _Kind(re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), 16, _decoder(bz2.open)),
    ".xz": _Kind(re.compile(rb"\xfd7zXZ\0"), 16, _decoder(lzma.open)),
}
"""By file extension."""
_ANY_MARK: Final = re.compile(b"|".join(b"(?:%b)" % kind.mark.pattern for kind in _KINDS.values()))
_COVERS: Final = {".tgz": (".gz", ".tar"), **{ending: (ending, "") for ending in _KINDS}}
"""By extension: the compression's extension, and the one that remains."""
_ZIP: Final = b"PK\3\4", b"PK\5\6", b"PK\7\x08"
_TAR: Final = b"ustar"
_TAR_AT: Final = 257
_HEAD_BYTES: Final = 512


def first_bytes(name: str) -> tuple[bytes | None, int]:
    """The first bytes of a file, enough to recognise its compression, and its size. OSError if it does not exist.

    None if it is not a regular file, or unreadable: then the name decides.
    """
    found = os.stat(name)
    if not S_ISREG(found.st_mode):
        return None, found.st_size
    try:
        return bytes_of(name, _HEAD_BYTES), found.st_size
    except OSError:
        return None, found.st_size


def bytes_of(name: str, most: int) -> bytes:
    """The first bytes of a file on disk, at most `most`. OSError if it cannot be read."""
    # Creating a file object takes longer than reading a short file.
    file = os.open(name, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
    try:
        found = os.read(file, most)
        while found and len(found) < most and (more := os.read(file, most - len(found))):
            found += more
        return found
    finally:
        os.close(file)


def is_zip(head: bytes | None) -> bool:
    """True if the first bytes are a zip's."""
    return head is not None and head.startswith(_ZIP)


def is_tar(head: bytes | None) -> bool:
    """True if the first bytes are a tar's; the oldest format is not recognised."""
    return head is not None and head.startswith(_TAR, _TAR_AT)


def goes_by_name(head: bytes | None) -> bool:
    """True if the first bytes are neither text nor an archive's: then the file's name decides."""
    return head is None or (b"\0" in head and not is_zip(head) and not is_tar(head))


def is_plain(head: bytes | None) -> bool:
    """True if the first bytes are text: the file is neither compressed nor an archive, whatever its name."""
    return (
        head is not None
        and not _ANY_MARK.match(head)
        and b"\0" not in head
        and not is_zip(head)
        and not is_tar(head)
    )


def packing(path: Path, head: bytes | None) -> str:
    """The extension of a file's compression, from its first bytes; "" if it is not compressed."""
    if head is not None and _ANY_MARK.match(head):
        return next(ending for ending, kind in _KINDS.items() if kind.mark.match(head))
    return _COVERS[path.suffix][0] if goes_by_name(head) and path.suffix in _COVERS else ""


def first_decoded(path: Path, ending: str) -> bytes | None:
    """The first decompressed bytes of a file; None if it cannot be decoded."""
    try:
        with unpacked(path, ending) as stream:
            return stream.read(_HEAD_BYTES)
    # Each decompressor has its own exceptions.
    except Exception:
        return None


def plain_name(name: str) -> str:
    """A file's name without the extension of its compression."""
    base, ending = os.path.splitext(name)
    return base + _COVERS[ending][1] if ending in _COVERS else name


def ratio(path: Path) -> int:
    """The typical ratio of decompressed to compressed bytes, from a file's name."""
    if path.suffix == ".zip":
        return DEFLATED
    return _KINDS[_COVERS[path.suffix][0]].ratio if path.suffix in _COVERS else 1


def unpacked(name: str | Path, ending: str, ratio: int = MAX_RATIO) -> IO[bytes]:
    """A file's bytes, decompressed if necessary (`packing`). Raises OSError, or the decompressor's own exceptions.

    BombError if the decompressed size exceeds `ratio` times the size of the file.
    """
    return io.BufferedReader(_KINDS[ending].open(Path(name), ratio)) if ending else open(name, "rb")


def salvaged(opener: Callable[[], IO[bytes]], packed: int, ratio: int = MAX_RATIO) -> IO[bytes]:
    """A member of an archive as far as it can be decoded, like `unpacked` for files; a damaged one is opened twice.

    packed: its bytes in the archive
    """
    return io.BufferedReader(_Decoded(opener(), again=opener, packed=packed, ratio=ratio))


def is_cut(stream: IO[bytes]) -> bool:
    """True if the end of the compressed data is missing or damaged; usually known only after reading everything."""
    return isinstance(stream, io.BufferedReader) and isinstance(stream.raw, _Decoded) and stream.raw.cut
