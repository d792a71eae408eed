"""Where railbird fails on a match the test fails, also one that is alone to import what ingests."""

from pathlib import Path
from typing import Any

import pytest


def test_a_failure_is_raised(sample_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from railbird.ingest import ingest
    from railbird.storage import filling

    def failing(*_: Any) -> Any:
        raise IndexError("of no array")

    monkeypatch.setattr(filling, "replay", failing)
    with pytest.raises(IndexError, match="of no array"):
        ingest([sample_logs / "bounty"], tmp_path / "store")
