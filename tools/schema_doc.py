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
from ..schema.words import FLAGS, FLAGS_OF_FLAGS


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


PAGES: Final = Path(__file__).parent / "pages"
"""The texts of pages that tools fill in."""


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
    left_out = " and ".join(f"`{flag}`" for flag in FLAGS_OF_FLAGS)
    parts = [(PAGES / "schema.template").read_text(encoding="utf-8").replace("{flags}", left_out)]
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


def _all_columns(view: View, suffixed: Iterable[View]) -> Iterable[tuple[str, ...]]:
    """The columns of a view, and those that only its views with suffixes have, with these suffixes."""
    own = {column.name for column in view.columns}
    more: dict[str, tuple[ColumnText, set[str]]] = {}
    for each in suffixed:
        for column in each.columns:
            if column.name not in own:
                having = more.setdefault(column.name, (column, set(each.suffixes)))[1]
                having.difference_update({LOCK})
                having.update(word for word in each.suffixes if word in GRAINS)
    yield from _column_rows(view.columns)
    for column, words in more.values():
        listed = " or ".join(f"`..._{word}`" for word in sorted(words))
        yield f"`{column.name}`", column.type, f"only in {listed}: {column.meaning}"


def statistics_page() -> str:
    """The text of docs/statistics.md."""
    parts = [(PAGES / "statistics.template").read_text(encoding="utf-8")]
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
    for name, (view, *suffixed) in answers.items():
        parts.append(f"## {name}\n\nOne row per {view.grain}.\n")
        parts.append(f"{view.definition[0].upper()}{view.definition[1:]}\n")
        if view.unseen:
            parts.append(f"Not in a [store as a player saw it](visibility.md): {view.unseen}.\n")
        if suffixed:
            parts.append(f"With suffixes: {', '.join(f'`{each.name}`' for each in suffixed)}.\n")
        parts.append(_table(("column", "type", "meaning"), _all_columns(view, suffixed)))
    return "\n".join(parts)


def main(folder: Path) -> None:
    """Write both pages into a folder."""
    (folder / "schema.md").write_text(schema_page(), encoding="utf-8")
    (folder / "statistics.md").write_text(statistics_page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "docs")
