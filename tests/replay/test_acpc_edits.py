"""An edited ACPC log is noticed: random single edits to clean logs, dealer-written, published and simulated."""

from functools import cache
from pathlib import Path

import pytest
from conftest import NO_CORPUS, ROOT, corpus_root
from support.acpc_edits import ALWAYS, SOMETIMES, Log, clean_logs, measure

SEED = 2025
EDITS = 200
# What is seen of the others in any of the folders below, less a margin; docs/edits.md has the table.
FLOORS = {"action kind": 0.97, "action dropped": 0.85, "amount": 0.35}


@cache
def logs(folder: Path) -> list[Log]:
    return clean_logs(sorted(folder.rglob("*.log")))


@pytest.fixture(params=["sample_logs", "corpus"])
def clean(request: pytest.FixtureRequest) -> list[Log]:
    if request.param == "sample_logs":
        return logs(ROOT / "sample_logs" / "acpc")
    root = corpus_root()
    if root is None:
        pytest.skip(NO_CORPUS)
    return logs(root / "acpc")


@pytest.mark.parametrize("kind", ALWAYS)
def test_edits_of_what_a_log_repeats_are_all_noticed(kind: str, clean: list[Log]) -> None:
    tally = measure(clean, ALWAYS[kind], EDITS, SEED)
    assert tally.made == EDITS
    assert not tally.unseen


@pytest.mark.parametrize("kind", SOMETIMES)
def test_a_share_of_the_other_edits_is_noticed(kind: str, clean: list[Log]) -> None:
    tally = measure(clean, SOMETIMES[kind], EDITS, SEED)
    assert tally.made == EDITS
    assert tally.share >= FLOORS[kind]


def test_there_are_at_least_2000_edits_that_must_all_be_noticed() -> None:
    assert EDITS * len(ALWAYS) >= 2000
