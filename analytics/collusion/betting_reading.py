"""The material of a store's games of betting on one board: hole cards that stay as dealt."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...replay.arena import state as h
from ...replay.cards import CARD_TEXT
from ...schema.words import ACTIONS, ORIGINS
from ...variants.properties import BOARD_CARDS
from ..rules import rules_of
from .material import Decisions, Group, Material, Rows, decisions_of, joined

if TYPE_CHECKING:
    from ..store import Store

MOST: Final = 250_000
"""Hands of an event and game that are looked at: of more, runs of 25 evenly over every match. It bounds the memory."""
_RUN: Final = 25
_FIRST: Final = 50

# A card's code by its text: the place in the list, 1 for the first.
_HOLES: Final = """
    select s.match_id, s.hand_index, s.seat, h.dealer_seat,
        coalesce(list_position($deck, s.hole[1]), 0) - 1, coalesce(list_position($deck, s.hole[2]), 0) - 1,
        coalesce(list_position($deck, h.board[1]), 0) - 1, coalesce(list_position($deck, h.board[2]), 0) - 1,
        coalesce(list_position($deck, h.board[3]), 0) - 1, coalesce(list_position($deck, h.board[4]), 0) - 1,
        coalesce(list_position($deck, h.board[5]), 0) - 1
    from stored.seats as s
    join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
    where list_contains($ids, s.match_id) and h.verdict <> 'damaged'
        and (s.hand_index < $first or s.hand_index // $run % $every = 0)
    order by s.match_id, s.hand_index, s.seat
"""
_ACTS: Final = """
    select a.match_id, a.hand_index, a.seat, a.street,
        list_position($actions, a.action) - 1, list_position($origins, a.origin) - 1,
        a.to_call, a.pot_before, a.pip_before, coalesce(a.amount_to, 0), a.bet_level,
        coalesce(a.max_raise_to, 0), coalesce(a.aggressor_seat, -1)
    from actions as a
    join stored.hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
    where list_contains($ids, a.match_id) and h.verdict <> 'damaged' and a.action <> 'post'
        and (a.hand_index < $first or a.hand_index // $run % $every = 0)
    order by a.match_id, a.hand_index, a.seq
"""
_CHOICE: Final = ORIGINS.index("choice")
_FOLD: Final = ACTIONS.index("fold")
_NAMES_A_SIZE: Final = ("bet", "raise")


def _columns(store: "Store", query: str, **params: object) -> list[NDArray[Any]]:
    found = store.sql(query, **params).fetchnumpy()
    return [np.ma.filled(column, 0) if np.ma.isMaskedArray(column) else column for column in found.values()]


def _before(group: Group, columns: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """The rows of the hands that are looked at; of columns that begin with match_id and hand_index."""
    match, index = columns[:2]
    here = index < group.hands[group.places(match)]
    return [column[here] for column in columns]


def _rows(store: "Store", group: Group, ids: list[int]) -> Rows:
    """Hands whose cards are all known and their choices; of `group.every` runs of hands one is taken."""
    seats, every = group.seats.shape[1], group.every
    match, index, _, dealer, *cards = _columns(
        store, _HOLES, ids=ids, deck=list(CARD_TEXT), every=every, run=_RUN, first=_FIRST
    )
    match, index, dealer, *cards = _before(group, [match, index, dealer, *cards])
    hands = len(match) // seats
    holes = np.stack(cards[:2], 1).reshape(hands, seats, 2).astype(np.int8)
    boards = np.stack(cards[2:], 1)[::seats].astype(np.int8)
    number = group.places(match[::seats]).astype(np.int32)
    index = index[::seats].astype(np.int32)
    acts_asked = {"actions": list(ACTIONS), "origins": list(ORIGINS)}
    m, i, seat, street, action, origin, *rest = _before(
        group, _columns(store, _ACTS, ids=ids, every=every, run=_RUN, first=_FIRST, **acts_asked)
    )
    at = group.places(m)
    where = np.searchsorted(number.astype(np.int64) << 32 | index, at << 32 | i.astype(np.int64))
    # Who is still in: all but those who folded earlier in the hand.
    folded = np.where(action == _FOLD, 1 << seat.astype(np.int64), 0)
    before = np.cumsum(folded) - folded
    first = np.searchsorted(where, where, side="left")
    live = (1 << seats) - 1 - (before - before[first])
    acts = np.zeros((len(m), h.COLUMNS), np.float32)
    to_call, pot, pip, amount, level, highest, aggressor = rest
    names_size = np.isin(action, [ACTIONS.index(name) for name in _NAMES_A_SIZE])
    for column, value in (
        (h.HAND, where),
        (h.SEAT, seat),
        (h.STREET, street),
        (h.ACTION, action),
        (h.TO_CALL, to_call),
        (h.POT, pot),
        (h.PIP, pip),
        (h.RAISE_TO, np.where(names_size, amount, 0)),
        (h.LEVEL, level),
        (h.HIGHEST, highest),
        (h.AGGRESSOR, aggressor),
        (h.LIVE, live),
    ):
        acts[:, column] = value
    known: NDArray[np.bool_] = np.all(holes[:, :, 0] >= 0, axis=1)
    chosen = (origin == _CHOICE) & known[where]
    return Rows(
        number, index, looked_at(index, every), holes, boards, dealer[::seats].astype(np.int8), acts[chosen]
    )


def looked_at(index: NDArray[Any], every: int) -> NDArray[np.int32]:
    """How many hands of a match before this hand_index are looked at: the first 50, and each `every`-th run of 25."""
    run, first = index // _RUN, _FIRST // _RUN
    runs = -(-run // every) - -(-first // every)
    within = np.where(run % every == 0, index % _RUN, 0)
    return np.where(index < _FIRST, index, _FIRST + runs * _RUN + within).astype(np.int32)


def part_of(store: "Store", group: Group, ids: list[int]) -> Decisions:
    """The decisions of some matches of a group."""
    sizes = tuple(rules_of(store, group.game).board_cards or BOARD_CARDS)
    return decisions_of(_rows(store, group, ids), group.seats, group.units, sizes)


def joined_parts(parts: Sequence[Decisions], **head: Any) -> Material:
    """The material of some parts; head: the fields of `Material` but the decisions."""
    return Material(**head, decisions=joined(parts))
