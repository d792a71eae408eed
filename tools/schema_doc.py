"""The pages docs/schema.md and docs/statistics.md, written from the table definitions and the views' headers.

`python -m railbird.tools.schema_doc` writes them; a test compares them with the views.
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import duckdb

from ..analytics.views import GRAINS, LOCK, ColumnText, View, all_views
from ..schema.columns import TABLES, Column, Packing, sql_type
from ..schema.words import FLAGS


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table without the final newline."""
    lines = [head, ["---"] * len(head), *rows]
    escaped = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)


def between(page: str, begin: str, end: str, part: str) -> str:
    """A page with `part` between its marks; ValueError if the marks are missing."""
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the page has no marks {begin} and {end}")
    return f"{before}{begin}\n\n{part}\n\n{end}{after}"


_SCHEMA: Final = """\
# The store, table by table

<!-- Written by `python -m railbird.tools.schema_doc` from schema/columns.py and analytics/sql. -->

A store is a folder of Parquet: one folder a table, one `.parquet` a part, all parts of a table with the columns below.
`manifest.json` names the live parts, with the schema version and a BLAKE2b hash of each part; pages carry checksums.
When no command is writing, `TABLE/*.parquet` is exactly the store's content. Any Parquet tool reads it:
`polars.read_parquet("store/actions/*.parquet")`.

Chips are in the unit of the log, cards are strings such as `Ah`, and names are those of the log. Null means unknown, or
not part of the game. (`match_id`, `hand_index`) is the key of a hand everywhere. `seat` is fixed within a match and
counts from 0; `position` changes from hand to hand. `line` and `match_no` count from 1, `hand_index` and `seq` from 0.
A player is (`event`, `game`, `player`), and the seat too if one match holds a name twice.

`railbird sql` and `rb.open` show each table as a relation of the same name, with more columns that are derived from
those of the files. In a relation `street` is a number: 0 preflop, 1 flop, 2 turn, 3 river, 4 the first card of a run.
Schema `stored` has the tables themselves (`select * from stored.seats`), with the street as a number,
`actions.pot_before` in every row, and all statistic flags of a seat as bits of one number, the first flag lowest, in
`stored.seats.flags`.
"""
_STATISTICS: Final = """\
# Statistics

<!-- Written by `python -m railbird.tools.schema_doc` from the headers in analytics/sql. -->

Every answer is a view: `railbird sql "select * from tendencies"`. Its SQL is the file `NAME.sql` in `analytics/sql` or
`analytics/sql/audit`; a twin's SQL is in the file of the view under whose heading it is listed.

- Only a player's own choices count (`actions.origin = 'choice'`). Checks and folds after an all-in do not, nor does
  what the engine did for a bot that was late, disconnected or at fault. The view `origins` counts those.
- A rate is two counts, opportunities and successes, with a 95% Wilson interval. For k in n, with z = 1.959964, it is
  (k + z²/2 ± z √(k (n − k) / n + z²/4)) / (n + z²). Where opportunities cluster, n is the
  [effective n](definitions.md#effective-n).
- A view may have twins. `..._by_opponent`, `..._by_position`, `..._by_street` and `..._by_match` split its rows;
  `..._before_lock` leaves out the hands after the [lock point](definitions.md#lock-point). Counts add up over twins;
  intervals do not.
- A player is (`event`, `game`, `player`), and the seat too where a match holds the name twice (in Koper, whose
  seats rotate, the seat of the tournament's first match; view `players`). Only then is the column `seat` of the
  views over matches filled.
- [Definitions](definitions.md) explains lock point, unopened, saw flop and effective n.
- Rates leave out hands with the verdict `damaged`. For a `damaged` or `unverified` hand railbird cannot tell
  whether it was paid as written; each view says what it does with such hands.

## Macros

- `wilson_low(k, n)`, `wilson_high(k, n)`: the ends of that interval.
- `rate_of(k, n)`: k / n, null where n is 0.
- `t_975(df)`: the 97.5% quantile of Student's t.
- `street_name(street)`: preflop, flop, turn, river, run 1 and on. `street_name(street, game)` takes the names
  of a game's streets from the relation `games`.
- `flag_bit(flag)`: the bit of a flag in `stored.seats.flags`.
- `size_bin(size)`: 1 to 6, for a share of the pot up to 1/4, 1/2, 3/4, 1, 2, and over; `size_name(bin)`: its name.
- `effective_n(k, n, spread)`, `rate_low`, `rate_high`: for a rate whose opportunities cluster;
  `added_spread(spread)` adds the spreads of several matches.
"""


_LISTS: Final = {"The tendencies": "statistics", "Street by street": "street_statistics"}
"""Views that define statistics, by the title of their table."""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return f"{table(head, rows)}\n"


def _type(column: Column) -> str:
    return f"{sql_type(column.type)}, {column.unit}" if column.unit else sql_type(column.type)


