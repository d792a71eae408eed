"""Interactive curves: their data, and in Chromium what a reader does with them."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Tab, tab
from support.pages import unpacked

from railbird.analytics.players import matches_in_order
from railbird.analytics.store import Store
from railbird.reports.event_plots import EventCurve, Total
from railbird.reports.matches import all_matches
from railbird.reports.pages import curves
from railbird.reports.pages.markup import TEMPLATES, match_page


def summed(steps: list[int | None], digits: int = 0) -> list[float | None]:
    at, found = 0, list[float | None]()
    for step in steps:
        at += step or 0
        found.append(None if step is None else at / 10**digits)
    return found


def test_steps_are_exact_and_know_what_is_missing() -> None:
    values = np.array([np.nan, 1.5, -2.25, np.nan, 4.0, 1e9 + 0.25])
    told = summed(curves.steps(values, 2), 2)
    assert told == [None, 1.5, -2.25, None, 4.0, 1e9 + 0.25]
    assert summed(curves.steps(values[[1]], 0)) == [2.0]
    assert curves.steps(np.zeros(0), 0) == []


def test_all_hands_or_every_extreme_of_every_player() -> None:
    chance = np.random.default_rng(1)
    hands = np.arange(1, 100_001)
    lines = [(hands, np.cumsum(chance.normal(size=len(hands)))) for _ in range(3)]
    kept = curves.kept_hands(lines, 5)
    assert (kept[0], kept[-1]) == (1, 100_000)
    assert 2000 < len(kept) <= curves.MOST_POINTS
    for _, values in lines:
        assert {int(values.argmin()) + 1, int(values.argmax()) + 1} <= set(kept.tolist())
    few = [(hands[:3000], values[:3000]) for _, values in lines]
    assert np.array_equal(curves.kept_hands(few, 5), hands[:3000])
    assert len(curves.kept_hands([], 5)) == 0


def test_a_player_who_was_not_dealt_in_keeps_its_value_and_ends_with_its_last_hand() -> None:
    found = curves.at(np.arange(7), np.array([1, 2, 5]), np.array([10.0, 20.0, 50.0]))
    assert np.array_equal(found, [np.nan, 10, 20, 20, 20, 50, np.nan], equal_nan=True)


@pytest.mark.parametrize("players", [2, 30, 300])
def test_a_file_of_a_million_hands_stays_small(players: int) -> None:
    """Of incompressible curves, with luck and bands, where the players have a million hands together."""
    chance = np.random.default_rng(players)
    totals = []
    for k in range(players):
        own = 1_000_000 // players
        walk = np.cumsum(chance.integers(-400, 401, own)).astype(float)
        adjusted = np.cumsum(chance.normal(0, 100, own))
        half = np.sqrt(np.arange(own) + 1.0) * 97.31
        totals.append(Total(f"player {k}", None, walk, adjusted, half, {7: np.arange(own)}))
    text = curves.script("x", curves.of_event(EventCurve("cup", "game", 1, tuple(totals)), {7: "7"}))
    assert len(text) < 1_000_000
    read = unpacked(text)
    assert len(read["players"]) == players
    one = read["players"][-1]
    digits, steps = one["curves"]["bankroll"]
    last = [value for value in summed(steps, digits) if value is not None][-1]
    assert last == totals[-1].bankroll[-1]
    assert [hand for hand in summed(one["hand"]) if hand is not None][-1] == 1_000_000 // players - 1


def test_names_are_plain_and_short() -> None:
    assert curves.name("a\x1b[31m", 2) == "a\\x1b[31m (seat 2)"
    assert len(curves.name("x" * 100_000, None)) == 60


def test_the_files_say_what_the_store_says(sample_store: Store, report: Path) -> None:
    checked = 0
    for match in all_matches(sample_store):
        if not match.hands:
            continue
        read = unpacked((report / "plots" / f"{match.match_id}.js").read_text())
        assert [one["name"] for one in read["players"]] == [
            curves.name(*who) for who in zip(match.players, match.namesakes, strict=True)
        ]
        won = dict(
            sample_store.execute(
                "select seat, sum(delta) from seats where match_id = $m group by 1", m=match.match_id
            ).fetchall()
        )
        for seat, one in enumerate(read["players"]):
            parts = [
                summed(one["curves"][kind][1], one["curves"][kind][0]) for kind in ("showdown", "no showdown")
            ]
            ends = [[value for value in part if value is not None][-1] for part in parts]
            assert sum(ends) == pytest.approx(won[seat] or 0, abs=0.02)
            checked += 1
    assert checked > 100


def several(store: Store) -> tuple[int, str]:
    """A match of two players of an event of several matches, and its event."""
    ((match, event),) = store.execute(
        "select min(match_id), event from matches where game = 'bounty' group by event"
        " having count(*) > 2 order by count(*) desc, event limit 1"
    ).fetchall()
    return match, event


def chart_of(page: Any) -> Any:
    """The canvas of the figure that can be seen, and where the mouse moves."""
    figure = page.locator("figure[data-curves]:visible").first
    figure.locator("canvas").wait_for()
    return figure


def across(page: Any, figure: Any, share: float) -> None:
    # Below the first block of the page it may lie outside the window, where no mouse moves.
    figure.locator(".u-over").scroll_into_view_if_needed()
    box = figure.locator(".u-over").bounding_box()
    page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)


def test_a_match_is_hovered_zoomed_chosen_and_jumped_from(
    sample_store: Store, report: Path, page_of: Tab
) -> None:
    match, _ = several(sample_store)
    page = page_of.open(report / match_page(match))
    figure = chart_of(page)
    assert page.locator("figure img").is_hidden()
    said, values = figure.locator(".curve-said"), figure.locator(".curve-value strong")
    assert said.inner_text().startswith("At the end, after hand ")
    # Hover: the hand, and what each player had after it.
    across(page, figure, 0.5)
    hand = int(said.inner_text().removeprefix("After hand #").split(" ")[0])
    asked = "select bankroll from bankroll_curve where match_id = $m and hand_index = $h order by seat"
    wanted = [row[0] for row in sample_store.execute(asked, m=match, h=hand).fetchall()]
    shown = [float(text.replace(",", "").replace("−", "-")) for text in values.all_inner_texts()]
    assert shown == wanted
    # Zoom: by dragging, by key, and back.
    whole = (figure.get_attribute("data-from"), figure.get_attribute("data-to"))
    page.mouse.down()
    across(page, figure, 0.8)
    page.mouse.up()
    first, last = (int(figure.get_attribute(f"data-{end}")) for end in ("from", "to"))
    assert hand - 2 <= first < last < int(whole[1])
    figure.get_by_role("button", name="The whole curve").click()
    assert (figure.get_attribute("data-from"), figure.get_attribute("data-to")) == whole
    figure.locator(".curve-plot").focus()
    page.keyboard.press("+")
    assert int(figure.get_attribute("data-to")) - int(figure.get_attribute("data-from")) < int(whole[1])
    page.keyboard.press("0")
    # Choose: a player, and a kind of curve.
    assert figure.get_attribute("data-shown") == "0 1"
    figure.locator(".curve-players input").nth(1).click()
    assert figure.get_attribute("data-shown") == "0"
    figure.get_by_label("won at showdowns").check()
    assert "showdown" in figure.locator(".curve-value").first.inner_text()
    # Jump: by keys alone.
    figure.locator(".curve-plot").focus()
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    link = figure.get_by_role("link", name="open this hand").get_attribute("href")
    assert link == f"replay.html#{match}/2"
    page.keyboard.press("Enter")
    page.wait_for_selector(f"body[data-ready='{match}/2']")


def test_a_click_holds_a_hand(sample_store: Store, report: Path, page_of: Tab) -> None:
    match, _ = several(sample_store)
    page = page_of.open(report / match_page(match))
    figure = chart_of(page)
    across(page, figure, 0.3)
    page.mouse.down()
    page.mouse.up()
    across(page, figure, 0.7)
    said = figure.locator(".curve-said").inner_text()
    assert "held" in said
    figure.get_by_role("link", name="open this hand").click()
    page.wait_for_selector("body[data-ready]")
    index = int(said.removeprefix("After hand #").split(" ")[0])
    assert f"#{match}/{index}" in page.url


def test_an_event_leads_to_each_player_s_own_hand(sample_store: Store, report: Path, page_of: Tab) -> None:
    _, event = several(sample_store)
    page = page_of.open(report / "index.html")
    section = page.locator("section.event", has=page.locator(f"h2:has-text('{event}')")).first
    section.get_by_role("tab", name="Curves").click()
    figure = chart_of(page)
    across(page, figure, 0.5)
    at = int(figure.locator(".curve-said").inner_text().removeprefix("After ").split(" ")[0])
    row = figure.locator(".curve-players li").first
    name, link = row.locator("bdi").inner_text(), row.get_by_role("link").get_attribute("href")
    chosen, index = link.removeprefix("replay.html#").split("/")
    order = [match for match, *_ in matches_in_order(sample_store, event, "bounty")]
    hands = sample_store.execute(
        "select match_id, hand_index, delta from seats where among(match_id, $ids) and player = $name",
        ids=order,
        name=name,
    ).fetchall()
    played = sorted(hands, key=lambda row: (order.index(row[0]), row[1]))[:at]
    shown = row.locator("strong").inner_text().replace(",", "").replace("−", "-")
    assert (int(chosen), int(index)) == played[-1][:2]
    assert float(shown) == sum(delta for *_, delta in played)


def test_a_dossier_shows_its_player_first(sample_store: Store, report: Path, page_of: Tab) -> None:
    path = next(
        path
        for path in sorted(report.glob("player-*.html"))
        if 'data-place="1"' in path.read_text(encoding="utf-8")
    )
    page = page_of.open(path, "#bankroll")
    figure = chart_of(page)
    assert figure.get_attribute("data-shown") == "1"
    assert figure.locator("bdi").first.inner_text() == page.locator("h1 bdi").inner_text()


def test_without_scripts_and_on_paper_the_picture_is_there(
    sample_store: Store, report: Path, browser: Any
) -> None:
    match, _ = several(sample_store)
    with tab(browser, java_script_enabled=False) as opened:
        opened.page.goto((report / match_page(match)).as_uri())
        assert opened.page.locator("figure img").is_visible()
        assert opened.page.locator(".chart").count() == 0
    with tab(browser) as opened:
        page = opened.open(report / match_page(match))
        chart_of(page)
        page.emulate_media(media="print")
        assert page.locator("figure img").is_visible()
        assert page.locator(".chart").is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_curves_fit_a_phone_and_have_the_colours_of_the_page(
    sample_store: Store, report: Path, browser: Any, scheme: str
) -> None:
    match, _ = several(sample_store)
    with tab(browser, viewport={"width": 390, "height": 800}, color_scheme=scheme) as opened:
        page = opened.open(report / match_page(match))
        figure = chart_of(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        wide = figure.locator("canvas").bounding_box()["width"]
        assert 250 < wide < 390
        # The first player's colour is somewhere on the canvas.
        there = page.evaluate(
            """() => {
              const wanted = getComputedStyle(document.documentElement).getPropertyValue('--seat-0').trim();
              const parts = [1, 3, 5].map((at) => parseInt(wanted.slice(at, at + 2), 16));
              const canvas = document.querySelector('canvas');
              const held = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
              for (let k = 0; k < held.length; k += 4)
                if (held[k + 3] === 255 && parts.every((part, j) => held[k + j] === part)) return true;
              return false;
            }"""
        )
        assert there


def test_what_draws_the_curves_is_named_with_its_version_and_licence(report: Path) -> None:
    vendor = TEMPLATES / "vendor"
    (name, version) = re.findall(r"\| (uPlot), npm \| ([\d.]+) \|", (vendor / "README.md").read_text())[0]
    script = (vendor / "uplot.js").read_text(encoding="utf-8")
    assert f"{name} (v{version})" in script[:100]
    # What the content policy refuses, were it there.
    assert not re.search(r"\beval\(|new Function|innerHTML|createElement\(.style", script)
    assert "MIT License" in (report / "assets" / "uplot-LICENSE.txt").read_text()
    assert {"uplot.js", "uplot.css", "uplot-LICENSE.txt", "README.md"} == {
        one.name for one in vendor.iterdir()
    }
