"""`--last N` answers as a store that has only the last matches would."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest
from conftest import Run
from polars.testing import assert_frame_equal

import railbird as rb
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import UserError

STYLES = {"Ann": "tight-aggressive", "Bob": "maniac", "Cid": "calling-station"}
LOGS = [f"{number}.txt" for number in (8, 9, 10)]
"""In the order of play, which is not that of letters: Ann and Bob, Ann and Cid, Bob and Cid."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three matches of Bounty, and one of another game."""
    folder = tmp_path_factory.mktemp("lately") / "cup"
    folder.mkdir()
    for seed, (name, pair) in enumerate(zip(LOGS, combinations(STYLES, 2), strict=True)):
        text = simulate("bounty", [(one, STYLES[one]) for one in pair], 60, seed)
        (folder / name).write_text(text, newline="")
    other = simulate("holdem-mit", [("Ann", "maniac"), ("Bob", "tight-passive")], 60, 7)
    (folder / "1.txt").write_text(other, newline="")
    return folder


def same(one: pl.DataFrame, other: pl.DataFrame) -> None:
    """Equal but for the order of rows and of what is added up."""
    assert_frame_equal(one, other, check_row_order=False)


def stored(logs: Path, names: Sequence[str], tmp_path: Path) -> Path:
    ingest([logs / name for name in names], tmp_path / "-".join(names), event="cup")
    return tmp_path / "-".join(names)


@pytest.fixture(scope="module")
def every(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stored(logs, [*LOGS, "1.txt"], tmp_path_factory.mktemp("every"))


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        # Of each game the last; the other game has one match.
        ({"last": 1}, ["10.txt", "1.txt"]),
        ({"last": 2}, ["9.txt", "10.txt", "1.txt"]),
        ({"last": 9}, [*LOGS, "1.txt"]),
        # Of the player: the last one is not Ann's.
        ({"last": 1, "player": "Ann"}, ["9.txt", "1.txt"]),
        ({"last": 1, "player": "Ann", "game": "bounty"}, ["9.txt"]),
    ],
)
def test_a_table_is_that_of_a_store_of_these_matches(
    every: Path, logs: Path, tmp_path: Path, asked: dict[str, object], kept: list[str]
) -> None:
    alone = stored(logs, kept, tmp_path)
    rest = {name: value for name, value in asked.items() if name != "last"}
    for show in ("winnings", "overview"):
        found = rb.stats(every, show=show, **asked)  # type: ignore[arg-type]
        assert found.height
        same(found, rb.stats(alone, show=show, **rest))  # type: ignore[arg-type]


def test_a_profile_is_that_of_a_store_of_these_matches(every: Path, logs: Path, tmp_path: Path) -> None:
    alone = stored(logs, ["9.txt"], tmp_path)
    found = rb.opponent(every, "Ann", game="bounty", last=1)
    expected = rb.opponent(alone, "Ann")
    assert found.keys() == expected.keys()
    for name in found:
        same(found[name], expected[name])
    # Of those against Bob, and of those up to a match.
    first = stored(logs, ["8.txt"], tmp_path)
    expected = rb.opponent(first, "Ann")
    for asked in ({"as_of": "8.txt"}, {"against": "Bob"}):
        found = rb.opponent(every, "Ann", game="bounty", last=1, **asked)  # type: ignore[arg-type]
        same(*(frames["tendencies"].filter(view="full") for frames in (found, expected)))


def test_a_match_of_a_player_with_its_namesake_is_none_of_its_last(tmp_path: Path) -> None:
    (tmp_path / "cup").mkdir()
    for number, other in enumerate(("Ann", "Ann", "Bob")):
        text = simulate("bounty", [("Bob", "maniac"), (other, "tight-passive")], 20, number)
        (tmp_path / "cup" / f"{number}.txt").write_text(text, newline="")
    store = stored(tmp_path / "cup", ["0.txt", "1.txt", "2.txt"], tmp_path)
    alone = stored(tmp_path / "cup", ["1.txt"], tmp_path)
    found, expected = rb.opponent(store, "Bob", last=1), rb.opponent(alone, "Bob")
    assert found["tendencies"].height
    for name in found:
        same(found[name], expected[name])


@pytest.mark.parametrize("last", [0, -1])
def test_less_than_one_match_is_refused(every: Path, last: int) -> None:
    for ask in (
        lambda: rb.stats(every, last=last),
        lambda: rb.opponent(every, "Ann", game="bounty", last=last),
    ):
        with pytest.raises(UserError, match=f"last={last}: 1 or more matches"):
            ask()


def test_the_command_says_what_it_used(every: Path, run: Run) -> None:
    code, out, err = run("opponent", "Ann", "--game", "bounty", "--last", "1", "--store", every)
    assert (code, err) == (0, "")
    assert "hands 60, matches 1 (--last 1)" in out
    code, out, _ = run("stats", "--show", "winnings", "--player", "Ann", "--last", "1", "--store", every)
    rows = [line for line in out.splitlines() if " Ann " in line and "event" not in line]
    assert (code, len(rows)) == (0, 2), out
    assert run("stats", "--last", "0", "--store", every)[0] == 2
    said = run("stats", "--player", "Dan", "--last", "1", "--store", every)
    assert said == (2, "", "railbird: no player is called 'Dan'; most like it: 'Ann'\n")
    # Names that exist, but not together.
    code, _, err = run("stats", "--player", "Cid", "--game", "holdem-mit", "--last", "1", "--store", every)
    assert (code, err) == (2, "railbird: nothing to show: no decisions in these hands\n")
