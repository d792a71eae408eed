"""Hands of PHH whose file has a line a key, from its bytes to the lines of a table, compiled.

What is written otherwise than in published files, and what cannot be read, stops the scan at its hand: `phh` reads that
one. Hands are written one after the other in the order of the file; those of a table and a game are put together when
its match is taken (`phh_tables`).
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.bundles import bundle
from ..jit.compile import kernel, part, step
from .dialect import MOST_NAMES
from .grammar import by_byte

MOST_PLAYERS: Final = 10
MOST_PLACES: Final = 6
"""Decimal places of an amount."""
FEWEST_PLACES: Final = 2

KEYS: Final = (
    b"variant",
    b"antes",
    b"blinds_or_straddles",
    b"starting_stacks",
    b"finishing_stacks",
    b"winnings",
    b"min_bet",
    b"small_bet",
    b"big_bet",
    b"actions",
    b"players",
    b"hand",
    b"table",
    b"venue",
    b"ante_trimming_status",
    b"year",
    b"month",
    b"day",
    b"time",
)
"""All that are read of a hand."""
VARIANT, ANTES, BLINDS, STACKS, FINISHING, WINNINGS, MIN_BET, SMALL_BET, BIG_BET = range(9)
ACTIONS, PLAYERS, HAND, TABLE, VENUE, TRIMMING, YEAR, MONTH, DAY, TIME = range(9, 19)

VARIANTS: Final = (b"NT", b"FT", b"PO", b"FO/8", b"NS")
"""Codes of the variants that have rules."""
FIXED: Final = (1, 3)
POT: Final = (2,)

DONE, IRREGULAR, KEPT, ROOM, FULL, _WRITTEN = range(6)
"""Why a scan stops: the text has no further whole hand; a hand that is not regular; the lines are enough to take some
matches; no room for a hand's lines; no room for a table or its names."""

