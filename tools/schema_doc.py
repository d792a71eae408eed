"""The pages docs/schema.md and docs/statistics.md, written from the table definitions and the views' headers.

`python -m railbird.tools.schema_doc` writes them anew; a test holds them against the views.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import duckdb

from ..analytics.parts import sql_type
from ..analytics.views import GRAINS, LOCK, ColumnText, View, all_views
from ..schema.columns import TABLES, Column, Form, on_disk
from ..schema.words import FLAGS
from .pages import table

_SCHEMA: Final = """\
# The store, table by table

<!-- Written by `python -m railbird.tools.schema_doc` from schema/columns.py and analytics/sql. -->

A store is a folder of Parquet: one folder a table, one `.parquet` a part. `manifest.json` names
the live parts, with the schema version and a BLAKE2b hash of each part; pages carry checksums. When no command is
writing, `TABLE/*.parquet` is exactly the store's content. Any Parquet tool reads it. A part
leaves out the columns that no game in it fills; they read as null.

Chips are in the log's own unit: doubles as relations, and on disk 32-bit integers in the parts whose chips are all
whole (`manifest.json` says which; `raise_to` is 0 there where it is null). Lists are lists as relations. On disk,
in the parts where all are short, `hole` lies in `hole_1` and `hole_2`, `board` in `board_1` to `board_5`, an empty
word where there is no card, and `card_lines` in the bytes of `card_lines_bytes`, the first in the lowest.

Cards are strings such as `Ah`, names are the log's own. (`match_id`, `hand_index`) is the key of a hand everywhere.
`seat` is the fixed place in the match from 0, `position` the place in the hand. `line` and `match_no` count from 1,
`hand_index` and `seq` from 0. A player is (`event`, `game`, `player`), and the seat as well where one match holds
a name twice.

`railbird sql` and `rb.open` show each table as a relation of the same name. A column marked *stored*
lies in the file as it is; a *derived* one would cost more to store than to compute, so only the
relation has it. The tables as they lie on disk are in schema `stored`: `select * from stored.seats`,
where a column of bits is already taken apart, and chips and lists are as in the relations.
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
"""Views that say what a statistic counts, by the title of their table."""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return f"{table(head, rows)}\n"


def _relation_rows(view: View) -> Iterable[tuple[str, ...]]:
    stored = {column.name: column for column in TABLES.get(view.name, ())}
    for text in view.columns:
        how, _, meaning = text.meaning.partition(":")
        if text.name in FLAGS:
            continue
        column = stored.get(text.name)
        if how == "stored" and column is not None:
            yield f"`{text.name}`", text.type, "stored", column.meaning
        else:
            yield f"`{text.name}`", text.type, how, meaning.strip()
    if FLAGS[0] in {text.name for text in view.columns}:
        flags = " ".join(f"`{flag}`" for flag in FLAGS)
        yield (
            flags,
            "BOOLEAN",
            "stored",
            "a bit of `stored.seats.flags` each, bit 0 first ([statistics](statistics.md)); "
            "false where the game is not [hold'em](definitions.md#holdem), but for how the hand ended; in Koper and "
            "Blotto that as well",
        )


def _disk_rows(column: Column) -> Iterable[tuple[str, ...]]:
    """A column on disk, then what its bits are."""
    yield f"`{column.name}`", sql_type(column.type), column.meaning
    for bits in column.bits:
        last = bits.shift + bits.width - 1
        yield (
            f"`{column.name}`, bits {bits.shift} to {last}",
            sql_type(bits.type),
            f"`{bits.name}`: {bits.meaning}",
        )


def schema_page() -> str:
    """The text of docs/schema.md."""
    parts = [_SCHEMA]
    views = {view.name: view for view in all_views() if view.relation}
    for name in [*TABLES, *sorted(views.keys() - TABLES.keys())]:
        view = views.get(name)
        if view is None:
            parts.append(f"## stored.{name}\n\nOn disk only: the relations above are made from it too.\n")
            disk = ((f"`{c.name}`", sql_type(c.type), c.meaning) for c in TABLES[name])
            parts.append(_table(("column", "type", "meaning"), disk))
            continue
        parts.append(
            f"## {name}\n\nOne row per {view.grain}. {view.definition[0].upper()}{view.definition[1:]}\n"
        )
        parts.append(_table(("column", "type", "", "meaning"), _relation_rows(view)))
        shown = {text.name for text in view.columns if text.meaning.startswith("stored")}
        kept = [column for column in TABLES.get(name, ()) if column.name not in shown]
        if kept:
            parts.append("On disk only:\n")
            parts.append(_table(("column", "type", "meaning"), [row for c in kept for row in _disk_rows(c)]))
    parts.append(
        "## Encodings\n\nParquet's encoding and codec of each column. Statistics are kept of the keys only.\n"
    )
    rows = []
    for packing in dict.fromkeys(column.packing for columns in TABLES.values() for column in columns):
        names = [f"{t}.{c.name}" for t, columns in TABLES.items() for c in columns if c.packing is packing]
        rows.append((f"{packing.encoding}, {packing.codec}", ", ".join(names)))
    for packing in dict.fromkeys(c.whole for columns in TABLES.values() for c in columns if c.whole):
        names = [f"{t}.{c.name}" for t, columns in TABLES.items() for c in columns if c.whole is packing]
        rows.append((f"{packing.encoding}, {packing.codec}, where chips are whole", ", ".join(names)))
    for name, columns in TABLES.items():
        for column in (c for c in columns if c.short):
            held = on_disk(column, Form(short=True))
            names = [f"{name}.{c.name}" for c in held]
            packing = held[0].packing
            said = f"{packing.encoding}, {packing.codec}, where {name}.{column.name} is short"
            rows.append((said, ", ".join(names)))
    parts.append(_table(("encoding", "columns"), rows))
    return "\n".join(parts)


def _column_rows(columns: Iterable[ColumnText]) -> Iterable[tuple[str, ...]]:
    return ((f"`{c.name}`", c.type, c.meaning) for c in columns)


def _twin_rows(view: View, twins: Iterable[View]) -> Iterable[tuple[str, ...]]:
    """The columns of a view, and those that only twins have with which these are."""
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
