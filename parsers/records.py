"""Files of records: JSON documents, JSON lines, tables of text, PHH; read one record after the other in bounded memory.

The dialect's translator (`dialect.Records`) turns each into lines of a table (`table_lines`). A record that cannot be
decoded is an unreadable line with its number; the size of a document is limited by `--max-document`.
"""

import codecs
import io
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import IO, Any, Final, cast

import msgspec

from .chunks import Opened, Piece, again, examine, lines_of
from .dialect import BOMS, UNREAD, Dialect, Records
from .sources import Source, SourceError, reading
from .table_lines import QUOTED, Lines, Translated, unreadable

LONGEST_LINE: Final = 64 << 20
"""The most bytes of a record on one line."""
_TAKEN: Final = 60_000
"""Lines of tables per piece."""
_BLOCK: Final = 4 << 20
_SHOWN: Final = 120
_MARKS: Final = tuple(mark for mark, _ in BOMS)
_PLACE: Final = re.compile(r" \(byte \d+\)")


@dataclass(slots=True)
class Record:
    """A record: its first line in the file, 1 in a document; its value; the file's path; how it begins.

    value: the decoded record; for text the line with its line end, for PHH several lines
    """

    number: int
    value: Any
    path: str = ""
    text: bytes = b""


def module_of(records: Records) -> ModuleType:
    """The translator of a dialect's records."""
    return import_module(f"..{records.module}", __name__) if "." in records.module else _own(records.module)


@cache
def _own(name: str) -> ModuleType:
    return import_module(f".{name}", __package__)


@cache
def _decoder(kind: Any) -> Callable[[bytes], Any]:
    return msgspec.json.Decoder(kind).decode


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines of a stream and their numbers; a line that is too long is reduced to its end."""
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        while len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
            more = stream.readline(LONGEST_LINE)
            line = b"" if more else line
            if not more:
                break
            line = more[-1:]
        yield number, line


class _NoDocument(SourceError):
    """A document that cannot be decoded, and how it begins."""

    def __init__(self, message: str, text: bytes) -> None:
        super().__init__(message)
        self.text = text


def _blocks(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Blocks of lines of a stream, and the number of each first line; a line that is too long is reduced to its end."""
    number = 1
    while block := stream.read(_BLOCK):
        if not block.endswith(b"\n"):
            block += next(_lines(stream), (0, b""))[1]
        yield number, block
        number += block.count(b"\n")


def _said(error: Exception) -> str:
    """Why a record cannot be decoded, in a few words."""
    # Records with the same error are counted together, whatever its position.
    text = _PLACE.sub("", str(error)) or type(error).__name__
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _records(
    stream: IO[bytes], size: int, form: Records, module: ModuleType, path: str, most: int, out: Lines
) -> Iterator[Record]:
    if form.form == "toml":
        for number, block in _blocks(stream):
            yield Record(number, block, path)
        return
    if form.form == "text":
        for number, line in _lines(stream):
            yield Record(number, line, path)
        return
    decode = _decoder(getattr(module, "RECORD", Any))
    if form.form == "lines":
        for number, line in _lines(stream):
            if line.isspace():
                continue
            try:
                value = decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
                out.unread(f"no JSON record: {_said(error)}", number, is_hand=True, text=line[:QUOTED])
                continue
            yield Record(number, value, path, line)
        return
    if size > most:
        raise SourceError(
            f"a JSON document of {size / 2**20:,.1f} MB, --max-document is {most / 2**20:,.0f} MB"
        )
    yield _document(stream.read(), decode, module, path)


def _records_of(
    source: Source, opened: Opened, form: Records, module: ModuleType, most: int, out: Lines
) -> Generator[Record, None, None]:
    """The records of a file; a document that is already in memory is decoded from there."""
    if (
        form.form == "document"
        and opened.whole
        and opened.size <= most
        and not opened.head.startswith(_MARKS)
    ):
        yield _document(opened.head, _decoder(getattr(module, "RECORD", Any)), module, source.path)
        return
    with reading():
        stream = _as_utf8(again(source, opened), opened.head[:4])
    with closing(stream):
        yield from _records(stream, opened.size, form, module, source.path, most, out)


