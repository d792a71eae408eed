"""The oracle alone: examples of the rules document, hand-made logs, the counts known of the corpus."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise
from math import comb, prod
from pathlib import Path
from typing import Any

import pytest

from oracles import tendencies
from oracles.decoded import Hand, Match
from oracles.engine_2025 import ending, engine_payout, ev_lines, hits_of, strengths_of
from oracles.handmade import ALL_IN, hand_text, played
from oracles.holdem import (
    RANKS,
    SUITS,
    best_five,
    bounty_payout,
    hits_bounty,
    normal_payout,
    strength_of_five,
    winner_of,
)
from oracles.mit_reader import parse_match, read_match

STRONG, WEAK = (1,), (0,)


# ---------------------------------------------------------------- evaluation


def test_strengths_of_all_five_card_hands_have_the_known_frequencies() -> None:
    """Every multiset of ranks, weighted by its ways to choose suits, gives the textbook counts of the
    2,598,960 hands.
    """
    hands: Counter[int] = Counter()
    strengths = set()
    for ascending in combinations_with_replacement(range(13), 5):
        counts = Counter(ascending)
        if max(counts.values()) > 4:
            continue
        ways = prod(comb(4, count) for count in counts.values())
        suited = 4 if len(counts) == 5 else 0
        for flush, number in ((True, suited), (False, ways - suited)):
            if number:
                strength = strength_of_five(ascending[::-1], flush)
                hands[strength[0]] += number
                strengths.add(strength)
    assert [hands[category] for category in range(9)] == [
        1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40,
    ]  # fmt: skip
    assert len(strengths) == 7462


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ah 2h 3h 4h 5h", "Ac Ad As Ah Kd"),
        ("2h 3h 4h 5h 6h", "Ah 2h 3h 4h 5h"),
        ("2c 2d 2h 2s 3c", "Ac Ad Ah Kc Kd"),
        ("3c 3d 3h 2c 2d", "2c 2d 2h Ac Ad"),
        ("2c 4c 6c 8c 9c", "Ac Kd Qh Js Tc"),
        ("2c 3d 4h 5s 6c", "Ac 2d 3h 4s 5c"),
        ("Ac 2d 3h 4s 5c", "Ac Ad Ah Kd Qc"),
        ("Ac Ad 3h 3s 4c", "Ac Ad 2h 2s Kc"),
        ("Ac Ad Kh 3s 2c", "Ac Ad Qh Js Tc"),
        ("Ac Kd Qh Js 9c 2d 3c", "Ac Kd Qh Js 8c 2d 3c"),
    ],
)
def test_order_of_hands(better: str, worse: str) -> None:
    assert best_five(better.split()) > best_five(worse.split())


def test_best_of_more_than_seven_cards() -> None:
    board = ["Jd", "5d", "Kh", "7d", "7h", "6d", "Kd", "9d", "Ah", "9s"]
    assert best_five([*board, "Qh", "Th"]) == (5, 12, 11, 10, 8, 5)
    assert best_five([*board, "6c", "5h"]) == (5, 11, 9, 7, 5, 4)


@pytest.mark.parametrize("cards", ["Ah Kh Qh Jh", "Ah Kh Qh Jh Jh", "Ah Kh Qh Jh 1c", "Ah Kh Qh Jh Tx"])
def test_what_is_no_hand_is_refused(cards: str) -> None:
    with pytest.raises(ValueError):
        best_five(cards.split())


@pytest.mark.parametrize("cards_each", [5, 7])
def test_eval7_orders_hands_alike(cards_each: int) -> None:
    eval7: Any = pytest.importorskip("eval7")
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    draw = random.Random(7)
    values = []
    for _ in range(1500):
        cards = draw.sample(deck, cards_each)
        values.append((best_five(cards), eval7.evaluate([eval7.Card(card) for card in cards])))
    values.sort()
    for (ours, theirs), (our_next, their_next) in pairwise(values):
        assert (ours == our_next) == (theirs == their_next)
        assert theirs <= their_next


# ------------------------------------------------------- Bounty's rules document


def test_example_showdown_of_50_each() -> None:
    assert bounty_payout([50, 50], None, [STRONG, WEAK], [True, False], dealer=0) == [85, -85]


def test_example_fold_to_a_raise_on_the_turn() -> None:
    """30 each before the turn, A bets 10, B raises to 30, A folds: 40, or 70 with the bounty."""
    assert bounty_payout([40, 60], 0, None, [False, False], dealer=0) == [-40, 40]
    assert bounty_payout([40, 60], 0, None, [True, True], dealer=0) == [-70, 70]


def test_example_small_blind_folds() -> None:
    """11.5 is rounded up, since B is out of position."""
    assert bounty_payout([1, 2], 0, None, [False, True], dealer=0) == [-12, 12]


def test_example_chopped_pot_of_80() -> None:
    assert bounty_payout([40, 40], None, [WEAK, WEAK], [True, False], dealer=0) == [20, -20]


@pytest.mark.parametrize(("hit", "profit"), [(False, 400), (True, 610)])
def test_example_all_in(hit: bool, profit: int) -> None:
    assert bounty_payout([400, 400], None, [STRONG, WEAK], [hit, True], dealer=1) == [profit, -profit]


@pytest.mark.parametrize("x", [2, 37, 40, 399, 400])
def test_example_split_seen_as_two_boards(x: int) -> None:
    """The hitter wins 3/2 * x/2 + 10 on one board and loses x/2 on the other."""
    relative = Fraction(3, 2) * Fraction(x, 2) + 10 - Fraction(x, 2)
    for hitter in (0, 1):
        paid = bounty_payout([x, x], None, [WEAK, WEAK], [hitter == 0, hitter == 1], dealer=0)
        assert abs(paid[hitter] - relative) < 1
        assert sum(paid) == 0


@pytest.mark.parametrize(("dealer", "won", "split"), [(0, 38, 14), (1, 39, 15)])
def test_a_dealer_is_rounded_down_and_the_other_up(dealer: int, won: int, split: int) -> None:
    """1.5 * 19 + 10 = 38.5 and 19 / 4 + 10 = 14.75."""
    assert bounty_payout([19, 19], None, [STRONG, WEAK], [True, False], dealer) == [won, -won]
    assert bounty_payout([19, 19], None, [WEAK, WEAK], [True, False], dealer) == [split, -split]


@pytest.mark.parametrize("hit", [False, True])
def test_a_split_with_equal_hits_changes_nothing(hit: bool) -> None:
    assert bounty_payout([40, 40], None, [WEAK, WEAK], [hit, hit], dealer=0) == [0, 0]


def test_hits_need_the_rank_among_own_cards_and_the_board() -> None:
    assert hits_bounty("A", ["Ah", "2c"], [])
    assert hits_bounty("T", ["Ah", "2c"], ["3d", "Ts", "9c"])
    assert not hits_bounty("K", ["Ah", "2c"], ["3d", "Ts", "9c"])


def test_plain_payout_and_a_showdown_without_strengths() -> None:
    assert normal_payout([7, 9], 0, None) == [-7, 7]
    assert normal_payout([9, 9], None, [WEAK, STRONG]) == [-9, 9]
    assert normal_payout([9, 9], None, [WEAK, WEAK]) == [0, 0]
    with pytest.raises(ValueError, match="both strengths"):
        winner_of(None, None)


# ------------------------------------------------------------- hand-made logs


@pytest.mark.parametrize(
    "names",
    [
        ("Ann", "Ann shows"),
        ("Ann raises to 5", "Ann"),
        ("Dr. No, Jr. (0)", "No (1), Dr. No"),
        ("[Ah Kd]", "folds"),
        ("a vs b", "Ann awarded 5"),
        (".*", "(.+"),
    ],
)
def test_hostile_names_are_told_apart(names: tuple[str, str]) -> None:
    first, second = names
    text = "\n\n".join(
        [
            f"6.9630 MIT Pokerbots - {first} vs {second}",
            hand_text(
                1, (first, second), "Bounties reset to 8 for player {0} and 2 for player {1}",
                "{0} raises to 6",
                "{1} response misformatted: {0} folds", "{1} folds", "{0} awarded 2", "{1} awarded -2",
            ),
            hand_text(
                2, (second, first), "{0} calls", "{1} checks", "Flop [2c 7d 8h], {0} (2), {1} (2)",
                "Current stacks: 398, 398", "{1} bets 2", "{0} raises to 4", "{1} folds", "{0} awarded 13",
                "{1} awarded -13", "{0} hits their bounty", "{1} hits their bounty",
                "Winning counts at the end of the round: , {0} (11), {1} (-11)", bank=-2,
            ),
            f"Final, {first} (-11), {second} (11)",
        ]
    )  # fmt: skip
    match = parse_match(text)
    one, two = match["hands"]
    assert match["names"] == [first, second]
    assert match["final"] == [-11, 11]
    assert not match["unknown"] and not one["unknown"] and not two["unknown"]
    assert [(a["player"], a["kind"], a["origin"]) for a in one["actions"]] == [
        (0, "raise", "choice"),
        (1, "fold", "substitute"),
    ]
    assert one["faults"][0]["text"] == f"{first} folds"
    assert [(a["player"], a["street"], a["kind"], a["amount"]) for a in two["actions"]] == [
        (0, 0, "call", None), (1, 0, "check", None), (1, 1, "bet", 2), (0, 1, "raise", 4),
        (1, 1, "fold", None),
    ]  # fmt: skip
    assert (two["seats"], two["bounties"], two["reset"]) == ([1, 0], ["2", "8"], False)
    assert (two["contributions"], two["awards"], two["counts"]) == ([6, 4], [13, -13], [11, -11])
    assert two["hit_lines"] == hits_of(two) == [True, True]


def test_equal_names_are_told_apart_by_turn() -> None:
    hand = hand_text(
        2, ("T", "T"), "{0} calls", "{1} raises to 9", "{0} folds", "{0} awarded -2", "{1} awarded 2"
    )
    read = parse_match("6.9630 MIT Pokerbots - T vs T\n\n" + hand)["hands"][0]
    assert read["seats"] == [1, 0]
    assert read["hole"] == [["Ah", "Kd"], ["Qs", "9s"]]
    assert [a["player"] for a in read["actions"]] == [0, 1, 0]
    assert (read["folded_by"], read["contributions"], read["awards"]) == (0, [2, 9], [-2, 2])


def test_origin_after_both_are_all_in() -> None:
    hand = played(*ALL_IN, "{1} checks", "{0} folds", "{0} awarded -400", "{1} awarded 400")
    assert [a["origin"] for a in hand["actions"]] == ["choice", "choice", "allin", "allin"]
    assert tendencies.aggression(hand, 0) == {}


def test_a_lasting_fault_outlives_the_hand_and_a_late_acknowledgement() -> None:
    names = ("X", "Y")
    hands = [
        hand_text(1, names, "{0} attempted illegal CheckAction", "{0} folds", "{0} awarded -1",
                  "{1} awarded 1", "{0} response misformatted: "),
        hand_text(2, names[::-1], "{0} calls", "{1} checks", "Flop [2c 7d 8h], {0} (2), {1} (2)",
                  "{1} ran out of time", "{1} checks", "{0} bets 2", "{1} folds", "{0} awarded 2",
                  "{1} awarded -2"),
        hand_text(3, names, "{0} folds", "{0} awarded -1", "{1} awarded 1"),
    ]  # fmt: skip
    first, second, third = parse_match("\n\n".join(["6.9630 MIT Pokerbots - X vs Y", *hands]))["hands"]
    assert [(a["player"], a["origin"]) for a in first["actions"]] == [(0, "substitute")]
    assert [f["acknowledging"] for f in first["faults"]] == [False, True]
    assert [a["origin"] for a in second["actions"]] == [
        "choice",
        "choice",
        "substitute",
        "choice",
        "substitute",
    ]
    assert third["actions"][0]["substitute"]


def test_an_unfit_line_is_kept_and_a_text_without_rounds_refused() -> None:
    hand = played("{0} mumbles", "{0} folds on board 2")
    assert hand["unknown"] == [(8, "X mumbles"), (9, "X folds on board 2")]
    with pytest.raises(ValueError, match="blinds"):
        parse_match("6.176 MIT Pokerbots - X vs Y\n")


# --------------------------------------------------------------------- corpus


@cache
def corpus_match(path: Path) -> Match:
    """Each log is read once."""
    return read_match(path)


def counts_of(match: Match) -> dict[str, Any]:
    """The counts of `expected.json` for one log of Bounty."""
    counts: Counter[str] = Counter(
        dict.fromkeys(
            ("hands", "awards_not_as_written", "of_those_split_sign_bug", "folds_when_check_is_free", "ties",
             "hands_with_a_bounty_hit_by_anyone", "hands_paid_with_bonus"), 0,
        )
    )  # fmt: skip
    kinds: Counter[str] = Counter()
    for hand in match["hands"]:
        hits, strengths = hits_of(hand), strengths_of(hand)
        winner = winner_of(hand["folded_by"], strengths)
        counts["hands"] += 1
        counts["ties"] += winner is None
        counts["hands_with_a_bounty_hit_by_anyone"] += any(hits)
        counts["hands_paid_with_bonus"] += hits[0] != hits[1] if winner is None else hits[winner]
        counts["folds_when_check_is_free"] += sum(
            a["kind"] == "fold" and a["to_call"] == 0 for a in hand["actions"]
        )
        written = bounty_payout(hand["contributions"], hand["folded_by"], strengths, hits, dealer=0)
        if written != hand["awards"]:
            counts["awards_not_as_written"] += 1
            counts["of_those_split_sign_bug"] += winner is None and written[0] < 0 < (hand["awards"][0] or 0)
            kinds[ending(hand)] += 1
    return {**counts, "by_kind": dict(kinds)}


def street_lines_agree(hand: Hand) -> bool:
    """Each street line's board goes on from the one before, and its contributions are what the actions add up
    to.
    """
    board: list[str] = []
    for street in hand["streets"]:
        pots = [a["pot"] for a in hand["actions"] if a["street"] == street["street"]]
        if street["board"][: len(board)] != board or pots[:1] != [sum(street["contributions"])]:
            return False
        board = street["board"]
    return len(board) == (0, 3, 4, 5)[len(hand["streets"])]


@pytest.mark.corpus_files("bounty-2025/*/*.txt")
def test_counts_of_the_corpus(corpus_file: Path) -> None:
    match = corpus_match(corpus_file)
    expected = json.loads((corpus_file.parents[2] / "expected.json").read_text())["bounty-2025"].get(
        corpus_file.name
    )
    if expected is None:
        assert match["names"][0] == match["names"][1], "only logs with equal names have no expected counts"
    else:
        assert counts_of(match) == expected


@pytest.mark.corpus_files("bounty-2025/*/*.txt")
def test_engine_model_explains_every_award_and_every_line_is_read(corpus_file: Path) -> None:
    match = corpus_match(corpus_file)
    assert not match["unknown"]
    bank = [0, 0]
    splits = set()
    for hand in match["hands"]:
        assert not hand["unknown"]
        assert [bank[seat] for seat in hand["seats"]] == hand["bankrolls"]
        assert street_lines_agree(hand)
        for street in hand["streets"]:
            assert street["stacks"] == [400 - chips for chips in street["contributions"]]
        now, before_sign_fix = engine_payout(hand), engine_payout(hand, split_to_dealer=True)
        assert hand["awards"] in (now, before_sign_fix)
        if now != before_sign_fix:
            splits.add(hand["awards"] == now)
        for position, seat in enumerate(hand["seats"]):
            bank[seat] += hand["awards"][position] or 0
    assert len(splits) < 2, "one revision of the engine a log"
    assert match["final"] == bank
    if match["evs"]:
        assert match["evs"] == ev_lines(match)
        assert all(hand["hit_lines"] == hits_of(hand) for hand in match["hands"])


@pytest.mark.corpus_files("holdem-mit/*/*.txt")
def test_plain_logs_pay_as_the_rules_say(corpus_file: Path) -> None:
    match = corpus_match(corpus_file)
    assert not match["unknown"]
    for hand in match["hands"]:
        assert not hand["unknown"]
        assert hand["awards"] == normal_payout(hand["contributions"], hand["folded_by"], strengths_of(hand))
        assert street_lines_agree(hand)
