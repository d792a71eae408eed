"""Lines that name a player count for that player, in whatever order they stand."""

import re
from collections.abc import Callable

import pytest
from support.checking import check

from railbird.replay.simulate import play

GAMES = ("holdem-mit", "bounty", "river-of-blood", "auction", "toss", "swap", "permutation", "blotto")
PLAYERS = [("Ann", "random"), ("Bob", "calling-station")]
HANDS = 40
PLACE = 7
"""A hand that is played to its end."""


def _hands(game: str) -> tuple[str, list[str], str]:
    """What stands above the first hand, the hands, and the end of a log."""
    text = play(game, PLAYERS, HANDS, 3).text
    starts = [found.start() for found in re.finditer(r"^Round #", text, re.MULTILINE)]
    end = text.index("\nFinal, ") + 1
    return text[: starts[0]], [text[a:b] for a, b in zip(starts, [*starts[1:], end], strict=True)], text[end:]


def _shown(hands: list[str]) -> int:
    return next(k for k, hand in enumerate(hands) if k >= PLACE and " shows " in hand)


def _swap(word: str) -> Callable[[str], str]:
    """The two lines of a hand that begin with a name and this word change places."""

    def edit(hand: str) -> str:
        lines = hand.splitlines(keepends=True)
        first, second = [k for k, line in enumerate(lines) if re.match(rf"(Ann|Bob) {word}", line)][:2]
        lines[first], lines[second] = lines[second], lines[first]
        return "".join(lines)

    return edit


@pytest.mark.parametrize("word", ["awarded", "shows", "dealt"])
@pytest.mark.parametrize("game", GAMES)
def test_two_lines_that_change_places_keep_their_players(game: str, word: str) -> None:
    head, hands, end = _hands(game)
    at = _shown(hands)
    if word == "awarded" and game == "swap":
        word = r"(\(swapped\) )?awarded"
    honest = check((head + "".join(hands) + end).encode())
    edited = _swap(word)(hands[at])
    assert edited != hands[at]
    hands[at] = edited
    found = check((head + "".join(hands) + end).encode())
    assert found.awards == honest.awards
    assert set(found.rules) == {"deal-order" if word == "dealt" else "seats"}
    assert {f.hand for f in found.findings if f.rule in found.rules} == {at}


@pytest.mark.parametrize("gone", [0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_the_award_that_is_left_is_paid_to_the_player_it_names(game: str, gone: int) -> None:
    head, hands, end = _hands(game)
    at = next(k for k, hand in enumerate(hands) if k >= PLACE and not re.search(r"awarded 0$", hand, re.M))
    honest = check((head + "".join(hands) + end).encode()).awards[at]
    awards = [line for line in hands[at].splitlines(keepends=True) if " awarded " in line]
    hands[at] = hands[at].replace(awards[gone], "")
    left = 0 if awards[1 - gone].startswith("Ann") else 1
    found = check((head + "".join(hands) + end).encode())
    assert found.awards[at][left] == honest[left]
    assert found.awards[at][1 - left] != found.awards[at][1 - left]
    assert found.verdicts[at] == "damaged"


def test_of_two_awards_of_one_player_the_first_counts() -> None:
    head, hands, end = _hands("holdem-mit")
    at = next(k for k, hand in enumerate(hands) if k >= PLACE and " folds" in hand)
    honest = check((head + "".join(hands) + end).encode()).awards[at]
    lines = hands[at].splitlines(keepends=True)
    first, second = [k for k, line in enumerate(lines) if " awarded " in line]
    name = lines[first].split()[0]
    lines[second] = f"{name} awarded {lines[second].split()[-1]}\n"
    hands[at] = "".join(lines)
    found = check((head + "".join(hands) + end).encode())
    seat = 0 if name == "Ann" else 1
    assert found.awards[at][seat] == honest[seat]
    assert found.awards[at][1 - seat] != found.awards[at][1 - seat]
    assert (found.verdicts[at], dict(found.rules)) == ("violation", {"seats": 1})


@pytest.mark.parametrize(("game", "line"), [("bounty", "Bounties reset"), ("bounty", "Winning counts")])
def test_a_line_of_two_players_may_name_them_the_other_way_round(game: str, line: str) -> None:
    head, hands, end = _hands(game)
    text = head + "".join(hands) + end
    found_line = re.search(rf"^{line}.*$", text, re.MULTILINE)
    assert found_line
    if line == "Winning counts":
        parts = re.fullmatch(r"(.*: , )(.*?\)), (.*?\))", found_line[0])
        assert parts
        turned = f"{parts[1]}{parts[3]}, {parts[2]}"
    else:
        parts = re.fullmatch(
            r"(Bounties reset to )(\w) for player (\w+) and (\w) for player (\w+)", found_line[0]
        )
        assert parts
        turned = f"{parts[1]}{parts[4]} for player {parts[5]} and {parts[2]} for player {parts[3]}"
    found = check(text.replace(found_line[0], turned, 1).encode())
    assert dict(found.rules) == {"seats": 2}


def test_the_final_bankrolls_are_those_of_the_players_named() -> None:
    head, hands, end = _hands("holdem-mit")
    honest = check((head + "".join(hands) + end).encode()).finals
    turned = re.sub(r"^Final, (.*?\)), (.*?\))", r"Final, \2, \1", end)
    assert turned != end
    found = check((head + "".join(hands) + turned).encode())
    assert found.finals == honest
    assert dict(found.rules) == {"seats": 2}