AT, LINE, OUT, HANDS, TABLES, NAMES, ARENA, BYTES, MOST_BYTES, NEEDED = range(10)
"""Numbers of a scan: the next hand's place in the text and its line; how much is used of each array of `Kept`; bytes of
lines that wait, and how many may; bytes that the next hand may take."""
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
of its venue and its name, -1 where it has none, which stand at a place of the arena; its names, and those of its first
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
    """Hands that wait for others of their tables.

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


_MOST_KEYS: Final = 64
_MOST_ACTIONS: Final = 1 << 10
_LISTS: Final = BIG_BET + 1

NUMBER, PLAYED, FIRST, ACTS, NEXT, NEXT_LINE, KIND, MOST, PLACES, STEPS, AGAIN = range(11)
"""Numbers of a hand: its own, its players, its first line and that of its actions, where the next begins and its line,
the variant, decimal places of a unit and of the least share, its actions, how many show cards without naming them."""
_FACTS: Final = 11


@bundle
class Hand(NamedTuple):
    """One hand, as it is read.

    facts     (_FACTS,) int64
    values    (keys, 2) where each value stands; -1 for none
    hashes    of its keys
    digits    (keys of numbers, players) the numbers without their points; decimals: their decimal places; -1, 0 for inf
    sizes     of the lists
    spans     (players + 2, 2) where the venue, the table's name and the players' names stand; -1 for none
    steps     (actions, 4): kind, player, and two numbers of the kind
    ids       the names' places among all; seats: the seats of the players; left, posts, antes: chips
    """

    facts: NDArray[np.int64]
    values: NDArray[np.int64]
    hashes: NDArray[np.int64]
    digits: NDArray[np.int64]
    decimals: NDArray[np.int64]
    sizes: NDArray[np.int64]
    spans: NDArray[np.int64]
    steps: NDArray[np.int64]
    ids: NDArray[np.int64]
    seats: NDArray[np.int64]
    left: NDArray[np.int64]
    posts: NDArray[np.int64]
    antes: NDArray[np.int64]
    unnamed: NDArray[np.uint8]


def new_hand() -> Hand:
    """Room for a hand."""
    players = np.zeros(MOST_PLAYERS, np.int64)
    return Hand(
        np.zeros(_FACTS, np.int64),
        np.zeros((len(KEYS), 2), np.int64),
        np.zeros(_MOST_KEYS, np.int64),
        np.zeros((_LISTS, MOST_PLAYERS), np.int64),
        np.zeros((_LISTS, MOST_PLAYERS), np.int64),
        np.zeros(_LISTS, np.int64),
        np.zeros((MOST_PLAYERS + 2, 2), np.int64),
        np.zeros((_MOST_ACTIONS, 4), np.int64),
        players.copy(),
        players.copy(),
        players.copy(),
        players.copy(),
        players.copy(),
        np.frombuffer(b"".join(b"%-3s" % unnamed(k) for k in range(MOST_PLAYERS)), np.uint8).copy(),
    )


def unnamed(place: int) -> bytes:
    """The name of a player who has none, by the place in the hand."""
    return b"p%d" % (place + 1)


_DEAL, _BOARD, _FOLD, _CALL, _RAISE, _SHOW, _AGAIN, _LOST = range(8)

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
_KEY_LETTERS: Final = np.frombuffer(b"".join(KEYS), np.uint8).copy()
_KEY_AT: Final = np.cumsum([0, *map(len, KEYS)])
_CODE_LETTERS: Final = np.frombuffer(b"".join(VARIANTS), np.uint8).copy()
_CODE_AT: Final = np.cumsum([0, *map(len, VARIANTS)])
_TRUE: Final = np.frombuffer(b"true", np.uint8).copy()
_TENS: Final = 10 ** np.arange(19, dtype=np.int64)
_RANK_OF: Final = by_byte("23456789TJQKA")
_SUIT_OF: Final = by_byte("cdhs")
_LIMIT_KIND: Final = np.array([2 if k in FIXED else 1 if k in POT else 0 for k in range(len(VARIANTS))])
_CODES: Final = len(VARIANTS)

_MASK: Final = (1 << 32) - 1
_PRIME: Final = 16_777_619
_BASIS: Final = 2_166_136_261
_LONGEST_NUMBER: Final = 12
"""Digits of an amount: it is scaled to units within 64 bits."""
_LONGEST_HAND_NUMBER: Final = 17
_INFINITE: Final = -1
_ENDLESS: Final = 1 << 62
_NONE: Final = -1


def _hash_of(word: bytes) -> int:
    """As `_keys` has it."""
    found = _BASIS
    for letter in word:
        found = ((found ^ letter) * _PRIME) & _MASK
    return found


_KEY_HASH: Final = np.array([_hash_of(key) for key in KEYS], np.int64)


@part
def _is_digit(letter: int) -> bool:
    return 48 <= letter <= 57


@part
def _is_same(
    text: NDArray[np.uint8], at: int, end: int, words: NDArray[np.uint8], first: int, last: int
) -> bool:
    """True where text[at:end] is words[first:last]."""
    if end - at != last - first:
        return False
    while at < end and text[at] == words[first]:
        at += 1
        first += 1
    return at == end


@part
def _hashed(found: int, text: NDArray[np.uint8], at: int, end: int) -> int:
    for k in range(at, end):
        found = ((found ^ int(text[k])) * _PRIME) & _MASK
    return found


@part
def _after_header(text: NDArray[np.uint8], at: int, end: int, is_last: bool) -> int:
    """The place after a line `[number]`, -1 for another line, -2 where its end is not here."""
    at += 1
    first = at
    while at < end and _is_digit(text[at]):
        at += 1
    if at == first or at - first > _LONGEST_HAND_NUMBER:
        return -1 if at < end or is_last else -2
    if at < end:
        if text[at] != 93:
            return -1
        at += 1
        if at < end and text[at] == 13:
            at += 1
        if at < end:
            return at + 1 if text[at] == 10 else -1
    return at if is_last else -2


@part
def _is_key_letter(letter: int) -> bool:
    return 97 <= (letter | 32) <= 122 or letter == 95


# What a hand says


@step
def _keys(text: NDArray[np.uint8], end: int, is_last: bool, counts: NDArray[np.int64], hand: Hand) -> int:
    """Find the values of a hand; DONE where its end is not in the text."""
    facts, values = hand.facts, hand.values
    at, line = counts[AT] + 0, counts[LINE] + 0
    for k in range(len(values)):
        values[k, 0] = _NONE
    facts[NUMBER], facts[FIRST], facts[ACTS] = 1, line, line
    if text[at] == 91:
        after = _after_header(text, at, end, is_last)
        if after < 0:
            return IRREGULAR if after == -1 else DONE
        number = 0
        at += 1
        while _is_digit(text[at]):
            number = number * 10 + (int(text[at]) - 48)
            at += 1
        facts[NUMBER] = number
        at = after
        line += 1
    found = 0
    while at < end:
        if text[at] == 91:
            after = _after_header(text, at, end, is_last)
            if after < 0:
                return IRREGULAR if after == -1 else DONE
            break
        if text[at] == 10:
            at += 1
            line += 1
            continue
        if text[at] == 35:
            while at < end and text[at] != 10:
                at += 1
            if at >= end and not is_last:
                return DONE
            at += 1
            line += 1
            continue
        first, own = at, _BASIS
        while at < end and (_is_key_letter(text[at]) or _is_digit(text[at]) or text[at] == 45):
            own = ((own ^ int(text[at])) * _PRIME) & _MASK
            at += 1
        if at + 3 >= end:
            return IRREGULAR if is_last else DONE
        if at == first or not _is_key_letter(text[first]):
            return IRREGULAR
        if text[at] != 32 or text[at + 1] != 61 or text[at + 2] != 32:
            return IRREGULAR
        key_end = at
        at += 3
        begin = at
        sharp = slash = 0
        while at < end and text[at] != 10:
            sharp |= text[at] == 35
            slash |= text[at] == 92
            at += 1
        if at >= end and not is_last:
            return DONE
        last = at
        at += 1
        if last > begin and text[last - 1] == 13:
            last -= 1
        while last > begin and (text[last - 1] == 32 or text[last - 1] == 9):
            last -= 1
        opens = text[begin]
        if last == begin or opens == 32 or opens == 9 or opens == 123:
            return IRREGULAR
        key = 0
        while key < len(_KEY_HASH) and _KEY_HASH[key] != own:
            key += 1
        for k in range(found):
            if hand.hashes[k] == own:
                return IRREGULAR
        if found == _MOST_KEYS:
            return IRREGULAR
        hand.hashes[found] = own
        found += 1
        if key == len(_KEY_HASH) or key >= YEAR:
            is_list = opens == 91
            if (is_list and text[last - 1] != 93) or _is_triple(text, begin, last):
                return IRREGULAR
            if sharp and (slash or not _is_quoted(text, begin, last)):
                return IRREGULAR
            if key_end - first > 7 and _is_same(
                text, first, first + 7, _KEY_LETTERS, _KEY_AT[ACTIONS] + 0, _KEY_AT[ACTIONS + 1] + 0
            ):
                return IRREGULAR
        if key < len(_KEY_HASH):
            if not _is_same(text, first, key_end, _KEY_LETTERS, _KEY_AT[key] + 0, _KEY_AT[key + 1] + 0):
                return IRREGULAR
            if slash or (sharp and key != PLAYERS and not _is_quoted(text, begin, last)):
                return IRREGULAR
            if key == ACTIONS:
                facts[ACTS] = line
            values[key, 0], values[key, 1] = begin, last
        line += 1
    if at >= end and not is_last:
        return DONE
    facts[NEXT], facts[NEXT_LINE] = min(at, end), line
    return _WRITTEN if found else IRREGULAR


@part
def _is_triple(text: NDArray[np.uint8], at: int, end: int) -> bool:
    quote = text[at]
    if quote != 39 and quote != 34:
        return False
    return end - at > 2 and text[at + 1] == quote and text[at + 2] == quote


@part
def _is_quoted(text: NDArray[np.uint8], at: int, end: int) -> bool:
    """True for one word in quotes."""
    quote = text[at]
    if end - at < 2 or (quote != 39 and quote != 34) or text[end - 1] != quote:
        return False
    at += 1
    while at < end - 1 and text[at] != quote:
        at += 1
    return at == end - 1


@part
def _word(text: NDArray[np.uint8], values: NDArray[np.int64], key: int) -> bool:
    """Leave the quotes of a value out; False where it is another value than a word of one line."""
    at, end = values[key, 0] + 0, values[key, 1] + 0
    if at == _NONE:
        return True
    quote = text[at]
    if quote == 39 or quote == 34:
        if not _is_quoted(text, at, end):
            return False
        at += 1
        end -= 1
    else:
        if quote == 91:
            return False
        for k in range(at, end):
            if text[k] >= 128:
                return False
    values[key, 0], values[key, 1] = at, end
    return True


@part
def _number(
    text: NDArray[np.uint8],
    at: int,
    end: int,
    digits: NDArray[np.int64],
    decimals: NDArray[np.int64],
    row: int,
    k: int,
    j: int,
) -> int:
    """Read an amount into digits[row, k] and decimals[row, j]; the place after it, -1 where there is none."""
    first, value, point = at, 0, 0
    while at < end and _is_digit(text[at]):
        value = value * 10 + (int(text[at]) - 48)
        at += 1
        if at - first > _LONGEST_NUMBER:
            return -1
    if at == first:
        return -1
    if at < end and text[at] == 46:
        at += 1
        begin = at
        while at < end and _is_digit(text[at]):
            value = value * 10 + (int(text[at]) - 48)
            at += 1
            if at - first > _LONGEST_NUMBER + 1:
                return -1
        point = at - begin
        if point == 0:
            return -1
        while point > 0 and value % 10 == 0:
            value //= 10
            point -= 1
    digits[row, k], decimals[row, j] = value, point
    return at


@part
def _numbers(text: NDArray[np.uint8], hand: Hand, key: int) -> bool:
    """Read a list of amounts, of no more than there may be players."""
    at, end = hand.values[key, 0] + 0, hand.values[key, 1] + 0
    hand.sizes[key] = 0
    if at == _NONE:
        return True
    if text[at] != 91 or text[end - 1] != 93:
        return False
    at += 1
    end -= 1
    count = 0
    while True:
        while at < end and text[at] == 32:
            at += 1
        if count == MOST_PLAYERS:
            return False
        if key == STACKS and at + 2 < end and text[at] == 105 and text[at + 1] == 110 and text[at + 2] == 102:
            hand.digits[key, count], hand.decimals[key, count] = _INFINITE, 0
            at += 3
        else:
            at = _number(text, at, end, hand.digits, hand.decimals, key, count, count)
            if at < 0:
                return False
        count += 1
        while at < end and text[at] == 32:
            at += 1
        if at >= end:
            break
        if text[at] != 44:
            return False
        at += 1
    hand.sizes[key] = count
    return True


@part
def _bet(text: NDArray[np.uint8], hand: Hand, key: int) -> bool:
    """Read one amount, 0 where it is missing."""
    at, end = hand.values[key, 0] + 0, hand.values[key, 1] + 0
    hand.digits[key, 0] = hand.decimals[key, 0] = 0
    is_read: bool = at == _NONE or _number(text, at, end, hand.digits, hand.decimals, key, 0, 0) == end
    return is_read


@part
def _most_decimals(hand: Hand, key: int) -> int:
    most = 0
    for k in range(hand.sizes[key]):
        most = max(most, hand.decimals[key, k])
    return most


@step
def _named(text: NDArray[np.uint8], hand: Hand) -> bool:
    """Where the players' names stand; -1 for one who has none."""
    spans, count = hand.spans, hand.facts[PLAYED] + 0
    at, end = hand.values[PLAYERS, 0] + 0, hand.values[PLAYERS, 1] + 0
    for k in range(count):
        spans[2 + k, 0] = _NONE
    if at == _NONE:
        return True
    if text[at] != 91 or text[end - 1] != 93:
        return False
    at += 1
    end -= 1
    for k in range(count):
        while at < end and text[at] == 32:
            at += 1
        if at >= end or (text[at] != 39 and text[at] != 34):
            return False
        quote = text[at]
        at += 1
        begin = at
        while at < end and text[at] != quote:
            at += 1
        if at >= end:
            return False
        if at > begin:
            spans[2 + k, 0], spans[2 + k, 1] = begin, at
        at += 1
        while at < end and text[at] == 32:
            at += 1
        if k + 1 < count:
            if at >= end or text[at] != 44:
                return False
            at += 1
    is_read: bool = at == end
    return is_read


