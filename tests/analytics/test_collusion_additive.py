"""Collusion: what two players explain by themselves is no evidence, and what could not be tested is said."""

import json
from itertools import combinations, permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from arena import policy as p
from arena.matches import Match, Person, own_chart, play
from arena.tournaments import of_matches, tournament
from numpy.typing import NDArray
from scipy import stats
from support.arena_logs import log_text

from railbird.analytics.collusion import detectors
from railbird.analytics.collusion.additive import (
    NONE_GRANTED,
    Granted,
    Receivers,
    Spread,
    Tables,
    adjusted,
    apart,
    pooled,
)
from railbird.analytics.collusion.evidence import Evidence, judged
from railbird.analytics.collusion.material import Material
from railbird.analytics.collusion.study import Study, Valued
from railbird.analytics.settings import LEVEL
from railbird.analytics.store import open_store
from railbird.cli import main
from railbird.ingest import ingest

Floats = NDArray[np.float64]
RNG = np.random.default_rng


def blocks_of(
    rng: np.random.Generator, gives: Floats, takes: Floats, pair: float = 0.0
) -> dict[int, dict[int, Floats]]:
    """Blocks of five players with effects of givers and receivers; 3 gives 4 so much more."""
    return {
        k: {
            j: rng.normal(gives[k] + takes[j] + pair * ((k, j) == (3, 4)), 1.0, 60)
            for j in range(5)
            if j != k
        }
        for k in range(5)
    }


def test_p_and_the_interval_are_of_one_difference() -> None:
    rng = RNG(1)
    one, rest = rng.normal(0.5, 1.0, 30), rng.normal(0.0, 1.0, 90)
    tested = apart(one, rest, NONE_GRANTED)
    welch = stats.ttest_ind(one, rest, equal_var=False, alternative="greater")
    low, high = stats.ttest_ind(one, rest, equal_var=False).confidence_interval()
    assert tested.p == pytest.approx(welch.pvalue)
    assert (tested.effect - tested.margin, tested.effect + tested.margin) == pytest.approx((low, high))
    # A variance between opponents widens the interval, the more the less is known of it.
    wide, wider = (apart(one, rest, Granted.known_by(0.1, known)).margin for known in (50, 2))
    assert tested.margin < wide < wider


def test_blocks_that_hardly_vary_make_nothing_surer_than_play_does() -> None:
    rng = RNG(5)
    rest, same = rng.normal(0.0, 1.0, 90), np.full(30, 0.5)
    usual = float(rest.var(ddof=1))
    tested = apart(same, rest, NONE_GRANTED, usual)
    assert apart(same, rest, NONE_GRANTED).p < 1e-5 < tested.p
    assert tested.score == pytest.approx((0.5 - rest.mean()) / np.sqrt(usual / 30 + usual / 90))
    # A larger variance counts as it is.
    wide = 2 * rng.normal(0.5, 1.0, 30)
    assert apart(wide, rest, NONE_GRANTED, usual) == apart(wide, rest, NONE_GRANTED)


def spread(rng: np.random.Generator, between: float, unit: float = 1.0) -> Spread:
    """Of blocks against four opponents whose means have a variance, in units of a block's standard deviation."""
    return Spread.of([unit * rng.normal(mean, 1.0, 60) for mean in rng.normal(0, np.sqrt(between), 4)])


def test_the_variance_between_opponents_is_that_of_the_players_on_average() -> None:
    """Also where most players treat all alike: a median would be 0."""
    rng, found = RNG(6), []
    for _ in range(400):
        one_of_them = [spread(rng, 0.4), *(spread(rng, 0.0) for _ in range(3))]
        own = spread(rng, 0.0)
        mean = float(np.mean([each.between / each.within for each in (own, *one_of_them)]))
        found.append(mean)
        granted = pooled(own, one_of_them)
        assert granted is not None
        assert granted.variance == pytest.approx(max(mean * own.within, own.between, 0.0), rel=0.02, abs=1e-3)
    assert np.mean(found) == pytest.approx(0.4 / 5, rel=0.15)


