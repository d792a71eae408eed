"""Cuts a text into matches whose hands each begin with a line of their own, by the words of its grammars.

A match begins at a header, at a hand with the number 1 without one, and at the first hand after a final line. Its
players are those of a hand's first line; the lines of the blinds show where the first of two names ends.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .dialect import MatchText, Text, line_at, line_start
from .grammar import INTEGER, PLAYER, Grammar, Template, number_in
from .marks import first_of, lines_with

_LINES_TO_BLINDS: Final = 12
_LINES_TO_HEADER: Final = 4
VERSUS: Final = b" vs "
_HANDS_TO_NAMES: Final = 40
MISFORMATTED: Final = b" misformatted: "
"""After it, a line quotes a player."""
_FIELDS: Final = [INTEGER, PLAYER, INTEGER, PLAYER, INTEGER]
"""Fields of a hand's first line: its number, then each player with the bankroll, the dealer first."""


def is_header(line: bytes, names: Sequence[bytes]) -> bool:
    """True for a line that ends in `A vs B`, as headers do, after any words of an organiser."""
    one, two = names
    said = line.rstrip()
    return any(
        said == pair or said.endswith(b" " + pair) for pair in (one + VERSUS + two, two + VERSUS + one)
    )


def is_rule(line: bytes) -> bool:
    """True for a line of dashes, or of three equals signs (a merge marker has seven)."""
    return set(line.strip()) == {ord("-")} or line.strip() == b"==="


class _Header(NamedTuple):
    """A header's template, the literal before its names, and the texts between and after them."""

    form: re.Pattern[bytes]
    before: bytes
    between: bytes
    after: bytes

    def names(self, line: bytes, one: bytes, two: bytes) -> bool:
        """True for a header that names two players in this order."""
        return line.rstrip().endswith(self.before + one + self.between + two + self.after)


