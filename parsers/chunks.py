"""The text of whole matches from a file's bytes: all at once if the file is small, else in pieces."""

import io
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import IO, Final

import numpy as np
import xxhash
from numpy.typing import NDArray

from .dialect import Cut, Dialect, MatchText, Sorted
from .dialects import apart_for, cut_for, records_for
from .marks import line_ends
from .sources import Source, SourceError, reading
from .unpacking import bytes_of, is_cut

WHOLE_BYTES: Final = 3 << 20
"""A file up to this size is kept in memory when it is hashed; a larger one is read again, in pieces."""

_BLOCK: Final = 2 << 20
_KEPT: Final = 200
_DROPPED: Final = b" ..."
"""Replaces the rest of a line that is too long, which then counts as a line of no known engine."""
_SHORT: Final = 1 << 13
"""Up to this many bytes, counting lines in Python is faster than calling a kernel."""


@dataclass(frozen=True)
class Opened:
    """A file before it is read: the hash of its decompressed content and its first bytes; all of them if `whole`.

    size: bytes to read; file_size: bytes of the content, which differ if lines are too long to be read.
    decoded: a temporary file with the content of a large file, decompressed, or with lines that are too long
    truncated (`_shortened`); it is removed on close.
    cut: the file is compressed and its end is missing.
    long_lines: the number of lines that are too long, and the line number of the first.
    """

    file_id: int
    size: int
    head: bytes
    whole: bool
    decoded: IO[bytes] | None = None
    cut: bool = False
    long_lines: tuple[int, int] = (0, 0)
    file_size: int = 0

    @cached_property
    def records(self) -> Dialect | None:
        """The dialect of its records (`records_for`), determined once."""
        return records_for(self.head)

    def close(self) -> None:
        """Remove the decoded file."""
        if self.decoded is not None:
            self.decoded.close()


@dataclass
class Piece:
    """Some matches of a file: their text until `take`, and the numbers of lines and matches before them in the file.

    line_of: (lines,), the file's line number of each line of the text, if lines were reordered or generated.
    own_lines: for generated text, the lines of the file that are counted with this piece.
    files: for matches in several files, the id of each file; 0 for a file that cannot be read.
    """

    text: bytes
    lines_before: int
    matches_before: int
    matches: tuple[MatchText, ...]
    line_of: NDArray[np.int64] | None = None
    own_lines: int | None = None
    files: tuple[int, ...] = ()

    def take(self) -> bytes:
        """Return the text and drop it from the piece."""
        text, self.text = self.text, b""
        return text

    def line_no(self, line: int) -> int:
        """The file's line number of a line, given by its position in the text."""
        return line if self.line_of is None else int(self.line_of[line - 1])


def line_count(text: bytes) -> int:
    """The number of lines of a text, including a last one without a line end."""
    is_short = len(text) < _SHORT
    ends = text.count(b"\n") if is_short else line_ends(np.frombuffer(text, np.uint8), 0, len(text))
    return ends + (not text.endswith(b"\n") and bool(text))


def examine(source: Source) -> Opened:
    """Hash a file, and keep all of a small one, or the head of a large one. SourceError if it is unreadable."""
    if source.name and 0 < source.size < WHOLE_BYTES:
        with reading():
            # Reading one byte more than the size detects the end.
            text = bytes_of(source.name, source.size + 1)
        if len(text) < WHOLE_BYTES:
            return Opened(xxhash.xxh3_64_intdigest(text), len(text), text, whole=True, file_size=len(text))
    decoded: IO[bytes] | None = None
    with reading(), source.open() as stream:
        # Reading one byte more than the size detects the end; a buffer for a whole chunk would be allocated each time.
        is_known = source.size and not source.packed
        head = _read(stream, min(source.size + 1, WHOLE_BYTES) if is_known else WHOLE_BYTES)
        digest, size = xxhash.xxh3_64(head), len(head)
        begins, long = head.rfind(b"\n") + 1, list[tuple[int, int]]()
        while block := stream.read(_BLOCK) if size >= WHOLE_BYTES else b"":
            ends = block.find(b"\n")
            if ends >= 0:
                if size + ends - begins > source.limits.line:
                    long.append((begins, size + ends))
                begins = size + block.rfind(b"\n") + 1
            if source.packed:
                if decoded is None:
                    decoded = tempfile.TemporaryFile()  # noqa: SIM115 - it is read, and closed, with the pieces
                    decoded.write(head)
                decoded.write(block)
            digest.update(block)
            size += len(block)
        cut = is_cut(stream)
    if size - begins > source.limits.line and size > len(head):
        long.append((begins, size))
    opened = Opened(digest.intdigest(), size, head, size == len(head), decoded, cut, file_size=size)
    # A document of records may be a single line; it has its own limit.
    return _shortened(source, opened, long) if long and opened.records is None else opened


