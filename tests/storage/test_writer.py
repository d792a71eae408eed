"""Parts of a batch: one a table, all of its columns, rows in the order they came."""

from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from railbird.schema.columns import CARD_WORDS, ROW_GROUP, TABLES, NotTheSchema, assembled, plain, schema
from railbird.storage.index import StoredMatch
from railbird.storage.locations import place_of
from railbird.storage.manifest import commit
from railbird.storage.publishing import rows_of
from railbird.storage.writer import BatchWriter, rows_in

DRAWS = Random(1)


def lines(first: int, count: int) -> pa.Table:
    """Rows of `unknown_lines`, numbered."""
    kept = schema("unknown_lines")
    values = {
        "file_id": [7] * count,
        "line": list(range(first, first + count)),
        "text": ["?"] * count,
        "reason": ["no template"] * count,
    }
    return pa.table([values[name] for name in kept.names], schema=kept)


def changed(**columns: pa.Array) -> dict[str, pa.Array]:
    """The columns of two rows of `counted`, and what a test makes of them."""
    return {"match_id": pa.array([1, 2], pa.uint64()), "rows": pa.array([3, 4], pa.int64())} | columns


def test_rows_that_come_one_after_the_other_are_one_part(tmp_path: Path) -> None:
    batch = BatchWriter(tmp_path)
    for first in (0, 3):
        batch.add("unknown_lines", lines(first, 3))
    made = batch.close()
    assert made is not None
    (part,) = made.parts
    assert pq.read_table(part.path(tmp_path))["line"].to_pylist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "rows",
    [
        lines(0, 3).drop_columns(["reason"]),
        lines(0, 3).select(["file_id", "line", "reason", "text"]),
        lines(0, 3).append_column("more", pa.array([1, 2, 3])),
        lines(0, 3).rename_columns(["file_id", "line", "reason", "text"]),
    ],
)
def test_rows_of_other_columns_are_refused(tmp_path: Path, rows: pa.Table) -> None:
    with pytest.raises(NotTheSchema, match="unknown_lines"):
        BatchWriter(tmp_path).add("unknown_lines", rows)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (changed(hands=pa.array([1, 2])), "counted has no column hands"),
        ({"match_id": pa.array([1, 2], pa.uint64())}, "counted.rows is missing"),
        (changed(rows=pa.array([3.0, 4.0])), "counted.rows is of type double, not int64"),
        (changed(rows=pa.array([3], pa.int64())), "counted.rows has 1 rows, not 2"),
        (changed(rows=pa.array([3, None], pa.int64())), "counted.rows is null in 1 rows"),
    ],
)
def test_the_assembler_names_the_column_that_is_wrong(columns: dict[str, pa.Array], said: str) -> None:
    with pytest.raises(NotTheSchema, match=said):
        assembled("counted", columns)


def test_columns_are_placed_by_name_whatever_their_order() -> None:
    given = changed()
    made = assembled("counted", dict(reversed(given.items())))
    assert made == assembled("counted", given)
    assert made["rows"].to_pylist() == [3, 4]


def dealt(boards: list[list[str] | None]) -> pa.Table:
    """Rows of `boards` with cards alone."""
    cards = pa.array(boards, pa.list_(pa.string()))
    codes = [CARD_WORDS.index(card).as_py() for board in boards for card in board or ()]
    values = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int16()), CARD_WORDS)
    held = pa.ListArray.from_arrays(cards.offsets, values, mask=cards.is_null())
    keys = {"match_id": pa.array([1] * len(boards), pa.uint64())}
    return assembled("boards", keys | {"hand_index": pa.array(range(len(boards)), pa.int32()), "cards": held})


