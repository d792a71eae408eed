"""Bots with a plan in simulated logs."""

import pytest

from railbird.replay.colluders import PARTNER_PLANS, PLANS
from railbird.replay.records import FOLD, RAISE
from railbird.replay.simulate import play


def styled(plan: str, percent: int = 100, other: str = "loose-aggressive") -> list[tuple[str, str]]:
    return [("A", f"tight-aggressive+{plan}@{percent}"), ("B", other)]


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_is_followed_and_the_log_stays_legal(plan: str) -> None:
    honest = play("holdem-mit", [("A", "tight-aggressive"), ("B", "loose-aggressive")], 120, 3)
    planned = play("holdem-mit", styled(plan), 120, 3)
    assert not any(hand.faults for hand in planned.hands)
    # Followers wait for a sign that an honest partner gives by chance only.
    if not plan.endswith("follower"):
        assert planned.text != honest.text


def test_at_zero_percent_nothing_is_marked() -> None:
    hands = play("holdem-mit", styled("signal-sender", 0), 300, 4).hands
    raises = [a.raise_to for hand in hands for a in hand.actions if a.seat == 0 and a.raise_to > 0]
    assert raises
    assert not any(size % 10 == 7 for size in raises)


def test_who_dumps_wins_nothing_but_what_is_given_back() -> None:
    hands = play("holdem-mit", styled("dump"), 300, 5).hands
    assert sum(hand.deltas[0] for hand in hands) < 0
    assert not any(a.action == RAISE for hand in hands for a in hand.actions if a.seat == 0)


def test_a_follower_folds_to_the_signal_only() -> None:
    players = [("A", "calling-station+signal-follower@100"), ("B", "maniac+signal-sender@50")]
    hands = play("holdem-mit", players, 400, 6).hands
    folds = [k for hand in hands for k, a in enumerate(hand.actions) if a.seat == 0 and a.action == FOLD]
    marked = 0
    for hand in hands:
        for before, after in zip(hand.actions, hand.actions[1:], strict=False):
            if after.seat == 0 and before.seat == 1 and before.raise_to % 10 == 7:
                assert after.action == FOLD
                marked += 1
    assert marked
    assert len(folds) >= marked


FIVE = [("B", "maniac"), ("C", "loose-aggressive"), ("D", "pot-odds"), ("E", "tight-passive")]


@pytest.mark.parametrize("plan", PARTNER_PLANS)
def test_in_koper_a_plan_is_followed_while_the_partner_is_in(plan: str) -> None:
    honest = play("koper", [("A", "tight-aggressive"), *FIVE], 50, 3, "v2")
    planned = play("koper", [("A", f"tight-aggressive+{plan}@100:E"), *FIVE], 50, 3, "v2")
    assert planned.text != honest.text


def test_who_dumps_in_koper_gives_up_ahead_of_his_partner_and_else_bets_the_most() -> None:
    # v1: who sits where does not change. The partner B acts after A, so he is in whenever A is asked.
    hands = play("koper", [("A", "maniac+dump@100:B"), *FIVE], 50, 3, "v1").hands
    bets = [a.raise_to for hand in hands for a in hand.actions if a.seat == 0 and a.street == 1]
    assert set(bets) == {-1, 30_000}


@pytest.mark.parametrize(
    ("style", "says"),
    [
        ("maniac+dump@50", "names a partner"),
        ("maniac+dump@50:Nobody", "names a partner"),
        ("maniac+clone@50:B", "takes no partner"),
    ],
)
def test_in_koper_a_partner_is_named_who_plays(style: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        play("koper", [("A", style), *FIVE], 5, 1, "v2")


@pytest.mark.parametrize(
    ("style", "says"),
    [
        ("maniac+dump@50:B", "koper only"),
        ("nobody+dump@50", "no style of play"),
        ("maniac+steal@50", "no plan is called"),
        ("maniac+dump@101", "at most 100 percent"),
        ("maniac+dump", "no style of play"),
    ],
)
def test_what_is_not_known_is_said(style: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        play("holdem-mit", [("A", style), ("B", "maniac")], 5, 1)
