"""A log that fits two games is read as the more general one, and the ledger says so; what a user's word is worth."""

import re
from pathlib import Path

import pytest
from support.stores import rows

from railbird.analytics.standings import competitions
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate

WHY = "may be river-of-blood as well, since no river card is red"


def _has_a_red_river(text: str) -> bool:
    rivers = re.findall(r"^River \[((?:\w\w ){4})(\w\w)\]", text, re.MULTILINE)
    return any(last[1] in "dh" for _, last in rivers)


def doubts(store: Path) -> list[str]:
    with open_store(store) as opened:
        return [doubt.text for found in competitions(opened) for doubt in found.doubts]


@pytest.mark.parametrize("game", ["holdem-mit", "river-of-blood"])
def test_plain_logs_without_a_red_river_may_be_river_of_blood(game: str, tmp_path: Path) -> None:
    wanted = {}
    for seed in range(12):
        log = tmp_path / f"{seed:02}.txt"
        text = simulate(game, [("Ann", "random"), ("Bea", "calling-station")], hands=1 + seed // 3, seed=seed)
        log.write_text(text)
        wanted[str(log)] = None if _has_a_red_river(text) else f"{WHY}: 1 of 1"
    assert {None, f"{WHY}: 1 of 1"} == set(wanted.values())
    summary = ingest([tmp_path], tmp_path / "store")
    assert {file["path"]: file["reason"] for file in rows(tmp_path / "store", "files")} == wanted
    assert {account.status for account in summary.files} == {"ok"}
    unsure = sum(reason is not None for reason in wanted.values())
    assert f"unsure    {unsure} matches {WHY} (--game decides, in a new store)" in summary.lines()
    said = f"{unsure} matches are of a log that may be of another game"
    assert [text for text in doubts(tmp_path / "store") if text.startswith(said)]
    # What the user says is not in doubt.
    ingest([tmp_path], tmp_path / "told", game=game)
    assert not [text for text in doubts(tmp_path / "told") if "another game" in text]
    assert {file["reason"] for file in rows(tmp_path / "told", "files")} == {None}


LINES = {
    "koper": "koper/v2-mixed.all_games.txt",
    "acpc": "acpc/Heron.Otter.0.log",
    "blotto": "blotto/2021-01-27.txt",
    "permutation": "permutation/initial.txt",
    "toss": "toss/2026.txt",
    "holdem-mit": "holdem-mit/base.txt",
}


@pytest.mark.parametrize("game", [*LINES, "bounty", "auction", "swap", "river-of-blood"])
def test_lines_of_another_kind_of_game_are_not_replayed_by_a_game_s_rules(
    game: str, tmp_path: Path, sample_logs: Path
) -> None:
    """In kernels nothing would keep a seat of five in an array of two."""
    alike = {"koper", "acpc", "blotto", "permutation"}
    ingest([sample_logs / name for name in LINES.values()], tmp_path, game=game)
    read = {Path(row["path"]).parent.name for row in rows(tmp_path, "files") if row["status"] != "rejected"}
    assert read == ({game} if game in alike else {"holdem-mit", "toss"})
    for row in rows(tmp_path, "files"):
        if row["status"] == "rejected":
            assert f"--game {game}: lines of " in row["reason"]
    # Told nothing, or something that fits, railbird reads them.
    summary = ingest([sample_logs / name for name in LINES.values()], tmp_path)
    assert len(summary.unchanged) == len(read)
    assert {row["status"] for row in rows(tmp_path, "files")} == {"ok"}
