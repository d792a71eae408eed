"""The ledger: the result of reading every file, line and hand, and the reason why a file is not a log.

`Account` is the ledger's entry of a file.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePath
from typing import Final, NamedTuple

import pyarrow as pa

from ..replay.outcome import FOREIGN
from ..schema.columns import schema
from ..schema.words import READ_AGAIN, REJECTED, REOPENED
from ..variants.properties import Properties
from .locations import failure

CUT: Final = "the compressed file is truncated or damaged"
FAILED: Final = "railbird failed on it; please report this"
KNOWN: Final = "already in the store"
NAMELESS: Final = "the players cannot be identified"
NOT_A_LOG: Final = "no known engine writes lines such as {!r}"
NOT_OF_DIALECT: Final = "--dialect {1}: its engine does not write lines such as {0!r}"
NO_STAKES: Final = "--stack, --blinds: the stakes of {} are those of its rules or of its lines"
OTHER_GAME: Final = "--game {}: lines of {} are of another kind of game"
FORGOTTEN: Final = "forgotten"
PART: Final = "part of {}"
REPLACED: Final = "replaced by a longer version of the log"
STRAY: Final = "stands outside every hand"
UNSURE: Final = "may be {} as well, since no river card is red"
UNDONE: Final = "not read to its end yet"
UNKNOWN: Final = "no template accepts it"
HEADLESS: Final = f"{UNKNOWN}, and a hand begins with it"
LOST: Final = f"{UNKNOWN}, and its hand has no other line"
BEHEADED: Final = "the line that begins it is missing"
WITH_NUL: Final = f"{UNKNOWN}: it holds NUL bytes"


_PART: Final = PART.partition("{")[0]
_FOREIGN: Final = FOREIGN.partition("{")[0]
_OTHER: Final = OTHER_GAME.partition("{")[0]
_NO_STAKES: Final = NO_STAKES.partition("{")[0]
_OF_DIALECT: Final = NOT_OF_DIALECT.partition("{")[0]
_OF_OPTIONS: Final = _FOREIGN, _OTHER, _OF_DIALECT, _NO_STAKES
_PASSING: Final = FAILED, *_OF_OPTIONS
"""Beginnings of reasons that another version of railbird, or other options, may remove."""

_DETAILS: Final = re.compile(r"""(?<!\w)(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|\d+""", re.DOTALL)
"""Quoted text and numbers; not an apostrophe."""
_STRANGE: Final = 5
_STRANGE_SHARE: Final = 1 / 5
"""A text without a hand and with so many unknown lines, and such a share of them, is not a log that just began."""


def failed_on(error: BaseException) -> str:
    """The reason for a failure of railbird itself; the logger `railbird` has the traceback, at level DEBUG."""
    import logging

    logging.getLogger("railbird").debug("failed", exc_info=error)
    return f"{FAILED}: {failure(error)}"


class Unknown(NamedTuple):
    """A row of `unknown_lines`."""

    file_id: int
    line: int
    text: str
    reason: str


def not_a_log(text: str, dialect: str | None = None) -> str:
    """The reason for a line that no engine writes, or none of the dialect that the user named."""
    return (NOT_OF_DIALECT if dialect else NOT_A_LOG).format(text[:60].strip(), dialect)


_NONE: Final[Counter[str]] = Counter()
"""An empty count that most accounts share; never add to it."""


class _Lost(Counter[str]):
    """Hands by reason, of one account alone: they are added to in place."""


@dataclass(slots=True)
class Account:
    """The result of reading one version of a file; a row of `files` once it is read to its end.

    problem    why the file, or the rest of it, could not be read
    line       the line that shows it
    cut        the file is compressed and its end is missing
    sidecar    its kind, if it informs a log next to it
    dialects, revisions  those of its matches, each with the number of the first match
    rejected   hands that are not stored, by reason
    fits       matches that may be of another game, by the game's name
    strange    the first line that no template accepts, or the first line of a match of no known game
    nameless   the first hand of the first match whose players cannot be identified
    taken_off  the prefix of all its lines
    games      the games of its stored matches, by name
    variants   the user's games that were known as it was read, as `variants.registry.signature` writes them
    """

    file_id: int
    path: str
    size: int
    problem: str = ""
    cut: bool = False
    sidecar: str = ""
    matches: int = 0
    hands_stored: int = 0
    hands_damaged: int = 0
    lines_seen: int = 0
    lines_unknown: int = 0
    dialects: tuple[tuple[str, int], ...] = ()
    revisions: tuple[tuple[str, int], ...] = ()
    rejected: Counter[str] = field(default_factory=lambda: _NONE)
    fits: Counter[str] = field(default_factory=lambda: _NONE)
    strange: Unknown | None = None
    nameless: Unknown | None = None
    taken_off: str = ""
    games: Mapping[str, Properties] = field(default_factory=dict)
    variants: str = ""
    line: int = 1

    @property
    def complaint(self) -> str:
        """The message that the file, or the rest of it, is not read."""
        return f"{self.path}: line {self.line}: {self.problem}"

    @property
    def cause(self) -> str:
        """The problem without the text that it quotes and without numbers: equal for files that fail in one way."""
        return _DETAILS.sub("", self.problem)

    def why_no_log(self, dialect: str | None = None) -> tuple[str, int] | None:
        """Why a file that began like a log is none, and the line that shows it.

        It is of another game, too many of its lines are unknown, or its players cannot be identified.
        """
        if self.hands_stored or self.problem or self.cut:
            return None
        whys = set(+self.rejected)
        # A log that just began has one such hand; that is no reason to complain.
        is_nameless = self.rejected[NAMELESS] > 1 and whys <= {NAMELESS, HEADLESS}
        if self.strange is not None:
            if whys and all(why.startswith(_OF_OPTIONS) for why in whys):
                return min(whys), self.strange.line
            many = self.lines_unknown >= max(_STRANGE, _STRANGE_SHARE * self.lines_seen)
            if many and whys <= {NAMELESS, HEADLESS}:
                return not_a_log(self.strange.text, dialect), self.strange.line
        first = earlier(self.nameless, self.strange)
        if is_nameless and first is not None:
            return f"{NAMELESS} in lines such as {first.text[:60].strip()!r}", first.line
        return None

    @property
    def hands_rejected(self) -> int:
        """Hands read and not stored."""
        return sum(self.rejected.values())

    @property
    def was_read(self) -> bool:
        """True if it is a log, or part of it was read."""
        return self.hands_stored > 0 or not self.problem

    def lose(self, hands: int, damaged: int, why: str = REPLACED, matches: int = 1) -> None:
        """Subtract hands that were removed from the store after they were counted here."""
        for name, count in _held(hands, damaged, matches).items():
            setattr(self, name, getattr(self, name) - count)
        # There may be as many reasons as matches: a new sum for each would take the square of their number.
        if not isinstance(self.rejected, _Lost):
            self.rejected = _Lost(self.rejected)
        self.rejected[why] += hands

    @property
    def hands_known(self) -> int:
        """Hands read and not stored because another file holds them."""
        return sum(hands for why, hands in self.rejected.items() if _is_known(why))

    @property
    def status(self) -> str:
        """ok, partial, ignored (the store has all of it already), sidecar (it informs a log) or rejected.

        A rejected file is read again when it is given again.
        """
        none_yet = not self.hands_stored and self.hands_rejected > 0
        if self.problem or (none_yet and all(why.startswith(_PASSING) for why in +self.rejected)):
            return REJECTED
        if self.sidecar:
            return "sidecar"
        if not self.hands_stored and self.hands_rejected and self.hands_rejected == self.hands_known:
            return "ignored"
        return "partial" if self.hands_rejected or not self.hands_stored or self.cut else "ok"

    @property
    def reason(self) -> str:
        """Why the status is not ok, and which other games its matches may be; may be empty."""
        if self.problem or self.sidecar:
            return self.problem or self.sidecar
        said = [CUT] if self.cut else []
        said += [self.taken_off] if self.taken_off else []
        if not self.hands_stored and not self.rejected:
            strange = f", and no template accepts {self.lines_unknown:,} of its {self.lines_seen:,} lines"
            said.append("no complete hand in it yet" + (strange if self.lines_unknown else ""))
        said += [left_out(count, why) for why, count in sorted(self.rejected.items()) if count]
        said += [
            f"{UNSURE.format(game)}: {count:,} of {self.matches:,}"
            for game, count in sorted(self.fits.items())
        ]
        return "; ".join(said)

    def row(self) -> dict[str, object]:
        """The row of `files`."""
        return {
            "file_id": self.file_id,
            "path": self.path,
            "bytes": self.size,
            "dialect": _in_order(self.dialects),
            "revision": _in_order(self.revisions),
            "matches": self.matches,
            "hands_seen": self.hands_stored + self.hands_rejected,
            "hands_stored": self.hands_stored,
            "hands_damaged": self.hands_damaged,
            "hands_rejected": self.hands_rejected,
            "lines_seen": self.lines_seen,
            "lines_unknown": self.lines_unknown,
            "status": self.status,
            "reason": self.reason or None,
            "variants": self.variants or None,
        }


def is_called(path: str, text: str) -> bool:
    """Whether a file is called so: its path, or its name, with or without the extension, after some of its folders."""
    if text == path:
        return True
    whole, said = PurePath(path), PurePath(text).parts
    if not whole.name:
        # Only a store that railbird did not write has one.
        return False
    return said in (whole.parts[-len(said) :], whole.with_suffix("").parts[-len(said) :])


def lies_in(path: str, text: str) -> bool:
    """Whether a file lies in a folder that is called so."""
    said = PurePath(text).parts
    return bool(said) and any(parent.parts[-len(said) :] == said for parent in PurePath(path).parents)


@lru_cache(maxsize=256)
def joined(
    places: tuple[tuple[str, int], ...], more: tuple[tuple[str, int], ...]
) -> tuple[tuple[str, int], ...]:
    """Names, each with its first place in either; equal results are one object, because there are many accounts."""
    return tuple({name: place for name, place in sorted((*places, *more), key=lambda one: -one[1])}.items())


def _in_order(places: tuple[tuple[str, int], ...]) -> str | None:
    """Names in the order of their places in a file, whichever thread read them first."""
    return "+".join(name for name, _ in sorted(places, key=lambda one: one[1])) or None


def earlier(one: Unknown | None, other: Unknown | None) -> Unknown | None:
    """The line that comes first in its file."""
    if one is None or other is None:
        return one or other
    return other if other.line < one.line else one


def summed(counts: Counter[str], more: Counter[str]) -> Counter[str]:
    """The sum of two counts; the first object itself if nothing is added."""
    if not more:
        return counts
    both = Counter(counts)
    both.update(more)
    return both


def _is_known(why: str) -> bool:
    """True for reasons that say another file holds the hands."""
    return why == KNOWN or why.startswith(_PART)


def reopen(rows: pa.Table, whys: Sequence[str]) -> pa.Table:
    """`files` rows in which those are reopened that left out hands for one of some reasons."""
    changed = []
    for row in rows.to_pylist():
        said = row["reason"] or ""
        if row["status"] in ("ignored", "partial") and any(f": {why}" in said for why in whys):
            row["status"] = REOPENED
        changed.append(row)
    return pa.Table.from_pylist(changed, schema("files"))


def _held(hands: int, damaged: int, matches: int) -> dict[str, int]:
    """The columns of `files` that count stored matches and hands."""
    return {"matches": matches, "hands_stored": hands, "hands_damaged": damaged}


def left_out(count: int, why: str) -> str:
    """A number of hands and why they are not stored, in words."""
    return f"{count:,} {'hand' if count == 1 else 'hands'}: {why}"


def files_table(accounts: Iterable[Account]) -> pa.Table:
    """The `files` rows of some accounts."""
    return pa.Table.from_pylist([account.row() for account in accounts], schema("files"))


def unknown_table(rows: Iterable[Unknown]) -> pa.Table:
    """The `unknown_lines` rows."""
    columns = [*zip(*rows, strict=True)] or [()] * len(Unknown._fields)
    return pa.Table.from_pydict(dict(zip(Unknown._fields, columns, strict=True)), schema("unknown_lines"))


def take_back(
    rows: pa.Table, file_id: int, hands: int, damaged: int, why: str = REPLACED, matches: int = 1
) -> pa.Table:
    """`files` rows after hands of one file were removed, as `Account.lose` does for accounts.

    A rejected or reopened file stays so, and is read again when it is given again.
    """
    taken = []
    for row in rows.to_pylist():
        if row["file_id"] == file_id:
            for name, count in _held(hands, damaged, matches).items():
                row[name] -= count
            row["hands_rejected"] += hands
            if row["status"] not in READ_AGAIN:
                said = [*filter(None, (row["reason"],)), left_out(hands, why)]
                known = all(_is_known(one.partition(": ")[2]) for some in said for one in some.split("; "))
                row["status"] = "ignored" if known and not row["hands_stored"] else "partial"
                row["reason"] = "; ".join(said)
        taken.append(row)
    return pa.Table.from_pylist(taken, schema("files"))


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
    """Advice to make a text readable, from its first bytes; empty if it is readable, or not a log at all."""
    if _has_cr_alone(head):
        return _CR
    if margin := _margin(head):
        lines = head[:_FIRST_HANDS].split(b"\n")
        from ..parsers.dialects import cut_for  # here, because it imports the compiler

        found = cut_for(b"\n".join(line.removeprefix(margin) for line in lines))
        if found is not None and any(match.names for match in found[1]):
            return _INDENTED.format(_margin_name(margin), len(margin) + 1)
    return ""


def why_none(head: bytes) -> str:
    """Why a text that fits no dialect is no log, judged by its first bytes."""
    from ..parsers.dialects import dialects, why_unread

    if not head.strip():
        return "empty"
    if why := why_unread(head):
        return why
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return _UTF_16
    if not head.strip(b"\0"):
        return _NULS
    if b"\0" in head[:4096]:
        return "binary, not a log"
    if (said := head[:_FIRST_HANDS].lstrip()).startswith((b"{", b"[{")):
        # A first line of `{` says nothing.
        return not_a_log(_quoted(b" ".join(said.split())))
    lines = [line for line in head[:_FIRST_HANDS].split(b"\n") if line.strip()]
    grammars = {dialect.grammar for dialect in dialects()}
    strange = (line for line in lines if not any(grammar.accepts(line.rstrip()) for grammar in grammars))
    line = next(strange, None)
    return not_a_log(_quoted(line)) if line is not None else _NO_HAND.format(_quoted(lines[0]))


def _quoted(line: bytes) -> str:
    """The beginning of a line, for a message."""
    return line[:60].decode("utf-8", "backslashreplace").strip()


def _has_cr_alone(head: bytes) -> bool:
    """True for several lines without any LF: the rules read them as one."""
    return b"\n" not in head and b"\0" not in head and head.strip().count(b"\r") > 1


def _margin(head: bytes) -> bytes:
    """The blanks or quotation marks at the beginning of every non-empty line; mostly none."""
    if head.lstrip(b"\r\n")[:1] not in (b" ", b"\t", b">", b"|") or _UNINDENTED.search(head):
        return b""
    lines = [line for line in head.split(b"\n") if line.strip(_MARGIN + b"\r")]
    margins = {line[: len(line) - len(line.lstrip(_MARGIN))] for line in lines}
    least = min(margins, key=len, default=b"")
    return least if all(margin.startswith(least) for margin in margins) else b""


def _margin_name(margin: bytes) -> str:
    """A margin in words, because a printed line would merge its blanks."""
    for byte, name in ((b" ", "blank"), (b"\t", "tab")):
        if not margin.strip(byte):
            return f"a {name}" if len(margin) == 1 else f"{len(margin)} {name}s"
    return repr(margin.decode())
