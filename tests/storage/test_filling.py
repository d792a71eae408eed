"""What is scanned and replayed together: no more rows than memory is meant for, and the same store for it."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.stores import told

from railbird.ingest import ingest
from railbird.parsers.dialect import MatchText
from railbird.parsers.dialects import dialect_named
from railbird.parsers.reading import read_events
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
