"""The report in a real browser, from the file system: no complaint, tabs, sorting, and hands replayed."""

import re
from pathlib import Path
from typing import Any

import pytest
from support.browser import Tab, tab
from support.pages import unpacked

from railbird.analytics.store import Store
from railbird.reports.matches import all_matches
from railbird.reports.pages import matches as match_pages
from railbird.reports.pages.markup import match_page
from railbird.reports.replayer import load_hand
from railbird.reports.terminal import chips, signed

PAGES = ("index", "matches", "hands", "integrity", "definitions", "replay")
GAMES = (
    "auction",
    "blotto",
    "bounty",
    "holdem-mit",
    "koper",
    "permutation",
    "river-of-blood",
    "swap",
    "toss",
    "acpc/holdem.limit.2p.reverse_blinds",
    "acpc/holdem.limit.3p",
    "acpc/holdem.nolimit.2p.reverse_blinds",
    "acpc/holdem.nolimit.6p",
    "acpc/kuhn.limit.3p",
    "acpc/leduc.limit.2p",
    "acpc/unequal.nolimit.4p",
)
SUITS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}


def one_of_each(store: Store) -> list[tuple[str, int]]:
    """A match of each game."""
    return store.execute("select game, min(match_id) from matches group by all order by game").fetchall()


def cards_in(node: Any) -> list[str]:
    """The cards an element shows, as the store writes them."""
    texts = node.locator(".playing-card").all_inner_texts()
    return [text[0] + SUITS[text[1]] for text in texts]


def column(page: Any, table: str, place: int) -> list[str]:
    """What the cells of a column say, their first line."""
    cells = page.locator(f"{table} tbody tr:not([hidden]) > :nth-child({place})").all_inner_texts()
    return [text.split("\n")[0].strip() for text in cells]


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-").replace("+", ""))


def test_every_kind_of_page_loads_in_silence(sample_store: Store, report: Path, page_of: Tab) -> None:
    players = sorted(report.glob("player-*.html"))
    names = [f"{name}.html" for name in PAGES] + [match_page(match) for _, match in one_of_each(sample_store)]
    images = 0
    for path in [*(report / name for name in names), *players[::10]]:
        page = page_of.open(path)
        images += page.evaluate("document.images.length")
        assert page.locator("h1").count() == 1
        assert page.evaluate(
            "[...document.images].every((image) => image.complete && image.naturalWidth > 0)"
        )
        # Nothing is wider than the window: tables scroll inside their box.
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path.name
    assert images


@pytest.mark.parametrize("width", [390, 800])
def test_narrow_windows_do_not_scroll_sideways(
    sample_store: Store, report: Path, browser: Any, width: int
) -> None:
    with tab(browser, viewport={"width": width, "height": 800}) as opened:
        six = sample_store.execute("select min(match_id) from matches where game like '%6p'").fetchall()[0][0]
        player = min(report.glob("player-*.html"))
        for name in ("index.html", "matches.html", match_page(six), player.name, f"replay.html#{six}/0/9"):
            path, _, hand = name.partition("#")
            page = opened.open(report / path, f"#{hand}" if hand else "")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


