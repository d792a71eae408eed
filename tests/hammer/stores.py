"""Stores whose values no railbird writes: what each command says of them. As a kind of `make hammer`, and a test.

Each value is put into a part by Arrow, and the manifest has the part's hash, so the store is what its maker wanted.
"""

import argparse
import io
import json
import random
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from railbird.cli import main as railbird
from railbird.storage.locations import MANIFEST
from railbird.storage.writer import digest_of

SAMPLES: Final = Path(__file__).parent.parent.parent / "sample_logs"
LOGS: Final = ("bounty/2025-01-05.txt", "acpc/kuhn.log", "blotto/late.txt", "swap/faults.txt", "koper")

NUMBERS: Final = (-1, -(10**18), 10**18, 2**31 - 1, 2**15 - 1, 127, -128, 0)
FLOATS: Final = (float("nan"), float("inf"), -float("inf"), 1e300, -1.0, 0.5, 10.0**18)
TEXTS: Final = (
    "",
    "no such word",
    "'; drop table hands; --",
    "\x1b[31m",
    "x" * 100_000,
    "../../etc",
    "9" * 40,
    "é\0",
)


SECONDS: Final = 60
"""What a command may take on a store of a few hundred hands."""


class Said(NamedTuple):
    """What a command did that it should not: the words, and its output or the traceback."""

    words: list[str]
    problem: str


def made(folder: Path) -> Path:
    """A store of a few short logs, without damage."""
    logs = [str(SAMPLES / name) for name in LOGS]
    with redirect_stdout(io.StringIO()):
        assert railbird(["ingest", *logs, "--store", str(folder / "store")]) == 0
        assert railbird(["luck", "--store", str(folder / "store")]) == 0
    return folder / "store"


def commands(match: str, player: str, other: str, out: Path) -> list[list[str]]:
    """Commands that read a store, or change it, those that change it last."""
    kinds = ("findings", "deals", "balance", "faults", "gains", "winners", "standings", "information")
    return [
        *([name] for name in ("verify", "bankroll", "luck", "stats", "standings", "collusion", "audit")),
        *(["audit", kind] for kind in kinds),
        ["replay", f"{match}#1"],
        ["hands", "--pot", ">1"],
        ["why", player, "--against", other],
        ["opponent", player],
        ["exploit", player],
        ["compare", player, other],
        ["sql", "from seats join hands using (match_id, hand_index) limit 5"],
        ["sql", "from actions"],
        ["report", "--out", str(out / "report")],
        *(["export", "--to", kind, "--out", str(out / kind)] for kind in ("phh", "csv", "acpc", "ohh")),
        ["tag", match, "version=v1"],
        ["compact"],
        ["ingest", str(SAMPLES / LOGS[0])],
        ["ingest", str(SAMPLES / "holdem-mit" / "base.txt")],
        ["forget", match],
    ]


def crafted(store: Path, dice: random.Random) -> str:
    """Change a value, a column or the rows of a part of a store; says what."""
    held = json.loads((store / MANIFEST).read_text())
    rows = [row for batch in held["batches"] for row in batch["parts"]]
    row = dice.choice(rows)
    path = store / row[0] / row[1]
    table = pq.read_table(path, partitioning=None)
    change = dice.choice(CHANGES)
    name = dice.choice(table.column_names)
    new = change(table, name, dice)
    pq.write_table(new, path)
    row[2] = digest_of(path)
    (store / MANIFEST).write_text(json.dumps(held))
    return f"{row[0]}.{name}: {change.__name__}"


def _with(table: pa.Table, name: str, column: pa.Array | pa.ChunkedArray) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, column)


def _some(
    table: pa.Table, name: str, dice: random.Random, value: Any, kind: pa.DataType | None = None
) -> pa.Table:
    """The column with a value in one row, or in all."""
    kind = kind or table.schema.field(name).type
    values = table[name].to_pylist()
    places = range(len(values)) if dice.random() < 0.3 else [dice.randrange(max(len(values), 1))]
    for place in places:
        if values:
            values[place] = value
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_list(kind) and pa.types.is_dictionary(kind.value_type):
        return _with(table, name, pa.array(values, pa.list_(kind.value_type.value_type)))
    return _with(table, name, pa.array(values, kind))


