"""The dialects that railbird reads, and the choice of the one in which a text is written."""

import codecs
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np

from . import mit
from .dialect import (
    BOMS,
    Cut,
    Dialect,
    Form,
    MatchText,
    Records,
    Sorted,
    Text,
    by_words,
    decoded,
    line_at,
    line_start,
    no_cut,
    signs_of,
)
from .grammar import CARDS, PLAYER, Template
from .hand_cut import MISFORMATTED, HandCut
from .marks import first_of, places_of
from .sidecar_names import OPENS_LOG, OPENS_STATE

_MIT: Final[list[Dialect]] = []
_OWN: Final[list[Dialect]] = []
"""Dialects of users' games whose hands begin with words of their own."""
_LATE: Final[list[Callable[[], tuple[Dialect, ...]]]] = []

_MIT_OPENING: Final = (b" Pokerbots - ", b"Round #")
_OPENING_WORDS: Final = (
    *_MIT_OPENING,
    b"# name/game/hands/seed ",
    b"STATE:",
    b"--- Starting Game ",
    b"TOURNAMENT LOG",
    b"--- Match ",
    b"In config file: GAME_DEF=",
    b"AIVAT, Chips, ",
    OPENS_STATE,
    b"game start(id=",
    OPENS_LOG,
)
"""Every line that opens a match contains one, except hand 1 of MIT's early engines without a header."""
_OPENING: Final = ("header", "round", "state")

_APART: Final = b"STATE:"
_HAND_WORDS: Final = (
    b"Round #",
    b"Hand #",
    _APART,
    b"--- Starting Game ",
    b"--- Match ",
    b"game(id=replay) new hand ",
)
"""Every line that opens a hand contains one."""
_SIGNS_TRIED: Final = 40
_ENOUGH: Final = 3
"""Hands with signs of a dialect that identify it if no other dialect has any."""
_OPENINGS_TRIED: Final = 40
_LINES_OF_A_HAND: Final = 60
_WITHIN: Final = re.compile(rb"\\n(?!\??\Z)")
"""A line end in the source of an expression, not the one at its end."""
_FIRST_HAND: Final = 4096
"""Bytes in which a match's first hand is dealt."""
_FIRST_HANDS: Final = 1 << 16
_DEALS_LOOKED_AT: Final = 4 << 20
"""Bytes of a match in which deals are compared with a game's deal."""
_LEAST_DEALS: Final = 2 * _ENOUGH
"""Deals that exclude a game if none of them is like the game's."""
_CARD: Final = len("Ah ")
_MOST_CARDS: Final = 8
"""Cards of a deal that are counted."""
_Deal = tuple[bytes, int]
"""Of lines of hole cards: the bytes between the player and the cards, and the byte after the cards."""


