"""The lines of a table: translators of records write them, and the replay of tables reads them.

Every engine of records describes a hand in its own form: seats and stacks, posts, cards, actions and payouts. A
translator (`dialect.Records`) writes it in these lines, one event each. Players are seats, indices of their names in
the match, so no name can be read as a line. Amounts are whole numbers of a unit; the match has the units per chip.

=====================  ===============================================================================================
hand N D               begins a hand: its number, the dealer's seat, -1 if unknown
reason WORDS           before all other lines of its hand: it is stored, but not checked, for this reason
limit K L H            no limit 0, pot limit 1, fixed 2; the least bet, or the small one; the big one, 0 without a limit
seat S C               a player dealt in, from the one after the dealer on; chips before any post, -1 if unknown
ante S C, dead S C     chips that are no bet: counted like bets in side pots, or all in the first pot
small, big, straddle   S C, chips that are a bet
price C                the cost of a call before the flop, if the big blind had less chips
first S                the first to act before the flop, if not the player after the largest bet
skip                   no betting before the flop: all have posted the same
deal S CARDS           hole cards; `hidden S N` so many unknown ones
board CARDS            the next cards of the board; `again CARDS` those of a second one: each has half of every pot
round                  the next betting of a game without a board
fold, call, check S    a call of nothing is a check; leave S a fold, also before it is the player's turn
raise S C, call_to S C the player's total on the street; allin S all of the player's chips
late, misformatted, gone S; illegal S C   a bad answer, in whose place the engine acts
back S C               the unmatched chips of a bet
lost S                 throws its cards away at the showdown, and loses
show S CARDS, muck S   at the showdown; called S K: the file's name of the hand, 0 high card to 8 straight flush
win S C, total S C     paid from the pots, without the unmatched part of a bet, or with it
net S C, left S C      the result of the hand; chips after it
rake C                 chips taken from the pot
silent                 no player shows cards, or there is no showdown, according to the record
repeated N             after a hand: the file repeats its end as hand N, which was not played
final S C              after the last hand: the result of the match
unfinished             the record stops within the hand
end                    ends the hand
=====================  ===============================================================================================
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import TracebackType
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .dialect import MOST_NAMES, UNREAD, Note, RecordMatch
from .grammar import Grammar

Hand = TypeVar("Hand")

OPENS: Final = b"hand "
CLOSES: Final = b"\nend"
_HAND: Final = "hand "

GRAMMAR: Final = Grammar(
    """
    header        table {*}
    round         hand {n} {n}
    reason        reason {*}
    limit         limit {n} {n} {n}
    seated        seat {n} {n}
    ante          ante {n} {n}
    dead          dead {n} {n}
    small         small {n} {n}
    big           big {n} {n}
    straddle      straddle {n} {n}
    price         price {n}
    first         first {n}
    skip          skip
    dealt         deal {n} {c}
    hidden        hidden {n} {n}
    board         board {c}
    again         again {c}
    separator     round
    fold          fold {n}
    leave         leave {n}
    call          call {n}
    check         check {n}
    raise         raise {n} {n}
    call_to       call_to {n} {n}
    all_in        allin {n}
    discard       discard {n} {n}
    late          late {n}
    misformatted  misformatted {n}
    gone          gone {n}
    illegal_raise_to  illegal {n} {n}
    returned      back {n} {n}
    show          show {n} {c}
    muck          muck {n}
    lost          lost {n}
    called        called {n} {n}
    award         win {n} {n}
    total         total {n} {n}
    net           net {n} {n}
    left          left {n} {n}
    rake          rake {n}
    nobody        silent
    note          repeated {n}
    outcome       final {n} {n}
    unfinished    unfinished
    hand_over     end
    """
)


def in_matches(
    hands: Iterable[Hand], players: Callable[[Hand], Iterable[str]]
) -> Iterator[tuple[list[str], list[Hand]]]:
    """Split the hands of a table into matches of at most MOST_NAMES players; each has its names in order.

    players: returns all players of a hand
    """
    names: dict[str, None] = {}
    some: list[Hand] = []
    for hand in hands:
        more = names | dict.fromkeys(players(hand))
        if len(more) > MOST_NAMES and some:
            yield [*names], some
            some, more = [], dict.fromkeys(players(hand))
        some.append(hand)
        names = more
    if some:
        yield [*names], some


class RecordError(ValueError):
    """A record that cannot be read; the message is the reason in a few words."""


_CARD: Final = re.compile(r"[2-9TJQKA][cdhs]")


@lru_cache(1 << 13)
def cards_text(cards: tuple[str, ...]) -> str:
    """Cards as a line has them; RecordError if one is none."""
    for card in cards:
        if not _CARD.fullmatch(card):
            raise RecordError("a hand with a card that is none")
    return " ".join(cards)


QUOTED: Final = 200
"""The most bytes of a record to quote."""


def unread_line(sentence: str, is_hand: bool = False, text: bytes = b"") -> str:
    """The line of an unreadable record: the reason, and how the record begins.

    is_hand: count it as a rejected hand. Bytes of a sentence that are not UTF-8 are written in hexadecimal.
    """
    why = " ".join(sentence.split()).encode("utf-8", "backslashreplace").decode()
    said = f"{_HAND if is_hand else ''}{UNREAD.decode()}{why}"
    quoted = " ".join(text[:QUOTED].decode("utf-8", "replace").split())
    return f"{said}\t{quoted}" if quoted else said


class Unreadable(NamedTuple):
    """An unreadable record: the reason, how it begins, and whether it counts as a rejected hand."""

    why: str
    text: bytes
    is_hand: bool


def unreadable(line: bytes) -> Unreadable | None:
    """The content of a line from `unread_line` that quotes its record; None for other lines."""
    said, tab, quoted = line.partition(b"\t")
    opens, found, why = said.partition(UNREAD)
    if not tab or not found or opens not in (b"", OPENS):
        return None
    return Unreadable(why.decode("utf-8", "replace"), quoted, bool(opens))


@dataclass
class Table:
    """A match while it is written: its lines, and the line or record of the file that each comes from.

    names   the players by seat
    engine  name of its dialect
    unit    units of its amounts per chip; chip: units of the least share of a pot
    stack, small, big  its stakes, in units, 0 if unknown
    opening  number of names in the text that identifies the match: if players join later, those of the first hand;
             0 for all
    played_at  when the first hand was played, "" if no record says it (`record_values.moment`)
    body     instead of lines and places: the text of all lines; numbers: the line of the file of each (lines,)
    """

    names: Sequence[str]
    engine: str
    unit: int = 1
    chip: int = 1
    stack: int = 0
    small: int = 0
    big: int = 0
    opening: int = 0
    played_at: str = ""
    lines: list[str] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    own: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    _text: bytes = b""
    body: bytes = b""
    numbers: NDArray[np.int64] | None = None

    @property
    def size(self) -> int:
        """The number of lines."""
        return len(self.lines) if self.numbers is None else len(self.numbers)

    def text(self) -> tuple[bytes, NDArray[np.int64]]:
        """All lines, and the line or record of the file of each."""
        if self.numbers is not None:
            return self.body, self.numbers
        count = len(self.lines)
        if len(self.places) == 1 and not self.places[0][0]:
            numbers = np.full(count, self.places[0][1], np.int64)
        else:
            numbers = np.zeros(count, np.int64)
            if self.places:
                at = np.array([*self.places, (count, 0)], np.int64)
                numbers[at[0, 0] :] = np.repeat(at[:-1, 1], np.diff(at[:, 0]))
        # Bytes that are not UTF-8 are in no line that is read.
        return "\n".join([*self.lines, ""]).encode("utf-8", "backslashreplace"), numbers

    def at(self, number: int, text: bytes = b"") -> None:
        """The lines that follow are of this line or record of the file. text: how it begins, to be quoted."""
        self.places.append((len(self.lines), number))
        self._text = text

    def add(self, line: str) -> None:
        """Append a line."""
        self.lines.append(line)

    def note(
        self,
        seat: int,
        seconds: float | None = None,
        status: str = "",
        text: str = "",
        probability: float | None = None,
        claim: str = "",
    ) -> None:
        """Add a player's time, reasoning and claim for the decision whose line was added last."""
        self.notes.append(Note(len(self.lines), seat, seconds, status, text, probability, claim))

    def hide(self, seat: int, cards: int, own: Sequence[str] = ()) -> None:
        """Add unknown hole cards. own: those that the file knows because the player wrote it.

        Both players may write a file of one match: own cards are not part of the text, so the texts are equal.
        """
        self.lines.append(f"hidden {seat} {cards}")
        if len(own) == cards:
            self.own.append((len(self.lines), tuple(own)))

    def unread(self, sentence: str, is_hand: bool = False, text: bytes = b"") -> None:
        """Add an unreadable record (`unread_line`)."""
        self.lines.append(unread_line(sentence, is_hand, text))

    def hand_or_nothing(self, is_hand: bool = False) -> "_HandOrNothing":
        """A context for the lines of a hand; a RecordError within it replaces them by one line with the reason."""
        return _HandOrNothing(self, is_hand)

    def take_back(self, lines: int, places: int, notes: int, why: str, is_hand: bool) -> None:
        """Drop all after so many lines, places and notes, and add a line with the reason why the hand is unreadable."""
        if places < len(self.places) and self.places[places][0] == lines:
            # The record's own number stays.
            places += 1
        del self.lines[lines:], self.places[places:], self.notes[notes:]
        self.unread(why, is_hand or bool(self._text), self._text)