def _shortened(source: Source, opened: Opened, long: Sequence[tuple[int, int]]) -> Opened:
    """A file in which lines that are too long are truncated. long: the offsets of their beginnings and ends."""
    out = tempfile.TemporaryFile()  # noqa: SIM115 - it is read, and closed, with the pieces
    at = lines = first = 0
    with reading(), again(source, opened) as stream:
        for begin, end in (*long, (opened.size, opened.size)):
            while at < begin and (block := stream.read(min(_BLOCK, begin - at))):
                out.write(block)
                lines += 0 if first else block.count(b"\n")
                at += len(block)
            first = first or lines + 1
            if begin < end:
                out.write(stream.read(_KEPT) + _DROPPED)
                at += _KEPT
            while at < end and (block := stream.read(min(_BLOCK, end - at))):
                at += len(block)
    size = out.tell()
    out.seek(0)
    head = out.read(WHOLE_BYTES)
    return replace(
        opened, size=size, head=head, whole=size == len(head), decoded=out, long_lines=(len(long), first)
    )


def too_long(source: Source, opened: Opened) -> SourceError:
    """The error for a file whose lines are longer than the limit."""
    most, (count, first) = source.limits.line >> 20, opened.long_lines
    said = "a line" if count == 1 else f"the first of {count:,} lines"
    be = "is" if count == 1 else "are"
    return SourceError(
        f"{said} of more than {most:,} MB, which {be} not read; --max-line allows more", line=first
    )


def _read(stream: IO[bytes], size: int) -> bytes:
    """Read up to `size` bytes; decompressors return less at a time."""
    blocks = []
    while size > 0 and (block := stream.read(size)):
        blocks.append(block)
        size -= len(block)
    return blocks[0] if len(blocks) == 1 else b"".join(blocks)


def lines_of(source: Source, opened: Opened) -> int:
    """The number of lines of a file, as in `line_count`; SourceError if it is unreadable."""
    if opened.whole:
        return line_count(opened.head)
    ends, left, last = 0, opened.size, b"\n"
    with reading():
        stream = again(source, opened)
        while left > 0 and (block := _read(stream, min(_BLOCK, left))):
            ends, left, last = ends + block.count(b"\n"), left - len(block), block[-1:]
        if stream is not opened.decoded:
            stream.close()
    return ends + (last != b"\n")


def pieces(source: Source, opened: Opened) -> Iterator[Piece]:
    """The file's text in pieces of whole matches; none if no known engine writes such lines.

    A file that grows meanwhile is read up to the hashed size. A match larger than a piece is read whole, as are
    interleaved tables; SourceError if a match is larger than the limit.
    """
    if (by_match := apart_for(opened.head)) is not None:
        yield from _sorted(source, opened, by_match)
        return
    found = cut_for(opened.head)
    if found is None:
        return
    cut, matches = found
    if opened.whole:
        yield Piece(opened.head, 0, 0, tuple(matches))
    else:
        yield from _streamed(source, opened, cut)


def again(source: Source, opened: Opened) -> IO[bytes]:
    """The file's bytes again; a decoded copy is reused."""
    if opened.whole:
        return io.BytesIO(opened.head)
    if opened.decoded is None:
        return source.open()
    opened.decoded.seek(0)
    return opened.decoded


def _sorted(source: Source, opened: Opened, head: Sorted) -> Iterator[Piece]:
    text: bytes
    line_of: NDArray[np.int64] | None
    text, line_of = head
    if not opened.whole:
        if opened.size > source.limits.match:
            raise _too_large(source, 1)
        with reading(), again(source, opened) as stream:
            text = _read(stream, opened.size)
        text, line_of = apart_for(text) or (text, None)
    found = cut_for(text)
    if found is not None:
        yield Piece(text, 0, 0, tuple(found[1]), line_of)


def _too_large(source: Source, line: int) -> SourceError:
    most = source.limits.match >> 20
    return SourceError(
        f"a match of more than {most:,} MB: it, and what follows, is not read; --max-match allows more",
        line=line,
    )


def _streamed(source: Source, opened: Opened, cut: Cut) -> Iterator[Piece]:
    lines = matches = 0
    text, size = b"", opened.size
    with reading():
        stream = again(source, opened)
    with stream:
        while size > 0:
            with reading():
                # Read as much again as is still incomplete: else a long match would be searched again every few MB.
                room = max(source.limits.match + 1 - len(text), _BLOCK)
                block = _read(stream, min(max(_BLOCK, len(text)), room, size))
            size = size - len(block) if block else 0
            text += block
            del block
            cut, found = cut_for(text, cut) or (cut, [])
            if size > 0:
                if len(found) < 2:
                    if len(text) > source.limits.match:
                        raise _too_large(source, lines + 1)
                    continue
                rest = text[found[-1].start :]
                text, found = text[: found[-1].start], found[:-1]
            else:
                rest = b""
            yield Piece(text, lines, matches, tuple(found))
            # The next match may begin in the line with which this text ends.
            lines += line_count(text) - (bool(rest) and not text.endswith(b"\n"))
            matches, text = matches + len(found), rest
