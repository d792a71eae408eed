"""The pages: well formed, complete, safe, and needing nothing from elsewhere."""

import base64
import hashlib
import math
import re
from collections.abc import Callable
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import Run
from markupsafe import Markup
from support.pages import unpacked

from railbird.analytics.standings import competitions
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import UserError
from railbird.reports.matches import all_matches
from railbird.reports.pages import markup, overview, players
from railbird.reports.pages import matches as match_pages
from railbird.reports.pages.build import spark, write_report
from railbird.reports.pages.markup import ASSETS, match_page, rate
from railbird.reports.terminal import chips, signed

VOID = {"meta", "link", "img", "br", "wbr", "line", "rect", "input"}
ALLOWED = frozenset(
    re.findall(
        r"\w+",
        """html head meta title style body header nav main footer section div span p a h1 h2 h3 h4 bdi code
        figure img figcaption table thead tbody tr th td details summary dl dt dd br wbr svg g
        line rect path link script noscript button label input form select option ol ul li strong""",
    )
)


class Page(HTMLParser):
    """What a page holds; a tag that is not closed or not expected fails the test."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.all_ids: list[str] = []
        self._open: list[str] = []
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED
        assert not [name for name, _ in attrs if name.startswith("on") or name == "style"]
        self.tags.append(tag)
        self.all_ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "script" not in self._open:
            self.text += data

    @property
    def ids(self) -> set[str]:
        """The names that links can lead to."""
        return set(self.all_ids)


parsed = cache(Page)
"""The page of a path that no test writes to."""


CURVES = ("svg", "png", "js")
"""The files of a curve: its pictures, and the data of the interactive one."""


@pytest.mark.parametrize("write", [markup.name, lambda text: markup.words(text, None), markup.breakable])
def test_a_line_may_end_within_a_long_name_only(write: Callable[[str], Markup]) -> None:
    for long in ("x" * 100, "<b>" * 30):
        made = str(write(long))
        pieces = [unescape(piece) for piece in re.sub("</?(bdi|span)>", "", made).split("<wbr>")]
        assert "".join(pieces) == long and max(map(len, pieces)) < 16
    assert "<wbr>" not in write("Otter")


def test_the_folder_holds_what_the_pages_need_and_nothing_else(sample_store: Store, report: Path) -> None:
    names = {path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file()}
    pages = ("index", "matches", "hands", "integrity", "definitions", "replay")
    expected = {*(f"{page}.html" for page in pages), *(f"assets/{name}" for name in ASSETS)}
    matches = all_matches(sample_store)
    for match in matches:
        number = match.match_id
        expected |= {match_page(number), *(f"plots/{number}.{form}" for form in CURVES)}
        expected |= {f"hands/{number}/{k}.js" for k in range(-(-match.hands // match_pages.TOGETHER))}
        expected.add(f"hands/{number}/list.js")
    for table in players.standings(sample_store, matches):
        expected |= {row["person"].page for row in table.players}
        if table.matches > 1:
            expected |= {f"plots/event-{table.key}.{form}" for form in CURVES}
    assert names == expected


def test_pages_are_well_formed_and_their_links_lead_somewhere(report: Path) -> None:
    inside: dict[str, set[str]] = {}
    for path in report.glob("*.html"):
        page = parsed(path)
        assert page.tags.count("h1") == 1
        assert len(page.all_ids) == len(page.ids)
        inside[path.name] = page.ids
        missing = [link for link in page.links if not (path.parent / link.partition("#")[0]).is_file()]
        missing = [link for link in missing if link.partition("#")[0]]
        assert not missing
    for path in report.glob("*.html"):
        for link in parsed(path).links:
            target, _, name = link.partition("#")
            target = target or path.name
            if name and target not in ("replay.html", "matches.html"):
                assert name in inside[target], link


def test_links_to_hands_name_hands_that_are_there(sample_store: Store, report: Path) -> None:
    counts = {match.match_id: match.hands for match in all_matches(sample_store)}
    named = [
        link.partition("#")[2]
        for path in report.glob("*.html")
        for link in parsed(path).links
        if link.startswith("replay.html#")
    ]
    assert len(named) > 300
    for name in named:
        match, index = map(int, name.split("/"))
        assert 0 <= index < counts[match]


def test_a_hand_has_one_number_in_pages_addresses_and_commands(
    report: Path, gaps: tuple[int, Path], run: Run
) -> None:
    """hand_index, as in MATCH#HAND, whatever the log prints."""
    named = 0
    for path in report.glob("*.html"):
        source = path.read_text(encoding="utf-8")
        assert not re.search(r">#\d|>hand \d", source)
        for index, said in re.findall(
            r'<a href="replay\.html#\d+/(\d+)">(?:hand |[^<#]*)?#(\d+)</a>', source
        ):
            assert said == index
            named += 1
    assert named > 300
    match, folder = gaps
    source = (folder / match_page(match)).read_text(encoding="utf-8")
    found = re.findall(rf'#{match}/(\d+)">hand #(\d+)<', source)
    assert found and all(said == index for index, said in found) and any(int(index) > 7 for index, _ in found)
    # The log's own number, here one more behind the hand that it leaves out, is said as such.
    code, out, _ = run("replay", f"{match}#9", "--store", folder.parent / "store")
    first, second, *_ = out.splitlines()
    assert code == 0 and first.startswith(f"Hand {match}#9: ")
    assert re.fullmatch(r"In .+, from line \d+; in the log hand 10", second)


