"""The names of positions at tables of any size, and those of a smaller table among them."""

import pytest

from railbird.parsers.dialect import MOST_SEATED
from railbird.replay.positions import OF_SMALLER, PREFLOP_ORDER, positions_at


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (3, "SB BB BTN"),
        (4, "SB BB CO BTN"),
        (5, "SB BB UTG CO BTN"),
        (6, "SB BB UTG HJ CO BTN"),
        (8, "SB BB UTG UTG+1 LJ HJ CO BTN"),
    ],
)
def test_positions_begin_after_the_dealer(players: int, names: str) -> None:
    assert positions_at(players) == tuple(names.split())


def test_of_two_the_dealer_is_the_small_blind_or_posts_nothing() -> None:
    assert positions_at(2) == ("SB", "BB")
    assert positions_at(2, 1) == ("SB", "BTN")


def test_every_position_of_a_smaller_table_is_one_of_the_larger_in_the_same_order() -> None:
    for players in range(2, MOST_SEATED + 1):
        names = positions_at(players, 1)
        for live in range(2, players + 1):
            places = OF_SMALLER[players, live, :live].tolist()
            assert [names[place] for place in places] == list(positions_at(live, 1))
            assert places == sorted(set(places))


def test_the_order_to_act_before_the_flop_has_every_name_once() -> None:
    assert sorted(PREFLOP_ORDER) == sorted({*positions_at(MOST_SEATED), *positions_at(3)})
