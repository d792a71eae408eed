"""The dealer's rule of a legal raise, which verification and simulation share, against figures worked by hand."""

import numpy as np
import pytest

from railbird.replay.acpc import betting
from railbird.replay.acpc import state as s
from railbird.replay.acpc.definitions import named, shipped

LIMIT = "holdem.limit.2p.reverse_blinds"  # raises of 10, 10, 20, 20; at most 3, 4, 4, 4
NOLIMIT = "holdem.nolimit.2p.reverse_blinds"  # blinds 50 and 100, stacks of 20,000


def row(name: str) -> np.void:
    game = named(name, shipped())
    assert game is not None
    return s.row_of(game)


@pytest.mark.parametrize(
    ("raises", "actions", "acting", "takes"),
    [
        (0, 0, 2, True),
        (2, 3, 2, True),
        (3, 4, 2, False),
        (0, 1, 1, False),
        (0, 62, 2, True),
        (0, 63, 2, False),
    ],
)
def test_a_round_takes_raises_up_to_its_limit_of_those_who_can_answer(
    raises: int, actions: int, acting: int, takes: bool
) -> None:
    assert betting.takes_raises(row(LIMIT), 0, raises, actions, acting) == takes


@pytest.mark.parametrize(
    ("name", "round_", "stack", "most", "minimum", "legal"),
    [
        (LIMIT, 0, 500, 10, 0, (True, 20, 20)),
        (LIMIT, 2, 500, 40, 0, (True, 60, 60)),
        (LIMIT, 2, 50, 40, 0, (True, 50, 50)),
        (NOLIMIT, 0, 20_000, 100, 200, (True, 200, 20_000)),
        (NOLIMIT, 0, 20_000, 12_000, 23_900, (True, 20_000, 20_000)),  # an all-in may be less than the least
        (NOLIMIT, 0, 20_000, 20_000, 39_900, (False, 20_000, 20_000)),  # nothing is left to raise by
    ],
)
def test_a_players_chips_bound_his_raise(
    name: str, round_: int, stack: int, most: int, minimum: int, legal: tuple[bool, int, int]
) -> None:
    assert betting.legal_raise(row(name), round_, stack, most, minimum) == legal


def test_the_least_raise_is_the_last_one_again_and_a_big_blind_in_a_new_round() -> None:
    assert betting.least_of_hand(100) == 200
    assert betting.least_of_hand(0) == 1
    assert betting.least_of_round(row(NOLIMIT), 600) == 700
    assert betting.least_after_raise(200, 100, 350) == 600
    assert betting.least_after_raise(600, 350, 400) == 600  # a short all-in lowers nothing
