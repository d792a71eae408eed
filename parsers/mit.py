"""The dialect of the MIT Pokerbots base engine, and what all its years share."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .dialect import MatchText, Text, line_at, line_start
from .grammar import Grammar, Template
from .marks import first_of, lines_with

GRAMMAR: Final = Grammar(
    """
    header         {*} Pokerbots - {*} vs {*}
    round          Round #{n}, {p} ({n}), {p} ({n})
    blind          {p} posts the blind of {n}
    dealt          {p} dealt [{c}]
    fold           {p} folds
    call           {p} calls
    check          {p} checks
    bet            {p} bets {n}
    raise          {p} raises to {n}
    flop           Flop [{c}], {p} ({n}), {p} ({n})
    turn           Turn [{c}], {p} ({n}), {p} ({n})
    river          River [{c}], {p} ({n}), {p} ({n})
    show           {p} shows [{c}]
    award          {p} awarded {n}
    final          Final, {p} ({n}), {p} ({n})
    illegal_fold   {p} attempted illegal FoldAction
    illegal_call   {p} attempted illegal CallAction
    illegal_check  {p} attempted illegal CheckAction
    illegal_raise  {p} attempted illegal RaiseAction
    misformatted   {p} response misformatted: {*}
    illegible      {p} response misformatted
    late           {p} ran out of time
    gone           {p} disconnected
    marker         <<<<<<<{*}
    marker         |||||||{*}
    marker         =======
    marker         >>>>>>>{*}
    """
)

NAME: Final = "mit"
_HEADER: Final = GRAMMAR.template("header").regex
_ROUND: Final = GRAMMAR.template("round").regex
_FINAL: Final = GRAMMAR.template("final").regex
# Forks leave words out, or have antes; the year of several boards adds the rest.
BLIND: Final = re.compile(
    rb"(.+) posts (?:the )?(?:blind|ante)(?: of|:)? (-?[0-9]+)(?:\.0+)?(?: on each board)?[ \t]*\r?(?:\n|\Z)",
    re.DOTALL,
)
# In a log without blinds the hands come first.
_HAND: Final = Template("hand_only", "{p}: [{c}]").regex
_HEADER_WORD: Final = b" Pokerbots - "
COURSES: Final = ("6.176 MIT", "6.9630 MIT")
"""What headers begin with, the latest last."""
# Engines end no last line: where logs were joined, a header follows in it.
_COURSE: Final = re.compile(rb"(?:%s)\Z" % "|".join(map(re.escape, COURSES)).encode())
_ROUND_WORD: Final = b"Round #"
_LINES_TO_BLINDS: Final = 12
_LINES_TO_HEADER: Final = 4
VERSUS: Final = b" vs "
_ROUNDS_TO_NAMES: Final = 40


def header_lines(text: Text, begin: int, end: int) -> list[int]:
    """Offsets of the header lines in text[begin:end]: their form, and no player's garbage."""
    found = []
    at = first_of(text, _HEADER_WORD, begin, end)
    while at >= 0:
        start = line_start(text, at)
        line = line_at(text, start)
        if _HEADER.fullmatch(line) and b" misformatted: " not in line[: at - start + 1]:
            course = _COURSE.search(line, 0, at - start)
            found.append(start + course.start() if course else start)
        at = first_of(text, _HEADER_WORD, start + len(line), end)
    return found


def _lines(text: Text, word: bytes, form: re.Pattern[bytes]) -> list[int]:
    """Offsets of the lines of a form, which begin with a word; a player's name may begin with it too."""
    return [at for at in lines_with(text, word).tolist() if form.fullmatch(line_at(text, at))]


def next_round(text: Text, at: int, end: int) -> int:
    """The offset of the first round line that begins in text[at:end], else -1."""
    while at < end:
        if not text.startswith(_ROUND_WORD, at):
            at = text.find(b"\n" + _ROUND_WORD, at, end) + 1
            if at == 0:
                break
        line = line_at(text, at)
        if _ROUND.fullmatch(line):
            return at
        at += len(line)
    return -1


def _clear_starts(text: Text, rounds: NDArray[np.int64]) -> list[int] | None:
    """Where matches begin, if the text is plain: each counts its rounds from 1 to its end. None: look closer.

    rounds  where the lines stand that begin as rounds do
    """
    numbers = rounds + len(_ROUND_WORD)
    if not len(rounds) or rounds[0] == 0 or numbers[-1] + 1 >= len(text):
        return None
    codes = np.frombuffer(text, np.uint8)
    firsts = np.flatnonzero((codes[numbers] == ord("1")) & (codes[numbers + 1] == ord(",")))
    if not len(firsts) or firsts[0]:
        return None
    starts, before = [], 0
    for first, following in pairwise([*firsts.tolist(), len(rounds)]):
        opening, last = int(rounds[first]), int(rounds[following - 1])
        found = _ROUND.fullmatch(line_at(text, last))
        if found is None or int(found[1]) != following - first:
            return None
        headers = header_lines(text, before, opening)
        if len(headers) > 1:
            return None
        starts.append(headers[0] if headers else opening)
        before = last
    return None if header_lines(text, before, len(text)) else starts


def _first_rounds(text: Text) -> list[int]:
    """Offsets of the lines of rounds from which a match may count: 0, or 1 where no round 0 stands before it."""
    ones, zeros = (_lines(text, b"Round #%d, " % number, _ROUND) for number in (1, 0))
    if not zeros:
        return ones
    below = {next_round(text, at + 1, len(text)) for at in zeros}
    return zeros + [at for at in ones if at not in below]


