"""Logs of LBR, the local best response, against another program: one line per hand, raises by an amount."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from .acpc import Line, match_at, seating
from .acpc_game import base_name
from .acpc_lines import Restating, bracketed
from .dialect import MatchText, Text, line_at
from .grammar import Grammar, number_in
from .marks import first_of, places_of

NAME: Final = "lbr"
PROFILE: Final = "lbr"
IN_A_HAND: Final = b":0"
"""In every hand's line, between the names and the betting."""

_OPENS: Final = b"In config file: GAME_DEF="
_PLAYERS: Final = (b"BR,Player:0", b"Player,BR:0")
_BEGIN: Final = re.compile(rb"^(\d+):([^:,\n]+),([^:,\n]+):0(?=[fcr])", re.MULTILINE)
_NUMBER: Final = rb"(-?\d+(?:\.\d+)?)"
_HAND: Final = re.compile(
    rb"\d+:([^:,]+),([^:,]+):0([^:]+):([^:,|/]*),([^:,|/]*)\|([^:]*):%b,%b\(%b\)" % ((_NUMBER,) * 3)
)
_FIRST: Final = 1
"""The number of a match's first hand."""

GAMES: Final = {
    "game_def.fullholdem": "holdem.nolimit.2p.reverse_blinds",
    "game_def.holdem.2p.no_limit.100BB.reverse_blinds": "holdem.nolimit.2p.reverse_blinds.100BB",
}
"""The game that a log names, and its definition."""


def _restate(line: bytes) -> bytes | None:
    line = line.rstrip()
    said = _HAND.fullmatch(line)
    if said is None:
        return b"" if _BEGIN.match(line) else None
    one, other, betting, hole, hole_2, board, result, result_2, adjusted = said.groups()
    # After a fold, the published value is the result.
    parts = float(result if betting.endswith(b"f") else adjusted)
    cards, results = hole + b"|" + hole_2 + board, result + b"|" + result_2
    more = bracketed(float(adjusted), parts)
    return b":".join((betting.replace(b"r", b"r+"), cards, results + more, one + b"|" + other))


GRAMMAR: Final = Grammar(
    """
    header   In config file: GAME_DEF={*}
    heading  In config file: {*}
    heading  Loading player: {*}
    heading  Player args: {*}
    heading  Using seed {*}
    state    {n}:{*}
    sums     RAW {p} STATS: n={n}, sum={d}, sum_sq={d}, vr_sum={d}, vr_sum_sq={d}
    heading  {p} STATS: {*}
    heading  RESULTS
    score    1){*}
    score    2){*}
    """,
    translate=Restating(_restate, total=re.compile(rb"(.+): %b\s*" % _NUMBER)),
)
"""`BR STATS` has the means of the sums above it, and their intervals."""


def _begins(text: Text) -> Iterator[tuple[int, list[Line]]]:
    """Offsets and hands of a text's matches: a match begins with a header, and when the numbers start over."""
    headers = places_of(text, _OPENS).tolist()
    start, lines = -1, list[Line]()
    for said in _BEGIN.finditer(text):
        number = number_in(said[1]) - _FIRST
        above = [header for header in headers if header <= said.start()]
        headers = headers[len(above) :]
        if start < 0 or above or number <= lines[0].number:
            if lines:
                yield start, lines
            for header in above[:-1]:
                yield header, []
            start, lines = above[-1] if above else said.start(), []
        lines.append(Line(number, 2, b"%b|%b" % (said[2], said[3])))
    if lines:
        yield start, lines
    for header in headers:
        yield header, []


def _first(lines: list[Line], most: int) -> list[Line]:
    return lines[:most]


def cut(text: Text) -> list[MatchText]:
    """The matches of a text, in order; text before the first belongs to it."""
    if all(first_of(text, word, 0, len(text)) < 0 for word in (_OPENS, *_PLAYERS)):
        return []
    begins = list(_begins(text))
    found: list[MatchText] = []
    for (start, lines), end in zip(begins, [*(at for at, _ in begins[1:]), len(text)], strict=False):
        head = line_at(text, start)
        header = GRAMMAR.template("header").regex.fullmatch(head)
        named = base_name(header[1].decode("utf-8", "backslashreplace").strip()) if header else None
        names, fixed = seating(partial(_first, lines))
        found.append(
            match_at(
                text,
                len(found),
                start,
                end,
                engine=NAME,
                names=names,
                header=len(head) if header else 0,
                game_file=named and GAMES.get(named, named),
                fixed=fixed,
                restated=True,
                profile=PROFILE,
                first_hand=_FIRST,
            )
        )
    return found
