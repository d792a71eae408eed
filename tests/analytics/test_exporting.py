"""What export writes is every relation whole, as other tools read it without railbird."""

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest
from conftest import Run

from railbird.analytics import exporting
from railbird.analytics.exporting import relations
from railbird.analytics.store import Store, open_store
from railbird.analytics.views import all_views
from railbird.ingest import ingest
from railbird.schema.columns import TABLES
from railbird.storage.locations import StoreError


@pytest.fixture(scope="module")
def store(sample_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    root = tmp_path_factory.mktemp("exported") / "store"
    logs = ["holdem-mit/base.txt", "acpc/kuhn.log", "toss/2026.txt"]
    ingest([*(sample_logs / log for log in logs), min((sample_logs / "blotto").glob("*.txt"))], root)
    with open_store(root) as opened:
        yield opened


@pytest.fixture(scope="module")
def tables(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parquet") / "new"
    assert store.export(folder) == [folder / f"{relation}.parquet" for relation in relations()]
    return folder


@pytest.fixture(scope="module")
def sheets(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("csv")
    store.export(folder, to="csv")
    return folder


def rows(store: Store, relation: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The columns and rows of a relation, in an order of their own."""
    found = store.sql(f"select * from {relation}")
    return list(found.columns), sorted(found.fetchall(), key=repr)


def test_hands_and_actions_are_in_the_order_of_their_keys(sheets: Path) -> None:
    for name, keys in (("hands", ["match_id", "hand_index"]), ("actions", ["match_id", "hand_index", "seq"])):
        with (sheets / f"{name}.csv").open(newline="") as file:
            found = [tuple(int(row[key]) for key in keys) for row in csv.DictReader(file)]
        assert found == sorted(found)
        assert len(set(found)) == len(found) > 100


def test_every_documented_table_is_exported(tables: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "schema.md").read_text()
    documented = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    # The rest are notes that railbird keeps for itself (`stored.counted`), and no relations.
    known = {view.name for view in all_views() if view.relation}
    assert set(relations()) == set(documented) & known & set(TABLES)
    assert {"hands", "seats", "actions", "games", "equities"} <= set(relations())
    assert sorted(path.stem for path in tables.iterdir()) == sorted(relations())


@pytest.mark.parametrize("relation", relations())
def test_parquet_is_the_relation(relation: str, store: Store, tables: Path) -> None:
    columns, expected = rows(store, relation)
    path = tables / f"{relation}.parquet"
    asked = duckdb.connect()
    told = asked.execute(f"select * from read_parquet('{path}')")
    assert [column[0] for column in told.description or ()] == columns
    assert sorted(told.fetchall(), key=repr) == expected
    assert [str(kind) for _, kind, *_ in asked.execute(f"describe from '{path}'").fetchall()] == [
        str(kind) for _, kind, *_ in store.execute(f"describe {relation}").fetchall()
    ]
    frame = pl.read_parquet(path)
    assert (frame.columns, frame.height) == (columns, len(expected))
    assert pq.read_table(path).num_rows == len(expected)


def as_cell(value: Any, name: str) -> str:
    """What docs/export.md says of a value in CSV."""
    if value is None:
        return ""
    if isinstance(value, list):
        if name == "players":
            return json.dumps(value, separators=(",", ":"))
        if name == "hole of boards":
            return " | ".join("?" if item is None else as_cell(item, "") for item in value)
        return " ".join("?" if item is None else as_cell(item, "item") for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and name != "item":
        return str(int(value))
    return str(value)


@pytest.mark.parametrize("relation", relations())
def test_csv_is_the_relation_in_words(relation: str, store: Store, sheets: Path) -> None:
    columns, expected = rows(store, relation)
    path = sheets / f"{relation}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        names, *found = list(csv.reader(file))
    assert names == columns
    numbers = [place for place, name in enumerate(columns) if is_number(store, relation, name)]
    kinds = ["hole of boards" if (relation, name) == ("boards", "hole") else name for name in columns]
    cells = [[as_cell(value, name) for name, value in zip(kinds, row, strict=True)] for row in expected]

    def plain(row: list[str]) -> list[Any]:
        return [float(cell) if place in numbers and cell else cell for place, cell in enumerate(row)]

    assert sorted(map(plain, found), key=repr) == sorted(map(plain, cells), key=repr)
    frame = pl.read_csv(path, infer_schema=False)
    assert (frame.columns, frame.height) == (columns, len(expected))
    asked = duckdb.connect().execute(f"select * from read_csv('{path}', all_varchar = true, header = true)")
    assert len(asked.fetchall()) == len(expected)


def is_number(store: Store, relation: str, name: str) -> bool:
    kinds = dict(row[:2] for row in store.execute(f"describe {relation}").fetchall())
    return kinds[name] in ("DOUBLE", "FLOAT")


def test_ids_stand_in_quotes_with_all_their_digits(store: Store, sheets: Path) -> None:
    ids = {str(match_id) for (match_id,) in store.execute("select match_id from matches").fetchall()}
    lines = (sheets / "hands.csv").read_text().splitlines()
    assert lines[0].startswith('"match_id",')
    assert {line.partition(",")[0] for line in lines[1:]} == {f'"{number}"' for number in ids}


def test_cards_are_words_with_spaces(sheets: Path) -> None:
    frame = pl.read_csv(sheets / "seats.csv", infer_schema=False)
    assert frame["hole"].drop_nulls().str.contains(r"^[2-9TJQKA][cdhs]( [2-9TJQKA][cdhs])*$").any()


def test_pandas_reads_both(store: Store, tables: Path, sheets: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    ((hands,),) = store.execute("select count(*) from hands").fetchall()
    assert len(pandas.read_parquet(tables / "hands.parquet")) == hands
    read = pandas.read_csv(sheets / "hands.csv", dtype={"match_id": str})
    assert set(read["match_id"]) == {
        str(match_id) for (match_id,) in store.execute("select match_id from matches").fetchall()
    }


def test_rows_are_the_same_however_many_are_read_at_once(
    store: Store, tables: Path, sheets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "HANDS_AT_ONCE", 1)
    assert len(exporting._ranges(store)) == 4
    for path in store.export(tmp_path / "parquet"):
        whole = pl.read_parquet(tables / path.name)
        assert sorted(map(repr, pl.read_parquet(path).rows())) == sorted(map(repr, whole.rows()))
    for path in store.export(tmp_path / "csv", to="csv"):
        assert sorted(path.read_text().splitlines()) == sorted((sheets / path.name).read_text().splitlines())


def test_a_folder_that_is_not_empty_is_refused(run: Run, store: Store, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    said = f"railbird: {tmp_path} is not empty: export writes into a new folder\n"
    assert run("export", tmp_path, "--store", store.path) == (2, "", said)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    code, out, err = run("export", tmp_path / "notes.txt", "--store", store.path)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_what_a_killed_export_left_is_removed_by_the_next_one(store: Store, tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from railbird.analytics.exporting import new_folder\n"
        "with new_folder(Path(sys.argv[1])) as folder:\n    (folder / 'hands.csv').touch(); os._exit(0)"
    )
    new, empty = tmp_path / "home" / "new", tmp_path / "empty"
    empty.mkdir()
    for folder in (new, empty):
        subprocess.run([sys.executable, "-c", code, str(folder)], check=True)
    assert not new.exists()
    assert len(list(empty.iterdir())) == len(list(new.parent.iterdir())) == 1
    for folder in (new, empty):
        files = store.export_hands(folder, "phh").files
        assert len([path for path in folder.rglob("*") if path.is_file()]) == files
    assert [path.name for path in new.parent.iterdir()] == ["new"]
    assert not [path for path in empty.iterdir() if path.name.startswith(".")]


def test_what_an_export_left_that_was_killed_at_its_end_is_removed_by_the_next_one(
    store: Store, tmp_path: Path
) -> None:
    """It is beside the folder, which has its name by then, and is refused."""
    code = (
        "import os, sys; from pathlib import Path; from railbird.analytics.exporting import new_folder\n"
        "made = new_folder(Path(sys.argv[1])); (made.__enter__() / 'hands.csv').touch()\n"
        "Path.rename = lambda old, new, own=Path.rename: (own(old, new), os._exit(0))\n"
        "made.__exit__(None, None, None)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "new")], check=True)
    assert len(list(tmp_path.iterdir())) == 2
    with pytest.raises(StoreError, match="is not empty"):
        store.export_hands(tmp_path / "new", "phh")
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_an_export_does_not_disturb_another_into_the_same_folder(store: Store, tmp_path: Path) -> None:
    with exporting.new_folder(tmp_path) as first:
        with pytest.raises(StoreError, match="is not empty"):
            exporting.new_folder(tmp_path).__enter__()
        (first / "hands.csv").touch()
    assert [path.name for path in tmp_path.iterdir()] == ["hands.csv"]


def test_an_empty_folder_in_the_working_folder_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tempfile.mkdtemp
    # As Python 3.12 and later do.
    monkeypatch.setattr(tempfile, "mkdtemp", lambda *given, **named: os.path.abspath(made(*given, **named)))
    monkeypatch.chdir(tmp_path)
    Path("out").mkdir()
    with exporting.new_folder(Path("out")) as fresh:
        (fresh / "hands.csv").touch()
    assert [path.name for path in Path("out").iterdir()] == ["hands.csv"]


def test_a_folder_in_the_store_is_refused(run: Run, store: Store) -> None:
    inside = store.path / "tables"
    code, _, err = run("export", inside, "--store", store.path)
    assert (code, err) == (
        2,
        f"railbird: {inside} lies in the store: export writes into a folder of its own\n",
    )
    assert not inside.exists()


def test_the_command_writes_csv(run: Run, store: Store, sheets: Path, tmp_path: Path) -> None:
    target = tmp_path / "a" / "b"
    assert run("export", target, "--to", "csv", "--store", store.path) == (0, f"{target}\n", "")
    assert {path.name for path in target.iterdir()} == {path.name for path in sheets.iterdir()}


def test_nothing_is_left_of_an_export_that_fails(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = exporting._write

    def full(store: Store, relation: str, *rest: Any) -> None:
        write(store, relation, *rest)
        if relation == "hands":
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(exporting, "_write", full)
    with pytest.raises(StoreError, match=r"cannot be written: No space left on device$"):
        store.export(tmp_path / "tables")
    assert not (tmp_path / "tables").exists()


def test_tables_of_one_match_are_its_rows_alone(store: Store, tables: Path, tmp_path: Path, run: Run) -> None:
    query = "select match_id, file_id, game from matches where game = 'toss'"
    ((match, file, game),) = store.execute(query).fetchall()
    code, out, err = run("export", tmp_path / "one", "--match", "2026.txt", "--store", store.place)
    assert (code, out) == (0, f"{tmp_path / 'one'}\n"), err
    for relation in relations():
        whole, one = (
            pl.read_parquet(folder / f"{relation}.parquet") for folder in (tables, tmp_path / "one")
        )
        if "match_id" in whole.columns:
            wanted = pl.col("match_id") == match
            if "file_id" in whole.columns:
                wanted |= pl.col("match_id").is_null() & (pl.col("file_id") == file)
        else:
            wanted = pl.col("file_id") == file if "file_id" in whole.columns else pl.col("game") == game
        assert sorted(one.rows(), key=repr) == sorted(whole.filter(wanted).rows(), key=repr), relation
    assert pl.read_parquet(tmp_path / "one" / "files.parquet").height == 1


def test_hands_of_each_match_are_together_those_of_the_store(store: Store, tmp_path: Path) -> None:
    def lines(folder: Path) -> list[str]:
        texts = (path.read_text() for path in folder.rglob("*.jsonl"))
        # The order of an object's keys means nothing.
        return [json.dumps(json.loads(line), sort_keys=True) for text in texts for line in text.splitlines()]

    store.export_hands(tmp_path / "all", "jsonl")
    apart: list[str] = []
    for (match,) in store.execute("select match_id from matches").fetchall():
        written = store.export_hands(tmp_path / str(match), "jsonl", only=[match])
        ((hands,),) = store.execute("select hands from matches where match_id = $id", id=match).fetchall()
        assert written.hands + sum(written.left_out.values()) == hands
        apart += lines(tmp_path / str(match))
    assert sorted(apart) == sorted(lines(tmp_path / "all")) and apart


def test_a_match_that_the_store_lacks_is_one_line(store: Store, tmp_path: Path, run: Run) -> None:
    code, _, err = run("export", tmp_path / "none", "--match", "absent.txt", "--store", store.place)
    assert (code, len(err.splitlines())) == (2, 1)
    assert not (tmp_path / "none").exists()
