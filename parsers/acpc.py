"""The dialect of the ACPC dealer (protocol 2.0.0): one line per finished hand, by position.

`replay.acpc` reads what follows the number in a hand's line; templates do not describe it. Names may contain `:`
and `|`, so the players are found from how the list of names rotates from hand to hand.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .acpc_cut import END, FIRST_HAND, SIZE, START, boundaries
from .acpc_game import base_name
from .acpc_sidecars import NOTHING, TITLE, Beside, Complaint
from .dialect import MatchText, Sorted, Text, line_at
from .grammar import Grammar, number_in
from .marks import first_of, places_of, within_lines

GRAMMAR: Final = Grammar(
    """
    header    # name/game/hands/seed {*}
    heading   # name/game/hands/seed {*}
    timing    #--t_{*}
    state     STATE:{n}:{*}
    score     SCORE:{*}
    marker    <<<<<<<{*}
    marker    |||||||{*}
    marker    =======
    marker    >>>>>>>{*}
    """
)

STAMP: Final = re.compile(rb" # \d+(?:\.\d+)?$")
"""The time that DeepStack's logs print after the names."""

_HEADER: Final = GRAMMAR.template("header").regex
NAME: Final = "acpc"
STATE: Final = b"STATE:"
_JOINT: Final = b";" + STATE
_AT_FIRST: Final = 6
_LOOKED_AT: Final = 24
_TRIED: Final = 2000
_MATCHES: Final = 1 << 8
_LARGEST: Final = 2**63 - 1
_LONGEST: Final = 20


@dataclass(frozen=True)
class AcpcMatch(MatchText):
    """A match of the ACPC dealer.

    title      the header's name of the match, None if there is no header
    game_file  the name of the game's definition, as the header gives it
    hands_due  hands to be played; seed: of the deck
    fixed      seats do not rotate
    beside     the log's sidecars

    For logs of other programs than the dealer (`acpc_lines`):

    restated   its lines are translated to the dealer's and may have more fields; the cards have no dealer's seed
    profile    name of the game's profile; empty: the first
    named      the order of a hand's names gives the seat of the first position; if False, the hand's number does
    gaps       hands may be missing from the log: a skipped number is not a finding
    first_hand number of the match's first hand
    owners     seats of the players who wrote these logs; other players' cards are known only if shown. Empty:
               all cards are known
    complaints faults that the lines show; their lines count from the match's body
    """

    title: bytes | None = None
    game_file: str | None = None
    hands_due: int | None = None
    seed: int | None = None
    fixed: bool = False
    beside: Beside = NOTHING
    restated: bool = False
    profile: str = ""
    named: bool = False
    gaps: bool = False
    first_hand: int = 0
    owners: tuple[int, ...] = ()
    complaints: tuple[Complaint, ...] = ()


@dataclass(frozen=True)
class Line:
    """A hand's line: its number, the number of players, and its last field, the names separated by bars."""

    number: int
    players: int
    names: bytes


def _read_line(line: bytes) -> Line | None:
    parts = line.rstrip().split(b":", 5)
    if len(parts) < 6 or not parts[1].isdigit() or not parts[5]:
        return None
    players = parts[3].split(b"/")[0].count(b"|") + 1
    # At least two players: other competitions print lines with one result.
    if players < 2 or parts[4].count(b"|") + 1 != players:
        return None
    return Line(number_in(parts[1]), players, STAMP.sub(b"", parts[5]))


def _lines(text: Text, at: int, end: int, most: int) -> list[Line]:
    """The match's first hands whose lines can be read."""
    found: list[Line] = []
    for _ in range(4 * most):
        line = line_at(text, at)
        # A log that is still being written may end within a name, which cannot be detected.
        whole = bool(found) or line.endswith(b"\n")
        if line.startswith(STATE) and whole and (read := _read_line(line)) is not None:
            found.append(read)
        at += len(line)
        if at >= end or len(found) == most:
            break
    return found


def _splits(line: Line) -> list[tuple[bytes, ...]]:
    """The ways to split a line's names."""
    pieces = line.names.split(b"|")
    if len(pieces) < line.players:
        return []
    found = []
    for inner in islice(combinations(range(1, len(pieces)), line.players - 1), _TRIED):
        bounds = (0, *inner, len(pieces))
        names = tuple(b"|".join(pieces[a:b]) for a, b in pairwise(bounds))
        if all(names):
            found.append(names)
    return found


