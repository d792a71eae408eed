"""Prefixes that tools add to every line of a log: time stamps, a logger's words, file names, line numbers, colours."""

import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from .chunks import WHOLE_BYTES, Opened, again
from .dialects import own_words
from .marks import first_of
from .sources import Source, reading

_OPENINGS: Final = {
    b"Round #": rb"Round #\d+, ",
    b"STATE:": rb"(?<!MATCH)STATE:\d+:",
    b"--- Starting Game ": rb"--- Starting Game \d+ ---",
    b"--- Match ": rb"--- Match \d+ \| Game \d",
    b"# name/game/hands/seed ": rb"# name/game/hands/seed ",
    b"In config file: GAME_DEF=": rb"In config file: GAME_DEF=",
    b"AIVAT, Chips, ": rb"AIVAT, Chips, ",
}
"""Expressions for the beginnings of hands or matches, at any offset in a line, by the literal words to search first."""
_OPENS: Final = re.compile(b"|".join(_OPENINGS.values()))
_SOON: Final = 4096
_LATER: Final = 1 << 16
_LONGEST: Final = 200
_BLOCK: Final = 2 << 20
_COLOUR: Final = re.compile(rb"\x1b\[[0-9;:?]*[A-Za-z]")
_ESCAPE: Final = b"\x1b["
_BINARY: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LEVELS: Final = rb"DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|NOTSET"
# A logger pads its fields; a clock omits zeros.
_PART: Final = re.compile(rb"(%s)[ \t]*|([.,]\d+)|(\d+)|([ \t]+)" % _LEVELS)


class _Prefix(NamedTuple):
    """The prefix of every line: a regular expression, and the first line's prefix; colours: with colour codes."""

    form: re.Pattern[bytes]
    first: bytes
    colours: bool

    def bare(self, line: bytes) -> bytes | None:
        """A line without the prefix; None if the line lacks it. A blank line may lack it."""
        if self.colours:
            line = _COLOUR.sub(b"", line)
        if (said := self.form.match(line)) is not None:
            return line[said.end() :]
        if not line.strip():
            return line
        blank = line.rstrip()
        # A tool's own blank is lost if trailing blanks are stripped.
        said = self.form.fullmatch(blank + b" ") or self.form.fullmatch(blank + b"\t")
        return None if said is None else line[len(blank) :]

    @property
    def note(self) -> str:
        """The removed prefix, for the ledger."""
        said = (
            [f"{self.first.decode('utf-8', 'backslashreplace')!r} and its like before each line"]
            if self.first
            else []
        )
        said += ["codes of colours"] if self.colours else []
        return f"taken off: {', '.join(said)}"


def without_prefix(source: Source, opened: Opened) -> tuple[Opened, str] | None:
    """A file without the prefix that a tool added to its lines, and the prefix; None if there is none.

    The prefix is removed only if every line has it, except blank ones.
    """
    prefix = _prefix(opened.head, opened.whole)
    if prefix is None:
        return None
    if opened.whole:
        lines = [prefix.bare(line) for line in opened.head.split(b"\n")]
        if any(line is None for line in lines):
            return None
        text = b"\n".join(line for line in lines if line is not None)
        return replace(opened, head=text, size=len(text)), prefix.note
    out = tempfile.TemporaryFile()  # noqa: SIM115 - it is read, and closed, with the pieces
    for block in _blocks(source, opened):
        lines = [prefix.bare(line) for line in block.split(b"\n")]
        if any(line is None for line in lines):
            out.close()
            return None
        out.write(b"\n".join(line for line in lines if line is not None))
    size = out.tell()
    out.seek(0)
    head = out.read(WHOLE_BYTES)
    return replace(opened, head=head, size=size, whole=size == len(head), decoded=out), prefix.note


def _blocks(source: Source, opened: Opened) -> Iterator[bytes]:
    """The file's bytes in whole lines."""
    left, rest = opened.size, b""
    with reading():
        stream = again(source, opened)
        while left > 0 and (block := stream.read(min(_BLOCK, left))):
            left -= len(block)
            rest += block
            end = rest.rfind(b"\n") + 1
            yield rest[:end]
            rest = rest[end:]
        if stream is not opened.decoded:
            stream.close()
    yield rest


def _prefix(head: bytes, is_whole: bool) -> _Prefix | None:
    """The prefix of a text's first lines, the last of which may be incomplete; most texts have none."""
    opens, words = _OPENS, own_words()
    if all(first_of(head, word, 0, min(len(head), _LATER)) < 0 for word in (*_OPENINGS, *words)):
        return None
    if words:
        opens = re.compile(rb"%s|(?:%s)\d" % (_OPENS.pattern, b"|".join(map(re.escape, words))))
    said = opens.search(head, 0, _SOON) or opens.search(head, 0, _LATER)
    if said is None:
        return None
    begin = head.rfind(b"\n", 0, said.start()) + 1
    first = head[begin : said.start()]
    if not first or len(first) > _LONGEST:
        return None
    colours = _ESCAPE in first
    first = _COLOUR.sub(b"", first) if colours else first
    if _BINARY.search(first):
        return None
    if (first or not colours) and not first.strip():
        return None
    prefix = _Prefix(_form(first), first, colours)
    lines = head[:_LATER].split(b"\n")
    whole = lines if is_whole and len(head) <= _LATER else lines[:-1]
    return prefix if all(prefix.bare(line) is not None for line in whole) else None


def _form(first: bytes) -> re.Pattern[bytes]:
    """A regular expression for prefixes like one: numbers may differ, and blanks except the trailing ones."""
    if first.endswith(b":") and not re.search(rb"\s", first):
        # The names of files.
        return re.compile(rb"[^\s:]+:" * first.count(b":"))
    body = first.rstrip(b" \t")
    form, at = b"", 0
    for part in _PART.finditer(body):
        form += re.escape(body[at : part.start()])
        form += next(
            other
            for found, other in zip(
                part.groups(),
                (rb"(?:%s)[ \t]*" % _LEVELS, rb"(?:[.,]\d+)?", rb"\d+", rb"[ \t]+"),
                strict=True,
            )
            if found is not None
        )
        at = part.end()
    form += re.escape(body[at:])
    if body[:1].isdigit():
        # `cat -n` sets numbers to the right.
        form = rb"[ \t]*" + form
    return re.compile(form + re.escape(first[len(body) :]))
