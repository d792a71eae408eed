"""Bounty Hold'em's pay: every worked example of the rules document, to the chip, by formula and in a log."""

import itertools
import math
from fractions import Fraction

import pytest
from support.replayed import ReplayedHand, replay_text

from railbird.replay.payouts import ROUNDING, SPLIT_TO_DEALER
from railbird.replay.payouts import with_bounties as payout
from railbird.variants.bounty import GAME, GRAMMAR

WRITTEN = 0
WIN, LOSS, SPLIT = 1, -1, 0


def written(wins: int, chips: int, dealer_hits: bool, other_hits: bool) -> float:
    """The dealer's award by the rules; they don't ask how many actions there were."""
    awards = {payout(WRITTEN, wins, chips, dealer_hits, other_hits, actions) for actions in range(6)}
    (award,) = awards
    return award


# "We offer a few examples", one by one


def test_both_bet_50_and_the_winner_hits() -> None:
    assert written(WIN, 50, True, False) == 85
    assert written(LOSS, 50, False, True) == -85


def test_a_bet_of_10_is_raised_to_30_on_the_turn_and_folded_to() -> None:
    # 60 in the pot before: the one who folds has put 30 + 10.
    assert written(WIN, 40, False, False) == 40
    assert written(LOSS, 40, False, False) == -40
    assert written(WIN, 40, True, False) == 70
    assert written(LOSS, 40, False, True) == -70


def test_the_small_blind_folds_and_the_big_blind_hits() -> None:
    # 11.5, rounded up for the player who is not the dealer.
    assert written(LOSS, 1, False, True) == -12
    assert written(LOSS, 1, True, False) == -1


def test_a_chopped_pot_of_80_that_one_player_hits() -> None:
    assert written(SPLIT, 40, True, False) == 20
    assert written(SPLIT, 40, False, True) == -20
    assert written(SPLIT, 40, True, True) == 0
    assert written(SPLIT, 40, False, False) == 0


def test_all_in_with_and_without_a_hit() -> None:
    assert written(WIN, 400, False, False) == 400
    assert written(WIN, 400, True, False) == 610
    assert written(LOSS, 400, True, True) == -610


# The rules as a whole


def test_every_award_is_the_formula_rounded_for_the_winner() -> None:
    flags = (False, True)
    for chips, wins, hit, other in itertools.product(range(1, 401), (WIN, LOSS, SPLIT), flags, flags):
        award = Fraction(written(wins, chips, hit, other))
        if wins == SPLIT:
            due = Fraction(chips, 4) + 10 if hit != other else Fraction(0)
            dealer_gains = hit
        else:
            dealer_gains = wins == WIN
            due = Fraction(3 * chips, 2) + 10 if (hit if dealer_gains else other) else Fraction(chips)
        due = Fraction(math.floor(due) if dealer_gains else math.ceil(due))
        assert award == (due if dealer_gains else -due)


def test_only_the_winners_hit_counts() -> None:
    for chips in (1, 40, 399):
        assert written(WIN, chips, False, True) == written(WIN, chips, False, False) == chips
        assert written(LOSS, chips, True, False) == written(LOSS, chips, False, False) == -chips


@pytest.mark.parametrize(("actions", "award"), [(1, 72), (2, 71)])
def test_the_engine_rounds_by_its_count_of_actions(actions: int, award: int) -> None:
    assert payout(ROUNDING, WIN, 41, True, False, actions) == award
    assert payout(WRITTEN, WIN, 41, True, False, actions) == 71


@pytest.mark.parametrize(("actions", "award"), [(1, -38), (2, -39)])
def test_the_engine_rounds_the_dealers_loss_by_its_count_too(actions: int, award: int) -> None:
    assert payout(ROUNDING, LOSS, 19, False, True, actions) == award
    assert payout(WRITTEN, LOSS, 19, False, True, actions) == -39


def test_the_first_engine_pays_the_dealer_for_the_other_players_hit() -> None:
    assert payout(SPLIT_TO_DEALER, SPLIT, 40, False, True, 2) == 20
    assert payout(SPLIT_TO_DEALER, SPLIT, 40, True, False, 2) == 20
    assert payout(SPLIT_TO_DEALER, SPLIT, 40, True, True, 2) == 0
    assert payout(SPLIT_TO_DEALER, LOSS, 40, False, True, 2) == -70


def test_every_deviation_is_dated_and_every_profile_knows_its_own() -> None:
    names = {deviation.name for deviation in GAME.deviations}
    assert {deviation.kind for deviation in GAME.deviations} <= {"pay", "legality", "log"}
    # Every engine may have another configuration.
    assert {deviation.name for deviation in GAME.deviations if not deviation.since} == {"bounty.stakes"}
    assert all(set(profile.deviations) <= names for profile in GAME.profiles)


# The same examples as logs

ALICE_WINS = (("Ah Ad", "7c 2d"), "Kc 9s 5h 4d 3s")
CHOP = (("Ah Kd", "Ac Ks"), "Qc 9s 5h 4d 2s")
STREETS = ((3, "flop"), (4, "turn"), (5, "river"))


