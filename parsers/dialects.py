"""The dialects that railbird reads, and which of them a text is written in."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Final

from . import (
    mit,
    mit_auction,
    mit_blotto,
    mit_bounty,
    mit_permutation,
    mit_river,
    mit_swap,
    mit_toss,
)
from .dialect import Cut, Dialect, MatchText, Sorted, Text, line_at, line_start
from .grammar import PLAYER, Grammar
from .marks import first_of

_MIT: Final[tuple[Dialect, ...]] = (
    mit.DIALECT,
    mit_bounty.DIALECT,
    mit_river.DIALECT,
    mit_swap.DIALECT,
    mit_permutation.DIALECT,
    mit_blotto.DIALECT,
    mit_auction.DIALECT,
    mit_toss.DIALECT,
)

_OPENING_WORDS: Final = (
    b" Pokerbots - ",
    b"Round #",
    b"# name/game/hands/seed ",
    b"STATE:",
    b"--- Starting Game ",
    b"TOURNAMENT LOG",
    b"--- Match ",
)
"""One is in every line that opens a match, of whatever engine."""
_OPENING_WORD: Final = re.compile(b"|".join(map(re.escape, _OPENING_WORDS)))
_OPENING: Final = ("header", "round", "state")

_SIGNS_TRIED: Final = 40
_MISFORMATTED: Final = b" misformatted: "
_FIRST_HAND: Final = 4096
"""Bytes in which a match's first hand is dealt."""
_FIRST_HANDS: Final = 1 << 16


@cache
def _others() -> tuple[Dialect, ...]:
    """Those of other engines, loaded when a text is none of MIT's: a command starts sooner without them."""
    from . import acpc, koper

    return acpc.DIALECT, koper.DIALECT_V1, koper.DIALECT_V2


def dialects() -> tuple[Dialect, ...]:
    """Every dialect, the most general first."""
    return (*_MIT, *_others())


def is_mit(text: Text, start: int, end: int) -> bool:
    """True where a line of text[start:end] begins as the rounds of MIT's engines do."""
    return _begins_a_line(text, mit.DIALECT.opens, start, end)


def dialect_named(name: str) -> Dialect:
    """The dialect of a name; KeyError lists the names there are."""
    for dialect in dialects():
        if dialect.name == name:
            return dialect
    raise KeyError(f"no dialect is called {name!r}; there are {', '.join(d.name for d in dialects())}")


def cut_for(text: Text, first: Cut | None = None) -> tuple[Cut, list[MatchText]] | None:
    """The matches of a text, and how the last was cut: by the first way that finds one whose players can be told.

    Before and between the matches of an engine those of others may stand. Where no way finds one, that of the
    dialect whose header begins the text, as in a log just begun; else None. first: the way that is tried first.
    """
    for dialect in _engines(first):
        matches = dialect.cut(text)
        if any(match.names for match in matches):
            return _with_others(text, dialect, matches)
    for dialect in dialects():
        if dialect.grammar.template("header").regex.match(text):
            return dialect.cut, dialect.cut(text)
    return None


def apart_for(text: Text) -> Sorted | None:
    """The lines of matches that were written at once, match by match; None where none were, or no engine does so."""
    if is_mit(text, 0, min(len(text), _FIRST_HANDS)):
        return None
    found = (dialect.apart(text) for dialect in _others() if dialect.apart is not None)
    return next((by_match for by_match in found if by_match is not None), None)


def _engines(first: Cut | None = None) -> Iterator[Dialect]:
    """The most general dialect of every way to cut a text, that of `first` before the others."""
    if first is None or first is mit.DIALECT.cut:
        yield mit.DIALECT
        yield from _others()
    else:
        yield from sorted((mit.DIALECT, *_others()), key=lambda dialect: dialect.cut is not first)


def _with_others(text: Text, dialect: Dialect, matches: list[MatchText]) -> tuple[Cut, list[MatchText]]:
    """An engine's matches and those of others: what stands before the first, and after the last hand of each."""
    found: list[MatchText] = []
    cut = dialect.cut
    for match in matches:
        between = _others_in(text, match.start, match.opening, dialect)
        if between is not None:
            found += replace(between[1][0], start=match.start), *between[1][1:]
            match = replace(match, start=match.opening, body=max(match.body, match.opening))
        word = b"\n" + dialect.opens
        last = text.rfind(word, match.body, match.end)
        after = _others_in(text, last + len(word) if last >= 0 else match.body, match.end, dialect)
        cut = dialect.cut
        if after is not None:
            cut = after[0]
            match = replace(match, end=after[1][0].start, cut_short=False)
        found.append(match)
        found += after[1] if after is not None else ()
    return cut, found


def _others_in(text: Text, start: int, end: int, dialect: Dialect) -> tuple[Cut, list[MatchText]] | None:
    """The matches of other engines in text[start:end], as of `cut_for`; None where no players can be told."""
    at = _opening(text, start, end, dialect)
    found = cut_for(text[at:end]) if at >= 0 else None
    if found is None or not any(match.names for match in found[1]):
        return None
    return found[0], [
        replace(
            match,
            start=at + match.start,
            body=at + match.body,
            end=at + match.end,
            opening=at + match.opening,
            cut_short=match.cut_short and at + match.end == len(text),
        )
        for match in found[1]
    ]


