"""An edited Auction or Toss log is noticed: random single edits, engine-written, published and simulated."""

from functools import cache
from pathlib import Path

import pytest
from conftest import ROOT, corpus_root
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
NO_CORPUS = "RAILBIRD_CORPUS is not set: it names a folder of logs (CONTRIBUTING.md)"


@cache
def logs(root: Path, folder: str) -> list[Log]:
    return third_card_logs(sorted(path for path in root.glob(f"{folder}/**/*.txt") if path.is_file()))


@pytest.fixture(params=[(place, folder) for place in ("sample_logs", "corpus") for folder in FOLDERS])
def clean(request: pytest.FixtureRequest) -> list[Log]:
    place, folder = request.param
    if place == "sample_logs":
        return logs(ROOT / "sample_logs", folder)
    root = corpus_root()
    if root is None:
        pytest.skip(NO_CORPUS)
    return logs(root, folder)


@pytest.mark.parametrize("kind", ALWAYS)
def test_edits_of_what_a_log_repeats_are_all_noticed(kind: str, clean: list[Log]) -> None:
    tally = measure(clean, ALWAYS[kind], EDITS, SEED)
    assert tally.made in (0, EDITS)
    assert not tally.unseen
    assert tally.flagged == tally.made


@pytest.mark.parametrize("kind", SOMETIMES)
def test_a_share_of_the_other_edits_is_noticed(kind: str, clean: list[Log]) -> None:
    tally = measure(clean, SOMETIMES[kind], EDITS, SEED)
    assert tally.made in (0, EDITS)
    assert not tally.made or tally.share >= FLOORS[kind]


def test_every_kind_of_edit_can_be_made_to_some_log() -> None:
    elsewhere = (
        "bounty",
        "winning",
        "run",
        "swapped",
        "permutation",
        "straights",
        "won in",
        "hole card after",
    )
    for kind, edit in (ALWAYS | SOMETIMES).items():
        made = [measure(logs(ROOT / "sample_logs", folder), edit, 5, SEED).made for folder in FOLDERS]
        assert any(made) or kind.startswith(elsewhere)
