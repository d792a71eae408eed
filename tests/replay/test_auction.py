"""Auction (2024): bids, what they cost, what hands of unequal shares pay, and the lines of its engine."""

import math
import re
from pathlib import Path

import pytest
from support.checking import check
from support.replayed import ReplayedHand, ReplayedMatch, replay_text
from support.short_logs import AUCTION

from oracles.retelling import Auction, Told
from railbird.replay import payouts
from railbird.replay.cards import card_text
from railbird.replay.records import BID, CHOICE, SUBSTITUTE
from railbird.variants.auction import GAME


@pytest.mark.parametrize(
    ("bid", "other", "price"),
    [(381, 31, 31), (31, 381, None), (7, 7, 7), (0, 0, 0), (1, 0, 0), (0, 1, None)],
)
def test_the_higher_bid_pays_the_lower_one_and_equal_bids_pay_themselves(
    bid: int, other: int, price: int | None
) -> None:
    due = payouts.price(bid, other)
    assert math.isnan(due) if price is None else due == price


@pytest.mark.parametrize(
    ("wins", "dealer", "other", "award"),
    [
        (1, 17, 48, 48),
        (-1, 17, 48, -17),
        (1, 62, 62, 62),
        # Half of what the opponent put in more; a half chip is the opponent's.
        (0, 10, 10, 0),
        (0, 10, 14, 2),
        (0, 10, 13, 1),
        (0, 14, 10, -2),
        (0, 13, 10, -2),
    ],
)
def test_the_winner_gains_what_the_loser_put_in(wins: int, dealer: int, other: int, award: int) -> None:
    assert payouts.uneven(wins, dealer, other) == award


def assert_told_alike(told: Told, hand: ReplayedHand) -> None:
    """What replay makes of a hand is what the oracle tells."""
    by_seat = [told.seats.index(seat) for seat in (0, 1)]
    assert hand.put == [told.put[position] for position in by_seat]
    assert hand.deltas == hand.written == hand.engine == [told.awards[position] for position in by_seat]
    for seat, position in enumerate(by_seat):
        held = [*told.hole[position]]
        extra = told.extra[position]
        held += [extra] if extra and extra != "?" else []
        assert [card_text(card) for card in hand.finals[seat] or hand.holes[seat]] == held
    bids = {seat: amount for _, seat, action, _, amount in hand.actions if action == BID}
    assert [bids[seat] for seat in told.seats if seat in bids] == told.bids
    assert len(hand.faults) == told.faults


@pytest.mark.corpus_files("auction-2024/*/*.txt")
def test_every_hand_of_the_corpus_is_as_the_oracle_tells_it(corpus_file: Path) -> None:
    text = corpus_file.read_bytes().decode()
    told, back = Auction(text).tell(), replay_text(text)
    assert (back.game, back.odd_lines, back.findings) == ("auction", 0, [])
    assert {hand.verdict for hand in back.hands} == {"ok"}
    for truth, hand in zip(told.hands, back.hands, strict=True):
        assert_told_alike(truth, hand)


@pytest.mark.parametrize("profile", [profile.name for profile in GAME.profiles])
def test_every_revision_is_told_by_its_sample(profile: str, sample_logs: Path) -> None:
    found = check((sample_logs / "auction" / f"{profile}.txt").read_bytes())
    assert found.is_clean
    assert (found.games, found.profiles) == (["auction"], [profile])


def sample(sample_logs: Path, name: str) -> tuple[str, ReplayedMatch]:
    text = (sample_logs / "auction" / f"{name}.txt").read_bytes().decode()
    return text, replay_text(text)


def test_a_card_that_no_line_tells_is_known_from_the_showdown(sample_logs: Path) -> None:
    text, back = sample(sample_logs, "2024-01-09")
    assert "won the auction" not in text
    known = [hand for hand in back.hands if any(len(cards) == 3 for cards in hand.finals)]
    shown = [hand for hand in back.hands if hand.streets == 4 and not hand.folded]
    assert known
    assert len(known) == len(shown)


def test_after_equal_bids_both_are_dealt_a_card(sample_logs: Path) -> None:
    _, back = sample(sample_logs, "equal-bids")
    equal = [hand for hand in back.hands if all(len(cards) == 3 for cards in hand.finals)]
    assert equal
    for hand in equal:
        bids = [act[4] for act in hand.actions if act[2] == BID]
        assert len(bids) == 2
        assert bids[0] == bids[1]