@part
def _after_cards(text: NDArray[np.uint8], at: int, end: int, unknown: bool) -> int:
    """The place after cards, `at` where there are none."""
    while at + 1 < end:
        is_card = _RANK_OF[text[at]] >= 0 and _SUIT_OF[text[at + 1]] >= 0
        if not is_card and not (unknown and text[at] == 63 and text[at + 1] == 63):
            break
        at += 2
    return at


@part
def _player(text: NDArray[np.uint8], at: int, end: int, count: int) -> tuple[int, int]:
    """Read `p` and the number of a player: the place after it, and the player from 0 on, -1 for none."""
    if at + 1 >= end or text[at] != 112:
        return at, _NONE
    at += 1
    number, first = 0, at
    while at < end and _is_digit(text[at]) and at - first < 2:
        number = number * 10 + (int(text[at]) - 48)
        at += 1
    return at, number - 1 if number <= count else _NONE


@step
def _actions(text: NDArray[np.uint8], hand: Hand) -> bool:
    """Read the actions; amounts have their decimal places."""
    steps, count, facts = hand.steps, hand.facts[PLAYED] + 0, hand.facts
    at, end = hand.values[ACTIONS, 0] + 0, hand.values[ACTIONS, 1] + 0
    if text[at] != 91 or text[end - 1] != 93:
        return False
    at += 1
    end -= 1
    done = 0
    facts[AGAIN] = 0
    while True:
        while at < end and text[at] == 32:
            at += 1
        if done == len(steps) or at >= end or (text[at] != 39 and text[at] != 34):
            return False
        quote = text[at]
        at += 1
        if at + 2 >= end:
            return False
        if text[at] == 100 and text[at + 1] == 32:
            if at + 5 >= end or text[at + 2] != 100 or text[at + 4] != 32:
                return False
            kind = text[at + 3]
            at += 5
            steps[done, 0], steps[done, 1] = _BOARD, 0
            if kind == 104:
                at, player = _player(text, at, end, count)
                if player < 0 or at >= end or text[at] != 32:
                    return False
                at += 1
                steps[done, 0], steps[done, 1] = _DEAL, player
            elif kind != 98:
                return False
            after = _after_cards(text, at, end, kind == 104)
            if after == at:
                return False
            steps[done, 2], steps[done, 3] = at, after
            at = after
        else:
            at, player = _player(text, at, end, count)
            if player < 0 or at + 2 >= end or text[at] != 32:
                return False
            at += 1
            steps[done, 1] = player
            if text[at] == 102:
                steps[done, 0] = _FOLD
                at += 1
            elif text[at] == 99 and text[at + 1] == 99:
                steps[done, 0] = _CALL
                at += 2
            elif (
                text[at] == 99
                and text[at + 1] == 98
                and at + 4 < end
                and text[at + 2] == 114
                and text[at + 3] == 32
            ):
                steps[done, 0] = _RAISE
                at = _number(text, at + 4, end, steps, steps, done, 2, 3)
                if at < 0:
                    return False
            elif text[at] == 115 and text[at + 1] == 109:
                steps[done, 0] = _LOST
                at += 2
                if at + 1 < end and text[at] == 32:
                    at += 1
                    if text[at] == 45:
                        steps[done, 0] = _AGAIN
                        facts[AGAIN] += 1
                        at += 1
                    else:
                        after = _after_cards(text, at, end, True)
                        if after == at:
                            return False
                        steps[done, 0], steps[done, 2], steps[done, 3] = _SHOW, at, after
                        for k in range(at, after):
                            if text[k] == 63:
                                steps[done, 0] = _LOST
                        at = after
            else:
                return False
        if at >= end or text[at] != quote:
            return False
        at += 1
        done += 1
        while at < end and text[at] == 32:
            at += 1
        if at >= end:
            break
        if text[at] != 44:
            return False
        at += 1
    facts[STEPS] = done
    return True


