"""What players could see, against the oracle's reading of the same log."""

from __future__ import annotations

from typing import Any

from oracles.decoded import Hand

SEEN = """
    select a.hand_index, a.seq, v.item, v.hand_index as of_hand, v.seat, v.cards, v.value
    from actions as a
    join visible as v on v.match_id = a.match_id and v.viewer_seat = a.seat
        and (v.hand_index < a.hand_index
            or (v.hand_index = a.hand_index and v.from_street <= a.street and v.from_seq < a.seq))
    where a.action <> 'post' and a.hand_index in (0, 7, 12)
"""


def told(hands: list[Hand], index: int, number: int) -> tuple[int, set[tuple[Any, ...]]]:
    """The cards that the player of a decision had been told: (place in the hand, (hand, item, seat, cards))."""
    hand = hands[index]
    action = hand["actions"][number]
    viewer = hand["seats"][action["player"]]
    cards: set[tuple[Any, ...]] = set()
    for of_hand in range(index + 1):
        said = hands[of_hand]
        own = said["seats"].index(viewer)
        cards.add((of_hand, "hole", viewer, tuple(said["hole"][own])))
        streets = [s for s in said["streets"] if of_hand < index or s["street"] <= action["street"]]
        shown = 0
        for street in streets:
            cards.add((of_hand, "board", None, tuple(street["board"][shown:])))
            shown = len(street["board"])
        if of_hand < index and said["folded_by"] is None:
            cards.add((of_hand, "shown", 1 - viewer, tuple(said["hole"][1 - own])))
    return number + 2, cards


def test_a_player_had_been_told_what_the_oracle_says(reading: Any) -> None:
    hands = reading.match["hands"]
    got: dict[tuple[int, int], set[tuple[Any, ...]]] = {}
    actions: dict[tuple[int, int], int] = {}
    for index, seq, item, of_hand, seat, cards, _ in reading.store.sql(SEEN).fetchall():
        key = (index, seq)
        got.setdefault(key, set())
        if item in ("hole", "board", "shown"):
            got[key].add((of_hand, item, seat, tuple(cards)))
        if item == "action" and of_hand == index:
            actions[key] = actions.get(key, 0) + 1
    wanted = {}
    for index in (0, 7, 12):
        for number in range(len(hands[index]["actions"]) if index < len(hands) else 0):
            seq, cards = told(hands, index, number)
            wanted[index, seq] = cards
    assert got == wanted
    assert actions == {(index, seq): seq for index, seq in wanted}
