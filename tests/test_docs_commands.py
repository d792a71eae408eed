"""Every command in the docs: each is one that railbird takes, and what can run here runs on a small store.

Commands that take long run with RAILBIRD_DOCS=1 (`make docs-commands`); else they are only read. Pages whose tests run
them as they stand: auditing.md (test_auditing.py), add-a-variant.md (variants/), python.md (reports/test_frames.py).
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT, MadeOnce, Run
from typer import Exit
from typer._click.exceptions import BadOptionUsage, ClickException, MissingParameter, UsageError
from typer.main import get_command

from railbird.cli.app import app
from railbird.tools import site

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^```(?:sh|console|bash|)\n(.*?)^```", re.MULTILINE | re.DOTALL)
RUN_ELSEWHERE = {"auditing.md", "add-a-variant.md", "python.md"}
# A mistyped word, other machines, a bot, a browser, and what ends by Ctrl-C alone.
NOT_HERE = re.compile(
    r"chek-raise|s3://|tcp://|railbird (?:serve|mcp)\b|railbird watch (?!.*--once)|--bot |\./my_bot|--join|--open"
)
SLOW = re.compile(
    "railbird (?:collusion|model|exploit|why|opponent|compare|report|simulate|export|luck|audit|bankroll --st)"
    "|railbird (?:stats|standings)|sample_logs"
)
# Words for which a user puts a name of his own.
OWN = {
    "NAME": "Otter",
    "ME": "Me",
    "X": "Otter",
    "A": "bot-v7",
    "B": "bot-v6",
    "FILE": "07.txt",
    "LOGS": "logs",
}
OWN |= {
    "KIND": "checks",
    "N": "100",
    "SMALL/BIG": "1/2",
    "1014464152": "m13.log",
    "test": "finals",
    "m7.txt": "07.txt",
}
WRITES = {"ingest", "watch", "tag", "forget", "compact"}


def fenced(text: str) -> Iterator[str]:
    """The commands of blocks, each as one line without its comment and what the shell does with its output."""
    for block in FENCED.findall(text):
        lines = iter(block.replace("\\\n", " ").splitlines())
        for line in lines:
            command = line.removeprefix("$ ")
            if not command.startswith("railbird "):
                continue
            while command.count('"') % 2:
                command += " " + next(lines).strip()
            yield re.sub(r"\s+(?:#|>).*", "", command)


def spans(text: str) -> Iterator[str]:
    """The commands inside sentences."""
    yield from re.findall(r"`(railbird [^`]+)`", " ".join(re.sub(FENCED, "", text).split()))


@cache
def all_commands() -> Any:
    """railbird's commands; made once, which takes longest."""
    return get_command(app)


def read(command: str) -> Any:
    """Read the words of a command as railbird does; raises what it would answer."""
    found = all_commands()
    words = [OWN.get(word, word) for word in shlex.split(command)[1:]]
    while words and words[0] in getattr(found, "commands", {}):
        found = found.commands[words.pop(0)]
    if hasattr(found, "commands") and words and not words[0].startswith("-"):
        raise UsageError(f"no command {words[0]!r}")
    return found.make_context("railbird", words)


def commands_of(page: Path) -> list[tuple[str, bool]]:
    """The commands of a page, and whether each stands in a block, where it is whole.

    Left out are those that are run as they are read, the example of a mistyped word, and sentences about railbird.
    """
    text = page.read_text()
    found = [*((one, True) for one in fenced(text)), *((one, False) for one in spans(text))]
    return [one for one in found if not re.search("COMMAND|-completion|chek-raise|railbird misses", one[0])]


def complaint(command: str, is_whole: bool) -> str:
    """Why railbird does not take a command; empty where it does."""
    with suppress(Exit):
        try:
            read(command)
        except (MissingParameter, BadOptionUsage) as error:
            return error.format_message() if is_whole else ""
        except ClickException as error:
            return error.format_message()
    return ""


@pytest.mark.parametrize("page", [one for one in PAGES if commands_of(one)], ids=lambda page: page.name)
def test_railbird_takes_every_command_of_the_docs(page: Path) -> None:
    wrong = {one[0]: said for one in commands_of(page) if (said := complaint(*one))}
    assert not wrong


