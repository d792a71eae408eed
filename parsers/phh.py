"""PHH, the poker hand history of Juho Kim's standard: one hand per file, or `.phhs` with many tables, in TOML.

Published files have one line per key, which is split directly; any other file goes through a TOML parser. Players are
in the order of positions, from the small blind to the button; heads-up the big blind comes first, and the arrays of
antes and blinds are reversed.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NamedTuple

from ..schema.words import WITHOUT_RULES
from . import phh_hands
from .grammar import MOST_DIGITS, TOO_LONG, number_in
from .phh_tables import DIALECTS, MOST_BYTES, Waiting
from .records import Record
from .table_lines import QUOTED, Lines, RecordError, Table

_CODES: Final = tuple(code.decode() for code in phh_hands.VARIANTS)
"""Codes of the variants with rules."""
_WITHOUT_RULES: Final = ("F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB")
_POT_LIMIT: Final = tuple(_CODES[k] for k in phh_hands.POT)
_FIXED: Final = (*(_CODES[k] for k in phh_hands.FIXED), "F7S", "F7S/8", "FR", "F2L3D", "FB")

_KEY: Final = re.compile(rb"([A-Za-z_][A-Za-z0-9_-]*) = (.*?)[ \t]*\r?\n?", re.DOTALL)
_KEY_BEGINS: Final = re.compile(rb"[A-Za-z_][A-Za-z0-9_-]* = ")
_TABLE: Final = re.compile(rb"\[[ \t]*([0-9]+)[ \t]*\][ \t]*(?:#.*)?\r?\n?", re.DOTALL)
_HEADED: Final = re.compile(rb"\[[ \t]*[0-9]")
"""A line that begins like a table's header."""
_HEADER: Final = re.compile(rb"^\[[ \t]*[0-9]+[ \t]*\][ \t]*(?:#.*)?\r?$", re.MULTILINE)
_WORD: Final = re.compile(rb"'([^']*)'|\"([^\"\\]*)\"")
_NUMBERS: Final = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings")
_TEXTS: Final = ("actions", "players")
_DATED: Final = ("year", "month", "day", "time")
_SINGLE: Final = (
    "variant",
    "min_bet",
    "small_bet",
    "big_bet",
    "bring_in",
    "hand",
    "table",
    "venue",
    "ante_trimming_status",
    *_DATED,
)
_REQUIRED: Final = ("variant", "starting_stacks", "actions")
_CLOCK: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d)", re.ASCII)
_QUOTED: Final = 40
"""Characters of a value or an action that a reason quotes."""
_READ: Final = frozenset(_NUMBERS + _TEXTS + _SINGLE)
_UNKNOWN_STACK: Final = "inf"
_CARD: Final = re.compile(r"(?:[2-9TJQKA][cdhs]|\?\?)*")
_LONGEST: Final = 1 << 20
"""Lines of one table of the file."""
_LONGEST_KEY: Final = 64
_LONGEST_HAND: Final = 64 << 20
"""Bytes of one table of the file."""

Value = Any
Hand = dict[str, Value]


def _quick(line: bytes) -> tuple[str, Value] | None:
    """The key and value of a line, with an empty value for a key that is not used; None if a TOML parser is needed."""
    found = _KEY.fullmatch(line)
    if found is None:
        return None
    key, text = found[1].decode(), found[2]
    if text[:1] == b"[":
        if text[-1:] != b"]" or (b"#" in text and key not in _TEXTS):
            return None
        if key in _NUMBERS:
            return key, text[1:-1].decode("ascii", "replace").replace(" ", "").split(",")
        if key in _TEXTS:
            words = _WORD.findall(text)
            # The separators must be exactly those between words.
            if b"\\" in text or _WORD.sub(b"", text[1:-1]).replace(b" ", b"") != b"," * (len(words) - 1):
                return None
            return key, [(one or other).decode("utf-8", "surrogateescape") for one, other in words]
        return key, ""
    if text[:3] in (b"'''", b'"""') or text[:1] == b"{":
        return None
    if b"#" in text and not _WORD.fullmatch(text):
        return None
    if key not in _READ:
        return key, ""
    if text[:1] in b"'\"":
        word = _WORD.fullmatch(text)
        # Numbers and times have no quotes.
        if word is not None and key in _DATED:
            return key, ""
        return None if word is None else (key, (word[1] or word[2] or b"").decode("utf-8", "surrogateescape"))
    return key, text.decode("ascii", "replace")


