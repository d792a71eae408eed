"""What pages call things, and the replayer's steps that no cards and no bets make; on a report of a few small logs."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.browser import Tab, tab

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports.pages.build import write_report
from railbird.reports.pages.markup import match_page
from railbird.reports.replayer import load_hand
from railbird.reports.terminal import plain

LOGS = (
    "acpc/kuhn.log",
    "acpc/leduc.log",
    "auction/2024-01-09.txt",
    "auction/2024-01-13.txt",
    "auction/equal-bids.txt",
    "blotto/assignments.txt",
    "koper/v1-eliminations.txt",
)


@pytest.fixture(scope="module")
def few(sample_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Path]]:
    """A store of a few logs, and the folder of a report on it."""
    root = tmp_path_factory.mktemp("few")
    ingest([sample_logs / log for log in LOGS], root / "store")
    with open_store(root / "store") as store:
        yield store, write_report(store, root / "report").parent


def match_of(store: Store, game: str) -> int:
    ((match,),) = store.execute(
        "select min(match_id) from matches where game like $game", game=game
    ).fetchall()
    return int(match)


def cells(page: Tab, path: Path, table: str, place: int) -> list[str]:
    """What stands in a column of a table of a match's page."""
    found = page.open(path).locator(f"{table} tbody tr > :nth-child({place})")
    return [text.strip() for text in found.all_text_contents()]


@pytest.mark.parametrize("game", ["acpc/kuhn%", "acpc/leduc%"])
def test_rounds_have_one_name_each(few: tuple[Store, Path], page_of: Tab, game: str) -> None:
    store, folder = few
    match = match_of(store, game)
    index, streets = store.execute(
        "select hand_index, streets from hands where match_id = $m order by streets desc, hand_index limit 1",
        m=match,
    ).fetchall()[0]
    rounds = ["first round", "second round"][:streets]
    path = folder / match_page(match)
    ended = cells(page_of, path, "#bankroll table", 1)
    assert set(ended) == {f"in the {name}" for name in rounds}
    assert set(cells(page_of, path, "#play table.pair:last-of-type", 1)) & set(rounds)
    page = page_of.open(folder / "replay.html", f"#{match}/{index}")
    page.wait_for_selector(f"body[data-ready='{match}/{index}']")
    page.locator("#last").click()
    text = page.locator("#table").inner_text() + page.locator("#steps").inner_text()
    steps = [step.text for step in load_hand(store, f"{match}#{index}").steps]
    for said in (text, " ".join(steps)):
        assert ("second round" in said) == (streets == 2)
        assert not any(word in said for word in ("flop", "board"))


@pytest.mark.parametrize("game", ["acpc/kuhn%", "koper"])
def test_a_position_that_is_a_number_is_no_seat(few: tuple[Store, Path], page_of: Tab, game: str) -> None:
    store, folder = few
    match = match_of(store, game)
    positions = {
        f"acts {['1st', '2nd', '3rd', '4th', '5th'][int(position)]}"
        for (position,) in store.execute(
            "select distinct position from seats where match_id = $m and position is not null", m=match
        ).fetchall()
    }
    assert len(positions) > 2
    assert set(cells(page_of, folder / match_page(match), "#bankroll table", 3)) - {"–"} == positions
    page = page_of.open(folder / "replay.html", f"#{match}/0")
    page.wait_for_selector(f"body[data-ready='{match}/0']")
    at_table = page.locator(".seat-head").all_inner_texts()
    assert {text[text.index("acts ") :] for text in at_table} == positions


