"""Hands of other programs related to the ACPC, translated to the dealer's lines, which `replay.acpc` reads.

A translated hand is what follows the number in a dealer's line, betting:cards:results:names, with extensions:

===================  =================================================================================
`r+200`              a raise by 200, where the dealer writes what it raises to
no results           none are written
`300|-300(x|y|0)`    x is the luck-adjusted result of the first position as printed in the log, y the same computed from
                     its printed parts; 1 instead of 0: a note reports that the system failed
===================  =================================================================================
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from . import events as ev
from .reading import Scanned, with_room

Restate = Callable[[bytes], bytes | None]
"""The hand of a line; empty if a hand's line cannot be read, None if the line is not a hand's."""

_VALUES: Final = 3
"""Values of a changed event."""
_MOST_VALUES: Final = 8
"""The most values of any other event."""


def bracketed(published: float, parts: float, noted: bool = False) -> bytes:
    """A published luck-adjusted result, as a translated line has it after the results."""
    return b"(%.6f|%.6f|%d)" % (published, parts, noted)


@dataclass(frozen=True)
class Restating:
    """A translation (`Grammar.translate`) of logs with one hand per line to a dealer's log: a number, and text.

    restate  the hand of a line
    counted  the lines have no numbers; hands are numbered from 1, in the order of a match's lines
    total    the two groups of a line that ends a log with a player's total: the name, the number
    """

    restate: Restate
    counted: bool = False
    total: re.Pattern[bytes] | None = None

    def __call__(self, scanned: Scanned) -> Scanned:
        """Make every hand a STATE, and the totals of a match, one line per player, one SCORE in place of the last."""
        found = scanned.events
        text, edges = found.text.tobytes(), scanned.first_event.tolist()
        changed = Changed(scanned)
        for first, last in pairwise(edges):
            codes = found.codes[first:last]
            for number, k in enumerate((np.flatnonzero(codes == ev.STATE) + first).tolist(), 1):
                printed, begin, size = found.values[found.args[k] :][:_VALUES].tolist()
                hand = self.restate(text[int(found.starts[k]) : begin + size])
                changed.hand(k, number if self.counted else printed, hand)
            totals = []
            for k in (np.flatnonzero(codes == ev.SCORE) + first).tolist():
                begin, size = found.values[found.args[k] :][:2].tolist()
                if self.total is not None and (said := self.total.fullmatch(text[begin : begin + size])):
                    totals.append((k, said))
            changed.totals(totals)
        return changed.done()


class Changed:
    """Events of scanned lines while they are changed into those of a dealer's log, and the text they point into."""

    def __init__(self, scanned: Scanned) -> None:
        """Nothing is changed yet."""
        self._scanned = scanned
        self._texts: list[bytes] = []
        self._size = 0
        self._rows: list[tuple[int, int, int, int, int]] = []

    def _text(self, text: bytes) -> tuple[int, int]:
        """Append a text and a line end, as in a log; returns the text's offset and length."""
        at = self._size
        self._texts += text, b"\n"
        self._size += len(text) + 1
        return at, len(text)

    def drop(self, event: int, code: int) -> None:
        """Make an event one of another code, without values."""
        self._rows.append((event, code, 0, 0, 0))

    def hand(self, event: int, number: int, hand: bytes | None) -> None:
        """Make an event a hand of a number (`Restate`)."""
        if hand is None:
            self.drop(event, ev.UNKNOWN)
        else:
            self._rows.append((event, ev.STATE, number, *self._text(hand)))

    def totals(self, totals: list[tuple[int, re.Match[bytes]]]) -> None:
        """Make the events of all players' totals, names and numbers, one score."""
        for k, _ in totals[:-1]:
            self.drop(k, ev.HEADING)
        for k, _ in totals[-1:]:
            names, numbers = (b"|".join(said[group] for _, said in totals) for group in (1, 2))
            self._rows.append((k, ev.SCORE, *self._text(b"%b:%b" % (numbers, names)), 0))

    def done(self) -> Scanned:
        """All events; those that were not changed have their values, but not the text of these."""
        found, tally = self._scanned.events, self._scanned.tally.copy()
        if not self._rows:
            return self._scanned
        rows = np.array(self._rows, np.int64)
        where, codes = rows[:, 0], rows[:, 1]
        values, used = with_room(self._scanned, _MOST_VALUES, _VALUES * len(rows))
        values[used:] = rows[:, 2:].reshape(-1)
        tally -= np.bincount(found.codes[where], minlength=len(tally))
        tally += np.bincount(codes, minlength=len(tally))
        found.codes[where], found.args[where] = codes, used + _VALUES * np.arange(len(rows))
        text = np.frombuffer(b"".join(self._texts) or b"\n", np.uint8)
        return replace(self._scanned, events=found._replace(values=values, text=text), tally=tally)
