"""The dialects that railbird reads, and which of them a text is written in."""

from typing import Final

from . import mit, mit_bounty
from .dialect import Cut, Dialect, Text

DIALECTS: Final[tuple[Dialect, ...]] = (mit.DIALECT, mit_bounty.DIALECT)


def dialect_named(name: str) -> Dialect:
    """The dialect of a name; KeyError lists the names there are."""
    for dialect in DIALECTS:
        if dialect.name == name:
            return dialect
    raise KeyError(f"no dialect is called {name!r}; there are {', '.join(d.name for d in DIALECTS)}")


def cut_for(text: Text) -> Cut | None:
    """How to cut a text into matches: the first way that finds a match whose players can be told.

    Else that of the dialect whose header begins the text, as in a log just begun; else None.
    """
    for cut in dict.fromkeys(dialect.cut for dialect in DIALECTS):
        if any(match.names for match in cut(text)):
            return cut
    for dialect in DIALECTS:
        if dialect.grammar.template("header").regex.match(text):
            return dialect.cut
    return None


def detect(text: Text, start: int, end: int) -> Dialect:
    """The dialect of a match by its content: one whose marker begins a line, else the general one."""
    for dialect in DIALECTS:
        for marker in dialect.markers:
            if text.startswith(marker, start) or text.find(b"\n" + marker, start, end) >= 0:
                return dialect
    return DIALECTS[0]