def test_the_replayer_names_who_is_out_and_answers_a_wrong_number(
    few: tuple[Store, Path], page_of: Tab
) -> None:
    store, folder = few
    match = match_of(store, "koper")
    index, seats = store.execute(
        "select hand_index, list(seat) from seats where match_id = $m group by 1 having count(*) < 5"
        " order by 1 limit 1",
        m=match,
    ).fetchall()[0]
    ((players,),) = store.execute("select players from matches where match_id = $m", m=match).fetchall()
    page = page_of.open(folder / "replay.html", f"#{match}/{index}")
    page.wait_for_selector(f"body[data-ready='{match}/{index}']")
    away = [player for seat, player in enumerate(players) if seat not in seats]
    assert f"Not in this hand: {', '.join(away)}" in page.locator("#table").inner_text()
    shown = page.locator("#hand").input_value()
    page.locator("#hand").fill("999")
    page.locator("#hand").press("Enter")
    assert page.locator("#no-hand").inner_text() == "The match has no hand #999."
    assert page.locator("#hand").input_value() == shown
    page.locator("#previous").click()
    page.wait_for_selector(f"body[data-ready='{match}/{index - 1}']")
    assert page.locator("#no-hand").inner_text() == ""
    # The marker of the current line stands beside its text, not on it.
    page.locator("#last").click()
    page.locator("#back").click()
    style = "(one) => [getComputedStyle(one).boxShadow, parseFloat(getComputedStyle(one).paddingLeft)]"
    shadow, room = page.locator("#log .current").evaluate(style)
    assert re.search(r"\b3px 0px 0px 0px inset", shadow)
    assert room > 3


def test_a_price_is_paid_when_the_auction_is_won(few: tuple[Store, Path], page_of: Tab) -> None:
    """A bid moves no chips; those in the pot and in the stacks are always as many."""
    store, folder = few
    found = store.execute(
        "select match_id, hand_index from ("
        " select match_id, hand_index, seat, sum(chips_added) as added, bool_or(action = 'bid') as bid from actions"
        " group by all) join seats using (match_id, hand_index, seat) where bid and contribution > added"
        " group by match_id, hand_index qualify row_number() over (partition by match_id order by hand_index) <= 3"
    ).fetchall()
    assert len({match for match, _ in found}) == 3
    for match, index in found:
        page = page_of.open(folder / "replay.html", f"#{match}/{index}")
        page.wait_for_selector(f"body[data-ready='{match}/{index}']")
        steps = load_hand(store, f"{match}#{index}").steps
        texts = page.locator("#steps button").all_inner_texts()
        pots = []
        for _ in texts[:-1]:
            text = page.locator("#table").inner_text()
            chips = [float(said.replace(",", "")) for said in re.findall(r"(?:pot|stack) ([\d,.]+)", text)]
            assert sum(chips) == 800
            pots.append(float(re.findall(r"pot ([\d,.]+)", text)[0].replace(",", "")))
            page.keyboard.press("ArrowRight")
        for step, pot in zip(steps, pots[1:], strict=True):
            assert step.pot is None or step.pot == pot
        bids = [place for place, text in enumerate(texts) if " bids " in text]
        assert pots[bids[0] - 1] == pots[bids[1]] < pots[bids[1] + 1]


def test_who_is_eliminated_is_out(few: tuple[Store, Path], page_of: Tab) -> None:
    store, folder = few
    found = store.execute(
        "select match_id, hand_index, seat, contribution, len(hole) as cards from seats where eliminated"
        " qualify row_number() over (partition by cards order by contribution = 0, match_id, hand_index, seat) = 1"
    ).fetchall()
    assert {cards for *_, cards in found} == {0, 2}
    for match, index, seat, put, cards in found:
        left = put - 100 if cards else put
        said = "is eliminated" + (f" and leaves {plain(left)} in the pot" if left else "")
        steps = load_hand(store, f"{match}#{index}").steps
        (place,) = [k for k, step in enumerate(steps) if step.seat == seat and step.text == said]
        page = page_of.open(folder / "replay.html", f"#{match}/{index}")
        page.wait_for_selector(f"body[data-ready='{match}/{index}']")
        box = page.locator(f".seat[data-seat='{seat}']")
        buttons = page.locator("#steps button")
        buttons.nth(place).click()
        assert "folded" not in str(box.get_attribute("class"))
        buttons.nth(place + 1).click()
        assert page.locator(".now-head").inner_text().endswith(said)
        assert not cards or page.locator(".equity").count() == 0
        assert "folded" in str(box.get_attribute("class"))
        buttons.nth(buttons.count() - 2).click()
        assert "folded" in str(box.get_attribute("class"))
        assert "eliminated" in box.inner_text()