def test_on_a_phone_no_column_of_a_list_is_out_of_sight(
    sample_store: Store, report: Path, hostile: Path, browser: Any
) -> None:
    """A table wider than its box becomes blocks, each cell below its heading, also in a tab that is opened later."""
    six = sample_store.execute("select min(match_id) from matches where game like '%6p'").fetchall()[0][0]
    stacked = 0
    with tab(browser, viewport={"width": 390, "height": 800}) as opened:
        for path in (
            *(report / name for name in ("index.html", "matches.html", "hands.html", "integrity.html")),
            report / match_page(six),
            hostile / "index.html",
        ):
            page = opened.open(path)
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            for button in page.locator(".tablist button").all()[:8]:
                button.click()
                opened.settle()
                wide = page.evaluate("""() => [...document.querySelectorAll(".scroll")]
                    .filter((box) => box.querySelector(":scope > table:not(.crosstable, .grid, .matrix)"))
                    .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.innerText)""")
                assert wide == [], path.name
            lines = page.evaluate("""() => [...document.querySelectorAll(".cards")]
                .map((one) => new Set([...one.getClientRects()].map((card) => card.top)).size)""")
            assert all(count <= 1 for count in lines), path.name
            stacked += page.locator("table.stacked").count()
        page = opened.open(report / "index.html")
        said = (
            page.locator("table.stacked tbody tr")
            .first.locator("td")
            .evaluate_all(
                "(all) => all.map((one) => [one.dataset.label, getComputedStyle(one, '::before').content])"
            )
        )
        assert ["Chips", '"Chips"'] in said
        page.set_viewport_size({"width": 1200, "height": 800})
        page.locator("table.stacked").first.wait_for(state="detached")
    assert stacked > 10


def test_on_a_phone_what_would_be_endless_is_folded(report: Path, browser: Any) -> None:
    shown = "(all) => all.filter((one) => one.getClientRects().length).length"
    with tab(browser, viewport={"width": 390, "height": 800}) as opened:
        page = opened.open(report / "matches.html")
        rows = page.locator("table.stacked tbody tr")
        count = rows.count()
        assert count > 15 and rows.evaluate_all(shown) == 10
        first = rows.first.inner_text()
        page.locator("button.sort", has_text="Hands").click()
        assert rows.evaluate_all(shown) == 10 and rows.first.inner_text() != first
        page.get_by_role("button", name=f"Show all {count} rows").click()
        assert rows.evaluate_all(shown) == count
        assert page.locator(".more-rows").count() == 0
        # What is looked for is not among the first rows only.
        page = opened.open(report / "matches.html")
        last = rows.last.locator("a").first.inner_text()
        page.get_by_role("searchbox").fill(last)
        assert last in "".join(
            rows.evaluate_all("(all) => all.filter((one) => !one.hidden).map((one) => one.innerText)")
        )
        assert rows.last.is_visible()

        page = opened.open(report / "index.html")
        events = page.locator("section.event")
        assert events.locator("> details[open]").count() == 5 < events.count()
        page.locator(".answer summary").click()
        link = page.locator(".answer details a[href*='#event-']").first
        event = page.locator(f"[id='{link.get_attribute('href').partition('#')[2]}']")
        assert not event.locator(".tablist").is_visible()
        link.click()
        event.locator(".tablist").wait_for(state="visible")


def test_on_a_phone_the_table_of_what_was_paid_is_whole(
    sample_store: Store, report: Path, browser: Any
) -> None:
    """The replayer makes it for each hand, so it comes after the page's other tables."""
    match = dict(one_of_each(sample_store))["blotto"]
    with tab(browser, viewport={"width": 340, "height": 800}) as opened:
        page = opened.open(report / "replay.html", f"#{match}/0")
        page.wait_for_selector(f"body[data-ready='{match}/0']")
        page.locator("#paid table.stacked").wait_for()
        box = "(one) => [one.scrollWidth, one.clientWidth]"
        wide, seen = page.locator("#paid .scroll").evaluate(box)
        assert wide <= seen
        labels = (
            page.locator("#paid tbody tr")
            .first.locator("td")
            .evaluate_all("(all) => all.map((one) => one.dataset.label)")
        )
        assert labels == ["Put in", "The engine paid", "The rules say", "Difference"]


def test_paper_shows_what_is_folded(report: Path, browser: Any) -> None:
    with tab(browser) as opened:
        page = opened.open(report / "index.html")
        folded = page.locator("details:not([open])")
        before = folded.count()
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert before > 0 and folded.count() == 0
        page.evaluate("window.dispatchEvent(new Event('afterprint'))")
        assert folded.count() == before


