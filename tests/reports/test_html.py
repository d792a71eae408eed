"""The pages: well formed, complete, safe, and needing nothing from elsewhere."""

import base64
import hashlib
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import UserError, html
from railbird.reports.answers import all_matches
from railbird.reports.terminal import signed

VOID = {"meta", "img", "br", "line", "rect"}
ALLOWED = frozenset(
    re.findall(
        r"\w+",
        """html head meta title style body header nav main footer section div span p a h1 h2 h3 bdi code
        figure img figcaption table thead tbody tr th td details summary dl dt dd br svg g
        line rect polyline""",
    )
)


class Page(HTMLParser):
    """What a page holds; a tag that is not closed or not expected fails the test."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED
        assert not [name for name, _ in attrs if name.startswith("on") or name == "style"]
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.text += data


@pytest.fixture(scope="module")
def report(sample_store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return html.write_report(sample_store, tmp_path_factory.mktemp("report") / "new folder")


@pytest.fixture(scope="module")
def hostile(hostile_store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return html.write_report(hostile_store, tmp_path_factory.mktemp("hostile"))


def test_every_match_has_its_page_and_its_plots(sample_store: Store, report: Path) -> None:
    assert report.name == "index.html"
    names = {
        path.relative_to(report.parent).as_posix() for path in report.parent.rglob("*") if path.is_file()
    }
    expected = {"index.html"}
    for match in all_matches(sample_store):
        expected |= {html.page_name(match), *(f"plots/{match.match_id}.{form}" for form in ("svg", "png"))}
    assert names == expected


def test_pages_are_well_formed_and_their_links_lead_somewhere(report: Path) -> None:
    for path in report.parent.glob("*.html"):
        page = Page(path)
        assert page.tags.count("h1") == 1
        missing = [link for link in page.links if not (path.parent / link).is_file()]
        assert not missing


def test_the_policy_allows_the_style_and_nothing_else(report: Path) -> None:
    for path in report.parent.glob("*.html"):
        source = path.read_text(encoding="utf-8")
        style = re.findall(r"<style>(.*?)</style>", source, re.DOTALL)
        assert len(style) == 1
        digest = base64.b64encode(hashlib.sha256(style[0].encode()).digest()).decode()
        assert (
            f"default-src &#39;none&#39;; img-src &#39;self&#39; file:; style-src &#39;sha256-{digest}&#39;"
            in source
        )
        assert "http://" not in source
        assert "https://" not in source


def test_a_page_says_what_the_store_says(sample_store: Store, report: Path) -> None:
    for match in all_matches(sample_store):
        text = Page(report.parent / html.page_name(match)).text
        for player, delta in sample_store.sql(
            "select player, delta from results where match_id = $match", match=match.match_id
        ).fetchall():
            assert player in text
            assert signed(delta) in text
        rates = sample_store.sql(
            "select opportunities from tendencies_by_match where match_id = $match and opportunities > 0",
            match=match.match_id,
        ).fetchall()
        assert all(f"n {count:,}" in text for (count,) in rates)


def test_every_deviation_is_on_the_first_page_with_its_chips(sample_store: Store, report: Path) -> None:
    text = Page(report).text
    rows = sample_store.sql(
        "select deviation, sum(greatest(chips, 0)) from deviations group by all"
    ).fetchall()
    assert rows
    assert all(name.replace("+", " + ") in text and f"{chips:,.0f}" in text for name, chips in rows)


def test_one_match_is_one_page_with_the_ledger(hostile: Path) -> None:
    page = Page(hostile)
    assert "Ledger of files" in page.text
    assert len(list(hostile.parent.glob("*.html"))) == 1


def test_hostile_names_stay_text(hostile: Path) -> None:
    page = Page(hostile)
    assert "<script>alert(1)</script>" in page.text
    assert "\\u202egnp.$x^{2}$ \\x1b[31m\"'&</title>" in page.text
    assert "x'\"><img src=y>.txt" in page.text
    assert page.tags.count("img") == 1
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", page.source)
    assert all(re.fullmatch(r"plots/\d+\.(svg|png)", link) for link in page.links)


def test_absolute_folders_are_not_published(hostile: Path, hostile_store: Store) -> None:
    assert str(hostile_store.path.parent) not in hostile.read_text(encoding="utf-8")


def test_progress_ends_at_its_total(sample_store: Store, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    html.write_report(sample_store, tmp_path, None, lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] == len(seen)


def test_a_match_that_is_not_there(sample_store: Store, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^no match is called 'nobody.txt'; `railbird bankroll` lists them$"):
        html.write_report(sample_store, tmp_path, "nobody.txt")


def test_a_browser_loads_the_pages_without_complaint(report: Path, hostile: Path) -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium on this machine: the pages are not opened in a browser")
    for path in (report, hostile):
        done = subprocess.run(
            [
                *(
                    chromium,
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--enable-logging=stderr",
                    "--v=0",
                ),
                *("--virtual-time-budget=2000", "--dump-dom", path.as_uri()),
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert "CONSOLE" not in done.stderr
        assert "</html>" in done.stdout


def test_what_is_cut_says_so(tmp_path: Path) -> None:
    text = simulate("holdem-mit", [("Ann", "loose-aggressive"), ("Bob", "maniac")], 40, 1)
    (tmp_path / "edited.txt").write_text(re.sub(r"awarded \d", "awarded 77", text), newline="")
    ingest([tmp_path / "edited.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        page = Page(html.write_report(store, tmp_path / "report"))
        ((total,),) = store.sql(
            "select count(*) from findings where verdict <> 'engine_deviation'"
        ).fetchall()
    assert f"(the first 12 of {total:,}; railbird verify --all lists the violations)" in page.text
    assert "Nothing: every hand" not in page.text