def test_over_antes_one_bets(few: tuple[Store, Path], page_of: Tab) -> None:
    """Kuhn and Leduc have no blind that could be raised."""
    store, folder = few
    found = store.execute(
        "select match_id, min(hand_index) from actions where action = 'bet' and street = 0 group by all"
    ).fetchall()
    assert len(found) == 2
    for match, index in found:
        page = page_of.open(folder / "replay.html", f"#{match}/{index}")
        page.wait_for_selector(f"body[data-ready='{match}/{index}']")
        page.locator("#steps button", has_text=" bets ").first.click()
        assert "Could bet " in page.locator("#now").inner_text()


def test_hands_without_a_decision_are_blank(few: tuple[Store, Path], page_of: Tab) -> None:
    """Their ground is not that of folds, and they are fainter than hands of few decisions."""
    _, folder = few
    path = next(path for path in folder.glob("player-*.html") if 'class="thin"' in path.read_text("utf-8"))
    page = page_of.open(path, "#ranges")
    assert page.locator(".grid td.blank").count() > 0
    assert (
        page.locator(".grid td.blank svg").count()
        == page.locator(".grid td:not(.blank, [class*=tone]):not(:has(svg))").count()
        == 0
    )
    look = "(one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]"
    (ground, blank), (other, thin) = (
        page.locator(f".grid td.{kind}").first.evaluate(look) for kind in ("blank", "thin")
    )
    assert ground == "rgba(0, 0, 0, 0)" != other
    # Opacity would take the contrast that text needs.
    inks = {kind: page.locator(kind).first.evaluate(look)[1] for kind in ("body", ".note")}
    assert (blank, thin) == (inks[".note"], inks["body"])


def test_one_is_no_plural_and_long_figures_and_names_stay_inside(tmp_path: Path, browser: Any) -> None:
    text = simulate("holdem-mit", [("W" * 200, "maniac"), ("B", "calling-station")], 1, 3)
    (tmp_path / "one.txt").write_text(text, newline="")
    ingest([tmp_path / "one.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        folder = write_report(store, tmp_path / "report").parent
    for path in folder.glob("*.html"):
        assert not re.search(r"\b1 (hands|matches)\b", path.read_text(encoding="utf-8")), path.name
    with tab(browser, viewport={"width": 500, "height": 800}) as opened:
        page = opened.open(next(folder.glob("match-*.html")))
        page.evaluate(FILL)
        assert page.locator(".tile").count() > 0
        for width in (390, 500, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.evaluate(
                "[...document.querySelectorAll('.tile')].every((one) => one.scrollWidth <= one.clientWidth)"
            )


# A name in running text, and the figure of a large match in every tile.
FILL = """() => {
  const name = Object.assign(document.createElement("p"), { textContent: "W".repeat(200) });
  document.querySelector("#bankroll").append(name);
  for (const one of document.querySelectorAll(".big")) { one.textContent = "−1,340,763.67"; one.classList.add("long"); }
}"""


def test_hands_whose_boards_end_apart_have_a_word_of_their_own(few: tuple[Store, Path], page_of: Tab) -> None:
    store, folder = few
    match = match_of(store, "blotto")
    path = folder / match_page(match)
    how = zip(*(cells(page_of, path, "#bankroll table", place) for place in (1, 2, 3)), strict=True)
    rows = list(how)
    assert len(rows) == len(set(rows))
    assert {by for _, by, _ in rows} >= {"fold", "showdown", "folds and showdown"}
