"""Koper's stacks where few lines tell them: eliminations, games that are damaged, matches without a showdown."""

from pathlib import Path

import pytest
from support import koper
from support.koper import Replay

from railbird.replay.koper.chunk import NOBODY_SITS

CARDS = ["Ts", "8c", "6h", "4d", "3s", "9d", "7c", "5h", "Jc", "2s"]
BOARD = "'2d', '2h', '4h', '7h', '4c'"
NAMES = ("Ash", "Birch", "Cedar", "Dogwood", "Elm")


def _dealt(game: int, names: tuple[str, ...] = NAMES) -> list[str]:
    """A game of version 2 as far as the flop."""
    holes = [f"['{CARDS[2 * k]}', '{CARDS[2 * k + 1]}'] dealt to {name}" for k, name in enumerate(names)]
    return [
        *(f"--- Match 1 | Game {game} ---", "", "Round 0 starting: Buy-ins and Dealing", *holes),
        *(f"The community cards are: [{BOARD}]", ""),
        "Round 1 starting: Flop Betting",
        "Visible Community Cards for Round 1 (Flop): ['2d', '2h', '4h']",
    ]


def _won(pot: float) -> list[str]:
    """Elm bets the least, and nobody else is left."""
    said = f"Elm wins by fold! Pot: ${pot:.2f}. Payout: ${pot:.2f}"
    return [
        *("Equity: 50.00%, Elm chose to bet $100.00.", "", "*** EARLY WINNER (Fold Equity) ***", said, "", "")
    ]


def _aborted(game: int, dealt: tuple[str, ...] = ()) -> list[str]:
    """A game that nobody or one can play."""
    return [
        *(f"--- Match 1 | Game {game} ---", "", "Round 0 starting: Buy-ins and Dealing", *dealt),
        *(f"The community cards are: [{BOARD}]", "Not enough players to continue match.", ""),
    ]


def _log(*games: list[str]) -> Replay:
    lines = ["TOURNAMENT LOG", "====================", "", *(line for game in games for line in game)]
    return koper.replay_text("\n".join(lines).encode() + b"\n")


def _starts(found: Replay) -> object:
    return found.outcomes[0].columns["starting_stacks"]


def test_where_all_are_eliminated_on_the_flop_nobody_receives_anything() -> None:
    out = [f"{name} eliminated! Stack (50.00) < 100." for name in NAMES]
    found = _log([*_dealt(1), *out, "All players folded! Pot redistributes.", "", ""], _aborted(2))
    assert not found.wrong
    assert _starts(found) == [150.0] * 5
    # Nobody sits in the second game, and the store has no hand without a seat: an ingest of this log failed on it.
    assert len(found.hands) == 1
    assert [game.reason for game in found.outcomes[0].rejected] == [NOBODY_SITS]


@pytest.mark.parametrize("stack", [400, 1000, 437.5])
def test_without_a_showdown_what_the_eliminated_have_tells_the_stack(stack: float) -> None:
    """Elm wins every game on the flop, until the others have less than 100 after a buy-in."""
    games: list[list[str]] = []
    left = stack
    while left >= 200:
        left -= 100
        folds = [f"Equity: 10.00%, {name} chose to fold." for name in NAMES[:4]]
        games.append([*_dealt(len(games) + 1), *folds, *_won(600)])
    out = [f"{name} eliminated! Stack ({left - 100:.2f}) < 100." for name in NAMES[:4]]
    games.append([*_dealt(len(games) + 1), *out, *_won(600 + 4 * (left - 100))])
    found = _log(*games, _aborted(len(games) + 1, ("['Ts', '8c'] dealt to Elm",)))
    assert not found.wrong
    assert _starts(found) == [stack] * 5


def test_what_the_eliminated_has_may_be_printed_as_the_least_stack() -> None:
    """99.996 is printed 100.00; 100.01 is not less than 100."""
    for printed, wrong in (("100.00", set()), ("100.01", {"eliminated"})):
        out = [f"{name} eliminated! Stack ({printed}) < 100." for name in NAMES]
        found = _log([*_dealt(1), *out, "All players folded! Pot redistributes.", "", ""], _aborted(2))
        assert {row["rule"] for row in found.wrong} == wrong


@pytest.mark.parametrize("name", ["v1-mixed.txt", "v2-mixed.all_games.txt"])
def test_a_decision_that_is_lost_damages_its_game_and_no_other(name: str, sample_logs: Path) -> None:
    text = (sample_logs / "koper" / name).read_bytes()
    whole = koper.replay_text(text)
    lines = text.split(b"\n")
    places = [k for k, line in enumerate(lines) if line.startswith(b"Equity") and b" in round " in line]
    assert len(places) > 20
    for place in places[::7]:
        lost = koper.replay_text(b"\n".join([*lines[:place], b"hm " + lines[place], *lines[place + 1 :]]))
        assert len(lost.hands) == len(whole.hands)
        damaged = {row["hand_index"] for row in lost.wrong}
        assert len(damaged) == 1 and {row["verdict"] for row in lost.wrong} == {"damaged"}
        assert [o.columns["starting_stacks"] for o in lost.outcomes] == [
            o.columns["starting_stacks"] for o in whole.outcomes
        ]
