"""Hands of PHH whose file has one line per key, from its bytes to the lines of a table, compiled.

The scan stops at a hand that differs from the form of published files, or is unreadable: `phh` reads that one. Hands
are written in the order of the file; those of one table and game are joined when the match is taken (`phh_tables`).
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.bundles import bundle
from ..jit.compile import kernel, part, step
from . import phh_hands as h
from .dialect import MOST_NAMES
from .phh_hands import Hand, hashed, is_digit, is_same, read_keys, read_values

COUNTS: Final = 10

TABLE_FIELDS: Final = np.dtype(
    [
        (name, np.int64)
        for name in (
            "hash",
            "dialect",
            "most",
            "places",
            "venue",
            "title",
            "at",
            "names",
            "opening",
            "stack",
            "small",
            "big",
            "closed",
            "size",
            "year",
            "month",
            "day",
            "second",
        )
    ]
)
"""A table: its hash; by its variant the number of its dialect; decimal places of a unit, and of the least share; bytes
of its venue and its name, -1 if it has none, which stand at a place of the arena; its names, and those of its first
hand; the stakes in units; whether no hand can follow; bytes of its lines that wait; when its first hand was played, -1
where that is not told, the time of the day in seconds."""

HAND_FIELDS: Final = np.dtype(
    [(name, np.int64) for name in ("table", "at", "size", "first", "acts", "before", "during", "after")]
)
"""A hand: its table; where its lines stand, and their bytes; its first line in the file, and that of its actions; how
many lines come from the first, from the actions, and from the first again."""

NAME_FIELDS: Final = np.dtype([(name, np.int64) for name in ("hash", "at", "size")])


@bundle
class Kept(NamedTuple):
    """Hands that are waiting for others of their tables.

    counts      (COUNTS,) int64
    tables      TABLE_FIELDS; seats: (tables, MOST_NAMES) the names of each by seat; slots: tables by hash, from 1
    names       NAME_FIELDS, of all tables; name_slots: by hash, from 1; arena: their bytes
    hands       HAND_FIELDS; out: their lines
    """

    counts: NDArray[np.int64]
    tables: NDArray[np.void]
    seats: NDArray[np.int32]
    slots: NDArray[np.int32]
    names: NDArray[np.void]
    name_slots: NDArray[np.int32]
    arena: NDArray[np.uint8]
    hands: NDArray[np.void]
    out: NDArray[np.uint8]


_WORDS: Final = (
    b"hand ",
    b"limit ",
    b"seat ",
    b"ante ",
    b"dead ",
    b"small ",
    b"big ",
    b"straddle ",
    b"price ",
    b"deal ",
    b"hidden ",
    b"board",
    b"fold ",
    b"call ",
    b"raise ",
    b"show ",
    b"lost ",
    b"left ",
    b"win ",
    b"end",
    b"first ",
)
_W_HAND, _W_LIMIT, _W_SEAT, _W_ANTE, _W_DEAD, _W_SMALL, _W_BIG, _W_STRADDLE, _W_PRICE = range(9)
_W_DEAL, _W_HIDDEN, _W_BOARD, _W_FOLD, _W_CALL, _W_RAISE, _W_SHOW, _W_LOST = range(9, 17)
_W_LEFT, _W_WIN, _W_END, _W_FIRST = range(17, 21)
_LETTERS: Final = np.frombuffer(b"".join(_WORDS), np.uint8).copy()
_LETTERS_AT: Final = np.cumsum([0, *map(len, _WORDS)])
_LONGEST_LINE: Final = 64
"""Bytes of a line without cards, at most."""
_LIMIT_KIND: Final = np.array([2 if k in h.FIXED else 1 if k in h.POT else 0 for k in range(len(h.VARIANTS))])


@part
def _units(hand: Hand, key: int, k: int) -> int:
    """An amount in units, 0 of a list that is missing."""
    if hand.values[key, 0] == h.NONE:
        return 0
    value: int = hand.digits[key, k] * h.TENS[hand.facts[h.MOST] - hand.decimals[key, k]]
    return value


# Tables and their players


@part
def _name(kept: Kept, text: NDArray[np.uint8], at: int, end: int) -> int:
    """The index of a name among all names; a new name is added."""
    own = hashed(h.BASIS, text, at, end)
    mask = len(kept.name_slots) - 1
    slot = own & mask
    while kept.name_slots[slot] > 0:
        place: int = kept.name_slots[slot] - 1
        name = kept.names[place]
        first = name["at"] + 0
        if name["hash"] == own and is_same(text, at, end, kept.arena, first, first + name["size"]):
            return place
        slot = (slot + 1) & mask
    counts = kept.counts
    place = counts[h.NAMES] + 0
    kept.name_slots[slot] = place + 1
    name = kept.names[place]
    name["hash"], name["at"], name["size"] = own, counts[h.ARENA], end - at
    _copy(text, at, end, kept.arena, counts[h.ARENA] + 0)
    counts[h.ARENA] += end - at
    counts[h.NAMES] += 1
    return place


@part
def _copy(text: NDArray[np.uint8], at: int, end: int, into: NDArray[np.uint8], first: int) -> int:
    """Copy text[at:end] to a place; the place after it."""
    for k in range(end - at):
        into[first + k] = text[at + k]
    return first + end - at


@part
def _is_of(kept: Kept, table: int, own: int, text: NDArray[np.uint8], hand: Hand) -> bool:
    """True for the table of a hand, if its match may continue."""
    record, facts, spans = kept.tables[table], hand.facts, hand.spans
    if record["hash"] != own or record["closed"] or record["dialect"] != facts[h.KIND]:
        return False
    if record["most"] != facts[h.MOST] or record["places"] != facts[h.PLACES]:
        return False
    at = record["at"] + 0
    for k in range(2):
        size = record["venue"] + 0 if k == 0 else record["title"] + 0
        first, last = spans[k, 0] + 0, spans[k, 1] + 0
        if (size == h.NONE) != (first == h.NONE):
            return False
        if size != h.NONE:
            if not is_same(text, first, last, kept.arena, at, at + size):
                return False
            at += size
    return True


@part
def _enter(kept: Kept, text: NDArray[np.uint8], hand: Hand) -> int:
    """The table of a hand, created if necessary, and the seats of its players; -1 if there is no room.

    -2: two of the players have one name.
    """
    counts, facts, spans, count = kept.counts, hand.facts, hand.spans, hand.facts[h.PLAYED] + 0
    size = 4 * count
    for k in range(count + 2):
        size += max(spans[k, 1] - spans[k, 0], 0) if spans[k, 0] != h.NONE else 0
    if counts[h.ARENA] + size > len(kept.arena) or counts[h.TABLES] >= len(kept.tables):
        return -1
    if counts[h.NAMES] + count > len(kept.names):
        return -1
    own = h.BASIS
    for k in (h.KIND, h.MOST, h.PLACES):
        own = ((own ^ facts[k]) * h.PRIME) & h.MASK
    for k in range(2):
        if spans[k, 0] == h.NONE:
            own = ((own ^ 255) * h.PRIME) & h.MASK
        else:
            own = hashed(own, text, spans[k, 0] + 0, spans[k, 1] + 0)
    for k in range(count):
        if spans[2 + k, 0] == h.NONE:
            hand.ids[k] = _name(kept, hand.unnamed, 3 * k, 3 * k + 2 + k // 9)
        else:
            hand.ids[k] = _name(kept, text, spans[2 + k, 0] + 0, spans[2 + k, 1] + 0)
        for j in range(k):
            if hand.ids[j] == hand.ids[k]:
                return -2
    mask = len(kept.slots) - 1
    slot = own & mask
    table = h.NONE
    while kept.slots[slot] > 0 and table < 0:
        if _is_of(kept, kept.slots[slot] - 1, own, text, hand):
            table = kept.slots[slot] - 1
        slot = (slot + 1) & mask
    if table >= 0 and not _seat_all(kept, table, hand):
        kept.tables[table]["closed"] = 1
        while kept.slots[slot] > 0:
            slot = (slot + 1) & mask
        table = h.NONE
    if table < 0:
        table = counts[h.TABLES] + 0
        counts[h.TABLES] += 1
        kept.slots[slot] = table + 1
        record = kept.tables[table]
        record["hash"], record["dialect"], record["most"], record["places"] = (
            own,
            facts[h.KIND],
            facts[h.MOST],
            facts[h.PLACES],
        )
        record["venue"] = record["title"] = h.NONE
        record["at"], record["names"], record["opening"], record["closed"] = counts[h.ARENA], 0, count, 0
        record["size"] = record["stack"] = record["small"] = record["big"] = 0
        if spans[0, 0] != h.NONE:
            record["venue"] = spans[0, 1] - spans[0, 0]
            counts[h.ARENA] = _copy(text, spans[0, 0] + 0, spans[0, 1] + 0, kept.arena, counts[h.ARENA] + 0)
        if spans[1, 0] != h.NONE:
            record["title"] = spans[1, 1] - spans[1, 0]
            counts[h.ARENA] = _copy(text, spans[1, 0] + 0, spans[1, 1] + 0, kept.arena, counts[h.ARENA] + 0)
        _seat_all(kept, table, hand)
    return table


@part
def _seat_all(kept: Kept, table: int, hand: Hand) -> bool:
    """Give the players of a hand their seats; False if the match has no free seat."""
    record, seats, count = kept.tables[table], kept.seats, hand.facts[h.PLAYED] + 0
    names = record["names"] + 0
    for k in range(count):
        seat = 0
        while seat < names and seats[table, seat] != hand.ids[k]:
            seat += 1
        if seat == names:
            if names == MOST_NAMES:
                return False
            seats[table, seat] = hand.ids[k]
            names += 1
        hand.seats[k] = seat
    record["names"] = names
    return True


# The lines of a hand


@part
def _put(out: NDArray[np.uint8], at: int, word: int) -> int:
    """Write a word; the place after it."""
    for k in range(_LETTERS_AT[word], _LETTERS_AT[word + 1]):
        out[at] = _LETTERS[k]
        at += 1
    return at


@part
def _put_number(out: NDArray[np.uint8], at: int, number: int) -> int:
    """Write a whole number; the place after it."""
    if number < 0:
        out[at] = 45
        at += 1
        number = -number
    size = 1
    while size < 19 and number >= h.TENS[size]:
        size += 1
    for k in range(size):
        out[at + size - 1 - k] = 48 + number % 10
        number //= 10
    return at + size


@part
def _put_seat(out: NDArray[np.uint8], at: int, word: int, seat: int) -> int:
    """Write a line of a seat; the place after it."""
    at = _put_number(out, _put(out, at, word), seat)
    out[at] = 10
    return at + 1


@part
def _put_amount(out: NDArray[np.uint8], at: int, word: int, seat: int, chips: int) -> int:
    """Write a line of a seat and chips; the place after it."""
    at = _put_number(out, _put(out, at, word), seat)
    out[at] = 32
    at = _put_number(out, at + 1, chips)
    out[at] = 10
    return at + 1


@part
def _put_cards(out: NDArray[np.uint8], at: int, text: NDArray[np.uint8], first: int, last: int) -> int:
    """Write the known cards of a text, each after a blank; returns the offset after them."""
    for k in range(first, last, 2):
        if text[k] != 63:
            out[at] = 32
            out[at + 1] = text[k]
            out[at + 2] = text[k + 1]
            at += 3
    return at


@step
def _posts(
    out: NDArray[np.uint8], at: int, text: NDArray[np.uint8], hand: Hand, lines: int
) -> tuple[int, int]:
    """Write antes, then blinds; a smaller stack is posted whole. Returns the offset after them, and their lines."""
    count, left, seats = hand.facts[h.PLAYED] + 0, hand.left, hand.seats
    most = 0
    for k in range(count):
        of = 1 - k if count == 2 else k
        hand.antes[k] = _units(hand, h.ANTES, of)
        hand.posts[k] = _units(hand, h.BLINDS, of)
        most = max(most, hand.posts[k])
        left[k] = h.ENDLESS if hand.digits[h.STACKS, k] == h.INFINITE else _units(hand, h.STACKS, k)
    trims = hand.values[h.TRIMMING, 0] != h.NONE and is_same(
        text, hand.values[h.TRIMMING, 0] + 0, hand.values[h.TRIMMING, 1] + 0, h.TRUE, 0, 4
    )
    for k in range(count):
        if hand.antes[k] > 0:
            chips = min(hand.antes[k], left[k])
            left[k] -= chips
            at = _put_amount(out, at, _W_ANTE if trims else _W_DEAD, seats[k] + 0, chips)
            lines += 1
    # The first and the last player of those who posted most: before the flop the one after the last begins.
    largest = first = last = 0
    for j in range(count):
        # Heads-up the button posts the small blind and is last.
        k = 1 - j if count == 2 else j
        if hand.posts[k] > 0:
            chips = min(hand.posts[k], left[k])
            left[k] -= chips
            at = _put_amount(out, at, _W_SMALL + min(j, 2), seats[k] + 0, chips)
            lines += 1
            if chips > largest:
                first = last = k
            elif chips == largest:
                last = max(last, k)
            largest = max(largest, chips)
    if most > 0:
        at = _put_number(out, _put(out, at, _W_PRICE), most)
        out[at] = 10
        at += 1
        lines += 1
    opens = (1 + last) % count
    if largest > 0 and opens != (1 if count == 2 else (first + 1) % count):
        at = _put_seat(out, at, _W_FIRST, seats[opens] + 0)
        lines += 1
    return at, lines


@step
def _acts(out: NDArray[np.uint8], at: int, text: NDArray[np.uint8], hand: Hand) -> tuple[int, int]:
    """Write the actions: the place after them, and their lines."""
    steps, seats, lines = hand.steps, hand.seats, 0
    for k in range(hand.facts[h.STEPS]):
        kind, seat = steps[k, 0] + 0, seats[steps[k, 1]] + 0
        first, last = steps[k, 2] + 0, steps[k, 3] + 0
        lines += 1
        if kind == h.DEAL:
            known = 0
            for j in range(first, last, 2):
                known += text[j] != 63
            if known > 0:
                at = _put_number(out, _put(out, at, _W_DEAL), seat)
                at = _put_cards(out, at, text, first, last)
                out[at] = 10
                at += 1
            if 2 * known < last - first:
                at = _put_amount(out, at, _W_HIDDEN, seat, (last - first) // 2 - known)
                lines += known > 0
        elif kind == h.BOARD:
            at = _put_cards(out, _put(out, at, _W_BOARD), text, first, last)
            out[at] = 10
            at += 1
        elif kind == h.FOLD:
            at = _put_seat(out, at, _W_FOLD, seat)
        elif kind == h.CALL:
            at = _put_seat(out, at, _W_CALL, seat)
        elif kind == h.RAISE:
            at = _put_amount(out, at, _W_RAISE, seat, first * h.TENS[hand.facts[h.MOST] - last])
        elif kind == h.LOST:
            at = _put_seat(out, at, _W_LOST, seat)
        else:
            begin = at
            at = _put_number(out, _put(out, at, _W_SHOW), seat)
            before = at
            if kind == h.SHOW:
                at = _put_cards(out, at, text, first, last)
            else:
                for j in range(k):
                    if steps[j, 0] == h.DEAL and steps[j, 1] == steps[k, 1]:
                        at = _put_cards(out, at, text, steps[j, 2] + 0, steps[j, 3] + 0)
            if at == before:
                at = _put_seat(out, begin, _W_LOST, seat)
            else:
                out[at] = 10
                at += 1
    return at, lines


@step
def _results(out: NDArray[np.uint8], at: int, hand: Hand) -> tuple[int, int]:
    """Write final stacks or winnings, and the end of the hand; returns the offset after it, and the lines."""
    count, lines = hand.facts[h.PLAYED] + 0, 0
    if hand.values[h.FINISHING, 0] != h.NONE:
        for k in range(count):
            at = _put_amount(out, at, _W_LEFT, hand.seats[k] + 0, _units(hand, h.FINISHING, k))
            lines += 1
    elif hand.values[h.WINNINGS, 0] != h.NONE:
        for k in range(count):
            if hand.digits[h.WINNINGS, k] > 0:
                at = _put_amount(out, at, _W_WIN, hand.seats[k] + 0, _units(hand, h.WINNINGS, k))
                lines += 1
    at = _put(out, at, _W_END)
    out[at] = 10
    return at + 1, lines + 1


@step
def _write(kept: Kept, text: NDArray[np.uint8], hand: Hand, table: int) -> None:
    """Append the lines of a hand."""
    out, counts, facts, seats = kept.out, kept.counts, hand.facts, hand.seats
    begin, count = counts[h.OUT] + 0, facts[h.PLAYED] + 0
    low = h.MIN_BET if hand.values[h.MIN_BET, 0] != h.NONE else h.SMALL_BET
    at = _put_number(out, _put(out, begin, _W_HAND), facts[h.NUMBER] + 0)
    out[at] = 32
    at = _put_number(out, at + 1, seats[count - 1] + 0)
    out[at] = 10
    at = _put_number(out, _put(out, at + 1, _W_LIMIT), _LIMIT_KIND[facts[h.KIND]] + 0)
    out[at] = 32
    at = _put_number(out, at + 1, _units(hand, low, 0))
    out[at] = 32
    at = _put_number(out, at + 1, _units(hand, h.BIG_BET, 0))
    out[at] = 10
    at += 1
    for k in range(count):
        is_known = hand.digits[h.STACKS, k] != h.INFINITE
        at = _put_amount(
            out, at, _W_SEAT, seats[k] + 0, _units(hand, h.STACKS, k) if is_known else h.INFINITE
        )
    at, before = _posts(out, at, text, hand, 2 + count)
    at, during = _acts(out, at, text, hand)
    at, after = _results(out, at, hand)
    if kept.tables[table]["size"] == 0:
        is_known = hand.digits[h.STACKS, 0] != h.INFINITE
        record = kept.tables[table]
        record["stack"] = _units(hand, h.STACKS, 0) if is_known else 0
        record["small"], record["big"] = _units(hand, h.BLINDS, 0), _units(hand, h.BLINDS, 1)
        record["year"] = _count(text, hand.values[h.YEAR, 0] + 0, hand.values[h.YEAR, 1] + 0)
        record["month"] = _count(text, hand.values[h.MONTH, 0] + 0, hand.values[h.MONTH, 1] + 0)
        record["day"] = _count(text, hand.values[h.DAY, 0] + 0, hand.values[h.DAY, 1] + 0)
        record["second"] = _clock(text, hand.values[h.TIME, 0] + 0, hand.values[h.TIME, 1] + 0)
    _append(kept, table, at - begin, facts, before, during, after)


@part
def _count(text: NDArray[np.uint8], at: int, end: int) -> int:
    """The value of text[at:end], a number of at most four digits; -1 if it is not one."""
    if at == h.NONE or end == at or end - at > 4:
        return h.NONE
    found = 0
    for k in range(at, end):
        if not is_digit(text[k]):
            return h.NONE
        found = found * 10 + (int(text[k]) - 48)
    return found


@part
def _clock(text: NDArray[np.uint8], at: int, end: int) -> int:
    """The second of the day that text[at:end] begins with, as `21:13:05`; -1 if it does not."""
    if at == h.NONE or end - at < 8 or text[at + 2] != 58 or text[at + 5] != 58:
        return h.NONE
    hour, minute, second = (
        _count(text, at, at + 2),
        _count(text, at + 3, at + 5),
        _count(text, at + 6, at + 8),
    )
    if hour < 0 or hour > 23 or minute < 0 or minute > 59 or second < 0 or second > 59:
        return h.NONE
    return (hour * 60 + minute) * 60 + second


@part
def _append(
    kept: Kept, table: int, size: int, facts: NDArray[np.int64], before: int, during: int, after: int
) -> None:
    """Note a hand whose lines were written."""
    counts = kept.counts
    row = kept.hands[counts[h.HANDS]]
    row["table"], row["at"], row["size"] = table, counts[h.OUT], size
    row["first"], row["acts"] = facts[h.FIRST], facts[h.ACTS]
    row["before"], row["during"], row["after"] = before, during, after
    kept.tables[table]["size"] += size
    counts[h.HANDS] += 1
    counts[h.OUT] += size
    counts[h.BYTES] += size


@kernel
def read_hands(text: NDArray[np.uint8], end: int, is_last: bool, kept: Kept, hand: Hand) -> int:
    """Write the lines of regular hands of text[:end], from the place that `kept` has; why it stops.

    is_last: the file ends there, so the last hand is complete
    """
    counts = kept.counts
    while counts[h.AT] < end:
        status = read_keys(text, end, is_last, counts, hand)
        if status != h.WRITTEN:
            return status
        if not read_values(text, hand):
            return h.IRREGULAR
        if counts[h.BYTES] >= counts[h.MOST_BYTES]:
            return h.KEPT
        facts = hand.facts
        # Two bytes of a card become three each time it is written.
        lines, size = 2 * facts[h.STEPS] + 5 * facts[h.PLAYED] + 8, facts[h.NEXT] - counts[h.AT]
        most = _LONGEST_LINE * lines + 2 * (1 + facts[h.AGAIN]) * size
        counts[h.NEEDED] = most
        if counts[h.OUT] + most > len(kept.out) or counts[h.HANDS] >= len(kept.hands):
            return h.ROOM
        table = _enter(kept, text, hand)
        if table < 0:
            return h.FULL if table == -1 else h.IRREGULAR
        _write(kept, text, hand, table)
        counts[h.AT], counts[h.LINE] = facts[h.NEXT], facts[h.NEXT_LINE]
    return h.DONE


@kernel
def find_table(text: NDArray[np.uint8], kept: Kept, hand: Hand) -> int:
    """The table of a hand that was read otherwise, of which `hand` has the facts and where the names stand in a text.

    -1 if there is no room. The seats are in `hand`.
    """
    return _enter(kept, text, hand)


@kernel
def gather(
    out: NDArray[np.uint8],
    hands: NDArray[np.void],
    order: NDArray[np.int64],
    text: NDArray[np.uint8],
    line_of: NDArray[np.int64],
) -> None:
    """Copy the lines of some hands into a text, and the file's line number of each into `line_of`."""
    at = line = 0
    for k in range(len(order)):
        row = hands[order[k]]
        at = _copy(out, row["at"] + 0, row["at"] + row["size"], text, at)
        for part_of in range(3):
            lines = row["before"] + 0
            if part_of == 1:
                lines = row["during"] + 0
            elif part_of == 2:
                lines = row["after"] + 0
            number = row["acts"] + 0 if part_of == 1 else row["first"] + 0
            for _ in range(lines):
                line_of[line] = number
                line += 1