def _parsed(text: bytes) -> Hand:
    """A table read by a TOML parser; RecordError if it is invalid."""
    try:
        found = tomllib.loads(text.decode("utf-8"), parse_float=Decimal)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise RecordError(f"TOML: {error}") from None
    hand: Hand = {}
    for key in _READ & found.keys():
        value = found[key]
        if key in _NUMBERS or key in _TEXTS:
            if not isinstance(value, list) or any(isinstance(one, list | dict) for one in value):
                raise RecordError(f"{key} is not a list of {'numbers' if key in _NUMBERS else 'texts'}")
            hand[key] = [one if isinstance(one, str) else _plain(one) for one in value]
        else:
            hand[key] = _plain(value) if not isinstance(value, str) else "" if key in _DATED else value
    return hand


def _plain(value: Any) -> str:
    """A value of TOML as its text."""
    if isinstance(value, Decimal) and value.is_infinite() and value > 0:
        return _UNKNOWN_STACK
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Found(NamedTuple):
    """A table of the file: its number, its first line, the line of its actions, its content; where the next begins."""

    number: int
    first: int
    acts: int
    hand: Hand | RecordError
    at: int
    line: int


def _hand_at(text: bytes, at: int, line: int, is_last: bool) -> _Found | None:
    """The table of the file that begins at an offset of the text, on a line; None if its end is not in the text.

    The content of an empty table is empty. A damaged header of the next table ends it.
    """
    lines: list[bytes] = []
    above: _Found | None = None
    whole: Hand | RecordError
    number, first, acts, opened = 1, line, 0, 0
    hand: Hand | None = {}
    size = len(text)
    begun = False
    while at < size:
        end = text.find(b"\n", at) + 1
        # The text after a header is checked as well.
        if (not end or end + _LONGEST_KEY > size) and not is_last:
            return None
        said = text[at : end or size]
        opens = _TABLE.fullmatch(said) if said[:1] == b"[" else None
        # A line `[1]` may be within a list of several lines, which contains no key.
        if opens is not None and (hand is not None or opened <= 0 or _KEY_BEGINS.match(text, end or size)):
            if begun:
                break
            number, acts, hand, lines = number_in(opens[1]), 0, {}, []
            begun = True
            at, line = end or size, line + 1
            continue
        begun = True
        if len(lines) < _LONGEST:
            lines.append(said)
        if said.startswith(b"actions"):
            acts = line
        if hand is not None and said.strip() and said[:1] != b"#":
            found = _quick(said)
            if found is None or found[0] in hand:
                again = found is not None and found[0] == next(iter(hand))
                if "actions" in hand and (again or _HEADED.match(said)):
                    above = _Found(number, first, acts or first, hand, at, line)
                hand = None
                opened = sum(map(_opened, lines))
            else:
                hand[found[0]] = found[1]
        elif hand is None:
            opened += _opened(said)
        at, line = end or size, line + 1
    else:
        if not is_last:
            return None
    whole = _whole(hand, lines)
    if above is not None and isinstance(whole, RecordError):
        return above
    return _Found(number, first, acts or first, whole, at, line)


def _opened(line: bytes) -> int:
    """The number of lists that a line opens minus those that it closes."""
    bare = _WORD.sub(b"", line).split(b"#")[0]
    return bare.count(b"[") - bare.count(b"]")


def _whole(hand: Hand | None, lines: Sequence[bytes]) -> Hand | RecordError:
    if hand is not None:
        return hand
    try:
        return _parsed(b"".join(lines))
    except RecordError as error:
        return error


