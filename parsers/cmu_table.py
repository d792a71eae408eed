"""CMU's tables of 2025 and 2026 (CSV): a row is an action; everything else is derived from consecutive rows.

The text scanner reads the rows: it keeps the line and the offset of each, and an unreadable row affects no other.
`tell` converts them to the events of a log that has lines for blinds, streets and awards.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.bundles import bundle
from ..jit.compile import kernel, part, rare
from . import events as ev
from .dialect import MatchText, Text, line_at
from .grammar import Grammar, Template
from .marks import lines_with
from .reading import Events, Scanned

NAME: Final = "cmu-table-2025"
NAME_OF_KEEPS: Final = "cmu-table-2026"
"""Dialect of tables with the indices of the cards that a player keeps."""

TEAMS: Final = b"# Team 0: "
BETWEEN: Final = b", Team 1: "
CELL: Final = b"['"
"""Every row contains it; no line begins with it."""
_FIRST_COLUMNS: Final = (
    "hand_number,street,active_team,team_0_bankroll,team_1_bankroll,action_type,action_amount,"
)
_KEEPS: Final = "action_keep_1,action_keep_2,"
_CARDS: Final = (
    "team_0_cards,team_1_cards,board_cards,team_0_discarded,team_1_discarded,team_0_bet,team_1_bet"
)
COLUMNS: Final = f"{_FIRST_COLUMNS}{_CARDS}"
COLUMNS_WITH_KEEPS: Final = f"{_FIRST_COLUMNS}{_KEEPS}{_CARDS}"
_NAMELESS: Final = (b"Team 0", b"Team 1")
_OPENS_COLUMNS: Final = b"hand_number,"
_ENGINES: Final = {COLUMNS.encode(): NAME, COLUMNS_WITH_KEEPS.encode(): NAME_OF_KEEPS}
"""By the line of the columns."""
_ROW: Final = rb"[0-9]+,(?:Pre-Flop|Flop|Turn|River|[0-3]),[01],-?[0-9]+,-?[0-9]+,[A-Z]+,-?[0-9]+,"
_ROWS: Final = (
    (re.compile(_ROW + rb"\"?\["), NAME),
    (re.compile(_ROW + rb"-?[0-9]+,-?[0-9]+,\"?\["), NAME_OF_KEEPS),
)
"""Rows of each, by their beginning."""

STREETS: Final = ("Pre-Flop", "Flop", "Turn", "River")
_ACTIONS: Final = {
    "fold": "FOLD",
    "call": "CALL",
    "check": "CHECK",
    "raise": "RAISE",
    "discard": "DISCARD",
    "illegible": "INVALID",
}

_BLINDS: Final = (1, 2)
"""The blinds if the rows do not show them."""
_ENOUGH_TELL: Final = 5
"""Hands that determine the blinds; later hands do not change them."""
_MOST_EVENTS: Final = 16
"""The most events of a row."""
_MOST_VALUES: Final = 96
"""The most values of these events, beyond the row's own."""
_FIRST_CARDS: Final = 5
"""Values of a row before its cells of cards, in tables without indices of kept cards."""
_COMMA: Final = 44
_DIGIT_0: Final = 48
_BANK, _HOLE, _BOARD, _GIVEN, _UNREAD, _LOST_HAND = range(6)
"""What a finding is about: a bankroll, hole cards, the board, the cards given up, an unreadable row of the hand, or
a hand without a readable row."""
_LONGEST_NUMBER: Final = 9
"""Digits of a hand's number in a row that cannot be read."""


def _rows(columns: str, keeps: str) -> str:
    """The templates of rows; streets are words, before 2025-03-20 numbers."""
    return f"header {columns}\nnote {columns}\nnote {TEAMS.decode()}{{*}}\n" + "\n".join(
        f"{event} {{n}},{street},{{n}},{{n}},{{n}},{word},{{n}},{keeps}{{x}},{{x}},{{x}},{{x}},{{x}},{{n}},{{n}}"
        for event, word in _ACTIONS.items()
        for street in (*STREETS, *map(str, range(len(STREETS))))
    )


