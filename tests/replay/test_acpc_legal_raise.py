"""The dealer's rule of a legal raise, which verification and simulation share, against figures worked by hand."""

import numpy as np
import pytest

from railbird.jit.bundles import new_record
from railbird.replay import betting
from railbird.replay.acpc import state as s
from railbird.replay.acpc.definitions import named, shipped

LIMIT = "holdem.limit.2p.reverse_blinds"  # raises of 10, 10, 20, 20; at most 3, 4, 4, 4
NOLIMIT = "holdem.nolimit.2p.reverse_blinds"  # blinds 50 and 100, stacks of 20,000


def row(name: str) -> np.void:
    game = named(name, shipped())
    assert game is not None
    return s.row_of(game)


def hand(stack: float, spent: tuple[float, ...], **fields: float) -> np.void:
    """A hand of so many players, of whom those who have put in their stack may not act."""
    bets = new_record(betting.BETTING)
    betting.begin(bets, len(spent), 1)
    bets["stack"], bets["spent"][: len(spent)] = stack, spent
    for name, value in fields.items():
        bets[name] = value
    return bets


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
    bets = hand(500, (10, 500 if acting == 1 else 5), raises=raises, acted=actions)
    assert betting.acting_players(bets) == acting
    assert betting.takes_raise(row(LIMIT), bets) == takes


@pytest.mark.parametrize(
    ("name", "street", "stack", "most", "least", "legal"),
    [
        (LIMIT, 0, 500, 10, 0, (True, 20, 20)),
        (LIMIT, 2, 500, 40, 0, (True, 60, 60)),
        (LIMIT, 2, 50, 40, 0, (True, 50, 50)),
        (NOLIMIT, 0, 20_000, 100, 200, (True, 200, 20_000)),
        (NOLIMIT, 0, 20_000, 12_000, 23_900, (True, 20_000, 20_000)),  # an all-in may be less than the least
        (NOLIMIT, 0, 20_000, 20_000, 39_900, (False, 20_000, 20_000)),  # nothing is left to raise by
    ],
)
def test_a_players_chips_bound_the_raise(
    name: str, street: int, stack: int, most: int, least: int, legal: tuple[bool, int, int]
) -> None:
    bets = hand(stack, (most, 0, 0), street=street, least=least)
    assert betting.legal_raise(row(name), bets, 1) == legal


def test_the_least_raise_is_the_last_one_again_and_a_big_blind_in_a_new_round() -> None:
    game = row(NOLIMIT)
    bets = hand(20_000, (0, 0))
    betting.begin_bets(game, bets)
    assert bets["least"] == 1
    betting.put(bets, 0, 0, 50)
    betting.put(bets, 0, 1, 100)
    betting.begin_bets(game, bets)
    assert bets["least"] == 200
    betting.raise_total(bets, 0, 350)
    assert bets["least"] == 600
    betting.raise_total(bets, 1, 400)
    assert bets["least"] == 600  # a short all-in lowers nothing
    betting.raise_total(bets, 0, 600)
    betting.begin_street(game, bets)
    assert bets["least"] == 700