def test_a_player_of_larger_pots_differs_by_more() -> None:
    own, others = spread(RNG(7), 0.1), [spread(RNG(k), 0.1) for k in (8, 9)]
    in_cents = [spread(RNG(k), 0.1, 100.0) for k in (8, 9)]
    assert pooled(own, others) == pytest.approx(pooled(own, in_cents))
    alone = Spread.of([RNG(1).normal(size=60)])
    assert pooled(alone, []) is None


def test_what_honest_players_differ_by_is_allowed_for() -> None:
    """Deviations with heavy tails: few pairs have a p as of a plan."""
    rng, ps = RNG(8), list[float]()
    hands = {(k, j): 3_000 for k in range(5) for j in range(5) if j != k}
    study = Study(cast(Material, SimpleNamespace(hands_of_pair=hands)), cast(Valued, None), 9)
    for _ in range(150):
        differs = rng.laplace(0.0, 0.3 / np.sqrt(2), (5, 5))
        blocks = {k: {j: rng.normal(differs[k, j], 1.0, 60) for j in range(5) if j != k} for k in range(5)}
        ps += [tested.p for tested in study.apart(blocks, absolute=False, salt=1).values()]
    assert [
        float(np.mean(np.array(ps) <= p)) <= bound
        for p, bound in ((0.0001, 0.0004), (0.01, 0.012), (0.05, 0.05))
    ] == [True] * 3


def test_a_receiver_from_whom_all_lose_explains_what_one_loses_to_it() -> None:
    rng = RNG(2)
    takes = np.array([0.0, 0.0, 0.0, 0.0, 2.0])
    beyond = adjusted(blocks_of(rng, np.linspace(-1, 1, 5), takes))
    for k in range(4):
        picked, rest, error = beyond[k, 4]
        assert abs(picked.mean() - np.concatenate(rest).mean()) < 0.6
        assert error > 0
    # With a pair beyond, that is left, and its receiver's lean is still that of the others.
    beyond = adjusted(blocks_of(RNG(2), np.linspace(-1, 1, 5), takes, 3.0))
    picked, rest, _ = beyond[3, 4]
    assert picked.mean() - np.concatenate(rest).mean() == pytest.approx(3.0, abs=0.6)
    picked, rest, _ = beyond[0, 4]
    assert abs(picked.mean() - np.concatenate(rest).mean()) < 0.6


def test_who_is_given_to_by_one_only_is_left_out() -> None:
    rng = RNG(3)
    blocks = {0: {1: rng.normal(size=9), 2: rng.normal(size=9)}, 2: {0: rng.normal(size=9)}}
    assert not adjusted(blocks)
    blocks[3] = {1: rng.normal(size=9), 0: rng.normal(size=9)}
    assert (0, 1) in adjusted(blocks) and (0, 2) not in adjusted(blocks)
    assert Receivers.of({}).leans(0, 1).by == {}


def tables_of(rng: np.random.Generator, pair: float = 0.0) -> Tables:
    """Five players at tables of three; each gives, takes, and is company with an effect of its own; 3 gives to 4."""
    gives, takes, company = rng.normal(0, 2, (3, 5))
    values, seats = [], []
    for table in combinations(range(5), 3):
        for _ in range(40):
            block = rng.normal(0, 1, (3, 3))
            for a, b in permutations(range(3), 2):
                third = company[table[3 - a - b]]
                block[a, b] += (
                    gives[table[a]] + takes[table[b]] + third + pair * ((table[a], table[b]) == (3, 4))
                )
            values.append(block)
            seats.append(table)
    return Tables.of(np.array(values), np.array(seats))


def test_p_is_uniform_where_players_and_company_differ() -> None:
    rng = RNG(4)
    # Pairs of one tournament share their data: one of each.
    ps = [tables_of(rng).beyond(k)[0, 1].p for k in range(200)]
    assert stats.kstest(ps, "uniform", alternative="greater").pvalue > 0.01
    assert 0.05 < np.mean(np.array(ps) < 0.2) < 0.3


