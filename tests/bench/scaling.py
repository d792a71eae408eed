"""What grows with what: cost by matches, memory by bytes, an idle pass by files, questions at ten million hands.

`python tests/bench/scaling.py --write docs/scale-measured.md` takes every figure that docs/scale.md reckons with
(half an hour, 15 GB of disk); `--quick` takes the same on little text, `--views docs/scale-measured.md` the table of
views alone (a quarter of an hour, 300 MB). Costs are seconds of processor time, user and
system, of a process of their own: other work on the machine does not count.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from bench import many_hands, material  # noqa: E402 - the tests' folder comes first
from bench.figures import PEAK  # noqa: E402

MATCHES: Final = (1, 10, 100, 1000)
GB: Final = 1e9

_INGEST: Final = f"""
import json, resource, sys
from railbird.jit.startup import prepare_process
prepare_process()
from railbird.ingest import ingest
if int(sys.argv[4]):
    sys.modules["railbird.ingest"].COMMIT_BYTES = int(sys.argv[4])
summary = ingest([sys.argv[2]], sys.argv[1], workers=int(sys.argv[3]))
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps(dict(seconds=used.ru_utime + used.ru_stime, peak={PEAK},
    hands=sum(a.hands_stored for a in summary.files), bytes=sum(a.size for a in summary.files))))
"""

_UPKEEP: Final = """
import json, sys, time, tracemalloc
from railbird.storage.compacting import compact
from railbird.storage.index import Index
from railbird.storage.manifest import read_manifest
from railbird.storage.locations import place_of
place = place_of(sys.argv[1])
Index().read(place, read_manifest(place))
before, index = time.process_time(), Index()
index.read(place, read_manifest(place))
read = time.process_time() - before
tracemalloc.start()
Index().read(place, read_manifest(place))
held = tracemalloc.get_traced_memory()[1]
tracemalloc.stop()
before = time.process_time()
done = compact(place)
took = time.process_time() - before
print(json.dumps(dict(matches=index.matches, read=read, held=held, compact=took, merged=done.bytes_before)))
"""

_MERGED: Final = 134_000_000
"""Bytes of text a thread after which a commit comes, where merging is measured: sixteen batches come together soon."""

PATIENCE: Final = 20
"""Seconds after which a question is given up."""

_ASK: Final = """
import json, resource, sys, threading, time
import duckdb
import railbird as rb
from railbird.analytics.views import all_views, with_sources
def used():
    now = resource.getrusage(resource.RUSAGE_SELF)
    return now.ru_utime + now.ru_stime
patience, end = float(sys.argv[2]), time.perf_counter() + float(sys.argv[3])
with rb.open(sys.argv[1]) as store:
    asked = store.connection
    asked.execute("set threads = 2")
    match = asked.execute("select match_id from matches order by match_id limit 1").fetchone()[0]
    for view in sorted(all_views(), key=lambda view: bool(view.suffixes)):
        if "equities" in {source.name for source in with_sources([view.name])}:
            continue
        if time.perf_counter() > end:
            print(json.dumps((view.name, False, -2, 0.0, 0.0)), flush=True)
            continue
        row = any(column.name in ("hand_index", "seq") for column in view.columns)
        keyed = any(column.name == "match_id" for column in view.columns)
        where = f" where match_id = {match}" if row and keyed else ""
        before, clock = used(), time.perf_counter()
        watch = threading.Timer(patience, asked.interrupt)
        watch.start()
        try:
            rows = len(asked.execute(f"from {view.name}{where}").fetchall())
        except duckdb.InterruptException:
            rows = -1
        watch.cancel()
        watch.join()
        print(json.dumps((view.name, bool(where), rows, time.perf_counter() - clock, used() - before)), flush=True)
