"""The rows of a match do not depend on how many hands tables are made of at once."""

from pathlib import Path

import pytest
from support.stores import everything, holds_together

from railbird.ingest import ingest
from railbird.replay import rows
from railbird.replay.acpc import chunk
from railbird.replay.rows import Assembler

LOGS = [
    *("acpc/faults.log", "acpc/faults.err", "acpc/six-max.log", "acpc/cut-short.log"),
    *("blotto/disconnected.txt", "bounty/faults.txt", "koper/v1-eliminations.txt", "redraw-2017", "swap"),
]


@pytest.fixture(scope="module")
def whole(sample_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("whole") / "store"
    ingest([sample_logs / name for name in LOGS], store)
    return store


def test_windows_have_the_rows_of_the_whole(
    whole: Path, sample_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "WINDOW", 40)
    monkeypatch.setattr(chunk, "MOST_ROWS", 100)
    made: list[int] = []
    bounds = Assembler._bounds

    def counted(self: Assembler) -> list[int]:
        found = bounds(self)
        made.append(len(found) - 1)
        return found

    monkeypatch.setattr(Assembler, "_bounds", counted)
    ingest([sample_logs / name for name in LOGS], tmp_path / "store")
    # Each is asked for twice, before and after the claim.
    assert max(made) > 10
    holds_together(tmp_path / "store")
    assert everything(tmp_path / "store") == everything(whole)