def cut(text: Text) -> list[MatchText]:
    """The matches of a text, in order: each has a line of the teams, one of the columns, both, or in a cut log none."""
    teams = set(lines_with(text, TEAMS).tolist())
    # A byte order mark precedes the first match.
    above = len(BOM_UTF8) if text.startswith(BOM_UTF8) else 0
    columns_at = set(lines_with(text, _OPENS_COLUMNS).tolist())
    for word, places in ((TEAMS, teams), (_OPENS_COLUMNS, columns_at)):
        if text.startswith(word, above):
            places.add(above)
    found: list[tuple[int, tuple[bytes, ...], str]] = []
    below_teams = -1
    for at in sorted(teams | columns_at):
        line, names = line_at(text, at), _NAMELESS
        columns = line
        if at in teams:
            below_teams = at + len(line)
            columns = line_at(text, below_teams)
            one, _, other = line.rstrip(b"\r\n")[len(TEAMS) :].partition(BETWEEN)
            names = (one, other)
        elif at == below_teams:
            continue
        # A match that has just begun fits both years and is read as the later one's.
        begins = not columns.strip() and BETWEEN in line
        engine = NAME_OF_KEEPS if begins else _ENGINES.get(columns.rstrip())
        if engine is not None:
            found.append((at, names, engine))
    first = found[0][0] if found else len(text)
    head = text[above:first].lstrip()
    for opens, engine in _ROWS:
        if opens.match(head):
            found.insert(0, (above, _NAMELESS, engine))
    if not found:
        return []
    ends = [*(at for at, _, _ in found[1:]), len(text)]
    return [
        MatchText(start if k else above, start, end, names, opening=start, engine=engine)
        for k, ((start, names, engine), end) in enumerate(zip(found, ends, strict=True))
    ]


def _translation(keeps: int) -> Callable[[Scanned], Scanned]:
    def translate(scanned: Scanned) -> Scanned:
        raw, last, pool = scanned.events, int(scanned.first_event[-1]), scanned.pool
        out = Events(
            raw.text,
            pool.take("cmu codes", _MOST_EVENTS * last, np.uint8),
            pool.take("cmu starts", _MOST_EVENTS * last, np.int32),
            pool.take("cmu lines", _MOST_EVENTS * last, np.int32),
            pool.take("cmu args", _MOST_EVENTS * last, np.int32),
            pool.take("cmu values", _MOST_VALUES * last, np.int64),
        )
        edges = np.zeros_like(scanned.first_event)
        telling = Telling(raw, out, np.zeros(_PLACES, np.int64), np.zeros_like(scanned.tally))
        tell(telling, scanned.first_event, keeps, edges)
        return Scanned(out, edges, scanned.line_count, telling.tally, pool)

    return translate


GRAMMAR: Final = Grammar(_rows(COLUMNS, ""), translate=_translation(0))
GRAMMAR_WITH_KEEPS: Final = Grammar(_rows(COLUMNS_WITH_KEEPS, "{n},{n},"), translate=_translation(2))


@cache
def _row_of(has_keeps: bool, word: str, street: str) -> Template:
    templates = (GRAMMAR_WITH_KEEPS if has_keeps else GRAMMAR).templates
    begin = f"{{n}},{street},"
    return next(t for t in templates if t.pattern.startswith(begin) and f",{word}," in t.pattern)


def row(
    word: str,
    street: int,
    numbers: Sequence[int],
    cards: Sequence[Sequence[str]],
    bet: int,
    numbered: bool = False,
) -> str:
    """The row of an action, without its line end.

    word      of the action
    numbers   the hand's, the player's seat, both bankrolls before the hand, the amount, then the places to keep, if any
    cards     the hands of both, the board, what both have thrown away
    bet       chips that the player has put in; the engines write it for both players
    numbered  streets are numbers, as in the first engine's tables
    """
    has_keeps = len(numbers) > _FIRST_CARDS
    # A table without indices of kept cards prints the one replaced card itself.
    thrown = cards[3:] if has_keeps else map("".join, cards[3:])
    template = _row_of(has_keeps, word, str(street) if numbered else STREETS[street])
    return template.write(*numbers, *cards[:3], *thrown, bet, bet)


_EVENT, _USED, _PLACES = 0, 1, 2
"""Indices into `next_at`: the next event, and where its values go."""


