"""Parts of a batch: one a table and set of columns and types, rows in the order they came."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from railbird.parsers.tables import schema
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
    assert [part.whole for part in made.parts] == [True, False]
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


def test_nothing_added_is_no_batch(tmp_path: Path) -> None:
    assert BatchWriter(tmp_path).close() is None