"""

WORK: Final = (
    ("tally_of", "the flags of every hand are added up, by clusters"),
    ("from situations", "every decision, and the bet it faced: a window over the actions of every street"),
    ("join situations", "every decision, and the bet it faced: a window over the actions of every street"),
    ("from decisions as", "every decision with its sizes: a row an action, four joins"),
    ("stored.actions", "every action is read, four rows a hand, and joined to its hand"),
    ("from actions", "every action is read, four rows a hand, and joined to its hand"),
    ("from lock_points", "the lead before every hand, for the lock point"),
    ("stored.seats", "every hand and seat is read"),
    ("from seats", "every hand and seat is read"),
    ("stored.hands", "every hand is read"),
)
"""What makes a view slow: a word of a query that it rests on, and the work behind it; the first that fits is told."""

START, END = "<!-- views -->", "<!-- /views -->"
"""Around the table of views in a page."""


@dataclass(frozen=True)
class Cost:
    """An ingest in a process of its own: seconds of processor time, peak memory in MB, hands and bytes stored."""

    seconds: float
    peak: float
    hands: int
    bytes: int


def ingested(
    logs: Path, store: Path, workers: int = 1, commit: int = 0, allocator: str | None = None
) -> Cost:
    """What an ingest of a folder costs; commit: after so many bytes of text, allocator: Arrow's."""
    shutil.rmtree(store, ignore_errors=True)
    command = [sys.executable, "-c", _INGEST, str(store), str(logs), str(workers), str(commit)]
    own = os.environ | ({"ARROW_DEFAULT_MEMORY_POOL": allocator} if allocator else {})
    said = subprocess.run(command, check=True, capture_output=True, text=True, env=own).stdout
    return Cost(**json.loads(said))


def by_matches(folder: Path, counts: Sequence[int] = MATCHES) -> dict[int, Cost]:
    """The cost of so many matches of a thousand hands; the least of three runs for the small ones."""
    texts = material.logs("bounty")
    size = sum(map(len, texts)) / len(texts)
    costs = {}
    for count in counts:
        logs = folder / f"{count}"
        material.copies(logs, texts, int(size * (count - 0.5)))
        runs = [ingested(logs, folder / "store") for _ in range(3 if count <= 100 else 1)]
        costs[count] = min(runs, key=lambda cost: cost.seconds)
    return costs


def plot(costs: dict[int, Cost], path: Path) -> None:
    """Seconds by hands, on logarithmic axes, with the straight line through the largest."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    hands = [cost.hands for cost in costs.values()]
    start = min(cost.seconds for cost in costs.values())
    last = list(costs.values())[-1]
    slope = (last.seconds - start) / last.hands
    axes.plot(hands, [start + slope * h for h in hands], color="0.6", label="start + hands x slope")
    axes.plot(hands, [cost.seconds for cost in costs.values()], "o", color="C0", label="measured")
    axes.set(xscale="log", yscale="log", xlabel="hands", ylabel="processor seconds, one thread")
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


def acpc(folder: Path, size: int) -> list[str]:
    """What hands of the corpus's ACPC logs cost, copied to so many bytes, as lines of a table.

    The start of an ingest is taken off: what a twentieth of the text costs tells it.
    """
    root, lines = os.environ.get("RAILBIRD_CORPUS"), []
    for name in ("acpc/engine", "acpc/engine/rr_2p_nolimit") if root else ():
        found = [path.read_bytes() for path in sorted(Path(root or "", name).rglob("*.log"))]
        texts = [text for text in found if material.can_be_copied(text)]
        costs = []
        for part in (size // 20, size):
            logs = folder / f"{Path(name).name}-{part}"
            material.copies(logs, texts, part)
            runs = (ingested(logs, folder / "acpc") for _ in range(3))
            costs.append(min(runs, key=lambda cost: cost.seconds))
        few, many = costs
        micro = 1e6 * (many.seconds - few.seconds) / (many.hands - few.hands)
        text, held = many.bytes / many.hands, weight(folder / "acpc") / many.hands
        lines.append(f"| {name} | {many.hands:,} | {micro:.1f} | {text:.0f} | {held:.0f} |")
    return lines


def upkeep(store: Path) -> list[str]:
    """What it costs to read a store's index, and to compact it."""
    asked = json.loads(
        subprocess.run(
            [sys.executable, "-c", _UPKEEP, str(store)], check=True, capture_output=True, text=True
        ).stdout
    )
    return [
        f"The index of {asked['matches']:,} matches: {1e6 * asked['read'] / asked['matches']:.1f} µs and "
        f"{asked['held'] / asked['matches']:.0f} bytes a match. `compact`: {asked['compact']:.1f} processor seconds "
        f"for {asked['merged'] / 1e6:.0f} MB of parts.",
    ]


