"""Lists that are divided among pages: each row is on one of them, and no page passes 2 MB."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from support.browser import Tab

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports.collusion import Card
from railbird.reports.matches import find_matches
from railbird.reports.pages import long_lists
from railbird.reports.pages.build import Report, write_report
from railbird.reports.pages.folder import check_folder
from railbird.reports.pages.long_lists import PAGE_MOST, LongLists, Pager, divided
from railbird.reports.pages.markup import match_page
from railbird.reports.pages.players import Dossiers, Person

MOST: Final = 2_000_000
"""Bytes that no page passes."""
BOTS: Final = ("Ann", "Bea", "Cid")


def a_store(folder: Path, names: tuple[str, ...]) -> Path:
    (folder / "cup").mkdir(parents=True)
    for seed, (one, other) in enumerate(combinations(names, 2)):
        text = simulate("holdem-mit", [(one, "maniac"), (other, "tight-passive")], 12, seed)
        (folder / "cup" / f"{seed}.txt").write_text(text, newline="")
    ingest([folder / "cup"], folder / "store")
    return folder / "store"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(a_store(tmp_path_factory.mktemp("long"), BOTS)) as store:
        yield store


@pytest.fixture
def report(store: Store, tmp_path: Path) -> Report:
    """A report on three matches whose pages of matches, with their lists, are written."""
    made = Report(store, tmp_path / "report", find_matches(store, None))
    made.assets()
    made.match_pages()
    made.event_curves()
    return made


def rows_of(text: str) -> list[str]:
    return re.findall(r"<tr\b.*?</tr>", re.sub(r"<thead>.*?</thead>", "", text, flags=re.S), re.S)


def pages_of(out: Path, name: str) -> list[str]:
    """The pages of a divided list in the order of their links to the next one, which must be that of their numbers."""
    number, found = 1, []
    while True:
        found.append((out / f"{name}-{number}.html").read_text(encoding="utf-8"))
        following = re.findall(r'<a rel="next" href="([^"]+)"', found[-1])
        before = re.findall(r'<a rel="prev" href="([^"]+)"', found[-1])
        assert set(before) == ({f"{name}-{number - 1}.html"} if number > 1 else set())
        if not following:
            assert not (out / f"{name}-{number + 1}.html").exists()
            return found
        number += 1
        assert set(following) == {f"{name}-{number}.html"}


def check_sizes(out: Path) -> None:
    assert {page.name: size for page in out.glob("*.html") if (size := page.stat().st_size) > MOST} == {}
    (out / "index.html").touch()
    with (out / "index.html").open("a") as index:
        index.write("<p>Made by railbird.")
    # The pages' names are those of a report, which the next one replaces.
    check_folder(out)


def test_texts_are_divided_where_the_next_one_does_not_fit() -> None:
    assert divided([], 3) == [range(0)]
    assert divided(["ab", "c", "d", "wxyz", "é"], 3) == [range(2), range(2, 3), range(3, 4), range(4, 5)]


def test_of_many_pages_some_are_linked() -> None:
    pages = [f"x-{number}.html" for number in range(1, 5001)]
    shown = Pager(2500, pages, (1, 2, 3)).shown
    assert len(shown) < 150
    assert {(1, "x-1.html"), (2499, "x-2499.html"), (2501, "x-2501.html"), (5000, "x-5000.html")} <= {*shown}


def test_ten_thousand_matches_are_on_pages_of_their_own(report: Report) -> None:
    """Made up of the rows of three matches; the links to a pair's matches lead to pages that have them."""
    three = report.listed
    report.listed = [
        replace(three[k % 3 if k < 6000 else 0], match=replace(three[k % 3].match, path=f"{k:05}.log"))
        for k in range(10_000)
    ]
    violation = {**three[0].verdicts[0], "verdict": "violation"}
    report.listed[7777] = replace(report.listed[7777], verdicts=[violation])
    first = report.page("matches.html", "matches.html", listed=report.listed)
    found = pages_of(report.out, "matches")
    names = [re.findall(r"\d{5}\.(?:<wbr>)?log", row) for text in found for row in rows_of(text)]
    assert [name.replace("<wbr>", "") for (name,) in names] == [f"{k:05}.log" for k in range(10_000)]
    text = first.read_text(encoding="utf-8")
    assert "50 of 10,000 are shown" in text and "07777." in rows_of(text)[0]
    assert len(rows_of(text)) == 50
    (pair,) = {one.keys for one in three[:1]}
    event, *people = pair.split()
    for keys in ([event], people):
        address = report.environment.globals["list_address"]("matches", *keys)  # type: ignore[operator]
        page, _, rest = address.partition("#")
        wanted, _, numbers = rest.partition("&")
        assert wanted == "+".join(keys)
        on = [
            k
            for k, one in enumerate(found, 1)
            if any(all(key in row for key in keys) for row in rows_of(one))
        ]
        assert page == f"matches-{on[0]}.html"
        assert numbers == ",".join(map(str, on)) and len(on) > 1
    check_sizes(report.out)


