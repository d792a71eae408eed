"""Collusion: planted partners are found, honest players are not, and p means what it says."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from arena.tournaments import BUILT, LOOK_ALIKES, tournament
from scipy import stats
from support.arena_logs import log_text

from railbird.analytics.collusion import clones, detectors, evidence, multiway
from railbird.analytics.collusion import material as betting
from railbird.analytics.collusion.evidence import (
    Evidence,
    judged,
)
from railbird.analytics.collusion.material import Decisions, Material
from railbird.analytics.collusion.nulls import (
    answers_apart,
    go_together,
    is_positive,
    permute_order,
    stands_out,
)
from railbird.analytics.settings import LEVEL
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.progress import Progress
from railbird.replay.simulate import simulate
from railbird.schema.words import ACTIONS

RNG = np.random.default_rng


def flags(material: Material, seed: int = 1) -> set[tuple[str, ...]]:
    names = material.players
    return {
        (row.detector, *sorted((names[row.one], names[row.other])))
        for row in detectors.look(material, seed)
        if row.flag
    }


# The arithmetic


def evidence_of(*p: float) -> list[Evidence]:
    return [Evidence("", k, k + 1, each, 0, 0, 0) for k, each in enumerate(p)]


def test_q_is_that_of_benjamini_and_hochberg_within_and_of_yekutieli_across() -> None:
    # Their ranks: 0.01 x 4 / 1, 0.02 x 4 / 2, 0.04 x 4 / 3, 0.5 x 4 / 4, and none below the one before it.
    rows = judged(
        {"one": evidence_of(0.04, 0.01, 0.5, 0.02), "two": evidence_of(0.5), "three": evidence_of(0.5)}
    )
    assert sorted(row.q for row in rows) == pytest.approx([0.04, 0.04, 0.16 / 3, 0.5, 0.5, 0.5])
    # The least q of three detectors times 3 / 1 and the harmonic sum of 3.
    assert rows[0].q_all == pytest.approx(0.04 * 3 * 11 / 6)


def test_q_across_allows_for_all_detectors_and_pairs() -> None:
    rows = {
        name: [Evidence(name, 0, k, p, 0.0, 0.0, 1) for k, p in enumerate(ps)]
        for name, ps in {"a": [0.001, 0.9], "b": [0.5, 0.6]}.items()
    }
    first, *rest = judged(rows)
    # Within a: 0.001 x 2; across two detectors: x 2 x (1 + 1/2).
    assert first.detector == "a"
    assert [first.q, first.q_all] == pytest.approx([0.002, 0.006])
    assert all(row.q_all > 0.5 for row in rest)


def uniform(ps: list[float]) -> float:
    return float(stats.kstest(ps, "uniform").pvalue)


def test_p_is_uniform_where_labels_are_exchangeable() -> None:
    rng = RNG(1)
    ps = [stands_out(rng.standard_t(4, 60), 15, 0.0, 999, k).p for k in range(400)]
    assert uniform(ps) > 0.01


def test_p_is_uniform_where_signs_are() -> None:
    rng = RNG(2)
    assert uniform([is_positive(rng.standard_t(4, 40), 999, k).p for k in range(400)]) > 0.01


def test_p_is_uniform_where_two_columns_are_independent_within_strata() -> None:
    rng = RNG(3)
    ps = []
    for k in range(300):
        key = rng.integers(0, 12, 150)
        # Both go with the stratum: that alone must not count.
        ps.append(go_together(key + rng.normal(size=150), key + rng.normal(size=150), key, k).p)
    assert uniform(ps) > 0.01


def test_p_is_uniform_where_order_means_nothing() -> None:
    rng = RNG(4)
    starts = np.array([0, 30, 60], np.int64)
    ps = [
        permute_order(rng.normal(size=60), starts, 499, k, np.zeros(60), np.zeros(625, np.int64))[1]
        for k in range(300)
    ]
    assert uniform(ps) > 0.01


def test_p_of_answers_is_uniform_and_its_tail_not_too_small() -> None:
    rng = RNG(5)
    ps = []
    for k in range(400):
        token, key = rng.integers(0, 10, 300), rng.integers(0, 5, 300)
        result = answers_apart(token, rng.normal(size=300), key, 10, k)
        ps.append(result.p(float(result.seen.max())))
    assert uniform(ps) > 0.01
    assert (np.array(ps) < 0.002).mean() < 0.01


@pytest.mark.parametrize("shift", [0.8, 1.5])
def test_p_is_small_where_something_is_there(shift: float) -> None:
    rng = RNG(6)
    values = rng.normal(size=200)
    values[:50] += shift
    assert stands_out(values, 50, 0.0, 9999, 1).p < 0.001
    # A spread between opponents of that size is nothing out of the way.
    assert stands_out(values, 50, shift**2, 9999, 1).p > 0.01


# One road


@pytest.mark.parametrize("game", ["holdem-mit", "bounty", "acpc/holdem.limit.3p", "acpc/kuhn.limit.3p"])
def test_a_store_gives_what_the_arena_gives(game: str, tmp_path: Path) -> None:
    truth = tournament(game, 5, "shared-cards", 0.5, players=4, hands=40, matches=2)
    (tmp_path / "logs").mkdir()
    for number, match in enumerate(truth.matches):
        (tmp_path / "logs" / f"{number:03d}.log").write_text(log_text(match))
    ingest([tmp_path / "logs"], tmp_path / "store", event="arena")
    with open_store(tmp_path / "store") as store:
        (material,) = detectors.materials(store)
        rows = store.execute(
            "select match_id from matches join files using (file_id) order by path"
        ).fetchall()
    places = [material.matches.index(int(row[0])) for row in rows]
    assert material.players == truth.material.players
    assert np.allclose(material.results[places], truth.material.results)
    for number, place in enumerate(places):
        here, there = material.decisions.match == place, truth.material.decisions.match == number
        for name in set(Decisions.__annotations__) - {"match"}:
            mine, theirs = (
                getattr(material.decisions, name)[here],
                getattr(truth.material.decisions, name)[there],
            )
            assert np.allclose(mine, theirs, atol=1e-5), name


@pytest.mark.parametrize("every", [1, 2, 3, 7])
def test_of_many_hands_even_runs_are_looked_at(every: int) -> None:
    hands = [k for k in range(1000) if k < 50 or k // 25 % every == 0]
    assert betting.looked_at(np.array(hands), every).tolist() == list(range(len(hands)))
    assert betting.looked_at(np.array([1000]), every)[0] == len(hands)


def test_a_large_event_is_looked_at_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    truth = tournament("holdem-mit", 5, players=4, hands=300, matches=1)
    for number, match in enumerate(truth.matches):
        (tmp_path / f"{number}.log").write_text(log_text(match))
    ingest(sorted(tmp_path.glob("*.log")), tmp_path / "store", event="arena")
    monkeypatch.setattr(betting, "MOST", 600)
    with open_store(tmp_path / "store") as store:
        (material,) = detectors.materials(store)
    kept = {k for k in range(300) if k < 50 or k // 25 % 3 == 0}
    assert set(material.decisions.hand.tolist()) == kept
    assert set(material.hands.tolist()) == {len(kept)}
    assert set(material.played.tolist()) == {300}
    assert material.decisions.place.max() == len(kept) - 1


# What is planted


@pytest.mark.parametrize(
    ("plan", "detector"),
    [
        ("soft-play", "soft play"),
        ("shared-cards", "hidden cards"),
        ("signal", "signals"),
        ("clone", "clones"),
        ("dump", "directed transfer"),
    ],
)
def test_a_planted_pair_is_found_by_its_detector(plan: str, detector: str) -> None:
    truth = tournament("holdem-mit", 21, plan, 1.0, hands=1500)
    assert truth.planted is not None
    assert (detector, *sorted(truth.planted)) in flags(truth.material)


def test_a_trigger_is_found_and_dated() -> None:
    truth = tournament("holdem-mit", 22, "trigger", 1.0)
    assert truth.planted is not None
    giver, receiver = (truth.material.players.index(name) for name in truth.planted)
    rows = [row for row in detectors.look(truth.material, 1) if (row.one, row.other) == (giver, receiver)]
    assert min(row.q_all for row in rows) < LEVEL
    assert "from hand" in next(row.note for row in rows if row.detector == "trigger")


@pytest.mark.parametrize("alike", LOOK_ALIKES)
def test_honest_players_and_look_alikes_are_not_flagged(alike: str) -> None:
    assert not flags(tournament("holdem-mit", 32, "none", 0.0, alike, hands=1500).material)


def test_players_of_one_starter_code_are_not_clones_and_a_clone_is() -> None:
    like = clones.likeness(tournament("holdem-mit", 41, "none", 0.0, "starter", hands=1500).material)
    assert like.max() < 0.5
    truth = tournament("holdem-mit", 41, "clone", 1.0, hands=1500)
    assert clones.likeness(truth.material)[4, 5] == 1.0


@pytest.mark.parametrize(("both", "found"), [(False, True), (True, False)])
def test_a_third_explains_a_likeness_only_if_he_is_like_both(
    both: bool, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    material = tournament("holdem-mit", 51, hands=60, players=5).material
    like = np.zeros((5, 5))
    like[0, 1] = like[1, 0] = 0.5
    like[0, 2] = like[2, 0] = 0.4
    like[1, 2] = like[2, 1] = 0.4 * both
    monkeypatch.setattr(clones, "likeness", lambda _: like)
    rows = {(row.one, row.other): row.p for row in clones.look(material)}
    assert (rows[0, 1] < 0.02) == found


def test_the_hands_that_carry_it_are_of_the_pair() -> None:
    truth = tournament("holdem-mit", 21, "dump", 1.0, hands=1500)
    material = truth.material
    top = detectors.look(material, 1)[0]
    assert len(top.carrying) == 5
    for match, hand in top.carrying:
        assert {top.one, top.other} == set(material.seats[match].tolist())
        assert 0 <= hand < material.hands[match]


def test_the_same_seed_gives_the_same_evidence() -> None:
    material = tournament("holdem-mit", 51, hands=300, players=4).material
    assert detectors.look(material, 7) == detectors.look(material, 7)


def test_a_tournament_is_what_its_arguments_say() -> None:
    with pytest.raises(ValueError, match="no plan"):
        tournament("holdem-mit", 1, "steal")
    one, again = (tournament("holdem-mit", 1, styles=BUILT, hands=30, players=4) for _ in range(2))
    assert np.array_equal(one.material.results, again.material.results)


def test_few_players_are_no_error() -> None:
    """Of two nobody can be compared with another."""
    assert detectors.look(tournament("holdem-mit", 61, hands=60, players=2).material) == []
    found = detectors.look(tournament("holdem-mit", 61, hands=60, players=3).material)
    assert len(found) > 10
    assert all(0 < row.p <= 1 and 0 <= row.q_all <= 1 for row in found)


# The corpus: independent bots


def quiet(logs: list[Path], folder: Path) -> Material:
    ingest(logs, folder, event="cup")
    with open_store(folder) as store:
        (material,) = detectors.materials(store)
    assert not flags(material)
    return material


def test_the_round_robin_of_the_acpc_is_quiet_until_a_bot_enters_twice(corpus: Path, tmp_path: Path) -> None:
    logs = sorted((corpus / "acpc/engine/rr_2p_nolimit").glob("*.log"))
    assert len(quiet(logs, tmp_path / "store").matches) == 40
    for log in logs:
        # One bot plays the second half of its matches under another name.
        text = log.read_text()
        again = ".2." in log.name
        (tmp_path / log.name).write_text(text.replace("balanced", "second") if again else text)
    ingest(sorted(tmp_path.glob("*.log")), tmp_path / "twice", event="cup")
    with open_store(tmp_path / "twice") as store:
        (material,) = detectors.materials(store)
    assert flags(material) == {(clones.NAME, "balanced", "second")}


def test_the_round_robin_of_bounty_is_quiet(corpus: Path, tmp_path: Path) -> None:
    assert (
        len(quiet(sorted((corpus / "bounty-2025/engine").glob("rr_*.txt")), tmp_path / "store").players) == 6
    )


@pytest.mark.parametrize("game", ["holdem-mit", "acpc/holdem.limit.2p.reverse_blinds"])
def test_pairs_that_meet_nobody_else_are_not_compared(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they do against each other is left out of a likeness, and nothing is left."""
    monkeypatch.setattr(clones, "_SITUATIONS", 1)
    tables = [("calling-station", "maniac"), ("tight-passive", "pot-odds"), ("loose-aggressive", "random")]
    for number, styles in enumerate(tables):
        players = [(f"P{2 * number + seat}", style) for seat, style in enumerate(styles)]
        (tmp_path / f"{number}.txt").write_text(simulate(game, players, 1500, number), newline="")
    ingest(sorted(tmp_path.glob("*.txt")), tmp_path / "store", event="cup")
    with open_store(tmp_path / "store") as store:
        (material,) = detectors.materials(store)
    like = clones.likeness(material)
    code = {name: place for place, name in enumerate(material.players)}
    met = {(code[f"P{k}"], code[f"P{k + 1}"]) for k in (0, 2, 4)}
    assert all(np.isnan(like[pair]) for pair in met)
    assert np.isfinite(like[code["P0"], code["P2"]])
    assert not {(row.one, row.other) for row in detectors.look(material)} & met


