"""Hands printed as states of OpenSpiel's poker: the last state of each hand is a block of lines.

The players of a block are in the order of positions; hands are independent. Blinds and stacks are inferred
(`openspiel_stakes`).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from .openspiel_stakes import Betting
from .openspiel_table import Hand, Unread, dealt
from .openspiel_table import translate as as_tables
from .records import Record
from .table_lines import QUOTED, Lines

NAME: Final = "openspiel-state-print"

_PLAYER: Final = "P"
_BLOCK: Final = b"BettingAbstraction: "
_FIRST_CARDS: Final = b"P0 Cards: "
"""The second line of a block, which begins it if the first line is missing or damaged."""
_STATE: Final = re.compile(rb"^ACPC State: STATE:\d+:([cfr\d/]*):(.+)$", re.MULTILINE)
_SPENT: Final = re.compile(rb"P\d+: (\d+)")
_SPENT_LINE: Final = re.compile(rb"^Spent: \[(.*)\]", re.MULTILINE)
_RETURNS: Final = re.compile(rb"^Returns: (.+)$", re.MULTILINE)
_FEWEST: Final = 2


def _hands(records: Iterable[Record]) -> Iterator[Hand | Unread]:
    """The hands of a text of printed states: the last state of each, a block of lines; numbered in their order."""
    block: list[bytes] = []
    first, number, has_cards = 0, 0, False
    for record in records:
        deals = record.value.startswith(_FIRST_CARDS)
        if block and (record.value.startswith(_BLOCK) or (deals and has_cards)):
            yield _hand_of_state(first, number, b"\n".join(block))
            block, number, has_cards = [], number + 1, False
        has_cards |= deals
        if record.value.strip() and not block:
            first = record.number
        if block or record.value.strip():
            block.append(record.value.rstrip())
    if block:
        yield _hand_of_state(first, number, b"\n".join(block))


def _hand_of_state(at: int, number: int, block: bytes) -> Hand | Unread:
    state, spent, returns = _STATE.search(block), _SPENT_LINE.search(block), _RETURNS.search(block)
    if state is None or spent is None or returns is None:
        return Unread(at, "a state, what was spent, or the returns are missing", block[:QUOTED])
    try:
        net = tuple(float(one) for one in returns[1].split())
        put = tuple(float(one) for one in _SPENT.findall(spent[1]))
        holes, board = dealt(state[2].decode(), range(len(net)))
    except ValueError as error:
        return Unread(at, str(error), block[:QUOTED])
    if len(put) != len(net) or len(net) < _FEWEST:
        return Unread(at, "there are returns and chips of different numbers of players", block[:QUOTED])
    return Hand(
        at, number, Betting(tuple(range(len(net))), state[1].decode(), net, put), holes, board, block[:QUOTED]
    )


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """The hands of printed states as a table."""
    return as_tables(_hands(records), NAME, _PLAYER, out)
