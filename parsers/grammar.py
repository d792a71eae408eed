"""The template grammar: a table of lines, compiled to a byte automaton, or read backwards to write a log.

A grammar is text, one line template a row: an event's name (`events.CODES`), blanks, the pattern, in double
quotes where it begins or ends with a blank. A line that is two events, something and a decision, has both names,
joined by `+`: `redraw_hole+raise {p} redraws hole card {n} and raises to {n}`. The player is first, then
come the numbers of the first event, then that of the decision. In a pattern all text but the fields is literal:

==========  ==========================================================================================
`{p}`       a player of the current match, by name
`{n}`       a decimal integer, `-` and `+` allowed, no leading zeros; `.0` after it means nothing
`{m}`       an integer whose minus sign the line leaves out: `loses 12` is -12
`{c}`       cards such as `Ah 9d`, separated by one blank, none allowed; a suit may be a capital, a ten `10`
`{r}`       a rank, one of `cards.RANKS`, or `10`
`{d}`       a decimal number such as `12.50`, `-` allowed; read as ten thousandths, further digits dropped
`{q}`       quoted cards such as `'Ah', '9d'`, none allowed
`{l}`       the same of a deck that has ones: `'1h', '9d'`
`{w}`       one card in words such as `SPADES 10` or `HEARTS A`
`{x}`       a table's cell of cards: `"['Ah', '9d']"`, quoted only where it has a comma, `[]`, `Ah`, or nothing
`{*}`       the rest of the line, whatever it holds
`{t}`       a date and a time such as `2026-03-07 12:00:00`, in headers alone
==========  ==========================================================================================
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..schema.words import LOWEST, RANKS, SUITS
from . import events

INTEGER: Final = 0
CARDS: Final = 1
PLAYER: Final = 2
RANK: Final = 3
DECIMAL: Final = 4
QUOTED: Final = 5
REST: Final = 6
NEGATED: Final = 7
TIME: Final = 8
QUOTED_LOW: Final = 9
WORDED: Final = 10
CELL: Final = 11
FIELD_KINDS: Final = {
    "n": INTEGER,
    "c": CARDS,
    "p": PLAYER,
    "r": RANK,
    "d": DECIMAL,
    "q": QUOTED,
    "*": REST,
    "m": NEGATED,
    "t": TIME,
    "l": QUOTED_LOW,
    "w": WORDED,
    "x": CELL,
}

_FIELD = re.compile(r"\{([a-z*])\}")
_RANK = f"(?:10|[{RANKS}])"
_CARD = f"{_RANK}[{SUITS}{SUITS.upper()}]"
_LOW_CARD = f"(?:{_RANK}|{LOWEST})[{SUITS}{SUITS.upper()}]"
SUIT_WORDS: Final = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")
"""By the place of a suit in `SUITS`."""
_REGEX: Final = {
    INTEGER: r"([-+]?(?:0|[1-9][0-9]*))(?:\.0+)?",
    CARDS: rf"((?:{_CARD}(?: {_CARD})*)?)",
    PLAYER: r"(.+)",
    RANK: rf"({_RANK})",
    DECIMAL: r"(-?[0-9]+(?:\.[0-9]+)?)",
    QUOTED: rf"((?:'{_CARD}'(?:, '{_CARD}')*)?)",
    REST: r"(.*)",
    NEGATED: r"((?:0|[1-9][0-9]*))(?:\.0+)?",
    QUOTED_LOW: rf"((?:'{_LOW_CARD}'(?:, '{_LOW_CARD}')*)?)",
    TIME: r"([0-9]{4}(?:-[0-9]{2}){2} [0-9]{2}(?::[0-9]{2}){2})",
    WORDED: rf"((?:{'|'.join(SUIT_WORDS)}) {_RANK})",
    CELL: rf"""(\"?\[(?:'{_CARD}'(?:, '{_CARD}')*)?\]\"?|(?:{_CARD})?)""",
}

_LONGEST: Final = 2048
"""The most bytes of a line that is matched: engines write no longer lines, and matching takes quadratic time."""

Value = int | str | Sequence[str]


MOST_DIGITS: Final = 18
"""Any number of so many digits fits an int64."""


TOO_LONG: Final = -(10**MOST_DIGITS)
"""In place of a number with more digits; no number in a log has this value."""


def number_in(digits: bytes | str) -> int:
    """The value of digits, or of a sign and digits; TOO_LONG for more than 18 characters, the sign included.

    Callers that store the number reject TOO_LONG with the line and a reason; the scanner rejects such lines itself.
    """
    return int(digits) if len(digits) <= MOST_DIGITS else TOO_LONG