def match_starts(text: Text) -> list[int]:
    """Where matches begin: at a header, at a round 1 without one, at the first round after a final line."""
    rounds = lines_with(text, _ROUND_WORD)
    if not len(rounds):
        there = first_of(text, _HEADER_WORD, 0, len(text)) >= 0
        return header_lines(text, 0, len(text)) if there else []
    clear = _clear_starts(text, rounds)
    if clear is not None:
        return clear
    tokens = [(at, "header") for at in header_lines(text, 0, len(text))]
    tokens += [(at, "first") for at in _first_rounds(text)]
    tokens += [(at, "final") for at in _lines(text, b"Final, ", _FINAL)]
    tokens.sort()
    starts: list[int] = []
    for k, (at, kind) in enumerate(tokens):
        if kind == "header":
            starts.append(at)
        elif kind == "first":
            if not starts or next_round(text, starts[-1], at + len(_ROUND_WORD)) != at:
                starts.append(at)
        else:
            following = next_round(text, at, len(text))
            if following >= 0 and (k + 1 == len(tokens) or tokens[k + 1][0] > following):
                starts.append(following)
    if next_round(text, 0, starts[0] if starts else len(text)) >= 0:
        starts.insert(0, 0)
    return starts


def _named_in(text: Text, start: int, end: int) -> tuple[int, bytes, bytes] | None:
    """Number, dealer and opponent of the first round whose blinds, or hands, name both players of its round line."""
    at = start if text.startswith(_ROUND_WORD, start) else text.find(b"\n" + _ROUND_WORD, start, end) + 1
    for _ in range(_ROUNDS_TO_NAMES):
        if at <= 0 and not text.startswith(_ROUND_WORD, start):
            return None
        head = line_at(text, at)
        posted: list[bytes] = []
        below = at + len(head)
        for _ in range(_LINES_TO_BLINDS):
            line = line_at(text, below)
            below += len(line)
            if said := BLIND.fullmatch(line) or _HAND.fullmatch(line):
                posted.append(said[1])
            if len(posted) == 2 or not line or below >= end:
                break
        if len(posted) == 2:
            # In one engine the dealer posts the big blind: the round line names the dealer first.
            for dealer, other in (posted, posted[::-1]):
                if (number := _split_round(head, dealer, other)) is not None:
                    return number, dealer, other
        following = text.find(b"\n" + _ROUND_WORD, at + 1, end)
        if following < 0:
            return None
        at = following + 1
    return None


def _split_round(line: bytes, dealer: bytes, other: bytes) -> int | None:
    """The number of a round line that names these two, else None."""
    found = _ROUND.fullmatch(line)
    if found is None:
        return None
    middle = b"), " + other + b" ("
    number = found[1]
    rest = line[len(_ROUND_WORD) + len(number) + 2 :]
    if not rest.startswith(dealer + b" (") or middle not in rest[len(dealer) :]:
        return None
    return int(number)


def is_header(line: bytes, names: Sequence[bytes]) -> bool:
    """True for a line that ends in `A vs B`, as headers do, whatever words of an organiser stand before it."""
    one, two = names
    said = line.rstrip()
    return any(
        said == pair or said.endswith(b" " + pair) for pair in (one + VERSUS + two, two + VERSUS + one)
    )


def is_rule(line: bytes) -> bool:
    """True for a line of dashes, or of three equals signs (a merge marker has seven)."""
    return set(line.strip()) == {ord("-")} or line.strip() == b"==="


def own_header(text: Text, start: int, above: int, names: Sequence[bytes]) -> int:
    """The offset of a header in an organiser's own words, a line or two above a match's first round; else start."""
    at = start
    for _ in range(_LINES_TO_HEADER):
        if at <= above:
            break
        at = line_start(text, at - 1)
        line = line_at(text, at)
        if is_header(line, names):
            return at
        if line.strip() and not is_rule(line):
            break
    return start


def cut(text: Text) -> list[MatchText]:
    """The matches of a text, in order; text before the first belongs to it."""
    starts = match_starts(text)
    found: list[MatchText] = []
    for k, start in enumerate(starts):
        end = starts[k + 1] if k + 1 < len(starts) else len(text)
        head = line_at(text, start)
        header = _HEADER.fullmatch(head)
        body = start + len(head) if header else start
        named = _named_in(text, body, end)
        names: tuple[bytes, ...] = ()
        fits = True
        if named is not None:
            number, dealer, other = named
            names = (dealer, other) if number % 2 or number == 0 else (other, dealer)
            if header:
                said = head.split(_HEADER_WORD, 1)[1].rstrip()
                if said == VERSUS.join(reversed(names)):
                    names = (names[1], names[0])
                fits = said == VERSUS.join(names)
        cut_short = end == len(text) and not text.endswith(b"\n")
        if names and not header and not text.startswith(_ROUND_WORD, start):
            # A log whose rounds do not count from 1 begins above its first.
            first = next_round(text, start, end)
            body = first if own_header(text, first, start, names) < first else body
        begin = start if k else 0
        if k and names and not header:
            begin = start = own_header(text, start, found[-1].body, names)
            found[-1] = replace(found[-1], end=start)
        found.append(MatchText(begin, body, end, names, fits, cut_short, opening=start, engine=NAME))
    return found