class _HandOrNothing:
    """`Table.hand_or_nothing`: a class, because a generator takes as long as writing some lines."""

    __slots__ = "_before", "_is_hand", "_table"

    def __init__(self, table: Table, is_hand: bool) -> None:
        """Note the table's sizes before the hand."""
        self._table, self._is_hand = table, is_hand
        self._before = len(table.lines), len(table.places), len(table.notes)

    def __enter__(self) -> None:
        """Nothing to begin."""

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _at: TracebackType | None
    ) -> bool:
        """Drop the hand after a RecordError."""
        if not isinstance(error, RecordError):
            return False
        self._table.take_back(*self._before, str(error), self._is_hand)
        return True


class Translated(NamedTuple):
    """Some matches as text: their lines, their descriptions, and the line or record of each line (lines,)."""

    text: bytes
    matches: tuple[RecordMatch, ...]
    line_of: NDArray[np.int64]


class Lines:
    """Matches while they are written, in the order in which they begin; added lines go to the last one."""

    def __init__(self) -> None:
        """Start without matches."""
        self.tables: list[Table] = []
        self._strays: list[tuple[int, str]] = []
        self._number, self._before, self._text = 0, 0, b""

    def match(
        self,
        names: Sequence[str],
        engine: str,
        unit: int = 1,
        stack: int = 0,
        small: int = 0,
        big: int = 0,
        chip: int = 1,
        opening: int = 0,
        played_at: str = "",
    ) -> Table:
        """A new match (`Table`)."""
        table = Table(names, engine, unit, chip, stack, small, big, opening, played_at)
        self.add_table(table)
        # Bound methods: no look-up of the last table for each line.
        self.add, self.note, self.hide = table.add, table.note, table.hide
        self.hand_or_nothing = table.hand_or_nothing
        if self._number:
            table.at(self._number, self._text)
        return table

    def add_table(self, table: Table) -> None:
        """Append a match that was written elsewhere."""
        if self.tables:
            self._before += self.tables[-1].size
        self.tables.append(table)

    @property
    def lines(self) -> list[str]:
        """The lines of the last match."""
        return self.tables[-1].lines

    def at(self, number: int, text: bytes = b"") -> None:
        """The lines that follow are of this line or record of the file. text: how it begins, to be quoted."""
        self._number, self._text = number, text
        if self.tables:
            self.tables[-1].at(number, text)

    def unread(
        self, sentence: str, number: int | None = None, is_hand: bool = False, text: bytes = b""
    ) -> None:
        """Add an unreadable record, to the last match or, without one, before the first."""
        number = self._number if number is None else number
        if self.tables and self.tables[-1].lines:
            self.tables[-1].at(number)
            self.tables[-1].unread(sentence, is_hand, text)
        else:
            self._strays.append((number, unread_line(sentence, is_hand and bool(text), text)))

    @property
    def size(self) -> int:
        """Lines so far; only the last match grows."""
        return self._before + self.tables[-1].size if self.tables else 0

    @property
    def first_unread(self) -> tuple[int, str] | None:
        """The number and the text of the first unreadable record outside all matches."""
        return self._strays[0] if self._strays else None

    def take(self) -> Translated:
        """Return the matches so far, and drop them."""
        texts: list[bytes] = []
        numbers: list[NDArray[np.int64]] = []
        matches: list[RecordMatch] = []
        at = 0
        for table in self.tables:
            if not table.size:
                continue
            above = self._strays
            self._strays = []
            opening = "".join(f"{line}\n" for _, line in above).encode()
            header = _header(table.engine, tuple(table.names), table.opening)
            body, lines = table.text()
            if above:
                numbers.append(np.array([number for number, _ in above], np.int64))
            numbers += lines[:1], lines
            start = at
            texts += opening, header, body
            at += len(opening) + len(header) + len(body)
            matches.append(
                RecordMatch(
                    start,
                    at - len(body),
                    at,
                    _encoded(tuple(table.names)),
                    opening=start + len(opening),
                    engine=table.engine,
                    stack=table.stack,
                    small_blind=table.small,
                    big_blind=table.big,
                    unit=table.unit,
                    chip=table.chip,
                    notes=tuple(table.notes),
                    own=tuple(table.own),
                    played_at=table.played_at,
                )
            )
        self.tables, self._before = [], 0
        line_of = np.concatenate(numbers) if numbers else np.zeros(0, np.int64)
        return Translated(b"".join(texts), tuple(matches), line_of)


@lru_cache(64)
def _header(engine: str, names: tuple[str, ...], opening: int) -> bytes:
    """The first line of a match."""
    return f"table {engine} {json.dumps(names[: opening or None])}\n".encode()


@lru_cache(64)
def _encoded(names: tuple[str, ...]) -> tuple[bytes, ...]:
    return tuple(name.encode("utf-8", "surrogateescape") for name in names)
