"""A hand of PHH whose file has one line per key: from its bytes to its values and actions, compiled.

A hand that differs from the form of published files, or is unreadable, is irregular: `phh` reads it.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.bundles import bundle
from ..jit.compile import part, step
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
"""The keys that are read."""
VARIANT, ANTES, BLINDS, STACKS, FINISHING, WINNINGS, MIN_BET, SMALL_BET, BIG_BET = range(9)
ACTIONS, PLAYERS, HAND, TABLE, VENUE, TRIMMING, YEAR, MONTH, DAY, TIME = range(9, 19)

VARIANTS: Final = (b"NT", b"FT", b"PO", b"FO/8", b"NS")
"""Codes of the variants that have rules."""
FIXED: Final = (1, 3)
POT: Final = (2,)

DONE, IRREGULAR, KEPT, ROOM, FULL, WRITTEN = range(6)
"""Why a scan stops: the text has no further whole hand; a hand that is not regular; the lines are enough to take some
matches; no room for a hand's lines; no room for a table or its names."""

AT, LINE, OUT, HANDS, TABLES, NAMES, ARENA, BYTES, MOST_BYTES, NEEDED = range(10)
"""Numbers of a scan: the next hand's place in the text and its line; how much is used of each array of `Kept`; bytes of
lines that wait, and how many may; bytes that the next hand may take."""


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
    values    (keys, 2) offsets of each value's beginning and end; -1 for none
    hashes    of its keys
    digits    (keys of numbers, players) the numbers without their points; decimals: their decimal places; -1, 0 for inf
    sizes     of the lists
    spans     (players + 2, 2) offsets of the venue, the table's name and the players' names; -1 for none
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


DEAL, BOARD, FOLD, CALL, RAISE, SHOW, _AGAIN, LOST = range(8)
_KEY_LETTERS: Final = np.frombuffer(b"".join(KEYS), np.uint8).copy()
_KEY_AT: Final = np.cumsum([0, *map(len, KEYS)])
_CODE_LETTERS: Final = np.frombuffer(b"".join(VARIANTS), np.uint8).copy()
_CODE_AT: Final = np.cumsum([0, *map(len, VARIANTS)])
TRUE: Final = np.frombuffer(b"true", np.uint8).copy()
TENS: Final = 10 ** np.arange(19, dtype=np.int64)
_RANK_OF: Final = by_byte("23456789TJQKA")
_SUIT_OF: Final = by_byte("cdhs")
_CODES: Final = len(VARIANTS)

MASK: Final = (1 << 32) - 1
PRIME: Final = 16_777_619
BASIS: Final = 2_166_136_261
_LONGEST_NUMBER: Final = 12
"""Digits of an amount: it is scaled to units within 64 bits."""
_LAST: Final = 0
"""In place of the offset after a list's last item; no item begins a file."""
_LONGEST_HAND_NUMBER: Final = 17
INFINITE: Final = -1
ENDLESS: Final = 1 << 62
NONE: Final = -1


def _hash_of(word: bytes) -> int:
    """The hash that `read_keys` computes."""
    found = BASIS
    for letter in word:
        found = ((found ^ letter) * PRIME) & MASK
    return found


_KEY_HASH: Final = np.array([_hash_of(key) for key in KEYS], np.int64)


@part
def is_digit(letter: int) -> bool:
    """True for a decimal digit."""
    return 48 <= letter <= 57


@part
def is_same(
    text: NDArray[np.uint8], at: int, end: int, words: NDArray[np.uint8], first: int, last: int
) -> bool:
    """True if text[at:end] is words[first:last]."""
    if end - at != last - first:
        return False
    while at < end and text[at] == words[first]:
        at += 1
        first += 1
    return at == end


@part
def hashed(found: int, text: NDArray[np.uint8], at: int, end: int) -> int:
    """A hash (FNV-1a, 32 bits) so far, gone on with text[at:end]."""
    for k in range(at, end):
        found = ((found ^ int(text[k])) * PRIME) & MASK
    return found


