"""The study of how like its player a clone plays, on a small scale."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from bench import clones

from railbird.replay.bots import bot_of


def test_the_area_is_the_share_of_pairs_in_order() -> None:
    rng = Random(1)
    score = np.array([rng.randrange(6) for _ in range(60)], np.float64)
    y = np.array([rng.randrange(2) for _ in range(60)])
    pairs = list(product(score[y == 1], score[y == 0]))
    assert clones.auc(score, y) == pytest.approx(sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs))
    assert clones.auc(np.array([0.0, 1.0]), np.array([0, 1])) == 1


def test_a_clone_is_like_its_player_and_another_bot_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clones, "BOTS", ("loose-aggressive", "calling-station", "maniac"))
    monkeypatch.setattr(clones, "OPPONENTS", 2)
    row = clones.judge(tmp_path, "bounty", "loose-aggressive", 600, 400)
    assert row.hands == 600
    assert row.rates >= 5
    assert row.agree > row.rates / 2
    assert row.auc < 0.7
    # In the place of the clone another bot.
    monkeypatch.setattr(clones, "Clone", lambda rng, model: bot_of("calling-station", rng))
    other = clones.judge(tmp_path / "other", "bounty", "loose-aggressive", 600, 400)
    assert other.auc > 0.7
    assert other.agree < row.agree
    page = clones.report([row, other], "bounty")
    assert f"| loose-aggressive | 600 | 400 | {row.agree} of {row.rates} | {row.auc:.3f} |" in page
    assert "Not played yet: calling-station, maniac." in page


def test_it_goes_on_only_with_what_has_the_same_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Path, str, int, int]] = []

    def judge(folder: Path, game: str, style: str, hands: int, played: int) -> clones.Row:
        asked.append((folder, style, hands, played))
        return clones.Row(style, hands, played, 1, 1, 0.5, 10, [])

    monkeypatch.setattr(clones, "judge", judge)

    def page(hands: int, played: int, style: str, game: str = "bounty") -> str:
        """The page after one style is judged."""
        given = ("--hands", hands, "--played", played, "--only", style, "--game", game)
        paths = ("--work", tmp_path / "work", "--out", tmp_path / "page.md")
        monkeypatch.setattr(sys, "argv", ["clones.py", *map(str, (*given, *paths))])
        assert clones.main() == 0
        return (tmp_path / "page.md").read_text("utf-8")

    first = page(600, 400, "maniac")
    assert "| maniac | 600 | 400 |" in first
    assert page(600, 400, "maniac") == first
    assert len(asked) == 1
    both = page(600, 400, "random")
    assert "| maniac | 600 | 400 |" in both
    assert "| random | 600 | 400 |" in both
    for hands, played, game in ((600, 500, "bounty"), (700, 400, "bounty"), (600, 400, "holdem-mit")):
        other = page(hands, played, "maniac", game)
        assert f"| maniac | {hands} | {played} |" in other
        assert "| random |" not in other
    assert len(asked) == 5
    # Neither are logs and stores shared.
    assert len({folder for folder, *_ in asked}) == 4