def test_the_list_of_matches_fits_and_breaks_between_words_only(report: Path, browser: Any) -> None:
    with tab(browser, viewport={"width": 1200, "height": 900}) as opened:
        page = opened.open(report / "matches.html")
        boxes = page.locator(".scroll")
        assert boxes.count() > 0
        assert (
            boxes.evaluate_all("(all) => all.filter((box) => box.scrollWidth > box.clientWidth).length") == 0
        )
        broken = page.evaluate("""() => [...document.querySelectorAll(".log span")]
            .flatMap((one) => [...one.childNodes]).filter((node) => node.data).flatMap((node) => {
              const words = [...node.data.matchAll(/[^\\s-]+/g)];
              return words.filter((word) => {
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                return range.getClientRects().length > 1;
              }).map(String);
            })""")
        assert broken == []
        assert page.locator(".log wbr").count() > 50


def test_strips_and_plots_stay_legible_on_a_phone(sample_store: Store, report: Path, browser: Any) -> None:
    """Pixels that a strip and a plot 1,000 wide have at least; what is wider than the window scrolls in its box."""
    bounty = dict(one_of_each(sample_store))["bounty"]
    with tab(browser, viewport={"width": 400, "height": 800}) as opened:
        for path in (report / match_page(bounty), *sorted(report.glob("player-*.html"))[:3]):
            page = opened.open(path)
            page.evaluate(
                "document.querySelectorAll('.closed').forEach((one) => one.classList.remove('closed'))"
            )
            opened.settle()
            while page.locator(".more-rows").count():
                page.locator(".more-rows").first.click()
            # Curves come in place of the picture, which is looked at here.
            page.locator("figure[data-curves]:not(.charted)").wait_for(state="detached")
            page.evaluate(
                "document.querySelectorAll('.charted').forEach((one) => one.classList.remove('charted'))"
            )
            for one, least in ((".strip svg", 80), ("figure img", 800)):
                widths = page.evaluate(
                    "(one) => [...document.querySelectorAll(one)].map((each) => each.getBoundingClientRect().width)",
                    one,
                )
                assert all(width >= least for width in widths), (path.name, one, widths)
                assert widths or one == "figure img"
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path.name


def test_tabs_show_one_part_and_follow_keys_and_address(
    sample_store: Store, report: Path, page_of: Tab
) -> None:
    bounty = dict(one_of_each(sample_store))["bounty"]
    page = page_of.open(report / match_page(bounty))
    assert page.locator(".main-tabs > .tab:visible").count() == 1
    tabs = page.get_by_role("tab")
    assert tabs.all_inner_texts()[:2] == ["Bankroll", "How they play"]
    tabs.nth(1).click()
    assert page.locator("#play").is_visible()
    assert not page.locator("#bankroll").is_visible()
    page.keyboard.press("ArrowRight")
    assert tabs.nth(2).get_attribute("aria-selected") == "true"
    assert page.evaluate("document.activeElement.getAttribute('aria-controls')") == "bounty"
    page.keyboard.press("End")
    assert page.locator("#findings").is_visible()
    page = page_of.open(report / match_page(bounty), "#pots")
    assert page.locator("#pots").is_visible()


def test_without_script_and_on_paper_all_parts_are_there(
    sample_store: Store, report: Path, browser: Any
) -> None:
    bounty = dict(one_of_each(sample_store))["bounty"]
    with tab(browser) as opened:
        page = opened.open(report / match_page(bounty))
        page.emulate_media(media="print")
        assert (
            page.locator(".main-tabs > .tab:visible").count() == page.locator(".main-tabs > .tab").count() > 3
        )
        assert page.locator(".tablist").first.is_hidden()
    with tab(browser, java_script_enabled=False) as opened:
        opened.page.goto((report / match_page(bounty)).as_uri())
        assert opened.page.locator(".main-tabs > .tab:visible").count() > 3


