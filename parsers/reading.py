"""From the bytes of a chunk to events: the scanner's buffers, kept and reused, and the call."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..jit.bundles import bundle
from . import events
from .dialect import MatchText
from .grammar import Grammar, Joint
from .marks import line_ends
from .scanner import DEEPEST, scan

_VALUES_PER_BYTE = 2
# Memory that is allocated and never written costs nothing; counting lines takes a tenth of the scan's time.
_ROOM_TO_SPARE = 64 << 20
_ALIGNED = 64


class Pool:
    """Reusable arrays by name, each as large as the largest request so far; one pool per thread.

    A request overwrites the array of an earlier request with the same name, even of another type: logs of several
    games take no more memory than those of the largest.
    """

    def __init__(self) -> None:
        """An empty pool."""
        self._blocks: dict[str, NDArray[np.uint8]] = {}

    def take(self, name: str, size: int, dtype: DTypeLike) -> NDArray[Any]:
        """An array of at least `size` elements, its contents undefined."""
        # At least one element, into which a surplus row is written.
        each, size = np.dtype(dtype).itemsize, max(size, 1)
        block = self._blocks.get(name)
        if block is None or len(block) < size * each:
            block = self._blocks[name] = np.empty((size + size // 8 + 64) * each, np.uint8)
        return block[: len(block) // each * each].view(dtype)


def room(
    kinds: Iterable[tuple[int, str]], pool: Pool | None = None, name: str = ""
) -> Iterator[NDArray[Any]]:
    """Arrays of given sizes and NumPy types, contents undefined, in one block: the pool's of a name, or a new one.

    Blocks of 4 MB and more use large pages: touching as many small arrays takes ten times as long.
    """
    given = list(kinds)
    sizes = [-(size * np.dtype(kind).itemsize // -_ALIGNED) * _ALIGNED for size, kind in given]
    block = np.empty(sum(sizes), np.uint8) if pool is None else pool.take(name, sum(sizes), np.uint8)
    at = 0
    for (size, kind), taken in zip(given, sizes, strict=True):
        yield block[at : at + taken].view(kind)[:size]
        at += taken


@bundle
class Events(NamedTuple):
    """The events of some matches (`events`), and the text they point into."""

    text: NDArray[np.uint8]
    codes: NDArray[np.uint8]
    starts: NDArray[np.int32]
    lines: NDArray[np.int32]
    args: NDArray[np.int32]
    values: NDArray[np.int64]


@dataclass(frozen=True)
class Scanned:
    """Events of matches; match m has events first_event[m] to first_event[m + 1] and line_count[m] lines.

    tally: (256,) int64, the number of events of each code.
    pool: the owner of the events' arrays.
    """

    events: Events
    first_event: NDArray[np.int64]
    line_count: NDArray[np.int64]
    tally: NDArray[np.int64]
    pool: Pool = field(compare=False, repr=False)


def read_events(
    text: NDArray[np.uint8], matches: Sequence[MatchText], grammar: Grammar, pool: Pool
) -> Scanned:
    """Scan the bodies of matches of one grammar; the arrays belong to the pool."""
    bodies = np.array([m.body for m in matches], np.int64)
    ends = np.array([m.end for m in matches], np.int64)
    seats = np.zeros(len(matches) + 1, np.int64)
    np.cumsum([len(m.names) + len(m.aliases) for m in matches], out=seats[1:])
    names = [name for m in matches for name in (*m.names, *m.aliases)]
    name_at = np.zeros(len(names) + 1, np.int64)
    np.cumsum([len(name) for name in names], out=name_at[1:])
    size = int((ends - bodies).sum())
    lines = _most_lines(text, matches, size)
    found = Events(
        text,
        pool.take("codes", lines, np.uint8),
        pool.take("starts", lines, np.int32),
        pool.take("lines", lines, np.int32),
        pool.take("args", lines, np.int32),
        pool.take("values", size // _VALUES_PER_BYTE + 2 * lines, np.int64),
    )
    first_event = np.zeros(len(matches) + 1, np.int64)
    line_count = np.zeros(len(matches), np.int64)
    tally = np.zeros(256, np.int64)
    scan(
        text,
        bodies,
        ends,
        seats,
        name_at,
        np.frombuffer(b"".join(names), np.uint8),
        grammar.automaton,
        found.codes,
        found.starts,
        found.lines,
        found.args,
        found.values,
        first_event,
        line_count,
        tally,
        np.empty((DEEPEST, 5), np.int64),
    )
    scanned = Scanned(found, first_event, line_count, tally, pool)
    scanned = _split(scanned, grammar.joints) if grammar.joints else scanned
    return scanned if grammar.translate is None else grammar.translate(scanned)


def _split(scanned: Scanned, joints: Sequence[Joint]) -> Scanned:
    """The events, with each event of a joint line (`Grammar.joints`) replaced by its two events."""
    found, first_event, tally = scanned.events, scanned.first_event, scanned.tally.copy()
    last = int(first_event[-1])
    if not tally[events.FIRST_JOINT :].any():
        return scanned
    codes, args = found.codes[:last], found.args[:last]
    twice = codes >= events.FIRST_JOINT
    times = 1 + twice.astype(np.int64)
    total = int(times.sum())
    begins = np.cumsum(times) - times
    out = Events(
        found.text,
        scanned.pool.take("split codes", total, np.uint8),
        scanned.pool.take("split starts", total, np.int32),
        scanned.pool.take("split lines", total, np.int32),
        scanned.pool.take("split args", total, np.int32),
        found.values,
    )
    for one, into in ((codes, out.codes), (found.starts[:last], out.starts), (found.lines[:last], out.lines)):
        into[:total] = np.repeat(one, times)
    out.args[:total] = np.repeat(args, times)
    for place, joint in enumerate(joints):
        here = np.flatnonzero(codes == events.FIRST_JOINT + place)
        at = args[here].astype(np.int64)
        # The player is first in the line, but goes between the numbers of the two events.
        player = found.values[at]
        for k in range(joint.numbers):
            found.values[at + k] = found.values[at + k + 1]
        found.values[at + joint.numbers] = player
        out.codes[begins[here]], out.codes[begins[here] + 1] = joint.first, joint.decision
        out.args[begins[here] + 1] += joint.numbers
        tally[joint.first] += len(here)
        tally[joint.decision] += len(here)
        tally[events.FIRST_JOINT + place] = 0
    edges = np.append(begins, total)
    return Scanned(out, edges[first_event], scanned.line_count, tally, scanned.pool)


def with_room(scanned: Scanned, most: int, more: int) -> tuple[NDArray[np.int64], int]:
    """A copy of the events' values with room for `more` after them, from the returned index on.

    most  values of an event. The array is the pool's.
    """
    found, last = scanned.events, int(scanned.first_event[-1])
    used = int(found.args[:last].max()) + most if last else 0
    values = scanned.pool.take("values with room", used + more, np.int64)[: used + more]
    values[:used][: len(found.values)] = found.values[:used]
    return values, used


def _most_lines(text: NDArray[np.uint8], matches: Sequence[MatchText], size: int) -> int:
    """An upper bound of the matches' nonempty lines, from their bytes; counted if buffers would be large."""
    if size < _ROOM_TO_SPARE:
        return size // 2 + len(matches)
    return sum(line_ends(text, m.body, m.end) + 1 for m in matches)
