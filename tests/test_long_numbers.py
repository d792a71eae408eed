"""Numbers of hands are stored as they are printed, or their hands are left out with a line and a reason."""

import re
from pathlib import Path

import pytest

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.simulate import play

PHH = """\
[{table}]
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [5000, 5000]
players = ['a', 'b']
actions = ['d dh p1 AhKh', 'd dh p2 2c2d', 'p2 f']
{hand}
"""
MIT = ("holdem-mit", "pineapple-2013", "omaha-2016", "bounty", "permutation")
KEPT = (2**31, 2**31 + 5, 252_123_456_789, 10**17 - 1)


def stored(log: Path) -> tuple[list[int], str, int]:
    """The numbers of a log's hands in the order of its lines; why others are left out, and how many."""
    ingest([log], log.parent / "store")
    with open_store(log.parent / "store") as store:
        numbers = [row[0] for row in store.execute("select hand_no from hands order by line").fetchall()]
        found = store.execute("select coalesce(reason, ''), hands_rejected from files").fetchall()
    return numbers, *found[0]


def with_number(game: str, number: int) -> str:
    """A match whose second hand has another number."""
    text = play(game, [("Ann", "random"), ("Bob", "random")], 4, 1).text
    changed, count = re.subn(r"(?m)^(Round|Hand) #2\b", rf"\1 #{number}", text)
    assert count == 1
    return changed


@pytest.mark.parametrize("number", KEPT)
@pytest.mark.parametrize("game", MIT)
def test_numbers_that_an_int64_holds_are_stored(game: str, number: int, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(with_number(game, number))
    numbers, _, _ = stored(log)
    assert number in numbers
    assert not {2**31 - 1} & set(numbers)


@pytest.mark.parametrize("game", MIT)
def test_a_longer_number_costs_its_hand_alone(game: str, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(with_number(game, 12345678901234567890))
    numbers, reason, left_out = stored(log)
    assert numbers == [1, 3, 4]
    assert left_out == 1
    assert reason


@pytest.mark.parametrize("number", KEPT)
@pytest.mark.parametrize("place", ["table", "hand"])
def test_numbers_of_phh_that_an_int64_holds_are_stored(place: str, number: int, tmp_path: Path) -> None:
    log = tmp_path / "log.phhs"
    hand = f"hand = {number}" if place == "hand" else ""
    log.write_text(PHH.format(table=number if place == "table" else 1, hand=hand))
    assert stored(log)[0] == [number]


@pytest.mark.parametrize("place", ["table", "hand"])
def test_a_longer_number_of_phh_costs_its_hand_alone(place: str, tmp_path: Path) -> None:
    many = 12345678901234567890
    log = tmp_path / "log.phhs"
    first = PHH.format(
        table=many if place == "table" else 1, hand=f"hand = {many}" if place == "hand" else ""
    )
    log.write_text(first + "\n" + PHH.format(table=2, hand=""))
    numbers, reason, left_out = stored(log)
    assert (numbers, left_out) == ([2], 1)
    assert "the hand's number has more than 18 digits" in reason