def turned(names: Sequence[bytes], by: int) -> tuple[bytes, ...]:
    """The names by position when seat `by` has the first."""
    by %= len(names)
    return (*names[by:], *names[:by])


def seating(first: Callable[[int], Sequence[Line]]) -> tuple[tuple[bytes, ...], bool]:
    """The names by seat, and whether seats are fixed, as the match's first hands show.

    first: returns up to a number of hands' lines; it is called again for more if a few do not decide
    """
    few = first(_AT_FIRST)
    fits, names, fixed = _seated(few)
    # Once every name has been first, bars within names differ from bars between names.
    if fits < len(few) or any(line.names.count(b"|") >= line.players for line in few):
        _, names, fixed = _seated(first(_LOOKED_AT))
    return names, fixed


def _seated(lines: Sequence[Line]) -> tuple[int, tuple[bytes, ...], bool]:
    """The seating that fits the first hands best (`sooner`): hands it fits, names by seat, whether seats are fixed."""
    if not lines:
        return 0, (), False
    # Hands of others may follow.
    players = first_again([line.players for line in lines])
    lines = [line for line in lines if line.players == players]
    best: tuple[list[int], tuple[bytes, ...], bool] = ([], (), False)
    seen: set[tuple[tuple[bytes, ...], bool]] = set()
    for line in lines[:3]:
        for names in _splits(line):
            for fixed in (False, True):
                seats = names if fixed else turned(names, -line.number)
                if (seats, fixed) in seen:
                    continue
                seen.add((seats, fixed))
                fits = [
                    at
                    for at, k in enumerate(lines)
                    if b"|".join(turned(seats, 0 if fixed else k.number)) == k.names
                ]
                if sooner(fits, best[0]):
                    best = fits, seats, fixed
                if len(fits) == len(lines):
                    return len(fits), seats, fixed
    return len(best[0]), *best[1:]


def first_again(values: Sequence[int]) -> int:
    """The first value that occurs twice, else the first value: a single hand may be damaged."""
    seen: set[int] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return values[0]


def sooner(fits: Sequence[int], others: Sequence[int]) -> bool:
    """True if a hypothesis that fits the hands `fits` (indices) is likelier than one that fits `others`.

    A single hand may be damaged, so the one whose second hand comes earlier wins; if both are equal, the third
    decides, and so on. Hands after the deciding ones change nothing.
    """
    for one, other in zip(fits[1:], others[1:], strict=False):
        if one != other:
            return one < other
    if len(fits) != len(others) and max(len(fits), len(others)) > 1:
        return len(fits) > len(others)
    return bool(fits) and (not others or fits[0] < others[0])


def _known(word: bytes) -> int | None:
    """The number of a word of digits; None if it fits no column."""
    number = int(word) if len(word) < _LONGEST else _LARGEST + 1
    return number if number <= _LARGEST else None


def headed(line: bytes) -> tuple[bytes, str, int | None, int | None] | None:
    """Title, game, hands and seed of a header; its last two words are numbers, the others may be anything."""
    words = line.split()[2:]
    if len(words) < 4 or not (words[-1].isdigit() and words[-2].isdigit()):
        return None
    name = words[-3].decode("utf-8", "backslashreplace")
    return b" ".join(words[:-3]), base_name(name), _known(words[-2]), _known(words[-1])


def match_at(
    text: Text,
    number: int,
    start: int,
    end: int,
    *,
    engine: str,
    names: tuple[bytes, ...],
    header: int = 0,
    **more: Any,
) -> AcpcMatch:
    """The match of a text that begins and ends at some offsets.

    number  of the match in the text; text above the first match belongs to it
    header  bytes of its header line, 0 without one
    more    fields of `AcpcMatch`
    """
    return AcpcMatch(
        start=start if number else 0,
        body=start + header,
        end=end,
        names=names,
        cut_short=not text.endswith(b"\n", 0, end),
        opening=start,
        engine=engine,
        **more,
    )


