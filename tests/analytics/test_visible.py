"""What players could see, against the oracle's reading of the same log."""

from __future__ import annotations

from typing import Any

from oracles.decoded import Hand
from railbird.analytics.store import Store

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
    for index, seq, item, of_hand, seat, cards, _ in reading.store.execute(SEEN).fetchall():
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


# Of each decision, and of the rows of its hand that its player is told in time, how many they are.
COUNTED = """
    select a.match_id, a.hand_index, a.seq, count(v.match_id)
    from actions as a
    left join (select * from visible where {items}) as v
      on v.match_id = a.match_id and v.hand_index = a.hand_index and v.viewer_seat = a.seat
        and v.from_street <= a.street and v.from_seq < a.seq
    where a.action <> 'post' and a.match_id in (select match_id from matches where {games})
    group by all
    order by all
"""


def test_cards_are_told_when_their_line_stands_in_the_log(samples: Store) -> None:
    # An ACPC log has a line a hand, and Auction's do not say when the card was dealt. Passed cards are received once
    # both have passed; Pineapple's are thrown away unseen by the other; who redraws is not told the new card, and one
    # of the board comes with the next street.
    games = "game not like 'acpc%'"
    got = samples.execute(
        COUNTED.format(
            items="item in ('hole', 'board', 'swap', 'assign', 'discard', 'reveal', 'pass')", games=games
        )
    ).fetchall()
    wanted = samples.execute(
        f"""
        select a.match_id, a.hand_index, a.seq, count(d.match_id)
        from actions as a
        join (
          select match_id, hand_index, board_no, decision_no, min(line) over decision as begun
          from actions
          window decision as (partition by match_id, hand_index, decision_no)
        ) as b
          on b.match_id = a.match_id and b.hand_index = a.hand_index and b.decision_no = a.decision_no
          and b.board_no is not distinct from a.board_no
        left join (
          select
            d.match_id, d.hand_index, d.seat, d.kind, m.game,
            case d.kind
              when 'pass' then max(d.line) over (partition by d.match_id, d.hand_index, d.street, d.kind)
              when 'board_redraw' then n.line
              else d.line
            end as line
          from deals as d
          join matches as m on m.match_id = d.match_id
          left join deals as n
            on n.match_id = d.match_id and n.hand_index = d.hand_index and n.kind = 'board'
            and n.street = d.street + 1 and d.kind = 'board_redraw'
          where d.kind not in ('auction', 'redraw')
        ) as d
          on d.match_id = a.match_id and d.hand_index = a.hand_index and d.line < b.begun
          and (
            d.seat = a.seat or d.kind in ('board', 'board_redraw')
            or (d.kind = 'discard' and d.game <> 'pineapple-2013')
          )
        where a.action <> 'post' and a.match_id in (select match_id from matches where {games})
        group by all
        order by all
        """
    ).fetchall()
    assert got == wanted
    assert {
        game for (game,) in samples.execute("select distinct game from matches where " + games).fetchall()
    } == {
        "anaconda",
        "auction",
        "blotto",
        "bounty",
        "build4good",
        "holdem-2017",
        "holdem-mit",
        "hpi",
        "husky",
        "koper",
        "omaha-2016",
        "permutation",
        "pineapple-2013",
        "poker-camp",
        "redraw-2017",
        "river-of-blood",
        "sneak-peek",
        "swap",
        "tacs",
        "toss",
    }


def test_actions_are_told_when_made_and_bids_when_both_are(samples: Store) -> None:
    got = samples.execute(COUNTED.format(items="item = 'action'", games="true")).fetchall()
    wanted = samples.execute(
        """
        select a.match_id, a.hand_index, a.seq, count(b.match_id)
        from actions as a
        left join actions as b
          on b.match_id = a.match_id and b.hand_index = a.hand_index and b.decision_no < a.decision_no
          and not (a.action = 'bid' and b.action = 'bid')
        where a.action <> 'post'
        group by all
        order by all
        """
    ).fetchall()
    assert got == wanted


def test_the_card_of_an_auction_is_told_after_both_bids(samples: Store) -> None:
    told = samples.execute(
        """
        select a.action = 'bid', v.match_id is not null, count(*)
        from actions as a
        join deals as d
          on d.match_id = a.match_id and d.hand_index = a.hand_index and d.seat = a.seat and d.kind = 'auction'
        left join visible as v
          on v.match_id = d.match_id and v.hand_index = d.hand_index and v.viewer_seat = d.seat
          and v.item = 'auction' and v.from_street <= a.street and v.from_seq < a.seq
        where a.street > 0
        group by all
        order by all
        """
    ).fetchall()
    assert [row[:2] for row in told] == [(False, True), (True, False)]
