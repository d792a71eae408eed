"""An edited Blotto log is noticed: random single edits to clean logs, of the corpus and simulated."""

from functools import cache
from pathlib import Path

import pytest
from conftest import NO_CORPUS, ROOT, corpus_root
from support.blotto_edits import ALWAYS, SOMETIMES, blotto_logs
from support.edits import Log, measure

SEED = 2021
EDITS = {"sample_logs": 120, "corpus": 30}
# What is seen of the others in either folder, less a margin; docs/edits.md has the table.
FLOORS = {
    "assigned card": 0.98,
    "all-in dropped": 0.9,
    "action kind": 0.93,
    "amount": 0.7,
    "dealt hole card": 0.75,
    "board card": 0.7,
    "line dropped": 0.99,
}


@cache
def _logs(folder: Path) -> list[Log]:
    return blotto_logs(sorted(path for path in folder.glob("blotto*/**/*.txt") if path.is_file()))


@pytest.fixture(params=sorted(EDITS))
def clean(request: pytest.FixtureRequest) -> tuple[list[Log], int]:
    root = ROOT / "sample_logs" if request.param == "sample_logs" else corpus_root()
    if root is None:
        pytest.skip(NO_CORPUS)
    return _logs(root), EDITS[request.param]


@pytest.mark.parametrize("kind", ALWAYS)
def test_edits_of_what_a_log_repeats_are_all_noticed(kind: str, clean: tuple[list[Log], int]) -> None:
    logs, count = clean
    tally = measure(logs, ALWAYS[kind], count, SEED)
    assert tally.made == count
    assert not tally.unseen
    assert tally.flagged == count


@pytest.mark.parametrize("kind", SOMETIMES)
def test_a_share_of_the_other_edits_is_noticed(kind: str, clean: tuple[list[Log], int]) -> None:
    logs, count = clean
    tally = measure(logs, SOMETIMES[kind], count, SEED)
    assert tally.made == count
    assert tally.share >= FLOORS[kind]


def test_there_are_at_least_2000_edits_that_must_all_be_noticed() -> None:
    assert sum(EDITS.values()) * len(ALWAYS) >= 2000
