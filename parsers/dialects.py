"""The dialects that railbird reads, and which of them a text is written in."""

from typing import Final

from . import mit, mit_bounty
from .dialect import Dialect, Text

DIALECTS: Final[tuple[Dialect, ...]] = (mit.DIALECT, mit_bounty.DIALECT)


def dialect_named(name: str) -> Dialect:
    """The dialect of a name; KeyError lists the names there are."""
    for dialect in DIALECTS:
        if dialect.name == name:
            return dialect
    raise KeyError(f"no dialect is called {name!r}; there are {', '.join(d.name for d in DIALECTS)}")


def detect(text: Text, start: int, end: int) -> Dialect:
    """The dialect of a match by its content: one whose marker begins a line, else the general one."""
    for dialect in DIALECTS:
        for marker in dialect.markers:
            if text.startswith(marker, start) or text.find(b"\n" + marker, start, end) >= 0:
                return dialect
    return DIALECTS[0]
