"""A small store for the tests of what commands say."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import MadeOnce

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest


@pytest.fixture(scope="session")
def few(sample_logs: Path, made_once: MadeOnce) -> Iterator[Store]:
    """Two matches of plain hold'em; only to be read."""
    logs = [sample_logs / "holdem-mit/base.txt", sample_logs / "husky/faults.txt"]
    with open_store(made_once("few-store", lambda fresh: ingest(logs, fresh))) as store:
        yield store
