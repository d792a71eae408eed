"""Whole ingests of one game: speed by threads and by size, memory, the store's size, the first use on a machine."""

import gzip
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import process_time

from pyarrow import csv
from support.sources import copy_sources

from bench import material, naive, roads, scaling
from bench.figures import MB, Figures, alone, by_turns, seconds
from railbird.analytics.store import open_store
from railbird.ingest import ingest


def _weight(paths: Sequence[Path]) -> int:
    return sum(path.stat().st_size for path in paths)


def store_logs(paths: Sequence[Path], target: Path, workers: int = 1) -> None:
    """Read logs into a new store."""
    shutil.rmtree(target, ignore_errors=True)
    ingest(paths, target, workers=workers)


def stored(paths: Sequence[Path], target: Path, workers: int, times: int = 4) -> float:
    """Seconds from text to a committed store."""
    alone()
    return seconds(partial(store_logs, paths, target, workers), times)


def speed(figures: Figures, folder: Path, paths: Sequence[Path]) -> None:
    """Scan, verification and full store against `naive.py` on one core, two threads, and a log of 4 MB alone."""
    roads.verify_only(paths[:2])
    sample = roads.shuffled(paths, 36)
    slow = _weight(sample) / seconds(lambda: [naive.parse(path) for path in sample], 2) / MB
    says, size = f"naive.py {slow:.2f} MB/s", _weight(paths)
    scan = size / seconds(partial(roads.scan_only, paths), 2) / MB
    verify = size / seconds(partial(roads.verify_only, paths), 2) / MB
    figures.add("scan only, one core", f"{scan:.0f} MB/s", says, scan / slow, 30)
    figures.add("verification without writing, one core", f"{verify:.0f} MB/s", says, verify / slow, 28)
    one = stored(paths, folder / "store", 1)
    full = size / one / MB
    figures.add("text to full store, one core", f"{full:.0f} MB/s", says, full / slow, 12)
    figures.add("the same against the scan", f"{full:.0f} MB/s", f"scan {scan:.0f} MB/s", full / scan, 0.35)
    small = folder / "small.txt"
    small.write_bytes(b"\n\n".join(path.read_bytes() for path in paths[:9])[: 4 << 20])
    quick = small.stat().st_size / stored([small], folder / "small-store", 1, 9) / MB
    figures.add("a log of 4 MB against all", f"{quick:.0f} MB/s", f"all {full:.0f} MB/s", quick / full, 0.333)


def tables(figures: Figures, folder: Path, megabytes: int) -> None:
    """CMU's tables to a full store against Arrow's reader of such tables on the same files.

    Processor time of one thread each.
    """
    if not (texts := material.tables()):
        return
    paths = material.copies(folder / "tables", texts, int(megabytes * MB))
    size = _weight(paths) / MB
    options = csv.ReadOptions(use_threads=False, skip_rows=1)

    def read() -> None:
        for path in paths:
            csv.read_csv(path, read_options=options)

    alone()
    theirs, ours = by_turns(read, partial(store_logs, paths, folder / "store of tables"), clock=process_time)
    figures.add(
        "CMU's tables: text to full store, one core",
        f"{size / ours:.0f} MB/s of processor time",
        f"pyarrow.csv {size / theirs:.0f} MB/s",
        theirs / ours,
        0.25,
    )
    shutil.rmtree(folder / "tables")


def _store_apart(pool: ProcessPoolExecutor, paths: Sequence[Path], folder: Path) -> None:
    list(pool.map(store_logs, (paths[::2], paths[1::2]), (folder / "half", folder / "other-half")))


def threads(
    figures: Figures, folder: Path, paths: Sequence[Path], texts: Sequence[bytes], megabytes: int
) -> None:
    """Two threads against one, over the logs of the other speeds and over more of them.

    By turns with two processes of one thread and half of the logs each: what two cores of the machine give at most.
    """
    many = material.copies(folder / "long", list(texts), int(megabytes * MB))
    alone()
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for logs in (paths, many):
            one, two, apart = by_turns(
                partial(store_logs, logs, folder / "store"),
                partial(store_logs, logs, folder / "store", 2),
                partial(_store_apart, pool, logs, folder),
            )
            size = _weight(logs) / MB
            what = f"two threads against one, over {size:.0f} MB"
            against = f"one {size / one:.0f} MB/s, two processes {size / apart:.0f} MB/s"
            figures.add(what, f"{size / two:.0f} MB/s", against, one / two, 1.9)
    shutil.rmtree(folder / "long")


def sizes(figures: Figures, folder: Path, texts: Sequence[bytes]) -> None:
    """The store against gzip of the same text: of Bounty, and of all games of the corpus in one store.

    Each text once, copies would flatter both. A file of which no match is stored is no part of the text.
    """
    once = material.copies(folder / "texts", list(texts), sum(map(len, texts)))
    _size(figures, "store size against gzip -6 of the text", once, folder / "once", 0.9)
    if folders := material.corpus_folders():
        _size(figures, "the same of every game, in one store", folders, folder / "every", 1.0)