class _Amounts:
    """Amounts of a hand as whole numbers of a unit."""

    def __init__(self, places: int) -> None:
        self._scale = int(10**places)

    def units(self, text: str) -> int:
        """An amount in units; RecordError if it is not a number."""
        if text.isdecimal() and len(text) < 16:
            return int(text) * self._scale
        with suppress(InvalidOperation, ValueError, OverflowError):
            value = Decimal(text) * self._scale
            if value == value.to_integral_value() and abs(value) < 1 << 62:
                return int(value)
        raise RecordError(f"not an amount: {text[:_QUOTED]!r}")


def _places(texts: Sequence[str]) -> int:
    """The most decimal places of some numbers."""
    most = 0
    for text in texts:
        if "." in text:
            most = max(most, len(text.partition(".")[2].rstrip("0")))
    return most


def translate(blocks: Iterator[Record], out: Lines) -> Iterator[None]:
    """Write the hands of a file; a table and game is one match (`phh_tables.Waiting`, `dialect.Records`)."""
    yield from translated(blocks, out)


def translated(
    blocks: Iterator[Record],
    out: Lines,
    is_quick: bool = True,
    most: int = MOST_BYTES,
    longest: int = _LONGEST_HAND,
) -> Iterator[None]:
    """As `translate`.

    is_quick: use the compiled scan for regular hands; most: bytes of waiting lines; longest: bytes of a hand.
    """
    waiting = Waiting(out, most)
    for text, is_last in _texts(blocks, waiting, longest):
        while True:
            status = waiting.read(text, is_last) if is_quick else phh_hands.IRREGULAR
            at, line = waiting.place
            if status == phh_hands.DONE or at == len(text):
                break
            if status != phh_hands.IRREGULAR:
                yield from waiting.make_room(status)
                continue
            found = _hand_at(text, at, line, is_last)
            if found is None:
                break
            yield from _add(found, waiting, text[at : min(found.at, at + QUOTED)])
            waiting.move(found.at, found.line)
    yield from waiting.take()


def _texts(blocks: Iterator[Record], waiting: Waiting, longest: int) -> Iterator[tuple[bytes, bool]]:
    """The text of a file from its next hand on, and whether it reaches the end of the file.

    For an incomplete hand, each text is twice as long as the one before; a hand over `longest` bytes is not read.
    """
    text = b""
    block = next(blocks, None)
    while block is not None:
        # An incomplete text is read again, with as much more.
        parts, size, left = [text], 0, len(text)
        while block is not None and size <= left:
            parts.append(block.value)
            size += len(block.value)
            block = next(blocks, None)
        text = b"".join(parts)
        yield text, block is None
        at, line = waiting.place
        if block is not None and len(text) - at > longest:
            waiting.unread(f"a table of more than {longest / 2**20:g} MB", line, text[at : at + QUOTED])
            found = None
            while found is None and block is not None:
                found = _HEADER.search(text, text.find(b"\n", at) + 1)
                end = found.start() if found else text.rfind(b"\n") + 1
                line += text.count(b"\n", at, end)
                text, at = text[end:], 0
                if found is None:
                    text += block.value
                    block = next(blocks, None)
            waiting.move(0, line)
            if block is None and found is not None:
                yield text, True
        else:
            text = text[at:]
            waiting.move(0, line)


def _add(found: _Found, waiting: Waiting, text: bytes) -> Iterator[None]:
    """Add the lines of a hand to those of its table; yields when matches may be taken. text: how the hand begins."""
    if not found.hand:
        return
    try:
        if isinstance(found.hand, RecordError):
            raise found.hand
        hand = _Stated(found.hand)
    except RecordError as error:
        waiting.unread(str(error), found.first, text)
        return
    while (number := hand.enter(waiting)) < 0:
        yield from waiting.make_room(-number)
    waiting.add(number, hand.table(waiting.seats(), found, text))