def test_an_illegal_bid_counts_as_none(sample_logs: Path) -> None:
    text, back = sample(sample_logs, "faults")
    bids = [act for hand in back.hands for act in hand.actions if act[2] == BID]
    assert {act[3] for act in bids} == {CHOICE, SUBSTITUTE}
    assert all(act[4] == 0 for act in bids if act[3] == SUBSTITUTE)
    for line in ("IndexError", "KeyError", "ValueError", " attempted illegal BidAction with amount -1"):
        assert f"{line}\n" in text


def test_the_first_engine_adds_the_bets_to_an_action_that_it_refuses(sample_logs: Path) -> None:
    text, back = sample(sample_logs, "faults")
    refused = re.compile(r"( attempted illegal (?:Call|Check|Fold)Action\n)")
    told = replay_text(refused.sub(r"\1pips were [8, 0]\n", text))
    assert len(refused.findall(text)) > 5
    assert told.findings == back.findings == []
    assert [hand.actions for hand in told.hands] == [hand.actions for hand in back.hands]
    assert [hand.faults for hand in told.hands] == [hand.faults for hand in back.hands]
    elsewhere = check(TEXT.replace("A bids 31", "pips were [8, 0]\nA bids 31").encode())
    assert not elsewhere.is_clean


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        # The bid of the winner is said twice, the price in the second flop line, too.
        ("B bids 381", "B bids 399", {"bids"}),
        ("A bids 31", "A bids 30", {"bids", "contribution"}),
        ("A bids 31", "A bids 390", {"bids", "card-won", "contribution"}),
        ("B bids 381", "B bids 401", {"bid", "bids"}),
        ("B won the auction and was dealt [3s]\n", "", {"card-won-missing"}),
        ("B won the auction and was dealt [3s]", "B won the auction and was dealt [6d]", {"deck"}),
        (
            "Players submitted bids of 31 and 381",
            "Players did not reach flop. No auction occured.",
            {"auction"},
        ),
        ("Players submitted bids of 31 and 381\n", "", {"bids-missing"}),
        ("B bids 381\nA bids 31", "A bids 31\nB bids 381", {"turn"}),
        ("7d], A (2), B (33)", "7d], A (2), B (2)", {"contribution"}),
        ("7d], A (2), B (33)", "7c], A (2), B (33)", {"board"}),
        ("A awarded 33\nB awarded -33", "A awarded 2\nB awarded -2", {"award"}),
        ("A bids 31", "A response misformatted: A\nValueError\nA bids 31", {"substitute"}),
        ("A bids 31", "A attempted illegal BidAction with amount 7\nA bids 31", {"fault", "substitute"}),
    ],
)
def test_what_the_log_says_twice_is_compared(old: str, new: str, rules: set[str]) -> None:
    assert check(TEXT.encode()).is_clean
    assert TEXT.count(old) == 1
    found = check(TEXT.replace(old, new).encode())
    assert set(found.rules) >= rules
    assert not found.is_clean


def test_an_exception_belongs_to_the_answer_above_it() -> None:
    answers = "A response misformatted: Rx\nValueError\nA folds"
    assert check(FAULTY.format(answers).encode()).is_clean
    wrong = (
        "A response misformatted: Rx\nKeyError\nA folds",
        "A response misformatted: \nValueError\nA folds",
        "A response misformatted: zzz\nIndexError\nA folds",
    )
    for text in wrong:
        assert dict(check(FAULTY.format(text).encode()).rules) == {"exception": 1}
    nameless = replay_text(FAULTY.format("IndexError\nA folds"))
    assert nameless.findings == []
    assert [hand.faults for hand in nameless.hands] == [[(0, "index_error")], []]


TEXT = (
    AUCTION.partition("Final")[0]
    + """\
Round #2, B (-33), A (33)
B posts the blind of 1
A posts the blind of 2
B dealt [2c 2d]
A dealt [3c 4d]
B calls
A checks
Flop [Ts 9s 8c], B (2), A (2)
A bids 5
B bids 5
B won the auction and was dealt [7s]
A won the auction and was dealt [7h]
Flop [Ts 9s 8c], B (7), A (7)
A bets 2
B folds
B awarded -7
A awarded 7
Players submitted bids of 5 and 5

Final, A (40), B (-40)"""
)

FAULTY = """\
6.9630 MIT Pokerbots - A vs B

Round #1, A (0), B (0)
A posts the blind of 1
B posts the blind of 2
A dealt [Kc Kd]
B dealt [Qs 5d]
{}
A awarded -1
B awarded 1
Players did not reach flop. No auction occured.

Round #2, B (1), A (-1)
B posts the blind of 1
A posts the blind of 2
B dealt [2c 2d]
A dealt [3c 4d]
B folds
B awarded -1
A awarded 1
Players did not reach flop. No auction occured.

Final, A (0), B (0)"""
