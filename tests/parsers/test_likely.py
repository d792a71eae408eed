"""Dialects of whose games a match cannot be are left out before any is played: by its players, by its hole cards."""

import re
from pathlib import Path

import pytest
from support.replayed import replay_text

from railbird.parsers import dialects
from railbird.parsers.dialect import MatchText

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
THREE_CARDS = (SAMPLES / "build4good/2025-03-29.txt").read_bytes()
THREE_PLAYERS = b"""6.176 MIT Pokerbots - A vs B vs C

Hand #1, A (0), B (0), C (0)
B posts the blind of 1
C posts the blind of 2
Dealt to A [2s 3d]
Dealt to B [4s 3c]
Dealt to C [Ks 3h]
A calls 2
B calls 2
C checks
*** FLOP *** (6) [9h Qc Ah]
B checks
C checks
A bets 4
B folds
C folds
Uncalled bet of 4 returned to A
A wins the pot (6)
"""


def likely(text: bytes, names: tuple[bytes, ...] | None = None) -> list[str]:
    match = only_match(text)
    given = match.names if names is None else names
    return [one.name for one in dialects.likely(text, match.start, match.end, given, match.engine)]


def only_match(text: bytes) -> MatchText:
    found = dialects.cut_for(text)
    assert found is not None
    (match,) = found[1]
    return match


def hands(text: bytes, count: int) -> bytes:
    """The header and the first hands of a text."""
    return b"\nRound #".join(text.split(b"\nRound #")[: count + 1])


def with_deals(text: bytes, cards: bytes) -> bytes:
    """A text with other hole cards, the same in each line."""
    return re.sub(rb" dealt \[[^]]*\]", b" dealt [%s]" % cards, text)


def test_lines_of_bounty_with_three_cards_each_are_of_the_game_that_deals_three() -> None:
    assert b"Winning counts" in THREE_CARDS
    assert likely(THREE_CARDS) == ["mit-build4good"]


def test_a_deal_that_one_line_prints_excludes_no_game_and_decides_none() -> None:
    name = only_match(THREE_CARDS).names[0]
    at = THREE_CARDS.index(b"\n", THREE_CARDS.rindex(b" dealt [")) + 1
    said = THREE_CARDS[:at] + name + b" dealt [Ah Kd]\n" + THREE_CARDS[at:]
    assert {"mit-bounty", "mit-build4good"} <= set(likely(said))
    assert replay_text(said.decode()).game == "build4good"


def test_the_deals_of_two_hands_exclude_no_game() -> None:
    assert "mit-bounty" in likely(hands(THREE_CARDS, 2))
    assert "mit-bounty" not in likely(hands(THREE_CARDS, 3))


@pytest.mark.parametrize("cards", [b"", b"Ah", b"Ah Kd Qs Jc"])
def test_what_a_match_deals_leaves_the_one_dialect_that_knows_its_lines(cards: bytes) -> None:
    assert likely(with_deals(THREE_CARDS, cards)) == ["mit-bounty"]


def test_deals_that_show_no_card_exclude_no_game() -> None:
    first = hands(THREE_CARDS, 2)
    hidden = first + with_deals(THREE_CARDS[len(first) :], b"")
    assert {"mit-bounty", "mit-build4good"} <= set(likely(hidden))


def test_a_match_of_three_is_of_a_game_of_three_although_two_check_before_a_bet() -> None:
    text = THREE_PLAYERS + b"\n".join(
        THREE_PLAYERS[THREE_PLAYERS.index(b"\nHand") :].replace(b"#1,", b"#%d," % number)
        for number in (4, 7, 10)
    )
    assert len(only_match(text).names) == 3
    assert likely(text) == ["mit-2015"]
    assert likely(text, ()) == ["mit-2017", "mit-2015", "mit-jar"]


def test_a_match_is_of_a_game_that_deals_its_cards_where_each_of_its_hands_is_damaged() -> None:
    """Five deals of three cards are too few to tell the dialect; Bounty deals two, so nothing would be stored."""
    hand = [
        "Round #55, alpha (-459), beta (459)",
        "alpha posts the blind of 5",
        "beta posts the blind of 10",
        "alpha dealt [4c Jh Ts]",
        "beta dealt [9d 9c 9h]",
        "alpha calls",
        "beta checks",
        "Flop [7h As], alpha (10), beta (10)",
        "Current stacks: 490, 490",
        "beta bets 490",
        "alpha calls",
        "Turn [7h As 3s Ah], alpha (500), beta (500)",
        "Current stacks: 0, 0",
        "beta checks",
        "alpha check",
        "alpha shows [4c Jh Ts]",
        "beta shows [9d 9c 9h]",
        "alpha awarded -500",
        "beta awarded 500",
        "Winning counts at the end of the round: , alpha (-959), beta (959)",
        "",
    ]
    other = [
        "Round #56, beta (959), alpha (-959)",
        "beta posts the blind of 5",
        "alpha posts the blind of 10",
        "beta dealt [Ac As Tc]",
        "alpha dealt [Js 9d 3h]",
        "beta folds",
        "? folds",
        "beta awarded -5",
        "alpha awarded 5",
        "Winning counts at the end of the round: , beta (954), alpha (-954)",
        "",
    ]
    match = replay_text("\n".join([*hand, *other, "Round #57, alpha (-954), beta (954)", ""]))
    assert match.game == "build4good"
    assert [hand.number for hand in match.hands] == [55, 56]