def test_a_command_that_railbird_does_not_take_is_noticed() -> None:
    for command in ("railbird stats --show straets", "railbird stats Otter", "railbird verify --fast"):
        with pytest.raises(ClickException):
            read(command)


def store_of_the_docs(folder: Path) -> None:
    """Logs and a store with the names that pages use."""
    from railbird.ingest import ingest
    from railbird.replay.simulate import simulate

    matches = {
        "finals/07.txt": ("Ash", "Birch"),
        "finals/7_12.txt": ("Me", "Otter"),
        "finals/2025-01-08.txt": ("Otter", "Heron"),
        "cup/m11.log": ("bot-v6", "Rook"),
        "cup/m12.log": ("bot-v7", "Rook"),
        "cup/m13.log": ("bot-v7", "Rook"),
        "monday/broken.txt": ("bot-v6", "bot-v7"),
    }
    for seed, (name, pair) in enumerate(matches.items()):
        path = folder / "logs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        styles = zip(pair, ("loose-aggressive", "tight-aggressive"), strict=True)
        path.write_text(simulate("bounty", list(styles), 40, seed), newline="")
    ingest([folder / "logs"], folder / "store", tags={"version": "v7", "server": "eu"})


def runs() -> Iterator[Any]:
    """Each command that can run here, with the first page that has it."""
    seen = set()
    for page in PAGES:
        for command in fenced(page.read_text()) if page.name not in RUN_ELSEWHERE else ():
            is_slow = SLOW.search(command) and not os.environ.get("RAILBIRD_DOCS")
            if not (NOT_HERE.search(command) or is_slow or command in seen):
                seen.add(command)
                yield pytest.param(command, id=f"{page.name}: {command}")


@pytest.fixture
def place(made_once: MadeOnce, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with logs, in which a command of the docs runs; the store that it asks."""
    made = made_once("docs-store", store_of_the_docs)
    shutil.copytree(made / "logs", tmp_path / "logs")
    (tmp_path / "sample_logs").symlink_to(ROOT / "sample_logs")
    (tmp_path / "scrimmages").symlink_to(made / "logs")
    monkeypatch.chdir(tmp_path)
    return made / "store"


@pytest.mark.parametrize("command", list(runs()))
def test_a_command_of_the_docs_runs(
    command: str, place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [OWN.get(word, word) for word in shlex.split(command)[1:]]
    if "@1" in words:
        assert run("hands", "--store", place)[0] == 0
    if "MATCH#HAND" in words:
        words[words.index("MATCH#HAND")] = "07.txt#0"
    if words[:2] == ["variant", "new"]:
        words[2] = "rats"
    store = shutil.copytree(place, "store") if words[0] in WRITES else place
    if "--store" in words:
        words[words.index("--store") + 1] = str(store)
    monkeypatch.setenv("RAILBIRD_STORE", str(store))
    code, said, wrong = run(*words)
    assert code in (0, 1), wrong
    assert said or "--out" in words or words[0] == "export"


def test_the_site_has_every_page_once_and_links_between_its_pages(tmp_path: Path) -> None:
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]
    listed = [page for part in nav for pages in part.values() for page in pages]
    assert sorted(listed) == sorted(
        {path.name for path in PAGES[1:]} | {other or name for name, other in site.TOP.items()}
    )
    archived = (ROOT / "MANIFEST.in").read_text().split()
    assert {"mkdocs.yml", *site.TOP} - {"README.md"} <= {*archived}, (
        "the source archive lacks what this needs"
    )
    site.write(tmp_path / "pages")
    for path in (tmp_path / "pages").glob("*.md"):
        for link in re.findall(r"\]\(([^)#\s]+)", re.sub(FENCED, "", path.read_text())):
            assert "://" in link or (path.parent / link).is_file(), (path.name, link)


def test_a_page_of_the_site_that_fetches_from_elsewhere_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    worker = "https://example.org/iframe-worker/shim"
    page.write_text(f'<script src="{worker}"></script><a href="https://example.org">a link</a>')
    site.finish(tmp_path)
    assert worker not in page.read_text() and (tmp_path / "assets" / "iframe-worker" / "shim.js").is_file()
    page.write_text('<img src="https://example.org/x.png">')
    with pytest.raises(ValueError, match=r"index\.html fetches"):
        site.finish(tmp_path)
