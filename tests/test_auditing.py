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
from railbird.analytics.audit import KINDS, WHOLE, Audited
from railbird.analytics.dealer import DealerTest
from railbird.analytics.settings import Kind
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
def store(samples_folder: Path) -> Path:
    return samples_folder


@pytest.fixture(scope="module")
def single(sample_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Stores of one match each, by its log."""
    root = tmp_path_factory.mktemp("single")
    logs = ("bounty/faults.txt", "acpc/faults.log", "bounty/2025-01-05.txt")
    for log in logs:
        ingest([sample_logs / log], root / log)
    return {log: root / log for log in logs}


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
    assert re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE) == list(Kind)


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
    said = capsys.readouterr().err
    assert said.startswith("railbird: Invalid value for 'KIND': 'luck' is not one of ")
    assert all(repr(str(kind)) in said for kind in KINDS) and said.count("\n") == 1


def test_every_kind_can_be_chosen() -> None:
    assert [*KINDS, Kind.INFORMATION] == list(Kind)


def rows_of(
    kind: str, store: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> list[dict[str, object]]:
    code = cli.main(["audit", kind, "--store", str(store), "--format", "json", *options])
    rows: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    assert code == int(any(row["concern"] for row in rows))
    return rows


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in WHOLE])
def test_one_match_is_asked_about_as_in_a_store_of_its_own(
    kind: str, store: Path, single: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    for log, root in single.items():
        alone = rows_of(kind, root, capsys)
        found = rows_of(kind, store, capsys, "--match", log)
        if kind == "deals":
            # Cards are the same in other matches.
            assert (alone, len(found)) == ([], int(log == "bounty/faults.txt"))
            continue
        for row in (*alone, *found):
            # Among all matches; and where the log lies.
            for name in ("q", "concern", "path") if kind == "balance" else ("path",):
                row.pop(name, None)
        assert found == alone


def test_one_match_of_all_standings_is_refused(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["audit", "standings", "--match", "bounty/faults.txt", "--store", str(store)]) == 2
    assert (
        capsys.readouterr().err
        == "railbird: audit standings covers all matches of the store; leave out --match\n"
    )


def test_rows_of_concern_come_first_where_rows_are_cut(
    monkeypatch: pytest.MonkeyPatch, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        DealerTest(
            "cup", "bounty", "cards", "flop", None, 1, 9, 52, 36, 50.0, 51, 0.7, "As", 0, "2c", 4
        )._replace(seen_from=0.1, match_id=1000 + k, concern=k in (30, 40))
        for k in range(50)
    ]
    monkeypatch.setitem(KINDS, "balance", lambda *_: Audited(DealerTest._fields, [*rows]))
    assert cli.main(["audit", "balance", "--store", str(store)]) == 1
    out = capsys.readouterr().out
    assert out.index("1030") < out.index("1040") < out.index("1000#0")
    assert "20 of 50 rows, those of concern first; --all lists every one." in out
    assert "Tests of dealers beyond chance (q < 0.05): 2." in out
    assert out.count("cards, flop: As came 0 times and 2c 4 times, where 0.7 are fair.") == 2


def test_without_a_kind_all_kinds_are_counted_and_the_checks_decide(
    store: Path, single: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    counts = {}
    for kind in KINDS:
        records = rows_of(kind, store, capsys)
        counts[kind] = (sum(bool(record["concern"]) for record in records), len(records))
    assert counts["deals"][0] and not counts["checks"][0]
    assert cli.main(["audit", "--store", str(store)]) == 0
    out = capsys.readouterr().out
    for kind, (concerns, rows) in counts.items():
        said = re.search(rf"railbird audit {kind} +([\d,]+) +([\d,]+) ", out)
        found = said and tuple(int(number.replace(",", "")) for number in said.groups())
        assert found == (None if kind == "checks" else (concerns, rows)), kind
    assert "Exit code 0: " in out and "\nlegality: which actions" in out
    # Of one match no standings are told.
    assert cli.main(["audit", "--match", "bounty/faults.txt", "--store", str(store)]) == 0
    out = capsys.readouterr().out
    assert "railbird audit gains" in out and "railbird audit standings" not in out
    assert cli.main(["audit", "checks", "--store", str(store)]) == 0
    assert "railbird audit" not in capsys.readouterr().out


def test_the_help_says_what_every_kind_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["audit", "--help"]) == 0
    assert re.findall(r"^  (\w+) {2,}\w", capsys.readouterr().out, re.MULTILINE)[: len(KINDS)] == list(KINDS)
