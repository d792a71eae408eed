"""A store as spectators saw it: no card, and no number of one hand, that only a player or nobody was shown."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from railbird.analytics.store import SPECTATOR, Store
from railbird.storage.manifest import StoreError


@pytest.fixture(scope="module")
def seen(samples: Store) -> Iterator[Store]:
    with closing(samples.as_spectators_saw()) as opened:
        yield opened


def rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    return store.execute(query).fetchall()


def flat(*lists: Any) -> set[str]:
    """All cards in nested lists."""
    found: set[str] = set()
    for one in lists:
        if isinstance(one, str):
            found.add(one)
        elif one is not None:
            found |= flat(*one)
    return found


def public_cards(samples: Store) -> dict[tuple[int, int], set[str]]:
    """For each hand the cards of its boards, and those that players who stayed in showed."""
    found: dict[tuple[int, int], set[str]] = {}
    folded = set(
        rows(
            samples,
            "select match_id, hand_index, seat from actions where action = 'fold' and board_no is null",
        )
    )
    ended = {}
    for match, hand, by, streets, *boards in rows(
        samples, "select match_id, hand_index, ended_by, streets, board, board_changed from hands"
    ):
        ended[match, hand] = by, streets
        found[match, hand] = flat(*boards)
    for match, hand, seat, shown, *held in rows(
        samples, "select match_id, hand_index, seat, shown, hole, hole_final from seats"
    ):
        if shown and ended[match, hand][0] == "showdown" and (match, hand, seat) not in folded:
            found[match, hand] |= flat(*held)
    for match, hand, by, *cards in rows(
        samples, "select match_id, hand_index, ended_by, cards, hole from boards"
    ):
        found[match, hand] |= flat(cards if by == "showdown" else cards[0])
    # The new card of the board is seen once a street comes after it.
    for match, hand, kind, street, cards, replaced in rows(
        samples,
        "select match_id, hand_index, kind, street, cards, replaced from deals"
        " where kind in ('discard', 'board_redraw')",
    ):
        by, streets = ended[match, hand]
        if kind == "board_redraw" and by == "fold" and streets <= street + 1:
            found[match, hand] -= flat(cards)
            found[match, hand] |= flat(replaced)
    return found


def test_no_card_is_left_that_only_players_saw(samples: Store, seen: Store) -> None:
    public = public_cards(samples)
    queries = {
        "seats": "select match_id, hand_index, hole, hole_final from seats",
        "hands": "select match_id, hand_index, board, board_changed, undealt from hands",
        "boards": "select match_id, hand_index, cards, hole from boards",
        "deals": "select match_id, hand_index, cards, cards_effective, replaced from deals",
    }
    for name, query in queries.items():
        left = 0
        for match, hand, *cards in rows(seen, query):
            assert flat(*cards) <= public[match, hand], name
            left += bool(flat(*cards))
        assert left > 100, name


def test_what_is_left_of_the_cards_is_what_was_shown(samples: Store, seen: Store) -> None:
    """Nothing more is hidden: each shown hand of a player that stayed in is there."""
    shown = """
        select s.match_id, s.hand_index, s.seat, s.hole_final from seats as s
        join hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
        join games as g on g.game = h.game and g.boards = 1
        where h.ended_by = 'showdown' and s.shown and s.hole_final is not null
        and (s.match_id, s.hand_index, s.seat) not in (
            select (match_id, hand_index, seat) from actions where action = 'fold' and board_no is null
        )
        order by all
    """
    left = rows(
        seen,
        "select match_id, hand_index, seat, hole_final from seats where hole_final is not null order by all",
    )
    assert left == rows(samples, shown)
    assert len(left) > 2000


def test_numbers_that_follow_from_hidden_cards_are_gone(seen: Store) -> None:
    assert seen.viewer is SPECTATOR
    counts = """
        select count(bounty_rank), count(bounty_hit), count(delta_written),
            count(hand_score) filter (where hole is null)
        from seats
    """
    assert rows(seen, counts) == [(0, 0, 0, 0)]
    assert rows(seen, "select count(win_prob) from actions") == [(0,)]
    assert rows(seen, "select count(seed), count(permutation) from matches") == [(0, 0)]
    for table in ("findings", "unknown_lines", "notes"):
        assert rows(seen, f"select count(*) from {table}") == [(0,)]
    ((faults, texts),) = rows(seen, "select count(*), count(text) from faults")
    assert faults > 100 and texts == 0
    hidden = """
        select count(e.equity_own), count(e.value_before), count(*) from equities as e
        join seats as s on s.match_id = e.match_id and s.hand_index = e.hand_index and s.seat = e.seat
        join hands as h on h.match_id = e.match_id and h.hand_index = e.hand_index and h.game <> 'blotto'
        where s.hole_final is null
    """
    ((own, before, all_of_them),) = rows(seen, hidden)
    assert own == 0 and all_of_them > 1000 and before == 0
    with pytest.raises(StoreError, match="luck_terms does not exist"):
        seen.sql("from luck_terms")


def test_all_matches_are_there_and_money_is_public(samples: Store, seen: Store) -> None:
    for query in (
        "select match_id, hands, players from matches order by all",
        "select match_id, hand_index, pot, ended_by, verdict from hands order by all",
        "select match_id, hand_index, seat, delta, contribution, flags from stored.seats order by all",
        "select match_id, hand_index, seq, action, amount_to from actions order by all",
        # Koper's are counted by the equities that players were given.
        "select event, game, player, statistic, opportunities, successes from tendencies"
        " where game <> 'koper' order by all",
    ):
        assert rows(seen, query) == rows(samples, query)
