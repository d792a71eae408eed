"""Blotto on the corpus: replay against the oracle, and against the counts that come with the logs."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.checking import Checked, check

from oracles import blotto as oracle

PUBLISHED = "blotto-2021/real/*.txt"
WRITTEN = "blotto-2021/engine/*.txt"


@cache
def _checked(path: Path) -> Checked:
    return check(path.read_bytes())


def _expected(path: Path) -> dict[str, Any]:
    counts: dict[str, dict[str, Any]] = json.loads((path.parents[2] / "expected.json").read_text())[
        "blotto-2021"
    ]
    return counts.get(path.name, {})


@pytest.mark.corpus_files(PUBLISHED, WRITTEN)
def test_every_hand_is_ok_or_a_named_deviation(corpus_file: Path) -> None:
    found = _checked(corpus_file)
    assert found.is_clean
    assert set(found.verdicts) <= {"ok", "engine_deviation"}
    assert len(found.numbers) == _expected(corpus_file).get("hands", 500)


@pytest.mark.corpus_files(PUBLISHED, WRITTEN)
def test_awards_are_what_the_oracle_pays_and_sum_to_twelve(corpus_file: Path) -> None:
    found = _checked(corpus_file)
    one, two = (name.decode() for name in found.names[0])
    assert all(sum(awards) == 12 for awards in found.awards)
    if one == two:
        return
    hands = list(oracle.read_hands(corpus_file.read_bytes().decode(), (one, two)))
    assert [hand.number for hand in hands] == found.numbers
    for hand, awards in zip(hands, found.awards, strict=True):
        due = hand.due() if hand.number % 2 else hand.due()[::-1]
        assert tuple(due) == awards
        assert all(pot == printed for pot, printed in hand.printed_pots)
    ties = sum(board.is_tie() for hand in hands for board in hand.boards)
    odd = sum(not hand.is_two_each() for hand in hands)
    expected = _expected(corpus_file)
    assert (ties, odd) == (expected["tied_boards"], expected["accepted_assignment_not_2_2_2"])


@pytest.mark.corpus_files("blotto-2021/real/johnyang101__pokerbots2021__[345].txt")
def test_stacks_go_below_zero_only_where_the_first_engines_let_them(corpus_file: Path) -> None:
    hands = oracle.read_hands(corpus_file.read_bytes().decode(), _two(corpus_file))
    below = {hand.number for hand in hands if max(hand.put()) > oracle.STACK}
    found = _checked(corpus_file)
    spent = {found.numbers[f.hand] for f in found.findings if f.rule == "spent"}
    assert below == spent
    assert below


def _two(path: Path) -> tuple[str, str]:
    one, two = _checked(path).names[0]
    return one.decode(), two.decode()