def test_a_match_is_looked_at_until_a_bot_is_gone(corpus: Path, tmp_path: Path) -> None:
    ingest([corpus / "bounty-2025/engine/m08_disconnect_lag.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        (material,) = detectors.materials(store)
        last = "select max(hand_index) from actions where player = 'Dropper' and origin = 'choice'"
        assert material.hands.tolist() == [store.execute(last).fetchall()[0][0] + 1]
    assert material.hands[0] < 200 and material.played.tolist() == [1000]
    assert material.decisions.hand.max() < material.hands[0]


THREE_THEN_TWO = """\
6.176 MIT Pokerbots - A vs B vs C (stack=20, bb=2)
Hand #1, A (20), B (20), C (20)
B posts the blind of 1
C posts the blind of 2
Dealt to A [5h Kc]
Dealt to B [Ks 4c]
Dealt to C [Js 5d]
A raises to 7
B folds
C raises to 20
A calls 20
*** FLOP *** (41) [Tc Jc 7c]
*** TURN *** (41) [Tc Jc 7c] [Td]
*** RIVER *** (41) [Tc Jc 7c Td] [2c]
A shows [5h Kc]
C shows [Js 5d]
A wins the pot (41)

Hand #2, B (19), A (41), C (0)
B posts the blind of 1
A posts the blind of 2
Dealt to B [6h 5c]
Dealt to A [Kd Kc]
Dealt to C [2d 3d]
B folds
A wins the pot (3)

"""


def test_a_match_is_looked_at_until_a_player_has_no_chips(store_of: Callable[..., Any]) -> None:
    (material,) = detectors.materials(store_of([THREE_THEN_TWO]))
    assert material.seats.shape == (1, 3)
    assert (material.hands.tolist(), material.played.tolist()) == ([1], [2])
    assert set(material.decisions.hand.tolist()) == {0}


def test_a_bot_that_never_chose_leaves_no_hands(
    store_of: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    from railbird.cli import main

    text = THREE_THEN_TWO.partition("\nHand #2")[0]
    store = store_of([text.replace("B folds", "### ILLEGAL ACTION: Check [player=B]\nB folds")])
    assert main(["collusion", "--store", str(store.path)]) == 0
    assert "no pair tested: no decisions in these hands" in " ".join(capsys.readouterr().out.split())


# The command


def test_the_command_leads_from_a_pair_to_its_hands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import json

    from railbird.cli import main

    truth = tournament("holdem-mit", 21, "soft-play", 1.0, hands=600, players=5)
    assert truth.planted is not None
    (tmp_path / "logs").mkdir()
    for number, match in enumerate(truth.matches):
        (tmp_path / "logs" / f"{number:03d}.log").write_text(log_text(match))
    store = str(tmp_path / "store")
    assert main(["ingest", str(tmp_path / "logs"), "--store", store]) == 0
    capsys.readouterr()
    assert main(["collusion", "--store", store, "--format", "json"]) == 1
    top: dict[str, Any] = json.loads(capsys.readouterr().out)["pairs"][0]
    assert {top["player"], top["other"]} == set(truth.planted)
    assert top["q"] < LEVEL
    assert top["explained_by"]
    assert main(["replay", top["evidence"][0], "--store", store]) == 0
    shown = capsys.readouterr().out
    assert top["player"] in shown
    assert main(["collusion", "--store", store]) == 1
    table = capsys.readouterr().out
    assert "Evidence, not a verdict" in table
    # The table names a hand as people type it.
    _, _, hand = top["evidence"][0].partition("#")
    named = re.findall(rf"[^\s:,]+\.log#{hand}\b", table)[0]
    assert main(["replay", named, "--store", store]) == 0
    assert capsys.readouterr().out == shown
    assert top["effect_low"] < top["effect"] < top["effect_high"]
    assert "<0.001" in table and " 0.000 " not in table and f"\n{top['detector']}: " in table


def test_the_bar_goes_one_way_over_all_events_and_is_gone_where_a_line_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from railbird.reports import Format
    from railbird.reports import collusion as printed_evidence

    games = ("holdem-mit", "acpc/kuhn.limit.3p", "bounty")
    for number, game in enumerate(games):
        truth = tournament(game, 5, hands=40, players=4, matches=1)
        (tmp_path / str(number)).mkdir()
        for k, match in enumerate(truth.matches):
            (tmp_path / str(number) / f"{k}.log").write_text(log_text(match))
    ingest([tmp_path / str(number) for number in range(len(games))], tmp_path / "store")
    told: list[tuple[int, int]] = []
    open_bars: list[bool] = []

    @contextmanager
    def looking() -> Iterator[Progress]:
        open_bars.append(True)
        yield lambda *both: told.append(both)
        open_bars.pop()

    printed: list[bool] = []
    monkeypatch.setattr(printed_evidence, "_print_table", lambda *_: printed.append(bool(open_bars)))
    with open_store(tmp_path / "store") as store:
        printed_evidence.print_evidence(store, None, False, 0, Format.TABLE, looking)
        assert len(printed) > 1
        assert not any(printed)
        told.clear()
        printed_evidence.print_evidence(store, None, False, 0, Format.JSON, looking)
    parts = [done / total for done, total in told]
    assert parts == sorted(parts)
    assert parts[-1] == 1
    assert len(set(parts)) > len(games)
    capsys.readouterr()


@pytest.mark.parametrize(
    ("game", "read"),
    [("anaconda", False), ("tacs", True), ("swap", True), ("poker-camp", True), ("build4good", True)],
)
def test_games_are_looked_at_unless_luck_does_not_count_them(
    game: str, read: bool, sample_logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from railbird.cli import main

    ingest([sample_logs / game], tmp_path / "store")
    assert main(["collusion", "--store", str(tmp_path / "store")]) in (0, 1)
    assert ("The detectors read none of the games here" not in capsys.readouterr().out) == read


def test_every_action_is_of_a_kind() -> None:
    kinds = {action: betting.KINDS[code] for code, action in enumerate(ACTIONS)}
    assert {action for action, kind in kinds.items() if kind == betting.ATTACKS} == {"bet", "raise"}
    assert {action for action, kind in kinds.items() if kind == betting.FOLDS} == {"fold"}


def test_games_that_are_not_looked_at_are_said(
    store_of: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    from railbird.cli import main
    from railbird.replay.simulate import simulate

    text = simulate("anaconda", [("A", "maniac"), ("B", "pot-odds")], 3, 1)
    store = store_of([text])
    assert main(["collusion", "--store", str(store.path)]) == 0
    assert "The detectors read none of the games here" in capsys.readouterr().out


def test_two_players_alone_are_never_flagged(
    store_of: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    from railbird.cli import main
    from railbird.replay.simulate import simulate

    store = store_of([simulate("holdem-mit", [("A", "maniac+dump@100"), ("B", "pot-odds")], 300, 1)])
    assert main(["collusion", "--store", str(store.path)]) == 0
    assert "2 players" in capsys.readouterr().out


def test_every_detector_says_what_it_compares() -> None:
    assert set(detectors.COMPARES) == {*detectors.HEADS_UP, clones.NAME, multiway.COALITION, multiway.SQUEEZE}


@pytest.mark.parametrize("game", ["holdem-mit", "acpc/holdem.limit.3p"])
def test_effects_of_honest_pairs_have_intervals_with_zero_in_most(game: str) -> None:
    rows = detectors.look(tournament(game, 61, hands=200, players=5).material)
    some = [row for row in rows if row.detector != clones.NAME]
    assert all(row.margin >= 0 for row in some)
    assert all(np.isnan(row.margin) for row in rows if row.detector == clones.NAME)
    # A style has effects, too: what both do to each other is not what they do on average.
    assert sum(abs(row.effect) <= 2 * row.margin for row in some) > 0.6 * len(some)


def test_clones_are_shown_by_pairs_of_hands_of_both() -> None:
    truth = tournament("holdem-mit", 41, "clone", 1.0, hands=600)
    material, d = truth.material, truth.material.decisions
    row = min(clones.look(material), key=lambda row: row.p)
    assert len(row.alike) == 3
    assert row.carrying == tuple(hand for pair in row.alike for hand in pair[:2])
    assert len(set(row.carrying)) == 6
    kinds = {"folds": 0, "checks": 1, "calls": 1, "raises": 2, "bets": 2}
    for pair in row.alike:
        word, street = pair.did.split()[0], pair.did.split()[-1]
        for player, (match, hand) in ((row.one, pair.one), (row.other, pair.other)):
            his = (d.match == match) & (d.hand == hand) & (d.player == player) & (d.kind == kinds[word])
            assert ("preflop", "flop", "turn", "river").index(street) in d.street[his]


def test_three_who_always_sit_together_are_told_why_they_are_not_looked_at(
    store_of: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    from railbird.cli import main

    styles = [("A", "maniac"), ("B", "pot-odds"), ("C", "random")]
    store = store_of([simulate("acpc/kuhn.limit.3p", styles, 200, 1)])
    assert main(["collusion", "--store", str(store.path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "3 players, 3 at a table: no pair tested: all players always sit together" in said


def test_a_pair_begins_to_show_in_the_order_of_play_not_of_match_ids() -> None:
    """Match 0 was played last: what shows in it alone began there, what shows in 1 and 0 began in 1."""
    match, hand = np.repeat([0, 1, 2], 10), np.tile(np.arange(10), 3)
    material: Any = SimpleNamespace(
        decisions=SimpleNamespace(match=match, hand=hand), order=np.array([2, 1, 0])
    )
    where = np.arange(30)
    for shown, since in (((0,), (0, 0)), ((0, 1), (1, 0))):
        assert evidence._since(material, where, np.isin(match, shown).astype(float)) == since