class _Stated:
    """A hand whose players and stakes are known; RecordError if they are not."""

    def __init__(self, hand: Hand) -> None:
        """Read the keys of a hand."""
        self._hand = hand
        missing = [key for key in _REQUIRED if key not in hand]
        if missing:
            raise RecordError(f"the key {missing[0]} is missing")
        variant, stacks, actions = (hand[key] for key in _REQUIRED)
        if variant not in _CODES and variant not in _WITHOUT_RULES:
            raise RecordError(f"unknown variant {str(variant)[:_QUOTED]}")
        for key in _REQUIRED[1:]:
            if not isinstance(hand[key], list):
                raise RecordError(f"{key} is not a list")
        if variant in _CODES and "blinds_or_straddles" not in hand:
            raise RecordError("the key blinds_or_straddles is missing")
        count = len(stacks)
        if not 2 <= count <= phh_hands.MOST_PLAYERS:
            raise RecordError(f"{count} players: hands of 2 to {phh_hands.MOST_PLAYERS} are read")
        antes = _list_of(hand, "antes", count)
        blinds = _list_of(hand, "blinds_or_straddles", count)
        bets = [hand[key] for key in ("min_bet", "small_bet", "big_bet") if key in hand]
        paid = [one for key in ("finishing_stacks", "winnings") for one in _list_of(hand, key, 0, count)]
        raised = [one.split()[2] for one in actions if " cbr " in one and len(one.split()) > 2]
        places = _places([*stacks, *antes, *blinds, *bets, *raised])
        most = max(places, _places(paid), phh_hands.FEWEST_PLACES)
        if most > phh_hands.MOST_PLACES:
            raise RecordError(f"amounts of {most} decimal places")
        self._names = _names(hand, count)
        self._amounts = amounts = _Amounts(most)
        self._places = most, places
        self._dialect = DIALECTS[_CODES.index(variant) if variant in _CODES else len(_CODES)]
        self._variant, self._actions, self._antes, self._blinds = variant, actions, antes, blinds
        self._stakes = amounts.units(blinds[0]), amounts.units(blinds[1])
        self._stacks = [amounts.units(one) if one != _UNKNOWN_STACK else -1 for one in stacks]

    def enter(self, waiting: Waiting) -> int:
        """Its table among the waiting ones (`Waiting.enter`)."""
        stakes = max(self._stacks[0], 0), *self._stakes
        hand = self._hand
        return waiting.enter(
            self._dialect,
            self._places,
            hand.get("venue"),
            hand.get("table"),
            self._names,
            stakes,
            _when(hand),
        )

    def table(self, seats: list[int], found: _Found, text: bytes) -> Table:
        """Its lines, or one that says why it cannot be read. seats: of its players; text: how the hand begins."""
        hand, amounts = self._hand, self._amounts
        table = Table((), self._dialect)
        table.at(found.first, text)
        with table.hand_or_nothing(is_hand=True):
            add = table.lines.append
            add(f"hand {_number(hand, found.number)} {seats[-1]}")
            if self._dialect == DIALECTS[-1]:
                add(f"reason {WITHOUT_RULES}{self._variant}")
            low = amounts.units(str(hand.get("min_bet", hand.get("small_bet", "0"))))
            kind = 1 if self._variant in _POT_LIMIT else 2 if self._variant in _FIXED else 0
            add(f"limit {kind} {low} {amounts.units(hand.get('big_bet', '0'))}")
            for seat, stack in zip(seats, self._stacks, strict=True):
                add(f"seat {seat} {stack}")
            left = [stack if stack >= 0 else 1 << 62 for stack in self._stacks]
            antes, posts = ([amounts.units(one) for one in some] for some in (self._antes, self._blinds))
            _post(table, seats, left, antes, posts, hand)
            table.at(found.acts, text)
            actions: Sequence[str | None] = self._actions
            if self._dialect == DIALECTS[-1]:
                actions = _in_rounds(self._actions, left, amounts.units(hand.get("bring_in", "0")))
            _actions(table, seats, actions, amounts, self._dialect)
            table.at(found.first, text)
            _results(table, seats, hand, amounts)
            add("end")
        return table


def _number(hand: Hand, number: int) -> int:
    """The number of a hand: the poker room's, or its table's; RecordError for too many digits."""
    said = str(hand.get("hand", ""))
    number = number_in(said) if said.isdecimal() else number
    if number == TOO_LONG:
        raise RecordError(f"the hand's number has more than {MOST_DIGITS} digits")
    return number