def value(table: pa.Table, name: str, dice: random.Random) -> pa.Table:
    """A value of the column's type that no railbird writes there."""
    kind = table.schema.field(name).type
    if pa.types.is_integer(kind):
        bits, is_signed = kind.bit_width, pa.types.is_signed_integer(kind)
        least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
        return _some(table, name, dice, min(max(dice.choice(NUMBERS), least), most))
    if pa.types.is_floating(kind):
        return _some(table, name, dice, dice.choice(FLOATS))
    if pa.types.is_boolean(kind):
        return _some(table, name, dice, dice.random() < 0.5)
    if pa.types.is_list(kind):
        element = kind.value_type
        is_text = not (
            pa.types.is_integer(element) or pa.types.is_floating(element) or pa.types.is_boolean(element)
        )
        longest = dice.choice((0, 1, 7, 200, 70_000))
        one = dice.choice(TEXTS[:5]) if is_text else dice.choice((0, 1, -1, 100))
        return _some(table, name, dice, [dice.choice((one, None)) if dice.random() < 0.2 else one] * longest)
    return _some(table, name, dice, dice.choice(TEXTS))


def null(table: pa.Table, name: str, dice: random.Random) -> pa.Table:
    """Nulls, where there may be none or some."""
    return _some(table, name, dice, None)


def other_type(table: pa.Table, name: str, dice: random.Random) -> pa.Table:
    """A column of another type."""
    count = table.num_rows
    column = dice.choice(
        (
            pa.array(["text"] * count),
            pa.array([1.5] * count),
            pa.array([[1, 2]] * count),
            pa.array([{"a": 1}] * count),
            pa.array([True] * count),
            pa.array([b"\xff"] * count),
            pa.nulls(count),
            pa.array([2**62] * count, pa.int64()),
        )
    )
    return _with(table, name, column)


def missing(table: pa.Table, name: str, dice: random.Random) -> pa.Table:
    """No such column, or one of another name."""
    if dice.random() < 0.5 and table.num_columns > 1:
        return table.drop_columns([name])
    return table.rename_columns([f"{one}{' ' * (one == name)}" for one in table.column_names])


def more_rows(table: pa.Table, name: str, dice: random.Random) -> pa.Table:
    """Rows twice, or none of them, or in another order."""
    chosen = dice.randrange(3)
    if chosen == 0:
        return pa.concat_tables([table, table])
    if chosen == 1:
        return table.slice(0, 0)
    return table.take(pa.array(dice.sample(range(table.num_rows), table.num_rows)))


CHANGES: Final[tuple[Callable[[pa.Table, str, random.Random], pa.Table], ...]] = (
    value,
    value,
    value,
    null,
    other_type,
    missing,
    more_rows,
)


def wrong_in(store: Path, words: list[str]) -> Said | None:
    """What a command did that no command may, on whatever store."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = railbird([*words, "--store", str(store)])
    except Exception:
        return Said(words, traceback.format_exc())
    lines = err.getvalue().splitlines()
    if "Traceback" in err.getvalue() + out.getvalue():
        return Said(words, err.getvalue())
    if code not in (0, 1, 2, 3, 4) or (code == 2 and (not lines or not lines[-1].startswith("railbird: "))):
        return Said(words, f"exit {code}: {lines}")
    if any(len(line) > 2000 for line in lines):
        return Said(words, f"a line of {max(map(len, lines))} characters: {lines[-1][:300]}")
    return None


def tried(whole: Path, seed: int, count: int = 6, aloud: bool = False) -> Iterator[tuple[str, Said]]:
    """Craft a store, run some commands over it; aloud: say first which, in case one ends the process."""
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="crafted-", dir=whole.parent) as folder:
        store, out = Path(folder, "store"), Path(folder, "out")
        shutil.copytree(whole, store)
        shutil.rmtree(store / "staging", ignore_errors=True)
        ids, (player, other) = names_in(whole)
        said = crafted(store, dice)
        match = dice.choice(ids)
        every = commands(str(match), player, other, out)
        chosen = sorted(dice.sample(range(len(every)), count))
        for words in (every[k] for k in chosen):
            if aloud:
                print(json.dumps([seed, said, words]), file=sys.stderr, flush=True)
            if found := wrong_in(store, words):
                yield said, found


def names_in(store: Path) -> tuple[list[int], Sequence[str]]:
    """The matches of a store, and the players of a match of two."""
    parts = sorted((store / "matches").glob("*.parquet"))
    tables = [pq.read_table(part, columns=["match_id", "players"], partitioning=None) for part in parts]
    rows = pa.concat_tables(tables).to_pylist()
    two = next(row["players"] for row in rows if len(row["players"]) == 2)
    return [row["match_id"] for row in rows], two


def main() -> None:
    """Try seeds one after the other in this process; a line of JSON on standard output for each thing found."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument(
        "--store", type=Path, required=True, help="a store that `made` made, or where it is to be"
    )
    asked.add_argument("--seeds", type=int, nargs=2, required=True)
    asked.add_argument("--count", type=int, default=6)
    given = asked.parse_args()
    if not given.store.exists():
        made(given.store.parent)
    for seed in range(*given.seeds):
        for said, found in tried(given.store, seed, given.count, aloud=True):
            print(json.dumps([seed, said, found.words, found.problem]), flush=True)


if __name__ == "__main__":
    main()