def hand_of(
    cards: tuple[tuple[str, str], str],
    ranks: tuple[str, str],
    script: list[list[str]],
    award: int,
) -> ReplayedHand:
    """One hand of Alice, the dealer, against Bob; `script` has the actions by street, such as `A raise 5`."""
    names = {"A": "Alice", "B": "Bob"}
    holes, board = cards
    say = GRAMMAR.write
    lines = [
        say("header", "6.9630 MIT", "Alice", "Bob"),
        "",
        say("round", 1, "Alice", 0, "Bob", 0),
        say("bounties", ranks[0], "Alice", ranks[1], "Bob"),
        say("blind", "Alice", 1),
        say("blind", "Bob", 2),
        say("dealt", "Alice", holes[0].split()),
        say("dealt", "Bob", holes[1].split()),
    ]
    put, pips = {"A": 0, "B": 0}, {"A": 1, "B": 2}
    folded = False
    for street, actions in enumerate(script):
        if street:
            for who in put:
                put[who] += pips[who]
                pips[who] = 0
            size, event = STREETS[street - 1]
            lines.append(say(event, board.split()[:size], "Alice", put["A"], "Bob", put["B"]))
            lines.append(say("stacks", 400 - put["A"], 400 - put["B"]))
        for action in actions:
            who, word, *amount = action.split()
            lines.append(say(word, names[who], *map(int, amount)))
            if word == "call":
                pips[who] = max(pips.values())
            elif amount:
                pips[who] = int(amount[0])
            folded = folded or word == "fold"
    if not folded:
        lines += [say("show", "Alice", holes[0].split()), say("show", "Bob", holes[1].split())]
    lines += [
        say("award", "Alice", award),
        say("award", "Bob", -award),
        say("counts", "Alice", award, "Bob", -award),
        "",
        say("final", "Bob", -award, "Alice", award),
        "",
    ]
    match = replay_text("\n".join(lines))
    assert match.odd_lines == 0
    (hand,) = match.hands
    return hand


CHECKED = ["B check", "A check"]


@pytest.mark.parametrize(
    ("cards", "ranks", "script", "award"),
    [
        pytest.param(
            ALICE_WINS,
            ("A", "T"),
            [["A raise 50", "B call"], CHECKED, CHECKED, CHECKED],
            85,
            id="both bet 50, the winner hits",
        ),
        pytest.param(
            ALICE_WINS,
            ("T", "4"),
            [["A raise 30", "B call"], CHECKED, ["B bet 10", "A raise 30", "B fold"]],
            40,
            id="a raise on the turn is folded to, no hit for the winner",
        ),
        pytest.param(
            ALICE_WINS,
            ("4", "T"),
            [["A raise 30", "B call"], CHECKED, ["B bet 10", "A raise 30", "B fold"]],
            70,
            id="a raise on the turn is folded to, the winner hits",
        ),
        pytest.param(ALICE_WINS, ("A", "7"), [["A fold"]], -12, id="the small blind folds, a hole card hits"),
        pytest.param(
            CHOP,
            ("9", "T"),
            [["A raise 40", "B call"], CHECKED, CHECKED, CHECKED],
            20,
            id="a chopped pot of 80, the dealer alone hits",
        ),
        pytest.param(
            CHOP,
            ("T", "9"),
            [["A raise 40", "B call"], CHECKED, CHECKED, CHECKED],
            -20,
            id="a chopped pot of 80, the other player alone hits",
        ),
        pytest.param(
            CHOP,
            ("A", "K"),
            [["A raise 40", "B call"], CHECKED, CHECKED, CHECKED],
            0,
            id="a chopped pot that both hit",
        ),
        pytest.param(
            ALICE_WINS,
            ("T", "T"),
            [["A raise 400", "B call"], CHECKED, CHECKED, CHECKED],
            400,
            id="all-in without a hit",
        ),
        pytest.param(
            ALICE_WINS,
            ("5", "5"),
            [["A raise 400", "B call"], CHECKED, CHECKED, CHECKED],
            610,
            id="all-in, the winner hits",
        ),
    ],
)
def test_a_log_of_each_example_is_paid_as_written(
    cards: tuple[tuple[str, str], str], ranks: tuple[str, str], script: list[list[str]], award: int
) -> None:
    hand = hand_of(cards, ranks, script, award)
    assert hand.written == [award, -award]
    assert hand.verdict == "ok"


def test_another_award_is_no_engines() -> None:
    hand = hand_of(ALICE_WINS, ("A", "T"), [["A raise 50", "B call"], CHECKED, CHECKED, CHECKED], 86)
    assert hand.written == [85, -85]
    assert hand.verdict == "violation"


def test_a_bounty_on_a_street_never_dealt_is_no_hit() -> None:
    # The four would come on the turn.
    hand = hand_of(
        ALICE_WINS, ("4", "T"), [["A raise 30", "B call"], ["B bet 10", "A raise 30", "B fold"]], 40
    )
    assert hand.hits == [False, False]
    assert hand.verdict == "ok"
