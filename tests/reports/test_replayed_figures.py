"""What the replayer says of equities and of the price of a call, in a real browser."""

import re
from pathlib import Path

import pytest
from support.browser import Tab

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.reports.pages.build import write_report


def test_no_equity_is_shown_from_a_fold_to_the_next_cards(
    sample_store: Store, report: Path, page_of: Tab
) -> None:
    """Those before are counted with the folded hand in, those after with the ones left."""
    match, index, street = sample_store.execute(
        "select match_id, hand_index, street from actions a join hands h using (match_id, hand_index)"
        " where h.game = 'acpc/holdem.limit.3p' and action = 'fold' and street < 2 and h.streets > street + 1"
        " order by all limit 1"
    ).fetchall()[0]
    page = page_of.open(report / "replay.html", f"#{match}/{index}")
    page.wait_for_selector(f"body[data-ready='{match}/{index}']")
    shown = page.locator(".equity")
    texts = page.locator("#steps button").all_inner_texts()
    (fold,) = [place for place, text in enumerate(texts) if text.endswith(" folds")][:1]
    cards = next(place for place in range(fold, len(texts)) if texts[place].startswith(("flop ", "turn ")))
    counts = []
    for place in (fold - 1, fold, cards - 1, cards):
        page.locator("#steps button").nth(place).click()
        counts.append((shown.count(), page.locator("#table").inner_text().count("worth ")))
    assert counts == [(3, 3), (0, 0), (0, 0), (2, 2)]
    expected = sample_store.execute(
        "select equity_actual from equities where match_id = $m and hand_index = $h and street = $s order by seat",
        m=match,
        h=index,
        s=street + 1,
    ).fetchall()
    found = re.findall(r"equity ([\d.]+)%", page.locator("#table").inner_text())
    assert sorted(map(float, found)) == pytest.approx(sorted(100 * share for (share,) in expected), abs=0.06)


def test_what_a_call_needs_leaves_out_what_it_cannot_win(tmp_path: Path, page_of: Tab) -> None:
    """Of a table with side pots, 700, 2000 and 1333 chips; beside it the numbers by hand."""
    log = tmp_path / "side.log"
    definition = "\n".join(
        (
            "GAMEDEF", "nolimit", "numPlayers = 3", "numRounds = 4", "stack = 700 2000 1333", "blind = 5 10 0",
            "firstPlayer = 3 1 1 1", "numSuits = 4", "numRanks = 13", "numHoleCards = 2",
            "numBoardCards = 0 3 1 1", "END GAMEDEF", "",
        )
    )  # fmt: skip
    (tmp_path / "side.nolimit.3p.game").write_text(definition)
    log.write_text(
        "# name/game/hands/seed Side side.nolimit.3p.game 1 7\n#--t_response 600000\n"
        "STATE:0:r746cr2000c///:3h7d|6dQc|Ah4s/AcTh9c/Tc/Kc:-700|33|667:Ann|Bob|Cid\n"
    )
    ingest([tmp_path], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        ((match,),) = store.execute("select match_id from matches").fetchall()
        folder = write_report(store, tmp_path / "report").parent
    page = page_of.open(folder / "replay.html", f"#{match}/0")
    page.wait_for_selector(f"body[data-ready='{match}/0']")
    said = []
    for _ in range(page.locator("#steps button").count()):
        said += re.findall(r"Faced .* equity", page.locator("#now").inner_text())
        page.keyboard.press("ArrowRight")
    assert said == [
        f"Faced 10 to call into a pot of 15: a call needs {10 / 25:.1%} equity",
        f"Faced 695 to call into a pot of 761, of which a call can win 715: a call needs {695 / 1410:.1%} equity",
        f"Faced 736 to call into a pot of 1,456: a call needs {736 / 2192:.1%} equity",
        f"Faced 587 to call into a pot of 3,446, of which a call can win 2,779: a call needs {587 / 3366:.1%} equity",
    ]
