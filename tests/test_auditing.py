"""The auditor's walk of docs/auditing.md, run as it stands; and `railbird audit` from the outside."""

import csv
import io
import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from railbird import cli
from railbird.analytics.audit import KINDS
from railbird.ingest import ingest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "auditing.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder that holds the sample logs under their name."""
    (tmp_path / "sample_logs").symlink_to(ROOT / "sample_logs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def store(sample_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("auditing") / "store"
    ingest([sample_logs], root)
    return root


def blocks() -> Iterator[tuple[str, list[str]]]:
    """The page's blocks: sh or text, and their lines."""
    for kind, text in re.findall(r"```(sh|text)\n(.*?)```", PAGE.read_text(), re.DOTALL):
        yield kind, text.splitlines()


def words(text: str) -> str:
    return " ".join(text.split())


def test_the_walk_works_as_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed, ran = "", 0
    for kind, lines in blocks():
        if kind == "text":
            for line in lines:
                assert words(line) in printed, line
            continue
        printed = ""
        for line in lines:
            command, _, expected = line.partition("  # exit ")
            if command.startswith("railbird "):
                code = cli.main(shlex.split(command)[1:])
                said = capsys.readouterr()
                assert (code, said.err) == (int(expected or 0), ""), command
                printed += words(said.out)
                ran += 1
            else:
                subprocess.run(command, shell=True, check=True, cwd=folder)
    assert ran > 8


def test_the_page_names_every_kind() -> None:
    assert re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE) == list(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_comes_as_a_table_as_csv_and_as_json(
    kind: str, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    codes, found = set(), {}
    for form in ("table", "csv", "json"):
        codes.add(cli.main(["audit", kind, "--store", str(store), "--format", form]))
        found[form] = capsys.readouterr().out
    records = json.loads(found["json"])
    assert records
    rows = list(csv.DictReader(io.StringIO(found["csv"])))
    assert [list(row) for row in rows] == [list(record) for record in records]
    assert codes == {int(any(record["concern"] for record in records))}
    hands = [record["hand"] for record in records if record["hand"]]
    assert hands
    assert cli.main(["replay", hands[-1], "--store", str(store)]) == 0
    assert "Hand " in capsys.readouterr().out
    assert found["table"].count("\n") < 300


def test_an_unknown_kind_is_told_in_one_line(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["audit", "luck", "--store", str(store)]) == 2
    known = ", ".join(KINDS)
    assert capsys.readouterr().err == f"railbird: no audit is called 'luck'; there are {known}\n"
