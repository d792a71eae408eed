"""The table of who beat whom on the first page of a report, with as many players as it has at most."""

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from support.browser import tab

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports.pages.build import CROSSED_MOST, CROSSED_WIDE, write_report

TEAMS = ("Otter", "Heron", "Lynx", "Vole", "Kite", "Stoat", "Finch", "Marten", "Egret", "Rook")


def report_of(folder: Path, players: int) -> Path:
    """The report of some matches of so many players."""
    logs = folder / "league"
    logs.mkdir()
    names = [f"{TEAMS[k % len(TEAMS)]} {k:02}" for k in range(players)]
    met = [pair for pair in combinations(names, 2) if (int(pair[0][-2:]) + int(pair[1][-2:])) % 7 < 2]
    for number, (one, other) in enumerate(met[: 2 * players]):
        text = simulate("holdem-mit", [(one, "maniac"), (other, "random")], 4, number)
        (logs / f"{number:03}.txt").write_text(text, newline="")
    ingest([logs], folder / "store")
    with open_store(folder / "store") as store:
        return write_report(store, folder / "report")


@pytest.mark.parametrize(("players", "width"), [(CROSSED_WIDE, 1400), (CROSSED_MOST, 1280)])
def test_who_beat_whom_fits_a_desktop(tmp_path: Path, browser: Any, players: int, width: int) -> None:
    index = report_of(tmp_path, players)
    with tab(browser, viewport={"width": width, "height": 900}) as opened:
        page = opened.open(index)
        page.get_by_role("tab", name="Who beat whom").first.click()
        opened.settle()
        table = page.locator(".crosstable")
        assert table.locator("tbody tr").count() == players
        assert table.evaluate("(one) => one.parentElement.scrollWidth <= one.parentElement.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        cut = table.locator("td").evaluate_all(
            "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
        )
        assert cut == 0
        assert table.locator("tbody td .sub").first.inner_text().count("n ") == 1
