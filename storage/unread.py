"""Why a file is no log, or none as it is, in a few words."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import Final

from ..parsers.dialects import cut_for, dialects
from .ledger import not_a_log

_NO_HAND: Final = "no hand in it, though engines write lines such as {!r}"
_CR: Final = "its lines end in CR only; `tr '\\r' '\\n'` makes a log of it"
_UTF_16: Final = (
    "UTF-16, as `>` of Windows PowerShell writes it; `iconv -f UTF-16 -t UTF-8` makes a log of it"
)
_NULS: Final = "only NUL bytes, as a crash during writing leaves"
_INDENTED: Final = "its lines begin with {}, which no engine writes; `cut -c{}-` makes a log of it"

_MARGIN: Final = b" \t>|"
_UNINDENTED: Final = re.compile(rb"^[^ \t>|\r\n]", re.MULTILINE)
_FIRST_HANDS: Final = 1 << 16


def not_as_it_is(head: bytes) -> str:
    """What must be done to make a log of a text, by its first bytes; empty where it can be read, or is none at all."""
    if _has_cr_alone(head):
        return _CR
    if margin := _margin(head):
        lines = head[:_FIRST_HANDS].split(b"\n")
        found = cut_for(b"\n".join(line.removeprefix(margin) for line in lines))
        if found is not None and any(match.names for match in found[1]):
            return _INDENTED.format(_called(margin), len(margin) + 1)
    return ""


def why_none(head: bytes) -> str:
    """Why a text that no dialect fits is no log, by its first bytes."""
    if not head.strip():
        return "empty"
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return _UTF_16
    if not head.strip(b"\0"):
        return _NULS
    if b"\0" in head[:4096]:
        return "binary, not a log"
    lines = [line for line in head[:_FIRST_HANDS].split(b"\n") if line.strip()]
    grammars = {dialect.grammar for dialect in dialects()}
    strange = (line for line in lines if not any(grammar.accepts(line.rstrip()) for grammar in grammars))
    line = next(strange, None)
    return not_a_log(_said(line)) if line is not None else _NO_HAND.format(_said(lines[0]))


def _said(line: bytes) -> str:
    return line[:60].decode("utf-8", "backslashreplace").strip()


def _has_cr_alone(head: bytes) -> bool:
    """True for a text of several lines of which none ends in LF: to the rules they are one."""
    return b"\n" not in head and b"\0" not in head and head.strip().count(b"\r") > 1


def _margin(head: bytes) -> bytes:
    """The blanks, or marks of a quotation, with which every line of a text begins that holds more; mostly none."""
    if head.lstrip(b"\r\n")[:1] not in (b" ", b"\t", b">", b"|") or _UNINDENTED.search(head):
        return b""
    lines = [line for line in head.split(b"\n") if line.strip(_MARGIN + b"\r")]
    margins = {line[: len(line) - len(line.lstrip(_MARGIN))] for line in lines}
    least = min(margins, key=len, default=b"")
    return least if all(margin.startswith(least) for margin in margins) else b""


def _called(margin: bytes) -> str:
    """A margin in words: blanks in a row are shown as one where lines are printed."""
    for byte, name in ((b" ", "blank"), (b"\t", "tab")):
        if not margin.strip(byte):
            return f"a {name}" if len(margin) == 1 else f"{len(margin)} {name}s"
    return repr(margin.decode())
