"""A test fails where railbird fails on a match or a file, though the ingest goes on as it does for users."""

import sys
from pathlib import Path
from typing import Any

import pytest
from support.failures import no_failure

from railbird.ingest import ingest


def failing(*_: Any) -> Any:
    raise IndexError("of no array")


@pytest.mark.may_fail
@pytest.mark.parametrize(
    ("module", "function"), [("railbird.storage.filling", "replay"), ("railbird.ingest", "pieces")]
)
def test_a_failure_is_told_in_the_ledger_and_fails_the_test(
    module: str, function: str, sample_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[module], function, failing)
    with pytest.raises(pytest.fail.Exception, match=r"in failing\n.*\nIndexError: of no array"), no_failure():
        summary = ingest([sample_logs / "bounty"], tmp_path / "store")
    assert {account.hands_stored for account in summary.files} == {0}
    assert all(
        "railbird failed on it; please report this: IndexError" in str(a.reason) for a in summary.files
    )


def test_every_test_without_the_mark_is_watched(request: pytest.FixtureRequest) -> None:
    assert "no_unseen_failure" in request.fixturenames


def test_no_failure_is_no_failure(sample_logs: Path, tmp_path: Path) -> None:
    with no_failure():
        assert ingest([sample_logs / "bounty"], tmp_path / "store").files