def test_many_players_and_events_are_divided(store: Store, report: Report) -> None:
    """300 events, one of them of 3,000 players."""
    table = report.tables[0]
    who = table.players[0]
    many = [
        {
            **who,
            "player": f"bot {k}",
            "person": Person(table.event, table.game, f"bot {k}", None),
            "rank": k + 1,
        }
        for k in range(3000)
    ]
    against = {
        (one["person"].page, other["person"].page): {**who, "even": 0.0}
        for one, other in combinations(many[:60], 2)
    }
    run_off = [
        [{**one, "chips": 1.0, "dropped": k == 0} for k, one in enumerate(many[place:])]
        for place in range(0, 3000, 10)
    ]
    large = replace(table, players=many, against=against, run_off=run_off)
    tables = [replace(table, event=f"event {k}") for k in range(300)]
    report.tables = [large, *tables]
    report.shared |= {"tables": report.tables, "event_ids": [f"event-{one.key}" for one in report.tables]}
    rate = {"opportunities": 100, "rate": 0.5, "low": 0.4, "high": 0.6}
    habits = {one["person"]: {"vpip": rate} for one in many}
    report.page("index.html", "index.html", listed=report.listed, habits=habits, summary=_nothing())
    check_sizes(report.out)
    for kind in ("standings", "play"):
        found = pages_of(report.out, f"index-{large.key}-{kind}")
        names = [re.findall(r"bot \d+", row)[0] for text in found for row in rows_of(text)]
        assert names == [f"bot {k}" for k in range(3000)]
    events = [page.read_text(encoding="utf-8") for page in report.out.glob("index*.html")]
    ids = [one for text in events for one in re.findall(r'id="(event-\w+)"', text)]
    assert sorted(ids) == sorted(report.shared["event_ids"])
    last = report.environment.globals["page_of"](ids[-1])  # type: ignore[operator]
    assert f'id="{ids[-1]}"' in (report.out / last).read_text(encoding="utf-8")


def _nothing() -> Any:
    from railbird.reports.pages.summary import Summary

    return Summary([], [])


def test_a_player_of_ten_thousand_matches_and_a_ledger_of_ten_thousand_files(
    store: Store, report: Report
) -> None:
    table = report.tables[0]
    who = table.players[0]["person"]
    context = Dossiers(store, report.matches, report.tables).of(who, table)
    row = context["matches"][0]
    context["matches"] = [{**row, "delta": float(k)} for k in range(10_000)]
    context["beaten"] = context["beaten"][:1] * 5000
    report.page(who.page, "player.html", **context, place=0)
    found = pages_of(report.out, f"player-{who.key}-matches")
    deltas = [re.findall(r'data-value="([\d.]+)"', row)[0] for text in found for row in rows_of(text)]
    assert deltas == [f"{float(k)}" for k in range(10_000)]
    file = report.shared["files"][0]
    report.shared["files"] = [{**file, "path": f"/logs/{k:05}.txt"} for k in range(10_000)]
    fault = {"event": who.event, "game": who.game, "player": who.player, "seat": None, "kind": "timeout"}
    report.shared["faults"] = [{**fault, "lines": k, "matches": 1, "example": None} for k in range(10_000)]
    report.page("integrity.html", "integrity.html")
    paths = [
        re.findall(r"\d{5}\.", row)[0]
        for text in pages_of(report.out, "integrity-files")
        for row in rows_of(text)
    ]
    assert paths == [f"{k:05}." for k in range(10_000)]
    assert sum(len(rows_of(text)) for text in pages_of(report.out, "integrity-faults")) == 10_000
    check_sizes(report.out)


def test_thousands_of_flags_are_on_pages_of_their_own(report: Report) -> None:
    """Rows and cards of evidence, made up; each has a number that no other has."""
    match = report.listed[0].match
    hand = (match.match_id, 3)
    row = {
        "player": "Ann",
        "flag": True,
        "bits": 0.1,
        "chips": 2.0,
        "low": 1.0,
        "high": 3.0,
        "q": 0.001,
        "p": 0.001,
    }
    row |= {
        "decisions": 900,
        "asks": "not",
        "counts": "chips",
        "law": "shuffles",
        "begins": hand,
        "tried": ["x" * 500],
    }
    rows = [{**row, "fact": f"fact {k:05}", "shown": [(*hand, "said")] * 5} for k in range(5000)]
    of = {"event": match.event, "game": match.game}
    report.page("information.html", "information.html", found=[{**of, "rows": rows}])
    of_two: Any = SimpleNamespace(detector="soft-play")
    card = Card(("Ann", "Bea"), of_two, "compared", "strong", "never", hand, (), "", ("x" * 500,), ())
    cards = [replace(card, note=f"fact {k:05}") for k in range(5000)]
    found = {
        **of,
        "players": 3,
        "tests": 5000,
        "strong": 5000,
        "why": "",
        "cards": cards,
        "rows": [],
        "same_program": [],
    }
    report.page("evidence.html", "evidence.html", found=[found])
    for name in ("information", "evidence"):
        first = (report.out / f"{name}.html").read_text(encoding="utf-8")
        shown = len(re.findall(r"<h3>", first))
        assert 1 < shown < 5000 and f"{shown:,} of 5,000 are shown" in first
        key = report.environment.globals["key_of"](match.event, match.game)  # type: ignore[operator]
        facts = [
            one
            for text in pages_of(report.out, f"{name}-{key}-cards")
            for one in re.findall(r"fact \d+", text)
        ]
        assert facts == [f"fact {k:05}" for k in range(5000)]
    check_sizes(report.out)


