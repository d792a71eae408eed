"""Damage explains the hands it touches and what is carried out of them, and hides nothing anywhere else."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from support import acpc, koper
from support.checking import Checked, check

from railbird.replay.simulate import play

GAMES = ("holdem-mit", "bounty", "river-of-blood", "auction", "toss", "swap", "permutation", "blotto")
HANDS = 60
PLAYERS = [("Ann", "random"), ("Bob", "loose-aggressive")]


class Log:
    """A log in pieces: what stands above the first hand, the hands from 0, and the end."""

    def __init__(self, game: str, seed: int) -> None:
        self.game = game
        text = play(game, PLAYERS, HANDS, seed).text
        starts = [found.start() for found in re.finditer(r"^Round #", text, re.MULTILINE)]
        end = text.index("\nFinal, ") + 1
        self.head, self.end = text[: starts[0]], text[end:]
        self.hands = [text[a:b] for a, b in zip(starts, [*starts[1:], end], strict=True)]

    def check(self) -> Checked:
        """What reading the log as it now is yields."""
        return check((self.head + "".join(self.hands) + self.end).encode())


def marker_between(log: Log) -> None:
    log.hands[20] = f"<<<<<<< HEAD\n{log.hands[20]}"
    log.hands[22] = f"=======\n{log.hands[22]}"


def marker_inside(log: Log) -> None:
    lines = log.hands[20].splitlines(keepends=True)
    log.hands[20] = "".join([*lines[:4], "<<<<<<< HEAD\n", *lines[4:]])


def hand_twice(log: Log) -> None:
    log.hands.insert(20, log.hands[20])


def hand_lost(log: Log) -> None:
    del log.hands[20]


def lines_lost(log: Log) -> None:
    lines = log.hands[20].splitlines(keepends=True)
    log.hands[20] = "".join(lines[:5])


def conflict(log: Log) -> None:
    other = Log(log.game, 2).hands[20:22]
    log.hands[20:22] = [
        f"<<<<<<< HEAD\n{log.hands[20]}",
        log.hands[21],
        f"=======\n{other[0]}",
        f"{other[1]}>>>>>>> 1f0c9aa\n",
    ]


def other_log(log: Log) -> None:
    other = Log(log.game, 2)
    log.hands, log.end = [*log.hands[:20], *other.hands[20:]], other.end


def other_log_in_a_hand(log: Log) -> None:
    other = Log(log.game, 2)
    ours, theirs = (one.hands[20].splitlines(keepends=True) for one in (log, other))
    log.hands, log.end = [*log.hands[:20], "".join(ours[:5] + theirs[5:]), *other.hands[21:]], other.end


DAMAGES: dict[str, Callable[[Log], None]] = {
    "marker between hands": marker_between,
    "marker inside a hand": marker_inside,
    "hand twice": hand_twice,
    "hand lost": hand_lost,
    "lines lost": lines_lost,
    "conflict": conflict,
    "another log": other_log,
    "another log from within a hand": other_log_in_a_hand,
}


def pay_more(hand: str) -> str:
    """Both awards of a hand moved by what no rule and no bounty pays."""

    def moved(found: re.Match[str]) -> str:
        award = int(found[1])
        return f" awarded {award + (777 if award >= 0 else -777)}"

    return re.sub(r" awarded (-?\d+)", moved, hand)


def wrong_blind(hand: str) -> str:
    """The hand's first blind doubled."""
    return re.sub(r"posts the blind of 1\b", "posts the blind of 3", hand, count=1)


EDITS = {"awards": pay_more, "blind": wrong_blind}


def violations(found: Checked) -> set[int]:
    """The numbers of hands in violation."""
    return {n for n, verdict in zip(found.numbers, found.verdicts, strict=True) if verdict == "violation"}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("game", GAMES)
def test_damage_alone_is_no_violation(game: str, damage: str) -> None:
    log = Log(game, 1)
    assert not violations(log.check())
    DAMAGES[damage](log)
    found = log.check()
    assert "damaged" in found.verdicts
    assert not violations(found), [f for f in found.findings if f.verdict == "violation"]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("place", [5, 35])