@part
def _after_header(text: NDArray[np.uint8], at: int, end: int, is_last: bool) -> int:
    """The place after a line `[number]`, -1 for another line, -2 where its end is not here."""
    at += 1
    first = at
    while at < end and is_digit(text[at]):
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


# The content of a hand


@step
def read_keys(text: NDArray[np.uint8], end: int, is_last: bool, counts: NDArray[np.int64], hand: Hand) -> int:
    """Find the values of a hand; DONE if its end is not in the text."""
    facts, values = hand.facts, hand.values
    at, line = counts[AT] + 0, counts[LINE] + 0
    for k in range(len(values)):
        values[k, 0] = NONE
    facts[NUMBER], facts[FIRST], facts[ACTS] = 1, line, line
    if text[at] == 91:
        after = _after_header(text, at, end, is_last)
        if after < 0:
            return IRREGULAR if after == -1 else DONE
        number = 0
        at += 1
        while is_digit(text[at]):
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
        first, own = at, BASIS
        while at < end and (_is_key_letter(text[at]) or is_digit(text[at]) or text[at] == 45):
            own = ((own ^ int(text[at])) * PRIME) & MASK
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
            if key_end - first > 7 and is_same(
                text, first, first + 7, _KEY_LETTERS, _KEY_AT[ACTIONS] + 0, _KEY_AT[ACTIONS + 1] + 0
            ):
                return IRREGULAR
        if key < len(_KEY_HASH):
            if not is_same(text, first, key_end, _KEY_LETTERS, _KEY_AT[key] + 0, _KEY_AT[key + 1] + 0):
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
    return WRITTEN if found else IRREGULAR


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
    """Remove the quotes of a value; False if the value is not a word on one line."""
    at, end = values[key, 0] + 0, values[key, 1] + 0
    if at == NONE:
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
    """Read an amount into digits[row, k] and decimals[row, j]; the place after it, -1 if there is none."""
    first, value, point = at, 0, 0
    while at < end and is_digit(text[at]):
        value = value * 10 + (int(text[at]) - 48)
        at += 1
        if at - first > _LONGEST_NUMBER:
            return -1
    if at == first:
        return -1
    if at < end and text[at] == 46:
        at += 1
        begin = at
        while at < end and is_digit(text[at]):
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
def _past_blanks(text: NDArray[np.uint8], at: int, end: int) -> int:
    while at < end and text[at] == 32:
        at += 1
    return at


@part
def _after_item(text: NDArray[np.uint8], at: int, end: int) -> int:
    """The place after the comma behind an item of a list, _LAST after the last item, -1 if there is no comma."""
    at = _past_blanks(text, at, end)
    if at >= end:
        return _LAST
    return at + 1 if text[at] == 44 else -1


@part
def _numbers(text: NDArray[np.uint8], hand: Hand, key: int) -> bool:
    """Read a list of amounts, of no more than there may be players."""
    at, end = hand.values[key, 0] + 0, hand.values[key, 1] + 0
    hand.sizes[key] = 0
    if at == NONE:
        return True
    if text[at] != 91 or text[end - 1] != 93:
        return False
    at += 1
    end -= 1
    count = 0
    while True:
        at = _past_blanks(text, at, end)
        if count == MOST_PLAYERS:
            return False
        if key == STACKS and at + 2 < end and text[at] == 105 and text[at + 1] == 110 and text[at + 2] == 102:
            hand.digits[key, count], hand.decimals[key, count] = INFINITE, 0
            at += 3
        else:
            at = _number(text, at, end, hand.digits, hand.decimals, key, count, count)
            if at < 0:
                return False
        count += 1
        at = _after_item(text, at, end)
        if at == _LAST:
            break
        if at < 0:
            return False
    hand.sizes[key] = count
    return True


@part
def _bet(text: NDArray[np.uint8], hand: Hand, key: int) -> bool:
    """Read one amount, 0 if it is missing."""
    at, end = hand.values[key, 0] + 0, hand.values[key, 1] + 0
    hand.digits[key, 0] = hand.decimals[key, 0] = 0
    is_read: bool = at == NONE or _number(text, at, end, hand.digits, hand.decimals, key, 0, 0) == end
    return is_read