def test_events_that_were_not_tested_are_told_once(report: Report) -> None:
    """Not a section each with 0 of 0 tests; and where nothing is beyond chance, the rows are folded."""
    row: dict[str, Any] = {key: 0.5 for key in ("bits", "chips", "low", "high", "q", "p")}
    row |= {"player": "Ann", "fact": "hole cards", "flag": False, "decisions": 900}
    told = [{"event": "cup", "game": f"game{k}", "rows": [row] if not k else []} for k in range(3)]
    report.page("information.html", "information.html", found=told)
    one = {
        "detector": "soft play",
        "one": "Ann",
        "other": "Bea",
        "q": 0.5,
        "p": 0.5,
        "effect": "1",
        "interval": "",
    }
    one |= {"hands": 90, "carrying": [], "did": [], "explanations": [], "note": ""}
    found = [
        {"event": "cup", "game": f"game{k}", "players": 2, "tests": 3, "strong": 0, "why": why}
        | {"cards": [], "same_program": [], "compares": [], "rows": [] if why else [one]}
        for k, why in enumerate(("", "two only", "two only"))
    ]
    report.page("evidence.html", "evidence.html", found=found)
    for name, total in (("information", "All 1 test"), ("evidence", "The strongest 1 of 3 tests")):
        text = (report.out / f"{name}.html").read_text(encoding="utf-8")
        assert re.findall("<h2>(.*?)</h2>", text) == ["cup, game0", "Not tested"]
        assert text.count("cup, game1; cup, game2: ") == 1 and "0 tests" not in text
        assert re.search(rf"<details><summary>{total}", text)


def test_names_of_100_kb_are_cut_on_pages(tmp_path: Path) -> None:
    names = tuple(f"{'x' * 100_000}{k}" for k in range(3))
    with open_store(a_store(tmp_path, names)) as store:
        out = write_report(store, tmp_path / "report").parent
    check_sizes(out)
    index = (out / "index.html").read_text(encoding="utf-8").replace("<wbr>", "")
    assert all(f"{'x' * 10}{k}</bdi>" in index and "x" * 200 not in index for k in range(3))


def test_a_list_that_fits_stays_on_its_page() -> None:
    written: list[str] = []
    lists = LongLists(lambda name, *_, **__: written.append(name))  # type: ignore[arg-type]
    about: dict[str, Any] = {"name": "some", "page": "page.html", "title": "Rows", "head": "<th>Row</th>"}
    table = lists.table(range(3), caller=lambda k: f"<tr><td>{k}</td></tr>\n", **about)
    assert len(rows_of(table)) == 3 and not written
    assert lists.address("some", "a", "b") == "some.html#a+b"
    lists.table(["<b>"] * 3, caller=lambda _: f"<tr>{'x' * PAGE_MOST}</tr>", **about)
    assert written == ["some-1.html", "some-2.html", "some-3.html"]


@pytest.mark.browser
def test_a_divided_list_filters_its_page_and_links_the_others(
    report: Report, page_of: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_lists, "PAGE_MOST", 12_000)
    report.environment.globals["PAGE_MOST"] = 12_000
    report.listed = [replace(report.listed[k % 3], spark=report.listed[0].spark) for k in range(60)]
    report.first_pages()
    assert len(pages_of(report.out, "matches")) > 2
    keys = report.listed[0].keys.split()[1:]
    address = report.environment.globals["list_address"]("matches", *keys)  # type: ignore[operator]
    name, hash_, rest = address.partition("#")
    page = page_of.open(report.out / name, hash_ + rest)
    shown = page.locator("table tbody tr:visible")
    assert 0 < shown.count() < page.locator("table tbody tr").count()
    link = match_page(report.listed[0].match.address)
    assert all(row.locator("a").first.get_attribute("href") == link for row in shown.all())
    assert "of this page; more on page 2" in page.locator(".filter").inner_text()
    page.locator(".filter a").first.click()
    page.wait_for_url("**/matches-2.html**")
    assert "more on page 1" in page.locator(".filter").inner_text()
