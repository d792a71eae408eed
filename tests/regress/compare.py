"""Two folders of Parquet files, one file a relation, compared row by row, and what of it is on a list.

Rows are put together by a key: the first columns, in their order, that tell all rows apart on both sides. Where none
do, whole rows are compared. The order of rows means nothing.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

import duckdb

SENTENCES: Final = frozenset(("message", "reason"))
"""Columns compared for being there, not for their words."""

PRINTED: Final = "numbers"
"""The column of numbers as a page has them: a half may be rounded up or down, so decimals may differ by one."""

ROWS: Final = "(rows)"
"""Stands for a column where a row, or a whole relation, is in one version alone."""

_NEAR: Final = 1e-9
_LONGEST_KEY: Final = 10
_EXAMPLES: Final = 3
_WHOLE: Final = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_NUMBERS: Final = frozenset((*_WHOLE, *(f"U{kind}" for kind in _WHOLE)))
_KEYS: Final = {"logs", "relation", "column", "rows", "reason"}


@dataclass
class Entry:
    """A difference that is meant.

    logs, relation, column  names, or patterns of them as a shell has them
    rows    a condition in SQL over the rows `old` and `new`
    kind    of which of a folder's two stores it speaks; none: of both
    found   how many differing rows it covered
    asked   whether a relation of its name was compared
    """

    logs: str
    relation: str
    column: str
    rows: str
    reason: str
    kind: str = ""
    found: int = 0
    asked: bool = False

    def covers(self, relation: str, column: str) -> bool:
        return fnmatchcase(relation, self.relation) and fnmatchcase(column, self.column)

    def __str__(self) -> str:
        return f"{self.logs}: {self.relation}.{self.column} where {self.rows}: {self.reason}"


@dataclass
class Difference:
    """What differs and is not on the list."""

    relation: str
    column: str
    rows: int
    examples: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.relation}.{self.column}: {self.rows} rows differ", *self.examples]
        return "\n    ".join(lines)


@dataclass
class Compared:
    """How much was compared: logs, relations, views and commands by name, their columns, rows of the old version."""

    logs: int = 0
    columns: dict[str, int] = field(default_factory=dict)
    rows: int = 0
    values: int = 0

    def add(self, name: str, columns: int, rows: int) -> None:
        self.columns[name] = max(columns, self.columns.get(name, 0))
        self.rows += rows
        self.values += rows * columns

    def __str__(self) -> str:
        return (
            f"{self.logs} logs, {len(self.columns)} relations, views and commands, "
            f"{sum(self.columns.values())} columns of them, {self.rows} rows, {self.values} values"
        )


@dataclass(frozen=True)
class Expected:
    """The list: differences that are meant, and logs that are meant to be read otherwise.

    changing  patterns of logs, as paths below the folder of all logs, with the reason
    """

    entries: tuple[Entry, ...] = ()
    changing: tuple[tuple[str, str], ...] = ()

    def is_changing(self, path: str) -> bool:
        return any(fnmatchcase(path, pattern) for pattern, _ in self.changing)

    @property
    def stale(self) -> list[Entry]:
        """Entries that cover nothing, of those whose relation was compared."""
        return [entry for entry in self.entries if entry.asked and not entry.found]


def read_expected(text: str) -> Expected:
    """The list of a TOML text; ValueError where an entry lacks its reason or has a word of its own."""
    table = tomllib.loads(text)
    if unknown := table.keys() - {"expected", "changing"}:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    entries = []
    for given in table.get("expected", []):
        said = {"logs": "*", "column": "*", "rows": "true", **given}
        if said.keys() != _KEYS or not all(said.values()):
            raise ValueError(f"an entry has {', '.join(sorted(_KEYS))}: {given}")
        entries.append(Entry(**said))
    changing = []
    for given in table.get("changing", []):
        if given.keys() - {"differ"} != {"logs", "reason"} or not all(given.values()):
            raise ValueError(
                f"a log that changes has logs, reason, and differ where a relation does: {given}"
            )
        changing.append((given["logs"], given["reason"]))
        for each in given.get("differ", []):
            relation, column = each.split(".", 1)
            top = given["logs"].split("/")[0]
            entries.append(Entry(top, relation, column, "true", given["reason"], "changing"))
    return Expected(tuple(entries), tuple(changing))


def compare_folders(
    old: Path,
    new: Path,
    expected: Expected,
    logs: str = "",
    kind: str = "steady",
    compared: Compared | None = None,
    memory: str = "6GB",
) -> list[Difference]:
    """What differs between two folders of answers about some logs; how much was compared is added to `compared`."""
    wanted = sorted({path.stem for path in old.iterdir() if path.suffix in (".parquet", ".failed")})
    entries = [
        entry for entry in expected.entries if fnmatchcase(logs, entry.logs) and entry.kind in ("", kind)
    ]
    compared = Compared() if compared is None else compared
    differences = []
    with duckdb.connect() as connection:
        connection.execute(f"set memory_limit = '{memory}'")
        connection.execute("set temp_directory = $folder", {"folder": str(new / "spilled")})
        for name in wanted:
            differences += _compare(connection, name, old, new, entries, compared)
    return differences


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _file(path: Path) -> str:
    return "read_parquet('" + str(path).replace("'", "''") + "', hive_partitioning = false)"


def _columns(connection: duckdb.DuckDBPyConnection, path: Path) -> dict[str, tuple[str, str]]:
    """Expression and type of every column of a file; a struct is a column a field."""
    found: dict[str, tuple[str, str]] = {}
    relation = connection.sql(f"from {_file(path)}")
    for name, kind in zip(relation.columns, relation.types, strict=True):
        if kind.id == "struct":
            for inner, typed in kind.children:
                found[f"{name}.{inner}"] = (f"{_name(name)}.{_name(inner)}", _kind(str(typed)))
        else:
            found[name] = (_name(name), _kind(str(kind)))
    return found


def _kind(kind: str) -> str:
    return "DOUBLE" if kind == "FLOAT" or kind.startswith("DECIMAL") else kind


def _compare(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    old: Path,
    new: Path,
    entries: Sequence[Entry],
    compared: Compared,
) -> list[Difference]:
    sides = (old / f"{name}.parquet", new / f"{name}.parquet")
    whole = [entry for entry in entries if fnmatchcase(name, entry.relation)]
    for entry in whole:
        entry.asked = True
    there = [side.exists() for side in sides]
    if not all(there):
        if not any(there):
            return []  # both fail alike, or neither has rows
        failed = sides[there.index(False)].with_suffix(".failed")
        says = failed.read_text(encoding="utf-8").splitlines()[:1] if failed.exists() else ["it is not there"]
        return _gone(whole, name, ROWS, f"{('old', 'new')[there.index(False)]}: {' '.join(says)}")
    before, after = (_columns(connection, side) for side in sides)
    found = []
    for column in before.keys() - after.keys():
        found += _gone(whole, name, column, "the column is not there any more")
    shared = [column for column in before if column in after]
    counted = connection.execute(f"select count(*) from {_file(sides[0])}").fetchone()
    assert counted is not None
    compared.add(name, len(shared), counted[0])
    return found + _compare_rows(connection, name, sides, shared, before, after, whole)


def _gone(entries: Sequence[Entry], relation: str, column: str, says: str) -> list[Difference]:
    """Nothing to be compared, unless an entry of no condition expects that."""
    for entry in entries:
        if entry.covers(relation, column) and entry.rows == "true":
            entry.found += 1
            return []
    return [Difference(relation, column, 0, [says])]


def _compare_rows(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    sides: tuple[Path, Path],
    shared: Sequence[str],
    before: dict[str, tuple[str, str]],
    after: dict[str, tuple[str, str]],
    entries: Sequence[Entry],
) -> list[Difference]:
    exact, near, lists = [], [], []
    values: list[dict[str, str]] = [{}, {}]
    for column in shared:
        (was, kind), (now, other) = before[column], after[column]
        kinds = {kind, other}
        if column in SENTENCES:
            was, now = (f"coalesce({each}::varchar, '') <> ''" for each in (was, now))
        elif kinds == {"DOUBLE[]"}:
            lists.append(column)
        elif "DOUBLE" in kinds and kinds - {"DOUBLE"} <= _NUMBERS:
            was, now = f"{was}::double", f"{now}::double"
            near.append(column)
        elif len(kinds) > 1 or "[" in kind:
            # Numbers of one side may be texts of the other; dictionaries are as good as their words.
            was, now = f"{was}::varchar", f"{now}::varchar"
        values[0][column], values[1][column] = was, now
        if column not in near and column not in lists:
            exact.append(column)
    for side, path, columns in zip(("was", "now"), sides, values, strict=True):
        listed = ", ".join(f"{value} as {_name('=' + column)}" for column, value in columns.items())
        connection.execute(f"create or replace temp view {side} as select *, {listed} from {_file(path)}")
    key = _key(connection, [column for column in exact if column != PRINTED])
    ordinal = ""
    if key is None:
        # Equal rows are told apart by their numbers' order.
        key = exact
        inside = ", ".join(_name("=" + column) for column in (*near, *lists))
        groups = ", ".join(_name("=" + column) for column in key)
        over = f"{f'partition by {groups}' if groups else ''} {f'order by {inside}' if inside else ''}"
        ordinal = f', row_number() over ({over}) as "="'
    on = [f"old.{_name('=' + column)} is not distinct from new.{_name('=' + column)}" for column in key]
    on += ['old."=" = new."="'] if ordinal else []
    joined = f"""
        from (select *, true as "=there"{ordinal} from was) as old
        full join (select *, true as "=there"{ordinal} from now) as new on {" and ".join(on) or "true"}
    """
    both = 'old."=there" and new."=there"'
    differing = {ROWS: 'old."=there" is null or new."=there" is null'}
    for column in exact:
        if column == PRINTED:
            differing[column] = f"{both} and not coalesce({_pair(column, _AS_PRINTED)}, false)"
        elif column not in key:
            differing[column] = f"{both} and {_pair(column, '{} is distinct from {}')}"
    for column in near:
        differing[column] = f"{both} and not {_pair(column, _close('{0}', '{1}'))}"
    for column in lists:
        each = _close("pair[1]", "pair[2]")
        same = (
            "len({0}) = len({1}) and list_bool_and(list_append(list_transform("
            f"list_zip({{0}}, {{1}}), lambda pair: {each}), true))"
        )
        differing[column] = (
            f"{both} and not coalesce({_pair(column, same)}, {_pair(column, '{} is null and {} is null')})"
        )
    return _differences(connection, name, joined, key, differing, entries)


def _pair(column: str, template: str) -> str:
    named = _name("=" + column)
    return "(" + template.format(f"old.{named}", f"new.{named}") + ")"


_AS_PRINTED: Final = (
    "len(string_split({0}, ' ')) = len(string_split({1}, ' ')) and "
    "list_bool_and(list_transform(list_zip(string_split({0}, ' '), string_split({1}, ' ')), lambda pair: "
    "pair[1] = pair[2] or (contains(pair[1], '.') and contains(pair[2], '.') and "
    "len(split_part(pair[1], '.', 2)) = len(split_part(pair[2], '.', 2)) and "
    "abs(replace(replace(pair[1], ',', ''), '\u2212', '-')::double - "
    "replace(replace(pair[2], ',', ''), '\u2212', '-')::double) "
    "< 1.01 * pow(10, -len(split_part(pair[1], '.', 2))))))"
)


def _close(one: str, other: str) -> str:
    """Whether two floats are as good as equal; NaN and the infinities are themselves."""
    return (
        f"({one} is not distinct from {other} or coalesce(isfinite({one}) and isfinite({other}) and "
        f"abs({one} - {other}) <= {_NEAR} * greatest(1, abs({one}), abs({other})), false))"
    )


def _key(connection: duckdb.DuckDBPyConnection, columns: Sequence[str]) -> list[str] | None:
    """The first columns that tell all rows of both sides apart; None where none do."""
    candidates = [column for column in columns if column not in SENTENCES][:_LONGEST_KEY]
    for length in range(1, len(candidates) + 1):
        some = candidates[:length]
        listed = ", ".join(_name("=" + column) for column in some)
        if not any(
            connection.execute(
                f"select 1 from {side} group by {listed} having count(*) > 1 limit 1"
            ).fetchone()
            for side in ("was", "now")
        ):
            return some
    return None


def _differences(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    joined: str,
    key: Sequence[str],
    differing: dict[str, str],
    entries: Sequence[Entry],
) -> list[Difference]:
    """Count every kind of difference in one reading; those that have some are counted again by the list."""
    counts = ", ".join(f"count(*) filter (where {condition})" for condition in differing.values())
    counted = connection.execute(f"select {counts} {joined}").fetchone()
    assert counted is not None
    found = []
    for (column, condition), rows in zip(differing.items(), counted, strict=True):
        if not rows:
            continue
        left = f"({condition})"
        for entry in entries:
            if entry.covers(name, column):
                row = connection.execute(
                    f"select count(*) {joined} where {left} and ({entry.rows})"
                ).fetchone()
                assert row is not None
                entry.found += row[0]
                left += f" and ({entry.rows}) is not true"
        row = connection.execute(f"select count(*) {joined} where {left}").fetchone()
        assert row is not None
        if row[0]:
            found.append(Difference(name, column, row[0], _examples(connection, joined, left, key, column)))
    return found


def _examples(
    connection: duckdb.DuckDBPyConnection, joined: str, condition: str, key: Sequence[str], column: str
) -> list[str]:
    where = [f"coalesce(old.{_name('=' + each)}, new.{_name('=' + each)})::varchar" for each in key]
    shown = (
        ["case when old.\"=there\" then 'only in old' else 'only in new' end", "''"]
        if column == ROWS
        else [f"{side}.{_name('=' + column)}::varchar" for side in ("old", "new")]
    )
    rows: list[tuple[Any, ...]] = connection.execute(
        f"select {', '.join([*where, *shown])} {joined} where {condition} order by all limit {_EXAMPLES}"
    ).fetchall()
    texts = []
    for *keys, one, other in rows:
        at = ", ".join(f"{name}={value}" for name, value in zip(key, keys, strict=True))
        texts.append(f"{at[:300]}: {one}" if column == ROWS else f"{at[:300]}: {one} -> {other}")
    return texts