def idle_pass(folder: Path, files: int) -> tuple[float, float]:
    """Milliseconds of a watch's pass over so many unchanged files, and of the first of another run."""
    from railbird.watch import Watcher

    logs = folder / "watched"
    for number in range(files):
        path = logs / f"{number // 1000:03}" / f"{number:06}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"%d\n" % number)
        os.utime(path, (1e9, 1e9))
    store = folder / "watched-store"
    (log,) = material.copies(folder / "one", material.logs("bounty")[:1], 1)
    shutil.copy(log, logs / "log.txt")
    os.utime(logs / "log.txt", (1e9, 1e9))
    watcher = Watcher(logs, store)
    assert watcher.look(lambda line: None) is not None
    times = []
    for each in (watcher, watcher, watcher, Watcher(logs, store)):
        before = perf_counter()
        assert each.look(print) is None
        times.append(1000 * (perf_counter() - before))
    return min(times[:3]), times[3]


Asked = tuple[str, bool, int, float, float]
"""View, whether one match is asked for, rows, seconds, processor seconds; rows -1: given up, -2: no time was left."""


def questions(store: Path, patience: float = PATIENCE, budget: float = 3600) -> list[Asked]:
    """Every view at two threads, those with suffixes last; views that do not begin within the budget are left out."""
    done = subprocess.run(
        [sys.executable, "-c", _ASK, str(store), str(patience), str(budget)],
        check=True,
        capture_output=True,
        text=True,
    )
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def work(view: str) -> str:
    """Why a view takes long."""
    from railbird.analytics.views import with_sources

    text = " ".join(" ".join(source.query.split()) for source in with_sources([view]))
    return next((why for words, why in WORK if words in text), "-")


def views(folder: Path, hands: int, patience: float, budget: float) -> list[Asked]:
    """`questions` of a store of simulated Bounty matches, stored again and again as others."""
    few = many_hands.simulated(folder, "bounty", 24)
    return questions(many_hands.replicated(few, folder / "many", hands), patience, budget)


def table(found: Sequence[Asked], hands: int, patience: float = PATIENCE) -> str:
    """The views as Markdown, the slowest first; why, of those above a second of two cores."""
    asked = [row for row in found if row[2] > -2]
    slow = [row for row in asked if row[2] < 0 or row[4] > 2]
    left = f" No time was left for {len(found) - len(asked)} others." if len(found) > len(asked) else ""
    lines = [
        f"{len(asked)} views over {hands:,} simulated hands of Bounty, two threads: {len(asked) - len(slow)} take up "
        "to two processor seconds, a second on two cores. Seconds are the clock's, with other work beside; "
        f"given up after {patience:g} of them. Views that rest on equities are left out.{left}",
        "",
        "| view | asked for | rows | seconds | processor seconds | why above a second |",
        "|---|---|---|---|---|---|",
    ]
    for name, one, rows, clock, used in sorted(asked, key=lambda row: -row[4]):
        lines.append(
            f"| {name} | {'one match' if one else 'all'} | {f'{rows:,}' if rows >= 0 else 'given up'} "
            f"| {clock:.2f} | {used:.2f} | {work(name) if rows < 0 or used > 2 else ''} |"
        )
    return "\n".join(lines)


def write_views(page: Path, made: str) -> None:
    """Put the table between the marks of a page."""
    text = page.read_text()
    before, rest = text.split(START, 1)
    page.write_text(f"{before}{START}\n{made}\n{END}{rest.split(END, 1)[1]}")


def weight(store: Path) -> int:
    """Bytes of a store: its parts, and what lists them."""
    return sum(path.stat().st_size for path in store.rglob("*") if path.is_file())


