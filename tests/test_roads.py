"""One road a game, as a user goes it: ingest, verify, ask, draw the report. All games share a store and a report."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from support.commands import railbird

SAMPLES = ROOT / "sample_logs"
GAMES = sorted(folder.name for folder in SAMPLES.iterdir() if folder.is_dir())
# Of other games the smallest log is taken.
LOGS = {"acpc": "Heron.Otter.0.log", "koper": "v1-folds.txt"}


def log_of(game: str) -> Path:
    folder = SAMPLES / game
    if game in LOGS:
        return folder / LOGS[game]
    return min(folder.glob("*.txt"), key=lambda path: path.stat().st_size)


def text_of(page: Path) -> str:
    """What stands on a page, its tags and scripts left out."""
    source = re.sub(r"<(script|style)\b.*?</\1>", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", source))


def as_list(cell: object) -> list[object]:
    """A list of a command's JSON, which may be written as text."""
    found: list[object] = json.loads(cell) if isinstance(cell, str) else cell  # type: ignore[assignment]
    return found


def asked(folder: Path, *words: str) -> list[dict[str, Any]]:
    """The rows of a command's JSON."""
    ended = railbird(folder, *words, "--format", "json")
    assert ended.returncode == 0, ended.stderr
    rows: list[dict[str, Any]] = json.loads(ended.stdout)
    return rows


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of one log a game, what `verify` prints of it, and its report."""
    folder = tmp_path_factory.mktemp("roads")
    ended = railbird(folder, "ingest", *(str(log_of(game)) for game in GAMES))
    assert ended.returncode == 0, ended.stderr
    ended = railbird(folder, "verify")
    assert ended.returncode in (0, 1), ended.stderr
    (folder / "verified").write_text(ended.stdout)
    ended = railbird(folder, "report")
    assert ended.returncode == 0, ended.stderr
    return folder


@pytest.fixture(scope="module")
def files(made: Path) -> dict[str, dict[str, Any]]:
    """The row of `files` of each game's log, with the players of its first match."""
    query = """
        select path, hands_stored, hands_seen, arg_min(match_id, m.line) as match_id,
            arg_min(m.players, m.line) as players
        from files join matches as m using (file_id) group by all"""
    found = {row["path"]: row for row in asked(made, "sql", query)}
    return {game: found[str(log_of(game))] for game in GAMES if str(log_of(game)) in found}


@pytest.fixture(scope="module")
def counted(made: Path) -> set[tuple[str, str]]:
    """The events and players of which `stats` has rows; an event is a game's folder."""
    return {(row["event"], row["player"]) for row in asked(made, "stats")}


def test_there_are_samples_of_ten_games() -> None:
    assert len(GAMES) >= 10


@pytest.mark.parametrize("game", GAMES)
def test_a_log_becomes_a_store_and_a_report(
    game: str, made: Path, files: dict[str, dict[str, Any]], counted: set[tuple[str, str]]
) -> None:
    row = files[game]
    hands = sum(line.startswith(("Round #", "STATE:")) for line in log_of(game).read_text().splitlines())
    stored, seen = float(row["hands_stored"]), float(row["hands_seen"])
    assert stored == seen == (hands or seen) > 0
    # Of Koper's matches, which are several, one is enough.
    players = [str(name) for name in as_list(row["players"])]
    assert len(players) >= 2
    assert (made / "verified").read_text()
    assert {(game, player) for player in players} <= counted
    report, name = made / "railbird-report", f"match-{row['match_id']}.html"
    text = text_of(report / name)
    assert all(player in text for player in players)
    assert any(name in page.read_text() for page in report.glob("*.html") if page.name != name)
