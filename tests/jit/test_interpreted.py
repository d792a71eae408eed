"""Uncompiled rules give the answers of compiled ones, and read small inputs only."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, corpus_folders
from support.sources import copy_sources
from support.stores import everything

from railbird.ingest import ingest
from railbird.jit import interpreted
from railbird.parsers.marks import _count, places_of
from railbird.replay.columns import _spread_bits

compiles = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")

SCRIPT = ROOT / "tests" / "support" / "uncompiled_stores.py"
RECORD = np.dtype([("small", "i1"), ("cards", "i1", (2,)), ("chips", "f8")])


def run(*command: object, **more: str) -> "subprocess.CompletedProcess[str]":
    own = os.environ | {"RAILBIRD_COMPILE": "", **more}
    return subprocess.run(list(map(str, command)), env=own, capture_output=True, text=True)


def read_plain(logs: list[Path], folder: Path) -> dict[Path, Path]:
    """A store for each log, read by plain rules."""
    done = run(sys.executable, SCRIPT, folder, *logs)
    assert done.returncode == 0, done.stderr[-2000:]
    return {log: folder / str(number) for number, log in enumerate(logs)}


def assert_alike(plain: dict[Path, Path], folder: Path) -> None:
    """The same rows of all tables, read by plain rules and by compiled ones."""
    assert plain
    for number, (log, store) in enumerate(plain.items()):
        ingest([log], folder / str(number), workers=1)
        assert everything(store) == everything(folder / str(number)), log


GAMES = sorted(p for p in (ROOT / "sample_logs").iterdir() if p.is_dir())
ODD = ROOT / "tests" / "fixtures"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    """Every sample and every odd log, read by one process: to start one takes longer than to read a game."""
    samples = [p for game in GAMES for p in sorted(game.iterdir()) if p.is_file()]
    return read_plain([*samples, *sorted(ODD.rglob("*.txt"))], tmp_path_factory.mktemp("plain"))


@compiles
@pytest.mark.parametrize("folder", [*GAMES, ODD], ids=lambda folder: folder.name)
def test_samples_and_odd_logs_are_read_alike(folder: Path, plain: dict[Path, Path], tmp_path: Path) -> None:
    assert_alike({log: store for log, store in plain.items() if log.is_relative_to(folder)}, tmp_path)


@compiles
def test_whole_matches_are_read_alike(corpus: Path, tmp_path: Path) -> None:
    """Of a thousand hands: what is small in a sample need not be so in a match."""
    folders = sorted({path.parent for folder in corpus_folders(corpus) for path in folder.rglob("*.txt")})
    first = [min(folder.glob("*.txt")) for folder in folders]
    logs = [log for log in first if log.stat().st_size < interpreted.LITTLE]
    assert_alike(read_plain(logs, tmp_path / "plain"), tmp_path / "compiled")


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that has read nothing yet, and may do so interpreted."""
    monkeypatch.setattr(interpreted, "_left", interpreted.LITTLE)
    monkeypatch.delenv("RAILBIRD_COMPILE", raising=False)
    yield


@pytest.mark.usefixtures("fresh")
def test_only_little_is_read_uncompiled() -> None:
    half = interpreted.LITTLE // 2 + 1
    said = []
    for size in (2 * interpreted.LITTLE, half, half, 10):
        with interpreted.interpret_small(size):
            said.append(interpreted.is_allowed())
    assert said == [False, True, False, True]
    assert not interpreted.is_allowed()


@pytest.mark.usefixtures("fresh")
def test_who_wants_compiled_rules_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILBIRD_COMPILE", "1")
    with interpreted.interpret_small(1):
        assert not interpreted.is_allowed()


@pytest.mark.usefixtures("fresh")
def test_what_fails_uncompiled_is_not_tried_compiled() -> None:
    done = []

    def work() -> None:
        done.append(interpreted.is_allowed())
        raise IndexError("of no place")

    with interpreted.interpret_small(1), pytest.raises(IndexError, match="of no place"):
        interpreted.or_compiled(work, 1)
    assert done == [True]


