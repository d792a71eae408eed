"""Hands of a store as plain values, to be compared with what a format's file says."""

from collections.abc import Mapping, Sequence
from typing import Any

from railbird.analytics.store import Store

Key = tuple[int, int]

HANDS = """
    select h.match_id, h.hand_index, h.hand_no, h.dealer_seat, h.streets, h.ended_by, h.board, m.game, h.verdict
    from hands h join matches m using (match_id) order by h.match_id, h.hand_index
"""
SEATS = """
    select match_id, hand_index, seat, player, position, hole, stack_start, contribution, delta
    from seats order by match_id, hand_index, seat
"""
ACTIONS = """
    select match_id, hand_index, street, seat, action, amount_to, chips_added, to_call, pot_before, stack_before, origin
    from actions
    where origin = 'choice' or (origin = 'substitute' and (action <> 'check' or stack_before is distinct from 0))
    order by match_id, hand_index, seq
"""


def rows_by_hand(store: Store, query: str) -> dict[Key, list[dict[str, Any]]]:
    found: dict[Key, list[dict[str, Any]]] = {}
    rows = store.execute(query)
    names = [column[0] for column in rows.description or ()]
    for row in rows.fetchall():
        found.setdefault(row[:2], []).append(dict(zip(names, row, strict=True)))
    return found


def hands_of(store: Store) -> Mapping[Key, dict[str, Any]]:
    """By hand: its row, `seats` and decisions as `actions`."""
    seats, actions = rows_by_hand(store, SEATS), rows_by_hand(store, ACTIONS)
    return {
        key: row | {"seats": seats[key], "actions": actions.get(key, [])}
        for key, (row,) in rows_by_hand(store, HANDS).items()
    }


def in_turn(hand: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The seats of a hand from the one after the dealer."""
    seats: list[dict[str, Any]] = hand["seats"]
    count = len(seats)
    return [seats[(hand["dealer_seat"] + 1 + k) % count] for k in range(count)]


def cards_in(value: Any) -> set[str]:
    """The cards that stand anywhere in a JSON value."""
    if isinstance(value, str):
        return {value} if len(value) == 2 and value[0] in "23456789TJQKA" and value[1] in "cdhs" else set()
    if isinstance(value, Mapping):
        return set().union(*map(cards_in, value.values())) if value else set()
    if isinstance(value, Sequence):
        return set().union(*map(cards_in, value)) if value else set()
    return set()