@pytest.mark.parametrize(("pair", "most"), [(1.0, 2e-3), (1.5, 1e-4)])
def test_a_pair_beyond_its_players_is_found_and_nobody_else(pair: float, most: float) -> None:
    found = tables_of(RNG(5), pair).beyond()
    assert found[3, 4].p < most and found[3, 4].effect - found[3, 4].margin > 0
    assert found[3, 4].effect == pytest.approx(pair, abs=0.5)
    assert min(test.p for pair, test in found.items() if pair != (3, 4)) > 1e-3


def test_what_the_other_tables_do_not_predict_is_not_tested() -> None:
    rng = RNG(6)
    seats = np.repeat(np.array([[0, 1, 2], [0, 1, 3]]), 20, axis=0)
    # 0 and 1 always sit together; the tables without one of the two are none.
    assert (0, 1) not in Tables.of(rng.normal(size=(40, 3, 3)), seats).beyond()
    assert not Tables.of(rng.normal(size=(2, 3, 3)), seats[:2]).beyond()


def apart_tables(rng: np.random.Generator, acts: np.ndarray, places: np.ndarray) -> Tables:
    """Six players at tables of four: pairs differ honestly in proportion to how much a player acts, and by place."""
    size, values, seats = len(acts), [], []
    pairs = rng.normal(0, 0.5, (size, size))
    order = rng.permutation(size)
    for chosen in combinations(range(size), 4):
        table = tuple(name for name in order if name in chosen)
        for _ in range(20):
            block = rng.normal(0, 1, (4, 4))
            for a, b in permutations(range(4), 2):
                block[a, b] += pairs[table[a], table[b]] + places[(b - a) % 4]
            values.append(block * acts[list(table)][:, None])
            seats.append(table)
    return Tables.of(np.array(values), np.array(seats))


@pytest.mark.parametrize(
    ("acts", "places"),
    [
        pytest.param((12.0, 1.0, 1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0), id="one acts much"),
        pytest.param((1.0, 1.0, 1.0, 1.0, 1.0, 1.0), (0.0, 3.0, 0.0, -3.0), id="neighbours meet more"),
    ],
)
def test_p_holds_where_players_act_more_or_sit_nearer(
    acts: tuple[float, ...], places: tuple[float, ...]
) -> None:
    rng = RNG(8)
    ps = [
        test.p
        for k in range(12)
        for test in apart_tables(rng, np.array(acts), np.array(places)).beyond(k).values()
    ]
    assert np.mean(np.array(ps) < 0.001) < 0.01
    assert np.mean(np.array(ps) < 0.05) < 0.08


def test_effects_are_in_the_unit_of_the_values() -> None:
    tables = tables_of(RNG(5), 1.0)
    larger = Tables(tables.tables, tuple(values * 100 for values in tables.values), tables.behind)
    one, two = tables.beyond()[3, 4], larger.beyond()[3, 4]
    assert two.effect == pytest.approx(100 * one.effect) and two.margin == pytest.approx(100 * one.margin)
    assert two.p == pytest.approx(one.p)


STYLES = {
    "nit": (0.72, 0.85, 0.7, 0.85, 0.8, 0.0, 0.7),
    "random": (0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5),
    "maniac": (0.05, 0.1, 0.1, 0.2, 1.0, 0.6, 1.5),
    "station": (0.3, 0.95, 0.1, 0.95, 0.2, 0.0, 0.5),
}


def six_seatings(game: str, names: tuple[str, ...], hands: int) -> list[Match]:
    """Every table of three in its six seatings with the same cards, by players that differ much."""
    people = [
        Person(name, p.person(STYLES[name], noise=0.1), own_chart(k, 0.03)) for k, name in enumerate(names)
    ]
    return [
        play(game, seated, hands, 101 + number)
        for number, table in enumerate(combinations(people, 3))
        for seated in permutations(table)
    ]


def test_a_tight_player_at_the_table_makes_no_pair_of_the_others() -> None:
    """Others lose less to each other while it sits in, as it folds: that is a fact about it, not about a pair."""
    material = of_matches(six_seatings("acpc/holdem.limit.3p", tuple(STYLES), 500), 10.0)
    rows = [row for row in detectors.look(material) if not detectors.same_program(row)]
    assert len(rows) > 30
    assert not any(row.flag for row in rows)
    assert min(row.p for row in rows) > 0.001


