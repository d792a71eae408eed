"""Koper's collusion table: what a decision is worth to the others, and who does more for one than for anybody."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from scipy import stats

from railbird.analytics.collusion import detectors, koper
from railbird.analytics.collusion.koper import KoperMaterial, option_of, worth_of
from railbird.analytics.collusion.multiway import CollusionTable, beyond_additive
from railbird.analytics.settings import LEVEL
from railbird.analytics.store import open_store
from railbird.cli import main
from railbird.ingest import ingest
from railbird.replay.simulate import simulate

STYLES = {
    "Ann": "tight-aggressive",
    "Bob": "pot-odds",
    "Cy": "loose-aggressive",
    "Di": "maniac",
    "Ed": "calling-station",
}


def write(folder: Path, plan: str = "", tournaments: int = 3, profile: str = "v2", back: str = "") -> None:
    """Tournaments in which Ann has a plan, and Bob the plan `back`."""
    folder.mkdir()
    plans = {"Ann": plan, "Bob": back}
    for number in range(tournaments):
        order = sorted(STYLES)
        Random(number).shuffle(order)
        players = [(name, STYLES[name] + plans.get(name, "")) for name in order]
        text = simulate("koper", players, 50, 40 + number, profile)
        (folder / f"{number}.all_games.txt").write_text(text)


def material_of(folder: Path, plan: str = "", tournaments: int = 3, back: str = "") -> KoperMaterial:
    write(folder / "cup", plan, tournaments, back=back)
    ingest([folder / "cup"], folder / "store")
    with open_store(folder / "store") as store:
        (material,) = detectors.materials(store)
    assert isinstance(material, KoperMaterial)
    return material


# What a decision is worth


def worth(shares: list[float], after: list[float], live: int, put: list[float]) -> list[list[float]]:
    """Of seat 0, who folds or puts in 4 buy-ins in all; the other options are as the second."""
    options = np.array([[1.0, *[4.0] * koper.STEPS]])
    found = worth_of(
        np.array([shares], np.float32),
        np.array([after], np.float32),
        np.array([live], np.int32),
        np.array([0], np.int8),
        np.array([put]),
        options,
    )
    return [found[0, :, 0].tolist(), found[0, :, 1].tolist()]


def test_a_pot_below_the_cap_goes_to_who_wins_it() -> None:
    # Two are in with 4 each, the other three folded: a pot of 11, below 4 x 4.
    folds, bets = worth([0.25, 0.75, 0, 0, 0], [0, 1, 0, 0, 0], 0b11, [4.0, 4.0, 1.0, 1.0, 1.0])
    assert folds == pytest.approx([-1.0, 8.0, 0, 0, 0])
    assert bets == pytest.approx([0.25 * 11 - 4, 0.75 * 11, 0, 0, 0])


def test_what_the_cap_leaves_goes_to_all_who_are_in() -> None:
    # Five in with 4 each: 20, of which a winner takes 16 and leaves 4 to the five.
    _, bets = worth([0.5, 0.5, 0, 0, 0], [0, 1, 0, 0, 0], 0b11111, [4.0] * 5)
    assert bets == pytest.approx([8.8 - 4, 8.8, 0.8, 0.8, 0.8])
    # After a fold four share what is left of 17.
    folds, _ = worth([0.5, 0.5, 0, 0, 0], [0, 1, 0, 0, 0], 0b11111, [4.0] * 5)
    assert folds == pytest.approx([-1.0, 16.25, 0.25, 0.25, 0.25])


def test_a_larger_bet_is_worth_more_to_the_others_only_as_far_as_they_can_win_it() -> None:
    # The winner put in 2: he wins no more than 8, whatever else there is.
    _, bets = worth([0, 1, 0, 0, 0], [0, 1, 0, 0, 0], 0b11, [4.0, 2.0, 1.0, 1.0, 1.0])
    assert bets == pytest.approx([0.5 - 4, 8.5, 0, 0, 0])


def test_bets_are_told_apart_by_their_place_in_the_range() -> None:
    low, high = np.full(4, 100.0), np.array([300.0, 300.0, 300.0, 100.0])
    assert option_of(np.array([100.0, 210.0, 300.0, 100.0]), low, high).tolist() == [1, 3, 5, 1]


def test_options_of_a_game_read_from_a_log(tmp_path: Path) -> None:
    material = material_of(tmp_path, tournaments=1)
    d = material.decisions
    assert set(np.unique(d.street)) == {1, 2, 3}
    assert material.option[d.street > 1].min() > 0
    assert {0, 1, 5} <= set(np.unique(material.option).tolist()) <= set(range(6))
    # All that is put in is paid out: on the last round what the others are paid differs by what the actor adds.
    last = (d.street == 3) & (d.live == 0b11111)
    assert last.any()
    paid = material.worth[last].sum(1)
    assert np.allclose(paid[:, 1:], paid[:, 1:2], atol=1e-3)
    # The five matches are dealt the same cards, so a card set is five games.
    games = np.unique(np.stack((material.card_set, d.match.astype(np.int64)), 1), axis=0)
    assert np.unique(games[:, 0], return_counts=True)[1].max() == 5


# More than additive


def additive(rng: np.random.Generator, units: int) -> tuple[np.ndarray, np.ndarray]:
    """Units of five who sit anywhere: how much each gives and is given, and chance."""
    seats = np.array([rng.permutation(5) for _ in range(units)], np.int16)
    gives, takes = rng.normal(size=5), rng.normal(size=5)
    values = gives[seats][:, :, None] + takes[seats][:, None, :] + rng.standard_t(4, (units, 5, 5))
    return values, seats


def test_p_is_uniform_where_effects_are_additive() -> None:
    rng = np.random.default_rng(1)
    ps = [beyond_additive(*additive(rng, 60), 999, k)[k % 5, (k + 1) % 5].p for k in range(300)]
    assert stats.kstest(ps, "uniform").pvalue > 0.01 or np.mean(ps) > 0.5
    assert np.mean(np.array(ps) < 0.05) < 0.09


def test_p_is_small_for_the_pair_that_is_more_than_additive_and_for_nobody_else() -> None:
    values, seats = additive(np.random.default_rng(2), 200)
    one, other = np.nonzero(seats == 3)[1], np.nonzero(seats == 1)[1]
    values[np.arange(200), one, other] += 2.0
    tested = beyond_additive(values, seats, 9999, 1)
    assert tested[3, 1].p < 0.001
    assert min(test.p for pair, test in tested.items() if pair != (3, 1)) > 0.01


def test_what_all_pairs_differ_by_is_granted() -> None:
    rng = np.random.default_rng(3)
    values, seats = additive(rng, 200)
    between = rng.normal(0, 2.0, (5, 5))
    values += between[seats[:, :, None], seats[:, None, :]]
    assert min(test.p for test in beyond_additive(values, seats, 9999, 1).values()) > 0.001


def test_the_measures_of_a_table() -> None:
    seats = np.array([[0, 1, 2]], np.int16)
    # What 0 does for himself, 1 and 2, and so on; ten hands.
    values = 10.0 * np.array([[[-1.0, 3.0, 1.0], [2.0, -2.0, 0.0], [0.0, 1.0, 5.0]]])
    table = CollusionTable.of(values, seats, np.array([10]))
    assert table.by == {0: {1: 3.0, 2: 1.0}, 1: {0: 2.0, 2: 0.0}, 2: {0: 0.0, 1: 1.0}}
    assert dict(table.measures(0, 1)) == {
        "total": 3.0 + 2.0 - 1.0 - 2.0,
        "marginal": 2.0,
        "mutual": 5.0,
        "minimum impact": 2.0,
        "dominance": 1.0,
    }
    assert dict(table.measures(2, 0))["marginal"] == -1.0


# What is planted


@pytest.mark.parametrize(
    ("plan", "detector"), [("dump", koper.NAME), ("shared-cards", koper.HIDDEN)], ids=["dump", "shared-cards"]
)
def test_partners_in_koper_are_found_by_their_detector(plan: str, detector: str, tmp_path: Path) -> None:
    material = material_of(tmp_path, f"+{plan}@100:Bob")
    found = [row for row in detectors.look(material, 1) if row.q_all < LEVEL]
    names = {(row.detector, material.players[row.one], material.players[row.other]) for row in found}
    assert (detector, "Ann", "Bob") in names
    assert {frozenset(pair) for _, *pair in names} == {frozenset(("Ann", "Bob"))}
    top = next(row for row in found if row.detector == detector)
    # The hands that carry it: Ann decided, with Bob in.
    d = material.decisions
    for match, hand in top.carrying:
        here = (d.match == match) & (d.hand == hand) & (d.player == top.one)
        bob = np.argmax(d.others[here] == top.other, 1)
        assert (d.live[here] >> bob & 1).any()


@pytest.mark.parametrize("intensity", [50, 100])
def test_two_who_bet_less_against_each_other_in_koper_are_found(intensity: int, tmp_path: Path) -> None:
    plans = [f"+soft-play@{intensity}:{partner}" for partner in ("Bob", "Ann")]
    material = material_of(tmp_path, plans[0], back=plans[1])
    flagged = [row for row in detectors.look(material, 1) if row.flag]
    names = {(row.detector, material.players[row.one], material.players[row.other]) for row in flagged}
    assert names == {(koper.SOFT_PLAY, "Ann", "Bob")}
    assert flagged[0].effect - flagged[0].margin > 0
    # In the hands to look at both bet the least, in a round in which the other had not folded.
    d = material.decisions
    for match, hand in flagged[0].carrying:
        assert (
            material.option[(d.match == match) & (d.hand == hand) & (d.player == flagged[0].one)] == 1
        ).any()


def test_one_player_who_bets_less_in_koper_is_flagged_with_nobody_but_its_partner(tmp_path: Path) -> None:
    material = material_of(tmp_path, "+soft-play@100:Ed")
    flagged = [row for row in detectors.look(material, 1) if row.flag and row.detector == koper.SOFT_PLAY]
    pairs = {frozenset((material.players[row.one], material.players[row.other])) for row in flagged}
    assert pairs <= {frozenset(("Ann", "Ed"))}


def test_honest_players_in_koper_are_not_flagged(tmp_path: Path) -> None:
    rows = detectors.look(material_of(tmp_path), 1)
    assert {row.detector for row in rows} == {koper.NAME, koper.HIDDEN, koper.SOFT_PLAY}
    assert len(rows) == (2 + 2 + 1) * 5 * 4 // 2
    assert not [row for row in rows if row.q_all < LEVEL]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_corpus_of_koper_is_quiet(version: str, corpus: Path, tmp_path: Path) -> None:
    ingest([corpus / "koper" / version], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        (material,) = detectors.materials(store)
    assert isinstance(material, KoperMaterial)
    assert np.isfinite(material.worth).all()
    assert not [row for row in detectors.look(material, 1) if row.q_all < LEVEL]


def test_a_large_event_is_looked_at_by_whole_card_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(koper, "MOST", 20)
    material = material_of(tmp_path, tournaments=1)
    # One game in thirteen: 250 games in all.
    assert set(material.decisions.hand.tolist()) <= {0, 13, 26, 39}
    assert set(material.hands.tolist()) == {4}
    assert set(material.played.tolist()) == {50}


def test_the_command_shows_the_table_of_koper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "cup", "+dump@100:Bob")
    assert main(["collusion", "--store", str(tmp_path / "cup"), "--format", "json"]) == 1
    top = json.loads(capsys.readouterr().out)["pairs"][0]
    assert (top["game"], top["detector"], top["player"], top["other"]) == ("koper", koper.NAME, "Ann", "Bob")
    said = [measure.split(":")[0] for measure in top["measures"]]
    assert said == ["total", "marginal", "mutual", "minimum impact", "dominance"]