@dataclass(frozen=True)
class Template:
    """One row of a grammar: the event's name and the pattern's parts, each a text or the kind of a field."""

    event: str
    pattern: str
    parts: tuple[str | int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Split the pattern; raises ValueError for an unknown event or field."""
        for event in self.events:
            if not events.is_known(event):
                raise ValueError(f"no event is called {event!r}")
        parts: list[str | int] = []
        for number, piece in enumerate(_FIELD.split(self.pattern)):
            if number % 2 and piece not in FIELD_KINDS:
                raise ValueError(f"no field {{{piece}}} in {self.pattern!r}")
            if number % 2:
                parts.append(FIELD_KINDS[piece])
            elif piece:
                parts.append(piece)
        object.__setattr__(self, "parts", tuple(parts))
        if len(self.events) > 1:
            self._check_joint([part for part in parts if isinstance(part, int)])

    def _check_joint(self, fields: list[int]) -> None:
        """Raises ValueError if a line of two events cannot be split."""
        decision = events.code_of(self.events[-1])
        if len(self.events) > 2 or not events.FOLD <= decision <= events.RAISE:
            raise ValueError(f"a line may be one event and then a decision, not {self.event!r}")
        if fields[:1] != [PLAYER] or set(fields[1:]) - {INTEGER} or self.own_numbers < 0:
            raise ValueError(f"{self.pattern!r} must have a player, the event's numbers and the decision's")

    @property
    def fields(self) -> list[int]:
        """The kinds of its fields, in their order."""
        return [part for part in self.parts if isinstance(part, int)]

    @property
    def events(self) -> list[str]:
        """The names of its one or two events."""
        return self.event.split("+")

    @property
    def own_numbers(self) -> int:
        """How many numbers of a line of two events belong to the first event."""
        numbers = sum(part == INTEGER for part in self.parts)
        return numbers - (events.code_of(self.events[-1]) >= events.BET)

    @cached_property
    def regex(self) -> re.Pattern[bytes]:
        """The same line as a regular expression over bytes, one group per field; for the rare lines read in Python."""
        return re.compile(_line_of(self.parts), re.DOTALL)

    def tail(self, words: str) -> bytes | None:
        """A regular expression for the line from its first part with these words on; None if no part has them."""
        for k, part in enumerate(self.parts):
            if isinstance(part, str) and words in part:
                return _line_of((part[part.index(words) :], *self.parts[k + 1 :]))
        return None

    def says(self, line: bytes, names: Sequence[bytes]) -> bool:
        """True if a line fits the template and names only these players, if any are given."""
        said = self.regex.fullmatch(line)
        if said is None or not names:
            return said is not None
        fields = (part for part in self.parts if not isinstance(part, str))
        called = {word for word, kind in zip(said.groups(), fields, strict=True) if kind == PLAYER}
        # A name may contain the text between two names.
        return called <= set(names) or (len(called) > 1 and self._of(names).fullmatch(line) is not None)

    def _of(self, names: Sequence[bytes]) -> re.Pattern[bytes]:
        """The same line, restricted to these names."""
        return self.of_players(b"(%s)" % b"|".join(map(re.escape, names)))

    def of_players(self, *players: bytes) -> re.Pattern[bytes]:
        """The same line with players that match expressions, in order; the last is used for all further players."""
        any_player, given = _REGEX[PLAYER].encode(), list(players)
        first, *rest = self.regex.pattern.split(any_player)
        for k, text in enumerate(rest):
            first += given[min(k, len(given) - 1)] + text
        return re.compile(first, re.DOTALL)

    @cached_property
    def _between(self) -> tuple[re.Pattern[bytes], ...]:
        """Regular expressions for the text before, between and after the players."""
        pieces: list[list[str | int]] = [[]]
        for part in self.parts:
            if part == PLAYER:
                pieces.append([])
            else:
                pieces[-1].append(part)
        *inner, last = pieces
        return (*(re.compile(_expression(piece)) for piece in inner), re.compile(_line_of(last)))

    def numbers_of(self, line: bytes, *players: bytes) -> list[int] | None:
        """The numbers of a line that names these players in their order; None for any other line.

        For templates whose fields are players and numbers.
        """
        at, numbers = 0, list[int]()
        for form, player in zip(self._between, (*players, b""), strict=True):
            if (said := form.match(line, at)) is None or not line.startswith(player, said.end()):
                return None
            at = said.end() + len(player)
            numbers += map(number_in, said.groups())
        return numbers

    def signs(self, values: Sequence[Value]) -> int:
        """How many minus signs of `values` the line leaves out; -1 if it would make a positive number negative."""
        kinds = (part for part in self.parts if not isinstance(part, str))
        left_out = [
            v for v, kind in zip(values, kinds, strict=False) if kind == NEGATED and isinstance(v, int)
        ]
        return -1 if any(value > 0 for value in left_out) else sum(value < 0 for value in left_out)

    def write(self, *values: Value) -> str:
        """The line for `values`, one per field: names, integers, sequences of cards, ranks, text."""
        given = iter(values)
        line = "".join(p if isinstance(p, str) else _text(next(given), p) for p in self.parts)
        if next(given, None) is not None:
            raise ValueError(f"too many values for {self.pattern!r}")
        return line


def _line_of(parts: Sequence[str | int]) -> bytes:
    """An expression for the end of a line that consists of some parts."""
    return b"(?:%b)[ \\t]*\\r?(?:\\n|\\Z)" % _expression(parts)


def _expression(parts: Sequence[str | int]) -> bytes:
    """An expression for some parts."""
    return "".join(re.escape(p) if isinstance(p, str) else _REGEX[p] for p in parts).encode()


def _text(value: Value, kind: int) -> str:
    if isinstance(value, str | int):
        return str(-value if kind == NEGATED and isinstance(value, int) else value)
    if kind == WORDED:
        return " ".join(
            f"{SUIT_WORDS[SUITS.index(card[1])]} {'10' if card[0] == 'T' else card[0]}" for card in value
        )
    if kind == CELL:
        cell = f"[{', '.join(repr(card) for card in value)}]"
        return f'"{cell}"' if "," in cell else cell
    quoted = kind in (QUOTED, QUOTED_LOW)
    return ", ".join(f"'{card}'" for card in value) if quoted else " ".join(value)


class Automaton(NamedTuple):
    """A grammar as arrays; states are numbered from 1, and 0 means no transition.

    step       (states * 256,) int16  state after a byte: of state s and byte b at 256 s + b
    fields     (states, kinds) int16 state after a field of each kind
    first_kind, last_kind  (states,) int8  the first and last kind of field that may begin, -1 for none
    accept     (states,) int16       event code + 1 at the end of a line, else 0
    run_at     (states,) int32       if the only way on is a run of several bytes: its offset in `runs`
    run_size   (states,) int16       length of the run, 0 if there are other ways
    run_to     (states,) int16       the state after them
    runs       (bytes,) uint8        all such bytes
    """

    step: NDArray[np.int16]
    fields: NDArray[np.int16]
    first_kind: NDArray[np.int8]
    last_kind: NDArray[np.int8]
    accept: NDArray[np.int16]
    run_at: NDArray[np.int32]
    run_size: NDArray[np.int16]
    run_to: NDArray[np.int16]
    runs: NDArray[np.uint8]


class Joint(NamedTuple):
    """A line of two events: their codes, and how many numbers belong to the first."""

    first: int
    decision: int
    numbers: int


class Grammar:
    """A dialect's line templates, in the order in which they were written."""

    def __init__(
        self,
        table: str,
        base: "Grammar | None" = None,
        without: str = "",
        translate: Callable[[Any], Any] | None = None,
        own: str = "",
    ) -> None:
        """Read a table; rows of `base` come first, but for the events `without`.

        own: names of events that only this game has, for its steps and handlers (`replay.games.Game`).
        translate: a function of scanned events (`reading.Scanned`) that replaces those whose meaning depends on other
        events by events that the replay reads.
        Raises ValueError for a row that is no template.
        """
        self.translate = translate
        for name in own.split():
            events.own(name)
        rows = [line.split(None, 1) for line in table.splitlines() if line.strip()]
        mine = [Template(event, _unquoted(pattern)) for event, pattern in rows]
        left_out = without.split()
        inherited = (t for t in base.templates if t.event not in left_out) if base else ()
        self.templates: tuple[Template, ...] = (*inherited, *mine)
        self._writing: dict[str, list[Template]] = {}
        for template in mine:
            self._writing.setdefault(template.event, []).append(template)
        if base is not None:
            kept = {event: able for event, able in base._writing.items() if event not in left_out}
            self._writing = kept | self._writing

    def template(self, event: str) -> Template:
        """The template that writes an event: the first of the table's own, else of its base; KeyError if none does."""
        return self._writing[event][0]

    def write(self, event: str, *values: Value) -> str:
        """One line of the dialect, without line end, by the event's template that fits the values' signs."""
        able = self._writing[event]
        template = able[0] if len(able) == 1 else max(able, key=lambda template: template.signs(values))
        return template.write(*values)

    @property
    def hand_word(self) -> bytes:
        """The bytes with which the first line of a hand begins; ValueError if its template does not begin so."""
        if "round" not in self._writing:
            raise ValueError("there is no line `round`, with which a hand begins")
        first = self.template("round")
        word = first.parts[0]
        if not isinstance(word, str) or first.parts[1:2] != (INTEGER,):
            raise ValueError(f"{first.pattern!r} must begin with words, then the number of the hand: {{n}}")
        return word.encode()

    @property
    def closing_word(self) -> bytes:
        """Bytes that every complete hand contains: the longest text of the award line."""
        if "award" not in self._writing:
            raise ValueError("there is no line `award`, with which a hand ends")
        texts = (part for part in self.template("award").parts if isinstance(part, str))
        return max(texts, key=len, default="").encode()

    def accepts(self, line: bytes) -> bool:
        """True if a template accepts a line with any players."""
        return len(line) <= _LONGEST and self._any_template.fullmatch(line) is not None

    @cached_property
    def _any_template(self) -> re.Pattern[bytes]:
        return re.compile(b"|".join(b"(?:%s)" % t.regex.pattern for t in self.templates), re.DOTALL)

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The lines that are two events each, in the order of their codes from `events.FIRST_JOINT` on."""
        return tuple(
            Joint(events.code_of(t.events[0]), events.code_of(t.events[1]), t.own_numbers)
            for t in self._joint_templates.values()
        )

    @cached_property
    def _joint_templates(self) -> dict[str, Template]:
        """The templates of two events, by their names; raises ValueError if there are too many."""
        found = {t.event: t for t in self.templates if len(t.events) > 1}
        if len(found) > events.MOST_JOINTS:
            raise ValueError(
                f"{len(found)} kinds of lines are two events each, there is room for {events.MOST_JOINTS}"
            )
        return found

    @cached_property
    def automaton(self) -> Automaton:
        """The templates as one automaton, without headers, which are read when a log is cut into matches."""
        step: list[dict[int, int]] = [{}, {}]
        fields: list[dict[int, int]] = [{}, {}]
        accept = [0, 0]

        def fresh() -> int:
            step.append({})
            fields.append({})
            accept.append(0)
            return len(step) - 1

        joints = {event: events.FIRST_JOINT + k for k, event in enumerate(self._joint_templates)}
        for template in self.templates:
            if template.event == "header":
                continue
            state = 1
            for part in template.parts:
                if isinstance(part, int):
                    state = fields[state].get(part, 0) or _link(fields[state], part, fresh())
                else:
                    for byte in part.encode():
                        state = step[state].get(byte, 0) or _link(step[state], byte, fresh())
            code = joints[template.event] if template.event in joints else events.code_of(template.event)
            accept[state] = accept[state] or code + 1
        table = np.zeros((len(step), 256), np.int16)
        ways = np.zeros((len(step), len(FIELD_KINDS)), np.int16)
        first_kind, last_kind = (np.full(len(step), -1, np.int8) for _ in range(2))
        for state, (by_byte, by_field) in enumerate(zip(step, fields, strict=True)):
            for byte, target in by_byte.items():
                table[state, byte] = target
            for kind, target in by_field.items():
                ways[state, kind] = target
            if by_field:
                first_kind[state], last_kind[state] = min(by_field), max(by_field)
        return Automaton(
            table.reshape(-1),
            ways,
            first_kind,
            last_kind,
            np.array(accept, np.int16),
            *_runs(step, fields, accept),
        )


def _runs(
    step: list[dict[int, int]], fields: list[dict[int, int]], accept: list[int]
) -> tuple[NDArray[np.int32], NDArray[np.int16], NDArray[np.int16], NDArray[np.uint8]]:
    """The columns run_at to runs of an automaton: most of a line's text is literal."""
    at, size = np.zeros(len(step), np.int32), np.zeros(len(step), np.int16)
    to = np.zeros(len(step), np.int16)
    text = bytearray()
    for start in range(len(step)):
        state, at[start] = start, len(text)
        while len(step[state]) == 1 and not fields[state] and not accept[state]:
            ((byte, state),) = step[state].items()
            text.append(byte)
        size[start], to[start] = len(text) - at[start], state
    return at, size, to, np.frombuffer(bytes(text), np.uint8)


def _unquoted(pattern: str) -> str:
    return pattern[1:-1] if len(pattern) > 2 and pattern[0] == pattern[-1] == '"' else pattern


def _link(edges: dict[int, int], key: int, target: int) -> int:
    edges[key] = target
    return target


def by_byte(*alphabets: str) -> NDArray[np.int8]:
    """(256,) the place of a byte in one of some alphabets, -1 if none has it."""
    places = np.full(256, -1, np.int8)
    for letters in alphabets:
        places[np.frombuffer(letters.encode(), np.uint8)] = np.arange(len(letters))
    return places
