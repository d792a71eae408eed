"""Blotto: its rules by hand, the assignment of cards, and simulated matches read and replayed again."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.checking import check
from support.replayed import replay_text

from oracles import blotto as oracle
from railbird.replay.blotto.game import ASSIGNMENT
from railbird.replay.bots import STYLES
from railbird.replay.records import ASSIGN
from railbird.replay.simulate import LATEST, WRITTEN, Acted, play
from railbird.variants.blotto import GAME, PlayedBoards

FIXTURES = Path(__file__).parent.parent / "fixtures" / "odd-assignments"
NAMES = (("A", "B"), ("Bot", "Bot shows"), ("Mr. X, Esq. (0)", "X (2) vs Y"), ("B folds on board 1", "B"))
PROFILES = (*(profile.name for profile in GAME.profiles), WRITTEN)


@settings(max_examples=60)
@given(
    st.sampled_from(NAMES),
    st.sampled_from(sorted(STYLES)),
    st.sampled_from(sorted(STYLES)),
    st.integers(0, 10**6),
    st.sampled_from(PROFILES),
)
def test_what_is_simulated_is_read_and_replayed_alike(
    names: tuple[str, str], one: str, two: str, seed: int, profile: str
) -> None:
    played = play("blotto", list(zip(names, (one, two), strict=True)), 12, seed, profile, "6.176 MIT")
    match = replay_text(played.text)
    assert (match.game, match.names, match.odd_lines) == ("blotto", names, 0)
    assert [f.rule for f in match.findings if f.verdict != "engine_deviation"] == []
    allowed = next((p.deviations for p in GAME.profiles if p.name == profile), ())
    for hand, truth in zip(match.hands, played.hands, strict=True):
        assert isinstance(truth, PlayedBoards)
        assert hand.holes == truth.holes
        assert (hand.deltas, hand.put, hand.before) == (truth.deltas, truth.put, truth.before)
        assert hand.written == truth.deltas
        assert set(hand.deviations) <= set(allowed)
        # Where an illegal action was replaced the log does not say: the origin is not compared.
        assert [Acted(*a)._replace(origin=0) for a in hand.actions] == [
            a._replace(origin=0) for a in truth.actions
        ]
        assert hand.faults == truth.faults


@pytest.mark.parametrize("profile", [LATEST, GAME.profiles[0].name])
def test_the_oracle_pays_simulated_hands_alike(profile: str) -> None:
    for seed in range(4):
        players = [("A", "maniac"), ("B", "faulty")]
        played = play("blotto", players, 40, seed, profile, "6.176 MIT")
        for hand, truth in zip(oracle.read_hands(played.text, ("A", "B")), played.hands, strict=True):
            order = (0, 1) if hand.number % 2 else (1, 0)
            assert hand.due() == [truth.deltas[seat] for seat in order]
            assert all(pot == printed for pot, printed in hand.printed_pots)


def test_a_match_pays_twelve_chips_a_hand_that_nobody_put_in() -> None:
    played = play("blotto", [("A", "loose-aggressive"), ("B", "random")], 50, 7)
    assert {sum(hand.deltas) for hand in played.hands} == {12}


@pytest.mark.parametrize(
    ("name", "verdict", "deviations"),
    [
        ("4-1-1.txt", "engine_deviation", (GAME.deviations[ASSIGNMENT].name,)),
        ("card-twice.txt", "engine_deviation", (GAME.deviations[ASSIGNMENT].name,)),
        ("board-left-out.txt", "ok", ()),
        ("not-dealt.txt", "violation", ()),
    ],
)
def test_assignments_that_the_engine_takes(name: str, verdict: str, deviations: tuple[str, ...]) -> None:
    (hand,) = replay_text((FIXTURES / name).read_text()).hands
    assert (hand.verdict, hand.deviations) == (verdict, deviations)
    assert sum(action == ASSIGN for _, _, action, _, _ in hand.actions) in (5, 6)


HAND = """\
6.176 MIT Pokerbots - D vs E

