"""The scanner: one compiled kernel that runs any grammar's automaton over the bytes of a log.

Lines end at `\\n` or `\\r\\n` and nowhere else: garbage from bots carries U+2028, `\\x0b` and lone `\\r`. Blanks and
tabs before a line's end mean nothing, unless a template has them.
If bytes fit both text and a field, or several players' names, the rest of the line decides.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel, part, step
from ..schema.words import LOWEST, RANKS, SUITS
from . import events
from .grammar import (
    CARDS,
    CELL,
    DECIMAL,
    INTEGER,
    NEGATED,
    PLAYER,
    QUOTED,
    QUOTED_LOW,
    RANK,
    REST,
    SUIT_WORDS,
    WORDED,
    Automaton,
    by_byte,
)

DEEPEST: Final = 64
_LONGEST_INTEGER: Final = 18
_LONGEST_DECIMAL: Final = 13
DECIMALS: Final = 4
"""Digits after the decimal point: a decimal is stored as an integer of ten thousandths."""

_RANK_OF: Final = by_byte(RANKS)
_SUIT_OF: Final = by_byte(SUITS, SUITS.upper())
_TEN: Final = RANKS.index("T")
_ONE: Final = ord(LOWEST)
_LOWEST: Final = len(RANKS)
"""The index of the rank 1."""
_WORDS: Final = np.frombuffer("".join(f"{word} " for word in SUIT_WORDS).encode(), np.uint8)
_WORD_AT: Final = np.cumsum([0, *(len(word) + 1 for word in SUIT_WORDS)])


@part
def _line_end(text: NDArray[np.uint8], at: int, end: int) -> int:
    """The index of the line's `\\n`, or `end`."""
    while at < end and text[at] != 10:
        at += 1
    return at


@part
def _is_crlf(text: NDArray[np.uint8], at: int, end: int) -> bool:
    """True if a `\\r` ends the line."""
    return text[at] == 13 and (at + 1 >= end or text[at + 1] == 10)


@part
def _is_blank(text: NDArray[np.uint8], at: int, end: int) -> bool:
    """True if only blanks and tabs follow in the line."""
    while at < end and (text[at] == 32 or text[at] == 9):
        at += 1
    return at >= end or text[at] == 10 or _is_crlf(text, at, end)


@part
def _after_zeros(text: NDArray[np.uint8], at: int, end: int) -> int:
    """The index after a point and zeros, as engines with floats print whole numbers."""
    after = at + 1
    while after < end and text[after] == 48:
        after += 1
    return after if after > at + 1 and (after >= end or not 48 <= text[after] <= 57) else at


@part
def _rank(text: NDArray[np.uint8], at: int, end: int) -> tuple[int, int]:
    """Read a rank: (the index after it, its place); 10 is T; the place is -1 for none."""
    if text[at] == 49 and at + 1 < end and text[at + 1] == 48:
        return at + 2, _TEN
    return at + 1, int(_RANK_OF[text[at]])


@part
def _is_card(text: NDArray[np.uint8], at: int, end: int) -> bool:
    """True if a card begins."""
    if at + 1 >= end:
        return False
    after, rank = _rank(text, at, end)
    return rank >= 0 and after < end and _SUIT_OF[text[after]] >= 0


@part
def _integer(text: NDArray[np.uint8], at: int, end: int) -> tuple[int, int]:
    """Read an integer: (the index after it, its value); the index is `at` where there is none."""
    first = at
    negative = at < end and text[at] == 45
    if negative or (at < end and text[at] == 43):
        at += 1
    begin = at
    value = 0
    while at < end and 48 <= text[at] <= 57 and at - begin < _LONGEST_INTEGER:
        value = value * 10 + (int(text[at]) - 48)
        at += 1
    if at == begin or (text[begin] == 48 and (at - begin > 1 or negative)):
        return first, 0
    if at < end and text[at] == 46:
        at = _after_zeros(text, at, end)
    return at, -value if negative else value


@part
def _cards(text: NDArray[np.uint8], at: int, end: int, values: NDArray[np.int64], into: int) -> int:
    """Read cards into `values[into + 1:]`, their count into `values[into]`; the index after them."""
    count = 0
    while at + 1 < end:
        after, rank = _rank(text, at, end)
        suit = int(_SUIT_OF[text[after]]) if after < end else -1
        if rank < 0 or suit < 0:
            break
        count += 1
        values[into + count] = rank * 4 + suit
        at = after + 1
        if at < end and text[at] == 32 and _is_card(text, at + 1, end):
            at += 1
        else:
            break
    values[into] = count
    return at


