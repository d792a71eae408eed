"""Same state, same action; drift: on hands and series whose answer is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from math import comb, erfc
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from oracles.handmade import hand_text
from railbird.analytics import steadiness
from railbird.analytics.settings import Z
from railbird.analytics.steadiness import (
    _halves,
    _moves,
    agreement,
    canonical,
    change,
    determinism,
    drift,
    exact_p,
    shuffled_p,
)
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import Format, Show
from railbird.reports.matches import all_matches
from railbird.reports.pages.players import halves
from railbird.reports.stats import print_stats

RAISES = ("{0} raises to 6", "{1} folds", "{0} awarded 2", "{1} awarded -2")
RAISES_MORE = ("{0} raises to 8", "{1} folds", "{0} awarded 2", "{1} awarded -2")
FOLDS = ("{0} folds", "{0} awarded -1", "{1} awarded 1")


def store_of(folder: Path, bodies: Sequence[tuple[str, ...]], names: tuple[str, str] = ("X", "Y")) -> Store:
    """A match of two in which every hand is dealt the same cards; it has no end, so no lead is locked."""
    rounds, bank = ["6.176 MIT Pokerbots - {} vs {}".format(*names)], 0
    for number, body in enumerate(bodies, 1):
        sign = 1 if number % 2 else -1
        rounds.append(hand_text(number, names if sign == 1 else names[::-1], *body, bank=sign * bank))
        bank += sign * (2 if body != FOLDS else -1)
    folder.mkdir()
    (folder / "log.txt").write_text("\n\n".join(rounds) + "\n\n")
    ingest([folder / "log.txt"], folder / "store", event="cup")
    return open_store(folder / "store")


def test_pairs_of_one_state(tmp_path: Path) -> None:
    """X opens five times with the same cards: three raises to 6, one to 8, one fold: 3 of 10 pairs are equal."""
    bodies = [RAISES, FOLDS, RAISES, FOLDS, RAISES, FOLDS, RAISES_MORE, FOLDS, FOLDS, FOLDS]
    with store_of(tmp_path / "pairs", bodies) as store:
        found = {(row["player"], row["street"]): row for row in determinism(store).to_dicts()}
    row = found["X", 0]
    assert (row["states"], row["decisions"], row["pairs"], row["equal"], row["always"]) == (1, 5, 10, 3, 0)
    # Y folds five small blinds and, to a raise to 6, three big blinds: two states, never in doubt.
    other = found["Y", 0]
    assert (other["states"], other["decisions"], other["pairs"], other["equal"]) == (2, 8, 13, 13)
    assert other["rate"] == 1 and other["always"] == 2


def test_a_game_whose_hole_cards_change_has_no_pairs(sample_logs: Path, tmp_path: Path) -> None:
    ingest([sample_logs / "tacs"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert determinism(store).is_empty()


def test_namesakes_are_not_compared_with_each_other(tmp_path: Path) -> None:
    """Seat 0 opens with what seat 1 folds, before the flop and to him: each does the same again."""
    with store_of(tmp_path / "twins", [RAISES, FOLDS] * 4, ("X", "X")) as store:
        found = {row["seat"]: row for row in determinism(store).to_dicts()}
    assert {seat: (row["decisions"], row["rate"]) for seat, row in found.items()} == {0: (4, 1), 1: (8, 1)}


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ((["Ah", "Kd"], []), (["As", "Kc"], []), True),
        ((["Ah", "Kh"], []), (["As", "Kc"], []), False),
        ((["Kd", "Ah"], ["2c", "7h", "8s"]), (["Ac", "Kh"], ["8d", "2s", "7c"]), True),
        ((["Ah", "Kd"], ["2c", "7h", "8s", "Th"]), (["Ah", "Kd"], ["2c", "7h", "8s", "Ts"]), False),
    ],
)
def test_suits_may_be_renamed(
    one: tuple[list[str], list[str]], two: tuple[list[str], list[str]], same: bool
) -> None:
    assert (canonical(*one) == canonical(*two)) is same


def test_the_interval_of_agreement_takes_states_as_the_unit() -> None:
    one = [Counter({"fold": 2}) for _ in range(30)]
    assert agreement(one)[:3] == (30, 30, 1.0)
    expected = stats.binomtest(30, 30).proportion_ci(method="wilson")
    assert agreement(one)[3:] == pytest.approx((expected.low, 1.0))
    # A large state that always varies moves the share, not the count of states.
    varied = [*one, Counter({"fold": 5, "call": 5})]
    pairs, equal, share, low, high = agreement(varied)
    assert (pairs, equal) == (75, 50) and low < share < high and high - low > 0.3


def test_a_change_is_found_where_it_is(tmp_path: Path) -> None:
    """X opens all of his first thirty hands and none of the next thirty; Y always folds."""
    with store_of(
        tmp_path / "change", [body for k in range(60) for body in (RAISES if k < 30 else FOLDS, FOLDS)]
    ) as store:
        found = {row["statistic"]: row for row in drift(store, "X").to_dicts()}
        again = {row["statistic"]: row for row in drift(store, "X").to_dicts()}
    row = found["rfi"]
    assert (row["first"], row["second"], row["difference"]) == (1.0, 0.0, -1.0)
    # Of the ways to choose 30 of 60 openings two are as far apart: those played, and the other way round. The 60 hands
    # of Y have none of the opportunities, so the first half may hold from 0 to 60 of them.
    assert row["p"] == pytest.approx(_as_far_apart(120, 60, 30, 1.0), rel=1e-9) and row["p"] < 1e-17
    assert row["change_p"] == 0.001
    assert (row["change_hand"], row["before"], row["after"]) == (60, 1.0, 0.0)
    assert found == again


def _as_far_apart(hands: int, opportunities: int, successes: int, difference: float) -> float:
    """The share of orders whose halves are so far apart, in whole numbers of orders."""
    half, failures, ways = hands // 2, opportunities - successes, 0
    for won in range(successes + 1):
        for lost in range(failures + 1):
            first, second = won + lost, opportunities - won - lost
            if first > half or not first or not second:
                continue
            if abs((successes - won) / second - won / first) >= difference - 1e-12:
                ways += (
                    comb(successes, won) * comb(failures, lost) * comb(hands - opportunities, half - first)
                )
    return ways / comb(hands, half)


@pytest.mark.parametrize(
    ("n", "k"),
    [
        ([1, 1, 1, 1, 1, 1], [1, 1, 0, 0, 0, 0]),
        ([1, 0, 1, 1, 0, 1, 1], [1, 0, 1, 0, 0, 0, 0]),
        ([1, 0, 0], [0, 0, 0]),
    ],
)
def test_p_of_the_halves_counts_all_orders(n: list[int], k: list[int]) -> None:
    half = (len(n) + 1) // 2
    apart = []
    for order in permutations(range(len(n))):
        sums = [(sum(n[i] for i in part), sum(k[i] for i in part)) for part in (order[:half], order[half:])]
        (n1, k1), (n2, k2) = sums
        apart.append(abs(k2 / n2 - k1 / n1) if n1 and n2 else 0.0)
    for difference in {0.0, *apart}:
        share = sum(found >= difference - 1e-12 for found in apart) / len(apart)
        assert exact_p(len(n), half, sum(n), sum(k), difference) == pytest.approx(share)


@pytest.mark.parametrize(("opportunities", "successes"), [(2000, 900), (1900, 1000), (12_000, 80)])
def test_p_of_many_opportunities_is_that_of_all_orders_and_costs_no_memory(
    opportunities: int, successes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = 2 * opportunities
    monkeypatch.setattr(steadiness, "_MOST_COUNTED", 1 << 30)
    spread = (successes * (opportunities - successes) / opportunities**3 * 4) ** 0.5
    exact = [exact_p(hands, hands // 2, opportunities, successes, z * spread) for z in (0.5, 1, 2, 3)]
    monkeypatch.setattr(steadiness, "_MOST_COUNTED", 1 << 16)
    some = [exact_p(hands, hands // 2, opportunities, successes, z * spread) for z in (0.5, 1, 2, 3)]
    assert some == pytest.approx(exact, rel=0.08)
    monkeypatch.undo()
    # As many pairs as would take terabytes.
    spread = (4 / 9 * 5 / 9 * 4 / 900_000) ** 0.5
    normal = erfc(0.005 / spread / 2**0.5)
    assert exact_p(10**6, 500_000, 900_000, 400_000, 0.005) == pytest.approx(normal, rel=0.02)


def test_shuffles_are_as_many_as_the_rows_ask_for() -> None:
    """40 blocks of 25, the first 20 with all successes: as far apart as can be, so no shuffle reaches it."""
    n, k = np.ones(1000), np.repeat([1.0, 0.0], 500)
    starts = np.arange(0, 1000, 25)
    halves = np.abs(
        _halves(n, k, starts, np.vstack([np.arange(40), *[np.arange(40)[::2].repeat(2)] * 9]), 500)
    )
    halves[1:] = 0.0
    few, many = (shuffled_p(n, k, starts, halves, 500, np.random.default_rng(1), rows) for rows in (1, 300))
    # Ten at first, then twice as many until rows / m is 0.01: 160 for one row, 40,960 for 300.
    assert (few, many) == (1 / 160, 1 / 40_960)
    halves[1:] = halves[0]
    often = np.concatenate([halves, halves[1:2].repeat(5)])
    assert shuffled_p(n, k, starts, often, 500, np.random.default_rng(1), 300) == 1.0


def test_a_change_stands_out_of_many_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """X opens the first thirty hands of one match and none after, and every other hand of nineteen matches."""
    for number in range(20):
        kinds = [k < 30 if number == 0 else k % 2 == 0 for k in range(60)]
        bodies = [body for opens in kinds for body in (RAISES if opens else FOLDS, FOLDS)]
        with store_of(tmp_path / str(number), bodies, ("X", f"Y{number}")):
            pass
        ingest([tmp_path / str(number) / "log.txt"], tmp_path / "all", event="cup")
    with open_store(tmp_path / "all") as store:
        assert 0.001 * len(drift(store, "X")) > 0.05
        print_stats(store, "X", False, Format.TABLE, Show.DRIFT)
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("X changed in match") and "100.0% in its first half, 0.0% in its second" in said


def test_halves_within_a_match_are_those_of_the_report(tmp_path: Path) -> None:
    """The middle of a match of Bounty splits a block."""
    for game in ("bounty", "holdem-mit"):
        text = simulate(game, [("A", "tight-aggressive"), ("B", "pot-odds")], 330, 1)
        (tmp_path / game).write_text(text, newline="")
        ingest([tmp_path / game], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        said = {
            (row["game"], row["player"], row["statistic"]): (row["first"], row["second"])
            for row in halves(store, all_matches(store))
        }
        found = {(row["game"], row["player"], row["statistic"]): row for row in drift(store).to_dicts()}
    assert {game for game, _, _ in found} == {"bounty", "holdem-mit"}
    for key, row in found.items():
        assert (row["first"], row["second"]) == pytest.approx(said[key])


def test_a_rate_without_an_error_of_its_own_has_an_interval() -> None:
    """Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10: 56 of 70 less 48 of 80."""
    assert _moves((48 / 80, 0.0, 80), (56 / 70, 0.0, 70)) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    low, high = _moves((0.0, 0.0, 12), (0.0, 0.0, 15))
    assert -0.3 < low < -0.2 and 0.15 < high < 0.25
    assert _moves((0.5, 0.1, 25), (0.6, 0.1, 25)) == pytest.approx((0.1 - Z * 0.02**0.5, 0.1 + Z * 0.02**0.5))


def test_shuffled_halves_keep_units_whole() -> None:
    n, k, starts = np.ones(7), np.array([1.0, 1, 1, 0, 0, 0, 0]), np.array([0, 3, 5])
    orders = np.array([[0, 1, 2], [1, 0, 2], [2, 1, 0]])
    # Of seven hands four are the first half: hands 0-3; 3, 4, 0, 1; 5, 6, 3, 4.
    assert _halves(n, k, starts, orders, 4) == pytest.approx([-3 / 4, 1 / 3 - 2 / 4, 1])


def test_no_cut_leaves_a_side_nearly_empty() -> None:
    n, k = np.ones((1, 40)), np.zeros((1, 40))
    k[0, 0] = 1
    z = change(n, k)
    assert (z[0, :3] == 0).all() and (z[0, 3:36] > 0).all()


def test_p_of_players_who_do_not_change_is_uniform(tmp_path: Path) -> None:
    """Each of 60 matches of a coin that stays the same: p below 0.2 in about a fifth (binomial, 99.9%)."""
    rng = np.random.default_rng(5)
    found = []
    for number in range(60):
        flips = [RAISES if rng.random() < 0.5 else FOLDS for _ in range(100)]
        with store_of(tmp_path / str(number), flips) as store:
            found += [
                row["change_p"] for row in drift(store, "X", 199).to_dicts() if row["statistic"] == "rfi"
            ]
    low, high = stats.binom.interval(0.999, len(found), 0.2)
    assert len(found) == 60 and low <= sum(p <= 0.2 for p in found) <= high