def test_null_is_null_in_a_part_and_rows_go_on_as_they_were(tmp_path: Path) -> None:
    boards: list[list[str] | None] = [["Ah", "2c", "2d"], None, []]
    batch = BatchWriter(tmp_path)
    for rows in (dealt(boards), dealt([None]), dealt(boards).slice(1)):
        batch.add("boards", rows)
    made = batch.close()
    assert made is not None
    (part,) = made.parts
    held = pq.read_table(part.path(tmp_path))
    types = [(field.name, str(field.type).replace("element", "item")) for field in held.schema]
    assert types == [(field.name, str(field.type)) for field in plain("boards")]
    assert held["cards"].to_pylist() == [*boards, None, *boards[1:]]
    assert held["pot"].to_pylist() == [None] * 6
    root = tmp_path / "store"
    root.mkdir()
    commit(root, [(tmp_path, made)])
    place = place_of(root)
    again = BatchWriter(tmp_path / "again")
    (tmp_path / "again").mkdir()
    for rows in rows_in(place, part):
        again.add("boards", rows)
    copied = again.close()
    assert copied is not None
    assert pq.read_table(copied.parts[0].path(tmp_path / "again")) == held
    match = StoredMatch(1, 1, 6, True, 0, 0, 0, made.name)
    assert [row["cards"] for row in rows_of(place, match, "boards", ["cards"])] == held["cards"].to_pylist()


def some(kind: pa.DataType) -> pa.Array:
    """One value of a type."""
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(pa.array([0], kind.index_type), pa.array(["word"]))
    if pa.types.is_list(kind):
        return pa.array([[]], kind)
    value = "word" if pa.types.is_string(kind) else True if pa.types.is_boolean(kind) else 0
    return pa.array([value], kind)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_of_nulls_is_written_wherever_they_may_be(tmp_path: Path, table: str) -> None:
    given = {column.name: some(column.type) for column in TABLES[table] if not column.null}
    batch = BatchWriter(tmp_path)
    batch.add(table, assembled(table, given))
    made = batch.close()
    assert made is not None
    (row,) = pq.read_table(made.parts[0].path(tmp_path)).to_pylist()
    assert {name for name, value in row.items() if value is None} == {
        column.name for column in TABLES[table] if column.null
    }


def chips_of(kind: str, rows: int) -> pa.Table:
    """Rows of seats whose results are few different amounts, or many."""
    given = {c.name: pa.concat_arrays([some(c.type)] * rows) for c in TABLES["seats"] if not c.null}
    most = 8 if kind == "few" else 9999
    return assembled(
        "seats", given | {"delta": pa.array([float(DRAWS.randrange(most)) for _ in range(rows)])}
    )


def test_kinds_of_rows_that_take_other_encodings_have_parts_of_their_own(tmp_path: Path) -> None:
    batch = BatchWriter(tmp_path)
    batch.add("seats", chips_of("few", 3), "little")
    for kind in ("many", "few", "many"):
        batch.add("seats", chips_of(kind, ROW_GROUP), kind)
    batch.add("seats", chips_of("few", 5), "less")
    batch.add("seats", chips_of("many", ROW_GROUP), "as many")
    made = batch.close()
    assert made is not None
    first, second = (part.path(tmp_path) for part in made.of("seats"))
    assert [pq.read_metadata(path).num_rows for path in (first, second)] == [3 * ROW_GROUP + 8, ROW_GROUP]
    place = schema("seats").get_field_index("delta")
    encodings = [pq.read_metadata(path).row_group(0).column(place).encodings for path in (first, second)]
    assert "BYTE_STREAM_SPLIT" in encodings[0]
    assert "RLE_DICTIONARY" in encodings[1]
    assert pq.read_schema(first) == pq.read_schema(second)


def test_nothing_added_is_no_batch(tmp_path: Path) -> None:
    assert BatchWriter(tmp_path).close() is None


@pytest.mark.parametrize(
    ("chips", "encoding"),
    [
        ([float(DRAWS.randrange(8)) for _ in range(4000)], "RLE_DICTIONARY"),
        ([float(DRAWS.randrange(9999)) for _ in range(4000)], "BYTE_STREAM_SPLIT"),
    ],
)
def test_amounts_are_encoded_as_makes_them_smallest(
    tmp_path: Path, chips: list[float], encoding: str
) -> None:
    size = len(chips)
    given = {
        column.name: pa.concat_arrays([some(column.type)] * size)
        for column in TABLES["seats"]
        if not column.null
    }
    batch = BatchWriter(tmp_path)
    batch.add("seats", assembled("seats", given | {"delta": pa.array(chips)}))
    made = batch.close()
    assert made is not None
    path = made.parts[0].path(tmp_path)
    column = pq.read_metadata(path).row_group(0).column(schema("seats").get_field_index("delta"))
    assert encoding in column.encodings
    assert pq.read_table(path)["delta"].to_pylist() == chips
