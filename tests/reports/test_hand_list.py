"""The list of hands on a match's page finds the hands that `railbird hands` finds, offline and by the strict policy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.browser import Tab
from support.pages import unpacked

from railbird.analytics.found_hands import Conditions, checked, comparison, found_hands
from railbird.analytics.settings import HandOrder
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports.matches import all_matches
from railbird.reports.pages import hand_list
from railbird.reports.pages.build import write_report
from railbird.reports.pages.hand_list import SHOWN_HANDS, write_lists
from railbird.reports.pages.markup import match_page

HANDS = 1000


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Path]]:
    """A match of 1,000 hands, and the folder of the report on it."""
    folder = tmp_path_factory.mktemp("long")
    players = [("O'Hara <b>", "loose-aggressive"), ("Tag", "tight-aggressive")]
    (folder / "log.txt").write_text(simulate("bounty", players, HANDS, 7), newline="")
    ingest([folder / "log.txt"], folder / "store", event="cup")
    with open_store(folder / "store") as store:
        yield store, write_report(store, folder / "report").parent


FIELDS = ("player", "against", "did", "street", "situation", "pot", "sort")


def choose(page: Any, **asked: str | bool) -> tuple[int, list[int]]:
    """How many hands the form finds, and those that it shows."""
    for name in FIELDS:
        if not page.locator(f"#list-{name}").count():
            continue
        if name == "pot":
            page.locator("#list-pot").fill(str(asked.get("pot", "")))
        else:
            value = {"label": asked[name]} if name in asked else {"index": 0}
            page.locator(f"#list-{name}").select_option(**value)
    page.locator("#list-showdown").set_checked(bool(asked.get("showdown", False)))
    count = page.locator("#list-count").inner_text()
    rows = page.evaluate(
        "[...document.querySelectorAll('#hand-list tbody tr a')].map((link) => link.textContent)"
    )
    return int(count.split(" ")[0].replace(",", "")), [int(text.removeprefix("#")) for text in rows]


def wanted(store: Store, match: int, **asked: Any) -> tuple[int, list[int]]:
    """The same by the command's function."""
    sort = HandOrder(asked.pop("sort", "play"))
    pots = tuple(comparison(text) for text in asked.pop("pot", "").split(",") if text)
    conditions = checked(store, Conditions(**asked, pots=pots))
    rows = found_hands(store, conditions, [match], sort, SHOWN_HANDS)
    return (rows[0]["total"] if rows else 0), [row["hand_index"] for row in rows]


ASKED: list[dict[str, Any]] = [
    {},
    {"player": "Tag", "did": "check-raise"},
    {"player": "Tag", "did": "raise", "street": "turn", "sort": "pot"},
    {"did": "cbet", "street": "flop", "pot": ">100, <=200bb", "sort": "lost"},
    {"player": "O'Hara <b>", "situation": "folded-the-best", "sort": "won"},
    {"situation": "missed-draw", "street": "flop"},
    {"situation": "3bet-pot", "showdown": True},
    {"player": "Tag", "did": "fold", "situation": "raised-pot", "street": "river"},
    {"pot": ">=800", "sort": "lost", "player": "Tag"},
    {"pot": ">100000"},
]


def test_the_form_finds_the_hands_of_the_command(long: tuple[Store, Path], page_of: Tab) -> None:
    store, folder = long
    (match,) = all_matches(store)
    page = page_of.open(folder / match_page(match.address), "#hands")
    page.wait_for_selector("#hand-list[data-drawn]")
    found = []
    for asked in ASKED:
        found.append(choose(page, **asked))
        assert found[-1] == wanted(store, match.match_id, **asked), asked
    assert found[0] == (HANDS, [*range(SHOWN_HANDS)])
    assert all(count for count, _ in found[:-1]) and found[-1] == (0, [])
    # The command that is shown is one.
    choose(page, **ASKED[4])
    said = page.locator("#list-command").inner_text()
    assert said == (
        f"""railbird hands --match {match.match_id} --player 'O'"'"'Hara <b>' """
        "--situation folded-the-best --sort won"
    )
    page.locator("#list-pot").fill("100")
    assert "compared with a number" in page.locator("#list-count").inner_text()
    assert page.locator("#list-pot").get_attribute("aria-invalid") == "true"
    choose(page)
    page.locator("#hand-list tbody a").nth(3).click()
    page.wait_for_selector(f"body[data-ready='{match.match_id}/3']")


def test_the_form_asks_what_each_game_has(sample_store: Store, report: Path, page_of: Tab) -> None:
    asked: dict[str, list[dict[str, Any]]] = {
        "koper": [{"street": "round 2"}, {"did": "play"}],
        "blotto": [{"did": "assign"}, {"did": "raise", "street": "river", "sort": "pot"}],
        "river-of-blood": [{"did": "call", "street": "run"}, {"street": "run"}],
        "acpc/holdem.limit.3p": [{"player": "Birch", "against": "Cedar", "did": "fold", "sort": "lost"}],
    }
    for game, some in asked.items():
        match = next(one for one in all_matches(sample_store) if one.game == game)
        page = page_of.open(report / match_page(match.address), "#hands")
        page.wait_for_selector("#hand-list[data-drawn]")
        for one in some:
            if one.get("street") == "round 2":
                one["street"] = match.rules.streets[1]
            assert choose(page, **one) == wanted(sample_store, match.match_id, **one), (game, one)


def test_a_public_list_has_no_situation_of_hidden_cards(
    long: tuple[Store, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = long
    (match,) = all_matches(store)
    made = write_lists(store, [match], tmp_path / "own")[match.match_id]
    assert {"missed-draw", "folded-the-best", "3bet-pot"} <= {*made.situations} and made.hands == HANDS
    with store.as_spectators_saw() as seen:
        made = write_lists(seen, [match], tmp_path / "public", public=True)[match.match_id]
    assert "3bet-pot" in made.situations
    assert not {"missed-draw", "folded-the-best", "called-the-worst", "bet-the-worst"} & {*made.situations}
    text = unpacked((tmp_path / "public" / "hands" / match.address / "list.js").read_text())
    assert {word for hand in text["hands"] for *_, word in hand[8]} == {*made.situations}
    monkeypatch.setattr(hand_list, "LISTED_HANDS", 10)
    assert write_lists(store, [match], tmp_path / "own")[match.match_id].hands == 10
