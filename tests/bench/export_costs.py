"""What an export of hands costs: processor time and peak memory of `railbird export` by format and number of hands.

Hands of tables of six (the corpus's PHHS), in copies with other suits; writes the table of docs/export.md.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from bench import record_copies, roads  # noqa: E402 - the tests' folder comes first
from railbird.analytics.store import open_store  # noqa: E402
from railbird.ingest import ingest  # noqa: E402

ENGINE: Final = "phhs"
ALL_SIZES: Final = ("phhs",)
FIRST_SIZE: Final = ("pokerstars", "ohh", "jsonl")
"""Of these tables ACPC logs hold none: players leave and come."""
HEAD: Final = (
    "| `--to` | hands | text written | processor time | a hand | peak memory |\n|---|---|---|---|---|---|\n"
)
MB: Final = 1e6


def make_store(hands: int, folder: Path) -> int:
    """A store of about so many hands; how many there are."""
    first = record_copies.originals(ENGINE)
    text = sum(path.stat().st_size for path in first)
    count = sum(path.read_bytes().count(b"\nvariant") for path in first)
    record_copies.written(ENGINE, folder / "logs", hands * text // count)
    ingest([folder / "logs"], folder / "store")
    shutil.rmtree(folder / "logs")
    with open_store(folder / "store") as store:
        ((found,),) = store.execute("select count(*) from hands").fetchall()
    return int(found)


def row(form: str, hands: int, folder: Path) -> str:
    """A row of the table: an export in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = roads.peak_of_command(
        ["export", str(folder / "out"), "--to", form, "--store", str(folder / "store")]
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    size = sum(path.stat().st_size for path in (folder / "out").rglob("*") if path.is_file()) / MB
    shutil.rmtree(folder / "out")
    return (
        f"| `{form}` | {hands:,} | {size:,.0f} MB | {took:,.0f} s | {1e6 * took / hands:,.0f} µs "
        f"| {peak:,.0f} MB |"
    )


def write(page: Path, said: str) -> None:
    """Put the table between its marks."""
    marked = r"(<!-- costs -->\n).*?(<!-- end -->\n)"
    page.write_text(re.sub(marked, lambda m: f"{m[1]}{said}\n{m[2]}", page.read_text(), flags=re.DOTALL))


def main() -> None:
    """Measure each format at each size, then write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--formats", nargs="*", default=ALL_SIZES, help="of all sizes")
    parser.add_argument("--small", nargs="*", default=FIRST_SIZE, help="formats of the first size alone")
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    if not record_copies.originals(ENGINE):
        parser.error("RAILBIRD_CORPUS is not set: it names a folder of logs (CONTRIBUTING.md)")
    rows = []
    for wanted in asked.hands:
        with tempfile.TemporaryDirectory() as made:
            hands = make_store(wanted, Path(made))
            for form in [*asked.formats, *(asked.small if wanted == asked.hands[0] else ())]:
                rows.append(row(form, hands, Path(made)))
                print(rows[-1], flush=True)
                if asked.write:
                    write(asked.write, HEAD + "\n".join(rows))


if __name__ == "__main__":
    main()
