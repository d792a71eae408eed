"""Compressed files as streams of bytes: decoded as far as they are there."""

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
"""Bytes that a byte of a compressed file may become, if the user does not say otherwise: of logs it is about 15."""
_NO_BOMB: Final = 64 << 20
"""Bytes that a compressed file may become in any case."""
_RUN: Final = 1
"""The kind of a block that is one byte on disk, whatever its size."""


class BombError(Exception):
    """A compressed file that becomes far more than it is; the message is the reason."""


class _Decoded(io.RawIOBase):
    """What a decompressor makes of a file; `cut` where, or once it is read, the rest of it cannot be decoded."""

    def __init__(
        self,
        stream: Any,
        cut: bool = False,
        again: Callable[[], IO[bytes]] | None = None,
        packed: int = 0,
        ratio: int = MAX_RATIO,
    ) -> None:
        """again: opens the stream once more, where a block of which any byte is missing is lost as a whole.

        packed: bytes of the file, 0 where that is not limited; ratio: the most that each of them may become
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
        """Go on where the failed block begins, in small ones."""
        self._stream, self._again, self._most = again(), None, _SMALL_BLOCK
        left = self._given
        while left and (block := self._stream.read1(min(left, _SMALL_BLOCK))):
            left -= len(block)

    def _end(self, error: Exception) -> None:
        """What was decoded before an error counts; where that is nothing, or the disk failed, the error is raised."""
        if isinstance(error, EOFError):
            self.cut = True
            return
        # An error of the disk has a number, none of a decoder has.
        if not self._given or getattr(error, "errno", None) is not None:
            raise error
        # Bytes behind a whole gzip file are no part of it.
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
    """A way of packing: how a file of it begins, bytes of a log for one of it, about; how it is opened."""

    mark: re.Pattern[bytes]
    ratio: int
    open: Callable[[Path, int], _Decoded]


def _decoder(opener: Callable[[Path], Any]) -> Callable[[Path, int], _Decoded]:
    return lambda path, ratio: _Decoded(opener(path), packed=path.stat().st_size, ratio=ratio)


DEFLATED: Final = 9
"""Bytes of a log for one of it in gzip or zip: of Bounty Hold'em 9.3."""

_KINDS: Final = {
    ".gz": _Kind(re.compile(rb"\x1f\x8b"), DEFLATED, _decoder(gzip.open)),
    ".zst": _Kind(re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"), 14, _zstd),
    ".bz2": _Kind(re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), 16, _decoder(bz2.open)),
    ".xz": _Kind(re.compile(rb"\xfd7zXZ\0"), 16, _decoder(lzma.open)),
}
"""By the endings of names."""
_ANY_MARK: Final = re.compile(b"|".join(b"(?:%b)" % kind.mark.pattern for kind in _KINDS.values()))
_COVERS: Final = {".tgz": (".gz", ".tar"), **{ending: (ending, "") for ending in _KINDS}}
"""The kind of an ending, and the ending that it covers."""
_ZIP: Final = b"PK\3\4", b"PK\5\6", b"PK\7\x08"
_TAR: Final = b"ustar"
_TAR_AT: Final = 257
_HEAD_BYTES: Final = 512


def first_bytes(name: str) -> tuple[bytes | None, int]:
    """As many as tell how a file is packed, and its size. OSError where nothing is there.

    None of what is no file, or cannot be read: its name has to do.
    """
    found = os.stat(name)
    if not S_ISREG(found.st_mode):
        return None, found.st_size
    try:
        return bytes_of(name, _HEAD_BYTES), found.st_size
    except OSError:
        return None, found.st_size


def bytes_of(name: str, most: int) -> bytes:
    """The first bytes of a file as it lies, `most` or all there are. OSError where it cannot be read."""
    # A file object takes longer to make than a short file to read.
    file = os.open(name, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
    try:
        found = os.read(file, most)
        while found and len(found) < most and (more := os.read(file, most - len(found))):
            found += more
        return found
    finally:
        os.close(file)


def is_zip(head: bytes | None) -> bool:
    """True where a file begins as zips do."""
    return head is not None and head.startswith(_ZIP)


def is_tar(head: bytes | None) -> bool:
    """True where a file begins as tars do, the oldest excepted."""
    return head is not None and head.startswith(_TAR, _TAR_AT)


def goes_by_name(head: bytes | None) -> bool:
    """True where first bytes are of no text and of no archive: what they are is left to the file's name."""
    return head is None or (b"\0" in head and not is_zip(head) and not is_tar(head))


def is_plain(head: bytes | None) -> bool:
    """True where a file's first bytes are of a text: it is neither packed nor an archive, whatever its name says."""
    return (
        head is not None
        and not _ANY_MARK.match(head)
        and b"\0" not in head
        and not is_zip(head)
        and not is_tar(head)
    )


def packing(path: Path, head: bytes | None) -> str:
    """The ending of a file's way of packing, "" where it is not compressed, by its first bytes."""
    if head is not None and _ANY_MARK.match(head):
        return next(ending for ending, kind in _KINDS.items() if kind.mark.match(head))
    return _COVERS[path.suffix][0] if goes_by_name(head) and path.suffix in _COVERS else ""


def first_decoded(path: Path, ending: str) -> bytes | None:
    """The first bytes of what a compressed file holds; None where it cannot be decoded."""
    try:
        with unpacked(path, ending) as stream:
            return stream.read(_HEAD_BYTES)
    # Each way of packing has errors of its own.
    except Exception:
        return None


def plain_name(name: str) -> str:
    """The name of what a file holds: without the ending that says that it is compressed."""
    base, ending = os.path.splitext(name)
    return base + _COVERS[ending][1] if ending in _COVERS else name


def ratio(path: Path) -> int:
    """Bytes of a log for one of a file of that name, about."""
    if path.suffix == ".zip":
        return DEFLATED
    return _KINDS[_COVERS[path.suffix][0]].ratio if path.suffix in _COVERS else 1


def unpacked(name: str | Path, ending: str, ratio: int = MAX_RATIO) -> IO[bytes]:
    """A file's bytes, decompressed where it is packed (`packing`). OSError, or an error of the decompressor's own.

    BombError once a byte of the file has become more than `ratio`.
    """
    return io.BufferedReader(_KINDS[ending].open(Path(name), ratio)) if ending else open(name, "rb")


def salvaged(opener: Callable[[], IO[bytes]], packed: int, ratio: int = MAX_RATIO) -> IO[bytes]:
    """A member of an archive as far as it can be decoded, as `unpacked` has files; a damaged one is opened twice.

    packed: its bytes in the archive
    """
    return io.BufferedReader(_Decoded(opener(), again=opener, packed=packed, ratio=ratio))


def is_cut(stream: IO[bytes]) -> bool:
    """True where the end of what is packed is missing or damaged; mostly that is known when all of it is read."""
    return isinstance(stream, io.BufferedReader) and isinstance(stream.raw, _Decoded) and stream.raw.cut