@step
def _values(text: NDArray[np.uint8], hand: Hand) -> bool:
    """Read all values of a hand, of which the keys were found; False where one is not regular."""
    facts, values = hand.facts, hand.values
    for key in (VARIANT, BLINDS, STACKS, ACTIONS):
        if values[key, 0] == _NONE:
            return False
    for key in (VARIANT, HAND, TABLE, VENUE, TRIMMING):
        if not _word(text, values, key):
            return False
    kind = 0
    while kind < _CODES and not _is_same(
        text,
        values[VARIANT, 0] + 0,
        values[VARIANT, 1] + 0,
        _CODE_LETTERS,
        _CODE_AT[kind] + 0,
        _CODE_AT[kind + 1] + 0,
    ):
        kind += 1
    if kind == _CODES:
        return False
    facts[KIND] = kind
    if values[HAND, 0] != _NONE:
        number, first, last = 0, values[HAND, 0] + 0, values[HAND, 1] + 0
        if first == last or last - first > _LONGEST_HAND_NUMBER:
            return False
        for k in range(first, last):
            if not _is_digit(text[k]):
                return False
            number = number * 10 + (int(text[k]) - 48)
        facts[NUMBER] = number
    if not _numbers(text, hand, STACKS):
        return False
    count = hand.sizes[STACKS] + 0
    if count < 2:
        return False
    facts[PLAYED] = count
    for key in (ANTES, BLINDS, FINISHING, WINNINGS):
        if not _numbers(text, hand, key) or (values[key, 0] != _NONE and hand.sizes[key] != count):
            return False
    for key in (MIN_BET, SMALL_BET, BIG_BET):
        if not _bet(text, hand, key):
            return False
    if not _named(text, hand) or not _actions(text, hand):
        return False
    places = max(_most_decimals(hand, STACKS), _most_decimals(hand, ANTES), _most_decimals(hand, BLINDS))
    for key in (MIN_BET, SMALL_BET, BIG_BET):
        places = max(places, hand.decimals[key, 0])
    for k in range(facts[STEPS]):
        if hand.steps[k, 0] == _RAISE:
            places = max(places, hand.steps[k, 3])
    most = max(places, _most_decimals(hand, FINISHING), _most_decimals(hand, WINNINGS), FEWEST_PLACES)
    facts[PLACES], facts[MOST] = places, most
    hand.spans[0, 0], hand.spans[0, 1] = values[VENUE, 0], values[VENUE, 1]
    hand.spans[1, 0], hand.spans[1, 1] = values[TABLE, 0], values[TABLE, 1]
    return most <= MOST_PLACES


