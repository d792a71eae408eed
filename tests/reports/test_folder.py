"""Where a report is written, what it replaces, its title, and opening it."""

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Run

from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import UserError
from railbird.reports.pages.folder import check_folder, replaced


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("short")
    for number in (1, 2):
        log = simulate("holdem-mit", [("Hawk", "maniac"), ("Dove", "tight-passive")], 4, number)
        (folder / f"{number}.txt").write_text(log, newline="")
    ingest([folder], folder / "store", event="Open cup")
    return folder / "store"


def a_report(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("<footer>\n<p>Made by railbird. Every rate")
    (folder / "match-17.html").write_text("old")
    (folder / "plots").mkdir()
    (folder / "plots" / "17.svg").write_text("old")


@pytest.fixture
def browser_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A program in the place of the browser, which writes what it is to open."""
    script = tmp_path / "my browser"
    script.write_text(f'#!/bin/sh\nprintf %s "$1" > "{tmp_path}/opened"\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("BROWSER", f"'{script}' %s")
    yield tmp_path / "opened"


def test_an_older_report_is_replaced_as_a_whole_and_opened(
    run: Run, store: Path, tmp_path: Path, browser_script: Path
) -> None:
    out = tmp_path / "pages #1"
    a_report(out)
    (out / f".railbird-new-{'0' * 32}").mkdir()
    code, said, _ = run(
        "report",
        "--store",
        store,
        "--out",
        out,
        "--match",
        "1.txt",
        "--open",
        "--title",
        " The <b>Open</b>\nCup ",
    )
    assert (code, said) == (0, f"{out / 'index.html'}\n")
    assert browser_script.read_text() == (out / "index.html").as_uri()
    names = {path.name for path in out.iterdir()}
    assert "match-17.html" not in names and not [name for name in names if name.startswith(".")]
    assert not (out / "plots" / "17.svg").exists()
    first, matches = ((out / name).read_text(encoding="utf-8") for name in ("index.html", "matches.html"))
    assert "<title>The &lt;b&gt;Open&lt;/b&gt; Cup</title>" in first
    assert "<h1>The &lt;b&gt;Open&lt;/b&gt; Cup</h1>" in first
    assert "<title>Matches · The &lt;b&gt;Open&lt;/b&gt; Cup</title>" in matches


@pytest.mark.parametrize("name", ["notes.txt", ".git", "match-x.html", "playerlist.html"])
def test_a_folder_with_anything_else_in_it_is_left_as_it_is(
    run: Run, store: Path, tmp_path: Path, name: str
) -> None:
    out = tmp_path / "pages"
    a_report(out)
    (out / name).write_text("mine")
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    said = run("report", "--store", store, "--out", out)
    assert said == (
        2,
        "",
        f"railbird: {out} is no report (it has {name!r}): choose another folder for the pages\n",
    )
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_pages_of_others_are_no_report(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>My page</p>")
    with pytest.raises(UserError, match="railbird did not make what is in it"):
        check_folder(tmp_path)
    with pytest.raises(UserError, match="railbird did not make"):
        (tmp_path / "index.html").unlink()
        (tmp_path / "assets").mkdir()
        check_folder(tmp_path)


def test_a_report_is_not_written_below_the_store(run: Run, store: Path) -> None:
    out = store / "pages"
    said = run("report", "--store", store, "--out", out)
    assert said == (2, "", f"railbird: {out} lies in the store: choose another folder for the pages\n")
    assert not out.exists()


def test_a_report_that_fails_leaves_the_older_one(tmp_path: Path) -> None:
    out = tmp_path / "pages"
    a_report(out)
    before = sorted(path.name for path in out.iterdir())
    with pytest.raises(KeyboardInterrupt), replaced(out) as fresh:
        (fresh / "index.html").write_text("new")
        raise KeyboardInterrupt
    assert sorted(path.name for path in out.iterdir()) == before
    with pytest.raises(KeyboardInterrupt), replaced(tmp_path / "new"):
        raise KeyboardInterrupt
    assert not (tmp_path / "new").exists()


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    a_report(tmp_path / "real")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "kept").write_text("")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real" / "hands").symlink_to(tmp_path / "elsewhere")
    with replaced(tmp_path / "link") as fresh:
        (fresh / "index.html").write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert [path.name for path in (tmp_path / "real").iterdir()] == ["index.html"]
    assert (tmp_path / "elsewhere" / "kept").exists()
