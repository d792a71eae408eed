"""Logs that no sane match writes: what is too much for a column is told or left null, and nothing else suffers."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from support.stores import rows

import railbird
from railbird.ingest import ingest

SAMPLES = ROOT / "sample_logs"


def _stored(folder: Path, text: str, name: str = "log.txt") -> Path:
    (folder / name).write_text(text)
    ingest([folder / name], folder / "store")
    return folder / "store"


def _asked(store: Path, query: str) -> list[Any]:
    with railbird.open(store) as opened:
        found: list[Any] = opened.execute(query).fetchall()
    return found


def _raises(count: int) -> str:
    """A match whose first hand is so many raises of the least amount, and a fold."""
    raised = [f"{'AB'[k % 2]} raises to {4 + 2 * k}" for k in range(count)]
    folder, lost = "AB"[count % 2], 2 + 2 * (count - 1)
    sign = {folder: -lost, "BA"[count % 2]: lost}
    lines = [
        *("6.9630 MIT Pokerbots - A vs B", "", "Round #1, A (0), B (0)"),
        *("A posts the blind of 1", "B posts the blind of 2", "A dealt [Ts Ad]", "B dealt [2c 4s]", *raised),
        *(f"{folder} folds", f"A awarded {sign['A']}", f"B awarded {sign['B']}", ""),
        *(f"Round #2, B ({sign['B']}), A ({sign['A']})", "B posts the blind of 1", "A posts the blind of 2"),
        *("B dealt [Ts Ad]", "A dealt [2c 4s]", "B folds", "B awarded -1", "A awarded 1", ""),
        f"Final, A ({sign['A'] + 1}), B ({sign['B'] - 1})",
    ]
    return "\n".join(lines) + "\n"


def test_a_street_may_have_more_raises_than_a_byte_counts(tmp_path: Path) -> None:
    store = _stored(tmp_path, _raises(190))
    assert _asked(store, "select distinct verdict from hands") == [("ok",)]
    found = _asked(
        store,
        "select seq, bet_level, active_players, board_no from actions where hand_index = 0 order by seq",
    )
    assert found == [(seq, max(seq - 1, 0), 2, None) for seq in range(193)]


def test_a_hand_of_more_actions_than_a_column_counts_is_damaged(tmp_path: Path) -> None:
    store = _stored(tmp_path, _raises(5000))
    assert _asked(store, "select verdict from hands order by hand_index") == [("damaged",), ("ok",)]
    assert _asked(store, "select max(seq), max(bet_level) from actions where hand_index = 0") == [
        (3999, 3998)
    ]


@pytest.mark.parametrize("name", ["holdem-mit/base.txt", "blotto/2021-01-27.txt", "koper/v1-mixed.txt"])
def test_a_card_that_lies_further_below_its_hand_than_a_column_counts_has_no_line(
    tmp_path: Path, name: str
) -> None:
    lines = (SAMPLES / name).read_text().split("\n")
    at = next(k for k, line in enumerate(lines) if line.startswith(("Flop", "Visible")))
    store = _stored(tmp_path, "\n".join([*lines[:at], *["garbage"] * 40_000, *lines[at:]]))
    [(lacking, known, least)] = _asked(
        store,
        """select count(*) filter (where d.line is null), count(d.line), min(d.line - h.line)
        from deals d join hands h using (match_id, hand_index)""",
    )
    assert 0 < lacking < 20 < known and least > 0


@pytest.mark.parametrize("raises", [1, 40])
def test_every_finding_is_listed_however_many_a_hand_has(tmp_path: Path, raises: int) -> None:
    """No raise of 1 chip is legal after the first."""
    lines = ["# name/game/hands/seed acpc holdem.nolimit.2p.reverse_blinds.game 10 0"]
    for number in range(10):
        bets = "".join(f"r{201 + k}" for k in range(raises + 1))
        won, names = 200 + raises, ("A|B", "B|A")[number % 2]
        left, right = (won, -won) if raises % 2 else (-won, won)
        lines.append(f"STATE:{number}:{bets}f:AhKd|2c3d:{left}|{right}:{names}")
    store = _stored(tmp_path, "\n".join(lines) + "\n", "match.log")
    counts = Counter(row["hand_index"] for row in rows(store, "findings") if row["rule"] == "too-small")
    assert counts == dict.fromkeys(range(10), raises)


@pytest.mark.parametrize("name", ["holdem-mit/base.txt", "blotto/2021-01-27.txt", "acpc/Heron.Otter.0.log"])
def test_of_several_merge_markers_before_a_hand_none_is_lost(tmp_path: Path, name: str) -> None:
    lines = (SAMPLES / name).read_text().split("\n")
    at = [k for k, line in enumerate(lines) if line.startswith(("Round #", "STATE"))][3]
    markers = ["<<<<<<< HEAD", "=======", ">>>>>>> other"]
    store = _stored(tmp_path, "\n".join([*lines[:at], *markers, *lines[at:]]), Path(name).name)
    assert [row["line"] for row in rows(store, "findings") if row["rule"] == "marker"] == [at + 1]
    assert sorted(row["line"] for row in rows(store, "unknown_lines")) == [at + 2, at + 3]


def test_who_holds_no_card_discards_none(tmp_path: Path) -> None:
    lines = (SAMPLES / "toss" / "2026.txt").read_text().split("\n")
    at = next(k for k, line in enumerate(lines) if " discards " in line)
    who = lines[at].split(" discards ")[0]
    dealt = max(k for k in range(at) if lines[k].startswith(f"{who} dealt ["))
    store = _stored(tmp_path, "\n".join([*lines[:dealt], f"{who} dealt []", *lines[dealt + 1 :]]))
    hurt = _asked(store, "select distinct hand_index from findings where verdict = 'damaged'")
    assert len(hurt) == 1
    assert _asked(store, f"select verdict, count(*) from hands where hand_index <> {hurt[0][0]} group by 1")