def _opening(text: Text, start: int, end: int, dialect: Dialect) -> int:
    """Where the first line begins in text[start:end] that opens a match of another engine; -1: nowhere."""
    # Mostly there is no such word.
    if all(text.find(word, start, end) < 0 for word in _OPENING_WORDS):
        return -1
    for hit in _OPENING_WORD.finditer(text, start, end):
        begin, at = line_start(text, hit.start()), hit.start()
        if dialect is not mit.DIALECT and (headers := mit.header_lines(text, begin, hit.end())):
            return headers[0]
        # MIT's engines end no last line.
        is_joined = dialect is mit.DIALECT and _MISFORMATTED not in text[begin:at]
        if (at == begin or is_joined) and any(
            other is not dialect and _opens(other, line_at(text, at)) for other in _engines()
        ):
            return at
    return -1


def _opens(dialect: Dialect, line: bytes) -> bool:
    """True where a line is of a template that opens matches of a dialect."""
    return any(t.event in _OPENING and t.regex.fullmatch(line) for t in dialect.grammar.templates)


def detect(text: Text, start: int, end: int, names: Sequence[bytes] = ()) -> Dialect:
    """The dialect of a match by its content: one whose marker begins or ends a line, else the general one.

    The match's first lines are looked at before all of them: most dialects are told by every hand. names: its players',
    which may hold what else tells a dialect.
    """
    among = _MIT if is_mit(text, start, min(end, start + _FIRST_HANDS)) else (*_others(), *_MIT)
    windows = dict.fromkeys(min(end, start + size) for size in (_FIRST_HAND, _FIRST_HANDS, len(text)))
    return next((told for last in windows if (told := _told_by(among, text, start, last, names))), _MIT[0])


def _told_by(
    among: tuple[Dialect, ...], text: Text, start: int, end: int, names: Sequence[bytes]
) -> Dialect | None:
    for dialect in among:
        for marker in dialect.markers:
            is_like_a_name = any(_are_alike(marker, name) for name in names)
            if _begins_a_line(text, marker, start, end, dialect.grammar if is_like_a_name else None):
                return dialect
        if any(
            _is_in(text, sign, dialect.grammar, event, start, end, names) for sign, event in dialect.signs
        ):
            return dialect
        for ending in dialect.endings:
            if _ends_a_line(text, ending, start, end, names):
                return dialect
        is_first_hand = end - start <= _FIRST_HAND
        if is_first_hand and any(form.search(text, start, end) for form in dialect.forms):
            return dialect
    return None


def _are_alike(marker: bytes, name: bytes) -> bool:
    """True where a line that begins with a player's name may begin with a marker."""
    return marker.startswith(name + b" ") or name.startswith(marker.rstrip(b" :,["))


def _begins_a_line(text: Text, word: bytes, start: int, end: int, grammar: Grammar | None = None) -> bool:
    """True where a line of text[start:end] begins with a word; grammar: and is of a template that does so."""
    at = start if text.startswith(word, start) else first_of(text, b"\n" + word, start, end)
    if grammar is None:
        return at >= 0
    forms = [t.regex for t in grammar.templates if str(t.parts[0]).encode().startswith(word)]
    while at >= 0:
        line = line_at(text, at + (at > start))
        if any(form.fullmatch(line) for form in forms):
            return True
        at = first_of(text, b"\n" + word, at + 1, end)
    return False


def _is_in(
    text: Text, sign: bytes, grammar: Grammar, event: str, start: int, end: int, names: Sequence[bytes]
) -> bool:
    """True where a line that holds the bytes is of an event's template; a name may hold them in every line."""
    at, template = first_of(text, sign, start, end), grammar.template(event)
    # Garbage may hold it often; in a name it stands in nearly every line.
    for _ in count() if any(sign in name for name in names) else range(_SIGNS_TRIED):
        if at < 0:
            return False
        line = line_at(text, line_start(text, at))
        if (said := template.regex.fullmatch(line)) and not _is_garbage(line, names):
            fields = (part for part in template.parts if not isinstance(part, str))
            called = [word for word, kind in zip(said.groups(), fields, strict=True) if kind == PLAYER]
            if not names or set(called) <= set(names):
                return True
        at = first_of(text, sign, at + 1, end)
    return False


def _is_garbage(line: bytes, names: Sequence[bytes]) -> bool:
    """True for a line with what a player answered, and not only with a name that looks so."""
    for name in names:
        if _MISFORMATTED in name:
            line = line.replace(name, b"")
    return _MISFORMATTED in line


def _ends_a_line(text: Text, ending: bytes, start: int, end: int, names: Sequence[bytes]) -> bool:
    """True where bytes end a line that is none of a player's garbage."""
    at = first_of(text, ending, start, end)
    while at >= 0:
        line = line_at(text, line_start(text, at))
        if line.rstrip(b"\r\n").endswith(ending) and not _is_garbage(line, names):
            return True
        at = first_of(text, ending, at + 1, end)
    return False