@bundle
class Telling(NamedTuple):
    """Events while they are written.

    raw      the scanner's events, one per row
    out      the events that the replay reads
    next_at  (2,) scratch
    tally    (256,) events of each code in `out`
    """

    raw: Events
    out: Events
    next_at: NDArray[np.int64]
    tally: NDArray[np.int64]


@part
def _street(text: NDArray[np.uint8], at: int) -> int:
    """The street of a row: its second cell."""
    while text[at] != _COMMA:
        at += 1
    letter = int(text[at + 1])
    if letter == 80 or letter == 48:
        return 0
    if letter == 70 or letter == 49:
        return 1
    return 2 if letter == 84 or letter == 50 else 3


def says_numbers(found: Events, k: int) -> bool:
    """True if the street in an event's row is a number, as the first engine writes it."""
    row = found.text[int(found.starts[k]) :][:32]
    return chr(row[int(np.argmax(row == _COMMA)) + 1]).isdigit()


@part
def _write(telling: Telling, code: int, k: int) -> int:
    """An event at the row of the scanner's event k; returns where its values go."""
    raw, out, next_at = telling.raw, telling.out, telling.next_at
    event = next_at[_EVENT]
    out.codes[event], out.starts[event], out.lines[event] = code, raw.starts[k], raw.lines[k]
    out.args[event] = next_at[_USED]
    next_at[_EVENT] += 1
    telling.tally[code] += 1
    at: int = next_at[_USED] + 0
    return at


@part
def _copy_cards(values: NDArray[np.int64], at: int, made: NDArray[np.int64], into: int) -> int:
    """A count and its cards; returns the place after them."""
    for k in range(values[at] + 1):
        made[into + k] = values[at + k]
    after: int = into + values[at] + 1
    return after


@part
def _cell(values: NDArray[np.int64], at: int, number: int) -> int:
    """The offset of a row's cell of cards, by number; after the last cell, that of the bets."""
    for _ in range(number):
        at += values[at] + 1
    return at


@part
def _differs(values: NDArray[np.int64], one: int, other: int, size: int) -> int:
    """The index of the first card in which two cells differ, of `size` cards; -1 if none does."""
    for k in range(1, size + 1):
        if values[one + k] != values[other + k]:
            return k
    return -1


@part
def _contradict(telling: Telling, k: int, seat: int, what: int, due: int, said: int) -> None:
    at, made = _write(telling, ev.CONTRADICTS, k), telling.out.values
    made[at], made[at + 1], made[at + 2], made[at + 3] = seat, what, due, said
    telling.next_at[_USED] += 4


@part
def _compare_thrower(
    telling: Telling, k: int, seat: int, old: int, new: int, given: int, thrown: int
) -> None:
    """Report cards of the player who threw some that are not those left: cells of hole cards, and of cards thrown."""
    values, made = telling.raw.values, telling.out.values
    count = made[thrown] + 0
    if count < 0:
        return
    for place in range(1, min(count, values[given]) + 1):
        if values[given + place] != made[thrown + place]:
            _contradict(telling, k, seat, _GIVEN, -1, values[given + place] + 0)
            return
    left = thrown + count + 1
    changes = count == 1 and made[left] == 1
    due_size = values[old] if changes or count == 0 else made[left]
    if values[new] != due_size or (count > 0 and values[given] != count):
        _contradict(telling, k, seat, _HOLE, -1, -1)
        return
    for place in range(1, due_size + 1):
        due = values[old + place] if changes or count == 0 else made[left + place]
        if changes and place == made[left + 2] + 1:
            due = made[left + 1] + 0
        if values[new + place] != due:
            _contradict(telling, k, seat, _HOLE, due + 0, values[new + place] + 0)
            return