_RECORD_WORDS: Final[list[bytes]] = []
"""The head of every file of records contains one, unless it begins as a JSON document."""
_JSON: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{|\[(?!'))|\xff\xfe|\xfe\xff")
"""A list of cards, which begins with [', is not JSON."""

_WIDE: Final = tuple(mark for mark, encoding in BOMS if encoding != "utf-8-sig")
_NUMBERS: Final = re.compile(rb"\s*\d+ +\d+ +\d+ +\d+ +\d+/\d+ ")
"""The list of hands of a month of the IRC poker database begins so."""


def register(
    known: Iterable[tuple[Dialect, ...] | Callable[[], tuple[Dialect, ...]]], hints: Iterable[bytes] = ()
) -> None:
    """Register dialects (`variants.registry`): those of MIT's engines, the base first; functions that load others.

    hints: `variants.properties.Variant.hints`

    Raises ValueError for a dialect whose grammar does not define how hands begin.
    """
    _RECORD_WORDS.extend(word for word in hints if word not in _RECORD_WORDS)
    for some in known:
        if callable(some):
            _LATE.append(some)
            continue
        ready = [_with_cut(dialect) for dialect in some]
        for dialect in ready:
            is_own = isinstance(dialect.cut, HandCut) and dialect.cut is not mit.cut
            (_OWN if is_own else _MIT).append(dialect)
    for kept in (_known, _beside, _of_records, _shared_words, _other_awards):
        kept.cache_clear()


def _with_cut(dialect: Dialect) -> Dialect:
    """A dialect with the cut for its words."""
    cut = dialect.cut
    if cut is by_words:
        cut = mit.cut if dialect.opens == mit.cut.word else HandCut(dialect.name, dialect.grammar)
    if (learn := getattr(cut, "learn", None)) is not None:
        learn(dialect.grammar)
    signs = dialect.signs
    if not signs and _MIT and cut is mit.cut and dialect.cut is by_words:
        signs = signs_of(_new_lines(dialect))
    return replace(dialect, cut=cut, signs=signs)


def _new_lines(dialect: Dialect) -> list[Template]:
    """The lines that no registered dialect has."""
    known = {template.pattern for other in _MIT for template in other.grammar.templates}
    return [template for template in dialect.grammar.templates if template.pattern not in known]


@cache
def _others() -> tuple[Dialect, ...]:
    """Dialects of other engines, loaded if a text is not an MIT log."""
    return tuple(_with_cut(dialect) for load in _LATE for dialect in load())


def _every() -> Iterator[Dialect]:
    """Every dialect, the most general first; those of other engines are loaded when the iteration reaches them."""
    assert _MIT, "variants.registry makes dialects known, and was not imported"
    yield from _MIT
    yield from _OWN
    yield from _others()


def own_words() -> tuple[bytes, ...]:
    """The words with which hands of users' games begin and no other engine's do."""
    return tuple(dict.fromkeys(dialect.opens for dialect in _OWN))


def dialects() -> tuple[Dialect, ...]:
    """Every dialect, the most general first."""
    return tuple(_every())


def is_mit(text: Text, start: int, end: int) -> bool:
    """True if a line of text[start:end] opens a round of MIT's engines."""
    return mit.cut.next_hand(text, start, end) >= 0


def dialect_named(name: str) -> Dialect:
    """The dialect of a name; KeyError lists the names there are."""
    if (dialect := _known(name)) is not None:
        return dialect
    raise KeyError(f"no dialect is called {name!r}; there are {', '.join(d.name for d in dialects())}")


@cache
def _known(name: str) -> Dialect | None:
    return next((dialect for dialect in _every() if dialect.name == name), None)


def sidecar_kind(head: bytes) -> str | None:
    """The kind of a sidecar that some engine writes next to its logs, from its first bytes; None for other files."""
    start = head[:_FIRST_HANDS]
    for form, what in _beside():
        if form.match(start):
            return what
    return None


@cache
def _beside() -> tuple[tuple[Form, str], ...]:
    return tuple(one for dialect in _every() for one in dialect.beside)


def why_alone(head: bytes) -> str:
    """Why a sidecar without its log is refused, from its first bytes; "" if it is not."""
    return next((d.alone for d in _every() if d.alone and any(form.match(head) for form, _ in d.beside)), "")


def why_unread(head: bytes) -> str | None:
    """Why a known engine's file is not read, from its first bytes; None for other files."""
    return next((why for d in _every() for form, why in d.unread if form.match(head)), None)


def _opened_first(head: Text, first: Cut | None) -> Iterator[Dialect]:
    """The engines: first those whose hands begin in the head, then those whose headers do; the rest is imported only
    when the iteration reaches it."""
    later = []
    for dialect in _engines(first):
        if b"\n" + dialect.opens in head:
            yield dialect
        else:
            later.append(dialect)
    headed = {d.cut for d in _every() if d.header and b"\n" + d.header in head}
    yield from sorted(later, key=lambda dialect: dialect.cut not in headed)


def cut_for(text: Text, first: Cut | None = None) -> tuple[Cut, list[MatchText]] | None:
    """The matches of a text, and the cut of the last: the first cut that finds a match whose players it can identify.

    Matches of other engines may come before and between those of an engine; in a text with lines of several engines
    the cut must also find a complete hand. If no cut does, the dialect whose header begins the text is used, as for
    a log just begun; else None. Cuts of engines whose hands begin in the first lines are tried before others.
    first: the cut that is tried first among equals, unless the text has lines of several engines.
    """
    named: list[tuple[Dialect, list[MatchText]]] = []
    head = b"\n" + text[:_FIRST_HAND]
    # A cut searches the whole text for its words.
    for dialect in _opened_first(head, first):
        matches = dialect.cut(text)
        if any(match.names for match in matches):
            dialect, matches = _of_rivals(text, dialect, matches)
            named.append((dialect, matches))
            is_whole = dialect is _MIT[0] and any(_is_played(text, match, dialect) for match in matches)
            if is_whole or not _has_others(text, dialect):
                return _with_others(text, dialect, matches)
            break
    if named:
        for dialect in _by_doubt():
            matches = dialect.cut(text)
            if any(_is_played(text, match, dialect) for match in matches):
                return _with_others(text, dialect, matches)
        return _with_others(text, *named[0])
    for dialect in dialects():
        if dialect.grammar.template("header").regex.match(text):
            return dialect.cut, dialect.cut(text)
    return None


def _of_rivals(text: Text, dialect: Dialect, matches: list[MatchText]) -> tuple[Dialect, list[MatchText]]:
    """Of the engines whose hands begin with the same words, the one that accepts most lines; its matches."""
    found = [(dialect, matches)]
    if _OWN:
        rivals = (rival for rival in _engines() if rival.opens == dialect.opens and rival is not dialect)
        others = [(rival, rival.cut(text)) for rival in rivals]
        found += [(rival, cut) for rival, cut in others if any(match.names for match in cut)]
    return max(found, key=lambda one: _lines_known(text, *one)) if len(found) > 1 else found[0]


def _lines_known(text: Text, engine: Dialect, matches: list[MatchText]) -> int:
    """How many of a match's first lines the dialects of an engine accept."""
    match = next(match for match in matches if match.names)
    lines = bytes(text[match.body : match.body + _FIRST_HAND]).split(b"\n")[:_LINES_OF_A_HAND]
    alike = [one for one in _every() if one.cut is engine.cut]
    return max(sum(one.grammar.accepts(line) for line in lines) for one in alike)


def _has_others(text: Text, dialect: Dialect) -> bool:
    """True if the text has words with which other engines' hands begin; for equal words, if it has complete hands.

    dialect: the text has no complete hand of it
    """
    words = {*_HAND_WORDS, *own_words()}
    if dialect is _MIT[0]:
        words |= {word for word in _OPENING_WORDS if word not in _MIT_OPENING}
    if any(first_of(text, word, 0, len(text)) >= 0 for word in words if word != dialect.opens):
        return True
    alike = (one for one in _MIT if one.opens == dialect.opens and one.cut is not dialect.cut)
    return dialect is _MIT[0] and any(
        _is_played(text, match, one) for one in alike for match in one.cut(text)
    )


def _by_doubt() -> tuple[Dialect, ...]:
    """The most general dialect of every engine; last, the dialect of which a single line is a hand."""
    return tuple(sorted(_engines(), key=lambda dialect: dialect.opens == dialect.closes))


def _is_played(text: Text, match: MatchText, dialect: Dialect) -> bool:
    """True for a match with identified players and a hand that may be complete."""
    if not match.names:
        return False
    if dialect.opens in _shared_words():
        return _whole_hand(text, match.start, match.end, dialect) >= 0
    return text.find(dialect.closes, match.start, match.end) >= 0


def _has_next(text: Text, match: MatchText, dialect: Dialect) -> bool:
    """True for a match with identified players and a second hand, which ends the first."""
    first = text.find(dialect.opens, match.start, match.end)
    return bool(match.names) and 0 <= first < text.rfind(b"\n" + dialect.opens, match.start, match.end)


def _whole_hand(text: Text, start: int, end: int, dialect: Dialect, names: Sequence[bytes] = ()) -> int:
    """The offset of the first hand in text[start:end] that may be complete and whose first line is one of the
    dialect's engine with these names; -1 if there is none."""
    at = text.find(dialect.opens, start, end)
    while at >= 0:
        below = text.find(b"\n" + dialect.opens, at, end)
        line = line_at(text, at)
        is_own = at == line_start(text, at) and _opens_alike(dialect, line) and all(n in line for n in names)
        closed = _closed_at(text, at, below if below >= 0 else end, dialect) if is_own else -1
        if closed >= 0 and all(text.find(b"\n" + word, at, closed) < 0 for word in _HAND_WORDS):
            return at
        at = below + 1 if below >= 0 else -1
    return -1


def _closed_at(text: Text, at: int, end: int, dialect: Dialect) -> int:
    """The offset in text[at:end] of the words that end a hand of the dialect's engine; -1 if there are none.

    at: of its first line. If that names the players, an award to somebody else ends no hand; nor is
    `Ann posts blind: 10` an award of 10 to `Ann posts blind`.
    """
    first, closed = line_at(text, at), text.find(dialect.closes, at, end)
    is_named = b"," in first and dialect.opens in _shared_words()
    while is_named and closed >= 0 and not _is_named(bytes(text[line_start(text, closed) : closed]), first):
        closed = text.find(dialect.closes, closed + 1, end)
    if closed >= 0:
        return closed
    others = _other_awards(dialect)
    while others and at < end:
        line = line_at(text, at)
        found = [(award, who) for form, who in others if (award := form.fullmatch(line))]
        if any(not is_named or who is None or _is_named(award[who], first) for award, who in found):
            return at
        at += len(line)
    return -1


def _is_named(name: bytes, line: bytes) -> bool:
    """True if a line has a name as words of its own, or the name is empty."""
    name = name.strip()
    at = line.find(name)
    while at >= 0:
        after = at + len(name)
        if not (line[max(at - 1, 0) : at].isalnum() or line[after : after + 1].isalnum()):
            return True
        at = line.find(name, at + 1)
    return not name


@cache
def _other_awards(dialect: Dialect) -> tuple[tuple[re.Pattern[bytes], int | None], ...]:
    """Award lines of an engine's dialects without the closing words of the most general one.

    The group of the player of each; None where a line names none.
    """
    alike = (one for one in _every() if one.cut is dialect.cut)
    forms = {t.pattern: t for one in alike for t in one.grammar.templates if t.event == "award"}
    return tuple(
        (t.regex, 1 + t.fields.index(PLAYER) if PLAYER in t.fields else None)
        for t in forms.values()
        if dialect.closes.decode() not in t.pattern
    )


def records_for(head: bytes) -> Dialect | None:
    """The dialect of records that fits a file's first bytes; None if none does.

    Dialects of other engines than MIT's are loaded only where there may be records.
    """
    start = head[:_FIRST_HANDS]
    is_json = _JSON.match(start) is not None
    if not is_json and _NUMBERS.match(start) is None and not any(word in start for word in _RECORD_WORDS):
        return None
    raw, start = start, decoded(start)
    found = [
        (_claimed_from(records, start), records.form, dialect)
        for dialect, records in _of_records()
        # If documents follow other lines, the file is not one of records.
        if (is_json or not records.is_json) and records.fits(start)
    ]
    if not found:
        return None
    at, form, dialect = min(found, key=lambda one: one[0])
    above = start[:at]
    by_match = apart_for(above)
    # If records follow a log's hands, the file is that log and the records are not read; TOML never follows a log.
    is_log = holds_hands(above if by_match is None else by_match[0]) or (form == "toml" and _has_hand(above))
    assert dialect.records is not None
    return None if is_log or _is_log_of_bytes(raw, start, dialect.records) else dialect


def _is_log_of_bytes(raw: bytes, start: bytes, records: Records) -> bool:
    """True if a head in another encoding has a log's hands, as raw bytes, before the line that identifies records.

    Single-byte lines of a log in such a file shift the encoding of all that follows.
    """
    if not raw.startswith(_WIDE):
        return False
    ends = [found.end() for found in re.finditer(rb"\n|\Z", start)]
    shown = ends[min(bisect_left(ends, True, key=lambda end: records.fits(start[:end])), len(ends) - 1)]
    width = 4 if raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)) else 2
    return holds_hands(raw[: width * len(start[:shown].decode("utf-8", "replace"))])


def _claimed_from(records: Records, head: bytes) -> int:
    """The offset of the line that identifies the records, in the head of a file that they fit."""
    if records.form == "toml":
        return line_start(
            head, min((at for word in _RECORD_WORDS if (at := head.find(word)) >= 0), default=0)
        )
    if records.form == "document":
        return 0
    return line_start(head, max((head.find(sign) for sign in records.signs), default=0))


def holds_hands(text: Text) -> bool:
    """True if a text has a complete hand of an engine's log with identified players, or one hand and a second."""
    found = cut_for(text) if text.strip() else None
    engines = [(match, dialect_named(match.engine)) for match in found[1]] if found is not None else []
    return any(_is_played(text, *one) or _has_next(text, *one) for one in engines)


def _has_hand(text: bytes) -> bool:
    """True if a line begins like a hand of some log."""
    words = (*_HAND_WORDS, *_OPENING_WORDS, *own_words())
    return any(text.startswith(word) or b"\n" + word in text for word in words)


@cache
def _of_records() -> tuple[tuple[Dialect, Records], ...]:
    return tuple((dialect, dialect.records) for dialect in _others() if dialect.records is not None)


def apart_for(text: Text) -> Sorted | None:
    """A text of interleaved matches, sorted match by match; None if no matches are interleaved."""
    if text.find(_APART, 0, _FIRST_HANDS) < 0:
        return None
    found = (dialect.apart(text) for dialect in _others() if dialect.apart is not None)
    return next((by_match for by_match in found if by_match is not None), None)


def _engines(first: Cut | None = None) -> Iterator[Dialect]:
    """The most general dialect of every cut, that of `first` before the others."""
    if first is None or first is _MIT[0].cut:
        yield _MIT[0]
        yield from _OWN
        yield from _bases()
    else:
        yield from sorted((_MIT[0], *_OWN, *_bases()), key=lambda dialect: dialect.cut is not first)


def _bases() -> tuple[Dialect, ...]:
    """The first dialect of each cut but MIT's."""
    found: dict[Cut, Dialect] = {}
    for dialect in (*_MIT, *_others()):
        if dialect.cut is not _MIT[0].cut and dialect.cut is not no_cut:
            found.setdefault(dialect.cut, dialect)
    return tuple(found.values())


def _with_others(text: Text, dialect: Dialect, matches: list[MatchText]) -> tuple[Cut, list[MatchText]]:
    """An engine's matches, and those of others before the first and after the last hand of each."""
    found: list[MatchText] = []
    cut = dialect.cut
    # Headers of other engines may be equal: the first match with players has the engine's first hand.
    first_played = next((k for k, match in enumerate(matches) if match.names), 0)
    if first_played and (
        above := _others_above(text, _begins(text, matches[first_played], dialect), dialect)
    ):
        played = matches[first_played]
        others, first = above
        found += others
        matches = [
            replace(played, start=first, body=max(played.body, first), opening=first),
            *matches[first_played + 1 :],
        ]
    for match in matches:
        above = None
        if not found:
            above = _others_above(text, _begins(text, match, dialect), dialect)
        if above is not None:
            others, first = above
            found += others
            match = replace(match, start=first, body=max(match.body, first), opening=first)
        elif (between := _others_in(text, match.start, match.opening, dialect)) is not None:
            found += replace(between[1][0], start=match.start), *between[1][1:]
            match = replace(match, start=match.opening, body=max(match.body, match.opening))
        after = _others_in(text, _below_last_hand(text, match.body, match.end, dialect), match.end, dialect)
        cut = dialect.cut
        if after is not None:
            cut = after[0]
            match = replace(match, end=after[1][0].start, cut_short=False)
        found.append(match)
        found += after[1] if after is not None else ()
    return cut, found


def _begins(text: Text, match: MatchText, dialect: Dialect) -> int:
    """The offset of a match's first hand, or of its header with its players' names below other text.

    A hand that another engine's hands cut short does not count.
    """
    is_headed = match.opening != match.start or (
        match.start and match.header_fits and match.body > match.start
    )
    if is_headed and not match.names:
        return match.opening
    first = max(_first_hand(text, match.start, match.end, dialect, match.names), match.opening)
    words = (*_HAND_WORDS, *own_words()) if is_headed and first > match.opening else ()
    is_between = any(
        word != dialect.opens and first_of(text, b"\n" + word, match.opening, first) >= 0 for word in words
    )
    return match.opening if is_headed and not is_between else first


def _first_hand(text: Text, start: int, end: int, dialect: Dialect, names: Sequence[bytes] = ()) -> int:
    """The offset of the first hand of a dialect's engine in text[start:end]; -1 if there is none.

    If hands of another engine begin with the same words, it is the first complete one, of these names' players if
    names are given.
    """
    whole = -1
    if dialect.opens in _shared_words():
        whole = _whole_hand(text, start, end, dialect, names) if names else -1
        whole = whole if whole >= 0 else _whole_hand(text, start, end, dialect)
    if whole >= 0:
        return whole
    if dialect.in_lines:
        return text.find(dialect.opens, start, end)
    first = at = text.find(b"\n" + dialect.opens, start, end)
    if dialect in _MIT:
        # Round lines with only a number may precede it.
        while at >= 0 and not _opens_alike(dialect, line_at(text, at + 1)):
            at = text.find(b"\n" + dialect.opens, at + 1, end)
    found = at if at >= 0 else first
    return found + 1 if found >= 0 else -1


def _below_last_hand(text: Text, start: int, end: int, dialect: Dialect) -> int:
    """The offset after the opening words of the last hand of a dialect's engine in text[start:end]; else start."""
    word = dialect.opens if dialect.in_lines else b"\n" + dialect.opens
    last = at = text.rfind(word, start, end)
    if dialect.opens in _shared_words():
        while at >= 0 and not _opens_alike(dialect, line_at(text, at + 1)):
            at = text.rfind(word, start, at)
        last = at if at >= 0 else last
    return last + len(word) if last >= 0 else start


@cache
def _shared_words() -> frozenset[bytes]:
    """The words with which hands of several engines begin."""
    words = [dialect.opens for dialect in {dialect.cut: dialect for dialect in (*_MIT, *_OWN)}.values()]
    return frozenset(word for word in words if words.count(word) > 1)


def _opens_alike(dialect: Dialect, line: bytes) -> bool:
    """True if a line opens a hand of a dialect's engine."""
    return any(_opens(one, line) for one in (*_MIT, *_OWN) if one.cut is dialect.cut)


def _others_above(text: Text, first: int, dialect: Dialect) -> tuple[list[MatchText], int] | None:
    """The matches of another engine before the first hand of a dialect, and the offset at which the dialect's own
    begin; None if there are none, or none is complete.

    The first lines of a text are never a quotation, however few they are.
    """
    own = [one for one in (_MIT if dialect in _MIT else _every()) if one.cut is dialect.cut]
    lines = bytes(text[:first]).split(b"\n")[:_LINES_OF_A_HAND]
    if all(not line.strip() or any(one.grammar.accepts(line) for one in own) for line in lines):
        return None
    found = cut_for(text[:first])
    engines = [(match, dialect_named(match.engine)) for match in found[1]] if found is not None else []
    # Incomplete hands of the dialect may follow the others.
    while engines and engines[-1][1].cut is dialect.cut:
        first = engines.pop()[0].start
    is_whole = any(_is_played(text, *one) or _has_next(text, *one) for one in engines)
    return ([match for match, _ in engines], first) if is_whole else None


def _others_in(text: Text, start: int, end: int, dialect: Dialect) -> tuple[Cut, list[MatchText]] | None:
    """The matches of other engines in text[start:end], as `cut_for` returns them; None if none is complete.

    dialect: that of the surrounding lines. A line followed by lines of that dialect opens no match of another.
    """
    for _ in range(_OPENINGS_TRIED):
        at = _opening(text, start, end, dialect)
        found = cut_for(text[at:end]) if at >= 0 else None
        if found is None:
            return None
        whole = any(_is_played(text[at:end], match, dialect_named(match.engine)) for match in found[1])
        if whole and not _goes_on(text, at, end, dialect, dialect_named(found[1][0].engine)):
            break
        start = at + len(line_at(text, at))
    else:
        return None
    return found[0], [
        replace(
            match,
            start=at + match.start,
            body=at + match.body,
            end=at + match.end,
            opening=at + match.opening,
            cut_short=match.cut_short and at + match.end == len(text),
        )
        for match in found[1]
    ]


def _goes_on(text: Text, at: int, end: int, dialect: Dialect, other: Dialect) -> bool:
    """True if from an offset on a dialect has at least as many lines as `other`, whose match would begin there."""
    own = others = 0
    for _ in range(_LINES_OF_A_HAND):
        if at >= end:
            break
        line = line_at(text, at)
        at += len(line)
        is_own, is_others = (
            any(one.grammar.accepts(line) for one in dialects() if one.cut is engine.cut)
            for engine in (dialect, other)
        )
        own, others = own + (is_own and not is_others), others + (is_others and not is_own)
    return own >= others


def _opening(text: Text, start: int, end: int, dialect: Dialect) -> int:
    """The offset of the first line in text[start:end] that opens a match of another engine, else -1."""
    # Most texts have no such word.
    words = (*_OPENING_WORDS, *own_words())
    if all(first_of(text, word, start, end) < 0 for word in words):
        return -1
    for hit in re.compile(b"|".join(map(re.escape, words))).finditer(text, start, end):
        begin, at = line_start(text, hit.start()), hit.start()
        if dialect is not _MIT[0] and (headers := mit.cut.header_lines(text, begin, hit.end())):
            return headers[0]
        # MIT's engines write no line end after the last line.
        is_joined = dialect is _MIT[0] and MISFORMATTED not in text[begin:at]
        if (at == begin or is_joined) and any(
            other is not dialect and _opens(other, line_at(text, at)) for other in _engines()
        ):
            return at
    return -1


def _opens(dialect: Dialect, line: bytes) -> bool:
    """True if a line fits a template that opens matches of a dialect."""
    return any(t.event in _OPENING and t.regex.fullmatch(line) for t in dialect.grammar.templates)


def likely(
    text: Text, start: int, end: int, names: Sequence[bytes] = (), engine: str = ""
) -> tuple[Dialect, ...]:
    """The possible dialects of a match, the likeliest first; several if few hands have signs, or signs disagree.

    A header that only one dialect has decides alone.

    names: its players, whose names may look like signs. engine: as in `MatchText`; "" to find it from the text. The
    match's first hands are searched first: in most dialects every hand has a sign.
    """
    if not engine:
        matches = cut_for(text[start:end])
        engine = matches[1][0].engine if matches is not None and matches[1] else _MIT[0].name
    base = _MIT[0] if engine == _MIT[0].name else dialect_named(engine)
    if base.cut is no_cut:
        return (base,)
    end = _own_end(base, text, start, end, names)
    alike = [d for d in (_MIT if base is _MIT[0] else _every()) if d.cut is base.cut]
    if len(alike) == 1:
        return (base,)
    headed = tuple(dialect for dialect in alike if dialect.header and _is_headed(dialect, text, start, end))
    if len(headed) == 1:
        return headed
    if headed:
        base, alike = headed[0], list(headed)
    alike = [dialect for dialect in alike if _seats(dialect, names)] or alike
    counts: dict[Dialect, int] = {}
    fits: dict[Dialect, bool] = {}
    deals, first_deals = dict[_Deal, list[int]](), dict[_Deal, list[int]]()
    hands_end = min(end, start + _FIRST_HANDS)
    for last in dict.fromkeys(min(end, start + size) for size in (_FIRST_HAND, _FIRST_HANDS, len(text))):
        found = {d: said for d in alike if (said := _hands_with_signs(d, text, start, last, names))[0]}
        counts = {d: said[0] for d, said in found.items() if not _is_outdone(d, found)}
        is_single = len(found) > 1 and all(count == 1 for count in counts.values())
        if is_single and not any(_deals(d, text, start, hands_end, first_deals) for d in counts):
            # A truncated hand may have a sign of a game that deals other cards and accepts this one's lines.
            dealt = {d: found[d] for d in found if _deals(d, text, start, hands_end, first_deals)}
            counts = {d: said[0] for d, said in dealt.items() if not _is_outdone(d, dealt)} or counts
        if len(counts) > 1:
            for dialect in counts.keys() - fits.keys():
                fits[dialect] = _may_deal(dialect, text, start, end, deals)
            counts = {d: count for d, count in counts.items() if fits[d]} or counts
        if len(counts) == 1 and max(counts.values()) == _ENOUGH:
            break
    signed = tuple(sorted(counts, key=lambda d: -counts[d]))
    if len(signed) == 1 and counts[signed[0]] >= min(_ENOUGH, max(_hands(base, text, start, end), 2)):
        return signed
    among = (*signed, base)
    fitting = (one for one in among if _seats(one, names) and _may_deal(one, text, start, end, deals))
    return tuple(fitting) or among


def _own_end(base: Dialect, text: Text, start: int, end: int, names: Sequence[bytes]) -> int:
    """The offset of the first hand in text[start:end] that names none of the match's players, after one that does;
    else end. Hands of others are no sign of the match's dialect, nor is the hand that they cut short, unless it is
    the only one. Only the first hands are searched."""
    if not names or base is not _MIT[0]:
        return end
    word, last = b"\n" + base.opens, min(end, start + _FIRST_HANDS)
    own: list[int] = []
    at = max(start - 1, 0)
    while (at := text.find(word, at, last)) >= 0:
        line = line_at(text, at + 1)
        if any(name in line for name in names):
            own.append(at + 1)
        elif own and _opens_alike(base, line):
            is_paid = any(text.find(b"\n" + name + base.closes, own[-1], at) >= 0 for name in names)
            return at + 1 if is_paid or len(own) == 1 else own[-1]
        at += len(line)
    return end


def _seats(dialect: Dialect, names: Sequence[bytes]) -> bool:
    """False for a dialect whose game has fewer or more players than a match."""
    fewest, most = dialect.players
    return not names or not most or fewest <= len(names) <= most


def _may_deal(dialect: Dialect, text: Text, start: int, end: int, deals: dict[_Deal, list[int]]) -> bool:
    """False for a dialect whose number of hole cards no line of the match shows, while another dialect's is shown.

    deals: what `_dealt` returns, by kinds of lines; it is filled.
    """
    if _deals(dialect, text, start, end, deals):
        return True
    return sum(sum(deals[deal][1:]) for deal in _deals_of(dialect)) < _LEAST_DEALS


def _deals(dialect: Dialect, text: Text, start: int, end: int, deals: dict[_Deal, list[int]]) -> bool:
    """True for a dialect whose number of hole cards a line of the match shows. deals: as in `_may_deal`."""
    for deal in _deals_of(dialect):
        if deal not in deals:
            deals[deal] = _dealt(text, start, min(end, start + _DEALS_LOOKED_AT), deal)
        if deals[deal][dialect.holes]:
            return True
    return False


def _dealt(text: Text, start: int, end: int, deal: _Deal) -> list[int]:
    """The number of lines of text[start:end] with no hole card, one, two, ..."""
    before, after = deal
    codes = np.frombuffer(text, np.uint8)
    left = places_of(text, before, start, end) + len(before)
    left = left[left < end - _CARD * _MOST_CARDS]
    found = []
    for count in range(_MOST_CARDS + 1):
        here = codes[left + max(_CARD * count - 1, 0)] == after
        found.append(int(np.count_nonzero(here)))
        left = left[~here]
    return found


@cache
def _deals_of(dialect: Dialect) -> tuple[_Deal, ...]:
    """The lines with which a dialect prints hole cards."""
    found = []
    for template in dialect.grammar.templates:
        of_cards = template.event == "dealt" and template.fields[:2] == [PLAYER, CARDS]
        if of_cards and 0 < dialect.holes <= _MOST_CARDS:
            player, before, _, *after = (*template.parts, "")
            closes = str(after[0]).strip()
            # A blank also separates cards.
            if player == PLAYER and isinstance(before, str) and closes and str(after[0]).startswith(closes):
                found.append((before.encode(), ord(closes[0])))
    return tuple(found)


def _is_headed(dialect: Dialect, text: Text, start: int, end: int) -> bool:
    """True if a line above a match's first hand begins like a dialect's header."""
    first = text.find(dialect.opens, start, end)
    at = text.find(dialect.header, start, first if first >= 0 else end)
    return at == start or (at > start and line_start(text, at) == at)


def _hands(base: Dialect, text: Text, start: int, end: int) -> int:
    """The number of hands of a match, counted up to the number that identifies a dialect."""
    found, at = 0, start
    while found < _ENOUGH and (at := text.find(base.opens, at, end)) >= 0:
        found, at = found + 1, at + 1
    return found


def _is_outdone(dialect: Dialect, found: Mapping[Dialect, tuple[int, list[bytes]]]) -> bool:
    """True if another dialect accepts every line that is a sign of this one, but not the other way round.

    found: what `_hands_with_signs` returns, by the dialect
    """
    own = dialect.grammar
    return any(
        found[dialect][0] <= count
        and all(other.grammar.accepts(line) for line in found[dialect][1])
        and not all(own.accepts(line) for line in lines)
        for other, (count, lines) in found.items()
        if other is not dialect
    )


def _hands_with_signs(
    dialect: Dialect, text: Text, start: int, end: int, names: Sequence[bytes]
) -> tuple[int, list[bytes]]:
    """How many hands have a sign of a dialect, counted up to the number that identifies it, and a line of each sign."""
    hands: set[int] = set()
    lines: dict[bytes, bytes] = {}
    is_short = end - start <= _FIRST_HAND
    for sign, what in dialect.signs:
        tail = _tail(dialect, sign, what)
        # A search tries the tail at each sign; after a few failures in much text it stops.
        sought = tail.search if tail is not None and is_short else None
        if (at := _next(text, sign, sought, start, end)) < 0:
            continue
        forms = _forms(dialect, what) if isinstance(what, str) else ()
        span, is_start, wrong = _span(what), sign.startswith(b"\n"), 0
        # Garbage may contain it often; within a name it is in nearly every line.
        patient = any(sign.strip() in name for name in names)
        while at >= 0 and len(hands) < _ENOUGH and (patient or wrong < _SIGNS_TRIED):
            line = b""
            if tail is None or sought is not None or tail.match(text, at):
                line = _lines_at(text, line_start(text, at + is_start), span)
            if line and _says(line, forms, what, names):
                hands.add(text.rfind(dialect.opens, start, at))
                lines.setdefault(sign, line)
            else:
                wrong += 1
            at = _next(text, sign, sought, at + 1, end)
    return len(hands), list(lines.values())


def _next(
    text: Text,
    sign: bytes,
    sought: Callable[[Text, int, int], re.Match[bytes] | None] | None,
    start: int,
    end: int,
) -> int:
    """The offset of a sign in text[start:end], with its tail if one is searched for; -1 if there is none."""
    if sought is None:
        return first_of(text, sign, start, end)
    found = sought(text, start, end)
    return found.start() if found is not None else -1


def _lines_at(text: Text, at: int, count: int) -> bytes:
    """Some lines from an offset on, joined."""
    end = at - 1
    for _ in range(count):
        end = text.find(b"\n", end + 1)
        if end < 0:
            return bytes(text[at:])
    return bytes(text[at : end + 1])


@cache
def _span(what: str | re.Pattern[bytes]) -> int:
    """How many lines a sign spans; for an expression, the line ends within it plus one."""
    return 1 if isinstance(what, str) else 1 + len(_WITHIN.findall(what.pattern))


@cache
def _forms(dialect: Dialect, events: str) -> tuple[Template, ...]:
    """The templates of some events of a dialect."""
    return tuple(t for t in dialect.grammar.templates if t.event in events.split())


@cache
def _tail(dialect: Dialect, sign: bytes, what: str | re.Pattern[bytes]) -> re.Pattern[bytes] | None:
    """An expression for the rest of a line from a sign on, tried before the whole line; None if there is none."""
    if not isinstance(what, str):
        player, _, rest = what.pattern.partition(b"(.+)")
        if player == sign:
            return what
        return re.compile(rest, re.DOTALL) if not player else None
    tails = [form.tail(sign.decode()) for form in _forms(dialect, what)]
    known = [tail for tail in tails if tail is not None]
    return re.compile(b"|".join(known), re.DOTALL) if len(known) == len(tails) else None


def _says(
    line: bytes, forms: Sequence[Template], what: str | re.Pattern[bytes], names: Sequence[bytes]
) -> bool:
    """True for a line of some templates, or of a form, that names only players of the match."""
    if isinstance(what, str):
        return not _is_garbage(line, names) and any(form.says(line, names) for form in forms)
    said = what.fullmatch(line)
    return said is not None and (not names or said[1] in names) and not _is_garbage(line, names)


def _is_garbage(line: bytes, names: Sequence[bytes]) -> bool:
    """True for a line that quotes a player's answer; a name that looks so does not count."""
    for name in names:
        if MISFORMATTED in name:
            line = line.replace(name, b"")
    return MISFORMATTED in line