def test_a_flag_has_an_effect_above_zero() -> None:
    rows = [
        Evidence("a", 0, k, 1e-9, 5.0, effect, 100, margin=0.1)
        for k, effect in enumerate((0.2, 0.05, -0.2), 1)
    ]
    assert [(row.other, row.flag) for row in sorted(judged({"a": rows}), key=lambda row: row.other)] == [
        (1, True),
        (2, False),
        (3, False),
    ]
    assert all(row.q_all < LEVEL for row in judged({"a": rows}))


def ingested(matches: tuple[Match, ...], tmp_path: Path) -> str:
    (tmp_path / "logs").mkdir()
    for number, match in enumerate(matches):
        (tmp_path / "logs" / f"{number:03d}.log").write_text(log_text(match))
    store = str(tmp_path / "store")
    assert main(["ingest", str(tmp_path / "logs"), "--store", store]) == 0
    return store


def test_json_has_pairs_likeness_and_what_is_untestable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = tournament("holdem-mit", 21, "soft-play", 1.0, hands=600, players=5)
    store = ingested(truth.matches, tmp_path)
    capsys.readouterr()
    assert main(["collusion", "--store", store, "--format", "json"]) == 1
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert set(said) == {"pairs", "same_program", "untestable"}
    wanted = {
        "detector",
        "game",
        "player",
        "other",
        "effect",
        "effect_low",
        "effect_high",
        "p",
        "q",
        "flag",
        "since",
        "hands",
    }
    for row in said["pairs"]:
        assert wanted <= set(row) and 0 < row["p"] <= 1
        assert row["effect_low"] <= row["effect"] <= row["effect_high"]
        assert row["flag"] == (row["q"] < LEVEL and row["effect_low"] > 0)
        assert row["detector"] != "clones"
    flagged = [row for row in said["pairs"] if row["flag"]]
    assert {tuple(sorted((row["player"], row["other"]))) for row in flagged} == {truth.planted}
    assert main(["replay", flagged[0]["since"], "--store", store]) == 0
    for row in said["same_program"]:
        assert {"detector", "player", "other", "alike", "flag", "hands"} <= set(row)
        assert row["detector"] == "clones" and 0 <= row["alike"] <= 1 and 0 <= row["independent"] <= 1
    assert len(said["same_program"]) == 10 and said["untestable"] == []


def test_two_names_of_one_program_are_no_suspicion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = tournament("holdem-mit", 41, "clone", 1.0, hands=600)
    store = ingested(truth.matches, tmp_path)
    capsys.readouterr()
    assert main(["collusion", "--store", store, "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    (row,) = [row for row in said["same_program"] if row["flag"]]
    assert (row["player"], row["other"]) == truth.planted and row["alike"] > row["independent"]
    assert main(["collusion", "--store", store]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "names that play alike" in shown


def test_a_match_in_which_a_bot_failed_is_compared_with_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = tournament("holdem-mit", 5, hands=300, players=4, matches=2)
    (tmp_path / "logs").mkdir()
    for number, match in enumerate(truth.matches):
        lines = log_text(match).splitlines(keepends=True)
        if number == 3:
            # The second player hangs up: all it does from the middle on is the engine's.
            half = next(k for k, line in enumerate(lines) if line.startswith("Round #75,"))
            gone = match.names[1]
            lines.insert(half + 5, f"{gone} disconnected\n")
        (tmp_path / "logs" / f"{number:03d}.txt").write_text("".join(lines))
    ingest([tmp_path / "logs"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        (material,) = detectors.materials(store)
        assert len(material.matches) == len(truth.matches) - 1
        ((match_id, player),) = material.failed
        assert player == gone and match_id not in material.matches
    assert main(["collusion", "--store", str(tmp_path / "store"), "--format", "json"]) == 0
    capsys.readouterr()


def test_three_who_always_sit_together_are_untestable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = tuple(STYLES)[:3]
    store = ingested(tuple(six_seatings("acpc/kuhn.limit.3p", names, 60)), tmp_path)
    capsys.readouterr()
    assert main(["collusion", "--store", store, "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["pairs"] == []
    (row,) = said["untestable"]
    assert row["who"] == "all pairs" and "every table" in row["why"]
