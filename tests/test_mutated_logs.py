"""A few of the edited logs of `hammer.mutations`, of which a run reads very many, and what it calls wrong."""

from collections import Counter
from dataclasses import replace

import pytest
from hammer.in_memory import Hand, Read
from hammer.mutants import Base, bases, first_edited_line, mutated
from hammer.mutations import Hammer, Mutant, lost, unaccounted

GIVEN = bases(None)[::4]
"""Of the samples."""


@pytest.fixture(scope="module")
def hammer(tmp_path_factory: pytest.TempPathFactory) -> Hammer:
    return Hammer(GIVEN, tmp_path_factory.mktemp("hammer") / "logs")


def test_nothing_is_wrong_with_edited_logs_in_memory_and_in_stores(hammer: Hammer) -> None:
    before = len(hammer.given)
    some = hammer.mutants(range(80))
    assert hammer.wrong(some) == []
    assert hammer.stored(some[:30]) == ""
    assert len(hammer.given) > before, "no log made railbird say something new"
    assert len(hammer.dialects) > 10


def test_an_edited_log_is_made_again_of_its_seed() -> None:
    made = [mutated(GIVEN, seed) for seed in range(20)]
    assert made == [mutated(GIVEN, seed) for seed in range(20)]
    assert len({text for _, text in made}) == 20


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [(b"a\nb\nc\n", b"a\nb\nd\n", 3), (b"a\nb", b"a\nb", 2), (b"ab\n", b"", 1), (b"a\nb\n", b"a\n", 2)],
)
def test_the_first_edited_line_is_that_of_the_first_other_byte(
    before: bytes, after: bytes, line: int
) -> None:
    assert first_edited_line(before, after) == line


def test_a_hand_that_is_lost_changed_doubled_or_not_in_the_ledger_is_wrong(hammer: Hammer) -> None:
    base = max((base for base in GIVEN if hammer.plain[base]), key=lambda base: len(hammer.plain[base]))
    mutant, hands = Mutant(0, base, base.text), hammer.plain[base]
    read, (path,) = hammer._read([mutant])
    assert unaccounted(read, path, mutant) == lost(read, path, mutant, hands) == ""
    held = read.hands[path]

    def with_hands(*hands: Hand) -> Read:
        return Read(read.accounts, {path: list(hands)}, read.seats, read.rules, read.matches)

    fewer, twice = with_hands(*held[1:]), with_hands(*held, held[0])
    changed = with_hands(held[0]._replace(played="other cards"), *held[1:])
    assert "is lost" in lost(fewer, path, mutant, hands)
    # Nobody knows whether a hand has ended of which nobody's result is known; the ledger must say that it is left out.
    unpaid = [hands[0]._replace(paid=False), *hands[1:]]
    assert hands[0].paid
    assert "is lost" in lost(fewer, path, mutant, unpaid)
    fewer.accounts = {path: replace(read.accounts[path], rejected=Counter({"cut": 1}))}
    assert lost(fewer, path, mutant, unpaid) == ""
    assert "is lost" in lost(fewer, path, mutant, hands)
    fewer.accounts = read.accounts
    assert "other cards, not" in lost(changed, path, mutant, hands)
    assert f"{len(held)} hands in the ledger, {len(held) - 1}" in unaccounted(fewer, path, mutant)
    assert f"{len(held)} hands in the ledger, {len(held) + 1}" in unaccounted(twice, path, mutant)
    longer = Mutant(0, base, base.text + b"\n\n")
    assert "lines in the ledger" in unaccounted(read, path, longer)
    assert unaccounted(read, "elsewhere", mutant) == "no account"
    assert Base("x", b"") not in GIVEN
