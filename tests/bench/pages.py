"""The report over a tournament: how long it takes, how large it is, and when its pages have loaded.

`python tests/bench/pages.py --matches 1000 --write docs/report.md` puts the figures between that page's marks.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Final

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from support.browser import chromium_path  # noqa: E402 - the tests' folder comes first

from bench import material  # noqa: E402
from bench.figures import PEAK  # noqa: E402
from railbird.ingest import ingest  # noqa: E402

_PLAYERS: Final = 12
_WRITE: Final = f"""
import sys
from pathlib import Path
from railbird.analytics.store import open_store
from railbird.reports.pages.build import write_report
with open_store(sys.argv[1]) as store:
    write_report(store, Path(sys.argv[2]))
print({PEAK})
"""


@dataclass(frozen=True)
class Measured:
    """Of a report: matches, hands, seconds to write it, MB on disk, MB of memory at the peak, seconds to load.

    cpu       seconds of processor time, of all processes
    peak      of the process that writes; together: of all processes, sampled twice a second
    load      from navigation to the load event of index.html in a headless Chromium that runs; None without one
    counted   whether the store had the equities before
    largest   the page with the most bytes, its MB, and its seconds to load
    """

    matches: int
    hands: int
    seconds: float
    cpu: float
    size: float
    peak: float
    together: float
    load: float | None
    largest: str
    largest_size: float
    largest_load: float | None
    counted: bool


def tournament(folder: Path, matches: int) -> Path:
    """Logs of bots that meet in pairs, 1,000 hands a match: eight matches, again and again under other names."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = material.simulated("bounty")
    names = [f"Player-{number:02}" for number in range(_PLAYERS)]
    pairs = list(combinations(names, 2))
    for number in range(matches):
        one, other = pairs[number % len(pairs)]
        text = texts[number % len(texts)].replace(b"Ann", one.encode()).replace(b"Bea", other.encode())
        text = material.another(text, number)
        (folder / f"{number:05}.txt").write_bytes(text)
    return folder


def measure(folder: Path, matches: int) -> Measured:
    """Write a report over a tournament and open it."""
    store, out = folder / "store", folder / "report"
    ingest([tournament(folder / "tournament", matches)], store)
    counted = any((store / "equities").glob("*"))
    before, spent = perf_counter(), _processor()
    writing = subprocess.Popen([sys.executable, "-c", _WRITE, store, out], stdout=subprocess.PIPE, text=True)
    sampled = _Sampled(writing.pid)
    said, _ = writing.communicate()
    together = sampled.end()
    seconds = perf_counter() - before
    if writing.returncode:
        raise SystemExit("the report could not be written")
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 1e6
    pages = [path for path in out.glob("*.html") if path.name != "index.html"]
    largest = max(pages, key=lambda path: path.stat().st_size)
    return Measured(
        matches,
        matches * 1000,
        seconds,
        _processor() - spent,
        size,
        float(said),
        together,
        load_seconds(out / "index.html"),
        largest.name if largest.name == "matches.html" else re.sub(r"-\w+", "", largest.name),
        largest.stat().st_size / 1e6,
        load_seconds(largest),
        counted,
    )


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class _Sampled:
    """Looks twice a second at the memory of a process and of all that it started."""

    def __init__(self, pid: int) -> None:
        self._pid, self._most, self._over = pid, 0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._over.wait(0.5):
            self._most = max(self._most, _resident(self._pid))

    def end(self) -> float:
        """The largest sum seen, in MB."""
        self._over.set()
        self._thread.join()
        return self._most / 1024


def _resident(pid: int) -> int:
    """KB in memory of a process and of those below it; 0 once it is gone."""
    try:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
        below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    return int(found[1] if found else 0) + sum(_resident(int(one)) for one in below)


def load_seconds(path: Path) -> float | None:
    """From navigation to the load event, by the browser's own clock: the middle of five."""
    if chromium_path() is None:
        return None
    from support.browser import chromium, tab

    with chromium() as browser:
        times = []
        for _ in range(5):
            with tab(browser) as opened:
                opened.page.goto(path.as_uri(), wait_until="load")
                times.append(
                    opened.page.evaluate("performance.getEntriesByType('navigation')[0].loadEventStart")
                )
    return float(sorted(times)[2]) / 1000


_MARKED: Final = "<!-- measured -->\n{}\n<!-- end -->"
_TABLE: Final = """Made by `python tests/bench/pages.py --matches {matches} --write docs/report.md`, on {cores} cores;
{equities}

| over {matches:,} matches of 1,000 hands | |
|---|---|
| time, all in all | {seconds:,.0f} s, {each:.2f} s a match |
| of it processor time, all processes | {cpu:,.0f} s, {cpu_each:.2f} s a match |
| size | {size:,.0f} MB, {bytes:.0f} bytes a hand |
| memory at the peak, the process that writes | {peak:,.0f} MB |
| with those that draw the plots | {together:,.0f} MB |
| from navigation to load, `index.html` | {load} |
| the largest page, `{largest}`, {largest_size:.1f} MB | {largest_load} |"""


def table(found: Measured) -> str:
    """The figures as Markdown."""
    return _TABLE.format(
        **{
            **vars(found),
            "cores": os.cpu_count(),
            "equities": "the store had counted the equities before, in a first report."
            if found.counted
            else "counting the equities, which the store then keeps, is in it.",
            "each": found.seconds / found.matches,
            "cpu_each": found.cpu / found.matches,
            "bytes": 1e6 * found.size / found.hands,
            "load": _said(found.load),
            "largest_load": _said(found.largest_load),
        }
    )


def _said(seconds: float | None) -> str:
    return "not measured: no Chromium" if seconds is None else f"{seconds:.2f} s"


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--folder", type=Path, help="where to work, kept afterwards; else a temporary one")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the figures between its marks")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="railbird-report-") as temporary:
        said = table(measure(options.folder or Path(temporary), options.matches))
    print(said)
    if options.write:
        text = options.write.read_text()
        marked = re.sub(r"<!-- measured -->.*?<!-- end -->", lambda _: _MARKED.format(said), text, flags=re.S)
        options.write.write_text(marked)


if __name__ == "__main__":
    main()