@part
def _units(hand: Hand, key: int, k: int) -> int:
    """An amount in units, 0 of a list that is missing."""
    if hand.values[key, 0] == _NONE:
        return 0
    value: int = hand.digits[key, k] * _TENS[hand.facts[MOST] - hand.decimals[key, k]]
    return value


# Tables and their players


@part
def _name(kept: Kept, text: NDArray[np.uint8], at: int, end: int) -> int:
    """The place of a name among all, which it is given if it is new."""
    own = _hashed(_BASIS, text, at, end)
    mask = len(kept.name_slots) - 1
    slot = own & mask
    while kept.name_slots[slot] > 0:
        place: int = kept.name_slots[slot] - 1
        name = kept.names[place]
        first = name["at"] + 0
        if name["hash"] == own and _is_same(text, at, end, kept.arena, first, first + name["size"]):
            return place
        slot = (slot + 1) & mask
    counts = kept.counts
    place = counts[NAMES] + 0
    kept.name_slots[slot] = place + 1
    name = kept.names[place]
    name["hash"], name["at"], name["size"] = own, counts[ARENA], end - at
    _copy(text, at, end, kept.arena, counts[ARENA] + 0)
    counts[ARENA] += end - at
    counts[NAMES] += 1
    return place


@part
def _copy(text: NDArray[np.uint8], at: int, end: int, into: NDArray[np.uint8], first: int) -> int:
    """Copy text[at:end] to a place; the place after it."""
    for k in range(end - at):
        into[first + k] = text[at + k]
    return first + end - at


