"""From logs to an answer in a counted number of commands, as somebody at a contest goes.

Twelve scrimmage logs to why a bot loses, in two: analytics/test_why.py. From a folder to the winner, from a suspicion
to the hands: here. A journey's fixture counts the commands; each does what the one before it printed. They take a
minute of processor time, so the suite leaves them out: `make journeys`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from arena.tournaments import tournament
from conftest import Run
from support.arena_logs import log_text

from railbird.replay.simulate import simulate

pytestmark = pytest.mark.skipif(
    not os.environ.get("RAILBIRD_JOURNEYS"), reason="RAILBIRD_JOURNEYS is not set: `make journeys` runs them"
)

Go = Callable[..., tuple[int, str]]
TEAMS = [f"Team {letter}" for letter in "ABCDEFGHIJ"]


@pytest.fixture
def go(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Go:
    """Runs a command of a journey in its folder: exit code and standard output. The count is its attribute."""
    monkeypatch.chdir(tmp_path)
    asked: list[tuple[object, ...]] = []

    def call(*words: object) -> tuple[int, str]:
        asked.append(words)
        code, out, err = run(*words)
        assert code in (0, 1), err
        return code, out

    call.asked = asked  # type: ignore[attr-defined]
    return call


def count(go: Go) -> int:
    found: list[object] = go.asked  # type: ignore[attr-defined]
    return len(found)


def test_a_tournament_of_ten_teams_is_a_published_page_in_two_commands(go: Go, tmp_path: Path) -> None:
    (tmp_path / "cup").mkdir()
    won: Counter[str] = Counter()
    for k, one in enumerate(TEAMS):
        other = TEAMS[(k + 1) % len(TEAMS)]
        text = simulate("holdem-mit", [(one, "maniac"), (other, "calling-station")], 8, k)
        (tmp_path / "cup" / f"{k}.txt").write_text(text, newline="")
        for name, chips in re.findall(r"^(Team .) awarded (-?\d+)", text, re.MULTILINE):
            won[name] += int(chips)
    go("ingest", "cup")
    _, out = go("report", "--public", "--title", "Autumn cup")
    assert count(go) == 2
    page = Path(out.strip()).read_text(encoding="utf-8")
    winner, chips = won.most_common(1)[0]
    assert "<title>Autumn cup" in page
    assert all(team in page for team in TEAMS)
    first = re.sub(r"<[^>]*>", " ", page.partition("<main")[2])
    assert re.search(rf"{winner}\b", first)
    assert re.search(rf"\+{chips:,}\b", first)


def test_a_suspicion_at_tables_of_three_is_three_hands_in_three_commands(go: Go, tmp_path: Path) -> None:
    truth = tournament("acpc/kuhn.limit.3p", 3, "dump", 1.0, hands=600, players=5)
    assert truth.planted is not None
    (tmp_path / "cup").mkdir()
    for number, match in enumerate(truth.matches):
        (tmp_path / "cup" / f"{number:03d}.log").write_text(log_text(match))
    go("ingest", "cup")
    code, out = go("collusion")
    assert code == 1
    first = next(line for line in out.splitlines() if re.match(r" *1 ", line))
    assert all(name in first for name in truth.planted)
    # Below the table the pair has three hands by a name to type, each with what was done in it.
    hands = re.findall(r"^  (\d{3}\.log#\d+): .*", out.partition(" with ")[2], re.MULTILINE)
    assert len(hands) >= 3
    code, shown = go("replay", hands[0])
    assert count(go) == 3
    assert all(name in shown for name in truth.planted)