def _file_rows(columns: Iterable[Column]) -> Iterable[tuple[str, ...]]:
    """The columns of a file; flags with the same description share a row."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for column in columns:
        key = _type(column), "" if column.null else "never", column.meaning
        alike.setdefault(key if column.name in FLAGS else (*key, column.name), []).append(column.name)
    for (kind, null, meaning, *_), names in alike.items():
        yield " ".join(f"`{name}`" for name in names), kind, null, meaning


def schema_page() -> str:
    """The text of docs/schema.md."""
    parts = [_SCHEMA]
    views = {view.name: view for view in all_views() if view.relation}
    head = ("column", "type", "null", "meaning")
    for name in [*TABLES, *sorted(views.keys() - TABLES.keys())]:
        view = views.get(name)
        if view is None:
            parts.append(f"## {name}\n\nNo relation: `stored.{name}`.\n")
            parts.append(_table(head, _file_rows(TABLES[name])))
            continue
        parts.append(
            f"## {name}\n\nOne row per {view.grain}. {view.definition[0].upper()}{view.definition[1:]}\n"
        )
        if name not in TABLES:
            rows = [
                (f"`{c.name}`", c.type, c.meaning.partition(":")[2].strip() or c.meaning)
                for c in view.columns
            ]
            parts.append("A relation without files:\n")
            parts.append(_table(("column", "type", "meaning"), rows))
            continue
        parts.append("In the files:\n")
        parts.append(_table(head, _file_rows(TABLES[name])))
        derived = [c for c in view.columns if c.meaning.startswith("derived")]
        if derived:
            rows = [(f"`{c.name}`", c.type, c.meaning.partition(":")[2].strip()) for c in derived]
            parts.append("Derived in the relation:\n")
            parts.append(_table(("column", "type", "meaning"), rows))
        shown = {text.name for text in view.columns}
        if kept := [f"`{column.name}`" for column in TABLES[name] if column.name not in shown]:
            parts.append(f"In the files only: {', '.join(kept)}.\n")
    parts.append(
        "## Encodings\n\nParquet's encoding of each column; all pages are compressed by zstd. Only keys have "
        "statistics.\n"
    )
    packed = []
    for packing in Packing:
        named = {
            f"{t}.{c.name}": f"`{t}.{c.name}`"
            for t, columns in TABLES.items()
            for c in columns
            if c.packing is packing and c.name not in FLAGS
        }
        flags = ["the flags of `seats`"] if packing is Packing.PLAIN else []
        packed.append((packing.value, ", ".join([*named.values(), *flags])))
    parts.append(_table(("encoding", "columns"), packed))
    return "\n".join(parts)


def _column_rows(columns: Iterable[ColumnText]) -> Iterable[tuple[str, ...]]:
    return ((f"`{c.name}`", c.type, c.meaning) for c in columns)


def _twin_rows(view: View, twins: Iterable[View]) -> Iterable[tuple[str, ...]]:
    """The columns of a view, and those of its twins with the names of these twins."""
    own = {column.name for column in view.columns}
    more: dict[str, tuple[ColumnText, set[str]]] = {}
    for twin in twins:
        for column in twin.columns:
            if column.name not in own:
                having = more.setdefault(column.name, (column, set(twin.twin)))[1]
                having.difference_update({LOCK})
                having.update(word for word in twin.twin if word in GRAINS)
    yield from _column_rows(view.columns)
    for column, words in more.values():
        listed = " or ".join(f"`..._{word}`" for word in sorted(words))
        yield f"`{column.name}`", column.type, f"only in {listed}: {column.meaning}"


def statistics_page() -> str:
    """The text of docs/statistics.md."""
    parts = [_STATISTICS]
    queries = {view.name: view.query for view in all_views()}
    columns = "'`' || statistic || '`', label, opportunity, success"
    with duckdb.connect() as connection:
        for title, name in _LISTS.items():
            parts.append(f"## {title}\n")
            rows = connection.execute(f"select {columns} from ({queries[name]}) order by place").fetchall()
            parts.append(_table(("statistic", "", "opportunity", "success"), rows))
    answers: dict[str, list[View]] = {}
    for each in sorted((v for v in all_views() if not v.relation), key=lambda v: (v.base, v.name)):
        answers.setdefault(each.base, []).append(each)
    for name, (view, *twins) in answers.items():
        parts.append(f"## {name}\n\nOne row per {view.grain}.\n")
        parts.append(f"{view.definition[0].upper()}{view.definition[1:]}\n")
        if view.unseen:
            parts.append(f"Not in a [store as a player saw it](visibility.md): {view.unseen}.\n")
        if twins:
            parts.append(f"Twins: {', '.join(f'`{twin.name}`' for twin in twins)}.\n")
        parts.append(_table(("column", "type", "meaning"), _twin_rows(view, twins)))
    return "\n".join(parts)


def main(folder: Path) -> None:
    """Write both pages into a folder."""
    (folder / "schema.md").write_text(schema_page(), encoding="utf-8")
    (folder / "statistics.md").write_text(statistics_page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "docs")