def test_a_heading_sorts_up_and_down(report: Path, page_of: Tab) -> None:
    page = page_of.open(report / "matches.html")
    for place, numeric in ((1, False), (4, True), (6, True)):
        heading = page.locator(f"table.sortable thead th:nth-child({place})")
        heading.get_by_role("button").click()
        first = column(page, "table.sortable", place)
        assert heading.get_attribute("aria-sort") == ("descending" if numeric else "ascending")
        if numeric:
            assert [number(text) for text in first] == sorted(map(number, first), reverse=True)
        else:
            assert first == page.evaluate("(texts) => texts.sort(new Intl.Collator('en').compare)", first)
            assert first[0] != first[-1]
        heading.get_by_role("button").focus()
        page.keyboard.press("Enter")
        if numeric:
            second = [number(text) for text in column(page, "table.sortable", place)]
            assert second == sorted(second)
    assert page.locator("[aria-sort]").count() == 1


def test_matches_can_be_narrowed_by_words_and_by_address(
    sample_store: Store, report: Path, page_of: Tab
) -> None:
    page = page_of.open(report / "matches.html")
    page.get_by_role("searchbox").fill("KOPER")
    assert len(column(page, "table", 1)) == 14
    page = page_of.open(report / "index.html")
    link = page.locator(".crosstable a[href*='+']").first.get_attribute("href")
    page = page_of.open(report / "matches.html", link[link.index("#") :])
    shown = page.locator("table tbody tr:visible")
    keys = link[link.index("#") + 1 :].split("+")
    assert 0 < shown.count() < len(all_matches(sample_store))
    assert all(key in (row.get_attribute("data-keys") or "") for row in shown.all() for key in keys)


@pytest.mark.parametrize("game", GAMES)
def test_the_replayer_steps_through_hands_of_every_game(
    sample_store: Store, report: Path, page_of: Tab, game: str
) -> None:
    """The hand with most streets, and the first with a finding: at the end all is as the store says."""
    found = sample_store.execute(
        "select match_id, hand_index from (select *, row_number() over (order by streets desc, match_id,"
        " hand_index) as longest, row_number() over (order by verdict = 'ok', match_id, hand_index) as odd"
        " from hands where game = $game) where longest = 1 or odd = 1",
        game=game,
    ).fetchall()
    assert found
    for match, index in found:
        hand = load_hand(sample_store, f"{match}#{index}")
        page = page_of.open(report / "replay.html", f"#{match}/{index}")
        page.wait_for_selector(f"body[data-ready='{match}/{index}']")
        steps = page.locator("#steps button").count()
        # The beginning and the result are steps of the page's own; a discard is one step with its deal.
        assert steps == len(hand.steps) + 2
        seen = []
        for step in range(steps):
            assert page.locator("#steps [aria-current]").count() == 1
            assert page.evaluate("location.hash") == f"#{match}/{index}/{step}"
            seen.append(page.locator("#now").inner_text())
            page.keyboard.press("ArrowRight")
        assert len(set(seen)) > steps / 3
        boards = page.locator(".board")
        blotto = game == "blotto"
        if blotto:
            rows = sample_store.execute(
                "select cards, pot from boards where match_id = $m and hand_index = $h order by board_no",
                m=match,
                h=index,
            ).fetchall()
        else:
            rows = [(hand.row["board"] or [], hand.row["pot"])]
        assert boards.count() == len(rows)
        for place, (cards, pot) in enumerate(rows):
            board = boards.nth(place)
            assert cards_in(board) == cards
            assert board.locator(".pot").inner_text() == f"pot {chips(pot)}"
        for row in hand.seats:
            seat = page.locator(f".seat[data-seat='{row['seat']}']")
            held, dealt = cards_in(seat), row["hole"] or []
            assert sorted(held) == sorted(dealt if blotto else row["hole_final"] or dealt)
            assert seat.locator(".won").inner_text() == f"{signed(row['delta'])} chips"
        paid = page.locator("#paid tbody tr")
        for row, line in zip(hand.seats, paid.all(), strict=True):
            texts = line.locator("td").all_inner_texts()
            assert texts[:3] == [
                chips(row["contribution"]),
                signed(row["delta"]),
                signed(row["delta_written"]),
            ]
        assert page.locator(".findings li").count() == len(hand.findings)