@part
def _decimal(text: NDArray[np.uint8], at: int, end: int) -> tuple[int, int]:
    """Read a decimal: (the index after it, its value in ten thousandths); the index is `at` where there is none."""
    first = at
    negative = at < end and text[at] == 45
    if negative:
        at += 1
    begin = at
    value = 0
    while at < end and 48 <= text[at] <= 57 and at - begin < _LONGEST_DECIMAL:
        value = value * 10 + (int(text[at]) - 48)
        at += 1
    if at == begin:
        return first, 0
    places = 0
    if at + 1 < end and text[at] == 46 and 48 <= text[at + 1] <= 57:
        at += 1
        while at < end and 48 <= text[at] <= 57:
            if places < DECIMALS:
                value = value * 10 + (int(text[at]) - 48)
                places += 1
            at += 1
    while places < DECIMALS:
        value *= 10
        places += 1
    return at, -value if negative else value


@part
def _quoted(
    text: NDArray[np.uint8], at: int, end: int, values: NDArray[np.int64], into: int, has_ones: bool
) -> int:
    """Read cards in quotes as `_cards` does; has_ones: the deck has a rank below the deuce."""
    count = 0
    while at + 3 < end and text[at] == 39:
        after, rank = _rank(text, at + 1, end)
        if rank < 0 and has_ones and text[at + 1] == _ONE:
            rank = _LOWEST
        suit = int(_SUIT_OF[text[after]]) if after < end else -1
        if rank < 0 or suit < 0 or after + 1 >= end or text[after + 1] != 39:
            break
        count += 1
        values[into + count] = rank * 4 + suit
        at = after + 2
        if at + 2 < end and text[at] == 44 and text[at + 1] == 32 and text[at + 2] == 39:
            at += 2
        else:
            break
    values[into] = count
    return at


@part
def _cell(text: NDArray[np.uint8], at: int, end: int, values: NDArray[np.int64], into: int) -> int:
    """Read a table's cell of cards as `_cards` does; -1 for any other cell."""
    quoted = at < end and text[at] == 34
    first = at + quoted
    if first >= end or text[first] != 91:
        return -1 if quoted else _cards(text, at, end, values, into)
    at = _quoted(text, first + 1, end, values, into, False)
    if at >= end or text[at] != 93 or (quoted and (at + 1 >= end or text[at + 1] != 34)):
        return -1
    return at + 1 + quoted


@part
def _is_name(
    text: NDArray[np.uint8], at: int, end: int, names: NDArray[np.uint8], first: int, size: int
) -> bool:
    if at + size > end:
        return False
    for k in range(size):  # noqa: SIM110 - a generator would not compile
        if text[at + k] != names[first + k]:
            return False
    return True


@part
def _worded(text: NDArray[np.uint8], at: int, end: int) -> tuple[int, int]:
    """Read a card in words: (the index after it, its code); the code is -1 for none."""
    for suit in range(len(_WORD_AT) - 1):
        first, size = _WORD_AT[suit], _WORD_AT[suit + 1] - _WORD_AT[suit]
        if at + size < end and _is_name(text, at, end, _WORDS, first, size):
            after, rank = _rank(text, at + size, end)
            if rank >= 0:
                return after, rank * 4 + suit
    return at, -1


@step
def _field(
    text: NDArray[np.uint8], at: int, end: int, kind: int, values: NDArray[np.int64], filled: int
) -> tuple[int, int]:
    """Read a field that names no player: (the index after it, where the next values go); the index is -1 for none."""
    after, used = -1, filled
    if kind == INTEGER:
        after, values[filled] = _integer(text, at, end)
        after, used = (after, filled + 1) if after > at else (-1, filled)
    elif kind == CARDS:
        after = _cards(text, at, end, values, filled)
        used = filled + values[filled] + 1
    elif kind == RANK:
        beyond, rank = _rank(text, at, end)
        if rank >= 0:
            values[filled] = rank
            after, used = beyond, filled + 1
    elif kind == DECIMAL:
        after, values[filled] = _decimal(text, at, end)
        after, used = (after, filled + 1) if after > at else (-1, filled)
    elif kind in (QUOTED, QUOTED_LOW):
        after = _quoted(text, at, end, values, filled, kind == QUOTED_LOW)
        used = filled + values[filled] + 1
    elif kind == NEGATED:
        after, values[filled] = _integer(text, at, end)
        after, used = (after, filled + 1) if after > at and 48 <= text[at] <= 57 else (-1, filled)
        values[filled] = -values[filled]
    elif kind == WORDED:
        beyond, card = _worded(text, at, end)
        if card >= 0:
            values[filled], values[filled + 1] = 1, card
            after, used = beyond, filled + 2
    elif kind == CELL:
        after = _cell(text, at, end, values, filled)
        used = filled + values[filled] + 1
    elif kind == REST:
        after = _line_end(text, at, end)
        if after > at and text[after - 1] == 13:
            after -= 1
        values[filled], values[filled + 1] = at, after - at
        used = filled + 2
    return after, used


@part
def _wait(
    stack: NDArray[np.int64], depth: int, state: int, at: int, filled: int, kind: int, name: int
) -> int:
    """Push another way to read the line from `at` on, if there is room; returns the stack's depth."""
    if depth == DEEPEST:
        return depth
    stack[depth, 0], stack[depth, 1], stack[depth, 2] = state, at, filled
    stack[depth, 3], stack[depth, 4] = kind, name
    return depth + 1