Round #1, D (0), E (0)
D posts the blind of 1 on each board
E posts the blind of 2 on each board
D dealt [Jd 7h Js 7d 6c As]
E dealt [9c Ah Qh Qs 3s 5d]
D assigns [Jd 7h] to board 1
D assigns [Js 7d] to board 2
D assigns [6c As] to board 3
E assigns [9c Ah] to board 1
E assigns [Qh Qs] to board 2
E assigns [3s 5d] to board 3
D calls on board 1
D raises to 6 on board 2
D folds on board 3
E checks on board 1
E calls on board 2
E checks on board 3
Flop [2d Jc Ks], (6), D (191), E (190) on board 1
Flop [2h 5s Ac], (16), D (191), E (190) on board 2
Board 3, (9)
E checks on board 1
E bets 190 on board 2
E checks on board 3
D checks on board 1
D folds on board 2
D checks on board 3
Turn [2d Jc Ks Th], (6), D (191), E (0) on board 1
Board 2, (206)
Board 3, (9)
E checks on board 1
E checks on board 2
E checks on board 3
D checks on board 1
D checks on board 2
D checks on board 3
River [2d Jc Ks Th Kc], (6), D (191), E (0) on board 1
Board 2, (206)
Board 3, (9)
E checks on board 1
E checks on board 2
E checks on board 3
D checks on board 1
D checks on board 2
D checks on board 3
D shows [Jd 7h] on board 1
E shows [9c Ah] on board 1
D awarded -3
E awarded 15

Final, E (15), D (-3)"""


def test_each_board_is_a_pot_of_its_own_and_the_stack_is_shared() -> None:
    (hand,) = replay_text(HAND).hands
    assert (hand.verdict, hand.put, hand.deltas) == ("ok", [9, 200], [-3, 15])
    assert hand.streets == 4


@pytest.mark.parametrize(
    ("line", "other", "rule"),
    [
        ("E bets 190 on board 2", "E bets 191 on board 2", "too-large"),
        ("D raises to 6 on board 2", "D raises to 3 on board 2", "too-small"),
        ("E calls on board 2", "E checks on board 2", "check"),
        ("E bets 190 on board 2", "E raises to 190 on board 2", "wording"),
        ("D shows [Jd 7h] on board 1", "D shows [Jd 7c] on board 1", "show"),
        ("Board 2, (206)", "Board 2, (205)", "pot"),
        ("(6), D (191), E (190) on board 1", "(6), D (191), E (189) on board 1", "stacks"),
        ("Flop [2d Jc Ks]", "Flop [2d Jc As]", "deck"),
        ("D assigns [Js 7d] to board 2", "D assigns [Js 7c] to board 2", "assignment"),
        ("E dealt [9c Ah", "E dealt [9d Ah", "assignment"),
        ("D awarded -3", "D awarded -2", "award"),
        ("E (15), D (-3)", "E (14), D (-3)", "final"),
        ("D folds on board 2\nD checks on board 3", "D folds on board 2\nD folds on board 3", "dummy"),
        ("D calls on board 1", "E calls on board 1", "turn"),
        ("E posts the blind of 2", "E posts the blind of 3", "blind"),
        ("D folds on board 2\n", "", "misplaced"),
        ("D folds on board 2", "D folds on board 3", "misplaced"),
        ("Board 3, (9)\nE checks", "E checks", "misplaced"),
        ("E shows [9c Ah] on board 1\n", "", "show-missing"),
        ("E awarded 15\n", "", "incomplete"),
    ],
)
def test_a_wrong_line_is_found(line: str, other: str, rule: str) -> None:
    assert line in HAND
    found = check(HAND.replace(line, other, 1).encode())
    assert rule in found.rules


def test_a_merge_marker_damages_the_hand_alone() -> None:
    played = play("blotto", [("A", "tight-passive"), ("B", "random")], 6, 3).text.split("\n")
    at = next(k for k, line in enumerate(played) if line.startswith("Round #3")) + 4
    found = check("\n".join([*played[:at], "<<<<<<< HEAD", *played[at:]]).encode())
    assert found.verdicts.count("damaged") == 1
    assert found.verdicts[2] == "damaged"


def test_a_log_that_stops_within_a_hand_keeps_those_before() -> None:
    text = play("blotto", [("A", "random"), ("B", "maniac")], 5, 4).text
    found = check(text[: text.index("Round #5")].encode() + b"Round #5, A (0), B (0)\nA posts the bl")
    assert found.numbers == [1, 2, 3, 4]
