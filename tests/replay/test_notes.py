"""Notes: what records say of decisions beside them, in a table of their own; and how large a document may be."""

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from oracles.facing import half_width
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


def test_hands_with_slow_decisions_are_compared_with_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs, folded, seconds = (
        tmp_path / "logs",
        {3, 20, 38, 39, 40},
        [*(100.0 + k for k in range(36)), *[9000.0] * 4],
    )
    logs.mkdir()
    for number, spoken in enumerate(seconds, 1):
        made = hand(spoken) | {"hand_number": number, "pot": 8, "pots_awarded": {"0": 8}}
        if number in folded:
            made["actions"] = [made["actions"][0] | {"action": "fold", "amount": 0}]
            made |= {"winners": [1], "pot": 3, "pots_awarded": {"1": 3}}
        (logs / f"hand_{number:03}.json").write_text(json.dumps(made))
    ingest([logs], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        (row,) = store.execute("""
            select slow_hands, slow_bb_per_100, slow_low, slow_high, other_hands, other_bb_per_100, other_low,
              other_high, slow_difference, slow_difference_low, slow_difference_high, bank_used, bank_share
            from decision_times where player = 'Ash'
            """).fetchall()
    # A fold costs the small blind, half a bb; a raise wins the big one.
    won = [-50.0 if number in folded else 100.0 for number in range(1, 41)]
    figures, halves = list[float](), list[float]()
    for some in (won[36:], won[:36]):
        mean, half = sum(some) / len(some), half_width(some, [1] * len(some))
        assert half is not None
        figures += [len(some), mean, mean - half, mean + half]
        halves.append(half)
    difference, half = figures[1] - figures[5], math.hypot(*halves)
    assert row[:11] == pytest.approx((*figures, difference, difference - half, difference + half))
    assert row[11:] == (None, None)
    assert main(["stats", "--show", "times", "--store", str(tmp_path / "store")]) == 0
    shown = capsys.readouterr().out
    assert (
        "whether slow decisions lose is open" in shown and "Do slow decisions lose? Hands with one" in shown
    )
    assert "time bank was used" not in shown


def test_the_share_of_a_time_bank_is_that_of_the_log(corpus: Path, tmp_path: Path) -> None:
    log = corpus / "other-engines/pypokerengine/real/game_01.json"
    document = json.loads(log.read_text())
    names = {seat["uuid"]: seat["name"] for seat in document["seats"]}
    banks: dict[str, list[tuple[int, float]]] = {}
    for played in document["rounds"]:
        for street, word in enumerate(("preflop", "flop", "turn", "river")):
            for action in played["round_state"]["action_histories"].get(word, []):
                if "bot" in action:
                    banks.setdefault(names[action["uuid"]], []).append((street, action["bot"]["time_bank"]))
    told = {
        (name, street): sum(
            before - after for (_, before), (at, after) in pairwise(left) if at == street and after < before
        )
        for name, left in banks.items()
        for street, _ in left
    }
    assert max(told.values()) > 5
    ingest([log], tmp_path)
    with open_store(tmp_path) as store:
        rows = store.execute("select player, street, bank_used, bank_share from decision_times").fetchall()
    assert {row[:2] for row in rows} == told.keys()
    for player, street, used, share in rows:
        assert (used or 0.0) == pytest.approx(told[player, street], abs=0.01)
        assert (share or 0.0) == pytest.approx(told[player, street] / banks[player][0][1], abs=1e-3)


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
