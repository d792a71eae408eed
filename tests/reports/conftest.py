"""A store of the sample logs, one of hostile names, and an edited one, made once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate

HOSTILE = ("<script>alert(1)</script>", "\u202egnp.$x^{2}$ \x1b[31m\"'&</title>")


@pytest.fixture(scope="session")
def sample_store(sample_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    root = tmp_path_factory.mktemp("reports") / "store"
    ingest([sample_logs], root)
    with open_store(root) as store:
        yield store


@pytest.fixture(scope="session")
def hostile_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("<b>hostile & co")
    log = folder / "x'\"><img src=y>.txt"
    first, second = HOSTILE
    log.write_text(simulate("bounty", [(first, "loose-aggressive"), (second, "faulty")], 60, 3), newline="")
    ingest([log], folder / "store")
    with open_store(folder / "store") as store:
        yield store
