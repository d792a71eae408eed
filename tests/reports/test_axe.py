"""axe-core finds nothing serious in any kind of page, on a desk and on a phone, light and dark."""

from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from support.axe import TWO, complaints
from support.browser import Tab

from railbird.analytics.store import Store
from railbird.analytics.views import queries
from railbird.reports.matches import all_matches, rows_of
from railbird.reports.pages.markup import match_page
from railbird.reports.pages.players import person

SMALL = ("index", "matches", "hands", "integrity", "definitions")
"""Pages that axe takes minutes for in the report on all samples: they have a part for each match or game."""


def opened(page_of: Tab, page: Path, hand: str = "") -> Any:
    """A page; of a hand, once the hand is there."""
    shown = page_of.open(page, f"#{hand}" if hand else "")
    if hand:
        shown.wait_for_selector(f"body[data-ready='{hand}']")
    return shown


@pytest.mark.parametrize("name", SMALL)
def test_pages_of_a_report(hostile: Path, page_of: Tab, name: str) -> None:
    assert complaints(opened(page_of, hostile / f"{name}.html")) == []


@pytest.mark.parametrize("name", ["evidence", "information"])
def test_pages_of_evidence(evidence: Path, page_of: Tab, name: str) -> None:
    assert complaints(opened(page_of, evidence / f"{name}.html"), TWO) == []


def test_a_dossier_on_every_screen(hostile: Path, page_of: Tab) -> None:
    assert complaints(opened(page_of, min(hostile.glob("player-*.html")))) == []


@pytest.mark.parametrize("game", ["bounty", "blotto", "koper", "acpc/holdem.nolimit.6p"])
def test_pages_of_a_match_its_player_and_its_hand(
    sample_store: Store, report: Path, page_of: Tab, game: str
) -> None:
    match = next(one for one in all_matches(sample_store) if one.game == game)
    assert complaints(opened(page_of, report / match_page(match.match_id)), TWO) == []
    row = rows_of(sample_store, queries("pages")["results"], ids=[match.match_id])[0]
    assert complaints(opened(page_of, report / person(row).page), TWO) == []
    assert complaints(opened(page_of, report / "replay.html", f"{match.match_id}/1"), TWO) == []


def test_a_playlist_and_the_end_of_a_hand_that_was_folded(
    run: Run, samples_folder: Path, page_of: Tab, tmp_path: Path
) -> None:
    asked = ("--game", "bounty", "--did", "fold", "--limit", "2", "--store", samples_folder)
    code, _, err = run("hands", *asked, "--format", "playlist", "--out", tmp_path / "list")
    assert code == 0, err
    page = page_of.open(tmp_path / "list" / "index.html")
    page.wait_for_selector("#log .current")
    page.keyboard.press("End")
    assert page.locator(".folded").count() == 1
    assert complaints(page, TWO) == []