@kernel
def scan(
    text: NDArray[np.uint8],
    bodies: NDArray[np.int64],
    ends: NDArray[np.int64],
    seats: NDArray[np.int64],
    name_at: NDArray[np.int64],
    names: NDArray[np.uint8],
    machine: Automaton,
    codes: NDArray[np.uint8],
    starts: NDArray[np.int32],
    lines: NDArray[np.int32],
    args: NDArray[np.int32],
    values: NDArray[np.int64],
    first_event: NDArray[np.int64],
    line_count: NDArray[np.int64],
    tally: NDArray[np.int64],
    stack: NDArray[np.int64],
) -> None:
    """Turn the lines of some matches into events.

    text                 (bytes,)  the chunk
    bodies, ends         (matches,)  where each match's lines begin, after its header, and end
    seats                (matches + 1,)  the match's players are name_at[seats[m] : seats[m + 1]]
    name_at, names       (players + 1,), (bytes,)  where each name begins in `names`
    machine              the grammar (`grammar.Automaton`)
    codes, starts, lines, args   (events,) out: event code, offset in text, line of the match body from 1,
                         where its values begin
    values               out: the events' values (`events`)
    first_event          (matches + 1,) out
    line_count           (matches,) out: lines of each body
    tally                (256,) out: events of each code, added to what is there
    stack                (DEEPEST, 5) scratch: alternatives still to try
    """
    fields, accept, run_size = machine.fields, machine.accept, machine.run_size
    step_to = machine.step
    event = 0
    used = 0
    for match in range(len(bodies)):
        first_event[match] = event
        first_name, players = seats[match], seats[match + 1] - seats[match]
        position, end = bodies[match], ends[match]
        line = 0
        while position < end:
            line += 1
            if text[position] == 10:
                position += 1
                continue
            if _is_crlf(text, position, end):
                position += 2
                continue
            state, at, filled, depth = 1, position, used, 0
            kind = name = -1  # -1: bytes first; else continue with this field kind and name
            while True:
                way = 0
                if kind < 0:
                    size = run_size[state]
                    if size > 0:
                        run, same = machine.run_at[state], 0
                        if at + size <= end:
                            while same < size and text[at + same] == machine.runs[run + same]:
                                same += 1
                        if same == size:
                            state = machine.run_to[state]
                            at += size
                            continue
                    else:
                        # No template holds a line end, so a byte that leads on is none.
                        at_end = at >= end
                        if not at_end:
                            way = step_to[256 * int(state) + int(text[at])]
                            if way > 0 and text[at] == 32 and accept[state] > 0 and _is_blank(text, at, end):
                                way = 0
                            if way > 0:
                                if machine.last_kind[state] >= 0:
                                    depth = _wait(stack, depth, state, at, filled, 0, 0)
                                state = way
                                at += 1
                                continue
                            at_end = text[at] == 10 or _is_blank(text, at, end)
                        if not at_end:
                            if machine.last_kind[state] >= 0:
                                kind, name = machine.first_kind[state], 0
                        elif accept[state] > 0:
                            break
                        elif fields[state, REST] > 0:
                            values[filled], values[filled + 1] = at, 0
                            filled += 2
                            state = fields[state, REST]
                            break
                if kind >= 0:
                    origin, begin = state, at
                    while kind <= machine.last_kind[origin] and way == 0:
                        target = fields[origin, kind]
                        if target > 0 and kind == PLAYER:
                            while name < players and way == 0:
                                which = first_name + name
                                size = name_at[which + 1] - name_at[which]
                                name += 1
                                if _is_name(text, begin, end, names, name_at[which], size):
                                    values[filled] = which - first_name
                                    if name < players or machine.last_kind[origin] > PLAYER:
                                        depth = _wait(stack, depth, origin, begin, filled, PLAYER, name)
                                    filled += 1
                                    at = begin + size
                                    way = target
                        elif target > 0:
                            after, then = _field(text, begin, end, kind, values, filled)
                            if after >= 0:
                                if kind < machine.last_kind[origin]:
                                    depth = _wait(stack, depth, origin, begin, filled, kind + 1, 0)
                                at, filled, way = after, then, target
                        if way == 0:
                            kind += 1
                            name = 0
                            at = begin
                    if way > 0:
                        state = way
                        kind = -1
                        continue
                if depth == 0:
                    state = 0
                    break
                depth -= 1
                state, at, filled = stack[depth, 0], stack[depth, 1], stack[depth, 2]
                kind, name = stack[depth, 3], stack[depth, 4]
            args[event] = used
            starts[event] = position
            lines[event] = line
            code = events.UNKNOWN
            if state > 0:
                code = accept[state] - 1
                used = filled
                position = _line_end(text, at, end) + 1
            elif _is_blank(text, position, end):
                position = _line_end(text, position, end) + 1
                continue
            else:
                # It has no values: a text may be millions of short lines.
                position = _line_end(text, position, end) + 1
            codes[event] = code
            tally[code] += 1
            event += 1
        line_count[match] = line
    first_event[len(bodies)] = event
