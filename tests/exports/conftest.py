"""Stores to export: a small one for what commands say, one of everything that can be simulated, one of many hands."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import MadeOnce
from support.simulated import store_of

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import playable


@pytest.fixture(scope="session")
def few(sample_logs: Path, made_once: MadeOnce) -> Iterator[Store]:
    """Two matches of plain hold'em; only to be read."""
    logs = [sample_logs / "holdem-mit/base.txt", sample_logs / "husky/faults.txt"]
    with open_store(made_once("few-store", lambda fresh: ingest(logs, fresh))) as store:
        yield store


@pytest.fixture(scope="session")
def everything(made_once: MadeOnce, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """All games that can be simulated."""
    logs = tmp_path_factory.mktemp("everything") / "logs"
    matches = [(game, 16, seed) for seed, game in enumerate(playable())]
    with open_store(made_once("everything-store", lambda fresh: store_of(logs, matches, fresh))) as store:
        yield store


@pytest.fixture(scope="session")
def many(made_once: MadeOnce, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Ten thousand hands of hold'em."""
    logs = tmp_path_factory.mktemp("many") / "logs"
    matches = [("holdem-mit", 6700, 1), ("holdem-mit", 2000, 2)]
    matches += [("acpc/holdem.nolimit.2p.reverse_blinds", 1000, 3), ("acpc/holdem.nolimit.3p", 300, 4)]
    with open_store(made_once("many-store", lambda fresh: store_of(logs, matches, fresh, quick=1))) as store:
        yield store