@part
def _compare_cells(telling: Telling, k: int, before: int, cells: int, thrower: int, thrown: int) -> None:
    """Report what of a row's cells cannot follow the row above: before, cells: where the cards of both begin.

    thrower: the seat whose cards the previous action may have changed, -1 for none; thrown: the offset of its values.
    """
    values = telling.raw.values
    for seat in range(2):
        old, new = _cell(values, before, seat), _cell(values, cells, seat)
        given_old, given_new = _cell(values, before, 3 + seat), _cell(values, cells, 3 + seat)
        if seat == thrower:
            _compare_thrower(telling, k, seat, old, new, given_new, thrown)
            continue
        size = min(values[old], values[new])
        place = _differs(values, old, new, size)
        if place > 0 or values[old] != values[new]:
            due = values[old + place] if place > 0 else -1
            said = values[new + place] if place > 0 else -1
            _contradict(telling, k, seat, _HOLE, due, said)
        size = min(values[given_old], values[given_new])
        place = _differs(values, given_old, given_new, size)
        if place > 0 or values[given_old] != values[given_new]:
            said = values[given_new + place] if place > 0 else -1
            _contradict(telling, k, seat, _GIVEN, -1, said)
    old, new = _cell(values, before, 2), _cell(values, cells, 2)
    size = min(values[old], values[new])
    place = _differs(values, old, new, size)
    if place > 0 or values[new] < values[old]:
        due = values[old + place] if place > 0 else -1
        said = values[new + place] if place > 0 else -1
        _contradict(telling, k, -1, _BOARD, due, said)


@part
def _thrown_for_another(
    values: NDArray[np.int64], made: NDArray[np.int64], at: int, seat: int, cells: int, below: int
) -> int:
    """A redraw: the card thrown, the one drawn and its place, by the row below; returns the place after its values.

    below: the offset of the next row's cells, -1 if the hand has none. Counts are -1 if unknown, and 0 if the action
    changed nothing.
    """
    if below < 0:
        made[at] = -1
        made[at + 1] = 0
        return at + 2
    old, new = _cell(values, cells, seat), _cell(values, below, seat)
    size = min(values[old], values[new])
    place = _differs(values, old, new, size)
    if place < 0:
        made[at] = made[at + 1] = 0
        return at + 2
    made[at], made[at + 1] = 1, values[old + place]
    made[at + 2], made[at + 3], made[at + 4] = 1, values[new + place], place - 1
    return at + 5


@part
def _thrown_but(
    values: NDArray[np.int64], made: NDArray[np.int64], at: int, cell: int, one: int, other: int
) -> int:
    """All cards of a cell but two, by their places, which are thrown; the count is -1 if there are no such two."""
    size = values[cell]
    if one == other or min(one, other) < 0 or max(one, other) >= size:
        made[at] = -1
        made[at + 1] = 0
        return at + 2
    into = at + 1
    for k in range(size):
        if k != one and k != other:
            made[into] = values[cell + 1 + k]
            into += 1
    made[at] = size - 2
    made[into], made[into + 1], made[into + 2] = 2, values[cell + 1 + one], values[cell + 1 + other]
    return into + 3


@part
def _result(telling: Telling, row: int, dealer: int, following: int, own: int) -> None:
    """The awards of a hand: the next hand's bankrolls minus its own; -1 if no hand follows.

    own, following: where the values of a row of each begin.
    """
    values, made = telling.raw.values, telling.out.values
    for place in range(2):
        seat = dealer if place == 0 else 1 - dealer
        at = _write(telling, ev.AWARD, row)
        made[at] = seat
        made[at + 1] = (
            values[following + 2 + seat] - values[own + 2 + seat] if following >= 0 else ev.NOT_SAID
        )
        telling.next_at[_USED] += 2


@part
def _is_of(raw: Events, k: int, number: int) -> bool:
    """True for a row of the hand of a number."""
    if raw.codes[k] == ev.UNKNOWN or raw.codes[k] == ev.NOTE:
        return False
    same: bool = raw.values[raw.args[k]] == number
    return same


@part
def _is_readable(raw: Events, k: int) -> bool:
    """True for the row of an action."""
    if raw.codes[k] == ev.UNKNOWN or raw.codes[k] == ev.NOTE:
        return False
    at = raw.args[k] + 0
    readable: bool = 0 <= raw.values[at + 1] <= 1 and raw.values[at] >= 0
    return readable


@part
def _number_of(text: NDArray[np.uint8], start: int) -> int:
    """The hand's number with which a row begins that cannot be read, -1 if it begins with none."""
    number = 0
    for k in range(min(_LONGEST_NUMBER + 1, len(text) - start)):
        letter = int(text[start + k])
        if letter == _COMMA and k > 0:
            return number
        if not _DIGIT_0 <= letter < _DIGIT_0 + 10:
            return -1
        number = 10 * number + letter - _DIGIT_0
    return -1