def test_jumps_keys_and_buttons(sample_store: Store, report: Path, page_of: Tab) -> None:
    match, index = sample_store.execute(
        "select match_id, hand_index from hands where game = 'bounty' and streets = 4 and hand_index > 0"
        " order by all limit 1"
    ).fetchall()[0]
    hand = load_hand(sample_store, f"{match}#{index}")
    page = page_of.open(report / "replay.html", f"#{match}/{index}")
    page.wait_for_selector(f"body[data-ready='{match}/{index}']")

    def now() -> str:
        return str(page.locator(".now-head").inner_text())

    for street in ("flop", "turn", "river"):
        page.keyboard.press("]")
        assert now().startswith(f"{street} ")
    page.keyboard.press("[")
    assert now().startswith("turn ")
    page.keyboard.press("Home")
    page.keyboard.press("d")
    first = next(step for step in hand.steps if step.kind == "action" and step.to_call)
    assert now() == f"{first.player} {first.text}"
    page.keyboard.press("Shift+D")
    assert now() == "The hand begins"
    page.locator("#last").click()
    assert now() == "Result"
    page.locator("#steps button").nth(3).click()
    assert page.locator("#count").inner_text().startswith("step 3 of")
    page.locator("#slider").fill("5")
    assert page.locator("#count").inner_text().startswith("step 5 of")
    page.keyboard.press("n")
    page.wait_for_selector(f"body[data-ready='{match}/{index + 1}']")
    page.keyboard.press("p")
    page.wait_for_selector(f"body[data-ready='{match}/{index}']")
    # The log counts from 1.
    assert page.locator("#hand").input_value() == str(index)
    page.locator("#hand").fill("0")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"body[data-ready='{match}/0']")


def test_the_box_takes_the_number_of_a_hand_in_its_match(
    sample_store: Store, report: Path, gaps: tuple[int, Path], page_of: Tab
) -> None:
    """Of a log that begins at hand 10, and of one that leaves out hand 7: its own numbers are said beside."""
    late = sample_store.execute("select match_id from hands group by all having min(hand_no) = 10").fetchall()
    for folder, match, typed in (
        (report, late[0][0], {0: 10, 29: 39}),
        (gaps[1], gaps[0], {0: 0, 6: 6, 7: 8, 38: 39}),
    ):
        page = page_of.open(folder / "replay.html", f"#{match}/3")
        page.wait_for_selector(f"body[data-ready='{match}/3']")
        box = page.locator("#hand")
        assert [int(box.get_attribute(end)) for end in ("min", "max")] == [0, max(typed)]
        for index, number in typed.items():
            box.fill(str(index))
            page.keyboard.press("Enter")
            page.wait_for_selector(f"body[data-ready='{match}/{index}']")
            lead = page.locator("#lead").inner_text()
            assert f"hand #{index} (of #0 to #{max(typed)})" in lead and f"number {number} in the log" in lead
            command = page.locator("#command").evaluate("(node) => node.textContent")
            assert command == f"railbird replay '{match}#{index}'"
        box.fill("1000")
        page.keyboard.press("Enter")
        assert page.evaluate("location.hash").startswith(f"#{match}/{index}/")