class HandCut:
    """A cut: the matches of a text, in order; text before the first belongs to it.

    engine  of the matches that it finds
    word    the beginning of every hand's first line
    """

    def __init__(self, engine: str, grammar: Grammar, courses: Sequence[str] = ()) -> None:
        """courses: beginnings of headers that may follow within a last line, which engines leave without a line end."""
        self.engine = engine
        self.word = grammar.hand_word
        self._courses = (
            re.compile(rb"(?:%s)\Z" % "|".join(map(re.escape, courses)).encode()) if courses else None
        )
        self._rounds: dict[str, Template] = {}
        self._finals: dict[str, Template] = {}
        self._blinds: dict[str, tuple[re.Pattern[bytes], int]] = {}
        self._headers: dict[str, _Header] = {}
        self.learn(grammar)

    def learn(self, grammar: Grammar) -> None:
        """Add the lines of another grammar whose hands begin with the same word; ValueError if they do not."""
        for template in _templates(grammar, "round"):
            if template.fields != _FIELDS:
                raise ValueError(
                    f"{template.pattern!r} must have the number of the hand, then each player and the bankroll"
                )
            if template.pattern.encode().startswith(self.word):
                self._rounds.setdefault(template.pattern, template)
        for template in _templates(grammar, "final"):
            self._finals.setdefault(template.pattern, template)
        for template in _templates(grammar, "blind", "blinds", "hand_only"):
            if PLAYER in template.fields:
                group = 1 + template.fields.index(PLAYER)
                self._blinds.setdefault(template.pattern, (template.regex, group))
        for template in _templates(grammar, "header"):
            header = _header_of(template)
            if header is not None:
                self._headers.setdefault(template.pattern, header)

    def __call__(self, text: Text) -> list[MatchText]:
        """The matches of a text."""
        starts = self.starts(text)
        found: list[MatchText] = []
        for k, start in enumerate(starts):
            end = starts[k + 1] if k + 1 < len(starts) else len(text)
            head = line_at(text, start)
            header = next((header for header in self._headers.values() if header.form.fullmatch(head)), None)
            body = start + len(head) if header else start
            named = self._named_in(text, body, end)
            names: tuple[bytes, ...] = ()
            fits = True
            if named is not None:
                number, dealer, other = named
                names = (dealer, other) if number % 2 or number == 0 else (other, dealer)
                if header:
                    if header.names(head, names[1], names[0]):
                        names = (names[1], names[0])
                    fits = header.names(head, *names)
            cut_short = end == len(text) and not text.endswith(b"\n")
            if names and not header and not text.startswith(self.word, start):
                # A log whose hands are not counted from 1 begins before its first hand.
                first = self.next_hand(text, start, end)
                body = first if own_header(text, first, start, names) < first else body
            begin = start if k else 0
            if k and names and not header:
                begin = start = own_header(text, start, found[-1].body, names)
                found[-1] = replace(found[-1], end=start)
            found.append(
                MatchText(begin, body, end, names, fits, cut_short, opening=start, engine=self.engine)
            )
        return found

    def header_lines(self, text: Text, begin: int, end: int) -> list[int]:
        """Offsets of the header lines in text[begin:end], without players' garbage that looks like one."""
        found: list[int] = []
        for header in self._headers.values():
            at = first_of(text, header.before, begin, end)
            while at >= 0:
                start = line_start(text, at)
                line = line_at(text, start)
                if header.form.fullmatch(line) and MISFORMATTED not in line[: at - start + 1]:
                    course = self._courses.search(line, 0, at - start) if self._courses else None
                    found.append(start + course.start() if course else start)
                at = first_of(text, header.before, start + len(line), end)
        return found if len(self._headers) == 1 else sorted(set(found))

    def next_hand(self, text: Text, at: int, end: int) -> int:
        """The offset of the first line in text[at:end] with which a hand begins, else -1."""
        while at < end:
            if not text.startswith(self.word, at):
                at = text.find(b"\n" + self.word, at, end) + 1
                if at == 0:
                    break
            line = line_at(text, at)
            if self._number(line) is not None:
                return at
            at += len(line)
        return -1

    def starts(self, text: Text) -> list[int]:
        """Where matches begin: at a header, at a hand 1 without one, at the first hand after a final line."""
        hands = lines_with(text, self.word)
        if not len(hands):
            there = any(first_of(text, h.before, 0, len(text)) >= 0 for h in self._headers.values())
            return self.header_lines(text, 0, len(text)) if there else []
        clear = self._clear_starts(text, hands)
        if clear is not None:
            return clear
        tokens = [(at, "header") for at in self.header_lines(text, 0, len(text))]
        tokens += [(at, "first") for at in self._first_hands(text)]
        tokens += [(at, "final") for at in self._final_lines(text)]
        tokens.sort()
        starts: list[int] = []
        for k, (at, kind) in enumerate(tokens):
            if kind == "header":
                if not starts or not self._goes_on(text, hands, starts[-1], at):
                    starts.append(at)
            elif kind == "first":
                if not starts or self.next_hand(text, starts[-1], at + len(self.word)) != at:
                    starts.append(at)
            else:
                following = self.next_hand(text, at, len(text))
                if following >= 0 and (k + 1 == len(tokens) or tokens[k + 1][0] > following):
                    starts.append(following)
        if self.next_hand(text, 0, starts[0] if starts else len(text)) >= 0:
            starts.insert(0, 0)
        return starts

    def _goes_on(self, text: Text, hands: NDArray[np.int64], start: int, at: int) -> bool:
        """True for a header that only repeats the match's own: the hand below it has the next number."""
        place = int(np.searchsorted(hands, at))
        if (
            not 0 < place < len(hands)
            or hands[place - 1] < start
            or line_at(text, at) != line_at(text, start)
        ):
            return False
        above, below = (self._number(line_at(text, int(hands[k]))) for k in (place - 1, place))
        return above is not None and below == above + 1

    def _number(self, line: bytes) -> int | None:
        """The number of the hand that a line opens, None for any other line."""
        for template in self._rounds.values():
            if found := template.regex.fullmatch(line):
                return number_in(found[1])
        return None

    def _after_number(self) -> list[bytes]:
        """The bytes that may follow a hand's number."""
        return sorted({str(t.parts[2])[0].encode() for t in self._rounds.values()})

    def _clear_starts(self, text: Text, hands: NDArray[np.int64]) -> list[int] | None:
        """Where matches begin, if every match counts its hands from 1 to its end; None for any other text.

        hands  offsets of the lines that begin like hands
        """
        numbers = hands + len(self.word)
        if not len(hands) or hands[0] == 0 or numbers[-1] + 1 >= len(text):
            return None
        codes = np.frombuffer(text, np.uint8)
        ends = [byte[0] for byte in self._after_number()]
        firsts = np.flatnonzero((codes[numbers] == ord("1")) & np.isin(codes[numbers + 1], ends))
        if not len(firsts) or firsts[0]:
            return None
        starts, before = [], 0
        for first, following in pairwise([*firsts.tolist(), len(hands)]):
            opening, last = int(hands[first]), int(hands[following - 1])
            if self._number(line_at(text, last)) != following - first:
                return None
            headers = self.header_lines(text, before, opening)
            if len(headers) > 1:
                return None
            starts.append(headers[0] if headers else opening)
            before = last
        return None if self.header_lines(text, before, len(text)) else starts

    def _lines(self, text: Text, word: bytes, forms: Iterable[Template]) -> list[int]:
        """Offsets of the lines of some forms, which begin with a word; a player's name may begin with it too."""
        known = [form.regex for form in forms]
        return [
            at
            for at in lines_with(text, word).tolist()
            if any(form.fullmatch(line_at(text, at)) for form in known)
        ]

    def _final_lines(self, text: Text) -> list[int]:
        """Offsets of the final lines."""
        return [
            at
            for template in self._finals.values()
            if isinstance(template.parts[0], str)
            for at in self._lines(text, template.parts[0].encode(), (template,))
        ]

    def _first_hands(self, text: Text) -> list[int]:
        """Offsets of the hands from which a match may count: number 0, or 1 if no hand 0 precedes it."""
        ones, zeros = (
            sorted(
                at
                for end in self._after_number()
                for at in self._lines(text, b"%s%d%s" % (self.word, number, end), self._rounds.values())
            )
            for number in (1, 0)
        )
        if not zeros:
            return ones
        below = {at: self.next_hand(text, at + 1, len(text)) for at in zeros}
        # A 0 before another digit is a damaged number, which begins no match.
        zeros = [at for at in zeros if below[at] < 0 or (self._number(line_at(text, below[at])) or 0) <= 1]
        return zeros + [at for at in ones if at not in below.values()]

    def poster(self, line: bytes) -> bytes | None:
        """The player in a blind's line, or in a line that replaces one; None for any other line."""
        for form, group in self._blinds.values():
            if said := form.fullmatch(line):
                return said[group]
        return None

    def _named_in(self, text: Text, start: int, end: int) -> tuple[int, bytes, bytes] | None:
        """Number, dealer and opponent of the first hand whose blinds, or cards, name both players of its first line."""
        at = start if text.startswith(self.word, start) else text.find(b"\n" + self.word, start, end) + 1
        for _ in range(_HANDS_TO_NAMES):
            if at <= 0 and not text.startswith(self.word, start):
                return None
            head = line_at(text, at)
            posted: list[bytes] = []
            below = at + len(head)
            for _ in range(_LINES_TO_BLINDS):
                line = line_at(text, below)
                below += len(line)
                if (poster := self.poster(line)) is not None:
                    posted.append(poster)
                if len(posted) == 2 or not line or below >= end:
                    break
            if len(posted) == 2:
                # In one engine the dealer posts the big blind: the first line names the dealer first.
                for dealer, other in (posted, posted[::-1]):
                    if (number := self._number_of(head, dealer, other)) is not None:
                        return number, dealer, other
            following = text.find(b"\n" + self.word, at + 1, end)
            if following < 0:
                return None
            at = following + 1
        return None

    def _number_of(self, line: bytes, dealer: bytes, other: bytes) -> int | None:
        """The number of the hand whose first line names these two, else None."""
        for template in self._rounds.values():
            if found := template.numbers_of(line, dealer, other):
                return found[0]
        return None


def _templates(grammar: Grammar, *events: str) -> list[Template]:
    return [template for template in grammar.templates if template.event in events]


def _header_of(template: Template) -> _Header | None:
    """A header by a template that ends in two names; None if the template has no literal before them."""
    parts = list(template.parts)
    after = parts.pop() if isinstance(parts[-1], str) else ""
    before, between = (parts[-4], parts[-2]) if len(parts) > 3 else ("", "")
    if not isinstance(before, str) or not isinstance(between, str) or not before.strip():
        return None
    return _Header(template.regex, before.encode(), between.encode(), str(after).encode())


def own_header(text: Text, start: int, above: int, names: Sequence[bytes]) -> int:
    """The offset of a header in an organiser's own words, a line or two above a match's first hand; else start."""
    at = start
    for _ in range(_LINES_TO_HEADER):
        if at <= above:
            break
        at = line_start(text, at - 1)
        line = line_at(text, at)
        if is_header(line, names):
            return at
        if line.strip() and not is_rule(line):
            break
    return start
