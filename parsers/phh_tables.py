"""Hands of PHH that are waiting for others of their tables, and the matches made of them."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from . import phh_hands as h
from . import phh_scan as scan
from .dialect import MOST_NAMES
from .record_values import known_date
from .table_lines import Lines, Table

MOST_BYTES: Final = 2 << 20
"""Bytes of lines that wait. A match is replayed as a whole: twice as many take 40 MB more of each thread."""
_AT_ONCE: Final = 1 << 20
"""Bytes of lines of the matches that are taken at once."""
_SPARE: Final = 1 << 20
_MOST_TABLES: Final = 1 << 12
_MOST_NAMED: Final = 1 << 16
_MOST_HANDS: Final = 1 << 18
_ARENA: Final = 1 << 22

DIALECTS: Final = ("phh", "phh-limit", "phh-omaha", "phh-omaha-hi-lo", "phh-short-deck", "phh-other")
"""By the numbers of the variants (`phh_hands.VARIANTS`), and of all that have no rules."""


class Waiting:
    """The hands of a file by table, until their matches are taken.

    All hands of one table and game in a file are one match, unless it has more than MOST_NAMES players. If more than
    `most` bytes of lines are waiting, the matches of the tables that were idle for the longest time are taken until at
    most half as many are waiting; later hands at these tables are another match. So a single table is split after
    `most` bytes, some 4,000 hands.
    """

    def __init__(self, out: Lines, most: int = MOST_BYTES) -> None:
        """No hand is waiting yet; matches go into `out`."""
        self._out, self._most = out, most
        self._hand = h.new_hand()
        self._begin(_ARENA)
        self.move(0, 1)

    def _begin(self, arena: int) -> None:
        self._kept = scan.Kept(
            np.zeros(scan.COUNTS, np.int64),
            np.zeros(_MOST_TABLES, scan.TABLE_FIELDS),
            np.zeros((_MOST_TABLES, MOST_NAMES), np.int32),
            np.zeros(2 * _MOST_TABLES, np.int32),
            np.zeros(_MOST_NAMED, scan.NAME_FIELDS),
            np.zeros(2 * _MOST_NAMED, np.int32),
            np.zeros(arena, np.uint8),
            np.zeros(_MOST_HANDS, scan.HAND_FIELDS),
            np.empty(self._most + _SPARE, np.uint8),
        )
        self._kept.counts[h.MOST_BYTES] = self._most

    @property
    def place(self) -> tuple[int, int]:
        """The offset of the next hand in its text, and its line in the file."""
        return int(self._kept.counts[h.AT]), int(self._kept.counts[h.LINE])

    def move(self, at: int, line: int) -> None:
        """Set the offset and line of the next hand."""
        self._kept.counts[h.AT], self._kept.counts[h.LINE] = at, line

    def read(self, text: bytes, is_last: bool) -> int:
        """Read regular hands from the current offset on; returns why it stops (`phh_hands`)."""
        codes = np.frombuffer(text, np.uint8)
        return scan.read_hands(codes, len(codes), is_last, self._kept, self._hand)

    def make_room(self, status: int) -> Iterator[None]:
        """Make room if a scan stopped for lack of it; yields when matches may be taken out of the lines."""
        counts = self._kept.counts
        if status == h.KEPT:
            yield from self._take_idle()
        elif status == h.ROOM:
            self._grow(int(counts[h.NEEDED]))
        else:
            at, line = self.place
            yield from self.take()
            self._begin(max(2 * int(counts[h.NEEDED]), _ARENA))
            self.move(at, line)

    def _grow(self, size: int) -> None:
        """Make room for another hand, of `size` bytes."""
        kept = self._kept
        used, hands = kept.counts[[h.OUT, h.HANDS]].tolist()
        if used + size > len(kept.out):
            self._kept = kept = kept._replace(
                out=np.append(kept.out[:used], np.empty(size + _SPARE, np.uint8))
            )
        if hands == len(kept.hands):
            self._kept = kept._replace(hands=np.append(kept.hands, np.zeros(hands, scan.HAND_FIELDS)))

    def enter(
        self,
        dialect: str,
        places: tuple[int, int],
        venue: str | None,
        title: str | None,
        names: Sequence[str],
        stakes: tuple[int, int, int],
        when: Sequence[int],
    ) -> int:
        """The number of a hand's table; a negative number is the reason why there is no room.

        places: decimal places of a unit, and of the least share; stakes: stack, small and big blind in units;
        when: year, month, day, and second of the day, -1 if not given
        """
        counts, hand = self._kept.counts, self._hand
        if counts[h.BYTES] >= counts[h.MOST_BYTES]:
            return -h.KEPT
        words = [venue, title, *names]
        texts = [word.encode("utf-8", "surrogateescape") if word is not None else b"" for word in words]
        ends = np.cumsum([len(text) for text in texts])
        hand.spans[: len(texts), 0] = ends - [len(text) for text in texts]
        hand.spans[: len(texts), 1] = ends
        for k in range(2):
            if words[k] is None:
                hand.spans[k, 0] = -1
        hand.facts[h.PLAYED] = len(names)
        hand.facts[[h.KIND, h.MOST, h.PLACES]] = DIALECTS.index(dialect), *places
        counts[h.NEEDED] = 4 * len(names) + int(ends[-1])
        # A text of no bytes has no first one.
        text = np.frombuffer(b"".join(texts) + b" ", np.uint8)
        number = int(scan.find_table(text, self._kept, hand))
        if number < 0:
            return -h.FULL
        table = self._kept.tables[number]
        if table["size"] == 0:
            table["stack"], table["small"], table["big"] = stakes
            table["year"], table["month"], table["day"], table["second"] = when
        return number

    def seats(self) -> list[int]:
        """The seats of the players of the hand that was entered last."""
        seats: list[int] = self._hand.seats[: self._hand.facts[h.PLAYED]].tolist()
        return seats

    def add(self, number: int, table: Table) -> None:
        """Append the lines of a hand of a table.

        The first and last lines come from one line of the file, the middle ones from another.
        """
        text = ("\n".join(table.lines) + "\n").encode()
        self._grow(len(text))
        kept, counts = self._kept, self._kept.counts
        used = int(counts[h.OUT])
        kept.out[used : used + len(text)] = np.frombuffer(text, np.uint8)
        starts = [*(at for at, _ in table.places), len(table.lines)]
        sizes = np.diff(starts)
        lines = [int(sizes[k]) if k < len(sizes) else 0 for k in range(3)]
        first = table.places[0][1]
        acts = table.places[1][1] if len(table.places) > 1 else first
        kept.hands[counts[h.HANDS]] = (number, used, len(text), first, acts, *lines)
        kept.tables[number]["size"] += len(text)
        counts[h.HANDS] += 1
        counts[h.OUT] += len(text)
        counts[h.BYTES] += len(text)

    def unread(self, sentence: str, line: int, text: bytes) -> None:
        """Add an unreadable hand, of no table. text: how it begins.

        It is part of the match that began last; without one, it precedes the first match.
        """
        waiting = self._numbers()
        if not len(waiting):
            self._out.unread(sentence, line, is_hand=True, text=text)
            return
        table = Table((), "")
        table.at(line)
        table.unread(sentence, is_hand=True, text=text)
        self.add(int(waiting[-1]), table)

    def _numbers(self) -> NDArray[np.int64]:
        """The tables with waiting hands, in the order in which they began."""
        return np.flatnonzero(self._kept.tables["size"][: self._kept.counts[h.TABLES]])

    def _take_idle(self) -> Iterator[None]:
        kept = self._kept
        waiting = self._numbers()
        last = np.zeros(len(kept.tables), np.int64)
        hands = kept.hands["table"][: kept.counts[h.HANDS]]
        last[hands] = np.arange(len(hands))
        by_time = waiting[np.argsort(last[waiting])]
        left = int(kept.counts[h.BYTES]) - np.cumsum(kept.tables["size"][by_time])
        count = int(np.searchsorted(-left, -(self._most // 2))) + 1
        yield from self._take(np.sort(by_time[:count]))

    def take(self) -> Iterator[None]:
        """Put all matches into the lines; yields when they may be taken out."""
        yield from self._take(self._numbers())

    def _take(self, numbers: NDArray[np.int64]) -> Iterator[None]:
        made = self._made(numbers)
        size = 0
        for table in made:
            self._out.add_table(table)
            size += len(table.body)
            if size >= _AT_ONCE:
                size = 0
                yield
        yield

    def _made(self, numbers: NDArray[np.int64]) -> list[Table]:
        """The matches of some tables, whose hands are removed from the waiting ones."""
        kept, counts = self._kept, self._kept.counts
        hands = kept.hands[: counts[h.HANDS]]
        is_taken = np.zeros(len(kept.tables), np.bool_)
        is_taken[numbers] = True
        is_taken = is_taken[hands["table"]]
        rows = np.flatnonzero(is_taken)
        rows = rows[np.argsort(hands["table"][rows], kind="stable")]
        text, line_of = self._gathered(rows)
        per_hand = hands["before"] + hands["during"] + hands["after"]
        firsts = np.searchsorted(hands["table"][rows], [*numbers, len(kept.tables)])
        ends = np.cumsum([0, *hands["size"][rows]])[firsts].tolist()
        lines = np.cumsum([0, *per_hand[rows]])[firsts].tolist()
        made = []
        for k, number in enumerate(numbers.tolist()):
            table = kept.tables[number]
            most, places = int(table["most"]), int(table["places"])
            made.append(
                Table(
                    self._names(number),
                    DIALECTS[int(table["dialect"])],
                    10**most,
                    10 ** (most - places),
                    int(table["stack"]),
                    int(table["small"]),
                    int(table["big"]),
                    int(table["opening"]),
                    known_date(*(int(table[part]) for part in ("year", "month", "day", "second"))),
                    body=text[ends[k] : ends[k + 1]].tobytes(),
                    numbers=line_of[lines[k] : lines[k + 1]],
                )
            )
        kept.tables["closed"][numbers] = 1
        kept.tables["size"][numbers] = 0
        self._keep(np.flatnonzero(~is_taken))
        return made

    def _names(self, number: int) -> list[str]:
        kept = self._kept
        names = kept.names[kept.seats[number, : kept.tables[number]["names"]]]
        return [
            kept.arena[at : at + size].tobytes().decode("utf-8", "surrogateescape")
            for _, at, size in names.tolist()
        ]

    def _gathered(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The lines of some hands, and for each line that of the file."""
        hands = self._kept.hands
        text = np.empty(hands["size"][rows].sum(), np.uint8)
        count = sum(int(hands[name][rows].sum()) for name in ("before", "during", "after"))
        line_of = np.empty(count, np.int64)
        scan.gather(self._kept.out, hands, rows, text, line_of)
        return text, line_of

    def _keep(self, rows: NDArray[np.int64]) -> None:
        """Keep only some hands."""
        kept, counts = self._kept, self._kept.counts
        text, _ = self._gathered(rows)
        kept.out[: len(text)] = text
        kept.hands[: len(rows)] = kept.hands[rows]
        sizes = kept.hands["size"][: len(rows)]
        kept.hands["at"][: len(rows)] = np.cumsum(sizes) - sizes
        counts[h.HANDS] = len(rows)
        counts[h.OUT] = counts[h.BYTES] = len(text)
