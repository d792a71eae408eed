"""Collusion in games with steps of their own: the cards a player holds when it decides, and partners that are found."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from railbird.analytics.collusion import counted, detectors
from railbird.analytics.hand_values import decision_values
from railbird.replay.simulate import simulate

GAMES = ("river-of-blood", "blotto", "auction", "toss", "swap", "permutation")
HANDS = {"toss": 800}
"""Hands a pair, 200 elsewhere: in few hands of Toss it comes to a decision that is given away."""
STYLES = ("tight-aggressive", "pot-odds", "loose-aggressive", "tight-passive", "maniac")

StoreOf = Callable[..., Any]


def round_robin(game: str, plan: str, hands: int) -> list[str]:
    """Five players, each pair in two matches; the first gives to the second if there is a plan."""
    texts = []
    for number, (one, two) in enumerate(combinations(range(5), 2)):
        with_plan = STYLES[one] + (f"+{plan}" if plan and (one, two) == (0, 1) else "")
        table = [(f"P{one}", with_plan), (f"P{two}", STYLES[two])]
        texts += [
            simulate(game, seated, hands // 2, 2 * number + k)
            for k, seated in enumerate((table, table[::-1]))
        ]
    return texts


@pytest.mark.parametrize("game", GAMES)
def test_who_dumps_is_found_in_every_game(game: str, store_of: StoreOf) -> None:
    (material,) = detectors.materials(store_of(round_robin(game, "dump@100", HANDS.get(game, 200))))
    flags = [row for row in detectors.look(material) if row.flag and not detectors.same_program(row)]
    assert flags and {(material.players[row.one], material.players[row.other]) for row in flags} == {
        ("P0", "P1")
    }


@pytest.mark.parametrize("game", ["river-of-blood", "auction"])
def test_honest_players_are_not_flagged(game: str, store_of: StoreOf) -> None:
    (material,) = detectors.materials(store_of(round_robin(game, "", 100)))
    rows = [row for row in detectors.look(material) if not detectors.same_program(row)]
    assert len(rows) > 50 and not any(row.flag for row in rows)


@pytest.mark.parametrize("game", ["river-of-blood", "swap", "permutation"])
def test_a_decision_has_the_share_that_luck_is_taken_from(game: str, store_of: StoreOf) -> None:
    """A call adds its chips to a pot that is divided by the shares."""
    store = store_of([simulate(game, [("A", "pot-odds"), ("B", "loose-aggressive")], 60, 3)])
    (material,) = detectors.materials(store)
    d = material.decisions
    values = decision_values(store, list(material.matches))
    calls = store.sql(
        "select match_id, hand_index, seq, seat, street, to_call from actions where action = 'call'"
    ).pl()
    joined = calls.join(values, on=["match_id", "hand_index", "seq", "seat"])
    joined = joined.filter(joined["valued_seat"] == joined["seat"])
    checked = 0
    for row in joined.iter_rows(named=True):
        here = (d.hand == row["hand_index"]) & (d.seat == row["seat"]) & (d.street == min(row["street"], 3))
        here &= np.isclose(d.to_call, row["to_call"] / 2) & (d.kind == 1)
        if here.sum() == 1:
            share = float(d.shares[here][0, row["seat"]])
            assert row["after"] - row["before"] == pytest.approx((2 * share - 1) * row["to_call"], abs=0.02)
            checked += 1
    assert checked > 20


def test_strength_is_of_the_best_two_cards_held() -> None:
    # A pair of aces beside a two, and a two and a seven alone, before the flop.
    holes = np.array([[[0, 48, 49], [0, 21, -1]]], np.int8)
    best = counted._strengths(holes, np.full((1, 5), -1, np.int8), 0)
    pair = counted._strengths(holes[:, :, 1:], np.full((1, 5), -1, np.int8), 0)
    assert best[0, 0] == pair[0, 0] > 0.8 and best[0, 1] < 0.5
