"""Values that no railbird writes, in a store whose hashes fit: one line, whatever the command. More: `make hammer`."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hammer.stores import crafted, wrong_in
from support.pokernow import END, STACKS, START, A, B, C, export

from railbird.analytics.store import open_store
from railbird.cli import main
from railbird.ingest import ingest
from railbird.storage.locations import MANIFEST, Folder, StoreError
from railbird.storage.values import first_strange
from railbird.storage.writer import digest_of


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, sample_logs: Path) -> Path:
    root = tmp_path_factory.mktemp("crafted") / "store"
    ingest([sample_logs / "bounty" / "2025-01-05.txt", sample_logs / "blotto" / "late.txt"], root)
    return root


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "store")
    return tmp_path / "store"


def changed(store: Path, table: str, change: Callable[[pa.Table], pa.Table]) -> Path:
    """Change the first part of a table, with a hash that fits."""
    held = json.loads((store / MANIFEST).read_text())
    row = next(row for batch in held["batches"] for row in batch["parts"] if row[0] == table)
    part = store / table / str(row[1])
    pq.write_table(change(pq.read_table(part, partitioning=None)), part)
    row[2] = digest_of(part)
    (store / MANIFEST).write_text(json.dumps(held))
    return part


def put(name: str, value: object, kind: pa.DataType | None = None) -> Callable[[pa.Table], pa.Table]:
    def change(rows: pa.Table) -> pa.Table:
        values = [value, *rows[name].to_pylist()[1:]] if kind is None else [value] * rows.num_rows
        column = pa.array(values, kind or rows.schema.field(name).type)
        return rows.set_column(rows.column_names.index(name), name, column)

    return change


@pytest.mark.parametrize(
    ("table", "change", "said"),
    [
        ("hands", put("hand_index", -1), "column hand_index has the number -1"),
        (
            "actions",
            put("seq", {"a": 1}, pa.struct([("a", pa.int64())])),
            "column seq is of type struct<a: int64>",
        ),
        ("seats", put("delta", 1e18), "column delta has a number that no hand has"),
        ("seats", put("delta", float("nan")), "column delta has a number that no hand has"),
        ("matches", put("players", ["x"] * 20_000), "column players has a list of 20,000 values"),
        ("hands", put("verdict", "no such word"), "column verdict has the word 'no such word'"),
        ("hands", put("match_id", None), "column match_id has a null"),
        ("seats", lambda rows: rows.drop_columns(["seat"]), "column seat is missing"),
        ("matches", lambda rows: pa.concat_tables([rows, rows]), "it has a match twice"),
        ("hands", lambda rows: pa.concat_tables([rows, rows]), "it has a hand twice"),
        ("hands", lambda rows: rows.slice(0, 3), "hands, not"),
        ("seats", lambda rows: pa.concat_tables([rows, rows]), "it has a seat of a hand twice"),
        ("seats", lambda rows: rows.slice(0, 0), "has no seats"),
        ("files", put("file_id", 3), "a file"),
        ("findings", put("seat", 9), "seat 9 of match"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_value_that_no_railbird_writes_is_found(
    table: str, change: Callable[[pa.Table], pa.Table], said: str, store: Path
) -> None:
    assert first_strange(Folder(store)) is None
    changed(store, table, change)
    found = str(first_strange(Folder(store)))
    assert "is not as railbird writes it: " in found
    assert said in found


def test_nothing_that_railbird_writes_is_strange(samples_folder: Path, tmp_path: Path) -> None:
    """Of a log with the newest line first, too, whose cards lie above its hands."""
    assert first_strange(Folder(samples_folder)) is None
    said = [START.format(1, A), STACKS, f"{B} posts a small blind of 1", f"{C} posts a big blind of 2"]
    said += [
        f"{A} folds",
        f"{B} calls 2",
        f"{C} checks",
        "Flop:  [9♦, 10♥, 2♣]",
        f"{B} checks",
        f"{C} bets 4",
    ]
    said += [f"{B} folds", f"Uncalled bet of 4 returned to {C}", f"{C} collected 4 from pot", END.format(1)]
    (tmp_path / "table.csv").write_text("\n".join(export(said)) + "\n")
    ingest([tmp_path / "table.csv"], tmp_path / "store")
    with open_store(tmp_path / "store") as opened:
        assert opened.sql("select min(list_min(card_lines)) < 0 from stored.hands").fetchall() == [(True,)]
    assert first_strange(Folder(tmp_path / "store")) is None


def test_a_command_that_fails_on_one_names_it_in_a_line(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = changed(store, "actions", put("seq", {"a": 1}, pa.struct([("a", pa.int64())])))
    assert main(["replay", "late.txt#1", "--store", str(store)]) == 2
    said = f"railbird: {part} is not as railbird writes it: column seq is of type struct<a: int64>\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("table", "change", "said"),
    [
        ("matches", lambda rows: pa.concat_tables([rows, rows]), "it has a match twice"),
        ("hands", lambda rows: pa.concat_tables([rows, rows]), "it has a hand twice"),
        ("hands", lambda rows: rows.slice(0, 3), "hands, not"),
    ],
    ids=["a-match-twice", "a-hand-twice", "hands-missing"],
)
def test_a_store_whose_hands_do_not_add_up_is_not_opened(
    table: str, change: Callable[[pa.Table], pa.Table], said: str, store: Path
) -> None:
    part = changed(store, table, change)
    # A match without some of its hands is the fault of its row in matches.
    with pytest.raises(StoreError, match=said) as raised:
        open_store(store)
    assert str(raised.value).startswith(str(part if said != "hands, not" else store / "matches"))


@pytest.mark.parametrize("seed", range(3))
def test_no_command_ends_in_a_traceback(seed: int, store: Path) -> None:
    said = crafted(store, random.Random(seed))
    for words in (["verify"], ["sql", "from actions"]):
        assert wrong_in(store, words) is None, said
