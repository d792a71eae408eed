"""The slow Koper against the exact stacks of engine runs, and against railbird, on every log of the corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.koper import Replay, replay_file

from oracles import koper

# Bets, pots and stubs are printed to the cent; a capped prize multiplies what is lost by four.
CENTS = 0.2


def _truth(log: Path) -> list[list[list[float]]]:
    """The stacks at the start of each game, by match."""
    stem = f"{log.parent.name}_{log.name.split('.')[0]}"
    found: list[list[list[float]]] = []
    last = 10**9
    for game in json.loads((log.parents[1] / "truth" / f"{stem}.json").read_text())["start_of_game_stacks"]:
        if game["game"] <= last:
            found.append([])
        last = game["game"]
        found[-1].append(game["stacks"])
    return found


def _has_namesakes(log: Path) -> bool:
    stem = f"{log.parent.name}_{log.name.split('.')[0]}"
    truth: dict[str, Any] = json.loads((log.parents[1] / "truth" / f"{stem}.json").read_text())
    return log.parent.name == "v2" and len(set(truth["kinds"])) < 5


@pytest.mark.corpus_files("koper/v1/*.txt", "koper/v2/*.all_games.txt")
def test_the_engine_pays_what_the_oracle_says(corpus_file: Path) -> None:
    if _has_namesakes(corpus_file):
        pytest.skip("the oracle tells players apart by name")
    version, compared = int(corpus_file.parent.name[1]), 0
    for games, stacks in zip(koper.read(corpus_file.read_text()), _truth(corpus_file), strict=True):
        for k, game in enumerate(games[:-1]):
            paid = koper.engine(game, version)
            for seat, player in game.seats.items():
                after = stacks[k][seat] - player.contribution + paid.get(seat, 0)
                if player.hole and (player.out_at is None or paid.get(seat)):
                    assert after == pytest.approx(stacks[k + 1][seat], abs=CENTS)
                    compared += 1
    assert compared


@pytest.mark.corpus_files("koper/v1/*.txt", "koper/v2/*.all_games.txt")
def test_replay_pays_what_the_oracle_says(corpus_file: Path) -> None:
    if _has_namesakes(corpus_file):
        pytest.skip("the oracle tells players apart by name")
    version = int(corpus_file.parent.name[1])
    replay = replay_file(corpus_file)
    assert_agreement(replay, koper.read(corpus_file.read_text()), version)


def assert_agreement(replay: Replay, matches: list[list[koper.Game]], version: int) -> None:
    """Every seat of every game: cards, contribution, pay, and what the written rules pay more."""
    rows = {(row["match"], row["hand_no"], row["seat"]): row for row in replay.seats}
    for match, games in enumerate(matches):
        for game in games:
            paid, due = koper.engine(game, version), koper.written(game)
            for seat, player in game.seats.items():
                if not player.hole and player.out_at is None:
                    continue
                row = rows[match, game.number, seat]
                assert row["hole"] == player.hole
                assert row["eliminated"] == (player.out_at is not None)
                assert row["contribution"] == pytest.approx(player.contribution, abs=1e-4)
                assert row["payout"] + row["redistributed"] == pytest.approx(paid.get(seat, 0), abs=CENTS)
                assert row["written_off"] == pytest.approx(due.get(seat, 0) - paid.get(seat, 0), abs=CENTS)
                assert row["engine_off"] == 0
                assert row["delta"] == pytest.approx(paid.get(seat, 0) - player.contribution, abs=CENTS)
