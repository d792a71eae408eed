"""Stores made for the tests: of hand-made logs, of the sample logs, and of the corpus where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import SKIPPED, corpus_root

from oracles.decoded import Match
from oracles.mit_reader import read_match
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
# The games whose logs the oracle reads.
GAMES = ("bounty", "holdem-mit")
CORPUS_FILES = (
    "bounty-2025/engine/m06_nasty_tag.txt",
    "bounty-2025/engine/m08_disconnect_lag.txt",
    "bounty-2025/engine/m10_oddnames.txt",
    "bounty-2025/engine/m15_prefixnames.txt",
    "bounty-2025/engine/m19_samename.txt",
    "bounty-2025/real/JACazares__pokerbots-frijolbot__1.txt",
    "bounty-2025/real/tjeverett1__pokerbot2025__5.txt",
    "holdem-mit/engine/m01_rand_rand.txt",
    "holdem-mit/real/FIU-PokerBots__Lesson1__1.txt",
)

MakeStore = Callable[..., Store]


@dataclass(frozen=True)
class Reading:
    """One log, read by the oracle and by railbird."""

    match: Match
    store: Store


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for `reading` on every sample log and on some files of the corpus."""
    if "reading" not in metafunc.fixturenames:
        return
    root = corpus_root()
    params = [
        pytest.param(path, id=f"{game}/{path.name}")
        for game in GAMES
        for path in sorted((SAMPLES / game).glob("*.txt"))
    ]
    if root:
        params += [pytest.param(root / name, id=name) for name in CORPUS_FILES]
    else:
        params.append(SKIPPED)
    metafunc.parametrize("reading", params, indirect=True, scope="session")


@pytest.fixture(scope="session")
def reading(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    """A log as the oracle reads it, and the store that holds it alone."""
    folder = tmp_path_factory.mktemp("reading")
    ingest([request.param], folder)
    with open_store(folder) as store:
        yield Reading(read_match(request.param), store)


@pytest.fixture
def store_of(tmp_path: Path) -> Iterator[MakeStore]:
    """A function that makes a store of texts, each a log; the texts of one event lie in one folder."""
    opened: list[Store] = []

    def make(texts: Sequence[str], event: str = "cup", name: str = "store") -> Store:
        logs = tmp_path / "logs"
        logs.mkdir(exist_ok=True)
        paths = []
        for number, text in enumerate(texts):
            paths.append(logs / f"{event}-{number}.txt")
            paths[-1].write_bytes(text.encode())
        ingest(paths, tmp_path / name, event=event)
        opened.append(open_store(tmp_path / name))
        return opened[-1]

    yield make
    for store in opened:
        store.close()
