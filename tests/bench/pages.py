"""The report over a tournament: how long it takes, how large it is, and when its first page has loaded."""

import subprocess
import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Final

from support.browser import chromium_path

from bench import material
from railbird.ingest import ingest

_PLAYERS: Final = 12
_WRITE: Final = """
import re, sys
from pathlib import Path
from railbird.analytics.store import open_store
from railbird.reports.site.build import write_report
with open_store(sys.argv[1]) as store:
    write_report(store, Path(sys.argv[2]))
print(re.search("VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


@dataclass(frozen=True)
class Measured:
    """Of a report: matches, hands, seconds to write it, MB on disk, MB of memory at the peak, seconds to load.

    load: from navigation to the load event of index.html in a headless Chromium that runs; None without one
    """

    matches: int
    hands: int
    seconds: float
    size: float
    peak: float
    load: float | None


def tournament(folder: Path, matches: int) -> Path:
    """Logs of bots that meet in pairs, 1,000 hands a match: eight matches, again and again under other names."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = material.simulated("bounty")
    names = [f"Player-{number:02}" for number in range(_PLAYERS)]
    pairs = list(combinations(names, 2))
    for number in range(matches):
        one, other = pairs[number % len(pairs)]
        text = texts[number % len(texts)].replace(b"Ann", one.encode()).replace(b"Bea", other.encode())
        text = text.replace(material.COURSE, b"/%d%s" % (number, material.COURSE), 1)
        (folder / f"{number:05}.txt").write_bytes(text)
    return folder


def measure(folder: Path, matches: int) -> Measured:
    """Write a report over a tournament and open it."""
    store, out = folder / "store", folder / "report"
    ingest([tournament(folder / "tournament", matches)], store)
    before = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _WRITE, store, out], check=True, capture_output=True, text=True
    )
    seconds = perf_counter() - before
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 1e6
    return Measured(
        matches, matches * 1000, seconds, size, int(done.stdout) / 1024, load_seconds(out / "index.html")
    )


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