def test_the_policy_allows_the_folders_files_and_one_script_by_its_hash(report: Path) -> None:
    for path in report.glob("*.html"):
        source = path.read_text(encoding="utf-8")
        scripts = re.findall(r"<script>(.*?)</script>", source, re.DOTALL)
        assert len(scripts) == source.count("<script") == 1
        digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
        policy = (
            f"default-src 'none'; script-src 'sha256-{digest}' 'strict-dynamic'; style-src 'self' file:; "
            "img-src 'self' file:; base-uri 'none'; form-action 'none'"
        )
        assert policy.replace("'", "&#39;") in source
        assert "<style" not in source
        assert "http://" not in source
        assert "https://" not in source


def test_a_page_says_what_the_store_says(sample_store: Store, report: Path) -> None:
    matches = all_matches(sample_store)
    texts = {match.match_id: parsed(report / match_page(match.match_id)).text for match in matches}
    results = sample_store.execute("select match_id, player, delta from results").fetchall()
    assert {match for match, *_ in results} == texts.keys()
    for match, player, delta in results:
        assert player in texts[match]
        assert signed(delta) in texts[match]
    rates = sample_store.execute(
        "select match_id, opportunities from tendencies_by_match where opportunities > 0"
    ).fetchall()
    assert len(rates) > len(matches)
    assert all(f"n {count:,}" in texts[match] for match, count in rates)


def test_a_players_page_says_what_the_store_says_of_all_matches(sample_store: Store, report: Path) -> None:
    """The sums over matches are those of the views over all matches, one row a statistic."""
    matches = all_matches(sample_store)
    dossiers = players.Dossiers(sample_store, matches, players.standings(sample_store, matches))
    rows = sample_store.execute(
        "select event, game, player, seat, statistic, opportunities, successes, rate, low, high from tendencies"
    ).fetchall()
    expected = {(players.Person(*row[:4]), row[4]): row[5:] for row in rows}
    found = {}
    for table in dossiers.tables:
        for one in table.players:
            who = one["person"]
            for row in dossiers.of(who, table)["tendencies"]:
                assert (who, row["statistic"]) not in found
                names = ("opportunities", "successes", "rate", "low", "high")
                found[who, row["statistic"]] = tuple(row[name] for name in names)
    assert found == expected
    heron = next(who for who, _ in expected if who.player == "Heron" and "nolimit" in who.game)
    text = parsed(report / heron.page).text
    counts = [row[0] for (who, _), row in expected.items() if who == heron and row[0]]
    assert counts
    assert all(f"n {count:,}" in text for count in counts)
    assert "over independent units, as in standings" in text


def test_standings_are_those_of_the_competition(sample_store: Store, report: Path) -> None:
    tables = {
        (table.event, table.game): table
        for table in players.standings(sample_store, all_matches(sample_store))
    }
    text = parsed(report / "index.html").text
    for found in competitions(sample_store):
        table = tables[found.event, found.game]
        if any(row["seat"] is not None for row in table.players) and found.game == "koper":
            continue
        by_name = {(row["player"], row["seat"]): row for row in table.players}
        for row in found.standings.iter_rows(named=True):
            ours = by_name[row["player"], row["seat"]]
            assert (ours["delta"], ours["matches"]) == (pytest.approx(row["chips"]), row["matches"])
            assert ours["bb_per_100"] == pytest.approx(row["mbb_per_hand"] / 10)
            assert (ours["low"] is None) == (row["low"] is None)
            assert ours["p_first"] == row["p_first"]
            assert ours["rank"] == row["rank"]
            assert rate(ours["bb_per_100"]) in text


