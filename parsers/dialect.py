"""The description of a dialect, and of a match within a text."""

import codecs
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from .grammar import Grammar, Template

Text = bytes | bytearray

MAX_DOCUMENT: Final = 64 << 20
"""Bytes of one document of records, if the user does not say otherwise."""

UNREAD: Final = b"unread: "
"""Marks a line of a table (`table_lines`) that represents an unreadable record."""

MOST_SEATED: Final = 12
"""Players of a hand."""
MOST_NAMES: Final = 60
"""The most players of a match whose hands name their players; a log with more is cut into several matches."""

ANSWER_SIZE: Final = 5
"""Values of an answer: the seat; the decision, UNKNOWN if it cannot be read, -1 for none; the amount, or the place in
the text; its length; its line where that is not in this text, else 0."""


@dataclass(frozen=True)
class MatchText:
    """One match in a text: offsets of its start, of its lines after the header, and of its end.

    names: the players by seat, empty if they cannot be identified; header_fits: False if the header names
    others; cut_short: True if the match ends without a line end although its engine ends every line with one: the
    last line may be incomplete. aliases: other names of the players in some lines, read as seats from len(names) on.
    opening: the offset of its own first line, after `start` if other text precedes the first match.
    """

    start: int
    body: int
    end: int
    names: tuple[bytes, ...]
    header_fits: bool = True
    cut_short: bool = False
    aliases: tuple[bytes, ...] = ()
    opening: int = 0
    engine: str = ""

    def moved(self, by: int) -> Self:
        """The same match if `by` bytes are inserted before the text."""
        found = object.__new__(type(self))
        # `replace` sets each field by a call: for short files, that took as long as the scan.
        found.__dict__.update(
            self.__dict__,
            start=self.start + by,
            body=self.body + by,
            end=self.end + by,
            opening=self.opening + by,
        )
        return found


@dataclass(frozen=True)
class StakedMatch(MatchText):
    """A match whose text gives its stakes: a stack and the blinds, 0 if unknown."""

    stack: int = 0
    small_blind: int = 0
    big_blind: int = 0


@dataclass(frozen=True)
class Answers:
    """The players' answers in a match, from a log next to its replay.

    file_id  of the log
    rows     (answers, 5) int64: the hand's number, the seat, the decision, the amount, the line in the log
    """

    file_id: int
    rows: NDArray[np.int64]


@dataclass(frozen=True)
class TableMatch(StakedMatch):
    """A match of an engine that writes two logs: the cards of its first hand, which identify the pair; the answers."""

    deal: tuple[tuple[bytes, ...], ...] = ()
    answers: Answers | None = None


class Note(NamedTuple):
    """A player's remark about a decision: the decision's line in the match's body, from 1, and the seat.

    seconds: time of the decision; status: how the engine treated the answer; text: the player's reasoning;
    probability, claim: the player's estimate of its hand.
    """

    line: int
    seat: int
    seconds: float | None = None
    status: str = ""
    text: str = ""
    probability: float | None = None
    claim: str = ""


@dataclass(frozen=True)
class RecordMatch(StakedMatch):
    """A match made from records (`table_lines`): units per chip, units of the least share of a pot, players' notes.

    own: hole cards known only from one player's file, by the line of the body, from 1, that marks them hidden
    played_at: when the match began, as `matches.played_at` has it; "" if no record says it
    """

    unit: int = 1
    chip: int = 1
    notes: tuple[Note, ...] = ()
    own: tuple[tuple[int, tuple[str, ...]], ...] = ()
    played_at: str = ""


Cut = Callable[[Text], list[MatchText]]


def no_cut(_: Text) -> list[MatchText]:
    """In place of the cut of a dialect of records, whose matches come from a translator."""
    return []


_HEAD: Final = 1 << 16
BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks, and the encoding of each."""


def decoded(head: bytes) -> bytes:
    """The first bytes of a file as UTF-8, without a byte order mark."""
    for mark, encoding in BOMS:
        if head.startswith(mark):
            return head.decode(encoding, "replace").encode() if encoding != "utf-8-sig" else head[len(mark) :]
    return head


class Form(Protocol):
    """A test of a file's first bytes."""

    def match(self, head: bytes, /) -> object:
        """Truthy for a file with these first bytes."""


@dataclass(frozen=True)
class Records:
    """How a file stores records, and the module that translates them into the lines of a table.

    form      document (one JSON document), lines (a JSON document a line), text (lines of text), toml (PHH)
    signs     bytes that every such file's head contains; unlike: bytes that it does not contain
    module    of `parsers`: its `translate(records, out)`, a generator that yields where what was written may be taken;
              records are `records.Record`, out `table_lines.Lines`; its `RECORD` is the type of a JSON record
    begins    a further test of the head, if signs alone do not decide
    beside    the translator also gets the file's sidecars, by the file's path (`Sidecars.beside`)
    together  such files of one folder are one match, ordered by the module's `order(head)`
    """

    form: str
    signs: tuple[bytes, ...]
    module: str
    unlike: tuple[bytes, ...] = ()
    together: bool = False
    begins: Form | None = None
    beside: bool = False

    @property
    def is_json(self) -> bool:
        """True if a file begins as JSON does."""
        return self.form in ("document", "lines")

    def fits(self, head: bytes) -> bool:
        """True for a file that begins so."""
        head = head[:_HEAD]
        for sign in self.signs:
            if sign not in head:
                return False
        if self.begins is not None and not self.begins.match(head):
            return False
        return not (self.unlike and any(sign in head for sign in self.unlike))