def page(
    sizes: Sequence[float], folder: Path, files: int, picture: Path, patience: float, budget: float
) -> str:
    """Every figure, as Markdown."""
    costs = by_matches(folder / "matches")
    plot(costs, picture)
    lines = [
        "## Cost by matches",
        "",
        "| matches | hands | processor seconds | microseconds a hand | peak MB |",
    ]
    lines += ["|---|---|---|---|---|"]
    lines += [
        f"| {n:,} | {c.hands:,} | {c.seconds:.2f} | {1e6 * c.seconds / c.hands:.1f} | {c.peak:.0f} |"
        for n, c in costs.items()
    ]
    lines += [
        "",
        f"![Cost by hands]({picture.name})",
        "",
        "## Memory by bytes, two threads",
        "",
        "| text | hands | processor seconds | peak MB | store |",
    ]
    lines += ["|---|---|---|---|---|"]
    for size in sizes:
        logs = folder / f"text-{size}"
        material.copies(logs, material.logs("bounty"), int(size * GB))
        cost = ingested(logs, folder / "memory", 2)
        store = weight(folder / "memory")
        lines.append(
            f"| {cost.bytes / GB:.3f} GB | {cost.hands:,} | {cost.seconds:.1f} | {cost.peak:.0f} "
            f"| {store / 1e6:.1f} MB |"
        )
        if size == sizes[-2]:
            own = ingested(logs, folder / "other", 2, allocator="mimalloc")
        if size == sizes[-1]:
            merging = ingested(logs, folder / "other", 2, commit=_MERGED)
        shutil.rmtree(logs)
    lines += [
        "",
        f"The {own.bytes / GB:.3f} GB with Arrow's own allocator: {own.peak:.0f} MB; the {cost.bytes / GB:.3f} GB with "
        f"a commit every {_MERGED / GB:.3f} GB a thread, so that batches are merged: {merging.peak:.0f} MB.",
        "",
        *upkeep(folder / "memory"),
        "",
        "## ACPC",
        "",
        "| logs | hands | microseconds a hand | bytes of text | bytes stored |",
        "|---|---|---|---|---|",
        *acpc(folder, int(sizes[1] * GB)),
    ]
    idle, again = idle_pass(folder, files)
    lines += ["", "## An idle pass of `watch`", ""]
    lines += [f"{files:,} unchanged files: {idle:.0f} ms; the first pass of another run {again:.0f} ms."]
    lines += [
        "",
        f"## Questions at {cost.hands:,} hands",
        "",
        START,
        table(questions(folder / "memory", patience, budget), cost.hands, patience),
        END,
    ]
    return HEAD + "\n".join(lines) + "\n"


HEAD: Final = """# Measured for docs/scale.md

Written by `python tests/bench/scaling.py --write docs/scale-measured.md`. The logs are of Bounty Hold'em, copied as
new matches until there is enough text. Processor seconds are the process's own, user and system. Plain seconds are
clock time and include whatever else the machine did.

"""


def main() -> None:
    """Measure and print or write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="little text, few files")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="write the page there, and the plot beside it"
    )
    parser.add_argument(
        "--views", type=Path, metavar="FILE", help="the table of views alone, between the marks of that page"
    )
    parser.add_argument(
        "--patience", type=float, default=PATIENCE, metavar="S", help="give a view up after S"
    )
    parser.add_argument("--budget", type=float, default=3600, metavar="S", help="begin no view after S")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="work there, and leave what was made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="railbird-scale-") as made:
        folder = options.keep or Path(made)
        folder.mkdir(exist_ok=True)
        if options.views:
            hands = 100_000 if options.quick else 10_000_000
            found = views(folder, hands, options.patience, options.budget)
            write_views(options.views, table(found, hands, options.patience))
            return
        picture = (options.write or folder / "scale").with_suffix(".svg")
        sizes = (0.001, 0.02) if options.quick else (0.001, 0.05, 0.5, 5)
        files = 500 if options.quick else 10_000
        text = page(sizes, folder, files, picture, options.patience, options.budget)
    if options.write:
        options.write.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