def cut(text: Text) -> list[MatchText]:
    """The matches of a text, in order; text before the first belongs to it."""
    if all(first_of(text, word, 0, len(text)) < 0 for word in (STATE, TITLE)):
        return []
    data = np.frombuffer(text, np.uint8)
    rows = np.zeros((_MATCHES, SIZE), np.int64)
    titles = places_of(text, TITLE)
    joined = titles[within_lines(text, titles)]
    count = boundaries(data, joined, rows)
    if count > len(rows):
        rows = np.zeros((count, SIZE), np.int64)
        boundaries(data, joined, rows)
    found: list[MatchText] = []
    for row in rows[:count].tolist():
        start, end = row[START], row[END]
        head = line_at(text, start)
        header = _HEADER.fullmatch(head)
        said = headed(head) if header else None
        first = partial(_lines, text, row[FIRST_HAND], end)
        names, fixed = seating(first) if row[FIRST_HAND] >= 0 else ((), False)
        title, game_file, hands_due, seed = said or (None, None, None, None)
        found.append(
            match_at(
                text,
                len(found),
                start,
                end,
                engine=NAME,
                names=names,
                header=len(head) if header else 0,
                title=title,
                game_file=game_file,
                hands_due=hands_due,
                seed=seed,
                fixed=fixed,
            )
        )
    return found


def apart(text: Text) -> Sorted | None:
    """A log with its lines in order, one state per line, table by table; None if they already are."""
    split = _states_apart(text)
    by_table = tables_apart(split[0] if split else text)
    if split is None or by_table is None:
        return by_table or split
    return by_table[0], split[1][by_table[1] - 1]


def _states_apart(text: Text) -> Sorted | None:
    """A log whose lines hold several states, separated by semicolons, as one state per line."""
    if first_of(text, _JOINT, 0, len(text)) < 0:
        return None
    lines: list[bytes] = []
    numbers: list[int] = []
    for number, line in enumerate(bytes(text).split(b"\n"), 1):
        parts = line.split(_JOINT) if line.startswith(STATE) else [line]
        lines += parts[0], *(STATE + part for part in parts[1:])
        numbers += [number] * len(parts)
    # Text after the last line end is a line only if it is not empty.
    return b"\n".join(lines), np.array(numbers if lines[-1] else numbers[:-1], np.int64)


def tables_apart(text: Text) -> Sorted | None:
    """The lines of a log sorted by table; None if no tables are interleaved.

    If each hand has a time stamp, as in the logs that DeepStack's sites publish, the set of players' names
    identifies the table. Tables are interleaved if hands of one follow hands of another and then continue. A line
    that is not a hand's stays with the line before it.
    """
    at = first_of(text, STATE, 0, len(text))
    for _ in range(_AT_FIRST):
        if at < 0 or _stamped(line_at(text, at)) is not None:
            break
        at = first_of(text, STATE, at + 1, len(text))
    else:
        return None
    if at < 0 or first_of(text, TITLE, 0, len(text)) >= 0:
        return None
    lines = bytes(text).split(b"\n")
    ended = not lines[-1]
    if ended:
        lines.pop()
    tables: dict[tuple[bytes, ...], int] = {}
    reached: list[int] = []
    table_of = np.zeros(len(lines), np.int64)
    table, mixed = 0, False
    for k, line in enumerate(lines):
        if (hand := _stamped(line)) is not None:
            before = table
            table = tables.setdefault(tuple(sorted(hand.names.split(b"|"))), len(tables))
            if table == len(reached):
                reached.append(-1)
            mixed |= table != before and -1 < reached[table] < hand.number
            reached[table] = hand.number
        table_of[k] = table
    if not mixed:
        return None
    if not ended:
        # The last line may lack characters; it stays the last.
        table_of[table_of == table] = len(tables)
    order: NDArray[np.int64] = np.argsort(table_of, kind="stable")
    return b"\n".join([lines[k] for k in order.tolist()]) + b"\n" * ended, order + 1


def _stamped(line: bytes) -> Line | None:
    """A hand's line with a time stamp."""
    line = line.rstrip()
    return _read_line(line) if line.startswith(STATE) and STAMP.search(line) else None
