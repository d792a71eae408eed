"""What one version of railbird answers about some logs, as Parquet files: a process of its own, run by run.py.

It asks through what users have alone: the Python API, SQL and the commands' JSON.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

MEMORY: Final = "6GB"

COMMANDS: Final = {
    "verify": ("verify", "--all"),
    "audit": ("audit", "--all"),
    "bankroll": ("bankroll",),
    "luck": ("luck",),
    "luck by match": ("luck", "--by", "match"),
    "stats": ("stats",),
    "stats by opponent": ("stats", "--by-opponent"),
    "standings": ("standings", "--draws", "200"),
    "crosstable": ("standings", "--crosstable"),
    "run-off": ("standings", "--run-off"),
    "collusion": ("collusion", "--all"),
}
"""Commands whose numbers are compared, by the names that the list of expected differences has for them."""

REPORT: Final = "report"
NUMBER: Final = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?")


def wanted(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def dump_views(store: str, out: Path, patterns: Sequence[str]) -> None:
    """One file a view; a query that fails leaves a file `NAME.failed` with its error."""
    import railbird

    with railbird.open(store) as opened:
        connection = opened.connection
        connection.execute(f"set memory_limit = '{MEMORY}'")
        connection.execute("set temp_directory = $folder", {"folder": str(out / "spilled")})
        names = [
            name
            for (name,) in connection.execute(
                """
                select view_name from duckdb_views() where schema_name = 'main' and not internal
                union all
                select table_name from duckdb_tables() where schema_name = 'main'
                order by all
                """
            ).fetchall()
            if wanted(name, patterns)
        ]
        for name in names:
            if name == "equities":
                opened.count_equities()
            target = str(out / f"{name}.parquet").replace("'", "''")
            try:
                connection.execute(f"copy (select * from {name}) to '{target}' (format parquet)")
            except Exception as error:
                (out / f"{name}.failed").write_text(str(error), encoding="utf-8")


def rows_of(value: Any) -> list[dict[str, Any]]:
    """The rows of a command's JSON: its list of objects, or each value with the way that leads to it."""
    if isinstance(value, list) and all(isinstance(row, dict) for row in value):
        return [{key: _cell(key, cell) for key, cell in row.items()} for row in value]
    return [
        {
            "way": way,
            "text": str(leaf) if not isinstance(leaf, int | float) else None,
            "number": float(leaf) if isinstance(leaf, int | float) else None,
        }
        for way, leaf in _leaves(value, "")
    ]


def _cell(key: str, cell: Any) -> Any:
    """A cell of a row: ids as text, as they have more bits than the numbers of a column; lists as they are written."""
    if isinstance(cell, dict | list):
        return json.dumps(cell, sort_keys=True)
    return str(cell) if key.endswith("_id") and isinstance(cell, int) else cell


def _leaves(value: Any, way: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{way}.{key}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _leaves(inner, f"{way}[{place}]")
    else:
        yield way, value


def write_rows(rows: list[dict[str, Any]], target: Path) -> None:
    import polars

    if rows:
        polars.DataFrame(rows, infer_schema_length=None, strict=False).write_parquet(target)


def dump_commands(store: str, out: Path, patterns: Sequence[str]) -> None:
    for name, words in COMMANDS.items():
        if not wanted(name, patterns):
            continue
        done = subprocess.run(
            [sys.executable, "-m", "railbird", *words, "--store", store, "--format", "json"],
            capture_output=True,
            text=True,
            check=False,
        )
        try:
            write_rows(rows_of(json.loads(done.stdout)), out / f"{name}.parquet")
        except ValueError:
            (out / f"{name}.failed").write_text(done.stderr or done.stdout, encoding="utf-8")


class Cells(HTMLParser):
    """The cells of a page's tables that hold numbers: table, row, cell and the numbers, as they stand."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, int, int, str]] = []
        self._table = self._row = self._cell = -1
        self._text: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._table, self._row = self._table + 1, -1
        elif tag == "tr":
            self._row, self._cell = self._row + 1, -1
        elif tag in ("td", "th"):
            self._cell, self._text = self._cell + 1, []

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._text is not None:
            numbers = NUMBER.findall(" ".join(self._text))
            if numbers:
                self.found.append((self._table, self._row, self._cell, " ".join(numbers)))
            self._text = None


def page_rows(folder: Path) -> list[dict[str, Any]]:
    """Every cell of the tables of a report's pages that holds numbers."""
    rows = []
    for page in sorted(folder.rglob("*.html")):
        cells = Cells()
        cells.feed(page.read_text(encoding="utf-8"))
        rows += [
            {"page": page.relative_to(folder).as_posix(), "table": t, "row": r, "cell": c, "numbers": numbers}
            for t, r, c, numbers in cells.found
        ]
    return rows


def dump_report(store: str, out: Path) -> None:
    pages = out / "pages"
    subprocess.run(
        [sys.executable, "-m", "railbird", "report", "--store", store, "--out", str(pages)],
        stdout=subprocess.DEVNULL,
        check=True,
    )
    write_rows(page_rows(pages), out / f"{REPORT}.parquet")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--package", required=True, help="the folder that railbird must come from")
    parser.add_argument("--store", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--views", nargs="*", default=["*"])
    parser.add_argument("--commands", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("logs", nargs="+")
    given = parser.parse_args()

    import railbird

    found = Path(str(railbird.__file__)).resolve().parent
    assert found == Path(given.package).resolve(), f"railbird comes from {found}"
    given.out.mkdir(parents=True, exist_ok=True)
    railbird.ingest(given.logs, given.store)
    dump_views(given.store, given.out, given.views)
    if given.commands:
        dump_commands(given.store, given.out, given.views)
    if given.report and wanted(REPORT, given.views):
        dump_report(given.store, given.out)


if __name__ == "__main__":
    main()