class Holds(NamedTuple):
    """A form of files that begin with a brace, after `blanks` if they may, and hold a word somewhere in their head."""

    word: bytes
    blanks: bool = True

    def match(self, head: bytes, /) -> bool:
        """True for a file that begins so."""
        return self.word in head and (head.lstrip() if self.blanks else head).startswith(b"{")


def by_words(text: Text) -> list[MatchText]:
    """A placeholder: `dialects.register` replaces it by the cut that follows from the dialect's grammar."""
    raise LookupError("the dialect has not been registered, so how its matches are cut is not known")


Sorted = tuple[bytes, NDArray[np.int64]]
"""A text with reordered lines, and the file's line number of each (lines,)."""

Apart = Callable[[Text], Sorted | None]


_DENSE_RECORDS: Final = 5
"""A hand of six players has 240 bytes of such lines, with six rows of seats; in an MIT log 500 bytes have two."""


@dataclass(frozen=True)
class Dialect:
    """The form of a log.

    name      as in the store
    game      name of its logs' game
    grammar   its lines
    cut       finds the matches of a text; by default by the words of the grammar
    opens     bytes that begin a hand's first line; by default those of its line `round`; if hands have no common
              beginning, bytes that begin no line
    closes    bytes that every complete hand contains; by default the longest text of its line `award`
    signs     bytes within a line or, after a line end, at its beginning, and the form of the whole line: templates, by
              their events, or a regular expression: the player's name, (.+), and the rest from the sign on; an
              expression with line ends spans several lines. Only its logs have such lines among those with this cut
    header    the beginning of its logs' headers, if no other dialect's headers begin so: such a header decides
    dense     rows per byte, as a multiple of an MIT log's; memory and time grow with it; for records, per byte of
              their lines, by default _DENSE_RECORDS
    beside    other files of its engine, by their first bytes, and the kind of each: their hands are those of its logs
    alone     why such a file is refused if no log of its name is among the inputs; "" if it is not refused
    unread    files of its engine that railbird does not read, by their first bytes, and why
    apart     sorts the lines of interleaved matches match by match; None if no matches are interleaved
    players   fewest and most players of its matches; (0, 0) for any number
    holes     hole cards that its lines `dealt` print, 0 if that is not known
    records   of a dialect of records: its files; their matches have a translator instead of a cut (`no_cut`)
    in_lines  True if every line contains `opens`, but none begins with it
    views     True if files of one match differ in the cards, stacks or players' names that they show: a player's, a
              spectator's, or one of an earlier day
    """

    name: str
    game: str
    grammar: Grammar
    cut: Cut = field(default=by_words, repr=False)
    opens: bytes = b""
    closes: bytes = b""
    signs: tuple[tuple[bytes, str | re.Pattern[bytes]], ...] = ()
    header: bytes = b""
    dense: int = 0
    beside: tuple[tuple[Form, str], ...] = ()
    unread: tuple[tuple[re.Pattern[bytes], str], ...] = ()
    apart: Apart | None = field(default=None, repr=False)
    players: tuple[int, int] = (0, 0)
    holes: int = 0
    records: Records | None = None
    in_lines: bool = False
    alone: str = ""
    views: bool = False

    def __hash__(self) -> int:
        """Hash of the name alone: caches look a dialect up for every match."""
        return hash(self.name)

    def __post_init__(self) -> None:
        """Derive missing words from the grammar; ValueError if that is impossible."""
        if not self.dense:
            object.__setattr__(self, "dense", 1 if self.records is None else _DENSE_RECORDS)
        if not self.opens:
            object.__setattr__(self, "opens", self.grammar.hand_word)
        if not self.closes:
            object.__setattr__(self, "closes", self.grammar.closing_word)


_AROUND_HANDS: Final = ("header", "round", "final")
_TELLING: Final = 4
"""The fewest letters of a sign."""


def signs_of(lines: Iterable[Template]) -> tuple[tuple[bytes, str], ...]:
    """Signs from lines that only this dialect has: the longest text of each, and the event."""
    texts = (
        (max((part for part in line.parts if isinstance(part, str)), key=len, default=""), line.event)
        for line in lines
        if line.event not in _AROUND_HANDS
    )
    return tuple((text.encode(), event) for text, event in texts if len(text.strip()) >= _TELLING)


def line_at(text: Text, at: int) -> bytes:
    """The line that begins at an offset, with its line end."""
    end = text.find(b"\n", at)
    return bytes(text[at : end + 1 if end >= 0 else len(text)])


def line_start(text: Text, at: int) -> int:
    """The offset at which the line of an offset begins."""
    return text.rfind(b"\n", 0, at) + 1
