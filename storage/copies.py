"""Copies of parts of matches: which new or stored match is contained in another one, or ends as another one begins.

A match is part of another of the same players if that one has all its hands, in order. If the last hands of one
match, at least OVERLAP, are the first of another, the earlier match keeps only the hands before them. Hands are equal
when their numbers, cards, actions, awards and printed bankrolls are.

Files of some engines show a match as one player or a spectator saw it, or as it stood on an earlier day
(`Dialect.views`). Their matches may have other players, whose names may have changed since; cards and bankrolls are
compared where both files have them. Of two files with the same hands the one with more cards stays.

The index knows each match by its players, the numbers of its first and last hand, and a hash of its first hand. Where
matches can overlap by these, the first hands of each are looked up among the hands of the others, by their numbers and
hand marks, two bits a hand, and the marks that follow are compared; only what is equal so far is read from
the store, row by row. Of new matches that are equal in all of this, one is compared for all of them.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash
from numpy.typing import NDArray

from ..parsers.dialects import dialects
from ..replay.outcome import Tables
from .index import Index, StoredMatch
from .ledger import PART, left_out
from .locations import Place
from .manifest import Batch, Part, readable

OVERLAP: Final = 5
"""Hands at least, where the end of one match is the beginning of another: fewer may be equal by chance."""

_ROWS: Final = 20_000
_MASK: Final = (1 << 64) - 1
_FACTORS: Final = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
_MARK_SHIFTS: Final = np.array([6, 4, 2, 0], np.uint8)
_FEW: Final = 32
"""Seats whose players a set has sooner than NumPy."""
_MANY: Final = 16
"""New matches at least, alike by what the index knows of them, of which equal ones are found before pairs are made."""
_SPAN: Final = 1 << 36
"""Room for the hand numbers of one group of players in a sort key."""

Lying = Sequence[tuple[Place, Batch]]
"""Batches, and the place in which the parts of each lie."""


@dataclass
class Copy:
    """Hands of a match that another match holds: all, or those from number `kept` on, counted from 0.

    line        line of the first of them in the match's file
    holder      the file that holds them as well, by its id; its path once it is known
    path        of the match's own file, once it is known
    verdicts, deviations  of the hands taken out
    """

    match: StoredMatch
    kept: int
    line: int
    holder: int
    holder_path: str = ""
    path: str = ""
    verdicts: Counter[str] = field(default_factory=Counter)
    deviations: Counter[str] = field(default_factory=Counter)

    @property
    def hands(self) -> int:
        """Stored hands that are taken out."""
        return self.match.hands - self.kept

    @property
    def reason(self) -> str:
        """Why they are not stored."""
        return PART.format(self.holder_path)

    @property
    def said(self) -> str:
        """The number of hands, and why they are not stored."""
        return left_out(self.hands, self.reason)


# Facts about each match, noted when it is read.


class HandMarks:
    """The hashes that identify copies of some matches, from their tables, one window of hands after the other."""

    def __init__(self, matches: int, views: bool = False) -> None:
        """views: of the matches' dialect; then marks are of awards alone, and the first hand is known without names
        and cards.
        """
        self._views = views
        self._of = [_Marked() for _ in range(matches)]

    def add(self, tables: Tables) -> None:
        """Note the hands of a window."""
        # Equal matches share a match_id, so rows of seats are grouped by the match's place in the chunk.
        (hands, match_of), (seats, owner) = tables["hands"], tables["seats"]
        numbers = hands["hand_no"].to_numpy()
        index = seats["hand_index"].to_numpy()
        new = np.ones(len(index), np.bool_)
        new[1:] = (index[1:] != index[:-1]) | (owner[1:] != owner[:-1])
        starts = np.flatnonzero(new)
        names = _one(seats["player"])
        hash_of = [_hash(name) for name in names.dictionary.to_pylist()]
        name_hashes = np.array(hash_of, np.uint64)
        codes = names.indices.to_numpy()
        rows = np.zeros(len(codes), np.uint64) if self._views else name_hashes[codes]
        rows += _numbers(seats["delta"]).view(np.uint64) * _FACTORS[0]
        banks = _numbers(seats["bankroll_before"]).view(np.uint64) * _FACTORS[1]
        hashes = _hand_hashes(rows + banks, starts, numbers)
        marks = (_hand_hashes(rows, starts, numbers) if self._views else hashes) >> np.uint64(62)
        marks = marks.astype(np.uint8)
        bounds = np.searchsorted(match_of, np.arange(len(self._of) + 1)).tolist()
        ends = np.append(starts, len(index))
        hole, board = _cards(seats, "hole"), _cards(hands, "board")
        for of, (first, last) in zip(self._of, pairwise(bounds), strict=True):
            if first == last:
                continue
            if not of.marks:
                opening = int(hashes[first])
                begin, end = (0, 0) if self._views else ends[first : first + 2].tolist()
                for seat, code in enumerate(codes[begin:end].tolist(), begin):
                    opening += xxhash.xxh3_64_intdigest(hole(seat), hash_of[code])
                opening += xxhash.xxh3_64_intdigest(board(first))
                of.opening, of.first_no = opening & _MASK, int(numbers[first])
            seated = codes[ends[first] : ends[last]]
            few = len(seated) <= _FEW
            players = set(seated.tolist()) if few else np.flatnonzero(np.bincount(seated)).tolist()
            of.players.update(hash_of[code] for code in players)
            of.last_no = int(numbers[last - 1])
            of.marks.append(marks[first:last])

    def found(self) -> list[dict[str, Any]]:
        """The fields of `StoredMatch` that identify copies, for each match; empty for one without hands."""
        return [
            {
                "players_hash": sum(of.players) & _MASK,
                "first_hand_no": of.first_no,
                "last_hand_no": of.last_no,
                "first_hand_hash": of.opening,
                "hand_marks": _packed(of.marks[0] if len(of.marks) == 1 else np.concatenate(of.marks)),
            }
            if of.marks
            else {}
            for of in self._of
        ]


@dataclass
class _Marked:
    """The facts collected about a match: its first and last hand, its players' hashes, its hands' marks."""

    opening: int = 0
    first_no: int = 0
    last_no: int = 0
    players: set[int] = field(default_factory=set)
    marks: list[NDArray[np.uint8]] = field(default_factory=list)


def _hand_hashes(
    seats: NDArray[np.uint64], starts: NDArray[np.intp], numbers: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Hashes of hands, of those of their seats and of their numbers. starts: the first seat of each hand."""
    rows = seats ^ (seats >> np.uint64(29))
    rows *= _FACTORS[2]
    rows ^= rows >> np.uint64(32)
    # A sum over no seats would fail.
    sums = np.add.reduceat(rows, starts) if len(starts) else rows
    hashes: NDArray[np.uint64] = sums + numbers.view(np.uint64) * _FACTORS[0]
    hashes ^= hashes >> np.uint64(31)
    hashes *= _FACTORS[1]
    return hashes


