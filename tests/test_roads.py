"""One road a game, as a user goes it: ingest, verify, ask, draw the report."""

import html
import json
import re
from pathlib import Path

import pytest
from conftest import ROOT, Run

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


def test_there_are_samples_of_ten_games() -> None:
    assert len(GAMES) >= 10


@pytest.mark.parametrize("game", GAMES)
def test_a_log_becomes_a_store_and_a_report(game: str, tmp_path: Path, run: Run) -> None:
    store, out = tmp_path / "store", tmp_path / "report"
    code, _, wrong = run("ingest", log_of(game), "--store", store)
    assert code == 0, wrong

    def asked(query: str) -> list[dict[str, object]]:
        code, said, wrong = run("sql", query, "--store", store, "--format", "json")
        assert code == 0, wrong
        rows: list[dict[str, object]] = json.loads(said)
        return rows

    hands = sum(line.startswith(("Round #", "STATE:")) for line in log_of(game).read_text().splitlines())
    ((counts,),) = (asked("select sum(hands_stored) as stored, sum(hands_seen) as seen from files"),)
    assert (
        float(str(counts["seen"]))
        == float(str(counts["stored"]))
        == (hands or float(str(counts["seen"])))
        > 0
    )
    # Koper's log holds several matches; pages of one of them are enough.
    match = asked("select match_id, players from matches order by line limit 1")[0]
    players = [str(name) for name in as_list(match["players"])]
    assert len(players) >= 2

    code, said, wrong = run("verify", "--store", store)
    assert code in (0, 1) and said, wrong
    code, said, wrong = run("stats", "--store", store)
    assert code == 0 and all(player in said for player in players), wrong
    code, said, wrong = run("report", "--match", match["match_id"], "--store", store, "--out", out)
    assert code == 0, wrong
    (page,) = out.glob("match-*.html")
    assert page.stem == f"match-{match['match_id']}"
    for text in (text_of(out / "index.html"), text_of(page)):
        assert all(player in text for player in players)
