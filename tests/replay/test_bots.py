"""The bots: clearly different styles, legal unless they mean not to be."""

from collections import Counter
from random import Random

import pytest
from support.cards import parse_cards

from railbird.replay.bots import GARBLED, GONE, LATE, STYLES, Answer, View, preflop_strength
from railbird.replay.records import BET, CALL, CHECK, CHOICE, FOLD, RAISE, SUBSTITUTE
from railbird.replay.simulate import PlayedHand, play

SOUND = sorted(set(STYLES) - {"faulty", "fractions", "late", "disconnecting"})
OPPONENTS = ("tight-aggressive", "loose-aggressive", "calling-station")


def hands_of(style: str, opponent: str, game: str = "bounty", hands: int = 400) -> list[PlayedHand]:
    return list(play(game, [("A", style), ("B", opponent)], hands, 7).hands)


def tendencies(style: str) -> dict[str, float]:
    """VPIP, PFR, postflop aggression factor and share of folds to bets of a style against three others."""
    counts: Counter[str] = Counter()
    for opponent in OPPONENTS:
        for hand in hands_of(style, opponent):
            own = [act for act in hand.actions if act.seat == 0 and act.origin == CHOICE]
            before = [act.action for act in own if act.street == 0]
            counts["hands"] += bool(before)
            counts["vpip"] += any(action in (CALL, BET, RAISE) for action in before)
            counts["pfr"] += any(action in (BET, RAISE) for action in before)
            counts.update(f"later {act.action}" for act in own if act.street > 0)
    bets = counts[f"later {BET}"] + counts[f"later {RAISE}"]
    calls, folds = counts[f"later {CALL}"], counts[f"later {FOLD}"]
    return {
        "vpip": counts["vpip"] / counts["hands"],
        "pfr": counts["pfr"] / counts["hands"],
        "aggression": bets / max(calls, 1),
        "folds": folds / max(folds + calls, 1),
    }


def test_styles_differ_as_their_names_say() -> None:
    of = {style: tendencies(style) for style in SOUND}
    assert of["tight-passive"]["vpip"] < of["tight-aggressive"]["vpip"] < of["loose-aggressive"]["vpip"]
    assert of["loose-aggressive"]["vpip"] < of["maniac"]["vpip"]
    assert of["tight-passive"]["pfr"] < 0.05 < 0.25 < of["tight-aggressive"]["pfr"]
    assert of["loose-aggressive"]["pfr"] > of["tight-aggressive"]["pfr"] + 0.1
    assert of["maniac"]["pfr"] > of["loose-aggressive"]["pfr"] + 0.1
    assert of["calling-station"]["vpip"] > 0.6 > 0.02 > of["calling-station"]["pfr"]
    assert of["calling-station"]["aggression"] < 0.3 < 3 < of["maniac"]["aggression"]
    assert of["calling-station"]["folds"] < 0.25 < of["tight-passive"]["folds"]
    assert of["all-in"]["pfr"] == 1


def test_a_bounty_hunter_pays_more_with_its_rank_in_play() -> None:
    def plays(hit: bool) -> float:
        entered = [
            any(act.action in (BET, RAISE) for act in hand.actions if act.seat == 0 and act.street == 0)
            for opponent in OPPONENTS
            for hand in hands_of("bounty-hunter", opponent)
            if hit == any(card // 4 == hand.ranks[0] for card in hand.holes[0])
        ]
        return sum(entered) / len(entered)

    assert plays(True) > plays(False) + 0.2


@pytest.mark.parametrize("style", SOUND)
@pytest.mark.parametrize("game", ["bounty", "holdem-mit"])
def test_a_sound_bot_is_never_faulted(style: str, game: str) -> None:
    for opponent in ("random", "maniac"):
        for hand in hands_of(style, opponent, game, 150):
            assert not [fault for fault in hand.faults if fault[0] == 0]
            assert SUBSTITUTE not in {act.origin for act in hand.actions if act.seat == 0}


def test_a_faulty_bot_shows_every_fault_but_silence() -> None:
    seen: set[str] = set()
    for profile in ("2025-01-07", "latest"):
        for hand in play("bounty", [("A", "faulty"), ("B", "loose-aggressive")], 600, 1, profile).hands:
            seen |= {kind for _, kind in hand.faults}
    assert seen == {"misformatted", "illegal_fold", "illegal_call", "illegal_check", "illegal_raise"}


def test_a_bot_that_bets_fractions_is_faulted_for_them_alone() -> None:
    hands = hands_of("fractions", "maniac", "bounty", 150)
    assert {fault for hand in hands for fault in hand.faults} == {(0, "misformatted")}


@pytest.mark.parametrize(("style", "kind"), [("late", "late"), ("disconnecting", "gone")])
def test_a_bot_that_leaves_is_reported_once_and_only_checks_and_folds_then(style: str, kind: str) -> None:
    hands = hands_of(style, "calling-station", hands=120)
    faults = [fault for hand in hands for fault in hand.faults]
    assert [name for _, name in faults if name != "misformatted"] == [kind]
    (left,) = (k for k, hand in enumerate(hands) if (0, kind) in hand.faults)
    for hand in hands[left + 1 :]:
        own = [act for act in hand.actions if act.seat == 0]
        assert {act.origin for act in own} <= {SUBSTITUTE}
        assert {act.action for act in own} <= {CHECK, FOLD}


def test_the_better_hole_cards_are_the_stronger() -> None:
    order = ["3c 2d", "7c 2d", "Jc 5d", "Ac 2d", "Ac Kd", "Ac Ks", "Ac Kc", "8c 8d", "Ac Ad"]
    strengths = [preflop_strength(parse_cards(text)) for text in order]
    assert strengths == sorted(strengths)
    assert 0.3 < strengths[0] < strengths[-1] < 0.9


@pytest.mark.parametrize("style", sorted(STYLES))
def test_every_bot_answers_where_nothing_can_be_bet(style: str) -> None:
    bot = STYLES[style](Random("seed"))
    board = parse_cards("2c 7d 8h")
    for _ in range(300):
        free = bot.act(View(parse_cards("Ah Kd"), board, 1, 800, 0, 0, 0, 0, 0, 2, True))
        priced = bot.act(View(parse_cards("Ah Kd"), board, 1, 500, 0, 300, 0, 0, 1, 2, True))
        for answer in (free, priced, bot.acknowledge()):
            assert isinstance(answer, Answer)
            assert answer.action in {FOLD, CALL, CHECK, RAISE, GARBLED, LATE, GONE}
            if style in SOUND:
                assert answer.action != RAISE
