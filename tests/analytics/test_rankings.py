"""Bootstrap, run-off and removals on tables made by hand: against brute force, and against a known truth."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import pairs_of, table_of

from railbird.analytics import rankings
from railbird.analytics.rankings import Stratum, Table

tables = st.integers(2, 5).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-9, 9).map(float), min_size=3, max_size=3),
        min_size=size * (size - 1) // 2,
        max_size=size * (size - 1) // 2,
    ).map(lambda won: pairs_of(size, won))
)


def plain_totals(table: Table, left: set[int]) -> dict[int, float]:
    """The totals among the players left, lineup by lineup."""
    totals = dict.fromkeys(left, 0.0)
    for lineup, chips in zip(table.members.tolist(), table.chips.tolist(), strict=True):
        if set(lineup) <= left:
            for player, won in zip(lineup, chips, strict=True):
                totals[player] += won
    return totals


@given(tables)
def test_a_run_off_drops_the_lowest_of_those_left_and_ends_with_one(table: Table) -> None:
    out, _ = rankings.eliminate(table, table.chips[None])
    left, before = set(range(len(table.players))), dict.fromkeys(range(len(table.players)), 0.0)
    for turn in range(len(table.players) - 1):
        totals = plain_totals(table, left)
        gone = min(left, key=lambda k: (totals[k], before[k] if turn else 0.0, -k))
        assert out[0, turn] == gone
        left.discard(gone)
        before = totals
    assert len(left) == 1
    places = rankings.places(out)[0]
    assert sorted(places.tolist()) == list(range(1, len(table.players) + 1))
    assert places[left.pop()] == 1


@given(tables)
def test_the_rows_of_a_run_off_are_the_totals_among_its_survivors(table: Table) -> None:
    rows = rankings.run_off(table).to_dicts()
    names = [name for name, _ in table.players]
    for turn in range(1, len(names)):
        own = [row for row in rows if row["round"] == turn]
        left = {names.index(row["player"]) for row in own}
        assert len(left) == len(names) - turn + 1
        assert {names.index(row["player"]): row["chips"] for row in own} == plain_totals(table, left)
        assert sum(row["chips"] for row in own) == 0
        assert [row["dropped"] for row in own] == [False] * (len(own) - 1) + [True] or (
            min(row["chips"] for row in own) == next(row["chips"] for row in own if row["dropped"])
        )


def test_a_run_off_is_over_when_nobody_left_has_met() -> None:
    table = table_of(3, [(0, 1, 2)], [np.array([[5.0, 2.0, -7.0], [1.0, 3.0, -4.0]])])
    rows = rankings.run_off(table).to_dicts()
    assert [(row["round"], row["player"], row["chips"], row["final_place"]) for row in rows] == [
        (1, "Ann", 6, 1),
        (1, "Bob", 5, 2),
        (1, "Cid", -11, 3),
    ]


def test_a_run_off_is_over_when_one_of_those_left_has_nobody_to_meet() -> None:
    # Without Eve, the lowest, Dot has no table: she does not win with a total of 0.
    won = [[[8.0, -3.0, -5.0]], [[2.0, -1.0, -1.0]], [[1.0, 6.0, -7.0]]]
    table = table_of(5, [(0, 1, 2), (0, 1, 4), (2, 3, 4)], [np.array(chips) for chips in won])
    rows = rankings.run_off(table).to_dicts()
    assert [(row["round"], row["player"], row["chips"], row["final_place"]) for row in rows] == [
        (1, "Ann", 10, 1),
        (1, "Dot", 6, 2),
        (1, "Bob", -4, 3),
        (1, "Cid", -4, 4),
        (1, "Eve", -8, 5),
    ]


@given(tables)
def test_removals_are_totals_without_the_player_or_pair(table: Table) -> None:
    size, names = len(table.players), [name for name, _ in table.players]
    for row in rankings.without_one(table).to_dicts():
        left = set(range(size)) - {names.index(row["removed"])}
        if size == 2:
            assert row["rank"] is None
            continue
        totals = plain_totals(table, left)
        own = totals[names.index(row["player"])]
        assert row["chips"] == own
        assert row["rank"] == 1 + sum(other > own for other in totals.values())
    whole = plain_totals(table, set(range(size)))
    leaders = {k for k in whole if whole[k] == max(whole.values())}
    wanted = set()
    for lineup, chips in zip(table.members.tolist(), table.chips.tolist(), strict=True):
        rest = {k: whole[k] - sum(c for p, c in zip(lineup, chips, strict=True) if p == k) for k in whole}
        if size == 2:
            continue
        for k in {k for k in rest if rest[k] == max(rest.values())} - leaders:
            wanted.add((names[lineup[0]], names[lineup[1]], names[k]))
    found = rankings.decisive_pairs(table).to_dicts()
    assert {(row["player"], row["opponent"], row["winner"]) for row in found} == wanted
    assert all(row["margin"] >= 0 for row in found)


def test_totals_that_differ_by_rounding_are_equal() -> None:
    won = [[0.1, 0.3], [0.2, -0.2], [0.0, -0.4], [0.0, 0.0]]
    table = table_of(4, [(0, 1), (0, 2), (1, 2), (2, 3)], [np.array([each]) for each in won])
    assert table.totals(table.chips).tolist() == [0.3, 0.3, -0.6, 0.0]
    without = rankings.without_one(table).filter(removed="Dot")
    assert dict(without.select("player", "rank").iter_rows()) == {"Ann": 1, "Bob": 1, "Cid": 3}
    assert not without["winner_changes"].any()
    assert rankings.beats(table, table.chips[None])[0, 1] == 0.5


def test_who_has_no_match_left_does_not_lead_without_a_pair() -> None:
    alone = pairs_of(2, [[5.0, -2.0]])
    assert rankings.decisive_pairs(alone).is_empty()
    # Ann, who leads, met Bob alone.
    chain = table_of(4, [(0, 1), (1, 2), (2, 3)], [np.array([[x, -x]]) for x in (9.0, 4.0, -6.0)])
    rows = rankings.decisive_pairs(chain).to_dicts()
    assert [(row["player"], row["opponent"], row["winner"], row["margin"]) for row in rows] == [
        ("Ann", "Bob", "Dot", None),
    ]


def test_draws_are_resamples_that_spread_as_students_t() -> None:
    # Three units a pair: 27 resamples each. What they add to the result is widened by one factor a draw.
    won = [[4.0, -1.0, 2.0], [3.0, -5.0, 1.0], [-2.0, 6.0, -3.0]]
    table = pairs_of(3, won)
    freedom = rankings._freedom(table)
    variances = [3 * float(np.var(values, ddof=1)) for values in won]
    expected = [
        (one + two) ** 2 / ((one**2 + two**2) / 2)
        for one, two in (
            (variances[0], variances[1]),
            (variances[0], variances[2]),
            (variances[1], variances[2]),
        )
    ]
    assert freedom == pytest.approx(min(expected))
    drawn = rankings.draw(table, 40_000, seed=3)
    assert drawn is not None
    sums = [
        np.array([sum(values[k] for k in picks) - sum(values) for picks in product(range(3), repeat=3)])
        for values in won
    ]
    # The factor of a draw is the same for all pairs, so it falls out of the ratio of two pairs.
    added = np.stack([drawn[:, k, 0] - sum(won[k]) for k in range(3)])
    for one, other in ((0, 1), (1, 2)):
        share = np.mean(np.abs(added[one]) > np.abs(added[other]))
        counted = np.mean(np.abs(sums[one])[:, None] > np.abs(sums[other])[None])
        assert share == pytest.approx(counted, abs=0.012)
    # E(f / chi2) = f / (f - 2) of the variance with U / (U - 1).
    spread = np.mean(added[0] ** 2 > 4 * np.var(sums[0]) * 1.5)
    random = np.random.default_rng(1)
    factor = np.sqrt(1.5 * freedom / random.chisquare(freedom, 200_000))
    assert spread == pytest.approx(
        np.mean((random.choice(sums[0], 200_000) * factor) ** 2 > 4 * np.var(sums[0]) * 1.5), abs=0.01
    )
    chances = rankings.beats(table, drawn)
    assert np.nan_to_num(chances + chances.T, nan=1.0) == pytest.approx(np.ones((3, 3)))


def test_lineups_of_common_seeds_are_drawn_together() -> None:
    # What Ann wins from Bob on a seed she loses to Cid on it: her total never varies.
    chips = np.zeros((6, 2, 2))
    chips[:, 0] = [[x, -x] for x in (9, -4, 2, 7, -8, 1)]
    chips[:, 1] = -chips[:, 0]
    stratum = Stratum(np.array([0, 1]), chips, np.ones((6, 2), np.bool_))
    table = Table(
        "cup",
        "poker",
        [("Ann", None), ("Bob", None), ("Cid", None)],
        np.array([[0, 1], [0, 2]]),
        chips.sum(axis=0),
        chips.sum(axis=0),
        np.array([6, 6]),
        np.full((2, 2), 6),
        [stratum],
    )
    drawn = rankings.draw(table)
    assert drawn is not None
    totals = table.totals(drawn)
    assert not totals[:, 0].any()
    assert totals[:, 1].std() > 1
    assert table.resets.tolist() == [6, 6, 6]


def test_one_unit_cannot_be_drawn_again() -> None:
    table = pairs_of(2, [[5.0]])
    assert rankings.draw(table) is None
    found: dict[str, Any] = rankings.ranks(table, None).to_dicts()[0]
    assert (found["p_first"], found["rank_low"], found["chips_low"], found["scarce"]) == (
        None,
        None,
        None,
        True,
    )
    assert np.isnan(rankings.beats(table, None)).all()


def test_a_small_pair_of_one_unit_stays_as_it_is() -> None:
    table = pairs_of(3, [[1.0, -1.0] * 10, [2.0, -3.0] * 10, [4.0]])
    small = replace(table, hands=np.array([500, 500, 10]))
    drawn = rankings.draw(small)
    assert drawn is not None
    assert rankings.held_share(small) == pytest.approx(10 / 1010)
    assert (drawn[:, 2] == [4.0, -4.0]).all()
    assert drawn[:, 0].std() > 1
    # One in 50 of the hands of two players is left out of what they are judged by.
    assert small.resets.tolist() == [20, 20, 20]
    assert rankings.draw(replace(table, hands=np.array([50, 50, 10]))) is None
    assert replace(table, hands=np.array([50, 50, 10])).resets.tolist() == [20, 1, 1]


def coverage(units: int, tables: int = 400, draws: int = 400) -> float:
    """How often the 95% interval of the leader-to-be's total holds the truth, 0: four players of equal strength."""
    random = np.random.default_rng(units)
    held = 0
    for number in range(tables):
        table = pairs_of(4, random.normal(size=(6, units)).tolist())
        drawn = rankings.draw(table, draws, seed=number)
        assert drawn is not None
        row = rankings.ranks(table, drawn).to_dicts()[0]
        held += row["chips_low"] <= 0 <= row["chips_high"]
    return held / tables


@pytest.mark.parametrize("units", [5, 10, 20, 40])
def test_intervals_cover_the_truth(units: int) -> None:
    # 400 tables: the share's own standard error is 0.011.
    assert coverage(units) == pytest.approx(0.95, abs=0.03)
