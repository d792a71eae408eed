"""Two players of one name in a match: the seat tells them apart."""

import re
from pathlib import Path

from railbird.analytics import luck
from railbird.analytics.settings import Grouping
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import winnings
from railbird.reports.matches import all_matches
from railbird.reports.pages.build import write_report
from railbird.reports.pages.markup import match_page


def test_namesakes_are_told_apart_on_every_page(sample_store: Store, report: Path, tmp_path: Path) -> None:
    """Wherever a page says the name of one, the seat stands beside it."""
    twins = [match for match in all_matches(sample_store) if match.labels != match.players]
    assert {match.game for match in twins} >= {"koper", "bounty", "river-of-blood"}
    for match in twins:
        source = (report / match_page(match.match_id)).read_text(encoding="utf-8")
        assert f"<title>{' v '.join(match.labels)} " in source
        plot = (report / "plots" / f"{match.match_id}.svg").read_text(encoding="utf-8")
        assert all(label in plot for label in match.labels)
    for name in ("Gemini", "Twin"):
        for path in report.glob("*.html"):
            source = path.read_text(encoding="utf-8")
            assert not re.search(rf">{name}</bdi>(?! <span class=\"sub\">seat \d</span>)", source), path.name
            assert not re.search(rf"\b{name}\b(?!</bdi>| \(seat \d\))", source), path.name
    (tmp_path / "cup").mkdir()
    # Weak is dropped first, and each of the others still has somebody to meet.
    met = (("Twin", "Twin", 40), ("Twin", "Solo", 40), ("Twin", "Weak", 400), ("Solo", "Weak", 400))
    for seed, (one, other, hands) in enumerate(met):
        style = "calling-station" if other == "Weak" else "maniac"
        text = simulate("holdem-mit", [(one, "loose-aggressive"), (other, style)], hands, seed)
        (tmp_path / "cup" / f"{seed}.txt").write_text(text, newline="")
    ingest([tmp_path / "cup"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        index = write_report(store, tmp_path / "report").read_text(encoding="utf-8")
        (shown,) = winnings.luck_tables(luck.winnings(store), Grouping.PLAYER)
    seats = r'Twin</bdi> <span class="sub">seat {}</span>'
    heads = re.search(r"Won by.*?</tr>", index, re.DOTALL)
    dropped = re.search(r"<th>Dropped</th>.*?</table>", index, re.DOTALL)
    assert heads
    assert dropped
    assert all(seats.format(seat) in part[0] for part in (heads, dropped) for seat in (0, 1))
    assert 'title="Twin (seat 0) against Twin (seat 1): ' in index
    assert sorted(row[0] for row in shown.rows) == ["Solo", "Twin", "Twin (seat 0)", "Twin (seat 1)", "Weak"]