def test_damage_elsewhere_hides_no_edit(game: str, edit: str, damage: str, place: int) -> None:
    log = Log(game, 1)
    DAMAGES[damage](log)
    number = place + 1
    at = next(k for k, hand in enumerate(log.hands) if f"Round #{number}," in hand)
    edited = EDITS[edit](log.hands[at])
    assert edited != log.hands[at]
    log.hands[at] = edited
    assert number in violations(log.check())


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("game", GAMES)
def test_a_marker_above_a_hand_or_a_hand_lost_explains_nothing_within_it(game: str, edit: str) -> None:
    for damage in (marker_between, hand_lost):
        log = Log(game, 1)
        damage(log)
        at = next(k for k, hand in enumerate(log.hands) if "Round #22," in hand)
        log.hands[at] = EDITS[edit](log.hands[at])
        assert 22 in violations(log.check())


# Koper and the ACPC


def damaged(hands: list[str], place: int, inside: int) -> Iterator[list[str]]:
    """A log's hands with a marker above one and inside it, with it doubled, lost and cut short."""
    hand = hands[place].splitlines(keepends=True)
    before, after = hands[:place], hands[place + 1 :]
    yield [*before, "=======\n", hands[place], *after]
    yield [*before, *hand[:inside], "=======\n", *hand[inside:], *after]
    yield [*before, hands[place], hands[place], *after]
    yield [*before, *after]
    if inside:
        yield [*before, *hand[:inside], *after]
        yield [*before, *hand[:inside], *hand[inside + 1 :], *after]


def split(text: str, form: str) -> list[str]:
    """What stands above the first line of a form, and the text from each on."""
    starts = [0, *(found.start() for found in re.finditer(form, text, re.MULTILINE)), len(text)]
    return [text[a:b] for a, b in pairwise(starts)]


@pytest.mark.parametrize("name", ["v1-mixed.txt", "v1-folds.txt", "v2-mixed.all_games.txt"])
def test_damage_to_a_game_of_koper_is_no_violation_and_hides_none(name: str, sample_logs: Path) -> None:
    games = split((sample_logs / "koper" / name).read_text(), r"^--- (Starting|Match \d+ \|) Game")
    edited = list(games)
    edited[9] = re.sub(r"(Equity: )\d+\.\d\d", r"\g<1>33.33", games[9], count=1)
    assert edited[9] != games[9]
    for place in (4, len(games) - 3):
        whole = koper.replay_text("".join(games).encode())
        for damage, both in zip(damaged(games, place, 6), damaged(edited, place, 6), strict=True):
            found = koper.replay_text("".join(damage).encode())
            hands = [row["verdict"] for row in found.hands]
            assert "violation" not in hands
            assert hands.count("damaged") <= 2
            assert abs(len(hands) - len(whole.hands)) <= 1
            found = koper.replay_text("".join(both).encode())
            assert [row["rule"] for row in found.wrong if row["verdict"] == "violation"] == ["win-prob"]


@pytest.mark.parametrize("name", ["Ash.Birch.Cedar.0.log", "limit.log", "six-max.log"])
def test_damage_to_a_hand_of_the_acpc_is_no_violation_and_hides_none(name: str, sample_logs: Path) -> None:
    hands = split((sample_logs / "acpc" / name).read_text(), r"^(STATE|SCORE):")
    for edited in (5, 12):
        wrong = list(hands)
        at = re.search(r"(?<=:)[2-9TJQKA][cdhs]", hands[edited])
        assert at
        card = "2c" if at[0] != "2c" else "2d"
        wrong[edited] = hands[edited][: at.start()] + card + hands[edited][at.end() :]
        for damage, both in zip(damaged(hands, 12, 0), damaged(wrong, 12, 0), strict=True):
            assert not acpc.check("".join(damage).encode()).verdicts["violation"]
            found = acpc.check("".join(both).encode())
            is_there = wrong[edited] in both
            assert (found.verdicts["violation"] > 0) == is_there
