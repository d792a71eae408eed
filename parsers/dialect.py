"""What a dialect is, and how a text is cut into the matches it holds."""

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
"""In a line of a table (`table_lines`) that stands for a record that cannot be read."""

MOST_SEATED: Final = 12
"""Players of a hand."""
MOST_NAMES: Final = 60
"""Players of a match whose hands name who plays them; a log with more is cut into matches."""

ANSWER_SIZE: Final = 5
"""Values of an answer: the seat; the decision, UNKNOWN if it cannot be read, -1 for none; the amount, or the place in
the text; its length; its line where that is not in this text, else 0."""


@dataclass(frozen=True)
class MatchText:
    """One match in a text: offsets of its start, of its lines after the header, and of its end.

    names: the players by seat, empty if they cannot be identified; header_fits is False if the header names
    others; cut_short is True where the match ends without a line end, with which its engine ends all lines: the
    last one may lack characters. aliases: other names of the players in some lines, read as seats from len(names) on.
    opening: where its own first line begins, later than `start` where other text stands before the first match.
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
        """The match in a text that has so many bytes more in front."""
        found = object.__new__(type(self))
        # `replace` sets each field by a call: where files are short, it took as long as the scan.
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
    """A match whose text says what it is played for: a stack and the blinds, 0 where it does not."""

    stack: int = 0
    small_blind: int = 0
    big_blind: int = 0


@dataclass(frozen=True)
class Answers:
    """What the players of a match answered, from a log beside its replay.

    file_id  of the log
    rows     (answers, 5) int64: the hand's number, the seat, the decision, the amount, the line in the log
    """

    file_id: int
    rows: NDArray[np.int64]


@dataclass(frozen=True)
class TableMatch(StakedMatch):
    """A match of an engine that writes two logs: the cards of its first hand, by which they are one; the answers."""

    deal: tuple[tuple[bytes, ...], ...] = ()
    answers: Answers | None = None


class Note(NamedTuple):
    """What a player said of a decision beside it: the decision's line in the match's body, from 1, and the seat.

    seconds: that the decision took; status: what became of the answer; text: what the player thought;
    probability, claim: what the player said of its hand.
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
    """A match out of records (`table_lines`): units of a chip, units of the least share of a pot, players' notes.

    own: hole cards that only the file of one player has, by the line of the body, from 1, that says they are hidden
    played_at: when the match began, as `matches.played_at` has it; "" where no record says it
    """

    unit: int = 1
    chip: int = 1
    notes: tuple[Note, ...] = ()
    own: tuple[tuple[int, tuple[str, ...]], ...] = ()
    played_at: str = ""


Cut = Callable[[Text], list[MatchText]]


def no_cut(_: Text) -> list[MatchText]:
    """Stands for the cut of a dialect of records, whose matches a translator makes."""
    return []


_HEAD: Final = 1 << 16
BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Marks at the start of a file, and the encoding that each stands for."""


def decoded(head: bytes) -> bytes:
    """The first bytes of a file as UTF-8, without a byte order mark."""
    for mark, encoding in BOMS:
        if head.startswith(mark):
            return head.decode(encoding, "replace").encode() if encoding != "utf-8-sig" else head[len(mark) :]
    return head


class Form(Protocol):
    """What tells a file by its first bytes."""

    def match(self, head: bytes, /) -> object:
        """Anything true for a file that begins so."""


@dataclass(frozen=True)
class Records:
    """How a file holds records, and who translates them into the lines of a table.

    form      document (one JSON document), lines (a JSON document a line), text (lines of text), toml (PHH)
    signs     bytes of the head of each such file, all of them; unlike: bytes of which it has none
    module    of `parsers`: its `translate(records, out)`, a generator that yields where what was written may be taken;
              records are `records.Record`, out `table_lines.Lines`; its `RECORD` is the type of a JSON record
    begins    a further test of the head, where signs alone do not decide
    beside    the translator is also given what lies beside a file, by the file's path (`Sidecars.beside`)
    together  such files of one folder are one match, in the order that `order(head)` of the module gives them
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
        """True where a file begins as JSON does."""
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
    """Stands for the cut that follows from a dialect's grammar, which `dialects.register` puts in its place."""
    raise LookupError("the dialect has not been registered, so how its matches are cut is not known")


Sorted = tuple[bytes, NDArray[np.int64]]
"""A text with its lines in another order, and for each the number it has in the file (lines,)."""

Apart = Callable[[Text], Sorted | None]


_DENSE_RECORDS: Final = 5
"""A hand of six players has 240 bytes of such lines, with six rows of seats; in an MIT log 500 bytes have two."""


@dataclass(frozen=True)
class Dialect:
    """How a log is written.

    name      as in the store
    game      name of the game its logs are of
    grammar   its lines
    cut       the matches of a text; by default as the words of the grammar say
    opens     bytes that begin a hand's first line; by default those of its line `round`; where hands begin in any
              way, some that begin no line
    closes    bytes that every whole hand holds; by default the longest text of its line `award`
    signs     bytes within a line or, after a line end, at its beginning, and what the whole line then is: templates, by
              their events, or an expression: the player's name, (.+), and from the sign on; an expression with line
              ends within is of several lines. Such lines are in its logs and in no other's that is cut alike
    header    what the headers of its logs begin with, where those of no other dialect do: such a header decides
    dense     how many times as many rows a byte of it has as one of an MIT log: so much more memory, and time; of the
              lines that records become, if not said otherwise, _DENSE_RECORDS
    beside    other files of its engine, by how they begin, and what each is: their hands are those of its logs
    alone     why such a file is refused where no log of its name is among the inputs; "" where it is not
    unread    files of its engine that railbird does not read, by how they begin, and why
    apart     the lines of matches that were written at once, match by match; None where none were
    players   fewest and most players of its matches; (0, 0) where any number may play
    holes     hole cards that its lines `dealt` print, 0 where that is not known
    records   of a dialect of records: its files; their matches have no cut (`no_cut`), but a translator
    in_lines  True where `opens` stands in every line, and begins none
    views     True where files of one match know different cards, stacks or players' names: those of one player, those
              of a spectator, those of an earlier day
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
        """By the name alone: caches look a dialect up for every match."""
        return hash(self.name)

    def __post_init__(self) -> None:
        """Derive the words that are left out from the grammar; ValueError where it does not say them."""
        if not self.dense:
            object.__setattr__(self, "dense", 1 if self.records is None else _DENSE_RECORDS)
        if not self.opens:
            object.__setattr__(self, "opens", self.grammar.hand_word)
        if not self.closes:
            object.__setattr__(self, "closes", self.grammar.closing_word)


_AROUND_HANDS: Final = ("header", "round", "final")
_TELLING: Final = 4
"""Letters of a line that are looked for."""


def signs_of(lines: Iterable[Template]) -> tuple[tuple[bytes, str], ...]:
    """Signs of a dialect that alone has some lines: of each within hands the longest text, and the event."""
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