@pytest.mark.usefixtures("fresh")
def test_text_that_takes_long_is_compiled_for() -> None:
    with interpreted.interpret_small(1):
        most, more = interpreted.LITTLE, interpreted.LITTLE + 1
        assert [interpreted.or_compiled(interpreted.is_allowed, size) for size in (most, more, 1)] == [
            True,
            False,
            False,
        ]


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("word", [b"aa", b"a", b"a."])
def test_a_word_stands_in_the_same_places(word: bytes) -> None:
    text = b"aaaa.aa\na" * 40
    compiled = places_of(text, word).tolist()
    with interpreted.interpret_small(1):
        assert places_of(text, word).tolist() == compiled


def test_what_fails_for_another_reason_is_raised() -> None:
    def work() -> None:
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        interpreted.or_compiled(work, 1)


def _kernel(array: Any, grid: Any, records: Any) -> int:
    array[1] += 1
    grid[1, 0] = grid[0, 1] + len(grid[0])
    grid[1][1] = -1
    record = records[len(records) - 1]
    record["small"] = records[0]["small"] + 1
    record["cards"][1] = record["cards"][0] + len(record["cards"])
    record["chips"] = record["chips"] / 2
    # No int8 holds the sum.
    return array[0] + record["small"] + TABLE[0] + _also(array)  # type: ignore[no-any-return]


def _also(array: Any) -> int:
    return TABLE[1] + array[0]  # type: ignore[no-any-return]


TABLE: Any = np.array([100, 27], np.int8)


def test_a_plain_kernel_counts_in_numbers_of_any_size() -> None:
    array, grid = np.array([120, 2], np.int8), np.array([[1, 2], [3, 4]], np.int16)
    records = np.zeros(2, RECORD)
    records["small"], records["cards"], records["chips"] = [7, 0], [[0, 0], [5, 0]], [0.0, 3.0]
    assert interpreted.plain(_kernel)(array, grid, records) == 120 + 8 + 100 + 27 + 120
    assert array.tolist() == [120, 3]
    assert grid.tolist() == [[1, 2], [4, -1]]
    assert [records[1][name].tolist() for name in RECORD.names or ()] == [8, [5, 7], 1.5]


@pytest.mark.parametrize("number", [128, 0.5, np.int64(300)])
def test_a_number_that_does_not_fit_is_an_error(number: Any) -> None:
    def kernel(array: Any) -> None:
        array[0] = number

    with pytest.raises((TypeError, ValueError)):
        interpreted.plain(kernel)(np.zeros(1, np.int8))


@compiles
def test_a_first_use_for_little_text_compiles_nothing(tmp_path: Path, sample_logs: Path) -> None:
    copy_sources(tmp_path)
    log = min((sample_logs / "bounty").glob("*.txt"))
    command = (sys.executable, "-m", "railbird", "ingest", log, "--store", tmp_path / "store")
    done = run(*command, RAILBIRD_CACHE=str(tmp_path / "cache"), PYTHONPATH=str(tmp_path))
    assert done.returncode == 0
    assert done.stderr == (
        "railbird: this input is small, so the rules run uncompiled; "
        "more text compiles them once, in half a minute at most\n"
    )
    kept = [*(tmp_path / "cache").rglob("*"), *(tmp_path / "railbird" / "kernels").rglob("*")]
    assert [path for path in kept if path.suffix in (".nbc", ".kernel")] == []


def both(compiled: Callable[..., Any]) -> list[Callable[..., Any]]:
    return [compiled, getattr(compiled, "py_func", compiled)]


@pytest.mark.parametrize("spread", both(_spread_bits))
@pytest.mark.parametrize("size", [1, 8, 13])
def test_a_bitmap_a_flag_has_the_bits_of_every_number(spread: Callable[..., Any], size: int) -> None:
    numbers = np.random.default_rng(size).integers(0, 2**34, size, np.uint64)
    out = np.full((34, -(-size // 8)), 255, np.uint8)
    spread(numbers, out)
    wanted = [[int(number) >> flag & 1 for number in numbers] for flag in range(34)]
    assert np.unpackbits(out, axis=1, bitorder="little")[:, :size].tolist() == wanted


@pytest.mark.parametrize("count", both(_count))
def test_more_bytes_are_counted_than_a_byte_holds(count: Callable[..., Any]) -> None:
    assert count(np.full(1000, 10, np.uint8), 0, 1000, np.uint8(10)) == 1000
