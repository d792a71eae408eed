"""Toss (2026): the third card goes to the board, and what its engine does where a player does not discard."""

from pathlib import Path

import pytest
from support.checking import check
from support.replayed import ReplayedMatch, replay_text
from support.short_logs import TOSS

from oracles.retelling import Toss
from railbird.parsers import dialects
from railbird.replay.cards import card_text
from railbird.replay.records import CHECK, CHOICE, DISCARD, DUMMY, FOLD, SUBSTITUTE


@pytest.mark.corpus_files("toss-2026/*/*.txt")
def test_every_hand_of_the_corpus_is_as_the_oracle_tells_it(corpus_file: Path) -> None:
    text = corpus_file.read_bytes().decode()
    told, back = Toss(text).tell(), replay_text(text)
    assert (back.game, back.odd_lines, back.findings) == ("toss", 0, [])
    for truth, hand in zip(told.hands, back.hands, strict=True):
        assert hand.verdict == "ok"
        by_seat = [truth.seats.index(seat) for seat in (0, 1)]
        assert hand.put == [truth.put[position] for position in by_seat]
        assert hand.deltas == hand.written == hand.engine == [truth.awards[p] for p in by_seat]
        assert [card_text(card) for card in hand.board] == truth.board
        for seat, position in enumerate(by_seat):
            held = [card_text(card) for card in hand.finals[seat] or hand.holes[seat]]
            assert held == truth.hole[position]
        discards = [act for act in hand.actions if act[2] == DISCARD]
        assert len(discards) == sum(card is not None for card in truth.discards)
        assert len(hand.faults) == truth.faults


def test_checks_after_a_discard_are_no_choice(sample_logs: Path) -> None:
    back = replay_text((sample_logs / "toss" / "2026.txt").read_bytes().decode())
    reached = [hand for hand in back.hands if hand.streets > 1]
    assert reached
    for hand in reached:
        flop = [act for act in hand.actions if act[0] == 1]
        dealer, other = hand.dealer, 1 - hand.dealer
        assert [act[1:4] for act in flop[:4]] == [
            (other, DISCARD, CHOICE),
            (dealer, CHECK, DUMMY),
            (dealer, DISCARD, CHOICE),
            (other, CHECK, DUMMY),
        ]
        assert all(act[3] != DUMMY for act in hand.actions if act not in flop[:4])
        assert all(len(cards) == 2 for cards in hand.finals)


def test_whoever_does_not_discard_folds(sample_logs: Path) -> None:
    text = (sample_logs / "toss" / "faults.txt").read_bytes().decode()
    back = replay_text(text)
    folds = [
        hand
        for hand in back.hands
        if hand.streets == 2 and sum(act[2] == DISCARD for act in hand.actions) < 2
    ]
    assert folds
    for hand in folds:
        assert hand.actions[-1][2:4] == (FOLD, SUBSTITUTE)
    assert " attempted to discard invalid index 3\n" in text
    assert "street = 2\n" in text


def test_a_game_in_which_nobody_ever_discards_is_read() -> None:
    found = check(BROKEN.encode())
    assert (found.games, found.is_clean, found.verdicts) == (["toss"], True, ["ok", "ok"])
    silent = BROKEN.replace("B response misformatted: D\n", "")
    assert check(silent.encode()).is_clean


def test_three_cards_are_enough_to_tell_the_game() -> None:
    lines = BROKEN.split("\n")
    text = "\n".join([*lines[:7], "A folds", "A awarded -1", "B awarded 1", "", "Final, B (1), A (-1)"])
    data = text.encode()
    assert dialects.likely(data, 0, len(data))[0].name == "mit-toss"
    assert check(data).is_clean
    # A bot's garbage tells nothing.
    plain = text.replace("Kd 2c]", "Kd]").replace("5d 9h]", "5d]")
    said = plain.replace("A folds", "A response misformatted: A dealt [Kc Kd 2c]\nA folds").encode()
    assert dialects.likely(said, 0, len(said))[0].name == "mit"


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        ("B discards 3d", "B discards Ks", {"board"}),
        ("B discards 3d", "B discards Td", {"discard", "deck"}),
        ("Discard 1 [7c 8d 3d]", "Discard 1 [7c 8d Ks]", {"board"}),
        ("Discard 1 [7c 8d 3d]", "Discard 1 [7c 8d]", {"board-size"}),
        ("A discards 5s\nB checks", "A discards 5s", {"street"}),
        ("B discards 3d\nA checks", "A discards 5s\nB checks", {"turn"}),
        ("A discards 5s", "A checks", {"misplaced"}),
        ("B discards 3d", "B response misformatted: D\nB discards 3d", {"substitute"}),
        ("B discards 3d", "street = 3\nB attempted illegal CheckAction\nB folds", {"street-note"}),
        ("A folds", "A attempted illegal CheckAction\nA folds", {"street-note-missing"}),
        ("A folds", "street = 4\nA attempted illegal FoldAction\nA folds", {"fault"}),
    ],
)
def test_what_the_log_says_twice_is_compared(old: str, new: str, rules: set[str]) -> None:
    assert check(TOSS.encode()).is_clean
    assert TOSS.count(old) == 1
    found = check(TOSS.replace(old, new).encode())
    assert set(found.rules) >= rules


def test_streets_are_those_of_the_betting(sample_logs: Path) -> None:
    back: ReplayedMatch = replay_text(TOSS)
    assert back.hands[0].streets == 2
    assert {act[0] for act in back.hands[0].actions} == {0, 1}
    whole = replay_text((sample_logs / "toss" / "all-in.txt").read_bytes().decode())
    assert max(hand.streets for hand in whole.hands) == 4
    assert all(len(hand.board) == 6 for hand in whole.hands if hand.streets == 4)


BROKEN = """\
6.9630 MIT Pokerbots - A vs B

Round #1, A (0), B (0)
A posts the blind of 1
B posts the blind of 2
A dealt [Kc Kd 2c]
B dealt [Qs 5d 9h]
A calls
B checks
Flop [6d 8s], A (2), B (2)
Current stacks: 398, 398
B response misformatted: D
B folds
A awarded 2
B awarded -2

Round #2, B (-2), A (2)
B posts the blind of 1
A posts the blind of 2
B dealt [2c 2d 2h]
A dealt [3c 4d 5d]
B folds
B awarded -1
A awarded 1

Final, A (3), B (-3)"""
