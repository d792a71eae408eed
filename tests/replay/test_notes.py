"""Notes: what records say of decisions beside them, in a table of their own; and how large a document may be."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from railbird.analytics.store import open_store
from railbird.cli import main
from railbird.ingest import ingest


def hand(spoken: float) -> dict[str, Any]:
    """A hand of live-poker-bench in which the dealer of two folds."""
    return {
        "hand_number": 1,
        "blind_level": 1,
        "button_seat": 0,
        "blinds": {"small": 1, "big": 2},
        "players": [{"seat": 0, "name": "Ash", "stack_start": 50}, {"seat": 1, "name": "Elm", "stack_start": 50}],
        "hole_cards": {"0": ["Ah", "Kd"], "1": ["2c", "7d"]},
        "community_cards": [],
        "actions": [
            {"street": "preflop", "seat": 0, "action": "raise", "amount": 6, "thinking_time_ms": spoken, "retries": 0},
            {"street": "preflop", "seat": 1, "action": "fold", "amount": 0, "thinking_time_ms": 40.0, "retries": 2},
        ],
        "showdown": {},
        "winners": [0],
        "pot": 4,
        "pots_awarded": {"0": 4},
    }  # fmt: skip


def test_what_took_how_long_is_a_note_of_its_decision(tmp_path: Path) -> None:
    log = tmp_path / "hand_001.json"
    log.write_text(json.dumps(hand(1500.0)))
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        rows = store.execute("""
            select action, seconds, status from notes join actions using (match_id, hand_index, seq, seat) order by seq
            """).fetchall()
    assert rows == [("raise", 1.5, None), ("fold", 0.04, "2 retries")]


def test_seconds_a_decision_are_counted_by_player_and_street(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number, spoken in enumerate((1500.0, 500.0, 4000.0), 1):
        text = json.dumps(hand(spoken) | {"hand_number": number})
        (logs / f"hand_{number:03}.json").write_text(text)
    ingest([logs], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        rows = store.execute("""
            select player, street, n, mean, low, high, median, worst, total, worst_hand
            from decision_times order by player
            """).fetchall()
        against = store.execute(
            "select player, opponent, n from decision_times_by_opponent order by 1"
        ).fetchall()
    # Seconds 1.5, 0.5 and 4, one decision a hand: mean 2, se = sqrt(6.5 / 2 / 3), t of 2 degrees of freedom 4.3027.
    mean, half = 2.0, 4.302653 * math.sqrt(6.5 / 2 / 3)
    ash, elm = rows
    assert ash == ("Ash", 0, 3, mean, 0.0, pytest.approx(mean + half), 1.5, 4.0, 6.0, 2)
    assert elm[:3] == ("Elm", 0, 3) and elm[6:9] == pytest.approx((0.04, 0.04, 0.12))
    assert against == [("Ash", "Elm", 3), ("Elm", "Ash", 3)]
    assert main(["stats", "--show", "times", "--store", str(tmp_path / "store")]) == 0
    shown = capsys.readouterr().out
    assert "Seconds a decision" in shown and "0 to 6.48" in shown


def test_a_document_larger_than_allowed_is_refused_in_one_line(tmp_path: Path) -> None:
    log = tmp_path / "hand_001.json"
    log.write_text(json.dumps(hand(1.0) | {"padding": "x" * (1 << 20)}))
    summary = ingest([log], tmp_path / "store", max_document=1)
    assert [account.status for account in summary.files] == ["rejected"]
    (complaint,) = summary.complaints
    assert complaint.endswith("a JSON document of 1.0 MB, --max-document is 1 MB")
    assert ingest([log], tmp_path / "store", max_document=2).files[0].hands_stored == 1


@pytest.mark.parametrize("text", ["[" * 100_000, '{"gamelog_1": ', "{}"])
def test_a_document_that_is_none_costs_its_file_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    (tmp_path / "b.json").write_text(json.dumps(hand(1.0)))
    summary = ingest([tmp_path / "a.json", tmp_path / "b.json"], tmp_path / "store")
    assert sorted(account.status for account in summary.files)[-1] == "rejected"
    assert sum(account.hands_stored for account in summary.files) == 1
    assert len(summary.complaints) == 1