def test_a_card_set_and_a_stack_are_shown_once(sample_store: Store, report: Path, page_of: Tab) -> None:
    match, index = sample_store.execute(
        "select match_id, hand_index from actions where action = 'assign' order by all limit 1"
    ).fetchall()[0]
    page = page_of.open(report / "replay.html", f"#{match}/{index}")
    page.wait_for_selector(f"body[data-ready='{match}/{index}']")
    steps = [text for text in page.locator("#steps button").all_inner_texts() if "sends" in text]
    sent = sample_store.execute(
        "select player, board_no, cards from deals join players using (match_id, seat)"
        " where match_id = $m and hand_index = $h and kind = 'assign' order by seq",
        m=match,
        h=index,
    ).fetchall()
    signs = {code: sign for sign, code in SUITS.items()}
    assert steps == [
        f"{player} sends to board {board} {' '.join(card[0] + signs[card[1]] for card in cards)}"
        for player, board, cards in sent
    ]
    # All cards are sent: each board's equities are known, and nothing was said there yet.
    page.locator("#steps button", has_text=steps[-1]).click()
    assert page.locator(".on-board .equity").count() == len(sent)
    assert "sends" not in page.locator("#table").inner_text()
    match = dict(one_of_each(sample_store))["koper"]
    page = page_of.open(report / "replay.html", f"#{match}/0")
    page.wait_for_selector(f"body[data-ready='{match}/0']")
    text = page.locator("#table").inner_text()
    assert "stack " in text
    assert "bankroll" not in text


def test_equities_are_those_of_the_store(sample_store: Store, report: Path, page_of: Tab) -> None:
    match, index = sample_store.execute(
        "select match_id, hand_index from hands where game = 'bounty' and streets = 4 and ended_by = 'showdown'"
        " order by all limit 1"
    ).fetchall()[0]
    page = page_of.open(report / "replay.html", f"#{match}/{index}")
    page.wait_for_selector(f"body[data-ready='{match}/{index}']")
    for street in range(1, 4):
        page.keyboard.press("]")
        equities = sample_store.execute(
            "select seat, equity_actual, value from equities where match_id = $m and hand_index = $h and street = $s",
            m=match,
            h=index,
            s=street,
        ).fetchall()
        assert {seat for seat, *_ in equities} == {0, 1}
        for seat, share, worth in equities:
            text = page.locator(f".seat[data-seat='{seat}']").inner_text()
            came = ("flop", "turn", "river")[street - 1]
            shown = re.findall(rf"equity ([\d.]+)%\s*worth ([+−]?[\d,.]+) as the {came} came", text)
            assert [float(shown[0][0]), number(shown[0][1])] == [
                pytest.approx(100 * share, abs=0.06),
                pytest.approx(worth, abs=0.006),
            ]


def test_a_line_of_the_log_and_its_step_are_shown_together(
    sample_store: Store, report: Path, page_of: Tab
) -> None:
    match, index, line = sample_store.execute(
        "select a.match_id, a.hand_index, a.line from actions a join matches m using (match_id)"
        " where m.game = 'bounty' and origin = 'choice' order by all limit 1"
    ).fetchall()[0]
    page = page_of.open(report / "replay.html", f"#{match}/{index}")
    page.wait_for_selector(f"body[data-ready='{match}/{index}']")
    item = page.locator(f"#log li[value='{line}']")
    item.click()
    assert "current" in (item.get_attribute("class") or "")
    path = sample_store.execute(
        "select path from files join matches using (file_id) where match_id = $m", m=match
    ).fetchall()[0][0]
    assert item.inner_text() == Path(path).read_text().splitlines()[line - 1]


