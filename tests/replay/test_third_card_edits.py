"""An edited Auction or Toss log is noticed: random single edits, engine-written, published and simulated."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from conftest import NO_CORPUS, ROOT, corpus_root
from support.edits import Log, measure
from support.third_card_edits import ALWAYS, SOMETIMES, third_card_logs

SEED = 2025
EDITS = 100
# What is seen of the others, less a margin; docs/edits.md has the table.
FLOORS = {
    "action kind": 0.97,
    "amount": 0.45,
    "dealt hole card": 0.15,
    "board card": 0.84,
    "bets EV": 1.0,
    "round number": 1.0,
    "card won": 0.40,
    "line dropped": 1.0,
}
FOLDERS = ("auction*", "toss*")
# Kinds of lines that the engines of neither game print, and those that only the other one's print.
IN_NEITHER = {
    "winning counts",
    "bounty hit dropped",
    "bounty hit added",
    "bounty rank",
    "won in the run",
    "swapped or not",
    "hole card after a street",
    "permutation",
    "straights",
}
NOT_IN = {
    "auction*": IN_NEITHER | {"current stacks", "discarded card"},
    "toss*": IN_NEITHER | {"bid", "bids told", "auction denied or invented", "card won"},
}


@cache
def logs(root: Path, folder: str) -> list[Log]:
    return third_card_logs(sorted(path for path in root.glob(f"{folder}/**/*.txt") if path.is_file()))


@pytest.fixture(params=["sample_logs", "corpus"])
def root(request: pytest.FixtureRequest) -> Path:
    root = ROOT / "sample_logs" if request.param == "sample_logs" else corpus_root()
    if root is None:
        pytest.skip(NO_CORPUS)
    return root


def kinds(edits: Iterable[str]) -> list[tuple[str, str]]:
    return [(folder, kind) for folder in FOLDERS for kind in edits if kind not in NOT_IN[folder]]


@pytest.mark.parametrize(("folder", "kind"), kinds(ALWAYS))
def test_edits_of_what_a_log_repeats_are_all_noticed(folder: str, kind: str, root: Path) -> None:
    tally = measure(logs(root, folder), ALWAYS[kind], EDITS, SEED)
    assert tally.made == EDITS
    assert not tally.unseen
    assert tally.flagged == EDITS


@pytest.mark.parametrize(("folder", "kind"), kinds(SOMETIMES))
def test_a_share_of_the_other_edits_is_noticed(folder: str, kind: str, root: Path) -> None:
    tally = measure(logs(root, folder), SOMETIMES[kind], EDITS, SEED)
    assert tally.made == EDITS
    assert tally.share >= FLOORS[kind]


@pytest.mark.parametrize("folder", FOLDERS)
def test_kinds_that_are_left_out_cannot_be_made(folder: str) -> None:
    every = ALWAYS | SOMETIMES
    made = {
        kind
        for kind in NOT_IN[folder]
        if measure(logs(ROOT / "sample_logs", folder), every[kind], 1, SEED).made
    }
    assert not made