def _document(text: bytes, decode: Callable[[bytes], Any], module: ModuleType, path: str) -> Record:
    """The record of a file that is one document."""
    try:
        value = decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise _NoDocument(
            f"no JSON document of {module.__name__.rpartition('.')[2]}: {_said(error)}", text[:QUOTED]
        ) from None
    return Record(1, value, path, text[:QUOTED])


def _as_utf8(stream: IO[bytes], head: bytes) -> IO[bytes]:
    """A stream of a file's bytes as UTF-8."""
    encoding = next((name for mark, name in BOMS if head.startswith(mark)), "")
    if not encoding:
        return stream
    if encoding == "utf-8-sig":
        stream.read(len(codecs.BOM_UTF8))
        return stream
    text = io.TextIOWrapper(stream, encoding, "replace", newline="")
    return cast(IO[bytes], _Encoded(text))


class _Encoded(io.RawIOBase):
    """A text stream as lines and blocks of UTF-8."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        """Takes ownership of the stream."""
        self._text = text

    def readline(self, size: int | None = -1, /) -> bytes:
        """One line, or its first `size` characters."""
        return self._text.readline(-1 if size is None else size).encode("utf-8", "replace")

    def read(self, size: int = -1, /) -> bytes:
        """The rest, or `size` characters."""
        return self._text.read(size).encode("utf-8", "replace")

    def close(self) -> None:
        """Close the stream."""
        self._text.close()


def _of_all(
    records: Iterator[Record],
    others: Sequence[Source],
    form: Records,
    module: ModuleType,
    most: int,
    out: Lines,
    files: list[int],
    kept: Mapping[str, Opened],
) -> Generator[Record, None, None]:
    """The records of a file and of its followers, numbered by the index of their file; a broken file has none.

    files: receives the id of each follower
    """
    number = 1
    try:
        yield from records
    except SourceError as error:
        out.unread(str(error), number, is_hand=True, text=getattr(error, "text", b""))
    for number, other in enumerate(others, 2):
        files.append(0)
        try:
            with closing(kept.get(other.path) or examine(other)) as opened, reading():
                files[-1] = opened.file_id
                for record in _records_of(other, opened, form, module, most, out):
                    record.number = number
                    yield record
        except SourceError as error:
            text = f"{other.path.rpartition('/')[2]}: ".encode() + getattr(error, "text", b"")
            out.unread(str(error), number, is_hand=True, text=text)


def translated(
    source: Source,
    opened: Opened,
    dialect: Dialect,
    most: int,
    beside: Callable[[str], Any],
    others: Sequence[Source] = (),
    kept: Mapping[str, Opened] = MappingProxyType({}),
) -> Iterator[Piece]:
    """The matches of a file of records as pieces of text; SourceError if it holds none that can be read.

    others: files whose records follow in the same matches (`records_together`); kept: those that were read, by path
    """
    form = dialect.records
    assert form is not None
    module = module_of(form)
    out, matches, is_any = Lines(), 0, False
    records = _records_of(source, opened, form, module, most, out)
    files = [opened.file_id] if others else []
    if others:
        records = _of_all(records, others, form, module, most, out, files, kept)
    given = (records, out, beside) if form.beside else (records, out)
    with closing(records):
        for _ in module.translate(*given):
            if out.size >= _TAKEN:
                made = out.take()
                if made.matches:
                    yield _piece(made, matches, files)
                    matches, is_any = matches + len(made.matches), True
    made = out.take()
    if made.matches:
        yield _piece(made, matches, files, lines_of(source, opened))
    elif is_any:
        return
    elif out.first_unread is not None:
        number, said = out.first_unread
        found = unreadable(said.encode())
        raise SourceError(found.why if found is not None else said.removeprefix(UNREAD.decode()), line=number)


def _piece(made: Translated, before: int, files: Sequence[int], lines: int = 0) -> Piece:
    return Piece(made.text, 0, before, made.matches, made.line_of, lines, tuple(files))