@pytest.mark.parametrize(
    ("value", "shown"),
    [(232.5, "+233"), (-232.5, "−233"), (0.25, "+0.3"), (99.95, "+100"), (99.94, "+99.9"), (0.0, "+0.0")],
)
def test_ties_are_rounded_alike_however_they_were_added_up(value: float, shown: str) -> None:
    assert {rate(math.nextafter(value, end)) for end in (value, -1e9, 1e9) if value or end == value} == {
        shown
    }


def test_players_with_equal_chips_share_a_place(tmp_path: Path) -> None:
    """As in `railbird standings`, over the whole store and over a part of it."""
    (tmp_path / "cup").mkdir()
    even = simulate("holdem-mit", [("Ann", "loose-aggressive"), ("Bob", "maniac")], 30, 1)
    odd = simulate("holdem-mit", [("Cid", "tight-passive"), ("Dot", "maniac")], 30, 2)
    # The same cards and play with the names exchanged: what one wins, the other wins too.
    names = {"Ann": "Bob", "Bob": "Ann"}
    swapped = re.sub(r"\b(Ann|Bob)\b", lambda found: names[found[0]], even)
    for number, text in enumerate((even, swapped, odd)):
        (tmp_path / "cup" / f"{number}.txt").write_text(text, newline="")
    ingest([tmp_path / "cup"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        matches = all_matches(store)
        (found,) = competitions(store)
        assert found.standings["rank"].to_list() == [1, 2, 2, 4]
        (table,) = players.standings(store, matches)
        assert [row["rank"] for row in table.players] == [1, 2, 2, 4]
        (table,) = players.standings(store, matches[:2])
        assert [(row["player"], row["rank"]) for row in table.players] == [("Ann", 1), ("Bob", 1)]
        folder = write_report(store, tmp_path / "report").parent
    shown = [re.search(r"place (\d) of 4 by chips", Page(path).text) for path in folder.glob("player-*.html")]
    assert sorted(found[1] for found in shown if found) == ["1", "2", "2", "4"]


@pytest.mark.parametrize("at_once", [7, 128])
def test_the_biggest_pots_are_of_several_matches_and_equal_ones_by_chips_won(
    sample_store: Store, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr("railbird.reports.matches.READ_TOGETHER", at_once)
    matches = all_matches(sample_store)
    places = {match.match_id: place for place, match in enumerate(matches)}
    found = overview.biggest_pots(sample_store, matches)
    expected: dict[tuple[str, str], dict[int, list[tuple[float, float, int, int]]]] = {}
    for event, game, match, hand, pot, most in sample_store.execute(
        "select event, m.game, match_id, hand_index, played_for, max(abs(s.delta)) from hands h join matches m"
        " using (match_id) join pots using (match_id, hand_index) join seats s using (match_id, hand_index)"
        " where h.verdict <> 'damaged' and played_for > 0 group by all"
    ).fetchall():
        of_match = expected.setdefault((event, game), {}).setdefault(match, [])
        of_match.append((-pot, -most, hand, match))
    assert found.keys() == expected.keys()
    for key, by_match in expected.items():
        most = overview.OF_A_MATCH if len(by_match) > 1 else overview.SHOWN_POTS
        rows = [row for some in by_match.values() for row in sorted(some)[:most]]
        rows.sort(key=lambda row: (row[0], row[1], places[row[3]], row[2]))
        named = [(row["match_id"], row["hand_index"]) for row in found[key]]
        assert named == [(match, hand) for _, _, hand, match in rows[: overview.SHOWN_POTS]]


def test_biggest_pots_name_the_number_that_the_log_prints(sample_store: Store, report: Path) -> None:
    numbers = {
        (str(match), hand): number
        for match, hand, number in sample_store.execute(
            "select match_id, hand_index, hand_no from hands"
        ).fetchall()
    }
    row = re.compile(r'replay\.html#(\d+)/(\d+)">hand #\2</a><br><span class="sub">in the log hand (\d+)\b')
    for pages in ("match-*.html", "hands.html", "index.html"):
        found = [one for page in report.glob(pages) for one in row.findall(page.read_text())]
        assert len(found) >= 5, pages
        assert all(numbers[match, int(hand)] == int(number) for match, hand, number in found)
    assert any(hand != number for _, hand, number in found)


def test_a_match_page_and_the_first_page_order_pots_alike(sample_store: Store) -> None:
    matches = all_matches(sample_store)[::4]
    for match, rows in match_pages.by_match(sample_store, matches).items():
        only = [one for one in matches if one.match_id == match]
        ((_, pots),) = overview.biggest_pots(sample_store, only).items()
        shown = [row["hand_index"] for row in pots[: match_pages.SHOWN_POTS]]
        assert [row["hand_index"] for row in rows["pots"]][: len(shown)] == shown


def test_what_the_cards_brought_is_told_to_the_hundredth(sample_store: Store, report: Path) -> None:
    luckiest = overview.Luckiest()
    luckiest.add(sample_store, all_matches(sample_store))
    brought = [row["luck"] for rows in luckiest.rows(sample_store).values() for row in rows]
    text = parsed(report / "hands.html").text
    assert all(signed(round(luck, 2)) in text for luck in brought)
    assert any(abs(luck - round(luck, 1)) > 0.01 for luck in brought)


def test_answers_to_bets_are_counted_as_the_view_counts_them(sample_store: Store) -> None:
    matches = all_matches(sample_store)
    tables = players.standings(sample_store, matches)
    dossiers = players.Dossiers(sample_store, matches, tables)
    expected = {
        (players.Person(*row[:4]), *row[4:7]): row[7:]
        for row in sample_store.execute(
            "select event, game, player, seat, street_name(street, game), size_bin, answer,"
            " opportunities, successes, low, high, mdf from bet_answers"
        ).fetchall()
    }
    found = {
        (row["person"], street["name"], size, answer): pytest.approx(
            tuple(one[key] for key in ("opportunities", "successes", "low", "high", "mdf"))
        )
        for table in tables
        for row in table.players
        for street in dossiers.of(row["person"], table)["answers"]
        for size, cell in street["cells"].items()
        for answer, one in cell.items()
    }
    assert expected == found


def test_habits_are_those_of_the_views(sample_store: Store) -> None:
    """Of Koper's means `test_koper_pages` tells."""
    found = players.habits(sample_store, all_matches(sample_store))
    views = (
        "select event, game, player, seat, statistic, opportunities, rate, low, high from tendencies",
        "select event, game, player, seat, 'afq', bets + raises + calls + folds, afq, afq_low, afq_high"
        " from aggression",
    )
    expected = {
        (players.Person(*row[:4]), row[4]): row[5:]
        for view in views
        for row in sample_store.execute(view).fetchall()
    }
    assert expected == {
        (who, name): pytest.approx(tuple(one[key] for key in ("opportunities", "rate", "low", "high")))
        for who, named in found.items()
        for name, one in named.items()
        if "mean" not in one
    }


def test_grids_hold_every_decision_of_the_ranges(sample_store: Store) -> None:
    matches = all_matches(sample_store)
    tables = players.standings(sample_store, matches)
    dossiers = players.Dossiers(sample_store, matches, tables)
    expected = {
        players.Person(*row[:4]): row[4:]
        for row in sample_store.execute(
            "select event, game, player, seat, sum(decisions)::bigint, sum(folds)::bigint from ranges"
            " where len(hole_class) in (2, 3) and hole_class is not null and grid_row is not null"
            " and bet_level >= 1 group by all"
        ).fetchall()
    }
    found = {}
    for table in tables:
        for row in table.players:
            grids = dossiers.of(row["person"], table)["ranges"]
            cells = [cell for grid in grids for cell in grid["cells"].values()]
            assert all(cell["folds"] + cell["calls"] + cell["raises"] == cell["n"] for cell in cells)
            assert sum(grid["n"] for grid in grids) == sum(cell["n"] for cell in cells)
            if cells:
                found[row["person"]] = (sum(c["n"] for c in cells), sum(c["folds"] for c in cells))
    assert found == expected


def test_evidence_is_a_page_of_its_own_where_it_is_asked_for(evidence: Path) -> None:
    folder = evidence
    page = Page(folder / "evidence.html")
    assert "3 players" in page.text
    assert "<i>Bob" in page.text
    assert "evidence.html" in Page(folder / "index.html").links
    named = [link for link in page.links if link.startswith("replay.html#")]
    assert named
    assert all((folder / "hands" / re.split("[#/]", link)[1]).is_dir() for link in named)


def test_a_pair_beyond_chance_has_a_card_with_hands_and_explanations(tmp_path: Path) -> None:
    styles = ("tight-aggressive", "pot-odds", "loose-aggressive", "tight-passive", "maniac")
    (tmp_path / "cup").mkdir()
    for seed, (one, two) in enumerate(combinations(range(5), 2)):
        plan = "+dump@100" if (one, two) == (0, 1) else ""
        text = simulate("swap", [(f"P{one}", styles[one] + plan), (f"P{two}", styles[two])], 200, seed)
        (tmp_path / "cup" / f"{seed}.txt").write_text(text, newline="")
    ingest([tmp_path / "cup"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        folder = write_report(store, tmp_path / "report", with_evidence=True).parent
        (found,) = overview.evidence(store, all_matches(store))
    (card,) = found["cards"]
    assert card.names == ("P0", "P1")
    assert card.compares.startswith("bb a hand that P0 loses to P1")
    assert len(card.hands) == 3 and card.since and card.tried
    # A gift is a fold or a bet of P0, and the sentence has what both held.
    for _, _, said in card.hands:
        assert re.match(r"P0 (folded|called|checked|bet|raised)", said)
        assert re.search(
            r"beats \d+% of unseen hands, the hand of P1 beats \d+% of unseen hands; .* wins \d+% of showdowns",
            said,
        )
    text = " ".join(Page(folder / "evidence.html").text.split())
    assert f"P0 with P1: {card.row.detector}" in text
    for _, hand, said in card.hands:
        assert f"hand #{hand} : {said}" in text or f"hand #{hand}: {said}" in text


def test_every_deviation_is_on_the_page_of_integrity_with_its_chips(
    sample_store: Store, report: Path
) -> None:
    """Chips that were lost, so that nobody gained them, have moved, too."""
    rows = sample_store.execute(
        "select deviation, sum(greatest(gains, losses)), sum(gains) from ("
        " select deviation, sum(greatest(chips, 0)) as gains, -sum(least(chips, 0)) as losses from findings"
        " where kind = 'pay' and deviation is not null group by match_id, hand_index, deviation) group by all"
    ).fetchall()
    assert any(moved > gained for _, moved, gained in rows)
    text = parsed(report / "integrity.html").text
    assert all(name.replace("+", " + ") in text and chips(moved) in text for name, moved, _ in rows)


def test_a_hand_in_which_an_engine_deviated_counts_once(sample_store: Store) -> None:
    """Also where the findings concern several seats; as `railbird verify` counts."""
    expected = sample_store.execute(
        "select game, deviation, kind, count(distinct (match_id, hand_index)) from findings"
        " join matches using (match_id) where deviation is not null group by all order by all"
    ).fetchall()
    rows = overview.overview(sample_store, all_matches(sample_store))["deviations"]
    assert sorted((row["game"], row["deviation"], row["kind"], row["hands"]) for row in rows) == expected
    ((twice,),) = sample_store.execute("select sum(hands) from deviations").fetchall()
    assert sum(row["hands"] for row in rows) < twice


def test_a_single_match_is_drawn_on_the_first_page(hostile_store: Store, hostile: Path) -> None:
    number = all_matches(hostile_store)[0].match_id
    assert f"plots/{number}.svg" in Page(hostile / "index.html").links
    assert len(list(hostile.glob("match-*.html"))) == 1


def test_a_report_on_one_match_tells_of_no_other(sample_store: Store, tmp_path: Path) -> None:
    """Neither of one that was dealt the same cards, nor of other files and their lines."""
    ((match, path),) = sample_store.execute(
        "select match_id, path from matches join files using (file_id)"
        " where match_id in (select other_match_id from repeated_deals) order by path, match_id limit 1"
    ).fetchall()
    folder = write_report(sample_store, tmp_path, str(match)).parent
    for page in map(Page, folder.glob("*.html")):
        linked = {link.partition("#")[0] for link in page.links}
        assert all((folder / link).is_file() for link in linked if link)
    players = [*folder.glob("player-*.html")]
    assert players and all("matches pooled" in Page(path).text for path in players)
    matches = all_matches(sample_store)
    every = overview.overview(sample_store, matches)
    one = overview.overview(sample_store, [found for found in matches if found.match_id == match])
    assert [row["path"] for row in one["files"]] == [path]
    assert one["unknown"] == []
    assert "sidecar" in {row["status"] for row in every["files"]}
    assert every["unknown"]


def test_hostile_names_stay_text_on_every_page(hostile: Path) -> None:
    whole = ""
    for path in hostile.glob("*.html"):
        page = Page(path)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", page.source)
        assert all(
            re.fullmatch(
                r"plots/\d+\.(svg|png)|assets/(style|curves|uplot)\.css|[a-z0-9-]+\.html(#[\w/+-]+)?|#content",
                link,
            )
            for link in page.links
        )
        assert page.tags.count("script") == 1
        whole += page.text
    assert "<script>alert(1)</script>" in whole
    assert "\\u202egnp.$x^{2}$ \\x1b[31m\"'&</title>" in whole
    assert "x'\"><img src=y>.txt" in whole


def test_names_leave_no_trace_in_file_names_and_scripts(hostile: Path) -> None:
    for path in hostile.rglob("*"):
        assert re.fullmatch(r"[\w.-]+", path.name)
    scripts = [*(hostile / "hands").rglob("*.js")]
    assert scripts
    for path in scripts:
        assert re.fullmatch(r'railbird\("\d+",(?:\d+|"list"),"[A-Za-z0-9+/=]+"\);\n', path.read_text())


def test_absolute_folders_are_not_published(hostile: Path, hostile_store: Store) -> None:
    for path in hostile.rglob("*.html"):
        assert str(hostile_store.path.parent) not in path.read_text(encoding="utf-8")
    scripts = [*(hostile / "hands").rglob("*.js")]
    assert scripts
    for path in scripts:
        assert str(hostile_store.path.parent) not in str(unpacked(path.read_text()))


def test_progress_ends_at_its_total(report_and_progress: tuple[Path, list[tuple[int, int]]]) -> None:
    seen = report_and_progress[1]
    assert seen == [(done, len(seen)) for done in range(1, len(seen) + 1)]
    assert len(seen) > 100


def test_a_match_that_is_not_there(sample_store: Store, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^no match is called 'nobody.txt'; `railbird bankroll` lists them$"):
        write_report(sample_store, tmp_path, "nobody.txt")


def test_what_is_cut_says_so(tmp_path: Path) -> None:
    text = simulate("holdem-mit", [("Ann", "loose-aggressive"), ("Bob", "maniac")], 40, 1)
    (tmp_path / "edited.txt").write_text(re.sub(r"awarded \d", "awarded 77", text), newline="")
    ingest([tmp_path / "edited.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        number = all_matches(store)[0].match_id
        page = Page(write_report(store, tmp_path / "report").parent / match_page(number))
        ((total,),) = store.execute(
            "select count(*) from findings where verdict <> 'engine_deviation'"
        ).fetchall()
    assert f"(the first 25 of {total:,}; railbird verify --all lists the violations)" in page.text
    assert "Nothing: every hand" not in page.text


def test_sparklines_are_short_and_end_where_the_curve_does() -> None:
    line = SimpleNamespace(bankroll=np.cumsum(np.random.default_rng(1).normal(size=1000)))
    lower = SimpleNamespace(bankroll=line.bankroll - 500)
    for cells in (40, 20, 1):
        found = spark(SimpleNamespace(lines=[lower, line]), cells)  # type: ignore[arg-type]
        assert len(found.path) <= 24 * cells
        first, steps = found.path[1:].split("l")
        moves = np.array([int(number) for number in re.findall(r"-?\d+", steps)]).reshape(-1, 2)
        x, y = np.cumsum([[int(number) for number in first.split()], *moves], axis=0).T
        assert (x[0], x[-1]) == (0, 320)
        assert (np.diff(x) >= 0).all()
        # The last value lies as far above zero, in the height of the picture, as it does in chips.
        high, low = max(line.bankroll.max(), 0), min(line.bankroll.min(), 0)
        assert abs((found.zero - y[-1]) - 56 * line.bankroll[-1] / (high - low)) <= 1
        assert (y.min(), y.max(initial=found.zero)) == (4, 60)
    empty = SimpleNamespace(lines=[SimpleNamespace(bankroll=np.array([]))])
    assert spark(empty).path == ""  # type: ignore[arg-type]
