"""The pages of what the corpus showed are those that the command writes, and name nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import corpus_folders

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.tools import corpus_pages
from railbird.tools.schema_doc import between

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def whole(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """All folders of tests/corpus.txt and tests/engines.txt in one store."""
    folder = tmp_path_factory.mktemp("whole")
    ingest([*corpus_folders(corpus), *corpus_folders(corpus, "engines.txt")], folder)
    with open_store(folder) as store:
        yield store


def test_what_we_found_is_as_it_would_be_written_now(whole: Store) -> None:
    assert (DOCS / corpus_pages.PAGE).read_text() == corpus_pages.page(whole), "run make found"


def test_the_counts_of_the_deviations_are_those_of_the_corpus(whole: Store) -> None:
    text = (DOCS / corpus_pages.COUNTS).read_text()
    assert text == between(text, corpus_pages.BEGIN, corpus_pages.END, corpus_pages.counts(whole)), (
        "run make found"
    )


def test_the_page_of_the_corpus_is_as_it_would_be_written_now(whole: Store) -> None:
    assert (DOCS / "corpus.md").read_text() == corpus_pages.coverage(whole), "run make found"


def test_no_player_and_no_file_is_named(whole: Store) -> None:
    page = (DOCS / corpus_pages.PAGE).read_text()
    names = {
        name for (players,) in whole.execute("select players from matches").fetchall() for name in players
    }
    names |= {Path(path).stem for (path,) in whole.execute("select path from files").fetchall()}
    rows = [line for line in page.splitlines() if line.startswith(("|", "- "))]
    said = {word for row in rows for word in re.findall(r"[\w#()-]+", row)}
    # Test bots and files are called by such words of the page, too.
    assert {name for name in names if not name.isdecimal()} & said <= {"over", "late", "leduc"}


def test_the_command_writes_the_pages(sample_logs: Path, tmp_path: Path) -> None:
    ingest([sample_logs / "bounty", sample_logs / "koper"], tmp_path / "store")
    marks = f"Above.\n\n{corpus_pages.BEGIN}\n{corpus_pages.END}\n\nBelow.\n"
    (tmp_path / corpus_pages.COUNTS).write_text(marks)
    assert corpus_pages.main([str(tmp_path / "store")], tmp_path) == 0
    with open_store(tmp_path / "store") as store:
        assert (tmp_path / corpus_pages.PAGE).read_text() == corpus_pages.page(store)
        table = corpus_pages.counts(store)
    assert table.count("\n") > 4
    assert (tmp_path / corpus_pages.COUNTS).read_text() == marks.replace(
        f"{corpus_pages.BEGIN}\n{corpus_pages.END}", f"{corpus_pages.BEGIN}\n\n{table}\n\n{corpus_pages.END}"
    )
    # Once more changes nothing.
    before = (tmp_path / corpus_pages.COUNTS).read_text()
    assert corpus_pages.main([str(tmp_path / "store")], tmp_path) == 0
    assert (tmp_path / corpus_pages.COUNTS).read_text() == before


def test_a_deviation_has_one_row_and_the_kind_it_has_in_its_game(sample_logs: Path, tmp_path: Path) -> None:
    ingest([sample_logs / "sneak-peek"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        texts = [corpus_pages.coverage(store), corpus_pages.page(store), corpus_pages.counts(store)]
        found = "select count(distinct kind) from findings where deviation = 'sneak-peek.bad-bid-is-zero'"
        assert store.execute(found).fetchall() == [(2,)]
    for text in texts:
        rows = re.findall(r"^\| `?(sneak-peek\.[\w-]+)`? \| (\w+) \|", text, re.MULTILINE)
        assert ("sneak-peek.bad-bid-is-zero", "pay") in rows
        assert len({name for name, _ in rows}) == len(rows)


def test_the_command_needs_a_store(capsys: pytest.CaptureFixture[str]) -> None:
    assert corpus_pages.main([]) == 2
    assert capsys.readouterr().err.startswith("usage: ")