@part
def _most_decimals(hand: Hand, key: int) -> int:
    most = 0
    for k in range(hand.sizes[key]):
        most = max(most, hand.decimals[key, k])
    return most


@step
def _named(text: NDArray[np.uint8], hand: Hand) -> bool:
    """Find the players' names; -1 for a player without one."""
    spans, count = hand.spans, hand.facts[PLAYED] + 0
    at, end = hand.values[PLAYERS, 0] + 0, hand.values[PLAYERS, 1] + 0
    for k in range(count):
        spans[2 + k, 0] = NONE
    if at == NONE:
        return True
    if text[at] != 91 or text[end - 1] != 93:
        return False
    at += 1
    end -= 1
    for k in range(count):
        at = _past_blanks(text, at, end)
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
        at = _past_blanks(text, at, end)
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
        return at, NONE
    at += 1
    number, first = 0, at
    while at < end and is_digit(text[at]) and at - first < 2:
        number = number * 10 + (int(text[at]) - 48)
        at += 1
    return at, number - 1 if number <= count else NONE


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
        at = _past_blanks(text, at, end)
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
            steps[done, 0], steps[done, 1] = BOARD, 0
            if kind == 104:
                at, player = _player(text, at, end, count)
                if player < 0 or at >= end or text[at] != 32:
                    return False
                at += 1
                steps[done, 0], steps[done, 1] = DEAL, player
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
                steps[done, 0] = FOLD
                at += 1
            elif text[at] == 99 and text[at + 1] == 99:
                steps[done, 0] = CALL
                at += 2
            elif (
                text[at] == 99
                and text[at + 1] == 98
                and at + 4 < end
                and text[at + 2] == 114
                and text[at + 3] == 32
            ):
                steps[done, 0] = RAISE
                at = _number(text, at + 4, end, steps, steps, done, 2, 3)
                if at < 0:
                    return False
            elif text[at] == 115 and text[at + 1] == 109:
                steps[done, 0] = LOST
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
                        steps[done, 0], steps[done, 2], steps[done, 3] = SHOW, at, after
                        for k in range(at, after):
                            if text[k] == 63:
                                steps[done, 0] = LOST
                        at = after
            else:
                return False
        if at >= end or text[at] != quote:
            return False
        at += 1
        done += 1
        at = _after_item(text, at, end)
        if at == _LAST:
            break
        if at < 0:
            return False
    facts[STEPS] = done
    return True


@step
def read_values(text: NDArray[np.uint8], hand: Hand) -> bool:
    """Read all values of a hand, of which the keys were found; False if one is not regular."""
    facts, values = hand.facts, hand.values
    for key in (VARIANT, BLINDS, STACKS, ACTIONS):
        if values[key, 0] == NONE:
            return False
    for key in (VARIANT, HAND, TABLE, VENUE, TRIMMING):
        if not _word(text, values, key):
            return False
    kind = 0
    while kind < _CODES and not is_same(
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
    if values[HAND, 0] != NONE:
        number, first, last = 0, values[HAND, 0] + 0, values[HAND, 1] + 0
        if first == last or last - first > _LONGEST_HAND_NUMBER:
            return False
        for k in range(first, last):
            if not is_digit(text[k]):
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
        if not _numbers(text, hand, key) or (values[key, 0] != NONE and hand.sizes[key] != count):
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
        if hand.steps[k, 0] == RAISE:
            places = max(places, hand.steps[k, 3])
    most = max(places, _most_decimals(hand, FINISHING), _most_decimals(hand, WINNINGS), FEWEST_PLACES)
    facts[PLACES], facts[MOST] = places, most
    hand.spans[0, 0], hand.spans[0, 1] = values[VENUE, 0], values[VENUE, 1]
    hand.spans[1, 0], hand.spans[1, 1] = values[TABLE, 0], values[TABLE, 1]
    return most <= MOST_PLACES
