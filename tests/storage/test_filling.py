"""What is scanned and replayed together: no more rows than memory is meant for, and the same store for it."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, corpus_root
from numpy.typing import DTypeLike, NDArray
from support.stores import everything, rows, told

from railbird.ingest import ingest
from railbird.parsers.dialect import MatchText
from railbird.parsers.dialects import dialect_named
from railbird.parsers.reading import Pool, read_events
from railbird.storage import filling
from railbird.storage.filling import Filled, Filler, Work
from railbird.storage.index import Turn


@pytest.fixture
def acpc_logs(sample_logs: Path) -> list[Path]:
    """Logs of tables of two and of three."""
    return sorted((sample_logs / "acpc").glob("*.log"))


def test_of_denser_lines_less_text_is_replayed_together(
    acpc_logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(acpc_logs, tmp_path / "together", workers=1)
    largest = max(path.stat().st_size for path in acpc_logs)
    monkeypatch.setattr(filling, "CHUNK_BYTES", largest * dialect_named("acpc").dense)
    sizes: list[int] = []

    def counted(text: object, matches: Sequence[MatchText], *given: object) -> object:
        sizes.append(sum(match.end - match.body for match in matches))
        return read_events(text, matches, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(filling, "read_events", counted)
    ingest(acpc_logs, tmp_path / "apart", workers=1)
    # A portion ends with the match in which it is full.
    assert len(sizes) > 4
    assert max(sizes) <= 3 * largest
    assert told(tmp_path / "apart") == told(tmp_path / "together")


def test_only_so_many_matches_are_replayed_together(
    acpc_logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(acpc_logs, tmp_path / "together", workers=1)
    monkeypatch.setattr(filling, "_MATCHES_AT_ONCE", 2)
    counts: list[int] = []

    def counted(text: object, matches: Sequence[MatchText], *given: object) -> object:
        counts.append(len(matches))
        return read_events(text, matches, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(filling, "read_events", counted)
    ingest(acpc_logs, tmp_path / "apart", workers=1)
    assert max(counts) == 2
    assert told(tmp_path / "apart") == told(tmp_path / "together")


def test_of_short_logs_only_so_many_make_a_chunk(
    acpc_logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(acpc_logs, tmp_path / "all", workers=1)
    monkeypatch.setattr(sys.modules["railbird.ingest"], "_CHUNK_PIECES", 3)
    counts: list[int] = []
    fill = Filler.fill

    def counted(self: Filler, works: Sequence[Work], turn: Turn) -> Filled:
        counts.append(len(works))
        return fill(self, works, turn)

    monkeypatch.setattr(Filler, "fill", counted)
    ingest(acpc_logs, tmp_path / "few", workers=1)
    assert max(counts) == 3
    assert sum(counts) == len(acpc_logs)
    assert told(tmp_path / "few") == told(tmp_path / "all")


_NO_BLINDS = """variant = 'NT'
antes = [{ante}, {ante}]
blinds_or_straddles = [0, 0]
min_bet = 10
starting_stacks = [500, 500]
players = ['a', 'b']
actions = ['d dh p1 AhKh', 'd dh p2 7c7d', 'p1 f']
"""
_FOLDERS = [
    *sorted(path for path in (ROOT / "sample_logs").iterdir() if path.is_dir()),
    *(
        (root / name for name in ("acpc-kin", "cmu", "json-arenas", "people", "phh"))
        if (root := corpus_root())
        else ()
    ),
]


@pytest.mark.parametrize("folder", _FOLDERS, ids=lambda path: path.name)
def test_what_is_stored_depends_on_nothing_that_earlier_matches_left(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = [path for path in folder.rglob("*") if 1000 < path.stat().st_size < 200_000 and path.is_file()]
    holds_nothing_stale(sorted(logs)[:: len(logs) // 20 + 1], tmp_path, monkeypatch)


def test_hands_without_blinds_depend_on_nothing_that_earlier_hands_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = [tmp_path / f"{name}.phh" for name in ("a", "b", "c")]
    for log, ante in zip(logs, (7, 0, 3), strict=True):
        log.write_text(_NO_BLINDS.format(ante=ante))
    holds_nothing_stale(logs, tmp_path, monkeypatch)
    assert sorted(row["unit"] for row in rows(tmp_path / "stale", "matches")) == [1, 3, 7]


def holds_nothing_stale(logs: Sequence[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs are stored alike where the arrays that replays share are full of earlier matches."""
    ingest(logs, tmp_path / "once", workers=1)
    given: dict[str, NDArray[Any]] = {}
    left: dict[tuple[str, np.dtype[Any]], NDArray[Any]] = {}

    class Stale(Pool):
        """A pool whose arrays are full of their first rows in earlier matches, over and over."""

        def take(self, name: str, size: int, dtype: DTypeLike) -> NDArray[Any]:
            if (last := given.get(name)) is not None:
                begun = last[: 4096 // last.itemsize + 1]
                used = np.flatnonzero(begun.view(np.uint8).reshape(len(begun), -1).any(axis=1))
                if len(used):
                    left[name, last.dtype] = begun[: used[-1] + 1].copy()
            taken = given[name] = super().take(name, size, dtype)
            before = left.get((name, taken.dtype), np.zeros(1, taken.dtype))
            taken[:] = np.resize(before, len(taken))
            return taken

    monkeypatch.setattr(filling, "Pool", Stale)
    monkeypatch.setattr(filling, "_MATCHES_AT_ONCE", 1)
    for name in ("stale", "again"):
        ingest(logs, tmp_path / name, workers=1)
        assert everything(tmp_path / name) == everything(tmp_path / "once")
    assert left
