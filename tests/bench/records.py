"""Records of JSON: text to full store against their decoder alone, and the peak memory of files of gigabytes.

The decoder is msgspec's, into Python's objects: what a program does at least that reads the records in any way. Beside
it stands the decoder that railbird's translators use, which leaves out the keys that are not read.
"""

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any, Final

import msgspec

from bench import ingests, record_copies
from bench.figures import MB, Figures, alone, by_turns
from railbird.parsers.dialects import records_for

GOAL: Final = 0.3
"""Of the decoder's speed."""
_HEAD: Final = 1 << 16
_SMALL: Final = ("live-poker-bench", "husky", "texasholdem")
"""Engines that write a file a hand: less text makes thousands of files."""


def _decoded(paths: Sequence[Path], decode: Callable[[bytes], Any]) -> None:
    """Decode every record of some files, one after the other."""
    for path in paths:
        if path.suffix == ".jsonl":
            with path.open("rb") as lines:
                for line in lines:
                    decode(line)
        else:
            decode(path.read_bytes())


def _typed(path: Path) -> Callable[[bytes], Any]:
    """The decoder that railbird uses for a file of records."""
    with path.open("rb") as file:
        dialect = records_for(file.read(_HEAD))
    assert dialect is not None and dialect.records is not None
    module = import_module(f"railbird.parsers.{dialect.records.module}")
    return msgspec.json.Decoder(module.RECORD).decode


def speeds(figures: Figures, folder: Path, megabytes: int) -> None:
    """Each engine of JSON, on one core; the runs of the decoders and of railbird alternate."""
    for engine in record_copies.ENGINES:
        if engine == "phhs" or not record_copies.originals(engine):
            continue
        size = min(megabytes, 15) if engine in _SMALL else megabytes
        logs = folder / f"records of {engine}"
        paths = record_copies.written(engine, logs, int(size * MB))
        text = sum(path.stat().st_size for path in paths) / MB
        alone()
        plain, typed, full = by_turns(
            partial(_decoded, paths, msgspec.json.Decoder().decode),
            partial(_decoded, paths, _typed(paths[0])),
            partial(ingests.store_logs, [logs], folder / "records-store"),
            times=3,
            clock=process_time,
        )
        figures.add(
            f"{engine}: {len(paths):,} files of JSON, text to full store, one core, against decoding",
            f"{text / full:.0f} MB/s of processor time",
            f"msgspec {text / plain:.0f} MB/s, leaving out keys {text / typed:.0f} MB/s",
            plain / full,
            GOAL,
        )
        shutil.rmtree(logs)


def memory(figures: Figures, folder: Path, megabytes: int) -> None:
    """The peak memory of `railbird ingest` on two threads, of one file of JSON lines and one of PHHS."""
    for engine in ("llm-poker-arena", "phhs"):
        if record_copies.originals(engine):
            logs = folder / f"many records of {engine}"
            record_copies.written(engine, logs, int(megabytes * MB))
            ingests.peak(figures, f"peak memory on {megabytes:,} MB of {engine} in one file", logs, folder)
            shutil.rmtree(logs)
