"""The dialects that railbird reads, and which of them a text is written in."""

from functools import cache
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
from .dialect import Cut, Dialect, MatchText, Text, line_at, line_start
from .grammar import Grammar
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

_SIGNS_TRIED: Final = 40
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


def cut_for(text: Text) -> tuple[Cut, list[MatchText]] | None:
    """How to cut a text into matches, and its matches: the first way that finds one whose players can be told.

    Else that of the dialect whose header begins the text, as in a log just begun; else None.
    """
    for among in (_MIT, None):
        for cut in dict.fromkeys(dialect.cut for dialect in among or _others()):
            matches = cut(text)
            if any(match.names for match in matches):
                return cut, matches
    for dialect in dialects():
        if dialect.grammar.template("header").regex.match(text):
            return dialect.cut, dialect.cut(text)
    return None


def detect(text: Text, start: int, end: int) -> Dialect:
    """The dialect of a match by its content: one whose marker begins or ends a line, else the general one.

    The match's first lines are looked at before all of them: most dialects are told by every hand.
    """
    among = _MIT if is_mit(text, start, min(end, start + _FIRST_HANDS)) else (*_others(), *_MIT)
    windows = dict.fromkeys(min(end, start + size) for size in (_FIRST_HAND, _FIRST_HANDS, len(text)))
    return next((told for last in windows if (told := _told_by(among, text, start, last))), _MIT[0])


def _told_by(among: tuple[Dialect, ...], text: Text, start: int, end: int) -> Dialect | None:
    for dialect in among:
        for marker in dialect.markers:
            if _begins_a_line(text, marker, start, end):
                return dialect
        if any(_is_in(text, sign, dialect.grammar, event, start, end) for sign, event in dialect.signs):
            return dialect
        for ending in dialect.endings:
            if _ends_a_line(text, ending, start, end):
                return dialect
        is_first_hand = end - start <= _FIRST_HAND
        if is_first_hand and any(form.search(text, start, end) for form in dialect.forms):
            return dialect
    return None


def _begins_a_line(text: Text, word: bytes, start: int, end: int) -> bool:
    """True where a line of text[start:end] begins with a word."""
    return text.startswith(word, start) or first_of(text, b"\n" + word, start, end) >= 0


def _is_in(text: Text, sign: bytes, grammar: Grammar, event: str, start: int, end: int) -> bool:
    """True where a line that holds the bytes is of an event's template; a name may hold them in every line."""
    at, form = first_of(text, sign, start, end), grammar.template(event).regex
    for _ in range(_SIGNS_TRIED):
        if at < 0:
            return False
        line = line_at(text, line_start(text, at))
        if form.fullmatch(line) and b" misformatted: " not in line:
            return True
        at = first_of(text, sign, at + 1, end)
    return False


def _ends_a_line(text: Text, ending: bytes, start: int, end: int) -> bool:
    """True where bytes end a line that is none of a player's garbage."""
    at = first_of(text, ending, start, end)
    while at >= 0:
        line = line_at(text, line_start(text, at))
        if line.rstrip(b"\r\n").endswith(ending) and b" misformatted: " not in line:
            return True
        at = first_of(text, ending, at + 1, end)
    return False