@rare
def _unread_row(telling: Telling, k: int, number: int, lost: int, following: int) -> int:
    """Write what a row that cannot be read is; returns the number of a hand that has no other row, or -1.

    number     of the open hand, -1 for none
    lost       of the last hand of which no row can be read, -1 for none
    following  of the next row that can be read, -1 for none
    """
    said, due = _number_of(telling.raw.text, telling.raw.starts[k] + 0), max(number, lost) + 1
    # The first engine's tables begin with hand 1.
    is_first = due == 0 and (said == following - 1 or (following < 0 and said <= 1))
    is_next = said == due or is_first or (said < 0 and due > 0 and following == due + 1)
    if is_next and said != following and not (said < 0 and following < 0):
        due = due if said < 0 else said
        _contradict(telling, k, -1, _LOST_HAND, due, -1)
        return due
    place = _write(telling, ev.UNKNOWN, k)
    telling.out.values[place], telling.out.values[place + 1] = telling.raw.starts[k], 0
    telling.next_at[_USED] += 2
    if number >= 0 and (said == number or (said < 0 and following == number)):
        _contradict(telling, k, -1, _UNREAD, -1, -1)
    return -1


@part
def _voted(usual: int, votes: int, said: int) -> tuple[int, int]:
    """One step of a majority vote: the candidate that may have more than half so far, and its lead."""
    if votes == 0:
        return said, 1
    return usual, votes + 1 if said == usual else votes - 1


@part
def _blinds(raw: Events, first: int, last: int, first_cell: int) -> tuple[int, int]:
    """The blinds of a match: what either player has put in before its first action, as the first few hands say.

    If they do not agree, most hands decide. Later rows may belong to another table.
    """
    values = raw.values
    small = big = small_votes = big_votes = agree = differ = 0
    for again in range(2):
        number, answered = -1, False
        for k in range(first, last):
            at = raw.args[k] + 0
            if raw.codes[k] == ev.UNKNOWN or raw.codes[k] == ev.NOTE or _street(raw.text, raw.starts[k] + 0):
                continue
            seat = values[at + 1] + 0
            if seat != 0 and seat != 1:
                continue
            opens = values[at] != number
            if opens:
                number, answered = values[at] + 0, False
            of_small = seat == number % 2
            if opens != of_small or answered:
                continue
            bet = values[_cell(values, at + first_cell, 5) + seat] + 0
            answered = not of_small
            if again:
                usual = small if of_small else big
                agree += bet == usual
                differ += bet != usual
            elif of_small:
                small, small_votes = _voted(small, small_votes, bet)
            else:
                big, big_votes = _voted(big, big_votes, bet)
            if min(small_votes, big_votes) >= _ENOUGH_TELL and 0 <= small <= big and big > 0:
                return small, big
    fits = 0 <= small <= big and big > 0
    return (small, big) if fits and agree > differ else _BLINDS


