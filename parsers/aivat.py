"""Tables of a person's hands against a program, with luck-adjusted results (AIVAT): one row per hand."""

import re
from itertools import cycle, pairwise
from typing import Final

from .acpc import match_at
from .acpc_lines import Restating, bracketed
from .dialect import MatchText, Text, line_at
from .grammar import Grammar
from .marks import first_of, lines_with

NAME: Final = "aivat-csv"
PROFILE: Final = "aivat"
IN_A_HAND: Final = b", "
"""In every row: between two cells."""
PLAYERS: Final = (b"person", b"bot")

_OPENS: Final = b"AIVAT, Chips, "
_GAME: Final = "holdem.nolimit.2p.reverse_blinds"
_CELLS: Final = 19
"""The last is a note, which may hold commas."""
_NUMBER: Final = re.compile(rb"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_ACTION: Final = re.compile(rb"([fcFC]|[rR]\d+)")
_POSITIONS: Final = (b"bb", b"sb")


def _restate(line: bytes) -> bytes:
    cells = [cell.strip() for cell in line.split(b",")]
    if len(cells) < _CELLS or cells[10] not in _POSITIONS:
        return b""
    if not all(map(_NUMBER.fullmatch, cells[:5])):
        return b""
    adjusted, _, every, chance, action = map(float, cells[:5])
    first = cells[10] == _POSITIONS[0]
    chips = cells[1]
    other = chips[1:] if chips.startswith(b"-") else b"-" + chips
    sign, way = (1, 1) if first else (-1, -1)
    holes, results, names = (
        b"|".join(both[::way]) for both in ((cells[5], cells[6]), (chips, other), PLAYERS)
    )
    reached = max(k for k in range(4) if k == 0 or cells[6 + k] or cells[11 + k])
    betting = b"/".join(_street(cells[11 + k], k) for k in range(reached + 1))
    board = b"".join(b"/" + cells[6 + k] for k in range(1, reached + 1))
    noted = any(cells[_CELLS - 1 :])
    more = bracketed(sign * adjusted, sign * (every - chance - action), noted)
    return b":".join((betting, holes + board, results + more, names))


def _street(said: bytes, street: int) -> bytes:
    """A street's betting as the dealer writes it.

    The big blind's actions are capital letters. Before the flop the small blind acts first, afterwards the big blind.
    Text that is not an action, or is the wrong player's, stays as it is: it is invalid in a dealer's line.
    """
    found = b""
    turns = cycle((True, False) if street else (False, True))
    for part in filter(None, _ACTION.split(said)):
        by_big_blind = next(turns)
        found += part.lower() if part[:1].isupper() == by_big_blind else b"?" + part
    return found


GRAMMAR: Final = Grammar(
    """
    header  AIVAT, Chips, {*}
    state   {d}, {*}
    """,
    translate=Restating(_restate, counted=True),
)


def cut(text: Text) -> list[MatchText]:
    """The matches of a text, in order: tables, each below its header; text before the first belongs to it."""
    if first_of(text, _OPENS, 0, len(text)) < 0:
        return []
    begins = lines_with(text, _OPENS).tolist()
    return [
        match_at(
            text,
            number,
            start,
            end,
            engine=NAME,
            names=PLAYERS,
            header=len(line_at(text, start)),
            game_file=_GAME,
            restated=True,
            profile=PROFILE,
            named=True,
            gaps=True,
            first_hand=1,
        )
        for number, (start, end) in enumerate(pairwise([*begins, len(text)]))
    ]
