"""A hand run twice: its second board, in the terminal and on the page of hands; a log that is written backwards."""

from pathlib import Path

import pytest
from conftest import Run
from support.browser import Tab
from support.pokernow import RUN_TWICE, export

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.reports.replayer import load_hand

PLAYED = [
    (0, "posts 1"),
    (0, "posts 2"),
    (0, "raises to 100"),
    (0, "calls 89"),
    (0, "folds"),
    (1, "flop [9d 8h 2c]"),
    (2, "turn [3d]"),
    (3, "river [4s]"),
]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (tmp_path / "table.csv").write_text("\n".join(export([*RUN_TWICE])) + "\n")
    ingest([tmp_path / "table.csv"], tmp_path / "store")
    return tmp_path / "store"


def test_replay_prints_both_boards(store: Path, run: Run) -> None:
    code, out, _ = run("replay", "table#0", "--store", store)
    assert code == 0
    assert "9♦ 8♥ 2♣ 3♦ 4♠ and 9♦ 8♥ 2♣ K♦ 5♠, ended by showdown" in out


def test_a_log_that_is_written_backwards_is_shown_in_the_order_of_play(store: Path) -> None:
    with open_store(store) as opened:
        steps = load_hand(opened, "table#0").steps
    assert [(step.street, step.text) for step in steps if step.kind != "deal"] == PLAYED
    lines = [step.line for step in steps if step.kind == "action"]
    assert lines == sorted(lines, reverse=True)
    assert len(set(lines)) == len(lines)


def test_the_page_shows_the_second_board_at_the_end(
    store: Path, tmp_path: Path, run: Run, page_of: Tab
) -> None:
    run("report", "--store", store, "--out", tmp_path / "report")
    with open_store(store) as opened:
        ((match,),) = opened.execute("select match_id from matches").fetchall()
    page = page_of.open(tmp_path / "report" / "replay.html", f"#{match}/0")
    page.wait_for_selector(f"body[data-ready='{match}/0']")
    steps = page.locator("#steps button").all_inner_texts()
    assert steps[:4] == [
        "The hand begins",
        "AAAAAAAAAA is dealt A♠ A♥",
        "BBBBBBBBBB is dealt K♠ K♥",
        "BBBBBBBBBB posts 1",
    ]
    assert steps[-6:] == [
        "BBBBBBBBBB calls 89",
        "CCCCCCCCCC folds",
        "flop 9♦ 8♥ 2♣",
        "turn 3♦",
        "river 4♠",
        "Result",
    ]
    second = page.locator(".second-board")
    assert second.count() == 0
    page.keyboard.press("End")
    assert second.locator(".playing-card").all_inner_texts() == ["9♦", "8♥", "2♣", "K♦", "5♠"]
    assert page.locator(".board").count() == 1
    assert page.locator(".board .playing-card").all_inner_texts() == ["9♦", "8♥", "2♣", "3♦", "4♠"]
    assert page_of.said == []
