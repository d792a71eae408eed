"""An edited Koper log is noticed: random single edits to clean logs, engine-written and simulated."""

from functools import cache
from pathlib import Path

import pytest
from conftest import NO_CORPUS, ROOT, corpus_root
from support.koper_edits import EDITS, Log, clean_logs, measure

SEED = 2025
COUNT = 60
# What no line contradicts: cards that decide nothing, equities, players of one class who bet the same.
FLOORS = {"hole card": 0.2, "community card": 0.75, "win probability": 0.05, "two players exchanged": 0.9}


@cache
def logs(folder: Path) -> list[Log]:
    return clean_logs([path for path in sorted(folder.rglob("*.txt")) if ".stdout." not in path.name])


@pytest.fixture(params=["sample_logs", "corpus"])
def clean(request: pytest.FixtureRequest) -> list[Log]:
    if request.param == "sample_logs":
        return logs(ROOT / "sample_logs" / "koper")
    root = corpus_root()
    if root is None:
        pytest.skip(NO_CORPUS)
    return logs(root / "koper")


@pytest.mark.parametrize("kind", EDITS)
def test_edits_are_noticed(kind: str, clean: list[Log]) -> None:
    tally = measure(clean, EDITS[kind], COUNT, SEED)
    assert tally.made == COUNT
    assert tally.share >= FLOORS.get(kind, 1.0), tally.unseen[:3]