def test_deep_links_open_a_hand_and_wrong_ones_say_so(
    sample_store: Store, report: Path, page_of: Tab
) -> None:
    matches = all_matches(sample_store)
    one, other = matches[0], matches[-1]
    page = page_of.open(report / "replay.html", f"#{one.match_id}/{one.hands - 1}/2")
    page.wait_for_selector(f"body[data-ready='{one.match_id}/{one.hands - 1}']")
    assert page.locator("#count").inner_text().startswith("step 2 of")
    page.evaluate(f"location.hash = '#{other.match_id}/0'")
    page.wait_for_selector(f"body[data-ready='{other.match_id}/0']")
    # One name in both seats.
    assert page.locator("#title").inner_text() == "Gemini seat 0 v Gemini seat 1"
    assert page.title().startswith("Hand #0, Gemini (seat 0) v Gemini (seat 1) ")
    assert other.labels == ("Gemini (seat 0)", "Gemini (seat 1)")
    page = page_of.open(report / "replay.html")
    page.wait_for_selector(f"body[data-ready='{one.match_id}/0']")
    page = page_of.open(report / "replay.html", f"#{one.match_id}/{one.hands}")
    said = f"This report has no hand {one.match_id}#{one.hands}."
    page.wait_for_function("text => document.getElementById('complaint').textContent === text", arg=said)
    page = page_of.open(report / "replay.html", "#<img src=x onerror=alert(1)>/../1")
    page.wait_for_function("document.getElementById('complaint').textContent.startsWith('A hand is named')")
    page = page_of.open(report / "hands.html")
    page.locator("table a[href^=replay]").first.click()
    page.wait_for_selector("body[data-ready]")
    assert "/replay.html#" in page.url


def test_a_match_that_is_not_there_says_so(report: Path, browser: Any) -> None:
    with tab(browser) as opened:
        page = opened.open(report / "replay.html", "#1/0")
        page.wait_for_function("document.getElementById('complaint').textContent.startsWith('This report')")
        # The browser itself tells of the script that is not there.
        assert opened.said
        assert all("ERR_FILE_NOT_FOUND" in line for line in opened.said)
        opened.said.clear()


def test_hostile_names_stay_text(hostile_store: Store, hostile: Path, page_of: Tab) -> None:
    match = all_matches(hostile_store)[0]
    shown = ["<script>alert(1)</script>", "\\u202egnp.$x^{2}$ \\x1b[31m\"'&</title>"]
    names = [path.name for path in hostile.glob("*.html") if path.name != "replay.html"]
    for name in [*names, f"replay.html#{match.match_id}/7/12"]:
        path, _, address = name.partition("#")
        page = page_of.open(hostile / path, f"#{address}" if address else "")
        if address:
            page.wait_for_selector(f"body[data-ready='{match.match_id}/7']")
        text = page.evaluate("document.body.textContent") + page.title()
        assert path == "definitions.html" or any(each in text for each in shown)
        if path.startswith(("match-", "replay", "index")):
            assert all(each in text for each in shown)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
        # Scripts are those of the folder and the loader; nothing else came into being.
        assert page.locator("script:not([src])").count() == 1
        sources = page.evaluate("[...document.scripts].map((one) => one.getAttribute('src')).filter(Boolean)")
        own = ("page", "words", "hand", "list", "replay", "uplot", "curves")
        assert set(sources) <= {f"assets/{one}.js" for one in own}
        assert page.locator("img:not([src^='plots/'])").count() == 0


def test_a_script_that_is_not_the_reports_own_is_refused(report: Path, tmp_path: Path, browser: Any) -> None:
    source = (report / "index.html").read_text(encoding="utf-8")
    inner = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
    (report / "edited.html").write_text(source.replace("</header>", inner + "</header>"), encoding="utf-8")
    with tab(browser) as opened:
        page = opened.open(report / "edited.html")
        assert page.title() != "taken"
        assert sum("Content Security Policy" in line for line in opened.said) >= 2
        opened.said.clear()
    (report / "edited.html").unlink()


def test_the_files_of_hands_hold_every_hand(sample_store: Store, report: Path) -> None:
    for match in all_matches(sample_store):
        folder = report / "hands" / str(match.match_id)
        files = sorted(folder.glob("[0-9]*.js"), key=lambda path: int(path.stem))
        held = [unpacked(path.read_text())["hands"] for path in files]
        assert [hand["index"] for some in held for hand in some] == list(range(match.hands))
        assert all(len(some) <= match_pages.TOGETHER for some in held)
