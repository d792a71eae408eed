"""What a player is called tells no dialect: the same match under names that look like lines of other engines."""

from pathlib import Path

import pytest
from support.stores import rows

from railbird.ingest import ingest
from railbird.replay.simulate import simulate

NAMES = [
    ("P's hand", "P's hand: [Ah Kd]"),
    ("won the auction", "Players submitted bids of"),
    ("Current stacks: 1, 2", "Winning counts at the end of the round"),
    ("x response misformatted: ", "x"),
    ("Bounties reset to 2 for player", "Discard 1 [Ah"),
    ("Run [", "A bids 5"),
]
GAMES = ("holdem-mit", "bounty", "river-of-blood", "auction", "swap", "toss", "permutation", "blotto")


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_of_its_game_whatever_its_players_are_called(game: str, tmp_path: Path) -> None:
    for number, (first, second) in enumerate(NAMES):
        text = simulate(game, [(first, "random"), (second, "faulty")], hands=30, seed=number)
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    ingest([tmp_path], tmp_path / "store")
    found = sorted((row["game"], row["players"]) for row in rows(tmp_path / "store", "matches"))
    assert found == sorted((game, list(names)) for names in NAMES)
    assert not [row for row in rows(tmp_path / "store", "findings") if row["verdict"] == "violation"]
    assert not rows(tmp_path / "store", "unknown_lines")
