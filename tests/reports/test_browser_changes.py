"""The replayer in a browser, of games whose hole cards change: no equity stands beside cards that are not held yet."""

import re
from pathlib import Path

import pytest
from support.browser import Tab

from railbird.analytics.store import Store

_CHANGED = """
    select d.match_id, d.hand_index
    from deals as d join hands as h using (match_id, hand_index)
    join equities as e on e.match_id = d.match_id and e.hand_index = d.hand_index and e.street = d.street
    where h.game = $game and d.kind in ('auction', 'swap', 'discard') and e.equity_actual is not null
    order by all limit 1
"""


@pytest.mark.parametrize("game", ["auction", "swap", "toss", "redraw-2017"])
def test_equities_wait_for_the_last_card_of_the_street(
    game: str, sample_store: Store, report: Path, page_of: Tab
) -> None:
    ((match, index),) = sample_store.execute(_CHANGED, game=game).fetchall()
    streets = sample_store.execute(
        "select street, max(seq) from deals where match_id = $m and hand_index = $h"
        " and kind in ('auction', 'swap', 'discard') group by 1",
        m=match,
        h=index,
    ).fetchall()
    page = page_of.open(report / "replay.html", f"#{match}/{index}")
    page.wait_for_selector(f"body[data-ready='{match}/{index}']")
    last = int(page.locator("#slider").get_attribute("max"))
    # By step: what is told, and whether an equity is.
    told: list[tuple[str, bool]] = []
    for _ in range(last + 1):
        seats = " ".join(page.locator(".seat").all_inner_texts())
        told.append(
            (page.locator("#steps [aria-current]").inner_text(), bool(re.search(r"equity [\d.]+%", seats)))
        )
        page.keyboard.press("ArrowRight")
    changes = [k for k, (text, _) in enumerate(told) if re.search(r"wins|now holds|discards", text)]
    assert changes and streets
    assert any(shown for _, shown in told)
    flop = next(k for k, (text, _) in enumerate(told) if "Flop" in text or "flop" in text)
    if flop < changes[-1] and len(streets) == 1:
        assert not any(shown for _, shown in told[flop : changes[-1]])


def test_a_pass_moves_its_cards_in_one_step(sample_store: Store, report: Path, page_of: Tab) -> None:
    ((match, index, cards),) = sample_store.execute("""
        select d.match_id, d.hand_index, d.cards from deals as d join hands as h using (match_id, hand_index)
        where h.game = 'anaconda' and d.kind = 'pass' and h.streets = 3 and h.verdict = 'ok' order by all limit 1
    """).fetchall()
    page = page_of.open(report / "replay.html", f"#{match}/{index}")
    page.wait_for_selector(f"body[data-ready='{match}/{index}']")
    held = set()
    for _ in range(int(page.locator("#slider").get_attribute("max"))):
        page.keyboard.press("ArrowRight")
        said = page.locator("#steps [aria-current]").inner_text()
        assert "passs" not in said
        shown = [page.locator(".seat").nth(seat).locator(".playing-card").count() for seat in (0, 1)]
        if "passes" in said:
            assert len(said.split("passes ")[1].split()) in (1, 2, 3)
        else:
            held.add(tuple(shown))
    assert len(cards) in (1, 2, 3)
    assert held <= {(0, 0), (7, 0), (0, 7), (7, 7)} and (7, 7) in held
    assert page.locator(".middle .none").count() == 0


def test_only_a_game_with_a_board_waits_for_cards(sample_store: Store, report: Path, page_of: Tab) -> None:
    query = "select match_id from matches where game = $game order by match_id limit 1"
    for game, said in (("poker-camp", []), ("husky", ["no cards yet"]), ("blotto", ["no cards yet"] * 3)):
        ((match,),) = sample_store.execute(query, game=game).fetchall()
        page = page_of.open(report / "replay.html", f"#{match}/0")
        page.wait_for_selector(f"body[data-ready='{match}/0']")
        assert page.locator(".middle .none").all_inner_texts() == said