def _one(column: pa.ChunkedArray) -> pa.Array:
    """A column as one array; to combine a single chunk would copy it."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _hash(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogateescape"))


def _numbers(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """Chips as doubles, with one NaN for all nulls."""
    values: NDArray[np.float64] = column.to_numpy().astype(np.float64)
    if column.null_count:
        values[np.isnan(values)] = np.nan
    # Turns -0.0 into 0.0.
    values += 0.0
    return values


def _cards(table: pa.Table, name: str) -> Callable[[int], bytes]:
    """The codes of the cards in a row of a column of lists."""
    column = _one(table[name])
    offsets = memoryview(column.offsets.to_numpy())
    codes: NDArray[Any] = column.values.indices.to_numpy(zero_copy_only=False)
    # Hashes of stores that exist are of a byte a card. Where a card is null, codes are doubles.
    held = codes.astype(np.int8 if codes.dtype.kind == "i" else codes.dtype)
    text, size = held.tobytes(), held.itemsize

    def cards_of(row: int) -> bytes:
        return text[offsets[row] * size : offsets[row + 1] * size]

    return cards_of


def _packed(marks: NDArray[np.uint8]) -> bytes:
    if len(marks) == 1:
        return bytes((int(marks[0]) << int(_MARK_SHIFTS[0]),))
    fours = np.zeros(-len(marks) % 4 + len(marks), np.uint8)
    fours[: len(marks)] = marks
    packed: NDArray[np.uint8] = (fours.reshape(-1, 4) << _MARK_SHIFTS).sum(axis=1, dtype=np.uint8)
    return bytes(packed)


def _unpacked(packed: bytes, hands: int) -> NDArray[np.uint8]:
    fours = np.frombuffer(packed, np.uint8)
    return ((fours[:, None] >> _MARK_SHIFTS) & 3).astype(np.uint8).ravel()[:hands]


# Matches that can overlap


def _overlapping(index: Index, new: Sequence[StoredMatch]) -> tuple[set[int], list[list[int]]]:
    """Ids of matches that may hold the same hands by what the index knows of them, and all of one first hand.

    The first: a match and one of the same players that begins within it, one of both at least new.
    """
    fields = ("match_id", "players_hash", "first_hand_no", "last_hand_no", "first_hand_hash")
    stored = index.columns(*fields)
    own = [np.array([getattr(m, name) for m in new], c.dtype) for name, c in zip(fields, stored, strict=True)]
    ids, players, first, last, opening = (np.concatenate(pair) for pair in zip(own, stored, strict=True))
    known = np.arange(len(new))
    order = np.argsort(opening, kind="stable")
    asked = np.unique(opening[known])
    openings = [
        ids[order[left:right]].tolist()
        for _, left, right in _ranges(opening[order], asked, asked)
        if right - left > 1
    ]
    groups = np.unique(players, return_inverse=True)[1].astype(np.int64)
    least = int(first.min())
    keys = groups * _SPAN + np.minimum(first - least, _SPAN - 1)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    # Matches that begin within a new one, and those before it that may reach into it.
    ends = groups[known] * _SPAN + np.clip(last[known] - least, 0, _SPAN - 1)
    begins = groups[known] * _SPAN + np.minimum(first[known] - least, _SPAN - 1)
    found = np.zeros(len(ids), np.bool_)
    for mine, left, right in _ranges(keys, begins + 1, ends):
        found[order[left:right]] = found[mine] = True
    for mine, left, right in _ranges(keys, groups[known] * _SPAN, begins - 1):
        others = order[left:right]
        others = others[last[others] >= first[mine]]
        found[others] = True
        found[mine] |= len(others) > 0
    return set(ids[found].tolist()), openings


def _ranges(
    sorted_keys: NDArray[Any], least: NDArray[Any], most: NDArray[Any]
) -> Iterator[tuple[int, int, int]]:
    """(place, left, right) for each place in least and most where sorted keys lie between the two, both included."""
    left, right = sorted_keys.searchsorted(least, "left"), sorted_keys.searchsorted(most, "right")
    for place in np.flatnonzero(right > left).tolist():
        yield place, int(left[place]), int(right[place])


# Their logs, read from the store.


_NO_HASHES: Final = np.zeros(0, np.uint64)
_NOT_KNOWN: Final = np.zeros((2, 0, 0), np.uint64)


@dataclass(slots=True)
class _Log:
    """A match of a pair, with all hands of its log, stored or not."""

    match: StoredMatch
    hands: int
    marks: NDArray[np.uint8]
    players: tuple[str, ...]
    file_id: int
    line: int
    views: bool
    hashes: NDArray[np.uint64] = field(default_factory=lambda: _NO_HASHES)
    """The hash of each stored hand, 0 for the others."""
    known: NDArray[np.uint64] = field(default_factory=lambda: _NOT_KNOWN)
    """In a dialect with views: hashes of bankrolls and of hole cards (2, stored hands, seats), 0 if unknown."""

    @property
    def rank(self) -> tuple[int, bool, int, int]:
        """The log of higher rank is kept of two with the same hands."""
        return self.hands, self.match.complete, int(np.count_nonzero(self.known[1])), -self.match.match_id

    @property
    def content(self) -> tuple[Any, ...]:
        """All that is compared of a log; equal for logs that hold the same and are held by the same others."""
        of = self.match
        numbers = of.players_hash, of.first_hand_no, of.last_hand_no, of.first_hand_hash, of.hands
        arrays = self.marks.tobytes(), self.hashes.tobytes(), self.known.tobytes()
        return *numbers, self.hands, self.views, self.players, *arrays

    @property
    def is_gapless(self) -> bool:
        """True if every hand has the number that follows the one before."""
        return self.match.last_hand_no - self.match.first_hand_no + 1 == self.hands

    def agrees(self, other: "_Log", at: int, common: int) -> bool:
        """True if some hands from a place on have the cards and bankrolls of the first of another, as far as known."""
        for seat, name in enumerate(self.players):
            if self.known.size and other.known.size and name in other.players:
                mine = self.known[:, at : at + common, seat]
                theirs = other.known[:, : mine.shape[1], other.players.index(name)]
                mine = mine[:, : theirs.shape[1]]
                if ((mine != theirs) & (mine != 0) & (theirs != 0)).any():
                    return False
        return True

    def places(self, other: "_Log") -> range:
        """The places in this log at which the first hand of another may be."""
        if not self.is_gapless:
            return range(self.hands)
        at = other.match.first_hand_no - self.match.first_hand_no
        return range(max(at, 0), min(at + 1, self.hands))


def _logs(lying: Lying, matches: dict[int, StoredMatch]) -> dict[int, _Log]:
    names = ["match_id", "players", "hand_marks", "log_hands", "line", "file_id", "dialect"]
    # A store may have matches of games in users' files that this ingest is not given.
    several = {dialect.name for dialect in dialects() if dialect.views}
    found: dict[int, _Log] = {}
    same: dict[tuple[str, ...], tuple[str, ...]] = {}
    for place, batch in lying:
        for part in batch.of("matches"):
            for _, rows in _read(place, part, names, matches):
                for match_id, players, marks, hands, line, file_id, dialect in zip(
                    *(rows[name] for name in names), strict=True
                ):
                    own, views = _unpacked(marks, hands), dialect in several
                    seated = same.setdefault(tuple(players), tuple(players))
                    found[match_id] = _Log(matches[match_id], hands, own, seated, file_id, line, views)
    return found


def _read(
    place: Place, part: Part, names: Collection[str], ids: Collection[int]
) -> Iterator[tuple[int, dict[str, list[Any]]]]:
    """The number of rows of some matches, and their columns by name as Python values."""
    import pyarrow.compute as pc

    wanted = pa.array(sorted(ids), pa.uint64())
    with readable(place, part), pq.ParquetFile(place.open(part.name), pre_buffer=False) as file:
        for some in file.iter_batches(_ROWS, columns=list(names), use_threads=False):
            rows = pa.Table.from_batches([some])
            rows = rows.filter(pc.is_in(rows["match_id"], wanted))
            if count := rows.num_rows:
                yield count, {name: rows[name].to_pylist() for name in names}


def _read_hands(lying: Lying, logs: dict[int, _Log]) -> None:
    """Hash the stored hands of some logs."""
    # All hands lie in one array: two lists a match would take more than its hands.
    bases = dict(zip(logs, accumulate((log.match.hands for log in logs.values()), initial=0), strict=False))
    count = sum(log.match.hands for log in logs.values())
    sums, acts = array("Q", bytes(8 * count)), array("Q", bytes(8 * count))
    views = {match_id for match_id, log in logs.items() if log.views}
    holes: dict[int, list[tuple[int, int, list[str]]]] = {match_id: [] for match_id in views}
    for match_id in views:
        logs[match_id].known = np.zeros(
            (2, logs[match_id].match.hands, len(logs[match_id].players)), np.uint64
        )
    for place, batch in lying:
        for part in batch.of("hands"):
            for _, rows in _read(place, part, ["match_id", "hand_index", "hand_no", "board"], logs):
                for match_id, hand, number, board in zip(*rows.values(), strict=True):
                    at = bases[match_id] + hand
                    sums[at] = (sums[at] + _hash(f"{number} {board or []}")) & _MASK
        for part in batch.of("seats"):
            names = ["match_id", "hand_index", "player", "hole", "delta", "bankroll_before", "seat"]
            for _, rows in _read(place, part, names, logs):
                for match_id, hand, player, hole, delta, bank, seat in zip(*rows.values(), strict=True):
                    at, is_view = bases[match_id] + hand, match_id in views
                    told = f"{delta}" if is_view else f"{player} {hole} {delta} {bank}"
                    sums[at] = (sums[at] + _hash(told)) & _MASK
                    if not is_view:
                        continue
                    logs[match_id].known[0, hand, seat] = 0 if bank is None else _hash(f"{bank}")
                    holes[match_id].append((hand, seat, hole or []))
        for part in batch.of("actions"):
            names = ["match_id", "hand_index", "action", "street", "seat", "board_no"]
            for _, rows in _read(place, part, names, logs):
                for match_id, hand, action, street, seat, board in zip(*rows.values(), strict=True):
                    if action != "post":
                        player = "" if match_id in views else logs[match_id].players[seat]
                        told = f"{action} {street} {board} {player}"
                        at = bases[match_id] + hand
                        acts[at] = (acts[at] * 31 + _hash(told)) & _MASK
    hashes = np.frombuffer(sums, np.uint64) + np.frombuffer(acts, np.uint64)
    hashes[hashes == 0] = 1
    for match_id, log in logs.items():
        stored = hashes[bases[match_id] : bases[match_id] + log.match.hands]
        log.hashes = np.concatenate([stored, np.zeros(log.hands - log.match.hands, np.uint64)])
    for match_id, dealt in holes.items():
        # For some hands a file has only a shown card.
        most = max((len(cards) for _, _, cards in dealt), default=0)
        for hand, seat, cards in dealt:
            if most and len(cards) == most and None not in cards:
                logs[match_id].known[1, hand, seat] = _hash(" ".join(sorted(cards)))


# Copies among them


def _meets(one: _Log, other: _Log, by_marks: bool) -> Iterator[tuple[int, int]]:
    """(place, hands): from this place on, so many hands of a log begin another log, up to the end of either."""
    for at in one.places(other):
        common = min(one.hands - at, other.hands)
        whole = common == other.hands or (at == 0 and common == one.hands)
        if not whole and common < OVERLAP:
            continue
        if by_marks:
            same = one.marks[at : at + common] == other.marks[:common]
        else:
            mine, theirs = one.hashes[at : at + common], other.hashes[:common]
            # Hands that are not stored any more are known by their marks.
            same = (mine == theirs) | (mine == 0) | (theirs == 0)
        if same.all() and (by_marks or one.agrees(other, at, common)):
            yield at, common


def find_copies(
    index: Index, new: Sequence[StoredMatch], live: Sequence[Batch], place: Place, staged: Lying
) -> list[Copy]:
    """The copies among new matches, whose parts lie staged, and those of the store, which lie in live batches."""
    new = [match for match in new if match.players_hash]
    equal = _equal(staged, new)
    once = {log.match.match_id for _, others in equal for log in others}
    found = _judged(
        _alike(index, [match for match in new if match.match_id not in once], live, place, staged)
    )
    for stays, others in equal:
        _, kept, whole = found.get(stays.match.match_id, (stays, stays.hands, stays))
        found |= {log.match.match_id: (log, 0, stays if kept else whole) for log in others}
    if not found:
        return []
    return _copies(_lying(live, place, staged, {log.match.batch for log, _, _ in found.values()}), found)


def _lying(live: Sequence[Batch], place: Place, staged: Lying, homes: Collection[str]) -> Lying:
    return [*staged, *((place, batch) for batch in live if batch.name in homes)]


def _equal(staged: Lying, new: Sequence[StoredMatch]) -> list[tuple[_Log, list[_Log]]]:
    """Groups of equal new matches: the one that is kept, and the others. Pairs would be quadratic in number."""
    known: dict[tuple[int | None, ...], list[StoredMatch]] = {}
    for m in new:
        key = m.players_hash, m.first_hand_no, m.last_hand_no, m.first_hand_hash, m.hands
        known.setdefault(key, []).append(m)
    asked = {match.match_id: match for some in known.values() if len(some) >= _MANY for match in some}
    if not asked:
        return []
    logs = _logs(staged, asked)
    _read_hands(staged, logs)
    equal: dict[tuple[Any, ...], list[_Log]] = {}
    for log in logs.values():
        equal.setdefault(log.content, []).append(log)
    several = (sorted(some, key=lambda log: log.rank) for some in equal.values() if len(some) > 1)
    return [(some[-1], some[:-1]) for some in several]


def _alike(
    index: Index, new: Sequence[StoredMatch], live: Sequence[Batch], place: Place, staged: Lying
) -> list[tuple[_Log, _Log]]:
    """Pairs of logs of which the second may begin within the first, by their marks; their hands are read."""
    overlapping, openings = _overlapping(index, new) if new else (set(), [])
    ids = {match_id for some in (overlapping, *openings) for match_id in some}
    if not ids:
        return []
    matches = {match.match_id: match for match in new}
    for match_id in ids - matches.keys():
        stored = index.match(match_id)
        assert stored is not None
        matches[match_id] = stored
    asked = {match_id: matches[match_id] for match_id in ids}
    lying = _lying(live, place, staged, {match.batch for match in asked.values()})
    logs = _logs(lying, asked)
    fresh = {match.match_id for match in new}
    alike = [
        (one, other)
        for one, other in _begin_within([logs[match_id] for match_id in sorted(overlapping & logs.keys())])
        if not fresh.isdisjoint((one.match.match_id, other.match.match_id))
        and next(_meets(one, other, by_marks=True), None) is not None
    ]
    begun = [_begun([logs[match_id] for match_id in some if match_id in logs]) for some in openings]
    read = {log.match.match_id: log for some in (*alike, *begun) for log in some}
    if read:
        _read_hands(lying, read)
    return [*alike, *(pair for some in begun for pair in _opened(some))]


def _begun(logs: Sequence[_Log]) -> list[_Log]:
    """Those of some logs that begin another by their marks, or begin with another; all where one has gaps."""
    if not all(log.is_gapless for log in logs):
        # One of these may hold another further down.
        return list(logs)
    found: dict[int, _Log] = {}
    within: list[tuple[bytes, _Log]] = []
    for marks, log in sorted(((log.marks.tobytes(), log) for log in logs), key=lambda one: one[0]):
        while within and not marks.startswith(within[-1][0]):
            within.pop()
        for one in (*(outer for _, outer in within[-1:]), *([log] if within else [])):
            found[one.match.match_id] = one
        within.append((marks, log))
    return list(found.values())


def _opened(logs: Sequence[_Log]) -> Iterator[tuple[_Log, _Log]]:
    """Pairs of logs with one first hand, of which the second begins the first; their hands are read.

    Many matches may begin alike: each log is paired with the one that would hold it, of all that begin with it the one
    of the highest rank.
    """
    firsts = np.unique(np.concatenate([_NO_HASHES, *(log.hashes[:1] for log in logs)]))
    plain = [
        log
        for log in logs
        if not log.views
        and log.hashes.all()
        and (log.is_gapless or not np.isin(log.hashes[1:], firsts).any())
    ]
    keyed = sorted(((log.hashes.tobytes(), log) for log in plain), key=lambda one: (one[0], one[1].rank))
    within: list[tuple[bytes, _Log, _Log]] = []
    for hashes, log in (*keyed, (b"", None)):
        while within and (log is None or not hashes.startswith(within[-1][0])):
            _, part, whole = within.pop()
            if whole is not part:
                yield whole, part
            if within:
                outer = within[-1]
                within[-1] = *outer[:2], max(outer[2], whole, key=lambda one: one.rank)
        if log is not None:
            within.append((hashes, log, log))
    # Among views, the one of the highest rank may disagree; hands no longer stored are known by their marks; a log
    # in which a first hand comes again may hold another further down.
    taken = {log.match.match_id for log in plain}
    for one in logs:
        if one.match.match_id not in taken:
            for pair in (pair for other in logs if other is not one for pair in ((one, other), (other, one))):
                if next(_meets(*pair, by_marks=True), None) is not None:
                    yield pair


def _begin_within(logs: Sequence[_Log]) -> Iterator[tuple[_Log, _Log]]:
    """Pairs of logs of the same players of which the second may begin within the first, below its first hand.

    Where the numbers of a log have no gaps, the second's first marks must be at the number of its first hand: they
    are looked up in an index of the first hands, since pairs of many logs would be their number squared.
    """
    for some in _by_players(logs):
        for one in (log for log in some if not log.is_gapless):
            reach = range(one.match.first_hand_no, one.match.last_hand_no + 1)
            for other in some:
                begins = other.match.first_hand_no
                may_meet = begins in reach or one.match.first_hand_no in range(
                    begins, other.match.last_hand_no + 1
                )
                if other is not one and begins != one.match.first_hand_no and may_meet:
                    yield one, other
        gapless = [log for log in some if log.is_gapless]
        for size in range(1, OVERLAP + 1):
            # A whole log may be shorter than other overlaps.
            starts = [k for k, log in enumerate(some) if min(log.hands, OVERLAP) == size]
            if not starts or not gapless:
                continue
            least = min(log.match.first_hand_no for log in some)
            codes = np.array([_codes(some[k], size, least)[0] for k in starts], np.int64)
            order = np.argsort(codes, kind="stable")
            codes = codes[order]
            for one in gapless:
                within = _codes(one, size, least)[1:]
                left, right = codes.searchsorted(within, "left"), codes.searchsorted(within, "right")
                for place in np.flatnonzero(right > left).tolist():
                    for k in order[left[place] : right[place]].tolist():
                        yield one, some[starts[k]]


def _by_players(logs: Sequence[_Log]) -> Iterator[list[_Log]]:
    """The logs of the same players, where there are several."""
    found: dict[int | None, list[_Log]] = {}
    for log in logs:
        found.setdefault(log.match.players_hash, []).append(log)
    yield from (some for some in found.values() if len(some) > 1)


def _codes(log: _Log, size: int, least: int) -> NDArray[np.int64]:
    """One integer per hand: its number, counted from `least`, and the marks of `size` hands from it on."""
    marks = log.marks[: log.hands].astype(np.int64)
    count = max(len(marks) - size + 1, 0)
    codes = np.arange(count, dtype=np.int64) + (log.match.first_hand_no - least)
    for k in range(size):
        codes = (codes << 2) | marks[k : k + count]
    return codes


def _judged(alike: Sequence[tuple[_Log, _Log]]) -> "dict[int, tuple[_Log, int, _Log]]":
    """For each copy, by its match's id: the log, the hands to keep, the log that holds the others."""
    holders: dict[int, list[_Log]] = {}
    ends: list[tuple[_Log, int, _Log]] = []
    logs = {log.match.match_id: log for pair in alike for log in pair}
    for one, other in alike:
        for at, common in _meets(one, other, by_marks=False):
            part, whole = sorted((one, other), key=lambda log: log.rank)
            if common == part.hands:
                holders.setdefault(part.match.match_id, []).append(whole)
            elif common < other.hands:
                ends.append((one, at, other))
    found: dict[int, tuple[_Log, int, _Log]] = {
        match_id: (logs[match_id], 0, max(wholes, key=lambda log: log.rank))
        for match_id, wholes in holders.items()
    }
    for one, at, other in ends:
        if one.match.match_id in holders or other.match.match_id in holders or at >= one.match.hands:
            continue
        known = found.get(one.match.match_id)
        if known is None or (at, -other.hands, other.match.match_id) < (
            known[1],
            -known[2].hands,
            known[2].match.match_id,
        ):
            found[one.match.match_id] = one, at, other
    return found


def _copies(lying: Lying, found: "dict[int, tuple[_Log, int, _Log]]") -> list[Copy]:
    """The copies, with what the ledger needs to know of them."""
    copies = {
        match_id: Copy(log.match, kept, log.line, holder.file_id)
        for match_id, (log, kept, holder) in found.items()
    }
    names = ["match_id", "hand_index", "line", "verdict", "deviations"]
    for where, batch in lying:
        for part in batch.of("hands"):
            for _count, rows in _read(where, part, names, copies):
                for match_id, hand, line, verdict, deviations in zip(*rows.values(), strict=True):
                    copy = copies[match_id]
                    if hand >= copy.kept:
                        copy.verdicts[verdict] += 1
                        copy.deviations.update(deviations or ())
                        if hand == copy.kept and hand:
                            copy.line = line
    return list(copies.values())