def _when(hand: Hand) -> list[int]:
    """Year, month, day and second of the day of a hand, -1 if not given."""
    found = []
    for key in _DATED[:-1]:
        said = str(hand.get(key, ""))
        found.append(int(said) if said.isascii() and said.isdecimal() and len(said) <= 4 else -1)
    clock = _CLOCK.match(str(hand.get(_DATED[-1], "")))
    found.append((int(clock[1]) * 60 + int(clock[2])) * 60 + int(clock[3]) if clock else -1)
    return found


def _list_of(hand: Mapping[str, Value], key: str, count: int, other: int = -1) -> list[str]:
    """A list of one number per player; zeros if it is missing."""
    found = hand.get(key)
    if found is None:
        return ["0"] * count
    if not isinstance(found, list) or len(found) not in (count, other):
        raise RecordError(f"{key} is not a list of one number a player")
    return found


def _names(hand: Hand, count: int) -> list[str]:
    """The players' names; an unknown name is replaced by the index."""
    said = hand.get("players")
    if not isinstance(said, list) or len(said) != count:
        return [f"p{k}" for k in range(1, count + 1)]
    names = [name or f"p{k}" for k, name in enumerate(said, 1)]
    if len(set(names)) < count:
        # Equal names in a hand are different players.
        names = [f"{name}@{k}" if names.count(name) > 1 else name for k, name in enumerate(names, 1)]
    return names


def _post(
    table: Table,
    seats: Sequence[int],
    left: list[int],
    antes: Sequence[int],
    posts: Sequence[int],
    hand: Hand,
) -> None:
    """Antes, then blinds; a player with a smaller stack posts all of it."""
    order = range(len(seats))
    if len(seats) == 2:
        antes, posts = antes[::-1], posts[::-1]
    word = "ante" if hand.get("ante_trimming_status") == "true" else "dead"
    for k in order:
        if antes[k]:
            chips = min(antes[k], left[k])
            left[k] -= chips
            table.lines.append(f"{word} {seats[k]} {chips}")
    had = [*left]
    # Heads-up the button posts the small blind and is last.
    small, big = (1, 0) if len(seats) == 2 else (0, 1)
    # Before the flop the player after the last of the largest bets opens.
    largest = first = 0
    for k in [small, big, *order[2:]]:
        if posts[k]:
            # Negative: a blind of a player who has just sat down, who does not change who acts first.
            chips = min(abs(posts[k]), left[k])
            left[k] -= chips
            said = "small" if k == small else "big" if k == big else "straddle"
            table.lines.append(f"{said} {seats[k]} {chips}")
            if chips > largest:
                largest, first = chips, k
    price = max(map(abs, posts))
    if price > 0:
        table.lines.append(f"price {price}")
    if largest:
        opens = (1 + max(order, key=lambda k: (min(abs(posts[k]), had[k]) * (posts[k] > 0), k))) % len(seats)
        if opens != (1 if len(seats) == 2 else (first + 1) % len(seats)):
            table.lines.append(f"first {seats[opens]}")


def _unknown(action: str) -> RecordError:
    return RecordError(f"unknown action {action[:_QUOTED]!r}")


def _cards(text: str, action: str) -> list[str]:
    """The cards of a text without separators."""
    if not text or _CARD.fullmatch(text) is None:
        raise RecordError(f"not cards: {text[:_QUOTED]!r} in the action {action[:_QUOTED]!r}")
    return [text[k : k + 2] for k in range(0, len(text), 2)]


def _in_rounds(actions: Sequence[str], left: Sequence[int], bring_in: int) -> list[str | None]:
    """The actions of a game without a board, with None before each further betting; a bring-in with its chips.

    Cards are dealt before the betting of a street of stud; they are thrown away and dealt before that of a draw.
    left: of each place, chips after the antes
    """
    found: list[str | None] = []
    has_bet = False
    for action in actions:
        words = action.split("#", 1)[0].split()
        word = words[1] if len(words) > 1 else ""
        if word in ("dh", "sd"):
            if has_bet:
                found.append(None)
            has_bet = False
        elif word in ("cc", "cbr", "f"):
            has_bet = True
        if word == "pb":
            place = number_in(words[0][1:]) - 1 if words[0][1:].isdecimal() else -1
            if len(words) > 2 or not 0 <= place < len(left):
                raise _unknown(action)
            action = f"{words[0]} pb {min(bring_in, left[place])}"
        found.append(action)
    return found