@kernel
def tell(telling: Telling, first_event: NDArray[np.int64], keeps: int, edges: NDArray[np.int64]) -> None:
    """Write the events of matches that the replay knows.

    A decision has its player, the chips of a raise, then both cells of bets; a discard its player, both cells of bets,
    then the cards thrown and those drawn or kept.

    first_event  (matches + 1,) where the scanner's events of each match begin
    keeps        cells of a row that name places of cards to keep
    edges        (matches + 1,) out: where the events of each match begin
    """
    raw, next_at = telling.raw, telling.next_at
    values, made = raw.values, telling.out.values
    next_at[_EVENT] = next_at[_USED] = 0
    first_cell = _FIRST_CARDS + keeps
    for match in range(len(first_event) - 1):
        edges[match] = next_at[_EVENT]
        # The hand's first row and its last so far, as events; its number; the street; who threw cards in the last row.
        opened = before = thrower = thrown = -1
        number, street, last = -1, 0, ev.UNKNOWN
        # Unreadable rows: the last hand of such alone, the first row of the hand to come, where the run of them ends.
        lost, early, unread_end = -1, -1, first_event[match] + 0
        following = -1
        small, big = _blinds(raw, first_event[match] + 0, first_event[match + 1] + 0, first_cell)
        for k in range(first_event[match], first_event[match + 1]):
            code, at = raw.codes[k] + 0, raw.args[k] + 0
            if code == ev.NOTE:
                continue
            if not _is_readable(raw, k):
                if k >= unread_end:
                    unread_end = k + 1
                    while unread_end < first_event[match + 1] and not _is_readable(raw, unread_end):
                        unread_end += 1
                    following = -1
                    if unread_end < first_event[match + 1]:
                        following = values[raw.args[unread_end]] + 0
                lost = max(lost, _unread_row(telling, k, number, lost, following))
                if early < 0 and following != number:
                    said = _number_of(raw.text, raw.starts[k] + 0)
                    early = k if said >= 0 and said == following else -1
                continue
            seat, now = values[at + 1] + 0, _street(raw.text, raw.starts[k] + 0)
            cells = at + first_cell
            if opened < 0 or values[at] != number or now < street or last == ev.FOLD:
                if opened >= 0:
                    follows = values[at] == number + 1
                    own = raw.args[opened] + 0
                    _result(telling, before, number % 2, at if follows else -1, own)
                number = values[at] + 0
                dealer = number % 2
                opened, street, thrower = k, 0, -1
                place = _write(telling, ev.ROUND, k if early < 0 else early)
                made[place], made[place + 1], made[place + 3] = number, dealer, 1 - dealer
                made[place + 2], made[place + 4] = values[at + 2 + dealer], values[at + 3 - dealer]
                next_at[_USED] += 5
                for turn in range(2):
                    place = _write(telling, ev.BLIND, k)
                    made[place], made[place + 1] = (
                        dealer if turn == 0 else 1 - dealer,
                        small if turn == 0 else big,
                    )
                    next_at[_USED] += 2
                for turn in range(2):
                    place = _write(telling, ev.DEALT, k)
                    whose = dealer if turn == 0 else 1 - dealer
                    made[place] = whose
                    next_at[_USED] = _copy_cards(values, _cell(values, cells, whose), made, place + 1)
                if early >= 0:
                    _contradict(telling, early, -1, _UNREAD, -1, -1)
                    early = -1
                for seat_given in range(2):
                    given = _cell(values, cells, 3 + seat_given)
                    if values[given] > 0:
                        _contradict(telling, k, seat_given, _GIVEN, -1, values[given + 1] + 0)
            else:
                first = raw.args[opened] + 0
                for whose in range(2):
                    bank, said = values[first + 2 + whose] + 0, values[at + 2 + whose] + 0
                    if bank != said:
                        _contradict(telling, k, whose, _BANK, bank, said)
                _compare_cells(telling, k, raw.args[before] + first_cell, cells, thrower, thrown)
            while street < now:
                street += 1
                place = _write(telling, ev.POT_FLOP + street - 1, k)
                place = _copy_cards(values, _cell(values, cells, 2), made, place)
                made[place] = ev.NOT_SAID
                next_at[_USED] = place + 1
            bets = _cell(values, cells, 5)
            last = ev.RAISE_BY if code == ev.RAISE else code
            place = _write(telling, last, k)
            thrower, before = -1, k
            made[place] = seat
            if code == ev.DISCARD:
                thrower, thrown = seat, place + 3
                made[place + 1], made[place + 2] = values[bets], values[bets + 1]
                if keeps:
                    one, other = values[at + 5] + 0, values[at + 6] + 0
                    cell = _cell(values, cells, seat)
                    next_at[_USED] = _thrown_but(values, made, place + 3, cell, one, other)
                else:
                    below, following = -1, k + 1
                    if following < first_event[match + 1] and _is_of(raw, following, number):
                        below = raw.args[following] + first_cell
                    next_at[_USED] = _thrown_for_another(values, made, place + 3, seat, cells, below)
            elif code == ev.ILLEGIBLE:
                next_at[_USED] += 1
            else:
                made[place + 1], made[place + 2], made[place + 3] = (
                    values[at + 4],
                    values[bets],
                    values[bets + 1],
                )
                next_at[_USED] += 4
        if opened >= 0:
            _result(telling, before, number % 2, -1, raw.args[opened] + 0)
    edges[len(first_event) - 1] = next_at[_EVENT]