def _size(figures: Figures, what: str, logs: Sequence[Path], target: Path, goal: float) -> None:
    ingest(logs, target)
    with open_store(target) as store:
        read = store.execute(
            "select path from files where file_id in (select file_id from matches)"
        ).fetchall()
    zipped = sum(len(gzip.compress(Path(path).read_bytes(), 6)) for (path,) in read) / MB
    held = scaling.weight(target) / MB
    figures.add(what, f"{held:.2f} MB", f"gzip {zipped:.2f} MB", held / zipped, goal, least=False)


def memory(figures: Figures, folder: Path, texts: Sequence[bytes], megabytes: Sequence[int]) -> None:
    """Peak memory of `railbird ingest` on two threads: text in many files, all but the last also as one, short logs."""
    for size in megabytes:
        logs = folder / f"text-{size}"
        paths = material.copies(logs, list(texts), int(size * MB))
        peak(figures, f"peak memory on {size:,} MB of text in {len(paths):,} files", logs, folder)
        if size == megabytes[-2]:
            whole = folder / "all.txt"
            with whole.open("wb") as file:
                for path in paths:
                    file.write(path.read_bytes() + b"\n\n")
            peak(figures, f"peak memory on {size:,} MB of text in one file", whole, folder)
            whole.unlink()
        shutil.rmtree(logs)
    logs = folder / "short"
    size = max(megabytes[-2] // 4, 1)
    paths = material.copies(logs, list(map(_beginning, texts)), int(size * MB))
    peak(figures, f"peak memory on {size:,} MB of text in {len(paths):,} files", logs, folder)
    shutil.rmtree(logs)


def memory_of_games(figures: Figures, folder: Path, megabytes: int) -> None:
    """The same of other games' logs, whose lines hold more rows, and of all games in one command."""
    for game, found in material.corpus().items():
        texts = [text for text in (path.read_bytes() for path in found) if material.can_be_copied(text)]
        if game in ("blotto", "acpc") and texts:
            logs = folder / f"text of {game}"
            paths = material.copies(logs, texts, int(megabytes * MB))
            peak(
                figures,
                f"{game}: peak memory on {megabytes:,} MB of text in {len(paths):,} files",
                logs,
                folder,
            )
            shutil.rmtree(logs)
    if root := os.environ.get("RAILBIRD_CORPUS"):
        peak(figures, "peak memory on a folder of logs of every game", Path(root), folder)


def _beginning(text: bytes) -> bytes:
    """The first six hands of a log."""
    return text[: text.index(b"\n\nRound #7,") + 1]


def peak(figures: Figures, what: str, logs: Path, folder: Path) -> None:
    """The peak memory of an ingest on two threads."""
    store = folder / "peak-store"
    most = roads.peak_of_command(["ingest", str(logs), "--store", str(store), "--workers", "2"])
    figures.add(what, f"{most:.0f} MB", "two threads", most, 500, least=False)
    shutil.rmtree(store)


def growth(figures: Figures, folder: Path, counts: Sequence[int]) -> None:
    """What a hand costs in many matches against fewer, less the start; docs/scale-measured.md has the plot."""
    start, few, many = scaling.by_matches(folder / "growth", counts).values()
    each, less = (1e6 * (cost.seconds - start.seconds) / (cost.hands - start.hands) for cost in (many, few))
    what = f"processor time a hand, {counts[2]:,} matches against {counts[1]:,}"
    figures.add(what, f"{each:.1f} µs", f"{less:.1f} µs", each / less, 1.1, least=False)
    shutil.rmtree(folder / "growth")


def first_use(figures: Figures, folder: Path, log: Path) -> None:
    """What a first ingest of 1,000 hands takes longer than a second: of new sources, of those when they are compiled
    for it, and of a package that has their bitcode."""
    home = folder / "package"
    copy_sources(home)

    def took(cache: str, times: int = 1, compiled: str = "") -> float:
        """Seconds of an ingest with machine code kept in a folder; compiled: even for so little text."""
        own = os.environ | {
            "RAILBIRD_CACHE": str(folder / cache),
            "RAILBIRD_COMPILE": compiled,
            "PYTHONPATH": str(home),
        }

        def work() -> None:
            shutil.rmtree(folder / "first", ignore_errors=True)
            command = [sys.executable, "-m", "railbird", "ingest", str(log), "--store", str(folder / "first")]
            subprocess.run(command, check=True, capture_output=True, env=own)

        return seconds(work, times)

    little, sources = took("maker"), took("maker", compiled="1")
    first, again = took("machine"), took("machine", 3)
    for what, longer in (
        ("first use on a machine, with the kernels that a wheel or make brings: seconds more", first - again),
        ("first use after an edit of the rules: seconds more", little - again),
        ("the same of more text, which compiles them: seconds more", sources - again),
    ):
        figures.add(what, f"{longer + again:.1f} s", f"again {again:.2f} s", longer, 5, least=False)