def _actions(
    table: Table, seats: Sequence[int], actions: Sequence[str | None], amounts: _Amounts, dialect: str
) -> None:
    """The lines of a hand's actions; RecordError for one that cannot be read. None: a further betting begins."""
    add = table.lines.append
    for action in actions:
        if action is None:
            add("round")
            continue
        words = action.split("#", 1)[0].split()
        if not words:
            continue
        size = len(words)
        if words[0] == "d":
            if size == 4 and words[1] == "dh":
                _deal(table, _seat(words[2], seats, action), words[3], action)
            elif size == 3 and words[1] == "db":
                cards = _cards(words[2], action)
                if "??" in cards:
                    raise RecordError(f"a board with unknown cards: {action[:_QUOTED]!r}")
                add(f"board {' '.join(cards)}")
            else:
                raise _unknown(action)
            continue
        seat = _seat(words[0], seats, action)
        word = words[1] if size > 1 else ""
        if word == "f" and size == 2:
            add(f"fold {seat}")
        elif word == "cc" and size == 2:
            add(f"call {seat}")
        elif word == "cbr" and size == 3:
            add(f"raise {seat} {amounts.units(words[2])}")
        elif word == "sm" and size <= 3:
            _show(table, seat, words[2] if size == 3 else "", action)
        elif word == "sd" and size <= 3 and dialect == DIALECTS[-1]:
            add(f"discard {seat} {len(words[2]) // 2 if size == 3 else 0}")
        elif word == "pb" and size == 3 and dialect == DIALECTS[-1]:
            add(f"big {seat} {words[2]}")
        else:
            raise _unknown(action)


def _seat(word: str, seats: Sequence[int], action: str) -> int:
    if word[:1] == "p" and word[1:].isdecimal() and 1 <= number_in(word[1:]) <= len(seats):
        return seats[number_in(word[1:]) - 1]
    if word[:1] == "p" and word[1:].isdecimal():
        raise RecordError(f"there is no player {word[:_QUOTED]}: the action {action[:_QUOTED]!r}")
    raise _unknown(action)


def _deal(table: Table, seat: int, text: str, action: str) -> None:
    cards = _cards(text, action)
    known = [card for card in cards if card != "??"]
    if known:
        table.lines.append(f"deal {seat} {' '.join(known)}")
    if len(known) < len(cards):
        table.lines.append(f"hidden {seat} {len(cards) - len(known)}")


def _show(table: Table, seat: int, text: str, action: str) -> None:
    """A shown hand: `-` means as dealt; a hand with unknown cards counts as mucked."""
    if text == "-":
        text = _dealt(table, seat)
    if not text or "??" in text:
        table.lines.append(f"lost {seat}")
        return
    table.lines.append(f"show {seat} {' '.join(_cards(text, action))}")


def _dealt(table: Table, seat: int) -> str:
    """The cards that a player was dealt in the hand."""
    cards = ""
    for line in reversed(table.lines):
        if line.startswith("hand "):
            break
        if line.startswith(f"deal {seat} "):
            cards = line.split(" ", 2)[2].replace(" ", "") + cards
    return cards


def _results(table: Table, seats: Sequence[int], hand: Hand, amounts: _Amounts) -> None:
    """The players' final stacks, or winnings; winnings that are all zero are unknown."""
    finishing, winnings = hand.get("finishing_stacks"), hand.get("winnings")
    if finishing is not None:
        for seat, chips in zip(seats, finishing, strict=True):
            table.lines.append(f"left {seat} {amounts.units(chips)}")
    elif winnings is not None:
        won = [amounts.units(chips) for chips in winnings]
        if any(won):
            for seat, chips in zip(seats, won, strict=True):
                if chips:
                    table.lines.append(f"win {seat} {chips}")
