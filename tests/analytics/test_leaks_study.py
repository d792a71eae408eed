"""The study of planted leaks: what a play wins is the difference of two matches, and its parts add up."""

from __future__ import annotations

import numpy as np
import pytest
from arena import planted
from bench import leaks_study as study

from railbird.analytics.exploit.plays import Play
from railbird.analytics.model.railbird_model import CALL, FOLD, RAISE


@pytest.mark.slow
def test_hands_in_which_no_play_is_followed_need_not_be_played_again() -> None:
    """Against whole matches with and without the play."""
    game, usual, honest = planted.seated("never_bluffs_rivers")
    play = Play(3, "bet", frozenset(range(1, 7)), FOLD, 0, frozenset((CALL, RAISE)), ceiling=0.9)
    pairs = ((usual, honest), study.changed(play, usual, honest))
    won = []
    for one, other in pairs:
        made = [
            planted.match_of(game, planted._by_hand(one), planted._by_hand(other), 1000, 9, k)
            for k in range(2)
        ]
        won.append([hand.deltas[0 if k else 1] / 2.0 for k in range(2) for hand in made[k].hands])
    found = planted.gains(game, *pairs, 2000, 9, 2.0)
    assert np.array_equal(found, np.array(won[1]) - np.array(won[0]))
    assert 10 < (found != 0).sum() < 1000


def test_the_parts_of_a_play_add_up() -> None:
    won = np.random.default_rng(1).normal(0.1, 3, 400)
    rows = [
        {"what": "x", "seed": 4, "part": k, "sums": [100, part.sum(), (part**2).sum()]}
        for k, part in enumerate(won.reshape(4, 100))
    ]
    ((run, (gain, error, hands)),) = study.realised([{"what": "x", "seed": 4, "listed": 1}, *rows]).items()
    assert (run, hands) == (("x", 4), 400)
    assert gain == pytest.approx(100 * won.mean())
    assert error == pytest.approx(100 * won.std() / 20)
