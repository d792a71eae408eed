"""Damaged logs: what is lost is marked and told, and the rest of the file is read."""

import re
from pathlib import Path

import pytest
from support.checking import Checked, check

from railbird.replay.simulate import simulate

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"


def text(name: str) -> bytes:
    return (FIXTURES / name).read_bytes()


def fixture(name: str) -> Checked:
    return check(text(name))


def test_every_fixture_belongs_to_a_test() -> None:
    sources = "".join(path.read_text() for path in FIXTURES.parent.rglob("test_*.py"))
    unused = [folder.name for folder in sorted(FIXTURES.iterdir()) if f'"{folder.name}' not in sources]
    assert not unused


@pytest.mark.parametrize("game", ["bounty", "holdem-mit"])
def test_a_log_without_its_final_line_keeps_every_whole_hand(game: str) -> None:
    found, whole = fixture(f"no-final/{game}.txt"), fixture(f"plain/{game}.txt")
    assert found.is_clean
    assert found.numbers == whole.numbers
    assert found.finals == [None]
    assert whole.finals[0] is not None


@pytest.mark.parametrize(
    ("name", "damaged"), [("between-hands", [3, 5]), ("inside-a-hand", [4, 5]), ("at-the-end", [])]
)
def test_merge_markers_damage_the_hands_beside_them(name: str, damaged: list[int]) -> None:
    found, plain = fixture(f"merge-markers/{name}.txt"), fixture("plain/holdem-mit.txt")
    assert found.numbers == plain.numbers
    assert found.awards == plain.awards
    marked = [n for n, verdict in zip(found.numbers, found.verdicts, strict=True) if verdict == "damaged"]
    assert marked == damaged
    assert set(found.rules) <= {"marker"}
    lines = text(f"merge-markers/{name}.txt").split(b"\n")
    told = {f.line for f in found.findings if f.rule == "marker"} | set(found.stray)
    assert told == {n for n, line in enumerate(lines, 1) if line[:7] in (b"<" * 7, b"=" * 7, b">" * 7)}


def test_markers_in_a_row_are_all_told() -> None:
    lines = text("plain/holdem-mit.txt").split(b"\n")
    at = lines.index(b"", 2)
    lines[at:at] = [b"<<<<<<< HEAD", b"=======", b">>>>>>> 1f0c9aa"]
    found = check(b"\n".join(lines))
    assert [f.line for f in found.findings if f.rule == "marker"] == [at + 1]
    assert found.stray == [at + 2, at + 3]


def test_a_second_game_under_one_header_is_a_match_of_its_own() -> None:
    found = fixture("two-games-one-header/one-header.txt")
    assert found.is_clean
    assert found.names == [(b"Ann", b"Bob")] * 2
    assert found.numbers == [*range(1, 9), *range(1, 7)]
    assert [final is None for final in found.finals] == [True, False]


def test_a_game_appended_after_the_final_line_is_a_match_of_its_own() -> None:
    found = fixture("two-games-one-header/appended.txt")
    assert found.is_clean
    assert found.numbers == [*range(1, 9), *range(1, 7)]
    found = fixture("two-games-one-header/after-the-final-line.txt")
    assert found.is_clean
    assert (found.matches, found.numbers) == (2, [*range(1, 9), 3, 4])


def test_the_first_bankroll_of_an_extract_is_an_anchor() -> None:
    found = fixture("one-hand-extract/holdem-mit.txt")
    assert b"Ann (0)" not in text("one-hand-extract/holdem-mit.txt")
    assert found.is_clean
    assert found.numbers == [5]


def test_a_bounty_hand_without_its_ranks_is_unverified() -> None:
    found = fixture("one-hand-extract/bounty-without-its-ranks.txt")
    assert found.games == ["bounty"]
    assert found.verdicts == ["unverified"]
    assert dict(found.rules) == {"unknown-bounty": 1}
    assert not found.unknown


def test_an_excerpt_without_a_header_is_read_from_its_first_hand() -> None:
    found = fixture("excerpt-without-header/holdem-mit.txt")
    assert found.is_clean
    assert found.names == [(b"Ann", b"Bob")]
    assert found.numbers == [3, 4, 5, 6, 7, 8]


def test_an_excerpt_of_bounty_is_verified_from_the_next_reset_of_the_ranks() -> None:
    found = fixture("excerpt-without-header/bounty-from-round-20.txt")
    assert found.numbers == [*range(20, 31)]
    assert set(found.verdicts[:6]) == {"unverified"}
    assert "violation" not in found.verdicts
    assert not {"unverified", "damaged"} & set(found.verdicts[6:])
    # The engine's sums run from the first hand, which is not there.
    assert "bets-ev" not in found.rules


def test_hit_lines_are_needed_only_where_the_log_has_any() -> None:
    plain = fixture("plain/bounty.txt")
    for name in ("2025-01-08", "hit-lines-stripped"):
        found = fixture(f"no-hit-lines/{name}.txt")
        assert found.is_clean
        assert found.awards == plain.awards
    assert fixture("no-hit-lines/2025-01-08.txt").profiles == ["2025-01-08"]
    assert dict(fixture("some-hit-lines-missing/bounty.txt").rules) == {"hit-missing": 1}


def test_hands_of_another_match_are_damage_where_the_numbers_jump() -> None:
    found = fixture("merged-logs/hands-of-another-match.txt")
    assert set(found.rules) == {"sequence"}
    assert found.verdicts.count("damaged") == 2
    assert "violation" not in found.verdicts


def test_a_hand_that_another_interrupts_is_kept_and_marked() -> None:
    found = fixture("merged-logs/a-hand-cut-short.txt")
    assert found.numbers == [*range(1, 9)]
    assert found.verdicts[2] == "damaged"
    assert found.verdicts.count("damaged") == 1


def test_a_verdict_does_not_depend_on_the_match_read_before() -> None:
    lone = fixture("plain/bounty.txt")
    fixture("names/verbs.txt")
    assert fixture("plain/bounty.txt") == lone


@pytest.mark.parametrize("game", ["holdem-mit", "bounty"])
@pytest.mark.parametrize("by", [1, -3])
def test_awards_that_do_not_add_up_are_wrong_in_their_hand_whichever_way_they_are_carried(
    game: str, by: int
) -> None:
    names = [("Ann", "random"), ("Bob", "random")]
    lines = simulate(game, names, hands=4, seed=5, profile="written").splitlines()
    award = next(k for k, line in enumerate(lines) if line.startswith("Ann awarded"))
    paid = int(lines[award].split()[-1])
    lines[award] = f"Ann awarded {paid + by}"
    misprinted = check("\n".join(lines).encode())
    # Ann's bankrolls after the hand are those of what was printed.
    carried = [
        re.sub(r"\bAnn \((-?\d+)\)", lambda said: f"Ann ({int(said[1]) + by})", line)
        if k > award and line.startswith(("Round #", "Final, ", "Winning counts"))
        else line
        for k, line in enumerate(lines)
    ]
    assert carried != lines
    for found in (misprinted, check("\n".join(carried).encode())):
        assert {f.hand for f in found.findings if f.rule != "bets-ev"} == {0}
        assert {"award", "zero-sum"} <= set(found.rules) <= {"award", "zero-sum", "bets-ev"}
