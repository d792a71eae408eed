"""Logs that try to be misread: names like log lines, garbage, foreign line ends, texts that end anywhere."""

from pathlib import Path

import pytest
from support.checking import check

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
NAMES = {
    "awarded": ("Bot awarded 5", "Bot"),
    "brackets": ("[Ah Kd]", "A raises to 5"),
    "commas": ("Dr. No, Jr. (0)", "A_B (v2), (1)"),
    "engine-words": ("Round #1, A (0)", "Final"),
    "prefixes": ("J team bot", "J team bot 2"),
    "shows": ("Bot", "Bot shows"),
    "unicode": ("Zoë 東京", "Ünï\u2028x"),
    "verbs": ("Bot folds", "Bot"),
    "versus": ("Kramer vs Kramer", "x vs"),
}


def fixture(name: str) -> bytes:
    return (FIXTURES / name).read_bytes()


def test_every_fixture_of_names_is_listed() -> None:
    assert {path.stem for path in (FIXTURES / "names").glob("*.txt")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_names_that_look_like_lines_are_told_apart(name: str) -> None:
    found = check(fixture(f"names/{name}.txt"))
    assert found.is_clean
    assert found.names == [tuple(player.encode() for player in NAMES[name])]
    # The same cards and bots under plain names: the same hands.
    plain = check(fixture("names/prefixes.txt"))
    assert (found.awards, found.verdicts, found.finals) == (plain.awards, plain.verdicts, plain.finals)


@pytest.mark.parametrize("game", ["bounty", "holdem-mit"])
def test_line_ends_of_windows_change_nothing(game: str) -> None:
    plain, crlf = check(fixture(f"plain/{game}.txt")), check(fixture(f"crlf/{game}.txt"))
    assert b"\r\n" in fixture(f"crlf/{game}.txt")
    assert crlf == plain
    assert plain.is_clean


@pytest.mark.parametrize("game", ["bounty", "holdem-mit"])
def test_a_line_end_after_the_last_line_changes_nothing(game: str) -> None:
    assert check(fixture(f"line-end-after-the-last-line/{game}.txt")) == check(fixture(f"plain/{game}.txt"))


def test_garbage_is_one_line_whatever_it_holds() -> None:
    text = fixture("garbage-like-lines/holdem-mit.txt")
    for held in ("\u2028", "\x0b", "\x0c", "\x1c", "\x85", "e\rB"):
        assert held.encode() in text or held == "e\rB"
    found = check(text)
    assert found.is_clean
    assert found.matches == 1
    plain = check(fixture("plain/holdem-mit.txt"))
    assert (found.numbers, found.awards, found.finals) == (plain.numbers, plain.awards, plain.finals)
    assert len(text.decode().splitlines()) > text.count(b"\n") + 1


def test_equal_names_are_told_apart_by_position_and_turn() -> None:
    for game in ("bounty", "holdem-mit"):
        found = check(fixture(f"equal-names/{game}.txt"))
        assert found.is_clean
        assert found.names == [(b"Twin", b"Twin")]
        assert all(first == -second for first, second in found.awards)
        assert any(first for first, _ in found.awards)


def test_lines_of_no_template_are_listed_and_cost_nothing_else() -> None:
    text = fixture("unknown-lines/holdem-mit.txt")
    found, plain = check(text), check(fixture("plain/holdem-mit.txt"))
    lines = text.split(b"\n")
    assert [lines[number - 1] for number in found.unknown] == [
        b"Equity 0.31",
        b"Ann wins Board 1 net winnings 4",
    ]
    assert (found.numbers, found.awards, found.verdicts) == (plain.numbers, plain.awards, plain.verdicts)


@pytest.mark.parametrize(
    ("first", "name"),
    [*enumerate(("plain/bounty.txt", "plain/holdem-mit.txt", "names/shows.txt", "crlf/bounty.txt"))],
)
def test_a_log_cut_anywhere_loses_at_most_its_last_hand(first: int, name: str) -> None:
    """At every fourth place, from another one on in each log."""
    text = fixture(name)
    whole = check(text)
    for end in range(first, len(text), 4):
        part = check(text[:end])
        count = len(part.numbers)
        assert part.numbers == whole.numbers[:count]
        assert part.awards == whole.awards[:count]
        # Hands that a later one follows are never lost.
        assert count >= text[:end].count(b"\nRound #") - 1
        assert set(part.rules) <= {"unknown-bounty"}, (end, part.rules)


@pytest.mark.parametrize(
    "text", [b"", b"\n", b"\r\n\r\n", b"\0" * 99, b"Round #", b"Round #1, ", b"Final, A (0), B (0)"]
)
def test_texts_without_a_hand_hold_none(text: bytes) -> None:
    assert check(text).numbers == []


def test_a_long_line_without_an_end_holds_no_hand() -> None:
    text = b"6.9630 MIT Pokerbots - A vs B\n\nRound #1, " + b"A (0), " * 20_000 + b"B (0)"
    assert check(text).numbers == []