@part
def _is_of(kept: Kept, table: int, own: int, text: NDArray[np.uint8], hand: Hand) -> bool:
    """True for the table of a hand, if its match may go on."""
    record, facts, spans = kept.tables[table], hand.facts, hand.spans
    if record["hash"] != own or record["closed"] or record["dialect"] != facts[KIND]:
        return False
    if record["most"] != facts[MOST] or record["places"] != facts[PLACES]:
        return False
    at = record["at"] + 0
    for k in range(2):
        size = record["venue"] + 0 if k == 0 else record["title"] + 0
        first, last = spans[k, 0] + 0, spans[k, 1] + 0
        if (size == _NONE) != (first == _NONE):
            return False
        if size != _NONE:
            if not _is_same(text, first, last, kept.arena, at, at + size):
                return False
            at += size
    return True


@part
def _enter(kept: Kept, text: NDArray[np.uint8], hand: Hand) -> int:
    """The table of a hand, which is made if need be, and the seats of its players; -1 where there is no room.

    -2: two of the players have one name.
    """
    counts, facts, spans, count = kept.counts, hand.facts, hand.spans, hand.facts[PLAYED] + 0
    size = 4 * count
    for k in range(count + 2):
        size += max(spans[k, 1] - spans[k, 0], 0) if spans[k, 0] != _NONE else 0
    if counts[ARENA] + size > len(kept.arena) or counts[TABLES] >= len(kept.tables):
        return -1
    if counts[NAMES] + count > len(kept.names):
        return -1
    own = _BASIS
    for k in (KIND, MOST, PLACES):
        own = ((own ^ facts[k]) * _PRIME) & _MASK
    for k in range(2):
        if spans[k, 0] == _NONE:
            own = ((own ^ 255) * _PRIME) & _MASK
        else:
            own = _hashed(own, text, spans[k, 0] + 0, spans[k, 1] + 0)
    for k in range(count):
        if spans[2 + k, 0] == _NONE:
            hand.ids[k] = _name(kept, hand.unnamed, 3 * k, 3 * k + 2 + k // 9)
        else:
            hand.ids[k] = _name(kept, text, spans[2 + k, 0] + 0, spans[2 + k, 1] + 0)
        for j in range(k):
            if hand.ids[j] == hand.ids[k]:
                return -2
    mask = len(kept.slots) - 1
    slot = own & mask
    table = _NONE
    while kept.slots[slot] > 0 and table < 0:
        if _is_of(kept, kept.slots[slot] - 1, own, text, hand):
            table = kept.slots[slot] - 1
        slot = (slot + 1) & mask
    if table >= 0 and not _seat_all(kept, table, hand):
        kept.tables[table]["closed"] = 1
        while kept.slots[slot] > 0:
            slot = (slot + 1) & mask
        table = _NONE
    if table < 0:
        table = counts[TABLES] + 0
        counts[TABLES] += 1
        kept.slots[slot] = table + 1
        record = kept.tables[table]
        record["hash"], record["dialect"], record["most"], record["places"] = (
            own,
            facts[KIND],
            facts[MOST],
            facts[PLACES],
        )
        record["venue"] = record["title"] = _NONE
        record["at"], record["names"], record["opening"], record["closed"] = counts[ARENA], 0, count, 0
        record["size"] = record["stack"] = record["small"] = record["big"] = 0
        if spans[0, 0] != _NONE:
            record["venue"] = spans[0, 1] - spans[0, 0]
            counts[ARENA] = _copy(text, spans[0, 0] + 0, spans[0, 1] + 0, kept.arena, counts[ARENA] + 0)
        if spans[1, 0] != _NONE:
            record["title"] = spans[1, 1] - spans[1, 0]
            counts[ARENA] = _copy(text, spans[1, 0] + 0, spans[1, 1] + 0, kept.arena, counts[ARENA] + 0)
        _seat_all(kept, table, hand)
    return table


@part
def _seat_all(kept: Kept, table: int, hand: Hand) -> bool:
    """Give the players of a hand their seats; False where the match has no more of them."""
    record, seats, count = kept.tables[table], kept.seats, hand.facts[PLAYED] + 0
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
    while size < 19 and number >= _TENS[size]:
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
    """Write those cards of a text that are known, each behind a blank; the place after them."""
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
    """Write antes, then blinds, of players who have less all that they have: the place after them, and lines so far."""
    count, left, seats = hand.facts[PLAYED] + 0, hand.left, hand.seats
    most = 0
    for k in range(count):
        of = 1 - k if count == 2 else k
        hand.antes[k] = _units(hand, ANTES, of)
        hand.posts[k] = _units(hand, BLINDS, of)
        most = max(most, hand.posts[k])
        left[k] = _ENDLESS if hand.digits[STACKS, k] == _INFINITE else _units(hand, STACKS, k)
    trims = hand.values[TRIMMING, 0] != _NONE and _is_same(
        text, hand.values[TRIMMING, 0] + 0, hand.values[TRIMMING, 1] + 0, _TRUE, 0, 4
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
        # Of two the button posts the small blind, and stands last.
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
    for k in range(hand.facts[STEPS]):
        kind, seat = steps[k, 0] + 0, seats[steps[k, 1]] + 0
        first, last = steps[k, 2] + 0, steps[k, 3] + 0
        lines += 1
        if kind == _DEAL:
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
        elif kind == _BOARD:
            at = _put_cards(out, _put(out, at, _W_BOARD), text, first, last)
            out[at] = 10
            at += 1
        elif kind == _FOLD:
            at = _put_seat(out, at, _W_FOLD, seat)
        elif kind == _CALL:
            at = _put_seat(out, at, _W_CALL, seat)
        elif kind == _RAISE:
            at = _put_amount(out, at, _W_RAISE, seat, first * _TENS[hand.facts[MOST] - last])
        elif kind == _LOST:
            at = _put_seat(out, at, _W_LOST, seat)
        else:
            begin = at
            at = _put_number(out, _put(out, at, _W_SHOW), seat)
            before = at
            if kind == _SHOW:
                at = _put_cards(out, at, text, first, last)
            else:
                for j in range(k):
                    if steps[j, 0] == _DEAL and steps[j, 1] == steps[k, 1]:
                        at = _put_cards(out, at, text, steps[j, 2] + 0, steps[j, 3] + 0)
            if at == before:
                at = _put_seat(out, begin, _W_LOST, seat)
            else:
                out[at] = 10
                at += 1
    return at, lines


@step
def _results(out: NDArray[np.uint8], at: int, hand: Hand) -> tuple[int, int]:
    """Write what the players have at the end, or were paid, and the end: the place after it, and the lines."""
    count, lines = hand.facts[PLAYED] + 0, 0
    if hand.values[FINISHING, 0] != _NONE:
        for k in range(count):
            at = _put_amount(out, at, _W_LEFT, hand.seats[k] + 0, _units(hand, FINISHING, k))
            lines += 1
    elif hand.values[WINNINGS, 0] != _NONE:
        for k in range(count):
            if hand.digits[WINNINGS, k] > 0:
                at = _put_amount(out, at, _W_WIN, hand.seats[k] + 0, _units(hand, WINNINGS, k))
                lines += 1
    at = _put(out, at, _W_END)
    out[at] = 10
    return at + 1, lines + 1


@step
def _write(kept: Kept, text: NDArray[np.uint8], hand: Hand, table: int) -> None:
    """Write the lines of a hand behind those before."""
    out, counts, facts, seats = kept.out, kept.counts, hand.facts, hand.seats
    begin, count = counts[OUT] + 0, facts[PLAYED] + 0
    low = MIN_BET if hand.values[MIN_BET, 0] != _NONE else SMALL_BET
    at = _put_number(out, _put(out, begin, _W_HAND), facts[NUMBER] + 0)
    out[at] = 32
    at = _put_number(out, at + 1, seats[count - 1] + 0)
    out[at] = 10
    at = _put_number(out, _put(out, at + 1, _W_LIMIT), _LIMIT_KIND[facts[KIND]] + 0)
    out[at] = 32
    at = _put_number(out, at + 1, _units(hand, low, 0))
    out[at] = 32
    at = _put_number(out, at + 1, _units(hand, BIG_BET, 0))
    out[at] = 10
    at += 1
    for k in range(count):
        is_known = hand.digits[STACKS, k] != _INFINITE
        at = _put_amount(out, at, _W_SEAT, seats[k] + 0, _units(hand, STACKS, k) if is_known else _INFINITE)
    at, before = _posts(out, at, text, hand, 2 + count)
    at, during = _acts(out, at, text, hand)
    at, after = _results(out, at, hand)
    if kept.tables[table]["size"] == 0:
        is_known = hand.digits[STACKS, 0] != _INFINITE
        record = kept.tables[table]
        record["stack"] = _units(hand, STACKS, 0) if is_known else 0
        record["small"], record["big"] = _units(hand, BLINDS, 0), _units(hand, BLINDS, 1)
        record["year"] = _count(text, hand.values[YEAR, 0] + 0, hand.values[YEAR, 1] + 0)
        record["month"] = _count(text, hand.values[MONTH, 0] + 0, hand.values[MONTH, 1] + 0)
        record["day"] = _count(text, hand.values[DAY, 0] + 0, hand.values[DAY, 1] + 0)
        record["second"] = _clock(text, hand.values[TIME, 0] + 0, hand.values[TIME, 1] + 0)
    _append(kept, table, at - begin, facts, before, during, after)


@part
def _count(text: NDArray[np.uint8], at: int, end: int) -> int:
    """The number that text[at:end] is, of four digits at most; -1 where it is none."""
    if at == _NONE or end == at or end - at > 4:
        return _NONE
    found = 0
    for k in range(at, end):
        if not _is_digit(text[k]):
            return _NONE
        found = found * 10 + (int(text[k]) - 48)
    return found


@part
def _clock(text: NDArray[np.uint8], at: int, end: int) -> int:
    """The second of the day that text[at:end] begins with, as `21:13:05`; -1 where it does not."""
    if at == _NONE or end - at < 8 or text[at + 2] != 58 or text[at + 5] != 58:
        return _NONE
    hour, minute, second = (
        _count(text, at, at + 2),
        _count(text, at + 3, at + 5),
        _count(text, at + 6, at + 8),
    )
    if hour < 0 or hour > 23 or minute < 0 or minute > 59 or second < 0 or second > 59:
        return _NONE
    return (hour * 60 + minute) * 60 + second


@part
def _append(
    kept: Kept, table: int, size: int, facts: NDArray[np.int64], before: int, during: int, after: int
) -> None:
    """Note a hand whose lines were written."""
    counts = kept.counts
    row = kept.hands[counts[HANDS]]
    row["table"], row["at"], row["size"] = table, counts[OUT], size
    row["first"], row["acts"] = facts[FIRST], facts[ACTS]
    row["before"], row["during"], row["after"] = before, during, after
    kept.tables[table]["size"] += size
    counts[HANDS] += 1
    counts[OUT] += size
    counts[BYTES] += size


@kernel
def read_hands(text: NDArray[np.uint8], end: int, is_last: bool, kept: Kept, hand: Hand) -> int:
    """Write the lines of regular hands of text[:end], from the place that `kept` has; why it stops.

    is_last: the file ends there, so that the last hand is whole
    """
    counts = kept.counts
    while counts[AT] < end:
        status = _keys(text, end, is_last, counts, hand)
        if status != _WRITTEN:
            return status
        if not _values(text, hand):
            return IRREGULAR
        if counts[BYTES] >= counts[MOST_BYTES]:
            return KEPT
        facts = hand.facts
        # A card takes three bytes for two, each time that it is written.
        lines, size = 2 * facts[STEPS] + 5 * facts[PLAYED] + 8, facts[NEXT] - counts[AT]
        most = _LONGEST_LINE * lines + 2 * (1 + facts[AGAIN]) * size
        counts[NEEDED] = most
        if counts[OUT] + most > len(kept.out) or counts[HANDS] >= len(kept.hands):
            return ROOM
        table = _enter(kept, text, hand)
        if table < 0:
            return FULL if table == -1 else IRREGULAR
        _write(kept, text, hand, table)
        counts[AT], counts[LINE] = facts[NEXT], facts[NEXT_LINE]
    return DONE


@kernel
def find_table(text: NDArray[np.uint8], kept: Kept, hand: Hand) -> int:
    """The table of a hand that was read otherwise, of which `hand` has the facts and where the names stand in a text.

    -1 where there is no room. The seats are in `hand`.
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
    """Put the lines of some hands into a text one after the other, and the line of the file of each into `line_of`."""
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
