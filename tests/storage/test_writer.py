"""Parts of a batch: one a table and set of columns and types, rows in the order they came."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from railbird.analytics.store import open_store
from railbird.schema.columns import TABLES, Form, schema
from railbird.storage.index import StoredMatch
from railbird.storage.manifest import Batch, Part, commit
from railbird.storage.place import Place
from railbird.storage.places import place_of
from railbird.storage.rewriting import rows_in, rows_of
from railbird.storage.writer import BatchWriter


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


def test_other_columns_are_another_part(tmp_path: Path) -> None:
    batch = BatchWriter(tmp_path)
    rows = lines(0, 3)
    for some in (rows, rows.drop_columns(["reason"]), rows):
        batch.add("unknown_lines", some)
    made = batch.close()
    assert made is not None
    assert [part.without for part in made.parts] == [(), ("reason",)]
    read = [pq.read_table(part.path(tmp_path))["line"].to_pylist() for part in made.parts]
    assert read == [[0, 1, 2, 0, 1, 2], [0, 1, 2]]


def boards(pots: list[float | None], payouts: list[list[float] | None]) -> pa.Table:
    """Rows of `boards` with chips alone."""
    kept = schema("boards")
    fields = [kept.field(name) for name in ("match_id", "hand_index", "pot", "payout")]
    keys = [1] * len(pots), list(range(len(pots)))
    return pa.table([*keys, pots, payouts], schema=pa.schema(fields))


WHOLE = ([20.0, None, -3.0, 2.0**31 - 1], [[1.0, 2.0], None, [], [5.0]])


@pytest.mark.parametrize(
    "pots, payouts",
    [
        ([0.5, 1.0], [[], []]),
        ([1.0, 2.0], [[0.25], [1.0]]),
        ([2.0**31], [[]]),
        ([float("inf")], [[]]),
    ],
)
def test_chips_are_whole_numbers_in_the_parts_where_they_can_be(
    tmp_path: Path, pots: list[float | None], payouts: list[list[float] | None]
) -> None:
    batch = BatchWriter(tmp_path)
    for rows in (boards(*WHOLE), boards(pots, payouts), boards(*WHOLE)):
        batch.add("boards", rows)
    made = batch.close()
    assert made is not None
    assert [part.form.whole for part in made.parts] == [True, False]
    whole, other = (pq.read_table(part.path(tmp_path)) for part in made.parts)
    assert (whole.schema.field("pot").type, other.schema.field("pot").type) == (pa.int32(), pa.float64())
    assert whole["pot"].to_pylist() == 2 * WHOLE[0]
    assert whole["payout"].to_pylist() == 2 * WHOLE[1]
    assert other["pot"].to_pylist() == pots
    assert other["payout"].to_pylist() == payouts


def test_rows_out_of_the_middle_keep_their_chips(tmp_path: Path) -> None:
    batch = BatchWriter(tmp_path)
    batch.add("boards", boards(*WHOLE).slice(1, 2))
    made = batch.close()
    assert made is not None
    (read,) = (pq.read_table(part.path(tmp_path)) for part in made.parts)
    assert (read["pot"].to_pylist(), read["payout"].to_pylist()) == (WHOLE[0][1:3], WHOLE[1][1:3])


def store_of(folder: Path, made: Batch) -> Place:
    """A store of one batch."""
    root = folder / "store"
    root.mkdir()
    commit(root, [(folder, made)])
    return place_of(root)


NAN = float("nan")


def decisions(raises: list[float | None], below: list[float] | None = None) -> pa.Table:
    """Rows of `actions` with one amount; below: what lies in memory where it is null."""
    fields = [schema("actions").field(name) for name in ("match_id", "hand_index", "act", "raise_to")]
    memory = np.array(below or [NAN if amount is None else amount for amount in raises])
    amounts = pa.array(memory, mask=np.array([amount is None for amount in raises]))
    return pa.table(
        [[1] * len(raises), list(range(len(raises))), [0] * len(raises), amounts], schema=pa.schema(fields)
    )


@pytest.mark.parametrize(
    "raises, below, whole",
    [
        ([4.0, None, 2.0], None, True),
        ([4.0, None, -2.0], None, True),
        ([None, None], None, True),
        ([4.0, None, 6.0], [4.0, 7.0, 6.0], True),
        ([4.0, None, 6.0], [4.0, 7.5, 6.0], False),
        ([4.0, None, 0.0], None, False),
        ([4.0, None, 2.5], None, False),
        ([4.0, NAN], [4.0, NAN], False),
    ],
)
@pytest.mark.parametrize("first", [0, 1])
def test_whole_chips_that_no_action_names(
    tmp_path: Path, raises: list[float | None], below: list[float] | None, whole: bool, first: int
) -> None:
    batch = BatchWriter(tmp_path)
    batch.add("actions", decisions(raises, below).slice(first))
    made = batch.close()
    assert made is not None
    [part] = made.parts
    held = pq.read_table(part.path(tmp_path))["raise_to"]
    kept = raises[first:]
    assert part.form.whole is whole
    if whole:
        assert held.to_pylist() == [0 if amount is None else amount for amount in kept]
    with open_store(store_of(tmp_path, made)) as store:
        read = store.execute("select raise_to from stored.decisions order by hand_index").fetchall()
    assert repr([amount for (amount,) in read]) == repr(kept)


def test_parts_with_null_for_no_chips_are_read_and_merged(tmp_path: Path) -> None:
    """As they were written before a whole number stood for null."""
    raises = [4, None, 2]
    rows = decisions([4.0, None, 2.0])
    held = pa.array(raises, pa.int32())
    old = rows.set_column(rows.column_names.index("raise_to"), "raise_to", held)
    without = tuple(c.name for c in TABLES["actions"] if c.name not in rows.column_names)
    made = Batch("old", (Part("actions", "old.parquet", without, Form(whole=True)),))
    (tmp_path / "actions").mkdir()
    pq.write_table(old, tmp_path / "actions" / "old.parquet")
    place = store_of(tmp_path, made)
    batch = BatchWriter(tmp_path / "merged")
    (tmp_path / "merged").mkdir()
    for some in rows_in(place, made.parts[0]):
        batch.add("actions", some)
    merged = batch.close()
    assert merged is not None
    assert pq.read_table(merged.parts[0].path(tmp_path / "merged"))["raise_to"].to_pylist() == [4, 0, 2]
    with open_store(place) as store:
        read = store.execute("select raise_to from stored.decisions order by hand_index").fetchall()
    assert [amount for (amount,) in read] == raises


Cards = list[list[str] | None]
Lines = list[list[int] | None]
BOARD = ["Ah", "2c", "2d", "Ts", "9h"]


def dealt(boards: Cards, lines: Lines) -> pa.Table:
    """Rows of `hands` with lists alone."""
    fields = [schema("hands").field(name) for name in ("match_id", "hand_index", "board", "card_lines")]
    cards = pa.array(boards, pa.list_(pa.string()))
    codes = cards.values.dictionary_encode()
    words = pa.DictionaryArray.from_arrays(codes.indices.cast(pa.int8()), codes.dictionary)
    lists = pa.ListArray.from_arrays(cards.offsets, words, mask=cards.is_null())
    keys = [1] * len(boards), list(range(len(boards)))
    return pa.table([*keys, lists, pa.array(lines, pa.list_(pa.int16()))], schema=pa.schema(fields))


@pytest.mark.parametrize(
    "boards, lines, short",
    [
        ([[], BOARD, BOARD[:3]], [[2, 3], [2, 3, 9, 12, 255], [1]], True),
        ([[], []], [[], list(range(1, 9))], True),
        ([BOARD], [[255] * 8], True),
        ([[*BOARD, "3c"], BOARD], [[2], [3]], False),
        ([BOARD, None], [[2], [3]], False),
        ([BOARD, BOARD], [[2], None], False),
        ([BOARD], [list(range(1, 10))], False),
        ([BOARD], [[256]], False),
        ([BOARD], [[0]], False),
        ([BOARD], [[-1]], False),
    ],
)
def test_short_lists_lie_in_columns_of_their_own(
    tmp_path: Path, boards: Cards, lines: Lines, short: bool
) -> None:
    batch = BatchWriter(tmp_path)
    rows = dealt(boards, lines)
    # The same rows once more, out of the middle of others.
    for some in (rows, pa.concat_tables([rows.slice(0, 1), rows]).combine_chunks().slice(1)):
        batch.add("hands", some)
    made = batch.close()
    assert made is not None
    assert [part.form.short for part in made.parts] == [short]
    held = pq.read_table(made.parts[0].path(tmp_path))
    assert ("board_5" in held.column_names, "board" in held.column_names) == (short, not short)
    place = store_of(tmp_path, made)
    with open_store(place) as store:
        read = store.execute("select board, card_lines from stored.hands").fetchall()
    assert sorted(map(repr, read)) == sorted(map(repr, [*zip(boards, lines, strict=True)] * 2))
    match = StoredMatch(1, 1, len(boards), True, 0, 0, 0, made.name)
    again = rows_of(place, match, "hands", ["card_lines", "board"])
    assert [(row["board"], row["card_lines"]) for row in again] == [*zip(boards, lines, strict=True)] * 2


def test_nothing_added_is_no_batch(tmp_path: Path) -> None:
    assert BatchWriter(tmp_path).close() is None
